//! `zerogap man`: manual pages, made from the same texts as the help.

use std::path::{Path, PathBuf};

use clap::{Command, CommandFactory};
use serde::Serialize;
use zerogap::core::files;

use crate::arguments::{Arguments, Man};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit_as_is, emit_files, emit_json};

#[derive(Serialize)]
struct Report {
    page: String,
}

pub(crate) fn run(arguments: &Man) -> Result<Exit, Failure> {
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder)
            .map_err(|error| Failure::write(format!("{}: {error}", folder.display())))?;
        let mut written = Vec::new();
        write_pages(&command, "zerogap", folder, &mut written)?;
        emit_files(&written, arguments.json)?;
        return Ok(Exit::Good);
    }
    let page = page(command)?;
    if arguments.json {
        emit_json(&Report { page })?;
    } else {
        emit_as_is(&page)?;
    }
    Ok(Exit::Good)
}

/// Writes the page of a command and those of the commands below it.
fn write_pages(
    command: &Command,
    name: &str,
    folder: &Path,
    written: &mut Vec<PathBuf>,
) -> Result<(), Failure> {
    let file = folder.join(format!("{name}.1"));
    let text = page(command.clone().name(name.to_owned()))?;
    files::replace(&file, text.as_bytes())
        .map_err(|error| Failure::write(format!("{}: {error}", file.display())))?;
    written.push(file);
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write_pages(below, &format!("{name}-{}", below.get_name()), folder, written)?;
    }
    Ok(())
}

/// The manual page of a command.
fn page(command: Command) -> Result<String, Failure> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut text)
        .map_err(|error| Failure::write(format!("manual page: {error}")))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
