//! When pairs that stick break away: how much of their friction they use, and how far that may grow before the exact law must be asked again.
//!
//! In: the forces of the frozen modes. Out: for each pair a function that falls through zero where it has to be settled anew, and the limit that it has until then.
//!
//! Rigid bodies leave open how friction is distributed over the points of a pair. The function takes one distribution, which holds the force and the torque of the pair with its loads; the exact law is free to
//! choose and holds at least as much. So it is evaluated no later than it slips, and a pair that it lets stick beyond the function's limit gets a larger one, as far as the exact law vouches for: when it
//! is asked depends on the function, its answer does not.

use std::collections::BTreeMap;

use zerogap_core::Vec3;

use super::constraints::ConstrainedPoint;
use crate::world::method::events::discrete::Mode;
use crate::world::shapes::PairId;

/// Pairs break away when they ask for this much more friction than there is, at least [-]: less is rounding of the solver, whose accelerations have a residual of 1e-12 of the largest.
const MIN_TOLERANCE: f64 = 1e-8;

/// Pairs beyond their limit are asked again at the latest when they need this much more friction [-].
const MAX_HEADROOM: f64 = 0.02;

/// The part of the headroom that is used before the exact law is asked again [-]: as force and torque change further they change their direction too, for which it did not vouch.
pub(super) const USED: f64 = 0.25;

/// How closely the headroom is found, against itself [-].
const RESOLUTION: f64 = 0.1;

/// By how much more than their friction pairs may ask for before they break away, at a relative tolerance of the run [-].
pub(crate) fn tolerance(relative: f64) -> f64 {
    relative.clamp(MIN_TOLERANCE, MAX_HEADROOM)
}

/// Friction of the points of a pair that stick, together.
struct Usage {
    /// What sticking takes [N].
    asked: f64,
    /// What there is [N].
    available: f64,
    /// The fraction of it up to which they stick [-].
    limit: f64,
}

impl Usage {
    /// None where no point of the pair sticks.
    fn of(pair: PairId, points: &[ConstrainedPoint]) -> Option<Self> {
        let sticking = || {
            let limit = |constrained: &ConstrainedPoint| match constrained.mode {
                Mode::Stick(limit) => Some(limit),
                _ => None,
            };
            let of_pair = points.iter().filter(move |constrained| constrained.point.pair == pair);
            of_pair.filter_map(move |constrained| limit(constrained).map(|limit| (constrained, limit)))
        };
        let (mut load, mut center, mut force) = (0.0, Vec3::zeros(), Vec3::zeros());
        for (constrained, _) in sticking() {
            load += constrained.normal_force;
            center += constrained.point.at * constrained.normal_force;
            force += constrained.friction_force;
        }
        let (last, limit) = sticking().next_back()?;
        let available = last.friction * load;
        if load <= 0.0 {
            return Some(Self { asked: force.norm(), available, limit });
        }
        // Forces per load that grow in proportion to the distance from the centre of the loads: their sum is the force, their moment about the normal the torque.
        center /= load;
        let normal = last.point.contact.normal;
        let arm = |constrained: &ConstrainedPoint| {
            let arm = constrained.point.at - center;
            arm - normal * normal.dot(&arm)
        };
        let torque: f64 = sticking()
            .map(|(constrained, _)| normal.dot(&arm(constrained).cross(&constrained.friction_force)))
            .sum();
        let spread: f64 = sticking()
            .map(|(constrained, _)| arm(constrained).norm_squared() * constrained.normal_force)
            .sum();
        let twist = if spread > 0.0 { torque / spread } else { 0.0 };
        let at =
            |constrained: &ConstrainedPoint| (force / load + normal.cross(&arm(constrained)) * twist).norm();
        let most = sticking().map(|(constrained, _)| at(constrained)).fold(0.0, f64::max);
        Some(Self { asked: most * load, available, limit })
    }
}

/// Friction left to the points of a pair that stick, together [N].
pub(crate) fn friction_left(pair: PairId, points: &[ConstrainedPoint]) -> f64 {
    Usage::of(pair, points).map_or(1.0, |usage| usage.available * usage.limit - usage.asked)
}

/// The pairs that stick although they are beyond their limit, with the fraction of their friction that they use [-]; infinite where there is none.
pub(super) fn beyond_limit(
    pairs: impl Iterator<Item = PairId>,
    points: &[ConstrainedPoint],
) -> BTreeMap<PairId, f64> {
    let used = |pair| {
        let usage = Usage::of(pair, points)?;
        let used = if usage.available > 0.0 { usage.asked / usage.available } else { f64::INFINITY };
        (usage.asked > usage.available * usage.limit).then_some((pair, used))
    };
    pairs.filter_map(used).collect()
}

/// How much less friction pairs could do with [-]: the largest value for which they hold, up to [`MAX_HEADROOM`], or nothing.
pub(super) fn headroom(tolerance: f64, mut holds: impl FnMut(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, MAX_HEADROOM);
    if holds(high) {
        return high;
    }
    while high - low > tolerance.max(RESOLUTION * low) {
        let middle = 0.5 * (low + high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headroom_comes_close_to_the_limit_without_passing_it() {
        for limit in [0.0, 1e-7, 3e-5, 0.0123, 0.5] {
            let mut asked = 0;
            let found = headroom(1e-8, |less| {
                asked += 1;
                less <= limit
            });
            let most = f64::min(limit, MAX_HEADROOM);
            assert!(found <= most && most - found <= f64::max(1e-8, 0.2 * most), "{limit}: {found}");
            assert!(asked <= 25);
        }
    }
}
