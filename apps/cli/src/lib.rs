//! The `zerogap` command: a thin face over the `zerogap` library. The program of that name calls [`main`], and so do other packages that bring the command with them.
//!
//! In: arguments. Out: a table for people or JSON for programs on standard output, errors and progress on standard
//! error, and an exit code of a table in `exit.rs`.

mod arguments;
mod commands;
mod diagnostic;
mod exit;
mod output;
mod progress;
mod signals;
mod target;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use diagnostic::Failure;

/// Runs the command with the arguments of the process.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && diagnostic::is_json_asked() => {
            return diagnostic::print(wrong_command(&error));
        }
        Err(error) => error.exit(),
    };
    let result = match &arguments.command {
        Command::Inspect(a) => commands::inspect::run(a),
        Command::Hull(a) => commands::hull::run(a),
        Command::Decompose(a) => commands::decompose::run(a),
        Command::Distance(a) => commands::distance::run(a),
        Command::Contacts(a) => commands::contacts::run(a),
        Command::Impact(a) => commands::impact::run(a),
        Command::Pairs(a) => commands::pairs::run(a),
        Command::Part(a) => commands::part::run(a),
        Command::Refine(a) => commands::refine::run(a),
        Command::Run(a) => commands::run::run(a),
        Command::Info(a) => commands::run::info(a),
        Command::Replay(a) => commands::run::replay(a),
        Command::Plot(a) => commands::run::plot(a),
        Command::Export(a) => commands::run::export(a),
        Command::Scene(a) => commands::scene::run(&a.command),
        Command::Solve(a) => commands::solve::run(a),
        Command::Verify(a) => commands::verify::run(a),
        #[cfg(feature = "viewer")]
        Command::View(a) => commands::view::run(a),
        Command::Completions(a) => commands::completions::run(a),
        Command::Man(a) => commands::man::run(a),
    };
    match result {
        Ok(code) => code.into(),
        Err(failure) => diagnostic::print(failure),
    }
}

/// Converts an error of clap to a failure.
fn wrong_command(error: &clap::Error) -> Failure {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (usage, about): (Vec<&str>, Vec<&str>) =
        lines.into_iter().partition(|line| line.starts_with("Usage:") || line.starts_with("For more"));
    let message = about.join("; ");
    let message = message.strip_prefix("error: ").unwrap_or(&message).to_owned();
    Failure::command(message).with_help(usage.first().map(|usage| (*usage).to_owned()))
}
