//! `zerogap distance`: the signed distance of two bodies, with its certificate.

use zerogap::DistanceParams;
use zerogap::distance::{DistanceReport, measure, measure_by_mpr};
use zerogap::proximity::convex::MprParams;

use super::meshes;
use super::pair::{PlacedBodies, gap_rows, normal_words, status_words};
use crate::arguments::{Distance, GapMethod, TakenAs};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, sheet, vector};

pub(crate) fn run(arguments: &Distance) -> Result<Exit, Failure> {
    let is_mpr = arguments.method == GapMethod::Mpr;
    if is_mpr && (arguments.taken_as == TakenAs::Mesh || arguments.cutoff.is_some()) {
        let message = "--method mpr measures convex bodies, without a cutoff";
        let help = "leave out --as mesh and --cutoff";
        return Err(Failure::command(message.to_owned()).with_help(Some(help.to_owned())));
    }
    if arguments.taken_as == TakenAs::Mesh {
        return meshes::distance(arguments);
    }
    if arguments.anytime.is_asked() {
        let message = "--absolute, --relative, --nearer-than, --budget and --best-first are for meshes";
        return Err(Failure::command(message.to_owned()).with_help(Some("add --as mesh".to_owned())));
    }
    let pair = PlacedBodies::read(&arguments.pair, &arguments.reading)?;
    let default = DistanceParams::default();
    let params = DistanceParams {
        tolerance: arguments.tolerance.unwrap_or(default.tolerance),
        cutoff: arguments.cutoff.unwrap_or(default.cutoff),
        ..default
    };
    let (a, b) = ((&pair.a, &pair.pose_a), (&pair.b, &pair.pose_b));
    let measured = if is_mpr {
        let default = MprParams::default();
        let params = MprParams { tolerance: arguments.tolerance.unwrap_or(default.tolerance), ..default };
        measure_by_mpr(a.0, a.1, b.0, b.1, &params)
    } else {
        measure(a.0, a.1, b.0, b.1, &params)
    };
    let measured = measured.map_err(|error| pair.refusal(&error))?;
    if arguments.json {
        emit_json(&measured)?;
    } else {
        emit(&shown(&measured, arguments.cutoff))?;
    }
    Ok(Exit::Good)
}

fn shown(m: &DistanceReport, cutoff: Option<f64>) -> String {
    let scale = m.point_a.iter().chain(&m.point_b).fold(m.gap.abs(), |largest, x| largest.max(x.abs()));
    let mut rows = vec![("A", m.a.to_string()), ("B", m.b.to_string())];
    rows.extend(gap_rows(m.gap, m.lower, m.upper));
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
fn sentence(m: &DistanceReport, cutoff: Option<f64>) -> String {
    match (m.status, cutoff) {
        ("farther", Some(cutoff)) => {
            format!("farther apart than {}: by at least {}", length(cutoff), length(m.lower))
        }
        _ if m.lower > 0.0 => format!("apart by {}", length(m.gap)),
        ("local_depth" | "depth_unknown", _) if m.upper < 0.0 => {
            format!("overlap, at least {} deep", length(-m.upper))
        }
        _ if m.upper < 0.0 => {
            format!("overlap: {} to separate along {}", length(-m.gap), vector(&m.normal, 1.0))
        }
        _ => format!("touching, to within {}", length(m.upper.max(-m.lower))),
    }
}
