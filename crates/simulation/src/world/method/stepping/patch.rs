//! Fewer contact points of a patch.
//!
//! In: the contact points of a pair at the start of a step. Out: which of them the step is solved with. A patch is what has nearly one normal. Of each, the points stay that span it best; the others are left out and checked after
//! the step ([`super::returning`]): one whose law is violated comes back, and the step is solved again. A solution without violated points is one of the problem with all points, where those left out have no impulse: nothing that the laws
//! determine is lost.
//! Order: depends on the points and on those kept in the last step alone; same input, same bits.

use zerogap_core::Vec3;
use zerogap_core::math::tangents;

/// Points per patch of two convex shapes, and of others [-]. Four corners span most of a face; meshes and convex pieces make patches that are not convex, of more corners.
const CONVEX_POINTS: usize = 4;
const MESH_POINTS: usize = 8;
/// Normals of a patch are within this cosine of that of its first point [-]: 2 degrees.
const ONE_NORMAL: f64 = 0.9994;
/// A point that was kept in the last step counts as if it added this many times the area [-]: of corners that are equal but for rounding the same ones stay, and so do their impulses.
const HYSTERESIS: f64 = 1.5;
/// Points that add less than this fraction of the squared size of the patch add nothing [-].
const NOTHING: f64 = 1e-6;

/// Number of contact points per patch that a step is solved with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PatchPoints {
    /// Four for pairs of convex shapes, eight for others.
    #[default]
    Auto,
    /// At most so many.
    AtMost(usize),
    /// All.
    All,
}

zerogap_core::store_enum!(PatchPoints { 0 => Auto, 1 => AtMost(count), 2 => All });

impl PatchPoints {
    /// Returns the most points per patch; none where all are kept.
    pub(super) fn limit(self, is_convex: bool) -> Option<usize> {
        match self {
            Self::Auto if is_convex => Some(CONVEX_POINTS),
            Self::Auto => Some(MESH_POINTS),
            Self::AtMost(count) => Some(count.max(1)),
            Self::All => None,
        }
    }
}

/// A contact point that may be kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) at: Vec3,
    pub(super) normal: Vec3,
    /// Gap at the start of the step [m], and up to which it counts as closed.
    pub(super) gap: f64,
    pub(super) slop: f64,
    /// Velocity of the gap at the start of the step [m/s].
    pub(super) gap_rate: f64,
    /// Whether it may touch within the step; one that may not is left out.
    pub(super) is_near: bool,
    /// Whether it was kept in the last step.
    pub(super) was_kept: bool,
    /// Whether it stays in any case: it overlaps, or it came back in the last step and pushed.
    pub(super) is_needed: bool,
}

/// Memory of choices.
#[derive(Debug, Clone, Default)]
pub(super) struct Choice {
    pub(super) candidates: Vec<Candidate>,
    /// Which of the candidates stay.
    pub(super) is_kept: Vec<bool>,
    patch: Vec<usize>,
    has_patch: Vec<bool>,
    /// Points of a patch in its plane [m].
    plane: Vec<[f64; 2]>,
    hull: Vec<[f64; 2]>,
    sorted: Vec<[f64; 2]>,
}

impl Choice {
    /// Chooses among the candidates, patch by patch, at most `limit` points each besides those that are needed. A patch of which a point opens or closes faster than `at_rest` [m/s] keeps all that are near: most of those left out
    /// would come back.
    pub(super) fn choose(&mut self, limit: usize, is_convex: bool, at_rest: f64) {
        let count = self.candidates.len();
        self.is_kept.clear();
        self.is_kept.resize(count, false);
        self.has_patch.clear();
        self.has_patch.extend(self.candidates.iter().map(|candidate| !candidate.is_near));
        for first in 0..count {
            if self.has_patch[first] {
                continue;
            }
            let normal = self.candidates[first].normal;
            self.patch.clear();
            for k in first..count {
                if !self.has_patch[k]
                    && (is_convex || self.candidates[k].normal.dot(&normal) >= ONE_NORMAL || k == first)
                {
                    self.has_patch[k] = true;
                    self.patch.push(k);
                }
            }
            let moves = |k: &usize| self.candidates[*k].gap_rate.abs() > at_rest;
            if self.patch.len() <= limit || self.patch.iter().any(moves) {
                for k in &self.patch {
                    self.is_kept[*k] = true;
                }
            } else {
                self.choose_of_patch(limit, &normal);
            }
        }
    }

    /// Chooses among the points of a patch: those that are needed and the deepest, the one farthest from it, the one that makes the largest triangle with these, and again and again the one that adds the largest area.
    ///
    /// What points of one normal can hold under a load is the moment to their convex hull, so that its area is the measure; it prefers no direction, however narrow the patch is. Distances from the hull in place of areas were tried: of
    /// narrow patches they lose the width.
    fn choose_of_patch(&mut self, limit: usize, normal: &Vec3) {
        let Self { candidates, is_kept, patch, plane, hull, sorted, .. } = self;
        let (t1, t2) = tangents(normal);
        let origin = candidates[patch[0]].at;
        plane.clear();
        plane.extend(patch.iter().map(|k| {
            let from = candidates[*k].at - origin;
            [t1.dot(&from), t2.dot(&from)]
        }));
        let size = plane.iter().map(|p| square(sub(*p, plane[0]))).fold(0.0, f64::max).sqrt();
        let nothing = NOTHING * size * size;
        let weight = |k: usize| if candidates[k].was_kept { HYSTERESIS } else { 1.0 };

        // Those that are needed, and the deepest: of those that are closed alike, the one farthest from their middle.
        sorted.clear();
        for (place, k) in patch.iter().enumerate() {
            if candidates[*k].is_needed {
                is_kept[*k] = true;
                sorted.push(plane[place]);
            }
        }
        let depth = |k: usize| {
            let Candidate { gap, slop, .. } = candidates[k];
            if gap < -slop { gap } else { gap.max(slop) }
        };
        let deepest = patch.iter().map(|k| depth(*k)).fold(f64::INFINITY, f64::min);
        if !patch.iter().any(|k| is_kept[*k] && depth(*k) <= deepest) {
            let closed = |k: usize| depth(k) <= deepest;
            let mut middle = [0.0; 2];
            let mut number = 0.0;
            for (place, _) in patch.iter().enumerate().filter(|(_, k)| closed(**k)) {
                middle = [middle[0] + plane[place][0], middle[1] + plane[place][1]];
                number += 1.0;
            }
            let middle = middle.map(|x| x / f64::max(number, 1.0));
            let out = patch.iter().enumerate().map(|(place, k)| {
                if closed(*k) { weight(*k) * square(sub(plane[place], middle)) } else { -1.0 }
            });
            let place = first_largest(out).0;
            is_kept[patch[place]] = true;
            sorted.push(plane[place]);
        }

        // The one that adds most, until there are enough of them or none adds anything.
        while sorted.len() < limit {
            convex_hull(sorted, hull);
            let added = patch
                .iter()
                .zip(plane.iter())
                .map(|(k, p)| if is_kept[*k] { -1.0 } else { weight(*k) * added_square(hull, *p) });
            let (place, most) = first_largest(added);
            if most <= nothing {
                break;
            }
            is_kept[patch[place]] = true;
            sorted.push(plane[place]);
        }
    }
}

/// The first place with the largest value, and the value.
fn first_largest(values: impl Iterator<Item = f64>) -> (usize, f64) {
    values.enumerate().fold(
        (0, f64::NEG_INFINITY),
        |best, (place, value)| {
            if value > best.1 { (place, value) } else { best }
        },
    )
}

fn sub(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

fn square(a: [f64; 2]) -> f64 {
    a[0] * a[0] + a[1] * a[1]
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// Writes the corners of the convex hull of points counterclockwise, without those on its edges (Andrew's monotone chain); sorts the points.
fn convex_hull(points: &mut [[f64; 2]], hull: &mut Vec<[f64; 2]>) {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    hull.clear();
    let add = |hull: &mut Vec<[f64; 2]>, least: usize, p: [f64; 2]| {
        if hull.last().is_some_and(|last| square(sub(p, *last)) == 0.0) {
            return;
        }
        while hull.len() >= least
            && cross(sub(hull[hull.len() - 1], hull[hull.len() - 2]), sub(p, hull[hull.len() - 2])) <= 0.0
        {
            hull.pop();
        }
        hull.push(p);
    };
    for p in points.iter() {
        add(hull, 2, *p);
    }
    let lower = hull.len() + 1;
    for p in points.iter().rev().skip(1) {
        add(hull, lower, *p);
    }
    // The first point was reached again.
    if hull.len() > 1 {
        hull.pop();
    }
}

/// What a point outside a convex polygon adds to it, as a square [m²]: twice the area where there is any, beyond that of points on a line the square of their distance from it.
fn added_square(hull: &[[f64; 2]], p: [f64; 2]) -> f64 {
    match hull {
        [a] => square(sub(p, *a)),
        [a, b] => {
            let (along, to) = (sub(*b, *a), sub(p, *a));
            let beyond = square(to).min(square(sub(p, *b)));
            let is_between = along[0] * to[0] + along[1] * to[1] >= 0.0
                && along[0] * (p[0] - b[0]) + along[1] * (p[1] - b[1]) <= 0.0;
            let area = cross(along, to).abs();
            if is_between { area } else { area.max(beyond) }
        }
        _ => {
            let next = |k: usize| hull[(k + 1) % hull.len()];
            hull.iter().enumerate().map(|(k, a)| cross(sub(p, *a), sub(next(k), *a)).max(0.0)).sum()
        }
    }
}

#[cfg(test)]
#[path = "patch_tests.rs"]
mod tests;
