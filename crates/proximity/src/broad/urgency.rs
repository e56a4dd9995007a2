//! Pairs in the order in which they can touch first.

use super::backend::pair_key;
use super::names::{BoxId, BoxPair};
use super::phase::BroadPhase;

/// A pair, and the earliest time at which it can touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UrgentPair {
    /// No earlier than this from now [s]; infinite for two boxes that do not move.
    pub time: f64,
    /// The pair.
    pub pair: BoxPair,
}

impl BroadPhase {
    /// The pairs of the last update with a lower bound of their time to impact, the most urgent first, then by names.
    ///
    /// `speed` is the maximum speed of any point in a box [m/s]. The time is the distance of the two boxes as they were given, over the sum of the speeds: 0 for boxes
    /// that overlap. For boxes of an instant and a margin that covers the displacement of a step; pairs farther apart than the margin are not listed.
    pub fn by_urgency(&self, speed: impl Fn(BoxId) -> f64, urgent: &mut Vec<UrgentPair>) {
        urgent.clear();
        urgent.extend(self.pairs().iter().map(|&pair| {
            let distance = self.distance(pair);
            let speeds = speed(pair.a) + speed(pair.b);
            let time = if distance <= 0.0 { 0.0 } else { distance / speeds.max(0.0) };
            UrgentPair { time, pair }
        }));
        let key = |urgent: &UrgentPair| pair_key(urgent.pair.a.0, urgent.pair.b.0);
        urgent.sort_unstable_by(|p, q| p.time.total_cmp(&q.time).then_with(|| key(p).cmp(&key(q))));
    }
}
