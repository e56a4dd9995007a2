//! Errors that point at the place: the file and line, or the word on the command line.

use std::fmt;
use std::process::ExitCode;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Report, SourceCode, SourceSpan, SpanContents,
};

use crate::exit::Exit;

/// Why a command could not do its job.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    help: Option<String>,
    snippet: Option<Box<Snippet>>,
}

/// One line of the input with a part of it underlined.
#[derive(Debug, Clone)]
pub(crate) struct Snippet {
    /// File name, or `command line`.
    pub(crate) name: String,
    /// Line in that file, counted from 1.
    pub(crate) line: usize,
    /// The text of the line.
    pub(crate) text: String,
    /// First underlined byte of the text, counted from 0.
    pub(crate) start: usize,
    /// How many bytes are underlined.
    pub(crate) length: usize,
    /// What is said under the line.
    pub(crate) label: String,
}

impl Failure {
    /// The command line is wrong in a way that only the command itself can tell.
    pub(crate) fn command(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadCommand, message: message.into(), help: None, snippet: None }
    }

    /// The input cannot be read or used.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self { exit: Exit::BadInput, message: message.into(), help: None, snippet: None }
    }

    /// The result cannot be written.
    pub(crate) fn write(message: impl Into<String>) -> Self {
        Self { exit: Exit::CannotWrite, message: message.into(), help: None, snippet: None }
    }

    /// Adds a sentence that says what to do.
    pub(crate) fn with_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Adds the place.
    pub(crate) fn at(mut self, snippet: Snippet) -> Self {
        self.snippet = Some(Box::new(snippet));
        self
    }
}

/// Prints a failure on standard error and gives its exit code.
pub(crate) fn print(failure: Failure) -> ExitCode {
    let exit = failure.exit;
    eprintln!("{:?}", Report::new(failure));
    exit.into()
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Diagnostic for Failure {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.snippet.as_deref().map(|snippet| snippet as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let snippet = self.snippet.as_ref()?;
        let span = SourceSpan::from((snippet.start, snippet.length));
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(Some(snippet.label.clone()), span))))
    }
}

/// The one line is all there is, but it keeps the number it has in its file.
impl SourceCode for Snippet {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        _: usize,
        _: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        if span.offset() + span.len() > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        let whole = SourceSpan::from((0, self.text.len()));
        let line = self.line.saturating_sub(1);
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            self.text.as_bytes(),
            whole,
            line,
            span.offset(),
            1,
        )))
    }
}
