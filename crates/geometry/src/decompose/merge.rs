//! Joins neighbouring pieces whose common hull stays within the limit.
//!
//! In: the pieces after cutting. Out: the same solid in fewer pieces. Greedy: the pair that adds the least volume is joined first, ties go to
//! the smaller indices.

use zerogap_core::Aabb;

use super::PartHull;
use super::cut::{FEELERS, Scale};
use super::piece::Plane;
use super::shell::{Effort, Shell};
use super::solid::Solid;

/// Volumes this close, relative to the cube of the size, are equal [-].
const VOLUME_TIE: f64 = 1e-9;

/// A join that keeps the limit.
struct Join {
    /// Volume it adds, rounded.
    gain: f64,
    first: usize,
    second: usize,
    part: PartHull,
}

/// Joins parts until no pair can be joined.
pub(super) fn merge(solids: &[Solid], parts: Vec<PartHull>, scale: &Scale, samples: usize) -> Vec<PartHull> {
    let mut slots: Vec<Option<PartHull>> = parts.into_iter().map(Some).collect();
    let mut joins: Vec<Join> = Vec::new();
    for second in 1..slots.len() {
        for first in 0..second {
            joins.extend(join(solids, &slots, first, second, scale, samples));
        }
    }
    // The best join first; pairs that it affects are evaluated again.
    while let Some(best) = joins
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| {
            a.gain.total_cmp(&b.gain).then((a.first, a.second).cmp(&(b.first, b.second)))
        })
        .map(|(k, _)| k)
    {
        let Join { first, second, part, .. } = joins.swap_remove(best);
        slots[first] = Some(part);
        slots[second] = None;
        joins.retain(|j| ![j.first, j.second].iter().any(|&k| k == first || k == second));
        for other in 0..slots.len() {
            if other != first {
                let (a, b) = (first.min(other), first.max(other));
                joins.extend(join(solids, &slots, a, b, scale, samples));
            }
        }
    }
    slots.into_iter().flatten().collect()
}

/// What two parts become together, if they are neighbours and stay within the limit.
fn join(
    solids: &[Solid],
    slots: &[Option<PartHull>],
    first: usize,
    second: usize,
    scale: &Scale,
    samples: usize,
) -> Option<Join> {
    let (a, b) = (slots[first].as_ref()?, slots[second].as_ref()?);
    let reach = |part: &PartHull| Aabb::from_points(&part.shell.points).expanded(10.0 * scale.even);
    if a.solid != b.solid
        || !reach(a).overlaps(&reach(b))
        || !beside(a, b, 10.0 * scale.even)
        || !beside(b, a, 10.0 * scale.even)
    {
        return None;
    }
    let solid = &solids[a.solid];
    let points: Vec<_> = a.shell.points.iter().chain(&b.shell.points).copied().collect();
    let shell = Shell::around(&points)?;
    let pieces: Vec<_> = a.pieces.iter().chain(&b.pieces).cloned().collect();
    let feelers: Vec<_> = pieces.iter().flat_map(|piece| piece.feelers(solid, FEELERS, scale.even)).collect();
    let effort = Effort { samples, step: scale.limit, floor: 0.1 * scale.limit, enough: scale.limit };
    let worst = shell.worst(solid, &feelers, &effort);
    if worst.distance > scale.limit {
        return None;
    }
    let unit = VOLUME_TIE * scale.size * scale.size * scale.size;
    let gain = ((shell.volume - a.shell.volume - b.shell.volume) / unit).round();
    Some(Join { gain, first, second, part: PartHull { solid: a.solid, pieces, shell, worst, stuck: false } })
}

/// Whether no plane that bounds the cell of some piece of `a` keeps `b` farther away than `gap` [m].
///
/// Parts that others lie between are not neighbours: joined, they would overlap those.
fn beside(a: &PartHull, b: &PartHull, gap: f64) -> bool {
    let reached = |plane: &Plane| b.shell.points.iter().any(|p| plane.height(p) <= gap);
    a.pieces.iter().any(|piece| piece.cell.iter().all(reached))
}
