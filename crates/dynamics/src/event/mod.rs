//! Events: functions of the state whose zeros are located in time, and the driver that stops at them.
//!
//! In: a [`Model`], which is a [`System`] with zero-crossing functions and discrete state, and an [`Integrator`]. Out: the state at the time
//! asked for, and reports every accepted step and every event to the model. The discrete state changes in [`Model::accept`],
//! [`Model::event`] and [`Model::schedule`] alone: trial stages, rejected steps and the search for roots see it frozen.

mod crowd;
pub mod drive;
pub mod locate;
pub mod select;

pub use crowd::{STUCK_ADVANCE, STUCK_STEPS};
pub use drive::{Acceptance, Advance, CapturedInterval, DriveError, DriveInfo, Driver, Model, Step};
pub use locate::{Direction, LocateParams, LocateWork, Located, first_crossing};
