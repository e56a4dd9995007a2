//! Non-smooth time stepping: velocities jump where bodies meet, and one problem a step says by how much.
//!
//! In: a tree, its state, and the points at which bodies touch or may within the step ([`ContactPoint`], found by the caller). Out: the state one step later, with the impulses at the
//! points. A step is written down in one function, [`Stepper::step`]. Overlaps are taken back by moving bodies, never by pushing them apart: no step adds kinetic energy.

mod free;
mod groups;
mod islands;
mod rows;
mod stepper;

pub use groups::Groups;
pub use stepper::{ContactPoint, StepInfo, StepParams, Stepper};
