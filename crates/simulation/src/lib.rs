//! Worlds of bodies that move and touch, and what else runs like one.
//!
//! In: bodies with shapes, joints and materials ([`world`]), or a helicopter over a deck ([`landing`]). [`settings`] says what either can be told. Out: a [`Simulation`], which advances to any time asked for and hands over frames and events.

pub mod landing;
mod run;
pub mod settings;
pub mod world;

pub use run::{Simulation, SimulationError};
