//! Convex pieces of a solid, no part of which sticks out of it by more than asked.
//!
//! Limits, first:
//! - The mesh must be closed, manifold and outward; open meshes are refused. A surface that passes through itself is taken as it is and
//!   may keep a larger concavity than asked.
//! - Concavity is the largest distance from a point of a piece to the solid, *found by a search*: over the pieces' surfaces with a stated number of
//!   samples, over their inside only at probes off the solid's surface. A hollow that all samples miss is not seen.
//! - Pieces meet at the cuts and may overlap where joining them was allowed; their union contains the solid up to 1e-9 of its size.
//! - The number of pieces is small, not smallest: cuts are chosen one at a time.
//! - Bodies that the mesh keeps apart are never joined.
//!
//! In: a triangle mesh and the concavity allowed [m]. Out: convex polyhedra, the concavity found, and whether the limit was kept. The same
//! input gives the same bits; the count does not change when the solid is turned, moved or scaled with its limit, as far as rounding allows.

mod cut;
mod merge;
mod piece;
mod shell;
mod solid;
mod tree;

use zerogap_core::Vec3;
use zerogap_core::error::check_length;

use crate::hull::{Hull, convex_hull};
use crate::{GeometryError, Polyhedron, TriangleMesh};
use cut::{PROBES, Scale, best_cut};
use piece::Piece;
use shell::{Effort, Shell, Worst};
use solid::Solid;

/// Points this close to a cutting plane, relative to the mesh's diagonal, count as on it [-]: some thousand roundings of a turned part.
const EVEN: f64 = 1e-10;

/// The same relative to the largest coordinate [-], for meshes far from the origin.
const EVEN_FAR: f64 = 16.0 * f64::EPSILON;

/// Smallest concavity that is told from zero, relative to the mesh's diagonal [-]: a hundred times [`EVEN`].
const LEAST_LIMIT: f64 = 1e-8;

/// What to ask of a decomposition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DecomposeParams {
    /// How far a piece may stick out of the solid [m]; values below 1e-8 of the mesh's diagonal act as that.
    pub max_concavity: f64,
    /// Most pieces to cut into; the bodies of the mesh are pieces to begin with [-].
    pub max_pieces: usize,
    /// Most distances computed to find how far one piece sticks out [-].
    pub samples: usize,
}

impl DecomposeParams {
    /// A limit in metres, at most 64 pieces, 1000 samples for each.
    pub fn new(max_concavity: f64) -> Self {
        Self { max_concavity, max_pieces: 64, samples: 1000 }
    }

    /// A limit as a part of the mesh's diagonal [-].
    pub fn relative(mesh: &TriangleMesh, ratio: f64) -> Self {
        Self::new(ratio * mesh.bounding_box().diagonal())
    }
}

/// How a decomposition ended.
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
struct Part {
    solid: usize,
    pieces: Vec<Piece>,
    shell: Shell,
    worst: Worst,
    /// No plane cuts it.
    stuck: bool,
}

/// Cuts a closed mesh into convex pieces.
///
/// Computes: polyhedra whose union contains the solid, and how far they stick out.
/// Method: the piece that sticks out farthest is cut next. Planes come from the solid: the faces beside its concave edges, the planes that
///   halve the angle there, and planes across the gap at the worst point. The cut that leaves the least concavity wins, then the least hull
///   volume, then the least area. A piece is the solid in a convex cell, so cuts never meet. Afterwards neighbours are
///   joined where the limit allows.
/// Tolerance: `concavity` is what `samples` distances per piece found; on a piece's surface the true value is at most 2 % or a tenth of the
///   limit larger unless the samples ran out.
/// Cost: each cut clips the piece with some fifty planes; see the limits in the module's head.
/// Fails: `NotClosed`, `InsideOut`, `Empty`, `Flat`, bad parameters.
/// Order: independent of threads; ties go to the smaller index.
pub fn decompose(mesh: &TriangleMesh, params: &DecomposeParams) -> Result<Decomposition, GeometryError> {
    decompose_with_progress(mesh, params, |_, _| ())
}

/// [`decompose`] that reports, before each cut, how many pieces there are and how far the worst sticks out [m].
pub fn decompose_with_progress(
    mesh: &TriangleMesh,
    params: &DecomposeParams,
    mut progress: impl FnMut(usize, f64),
) -> Result<Decomposition, GeometryError> {
    check_length("max_concavity", params.max_concavity)?;
    if params.max_pieces == 0 {
        return Err(GeometryError::Empty { what: "the set of pieces allowed (max_pieces is 0)" });
    }
    let bounds = mesh.bounding_box();
    let size = bounds.diagonal();
    let even = (EVEN * size).max(EVEN_FAR * bounds.min.amax().max(bounds.max.amax()));
    let scale = Scale { size, even, limit: params.max_concavity.max(LEAST_LIMIT * size) };
    let solids = Solid::from_mesh(mesh)?;
    let fine = Effort { samples: params.samples, floor: 0.1 * scale.limit, enough: f64::INFINITY };
    let measure = |solid: usize, piece: Piece, shell: Shell| {
        let worst = shell.worst(&solids[solid], &piece.probes(&solids[solid], &shell, PROBES), &fine);
        Part { solid, pieces: vec![piece], shell, worst, stuck: false }
    };
    let mut parts = Vec::new();
    for (index, solid) in solids.iter().enumerate() {
        let piece = Piece::whole(solid);
        let flat = GeometryError::Flat { dimension: 2, points: solid.vertices.len() };
        let shell = piece.whole_shell(solid).ok_or(flat)?;
        parts.push(measure(index, piece, shell));
    }
    // The worst piece first; of equal ones the oldest.
    let mut status = DecomposeStatus::Reached;
    while let Some(index) = worst_part(&parts, scale.limit) {
        progress(parts.len(), parts[index].worst.distance);
        if parts.len() >= params.max_pieces {
            status = DecomposeStatus::MaxPieces;
            break;
        }
        let part = &parts[index];
        let solid = part.solid;
        if let Some(cut) = best_cut(&solids[solid], &part.pieces[0], &part.shell, &part.worst, &scale) {
            let [below, above] = cut.parts.map(|(piece, shell)| measure(solid, piece, shell));
            parts[index] = below;
            parts.push(above);
        } else {
            parts[index].stuck = true;
            status = DecomposeStatus::NoCut;
        }
    }
    let parts = merge::merge(&solids, parts, &scale, params.samples);
    let concavity = parts.iter().map(|part| part.worst.distance).fold(0.0, f64::max);
    progress(parts.len(), concavity);
    let volume: f64 = solids.iter().map(|solid| solid.volume).sum();
    let volume_excess = parts.iter().map(|part| part.shell.volume).sum::<f64>() - volume;
    let mut pieces = Vec::with_capacity(parts.len());
    for part in &parts {
        // Corners that different cuts computed for the same place differ by rounding: one of them is enough.
        let points = thinned(&part.shell.points, 10.0 * even);
        if let Hull::Polyhedron(polyhedron) = convex_hull(&points)? {
            pieces.push(polyhedron);
        }
    }
    Ok(Decomposition { pieces, concavity, volume_excess, status })
}

/// The part that sticks out farthest beyond the limit and can still be cut.
fn worst_part(parts: &[Part], limit: f64) -> Option<usize> {
    let mut worst: Option<usize> = None;
    for (k, part) in parts.iter().enumerate() {
        let beats = worst.is_none_or(|w| part.worst.distance > parts[w].worst.distance);
        if !part.stuck && part.worst.distance > limit && beats {
            worst = Some(k);
        }
    }
    worst
}

/// The points without those closer than `gap` [m] to an earlier one.
fn thinned(points: &[Vec3], gap: f64) -> Vec<Vec3> {
    let mut kept: Vec<Vec3> = Vec::with_capacity(points.len());
    for p in points {
        if kept.iter().all(|q| (p - q).norm() > gap) {
            kept.push(*p);
        }
    }
    kept
}
