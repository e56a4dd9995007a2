//! Bodies that move: when they touch, how near they come, and how long they surely do not.
//!
//! In: shapes or vertices and how they move. Out: times with proofs. Three kinds of motion:
//!
//! - vertices on straight lines ([`vertex_face`], [`edge_edge`] in `inclusion`, which never miss; [`paper`] holds the tests of Lennerz,
//!   Schömer and Warken 1999, which do);
//! - rigid bodies that translate and rotate ([`Motion`]): [`time_of_impact`] advances by steps that are proven free;
//! - any motion of which the gap is known as a function, with a bound on the speed ([`first_overlap`]): what the events and the steps of a simulation ask.
//!
//! The last two are one conservative advancement (`advancement`) with two proofs of how long a pair stays apart.
//!
//! Same input, same bits; no answer depends on threads or earlier questions.

mod advance;
mod advancement;
mod clearance;
mod collisions;
mod cubic;
mod error;
mod flush;
mod gap_path;
mod impact;
mod inclusion;
mod over;
pub mod paper;
mod parts;
mod path;
mod probe;
mod pursuit;
mod reach;
mod rigid;
mod surfaces;

pub use clearance::{Clearance, ClearanceParams, clearance, safe_speed, safe_time};
pub use collisions::step_collisions;
pub use error::MotionError;
pub use gap_path::{GapAdvance, GapPath, PATH_RESOLUTION, first_overlap, path_resolution};
pub use impact::{
    FirstContact, Impact, ImpactParams, ImpactWork, mesh_time_of_impact, time_of_impact, time_of_impact_with,
};
pub use inclusion::{Sweep, SweepParams, SweepStatus, edge_edge, vertex_face};
pub(crate) use path::first_along;
pub use path::{Path, path_clearance, path_time_of_impact};
pub use rigid::Motion;
pub use surfaces::{mesh_clearance, mesh_safe_time};

/// Passes a length of time through if it is one [s].
fn checked(duration: f64) -> Result<f64, MotionError> {
    if duration >= 0.0 && duration.is_finite() {
        return Ok(duration);
    }
    Err(MotionError::Time { what: "the duration", value: duration })
}
