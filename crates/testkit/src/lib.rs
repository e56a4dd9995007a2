//! Oracles and seeded generators, for tests only.
//!
//! Takes plain arrays and knows nothing of the crates it checks, so that an error there cannot hide here.

pub mod random;
