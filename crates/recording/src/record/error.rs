//! Why a recording could not be written or read.

use std::io;
use std::path::PathBuf;

/// Errors of writing or reading a recording; always with the file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// Error of the operating system.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operation.
        doing: &'static str,
        /// Error of the system.
        source: io::Error,
    },
    /// Something that a recording cannot hold was to be written.
    #[error("cannot record in {}: {unfit}", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What it was.
        unfit: Unfit,
    },
    /// A file is not a recording, or a damaged one.
    #[error("{}: {flaw}", path.display())]
    Flawed {
        /// The file.
        path: PathBuf,
        /// The error and its place.
        flaw: Flaw,
    },
}

/// Content that a recording cannot store.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Unfit {
    /// A number that is NaN, or not finite where it must be.
    #[error("{what} {index} is {value}")]
    Number {
        /// Name of the quantity.
        what: &'static str,
        /// Its index.
        index: usize,
        /// The number.
        value: f64,
    },
    /// The pose of a body out of range.
    #[error(
        "the pose of body {body} at t = {t} s has the translation {translation:?} and the quaternion {quaternion:?}"
    )]
    Pose {
        /// Time [s].
        t: f64,
        /// Number of the body.
        body: usize,
        /// Its translation [m].
        translation: [f64; 3],
        /// Its quaternion (x, y, z, w).
        quaternion: [f64; 4],
    },
    /// A frame with more or fewer bodies than the recording began with.
    #[error("the frame at t = {t} s has {given} {what}, but there are {needed} bodies")]
    Bodies {
        /// Time [s].
        t: f64,
        /// Poses, velocities, angular velocities or numbers of bodies.
        what: &'static str,
        /// Given number [-].
        given: usize,
        /// How many there are [-].
        needed: usize,
    },
    /// A frame with other bodies than the frames before it.
    #[error(
        "the frame at t = {t} s is of other bodies than those before it: a recording ends where bodies are added or removed, begin another one there"
    )]
    OtherBodies {
        /// When [s].
        t: f64,
    },
    /// A shape on a body that there is not.
    #[error("shape {shape} is on body {body}, but there are {bodies} bodies")]
    NoBody {
        /// Number of the shape.
        shape: usize,
        /// Number of the body.
        body: u32,
        /// How many there are [-].
        bodies: usize,
    },
    /// A triangle with a corner that there is not.
    #[error("a triangle of shape {shape} has the corner {corner}, but there are {corners} corners")]
    Corner {
        /// Number of the shape.
        shape: usize,
        /// Number of the corner.
        corner: u32,
        /// How many there are [-].
        corners: usize,
    },
    /// Fewer events than were written already.
    #[error("{given} events so far, but {known} of them are written already")]
    FewerEvents {
        /// Given number [-].
        given: usize,
        /// Number written [-].
        known: usize,
    },
    /// A text that cannot be written.
    #[error("{message}")]
    Text {
        /// Why.
        message: String,
    },
    /// More bytes than a chunk can store.
    #[error("{bytes} bytes in one piece are too many: at most {max} are possible")]
    TooLong {
        /// How many [B].
        bytes: usize,
        /// Maximum [B].
        max: usize,
    },
}

/// An error in the bytes of a recording, and where.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("at byte {offset}: {fault}")]
pub struct Flaw {
    /// Offset from the start of the file [B].
    pub offset: usize,
    /// What.
    pub fault: Fault,
}

/// An error in the bytes of a recording.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The first bytes are those of something else.
    #[error("not a recording of zerogap")]
    NotARecording,
    /// Made by a later zerogap.
    #[error("format version {version}; this zerogap reads up to version {known}: a newer one is needed")]
    Newer {
        /// Its version.
        version: u32,
        /// The newest that is known here.
        known: u32,
    },
    /// A version that does not exist.
    #[error("unknown format version {version}: versions begin at 1")]
    Version {
        /// Its version.
        version: u32,
    },
    /// Too short to contain the head.
    #[error("the recording ends before its head is complete")]
    NoHead,
    /// A chunk whose bytes were changed, with whole chunks after it.
    #[error("checksum mismatch: the recording is damaged here")]
    Damaged,
    /// A chunk of a kind that is not known.
    #[error("a chunk of the unknown kind {kind:?}")]
    Kind {
        /// Its kind.
        kind: String,
    },
    /// A chunk where it has no place.
    #[error("a chunk {found:?} where {expected} is expected")]
    Misplaced {
        /// Its kind.
        found: &'static str,
        /// Expected kind.
        expected: &'static str,
    },
    /// A chunk that ends inside a value.
    #[error("the chunk ends inside {what}")]
    Short {
        /// Name of the value.
        what: &'static str,
    },
    /// Surplus bytes of a chunk.
    #[error("{bytes} bytes too many at the end of the chunk")]
    Long {
        /// How many [B].
        bytes: usize,
    },
    /// A number that is NaN, or not finite where it must be.
    #[error("{what} is {value}")]
    Number {
        /// Name of the quantity.
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// An invalid pose.
    #[error("a pose with the translation {translation:?} and the quaternion {quaternion:?}")]
    Pose {
        /// Its translation [m].
        translation: [f64; 3],
        /// Its quaternion (x, y, z, w).
        quaternion: [f64; 4],
    },
    /// A count that contradicts another.
    #[error("{found} {what}, where {expected} are expected")]
    Count {
        /// Name of the counted quantity.
        what: &'static str,
        /// How many are stated here [-].
        found: u64,
        /// How many there are [-].
        expected: u64,
    },
    /// A text that cannot be read.
    #[error("{message}")]
    Text {
        /// Why.
        message: String,
    },
    /// A reference to something that does not exist.
    #[error("{what} {number}, but there are {count}")]
    Beyond {
        /// What.
        what: &'static str,
        /// Its number.
        number: u64,
        /// How many there are [-].
        count: u64,
    },
}
