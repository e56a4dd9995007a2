//! `zerogap verify`: measurements against known answers, beside what others published.

use std::ops::ControlFlow;

use serde::Serialize;
use zerogap::verification::{Required, Row, digits_for, verify};

use crate::arguments::Verify;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{NOTHING, emit, emit_json, number, table};
use crate::progress::Progress;

#[derive(Serialize)]
struct Report {
    /// Whether every row passed, but for known failures.
    passed: bool,
    rows: Vec<Row>,
}

impl Report {
    fn new(rows: Vec<Row>) -> Self {
        Self { passed: rows.iter().all(|row| row.passed || row.known_issue.is_some()), rows }
    }
}

pub(crate) fn run(arguments: &Verify) -> Result<Exit, Failure> {
    let mut progress = Progress::new(0, "{spinner} {msg} ({elapsed})");
    let rows = verify(arguments.group.as_deref(), arguments.count, &mut |done, all| {
        progress.update(done as u64, format!("{done} of {all} cases"));
        ControlFlow::Continue(())
    });
    drop(progress);
    let rows = rows.map_err(|error| Failure::command(error.to_string()))?;
    let report = Report::new(rows);
    if arguments.json {
        emit_json(&report)?;
    } else {
        emit(&shown(&report.rows))?;
    }
    Ok(exit(&report))
}

fn exit(report: &Report) -> Exit {
    if report.passed { Exit::Good } else { Exit::Unmet }
}

/// A table for each experiment, then how many requirements hold.
fn shown(rows: &[Row]) -> String {
    let experiments = rows.chunk_by(|a, b| (a.group, &a.case) == (b.group, &b.case));
    let tables: String = experiments.map(experiment).collect();
    let judged: Vec<&Row> = rows.iter().filter(|row| !row.required.to_string().is_empty()).collect();
    let failed = judged.iter().filter(|row| !row.passed);
    let (known, new): (Vec<&&Row>, Vec<&&Row>) = failed.partition(|row| row.known_issue.is_some());
    let (all, holding) = (judged.len(), judged.len() - known.len() - new.len());
    let besides = match known.len() {
        0 => String::new(),
        1 => "; 1 is a known failure".to_owned(),
        count => format!("; {count} are known failures"),
    };
    let outcome = match new.len() {
        0 => format!("{holding} of {all} requirements hold{besides}"),
        failed => format!("FAILED: {failed} of {all} requirements do not hold{besides}"),
    };
    format!("{tables}{outcome}\n")
}

/// The rows of one experiment, with a column for each who published something about it.
fn experiment(rows: &[Row]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let mut publishers: Vec<&str> = Vec::new();
    for by in rows.iter().flat_map(|row| &row.published).map(|published| published.by) {
        if !publishers.contains(&by) {
            publishers.push(by);
        }
    }
    let header: Vec<&str> = ["measured", "zerogap", "required", "outcome"]
        .into_iter()
        .chain(publishers.iter().copied())
        .collect();
    let cells = |row: &Row| {
        let required = row.required.to_string();
        let outcome = match (required.is_empty(), row.passed, row.known_issue) {
            (true, true, _) => NOTHING.to_owned(),
            (false, true, _) => "holds".to_owned(),
            (_, false, None) => "FAILED".to_owned(),
            (_, false, Some(issue)) => format!("known failure (issue {issue})"),
        };
        let name =
            if row.unit.is_empty() { row.name.clone() } else { format!("{} [{}]", row.name, row.unit) };
        let asked = if required.is_empty() { NOTHING.to_owned() } else { required };
        let of = |by: &&str| {
            let found = row.published.iter().find(|published| published.by == *by);
            found.map_or(NOTHING.to_owned(), |published| number(published.value))
        };
        // As many digits as a comparison needs.
        let value = match row.required {
            Required::Near { tolerance, .. } => digits_for(row.value, tolerance),
            _ => number(row.value),
        };
        let own = vec![name, value, asked, outcome];
        own.into_iter().chain(publishers.iter().map(of)).collect::<Vec<String>>()
    };
    let lines: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let times = if first.count == 1 { String::new() } else { format!(", {} cases", first.count) };
    format!("{}: {}{times}\n\n{}\n", first.group, first.case, table(&header, &lines))
}

#[cfg(test)]
mod tests {
    use zerogap::verification::Published;

    use super::*;

    fn row(name: &str, value: f64, required: Required, published: &[Published]) -> Row {
        Row {
            group: "tables",
            case: "boxes".to_owned(),
            count: 1,
            name: name.to_owned(),
            unit: "m",
            value,
            required,
            passed: required.is_met(value),
            is_timing: false,
            known_issue: None,
            published: published.to_vec(),
        }
    }

    #[test]
    fn a_requirement_that_does_not_hold_is_said_and_exits_with_1() {
        let moby = Published { by: "Moby", value: 2.5 };
        let limit = Required::AtMost { at_most: 1.0 };
        let reported = Required::Nothing {};
        let good = Report::new(vec![row("max", 0.5, limit, &[moby]), row("min", 0.0, reported, &[])]);
        assert_eq!(exit(&good), Exit::Good);
        assert_eq!(
            shown(&good.rows),
            "tables: boxes\n\n\
             measured  zerogap  required  outcome  Moby\n\
             ────────  ───────  ────────  ───────  ────\n\
             max [m]       0.5  <= 1e0    holds     2.5\n\
             min [m]         0  -         -           -\n\n\
             1 of 1 requirements hold\n"
        );
        let near = Required::Near { expected: 2.0, tolerance: 1e-9 };
        let bad = Report::new(vec![row("max", 1.5, limit, &[]), row("time", 2.0, near, &[])]);
        assert_eq!(exit(&bad), Exit::Unmet);
        let shown = shown(&bad.rows);
        assert!(shown.contains("FAILED\n") && shown.contains("2 ± 1e-9"), "{shown}");
        assert!(shown.ends_with("FAILED: 1 of 2 requirements do not hold\n"), "{shown}");

        let known = Row { known_issue: Some(24), ..row("rest", 1.5, limit, &[]) };
        let tolerated = Report::new(vec![known, row("max", 0.5, limit, &[])]);
        assert_eq!(exit(&tolerated), Exit::Good);
        let shown = super::shown(&tolerated.rows);
        assert!(shown.contains("known failure (issue 24)"), "{shown}");
        assert!(shown.ends_with("1 of 2 requirements hold; 1 is a known failure\n"), "{shown}");
    }
}
