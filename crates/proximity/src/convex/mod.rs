//! Gaps of convex shapes.

mod body;
mod difference;
mod general;
mod grow;
mod pair;
mod placement;
mod query;
mod resolve;
mod rounding;
mod simplex;
mod walk;

pub use query::{
    DistanceParams, PairCache, distance, distance_with, distance_within, intersects, separation,
};
