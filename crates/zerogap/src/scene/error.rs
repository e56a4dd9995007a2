//! What is wrong with a scene file, and where.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// What is wrong with a scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct SceneError {
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to write instead, where that is known.
    pub help: Option<String>,
    /// The file, where there is one.
    pub file: Option<PathBuf>,
    /// The place in the text [bytes]; none where it is about the whole.
    pub span: Option<Range<usize>>,
}

impl SceneError {
    pub(crate) fn at(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, file: None, span: Some(span) }
    }

    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, file: None, span: None }
    }

    pub(crate) fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    pub(crate) fn in_file(self, file: Option<&Path>) -> Self {
        Self { file: self.file.or_else(|| file.map(Path::to_owned)), ..self }
    }

    /// The line of a text that the error is about, counted from 1, with the range of bytes in that line.
    pub fn line<'a>(&self, text: &'a str) -> Option<(usize, &'a str, Range<usize>)> {
        let span = self.span.clone()?;
        let start = text.get(..span.start)?.rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let number = text[..start].matches('\n').count() + 1;
        let last = span.end.clamp(span.start, end);
        Some((number, text[start..end].trim_end_matches('\r'), span.start - start..last - start))
    }
}
