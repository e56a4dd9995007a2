//! `zerogap contacts --method quasi-lmd` and `zerogap inspect --complex`.

use serde::Serialize;
use zerogap::complexes::{ComplexInspection, QuasiPoint, QuasiTouched, quasi_touch};
use zerogap::geometry::ComplexOptions;
use zerogap::proximity::lmd::QuasiParams;

use super::pair::pose;
use crate::arguments::{Contacts, Inspect};
use crate::diagnostic::{self, Failure};
use crate::exit::Exit;
use crate::output::{emit, emit_json, length, number_beside, sheet, table, vector};
use crate::progress::Progress;
use crate::target::{options, resolve_complex};

/// Numbers of triangles that people are shown of a long list; JSON has all of them.
const SHOWN: usize = 8;

pub(super) fn contacts(arguments: &Contacts) -> Result<Exit, Failure> {
    let pair = &arguments.pair;
    let pose_a = pose("--pose-a", pair.pose_a.as_deref())?;
    let pose_b = pose("--pose-b", pair.pose_b.as_deref())?;
    let asked = &arguments.quasi;
    let complex = ComplexOptions {
        dilation: asked.dilation,
        inset: asked.inset,
        flat_angle: asked.flat_angle,
        ..ComplexOptions::default()
    };
    let mut progress = Progress::new(3, "{bar:30} {pos}/{len} {msg}");
    let read = options(&arguments.reading);
    let a = progress.while_waiting(0, pair.a.clone(), || resolve_complex(&pair.a, &read, &complex))?;
    let b = progress.while_waiting(1, pair.b.clone(), || resolve_complex(&pair.b, &read, &complex))?;
    let params = QuasiParams {
        angular_tolerance: asked.angular_tolerance,
        within: arguments.within,
        ..QuasiParams::default()
    };
    let touched =
        progress.while_waiting(2, "contacts".to_owned(), || quasi_touch(&a, &pose_a, &b, &pose_b, &params));
    drop(progress);
    if touched.status == "both unbounded" {
        let message = format!("{} and {}: one of the two shapes must be bounded", pair.a, pair.b);
        return Err(Failure::input(message));
    }
    if arguments.json {
        emit_json(&touched)?;
    } else {
        emit(&shown(&touched, arguments.within))?;
    }
    Ok(Exit::Good)
}

fn shown(t: &QuasiTouched, within: f64) -> String {
    let treated = |name: &str, complex: Option<&ComplexInspection>| match complex {
        Some(complex) => format!("{name}: {}", complex.summary),
        None => name.to_owned(),
    };
    let mut rows = vec![
        ("A", treated(&t.a.name, t.complex_a.as_ref())),
        ("B", treated(&t.b.name, t.complex_b.as_ref())),
    ];
    if let Some(distance) = t.base_distance {
        rows.push(("complexes", format!("apart by {}", at_least(t, distance))));
    } else {
        let first: Vec<&str> = t.overlaps.iter().take(3).map(String::as_str).collect();
        let more = t.overlaps.len().saturating_sub(3);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        rows.push(("complexes", format!("INTERSECT: {}{more}", first.join("; "))));
    }
    if t.raw > t.contacts.len() {
        rows.push(("merged", format!("{} pairs of faces made these contacts", t.raw)));
    }
    let smallest = t.contacts.iter().map(|c| c.contact.gap).fold(f64::INFINITY, f64::min);
    let how = if smallest < 0.0 {
        format!("{} deep", length(-smallest))
    } else {
        format!("{} apart", length(smallest))
    };
    let title = match t.contacts.len() {
        0 => format!("no contacts within {}", length(within)),
        1 => format!("1 contact, {how}"),
        count => format!("{count} contacts, the nearest {how}"),
    };
    let sheet = sheet(&title, &rows);
    if t.contacts.is_empty() { sheet } else { format!("{sheet}\n{}", listed(&t.contacts)) }
}

/// The distance of the complexes, or a bound of it where there is no contact.
fn at_least(t: &QuasiTouched, distance: f64) -> String {
    if t.contacts.is_empty() { format!("more than {}", length(distance)) } else { length(distance) }
}

fn listed(contacts: &[QuasiPoint]) -> String {
    let points = contacts.iter().flat_map(|c| c.contact.point_a.iter().chain(&c.contact.point_b));
    let scale = points.fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let rows: Vec<Vec<String>> = contacts
        .iter()
        .map(|c| {
            vec![
                number_beside(c.contact.gap, scale),
                vector(&c.contact.normal, 1.0),
                vector(&c.contact.point_a, scale),
                format!("{} on {}", c.classes[0], c.classes[1]),
                c.contact.id.clone(),
            ]
        })
        .collect();
    table(&["gap [m]", "normal", "point of A [m]", "classes", "features, A on B"], &rows)
}

#[derive(Serialize)]
struct Report<'a> {
    targets: &'a [ComplexInspection],
}

pub(super) fn inspect(arguments: &Inspect) -> Result<Exit, Failure> {
    let mut progress = Progress::new(arguments.targets.len() as u64, "{bar:30} {pos}/{len} {msg}");
    let (mut found, mut failures) = (Vec::new(), Vec::new());
    // One bad file among many must not hide the good ones.
    for (done, word) in arguments.targets.iter().enumerate() {
        let read = options(&arguments.reading);
        let complex = || resolve_complex(word, &read, &ComplexOptions::default());
        match progress.while_waiting(done as u64, word.clone(), complex) {
            Ok(target) => found.extend(target.complex),
            Err(failure) => failures.push(failure),
        }
    }
    drop(progress);
    if arguments.json {
        emit_json(&Report { targets: &found })?;
    } else {
        let sheets: Vec<String> = found.iter().map(complex_sheet).collect();
        emit(&sheets.join("\n"))?;
    }
    if let Some(last) = failures.pop() {
        for failure in failures {
            diagnostic::print(failure);
        }
        return Err(last);
    }
    Ok(Exit::Good)
}

fn complex_sheet(c: &ComplexInspection) -> String {
    let names = [
        "corners (0)",
        "on straight creases (1)",
        "creases and borders (2)",
        "rims of flat faces (3)",
        "inside flat faces (4)",
        "flat edges (5)",
        "triangles (6)",
        "reflex, never touched (7)",
    ];
    let mut rows: Vec<(&str, String)> = vec![("treated as", c.summary.clone())];
    for part in c.parts.iter().take(SHOWN) {
        rows.push(("", format!("{} of {} triangles: {}", part.kind, part.triangles, part.reason)));
    }
    if c.parts.len() > SHOWN {
        rows.push(("", format!("and {} parts more", c.parts.len() - SHOWN)));
    }
    rows.extend(names.iter().zip(c.classes).map(|(name, count)| (*name, count.to_string())));
    for (name, list) in [
        ("collapsed triangles", &c.collapsed),
        ("mended triangles", &c.mended),
        ("dropped triangles", &c.dropped),
        ("repeated triangles", &c.duplicates),
    ] {
        if !list.is_empty() {
            let numbers: Vec<String> = list.iter().take(SHOWN).map(u32::to_string).collect();
            let more = if list.len() > SHOWN { format!(", ... ({})", list.len()) } else { String::new() };
            rows.push((name, format!("{}{more}", numbers.join(", "))));
        }
    }
    if c.turned > 0 {
        rows.push(("reversed triangles", c.turned.to_string()));
    }
    sheet(&c.name, &rows)
}
