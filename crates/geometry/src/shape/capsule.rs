//! A cylinder along z with half a ball at each end.

use std::f64::consts::PI;

use zerogap_core::error::{check_length, check_positive_length};
use zerogap_core::{Aabb, Vec3};

use super::direction::{FAR, from_any_distance, length, signed, unit_or};
use super::sphere::hit_on_ball;
use super::{BoundingSphere, Convex, Ray, RayHit, Segment, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, revolution};

/// All points within `radius` of a segment along z about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    radius: f64,
    half_length: f64,
}

zerogap_core::store_struct!(Capsule { radius, half_length } check |it| Self::new(it.radius, it.length()));

impl Capsule {
    /// From the radius [m] and the length of the straight part [m], which may be 0.
    pub fn new(radius: f64, straight_length: f64) -> Result<Self, GeometryError> {
        let radius = check_positive_length("the capsule's radius", radius)?;
        Ok(Self {
            radius,
            half_length: 0.5 * check_length("the capsule's straight length", straight_length)?,
        })
    }

    /// Radius [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Length of the straight part [m].
    pub fn length(&self) -> f64 {
        2.0 * self.half_length
    }

    /// The segment that it is all points within a radius of.
    pub fn axis(&self) -> Segment {
        let half = Vec3::z() * self.half_length;
        Segment::from_hull([-half, half])
    }
}

impl Convex for Capsule {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        let mut p = unit_or(direction, &Vec3::z()) * self.radius;
        p.z += signed(direction.z, self.half_length);
        p
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }

    fn bounding_box(&self) -> Aabb {
        let max = Vec3::new(self.radius, self.radius, self.radius + self.half_length);
        Aabb { min: -max, max }
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        BoundingSphere { center: Vec3::zeros(), radius: self.radius + self.half_length }
    }

    fn volume(&self) -> f64 {
        PI * self.radius.powi(2) * (4.0 / 3.0 * self.radius + self.length())
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        revolution::rounded_frustum(0.0, 0.0, self.length(), self.radius)
            .mass_properties(Vec3::zeros(), density)
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let (o, d) = (ray.origin, ray.direction);
        if o.amax() > FAR {
            return None;
        }
        if self.contains(&o) {
            return Some(RayHit { distance: 0.0, normal: -d });
        }
        // Where the ray enters the endless cylinder decides: on the straight part, or over one of the ends.
        let (across, steep) = (Vec3::new(o.x, o.y, 0.0), Vec3::new(d.x, d.y, 0.0));
        let mut entry = o;
        if length(&across) > self.radius {
            let rotated = unit_or(&steep, &Vec3::zeros());
            let RayHit { distance, normal } = hit_on_ball(&across, &rotated, self.radius)?;
            let distance = distance / length(&steep);
            entry = ray.at(distance);
            if entry.z.abs() <= self.half_length {
                return Some(RayHit { distance, normal });
            }
        }
        let end = Vec3::new(0.0, 0.0, self.half_length.copysign(entry.z));
        hit_on_ball(&(o - end), &d, self.radius)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| {
            let axis = Vec3::new(0.0, 0.0, q.z.clamp(-self.half_length, self.half_length));
            let offset = q - axis;
            let normal = unit_or(&offset, &Vec3::x());
            SurfacePoint { point: axis + normal * self.radius, gap: length(&offset) - self.radius, normal }
        })
    }
}
