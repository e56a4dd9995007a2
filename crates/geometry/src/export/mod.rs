//! Meshes into files: OBJ, STL, PLY and GLB.
//!
//! In: a mesh. Out: the bytes of a file, or the file itself. OBJ, PLY and STL in text carry every bit of the coordinates;
//! binary STL and GLB are f32 by their definition. The order of vertices and triangles is kept, except that STL repeats the vertices per triangle.

mod encode;

use std::path::{Path, PathBuf};

use zerogap_core::files;

use crate::TriangleMesh;

/// A kind of mesh file to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ExportFormat {
    /// Wavefront OBJ: text, f64 with as many digits as it takes to read the same bits.
    Obj,
    /// Binary STL: f32, 50 bytes per triangle.
    StlBinary,
    /// STL in text: f64 with as many digits as it takes to read the same bits; most other programs read them as f32.
    StlText,
    /// Binary little-endian PLY: f64.
    Ply,
    /// glTF 2.0 in one binary file: f32.
    Glb,
}

impl ExportFormat {
    /// The format that an extension stands for, in any mix of cases; `stl` is the binary one.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::StlBinary),
            "ply" => Some(Self::Ply),
            "glb" => Some(Self::Glb),
            _ => None,
        }
    }
}

/// A mesh that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No format has this extension.
    #[error("{}: the extension '{extension}' cannot be written: expected obj, stl, ply or glb", .path.display())]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Its extension.
        extension: String,
    },
    /// A coordinate beyond the f32 that the format has.
    #[error(
        "vertex {vertex} is ({x:e}, {y:e}, {z:e}): the format stores 32-bit numbers, which end at 3.4e38; write OBJ or PLY instead"
    )]
    OutOfRange {
        /// Index of the vertex, from 0.
        vertex: usize,
        /// First coordinate [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// More than the 32-bit lengths of the format count.
    #[error(
        "the mesh has {vertices} vertices and {triangles} triangles: more than the 32-bit lengths of the format count"
    )]
    TooLarge {
        /// Vertices.
        vertices: usize,
        /// Triangles.
        triangles: usize,
    },
    /// The mesh does not fit the format of the file.
    #[error("{}: {source}", .path.display())]
    Mesh {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: Box<ExportError>,
    },
    /// Error of the file system.
    #[error("{}: the file cannot be written: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Writes a mesh in the format of the file's extension: `obj`, `stl` (binary), `ply` or `glb`.
///
/// The content is written to a temporary file beside it first, which is then renamed: an error leaves no partial file under `path`,
/// and a file that was there before stays as it was.
pub fn write_mesh(mesh: &TriangleMesh, path: &Path) -> Result<(), ExportError> {
    let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    match ExportFormat::from_extension(&extension) {
        Some(format) => write_mesh_as(mesh, path, format),
        None => Err(ExportError::UnknownFormat { path: path.to_path_buf(), extension }),
    }
}

/// Writes a mesh in a given format, whatever the file's extension; otherwise as [`write_mesh`].
pub fn write_mesh_as(mesh: &TriangleMesh, path: &Path, format: ExportFormat) -> Result<(), ExportError> {
    let content = to_bytes(mesh, format)
        .map_err(|source| ExportError::Mesh { path: path.to_path_buf(), source: Box::new(source) })?;
    files::replace(path, &content).map_err(|source| ExportError::Io { path: path.to_path_buf(), source })
}

/// Writes several meshes into one OBJ file, each as a named group; otherwise as [`write_mesh`].
///
/// A name is a word of the file: white space in it would end it, a backslash would continue the line, `#` would start a comment and control
/// characters make no text, so each such character is written as `_`.
pub fn write_obj_groups(groups: &[(String, TriangleMesh)], path: &Path) -> Result<(), ExportError> {
    let unfit = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '\\' | '#');
    let names: Vec<String> = groups.iter().map(|(name, _)| name.replace(unfit, "_")).collect();
    let content = encode::obj(names.iter().zip(groups).map(|(name, (_, mesh))| (Some(name.as_str()), mesh)));
    files::replace(path, &content).map_err(|source| ExportError::Io { path: path.to_path_buf(), source })
}

/// The bytes of a mesh file.
pub fn to_bytes(mesh: &TriangleMesh, format: ExportFormat) -> Result<Vec<u8>, ExportError> {
    match format {
        ExportFormat::Obj => Ok(encode::obj([(None, mesh)])),
        ExportFormat::StlBinary => encode::stl_binary(mesh),
        ExportFormat::StlText => Ok(encode::stl_text(mesh)),
        ExportFormat::Ply => encode::ply(mesh),
        ExportFormat::Glb => encode::glb(mesh),
    }
}
