//! The types that every other crate of zerogap uses.
//!
//! In: nothing but numbers, text and bytes. Out:
//!
//! | module | holds |
//! |---|---|
//! | [`aabb`], [`pose`] | boxes along the axes; positions and rotations of bodies |
//! | [`gap`], [`contact`] | the signed gap with its bounds; contact points, their features and manifolds |
//! | [`math`], [`double`] | vectors and functions that compute the same bits on every machine; numbers of twice the digits |
//! | [`simd`], [`facets`] | the instruction set that is used; heights of corners and facets, several at a time |
//! | [`cholesky`], [`block6`] | Cholesky factors of small dense matrices; kernels on blocks of 6 x 6 |
//! | [`disjoint_sets`] | sets that are merged pair by pair (union-find) |
//! | [`line_search`] | how far to go along the step of a Newton method |
//! | [`random`] | seeded random numbers |
//! | [`units`], [`text`] | quantities with units as people write them; text from files as it may be shown |
//! | [`store`], [`files`] | values as bytes and back; files read with a bound and written in one step |
//! | [`error`] | input that is rejected, with the values in the message |
//!
//! Values are plain; only error texts, shown numbers, stored bytes and files allocate.

pub mod aabb;
pub mod block6;
pub mod cholesky;
pub mod contact;
pub mod disjoint_sets;
pub mod double;
pub mod error;
pub mod facets;
pub mod files;
pub mod fingerprint;
pub mod gap;
pub mod line_search;
pub mod math;
pub mod pose;
pub mod random;
pub mod simd;
pub mod skyline;
pub mod store;
pub mod text;
pub mod threads;
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
