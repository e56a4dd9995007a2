//! Through which surface a point came in, from where it was and where it is.
//!
//! In: a target and two points in its frame, the reference and now; between them the point is taken to move straight. Out: the surface that lost its separation
//! last. Both forms of the configuration come here, for the few initiators that their bits do not settle.

use zerogap_core::Vec3;

use super::Target;

/// One surface that was crossed inward.
#[derive(Clone, Copy)]
struct Crossing {
    surface: usize,
    /// When, as a part of the step [-].
    at: f64,
    /// Separation now, 0 or less [m].
    separation: f64,
}

impl Crossing {
    /// The later one; of two at the same time the one with the smaller depth, then the one with the lower index.
    fn last(self, other: Self) -> Self {
        let is_later = other.at > self.at || (other.at >= self.at && other.separation > self.separation);
        if is_later { other } else { self }
    }
}

/// The part of the step at which a separation goes through zero [-], from its values at both ends, which have different signs.
#[inline]
pub(super) fn crossing_time(before: f64, now: f64) -> f64 {
    before / (before - now)
}

/// How the last of several surfaces that were lost in a step is found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    /// By crossing times, as if the path were straight and the motion even.
    Interpolated,
    /// By depth: the step ends where the point came in, so the last surface is the one that it is least deep below.
    Located,
}

impl Last {
    /// Where straight paths are clipped, entries are not located.
    pub(super) fn of(is_clipped: bool) -> Self {
        if is_clipped { Self::Interpolated } else { Self::Located }
    }
}

/// The surface that lost its separation last, of those that did in this step; none where none did.
///
/// Computes: the largest interpolated crossing time `s(t0) / (s(t0) - s(t))`, or the smallest depth where the entry is located; on an exact tie the smaller depth, then the lower index.
pub(super) fn last_lost(target: &Target, before: &Vec3, now: &Vec3, by: Last) -> Option<usize> {
    let mut last: Option<Crossing> = None;
    for surface in 0..target.surfaces() {
        let [was, is] = [before, now].map(|point| target.separation(surface, point));
        if was > 0.0 && is <= 0.0 {
            let at = if by == Last::Located { 1.0 } else { crossing_time(was, is) };
            let crossing = Crossing { surface, at, separation: is };
            last = Some(last.map_or(crossing, |last| last.last(crossing)));
        }
    }
    last.map(|crossing| crossing.surface)
}

/// The surface through which a point came in that was outside before, is outside now and passed through the target in between; none where it did not.
///
/// Computes: the straight path clipped by every surface, entered last before it is left first.
pub(super) fn crossed(target: &Target, before: &Vec3, now: &Vec3) -> Option<usize> {
    let (mut last, mut left): (Option<Crossing>, f64) = (None, f64::INFINITY);
    for surface in 0..target.surfaces() {
        let [was, is] = [before, now].map(|point| target.separation(surface, point));
        match (was > 0.0, is > 0.0) {
            // Outside of this one all the way.
            (true, true) => return None,
            (true, false) => {
                let crossing = Crossing { surface, at: crossing_time(was, is), separation: is };
                last = Some(last.map_or(crossing, |last| last.last(crossing)));
            }
            (false, true) => left = left.min(crossing_time(was, is)),
            (false, false) => {}
        }
    }
    last.filter(|crossing| crossing.at < left).map(|crossing| crossing.surface)
}
