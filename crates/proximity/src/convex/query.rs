//! What people call: the gap of two convex shapes, in the world.

use std::cmp::Ordering;

use zerogap_core::{Aabb, Gap, GapStatus, Pose, Vec3};
use zerogap_geometry::shape::HalfSpace;
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use super::half_space::half_space;
use super::pair;
use super::placement::Placement;
use super::rounding::reach;
use super::warm::Warm;

/// Parameters of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceParams {
    /// Width of the bounds to stop at, for curved shapes, against the extent of the pair [-]. Polytopes are exact to rounding.
    pub tolerance: f64,
    /// A gap known to be larger ends the search, with [`zerogap_core::GapStatus::Farther`] [m].
    pub cutoff: f64,
    /// Maximum number of corners of the inner polytope in overlap [-].
    pub max_iterations: u32,
}

impl Default for DistanceParams {
    fn default() -> Self {
        Self { tolerance: 1e-11, cutoff: f64::INFINITY, max_iterations: 2000 }
    }
}

/// Cache of a pair between queries: the features last found, and in overlap the polytope that proved them. Changes the speed,
/// never the answer: every bit of it but `iterations` is that of a cold query, whatever pair the cache was used for before.
#[derive(Debug, Default)]
pub struct PairCache {
    warm: Warm,
    /// Whether the last query had the shapes in the opposite order.
    is_swapped: bool,
}

/// The exact signed distance of two convex shapes, with normal, witness points and certificate.
///
/// Computes: gap [m], positive apart and negative in overlap, where `-gap` is the shortest translation that separates the two; the unit
///   normal from A to B; points with `point_b - point_a = gap * normal`; bounds `lower <= gap <= upper` that hold the exact value.
/// Frames: poses and answer in the world.
/// Tolerance: 1e-14 of the extent (how far both shapes reach from their origins, plus the distance of the origins) for points,
///   segments, triangles, polygons, boxes, polyhedra, balls, capsules and these rounded; 1e-11, as asked for in
///   [`DistanceParams::tolerance`], for all other shapes. Largest errors measured: `docs/accuracy-table.md`.
/// Cost: closed forms, or 3 to 40 pairs of support points for polyhedra; nothing is allocated after a thread's first queries.
/// Fails: never. [`GapStatus::Limited`] where the bounds of curved shapes do not converge within the step limit; they are true all the same. The
///   points of curved shapes in overlap are known to the root of the tolerance, about 1e-5 of the size.
/// Order: swapping A and B flips the normal, swaps the points and changes no other bit, unless shape and pose are equal.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::shape::Cuboid;
/// use zerogap_proximity::convex::distance;
///
/// let cube = Cuboid::new(Vec3::repeat(2.0))?.into();
/// let beside = Pose::from_translation(Vec3::new(2.5, 0.0, 0.0))?;
/// let gap = distance(&cube, &Pose::identity(), &cube, &beside);
/// assert_eq!(gap.gap, 0.5);
/// assert_eq!(gap.normal, Vec3::x());
/// assert!(gap.lower > 0.4999 && gap.upper < 0.5001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> Gap {
    search(a, pose_a, b, pose_b, &DistanceParams::default())
}

/// [`distance`] with settings of its own and a cache for the pair.
///
/// The cache pays for polyhedra that move a little between queries: from 200 vertices on about 3 times
/// faster apart and 2.5 times in overlap. One cache per pair.
///
/// ```
/// use zerogap_core::{Pose, Vec3};
/// use zerogap_geometry::{ConvexShape, Polyhedron};
/// use zerogap_proximity::convex::{DistanceParams, PairCache, distance, distance_with};
///
/// let corners = [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()];
/// let gem: ConvexShape = Polyhedron::from_points(&corners)?.into();
/// let (params, mut cache) = (DistanceParams::default(), PairCache::default());
/// for step in 0..100 {
///     let pose = Pose::from_axis_angle(Vec3::new(2.5, 0.0, 0.0), Vec3::z(), 0.01 * f64::from(step))?;
///     let gap = distance_with(&gem, &Pose::identity(), &gem, &pose, &params, &mut cache);
///     assert_eq!(gap.gap, distance(&gem, &Pose::identity(), &gem, &pose).gap);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance_with(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    params: &DistanceParams,
    cache: &mut PairCache,
) -> Gap {
    let is_swapped = !comes_first(a, pose_a, b, pose_b);
    if cache.is_swapped != is_swapped {
        cache.warm.forget();
        cache.is_swapped = is_swapped;
    }
    let ([a, b], [pose_a, pose_b]) =
        if is_swapped { ([b, a], [pose_b, pose_a]) } else { ([a, b], [pose_a, pose_b]) };
    let at = Placement::new(pose_a, pose_b);
    let gap = placed(&at, pair::distance_warm(a, b, &at, params, &mut cache.warm), params);
    if is_swapped { gap.swapped() } else { gap }
}

/// [`distance`] that ends as soon as the shapes are known to be farther apart than `cutoff` [m]: the status is then
/// [`GapStatus::Farther`], `lower` lies beyond the cutoff, and `gap` is no more than that bound.
pub fn distance_within(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose, cutoff: f64) -> Gap {
    search(a, pose_a, b, pose_b, &DistanceParams { cutoff, ..DistanceParams::default() })
}

/// The exact signed distance of a half-space A and a convex shape B.
pub fn half_space_distance(a: &HalfSpace, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> Gap {
    let at = Placement::new(pose_a, pose_b);
    at.to_world(half_space(a, b, &at))
}

/// Whether two convex shapes have a point in common: whether the gap that [`distance`] finds is no larger than 0. It never contradicts the bounds of that
/// gap.
///
/// Cheaper than [`distance`]: a direction that separates the two, or a simplex that holds the origin, ends the search. Shapes that touch to
/// within 1e-9 of the extent take the whole search.
pub fn intersects(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> bool {
    if comes_first(a, pose_a, b, pose_b) {
        pair::intersects(a, b, &Placement::new(pose_a, pose_b))
    } else {
        pair::intersects(b, a, &Placement::new(pose_b, pose_a))
    }
}

/// Returns the separation of two shapes along a direction [m]: `min n·b - max n·a` for the unit vector n. Never more than the gap.
pub fn separation(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose, direction: &Vec3) -> f64 {
    let at = Placement::new(pose_a, pose_b);
    separation_in_a(a, b, &at, &at.turn_to_a(&unit(direction)))
}

/// [`separation`] along a unit vector in A's frame, where bodies far from the origin lose no digits [m].
pub(super) fn separation_in_a(a: &ConvexShape, b: &ConvexShape, at: &Placement, n: &Vec3) -> f64 {
    let of_a = a.support(n, &mut SupportHint::default());
    let of_b = b.support(&-at.R_AB.tr_mul(n), &mut SupportHint::default());
    n.dot(&(at.to_a(&of_b) - of_a))
}

/// The unit vector along a direction of any length; +x for none.
fn unit(direction: &Vec3) -> Vec3 {
    let largest = direction.amax();
    if largest > 0.0 { (direction / largest).normalize() } else { Vec3::x() }
}

/// The search in the order that does not depend on who is called A: swapping the two then changes no digit.
#[inline]
pub(crate) fn search(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    params: &DistanceParams,
) -> Gap {
    if comes_first(a, pose_a, b, pose_b) {
        in_order(a, pose_a, b, pose_b, params)
    } else {
        in_order(b, pose_b, a, pose_a, params).swapped()
    }
}

#[inline]
fn in_order(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose, params: &DistanceParams) -> Gap {
    let at = Placement::new(pose_a, pose_b);
    placed(&at, pair::distance(a, b, &at, params), params)
}

/// A gap in A's frame as people see it.
#[inline]
pub(super) fn placed(at: &Placement, gap: Gap, params: &DistanceParams) -> Gap {
    let gap = at.to_world(gap);
    // Closed forms give the gap at once, and report when it is beyond the cutoff.
    if gap.lower > params.cutoff { Gap { status: GapStatus::Farther, ..gap } } else { gap }
}

/// Whether A comes before B: by place along the axis on which they differ most, then by orientation, then by size.
///
/// Along that axis bodies that lie on each other keep their order while they tremble; along the first axis they would not.
#[inline]
pub(super) fn comes_first(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> bool {
    let between = pose_b.translation() - pose_a.translation();
    let (x, y, z) = (between.x.abs(), between.y.abs(), between.z.abs());
    let limit = if x >= y && x >= z {
        between.x
    } else if y >= z {
        between.y
    } else {
        between.z
    };
    limit > 0.0 || (limit >= 0.0 && rarely_first(a, pose_a, b, pose_b))
}

#[cold]
fn rarely_first(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> bool {
    let place = |pose: &Pose| pose.quaternion_xyzw();
    let size = |shape: &ConvexShape| {
        let Aabb { min, max } = shape.bounding_box();
        [reach(shape), shape.volume(), max.x, max.y, max.z, min.x, min.y, min.z]
    };
    let by_place = place(pose_a).partial_cmp(&place(pose_b));
    let by_size = || size(a).partial_cmp(&size(b)).filter(|order| order.is_ne());
    let order =
        by_place.filter(|order| order.is_ne()).or_else(by_size).or_else(|| a.kind().partial_cmp(b.kind()));
    order.is_none_or(Ordering::is_le)
}
