//! What the three methods have in common: they store boxes and return the overlapping pairs.

use zerogap_core::Aabb;

/// A pair of slots as one number, the smaller slot first: sorted numbers are sorted pairs.
pub(super) type PairKey = u64;

/// The pair of two different slots.
#[inline]
pub(super) fn pair_key(p: u32, q: u32) -> PairKey {
    (u64::from(p.min(q)) << 32) | u64::from(p.max(q))
}

/// The two slots of a pair.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each half is a slot")]
pub(super) fn slots(key: PairKey) -> (u32, u32) {
    ((key >> 32) as u32, key as u32)
}

/// A box that has changed since the last update; none before for one that was inserted, none after for one that was removed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) slot: u32,
    pub(super) before: Option<Aabb>,
    pub(super) after: Option<Aabb>,
}

/// A method to find overlapping boxes.
///
/// Boxes are given by slot: `boxes[slot]` is the box of a slot in use, and empty ([`Aabb::empty`]) for one that is not. They are finite, and their number of slots
/// may grow. Every pair of boxes that intersect, touching included, must be reported; more than once does no harm, a pair that does not overlap must not be.
pub(super) trait Backend: std::fmt::Debug + Send + Sync {
    /// Rebuilds from all boxes and reports all pairs.
    fn rebuild(&mut self, boxes: &[Aabb], found: &mut Vec<PairKey>);

    /// Follows changes, given in ascending order of their slots with `boxes` as they are now, and reports at least the pairs that overlap now and did not before.
    fn update(&mut self, boxes: &[Aabb], changes: &[Change], found: &mut Vec<PairKey>);

    /// Whether its own structures agree with the boxes; what is wrong otherwise. For tests.
    fn check(&self, boxes: &[Aabb]) -> Result<(), String>;

    /// Bytes it holds.
    fn memory(&self) -> usize;
}
