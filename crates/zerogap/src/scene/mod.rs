//! Built-in scenes: functions that fill a [`WorldBuilder`](crate::world::WorldBuilder).
//!
//! In: the settings of a world. Out: a builder with bodies, to be added to or built as it is. The same settings give the same bits.

pub mod falling_parts;

pub use falling_parts::{falling_parts, many_falling_parts};
