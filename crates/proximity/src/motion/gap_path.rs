//! The first overlap of a pair whose gap is known as a function along its path: events and steps of a simulation.
//!
//! In: a gap function, a bound on the speed at which it falls, and a span ([`GapPath`]). Out: a [`GapAdvance`]. The motion is arbitrary, through joints and along
//! the interpolation of an integrator; [`super::time_of_impact`] exploits rigid motion and needs fewer samples.

use super::advancement::{Advanced, Approach, Verdict, advance_freely};

/// A path is sampled no finer than this fraction of the thickness that must not be passed through [-].
pub const PATH_RESOLUTION: f64 = 0.05;

/// And no finer than this fraction of the size of the smaller body, where neither has a thickness [-].
const FLAT_RESOLUTION: f64 = 1e-3;

/// Samples of a path at most [-]: a pair that comes near and stays near is left to its contacts.
const MAX_SAMPLES: u32 = 4096;

/// Returns the shortest displacement between two samples of a path [m], for bodies of this thickness, or of this size where they have none [m].
pub fn path_resolution(thickness: f64, size: f64) -> f64 {
    let resolution = PATH_RESOLUTION * thickness;
    if resolution > 0.0 { resolution } else { FLAT_RESOLUTION * size }
}

/// Parameters of [`first_overlap`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GapPath {
    /// Start of the path, in time or any other parameter [s].
    pub from: f64,
    /// End of the path, itself not sampled [s].
    pub to: f64,
    /// The gap at the start [m]; an overlap there does not count.
    pub start_gap: f64,
    /// Bound on how fast the gap falls along the path [m/s].
    pub speed: f64,
    /// Shortest displacement between two samples [m]; see [`path_resolution`].
    pub resolution: f64,
    /// The pair overlaps where its gap is no more than this [m].
    pub level: f64,
}

/// Result for a pair along its path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GapAdvance {
    /// No sample overlaps: any overlap is shorter than the resolution.
    Clear,
    /// The pair overlaps.
    Overlap {
        /// The last sample that does not overlap [s].
        before: f64,
        /// The first sample that does [s].
        t: f64,
    },
    /// The samples ran out, or are too dense for the digits of time.
    Limited {
        /// The last sample, which does not overlap [s].
        t: f64,
    },
}

/// Returns where a pair first overlaps along its path, by conservative advancement of its gap function.
///
/// Computes: the first sample at which the gap is no more than [`GapPath::level`], after the start.
/// Method: from a gap of `g` a pair cannot touch before it has moved by `g`: steps of the gap, or of the resolution where that is more, over the speed. So an
///   overlap over a displacement longer than the resolution is never passed by.
/// Tolerance: the overlap begins between `before` and `t`, which are one step apart.
/// Cost: 4096 gaps at most; no allocation.
/// Fails: with the error of the gap function.
///
/// ```
/// use zerogap_proximity::motion::{GapAdvance, GapPath, first_overlap, path_resolution};
///
/// // A ball of 1 mm at 1000 m/s that is thrown at a sheet of 0.1 mm, 5 m away.
/// let gap = |t: f64| Ok::<_, std::convert::Infallible>((5.0 - 1000.0 * t).abs() - 0.55e-3);
/// let resolution = path_resolution(0.55e-3, 0.5e-3);
/// let path = GapPath { from: 0.0, to: 0.01, start_gap: gap(0.0)?, speed: 1500.0, resolution, level: 0.0 };
/// let GapAdvance::Overlap { before, t } = first_overlap(&path, gap)? else { panic!("it was hit") };
/// assert!(before < 4.99945e-3 && 4.99945e-3 <= t);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
pub fn first_overlap<E>(path: &GapPath, gap_at: impl FnMut(f64) -> Result<f64, E>) -> Result<GapAdvance, E> {
    let mut pair = Sampled { path, gap_at };
    let found = advance_freely(&mut pair, (path.from, path.to), MAX_SAMPLES, &mut 0)?;
    Ok(match found {
        Advanced::Clear | Advanced::Released { .. } => GapAdvance::Clear,
        Advanced::Near { t, before, sample } if sample <= path.level && t > path.from => {
            GapAdvance::Overlap { before, t }
        }
        Advanced::Near { t, .. } | Advanced::Limited { t, .. } => GapAdvance::Limited { t },
    })
}

/// A pair of which the gap is known at any time, and how fast it falls at most.
struct Sampled<'a, F> {
    path: &'a GapPath,
    gap_at: F,
}

impl<E, F: FnMut(f64) -> Result<f64, E>> Approach for Sampled<'_, F> {
    type Sample = f64;
    type Error = E;

    fn sample(&mut self, t: f64) -> Result<f64, E> {
        if t > self.path.from { (self.gap_at)(t) } else { Ok(self.path.start_gap) }
    }

    fn verdict(&self, t: f64, gap: &f64) -> Verdict {
        if *gap <= self.path.level && t > self.path.from { Verdict::Near } else { Verdict::Apart }
    }

    fn free_step(&mut self, _: f64, gap: &f64) -> f64 {
        gap.max(self.path.resolution) / self.path.speed
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    const PATH: GapPath =
        GapPath { from: 2.0, to: 3.0, start_gap: 0.5, speed: 1.0, resolution: 1e-3, level: 0.0 };

    fn overlap(path: &GapPath, gap: impl Fn(f64) -> f64) -> GapAdvance {
        let Ok(found) = first_overlap(path, |t| Ok::<f64, Infallible>(gap(t)));
        found
    }

    #[test]
    fn an_overlap_lies_within_the_bracket_that_is_returned() {
        for speed in [1.0, 1.5, 7.0] {
            let path = GapPath { speed, ..PATH };
            let found = overlap(&path, |t| 0.5 - (t - 2.0));
            let GapAdvance::Overlap { before, t } = found else { panic!("{speed}: {found:?}") };
            assert!(before <= 2.5 && (2.5..=2.501).contains(&t), "{speed}: {before} {t}");
        }
    }

    #[test]
    fn an_overlap_longer_than_the_resolution_is_never_passed_by() {
        for k in 0..997 {
            let at = 2.2 + 7e-4 * f64::from(k);
            let gap = |t: f64| (t - at).abs() - 5.1e-4;
            let path = GapPath { start_gap: gap(2.0), ..PATH };
            let found = overlap(&path, gap);
            let GapAdvance::Overlap { before, t } = found else { panic!("{at}: {found:?}") };
            assert!(before <= at - 5.1e-4 && (t - at).abs() <= 5.1e-4, "{at}: {before} {t}");
        }
    }

    #[test]
    fn an_overlap_at_the_start_does_not_count_until_the_next_sample() {
        // Out of the overlap at once.
        let path = GapPath { start_gap: -1e-4, ..PATH };
        assert_eq!(overlap(&path, |t| t - 2.0 - 1e-4), GapAdvance::Clear);
        // Deeper and deeper.
        let found = overlap(&path, |t| 2.0 - t - 1e-4);
        assert!(matches!(found, GapAdvance::Overlap { before: 2.0, .. }), "{found:?}");
    }

    #[test]
    fn the_level_says_whether_touching_is_an_overlap() {
        let touching = |t: f64| (2.5 - t).max(0.0);
        assert!(matches!(overlap(&PATH, touching), GapAdvance::Overlap { .. }));
        let path = GapPath { level: -f64::MIN_POSITIVE, ..PATH };
        assert_eq!(overlap(&path, touching), GapAdvance::Clear);
    }

    #[test]
    fn a_pair_that_stays_near_ends_with_the_samples() {
        let path = GapPath { resolution: 1e-9, ..PATH };
        let found = overlap(&path, |_| 1e-9);
        assert!(matches!(found, GapAdvance::Limited { t } if t < 3.0), "{found:?}");
        // Steps that time has no digits for.
        let path = GapPath { resolution: 1e-30, ..PATH };
        assert!(matches!(overlap(&path, |_| 1e-30), GapAdvance::Limited { .. }));
    }

    #[test]
    fn a_gap_that_cannot_be_found_ends_the_advance_with_its_error() {
        assert_eq!(first_overlap(&PATH, |_| Err("no gap")), Err("no gap"));
    }
}
