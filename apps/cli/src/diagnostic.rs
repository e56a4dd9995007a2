//! Errors with their location: the file and line, or the argument on the command line.

use std::fmt;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Report, SourceCode, SourceSpan, SpanContents,
};
use serde::Serialize;
use zerogap::core::text::{printable, printable_lines};

use crate::exit::Exit;

/// Why a command could not do its job.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
    help: Option<String>,
    /// The file concerned; a snippet has its own.
    file: Option<String>,
    snippet: Option<Box<Snippet>>,
}

/// Name shown for a snippet of the command line.
pub(crate) const COMMAND_LINE: &str = "command line";

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
    /// Label below the line.
    pub(crate) label: String,
}

impl Failure {
    fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), help: None, file: None, snippet: None }
    }

    /// An invalid command line that only the command itself can detect.
    pub(crate) fn command(message: impl Into<String>) -> Self {
        Self::new(Exit::BadCommand, message)
    }

    /// The input cannot be read or used.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::BadInput, message)
    }

    /// The result cannot be written.
    pub(crate) fn write(message: impl Into<String>) -> Self {
        Self::new(Exit::CannotWrite, message)
    }

    /// Names the file that it is about, where the message alone does.
    pub(crate) fn in_file(mut self, file: &Path) -> Self {
        self.file = Some(file.display().to_string());
        self
    }

    /// Adds advice.
    pub(crate) fn with_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Adds the place.
    pub(crate) fn at(mut self, snippet: Snippet) -> Self {
        self.snippet = Some(Box::new(snippet.printable()));
        self
    }

    /// The same with control characters escaped.
    fn printable(mut self) -> Self {
        self.message = printable(&self.message).into_owned();
        self.help = self.help.map(|help| printable(&help).into_owned());
        self
    }
}

impl Snippet {
    /// The same with control characters of the file escaped and the underlined part where it was.
    fn printable(mut self) -> Self {
        let place = self.start..(self.start + self.length).min(self.text.len());
        if let (Some(before), Some(part), Some(after)) =
            (self.text.get(..place.start), self.text.get(place.clone()), self.text.get(place.end..))
        {
            let shown = [before, part, after].map(|text| printable_lines(text).into_owned());
            (self.start, self.length) = (shown[0].len(), shown[1].len());
            self.text = shown.concat();
        }
        self.name = printable(&self.name).into_owned();
        self.label = printable(&self.label).into_owned();
        self
    }
}

/// A failure or a note as programs read it.
#[derive(Serialize)]
struct FailureReport<'a> {
    kind: &'static str,
    message: String,
    file: Option<&'a str>,
    /// Counted from 1.
    line: Option<usize>,
    /// The character in the line, counted from 1.
    column: Option<usize>,
    help: Option<&'a str>,
}

impl<'a> FailureReport<'a> {
    fn new(failure: &'a Failure) -> Self {
        let snippet = failure.snippet.as_deref();
        let in_file = snippet.filter(|snippet| snippet.name != COMMAND_LINE);
        let message = match snippet {
            Some(snippet) => format!("{}: {}", failure.message, snippet.label),
            None => failure.message.clone(),
        };
        let column = |snippet: &Snippet| Some(snippet.text.get(..snippet.start)?.chars().count() + 1);
        Self {
            kind: failure.exit.kind(),
            message,
            file: in_file.map(|snippet| snippet.name.as_str()).or(failure.file.as_deref()),
            line: in_file.map(|snippet| snippet.line),
            column: in_file.and_then(column),
            help: failure.help.as_deref(),
        }
    }
}

/// Whether the command line asks for JSON. Reads the raw arguments: errors of parsing are reported as JSON too.
pub(crate) fn is_json_asked() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}

/// Prints a failure on standard error, for people or for programs, and returns its exit code.
pub(crate) fn print(failure: Failure) -> ExitCode {
    let exit = failure.exit;
    if is_json_asked() {
        print_line(&serde_json::to_string(&FailureReport::new(&failure)).unwrap_or_default());
    } else {
        print_line(&format!("{:?}", Report::new(failure.printable())));
    }
    exit.into()
}

/// Prints that a requirement failed, beside the result.
pub(crate) fn print_unmet(message: &str) {
    if is_json_asked() {
        print(Failure::new(Exit::Unmet, message));
    } else {
        print_line(&printable(message));
    }
}

/// What a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoteKind {
    /// The result may not be what the user expects.
    Warning,
    /// Another option may be of use.
    Hint,
}

impl NoteKind {
    fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Hint => "hint",
        }
    }
}

/// Prints a note on standard error, for people or for programs, where it disturbs no output; `file` is the file that it is about.
pub(crate) fn print_note(kind: NoteKind, message: &str, file: Option<&Path>) {
    let kind = kind.word();
    if is_json_asked() {
        let file = file.map(|file| file.display().to_string());
        let note = FailureReport {
            kind,
            message: message.to_owned(),
            file: file.as_deref(),
            line: None,
            column: None,
            help: None,
        };
        print_line(&serde_json::to_string(&note).unwrap_or_default());
    } else {
        print_line(&format!("{kind}: {}", printable(message)));
    }
}

/// Prints a line to standard error; a closed pipe is no error.
fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
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
