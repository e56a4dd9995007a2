//! Where bodies are close.
//!
//! In: shapes and poses. Out: gaps with normals, witness points and certificates. Nothing here knows of mass or time.

pub mod convex;
mod error;
mod shapes;

pub use convex::{DistanceParams, PairCache, PairQuery, distance_many};
pub use error::ProximityError;
pub use shapes::{distance, intersects};
