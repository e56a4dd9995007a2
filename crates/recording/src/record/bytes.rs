//! Recordings as the bytes of their files, without a file.

use super::Recording;
use super::chunk::{self, END, EVENTS, FRAMES};
use super::encode::{check_bodies, check_frame, put_end, put_event, put_frame};
use super::error::Unfit;
use super::write::{BYTES_PER_CHUNK, Pending, opening};

impl Recording {
    /// Returns the bytes that [`Recording::from_bytes`] reads back with the same bits.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Unfit> {
        let mut bytes = opening(&self.head)?;
        let (mut frames, mut events) = (Pending::new(), Pending::new());
        let mut flush = |pending: &mut Pending, kind| -> Result<(), Unfit> {
            if pending.count > 0 {
                pending.close(kind)?;
                bytes.extend_from_slice(&pending.bytes);
                pending.done();
            }
            Ok(())
        };
        let numbers = self.frames.first().map(|frame| &frame.bodies);
        for frame in &self.frames {
            check_bodies(frame, numbers)?;
            check_frame(frame, self.head.bodies.len())?;
            put_frame(frame, &mut frames.bytes);
            frames.count += 1;
            if frames.bytes.len() >= BYTES_PER_CHUNK {
                flush(&mut frames, FRAMES)?;
            }
        }
        flush(&mut frames, FRAMES)?;
        for event in &self.events {
            put_event(event, &mut events.bytes)?;
            events.count += 1;
            if events.bytes.len() >= BYTES_PER_CHUNK {
                flush(&mut events, EVENTS)?;
            }
        }
        flush(&mut events, EVENTS)?;
        if let Some(end) = &self.end {
            let start = chunk::begin(&mut bytes);
            put_end(end, frames.written, events.written, &mut bytes)?;
            chunk::close(&mut bytes, start, END)?;
        }
        Ok(bytes)
    }
}
