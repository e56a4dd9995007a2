//! Gaps of convex shapes.

mod placement;
