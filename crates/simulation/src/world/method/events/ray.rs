//! Contact of smooth shapes as the program `Modia3D` sees it: along the line of the centres instead of along the least overlap.
//!
//! In: two smooth convex shapes that touch or overlap. Out: the contact where the line through both centres leaves their Minkowski difference. Used by the contact law of that
//! name alone, so that its runs can be repeated; at a gap of zero it is the contact of all other laws.

use zerogap_core::{Feature, Manifold, Mat3, Pose, Vec3};
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use crate::world::placed_pair::PlacedPair;

/// Newton steps [-]; three are enough from the normal of the least overlap, where the overlap is small.
const STEPS: usize = 6;

/// Replaces the contact of a smooth pair by the one on the line of centres; leaves all other pairs as they are.
pub(crate) fn move_to_ray(pair: &PlacedPair<'_>, manifold: &mut Manifold) {
    let (Some(a), Some(b), [contact]) =
        (pair.a.shape.as_convex(), pair.b.shape.as_convex(), &mut manifold.contacts[..])
    else {
        return;
    };
    let is_smooth = |shape: &ConvexShape| matches!(shape, ConvexShape::Sphere(_) | ConvexShape::Ellipsoid(_));
    let Some(line) = (pair.pose_b.translation() - pair.pose_a.translation()).try_normalize(0.0) else {
        return;
    };
    if !(is_smooth(a) && is_smooth(b)) {
        return;
    }
    let mut normal = contact.normal;
    for _ in 0..STEPS {
        let (point_a, point_b) = (support(a, &pair.pose_a, &normal), support(b, &pair.pose_b, &-normal));
        let radii = radii(a, &pair.pose_a, &normal) + radii(b, &pair.pose_b, &-normal);
        // Across the line the difference of the points vanishes; along it the normal keeps its length.
        let across = Mat3::identity() - line * line.transpose();
        let matrix = across * radii + line * normal.transpose();
        let Some(change) = matrix.lu().solve(&(across * (point_b - point_a))) else { return };
        let Some(better) = (normal + change).try_normalize(0.0) else { return };
        normal = better;
    }
    contact.point_a = support(a, &pair.pose_a, &normal);
    contact.point_b = support(b, &pair.pose_b, &-normal);
    contact.gap = line.dot(&(contact.point_b - contact.point_a));
    contact.normal = normal;
    manifold.normal = normal;
}

fn support(shape: &ConvexShape, pose: &Pose, direction: &Vec3) -> Vec3 {
    let own = pose.inverse_transform_vector(direction);
    pose.transform_point(&shape.support(&own, &mut SupportHint::default()))
}

fn radii(shape: &ConvexShape, pose: &Pose, normal: &Vec3) -> Mat3 {
    let own = shape.surface_radii(Feature::Surface(0), &pose.inverse_transform_vector(normal));
    let rotation = pose.rotation_matrix();
    rotation * own.radii * rotation.transpose()
}
