//! Gaps of convex shapes.

mod body;
mod box_axes;
mod box_box;
#[cfg(test)]
mod box_box_tests;
mod box_features;
mod box_rare;
mod difference;
mod general;
mod grow;
mod half_space;
mod pair;
mod placement;
mod point_shape;
mod query;
mod resolve;
mod rounding;
mod segment_segment;
mod simplex;
mod walk;

pub use query::{
    DistanceParams, PairCache, distance, distance_with, distance_within, intersects, separation,
};
