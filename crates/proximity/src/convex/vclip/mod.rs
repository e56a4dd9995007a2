//! The closest features of two polyhedra, by V-Clip.
//!
//! In: two polyhedra, their poses and the features that were closest before. Out: the closest features now, with distance, normal and points. Called for
//! contacts, where the pair of features is what counts and the last one is known; [`super::distance`] has bounds and works in overlap.
//!
//! The files follow a query: `view` (one polyhedron's frame), `region` (Voronoi planes and what they leave of an edge), `step` (one step per kind of
//! pair), `walk` (from pair to pair), `measure` and `settle` (points, distance and normal of the pair that the walk ended in), `lift` (all that is equally near), `search`
//! (what the walk leaves open) and `answer` (which of these is reported). Same input and same start, same bits.

mod answer;
mod lift;
mod measure;
mod region;
mod search;
mod settle;
mod step;
mod view;
mod walk;

use zerogap_core::{ContactId, Feature, Pose, Vec3};
use zerogap_geometry::{Convex, Polyhedron, SupportHint};

use super::pair::TAME;
use super::placement::Placement;
use super::rounding::extent;
use answer::Query;
use view::View;
use walk::walk;

pub(crate) use lift::most_general;

/// Whether two polyhedra have a point in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosestStatus {
    /// The shapes are apart.
    Apart,
    /// The shapes overlap: the features are only a starting point.
    Overlap,
}

impl ClosestStatus {
    /// The status in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Apart => "apart",
            Self::Overlap => "overlap",
        }
    }
}

/// The closest features of two polyhedra A and B. Apart, `point_b - point_a = distance * normal`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestFeatures {
    /// Whether they are apart.
    pub status: ClosestStatus,
    /// Distance of the polyhedra [m]; 0 in overlap.
    pub distance: f64,
    /// Unit vector from A to B [-]; in overlap only roughly from A to B.
    pub normal: Vec3,
    /// The nearest point of A [m]; in overlap some point that both have.
    pub point_a: Vec3,
    /// The nearest point of B [m]; in overlap as `point_a`.
    pub point_b: Vec3,
    /// The pair that the walk ended in, the place to start the next query from. By the walk and apart, two vertices, a vertex and an edge or a face, or
    /// two edges that are as near to each other as the polyhedra.
    pub found: ContactId,
    /// The most general pair: all that is equally near, an edge rather than its ends and a face rather than its edges, to 1e-12 of the reach.
    pub features: ContactId,
    /// Steps of the walk [-].
    pub steps: u32,
    /// Whether the walk found it; else it was left to the search of [`super::distance`].
    pub by_walk: bool,
}

/// The closest features of two convex polyhedra, starting from a pair of features.
///
/// Computes: distance [m], unit normal from A to B, nearest points, the pair of features that was found and the most general one that is as near. In overlap
///   only that they overlap. [`ClosestFeatures::found`] is the start of the next query; any start, also one of other polyhedra or out of range, gives
///   the same answer in more steps.
/// Frames: poses and answer in the world.
/// Method: Mirtich 1998, V-Clip: from a pair of features to a neighbouring nearer one, by clipping edges against Voronoi planes. Differs from it: a vertex
///   behind a face continues to the face that it is highest above at once, not from a least distance only; a vertex or an edge beside a face continues to the
///   nearest part of its border; the end is certified by the separation along the normal, and an overlap by a simplex that holds the origin; a walk
///   that comes into a circle (which Brent's comparison with a pair remembered finds), takes too many steps or ends uncertified is replaced by the search of
///   [`super::distance`]; the pair found is made as general as it can be.
/// Tolerance: 1e-14 of the extent (as [`super::distance`]); gaps smaller than that may be called overlap. Features count as equally near to 1e-12 of the
///   polyhedron's reach.
/// Cost: O(edges at the features) a step. Coherent motion: 1 to 2 steps whatever the size; from any start about the square root of the number of
///   features, at most twice their number. Nothing is allocated by the walk.
/// Fails: never; `by_walk` states how it ended.
/// Order: the pair found depends on the start where several are equally near; nothing else does beyond rounding.
///
/// ```
/// use zerogap_core::{Feature, Pose, Vec3};
/// use zerogap_geometry::Polyhedron;
/// use zerogap_proximity::convex::{ClosestStatus, closest_features};
///
/// let corners: Vec<Vec3> = (0..8).map(|k| Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect();
/// let cube = Polyhedron::from_points(&corners)?;
/// let mut start = None;
/// for step in 0..100 {
///     let above = Pose::from_translation(Vec3::new(0.3, 0.2, 1.5 - 0.002 * f64::from(step)))?;
///     let near = closest_features(&cube, &Pose::identity(), &cube, &above, start);
///     assert_eq!(near.status, ClosestStatus::Apart);
///     assert!((near.distance - (0.5 - 0.002 * f64::from(step))).abs() < 1e-14);
///     // A corner over a face was found; in truth two faces lie on each other.
///     assert!(matches!((near.features.a, near.features.b), (Feature::Face(_), Feature::Face(_))));
///     start = Some(near.found);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_features(
    a: &Polyhedron,
    pose_a: &Pose,
    b: &Polyhedron,
    pose_b: &Pose,
    start: Option<ContactId>,
) -> ClosestFeatures {
    let at = Placement::new(pose_a, pose_b);
    let extent = extent(a.reach(), b.reach(), &at.p_AB);
    let query = Query { view: View::new(a, b, &at), at: &at, extent };
    if !TAME.contains(&extent) {
        return query.searched(ContactId { a: Feature::Vertex(0), b: Feature::Vertex(0) }, 0);
    }
    let walked = walk(&query.view, first(&query.view, start));
    query.proved(&walked).unwrap_or_else(|| query.searched(walked.pair, walked.steps))
}

/// The pair to start from: what was given, where the polyhedra have it; else vertices on the line between the two.
fn first(view: &View<'_>, start: Option<ContactId>) -> ContactId {
    let between = || view.brought(&view.other.interior_point()) - view.own.interior_point();
    let vertex = |polyhedron: &Polyhedron, direction: &Vec3| {
        Feature::Vertex(polyhedron.support_vertex(direction, &mut SupportHint::default()))
    };
    let known = |polyhedron: &Polyhedron, feature: Feature| {
        let count = match feature {
            Feature::Vertex(_) => polyhedron.vertices().len(),
            Feature::Edge(_) => polyhedron.edge_count(),
            Feature::Face(_) => polyhedron.face_count(),
            Feature::Surface(_) => 0,
        };
        Some(feature).filter(|feature| (feature.index() as usize) < count)
    };
    let of_a = start.and_then(|start| known(view.own, start.a));
    let of_b = start.and_then(|start| known(view.other, start.b));
    ContactId {
        a: of_a.unwrap_or_else(|| vertex(view.own, &between())),
        b: of_b.unwrap_or_else(|| vertex(view.other, &-view.swapped().rotated(&between()))),
    }
}
