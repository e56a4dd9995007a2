//! Bounding boxes from support functions.

use zerogap_core::{Aabb, Pose, Vec3};

use super::{Convex, SupportHint};

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
