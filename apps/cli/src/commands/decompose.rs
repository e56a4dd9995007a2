//! `zerogap decompose`: convex pieces that together cover a mesh.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use zerogap::geometry::decompose::{
    DecomposeParams, DecomposeStatus, Decomposition, decompose_with_progress,
};
use zerogap::geometry::export::write_obj_groups;
use zerogap::{Convex, Polyhedron};

use super::part::write;
use crate::arguments::Decompose;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, number, number_beside, sheet};
use crate::progress::Progress;
use crate::target::{options, resolve_mesh};

/// Concavity allowed when none is given, as a part of the mesh's diagonal [-].
const DEFAULT_CONCAVITY: f64 = 0.02;

#[derive(Serialize)]
struct Report {
    target: String,
    status: &'static str,
    pieces: Vec<PieceRow>,
    /// The largest distance found from a point of a piece to the body [m].
    concavity: f64,
    /// The limit that was asked for [m].
    max_concavity: f64,
    /// Sum of the pieces' volumes less the body's [m³].
    volume_excess: f64,
    files: Vec<String>,
}

#[derive(Serialize)]
struct PieceRow {
    vertices: usize,
    faces: usize,
    volume: f64,
}

pub(crate) fn run(arguments: &Decompose) -> Result<Exit, Failure> {
    let mesh = resolve_mesh(&arguments.target, &options(&arguments.reading))?;
    let mut params = match arguments.concavity {
        Some(length) => DecomposeParams::new(length),
        None => DecomposeParams::relative(&mesh, DEFAULT_CONCAVITY),
    };
    params.max_pieces = arguments.max_pieces;
    let mut progress = Progress::new(0, "{spinner} {pos} pieces, {msg} ({elapsed})");
    let result = decompose_with_progress(&mesh, &params, |pieces, concavity| {
        progress.update(pieces as u64, format!("reaching out by up to {} m", number(concavity)));
    });
    drop(progress);
    let result = result.map_err(|e| Failure::input(format!("{}: {e}", arguments.target)))?;
    let files = match &arguments.out {
        Some(path) => write_pieces(&result, path)?,
        None => Vec::new(),
    };
    let report = Report {
        target: arguments.target.clone(),
        status: status(result.status),
        pieces: result.pieces.iter().map(piece_row).collect(),
        concavity: result.concavity,
        max_concavity: params.max_concavity,
        volume_excess: result.volume_excess,
        files,
    };
    if arguments.json {
        emit_json(&report)?;
    } else {
        emit(&shown(&report))?;
    }
    Ok(if result.status == DecomposeStatus::Reached { Exit::Good } else { Exit::Unmet })
}

fn status(status: DecomposeStatus) -> &'static str {
    match status {
        DecomposeStatus::Reached => "reached",
        DecomposeStatus::MaxPieces => "max_pieces",
        DecomposeStatus::NoCut => "no_cut",
    }
}

fn piece_row(piece: &Polyhedron) -> PieceRow {
    PieceRow { vertices: piece.vertices().len(), faces: piece.face_count(), volume: piece.volume() }
}

fn shown(report: &Report) -> String {
    let outcome = match report.status {
        "reached" => "limit kept",
        "max_pieces" => "LIMIT NOT KEPT: the number of pieces ran out (raise --max-pieces)",
        _ => "LIMIT NOT KEPT: no further cut was found",
    };
    let volume: f64 = report.pieces.iter().map(|p| p.volume).sum();
    let mut text = sheet(
        &format!("pieces of {}", report.target),
        &[
            ("pieces", report.pieces.len().to_string()),
            (
                "reach out by",
                format!(
                    "{} m of {} m allowed",
                    number_beside(report.concavity, report.max_concavity),
                    number(report.max_concavity)
                ),
            ),
            ("outcome", outcome.to_owned()),
            (
                "volume",
                format!(
                    "{} m³, {} m³ more than the body",
                    number(volume),
                    number_beside(report.volume_excess, volume)
                ),
            ),
        ],
    );
    for file in &report.files {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  wrote {file}");
    }
    text
}

/// One `.obj` file with a group for each piece, or a folder with a file for each.
fn write_pieces(result: &Decomposition, path: &Path) -> Result<Vec<String>, Failure> {
    let meshes: Vec<_> = result.pieces.iter().map(Polyhedron::to_mesh).collect();
    let name = |index: usize| format!("piece-{index:03}");
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("obj")) {
        let groups: Vec<(String, _)> =
            meshes.into_iter().enumerate().map(|(i, mesh)| (name(i), mesh)).collect();
        write_obj_groups(&groups, path).map_err(|e| Failure::write(e.to_string()))?;
        return Ok(vec![path.display().to_string()]);
    }
    if let Some(extension) = path.extension() {
        let message = format!(
            "'{}': pieces go into one .obj file or a folder, not a .{} file",
            path.display(),
            extension.to_string_lossy()
        );
        return Err(Failure::write(message));
    }
    std::fs::create_dir_all(path).map_err(|e| Failure::write(format!("{}: {e}", path.display())))?;
    let mut files = Vec::with_capacity(meshes.len());
    for (index, mesh) in meshes.iter().enumerate() {
        let file = path.join(name(index)).with_extension("obj");
        write(mesh, &file)?;
        files.push(file.display().to_string());
    }
    Ok(files)
}
