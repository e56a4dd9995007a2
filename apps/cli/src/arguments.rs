//! The words the command understands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use zerogap::core::units;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  done, but a requirement given on the command line is not met
  2  the command line is wrong
  3  the input cannot be read or used
  4  the result cannot be written";

/// Collision detection and contact for physics simulation, with gaps one can trust.
#[derive(Debug, Parser)]
#[command(name = "zerogap", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Topology, extents, volume, mass and inertia of meshes, parts and shapes
    Inspect(Inspect),
    /// Convex hull of a mesh or part
    Hull(Hull),
    /// Convex pieces that together cover a mesh or part
    Decompose(Decompose),
    /// Generate a parametric part: gear, connecting rod, ...
    Part(Part),
    /// Print a completion script for a shell
    Completions(Completions),
}

const TARGET_HELP: &str = "\
A target is
  a mesh file              bolt.obj part.stl scan.ply model.glb model.gltf
  a generated part         part:gear  part:gear,teeth=30,module=2mm
  a shape in a word        box:2,2,2  sphere:0.5  capsule:r,length  cylinder:r,length  cone:r,length
                           frustum:r0,r1,length  ellipsoid:rx,ry,rz  rounded:r,SHAPE
                           point:x,y,z  segment:x0,y0,z0,x1,y1,z1  triangle:(nine numbers)
                           halfspace:nx,ny,nz,d
Sizes are full extents, radii are radii, the axis is z, the origin is the middle. Lengths are metres or carry a
unit: box:20mm,1cm,0.5in";

/// How mesh files are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Unit of the coordinates in mesh files: m, dm, cm, mm, um, in, ft, or a number of metres
    #[arg(long, value_name = "UNIT", default_value = "m", value_parser = parse_unit)]
    pub(crate) unit: f64,
    /// Weld, drop degenerate and duplicate triangles and orient consistently before anything else
    #[arg(long)]
    pub(crate) repair: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\n
Examples:
  zerogap inspect bolt.obj
  zerogap inspect --unit mm --density '7.85 g/cm3' *.stl
  zerogap inspect --json part:gear box:1,1,1
  zerogap inspect --require-watertight part.stl || echo not closed"))]
pub(crate) struct Inspect {
    /// Mesh files, parts or shapes
    #[arg(required = true, value_name = "TARGET")]
    pub(crate) targets: Vec<String>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Density: kg/m³, or with a unit ('7.85 g/cm3'); per area or length for flat and thin shapes
    #[arg(long, default_value = "1000", value_parser = parse_density)]
    pub(crate) density: f64,
    /// Exit with 1 unless every mesh is watertight
    #[arg(long)]
    pub(crate) require_watertight: bool,
    /// Everything about every target, also when there are several
    #[arg(long)]
    pub(crate) long: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\n
Examples:
  zerogap hull bolt.obj
  zerogap hull --unit mm bracket.stl --out bracket-hull.obj
  zerogap hull --json part:connecting-rod"))]
pub(crate) struct Hull {
    /// A mesh file or part
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Write the hull's surface: .obj .stl .ply .glb
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\n
Examples:
  zerogap decompose part:connecting-rod --concavity 1mm
  zerogap decompose --unit mm bracket.stl --concavity 0.5mm --out pieces/
  zerogap decompose hook.obj --max-pieces 8 --out hook-pieces.obj"))]
pub(crate) struct Decompose {
    /// A mesh file or part; it must be closed
    #[arg(value_name = "TARGET")]
    pub(crate) target: String,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// How far the pieces may reach outside the body: a length such as 0.5mm [default: 2 % of the diagonal]
    #[arg(long, value_name = "LENGTH", value_parser = parse_length)]
    pub(crate) concavity: Option<f64>,
    /// Stop at this many pieces
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(crate) max_pieces: usize,
    /// Write the pieces: a folder (one .obj each), or one .obj file with a group each
    #[arg(long, short, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap part                                       list the parts
  zerogap part gear                                  its parameters, and what the default part is like
  zerogap part gear --set teeth=30 --set module=2mm --out gear.obj")]
pub(crate) struct Part {
    /// Which part; none lists them
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Set a parameter; lengths are metres or carry a unit
    #[arg(long = "set", value_name = "NAME=VALUE", requires = "name")]
    pub(crate) settings: Vec<String>,
    /// Write the mesh: .obj .stl .ply .glb
    #[arg(long, short, value_name = "FILE", requires = "name")]
    pub(crate) out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap completions bash > ~/.local/share/bash-completion/completions/zerogap
  zerogap completions fish > ~/.config/fish/completions/zerogap.fish")]
pub(crate) struct Completions {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

fn parse_length(text: &str) -> Result<f64, String> {
    units::parse_length(text).map_err(|e| e.to_string())
}

fn parse_density(text: &str) -> Result<f64, String> {
    units::parse_density(text).map_err(|e| e.to_string())
}

/// A unit by its name, or any length that stands for one.
fn parse_unit(text: &str) -> Result<f64, String> {
    match units::length_unit(text) {
        Some(size) => Ok(size),
        None => units::parse_length(text).map_err(|e| e.to_string()),
    }
}
