//! Where bodies are close.
//!
//! In: shapes and poses. Out: gaps with normals, witness points and certificates, and the contacts of
//! bodies that touch or nearly do. Nothing here depends on mass or time.

pub mod broad;
pub mod bvh;
mod clip;
pub mod collider;
pub mod convex;
mod error;
pub mod lmd;
pub mod mesh;
pub mod motion;
pub mod oriented;
mod shapes;

pub use convex::{
    ContactCache, ContactParams, DistanceParams, PairCache, PairQuery, contacts_many, distance_many,
};
pub use error::ProximityError;
pub use shapes::{contacts, contacts_into, contacts_with, distance, intersects};
