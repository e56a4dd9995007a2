//! How much rounding can hide, stated once for all kernels of this folder.

use zerogap_core::Vec3;
use zerogap_geometry::{Convex, ConvexShape};

/// Roundings between the given poses and a separation along a direction, against the extent of the pair [-].
///
/// Rotation matrices of unit quaternions are off by up to 4 ulp per row, their product and the rotated points by about as much again,
/// the dot product by 3, the unit normal by 3; doubled, because the bounds must be true and not likely.
const ROUNDINGS: f64 = 32.0 * f64::EPSILON;

/// By how much a bound computed from support points of both bodies is moved outward [m].
///
/// `extent` is [`extent`] of the pair; both ends of every certificate are computed values moved by this.
#[inline]
pub(crate) fn slack(extent: f64) -> f64 {
    ROUNDINGS * extent
}

/// The largest coordinates that enter a query [m]: how far each body reaches from its own origin, and the origins from each other.
#[inline]
pub(crate) fn extent(reach_a: f64, reach_b: f64, p_ab: &Vec3) -> f64 {
    reach_a + reach_b + p_ab.norm()
}

/// How far a shape reaches from its own origin, at most [m].
#[inline]
pub(crate) fn reach(shape: &ConvexShape) -> f64 {
    match shape {
        ConvexShape::Polyhedron(polyhedron) => polyhedron.reach(),
        ConvexShape::Cuboid(cuboid) => cuboid.half_size().norm(),
        _ => {
            let ball = shape.bounding_sphere();
            ball.center.norm() + ball.radius
        }
    }
}
