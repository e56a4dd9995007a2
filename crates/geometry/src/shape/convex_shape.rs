//! Any of the bounded convex shapes, distinguished by a match instead of a pointer.

use std::sync::Arc;

use zerogap_core::{Aabb, Vec3};

use super::{
    BoundingSphere, Capsule, Convex, Cuboid, Cylinder, Ellipsoid, Frustum, Point, Polygon, Ray, RayHit,
    Rounded, Segment, Sphere, SupportHint, SurfacePoint, Triangle, UserShape,
};
use crate::mass::{Moments, ellipsoid, polytope, revolution};
use crate::{GeometryError, Hull, MassProperties, Polyhedron};

/// A bounded convex shape. Cloning is cheap: what is large is shared.
#[derive(Debug, Clone, PartialEq)]
pub enum ConvexShape {
    /// A single point.
    Point(Point),
    /// A straight segment.
    Segment(Segment),
    /// A flat triangle.
    Triangle(Triangle),
    /// A flat convex polygon.
    Polygon(Arc<Polygon>),
    /// A ball.
    Sphere(Sphere),
    /// An ellipsoid.
    Ellipsoid(Ellipsoid),
    /// A box.
    Cuboid(Cuboid),
    /// A cylinder with half a ball at each end.
    Capsule(Capsule),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A cone, cut or whole.
    Frustum(Frustum),
    /// A convex polyhedron.
    Polyhedron(Arc<Polyhedron>),
    /// Another convex shape inflated by a radius.
    Rounded(Arc<Rounded>),
    /// A shape given by its support function.
    User(UserShape),
}

zerogap_core::store_enum!(ConvexShape { 0 => Point(shape), 1 => Segment(shape), 2 => Triangle(shape), 3 => Polygon(shape), 4 => Sphere(shape), 5 => Ellipsoid(shape), 6 => Cuboid(shape), 7 => Capsule(shape), 8 => Cylinder(shape), 9 => Frustum(shape), 10 => Polyhedron(shape), 11 => Rounded(shape), 12 => User(shape) });

/// Runs one expression on whichever shape it is.
macro_rules! each {
    ($self:expr, $shape:ident => $answer:expr) => {
        match $self {
            ConvexShape::Point($shape) => $answer,
            ConvexShape::Segment($shape) => $answer,
            ConvexShape::Triangle($shape) => $answer,
            ConvexShape::Polygon($shape) => $answer,
            ConvexShape::Sphere($shape) => $answer,
            ConvexShape::Ellipsoid($shape) => $answer,
            ConvexShape::Cuboid($shape) => $answer,
            ConvexShape::Capsule($shape) => $answer,
            ConvexShape::Cylinder($shape) => $answer,
            ConvexShape::Frustum($shape) => $answer,
            ConvexShape::Polyhedron($shape) => $answer,
            ConvexShape::Rounded($shape) => $answer,
            ConvexShape::User($shape) => $answer,
        }
    };
}

/// Makes a variant from its own type.
macro_rules! from {
    ($($kind:ident),*) => {
        $(impl From<$kind> for ConvexShape {
            fn from(shape: $kind) -> Self {
                Self::$kind(shape)
            }
        })*
    };
}
from!(Point, Segment, Triangle, Sphere, Ellipsoid, Cuboid, Capsule, Cylinder, Frustum);

impl From<Polygon> for ConvexShape {
    fn from(shape: Polygon) -> Self {
        Self::Polygon(Arc::new(shape))
    }
}

impl From<Polyhedron> for ConvexShape {
    fn from(shape: Polyhedron) -> Self {
        Self::Polyhedron(Arc::new(shape))
    }
}

impl From<Rounded> for ConvexShape {
    fn from(shape: Rounded) -> Self {
        Self::Rounded(Arc::new(shape))
    }
}

impl From<UserShape> for ConvexShape {
    fn from(shape: UserShape) -> Self {
        Self::User(shape)
    }
}

impl ConvexShape {
    /// The shape inflated by a radius [m]: all points within that radius of it.
    ///
    /// Radius 0 changes nothing; balls and capsules stay what they are; a rounded shape gets the sum of the radii.
    pub fn rounded(self, radius: f64) -> Result<Self, GeometryError> {
        let rounded = Rounded::new(self, radius)?;
        Ok(match rounded.core() {
            core if rounded.radius() == 0.0 => core.clone(),
            Self::Sphere(core) => Sphere::new(core.radius() + radius)?.into(),
            Self::Capsule(core) => Capsule::new(core.radius() + radius, core.length())?.into(),
            _ => rounded.into(),
        })
    }

    /// Returns the kind of shape, as a noun.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Point(_) => "point",
            Self::Segment(_) => "segment",
            Self::Triangle(_) => "triangle",
            Self::Polygon(_) => "polygon",
            Self::Sphere(_) => "sphere",
            Self::Ellipsoid(_) => "ellipsoid",
            Self::Cuboid(_) => "box",
            Self::Capsule(_) => "capsule",
            Self::Cylinder(_) => "cylinder",
            Self::Frustum(shape) if shape.radius1() == 0.0 => "cone",
            Self::Frustum(_) => "frustum",
            Self::Polyhedron(_) => "polyhedron",
            Self::Rounded(_) => "rounded shape",
            Self::User(_) => "user-defined shape",
        }
    }

    /// The corners of a shape that has nothing but corners, edges and plane faces [m]; `None` for curved and user-defined shapes.
    pub fn corners(&self) -> Option<Vec<Vec3>> {
        match self {
            Self::Point(shape) => Some(vec![shape.position()]),
            Self::Segment(shape) => Some(shape.ends().to_vec()),
            Self::Triangle(shape) => Some(shape.corners().to_vec()),
            Self::Polygon(shape) => Some(shape.corners().to_vec()),
            Self::Cuboid(shape) => Some(shape.corners().to_vec()),
            Self::Polyhedron(shape) => Some(shape.vertices().to_vec()),
            _ => None,
        }
    }

    /// Volume [m³], or an error where the shape does not know it: [`Convex::volume`] counts such shapes as 0.
    pub fn known_volume(&self) -> Result<f64, GeometryError> {
        match self {
            Self::User(_) => Ok(self.mass_properties(1.0)?.mass),
            Self::Rounded(shape) if matches!(shape.core(), Self::User(_)) => {
                Ok(self.mass_properties(1.0)?.mass)
            }
            _ => Ok(self.volume()),
        }
    }

    /// Volume integrals of the shape inflated by `radius` [m], about the reference point that is returned with them.
    pub(super) fn rounded_moments(&self, radius: f64) -> Result<(Vec3, Moments), GeometryError> {
        let origin = Vec3::zeros();
        Ok(match self {
            Self::Point(point) => (point.position(), revolution::rounded_frustum(0.0, 0.0, 0.0, radius)),
            Self::Segment(segment) => rounded_segment(&segment.ends(), radius),
            Self::Triangle(triangle) => match triangle.normal() {
                Some(normal) => rounded_plate(&triangle.corners(), &normal, radius, self.interior_point()),
                None => rounded_segment(&triangle.longest_side(), radius),
            },
            Self::Polygon(polygon) => {
                rounded_plate(polygon.corners(), &polygon.normal(), radius, self.interior_point())
            }
            Self::Sphere(sphere) => {
                (origin, revolution::rounded_frustum(0.0, 0.0, 0.0, sphere.radius() + radius))
            }
            Self::Ellipsoid(shape) => (origin, ellipsoid::rounded(&shape.radii(), radius)),
            Self::Cuboid(cuboid) => (origin, polytope::rounded_cuboid(&cuboid.half_size(), radius)),
            Self::Polyhedron(polyhedron) => polyhedron.rounded_moments(radius),
            Self::Capsule(capsule) => {
                (origin, revolution::rounded_frustum(0.0, 0.0, capsule.length(), capsule.radius() + radius))
            }
            Self::Cylinder(shape) => {
                (origin, revolution::rounded_frustum(shape.radius(), shape.radius(), shape.length(), radius))
            }
            Self::Frustum(shape) => (
                origin,
                revolution::rounded_frustum(shape.radius0(), shape.radius1(), shape.length(), radius),
            ),
            Self::Rounded(inner) => inner.core().rounded_moments(inner.radius() + radius)?,
            Self::User(_) => return Err(GeometryError::NoMeasure { shape: "rounded user-defined shape" }),
        })
    }
}

/// The smallest convex set around some points, as the shape that it is.
impl From<Hull> for ConvexShape {
    fn from(hull: Hull) -> Self {
        match hull {
            Hull::Point(point) => Self::Point(Point::from_hull(point)),
            Hull::Segment(ends) => Self::Segment(Segment::from_hull(ends)),
            Hull::Polygon(polygon) => Self::Polygon(Arc::new(polygon)),
            Hull::Polyhedron(polyhedron) => Self::Polyhedron(Arc::new(polyhedron)),
        }
    }
}

/// The capsule about any segment, about its middle.
fn rounded_segment([a, b]: &[Vec3; 2], radius: f64) -> (Vec3, Moments) {
    let middle = 0.5 * (a + b);
    (middle, revolution::capsule_along(&(b - a), radius))
}

/// The plate within a radius of a polygon.
fn rounded_plate(corners: &[Vec3], normal: &Vec3, radius: f64, middle: Vec3) -> (Vec3, Moments) {
    let local: Vec<Vec3> = corners.iter().map(|corner| corner - middle).collect();
    (middle, polytope::rounded_polygon(&local, normal, radius))
}

impl Convex for ConvexShape {
    #[inline]
    fn support(&self, direction: &Vec3, hint: &mut SupportHint) -> Vec3 {
        each!(self, shape => shape.support(direction, hint))
    }

    fn interior_point(&self) -> Vec3 {
        each!(self, shape => shape.interior_point())
    }

    fn bounding_box(&self) -> Aabb {
        each!(self, shape => shape.bounding_box())
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        each!(self, shape => shape.bounding_sphere())
    }

    fn volume(&self) -> f64 {
        each!(self, shape => shape.volume())
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        each!(self, shape => shape.mass_properties(density))
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        each!(self, shape => shape.cast_ray(ray))
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        each!(self, shape => shape.closest_point(point))
    }

    fn contains(&self, point: &Vec3) -> bool {
        each!(self, shape => shape.contains(point))
    }
}
