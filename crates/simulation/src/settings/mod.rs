//! Settings, once: names, units, defaults, ranges, help, and what uses each.
//!
//! [`tables`] lists every setting of worlds. A [`Source`] holds some of them: a table of a scene file, keywords of Python, options of the command. The functions here make typed settings of a source,
//! so that the same words mean the same world behind every door.
//!
//! The default that takes effect is the `Default` of the type that a setting belongs to ([`WorldParams`](crate::world::WorldParams), for example), or a constant below where the type has none. The tables repeat each default for help,
//! reference page and schema; tests (`tests.rs`) check that both agree.

mod collision;
mod element;
mod error;
mod frame;
mod joint;
mod pair;
mod schema;
mod source;
pub mod tables;
#[cfg(test)]
mod tests;
mod words;
mod world;

pub use collision::{COLLISIONS, CollisionError, CollisionSettings, MeshSides, SIDES, hull, read_collision};
pub use element::{read_bushing, read_spring};
pub use error::{SettingError, listed};
pub use frame::{FRAME_CONTACTS, FrameSettings, read_frame};
pub use joint::{read_dof, read_motor, read_servo};
pub use pair::{read_material, read_pair};
pub use schema::{DefaultValue, Key, Kind, Range, Section, Selected, Use, key, needed};
pub use source::Source;
pub use tables::CONTACTS;
pub use words::{IMPACTS, INTEGRATORS, METHODS, word_hint};
pub use world::{read_landing, read_method, read_overlaps, read_world, selected};

/// Damping of the linear contact law against critical damping, where a caller does not say [-].
pub const DAMPING_RATIO: f64 = 1.0;

/// Sides of friction pyramids, where a caller does not say [-].
pub const CONE_SIDES: usize = 8;

/// Absolute against relative tolerance of a step, where a caller gives the relative one alone [-].
pub const ATOL_PER_RTOL: f64 = 1e-3;

/// Default of the longest step where steps follow their error [s].
pub const MAX_STEP: f64 = 0.1;

/// Poisson's ratio of a material, where a caller does not say [-].
pub const POISSON_RATIO: f64 = 0.3;

/// Material of a shape, where a caller does not say.
pub const DEFAULT_MATERIAL: &str = "steel";

/// Time to run to, where a scene does not say [s].
pub const UNTIL: f64 = 5.0;

/// Time between recorded frames, where a caller does not say [s].
pub const FRAME_INTERVAL: f64 = 0.01;

/// Time in which a servo corrects a position error, where a caller does not say [s].
pub const SERVO_RESPONSE: f64 = 0.05;

/// Convex pieces of a mesh, where a caller does not say [-].
pub const PIECES: usize = 16;
