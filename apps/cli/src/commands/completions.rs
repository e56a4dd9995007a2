//! `zerogap completions`: prints a completion script for a shell.

use clap::CommandFactory;
use serde::Serialize;

use crate::arguments::{Arguments, Completions};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit_as_is, emit_json};

#[derive(Serialize)]
struct Report<'a> {
    shell: String,
    script: &'a str,
}

pub(crate) fn run(arguments: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "zerogap", &mut script);
    let script = String::from_utf8_lossy(&script);
    if arguments.json {
        emit_json(&Report { shell: arguments.shell.to_string(), script: &script })?;
    } else {
        emit_as_is(&script)?;
    }
    Ok(Exit::Good)
}
