//! The everyday behaviour of every cell: each kind of collider, by each method, under each contact law.
//!
//! In: nothing. Out: a row for every trial of every cell that can be built, those of [`everyday`]. Expected values come from closed forms, never
//! from running this product. An unsupported combination (oriented collision by stepping) has no rows; a known failure is listed in [`known`] with its issue,
//! and its row names the issue. Cells run on all threads; the rows are the same for any number of them.

mod arrangement;
mod collider;
mod everyday;
mod known;
mod measured;
mod method_and_law;
mod trial;

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::sheet::Sheet;
use super::{Group, ProgressCallback, Row};
use collider::COLLIDERS;
use everyday::TRIALS;
use method_and_law::METHODS_AND_LAWS;
use trial::{Outcome, Trial};

/// The group.
pub(super) const GROUP: Group = Group {
    name: "cells",
    description: "every collider by every method and contact law: rest, drop, slide, stick, bounce, roll, stacks, press, wedge, plate, energy, momentum, threads",
    count: None,
    measure,
};

/// Cells that run between two reports of progress [-].
const BATCH: usize = 8;

/// One collider by one method under one law.
#[derive(Clone, Copy)]
struct Cell {
    collider: &'static collider::Collider,
    method_and_law: &'static method_and_law::MethodAndLaw,
}

impl Cell {
    fn rows(&self) -> Vec<Row> {
        let (collider, method) = (self.collider.name, self.method_and_law.name);
        let mut sheet = Sheet::new(GROUP.name, &format!("{collider} on a half-space, {method}"), 1);
        for trial in TRIALS.iter().filter(|trial| (trial.applies)(self)) {
            let Trial { name, unit, required, .. } = trial;
            let (name, value) = match trial.run(self) {
                Outcome::Refused => continue,
                Outcome::Value(value) => ((*name).to_owned(), value),
                Outcome::Failed(why) => (format!("{name}: {why}"), f64::NAN),
            };
            let issue = known::issue_of(collider, method, trial.word);
            sheet.judged(&name, unit, value, required(self), issue);
        }
        sheet.rows
    }
}

fn measure(_: usize, progress: &mut ProgressCallback<'_>) -> Option<Vec<Row>> {
    let of = |collider| METHODS_AND_LAWS.iter().map(move |method_and_law| Cell { collider, method_and_law });
    let cells: Vec<Cell> = COLLIDERS.iter().flat_map(of).collect();
    let mut rows = Vec::new();
    for (done, batch) in cells.chunks(BATCH).enumerate() {
        let found: Vec<Vec<Row>> = batch.par_iter().map(Cell::rows).collect();
        rows.extend(found.into_iter().flatten());
        if progress((done * BATCH + batch.len()).min(cells.len()), cells.len()) == ControlFlow::Break(()) {
            return None;
        }
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::super::{unwatched, verify};
    use super::*;

    #[test]
    fn every_cell_behaves_and_known_failures_are_listed() {
        let rows = verify(Some(GROUP.name), None, &mut unwatched).unwrap();
        let line = |row: &Row| format!("{}; {}: {} ({})", row.case, row.name, row.value, row.required);
        let failed: Vec<String> =
            rows.iter().filter(|row| !row.passed && row.known_issue.is_none()).map(line).collect();
        assert!(failed.is_empty(), "cells that fail and are not known to:\n{}", failed.join("\n"));
        let mended: Vec<String> =
            rows.iter().filter(|row| row.passed && row.known_issue.is_some()).map(line).collect();
        assert!(mended.is_empty(), "cells that pass: take them off the list:\n{}", mended.join("\n"));
    }
}
