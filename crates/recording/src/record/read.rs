//! Recordings read from files.
//!
//! In: a file, as it was finished or left by a run that died. Out: everything in it up to the last whole chunk, in the order of writing. A chunk that was torn at the end is
//! dropped, and its length reported; damage before the end is an error, since frames would be missing from the middle.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::chunk::{self, Chunk, END, EVENTS, FRAMES, GEOMETRY, HEAD, HEADER, Next, PREAMBLE};
use super::decode::FrameLayout;
use super::error::{Fault, Flaw, RecordError};

use super::{End, Head, Recording, decode, encode};
use zerogap_core::fingerprint;
use zerogap_simulation::world::{Event, Frame};

impl Recording {
    /// Reads a file. One that a run still writes may be read too: it ends at the last flush.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        let path = path.as_ref();
        let io = |source| RecordError::Io { path: path.into(), doing: "read", source };
        let flawed = |flaw| RecordError::Flawed { path: path.into(), flaw };
        // A file that is not a recording is rejected before it is read: it may be an endless device.
        let (mut file, mut bytes) = (File::open(path).map_err(io)?, Vec::new());
        file.by_ref().take(PREAMBLE as u64).read_to_end(&mut bytes).map_err(io)?;
        chunk::check_preamble(&bytes).map_err(flawed)?;
        file.read_to_end(&mut bytes).map_err(io)?;
        Self::from_bytes(&bytes).map_err(flawed)
    }

    /// The same from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Flaw> {
        let version = chunk::check_preamble(bytes)?;
        let mut parts = Parts { version, ..Parts::default() };
        let mut at = PREAMBLE;
        let left_out = loop {
            match chunk::next(bytes, at)? {
                Next::Tail(left) => break left,
                Next::Chunk(chunk) => {
                    at = chunk.at + HEADER + chunk.payload.len();
                    parts.take(&chunk)?;
                }
            }
        };
        match parts {
            Parts { head: Some(head), has_geometry: true, frames, events, end, .. } => {
                Ok(Self { head, frames, events, end, left_out: left_out as u64 })
            }
            _ => Err(Flaw { offset: at, fault: Fault::NoHead }),
        }
    }

    /// Returns a hash of the frames: same bits in all frames, same hash.
    pub fn hash_of_frames(&self) -> u64 {
        let mut bytes = Vec::new();
        self.frames.iter().fold(fingerprint::START, |hash, frame| {
            bytes.clear();
            encode::put_frame(frame, &mut bytes);
            fingerprint::go_on(hash, &bytes)
        })
    }
}

/// What was read so far.
#[derive(Default)]
struct Parts {
    version: u32,
    head: Option<Head>,
    has_geometry: bool,
    frames: Vec<Frame>,
    events: Vec<Event>,
    end: Option<End>,
}

impl Parts {
    /// Takes the next chunk: the head, its triangles, frames and events in any order, the end.
    fn take(&mut self, chunk: &Chunk<'_>) -> Result<(), Flaw> {
        let flaw = |fault| Err(Flaw { offset: chunk.at, fault });
        let found = match chunk.kind {
            HEAD => "HEAD",
            GEOMETRY => "GEOM",
            FRAMES => "FRAM",
            EVENTS => "EVNT",
            END => "DONE",
            // A lower-case first letter: a reader may skip an unknown chunk.
            [first, ..] if first.is_ascii_lowercase() => return Ok(()),
            kind => return flaw(Fault::Kind { kind: String::from_utf8_lossy(&kind).into_owned() }),
        };
        let expected = match (&self.head, self.has_geometry, &self.end) {
            (None, ..) => "HEAD",
            (_, false, _) => "GEOM",
            (.., None) => "FRAM, EVNT or DONE",
            (.., Some(_)) => "the end of the file",
        };
        match (chunk.kind, &mut self.head) {
            (HEAD, head @ None) => *head = Some(decode::head(chunk)?),
            (GEOMETRY, Some(head)) if !self.has_geometry => {
                decode::geometry(chunk, &mut head.shapes)?;
                self.has_geometry = true;
            }
            (FRAMES, Some(head)) if self.has_geometry && self.end.is_none() => {
                let layout = FrameLayout { bodies: head.bodies.len(), version: self.version };
                decode::frames(chunk, layout, &mut self.frames)?;
            }
            (EVENTS, Some(_)) if self.has_geometry && self.end.is_none() => {
                decode::events(chunk, &mut self.events)?;
            }
            (END, Some(_)) if self.has_geometry && self.end.is_none() => {
                self.end = Some(decode::end(chunk, self.frames.len(), self.events.len())?);
            }
            _ => return flaw(Fault::Misplaced { found, expected }),
        }
        Ok(())
    }
}
