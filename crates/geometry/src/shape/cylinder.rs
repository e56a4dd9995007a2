//! A cylinder along z about the origin.

use std::f64::consts::PI;

use zerogap_core::error::check_positive_length;
use zerogap_core::{Aabb, Vec3};

use super::direction::{from_any_distance, signed, with_tame};
use super::profile::{closest_on_frustum, radial_unit};
use super::{BoundingSphere, Convex, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, revolution};

/// A cylinder along z about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_length: f64,
}

zerogap_core::store_struct!(Cylinder { radius, half_length } check |it| Self::new(it.radius, it.length()));

impl Cylinder {
    /// From radius [m] and full length [m].
    pub fn new(radius: f64, length: f64) -> Result<Self, GeometryError> {
        let radius = check_positive_length("the cylinder's radius", radius)?;
        Ok(Self { radius, half_length: 0.5 * check_positive_length("the cylinder's length", length)? })
    }

    /// Radius [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Full length [m].
    pub fn length(&self) -> f64 {
        2.0 * self.half_length
    }
}

impl Convex for Cylinder {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        with_tame(direction, |d| {
            let (x, y, _) = radial_unit(d);
            Vec3::new(self.radius * x, self.radius * y, signed(d.z, self.half_length))
        })
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }

    fn bounding_box(&self) -> Aabb {
        let max = Vec3::new(self.radius, self.radius, self.half_length);
        Aabb { min: -max, max }
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        let radius = zerogap_core::math::hypot(self.radius, self.half_length);
        BoundingSphere { center: Vec3::zeros(), radius }
    }

    fn volume(&self) -> f64 {
        PI * self.radius.powi(2) * self.length()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        revolution::rounded_frustum(self.radius, self.radius, self.length(), 0.0)
            .mass_properties(Vec3::zeros(), density)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| closest_on_frustum(self.radius, self.radius, self.half_length, q))
    }
}
