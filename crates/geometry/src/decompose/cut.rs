//! Where to cut a piece: planes that the surface itself suggests, and the choice between them.
//!
//! In: a piece and the point of its hull that protrudes farthest. Out: the two parts of the best cut. Candidates are ordered by geometry
//! and then by index, and compared with tolerances, so that turning or scaling the solid does not change the choice.

use zerogap_core::Vec3;

use super::piece::{Piece, Plane};
use super::shell::{Effort, Shell, Worst};
use super::solid::{ReflexEdge, Solid};
use crate::nearest::segment_distance;

/// Concave edges taken because they are nearest to the worst point [-].
const NEAREST_EDGES: usize = 8;

/// Concave edges taken from all around the hollow that the worst point lies in, spread evenly [-].
const HOLLOW_EDGES: usize = 8;

/// Concave edges taken because they are long and sharp [-]: they often bound a feature as a whole.
const STRONG_EDGES: usize = 8;

/// Edges up to this many times as far from the worst point as the solid bound its hollow [-]: a square one's corners are at 1.42.
const HOLLOW_REACH: f64 = 1.6;

/// Cuts whose parts are measured, out of those tried [-].
const SHORTLIST: usize = 12;

/// Distances computed for each part of a shortlisted cut [-].
const QUICK_SAMPLES: usize = 200;

/// Concavities this close, relative to the piece's, are equal when cuts are compared [-]: the slack of the search for the worst point.
const CONCAVITY_TIE: f64 = 0.03;

/// Volumes and areas this close, relative to the piece's, are equal when cuts are compared [-].
const SIZE_TIE: f64 = 1e-6;

/// Feelers from concave edges for each measured part [-].
pub(super) const FEELERS: usize = 16;

/// Lengths common to the whole decomposition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    /// Diagonal of the mesh's box [m].
    pub(super) size: f64,
    /// Heights up to this count as on a plane [m].
    pub(super) even: f64,
    /// The requested concavity [m].
    pub(super) limit: f64,
}

/// A cut and what is known about its parts.
pub(super) struct Cut {
    pub(super) parts: [(Piece, Shell); 2],
    volume: f64,
    area: f64,
}

/// The cut after which the worse part protrudes least; then the one with the least hull volume, the least area, the first.
pub(super) fn best_cut(
    solid: &Solid,
    piece: &Piece,
    shell: &Shell,
    worst: &Worst,
    scale: &Scale,
) -> Option<Cut> {
    let mut cuts: Vec<Cut> = candidates(solid, piece, worst, scale)
        .iter()
        .filter_map(|plane| piece.split(solid, plane, scale.even))
        .map(|parts| {
            let (volume, area) = (parts[0].1.volume + parts[1].1.volume, parts[0].1.area + parts[1].1.area);
            Cut { parts, volume, area }
        })
        .collect();
    // Measuring is dear, volumes are not: only the cuts that leave the least volume are measured. Rounded, so that ties stay ties.
    let rounded = |value: f64, unit: f64| (value / (unit * SIZE_TIE)).round();
    cuts.sort_by(|a, b| {
        rounded(a.volume, shell.volume)
            .total_cmp(&rounded(b.volume, shell.volume))
            .then(rounded(a.area, shell.area).total_cmp(&rounded(b.area, shell.area)))
    });
    cuts.truncate(SHORTLIST);
    let mut effort =
        Effort { samples: QUICK_SAMPLES, step: scale.limit, floor: 0.5 * scale.limit, enough: f64::INFINITY };
    let mut concavities: Vec<f64> = Vec::with_capacity(cuts.len());
    let mut smallest = f64::INFINITY;
    for cut in &cuts {
        let mut concavity = 0.0_f64;
        for (part, shell) in &cut.parts {
            // A cut that leaves more than the best so far and a tie is out, however much more it is.
            if concavity <= effort.enough {
                let feelers = part.feelers(solid, FEELERS, scale.even);
                concavity = concavity.max(shell.worst(solid, &feelers, &effort).distance);
            }
        }
        concavities.push(concavity);
        smallest = smallest.min(concavity);
        effort.enough = smallest + CONCAVITY_TIE * worst.distance;
    }
    // The list is sorted by volume and area already: the first within the tie is the choice.
    let chosen = concavities.iter().position(|c| *c <= smallest + CONCAVITY_TIE * worst.distance)?;
    Some(cuts.swap_remove(chosen))
}

/// Planes of the faces beside concave edges, planes that halve the angle there, and planes at the worst point.
fn candidates(solid: &Solid, piece: &Piece, worst: &Worst, scale: &Scale) -> Vec<Plane> {
    let edges: Vec<(&ReflexEdge, [Vec3; 2])> = solid
        .reflex
        .iter()
        .filter_map(|edge| piece.clip_segment(&edge.ends, scale.even).map(|inside| (edge, inside)))
        .collect();
    // Rounded to a millionth of the size, so that equal distances stay equal when the solid is rotated.
    let rounded = |length: f64| (length / (1e-6 * scale.size)).round();
    let mut near: Vec<(f64, usize)> = edges
        .iter()
        .enumerate()
        .map(|(k, (_, [a, b]))| (rounded(segment_distance(a, b, &worst.point)), k))
        .collect();
    near.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
    let around: Vec<usize> = near
        .iter()
        .filter(|(distance, _)| *distance <= rounded(HOLLOW_REACH * worst.distance))
        .map(|(_, k)| *k)
        .collect();
    let spread = around.iter().step_by(around.len().div_ceil(HOLLOW_EDGES).max(1));
    let mut strong: Vec<(f64, usize)> =
        edges.iter().enumerate().map(|(k, (edge, _))| (rounded(edge.weight), k)).collect();
    strong.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
    let chosen = near
        .iter()
        .take(NEAREST_EDGES)
        .chain(strong.iter().take(STRONG_EDGES))
        .map(|(_, k)| k)
        .chain(spread)
        .copied();
    let mut planes: Vec<Plane> = Vec::new();
    let mut add = |point: Vec3, normal: Vec3| {
        let plane = Plane::through(point, normal);
        // The same plane, whatever its orientation, is tried once.
        let known = planes.iter().any(|other| {
            let along = other.normal.dot(&normal);
            other.normal.cross(&normal).norm() < 1e-9
                && (other.offset * along.signum() - plane.offset).abs() <= scale.even
        });
        if !known {
            planes.push(plane);
        }
    };
    for k in chosen {
        let (edge, [a, _]) = &edges[k];
        let [n, m] = edge.normals;
        add(*a, n);
        add(*a, m);
        if let Some(halving) = (n - m).try_normalize(1e-9) {
            add(*a, halving);
        }
    }
    // Planes across the gap at the worst point: they part what is not connected, and open curved hollows.
    if let Some(away) = (worst.point - worst.nearest).try_normalize(0.0) {
        add(worst.nearest, away);
        add(worst.point, away);
        if edges.is_empty() {
            let (t1, t2) = zerogap_core::math::tangents(&away);
            add(worst.point, t1);
            add(worst.point, t2);
        }
    }
    planes
}
