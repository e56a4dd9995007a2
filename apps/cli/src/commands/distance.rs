//! `zerogap distance`: the signed distance of two bodies, with its certificate.

use zerogap::distance::{Body, Measured, measure};
use zerogap::pose::parse_pose;
use zerogap::{DistanceParams, Pose, ProximityError};

use crate::arguments::Distance;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, number, sheet, vector};
use crate::progress::Progress;
use crate::target::{command_line, options, resolve_body};

/// Significant digits of the gap that people are shown; JSON has all of them.
const GAP_DIGITS: usize = 10;

pub(crate) fn run(arguments: &Distance) -> Result<Exit, Failure> {
    // What is wrong with the command line is told before any file is read.
    let pose_a = pose("--pose-a", arguments.pose_a.as_deref())?;
    let pose_b = pose("--pose-b", arguments.pose_b.as_deref())?;
    let mut progress = Progress::new(2, "{bar:30} {pos}/{len} {msg}");
    let read = options(&arguments.reading);
    let a = progress.while_waiting(0, arguments.a.clone(), || resolve_body(&arguments.a, &read))?;
    let b = progress.while_waiting(1, arguments.b.clone(), || resolve_body(&arguments.b, &read))?;
    drop(progress);
    let default = DistanceParams::default();
    let params = DistanceParams {
        tolerance: arguments.tolerance.unwrap_or(default.tolerance),
        cutoff: arguments.cutoff.unwrap_or(default.cutoff),
        ..default
    };
    let measured = measure(&a, &pose_a, &b, &pose_b, &params).map_err(|error| refusal(&error, &a, &b))?;
    if arguments.json {
        emit_json(&measured)?;
    } else {
        emit(&shown(&measured, arguments.cutoff))?;
    }
    Ok(Exit::Good)
}

/// The pose of an option; none means the identity.
fn pose(option: &str, text: Option<&str>) -> Result<Pose, Failure> {
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

fn refusal(error: &ProximityError, a: &Body, b: &Body) -> Failure {
    Failure::input(format!("{} and {}: {error}", a.read.name, b.read.name))
}

fn shown(m: &Measured, cutoff: Option<f64>) -> String {
    let scale = m.point_a.iter().chain(&m.point_b).fold(m.gap.abs(), |largest, x| largest.max(x.abs()));
    let mut rows = vec![
        ("A", m.a.to_string()),
        ("B", m.b.to_string()),
        ("gap", format!("{} m", digits(m.gap))),
        ("lower", format!("{} m", beside(m.gap, m.lower))),
        ("upper", format!("{} m", beside(m.gap, m.upper))),
    ];
    // Beyond the cutoff the search ends before it knows the nearest points and their normal.
    if m.status == "farther" {
        rows.push(("direction", vector(&m.normal, 1.0)));
    } else {
        rows.push(("normal", format!("{}, {}", vector(&m.normal, 1.0), normal_words(m.normal_kind))));
        rows.push(("point of A", format!("{} m", vector(&m.point_a, scale))));
        rows.push(("point of B", format!("{} m", vector(&m.point_b, scale))));
    }
    rows.push(("status", status_words(m.status).to_owned()));
    let closed_form = if m.iterations == 0 { ", a closed form" } else { "" };
    rows.push(("iterations", format!("{}{closed_form}", m.iterations)));
    sheet(&sentence(m, cutoff), &rows)
}

/// The answer in a sentence that claims no more than the bounds do.
fn sentence(m: &Measured, cutoff: Option<f64>) -> String {
    match (m.status, cutoff) {
        ("farther", Some(cutoff)) => {
            format!("farther apart than {}: by at least {}", length(cutoff), length(m.lower))
        }
        _ if m.lower > 0.0 => format!("apart by {}", length(m.gap)),
        _ if m.upper < 0.0 => {
            format!("overlap: {} to separate along {}", length(-m.gap), vector(&m.normal, 1.0))
        }
        _ => format!("touching, to within {}", length(m.upper.max(-m.lower))),
    }
}

/// A bound by how far it is from the gap: their digits are mostly the same.
fn beside(gap: f64, bound: f64) -> String {
    let sign = if bound < gap { '-' } else { '+' };
    format!("gap {sign} {}", number((bound - gap).abs()))
}

/// A number with ten significant digits, without trailing zeros.
fn digits(x: f64) -> String {
    let rounded: f64 = format!("{x:.*e}", GAP_DIGITS - 1).parse().unwrap_or(x);
    zerogap::core::units::shortest(rounded)
}

fn normal_words(kind: &str) -> &'static str {
    if kind == "unique" { "the only one" } else { "chosen among several" }
}

fn status_words(status: &str) -> &'static str {
    match status {
        "exact" => "exact: the bounds meet to rounding",
        "converged" => "converged: the bounds meet to the tolerance",
        "farther" => "farther: the search ended at the cutoff",
        _ => "LIMITED: the step limit came first, the bounds tell how far the search got",
    }
}
