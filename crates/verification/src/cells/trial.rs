//! A trial of a cell: a world that is built, something measured in it, and what is required.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use zerogap_simulation::world::{World, WorldError};

use super::Cell;
use crate::Required;

/// Maximum number of calls of the interrupt callback, about one every 32 steps, before a run is abandoned [-].
const PATIENCE: usize = 400;

/// Outcome of a trial.
pub(super) enum Outcome {
    /// The combination is not supported: building the world returns a typed error.
    Refused,
    /// A number.
    Value(f64),
    /// The run ended with an error, or did not end.
    Failed(String),
}

/// Something that bodies do every day.
pub(super) struct Trial {
    /// Name in the row.
    pub(super) word: &'static str,
    /// What is measured.
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) applies: fn(&Cell) -> bool,
    pub(super) required: fn(&Cell) -> Required,
    pub(super) build: fn(&Cell) -> Result<World, WorldError>,
    /// Runs the world; none where the run was abandoned.
    pub(super) measure: fn(&mut World) -> Result<Option<f64>, WorldError>,
}

impl Trial {
    pub(super) fn run(&self, cell: &Cell) -> Outcome {
        let mut world = match (self.build)(cell) {
            Ok(world) => world,
            // The one unsupported combination among the cells: oriented collision with stepping or rigid contacts.
            Err(WorldError::Oriented { .. }) => return Outcome::Refused,
            Err(error) => return Outcome::Failed(error.to_string()),
        };
        let asked = AtomicUsize::new(0);
        world.interrupt_with(Some(Arc::new(move || {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) >= PATIENCE;
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })));
        match (self.measure)(&mut world) {
            Ok(Some(value)) => Outcome::Value(value),
            Ok(None) => Outcome::Failed(format!("not over after {} steps", world.info().steps)),
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }
}
