//! Gaps of convex shapes.

mod mpr;
mod placement;
mod rounding;

pub use mpr::{MprExit, MprGap, MprParams, mpr};
