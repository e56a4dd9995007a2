//! A ball about the origin.

use std::f64::consts::PI;

use zerogap_core::error::check_positive_length;
use zerogap_core::{Aabb, Vec3};

use super::direction::{FAR, from_any_distance, length, unit_or};
use super::{BoundingSphere, Convex, Ray, RayHit, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, revolution};

/// A ball about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    radius: f64,
}

zerogap_core::store_struct!(Sphere { radius } check |it| Self::new(it.radius));

impl Sphere {
    /// With this radius [m].
    pub fn new(radius: f64) -> Result<Self, GeometryError> {
        Ok(Self { radius: check_positive_length("the sphere's radius", radius)? })
    }

    /// Radius [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Convex for Sphere {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        unit_or(direction, &Vec3::z()) * self.radius
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }

    fn bounding_box(&self) -> Aabb {
        Aabb { min: Vec3::repeat(-self.radius), max: Vec3::repeat(self.radius) }
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        BoundingSphere { center: Vec3::zeros(), radius: self.radius }
    }

    fn volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.radius.powi(3)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        revolution::rounded_frustum(0.0, 0.0, 0.0, self.radius).mass_properties(Vec3::zeros(), density)
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        if ray.origin.amax() > FAR {
            return None;
        }
        if length(&ray.origin) <= self.radius {
            return Some(RayHit { distance: 0.0, normal: -ray.direction });
        }
        hit_on_ball(&ray.origin, &ray.direction, self.radius)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| {
            let normal = unit_or(q, &Vec3::z());
            SurfacePoint { point: normal * self.radius, gap: length(q) - self.radius, normal }
        })
    }
}

/// Where a ray along the unit direction `d` from `o`, which lies outside, hits the ball of radius `r` about the origin.
///
/// Given vectors in a plane, it is where it hits a circle. The normal faces the ray even where the ball is smaller than the rounding
/// of the hit point.
pub(super) fn hit_on_ball(o: &Vec3, d: &Vec3, r: f64) -> Option<RayHit> {
    // The factors of |o|² - r² and the miss distance keep their digits where the textbook discriminant cancels.
    let away = length(o);
    let along = o.dot(d);
    let across = o - d * along;
    let miss = length(&across);
    if along >= 0.0 || miss > r {
        return None;
    }
    let half_chord = ((r - miss) * (r + miss)).sqrt();
    let distance = (away - r) * ((away + r) / (half_chord - along));
    // Perpendicular to the ray once more: what rounding left along it may be larger than a small ball.
    let across = across - d * across.dot(d);
    Some(RayHit { distance, normal: unit_or(&(across - d * half_chord), &-d) })
}
