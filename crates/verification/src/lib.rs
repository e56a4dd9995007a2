//! Measurements of the product against known answers: what `zerogap verify` and `zg.verify` run, and tests and pages quote.
//!
//! In: the name of a [`Group`], or none for all, and how many random cases. Out: one [`Row`] for each number that was measured, with what is
//! required of it and what others published. Rows come in the order of [`groups`]; the same count gives the same bits for any
//! number of threads, but for times.

mod case;
mod cells;
mod events;
pub mod minkowski;
mod sheet;
mod statistics;
mod stepping;
mod table_two;
mod tables;
mod worlds;

use std::fmt;
use std::ops::ControlFlow;

use serde::Serialize;
use zerogap_core::{InputError, Pose};

/// One measured number and its requirement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the [`Group`].
    pub group: &'static str,
    /// Name of the experiment; the same for all its rows.
    pub case: String,
    /// Number of random repetitions; 1 where nothing is random [-].
    pub count: usize,
    /// Name of the measured quantity.
    pub name: String,
    /// Unit of all numbers of the row; empty where they have none.
    pub unit: &'static str,
    /// The number that was measured.
    pub value: f64,
    /// Requirement.
    pub required: Required,
    /// Whether it is as required.
    pub passed: bool,
    /// Whether it is a time, or a fraction of one: it differs from run to run.
    pub is_timing: bool,
    /// Number of the issue of a known failure; omitted from JSON otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_issue: Option<u32>,
    /// Published values.
    pub published: Vec<Published>,
}

/// Requirement on a number. In JSON an object with the keys `expected` and `tolerance`, or `at_most`, or none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Required {
    /// A known answer.
    Near {
        /// The answer.
        expected: f64,
        /// The largest difference that passes.
        tolerance: f64,
    },
    /// A limit.
    AtMost {
        /// The largest number that passes.
        at_most: f64,
    },
    /// No requirement: the number is reported, not judged.
    Nothing {},
}

impl Required {
    /// Whether a number is as required; NaN never is.
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::Near { expected, tolerance } => (value - expected).abs() <= tolerance,
            Self::AtMost { at_most } => value <= at_most,
            Self::Nothing {} => !value.is_nan(),
        }
    }
}

/// In signs: `1.5 ± 1e-9`, `<= 2.7e-15`, or nothing.
impl fmt::Display for Required {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Near { expected, tolerance } => {
                write!(f, "{} ± {}", digits_for(*expected, *tolerance), short(*tolerance))
            }
            Self::AtMost { at_most } => write!(f, "<= {at_most:e}"),
            Self::Nothing {} => Ok(()),
        }
    }
}

/// Formats a number with the digits that its tolerance resolves, and one more; at least four.
pub fn digits_for(x: f64, tolerance: f64) -> String {
    const MIN_DIGITS: i32 = 4;
    const MAX_DIGITS: i32 = 17;
    if x == 0.0 || !x.is_finite() {
        return x.to_string();
    }
    let needed = if tolerance > 0.0 { exponent(x) - exponent(tolerance) + 2 } else { MIN_DIGITS };
    let digits = needed.clamp(MIN_DIGITS, MAX_DIGITS);
    let exponent = exponent(x);
    if (-4..7).contains(&exponent) {
        let fixed = format!("{x:.*}", (digits - 1 - exponent).max(0) as usize);
        if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').to_owned() } else { fixed }
    } else {
        format!("{x:.*e}", digits as usize - 1)
    }
}

/// The power of ten of a number's first digit [-].
fn exponent(x: f64) -> i32 {
    format!("{x:e}").rsplit('e').next().and_then(|e| e.parse().ok()).unwrap_or(0)
}

/// A limit to four digits at most: `1e-9`, `1.608e-15`.
fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".to_owned();
    }
    let (exact, rounded) = (format!("{x:e}"), format!("{x:.3e}"));
    if exact.len() <= rounded.len() { exact } else { rounded }
}

/// A number that others published for the same experiment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// Whose it is.
    pub by: &'static str,
    /// The number, in the unit of the row.
    pub value: f64,
}

/// Progress callback: called with the number of cases done and the total; a break ends the run.
pub type ProgressCallback<'a> = dyn FnMut(usize, usize) -> ControlFlow<()> + 'a;

/// Rows that are measured together.
#[derive(Debug)]
pub struct Group {
    /// Name of the group.
    pub name: &'static str,
    /// One-line description.
    pub description: &'static str,
    /// Random cases where no count is given; none where nothing is random [-].
    pub count: Option<usize>,
    /// Measures with this many random cases, if the group uses them; none if interrupted.
    measure: fn(usize, &mut ProgressCallback<'_>) -> Option<Vec<Row>>,
}

/// All groups, in the order in which they run.
pub fn groups() -> &'static [Group] {
    &[tables::GROUP, events::GROUP, stepping::GROUP, cells::GROUP]
}

/// Errors of [`verify`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// No group has this name.
    #[error("there is no group '{name}' to verify: the groups are {}", names().join(", "))]
    UnknownGroup {
        /// The name that was given.
        name: String,
    },
    /// The requested count is 0.
    #[error("the count is 0: at least one case is needed to measure anything")]
    NoCases,
    /// A count for a group without random cases.
    #[error("the group '{name}' has no random cases: a count has no meaning there")]
    NotRandom {
        /// Name of the group.
        name: &'static str,
    },
    /// The run was interrupted.
    #[error("stopped before the end")]
    Stopped,
}

/// The names of all groups.
pub fn names() -> Vec<&'static str> {
    groups().iter().map(|group| group.name).collect()
}

/// Measures a group, or all of them where none is named.
///
/// `count` is the number of random cases of each group that has some; none leaves each its own. A count for a group without random cases is an error. `progress` is called with the progress of each group, from the calling thread.
pub fn verify(
    group: Option<&str>,
    count: Option<usize>,
    progress: &mut ProgressCallback<'_>,
) -> Result<Vec<Row>, VerifyError> {
    if count == Some(0) {
        return Err(VerifyError::NoCases);
    }
    let chosen = chosen(group, count)?;
    let mut rows = Vec::new();
    for group in chosen {
        let measured = (group.measure)(count.or(group.count).unwrap_or(1), progress);
        rows.extend(measured.ok_or(VerifyError::Stopped)?);
    }
    Ok(rows)
}

/// The selected groups.
fn chosen(name: Option<&str>, count: Option<usize>) -> Result<Vec<&'static Group>, VerifyError> {
    let chosen: Vec<&Group> = groups().iter().filter(|g| name.is_none_or(|name| g.name == name)).collect();
    if let (Some(name), true) = (name, chosen.is_empty()) {
        return Err(VerifyError::UnknownGroup { name: name.to_owned() });
    }
    if let (Some(_), Some(_), [Group { name, count: None, .. }]) = (name, count, chosen.as_slice()) {
        return Err(VerifyError::NotRandom { name });
    }
    Ok(chosen)
}

/// A pose from numbers that are known to make one.
fn certain(made: Result<Pose, InputError>) -> Pose {
    debug_assert!(made.is_ok(), "{made:?}");
    made.unwrap_or_default()
}

/// A callback that never stops a run.
pub fn unwatched(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn requirements_hold_to_their_limits_and_never_for_nan() {
        let near = Required::Near { expected: 1.5, tolerance: 0.25 };
        let at_most = Required::AtMost { at_most: 2e-15 };
        assert!(near.is_met(1.25) && near.is_met(1.75) && !near.is_met(1.2) && !near.is_met(1.8));
        assert!(at_most.is_met(2e-15) && at_most.is_met(-1.0) && !at_most.is_met(2.1e-15));
        for required in [near, at_most, Required::Nothing {}] {
            assert!(!required.is_met(f64::NAN), "{required:?}");
        }
        assert_eq!(near.to_string(), "1.5 ± 2.5e-1");
        assert_eq!(at_most.to_string(), "<= 2e-15");
        assert_eq!(serde_json::to_value(near).unwrap(), json!({"expected": 1.5, "tolerance": 0.25}));
        assert_eq!(serde_json::to_value(at_most).unwrap(), json!({"at_most": 2e-15}));
        assert_eq!(serde_json::to_value(Required::Nothing {}).unwrap(), json!({}));
    }

    #[test]
    fn groups_are_found_by_name_and_unknown_ones_are_reported_with_those_that_exist() {
        let error = verify(Some("tabels"), None, &mut unwatched).unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no group 'tabels' to verify: the groups are tables, events, stepping, cells"
        );
        assert_eq!(verify(None, Some(0), &mut unwatched), Err(VerifyError::NoCases));
        let error = verify(Some("events"), Some(10), &mut unwatched).unwrap_err();
        assert_eq!(error.to_string(), "the group 'events' has no random cases: a count has no meaning there");
        let rows = verify(Some("tables"), Some(10), &mut unwatched).unwrap();
        assert!(
            !rows.is_empty()
                && rows.iter().all(|row| row.group == "tables" && (row.count == 10 || row.case.starts_with("Table II")))
        );
        let all: Vec<&str> = chosen(None, Some(10)).unwrap().iter().map(|group| group.name).collect();
        assert_eq!(all, ["tables", "events", "stepping", "cells"]);
    }

    #[test]
    fn numbers_are_shown_to_the_digits_that_their_tolerance_asks_for() {
        for (x, tolerance, text) in [
            (0.451_523_640_985_730_8, 1e-9, "0.451523641"),
            (1.608_351_224_9e-6, 1.608e-15, "1.6083512249e-6"),
            (24_034.5, 2.4e-6, "24034.5"),
            (-25.0 / 7.0, 1e-8, "-3.571428571"),
            (3.5e-17, 1e-12, "3.500e-17"),
            (1.0, 0.0, "1"),
            (0.0, 1e-9, "0"),
            (1_234.567_89, 1e3, "1235"),
            (f64::NAN, 1e-9, "NaN"),
        ] {
            assert_eq!(digits_for(x, tolerance), text);
        }
        let near = Required::Near { expected: 1.608_351_224_9e-6, tolerance: 1.608_351_224_9e-15 };
        assert_eq!(near.to_string(), "1.6083512249e-6 ± 1.608e-15");
    }

    #[test]
    fn a_run_ends_when_its_watch_breaks() {
        let mut reported = Vec::new();
        let mut progress = |done: usize, all: usize| {
            reported.push((done, all));
            ControlFlow::Break(())
        };
        assert_eq!(verify(None, Some(1_000_000_000), &mut progress), Err(VerifyError::Stopped));
        assert!(
            reported.len() == 1 && reported[0].0 < 100_000 && reported[0].1 == 1_000_000_000,
            "{reported:?}"
        );
    }
}
