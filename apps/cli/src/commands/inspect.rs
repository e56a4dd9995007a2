//! `zerogap inspect`: how a body's surface joins, how large and how heavy it is.

use serde::Serialize;
use zerogap::Inspection;
use zerogap::inspect::{Topology, inspect};

use crate::arguments::Inspect;
use crate::diagnostic::{self, Failure};
use crate::exit::Exit;
use crate::output::{NOTHING, emit, emit_json, extent, number, sheet, table, vector};
use crate::progress::Progress;
use crate::target::{options, resolve};

#[derive(Serialize)]
struct Report<'a> {
    targets: &'a [Inspection],
}

pub(crate) fn run(arguments: &Inspect) -> Result<Exit, Failure> {
    if arguments.complex {
        return super::quasi::inspect(arguments);
    }
    let density = arguments.material.density;
    let mut progress = Progress::new(arguments.targets.len() as u64, "{bar:30} {pos}/{len} {msg}");
    let mut inspections = Vec::with_capacity(arguments.targets.len());
    let mut failures = Vec::new();
    // One bad file among many must not hide the good ones.
    for (done, word) in arguments.targets.iter().enumerate() {
        progress.update(done as u64, word.clone());
        match resolve(word, &options(&arguments.reading)) {
            Ok(target) => inspections.push(inspect(word, &target, density)),
            Err(failure) => failures.push(failure),
        }
    }
    drop(progress);

    if arguments.json {
        emit_json(&Report { targets: &inspections })?;
    } else if inspections.len() == 1 || arguments.long {
        let sheets: Vec<String> = inspections.iter().map(long).collect();
        emit(&sheets.join("\n"))?;
    } else if !inspections.is_empty() {
        emit(&overview(&inspections, density))?;
    }
    let open: Vec<&Inspection> =
        inspections.iter().filter(|i| i.topology.as_ref().is_some_and(|t| !t.watertight)).collect();
    if arguments.require_watertight {
        for inspection in &open {
            diagnostic::print_unmet(&format!("not watertight: {}", inspection.name));
        }
    }
    // The last failure is returned, the others are printed here: each is seen once.
    if let Some(last) = failures.pop() {
        for failure in failures {
            diagnostic::print(failure);
        }
        return Err(last);
    }
    Ok(if arguments.require_watertight && !open.is_empty() { Exit::Unmet } else { Exit::Good })
}

/// One row per body.
fn overview(inspections: &[Inspection], density: f64) -> String {
    let header = [
        "target",
        "triangles",
        "vertices",
        "components",
        "topology",
        "watertight",
        "extent [m]",
        "volume [m³]",
        "mass [kg]",
    ];
    let rows: Vec<Vec<String>> = inspections
        .iter()
        .map(|i| {
            let count = |get: fn(&Topology) -> usize| {
                i.topology.as_ref().map_or(NOTHING.to_owned(), |t| get(t).to_string())
            };
            vec![
                i.name.clone(),
                count(|t| t.triangles),
                count(|t| t.welded_vertices),
                count(|t| t.components),
                i.topology.as_ref().map_or(i.kind.clone(), |t| t.summary.clone()),
                i.topology.as_ref().map_or(NOTHING, |t| yes(t.watertight)).to_owned(),
                i.extent.as_ref().map_or("unbounded".to_owned(), extent),
                i.volume.map_or(NOTHING.to_owned(), number),
                i.mass.map_or(NOTHING.to_owned(), number),
            ]
        })
        .collect();
    format!("{}\nmasses at {} kg/m³\n", table(&header, &rows), number(density))
}

/// Everything about one body.
pub(crate) fn long(i: &Inspection) -> String {
    let mut rows =
        vec![("kind", i.format.as_ref().map_or(i.kind.clone(), |format| format!("{}, {format}", i.kind)))];
    if let Some(t) = &i.topology {
        rows.extend([
            ("triangles", t.triangles.to_string()),
            ("vertices", format!("{} ({} after welding)", t.vertices, t.welded_vertices)),
            ("components", t.components.to_string()),
            ("topology", t.summary.clone()),
            ("watertight", yes(t.watertight).to_owned()),
            ("boundary edges", t.boundary_edges.to_string()),
            ("non-manifold edges", t.non_manifold_edges.to_string()),
            ("orientation conflicts", t.orientation_conflicts.to_string()),
            ("degenerate triangles", t.degenerate_triangles.to_string()),
            ("duplicate triangles", t.duplicate_triangles.to_string()),
            ("Euler characteristic", t.euler_characteristic.to_string()),
            ("area", format!("{} m²", number(t.area))),
            ("signed volume", format!("{} m³", number(t.signed_volume))),
        ]);
    } else if let Some(volume) = i.volume {
        rows.push(("volume", format!("{} m³", number(volume))));
    }
    if let (Some(size), Some(min), Some(max)) = (&i.extent, &i.min, &i.max) {
        rows.push(("extent", format!("{} m", extent(size))));
        rows.push(("from, to", format!("{} to {} m", vector(min, 0.0), vector(max, 0.0))));
    }
    let unit = match i.kind.as_str() {
        "point" => "kg",
        "segment" => "kg/m",
        "triangle" | "polygon" => "kg/m²",
        _ => "kg/m³",
    };
    rows.push(("density", format!("{} {unit}", number(i.density))));
    match (&i.mass, &i.center, &i.inertia, &i.principal_moments) {
        (Some(mass), Some(center), Some(inertia), Some(moments)) => rows.extend([
            ("mass", format!("{} kg", number(*mass))),
            ("centre of mass", format!("{} m", vector(center, size(i)))),
            ("inertia about it", format!("{} kg m²", vector(&inertia[0], moments[2]))),
            ("", vector(&inertia[1], moments[2])),
            ("", vector(&inertia[2], moments[2])),
            ("principal moments", format!("{} kg m²", vector(moments, moments[2]))),
        ]),
        _ => rows.push(("mass", format!("none: {}", i.mass_error.as_deref().unwrap_or("unknown")))),
    }
    sheet(&i.name, &rows)
}

fn yes(answer: bool) -> &'static str {
    if answer { "yes" } else { "no" }
}

/// The largest extent [m], as the scale of what is noise; 0 where there is none.
fn size(i: &Inspection) -> f64 {
    i.extent.map_or(0.0, |e| e[0].max(e[1]).max(e[2]))
}
