//! `zerogap impact`: when two moving bodies first touch, and how near they come.

use serde::Serialize;
use zerogap::core::units::{Dimension, parse_quantity};
use zerogap::impact::{
    FirstContactReport, Form, ImpactReport, Mover, Passed, all_collisions, first_impact, nearest_pass,
};
use zerogap::motion::{ClearanceParams, ImpactParams, Motion, MotionError, Path};
use zerogap::proximity::collider::ColliderError;
use zerogap::{Pose, Vec3};

use super::pair::{digits, pose};
use super::path_table;
use crate::arguments::{FormChoice, Impact};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, number, number_beside, sheet, table, vector};
use crate::progress::Progress;
use crate::target::{command_line, options, resolve_mover};

/// What the command prints as JSON.
#[derive(Serialize)]
struct Report {
    #[serde(flatten)]
    impact: ImpactReport,
    /// Minimum clearance over the motion, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    clearance: Option<Passed>,
    /// Every collision of two features of meshes, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    collisions: Option<Vec<FirstContactReport>>,
}

pub(crate) fn run(arguments: &Impact) -> Result<Exit, Failure> {
    // Errors of the command line are reported before any file is read.
    let (path_a, path_b) = paths(arguments)?;
    let form = match arguments.form {
        FormChoice::Mesh => Form::Mesh,
        FormChoice::Hull => Form::Hull,
    };
    let (pair, read) = (&arguments.pair, options(&arguments.reading));
    let mut progress = Progress::new(3, "{bar:30} {pos}/{len} {msg}");
    let a = progress.while_waiting(0, pair.a.clone(), || resolve_mover(&pair.a, &read, form))?;
    let b = progress.while_waiting(1, pair.b.clone(), || resolve_mover(&pair.b, &read, form))?;
    let report =
        progress.while_waiting(2, "moving".to_owned(), || answer(arguments, &a, &path_a, &b, &path_b))?;
    if arguments.json {
        emit_json(&report)?;
    } else {
        emit(&shown(&report))?;
    }
    let is_met = !arguments.require_clear || report.impact.status == "clear";
    Ok(if is_met { Exit::Good } else { Exit::Unmet })
}

fn answer(arguments: &Impact, a: &Mover, path_a: &Path, b: &Mover, path_b: &Path) -> Result<Report, Failure> {
    let refusal =
        |error: ColliderError| Failure::input(format!("{} and {}: {error}", a.read.name, b.read.name));
    let params = ImpactParams {
        tolerance: arguments.tolerance,
        min_separation: arguments.separation,
        ..ImpactParams::default()
    };
    let impact = first_impact(a, path_a, b, path_b, &params).map_err(refusal)?;
    let asked = arguments.clearance.map(|tolerance| {
        let params = ClearanceParams { tolerance, ..ClearanceParams::default() };
        nearest_pass(a, path_a, b, path_b, &params)
    });
    let clearance = asked.transpose().map_err(refusal)?.as_ref().map(Passed::from);
    let collisions = if arguments.all {
        let Some(found) = all_collisions(a, path_a, b, path_b, &params) else {
            return Err(Failure::command(
                "--all lists the features of two meshes, and these are not both meshes",
            ));
        };
        Some(found.map_err(|error| refusal(error.into()))?.iter().map(FirstContactReport::from).collect())
    } else {
        None
    };
    Ok(Report { impact, clearance, collisions })
}

/// Which of the two.
#[derive(Clone, Copy)]
enum Body {
    A,
    B,
}

/// How the bodies move.
fn paths(arguments: &Impact) -> Result<(Path, Path), Failure> {
    let Some(file) = &arguments.path else {
        let duration = arguments.duration;
        return Ok((path(arguments, Body::A, duration)?, path(arguments, Body::B, duration)?));
    };
    let recorded = path_table::read(file)?;
    let duration = recorded.duration();
    Ok((recorded, path(arguments, Body::B, duration)?))
}

/// How one of the bodies moves for a time [s].
fn path(arguments: &Impact, body: Body, duration: f64) -> Result<Path, Failure> {
    let (pair, motion) = (&arguments.pair, &arguments.motion);
    let (name, start, end, velocity, spin) = match body {
        Body::A => ("a", &pair.pose_a, &motion.to_a, &motion.velocity_a, &motion.spin_a),
        Body::B => ("b", &pair.pose_b, &motion.to_b, &motion.velocity_b, &motion.spin_b),
    };
    let start = pose(&format!("--pose-{name}"), start.as_deref())?;
    let wrong = |error: MotionError| Failure::command(error.to_string());
    let motion = if let Some(end) = end {
        let end = pose(&format!("--to-{name}"), Some(end))?;
        let interpolate: fn(Pose, Pose, f64) -> Result<Motion, MotionError> =
            if motion.screw { Motion::screw } else { Motion::between };
        interpolate(start, end, duration).map_err(wrong)?
    } else {
        let velocity = three(&format!("--velocity-{name}"), velocity.as_deref(), Dimension::Speed)?;
        let spin = three(&format!("--spin-{name}"), spin.as_deref(), Dimension::AngularSpeed)?;
        Motion::new(start, velocity, spin).map_err(wrong)?
    };
    Path::of(motion, duration).map_err(wrong)
}

/// Three quantities of an option; none means zero.
fn three(option: &str, text: Option<&str>, dimension: Dimension) -> Result<Vec3, Failure> {
    let Some(text) = text else { return Ok(Vec3::zeros()) };
    let help = format!("for example {option} \"0 0 -2\", or with a unit: \"0 0 -2{}\"", dimension.si());
    // Words with their places; every separator is one byte.
    let mut at = 0;
    let mut places = Vec::new();
    for word in text.split([' ', ',', '\t']) {
        if !word.is_empty() {
            places.push((at, word));
        }
        at += word.len() + 1;
    }
    let wrong =
        || Failure::command(format!("{option} is no {}", dimension.word())).with_help(Some(help.clone()));
    let &[x, y, z] = places.as_slice() else {
        return Err(Failure::command(format!(
            "{option} is 3 numbers x y z, with no space before a unit, and this has {}",
            places.len()
        ))
        .with_help(Some(help.clone())));
    };
    let read = |(at, word): (usize, &str)| {
        parse_quantity(word, dimension)
            .map_err(|error| wrong().at(command_line(text, at..at + word.len(), &error.to_string())))
    };
    Ok(Vec3::new(read(x)?, read(y)?, read(z)?))
}

fn shown(report: &Report) -> String {
    let i = &report.impact;
    let mut rows = vec![("A", words(&i.a)), ("B", words(&i.b))];
    if let Some(m) = &i.first_contact {
        let scale = m.point_a.iter().chain(&m.point_b).fold(m.gap.abs(), |largest, x| largest.max(x.abs()));
        rows.push(("time", format!("{} s: proven free before", digits(m.t))));
        let seen = if m.touches { "touching by then" } else { "touching by then at this speed" };
        rows.push(("until", format!("time + {} s: {seen}", number(m.t_upper - m.t))));
        rows.push(("gap", format!("{} at that time", length(m.gap))));
        rows.push(("closing at", format!("{} m/s", number(0.0 - m.gap_rate))));
        rows.push(("normal", vector(&m.normal, 1.0)));
        rows.push(("point of A", format!("{} m", vector(&m.point_a, scale))));
        rows.push(("point of B", format!("{} m", vector(&m.point_b, scale))));
        if let Some(features) = &m.features {
            rows.push(("features", format!("{} of A, {} of B", features.a, features.b)));
        }
    }
    if let Some(c) = &report.clearance {
        let width = if c.is_decided { "" } else { ", LIMITED: step limit reached" };
        rows.push((
            "clearance",
            format!("{} to {} at {} s{width}", length(c.lower), length(c.upper), digits(c.t)),
        ));
    }
    let safe = i.safe_time.map_or("for ever".to_owned(), |time| format!("{} s", number(time)));
    rows.push(("safe time", format!("{safe}, by their speeds alone")));
    rows.push(("steps", i.steps.to_string()));
    let sheet = sheet(&sentence(i), &rows);
    match report.collisions.as_deref() {
        None => sheet,
        Some([]) => format!("{sheet}\nno feature of A collides with one of B\n"),
        Some(collisions) => format!("{sheet}\n{}", listed(collisions)),
    }
}

/// A body in a phrase.
fn words(read: &zerogap::distance::Read) -> String {
    if read.kind == "mesh" { format!("{}, as a mesh", read.name) } else { read.to_string() }
}

/// The collisions of features as a table.
fn listed(collisions: &[FirstContactReport]) -> String {
    let coordinates = collisions.iter().flat_map(|impact| impact.point_a.iter());
    let scale = coordinates.fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let row = |impact: &FirstContactReport| {
        let features = impact.features.as_ref();
        vec![
            digits(impact.t),
            features.map_or(String::new(), |f| f.a.clone()),
            features.map_or(String::new(), |f| f.b.clone()),
            number_beside(0.0 - impact.gap_rate, 1.0),
            vector(&impact.normal, 1.0),
            vector(&impact.point_a, scale),
        ]
    };
    let rows: Vec<Vec<String>> = collisions.iter().map(row).collect();
    table(&["time [s]", "of A", "of B", "closing [m/s]", "normal", "point of A [m]"], &rows)
}

/// The answer in a sentence that claims no more than was proven.
fn sentence(i: &ImpactReport) -> String {
    match (&i.first_contact, i.status) {
        (Some(m), _) if m.began_in_contact && m.t == 0.0 => {
            "in contact at the start, and closing in".to_owned()
        }
        (Some(m), _) if m.began_in_contact => {
            format!("in contact at the start, closing in by {} s", digits(m.t))
        }
        (Some(m), _) => format!("impact at {} s", digits(m.t)),
        (None, "clear") => format!("no impact within {} s", digits(i.duration)),
        _ => format!("free until {} s; step limit reached", digits(i.t)),
    }
}
