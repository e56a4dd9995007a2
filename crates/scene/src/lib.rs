//! Scenes: from a file, or built in, to a world that is ready to run.
//!
//! In: text in TOML, URDF or MJCF. Out: a [`Scene`], or a [`SceneError`] that knows the place in the text and says what to write.

mod body;
mod built_in;
mod commands;
mod element;
mod error;
pub mod falling_parts;
mod file;
mod former_keys;
mod frame;
mod joint;
pub mod keys;
mod landing;
pub mod landing_keys;
mod motion;
mod places;
mod reader;
mod robot;
mod schema;
mod shape;
mod unused;
mod values;

pub use built_in::{built_in, descriptions, find_built_in, nearest_built_in, templates};
pub use error::SceneError;
pub use falling_parts::{falling_parts, many_falling_parts};
pub use file::Scene;
pub use places::Places;
pub use robot::{Base, BodyFacts, JointStart, Keyframe, RobotDescription, RobotOptions, Without};
pub use schema::{key_tables, schema};
