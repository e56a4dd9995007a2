//! Gaps of convex shapes.

mod box_axes;
mod box_box;
#[cfg(test)]
mod box_box_tests;
mod box_features;
mod box_rare;
mod half_space;
mod placement;
mod point_shape;
mod rounding;
mod segment_segment;
