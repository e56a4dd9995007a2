//! Whether two complexes intersect: faces that cross, and parts that lie inside a volume of the other.
//!
//! In: two bodies and B's placement in the frame of A. Out: a list of overlaps in ascending order; empty means that the complexes are apart.

use zerogap_core::{Feature, Vec3};
use zerogap_geometry::Complex;
use zerogap_geometry::complex::Simplex;
use zerogap_geometry::shape::HalfSpace;

use super::motion::Relative;
use super::node::{PlacedNode, may_touch};
use super::query::Overlap;
use super::search::{Question, sides};
use super::traverse::{Stack, start, walk};

/// The bit of triangles in a mask of classes.
const TRIANGLES: u8 = 1 << 6;

/// The bit of edges that may bound no triangle, where a complex has such.
fn edge_bit(complex: &Complex) -> u8 {
    if complex.has_wires() { 1 << 2 } else { 0 }
}

/// Lists where two complexes intersect.
///
/// `parts_a` and `parts_b` are a vertex of each connected part.
pub(super) fn find(
    ask: &Question<'_>,
    parts_a: &[u32],
    parts_b: &[u32],
    stack: &mut Stack,
    overlaps: &mut Vec<Overlap>,
) {
    let (a, b, relative) = (ask.a.complex, ask.b.complex, ask.relative);
    let (place_a, place_b) = ask.places((0.0, 0.0));
    let (side_a, side_b) = sides(ask, &place_a, &place_b);
    // Triangles and free edges alone can cross; the masks know triangles, and edges only where there are free ones.
    let (edges_a, edges_b) = (edge_bit(a), edge_bit(b));
    let may = |one: &PlacedNode, two: &PlacedNode| {
        let (tri_a, tri_b) = (one.mask & TRIANGLES, two.mask & TRIANGLES);
        (tri_a != 0 && two.mask & (TRIANGLES | edges_b) != 0 || tri_b != 0 && one.mask & edges_a != 0)
            && may_touch(one, two)
    };
    start(side_a, side_b, stack, may);
    walk(side_a, side_b, stack, may, |face_a, face_b| {
        // Two edges, or a point and anything, cross nowhere but by touching: the test on faces sees that.
        let (one, two) = (solid_part(a, face_a), solid_part(b, face_b));
        let (Some(one), Some(two)) = (one, two) else { return };
        let two = two.map(|p| relative.rotation * p + relative.translation);
        if crosses(&one, &two) {
            overlaps.push(Overlap::crossing(a.feature(face_a), b.feature(face_b)));
        }
    });
    overlaps.sort_unstable();
    if overlaps.is_empty() {
        let back = relative.inverse();
        inside(a, parts_a, b, &back, |vertex| overlaps.push(Overlap::AInsideB(Feature::Vertex(vertex))));
        inside(b, parts_b, a, relative, |vertex| overlaps.push(Overlap::BInsideA(Feature::Vertex(vertex))));
    }
}

/// A triangle, or an edge that bounds none.
fn solid_part(complex: &Complex, face: u32) -> Option<Simplex> {
    (face >= complex.first_triangle() || complex.is_wire(face)).then(|| complex.simplex(face))
}

/// Names a vertex of each part of `inner` that lies in a volume of `outer`; `place` puts `inner` into the frame of `outer`.
fn inside(inner: &Complex, parts: &[u32], outer: &Complex, place: &Relative, mut name: impl FnMut(u32)) {
    if !outer.has_volume() {
        return;
    }
    for &vertex in parts {
        let p = place.rotation * inner.vertices()[vertex as usize] + place.translation;
        if outer.contains(&p) {
            name(vertex);
        }
    }
}

/// Names the vertices that are not above a plane, `at` being where the complex is in its frame.
pub(super) fn below(complex: &Complex, at: &Relative, plane: &HalfSpace, mut name: impl FnMut(u32)) {
    for (vertex, p) in complex.vertices().iter().enumerate() {
        let gap = plane.closest_point(&(at.rotation * p + at.translation)).gap;
        // A vertex that nothing uses is nowhere.
        if gap <= 0.0 && complex.is_used(vertex) {
            name(vertex as u32);
        }
    }
}

/// Whether a side of one simplex passes through the other.
fn crosses(one: &Simplex, two: &Simplex) -> bool {
    let sides = |simplex: &Simplex| -> ([[Vec3; 2]; 3], usize) {
        match simplex {
            Simplex::Point([p]) => ([[*p; 2]; 3], 0),
            Simplex::Segment([p, q]) => ([[*p, *q]; 3], 1),
            Simplex::Triangle([p, q, r]) => ([[*p, *q], [*q, *r], [*r, *p]], 3),
        }
    };
    let through = |from: &Simplex, into: &Simplex| match into {
        Simplex::Triangle(corners) => {
            let (sides, count) = sides(from);
            sides[..count].iter().any(|side| passes_through(side, corners))
        }
        _ => false,
    };
    through(one, two) || through(two, one)
}

/// Whether a segment passes through a triangle, its border included; a segment in the plane of the triangle does not.
fn passes_through([p, q]: &[Vec3; 2], [a, b, c]: &[Vec3; 3]) -> bool {
    let n = (b - a).cross(&(c - a));
    let (from, to) = (n.dot(&(p - a)), n.dot(&(q - a)));
    if from * to > 0.0 || (from == 0.0 && to == 0.0) {
        return false;
    }
    let along = q - p;
    let turn = |s: &Vec3, t: &Vec3| along.dot(&(s - p).cross(&(t - p)));
    let turns = [turn(a, b), turn(b, c), turn(c, a)];
    turns.iter().all(|x| *x >= 0.0) || turns.iter().all(|x| *x <= 0.0)
}
