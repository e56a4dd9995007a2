//! A session: a world, the hand that acts on it, and its past.
//!
//! In: inputs. Out: states, tick by tick. A tick is the world's step (1 ms by default). Inputs take effect at ticks alone and are kept with them, so that a session is made again to the bit from its inputs ([`Session::rerun`]),
//! and any earlier tick is reached by restoring the state kept before it and repeating the inputs since ([`Session::rewind`]). Nothing here knows of clocks, threads or sockets.

mod hand;
mod history;
mod input;
mod record;

use std::io;
use std::path::PathBuf;

use zerogap::record::RecordError;
use zerogap::world::{World, WorldBuilder, WorldError};

pub use hand::{CARRY_FREQUENCY, DAMPING_RATIO, FREQUENCY, Hand, Load, MAX_FORCE, STRENGTHS, Spring};
pub use input::{Entry, Input, InputError};

pub use record::Inputs;

use history::History;

/// Every how many ticks a state is kept [-].
const KEPT_EVERY: u64 = 100;

/// Memory that kept states may take, by default [B].
pub const HISTORY_BYTES: usize = 256 << 20;

/// Errors of a session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The world could not be made, or failed in a step.
    #[error(transparent)]
    World(#[from] WorldError),
    /// An input cannot be used; nothing has changed.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A recording could not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A file could not be written.
    #[error("{file} cannot be written: {error}", file = file.display())]
    Write {
        /// Which.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file could not be read.
    #[error("{file} cannot be read: {error}", file = file.display())]
    Read {
        /// Which.
        file: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Running the inputs again did not lead to the same state.
    #[error("the inputs, run again, lead to the state {found:016x}, not {expected:016x}")]
    OtherState {
        /// The hash of the live session.
        expected: u64,
        /// The hash of the run from its inputs.
        found: u64,
    },
    /// The time asked for is not kept any more.
    #[error("states are kept from tick {oldest} on: tick {tick} cannot be reached")]
    Forgotten {
        /// What was asked for.
        tick: u64,
        /// The oldest that can be reached, beside the start.
        oldest: u64,
    },
}

/// A world with a hand and a past.
pub struct Session {
    name: String,
    builder: WorldBuilder,
    world: World,
    tick: u64,
    hand: Option<Hand>,
    entries: Vec<Entry>,
    history: History,
    /// Why the last step failed.
    failure: Option<String>,
}

impl Session {
    /// Makes the world of a builder, at its start.
    pub fn new(name: &str, builder: WorldBuilder) -> Result<Self, SessionError> {
        Self::with_memory(name, builder, HISTORY_BYTES)
    }

    /// The same with a limit of the memory for kept states [B].
    pub fn with_memory(name: &str, builder: WorldBuilder, bytes: usize) -> Result<Self, SessionError> {
        let world = builder.clone().build()?;
        let history = History::new(&world, bytes);
        Ok(Self {
            name: name.to_owned(),
            builder,
            world,
            tick: 0,
            hand: None,
            entries: Vec::new(),
            history,
            failure: None,
        })
    }

    /// Makes a session again from its inputs, up to a tick: the same bits as the session that they are of.
    pub fn rerun(
        name: &str,
        builder: WorldBuilder,
        entries: &[Entry],
        tick: u64,
    ) -> Result<Self, SessionError> {
        let mut session = Self::new(name, builder)?;
        let mut before = 0;
        for (index, entry) in entries.iter().enumerate() {
            if entry.tick < before {
                return Err(InputError::Order { index, tick: entry.tick, before }.into());
            }
            before = entry.tick;
            if entry.tick > tick {
                break;
            }
            session.run_to(entry.tick)?;
            session.apply(entry.input)?;
        }
        session.run_to(tick)?;
        Ok(session)
    }

    /// Name of the scene.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the world was made of.
    pub fn builder(&self) -> WorldBuilder {
        self.builder.clone()
    }

    /// The world as it is.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The tick reached [-].
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// What the hand holds.
    pub fn hand(&self) -> Option<&Hand> {
        self.hand.as_ref()
    }

    /// All inputs up to now, with their ticks.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Why the session cannot go on; none where it can.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Takes an input, from this tick on. One that cannot be used changes nothing.
    pub fn apply(&mut self, input: Input) -> Result<(), SessionError> {
        let hand = Hand::of(&input, &self.world, self.hand.as_ref())?;
        // What was held keeps what acted on it before.
        if let Some(held) = self.hand.take_if(|held| hand.is_none_or(|hand| hand.body != held.body)) {
            let (force, torque) = held.others();
            self.world.set_force(held.body, force, torque)?;
        }
        self.hand = hand;
        // Of several inputs of one tick that move the same hand, the last one counts.
        let is_moved = |entry: &Entry| entry.tick == self.tick && holds_same(&entry.input, &input);
        self.entries.pop_if(|entry| is_moved(entry));
        self.entries.push(Entry { tick: self.tick, input });
        Ok(())
    }

    /// Advances by a tick.
    ///
    /// Fails: where the world does; the session then stays failed until it goes back in time.
    pub fn advance(&mut self) -> Result<(), SessionError> {
        let outcome = self.step();
        match &outcome {
            Ok(()) => self.tick += 1,
            Err(error) => self.failure = Some(error.to_string()),
        }
        // Before the inputs of this tick: they are forgotten, or made again, where time goes back to it.
        if outcome.is_ok() && self.tick.is_multiple_of(KEPT_EVERY) {
            self.history.keep(self.tick, &self.world, self.hand);
        }
        outcome.map_err(SessionError::from)
    }

    fn step(&mut self) -> Result<(), WorldError> {
        if let Some(hand) = &self.hand {
            let (force, torque) = hand.wrench(&self.world);
            self.world.set_force(hand.body, force, torque)?;
        }
        self.world.step().map(|_| ())
    }

    /// Advances to a tick.
    fn run_to(&mut self, tick: u64) -> Result<(), SessionError> {
        while self.tick < tick {
            self.advance()?;
        }
        Ok(())
    }

    /// The oldest tick that can be reached again, beside the start [-].
    pub fn oldest(&self) -> u64 {
        self.history.oldest()
    }

    /// Goes back to a tick, or to the start; inputs from then on are forgotten. The state has the bits that it had.
    pub fn rewind(&mut self, tick: u64) -> Result<(), SessionError> {
        if tick >= self.tick && self.failure.is_none() {
            return Ok(());
        }
        let Some(kept) = self.history.before(tick) else {
            return Err(SessionError::Forgotten { tick, oldest: self.history.oldest() });
        };
        self.world.restore(&kept.saved)?;
        (self.tick, self.hand, self.failure) = (kept.tick, kept.hand, None);
        self.history.forget_after(self.tick);
        // Inputs between the state that was kept and the tick are made again.
        let first = self.entries.partition_point(|entry| entry.tick < self.tick);
        let last = self.entries.partition_point(|entry| entry.tick < tick);
        let again: Vec<Entry> = self.entries[first..last].to_vec();
        self.entries.truncate(first);
        for entry in again {
            self.run_to(entry.tick)?;
            self.apply(entry.input)?;
        }
        self.run_to(tick)
    }
}

/// Whether one input moves the hand that the other holds with.
fn holds_same(a: &Input, b: &Input) -> bool {
    match (a, b) {
        (Input::Pull { body, at, .. }, Input::Pull { body: other, at: same, .. }) => {
            body == other && at.map(f64::to_bits) == same.map(f64::to_bits)
        }
        (Input::Turn { body, .. }, Input::Turn { body: other, .. })
        | (Input::Carry { body, .. }, Input::Carry { body: other, .. }) => body == other,
        _ => false,
    }
}
