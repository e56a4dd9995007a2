//! A session as a recording: its inputs are run again, and every frame is written.
//!
//! In: a scene, inputs, the tick and hash they lead to. Out: a recording like that of a run, with the same final state. It is made in a world of its own, so that the live one need not keep frames.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use zerogap::record::{End, Head, RecordingWriter};
use zerogap::world::WorldBuilder;

use super::{Entry, Session, SessionError};

/// Ticks between two frames [-].
const FRAME_EVERY: u64 = 10;

/// The inputs of a session as a file of JSON: with the scene they lead to the same bits ([`Session::rerun`]).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// Name of the scene.
    pub scene: String,
    /// The tick that was reached [-].
    pub tick: u64,
    /// Hash of the state there, in hexadecimal digits.
    pub hash: String,
    /// The inputs, in order.
    pub entries: Vec<Entry>,
}

impl Inputs {
    /// Writes the file.
    pub fn write(&self, file: &Path) -> Result<(), SessionError> {
        let failed = |error| SessionError::Write { file: file.to_owned(), error };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))?;
        fs::write(file, text + "\n").map_err(failed)
    }

    /// Reads the file.
    pub fn read(file: &Path) -> Result<Self, SessionError> {
        let failed = |error: std::io::Error| SessionError::Read { file: file.to_owned(), error };
        let text = fs::read_to_string(file).map_err(failed)?;
        serde_json::from_str(&text).map_err(|error| failed(error.into()))
    }
}

impl Session {
    /// Writes a recording of inputs up to a tick.
    ///
    /// Fails: where the run does not lead to the state with the expected hash, after writing; where the file cannot be written.
    pub fn record(
        (name, builder): (&str, WorldBuilder),
        entries: &[Entry],
        (tick, expected): (u64, u64),
        file: &Path,
    ) -> Result<(), SessionError> {
        let mut session = Self::with_memory(name, builder, 0)?;
        let every = session.world.step_length() * FRAME_EVERY as f64;
        let head = Head::of_world(&session.world, name, every);
        let mut writer = RecordingWriter::create(file, &head)?;
        let mut next = entries.iter().peekable();
        loop {
            while let Some(entry) = next.next_if(|entry| entry.tick <= session.tick) {
                session.apply(entry.input)?;
            }
            if session.tick.is_multiple_of(FRAME_EVERY) || session.tick == tick {
                writer.frame(&session.world.frame())?;
                writer.events(session.world.events())?;
            }
            if session.tick >= tick {
                break;
            }
            session.advance()?;
        }
        let found = session.world.hash();
        let end =
            End { t: session.world.time(), info: session.world.info(), hash: found, reason: String::new() };
        writer.finish(&end)?;
        if found == expected { Ok(()) } else { Err(SessionError::OtherState { expected, found }) }
    }
}
