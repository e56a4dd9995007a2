//! A cone with its tip cut off, along z, with the origin at mid-length.

use std::f64::consts::PI;

use zerogap_core::error::{check_length, check_positive_length};
use zerogap_core::{Aabb, Vec3};

use super::direction::{from_any_distance, with_tame};
use super::profile::{closest_on_frustum, radial_unit};
use super::{BoundingSphere, Convex, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, revolution};

/// A solid of revolution about z with a straight side: one radius at the low end, another at the high end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    radius0: f64,
    radius1: f64,
    half_length: f64,
}

zerogap_core::store_struct!(Frustum { radius0, radius1, half_length } check |it| Self::new(it.radius0, it.radius1, it.length()));

impl Frustum {
    /// From the radius at -z [m], the radius at +z [m] (one of them may be 0) and the full length [m].
    pub fn new(radius0: f64, radius1: f64, length: f64) -> Result<Self, GeometryError> {
        check_length("the frustum's radius at -z", radius0)?;
        check_length("the frustum's radius at +z", radius1)?;
        check_positive_length("the frustum's larger radius", radius0.max(radius1))?;
        Ok(Self {
            radius0,
            radius1,
            half_length: 0.5 * check_positive_length("the frustum's length", length)?,
        })
    }

    /// A cone with its apex at +z, from base radius [m] and full length [m].
    pub fn cone(radius: f64, length: f64) -> Result<Self, GeometryError> {
        Self::new(check_positive_length("the cone's radius", radius)?, 0.0, length)
    }

    /// Radius at the low end, -z [m].
    pub fn radius0(&self) -> f64 {
        self.radius0
    }

    /// Radius at the high end, +z [m].
    pub fn radius1(&self) -> f64 {
        self.radius1
    }

    /// Full length [m].
    pub fn length(&self) -> f64 {
        2.0 * self.half_length
    }
}

impl Convex for Frustum {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        with_tame(direction, |d| {
            let (x, y, radial) = radial_unit(d);
            let top = 2.0 * self.half_length * d.z + (self.radius1 - self.radius0) * radial >= 0.0;
            let radius = if top { self.radius1 } else { self.radius0 };
            let z = if top { self.half_length } else { -self.half_length };
            Vec3::new(radius * x, radius * y, z)
        })
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }

    fn bounding_box(&self) -> Aabb {
        let radius = self.radius0.max(self.radius1);
        let max = Vec3::new(radius, radius, self.half_length);
        Aabb { min: -max, max }
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        // The centre on the axis that is equally far from both rims, unless one rim alone decides.
        let (r0, r1, h) = (self.radius0, self.radius1, self.half_length);
        let z = ((r1 - r0) * (r1 + r0) / (4.0 * h)).clamp(-h, h);
        let radius = zerogap_core::math::hypot(r0, z + h).max(zerogap_core::math::hypot(r1, h - z));
        BoundingSphere { center: Vec3::new(0.0, 0.0, z), radius }
    }

    fn volume(&self) -> f64 {
        let (r0, r1) = (self.radius0, self.radius1);
        PI / 3.0 * self.length() * (r0 * r0 + r0 * r1 + r1 * r1)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        revolution::rounded_frustum(self.radius0, self.radius1, self.length(), 0.0)
            .mass_properties(Vec3::zeros(), density)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| closest_on_frustum(self.radius0, self.radius1, self.half_length, q))
    }
}
