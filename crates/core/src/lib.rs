//! The nouns that every other crate of zerogap shares.
//!
//! In: nothing but numbers. Out: [`Pose`], [`Aabb`], [`Gap`], [`Contact`], vectors, functions that compute the same bits on every
//! machine ([`math`]), numbers of twice the digits ([`double`]), seeded random numbers ([`random`]), quantities with units as people
//! write them ([`units`]), values as bytes ([`store`]), and files read with a bound ([`files`]).
//! Everything else here is a plain value; only error texts and shown numbers allocate.

pub mod aabb;
pub mod contact;
pub mod double;
pub mod error;
pub mod facets;
pub mod files;
pub mod fingerprint;
pub mod gap;
pub mod math;
pub mod pose;
pub mod random;
pub mod simd;
pub mod store;
pub mod text;
pub mod units;

pub use aabb::Aabb;
pub use contact::{Contact, ContactId, Feature, Manifold};
pub use error::InputError;
pub use gap::{Gap, GapStatus, NormalKind};
pub use math::{Mat3, Vec3};
pub use pose::Pose;

/// The linear algebra crate whose types appear in the public interface.
pub use nalgebra;

/// Largest absolute coordinate or length accepted from a caller [m].
///
/// Inertia grows with the fifth power of length, so this keeps every intermediate finite in f64.
pub const MAX_LENGTH: f64 = 1e60;

/// Smallest length of a solid's extent accepted from a caller [m]; the reciprocal reason of [`MAX_LENGTH`].
pub const MIN_LENGTH: f64 = 1e-60;
