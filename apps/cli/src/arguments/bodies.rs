//! Arguments of the commands on one body: meshes, parts and shapes.

use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, RangedU64ValueParser};
use clap::{Args, ValueEnum};
use zerogap::geometry::decompose::DEFAULT_MAX_PIECES;
use zerogap::geometry::import::Format;
use zerogap::geometry::parts;

use super::values::{parse_density, parse_limit, parse_setting, parse_unit};

pub(super) const MESH_HELP: &str = "\
A target is a mesh file (bolt.obj part.stl scan.ply model.glb model.gltf)
or a generated part (part:gear  part:gear,teeth=30,module=2mm).";

pub(super) const TARGET_HELP: &str = "\
A target is
  a mesh file     bolt.obj  part.stl  scan.ply  model.glb  model.gltf
  a part          part:gear  part:gear,teeth=30,module=2mm
  an assembly     assembly:connecting-rod  assembly:crank-throw
  a shape         box:x,y,z  sphere:r  ellipsoid:rx,ry,rz  capsule:r,length
                  cylinder:r,length  cone:r,length  frustum:r0,r1,length
                  point:x,y,z  segment:(6 numbers)  triangle:(9 numbers)
                  polygon:(3 per corner)  polyline:(3 per point)
                  halfspace:nx,ny,nz,d  polysphere:vertices,r  smooth:exponent,SHAPE
                  rounded:r,SHAPE
Sizes are full extents, radii are radii, the axis is z, the origin is the
middle. Lengths are metres or carry a unit: box:20mm,1cm,0.5in";

/// How mesh files are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Unit of the coordinates in mesh files: m, dm, cm, mm, um, in, ft, or a number of metres [default: m]
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub(crate) unit: Option<f64>,
    /// Format of mesh files, whatever their extension
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<FileFormat>,
    /// Weld equal points, drop collapsed and repeated triangles, orient consistently; slivers stay
    #[arg(long)]
    pub(crate) repair: bool,
}

/// The mesh formats by the names of their extensions.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FileFormat {
    Obj,
    Stl,
    Ply,
    /// Also .glb
    Gltf,
}

impl From<FileFormat> for Format {
    fn from(format: FileFormat) -> Self {
        match format {
            FileFormat::Obj => Self::Obj,
            FileFormat::Stl => Self::Stl,
            FileFormat::Ply => Self::Ply,
            FileFormat::Gltf => Self::Gltf,
        }
    }
}

/// Arguments that every command on one mesh takes.
#[derive(Debug, Args)]
pub(crate) struct MeshJob {
    /// A mesh file or part
    #[arg(value_name = "TARGET", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What bodies are made of.
#[derive(Debug, Args)]
pub(crate) struct Material {
    /// Density: kg/m³, or with a unit ('7.85 g/cm3'); per area or length for flat and thin shapes
    #[arg(long, default_value = "1000", value_parser = parse_density, allow_negative_numbers = true)]
    pub(crate) density: f64,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\n
Examples:
  zerogap inspect bolt.obj
  zerogap inspect --unit mm --density '7.85 g/cm3' *.stl
  zerogap inspect --json part:gear box:1,1,1
  zerogap inspect --require-watertight part.stl || echo not closed
  zerogap inspect --complex scan.stl"))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Inspect {
    /// Mesh files, parts or shapes
    #[arg(required = true, value_name = "TARGET", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) targets: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) material: Material,
    /// Exit with 1 unless every mesh is watertight
    #[arg(long)]
    pub(crate) require_watertight: bool,
    /// Print all properties of every target, also for several targets
    #[arg(long)]
    pub(crate) long: bool,
    /// Print the simplicial complex that quasi-LMD uses: volumes and shells, face classes, repairs
    #[arg(long, conflicts_with_all = ["require_watertight", "long"])]
    pub(crate) complex: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{MESH_HELP}\n
Examples:
  zerogap hull bolt.obj
  zerogap hull --unit mm bracket.stl --out bracket-hull.obj
  zerogap hull --json part:connecting-rod"))]
pub(crate) struct Hull {
    #[command(flatten)]
    pub(crate) job: MeshJob,
    /// Write the hull's surface: .obj .stl .ply .glb
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{MESH_HELP}\n
Examples:
  zerogap decompose part:connecting-rod --concavity 1mm
  zerogap decompose --unit mm bracket.stl --concavity 0.5mm --out pieces/
  zerogap decompose hook.obj --max-pieces 8 --out hook-pieces.obj"))]
pub(crate) struct Decompose {
    #[command(flatten)]
    pub(crate) job: MeshJob,
    /// Maximum concavity, the distance by which the pieces may extend beyond the body, such as 0.5mm [default: 2 % of the diagonal]
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_negative_numbers = true)]
    pub(crate) concavity: Option<f64>,
    /// Maximum number of pieces
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_PIECES, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) max_pieces: usize,
    /// Write the pieces: a folder (one .obj each, replacing pieces of an earlier run), or one .obj file with a group each
    #[arg(long, short, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap part                                       list the parts
  zerogap part gear                                  its parameters, and what the default part is like
  zerogap part gear --set teeth=30 --set module=2mm --out gear.obj")]
pub(crate) struct PartArguments {
    /// Which part; none lists them
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(parts::names()))]
    pub(crate) name: Option<String>,
    /// Set a parameter; lengths and angles are SI or carry a unit: module=2mm, phase=90deg
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "name", value_parser = parse_setting)]
    pub(crate) settings: Vec<(String, String)>,
    #[command(flatten)]
    pub(crate) material: Material,
    /// Write the mesh: .obj .stl .ply .glb
    #[arg(long, short, value_name = "FILE", requires = "name")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{MESH_HELP}\n
Triangles are halved along edges that are too long, at one point for all triangles
of an edge, so that what was closed stays closed. Vertices keep their numbers.\n
Examples:
  zerogap refine part:gear --edge 1mm --out gear.obj
  zerogap refine --unit mm bracket.stl --edge 5mm -o bracket-fine.stl"))]
pub(crate) struct Refine {
    #[command(flatten)]
    pub(crate) job: MeshJob,
    /// Maximum edge length, such as 5mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) edge: f64,
    /// Write the mesh: .obj .stl .ply .glb
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
