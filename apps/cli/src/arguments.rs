//! The words the command understands.

use std::path::PathBuf;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, RangedU64ValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use zerogap::core::units;
use zerogap::geometry::decompose::DEFAULT_MAX_PIECES;
use zerogap::geometry::import::Format;
use zerogap::geometry::parts;
use zerogap::pairs::METHODS;
use zerogap::picture::Plot;
use zerogap::scene;
use zerogap::verify;

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
    /// Convex pieces that together cover a closed mesh or part
    Decompose(Decompose),
    /// Signed distance of two bodies, by their hulls or as meshes, with normal, nearest points and certificate
    Distance(Distance),
    /// Where two bodies touch or nearly do, by their hulls or as meshes: contact points with gaps, normal and lasting names
    Contacts(Contacts),
    /// When two moving bodies first touch, or proof that they do not; how near they come
    Impact(Impact),
    /// Which boxes of a table overlap: who might touch, before any gap is asked for
    Pairs(Pairs),
    /// Generate a parametric part: gear, connecting rod, ...
    Part(Part),
    /// Cut the triangles of a mesh until no edge is longer than a length
    Refine(Refine),
    /// Simulate a scene: recording, summary and a replay to open in a browser
    Run(Run),
    /// What a recording of a run holds
    Info(Info),
    /// Make the replay page of a recording again
    Replay(Replay),
    /// Draw energies, gaps, forces or steps of a recording
    Plot(PlotRun),
    /// Write a recording for other programs: arrays, tables, an animation
    Export(Export),
    /// Check scene files, begin new ones, list the built-in ones
    Scene(Scene),
    /// Solve friction problems from files: impulses that obey Coulomb's law, with residual and time
    Solve(Solve),
    /// Measure this build against known answers, beside what others published
    Verify(Verify),
    /// Print a completion script for a shell
    Completions(Completions),
}

const MESH_HELP: &str = "\
A target is a mesh file (bolt.obj part.stl scan.ply model.glb model.gltf)
or a generated part (part:gear  part:gear,teeth=30,module=2mm).";

const SOLVE_HELP: &str = "\
A file holds  3 CONTACTS, the number of entries of W, that many lines
`row column value` counted from 0, then q and the friction of each contact.
Exits with 1 where a problem misses the tolerance.";

const TARGET_HELP: &str = "\
A target is
  a mesh file     bolt.obj  part.stl  scan.ply  model.glb  model.gltf
  a part          part:gear  part:gear,teeth=30,module=2mm
  an assembly     assembly:connecting-rod  assembly:crank-throw
  a shape         box:x,y,z  sphere:r  ellipsoid:rx,ry,rz  capsule:r,length
                  cylinder:r,length  cone:r,length  frustum:r0,r1,length
                  point:x,y,z  segment:(6 numbers)  triangle:(9 numbers)
                  polygon:(3 per corner)  halfspace:nx,ny,nz,d
                  rounded:r,SHAPE
Sizes are full extents, radii are radii, the axis is z, the origin is the
middle. Lengths are metres or carry a unit: box:20mm,1cm,0.5in";

/// How mesh files are read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Unit of the coordinates in mesh files: m, dm, cm, mm, um, in, ft, or a number of metres
    #[arg(long, value_name = "UNIT", default_value = "m", value_parser = parse_unit)]
    pub(crate) unit: f64,
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

/// What every command on one mesh is told.
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
    /// Everything about every target, also when there are several
    #[arg(long)]
    pub(crate) long: bool,
    /// What quasi-LMDs take each target for: volumes and shells, classes of faces, repairs
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
    /// How far the pieces may reach outside the body: a length such as 0.5mm [default: 2 % of the diagonal]
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_negative_numbers = true)]
    pub(crate) concavity: Option<f64>,
    /// Stop at this many pieces
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_PIECES, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) max_pieces: usize,
    /// Write the pieces: a folder (one .obj each, replacing pieces of an earlier run), or one .obj file with a group each
    #[arg(long, short, value_name = "PATH")]
    pub(crate) out: Option<PathBuf>,
}

/// Two bodies and where they are.
#[derive(Debug, Args)]
pub(crate) struct Pair {
    /// A mesh file, part or shape
    #[arg(value_name = "A", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) a: String,
    /// Another
    #[arg(value_name = "B", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) b: String,
    /// Where A is: "x y z" or "x y z qx qy qz qw"; lengths are metres or carry a unit [default: at the origin]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    pub(crate) pose_a: Option<String>,
    /// Where B is
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    pub(crate) pose_b: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\nMeshes and parts are measured by their convex hulls, or with --as mesh as they are.\n
The gap is positive apart, zero touching, negative in overlap, where it is the
shortest way to separate the two; of meshes, less the depth of the deepest region
in which they overlap. The normal points from A to B.\n
Examples:
  zerogap distance part:hole-plate part:peg --as mesh
  zerogap distance box:1,1,1 sphere:0.5 --pose-b \"0 0 2\"
  zerogap distance --unit mm bolt.stl plate.stl --pose-a \"0 0 12.5mm 0 0 0 1\" --json
  zerogap distance halfspace:0,0,1,0 part:gear --pose-b \"0 0 1cm\" --cutoff 5mm"))]
pub(crate) struct Distance {
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// End the search where the bodies are known to be farther apart than a length such as 5mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) cutoff: Option<f64>,
    /// Width of the bounds to stop at, for curved shapes, against the extent of the pair [default: 1e-11]
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// What meshes and parts are taken as
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = TakenAs::Hull)]
    pub(crate) taken_as: TakenAs,
    #[command(flatten)]
    pub(crate) anytime: Anytime,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a mesh is taken as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TakenAs {
    /// Its convex hull
    Hull,
    /// The mesh as it is: concave, open or dirty
    Mesh,
}

/// How contacts are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContactMethod {
    /// Where the surfaces meet now
    Manifold,
    /// Local minima of the distance that stay while bodies turn a little: meshes as they are, grown by a radius
    QuasiLmd,
}

/// How quasi-LMDs are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --method quasi-lmd")]
pub(crate) struct Quasi {
    /// The angle by which bodies may turn away from a contact before it is lost
    #[arg(long, value_name = "ANGLE", default_value = "5deg", value_parser = parse_angle, allow_hyphen_values = true)]
    pub(crate) theta: f64,
    /// The radius that both bodies are grown by: a length such as 20um
    #[arg(long, value_name = "LENGTH", default_value = "0", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) dilation: f64,
    /// Move the surfaces of volumes inward by the dilation first: the grown bodies are then those given
    #[arg(long)]
    pub(crate) inset: bool,
    /// Edges that bend by less than this are flat
    #[arg(long, value_name = "ANGLE", default_value = "1e-3", value_parser = parse_angle, allow_hyphen_values = true)]
    pub(crate) flat_angle: f64,
}

/// When a search in meshes may end before the bounds meet; they are true all the same.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --as mesh")]
pub(crate) struct Anytime {
    /// End where the bounds are this near to each other: a length such as 0.1mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) absolute: Option<f64>,
    /// End where the bounds are this near to each other, against the lower: a number such as 0.01
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) relative: Option<f64>,
    /// End where the distance is known to be less than a length
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) nearer_than: Option<f64>,
    /// End after this many pairs of nodes
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,
    /// Look at the nearest pair of all first: the lower bound improves from the start
    #[arg(long)]
    pub(crate) best_first: bool,
}

impl Anytime {
    /// Whether any of it was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        let Self { absolute, relative, nearer_than, budget, best_first } = self;
        *best_first
            || budget.is_some()
            || [absolute, relative, nearer_than].iter().any(|limit| limit.is_some())
    }
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\nMeshes and parts touch by their convex hulls, or with --as mesh as they are.\n
With --as mesh every contact has a normal of its own, and regions in which meshes
overlap have their local depths. Else:
contacts are the corners of the place where the bodies meet: a point, a segment or
a polygon. All have one normal, from A to B, and each its own gap along it:
positive apart, zero touching, negative in overlap. Names such as
'vertex 3 on face 0' last as long as these features make the contact.\n
Examples:
  zerogap contacts box:1,1,1 box:1,1,1 --pose-b \"0.5 0 1\"
  zerogap contacts halfspace:0,0,1,0 part:gear --pose-b \"0 0 7.5mm\" --at-most-four
  zerogap contacts --unit mm bolt.stl plate.stl --within 0.1mm --json
  zerogap contacts part:hole-plate part:peg --as mesh --within 0.2mm
  zerogap contacts part:hole-plate part:peg --method quasi-lmd --dilation 20um --inset
  zerogap contacts part.stl box.stl --method quasi-lmd --theta 5deg"))]
pub(crate) struct Contacts {
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// Contacts up to this gap count: a length such as 0.1mm
    #[arg(long, value_name = "LENGTH", default_value = "1mm", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) within: f64,
    /// What meshes and parts are taken as
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = TakenAs::Hull)]
    pub(crate) taken_as: TakenAs,
    /// How contacts are found
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = ContactMethod::Manifold)]
    pub(crate) method: ContactMethod,
    #[command(flatten)]
    pub(crate) quasi: Quasi,
    /// Keep no more than four contacts: the deepest, and those that span the most area with it
    #[arg(long)]
    pub(crate) at_most_four: bool,
    /// How far a rim may rise over the chords between its sampled points, against the radius [default: 0.08, 8 points]
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) arc_tolerance: Option<f64>,
    /// Width of the bounds of the gap to stop at, for curved shapes, against the extent of the pair [default: 1e-11]
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\nMeshes and parts are taken as they are, surfaces; --as hull takes their hulls.\n
A body moves from its pose with a constant velocity of its origin and a constant
spin, or to another pose: its origin on a straight line, turning about one axis
by the smaller angle, or with --screw about one line in space. Velocities are m/s
and spins rad/s in the world, or carry a unit. Up to the time that is told they
are proven free.\n
Examples:
  zerogap impact box:1,1,0.1mm sphere:0.5mm --pose-b \"0 0 5\" --velocity-b \"0 0 -1000\" --duration 10ms
  zerogap impact part:gear part:gear --pose-b \"60mm 0 0\" --spin-b \"0 0 100rpm\" --duration 1s --clearance 0.1mm
  zerogap impact --unit mm peg.stl hole.stl --pose-a \"0 0 0.1\" --to-a \"0 0 0\" --all --json
  zerogap impact part:connecting-rod halfspace:0,0,1,0 --pose-a \"0 0 1\" --to-a \"0 0 0.2\" --require-clear"))]
pub(crate) struct Impact {
    #[command(flatten)]
    pub(crate) pair: Pair,
    #[command(flatten)]
    pub(crate) motion: Motions,
    /// How long they move: a time such as 10ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time, allow_hyphen_values = true)]
    pub(crate) duration: f64,
    /// How near they must come to be said to meet: a length such as 1um
    #[arg(long, value_name = "LENGTH", default_value = "1e-8", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) tolerance: f64,
    /// Gap that counts as touching: a length such as 0.1mm
    #[arg(long, value_name = "LENGTH", default_value = "0", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) separation: f64,
    /// Also how near they come over all of the motion, to within a length such as 0.1mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) clearance: Option<f64>,
    /// Also every vertex that meets a face and every edge that meets an edge, for two meshes
    #[arg(long)]
    pub(crate) all: bool,
    /// How meshes and parts are taken
    #[arg(long = "as", value_name = "FORM", default_value = "mesh")]
    pub(crate) form: FormChoice,
    /// Exit with 1 unless they are proven not to touch
    #[arg(long)]
    pub(crate) require_clear: bool,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How two bodies move.
#[derive(Debug, Args)]
pub(crate) struct Motions {
    /// Where A is at the end: a pose
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with_all = ["velocity_a", "spin_a"])]
    pub(crate) to_a: Option<String>,
    /// Where B is at the end
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with_all = ["velocity_b", "spin_b"])]
    pub(crate) to_b: Option<String>,
    /// Velocity of A's origin: "x y z"
    #[arg(long, value_name = "VELOCITY", allow_hyphen_values = true)]
    pub(crate) velocity_a: Option<String>,
    /// Velocity of B's origin
    #[arg(long, value_name = "VELOCITY", allow_hyphen_values = true)]
    pub(crate) velocity_b: Option<String>,
    /// Angular velocity of A: "x y z"
    #[arg(long, value_name = "SPIN", allow_hyphen_values = true)]
    pub(crate) spin_a: Option<String>,
    /// Angular velocity of B
    #[arg(long, value_name = "SPIN", allow_hyphen_values = true)]
    pub(crate) spin_b: Option<String>,
    /// Go to the end poses as screws
    #[arg(long)]
    pub(crate) screw: bool,
}

/// How meshes are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormChoice {
    /// As they are: surfaces
    Mesh,
    /// By their convex hulls
    Hull,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A table has a box on each line, with commas:
  min_x,min_y,min_z,max_x,max_y,max_z
or with a name before them on every line. Lengths are metres or carry a unit.
A first line with these names of the columns, empty lines and lines that begin
with # are skipped. Boxes that touch are a pair. All methods give the same.\n
Examples:
  zerogap pairs boxes.csv
  zerogap pairs boxes.csv --margin 2mm --json
  zerogap pairs boxes.csv --method sweep")]
pub(crate) struct Pairs {
    /// Table of boxes with commas
    #[arg(value_name = "FILE.csv")]
    pub(crate) file: PathBuf,
    /// How far apart boxes may be to count as a pair, on every axis: a length such as 2mm
    #[arg(long, value_name = "LENGTH", default_value = "0", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) margin: f64,
    /// How pairs are found
    #[arg(long, value_name = "METHOD", default_value = "auto", value_parser = PossibleValuesParser::new(METHODS))]
    pub(crate) method: String,
    /// Print JSON, with all pairs
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = SOLVE_HELP)]
pub(crate) struct Solve {
    /// Friction problems as text
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Residual to reach
    #[arg(long, value_name = "X", default_value = "1e-8", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: f64,
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
    /// The longest edge to leave: a length such as 5mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) edge: f64,
    /// Write the mesh: .obj .stl .ply .glb
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap run falling-parts
  zerogap run box-tower --until 0.5 --out /tmp/tower
  zerogap run robot.urdf --base fixed --json

The folder gets recording.zgr, overview.png, summary.json and replay.html, which opens in any browser.
Ctrl-C ends a run with what is done.")]
pub(crate) struct Run {
    /// A scene (.toml), a robot (.urdf, .xml), or the name of a built-in scene: see 'zerogap scene list'
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,
    /// The folder to write to [default: runs/NAME]
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Time to run to, in place of the scene's
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub(crate) until: Option<f64>,
    /// Time between frames, in place of the scene's
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub(crate) every: Option<f64>,
    /// How time goes on, in place of the scene's word
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<MethodChoice>,
    /// Length of a step, for stepping and silvia [default: the scene's, or 1 ms]
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub(crate) step: Option<f64>,
    /// What the root of a URDF is; needed for .urdf
    #[arg(long, value_name = "BASE")]
    pub(crate) base: Option<BaseChoice>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How time goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodChoice {
    /// Located events with error control
    Events,
    /// Steps of one length with exact friction
    Stepping,
    /// Steps of one length with gaps closed at their ends, without friction and restitution
    Silvia,
}

/// A time above zero in seconds.
fn parse_time(text: &str) -> Result<f64, String> {
    let time = zerogap::core::units::parse_quantity(text, zerogap::core::units::Dimension::Time);
    match time.map_err(|error| error.to_string())? {
        t if t > 0.0 => Ok(t),
        t => Err(format!("{t} s is not above zero")),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// The page to write [default: replay.html beside the recording]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap export runs/domino-row dominoes.npz     arrays for numpy
  zerogap export runs/domino-row dominoes.glb     an animation for Blender and others
  zerogap export runs/domino-row tables           bodies.csv, contacts.csv, energy.csv, events.csv")]
pub(crate) struct Export {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// What to write: a .npz or .glb file, or a folder for tables
    #[arg(value_name = "OUT")]
    pub(crate) out: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct PlotRun {
    /// The folder of a run, or its recording
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// What to draw
    #[arg(value_name = "WHAT", default_value = "overview", value_parser = PossibleValuesParser::new(Plot::ALL.map(Plot::name)))]
    pub(crate) what: String,
    /// The file to write, .png or .svg [default: WHAT.png beside the recording]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Scene {
    #[command(subcommand)]
    pub(crate) command: SceneCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SceneCommand {
    /// Read a scene and build its world, or say what is wrong and where
    Check(SceneCheck),
    /// Print a scene to begin with, or write it to a file
    New(SceneNew),
    /// List the built-in scenes
    List(SceneList),
    /// Print the JSON schema of scene files, for editors
    Schema,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap scene check falling.toml
  zerogap scene check box-tower
  zerogap scene check robot.urdf --base fixed
  zerogap scene check model.xml --json")]
pub(crate) struct SceneCheck {
    /// A scene (.toml), a robot (.urdf, .xml), or the name of a built-in scene
    #[arg(value_name = "SCENE")]
    pub(crate) file: PathBuf,
    /// What the root of a URDF is; needed for .urdf
    #[arg(long, value_name = "BASE")]
    pub(crate) base: Option<BaseChoice>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// What the root of a URDF is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BaseChoice {
    /// It stands still
    Fixed,
    /// It moves freely
    Free,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap scene new starter                        print a scene with comments
  zerogap scene new box-tower --out tower.toml     begin with a built-in scene")]
pub(crate) struct SceneNew {
    /// What to begin with: 'starter', or the name of a built-in scene
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(scene::templates().into_iter().map(|(name, _)| name)))]
    pub(crate) name: String,
    /// The file to write, which must not exist yet
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SceneList {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = format!("Groups:\n{}\n
Exits with 1 when a requirement does not hold.\n
Examples:
  zerogap verify
  zerogap verify tables --count 1000
  zerogap verify --json", group_lines()))]
pub(crate) struct Verify {
    /// Which group; none runs all of them
    #[arg(value_name = "GROUP", value_parser = PossibleValuesParser::new(verify::names()))]
    pub(crate) group: Option<String>,
    /// Random cases, for groups that have some [default: each group's own number]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(crate) count: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The groups and what they measure, one on each line.
fn group_lines() -> String {
    let cases = |count: Option<usize>| count.map_or(String::new(), |count| format!(" ({count} cases)"));
    let line = |group: &verify::Group| format!("  {}  {}{}", group.name, group.about, cases(group.count));
    verify::groups().iter().map(line).collect::<Vec<String>>().join("\n")
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  zerogap completions bash > ~/.local/share/bash-completion/completions/zerogap
  zerogap completions zsh > ~/.zfunc/_zerogap
  zerogap completions fish > ~/.config/fish/completions/zerogap.fish")]
pub(crate) struct Completions {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

/// A length that is not negative.
fn parse_limit(text: &str) -> Result<f64, String> {
    match units::parse_length(text).map_err(|e| e.to_string())? {
        length if length >= 0.0 => Ok(length),
        length => Err(format!("a limit must not be negative, and this is {} m", units::shortest(length))),
    }
}

/// An angle that is neither negative nor beyond a right angle.
fn parse_angle(text: &str) -> Result<f64, String> {
    match units::parse_quantity(text, units::Dimension::Angle).map_err(|e| e.to_string())? {
        angle if (0.0..=std::f64::consts::FRAC_PI_2).contains(&angle) => Ok(angle),
        angle => Err(format!("{} rad is not an angle from 0 to 90deg", units::shortest(angle))),
    }
}

/// A part of a whole.
fn parse_tolerance(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(part) if (0.0..1.0).contains(&part) => Ok(part),
        _ => Err("a tolerance is a number from 0 to 1, such as 1e-9".to_owned()),
    }
}

fn parse_density(text: &str) -> Result<f64, String> {
    match units::parse_density(text).map_err(|e| e.to_string())? {
        density if density > 0.0 => Ok(density),
        density => Err(format!("a density must be positive, and this is {} kg/m³", units::shortest(density))),
    }
}

/// A unit by its name, or any positive length that stands for one.
fn parse_unit(text: &str) -> Result<f64, String> {
    match units::length_unit(text) {
        Some(size) => Ok(size),
        None => match units::parse_length(text).map_err(|e| e.to_string())? {
            length if length > 0.0 => Ok(length),
            length => Err(format!("a unit must be positive, and this is {} m", units::shortest(length))),
        },
    }
}

fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as teeth=30")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
