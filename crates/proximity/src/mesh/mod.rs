//! Meshes as they are: concave, open or dirty, used without convex pieces.

mod body;
mod crossing;
mod distance;
mod join;
mod triangle;

pub use body::MeshBody;
pub use crossing::triangles_cross;
pub use distance::{MeshDistance, MeshDistanceParams, MeshSearch, MeshWork, Order, surface_distance};
pub use triangle::{TrianglePair, triangle_distance};
