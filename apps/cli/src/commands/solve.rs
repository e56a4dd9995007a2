//! `zerogap solve`: friction problems from files, solved with their residual and time.

use std::path::Path;

use serde::Serialize;
use zerogap::contact::cone::{CoulombParams, MatrixProblem, TextError, read_problem};
use zerogap::core::files;
use zerogap::friction::{FrictionSummary, solve_named};

use crate::arguments::Solve;
use crate::diagnostic::{self, Failure, Snippet};
use crate::exit::Exit;
use crate::output::{emit, emit_json, number, table};

/// Bytes of a line that an error shows [-].
const MOST_SHOWN: usize = 120;

#[derive(Serialize)]
struct Report<'a> {
    tolerance: f64,
    problems: &'a [FrictionSummary],
}

pub(crate) fn run(arguments: &Solve) -> Result<Exit, Failure> {
    let params = CoulombParams { tolerance: arguments.tolerance, ..CoulombParams::default() };
    let mut problems = Vec::with_capacity(arguments.files.len());
    let mut failures = Vec::new();
    // One bad file among many must not hide the good ones.
    for path in &arguments.files {
        match read(path) {
            Ok(problem) => {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                problems.push(solve_named(&name, &problem, &params).1);
            }
            Err(failure) => failures.push(failure),
        }
    }
    if arguments.json {
        emit_json(&Report { tolerance: params.tolerance, problems: &problems })?;
    } else if !problems.is_empty() {
        emit(&shown(&problems))?;
    }
    let missed: Vec<&FrictionSummary> = problems.iter().filter(|p| !p.is_solved()).collect();
    for problem in &missed {
        let worst = number(problem.residual.max(problem.relative));
        let tolerance = number(params.tolerance);
        diagnostic::print_unmet(&format!("not solved: {} reached {worst}, not {tolerance}", problem.problem));
    }
    // The last failure is returned, the others are printed here: each is seen once.
    if let Some(last) = failures.pop() {
        for failure in failures {
            diagnostic::print(failure);
        }
        return Err(last);
    }
    Ok(if missed.is_empty() { Exit::Good } else { Exit::Unmet })
}

fn shown(problems: &[FrictionSummary]) -> String {
    let header = [
        "problem",
        "contacts",
        "open",
        "sticking",
        "sliding",
        "status",
        "residual",
        "relative",
        "sweeps",
        "newton",
        "time [ms]",
    ];
    let rows: Vec<Vec<String>> = problems
        .iter()
        .map(|p| {
            vec![
                p.problem.clone(),
                p.contacts.to_string(),
                p.open.to_string(),
                p.sticking.to_string(),
                p.sliding.to_string(),
                p.status.to_owned(),
                format!("{:.1e}", p.residual),
                format!("{:.1e}", p.relative),
                p.sweeps.to_string(),
                p.newton.to_string(),
                number(1e3 * p.time),
            ]
        })
        .collect();
    table(&header, &rows)
}

fn read(path: &Path) -> Result<MatrixProblem, Failure> {
    let text = files::read_text(path, files::MAX_TABLE)
        .map_err(|error| Failure::input(format!("'{}': {error}", path.display())).in_file(path))?;
    read_problem(&text).map_err(|error| failure(path, &text, &error))
}

/// Points at the line that is wrong.
fn failure(path: &Path, text: &str, error: &TextError) -> Failure {
    let help = "a problem is `3 contacts`, the number of entries, lines `row column value` of W counted from 0, \
                then q and friction";
    let help = Some(help.to_owned());
    // A file that does not begin as a problem is another one: nothing of it is quoted.
    if text.split_whitespace().next().is_some_and(|word| word.parse::<f64>().is_err()) {
        let message =
            format!("'{}' is no friction problem: it does not begin with the dimension 3", path.display());
        return Failure::input(message).in_file(path).with_help(help);
    }
    let line = text.lines().nth(error.line() - 1).unwrap_or_default();
    // Nothing to show where the text ends.
    if line.is_empty() {
        return Failure::input(format!("'{}': {error}", path.display())).in_file(path).with_help(help);
    }
    let failure = Failure::input(format!("'{}' is no friction problem", path.display())).with_help(help);
    // Lines of q can be long: what is shown ends where a character does.
    let end = (0..=MOST_SHOWN.min(line.len())).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
    // The line stands in the frame already.
    let said = error.to_string();
    let label = said.split_once(": ").map_or(said.clone(), |(_, label)| label.to_owned());
    failure.at(Snippet {
        name: path.display().to_string(),
        line: error.line(),
        text: line[..end].to_owned(),
        start: 0,
        length: end,
        label,
    })
}
