//! What people call: the gap of two convex shapes, in the world.

use zerogap_core::{Gap, Pose, Vec3};
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use super::pair;
use super::placement::Placement;

/// What is asked of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DistanceParams {
    /// Width of the bounds to stop at, for curved shapes, against the extent of the pair [-]. Polytopes are exact to rounding.
    pub tolerance: f64,
    /// A gap known to be larger ends the search, with [`zerogap_core::GapStatus::Farther`] [m].
    pub cutoff: f64,
    /// Most corners of the inner polytope in overlap [-].
    pub max_iterations: u32,
}

impl Default for DistanceParams {
    fn default() -> Self {
        Self { tolerance: 1e-11, cutoff: f64::INFINITY, max_iterations: 2000 }
    }
}

/// What is kept of a pair between two queries. Changes the speed, never the answer.
#[derive(Debug, Default)]
pub struct PairCache {}

/// The exact signed distance of two convex shapes, with normal, witness points and certificate.
pub fn distance(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> Gap {
    search(a, pose_a, b, pose_b, &DistanceParams::default())
}

/// [`distance`] with settings of its own and a cache for the pair.
pub fn distance_with(
    a: &ConvexShape,
    pose_a: &Pose,
    b: &ConvexShape,
    pose_b: &Pose,
    params: &DistanceParams,
    _cache: &mut PairCache,
) -> Gap {
    search(a, pose_a, b, pose_b, params)
}

/// [`distance`] that ends as soon as the shapes are known to be farther apart than `cutoff` [m].
pub fn distance_within(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose, cutoff: f64) -> Gap {
    search(a, pose_a, b, pose_b, &DistanceParams { cutoff, ..DistanceParams::default() })
}

/// Whether two convex shapes have a point in common, to rounding.
pub fn intersects(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose) -> bool {
    pair::intersects(a, b, &Placement::new(pose_a, pose_b))
}

/// How far apart two shapes are along a direction [m]: `min n·b - max n·a` for the unit vector n. Never more than the gap.
pub fn separation(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose, direction: &Vec3) -> f64 {
    let n = direction.normalize();
    let hint = &mut SupportHint::default();
    let of_a = pose_a.transform_point(&a.support(&pose_a.inverse_transform_vector(&n), hint));
    let of_b = pose_b
        .transform_point(&b.support(&pose_b.inverse_transform_vector(&-n), &mut SupportHint::default()));
    n.dot(&(of_b - of_a))
}

fn search(a: &ConvexShape, pose_a: &Pose, b: &ConvexShape, pose_b: &Pose, params: &DistanceParams) -> Gap {
    let at = Placement::new(pose_a, pose_b);
    at.to_world(pair::distance(a, b, &at, params))
}
