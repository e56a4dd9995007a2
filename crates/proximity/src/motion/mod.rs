//! Bodies that move: when they touch, how near they come, and how long they surely do not.
//!
//! In: shapes or vertices and how they move. Out: times with proofs. Two kinds of motion:
//!
//! - vertices on straight lines ([`vertex_face`], [`edge_edge`] in `inclusion`, which never miss; [`paper`] holds the tests of Lennerz,
//!   Schömer and Warken 1999, which do);
//! - rigid bodies that move and turn ([`Motion`]): [`time_of_impact`] advances by steps that are proven free.
//!
//! Same input, same bits; no answer depends on threads or earlier questions.

mod advance;
mod cubic;
mod error;
mod impact;
mod inclusion;
pub mod paper;
mod probe;
mod reach;
mod rigid;

pub use error::MotionError;
pub use impact::{Impact, ImpactParams, ImpactWork, Meeting, time_of_impact, time_of_impact_with};
pub use inclusion::{Sweep, SweepParams, SweepStatus, edge_edge, vertex_face};
pub use rigid::Motion;
