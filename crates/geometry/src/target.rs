//! Words to bodies: a mesh file, a generated part or a shape, as people name them on the command line.
//!
//! In: a target string and how to read files. Out: a [`Target`], or a [`TargetError`] with the place. Used by the command and by the Python package.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use zerogap_core::Aabb;
use zerogap_core::units::parse_length;

use crate::complex::{ComplexError, ComplexShape};
use crate::import::{self, Format, ImportError, ImportOptions, Skipped};
use crate::mesh::RepairOptions;
use crate::shape::{HeightField, WordError, WordErrorKind};
use crate::{GeometryError, Shape, TriangleMesh, parts};

use crate::assembly;

/// Prefix of a generated part.
const PART: &str = "part:";

/// Prefix of heights over a grid.
pub const HEIGHT_FIELD: &str = "heightfield:";

/// Prefix of an assembly of convex pieces.
const ASSEMBLY: &str = "assembly:";

/// Options for reading mesh files.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReadOptions {
    /// Size of the file's unit of length [m]; a metre when none is given, with a warning where that makes a very large body.
    pub unit: Option<f64>,
    /// Format of the file; by its extension when none is given.
    pub format: Option<Format>,
    /// Weld equal points, drop collapsed and repeated triangles and orient consistently.
    pub repair: bool,
    /// Keep the lines and points of a file, which make it a complex; they are left out where a mesh is read.
    pub complex: bool,
}

/// A resolved target string.
#[derive(Debug, Clone)]
pub enum Target {
    /// A mesh, from a file of the given format or generated.
    Mesh {
        /// The mesh [m].
        mesh: TriangleMesh,
        /// The file's format; none for generated parts.
        format: Option<Format>,
        /// Warnings about the file.
        warnings: Vec<MeshWarning>,
    },
    /// A complex with lines or points, from a file: only where the options ask for complexes.
    Complex {
        /// Its simplices [m].
        complex: Arc<ComplexShape>,
        /// The file's format.
        format: Format,
        /// Warnings about the file.
        warnings: Vec<MeshWarning>,
    },
    /// A shape with a closed form, or an assembly of them.
    Shape(Shape),
}

/// Longest side of a body from a file without a unit before it is taken for one in millimetres or inches [m]: parts of machines are seldom longer.
pub const LARGEST_WITHOUT_UNIT: f64 = 10.0;

/// Warning about a mesh file; the mesh is usable all the same.
#[derive(Debug, Clone, PartialEq)]
pub enum MeshWarning {
    /// The file has elements that are not triangles.
    Skipped {
        /// The file.
        path: PathBuf,
        /// Skipped content.
        skipped: Skipped,
    },
    /// The format has no unit, none was given, and in metres the body is longer than [`LARGEST_WITHOUT_UNIT`].
    NoUnit {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: Format,
        /// Size along the axes [m].
        size: [f64; 3],
    },
}

impl MeshWarning {
    /// Returns the file that the warning is about.
    pub fn path(&self) -> &Path {
        match self {
            Self::Skipped { path, .. } | Self::NoUnit { path, .. } => path,
        }
    }

    /// Returns the warning in a sentence; `how` describes how the caller gives a unit, such as `--unit mm`.
    pub fn with_advice(&self, how: &str) -> String {
        match self {
            Self::Skipped { .. } => self.to_string(),
            Self::NoUnit { .. } => format!("{self}; give its unit: {how}"),
        }
    }
}

impl fmt::Display for MeshWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skipped { path, skipped } => {
                write!(f, "{}: {skipped} left out: a mesh has triangles only", path.display())
            }
            Self::NoUnit { path, format, size } => {
                // To the millimetre: enough to distinguish units.
                let [x, y, z] = size.map(|side| (side * 1e3).round() / 1e3);
                write!(
                    f,
                    "{} is {x} x {y} x {z} m when its numbers are taken as metres, and {format} files have no unit",
                    path.display()
                )
            }
        }
    }
}

/// What is odd about a file.
fn warnings(
    path: &Path,
    options: &ReadOptions,
    bounds: &Aabb,
    format: Format,
    skipped: Skipped,
) -> Vec<MeshWarning> {
    let path = path.to_path_buf();
    let mut all = Vec::new();
    if !skipped.is_empty() {
        all.push(MeshWarning::Skipped { path: path.clone(), skipped });
    }
    // Coordinates of glTF are metres.
    let size = bounds.size();
    if options.unit.is_none() && format != Format::Gltf && size.max() > LARGEST_WITHOUT_UNIT {
        all.push(MeshWarning::NoUnit { path, format, size: size.into() });
    }
    all
}

/// Why a target string cannot be resolved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TargetError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] ImportError),
    /// The string is not a shape; the error has the invalid span.
    #[error(transparent)]
    Word(#[from] WordError),
    /// The part cannot be made; `span` is the place in the string.
    #[error("{error}")]
    Part {
        /// What is wrong.
        error: GeometryError,
        /// Bytes of the string that the error is about.
        span: Range<usize>,
    },
    /// There is no such assembly; `span` is the place in the string.
    #[error("there is no assembly '{name}'; the assemblies are {known}", known = assembly::names().collect::<Vec<_>>().join(", "))]
    Assembly {
        /// The name given.
        name: String,
        /// Bytes of the string that the error is about.
        span: Range<usize>,
    },
    /// The simplices were read but make no complex.
    #[error("{name}: {error}")]
    Complex {
        /// The file.
        name: String,
        /// What is wrong.
        error: ComplexError,
    },
    /// The mesh was read but cannot be used.
    #[error("{name}: {error}")]
    Mesh {
        /// The file or part.
        name: String,
        /// What is wrong.
        error: GeometryError,
    },
}

impl Target {
    /// Resolves a target string: `part:NAME[,key=value...]`, `assembly:NAME`, `heightfield:FILE,dx,dy,depth[,scale]`, an existing file, a shape such as `box:1,2,3`, else a file.
    pub fn resolve(word: &str, options: &ReadOptions) -> Result<Self, TargetError> {
        if let Some(request) = word.strip_prefix(PART) {
            return Ok(Self::generated(part(request)?));
        }
        if let Some(name) = word.strip_prefix(ASSEMBLY) {
            let span = ASSEMBLY.len()..word.len();
            return match assembly::make(name) {
                Some(Ok(shape)) => Ok(Self::Shape(shape)),
                Some(Err(error)) => Err(TargetError::Part { error, span }),
                None => Err(TargetError::Assembly { name: name.to_owned(), span }),
            };
        }
        if let Some(request) = word.strip_prefix(HEIGHT_FIELD) {
            return height_field(request, Path::new("")).map(Self::Shape);
        }
        let path = Path::new(word);
        let is_shape = !path.exists() && word.contains(':');
        if is_shape { Ok(Self::Shape(word.parse()?)) } else { Self::read(path, options) }
    }

    /// Resolves a target string whose files lie in a folder.
    pub fn resolve_in(folder: &Path, word: &str, options: &ReadOptions) -> Result<Self, TargetError> {
        if let Some(request) = word.strip_prefix(HEIGHT_FIELD) {
            return height_field(request, folder).map(Self::Shape);
        }
        let path = folder.join(word);
        if !word.contains(':') || path.exists() {
            Self::read(&path, options)
        } else {
            Self::resolve(word, options)
        }
    }

    /// Reads a mesh file.
    pub fn read(path: &Path, options: &ReadOptions) -> Result<Self, TargetError> {
        let import = ImportOptions {
            scale: options.unit.unwrap_or(1.0),
            format: options.format,
            ..ImportOptions::default()
        };
        if options.complex
            && let Some(complex) = Self::read_complex(path, options, &import)?
        {
            return Ok(complex);
        }
        let read = import::read_mesh(path, &import)?;
        let mesh = if options.repair {
            let unusable = |error| TargetError::Mesh { name: path.display().to_string(), error };
            read.mesh.repair(&RepairOptions::default()).map_err(unusable)?.0
        } else {
            read.mesh
        };
        let warnings = warnings(path, options, &mesh.bounding_box(), read.format, read.skipped);
        Ok(Self::Mesh { mesh, format: Some(read.format), warnings })
    }

    /// Reads a file with lines or points; none where it has triangles alone.
    fn read_complex(
        path: &Path,
        options: &ReadOptions,
        import: &ImportOptions,
    ) -> Result<Option<Self>, TargetError> {
        let read = import::read_complex(path, import)?;
        if read.simplices.edges.is_empty() && read.simplices.points.is_empty() {
            return Ok(None);
        }
        let unusable = |error| TargetError::Complex { name: path.display().to_string(), error };
        let complex = ComplexShape::new(read.simplices).map_err(unusable)?;
        let bounds = complex.complex().bounding_box();
        let warnings = warnings(path, options, &bounds, read.format, read.skipped);
        Ok(Some(Self::Complex { complex: Arc::new(complex), format: read.format, warnings }))
    }

    /// Warnings about the file that it was read from.
    pub fn warnings(&self) -> &[MeshWarning] {
        match self {
            Self::Mesh { warnings, .. } | Self::Complex { warnings, .. } => warnings,
            Self::Shape(_) => &[],
        }
    }

    /// A mesh that comes from no file.
    pub fn generated(mesh: TriangleMesh) -> Self {
        Self::Mesh { mesh, format: None, warnings: Vec::new() }
    }
}

impl From<Shape> for Target {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Mesh(mesh) => Self::generated(Arc::unwrap_or_clone(mesh)),
            shape => Self::Shape(shape),
        }
    }
}

/// The height field of `FILE,dx,dy,depth[,scale]`: the file, the distances of its nodes, how far the base lies below the lowest, and what heights are multiplied by.
fn height_field(request: &str, folder: &Path) -> Result<Shape, TargetError> {
    // Numbers stand at the end, so that a name may have commas.
    let (mut name, mut numbers) = (request, Vec::new());
    while let Some((before, word)) = name.rsplit_once(',').filter(|_| numbers.len() < 4) {
        let Some(number) = parse_length(word.trim()).ok() else { break };
        numbers.insert(0, number);
        name = before;
    }
    let (&[dx, dy, depth], scale) = (match *numbers {
        [_, _, _, scale] => (&numbers[..3], scale),
        _ => (&numbers[..], 1.0),
    }) else {
        let expected = "expected a file, the spacing of its nodes along x and y, and the depth of the base below the lowest [m]; then a factor for heights, if any";
        let text = format!("{HEIGHT_FIELD}{request}");
        let span = HEIGHT_FIELD.len()..text.len();
        let example = "heightfield:hills.csv,0.5,0.5,1";
        let (expected, kind) = (expected.to_owned(), WordErrorKind::Count);
        return Err(WordError { text, span, expected, example, kind }.into());
    };
    let path = folder.join(name);
    let read = import::read_heights(&path)?;
    let heights = read.heights.iter().map(|height| height * scale).collect();
    let made = HeightField::new(read.nodes, [dx, dy], heights, depth);
    Ok(made.map_err(|error| TargetError::Mesh { name: path.display().to_string(), error })?.into())
}

/// The mesh of `NAME,key=value,...`; errors point at the setting that is wrong.
fn part(request: &str) -> Result<TriangleMesh, TargetError> {
    let mut words = request.split(',');
    let name = words.next().unwrap_or_default();
    let mut start = PART.len() + name.len();
    let whole = 0..start;
    let at = |span: Range<usize>| move |error: GeometryError| TargetError::Part { error, span };
    let mut part = parts::make(name, &[]).map_err(at(whole))?;
    for setting in words {
        // An empty setting still has its comma to point at.
        let span = if setting.is_empty() { start..start + 1 } else { start + 1..start + 1 + setting.len() };
        start += 1 + setting.len();
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        part.set(key.trim(), value).map_err(|error| at(span)(error.into()))?;
    }
    // An error of the whole set has the whole string as its place.
    part.generate().map_err(at(PART.len()..start))
}
