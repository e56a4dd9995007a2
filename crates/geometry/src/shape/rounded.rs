//! A convex shape inflated by a radius: all points within that radius of the core.

use zerogap_core::error::check_length;
use zerogap_core::{Aabb, Vec3};

use super::direction::unit_or;
use super::{BoundingSphere, Convex, ConvexShape, Ray, RayHit, SupportHint, SurfacePoint, first_hit};
use crate::{GeometryError, MassProperties};

/// All points within `radius` of a convex core.
#[derive(Debug, Clone, PartialEq)]
pub struct Rounded {
    core: ConvexShape,
    radius: f64,
}

zerogap_core::store_struct!(Rounded { core, radius } check |it| match it.core {
    ConvexShape::Rounded(_) => Err("its core is itself rounded".to_owned()),
    _ => check_length("the rounding radius", it.radius).map_err(|error| error.to_string()),
});

impl Rounded {
    /// From a core and a radius [m], which may be 0. A rounded core lends its own core, and the radii add up.
    pub fn new(core: ConvexShape, radius: f64) -> Result<Self, GeometryError> {
        let radius = check_length("the rounding radius", radius)?;
        match core {
            ConvexShape::Rounded(inner) => {
                let sum = check_length("the sum of the rounding radii", inner.radius + radius)?;
                Ok(Self { core: inner.core.clone(), radius: sum })
            }
            core => Ok(Self { core, radius }),
        }
    }

    /// Returns the core; never itself a rounded shape.
    pub fn core(&self) -> &ConvexShape {
        &self.core
    }

    /// Rounding radius [m].
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl Convex for Rounded {
    #[inline]
    fn support(&self, direction: &Vec3, hint: &mut SupportHint) -> Vec3 {
        self.core.support(direction, hint) + unit_or(direction, &Vec3::z()) * self.radius
    }

    fn interior_point(&self) -> Vec3 {
        self.core.interior_point()
    }

    fn bounding_box(&self) -> Aabb {
        self.core.bounding_box().expanded(self.radius)
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        let core = self.core.bounding_sphere();
        BoundingSphere { radius: core.radius + self.radius, ..core }
    }

    /// Volume [m³]; 0 where the core is user-defined, since nothing is known of its surface.
    fn volume(&self) -> f64 {
        self.core.rounded_moments(self.radius).map_or(0.0, |(_, moments)| moments.measure)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        // Radius 0 leaves the core as it is, flat ones with their density per area or length.
        if self.radius == 0.0 {
            return self.core.mass_properties(density);
        }
        let (reference, moments) = self.core.rounded_moments(self.radius)?;
        moments.mass_properties(reference, density)
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        if self.radius == 0.0 {
            return self.core.cast_ray(ray);
        }
        first_hit(|point| self.closest_point(point), ray)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        // Inside the core as outside it, the nearest surfaces lie behind each other on one normal.
        let near = self.core.closest_point(point);
        SurfacePoint {
            point: near.point + near.normal * self.radius,
            gap: near.gap - self.radius,
            normal: near.normal,
        }
    }
}
