//! The sure way for polytopes: all pairs of features.
//!
//! In: the difference of two polytopes. Out: the gap between two features of theirs, with the best separation that any of the candidate
//! directions shows. Slow, and only called where a search was stopped by rounding: bodies that are far thinner in one
//! direction than in another.

use zerogap_core::Vec3;

use super::body::Body;
use super::difference::{Corner, Difference};
use super::resolve::{Resolved, inner_weights, resolve};
use super::segment_segment::nearest_points;

/// Corners, edges and faces of a polytope by the names of their corners.
#[derive(Debug, Default)]
pub(crate) struct Features {
    /// Names are 0 up to this.
    pub(crate) corners: u32,
    /// Two corners each; a single point counts as an edge of no length.
    pub(crate) edges: Vec<[u32; 2]>,
    /// Three corners of each face, counter-clockwise, a flat body having both sides; all triangles of its surface.
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// The gap by all features, and the separation along its normal [m].
///
/// Method: the separating axis theorem in full for overlap; apart, the nearest of all pairs of edges and of corners over faces.
/// Tolerance: 8 ulp of the extent.
/// Cost: O(edges² + corners × faces); allocates.
pub(crate) fn by_all_features<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    width: f64,
) -> Option<(Resolved, f64)> {
    let (of_a, of_b) = (difference.a.features(), difference.b.features());
    let mut nearest = Nearest { best: None };
    nearest.of_edges(difference, &of_a, &of_b);
    nearest.of_corners_over_faces(difference, &of_a, &of_b);
    let apart = nearest.best.filter(|found| found.gap > width).map(|found| {
        let separation = found.normal.dot(&difference.support(&-found.normal).w);
        (found, separation)
    });
    // Where the nearest features do not bear their distance out, the bodies overlap.
    if let Some((found, separation)) = apart
        && found.gap - separation <= width
    {
        return Some((found, separation));
    }
    deepest(difference, &of_a, &of_b).or(apart)
}

/// The nearest pair of features so far.
struct Nearest {
    best: Option<Resolved>,
}

impl Nearest {
    fn offer(&mut self, point_a: Vec3, normal: Vec3, gap: f64) {
        if self.best.is_none_or(|best| gap < best.gap) {
            self.best = Some(Resolved { gap, normal, point_a });
        }
    }

    fn of_edges<A: Body, B: Body>(
        &mut self,
        difference: &Difference<'_, A, B>,
        of_a: &Features,
        of_b: &Features,
    ) {
        let ends_b: Vec<[Vec3; 2]> =
            of_b.edges.iter().map(|edge| edge.map(|name| difference.corner(0, name).b())).collect();
        for edge in &of_a.edges {
            let ends_a = edge.map(|name| difference.a.vertex(name));
            for ends in &ends_b {
                let near = nearest_points(&ends_a, ends);
                if self.best.is_some_and(|best| near.gap >= best.gap) {
                    continue;
                }
                let bears_out =
                    |n: &Vec3| ends[0].dot(n).min(ends[1].dot(n)) - ends_a[0].dot(n).max(ends_a[1].dot(n));
                let normal = near.normals().max_by(|m, n| bears_out(m).total_cmp(&bears_out(n)));
                if let Some(normal) = normal {
                    self.offer(near.point_a, normal, near.gap);
                }
            }
        }
    }

    fn of_corners_over_faces<A: Body, B: Body>(
        &mut self,
        difference: &Difference<'_, A, B>,
        of_a: &Features,
        of_b: &Features,
    ) {
        for triangle in &of_a.triangles {
            let corners = triangle.map(|name| difference.a.vertex(name));
            let Some(normal) = normal_of(&corners) else { continue };
            for name in 0..of_b.corners {
                let b = difference.corner(triangle[0], name).b();
                let height = normal.dot(&(b - corners[0]));
                if height >= 0.0 && inner_weights(&corners, &b).is_some() {
                    self.offer(b - normal * height, normal, height);
                }
            }
        }
        for triangle in &of_b.triangles {
            let corners = triangle.map(|name| difference.corner(0, name).b());
            let Some(normal) = normal_of(&corners) else { continue };
            for name in 0..of_a.corners {
                let a = difference.a.vertex(name);
                let height = normal.dot(&(a - corners[0]));
                if height >= 0.0 && inner_weights(&corners, &a).is_some() {
                    self.offer(a, -normal, height);
                }
            }
        }
    }
}

/// The direction of least overlap so far.
struct Deepest {
    separation: f64,
    normal: Vec3,
    corners: Option<[Corner; 3]>,
}

impl Deepest {
    /// Offers a direction; `corners` names the corners of the features it comes from, given the supporting corner.
    fn offer<A: Body, B: Body>(
        &mut self,
        difference: &mut Difference<'_, A, B>,
        normal: Vec3,
        corners: impl Fn(&Corner) -> [[u32; 2]; 3],
    ) {
        let tip = difference.support(&-normal);
        let separation = normal.dot(&tip.w);
        if separation > self.separation {
            let corners = corners(&tip).map(|[name_a, name_b]| difference.corner(name_a, name_b));
            *self = Self { separation, normal, corners: Some(corners) };
        }
    }
}

/// The direction of least overlap among the normals of all faces and across all pairs of edges.
fn deepest<A: Body, B: Body>(
    difference: &mut Difference<'_, A, B>,
    of_a: &Features,
    of_b: &Features,
) -> Option<(Resolved, f64)> {
    let mut best = Deepest { separation: f64::NEG_INFINITY, normal: Vec3::z(), corners: None };
    for &[p, q, r] in &of_a.triangles {
        let Some(normal) = normal_of(&[p, q, r].map(|name| difference.a.vertex(name))) else { continue };
        best.offer(difference, normal, |tip| [p, q, r].map(|name| [name, tip.name_b]));
    }
    for &[p, q, r] in &of_b.triangles {
        let local = normal_of(&[p, q, r].map(|name| difference.b.vertex(name)));
        let Some(normal) = local.map(|n| -difference.turned_from_b(&n)) else { continue };
        best.offer(difference, normal, |tip| [p, q, r].map(|name| [tip.name_a, name]));
    }
    let turned =
        |[p, q]: &[u32; 2]| difference.turned_from_b(&(difference.b.vertex(*q) - difference.b.vertex(*p)));
    let along_b: Vec<Vec3> = of_b.edges.iter().map(turned).collect();
    for &[p, q] in &of_a.edges {
        let along_a = difference.a.vertex(q) - difference.a.vertex(p);
        for (&[s, t], along) in of_b.edges.iter().zip(&along_b) {
            let cross = along_a.cross(along);
            let length = cross.norm();
            if length == 0.0 {
                continue;
            }
            let between = difference.corner(p, s).w;
            for normal in [cross / length, -cross / length] {
                // The bodies are no farther apart along it than these two edges.
                if normal.dot(&between) > best.separation {
                    best.offer(difference, normal, |_| [[p, s], [q, s], [p, t]]);
                }
            }
        }
    }
    let Deepest { separation, normal, corners } = best;
    let corners = corners?;
    let exact = resolve(difference, &corners, &normal).filter(|found| (found.normal - normal).norm() <= SAME);
    let point_a = exact.map_or(corners[0].a, |found| found.point_a);
    Some((Resolved { gap: separation, normal, point_a }, separation))
}

/// Normals that differ by less than this are one [-].
const SAME: f64 = 1e-6;

/// The unit normal of a triangle; none where it has no area.
fn normal_of([p, q, r]: &[Vec3; 3]) -> Option<Vec3> {
    let cross = (q - p).cross(&(r - p));
    let length = cross.norm();
    (length > 0.0).then(|| cross / length)
}
