//! What is left of a run: a recording, and pictures of it.
//!
//! In: a simulation that advances. Out: a file that holds every frame and event ([`record`]), a replay page, curves and glTF ([`picture`]), and the folder of a run with all of them ([`run`]).

pub mod picture;
pub mod record;
pub mod run;
