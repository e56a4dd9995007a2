//! `zerogap refine`: refines a mesh to a maximum edge length.

use serde::Serialize;

use crate::arguments::Refine;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{check_extension, emit, emit_json, length, sheet, write};
use crate::progress::Progress;
use crate::target::{options, resolve_mesh};

#[derive(Serialize)]
struct Report {
    target: String,
    triangles: usize,
    vertices: usize,
    /// Before.
    triangles_before: usize,
    /// The longest edge [m].
    longest_edge: f64,
    file: Option<String>,
}

pub(crate) fn run(arguments: &Refine) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.out {
        check_extension(path)?;
    }
    let job = &arguments.job;
    let mesh = resolve_mesh(&job.target, &options(&job.reading))?;
    // Files such as STL repeat their corners: an edge is cut once for all its triangles only where they share it.
    let welded = mesh.welded(0.0).map_err(|error| Failure::input(format!("{}: {error}", job.target)))?;
    let mut progress = Progress::new(1, "{bar:30} {msg}");
    let refined = progress
        .while_waiting(0, format!("refining {}", job.target), || welded.refined(arguments.edge))
        .map_err(|error| Failure::input(format!("{}: {error}", job.target)))?;
    drop(progress);
    if let Some(path) = &arguments.out {
        write(&refined.mesh, path)?;
    }
    let report = Report {
        target: job.target.clone(),
        triangles: refined.mesh.triangles().len(),
        vertices: refined.mesh.vertices().len(),
        triangles_before: mesh.triangles().len(),
        longest_edge: refined.longest_edge,
        file: arguments.out.as_ref().map(|path| path.display().to_string()),
    };
    if job.json {
        return emit_json(&report).map(|()| Exit::Good);
    }
    let mut rows = vec![
        ("triangles", format!("{} (from {})", report.triangles, report.triangles_before)),
        ("vertices", report.vertices.to_string()),
        ("longest edge", length(report.longest_edge)),
    ];
    if let Some(file) = &report.file {
        rows.push(("wrote", file.clone()));
    }
    emit(&sheet(&format!("{}, edges up to {}", report.target, length(arguments.edge)), &rows))?;
    Ok(Exit::Good)
}
