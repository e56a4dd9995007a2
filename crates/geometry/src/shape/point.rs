//! A single point.

use zerogap_core::error::check_coordinates;
use zerogap_core::{Aabb, Mat3, Vec3};

use super::direction::{from_any_distance, length, unit_or};
use super::{BoundingSphere, Convex, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, check_density};

/// A single point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    position: Vec3,
}

zerogap_core::store_struct!(Point { position } check |it| Self::new(it.position));

impl Point {
    /// At this position [m].
    pub fn new(position: Vec3) -> Result<Self, GeometryError> {
        Ok(Self { position: check_coordinates("the point", position)? })
    }

    /// At the origin.
    pub fn origin() -> Self {
        Self { position: Vec3::zeros() }
    }

    /// From a point of a hull, whose coordinates were checked.
    pub(crate) fn from_hull(position: Vec3) -> Self {
        Self { position }
    }

    /// Position [m].
    pub fn position(&self) -> Vec3 {
        self.position
    }
}

impl Convex for Point {
    #[inline]
    fn support(&self, _: &Vec3, _: &mut SupportHint) -> Vec3 {
        self.position
    }

    fn interior_point(&self) -> Vec3 {
        self.position
    }

    fn bounding_box(&self) -> Aabb {
        Aabb { min: self.position, max: self.position }
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        BoundingSphere { center: self.position, radius: 0.0 }
    }

    fn volume(&self) -> f64 {
        0.0
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        Ok(MassProperties { mass: check_density(density)?, center: self.position, inertia: Mat3::zeros() })
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| {
            let offset = q - self.position;
            SurfacePoint { point: self.position, gap: length(&offset), normal: unit_or(&offset, &Vec3::z()) }
        })
    }
}
