//! Gaps of convex shapes.

mod box_axes;
mod box_box;
mod box_features;
mod box_rare;
mod placement;
mod rounding;
mod segment_segment;
