//! Any shape at all: convex, unbounded, made of pieces, or a mesh.

use std::sync::Arc;

use zerogap_core::{Aabb, Vec3};

use super::{
    Capsule, Compound, Convex, ConvexShape, Cuboid, Cylinder, Ellipsoid, Frustum, HalfSpace, HeightField,
    Point, Ray, RayHit, Segment, Sphere, SurfacePoint, Triangle,
};
use crate::complex::ComplexShape;
use crate::{GeometryError, MassProperties, Polyhedron, TriangleMesh};

/// Geometry of a body. Cloning is cheap: large data is shared.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A bounded convex shape.
    Convex(ConvexShape),
    /// Everything on one side of a plane.
    HalfSpace(HalfSpace),
    /// Several convex pieces.
    Compound(Arc<Compound>),
    /// A triangle mesh.
    Mesh(Arc<TriangleMesh>),
    /// Heights over a grid, and everything below them.
    HeightField(Arc<HeightField>),
    /// Points, lines, triangles and tetrahedra over common vertices, which collide by quasi-LMDs.
    Complex(Arc<ComplexShape>),
}

zerogap_core::store_enum!(Shape { 0 => Convex(shape), 1 => HalfSpace(shape), 2 => Compound(shape), 3 => Mesh(mesh), 4 => HeightField(field), 5 => Complex(complex) });

impl<T: Into<ConvexShape>> From<T> for Shape {
    fn from(shape: T) -> Self {
        Self::Convex(shape.into())
    }
}

impl From<HalfSpace> for Shape {
    fn from(shape: HalfSpace) -> Self {
        Self::HalfSpace(shape)
    }
}

impl From<Compound> for Shape {
    fn from(shape: Compound) -> Self {
        Self::Compound(Arc::new(shape))
    }
}

impl From<TriangleMesh> for Shape {
    fn from(shape: TriangleMesh) -> Self {
        Self::Mesh(Arc::new(shape))
    }
}

impl From<HeightField> for Shape {
    fn from(shape: HeightField) -> Self {
        Self::HeightField(Arc::new(shape))
    }
}

impl From<ComplexShape> for Shape {
    fn from(shape: ComplexShape) -> Self {
        Self::Complex(Arc::new(shape))
    }
}

impl Shape {
    /// A ball about the origin, by radius [m].
    pub fn sphere(radius: f64) -> Result<Self, GeometryError> {
        Ok(Sphere::new(radius)?.into())
    }

    /// An ellipsoid about the origin, by semi-axes [m].
    pub fn ellipsoid(radii: Vec3) -> Result<Self, GeometryError> {
        Ok(Ellipsoid::new(radii)?.into())
    }

    /// A box about the origin, by full side lengths [m].
    pub fn cuboid(size: Vec3) -> Result<Self, GeometryError> {
        Ok(Cuboid::new(size)?.into())
    }

    /// A capsule along z, by radius and length of the straight part [m].
    pub fn capsule(radius: f64, straight_length: f64) -> Result<Self, GeometryError> {
        Ok(Capsule::new(radius, straight_length)?.into())
    }

    /// A cylinder along z, by radius and full length [m].
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, GeometryError> {
        Ok(Cylinder::new(radius, length)?.into())
    }

    /// A cone along z with its apex at +z and the origin at mid-length, by base radius and length [m].
    pub fn cone(radius: f64, length: f64) -> Result<Self, GeometryError> {
        Ok(Frustum::cone(radius, length)?.into())
    }

    /// A frustum along z, by the radii at -z and +z and the length [m].
    pub fn frustum(radius0: f64, radius1: f64, length: f64) -> Result<Self, GeometryError> {
        Ok(Frustum::new(radius0, radius1, length)?.into())
    }

    /// A single point [m].
    pub fn point(position: Vec3) -> Result<Self, GeometryError> {
        Ok(Point::new(position)?.into())
    }

    /// A segment between two points [m].
    pub fn segment(a: Vec3, b: Vec3) -> Result<Self, GeometryError> {
        Ok(Segment::new(a, b)?.into())
    }

    /// A flat triangle [m].
    pub fn triangle(a: Vec3, b: Vec3, c: Vec3) -> Result<Self, GeometryError> {
        Ok(Triangle::new(a, b, c)?.into())
    }

    /// A flat convex polygon from a loop of corners [m].
    pub fn polygon(corners: &[Vec3]) -> Result<Self, GeometryError> {
        Ok(super::Polygon::new(corners)?.into())
    }

    /// All points x with `normal . x <= offset` [m].
    pub fn half_space(normal: Vec3, offset: f64) -> Result<Self, GeometryError> {
        Ok(HalfSpace::new(normal, offset)?.into())
    }

    /// The shape inflated by a radius [m]; meshes have no inflated form of their own.
    pub fn rounded(&self, radius: f64) -> Result<Self, GeometryError> {
        match self {
            Self::Convex(shape) => Ok(Self::Convex(shape.clone().rounded(radius)?)),
            Self::HalfSpace(shape) => Ok(shape.rounded(radius)?.into()),
            Self::Compound(shape) => Ok(shape.rounded(radius)?.into()),
            Self::Mesh(_) | Self::HeightField(_) | Self::Complex(_) => self.refuse("be rounded"),
        }
    }

    /// The smooth hull of the corners of the shape, with an exponent: corners, edges and faces rounded by a mean of the vertices that reach nearly as far; see [`super::SmoothHull`]. The larger the exponent, the nearer to the polyhedron.
    ///
    /// Mass properties are those of the hull of 4,000 points of its surface: 0.1 % too small for a ball.
    /// Fails: shapes without corners, flat ones, and exponents below 3. Meshes are taken by their hulls.
    pub fn smooth(&self, exponent: u32) -> Result<Self, GeometryError> {
        let corners = match self {
            Self::Mesh(mesh) => mesh.vertices().to_vec(),
            shape => match shape.as_convex().and_then(ConvexShape::corners) {
                Some(corners) => corners,
                None => return self.refuse("be made smooth: it has no corners"),
            },
        };
        Ok(super::smooth_hull::weighed(&Polyhedron::from_points(&corners)?, exponent)?.into())
    }

    /// The convex shape, if it is one.
    pub fn as_convex(&self) -> Option<&ConvexShape> {
        match self {
            Self::Convex(shape) => Some(shape),
            _ => None,
        }
    }

    /// Returns the kind of shape, as a noun.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Convex(shape) => shape.kind(),
            Self::HalfSpace(_) => "half-space",
            Self::Compound(_) => "compound",
            Self::Mesh(_) => "mesh",
            Self::HeightField(_) => "height field",
            Self::Complex(_) => "complex",
        }
    }

    /// The smallest axis-aligned box around the shape; a half-space has none.
    pub fn bounding_box(&self) -> Result<Aabb, GeometryError> {
        match self {
            Self::Convex(shape) => Ok(shape.bounding_box()),
            Self::HalfSpace(_) => self.refuse("be put in a bounding box"),
            Self::Compound(shape) => Ok(shape.bounding_box()),
            Self::Mesh(mesh) => Ok(mesh.bounding_box()),
            Self::HeightField(field) => Ok(field.bounding_box()),
            Self::Complex(shape) => Ok(shape.complex().bounding_box()),
        }
    }

    /// Volume [m³]; 0 for flat shapes. A half-space has none, a mesh only when it is closed, a user-defined shape only when it was given one.
    pub fn volume(&self) -> Result<f64, GeometryError> {
        match self {
            Self::Convex(shape) => shape.known_volume(),
            Self::HalfSpace(_) | Self::Complex(_) => Err(GeometryError::NoMeasure { shape: self.kind() }),
            Self::Compound(shape) => shape.known_volume(),
            Self::Mesh(mesh) => Ok(mesh.mass_properties(1.0)?.mass),
            Self::HeightField(field) => Ok(field.volume()),
        }
    }

    /// Mass properties at a density [kg/m³; kg/m² and kg/m for flat and thin shapes; kg for a point]. A half-space has those that it was
    /// given, whatever the density; a height field has none, nor has a complex as long as its dilation is not known: see [`ComplexShape::mass_properties`].
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        match self {
            Self::Convex(shape) => shape.mass_properties(density),
            Self::Compound(shape) => shape.mass_properties(density),
            Self::HalfSpace(shape) => shape.mass_properties(),
            Self::Mesh(mesh) => mesh.mass_properties(density),
            Self::HeightField(_) | Self::Complex(_) => Err(GeometryError::NoMeasure { shape: self.kind() }),
        }
    }

    /// The surface point nearest to `point`, with the signed gap; for compounds see [`Compound::closest_point`].
    pub fn closest_point(&self, point: &Vec3) -> Result<SurfacePoint, GeometryError> {
        match self {
            Self::Convex(shape) => Ok(shape.closest_point(point)),
            Self::HalfSpace(shape) => Ok(shape.closest_point(point)),
            Self::Compound(shape) => Ok(shape.closest_point(point)),
            Self::Mesh(mesh) => mesh.closest_point(point),
            Self::HeightField(field) => field.closest_point(point),
            Self::Complex(_) => self.refuse("be asked for its closest point"),
        }
    }

    /// Whether a point lies in the closed shape.
    pub fn contains(&self, point: &Vec3) -> Result<bool, GeometryError> {
        match self {
            Self::Convex(shape) => Ok(shape.contains(point)),
            Self::HalfSpace(shape) => Ok(shape.contains(point)),
            Self::Compound(shape) => Ok(shape.contains(point)),
            Self::Mesh(mesh) => Ok(mesh.contains(point)),
            Self::HeightField(field) => Ok(field.contains(point)),
            Self::Complex(_) => self.refuse("be asked for what is inside"),
        }
    }

    /// The first point of the shape along a ray, if the ray hits it. A mesh is a surface here: a ray from inside hits it where it leaves.
    pub fn cast_ray(&self, ray: &Ray) -> Result<Option<RayHit>, GeometryError> {
        match self {
            Self::Convex(shape) => Ok(shape.cast_ray(ray)),
            Self::HalfSpace(shape) => Ok(shape.cast_ray(ray)),
            Self::Compound(shape) => Ok(shape.cast_ray(ray)),
            Self::Mesh(mesh) => Ok(mesh.cast_ray(ray).map(RayHit::from)),
            Self::HeightField(field) => Ok(field.cast_ray(ray)),
            Self::Complex(_) => self.refuse("be hit by a ray"),
        }
    }

    fn refuse<T>(&self, question: &'static str) -> Result<T, GeometryError> {
        Err(GeometryError::Unanswered { shape: self.kind(), question })
    }
}
