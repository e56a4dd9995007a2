//! `zerogap pairs`: which boxes of a table overlap.

use std::path::Path;

use zerogap::pairs::{BoxTable, NamedPair, PairReport, TableError, params};

use crate::arguments::Pairs;
use crate::diagnostic::{Failure, Snippet};
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, table};

/// Pairs that people are shown; JSON has all of them [-].
const MAX_SHOWN: usize = 50;

pub(crate) fn run(arguments: &Pairs) -> Result<Exit, Failure> {
    let params = params(arguments.margin, &arguments.method).map_err(|e| Failure::command(e.to_string()))?;
    let boxes = BoxTable::read(&arguments.file).map_err(|error| failure(&arguments.file, error))?;
    let report = boxes
        .report(params)
        .map_err(|error| Failure::input(format!("'{}': {error}", arguments.file.display())))?;
    if arguments.json {
        emit_json(&report)?;
    } else {
        emit(&shown(&report))?;
    }
    Ok(Exit::Good)
}

fn shown(report: &PairReport) -> String {
    let title = sentence(report) + "\n";
    if report.pairs.is_empty() {
        return title;
    }
    let first = &report.pairs[..report.pairs.len().min(MAX_SHOWN)];
    let more = match report.pairs.len() - first.len() {
        0 => String::new(),
        more => format!("\nand {more} more: --json has all of them\n"),
    };
    format!("{title}\n{}{more}", listed(first))
}

/// The answer in a sentence.
fn sentence(report: &PairReport) -> String {
    let counted = |count: usize, one: &str, many: &str| {
        if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
    };
    let pairs = counted(report.pairs.len(), "pair", "pairs");
    let boxes = counted(report.boxes, "box", "boxes");
    let how = if report.margin > 0.0 {
        format!("within {} on every axis", length(report.margin))
    } else if report.pairs.len() == 1 {
        "that overlaps or touches".to_owned()
    } else {
        "that overlap or touch".to_owned()
    };
    format!("{pairs} {how} among {boxes}")
}

/// The pairs as a table, with names where there are any.
fn listed(pairs: &[NamedPair]) -> String {
    let row = |pair: &NamedPair| {
        let (a, b) = (pair.a.to_string(), pair.b.to_string());
        match (&pair.name_a, &pair.name_b) {
            (Some(name_a), Some(name_b)) => vec![a, b, name_a.clone(), name_b.clone()],
            _ => vec![a, b],
        }
    };
    let rows: Vec<Vec<String>> = pairs.iter().map(row).collect();
    let header = ["A", "B", "name of A", "name of B"];
    table(&header[..rows.first().map_or(2, Vec::len)], &rows)
}

/// Points at the line of the table that is wrong.
fn failure(path: &Path, error: TableError) -> Failure {
    let help =
        "a line is min_x,min_y,min_z,max_x,max_y,max_z, with a name before it on every line or on none";
    match error {
        TableError::Unreadable(_) | TableError::NotATable { .. } => {
            let failure = Failure::input(format!("'{}': {error}", path.display())).in_file(path);
            failure.with_help(Some(help.to_owned()))
        }
        TableError::Line(bad) => {
            let failure = Failure::input(format!("'{}' cannot be read", path.display()));
            failure.with_help(Some(help.to_owned())).at(Snippet {
                name: path.display().to_string(),
                line: bad.line,
                text: bad.text,
                start: bad.start,
                length: bad.length,
                label: bad.message,
            })
        }
    }
}
