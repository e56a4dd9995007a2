//! The shapes, one file each, and the questions that they answer.
//!
//! In: sizes and points in metres, checked by each constructor. Out: supports, bounds, mass, nearest surface points and ray hits in the
//! shape's own frame. [`ConvexShape`] is any bounded convex one, [`Shape`] is
//! any at all.
//! Every answer depends on the shape and the question alone: same bits every time, whatever the [`SupportHint`].

mod any_shape;
mod bounds;
mod capsule;
mod compound;
mod convex;
mod convex_shape;
mod cuboid;
mod curvature;
mod cylinder;
pub(crate) mod direction;
mod ellipsoid;
mod frustum;
mod half_space;
mod height_field;
mod point;
mod polygon;
mod profile;
mod ray;
mod rounded;
mod segment;
mod simplex;
mod smooth_hull;
mod sphere;
mod support_distance;
mod triangle;
mod user;
mod word;

pub use any_shape::Shape;
pub use capsule::Capsule;
pub use compound::Compound;
pub use convex::{BoundingSphere, Convex, SupportHint, SurfacePoint};
pub use convex_shape::ConvexShape;
pub use cuboid::Cuboid;
pub use curvature::{Flat, SurfaceRadii};
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use frustum::Frustum;
pub use half_space::HalfSpace;
pub use height_field::{Cells, HeightField, MAX_NODES, border};
pub use point::Point;
pub use polygon::{COLLINEAR_TOLERANCE, PLANAR_TOLERANCE, Polygon};
pub use ray::{Ray, RayHit, first_hit};
pub use rounded::Rounded;
pub use segment::Segment;
pub use smooth_hull::SmoothHull;
pub use sphere::Sphere;
pub use triangle::Triangle;
pub use user::{CurvedSupport, SupportFunction, UserShape};
pub use word::{WordError, WordErrorKind};
