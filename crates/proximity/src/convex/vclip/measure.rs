//! The distance of a pair of features, with points of both polyhedra and normals to try.
//!
//! In: the pair that the walk ended in. Out, in A's frame: two points as an upper bound, which lie in the polyhedra whatever the walk did, and the
//! normal that the features have.

use zerogap_core::{ContactId, Feature, Vec3};
use zerogap_geometry::Polyhedron;

use super::view::{View, ends};
use crate::convex::resolve::weights_at;
use crate::convex::segment_segment::{beside, foot, nearest_points};

/// Roundings in the difference of two points, against the extent [-].
const POINT_NOISE: f64 = 16.0 * f64::EPSILON;

/// The distance of two features, in A's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct FeatureDistance {
    /// Distance along the normal [m].
    pub(super) distance: f64,
    /// Distance of a point of A from a point of B [m].
    pub(super) upper: f64,
    /// The point of A [m].
    pub(super) point_a: Vec3,
    /// Unit vector from A to B [-].
    pub(super) normal: Vec3,
    /// By how much rounding may have rotated the normal [rad].
    pub(super) blur: f64,
}

/// Measures a pair of features of a pair whose coordinates reach to `extent` [m]; none where the features touch, or are a pair that no walk ends in.
pub(super) fn measure(view: &View<'_>, pair: ContactId, extent: f64) -> Option<FeatureDistance> {
    let own = view.own.vertices();
    match (pair.a, pair.b) {
        (Feature::Vertex(a), Feature::Vertex(b)) => {
            let point = own[a as usize];
            between(point, view.other_vertex(b) - point, extent)
        }
        (Feature::Vertex(a), Feature::Edge(b)) => {
            let [start, end] = view.other_edge(b);
            let (point, along) = (own[a as usize], end - start);
            between(point, beside_line(&(foot(&start, &along, &point) - point), &along), extent)
        }
        (Feature::Edge(a), Feature::Vertex(b)) => {
            let [start, end] = ends(view.own, &view.own.edges()[a as usize]);
            let (point, along) = (view.other_vertex(b), end - start);
            let foot = foot(&start, &along, &point);
            between(foot, beside_line(&(point - foot), &along), extent)
        }
        (Feature::Edge(a), Feature::Edge(b)) => {
            edges(&ends(view.own, &view.own.edges()[a as usize]), &view.other_edge(b), extent)
        }
        (Feature::Face(a), Feature::Vertex(b)) => {
            let above = above_face(view.own, a, &view.other_vertex(b));
            Some(FeatureDistance { point_a: above.foot, ..above.measured(above.normal) })
        }
        (Feature::Vertex(a), Feature::Face(b)) => {
            let above = above_face(view.other, b, &view.swapped().other_vertex(a));
            Some(FeatureDistance { point_a: own[a as usize], ..above.measured(-view.rotated(&above.normal)) })
        }
        _ => None,
    }
}

/// An offset across a line: what rounding left along it is taken away, where that is not all there is.
fn beside_line(offset: &Vec3, along: &Vec3) -> Vec3 {
    let across = beside(offset, along);
    if 2.0 * across.norm_squared() >= offset.norm_squared() { across } else { *offset }
}

/// The distance of a point of A from the point of B at an offset.
fn between(point_a: Vec3, offset: Vec3, extent: f64) -> Option<FeatureDistance> {
    let distance = offset.norm();
    let blur = POINT_NOISE * extent / distance;
    (distance > 0.0).then(|| FeatureDistance {
        distance,
        upper: distance,
        point_a,
        normal: offset / distance,
        blur,
    })
}

/// The distance of two edges: across both where they cross at an angle that is better known than the line between their points.
fn edges(a: &[Vec3; 2], b: &[Vec3; 2], extent: f64) -> Option<FeatureDistance> {
    let near = nearest_points(a, b);
    let offset = near.point_b - near.point_a;
    let measured = between(near.point_a, offset, extent)?;
    let (e, f) = (a[1] - a[0], b[1] - b[0]);
    let (across, sine) = across(&e, &f);
    let length = across.norm();
    let blur = POINT_NOISE / sine;
    let part = across.dot(&offset) / length;
    if blur < measured.blur && part.abs() > 0.5 * measured.distance {
        let normal = if part < 0.0 { -across / length } else { across / length };
        return Some(FeatureDistance { distance: normal.dot(&offset), normal, blur, ..measured });
    }
    let normal = beside_line(&measured.normal, &if e.norm_squared() < f.norm_squared() { f } else { e });
    Some(FeatureDistance { normal: normal.normalize(), ..measured })
}

/// A vector across two directions, perpendicular to both to rounding however small their angle, and the sine of that angle [-].
pub(super) fn across(e: &Vec3, f: &Vec3) -> (Vec3, f64) {
    let part = beside(f, e);
    (e.cross(&part), part.norm() / f.norm())
}

/// A point above a face, in the face's frame.
struct Above {
    normal: Vec3,
    height: f64,
    foot: Vec3,
    upper: f64,
}

impl Above {
    fn measured(&self, normal: Vec3) -> FeatureDistance {
        FeatureDistance { distance: self.height, upper: self.upper, point_a: self.foot, normal, blur: 0.0 }
    }
}

/// A point above a face: its height, and its distance from a point of the face that is a mean of vertices. The vertices of a merged face lie up to
/// 5e-14 of the size below its plane, and beside a sharp corner rounding may leave the foot outside.
fn above_face(polyhedron: &Polyhedron, face: u32, point: &Vec3) -> Above {
    let normal = polyhedron.normal(face as usize);
    let height = polyhedron.height(face as usize, point);
    let foot = point - normal * height;
    let corners = polyhedron.face_vertices(face as usize);
    let corner = |k: usize| polyhedron.vertices()[corners[k] as usize];
    let first = corner(0);
    // The triangle of the fan from the first corner that holds the foot.
    let (mut low, mut high) = (1, corners.len() - 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        let is_left = (corner(middle) - first).cross(&(foot - first)).dot(&normal) >= 0.0;
        if is_left {
            low = middle;
        } else {
            high = middle;
        }
    }
    let triangle = [first, corner(low), corner(high)];
    let [_, second, third] = weights_at(&triangle, &foot);
    let mean = first + (triangle[1] - first) * second + (triangle[2] - first) * third;
    Above { normal, height, foot, upper: (point - mean).norm() }
}
