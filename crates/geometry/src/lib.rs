//! Geometry of bodies: shapes, convex polyhedra with their topology, hulls, meshes and their files, mass.
//!
//! In: numbers, points and mesh files. Out: shapes that answer where they reach farthest in a direction, where their surface is
//! nearest, and how heavy they are. Lengths are metres and every shape lives in its own frame; poses come from the caller.

pub mod assembly;
pub mod complex;
pub mod decompose;
pub mod error;
pub mod export;
pub mod hull;
pub mod import;
pub mod mass;
pub mod mesh;
pub mod nearest;
pub mod parts;
pub mod polyhedron;
pub mod shape;
pub mod target;

pub use complex::{Complex, ComplexError, ComplexOptions};
pub use decompose::{DecomposeParams, DecomposeStatus, Decomposition, decompose, decompose_with_progress};
pub use error::GeometryError;
pub use hull::{Hull, convex_hull};
pub use mass::MassProperties;
pub use mesh::TriangleMesh;
pub use polyhedron::{Edge, Plane, Polyhedron, SupportMethod};
pub use shape::{BoundingSphere, Convex, ConvexShape, Ray, RayHit, Shape, SupportHint, SurfacePoint};
