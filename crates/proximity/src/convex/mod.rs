//! Gaps of convex shapes.

mod body;
mod box_axes;
mod box_box;
#[cfg(test)]
mod box_box_tests;
mod box_features;
mod box_rare;
mod careful;

mod difference;
mod double;
mod exhaustive;
mod general;
mod grow;
mod half_space;
mod many;
mod mpr;
mod pair;
mod placement;
mod point_shape;
mod polish;
mod query;
mod resolve;
mod rounding;
mod segment_segment;
mod simplex;
mod walk;
mod warm;

pub use many::{PairQuery, distance_each, distance_many};
pub use mpr::{MprExit, MprGap, MprParams, mpr};
pub use query::{
    DistanceParams, PairCache, distance, distance_with, distance_within, half_space_distance, intersects,
    separation,
};
