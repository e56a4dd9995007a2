//! Contact mechanics: materials, compliant force laws, and solvers for the forces and impulses of rigid contacts.
//!
//! In: gaps, velocities and masses as plain numbers. Out: forces and impulses. Nothing here knows a shape or a body.
//!
//! | module | holds |
//! |---|---|
//! | [`material`] | materials, and the properties of a pair of them |
//! | [`law`] | compliant contact: normal and friction forces as functions of overlap and velocity |
//! | [`problem`] | rigid contact as one dense problem, with the law of each few rows |
//! | [`solve`] | solvers of such small dense problems as complementarity problems, in accelerations, impulses or forces over a step: for located events and SiLVIA |
//! | [`cone`] | solvers of large sparse problems with Coulomb friction cones, in velocities ([`cone::solve_coulomb`], [`cone::StepSolver`]): for time stepping |

pub mod cone;
pub mod law;
pub mod material;
pub mod problem;
pub mod solve;
mod solver_info;
mod sweeps;

pub use solver_info::SolverInfo;
