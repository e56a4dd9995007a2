//! What the commands on two bodies share: reading the bodies and their poses, and how a gap is printed.

use zerogap::Pose;
use zerogap::distance::Body;
use zerogap::pose::parse_pose;
use zerogap::proximity::collider::ColliderError;

use crate::arguments::{Pair, Reading};
use crate::diagnostic::Failure;
use crate::output::number;
use crate::progress::Progress;
use crate::target::{command_line, options, resolve_body};

/// Significant digits of the gap that people are shown; JSON has all of them.
const GAP_DIGITS: usize = 10;

/// Two bodies and their poses.
pub(super) struct PlacedBodies {
    pub(super) a: Body,
    pub(super) pose_a: Pose,
    pub(super) b: Body,
    pub(super) pose_b: Pose,
}

impl PlacedBodies {
    /// Reads both; errors of the command line are reported before any file is read.
    pub(super) fn read(pair: &Pair, reading: &Reading) -> Result<Self, Failure> {
        let pose_a = pose("--pose-a", pair.pose_a.as_deref())?;
        let pose_b = pose("--pose-b", pair.pose_b.as_deref())?;
        let mut progress = Progress::new(2, "{bar:30} {pos}/{len} {msg}");
        let read = options(reading);
        let a = progress.while_waiting(0, pair.a.clone(), || resolve_body(&pair.a, &read))?;
        let b = progress.while_waiting(1, pair.b.clone(), || resolve_body(&pair.b, &read))?;
        Ok(Self { a, pose_a, b, pose_b })
    }

    /// Why the query on the two fails.
    pub(super) fn refusal(&self, error: &ColliderError) -> Failure {
        Failure::input(format!("{} and {}: {error}", self.a.read.name, self.b.read.name))
    }
}

/// The pose of an option; none means the identity.
pub(super) fn pose(option: &str, text: Option<&str>) -> Result<Pose, Failure> {
    let Some(text) = text else { return Ok(Pose::identity()) };
    parse_pose(text).map_err(|error| {
        let help =
            format!("for example {option} \"0 0 5mm\", or {option} \"0 0 0.005 0 0 0 1\" with a quaternion");
        // Nothing can be underlined in an empty text.
        if error.span.is_empty() {
            let message = format!("{option} is not a pose: {}", error.message);
            return Failure::command(message).with_help(Some(help));
        }
        let failure = Failure::command(format!("{option} is not a pose")).with_help(Some(help));
        failure.at(command_line(text, error.span, &error.message))
    })
}

/// The gap with its bounds, as rows of a sheet.
pub(super) fn gap_rows(gap: f64, lower: f64, upper: f64) -> [(&'static str, String); 3] {
    [
        ("gap", format!("{} m", digits(gap))),
        ("lower", format!("{} m", beside(gap, lower))),
        ("upper", format!("{} m", beside(gap, upper))),
    ]
}

/// A bound by how far it is from the gap: their digits are mostly the same.
fn beside(gap: f64, bound: f64) -> String {
    let sign = if bound < gap { '-' } else { '+' };
    format!("gap {sign} {}", number((bound - gap).abs()))
}

/// A number with ten significant digits, without trailing zeros; zero has no sign.
pub(super) fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.*e}", GAP_DIGITS - 1).parse().unwrap_or(x);
    zerogap::core::units::shortest(rounded + 0.0)
}

pub(super) fn normal_words(kind: &str) -> &'static str {
    if kind == "unique" { "the only one" } else { "chosen among several" }
}

pub(super) fn status_words(status: &str) -> &'static str {
    match status {
        "exact" => "exact: the bounds agree to rounding",
        "converged" => "converged: the bounds agree to the tolerance",
        "farther" => "farther: the search ended once this was proven",
        "local_depth" => {
            "local depth: that of the deepest part; the shortest separating translation lies between the bounds"
        }
        "depth_unknown" => {
            "depth unknown: the surfaces cross; the shortest separating translation lies between the bounds"
        }
        _ => "LIMITED: the search ended before the bounds agreed; the gap lies between them",
    }
}
