//! Bounding boxes and balls from points and from support functions.

use zerogap_core::{Aabb, Pose, Vec3};

use super::direction::length;
use super::{BoundingSphere, Convex, SupportHint};

/// Passes over the points that shrink the first guess [-]; the ball is then within about 2 % of the smallest.
const PASSES: usize = 8;

/// A ball around points, by growing a ball toward whichever point lies outside it. Empty input gives radius 0.
pub(crate) fn sphere_of_points(points: &[Vec3]) -> BoundingSphere {
    let mut center = if points.is_empty() { Vec3::zeros() } else { Aabb::from_points(points).center() };
    let reach = |center: &Vec3| points.iter().map(|p| length(&(p - center))).fold(0.0, f64::max);
    let mut best = BoundingSphere { center, radius: reach(&center) };
    // Restart a little too small each time, so that the centre can wander to where fewer points stick out.
    let mut radius = 0.9 * best.radius;
    for _ in 0..PASSES {
        for p in points {
            let away = length(&(p - center));
            if away > radius {
                let grown = 0.5 * (radius + away);
                center += (p - center) * ((grown - radius) / away);
                radius = grown;
            }
        }
        let needed = reach(&center);
        if needed < best.radius {
            best = BoundingSphere { center, radius: needed };
        }
        radius = 0.95 * needed;
    }
    best
}

/// The smallest axis-aligned box around a posed convex shape, from six supports.
pub(crate) fn posed_box(shape: &impl Convex, pose: &Pose) -> Aabb {
    let mut hint = SupportHint::default();
    let mut bounds = Aabb::empty();
    for k in 0..3 {
        let axis = Vec3::from_fn(|i, _| if i == k { 1.0 } else { 0.0 });
        let inward = pose.inverse_transform_vector(&axis);
        bounds.max[k] = pose.transform_point(&shape.support(&inward, &mut hint))[k];
        bounds.min[k] = pose.transform_point(&shape.support(&-inward, &mut hint))[k];
    }
    bounds
}
