//! What a scene is once it is built: a world of bodies, or a landing. Both run to a time and return frames and events.

use std::ops::ControlFlow;

use zerogap_dynamics::multibody::Energy;

use crate::landing::{Landing, LandingError};
use crate::world::{Event, FrameSink, Interrupt, World, WorldError, WorldInfo};

/// Something that runs.
pub enum Simulation {
    /// Bodies, shapes and laws.
    World(Box<World>),
    /// A helicopter with skids on a deck.
    Landing(Box<Landing>),
}

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SimulationError {
    /// In a world.
    #[error(transparent)]
    World(#[from] WorldError),
    /// In a landing.
    #[error(transparent)]
    Landing(#[from] LandingError),
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self {
            Self::World(_) => "World",
            Self::Landing(_) => "Landing",
        };
        f.debug_tuple(kind).field(&self.time()).finish()
    }
}

impl From<World> for Simulation {
    fn from(world: World) -> Self {
        Self::World(Box::new(world))
    }
}

impl From<Landing> for Simulation {
    fn from(landing: Landing) -> Self {
        Self::Landing(Box::new(landing))
    }
}

impl Simulation {
    /// Runs to a time [s] and passes a frame at every interval [s] to a callback, with the events so far; the callback may end the run.
    pub fn stream_to(
        &mut self,
        until: f64,
        every: f64,
        sink: &mut FrameSink<'_>,
    ) -> Result<(), SimulationError> {
        match self {
            Self::World(world) => world.stream_to(until, every, sink).map(drop)?,
            Self::Landing(landing) => landing.stream_to(until, every, sink).map(drop)?,
        }
        Ok(())
    }

    /// Returns an error where a run to a time [s] with a frame every so often [s] could not end.
    pub fn check_run(&self, until: f64, every: f64) -> Result<(), SimulationError> {
        match self {
            Self::World(world) => world.check_run(until, every)?,
            Self::Landing(landing) => landing.check_run(until, every)?,
        }
        Ok(())
    }

    /// Runs to a time [s].
    pub fn advance_to(&mut self, until: f64) -> Result<(), SimulationError> {
        match self {
            Self::World(world) => world.advance_to(until).map(drop)?,
            Self::Landing(landing) => landing.advance_to(until)?,
        }
        Ok(())
    }

    /// Returns the message of an error of this simulation, with the names of shapes in place of their numbers.
    pub fn explain(&self, error: &SimulationError) -> String {
        match (self, error) {
            (Self::World(world), SimulationError::World(error)) => {
                error.with_names(|shape| world.shape_name(shape))
            }
            _ => error.to_string(),
        }
    }

    /// Sets a callback that is asked every few steps and can interrupt a run.
    pub fn interrupt_with(&mut self, ask: impl Fn() -> ControlFlow<()> + Send + Sync + 'static) {
        let ask = Some(std::sync::Arc::new(ask) as Interrupt);
        match self {
            Self::World(world) => world.interrupt_with(ask),
            Self::Landing(landing) => landing.interrupt_with(ask),
        }
    }

    /// Returns what was done about shapes that overlapped at the start, in a line each; nothing where there were none.
    pub fn overlap_warnings(&self) -> Vec<String> {
        match self {
            Self::World(world) => world.overlap_warnings(),
            Self::Landing(_) => Vec::new(),
        }
    }

    /// The time reached [s].
    pub fn time(&self) -> f64 {
        match self {
            Self::World(world) => world.time(),
            Self::Landing(landing) => landing.time(),
        }
    }

    /// Energies of bodies and joints, or of aircraft and gear.
    pub fn energy(&self) -> Energy {
        match self {
            Self::World(world) => world.energy(),
            Self::Landing(landing) => landing.energy(),
        }
    }

    /// Returns all events.
    pub fn events(&self) -> &[Event] {
        match self {
            Self::World(world) => world.events(),
            Self::Landing(landing) => landing.events(),
        }
    }

    /// What the run did so far and what it cost.
    pub fn info(&self) -> WorldInfo {
        match self {
            Self::World(world) => world.info(),
            Self::Landing(landing) => landing.info(),
        }
    }

    /// Returns a hash of the state.
    pub fn hash(&self) -> u64 {
        match self {
            Self::World(world) => world.hash(),
            Self::Landing(landing) => landing.hash(),
        }
    }

    /// How many bodies there are, as in a recording [-].
    pub fn bodies(&self) -> usize {
        match self {
            Self::World(world) => world.names().len(),
            Self::Landing(_) => crate::landing::BODIES,
        }
    }

    /// How many pairs are in contact [-].
    pub fn contacts(&self) -> usize {
        match self {
            Self::World(world) => world.contacts().len(),
            Self::Landing(landing) => landing.gear().loads.iter().flatten().count(),
        }
    }
}
