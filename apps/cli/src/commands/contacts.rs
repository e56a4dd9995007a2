//! `zerogap contacts`: where two bodies touch or nearly do.

use serde::Serialize;
use zerogap::ContactParams;
use zerogap::contacts::{ContactPoint, ContactReport, PlaneReport, touch};
use zerogap::distance::Body;
use zerogap::proximity::convex::contact_plane;

use super::pair::{PlacedBodies, gap_rows, normal_words, status_words};
use super::{meshes, quasi};
use crate::arguments::{ContactMethod, Contacts, TakenAs};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, number_beside, sheet, table, vector};

/// Directions that separate the bodies as far as the best one, to this length, are candidates of `--plane` [m].
const TIE: f64 = 1e-9;

pub(crate) fn run(arguments: &Contacts) -> Result<Exit, Failure> {
    if arguments.method == ContactMethod::QuasiLmd {
        return quasi::contacts(arguments);
    }
    if arguments.taken_as == TakenAs::Mesh {
        return meshes::contacts(arguments);
    }
    let pair = PlacedBodies::read(&arguments.pair, &arguments.reading)?;
    let default = ContactParams::default();
    let params = ContactParams {
        within: arguments.within,
        at_most_four: arguments.at_most_four,
        arc_tolerance: arguments.arc_tolerance.unwrap_or(default.arc_tolerance),
        tolerance: arguments.tolerance.unwrap_or(default.tolerance),
        ..default
    };
    let touched =
        touch(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &params).map_err(|error| pair.refusal(&error))?;
    let plane = if arguments.plane { Some(plane_of(&pair)?) } else { None };
    let rows = arguments.rows.then(|| rows_of(&touched, &pair));
    if arguments.json {
        emit_json(&Report { touched: &touched, plane: plane.as_ref(), rows: rows.as_deref() })?;
    } else {
        let mut text = shown(&touched, arguments.within);
        if let Some(plane) = &plane {
            text.push_str(&plane_shown(plane));
        }
        if let Some(rows) = rows.filter(|rows| !rows.is_empty()) {
            text.push_str(&rows_shown(&rows));
        }
        emit(&text)?;
    }
    Ok(Exit::Good)
}

/// What was asked for beside the contacts.
#[derive(Debug, Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    touched: &'r ContactReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    plane: Option<&'r PlaneReport>,
    /// For each contact 12 numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<&'r [[f64; 12]]>,
}

fn plane_of(pair: &PlacedBodies) -> Result<PlaneReport, Failure> {
    let convex = |body: &Body| {
        let none = || {
            Failure::command(format!("--plane takes bounded convex bodies, and {} is none", body.read.name))
        };
        body.shape.as_convex().cloned().ok_or_else(none)
    };
    let (a, b) = (convex(&pair.a)?, convex(&pair.b)?);
    Ok(PlaneReport::from(&contact_plane(&a, &pair.pose_a, &b, &pair.pose_b, TIE)))
}

fn plane_shown(plane: &PlaneReport) -> String {
    let rows: Vec<Vec<String>> = plane
        .candidates
        .iter()
        .map(|candidate| {
            let kind = candidate.kind.map_or("the nearest points", direction_words);
            vec![vector(&candidate.normal, 1.0), number_beside(candidate.separation, 1.0), kind.to_owned()]
        })
        .collect();
    let offset = number_beside(plane.offset, 1.0);
    let title = format!("\ncontact plane: normal {}, offset {offset} m\n", vector(&plane.normal, 1.0));
    format!("{title}{}", table(&["candidate normal", "separation [m]", "from"], &rows))
}

fn rows_of(touched: &ContactReport, pair: &PlacedBodies) -> Vec<[f64; 12]> {
    let (a, b) = (pair.pose_a.translation(), pair.pose_b.translation());
    touched.contacts.iter().map(|contact| contact.row(&a, &b)).collect()
}

fn rows_shown(rows: &[[f64; 12]]) -> String {
    let part = |row: &[f64; 12], first: usize| vector(&[row[first], row[first + 1], row[first + 2]], 1.0);
    let rows: Vec<Vec<String>> = rows.iter().map(|row| (0..4).map(|k| part(row, 3 * k)).collect()).collect();
    format!("\n{}", table(&["gap rate: times v of A", "spin of A [m]", "v of B", "spin of B [m]"], &rows))
}

fn shown(t: &ContactReport, within: f64) -> String {
    let mut rows = vec![("A", t.a.to_string()), ("B", t.b.to_string())];
    rows.extend(gap_rows(t.gap, t.lower, t.upper));
    // All contacts have one normal; without any there is only the direction in which the bodies are known to be apart.
    match t.contacts.first() {
        None => rows.push(("direction", vector(&t.normal, 1.0))),
        Some(first) => {
            let normal = format!("{}, {}", vector(&first.normal, 1.0), normal_words(t.normal_kind));
            rows.push(("normal", normal));
        }
    }
    if let Some(kind) = t.kind {
        rows.push(("direction", direction_words(kind).to_owned()));
    }
    rows.push(("status", status_words(t.status).to_owned()));
    let sheet = sheet(&sentence(t, within), &rows);
    if t.contacts.is_empty() { sheet } else { format!("{sheet}\n{}", listed(&t.contacts)) }
}

/// The feature that determines the direction of the shortest separating translation.
fn direction_words(kind: &str) -> &'static str {
    match kind {
        "face of A" => "a face of A",
        "face of B" => "a face of B",
        _ => "an edge of each",
    }
}

/// The contacts as a table.
fn listed(contacts: &[ContactPoint]) -> String {
    let coordinates = contacts.iter().flat_map(|contact| contact.point_a.iter().chain(&contact.point_b));
    let scale = coordinates.fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let row = |contact: &ContactPoint| {
        vec![
            number_beside(contact.gap, scale),
            vector(&contact.point_a, scale),
            vector(&contact.point_b, scale),
            contact.id.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = contacts.iter().map(row).collect();
    table(&["gap [m]", "point of A [m]", "point of B [m]", "features, A on B"], &rows)
}

/// The answer in a sentence that claims no more than the bounds do.
fn sentence(t: &ContactReport, within: f64) -> String {
    let Some(features) = &t.features else {
        return format!("farther apart than {}: no contacts", length(within));
    };
    let points = match t.contacts.len() {
        1 => "1 point".to_owned(),
        count => format!("{count} points"),
    };
    let how = if t.lower > 0.0 {
        format!("apart by {}, near in", length(t.gap))
    } else if t.upper < 0.0 {
        format!("overlap {} in", length(-t.gap))
    } else {
        "touching in".to_owned()
    };
    format!("{how} {points}: {} of A on {} of B", features.a, features.b)
}
