//! `zerogap solve`: friction problems from files, solved with their impulses, residual and time.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use zerogap::contact::cone::{CoulombParams, MatrixProblem, TextError, read_problem};
use zerogap::core::files;
use zerogap::core::text::csv_cell;
use zerogap::friction::FrictionReport;

use crate::arguments::Solve;
use crate::diagnostic::{self, Failure, NoteKind, Snippet};
use crate::exit::Exit;
use crate::output::{emit, emit_json, number, table, write_bytes};

/// Bytes of a line that an error shows [-].
const MAX_SHOWN: usize = 120;

/// Maximum number of contacts whose impulses are printed; more are written to a file [-].
const MAX_CONTACTS_SHOWN: usize = 20;

#[derive(Serialize)]
struct Report<'a> {
    tolerance: f64,
    problems: &'a [FrictionReport],
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
                problems.push(FrictionReport::new(&name, &problem, &params, arguments.cone_sides));
            }
            Err(failure) => failures.push(failure),
        }
    }
    if let Some(path) = &arguments.out {
        write_bytes(path, csv(&problems).as_bytes())?;
    }
    if arguments.json {
        emit_json(&Report { tolerance: params.tolerance, problems: &problems })?;
    } else if !problems.is_empty() {
        emit(&shown(&problems))?;
        let contacts: usize = problems.iter().map(|problem| problem.summary.contacts).sum();
        if (1..=MAX_CONTACTS_SHOWN).contains(&contacts) {
            emit(&format!("\n{}", shown_contacts(&problems)))?;
        } else if contacts > 0 && arguments.out.is_none() {
            let hint =
                format!("--out FILE writes the impulses of the {contacts} contacts, --json prints them");
            diagnostic::print_note(NoteKind::Hint, &hint, None);
        }
    }
    let missed: Vec<&FrictionReport> = problems.iter().filter(|p| !p.summary.is_solved()).collect();
    for FrictionReport { summary, certificate, min_impulse, .. } in &missed {
        let worst = number(summary.residual.max(summary.relative));
        let name = &summary.problem;
        match (certificate, min_impulse) {
            (Some(certificate), Some(smallest)) => {
                let pushed = certificate.iter().enumerate().filter(|(_, push)| push[0] > 0.0);
                let contacts: Vec<String> = pushed.map(|(contact, _)| contact.to_string()).collect();
                let bound = if smallest.is_finite() {
                    format!("no impulses below {} N s satisfy Coulomb's law", number(*smallest))
                } else {
                    "no impulses satisfy Coulomb's law".to_owned()
                };
                let listed = contacts.join(", ");
                let reason = match contacts.len() {
                    1 => format!("contact {listed} approaches, and no impulse along its normal stops it"),
                    _ => format!(
                        "contacts {listed} approach, and no impulses along their normals stop them all"
                    ),
                };
                diagnostic::print_unmet(&format!("infeasible: {name}: {bound}: {reason}"));
            }
            _ if arguments.cone_sides.is_some() => diagnostic::print_unmet(&format!(
                "not solved: Lemke's method ended without a solution of {name}"
            )),
            _ => diagnostic::print_unmet(&format!(
                "not converged: {name} reached {worst}, not {}",
                number(params.tolerance)
            )),
        }
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

/// The columns of a contact.
const CONTACT: [&str; 9] = ["problem", "contact", "kind", "r_n", "r_t1", "r_t2", "u_n", "u_t1", "u_t2"];

/// Every contact of every problem: name, number, kind, impulse [N s] and velocity [m/s].
fn contact_rows(problems: &[FrictionReport], shown: impl Fn(f64) -> String) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for FrictionReport { summary, kinds, impulses, velocities, .. } in problems {
        for (contact, ((kind, r), u)) in kinds.iter().zip(impulses).zip(velocities).enumerate() {
            let names = [summary.problem.clone(), contact.to_string(), (*kind).to_owned()];
            rows.push(names.into_iter().chain(r.iter().chain(u).map(|x| shown(*x))).collect());
        }
    }
    rows
}

fn shown_contacts(problems: &[FrictionReport]) -> String {
    let header = ["problem", "contact", "kind", "r_n [N s]", "r_t1", "r_t2", "u_n [m/s]", "u_t1", "u_t2"];
    table(&header, &contact_rows(problems, number))
}

/// The same with every digit.
fn csv(problems: &[FrictionReport]) -> String {
    let mut text = CONTACT.join(",") + "\n";
    for row in contact_rows(problems, |x| format!("{x:?}")) {
        let cells: Vec<_> = row.iter().map(|cell| csv_cell(cell)).collect();
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

fn shown(problems: &[FrictionReport]) -> String {
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
        .map(|FrictionReport { summary: p, .. }| {
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
    let end = (0..=MAX_SHOWN.min(line.len())).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
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
