//! Targets on the command line: the library resolves them, this adds the place to the error.

use std::ops::Range;
use std::path::Path;

use zerogap::complexes::{ComplexTarget, ComplexTargetError};
use zerogap::distance::Body;
use zerogap::geometry::error::with_article;
use zerogap::geometry::import::{ImportError, ImportErrorKind, Place};
use zerogap::geometry::shape::WordErrorKind;
use zerogap::geometry::{ComplexOptions, TriangleMesh};
use zerogap::impact::{Form, Mover};
use zerogap::meshes::{MeshTarget, MeshTargetError};
use zerogap::target::{MeshWarning, ReadOptions, Target, TargetError};

use crate::arguments::Reading;
use crate::diagnostic::{COMMAND_LINE, Failure, NoteKind, Snippet, print_note};

/// The reading options as the library takes them.
pub(crate) fn options(reading: &Reading) -> ReadOptions {
    ReadOptions {
        unit: reading.unit,
        format: reading.format.map(Into::into),
        repair: reading.repair,
        complex: false,
    }
}

/// Resolves a target, or returns an error that underlines the place in the argument or in the file.
pub(crate) fn resolve(word: &str, options: &ReadOptions) -> Result<Target, Failure> {
    let target = Target::resolve(word, options).map_err(|error| failure(word, &error))?;
    warn(target.warnings());
    Ok(target)
}

/// Resolves a target to a convex body: meshes and parts become their hulls.
pub(crate) fn resolve_body(word: &str, options: &ReadOptions) -> Result<Body, Failure> {
    let body = Body::resolve(word, options).map_err(|error| failure(word, &error))?;
    warn(&body.read.warnings);
    Ok(body)
}

/// Resolves a target to a moving body.
pub(crate) fn resolve_mover(word: &str, options: &ReadOptions, form: Form) -> Result<Mover, Failure> {
    let mover = Mover::resolve(word, options, form).map_err(|error| failure(word, &error))?;
    warn(&mover.read.warnings);
    Ok(mover)
}

/// Resolves a target to a body, with meshes and parts as they are.
pub(crate) fn resolve_as_mesh(word: &str, options: &ReadOptions) -> Result<MeshTarget, Failure> {
    let target = MeshTarget::resolve(word, options).map_err(|error| match error {
        MeshTargetError::Target(error) => failure(word, &error),
        other @ MeshTargetError::Shape { .. } => Failure::input(other.to_string()),
    })?;
    warn(&target.read.warnings);
    Ok(target)
}

/// Resolves a target to a simplicial complex.
pub(crate) fn resolve_complex(
    word: &str,
    options: &ReadOptions,
    complex: &ComplexOptions,
) -> Result<ComplexTarget, Failure> {
    let target = ComplexTarget::resolve(word, options, complex).map_err(|error| match error {
        ComplexTargetError::Target(error) => failure(word, &error),
        other => Failure::input(other.to_string()),
    })?;
    warn(&target.read.warnings);
    Ok(target)
}

/// Prints the warnings of a mesh file.
fn warn(warnings: &[MeshWarning]) {
    for warning in warnings {
        let message = warning.with_advice("--unit mm, or --unit m where these are metres");
        print_note(NoteKind::Warning, &message, Some(warning.path()));
    }
}

/// A mesh, for commands that need one.
pub(crate) fn resolve_mesh(word: &str, options: &ReadOptions) -> Result<TriangleMesh, Failure> {
    let refused = |kind: &str| {
        let what = with_article(kind);
        Failure::input(format!("'{word}' is {what}: this command takes a mesh file or a part"))
    };
    match resolve(word, options)? {
        Target::Mesh { mesh, .. } => Ok(mesh),
        Target::Complex { .. } => Err(refused("complex")),
        Target::Shape(shape) => Err(refused(shape.kind())),
    }
}

fn failure(word: &str, error: &TargetError) -> Failure {
    match error {
        TargetError::File(error) => file_failure(error),
        TargetError::Word(error) => {
            let help = Some(format!("for example {}", error.example));
            at_word(
                Failure::input(word_message(word, &error.kind)),
                word,
                error.span.clone(),
                &error.expected,
            )
            .with_help(help)
        }
        TargetError::Part { error, span } => {
            let help =
                Some("'zerogap part' lists the parts, 'zerogap part NAME' the parameters of one".to_owned());
            at_word(
                Failure::input(format!("the part '{word}' cannot be made")),
                word,
                span.clone(),
                &error.to_string(),
            )
            .with_help(help)
        }
        TargetError::Assembly { span, .. } => at_word(
            Failure::input(format!("there is no such assembly as '{word}'")),
            word,
            span.clone(),
            &error.to_string(),
        ),
        TargetError::Mesh { .. } | TargetError::Complex { .. } => Failure::input(error.to_string()),
    }
}

fn word_message(word: &str, kind: &WordErrorKind) -> String {
    match kind {
        WordErrorKind::UnknownShape => format!("'{word}' is neither a file nor a shape"),
        _ => format!("the shape '{word}' cannot be made"),
    }
}

/// Underlines a part of an argument.
fn at_word(failure: Failure, word: &str, span: Range<usize>, label: &str) -> Failure {
    failure.at(command_line(word, span, label))
}

/// An argument with a part of it underlined.
pub(crate) fn command_line(word: &str, span: Range<usize>, label: &str) -> Snippet {
    Snippet {
        name: COMMAND_LINE.to_owned(),
        line: 1,
        text: word.to_owned(),
        start: span.start,
        length: span.len(),
        label: label.to_owned(),
    }
}

/// Points at the line of a text file, or names the byte of a binary one.
fn file_failure(error: &ImportError) -> Failure {
    let help = match error.kind() {
        ImportErrorKind::Unreadable => {
            Some("a target is a mesh file, part:NAME, assembly:NAME or a shape such as box:1,2,3".to_owned())
        }
        _ => error.help().map(str::to_owned),
    };
    match error.place() {
        Place::Line { line, column, length, text, text_column } => {
            let (start, end) = byte_range(text, column - text_column, *length);
            Failure::input(format!("{} cannot be read", shown(error.path())))
                .at(Snippet {
                    name: format!("{}", error.path().display()),
                    line: *line,
                    text: text.clone(),
                    start,
                    length: end - start,
                    label: error.message().to_owned(),
                })
                .with_help(help)
        }
        _ => Failure::input(error.to_string()).in_file(error.path()).with_help(help),
    }
}

/// The bytes of `length` characters of a text from character `first` on.
fn byte_range(text: &str, first: usize, length: usize) -> (usize, usize) {
    let offset = |characters: usize| text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at);
    (offset(first), offset(first + length))
}

fn shown(path: &Path) -> String {
    format!("'{}'", path.display())
}
