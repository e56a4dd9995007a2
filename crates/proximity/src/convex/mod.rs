//! Gaps of convex shapes.

mod placement;
mod rounding;
