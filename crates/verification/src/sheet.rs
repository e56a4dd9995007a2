//! The rows of one experiment, as they are written down.

use super::{Published, Required, Row};

/// Collects the rows of one experiment in the order in which they are added.
pub(super) struct Sheet {
    group: &'static str,
    case: String,
    count: usize,
    pub(super) rows: Vec<Row>,
}

impl Sheet {
    /// An empty one for an experiment of so many random cases; 1 where nothing is random.
    pub(super) fn new(group: &'static str, case: &str, count: usize) -> Self {
        Self { group, case: case.to_owned(), count, rows: Vec::new() }
    }

    /// A number with a known answer.
    pub(super) fn near(
        &mut self,
        name: &str,
        unit: &'static str,
        value: f64,
        (expected, tolerance): (f64, f64),
    ) {
        self.add(name, unit, value, Required::Near { expected, tolerance });
    }

    /// A number with a limit.
    pub(super) fn at_most(&mut self, name: &str, unit: &'static str, value: f64, at_most: f64) {
        self.add(name, unit, value, Required::AtMost { at_most });
    }

    /// A number with a requirement that is known to fail where an issue is named.
    pub(super) fn judged(
        &mut self,
        name: &str,
        unit: &'static str,
        value: f64,
        required: Required,
        known_issue: Option<u32>,
    ) {
        self.add(name, unit, value, required);
        if let Some(row) = self.rows.last_mut() {
            row.known_issue = known_issue;
        }
    }

    /// Adds a number that is reported and not judged.
    pub(super) fn reported(&mut self, name: &str, unit: &'static str, value: f64) {
        self.add(name, unit, value, Required::Nothing {});
    }

    /// Adds a time, or a fraction of one: reported and not judged, and different from run to run.
    pub(super) fn timed(&mut self, name: &str, unit: &'static str, value: f64) {
        self.reported(name, unit, value);
        if let Some(row) = self.rows.last_mut() {
            row.is_timing = true;
        }
    }

    /// Adds published values to the last row.
    pub(super) fn published(&mut self, numbers: &[(&'static str, f64)]) {
        if let Some(row) = self.rows.last_mut() {
            row.published.extend(numbers.iter().map(|&(by, value)| Published { by, value }));
        }
    }

    fn add(&mut self, name: &str, unit: &'static str, value: f64, required: Required) {
        self.rows.push(Row {
            group: self.group,
            case: self.case.clone(),
            count: self.count,
            name: name.to_owned(),
            unit,
            value,
            required,
            passed: required.is_met(value),
            is_timing: false,
            known_issue: None,
            published: Vec::new(),
        });
    }
}
