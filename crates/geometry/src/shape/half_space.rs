//! Everything on one side of a plane.

use zerogap_core::Vec3;
use zerogap_core::error::{check_coordinates, check_direction, check_unit};

use super::{Ray, RayHit, SurfacePoint};
use crate::{GeometryError, MassProperties};

/// How far the square of a given normal's length may be from 1 for it to be taken as it is [-].
const UNIT: f64 = 4.0 * f64::EPSILON;

/// All points x with `normal . x <= offset`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    normal: Vec3,
    offset: f64,
    given: Option<MassProperties>,
}

zerogap_core::store_struct!(HalfSpace { normal, offset, given } check Self::check_stored);

impl HalfSpace {
    /// From the outward normal, of any positive length, and the plane's distance [m] from the origin along it.
    pub fn new(normal: Vec3, offset: f64) -> Result<Self, GeometryError> {
        // A normal of length 1 passes unchanged, so that a written half-space reads back to the same bits.
        let unit = check_direction("the half-space's normal", normal)?;
        let normal = if (normal.norm_squared() - 1.0).abs() <= UNIT { normal } else { unit };
        // An offset is signed, so it has the bounds of a coordinate.
        let offset = check_coordinates("the half-space's offset", Vec3::new(0.0, 0.0, offset))?.z;
        Ok(Self { normal, offset, given: None })
    }

    /// Refuses what no constructor would have made.
    fn check_stored(&self) -> Result<(), GeometryError> {
        check_unit("the half-space's normal", &self.normal)?;
        let made = Self::new(self.normal, self.offset)?;
        self.given.map_or(Ok(made), |properties| made.with_mass_properties(properties)).map(|_| ())
    }

    /// With mass properties of its own, for a floor that moves; no density gives an endless body a mass.
    pub fn with_mass_properties(self, properties: MassProperties) -> Result<Self, GeometryError> {
        if !(properties.mass > 0.0 && properties.mass.is_finite()) {
            return Err(GeometryError::Mass { value: properties.mass });
        }
        Ok(Self { given: Some(properties), ..self })
    }

    /// The mass properties that it was given.
    pub fn mass_properties(&self) -> Result<MassProperties, GeometryError> {
        self.given.ok_or(GeometryError::NoMeasure { shape: "half-space" })
    }

    /// Outward unit normal [-].
    pub fn normal(&self) -> Vec3 {
        self.normal
    }

    /// Distance of the plane from the origin along the normal [m].
    pub fn offset(&self) -> f64 {
        self.offset
    }

    /// The half-space inflated by a radius [m].
    pub fn rounded(&self, radius: f64) -> Result<Self, GeometryError> {
        let radius = zerogap_core::error::check_length("the rounding radius", radius)?;
        Ok(Self { given: self.given, ..Self::new(self.normal, self.offset + radius)? })
    }

    /// The point of the plane nearest to `point`, with the signed gap.
    pub fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        // Bounds on what is finite only matter for coordinates within a factor 4 of the largest number.
        let in_range = |x: f64| x.clamp(-f64::MAX, f64::MAX);
        let gap = in_range(self.normal.dot(point) - self.offset);
        SurfacePoint { point: (point - self.normal * gap).map(in_range), gap, normal: self.normal }
    }

    /// Whether a point lies in the closed half-space.
    pub fn contains(&self, point: &Vec3) -> bool {
        self.closest_point(point).gap <= 0.0
    }

    /// Returns the first hit of a ray on the half-space.
    pub fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let gap = self.closest_point(&ray.origin).gap;
        if gap <= 0.0 {
            return Some(RayHit { distance: 0.0, normal: -ray.direction });
        }
        let slope = self.normal.dot(&ray.direction);
        let distance = gap / -slope;
        (slope < 0.0 && distance.is_finite()).then_some(RayHit { distance, normal: self.normal })
    }
}
