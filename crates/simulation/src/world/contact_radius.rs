//! The radius by which the stiffness of a contact is found.

use zerogap_contact::law::{NormalLaw, effective_radius, modia3d};
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
        radius_of_shapes(placed, normal, ConvexShape::contact_radius)
    };
    or_of_pair(placed, of_shapes, of_pair)
}

/// The effective radius by which a contact resists rolling [m]: from the shapes where they have one, sides of cylinders and cones included, else that of the pair, or a fraction of their size. Zero where a point touches a shape without size.
pub(crate) fn rolling_radius(placed: &PlacedPair<'_>, normal: &Vec3, of_pair: Option<f64>) -> f64 {
    or_of_pair(placed, radius_of_shapes(placed, normal, ConvexShape::rolling_radius), of_pair)
}

/// The effective radius of two shapes that each have one by a rule.
fn radius_of_shapes(
    placed: &PlacedPair<'_>,
    normal: &Vec3,
    rule: fn(&ConvexShape, &Vec3) -> Option<f64>,
) -> Option<f64> {
    let radius = |shape: &Shape, pose: &Pose, outward: &Vec3| {
        shape.as_convex().and_then(|convex| rule(convex, &pose.inverse_transform_vector(outward)))
    };
    let a = radius(&placed.a.shape, &placed.pose_a, normal);
    let b = radius(&placed.b.shape, &placed.pose_b, &-normal);
    effective_radius(a, b)
}

/// The radius of shapes, or that of their pair, or a fraction of their size [m].
fn or_of_pair(placed: &PlacedPair<'_>, of_shapes: Option<f64>, of_pair: Option<f64>) -> f64 {
    let is_some = |radius: &f64| *radius > 0.0 && radius.is_finite();
    // A point has no size: it goes by that of what it touches.
    let size = [placed.size(), placed.a.size.max(placed.b.size)].into_iter().find(is_some).unwrap_or(0.0);
    of_shapes.filter(is_some).or(of_pair.filter(is_some)).unwrap_or(FLAT_RADIUS * size)
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
