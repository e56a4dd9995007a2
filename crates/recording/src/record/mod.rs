//! Recordings of runs: motion, contacts and events.
//!
//! In: a world and its frames. Out: a [`Recording`], which contains everything that pictures, exports and comparisons need, independent of the world that made it.
//! A [`RecordingWriter`] writes it to a file during the run, [`Recording::open`] reads it back with the same bits, `export` makes tables of it. The format is
//! laid down in `docs/recording.md`.

mod bytes;
mod chunk;
mod decode;
mod encode;
mod error;
mod export;
mod read;
mod write;

mod draw;
mod draw_landing;

use serde::Serialize;

use zerogap_simulation::world::{Event, Frame, ShapeId, WorldInfo, name_of_shape};

pub use error::{Fault, Flaw, RecordError, Unfit};
pub use write::RecordingWriter;

/// A run from its start to its end, or to where it was cut off.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// Scene, bodies and shapes.
    pub head: Head,
    /// Poses, velocities and contacts at even times.
    pub frames: Vec<Frame>,
    /// Events in order of time.
    pub events: Vec<Event>,
    /// End of the run; none if it was cut off.
    pub end: Option<End>,
    /// Bytes at the end of the file that are no whole chunk and were left out [B]; 0 where nothing was cut off.
    pub left_out: u64,
}

/// Scene, bodies and shapes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Head {
    /// Name of the scene.
    pub scene: String,
    /// The text that it was read from; empty where there was none.
    pub source: String,
    /// Time between frames [s].
    pub every: f64,
    /// Acceleration of free fall [m/s²].
    pub gravity: [f64; 3],
    /// Names of the bodies.
    pub bodies: Vec<String>,
    /// The shapes, to be drawn.
    pub shapes: Vec<DrawnShape>,
}

impl Head {
    /// The name of a shape: its own, or that of its body, or `fixed shape 3`.
    pub fn shape_name(&self, shape: ShapeId) -> String {
        let own = self.shapes.get(shape.0 as usize).map_or("", |drawn| &drawn.name);
        name_of_shape(shape, own, self.body_name(shape))
    }

    /// The name of the body that a shape is on; none for a shape that is fixed in the world.
    pub fn body_name(&self, shape: ShapeId) -> Option<&str> {
        let body = self.shapes.get(shape.0 as usize)?.body?;
        self.bodies.get(body as usize).map(String::as_str)
    }
}

/// A shape as triangles.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DrawnShape {
    /// Its own name; empty where it has none, see [`Head::shape_name`].
    pub name: String,
    /// Number of its body; none is fixed in the world.
    pub body: Option<u32>,
    /// Name of its material.
    pub material: String,
    /// Corners in the frame of the body [m].
    pub vertices: Vec<[f64; 3]>,
    /// Three corners each, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct End {
    /// Time reached [s].
    pub t: f64,
    /// Steps, solves and times.
    pub info: WorldInfo,
    /// Hash of the final state.
    pub hash: u64,
    /// Reason for an early end; empty if there is none.
    pub reason: String,
}
