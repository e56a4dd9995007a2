//! Errors of mesh files: the file, the place, what was found and what was expected.

use std::fmt;
use std::path::{Path, PathBuf};

/// Longest piece of a source line that an error carries [characters].
const MAX_SHOWN: usize = 160;

/// Characters kept before the faulty word when a long line is cut.
const SHOWN_BEFORE: usize = 60;

/// Longest piece of a word that a message repeats [characters].
const MAX_QUOTED: usize = 40;

/// Place of an error in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A word in a text file.
    Line {
        /// Line, counted from 1.
        line: usize,
        /// First character of the word in that line, counted from 1.
        column: usize,
        /// Characters to mark, at least 1.
        length: usize,
        /// The line, or the part of a long line around the word.
        text: String,
        /// Column of the first character of `text`: 1 unless a long line was cut.
        text_column: usize,
    },
    /// A byte of a binary file, counted from 0.
    Byte(u64),
    /// A value in a glTF document, such as `accessors[3].count`.
    Item(String),
    /// The file as a whole.
    File,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { line, column, .. } => write!(f, ":{line}:{column}"),
            Self::Byte(offset) => write!(f, ": byte {offset}"),
            Self::Item(item) => write!(f, ": {item}"),
            Self::File => Ok(()),
        }
    }
}

/// Kind of error, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ImportErrorKind {
    /// The file is missing, is not a file or cannot be read.
    Unreadable,
    /// The file has no content.
    Empty,
    /// Neither the extension nor the options determine the format.
    UnknownFormat,
    /// The content is that of another format than the extension says.
    WrongExtension,
    /// Bytes that are not text where text was expected.
    NotText,
    /// A word, a keyword or a structure that the format does not have.
    Syntax,
    /// A word that is not a number, or not an integer where one is needed.
    Number,
    /// A coordinate that is NaN, infinite or too large.
    NonFinite,
    /// An index of something that does not exist.
    Index,
    /// The file ends too early.
    Truncated,
    /// A count or length that contradicts the content.
    Count,
    /// A valid file without a triangle.
    NoTriangles,
    /// A glTF buffer that is missing or cannot be read.
    Buffer,
    /// A feature of the format that this reader does not support.
    Unsupported,
    /// More than the limits allow.
    TooLarge,
    /// Unusable options.
    Options,
}

/// A mesh file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {}", .0.path.display(), .0.place, .0.message)]
pub struct ImportError(Box<Content>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Content {
    path: PathBuf,
    place: Place,
    kind: ImportErrorKind,
    message: String,
    help: Option<String>,
}

impl ImportError {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the place in the file.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// Returns the kind of error.
    pub fn kind(&self) -> ImportErrorKind {
        self.0.kind
    }

    /// Returns what was found and what was expected, in one sentence without file and place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Advice, if any.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

/// Where a reader stopped; converted to a [`Place`] together with the bytes of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReaderPlace {
    /// Offset and length in bytes of a word of text.
    Text(usize, usize),
    /// Offset in bytes.
    Byte(usize),
    /// Value in a glTF document.
    Item(String),
    /// Nowhere in particular.
    File,
}

/// An error that does not know its file yet.
#[derive(Debug)]
pub(super) struct Fault(Box<FaultContent>);

#[derive(Debug)]
struct FaultContent {
    kind: ImportErrorKind,
    location: ReaderPlace,
    message: String,
    help: Option<String>,
}

/// What the readers return inside.
pub(super) type Parsed<T> = Result<T, Fault>;

impl Fault {
    /// An error at a place.
    pub(super) fn new(kind: ImportErrorKind, location: ReaderPlace, message: impl Into<String>) -> Self {
        Self(Box::new(FaultContent { kind, location, message: message.into(), help: None }))
    }

    /// Adds what to do about it.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Adds the file, and the line that it happened in.
    pub(super) fn at(self, path: &Path, bytes: &[u8]) -> ImportError {
        let FaultContent { kind, location, message, help } = *self.0;
        let place = match location {
            ReaderPlace::Text(offset, length) => line_of(bytes, offset, length),
            ReaderPlace::Byte(offset) => Place::Byte(offset as u64),
            ReaderPlace::Item(item) => Place::Item(item),
            ReaderPlace::File => Place::File,
        };
        ImportError(Box::new(Content { path: path.to_path_buf(), place, kind, message, help }))
    }
}

/// Line, column and text of a span of bytes. A line ends at `\n`, at `\r\n`, or at a `\r` alone.
fn line_of(bytes: &[u8], offset: usize, length: usize) -> Place {
    let offset = offset.min(bytes.len());
    let is_end = |i: usize| bytes[i] == b'\n' || (bytes[i] == b'\r' && bytes.get(i + 1) != Some(&b'\n'));
    let mut line = 1;
    let mut start = 0;
    for i in 0..offset {
        if is_end(i) {
            line += 1;
            start = i + 1;
        }
    }
    let end = (offset..bytes.len()).find(|&i| matches!(bytes[i], b'\n' | b'\r')).unwrap_or(bytes.len());
    // Only the part of the line that is shown is decoded: a line may be as long as the file.
    let characters = |range: &[u8]| String::from_utf8_lossy(range).chars().count();
    let column = characters(&bytes[start..offset]) + 1;
    let word_end = (offset + length).clamp(offset, end);
    let marked =
        String::from_utf8_lossy(&bytes[offset..word_end]).chars().take(MAX_SHOWN - SHOWN_BEFORE).count();
    let skipped = if characters(&bytes[start..end]) > MAX_SHOWN {
        (column - 1).saturating_sub(SHOWN_BEFORE)
    } else {
        0
    };
    let text = String::from_utf8_lossy(&bytes[start..end]).chars().skip(skipped).take(MAX_SHOWN).collect();
    Place::Line { line, column, length: marked.max(1), text, text_column: skipped + 1 }
}

/// A word of a file as a message repeats it: in quotes, readable, not too long.
pub(super) fn quoted(word: &[u8]) -> String {
    // Four bytes make at most one character, so this many bytes hold enough.
    let head = &word[..word.len().min(4 * MAX_QUOTED + 4)];
    let text = String::from_utf8_lossy(head);
    let shown: String = text.chars().take(MAX_QUOTED).flat_map(char::escape_debug).collect();
    let dots = if text.chars().count() > MAX_QUOTED { "…" } else { "" };
    format!("'{shown}{dots}'")
}
