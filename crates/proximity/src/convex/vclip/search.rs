//! What the walk leaves to the search of this folder: polyhedra that all but touch, slivers, and whether an overlap is one.

use zerogap_core::{ContactId, Feature, Gap, Vec3};
use zerogap_geometry::{ConvexShape, Polyhedron};

use super::view::View;
use crate::convex::difference::{Corner, Difference};
use crate::convex::general::{self, Ask, End, Trace};
use crate::convex::pair::{self, TAME};
use crate::convex::placement::Placement;
use crate::convex::query::DistanceParams;
use crate::convex::rounding::slack;
use crate::convex::simplex::Simplex;
use crate::convex::walk::{Goal, Walk, walk};

/// Roundings in a product of three vectors, against that of their lengths [-].
const VOLUME_NOISE: f64 = 16.0 * f64::EPSILON;

fn ask(extent: f64) -> Ask {
    let params = DistanceParams::default();
    Ask { extent, width: params.tolerance * extent, cutoff: params.cutoff, max_growth: params.max_iterations }
}

/// Whether two polyhedra have a point in common beyond doubt: corners of their difference hold the origin, deeper than rounding reaches.
pub(super) fn do_meet(view: &View<'_>, at: &Placement, extent: f64) -> bool {
    let mut difference = Difference::new(view.own, view.other, at);
    let goal = Goal { cutoff: slack(extent), ..general::goal(&difference, &ask(extent)) };
    let between = difference.between_interiors();
    let first = if between.norm_squared() > 0.0 { -between } else { Vec3::x() };
    let start = difference.support(&first);
    let mut simplex = Simplex::new(start);
    let end = walk(&mut difference, &mut simplex, start.w, first, &goal);
    matches!(end, Walk::ContainsOrigin { .. }) && holds_origin(simplex.corners(), slack(extent))
}

/// Whether four corners hold the origin at least `depth` [m] below each of their planes.
fn holds_origin(corners: &[Corner], depth: f64) -> bool {
    let [p, q, r, s] = corners else { return false };
    [[p, q, r, s], [q, r, s, p], [r, s, p, q], [s, p, q, r]].iter().all(|[a, b, c, opposite]| {
        let (e, f) = (b.w - a.w, c.w - a.w);
        let normal = e.cross(&f);
        let (height, own) = (normal.dot(&(opposite.w - a.w)), -normal.dot(&a.w));
        // What rounding does to a product of three lengths counts for as much.
        let smallest = depth * normal.norm() + VOLUME_NOISE * e.norm() * f.norm() * a.w.norm();
        own * height.signum() >= smallest
    })
}

/// The gap of two polyhedra in A's frame, and the features that the search ended in, if known.
#[cold]
pub(super) fn by_search(view: &View<'_>, at: &Placement, extent: f64) -> (Gap, Option<ContactId>) {
    let (a, b) = (view.own, view.other);
    if !TAME.contains(&extent) {
        // Lengths whose powers over- or underflow: the pair table scales them, and wants shapes.
        let [a, b] = [a, b].map(|polyhedron| ConvexShape::from(polyhedron.clone()));
        return (pair::distance(&a, &b, at, &DistanceParams::default()), None);
    }
    let mut trace = Trace::default();
    let gap = general::distance_with(&mut Difference::new(a, b, at), &ask(extent), &mut trace);
    let found = match &trace.end {
        End::Nowhere => None,
        End::Apart(simplex) => Some(features(a, b, simplex.corners())),
        End::Overlap(corners) => Some(features(a, b, corners)),
    };
    (gap, found)
}

/// The features that hold some corners of the difference, as a pair that a walk can start from.
fn features(a: &Polyhedron, b: &Polyhedron, corners: &[Corner]) -> ContactId {
    let of_a = holding(a, corners, |corner| corner.name_a);
    let of_b = holding(b, corners, |corner| corner.name_b);
    ContactId { a: of_a, b: of_b }
}

/// The least feature that holds all the vertices named by some corners; the first vertex where there is none.
fn holding(polyhedron: &Polyhedron, corners: &[Corner], name: impl Fn(&Corner) -> u32) -> Feature {
    let at = |k: usize| name(&corners[k.min(corners.len() - 1)]);
    let (p, q, r) = (at(0), at(1), at(2));
    let other = if q == p { r } else { q };
    let vertex = Feature::Vertex(p);
    if other == p {
        return vertex;
    }
    let face = || polyhedron.common_face([p, q, r]).map_or(vertex, |face| Feature::Face(face as u32));
    if r != p && r != other {
        return face();
    }
    let tips = polyhedron.neighbors(p as usize);
    match tips.iter().position(|&tip| tip == other) {
        Some(k) => Feature::Edge(polyhedron.vertex_edges(p as usize)[k]),
        None => face(),
    }
}
