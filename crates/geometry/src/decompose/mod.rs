//! Convex pieces of a solid, no part of which protrudes from it by more than the limit.
//!
//! Limits, first:
//! - The mesh must be closed, manifold and outward; open meshes are rejected. A surface that passes through itself is taken as it is and
//!   may keep a larger concavity than asked.
//! - Concavity is the largest distance from a point of a piece to the solid, *found by a search*: over the pieces' surfaces with a stated number of
//!   samples, over their inside only along rays from the solid's concave edges. A hollow that all of them miss is not seen.
//! - Pieces meet at the cuts and may overlap where joining them was allowed; their union contains the solid up to 1e-9 of its size.
//! - The number of pieces is small, not smallest: cuts are chosen one at a time, and now and then a larger limit costs a piece more.
//! - Bodies that the mesh keeps apart are never joined.
//!
//! In: a triangle mesh and the concavity allowed [m]. Out: convex polyhedra, the concavity found, and whether the limit was kept. The same
//! input gives the same bits; the count does not change when the solid is rotated, moved or scaled with its limit, as far as rounding allows.

mod cut;
mod merge;
mod piece;
mod shell;
mod solid;
mod tree;

use zerogap_core::error::check_length;

use crate::hull::{Hull, convex_hull};
use crate::{GeometryError, Polyhedron, TriangleMesh};
use cut::{FEELERS, Scale, best_cut};
use piece::Piece;
use shell::{Effort, Shell, Worst};
use solid::Solid;

/// Points this close to a cutting plane, relative to the mesh's diagonal, count as on it [-]: some thousand roundings of a rotated part.
const EVEN: f64 = 1e-10;

/// The same relative to the largest coordinate [-], for meshes far from the origin.
const EVEN_FAR: f64 = 16.0 * f64::EPSILON;

/// Smallest concavity that is distinguished from zero, relative to the mesh's diagonal [-]: a hundred times [`EVEN`].
const MIN_LIMIT: f64 = 1e-8;

/// A second round cuts on to this part of the limit before neighbours are joined [-].
const OVERCUT_LIMIT: f64 = 0.4;

/// Maximum number of pieces of the second round, as a multiple of the first round's and a few more [-].
const OVERCUT_FACTOR: usize = 2;
/// The few more [-].
const OVERCUT_EXTRA: usize = 8;

/// Maximum number of samples for one piece [-]: beyond it, memory and time run out before anything is gained.
const MAX_SAMPLES: usize = 1_000_000;

/// Concavity allowed when none is given, as a part of the mesh's diagonal [-].
const DEFAULT_RATIO: f64 = 0.02;

/// Maximum number of pieces when no number is given [-]; parts of machines take some tens.
pub const DEFAULT_MAX_PIECES: usize = 256;

/// Parameters of a decomposition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecomposeParams {
    /// Maximum distance by which a piece may extend beyond the solid [m]; values below 1e-8 of the mesh's diagonal act as that.
    pub max_concavity: f64,
    /// Maximum number of pieces to cut into; the bodies of the mesh are pieces to begin with [-].
    pub max_pieces: usize,
    /// Maximum number of distances computed to find how far one piece protrudes [-]; more than a million act as that.
    pub samples: usize,
}

impl DecomposeParams {
    /// A limit in metres, at most 256 pieces, 1000 samples for each.
    pub fn new(max_concavity: f64) -> Self {
        Self { max_concavity, max_pieces: DEFAULT_MAX_PIECES, samples: 1000 }
    }

    /// The limit given, or where there is none 2 % of the mesh's diagonal: a shape that a person takes for the body.
    pub fn new_or_default(max_concavity: Option<f64>, mesh: &TriangleMesh) -> Self {
        max_concavity.map_or_else(|| Self::relative(mesh, DEFAULT_RATIO), Self::new)
    }

    /// A limit as a part of the mesh's diagonal [-].
    pub fn relative(mesh: &TriangleMesh, ratio: f64) -> Self {
        Self::new(ratio * mesh.bounding_box().diagonal())
    }
}

/// Status of a decomposition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecomposeStatus {
    /// Every piece keeps the limit.
    Reached,
    /// The number of pieces ran out first.
    MaxPieces,
    /// A piece beyond the limit could not be cut any further.
    NoCut,
}

/// Convex pieces whose union contains the solid.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    /// The pieces, in the order in which cutting made them.
    pub pieces: Vec<Polyhedron>,
    /// The largest distance found from a point of a piece to the solid [m].
    pub concavity: f64,
    /// Sum of the pieces' volumes less the solid's [m³].
    pub volume_excess: f64,
    /// Whether the limit was kept.
    pub status: DecomposeStatus,
}

/// A hull around one or more pieces of a solid.
#[derive(Debug, Clone)]
struct PartHull {
    solid: usize,
    pieces: Vec<Piece>,
    shell: Shell,
    worst: Worst,
    /// No plane cuts it.
    stuck: bool,
}

/// Cuts a closed mesh into convex pieces.
///
/// Computes: polyhedra whose union contains the solid, and how far they protrude.
/// Method: the piece that protrudes farthest is cut next. Planes come from the solid: the faces beside its concave edges, the planes that
///   halve the angle there, and planes across the gap at the worst point. The cut that leaves the least concavity wins, then the least hull
///   volume, then the least area. A piece is the solid in a convex cell, so cuts never meet. Afterwards neighbours are
///   joined where the limit allows.
/// Tolerance: `concavity` is what `samples` distances per piece found; on a piece's surface the true value is at most 2 % or a tenth of the
///   limit larger unless the samples ran out.
/// Cost: each cut clips the piece with some fifty planes and measures twelve of them. Release build, two shared cores, limit 1 % of the
///   diagonal: a gear of 20560 triangles 6 s, a torus of 20100 6 s, a rod of 23480 26 s; parts of a thousand triangles about 1 s.
///   Flat faces cut into many triangles cost more, since points on a plane are distinguished exactly: a gear of 20532 such triangles takes
///   some 30 s at 2 %.
/// Fails: `NotClosed`, `InsideOut`, `Empty`, `Flat`, bad parameters.
/// Order: independent of threads; ties go to the smaller index.
///
/// ```
/// use zerogap_geometry::decompose::{DecomposeParams, DecomposeStatus, decompose};
/// use zerogap_geometry::parts;
///
/// let plate = parts::by_name("hole-plate", &[("section", "rectangular")])?;
/// let pieces = decompose(&plate, &DecomposeParams::new(1e-4))?;
/// assert_eq!((pieces.pieces.len(), pieces.status), (4, DecomposeStatus::Reached));
/// # Ok::<(), zerogap_geometry::GeometryError>(())
/// ```
pub fn decompose(mesh: &TriangleMesh, params: &DecomposeParams) -> Result<Decomposition, GeometryError> {
    decompose_with_progress(mesh, params, |_, _| ())
}

/// [`decompose`] that reports, before each cut, how many pieces there are and how far the worst protrudes [m].
pub fn decompose_with_progress(
    mesh: &TriangleMesh,
    params: &DecomposeParams,
    mut progress: impl FnMut(usize, f64),
) -> Result<Decomposition, GeometryError> {
    check_length("max_concavity", params.max_concavity)?;
    if params.max_pieces == 0 {
        return Err(GeometryError::NoPieces);
    }
    let samples = params.samples.min(MAX_SAMPLES);
    let bounds = mesh.bounding_box();
    let size = bounds.diagonal();
    let even = (EVEN * size).max(EVEN_FAR * bounds.min.amax().max(bounds.max.amax()));
    let scale = Scale { size, even, limit: params.max_concavity.max(MIN_LIMIT * size) };
    let solids = Solid::from_mesh(mesh)?;
    let fine = Effort { samples, step: scale.limit, floor: 0.1 * scale.limit, enough: f64::INFINITY };
    let measure = |solid: usize, piece: Piece, shell: Shell| {
        let worst = shell.worst(&solids[solid], &piece.feelers(&solids[solid], 4 * FEELERS, even), &fine);
        PartHull { solid, pieces: vec![piece], shell, worst, stuck: false }
    };
    let mut parts = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        let piece = Piece::whole(solid);
        let flat = GeometryError::Flat { dimension: 2, points: solid.vertices.len() };
        let shell = piece.shell(solid).ok_or(flat)?;
        parts.push(measure(index, piece, shell));
    }
    let mut cutter = Cutter { solids: &solids, scale, measure, progress: &mut progress };
    let status = cutter.cut(&mut parts, scale.limit, params.max_pieces);
    // Cutting on and joining again often needs fewer pieces: the finer cuts follow the features, the joins choose among them.
    let mut finer = parts.clone();
    // A body that is its own hull cannot get fewer.
    let whole = parts.len() == solids.len();
    let max = if whole { 0 } else { OVERCUT_FACTOR * parts.len() + OVERCUT_EXTRA };
    let finer_status = cutter.cut(&mut finer, OVERCUT_LIMIT * scale.limit, max);
    let joined = |parts| merge::merge(&solids, parts, &scale, samples);
    let (first, second) = (joined(parts), joined(finer));
    let kept = |parts: &[PartHull]| worst_part(parts, scale.limit).is_none();
    let volume_of = |parts: &[PartHull]| parts.iter().map(|part| part.shell.volume).sum::<f64>();
    let better = kept(&second)
        && finer_status != DecomposeStatus::NoCut
        && second.len() <= params.max_pieces
        && (!kept(&first)
            || second.len() < first.len()
            || (second.len() == first.len() && volume_of(&second) < volume_of(&first)));
    let (parts, status) = if better { (second, DecomposeStatus::Reached) } else { (first, status) };
    let concavity = parts.iter().map(|part| part.worst.distance).fold(0.0, f64::max);
    progress(parts.len(), concavity);
    let volume: f64 = solids.iter().map(|solid| solid.volume).sum();
    let volume_excess = volume_of(&parts) - volume;
    let mut pieces = Vec::with_capacity(parts.len());
    for part in &parts {
        // Corners that different cuts computed for the same place differ by rounding: one of them is enough.
        let points = crate::mesh::thinned(&part.shell.points, 10.0 * even);
        if let Hull::Polyhedron(polyhedron) = convex_hull(&points)? {
            pieces.push(polyhedron);
        }
    }
    Ok(Decomposition { pieces, concavity, volume_excess, status })
}

/// What every cut needs to know.
struct Cutter<'a, M, P> {
    solids: &'a [Solid],
    scale: Scale,
    /// Finds how far a new piece protrudes.
    measure: M,
    progress: &'a mut P,
}

impl<M, P> Cutter<'_, M, P>
where
    M: Fn(usize, Piece, Shell) -> PartHull,
    P: FnMut(usize, f64),
{
    /// Cuts the worst part, of equal ones the oldest, until none protrudes beyond the limit [m] or there are `max`.
    fn cut(&mut self, parts: &mut Vec<PartHull>, limit: f64, max: usize) -> DecomposeStatus {
        let mut status = DecomposeStatus::Reached;
        while let Some(index) = worst_part(parts, limit) {
            (self.progress)(parts.len(), parts[index].worst.distance);
            if parts.len() >= max {
                return DecomposeStatus::MaxPieces;
            }
            let part = &parts[index];
            let solid = part.solid;
            let cut = best_cut(&self.solids[solid], &part.pieces[0], &part.shell, &part.worst, &self.scale);
            if let Some(cut) = cut {
                let [below, above] = cut.parts.map(|(piece, shell)| (self.measure)(solid, piece, shell));
                parts[index] = below;
                parts.push(above);
            } else {
                parts[index].stuck = true;
                status = DecomposeStatus::NoCut;
            }
        }
        status
    }
}

/// The part that protrudes farthest beyond the limit and can still be cut.
fn worst_part(parts: &[PartHull], limit: f64) -> Option<usize> {
    let mut worst: Option<usize> = None;
    for (k, part) in parts.iter().enumerate() {
        let beats = worst.is_none_or(|w| part.worst.distance > parts[w].worst.distance);
        if !part.stuck && part.worst.distance > limit && beats {
            worst = Some(k);
        }
    }
    worst
}
