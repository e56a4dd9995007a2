//! How bodies push: what material they are of, what force answers an overlap, what impulse an impact, and which contacts hold.
//!
//! In: gaps, velocities and masses as plain numbers. Out: forces and impulses. Nothing here knows a shape or a body.

pub mod cone;
pub mod law;
pub mod material;
pub mod problem;
pub mod solve;
mod solver_info;
mod sweeps;

pub use solver_info::SolverInfo;
