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
pub mod height_field;
pub mod kinematics;
pub mod lmd;
pub mod mesh;
pub mod motion;
pub mod oriented;

pub use collider::{contacts, contacts_into, contacts_many, distance, distance_many, intersects};
pub use convex::{ContactCache, ContactParams, DistanceParams, PairCache};
pub use error::ProximityError;
