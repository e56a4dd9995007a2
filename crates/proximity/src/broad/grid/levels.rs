//! The level of each box, and which levels are in use.
//!
//! In: boxes. Out: the level of a box; the levels that hold boxes, ascending. Settings for the scene as a whole are chosen at a rebuild
//! and stay until the next one.

use zerogap_core::Aabb;

use super::cells::{HIGHEST, LOWEST, exponent, natural_level};

/// So many of the largest boxes of a scene may be kept aside, where all others are tested against them: a level costs as much as a few boxes.
const FEW: u32 = 8;

/// How much finer than the mean distance of boxes the cells of points are, in levels.
const FINER_THAN_SPACING: i32 = 2;

/// The levels of a scene.
#[derive(Debug)]
pub(super) struct Levels {
    /// The level of boxes of no size.
    bottom: i32,
    /// Boxes above this level are kept aside.
    ceiling: i32,
    /// Number of boxes on each level, from the lowest.
    counts: Vec<u32>,
    /// The levels that hold boxes, ascending.
    used: Vec<i32>,
}

impl Default for Levels {
    fn default() -> Self {
        let counts = vec![0; (HIGHEST - LOWEST + 1) as usize];
        Self { bottom: LOWEST, ceiling: LOWEST - 1, counts, used: Vec::new() }
    }
}

impl Levels {
    /// Chooses for a scene; no level is in use after it.
    pub(super) fn choose(&mut self, boxes: &[Aabb]) {
        self.counts.fill(0);
        self.used.clear();
        let live = || boxes.iter().filter(|aabb| !aabb.is_empty());
        let mut all = Aabb::empty();
        let (mut count, mut points) = (0_u32, 0_u32);
        for aabb in live() {
            all = all.union(aabb);
            count += 1;
            match natural_level(aabb) {
                (_, true) => points += 1,
                (level, false) => self.counts[(level - LOWEST) as usize] += 1,
            }
        }
        // Points are stored in cells finer than the distance between boxes, or on the level of the smallest boxes.
        if points > 0 {
            let spacing = exponent(all.size().max()) - count.ilog2().cast_signed() / 3;
            let smallest = self.counts.iter().position(|&count| count > 0);
            let smallest = smallest.map_or(HIGHEST, |level| LOWEST.saturating_add_unsigned(level as u32));
            self.bottom = (spacing - FINER_THAN_SPACING).min(smallest).max(LOWEST);
            for (level, _) in live().map(natural_level).filter(|(_, is_point)| *is_point) {
                self.counts[(level.max(self.bottom) - LOWEST) as usize] += 1;
            }
        }
        // The few largest are kept aside.
        let mut above = 0;
        let full = self.counts.iter().rposition(|&count| {
            above += count;
            above > FEW
        });
        self.ceiling = full.map_or(LOWEST - 1, |level| LOWEST.saturating_add_unsigned(level as u32));
        self.counts.fill(0);
    }

    /// The level of a box that is not empty; none when it is kept aside.
    #[inline]
    pub(super) fn of(&self, aabb: &Aabb) -> Option<i32> {
        let (natural, is_point) = natural_level(aabb);
        let level = if is_point { natural.max(self.bottom) } else { natural };
        (level <= self.ceiling).then_some(level)
    }

    /// The highest level a box can be on.
    pub(super) fn ceiling(&self) -> i32 {
        self.ceiling
    }

    /// The levels that hold boxes, ascending.
    #[inline]
    pub(super) fn used(&self) -> &[i32] {
        &self.used
    }

    /// Whether a level holds boxes.
    #[inline]
    pub(super) fn is_used(&self, level: i32) -> bool {
        self.counts[(level - LOWEST) as usize] > 0
    }

    /// Counts a box in.
    pub(super) fn enter(&mut self, level: i32) {
        let count = &mut self.counts[(level - LOWEST) as usize];
        *count += 1;
        if *count == 1 {
            let at = self.used.partition_point(|&other| other < level);
            self.used.insert(at, level);
        }
    }

    /// Counts a box out.
    pub(super) fn leave(&mut self, level: i32) {
        let count = &mut self.counts[(level - LOWEST) as usize];
        debug_assert!(*count > 0, "a box leaves a level that it is on");
        *count -= 1;
        if *count == 0 {
            self.used.retain(|&other| other != level);
        }
    }

    /// Returns the memory in use [B].
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.counts.as_slice()) + self.used.capacity() * size_of::<i32>()
    }
}
