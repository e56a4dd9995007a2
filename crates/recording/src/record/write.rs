//! Recordings written during a run.
//!
//! In: a head, then frames and events as they come, then the end. Out: a file that grows by whole chunks in one write each and is never changed behind its end. Whenever the
//! process dies, the file can be read up to the last flush. Data passed to the writer is in the file after at most one second, however long the run takes until the next
//! frame: a thread of the writer ensures this. The first flush replaces an older file of that name, not earlier. A loss of power is not handled.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use zerogap_core::files;
use zerogap_dynamics::multibody::BodyId;

use super::chunk::{self, END, EVENTS, FRAMES, GEOMETRY, HEAD, HEADER};
use super::encode::{
    check_bodies, check_frame, put_end, put_event, put_frame, put_geometry, put_head, put_u64,
};
use super::error::{RecordError, Unfit};
use super::{End, Head};
use zerogap_simulation::world::{Event, Frame};

/// Maximum number of frames in a chunk [-]: with few bodies a write costs as much as tens of frames.
const FRAMES_PER_CHUNK: u64 = 256;

/// Length from which a chunk is written [B]: with many bodies, memory counts.
pub(super) const BYTES_PER_CHUNK: usize = 1 << 20;

/// Time after which everything is written [s].
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// Writes a recording during the run. Dropping it without [`RecordingWriter::finish`] leaves a recording without an end.
///
/// ```no_run
/// # fn show(mut world: zerogap_simulation::world::World, head: zerogap_recording::record::Head) -> Result<(), Box<dyn std::error::Error>> {
/// use std::ops::ControlFlow;
/// use zerogap_recording::record::{End, RecordingWriter};
///
/// let mut writer = RecordingWriter::create("recording.zgr", &head)?;
/// let mut written = Ok(());
/// world.stream_to(3.0, head.every, &mut |frame, events| {
///     if written.is_ok() {
///         written = writer.frame(&frame).and_then(|()| writer.events(events));
///     }
///     if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// })?;
/// written?;
/// writer.events(world.events())?;
/// writer.finish(&End { t: world.time(), info: world.info(), hash: world.hash(), reason: String::new() })?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RecordingWriter {
    shared: Arc<Shared>,
    timer: Option<JoinHandle<()>>,
}

/// State shared by the writer and its thread.
#[derive(Debug)]
struct Shared {
    path: PathBuf,
    state: Mutex<State>,
    /// Rung when the thread is to end.
    bell: Condvar,
}

#[derive(Debug)]
struct State {
    file: File,
    /// The name that the file has until its first flush, where an older file has the final one.
    partial: Option<PathBuf>,
    /// The final name.
    path: PathBuf,
    bodies: usize,
    /// Which they are, from the first frame on.
    numbers: Option<Arc<[BodyId]>>,
    /// A chunk of frames and one of events, as far as they are.
    frames: Pending,
    events: Pending,
    /// Data of the next write.
    outgoing: Vec<u8>,
    is_closing: bool,
    /// Cause of a write failure; nothing is written afterwards, so that a torn chunk stays the last one.
    failure: Option<(io::ErrorKind, String)>,
}

/// A chunk that is being filled.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) bytes: Vec<u8>,
    /// Numbers in the file [-].
    pub(super) written: u64,
    /// Numbers in the chunk [-].
    pub(super) count: u64,
}

impl Pending {
    /// Room for the header, the number of the first and the count.
    const START: usize = HEADER + 16;

    pub(super) fn new() -> Self {
        Self { bytes: vec![0; Self::START], written: 0, count: 0 }
    }

    /// Fills in the header before the frames or events.
    pub(super) fn close(&mut self, kind: [u8; 4]) -> Result<(), Unfit> {
        let mut numbers = Vec::with_capacity(16);
        put_u64(&mut numbers, self.written);
        put_u64(&mut numbers, self.count);
        self.bytes[HEADER..Self::START].copy_from_slice(&numbers);
        chunk::close(&mut self.bytes, 0, kind)
    }

    pub(super) fn done(&mut self) {
        self.bytes.truncate(Self::START);
        self.written += self.count;
        self.count = 0;
    }
}

impl RecordingWriter {
    /// Begins a recording.
    ///
    /// Without an older file of that name the recording is there at once, with a complete head. An older file stays until the first flush of frames and is then replaced in
    /// one step, so that a run that fails earlier loses nothing. A symbolic link is rejected.
    pub fn create(path: impl AsRef<Path>, head: &Head) -> Result<Self, RecordError> {
        let path = path.as_ref().to_path_buf();
        let bytes = opening(head).map_err(|unfit| RecordError::Unfit { path: path.clone(), unfit })?;
        let io = |doing| {
            let path = path.clone();
            move |source| RecordError::Io { path, doing, source }
        };
        let (mut file, partial) = files::create_partial(&path).map_err(io("create"))?;
        let is_new = fs::symlink_metadata(&path).is_err();
        let written = file.write_all(&bytes).map_err(io("write"));
        let begun = written
            .and_then(|()| if is_new { fs::rename(&partial, &path).map_err(io("create")) } else { Ok(()) });
        if let Err(error) = begun {
            // The partial file is useless; an error of its removal adds nothing to the first one.
            let _ = fs::remove_file(&partial);
            return Err(error);
        }
        let state = State {
            file,
            partial: (!is_new).then_some(partial),
            path: path.clone(),
            bodies: head.bodies.len(),
            numbers: None,
            frames: Pending::new(),
            events: Pending::new(),
            outgoing: Vec::new(),
            is_closing: false,
            failure: None,
        };
        let shared = Arc::new(Shared { path, state: Mutex::new(state), bell: Condvar::new() });
        let of_timer = Arc::clone(&shared);
        let timer = thread::Builder::new()
            .name("recording".to_owned())
            .spawn(move || of_timer.keep_flushing())
            .map_err(|source| RecordError::Io {
                path: shared.path.clone(),
                doing: "start a thread for",
                source,
            })?;
        Ok(Self { shared, timer: Some(timer) })
    }

    /// The file that is written.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Adds a frame.
    pub fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.shared.with(|state| {
            check_bodies(frame, state.numbers.as_ref())?;
            check_frame(frame, state.bodies)?;
            state.numbers.get_or_insert_with(|| Arc::clone(&frame.bodies));
            put_frame(frame, &mut state.frames.bytes);
            state.frames.count += 1;
            state.flush_if_full()
        })
    }

    /// Adds events: all of the run so far are given, and those that were given before are passed over.
    pub fn events(&mut self, so_far: &[Event]) -> Result<(), RecordError> {
        self.shared.with(|state| {
            let known = (state.events.written + state.events.count) as usize;
            let Some(new) = so_far.get(known..) else {
                return Err(Unfit::FewerEvents { given: so_far.len(), known }.into());
            };
            for event in new {
                put_event(event, &mut state.events.bytes)?;
                state.events.count += 1;
            }
            state.flush_if_full()
        })
    }

    /// Writes all pending data.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        self.shared.with(State::flush)
    }

    /// Returns the number of frames in the file [-].
    pub fn flushed_frames(&self) -> u64 {
        self.shared.lock().frames.written
    }

    /// Returns whether the file has its final name and has replaced an older recording.
    pub fn is_published(&self) -> bool {
        self.shared.lock().partial.is_none()
    }

    /// Writes all pending data and how the run ended.
    pub fn finish(self, end: &End) -> Result<(), RecordError> {
        self.shared.with(|state| {
            state.flush()?;
            state.outgoing.clear();
            let start = chunk::begin(&mut state.outgoing);
            put_end(end, state.frames.written, state.events.written, &mut state.outgoing)?;
            chunk::close(&mut state.outgoing, start, END)?;
            state.append()
        })
    }
}

impl Drop for RecordingWriter {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        // Best effort: `flush` and `finish` report errors.
        let _ = state.flush();
        state.is_closing = true;
        if let Some(partial) = state.partial.take() {
            // No frame ever came: the older recording stays, and nothing beside it.
            let _ = fs::remove_file(partial);
        }
        drop(state);
        self.shared.bell.notify_all();
        if let Some(timer) = self.timer.take() {
            let _ = timer.join();
        }
    }
}

/// Everything up to the first frame.
pub(super) fn opening(head: &Head) -> Result<Vec<u8>, Unfit> {
    let mut bytes = chunk::preamble().to_vec();
    let start = chunk::begin(&mut bytes);
    put_head(head, &mut bytes)?;
    chunk::close(&mut bytes, start, HEAD)?;
    let start = chunk::begin(&mut bytes);
    put_geometry(&head.shapes, &mut bytes)?;
    chunk::close(&mut bytes, start, GEOMETRY)?;
    Ok(bytes)
}

/// Why something was not written, without the name of the file.
enum Refusal {
    Unfit(Unfit),
    Io(io::Error),
}

impl From<Unfit> for Refusal {
    fn from(unfit: Unfit) -> Self {
        Self::Unfit(unfit)
    }
}

impl Shared {
    /// The state. A panic while it was locked leaves pending chunks whole up to their counts, so it may be used after one.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with(&self, change: impl FnOnce(&mut State) -> Result<(), Refusal>) -> Result<(), RecordError> {
        let path = || self.path.clone();
        let state = &mut *self.lock();
        state.check_failure().and_then(|()| change(state)).map_err(|refusal| match refusal {
            Refusal::Unfit(unfit) => RecordError::Unfit { path: path(), unfit },
            Refusal::Io(source) => RecordError::Io { path: path(), doing: "write", source },
        })
    }

    /// Writes data pending for too long, until the writer is dropped.
    fn keep_flushing(&self) {
        let mut state = self.lock();
        while !state.is_closing {
            let waited = self.bell.wait_timeout(state, FLUSH_EVERY);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            // A failure is stored in the state: the next public call returns it.
            let _ = state.flush();
        }
    }
}

impl State {
    /// Writes a full chunk; the thread of the writer writes pending data.
    fn flush_if_full(&mut self) -> Result<(), Refusal> {
        let is_full = self.frames.count >= FRAMES_PER_CHUNK
            || self.frames.bytes.len() + self.events.bytes.len() >= BYTES_PER_CHUNK;
        if is_full { self.flush() } else { Ok(()) }
    }

    /// Writes pending frames and events at once.
    fn flush(&mut self) -> Result<(), Refusal> {
        self.outgoing.clear();
        for (pending, kind) in [(&mut self.frames, FRAMES), (&mut self.events, EVENTS)] {
            if pending.count > 0 {
                pending.close(kind)?;
                self.outgoing.extend_from_slice(&pending.bytes);
            }
        }
        if self.outgoing.is_empty() {
            return Ok(());
        }
        self.append()?;
        self.frames.done();
        self.events.done();
        Ok(())
    }

    /// Appends whole chunks to the file.
    fn append(&mut self) -> Result<(), Refusal> {
        self.check_failure()?;
        let written = self.file.write_all(&self.outgoing).and_then(|()| self.publish());
        written.map_err(|error| {
            self.failure = Some((error.kind(), error.to_string()));
            Refusal::Io(error)
        })
    }

    /// Gives the file its final name, in place of an older one.
    fn publish(&mut self) -> io::Result<()> {
        if let Some(partial) = &self.partial {
            fs::rename(partial, &self.path)?;
            self.partial = None;
        }
        Ok(())
    }

    fn check_failure(&self) -> Result<(), Refusal> {
        match &self.failure {
            Some((kind, message)) => Err(Refusal::Io(io::Error::new(*kind, message.clone()))),
            None => Ok(()),
        }
    }
}
