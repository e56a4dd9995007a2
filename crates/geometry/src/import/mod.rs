//! Mesh files: OBJ, STL, PLY and glTF; complexes with lines and points from OBJ; heights of a grid.
//!
//! In: a file, or its bytes. Out: a [`TriangleMesh`] in metres with the named parts of the file, or an [`ImportError`] that says
//! which file, where in it, what was found and what was expected. Coordinates are read in f64 where the format has them.
//! Memory stays in proportion to the file's size whatever counts the file claims; only glTF may place one mesh many times,
//! and [`ImportOptions::max_triangles`] bounds that: its triangles, and three times as many vertices. Vertices and triangles keep the file's order.

mod base64;
mod build;
mod error;
mod faces;
mod gltf;
mod gltf_data;
mod gltf_json;
mod heights;
mod obj;
mod ply;
mod ply_header;
mod polygon;
mod scan;
mod stl;

use std::fmt;
use std::path::Path;

use zerogap_core::files::{self, ReadError};

use crate::TriangleMesh;
use crate::complex::Simplices;
use error::{Fault, ImportErrorKind as Kind, Parsed, ReaderPlace};
use scan::Scanner;

pub use error::{ImportError, ImportErrorKind, Place};
pub use gltf::{read_gltf, read_gltf_with};
pub use heights::{Heights, read_heights};
pub use obj::read_obj;
pub use ply::read_ply;
pub use stl::read_stl;

/// Default maximum number of triangles of a file: about 2 GB of mesh.
pub const DEFAULT_MAX_TRIANGLES: usize = 20_000_000;

/// A kind of mesh file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Wavefront OBJ (`.obj`).
    Obj,
    /// STL, text or binary (`.stl`).
    Stl,
    /// PLY, text or binary (`.ply`).
    Ply,
    /// glTF 2.0, as JSON (`.gltf`) or in one binary file (`.glb`).
    Gltf,
}

impl Format {
    /// The format that an extension stands for, in any mix of cases.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Gltf => "glTF",
        })
    }
}

/// Options for reading a mesh file.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportOptions {
    /// Metres per unit of the file [-]: 1e-3 for millimetres. Positive and finite.
    pub scale: f64,
    /// The format; by the file's extension when none is given.
    pub format: Option<Format>,
    /// Maximum number of triangles to take.
    pub max_triangles: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { scale: 1.0, format: None, max_triangles: DEFAULT_MAX_TRIANGLES }
    }
}

/// A named range of triangles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The name in the file: group or object (OBJ), solid (STL), node or mesh (glTF). May be empty, and names may repeat.
    pub name: String,
    /// The first triangle, counted from 0.
    pub first_triangle: usize,
    /// Number of triangles.
    pub triangles: usize,
}

/// Elements of a mesh file that a triangle mesh has no place for: they are counted and left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Skipped {
    /// Polylines and edges: `l` (OBJ, for a mesh), `edge` (PLY), primitives of lines (glTF) [-].
    pub lines: usize,
    /// Points: corners of `p` (OBJ, for a mesh), primitives of points (glTF) [-].
    pub points: usize,
    /// Curves and curved surfaces: `curv`, `curv2` and `surf` (OBJ) [-].
    pub curves: usize,
}

impl Skipped {
    /// Returns whether nothing was left out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// In a phrase: `3 lines and 1 point`.
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [("line", self.lines), ("point", self.points), ("curve", self.curves)];
        let count =
            |(kind, count): (&str, usize)| format!("{count} {kind}{}", if count == 1 { "" } else { "s" });
        let said: Vec<String> = kinds.into_iter().filter(|(_, count)| *count > 0).map(count).collect();
        match said.split_last() {
            Some((last, [])) => f.write_str(last),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
            None => f.write_str("nothing"),
        }
    }
}

/// Content of a mesh file.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedMesh {
    /// The mesh [m].
    pub mesh: TriangleMesh,
    /// Named ranges of its triangles, in order, without overlap; triangles outside all of them have no name.
    pub groups: Vec<Group>,
    /// The format it was read from.
    pub format: Format,
    /// Content of the file that was skipped.
    pub skipped: Skipped,
}

/// Content of a file with simplices of any dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedComplex {
    /// Triangles, pieces of lines and points over common vertices [m].
    pub simplices: Simplices,
    /// Named ranges of its triangles, in order, without overlap; triangles outside all of them have no name.
    pub groups: Vec<Group>,
    /// The format it was read from.
    pub format: Format,
    /// Content of the file that was skipped.
    pub skipped: Skipped,
}

/// Reads the triangles, lines and points of a file; of formats other than OBJ the triangles alone, with the rest counted as skipped.
pub fn read_complex(path: impl AsRef<Path>, options: &ImportOptions) -> Result<ImportedComplex, ImportError> {
    let path = path.as_ref();
    let (bytes, format) = open(path, options)?;
    if format == Format::Obj {
        return obj::read_obj_complex(&bytes, path, options);
    }
    let ImportedMesh { mesh, groups, format, skipped } = parse(&bytes, format, path, options)?;
    let (vertices, triangles) = (mesh.vertices().to_vec(), mesh.triangles().to_vec());
    Ok(ImportedComplex {
        simplices: Simplices { vertices, triangles, ..Simplices::default() },
        groups,
        format,
        skipped,
    })
}

/// Reads a mesh file.
///
/// The format follows from the options or the extension. When the content is plainly that of another format, the error names it
/// instead of guessing. External buffers of a glTF file are looked for in its folder and below.
///
/// ```no_run
/// use zerogap_geometry::import::{ImportOptions, read_mesh};
///
/// let options = ImportOptions { scale: 1e-3, ..ImportOptions::default() }; // the file is in millimetres
/// match read_mesh("bracket.stl", &options) {
///     Ok(read) => println!("{}: {}", read.format, read.mesh.topology().summary()),
///     Err(error) => println!("{error}"), // names the file and the place in it
/// }
/// ```
pub fn read_mesh(path: impl AsRef<Path>, options: &ImportOptions) -> Result<ImportedMesh, ImportError> {
    let path = path.as_ref();
    let (bytes, format) = open(path, options)?;
    parse(&bytes, format, path, options)
}

/// The bytes of a file, and the format to read them in.
fn open(path: &Path, options: &ImportOptions) -> Result<(Vec<u8>, Format), ImportError> {
    let bytes = read_file(path, options).map_err(|fault| fault.at(path, &[]))?;
    let format = choose_format(path, &bytes, options).map_err(|fault| fault.at(path, &bytes))?;
    Ok((bytes, format))
}

/// The mesh of a file's bytes.
fn parse(
    bytes: &[u8],
    format: Format,
    path: &Path,
    options: &ImportOptions,
) -> Result<ImportedMesh, ImportError> {
    match format {
        Format::Obj => read_obj(bytes, path, options),
        Format::Stl => read_stl(bytes, path, options),
        Format::Ply => read_ply(bytes, path, options),
        Format::Gltf => read_gltf(bytes, path, options),
    }
}

/// Maximum number of bytes of a file for each triangle that may be taken [B]: a triangle of a text STL file takes about 270.
const BYTES_PER_TRIANGLE: u64 = 512;

/// Files up to this size are read whatever number of triangles may be taken [B]: they may hold pictures, names and comments.
const ALWAYS_READ: u64 = 1 << 30;

/// The bytes of a regular file of a size that is still plausible.
fn read_file(path: &Path, options: &ImportOptions) -> Parsed<Vec<u8>> {
    let unreadable = |message: String| Fault::new(Kind::Unreadable, ReaderPlace::File, message);
    let limit = (options.max_triangles as u64).saturating_mul(BYTES_PER_TRIANGLE).max(ALWAYS_READ);
    // A device has no end, and a pipe no second reading.
    let is_stream = std::fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir());
    if is_stream {
        return Err(unreadable("this is no regular file: expected a mesh file".to_owned()));
    }
    files::read_bytes(path, limit, false).map_err(|error| {
        unreadable(match error {
            ReadError::Folder => format!("{error}: expected a mesh file"),
            ReadError::Io(_) | ReadError::TooLong { .. } | ReadError::NotText { .. } => {
                format!("the file cannot be read: {error}")
            }
        })
    })
}

/// The format to read in, if extension, options and content allow one.
fn choose_format(path: &Path, bytes: &[u8], options: &ImportOptions) -> Parsed<Format> {
    if bytes.is_empty() {
        return Err(Fault::new(Kind::Empty, ReaderPlace::File, "the file is empty: expected a mesh"));
    }
    let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
    let found = sniff(bytes);
    let Some(format) = options.format.or_else(|| Format::from_extension(&extension)) else {
        let what = if extension.is_empty() {
            "the file name has no extension".to_owned()
        } else {
            format!("the extension '{extension}' is not a mesh format")
        };
        let message = format!("{what}: expected obj, stl, ply, gltf or glb");
        let fault = Fault::new(Kind::UnknownFormat, ReaderPlace::File, message);
        return Err(match found {
            Some(found) => {
                fault.help(format!("the content looks like {found}: rename the file or give the format"))
            }
            None => fault,
        });
    };
    match found {
        Some(found) if found != format => {
            let message = match options.format {
                Some(_) => format!("the given format is {format}, but the content is {found}"),
                None => {
                    format!("wrong extension: '{extension}' stands for {format}, but the content is {found}")
                }
            };
            let help = format!("rename the file or read it as {found}");
            Err(Fault::new(Kind::WrongExtension, ReaderPlace::File, message).help(help))
        }
        _ => Ok(format),
    }
}

/// The format that the first bytes give away; none when they do not.
fn sniff(bytes: &[u8]) -> Option<Format> {
    if bytes.starts_with(b"glTF") {
        return Some(Format::Gltf);
    }
    if stl::has_binary_size(bytes) || stl::is_text(bytes) {
        return Some(Format::Stl);
    }
    let first = Scanner::with_obj_rules(bytes, 0).word()?;
    match first.bytes {
        b"ply" => Some(Format::Ply),
        word if word.starts_with(b"{") => Some(Format::Gltf),
        // Statements that open OBJ files and nothing else.
        b"v" | b"o" | b"g" | b"mtllib" | b"f" | b"vn" | b"vt" => Some(Format::Obj),
        _ => None,
    }
}
