//! `zerogap hull`: the convex hull of a mesh.

use serde::Serialize;
use zerogap::Convex;
use zerogap::geometry::hull::{Hull, convex_hull};

use crate::arguments::Hull as Arguments;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{check_extension, emit, emit_json, number, sheet, write};
use crate::target::{options, resolve_mesh};

#[derive(Serialize)]
struct Report {
    target: String,
    dimension: usize,
    vertices: usize,
    edges: usize,
    faces: usize,
    volume: f64,
    /// Volume of the mesh over that of its hull; none where the mesh is open.
    filled: Option<f64>,
    file: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.out {
        check_extension(path)?;
    }
    let mesh = resolve_mesh(&arguments.job.target, &options(&arguments.job.reading))?;
    let points = mesh.used_vertices();
    let hull = convex_hull(&points).map_err(|e| Failure::input(format!("{}: {e}", arguments.job.target)))?;
    let (edges, faces, volume) = match &hull {
        Hull::Point(_) => (0, 0, 0.0),
        Hull::Segment(_) => (1, 0, 0.0),
        Hull::Polygon(polygon) => (polygon.corners().len(), 1, 0.0),
        Hull::Polyhedron(polyhedron) => {
            (polyhedron.edges().len(), polyhedron.face_count(), polyhedron.volume())
        }
    };
    if let Some(path) = &arguments.out {
        let Hull::Polyhedron(polyhedron) = &hull else {
            return Err(Failure::input(format!(
                "the hull of {} is flat: it has no surface to write",
                arguments.job.target
            )));
        };
        write(&polyhedron.to_mesh(), path)?;
    }
    let solid = mesh.mass_properties(1.0).map(|m| m.mass).ok();
    let report = Report {
        target: arguments.job.target.clone(),
        dimension: hull.dimension(),
        vertices: hull.vertices().len(),
        edges,
        faces,
        volume,
        filled: solid.filter(|_| volume > 0.0).map(|solid| solid / volume),
        file: arguments.out.as_ref().map(|path| path.display().to_string()),
    };
    if arguments.job.json {
        return emit_json(&report).map(|()| Exit::Good);
    }
    let mut rows = vec![
        ("dimension", report.dimension.to_string()),
        ("vertices", format!("{} of {}", report.vertices, points.len())),
        ("edges", report.edges.to_string()),
        ("faces", report.faces.to_string()),
        ("volume", format!("{} m³", number(report.volume))),
    ];
    if let Some(filled) = report.filled {
        rows.push(("filled by the mesh", format!("{} %", number(100.0 * filled))));
    }
    if let Some(file) = &report.file {
        rows.push(("wrote", file.clone()));
    }
    emit(&sheet(&format!("hull of {}", report.target), &rows))?;
    Ok(Exit::Good)
}
