//! Where smaller boxes are: the cells of every level that hold the lower corner of a box of a finer level.
//!
//! In: boxes with their cells. Out: which cells of a block to search during the descent from a large box. Marks are bits under a hash: one that is set without need
//! (blocks that share a word, boxes that have left) costs one access and no more; they are set again when too many are. Only boxes that move among
//! smaller ones need them, so they are not made until then.

use super::cells::{Cell, ancestor, bit, block, hash};

/// At most one in this many bits may be set: a needless mark leads to eight cells, of which then less than one is marked needlessly.
const SPARSITY: usize = 16;

/// Marked cells.
#[derive(Debug, Default)]
pub(super) struct Below {
    words: Vec<u64>,
    shift: u32,
    /// Number of bits set.
    set: usize,
    is_ready: bool,
}

impl Below {
    /// Forgets all marks.
    pub(super) fn invalidate(&mut self) {
        self.is_ready = false;
    }

    /// Whether there are marks to keep up.
    pub(super) fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Sees to it that the marks are there and few enough; `boxes` gives the level and cell of each box.
    pub(super) fn ensure<I: Iterator<Item = (i32, Cell)>>(
        &mut self,
        ceiling: i32,
        live: usize,
        boxes: impl Fn() -> I,
    ) {
        if self.is_ready && self.is_sparse() {
            return;
        }
        let mut bits = live.max(64).next_power_of_two().trailing_zeros();
        loop {
            self.words.clear();
            self.words.resize(1 << bits, 0);
            self.shift = 64 - bits;
            self.set = 0;
            boxes().for_each(|(level, cell)| self.mark(level, cell, ceiling, None));
            // Half of what is allowed is left for boxes that move.
            if 2 * self.set * SPARSITY <= self.words.len() * 64 {
                break;
            }
            bits += 1;
        }
        self.is_ready = true;
    }

    fn is_sparse(&self) -> bool {
        self.set * SPARSITY <= self.words.len() * 64
    }

    /// Marks the cells of all levels above a box, up to those that it shares with the cell that it was in before.
    #[inline]
    pub(super) fn mark(&mut self, level: i32, cell: Cell, ceiling: i32, before: Option<(i32, Cell)>) {
        for above in level + 1..=ceiling {
            let marked = ancestor(cell, above - level);
            if before.is_some_and(|(old, cell)| old < above && ancestor(cell, above - old) == marked) {
                return;
            }
            let word = &mut self.words[(hash(above, block(marked)) >> self.shift) as usize];
            let mask = 1 << bit(marked);
            self.set += usize::from(*word & mask == 0);
            *word |= mask;
        }
    }

    /// The marked cells of a block.
    #[inline]
    pub(super) fn marked(&self, level: i32, block: Cell) -> u64 {
        self.words[(hash(level, block) >> self.shift) as usize]
    }

    /// Whether the cells above a box are marked.
    pub(super) fn covers(&self, level: i32, cell: Cell, ceiling: i32) -> bool {
        (level + 1..=ceiling).all(|above| {
            let marked = ancestor(cell, above - level);
            self.marked(above, block(marked)) >> bit(marked) & 1 == 1
        })
    }

    /// Returns the memory in use [B].
    pub(super) fn memory(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }
}
