//! Where a point on a smooth path first comes into a target, without fear of missing it.
//!
//! In: the path of one point in the frame of a target, and a bound on how much it bends. Out: the first time at which no surface separates the point any more, and the surface that
//! was lost last. Samples at even times miss what lasts shorter than their distance; here each part of the path is either shown to be clear or halved.

use zerogap_core::Vec3;

use super::Target;
use super::entry::{Last, last_lost};

/// Where a point came in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The first time at which the point was found inside [s].
    pub t: f64,
    /// The surface that it came in through.
    pub surface: usize,
    /// The time just before, at which it was still outside [s].
    pub before: f64,
}

/// A part of the path, with the points at its ends.
#[derive(Clone, Copy)]
struct PathPiece {
    t0: f64,
    q0: Vec3,
    t1: f64,
    q1: Vec3,
}

/// The first entry of a point into a target between two times; none where there is none, or where it is inside from the start.
///
/// Computes: on a part of length h every separation stays within `bend h² / 8` of the straight line between its values at the ends. A part is clear where one surface separates both ends by more
///   than that; otherwise it is halved, the earlier half first, down to `tolerance` [s]. There the surface is the last to be lost on the straight path.
/// Tolerance: an entry that is deeper than `bend tolerance² / 8` [m] is never missed; its time is right to `tolerance`, and to 4 spacings of doubles at the latest.
/// Cost: O(log(1 / tolerance)) evaluations of the path, more where it runs along a surface.
/// Fails: never; positions that are not numbers are not inside.
///
/// `path` gives the point in the frame of the target [m]; `bend` bounds its second derivative there [m/s²].
pub fn first_entry(
    target: &Target,
    path: &mut dyn FnMut(f64) -> Vec3,
    (t0, t1): (f64, f64),
    bend: f64,
    tolerance: f64,
) -> Option<Entry> {
    let width = t1 - t0;
    if !(width > 0.0 && width.is_finite()) {
        return None;
    }
    let least = tolerance.max(4.0 * f64::EPSILON * t0.abs().max(t1.abs()));
    let (q0, q1) = (path(t0), path(t1));
    if target.holds(&q0) {
        return None;
    }
    // Parts that are still to be checked, the earliest last.
    let mut parts = vec![PathPiece { t0, q0, t1, q1 }];
    while let Some(part) = parts.pop() {
        let h = part.t1 - part.t0;
        let sag = bend * h * h / 8.0;
        let is_clear = target
            .facets()
            .iter()
            .any(|facet| facet.separation(&part.q0) > sag && facet.separation(&part.q1) > sag);
        if is_clear {
            continue;
        }
        if h <= least {
            if target.holds(&part.q1) {
                let surface = last_lost(target, &part.q0, &part.q1, Last::Interpolated)?;
                return Some(Entry { t: part.t1, surface, before: part.t0 });
            }
            continue;
        }
        let t = 0.5 * (part.t0 + part.t1);
        let q = path(t);
        parts.push(PathPiece { t0: t, q0: q, ..part });
        parts.push(PathPiece { t1: t, q1: q, ..part });
    }
    None
}
