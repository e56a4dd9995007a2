//! The `zerogap` command: a thin face over the `zerogap` library.
//!
//! In: words on the command line. Out: a table for people or JSON for programs on standard output, errors and progress on standard
//! error, and an exit code from [`exit`].

mod arguments;
mod commands;
mod diagnostic;
mod exit;
mod output;
mod progress;
mod target;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
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
        Command::Completions(a) => commands::completions::run(a),
    };
    match result {
        Ok(code) => code.into(),
        Err(failure) => diagnostic::print(failure),
    }
}
