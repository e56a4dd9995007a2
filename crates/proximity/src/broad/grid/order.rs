//! An order in which boxes near each other come one after another, so that the data they read is still in the cache.
//!
//! In: boxes. Out: an order of them: along a Z-shaped curve (Morton 1966) through the blocks of coarse cells that hold their lower corners, ties as given. Only the last
//! bits of the numbers of blocks count, so that the curve repeats itself in a large scene, and a box far away from all others does no harm.

use zerogap_core::Aabb;

use super::cells::{Cell, block, lower_corner};

/// About so many boxes share a place on the curve.
const TOGETHER: usize = 8;

/// At most so many bits of the number of a block along each axis count.
const MAX_BITS: u32 = 7;

/// The last bits of the numbers of a block in turn.
#[inline]
fn along_curve(block: Cell, bits: u32) -> u32 {
    // Bits 0 to 9 to places 0, 3, 6, ...
    let spread = |i: i64| {
        let v = i as u32 & ((1 << bits) - 1);
        let v = (v | v << 16) & 0x0300_00ff;
        let v = (v | v << 8) & 0x0300_f00f;
        let v = (v | v << 4) & 0x030c_30c3;
        (v | v << 2) & 0x0924_9249
    };
    spread(block[0]) | spread(block[1]) << 1 | spread(block[2]) << 2
}

/// Items put in order; keeps its room.
#[derive(Debug, Default)]
pub(super) struct Order {
    keys: Vec<u32>,
    starts: Vec<u32>,
    sorted: Vec<u32>,
}

impl Order {
    /// Orders boxes by blocks of a level, in time proportional to their number; gives the places that they were given in.
    pub(super) fn arrange<'a>(
        &mut self,
        level: i32,
        boxes: impl ExactSizeIterator<Item = &'a Aabb>,
    ) -> &[u32] {
        let count = boxes.len();
        let blocks = boxes.map(|aabb| block(lower_corner(aabb, level)));
        let bits = (count / TOGETHER + 1).ilog2().div_ceil(3).min(MAX_BITS);
        self.keys.clear();
        self.keys.extend(blocks.map(|block| along_curve(block, bits)));
        // Count, sum up, place.
        self.starts.clear();
        self.starts.resize(1 << (3 * bits), 0);
        self.keys.iter().for_each(|&key| self.starts[key as usize] += 1);
        let mut sum = 0;
        for start in &mut self.starts {
            sum += std::mem::replace(start, sum);
        }
        self.sorted.clear();
        self.sorted.resize(self.keys.len(), 0);
        for (item, &key) in self.keys.iter().enumerate() {
            let start = &mut self.starts[key as usize];
            self.sorted[*start as usize] = item as u32;
            *start += 1;
        }
        &self.sorted
    }

    /// The order last made.
    pub(super) fn sorted(&self) -> &[u32] {
        &self.sorted
    }

    /// Returns the memory in use [B].
    pub(super) fn memory(&self) -> usize {
        (self.keys.capacity() + self.starts.capacity() + self.sorted.capacity()) * size_of::<u32>()
    }
}
