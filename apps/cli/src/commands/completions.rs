//! `zerogap completions`: a script that teaches a shell our words.

use clap::CommandFactory;

use crate::arguments::{Arguments, Completions};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::emit;

pub(crate) fn run(arguments: &Completions) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "zerogap", &mut script);
    emit(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Good)
}
