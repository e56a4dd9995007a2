//! The radii of a contact: that by which its stiffness is found, and that by which it resists rolling.

use zerogap_contact::law::{NormalLaw, effective_radius, modia3d};
use zerogap_contact::material::PairProperties;
use zerogap_core::{Aabb, Pose, Vec3};
use zerogap_geometry::{Convex, ConvexShape, Shape};

use super::placed_pair::PlacedPair;

/// Radius of a contact between flat sides, edges and corners for which the pair has none, against the size of the smaller shape [-].
pub const FLAT_RADIUS: f64 = 0.05;

/// The effective radius of a contact under a law [m]: from the shapes where they have one, else that of the pair, or a fraction of their size. Zero where a point touches a shape without size.
pub(crate) fn contact_radius(
    placed: &PlacedPair<'_>,
    law: NormalLaw,
    normal: &Vec3,
    of_pair: Option<f64>,
) -> f64 {
    let of_shapes = if law == NormalLaw::Modia3d {
        let (a, b) = (modia3d_radius(&placed.a.shape), modia3d_radius(&placed.b.shape));
        Some(modia3d::effective_radius(a, b))
    } else {
        let radius = |shape: &Shape, pose: &Pose, outward: &Vec3| {
            let outward = pose.inverse_transform_vector(outward);
            shape.as_convex().and_then(|convex| convex.contact_radius(&outward))
        };
        let a = radius(&placed.a.shape, &placed.pose_a, normal);
        let b = radius(&placed.b.shape, &placed.pose_b, &-normal);
        effective_radius(a, b)
    };
    let is_some = |radius: &f64| *radius > 0.0 && radius.is_finite();
    // A point has no size: it goes by that of what it touches.
    let size = [placed.size(), placed.a.size.max(placed.b.size)].into_iter().find(is_some).unwrap_or(0.0);
    of_shapes.filter(is_some).or(of_pair.filter(is_some)).unwrap_or(FLAT_RADIUS * size)
}

/// The lever arm of a contact against rolling: the torque over the normal force [m].
pub(crate) fn rolling_arm(
    placed: &PlacedPair<'_>,
    normal: &Vec3,
    of_contact: f64,
    properties: &PairProperties,
) -> f64 {
    let PairProperties { rolling, rolling_length, .. } = *properties;
    let by_radius = if rolling > 0.0 { rolling * rolling_radius(placed, normal, of_contact) } else { 0.0 };
    by_radius + rolling_length
}

/// The radius by which a contact resists rolling under all laws but `Modia3D`'s [m]: round sides and rims roll by their own radius, everything else by the radius of its contact [m].
fn rolling_radius(placed: &PlacedPair<'_>, normal: &Vec3, of_contact: f64) -> f64 {
    let revolved = |shape: &Shape| shape.as_convex().and_then(revolved_radius);
    let (a, b) = (revolved(&placed.a.shape), revolved(&placed.b.shape));
    if a.is_none() && b.is_none() {
        return of_contact;
    }
    let radius = |own: Option<f64>, shape: &Shape, pose: &Pose, outward: &Vec3| {
        let outward = pose.inverse_transform_vector(outward);
        own.or_else(|| shape.as_convex().and_then(|convex| convex.contact_radius(&outward)))
    };
    let a = radius(a, &placed.a.shape, &placed.pose_a, normal);
    let b = radius(b, &placed.b.shape, &placed.pose_b, &-normal);
    effective_radius(a, b).unwrap_or(of_contact)
}

/// The largest radius about the axis of a shape that rolls on its side or rim [m].
fn revolved_radius(shape: &ConvexShape) -> Option<f64> {
    match shape {
        ConvexShape::Cylinder(cylinder) => Some(cylinder.radius()),
        ConvexShape::Frustum(frustum) => Some(frustum.radius0().max(frustum.radius1())),
        ConvexShape::Rounded(rounded) => Some(revolved_radius(rounded.core())? + rounded.radius()),
        _ => None,
    }
}

/// The radius that `Modia3D` gives a shape [m], and whether it counts as flat.
fn modia3d_radius(shape: &Shape) -> (f64, bool) {
    let half_extent = |bounds: Aabb| 0.5 * bounds.size().min();
    match shape {
        Shape::Convex(convex) => {
            (half_extent(convex.bounding_box()), matches!(convex, ConvexShape::Cuboid(_)))
        }
        Shape::Mesh(mesh) => (half_extent(mesh.bounding_box()), false),
        Shape::Complex(shape) => (half_extent(shape.complex().bounding_box()), false),
        // Compounds are placed piece by piece.
        Shape::HalfSpace(_) | Shape::Compound(_) | Shape::HeightField(_) => (f64::INFINITY, true),
    }
}
