//! Oracles and seeded generators, for tests only.
//!
//! Takes plain arrays and does not depend on the crates it checks, so that an error there cannot hide here.

pub mod allocations;
pub mod brute;
pub mod exact;
mod exact_depth;
pub mod exact_distance;
pub mod exact_motion;
pub mod oriented;
mod polynomial;
pub mod quadrature;
pub mod sat;
mod simplex;
pub mod solids;
pub mod support_bounds;

pub use zerogap_core::random;

/// How many cases a test runs: `ci` by default, `full` where the environment variable `ZEROGAP_FULL` is set.
pub fn count(ci: usize, full: usize) -> usize {
    if std::env::var_os("ZEROGAP_FULL").is_some() { full } else { ci }
}
