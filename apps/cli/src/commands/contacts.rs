//! `zerogap contacts`: where two bodies touch or nearly do.

use zerogap::ContactParams;
use zerogap::contacts::{ContactPoint, ContactReport, touch};

use super::pair::{PlacedBodies, gap_rows, normal_words, status_words};
use super::{meshes, quasi};
use crate::arguments::{ContactMethod, Contacts, TakenAs};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, number_beside, sheet, table, vector};

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
    if arguments.json {
        emit_json(&touched)?;
    } else {
        emit(&shown(&touched, arguments.within))?;
    }
    Ok(Exit::Good)
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
