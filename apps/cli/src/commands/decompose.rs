//! `zerogap decompose`: convex pieces that together cover a mesh.

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;
use zerogap::geometry::decompose::{
    DecomposeParams, DecomposeStatus, Decomposition, decompose_with_progress,
};
use zerogap::geometry::export::write_obj_groups;
use zerogap::{Convex, Polyhedron, TriangleMesh};

use crate::arguments::Decompose;
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output::{emit, emit_json, number, number_beside, sheet, write};
use crate::progress::Progress;
use crate::target::{options, resolve_mesh};

#[derive(Serialize)]
struct Report {
    target: String,
    status: &'static str,
    pieces: Vec<PieceRow>,
    /// The largest distance found from a point of a piece to the body [m].
    concavity: f64,
    /// The requested limit [m].
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
    let out = arguments.out.as_deref().map(Output::new).transpose()?;
    let mesh = resolve_mesh(&arguments.job.target, &options(&arguments.job.reading))?;
    let params = DecomposeParams {
        max_pieces: arguments.max_pieces,
        ..DecomposeParams::new_or_default(arguments.concavity, &mesh)
    };
    let mut progress = Progress::new(0, "{spinner} {pos} pieces, {msg} ({elapsed})");
    let result = decompose_with_progress(&mesh, &params, |pieces, concavity| {
        progress.update(pieces as u64, format!("concavity {} m", number(concavity)));
    });
    drop(progress);
    let result = result.map_err(|e| Failure::input(format!("{}: {e}", arguments.job.target)))?;
    let files = match &out {
        Some(output) => output.write(&result)?,
        None => Vec::new(),
    };
    let report = Report {
        target: arguments.job.target.clone(),
        status: status(result.status),
        pieces: result.pieces.iter().map(piece_row).collect(),
        concavity: result.concavity,
        max_concavity: params.max_concavity,
        volume_excess: result.volume_excess,
        files,
    };
    if arguments.job.json {
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
        "reached" => "within the concavity limit",
        "max_pieces" => "LIMIT EXCEEDED: reached the maximum number of pieces (raise --max-pieces)",
        _ => "LIMIT EXCEEDED: no further cut was found",
    };
    let volume: f64 = report.pieces.iter().map(|p| p.volume).sum();
    let mut text = sheet(
        &format!("pieces of {}", report.target),
        &[
            ("pieces", report.pieces.len().to_string()),
            (
                "concavity",
                format!(
                    "{} m (limit {} m)",
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

/// Where the pieces are written.
enum Output<'a> {
    /// One `.obj` file with a group for each.
    File(&'a Path),
    /// A folder with an `.obj` file for each.
    Folder(&'a Path),
}

impl<'a> Output<'a> {
    /// Checks the path before any work is done.
    fn new(path: &'a Path) -> Result<Self, Failure> {
        match path.extension() {
            None => Ok(Self::Folder(path)),
            Some(extension) if extension.eq_ignore_ascii_case("obj") => Ok(Self::File(path)),
            Some(_) => Err(Failure::command(format!(
                "--out {}: pieces are written to one .obj file or to a folder",
                path.display()
            ))),
        }
    }

    /// Writes the pieces; gives the names of the files.
    fn write(&self, result: &Decomposition) -> Result<Vec<String>, Failure> {
        let name = |index: usize| format!("{PREFIX}{index:03}");
        let pieces = result.pieces.iter().map(Polyhedron::to_mesh).enumerate();
        match self {
            Self::File(path) => {
                let groups: Vec<(String, TriangleMesh)> = pieces.map(|(i, mesh)| (name(i), mesh)).collect();
                write_obj_groups(&groups, path).map_err(|e| Failure::write(e.to_string()))?;
                Ok(vec![path.display().to_string()])
            }
            Self::Folder(path) => {
                let refuse = |e: std::io::Error| Failure::write(format!("{}: {e}", path.display()));
                std::fs::create_dir_all(path).map_err(refuse)?;
                let mut files = Vec::with_capacity(result.pieces.len());
                for (index, mesh) in pieces {
                    let file = path.join(name(index)).with_extension("obj");
                    write(&mesh, &file)?;
                    files.push(file.display().to_string());
                }
                remove_older_pieces(path, result.pieces.len()).map_err(refuse)?;
                Ok(files)
            }
        }
    }
}

/// Beginning of the name of every piece.
const PREFIX: &str = "piece-";

/// Removes pieces that an earlier run with more of them left: together with the new ones they would be another body.
fn remove_older_pieces(folder: &Path, count: usize) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let number = path.file_name().and_then(|name| {
            name.to_str()?.strip_prefix(PREFIX)?.strip_suffix(".obj")?.parse::<usize>().ok()
        });
        if number.is_some_and(|number| number >= count) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}
