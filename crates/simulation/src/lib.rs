//! Worlds of bodies that move and touch, and what else runs like one.
//!
//! In: bodies with shapes, joints and materials ([`world`]), or a helicopter over a deck ([`landing`]). [`settings`] lists the settings of either. Out: a [`Simulation`], which advances to a requested time and returns frames and events.

pub mod landing;
mod run;
pub mod settings;
pub mod world;

pub use run::{Simulation, SimulationError};
