//! A convex shape that the caller describes by its support function alone.

use std::sync::Arc;

use zerogap_core::store::{Reader, Store, StoreError, Writer};
use zerogap_core::{Aabb, Mat3, Pose, Vec3};

use super::direction::with_tame;
use super::{BoundingSphere, Convex, SupportHint, SurfacePoint, bounds, support_distance};
use crate::mass::check_density;
use crate::{GeometryError, MassProperties};

/// A bounded convex set, described by where it reaches farthest.
pub trait SupportFunction: std::fmt::Debug + Send + Sync {
    /// A point of the set that lies farthest along `direction` [m]; finite for every finite direction, zero included.
    fn support(&self, direction: &Vec3) -> Vec3;

    /// A point inside the set [m].
    fn interior_point(&self) -> Vec3;

    /// The support along a unit direction with its derivative, where the surface is smooth there and the caller provides it; none otherwise. Two shapes that both provide it have their
    /// gap and normal to rounding.
    fn curved_support(&self, _direction: &Vec3) -> Option<CurvedSupport> {
        None
    }
}

/// A point of a smooth surface, and how it moves as the normal turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvedSupport {
    /// The point farthest along the direction [m].
    pub point: Vec3,
    /// Its derivative by the direction [m]: symmetric, nothing along the direction, and the radii of curvature across it.
    pub slope: Mat3,
}

/// A convex shape given by a [`SupportFunction`].
#[derive(Debug, Clone)]
pub struct UserShape {
    function: Arc<dyn SupportFunction>,
    at_unit_density: Option<MassProperties>,
    bounds: Aabb,
}

/// A function of this process cannot be stored.
impl Store for UserShape {
    fn put(&self, out: &mut Writer) {
        out.refuse("a shape with a support function of the user");
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Err(from.expected("shape with a support function of the user"))
    }
}

/// The same function object and the same mass.
impl PartialEq for UserShape {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.function), Arc::as_ptr(&other.function))
            && self.at_unit_density == other.at_unit_density
    }
}

impl UserShape {
    /// From a support function; such a shape has no mass of its own.
    pub fn new(function: Arc<dyn SupportFunction>) -> Self {
        let mut shape = Self { function, at_unit_density: None, bounds: Aabb::empty() };
        shape.bounds = bounds::posed_box(&shape, &Pose::identity());
        shape
    }

    /// With the mass properties it has at a density of 1 kg/m³, so that `mass` is its volume in m³.
    pub fn with_mass_at_unit_density(self, properties: MassProperties) -> Result<Self, GeometryError> {
        if !(properties.mass > 0.0 && properties.mass.is_finite()) {
            return Err(GeometryError::Mass { value: properties.mass });
        }
        Ok(Self { at_unit_density: Some(properties), ..self })
    }

    /// The support function.
    pub fn function(&self) -> &Arc<dyn SupportFunction> {
        &self.function
    }
}

impl Convex for UserShape {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        // The caller's function need not care for overflow.
        with_tame(direction, |d| self.function.support(d))
    }

    fn interior_point(&self) -> Vec3 {
        self.function.interior_point()
    }

    fn bounding_box(&self) -> Aabb {
        self.bounds
    }

    /// The ball around the bounding box: nothing smaller is certain from a few supports.
    fn bounding_sphere(&self) -> BoundingSphere {
        let aabb = self.bounding_box();
        BoundingSphere { center: aabb.center(), radius: 0.5 * aabb.diagonal() }
    }

    /// Volume [m³] as given with the mass properties; 0 when none were given.
    fn volume(&self) -> f64 {
        self.at_unit_density.map_or(0.0, |properties| properties.mass)
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let density = check_density(density)?;
        let given = self.at_unit_density.ok_or(GeometryError::NoMeasure { shape: "user-defined shape" })?;
        given.with_mass(given.mass * density)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        let size = self.bounding_box().diagonal();
        support_distance::closest_point(
            &|direction: &Vec3| self.function.support(direction),
            &self.function.interior_point(),
            size,
            point,
        )
    }
}
