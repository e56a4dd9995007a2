//! Arguments of the commands on two bodies and on tables of boxes.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Args, ValueEnum};
use zerogap::meshes::SPLITS;
use zerogap::pairs::METHODS;
use zerogap::proximity::mesh::MeshVolume;

use super::bodies::{Reading, TARGET_HELP};
use super::values::{parse_angle, parse_limit, parse_time, parse_tolerance};

/// Two bodies and their poses.
#[derive(Debug, Args)]
pub(crate) struct Pair {
    /// A mesh file, part or shape
    #[arg(value_name = "A", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) a: String,
    /// Another
    #[arg(value_name = "B", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) b: String,
    /// Pose of A: "x y z" or "x y z qx qy qz qw"; lengths are metres or carry a unit [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    pub(crate) pose_a: Option<String>,
    /// Pose of B
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    pub(crate) pose_b: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\nMeshes and parts are measured by their convex hulls, or with --as mesh as they are.\n
The gap is positive apart, zero touching, negative in overlap, where it is the
shortest separating translation; of meshes, minus the depth of the deepest region
in which they overlap. The normal points from A to B.\n
Examples:
  zerogap distance part:hole-plate part:peg --as mesh
  zerogap distance box:1,1,1 sphere:0.5 --pose-b \"0 0 2\"
  zerogap distance --unit mm bolt.stl plate.stl --pose-a \"0 0 12.5mm 0 0 0 1\" --json
  zerogap distance halfspace:0,0,1,0 part:gear --pose-b \"0 0 1cm\" --cutoff 5mm"))]
pub(crate) struct Distance {
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// Stop once the bodies are proven farther apart than a length such as 5mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) cutoff: Option<f64>,
    /// Tolerance on the width of the bounds for curved shapes, relative to the extent of the pair [default: 1e-11; with --method mpr 1e-4]
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    /// How the gap is found; mpr takes bounded convex bodies, and meshes by their hulls
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = GapMethod::Exact)]
    pub(crate) method: GapMethod,
    /// Collision geometry of meshes and parts
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = TakenAs::Hull)]
    pub(crate) taken_as: TakenAs,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    // Last: its heading stands over all that follows.
    #[command(flatten)]
    pub(crate) anytime: Anytime,
}

/// Collision geometry of a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TakenAs {
    /// Its convex hull
    Hull,
    /// The mesh itself: concave, open or with defects
    Mesh,
}

/// How a gap is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GapMethod {
    /// The exact gap
    Exact,
    /// Minkowski portal refinement: the right sign and bounds; apart the gap is not smaller than the exact one, in overlap not larger
    Mpr,
}

/// How contacts are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ContactMethod {
    /// Contact manifold of the current poses
    Manifold,
    /// Local minima of the distance that persist under small rotations: meshes themselves, inflated by a radius
    QuasiLmd,
}

/// How quasi-LMDs are found.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --method quasi-lmd")]
pub(crate) struct Quasi {
    /// Angular tolerance: rotation of the bodies under which a contact persists
    #[arg(long, value_name = "ANGLE", default_value = "5deg", value_parser = parse_angle, allow_hyphen_values = true)]
    pub(crate) angular_tolerance: f64,
    /// Inflation radius of both bodies, such as 20um
    #[arg(long, value_name = "LENGTH", default_value = "0", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) dilation: f64,
    /// Move the surfaces of volumes inward by the dilation first, so that the inflated bodies have the given size
    #[arg(long)]
    pub(crate) inset: bool,
    /// Edges with a smaller dihedral deviation count as flat
    #[arg(long, value_name = "ANGLE", default_value = "1e-3", value_parser = parse_angle, allow_hyphen_values = true)]
    pub(crate) flat_angle: f64,
}

/// When a search in meshes may end before the bounds converge; they are valid all the same.
#[derive(Debug, Args)]
#[command(next_help_heading = "With --as mesh")]
pub(crate) struct Anytime {
    /// Stop at this absolute width of the bounds, such as 0.1mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) absolute: Option<f64>,
    /// Stop at this width of the bounds relative to the lower bound, such as 0.01
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) relative: Option<f64>,
    /// Stop once the distance is proven less than a length
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) nearer_than: Option<f64>,
    /// Stop after this many pairs of nodes, or after a time such as 2ms
    #[arg(long, value_name = "N", value_parser = parse_budget)]
    pub(crate) budget: Option<Budget>,
    /// Visit the nearest pair of nodes first, so that the lower bound improves from the start
    #[arg(long)]
    pub(crate) best_first: bool,
    /// Bounding volume of the hierarchies, for two meshes
    #[arg(long, value_name = "KIND", value_parser = MeshVolume::ALL.map(MeshVolume::word))]
    pub(crate) volume: Option<String>,
    /// Rule by which hierarchies part triangles, for two meshes
    #[arg(long, value_name = "RULE", value_parser = SPLITS.map(|(name, _)| name))]
    pub(crate) split: Option<String>,
}

/// How much a search may take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Budget {
    /// Pairs of nodes.
    Pairs(u64),
    /// Time on the clock.
    Time(Duration),
}

fn parse_budget(text: &str) -> Result<Budget, String> {
    if let Ok(pairs) = text.parse() {
        return Ok(Budget::Pairs(pairs));
    }
    let seconds = parse_time(text)?;
    Ok(Budget::Time(Duration::from_secs_f64(seconds)))
}

impl Anytime {
    /// Returns whether a search in slices, or with hierarchies of its own, was asked for: of surfaces alone.
    pub(crate) fn is_of_surfaces(&self) -> bool {
        self.volume.is_some() || self.split.is_some() || matches!(self.budget, Some(Budget::Time(_)))
    }

    /// Returns whether any of these options was given.
    pub(crate) fn is_asked(&self) -> bool {
        let Self { absolute, relative, nearer_than, budget, best_first, .. } = self;
        *best_first
            || budget.is_some()
            || self.is_of_surfaces()
            || [absolute, relative, nearer_than].iter().any(|limit| limit.is_some())
    }
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\nMeshes and parts collide by their convex hulls, or with --as mesh as they are.\n
With --as mesh every contact has a normal of its own, and regions in which meshes
overlap have their local depths. Else:
contacts are the corners of the contact region: a point, a segment or a polygon.
All have one normal, from A to B, and each its own gap along it:
positive apart, zero touching, negative in overlap. Names such as
'vertex 3 on face 0' last as long as these features make the contact.\n
Examples:
  zerogap contacts box:1,1,1 box:1,1,1 --pose-b \"0.5 0 1\"
  zerogap contacts halfspace:0,0,1,0 part:gear --pose-b \"0 0 7.5mm\" --at-most-four
  zerogap contacts --unit mm bolt.stl plate.stl --within 0.1mm --json
  zerogap contacts part:hole-plate part:peg --as mesh --within 0.2mm
  zerogap contacts part:gear part:gear --pose-b \"1cm 0 0\" --as mesh --crossings
  zerogap contacts box:1,1,1 box:1,1,1 --pose-b \"1 1 1\" --plane --rows
  zerogap contacts part:hole-plate part:peg --method quasi-lmd --dilation 20um --inset
  zerogap contacts part.stl box.stl --method quasi-lmd --angular-tolerance 5deg"))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Contacts {
    #[command(flatten)]
    pub(crate) pair: Pair,
    /// Maximum gap of a contact, such as 0.1mm
    #[arg(long, value_name = "LENGTH", default_value = "1mm", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) within: f64,
    /// Collision geometry of meshes and parts
    #[arg(long = "as", value_name = "KIND", value_enum, default_value_t = TakenAs::Hull)]
    pub(crate) taken_as: TakenAs,
    /// Contact method
    #[arg(long, value_name = "METHOD", value_enum, default_value_t = ContactMethod::Manifold)]
    pub(crate) method: ContactMethod,
    /// Reduce the manifold to four contacts: the deepest, and those that span the largest area with it
    #[arg(long)]
    pub(crate) at_most_four: bool,
    /// Also report the contact plane, and every direction that would do as its normal
    #[arg(long)]
    pub(crate) plane: bool,
    /// Also report the row of each contact in the equations of motion: its gap rate is this times velocity and spin of A, then of B
    #[arg(long)]
    pub(crate) rows: bool,
    /// With --as mesh: list all pairs of triangles that cross, in place of contacts
    #[arg(long)]
    pub(crate) crossings: bool,
    /// Maximum sagitta of a sampled rim relative to its radius [default: 0.08, 8 points]
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) arc_tolerance: Option<f64>,
    /// Tolerance on the bounds of the gap for curved shapes, relative to the extent of the pair [default: 1e-11]
    #[arg(long, value_name = "X", value_parser = parse_tolerance, allow_negative_numbers = true)]
    pub(crate) tolerance: Option<f64>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    // Last: its heading stands over all that follows.
    #[command(flatten)]
    pub(crate) quasi: Quasi,
}

#[derive(Debug, Args)]
#[command(after_help = format!("{TARGET_HELP}\nMeshes and parts are taken as they are, surfaces; --as hull takes their hulls.\n
A body moves from its pose with a constant velocity of its origin and a constant
spin, or to another pose: its origin on a straight line, turning about one axis
by the smaller angle, or with --screw about one line in space. Velocities are m/s
and spins rad/s in the world frame, or carry a unit. The bodies are proven free
up to the reported time.\n
Examples:
  zerogap impact box:1,1,0.1mm sphere:0.5mm --pose-b \"0 0 5\" --velocity-b \"0 0 -1000\" --duration 10ms
  zerogap impact part:gear part:gear --pose-b \"60mm 0 0\" --spin-b \"0 0 100rpm\" --duration 1s --clearance 0.1mm
  zerogap impact --unit mm peg.stl hole.stl --pose-a \"0 0 0.1\" --to-a \"0 0 0\" --all --json
  zerogap impact part:connecting-rod halfspace:0,0,1,0 --pose-a \"0 0 1\" --to-a \"0 0 0.2\" --require-clear
  zerogap impact part:peg part:hole-plate --path peg.csv --clearance 1um"))]
pub(crate) struct Impact {
    #[command(flatten)]
    pub(crate) pair: Pair,
    #[command(flatten)]
    pub(crate) motion: Motions,
    /// Path of A, recorded or planned: a table (.csv) of t,x,y,z,qx,qy,qz,qw, in seconds and metres. It is proven free between the rows too; B stays unless it has a motion of its own, and the path gives the duration
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pose_a", "to_a", "velocity_a", "spin_a", "screw", "duration"])]
    pub(crate) path: Option<PathBuf>,
    /// Duration of the motion, such as 10ms
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_time, allow_hyphen_values = true)]
    pub(crate) duration: f64,
    /// Distance at which the bodies count as in contact, such as 1um
    #[arg(long, value_name = "LENGTH", default_value = "1e-8", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) tolerance: f64,
    /// Separation at which the bodies count as touching, such as 0.1mm
    #[arg(long, value_name = "LENGTH", default_value = "0", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) separation: f64,
    /// Also compute the minimum clearance over the motion, to within a length such as 0.1mm
    #[arg(long, value_name = "LENGTH", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) clearance: Option<f64>,
    /// Also list every vertex-face and edge-edge collision, for two meshes
    #[arg(long)]
    pub(crate) all: bool,
    /// Collision geometry of meshes and parts
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
    /// Pose of A at the end
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, conflicts_with_all = ["velocity_a", "spin_a"])]
    pub(crate) to_a: Option<String>,
    /// Pose of B at the end
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
    /// Move to the end poses by screw motions
    #[arg(long)]
    pub(crate) screw: bool,
}

/// Collision geometry of moving meshes.
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
with # are skipped. Boxes that touch are a pair. All methods return the same pairs.\n
Examples:
  zerogap pairs boxes.csv
  zerogap pairs boxes.csv --margin 2mm --json
  zerogap pairs boxes.csv --method sweep")]
pub(crate) struct Pairs {
    /// Table of boxes, comma-separated
    #[arg(value_name = "FILE.csv")]
    pub(crate) file: PathBuf,
    /// Maximum gap of a pair on every axis, such as 2mm
    #[arg(long, value_name = "LENGTH", default_value = "0", value_parser = parse_limit, allow_hyphen_values = true)]
    pub(crate) margin: f64,
    /// Broad-phase method
    #[arg(long, value_name = "METHOD", default_value = "auto", value_parser = PossibleValuesParser::new(METHODS))]
    pub(crate) method: String,
    /// Print JSON, with all pairs
    #[arg(long)]
    pub(crate) json: bool,
}
