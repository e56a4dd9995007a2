//! Scenes: from a file, or built in, to a world that is ready to run.
//!
//! In: text in TOML. Out: a [`Scene`], or a [`SceneError`] that knows the place in the text and says what to write.

mod body;
mod error;
pub mod falling_parts;
mod file;
pub mod keys;
mod motion;
mod reader;

pub use error::SceneError;
pub use falling_parts::{falling_parts, many_falling_parts};
pub use file::Scene;
