//! Experiments that run one after another and record their rows.

use std::ops::ControlFlow;

use super::sheet::Sheet;
use super::{ProgressCallback, Row};
use zerogap_simulation::world::WorldError;

/// One experiment: builds its worlds, runs them and records its rows.
pub(super) struct Case {
    /// One-line description.
    pub(super) description: &'static str,
    pub(super) run: fn(&mut Sheet) -> Result<(), WorldError>,
}

/// Returns the rows of all cases of a group, in their order; none if the callback breaks.
pub(super) fn measure(
    group: &'static str,
    cases: &[Case],
    progress: &mut ProgressCallback<'_>,
) -> Option<Vec<Row>> {
    let mut rows = Vec::new();
    for (done, case) in cases.iter().enumerate() {
        rows.extend(rows_of(group, case));
        if progress(done + 1, cases.len()) == ControlFlow::Break(()) {
            return None;
        }
    }
    Some(rows)
}

/// The rows of a case; a world that could not be built or run is a row that does not pass.
pub(super) fn rows_of(group: &'static str, case: &Case) -> Vec<Row> {
    let mut sheet = Sheet::new(group, case.description, 1);
    if let Err(error) = (case.run)(&mut sheet) {
        sheet.reported(&format!("did not run: {error}"), "", f64::NAN);
    }
    sheet.rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_that_does_not_run_is_a_row_that_does_not_pass() {
        let run = |sheet: &mut Sheet| {
            sheet.reported("before", "", 1.0);
            Err(WorldError::NoBody { body: 7 })
        };
        let rows = rows_of("a group", &Case { description: "a case", run });
        assert_eq!((rows.len(), rows[0].passed, rows[1].passed), (2, true, false));
        assert_eq!(rows[1].name, "did not run: there is no body 7");
    }
}
