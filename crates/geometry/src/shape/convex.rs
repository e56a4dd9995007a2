//! The questions that every bounded convex shape answers.

use zerogap_core::{Aabb, Vec3};

use super::ray::{Ray, RayHit, first_hit};
use crate::{GeometryError, MassProperties};

/// End of the last support query, the start of the next one. Changes the speed, never the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SupportHint(pub u32);

/// A ball that contains a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BoundingSphere {
    /// Centre [m].
    pub center: Vec3,
    /// Radius [m].
    pub radius: f64,
}

/// The point of a shape's surface nearest to a query point q.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// The surface point s [m].
    pub point: Vec3,
    /// Signed distance of q [m]: positive outside, negative inside.
    pub gap: f64,
    /// Outward unit normal [-]: `q - s = gap * normal`.
    pub normal: Vec3,
}

/// A bounded convex set: flat, curved or polyhedral.
///
/// All answers are in the shape's own frame. Every method is total: finite input gives finite output.
///
/// ```
/// use zerogap_core::Vec3;
/// use zerogap_geometry::{Convex, SupportHint, shape::Cylinder};
///
/// let can = Cylinder::new(0.03, 0.1)?;
/// let farthest = can.support(&Vec3::new(1.0, 0.0, 1.0), &mut SupportHint::default());
/// assert_eq!(farthest, Vec3::new(0.03, 0.0, 0.05));
/// let nearest = can.closest_point(&Vec3::new(0.0, 0.0, 0.07));
/// assert!((nearest.gap - 0.02).abs() < 1e-17);
/// # Ok::<(), zerogap_geometry::GeometryError>(())
/// ```
pub trait Convex {
    /// A point of the shape that lies farthest along `direction` [m].
    ///
    /// `direction` may have any length; a zero direction gets some point of the shape. Ties are broken the same way every time.
    fn support(&self, direction: &Vec3, hint: &mut SupportHint) -> Vec3;

    /// A point inside (in the relative interior for flat shapes) [m].
    fn interior_point(&self) -> Vec3;

    /// The smallest axis-aligned box around the shape.
    fn bounding_box(&self) -> Aabb;

    /// A ball around the shape, close to the smallest.
    fn bounding_sphere(&self) -> BoundingSphere;

    /// Volume [m³]; 0 for flat shapes.
    fn volume(&self) -> f64;

    /// Mass properties for a density per volume [kg/m³], or per area [kg/m²] or length [kg/m] for shapes that are flat or thin;
    /// for a point the density is its mass [kg].
    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError>;

    /// The first point of the shape along a ray, if the ray hits it. A ray that only grazes may be reported either way.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        first_hit(|point| self.closest_point(point), ray)
    }

    /// The surface point nearest to `point`, with the signed gap.
    fn closest_point(&self, point: &Vec3) -> SurfacePoint;

    /// Whether a point lies in the closed shape.
    fn contains(&self, point: &Vec3) -> bool {
        self.closest_point(point).gap <= 0.0
    }
}
