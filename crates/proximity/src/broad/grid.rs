//! Overlapping boxes by a hierarchical hash grid (Overmars 1992; coherence after Mirtich 1996).
//!
//! In: boxes by slot, all of them or those that changed. Out: pairs, each once; the same for any number of threads, and in an order that depends on the calls alone.
//!
//! Each box is stored on the level whose cells are just smaller than it, in the one cell that contains its lower corner. A box that overlaps it finds it by searching the
//! cells that it overlaps itself and two more below along each axis, five at most. Pairs of different levels are found from the smaller box, which searches its own level and all
//! coarser ones in use; only a box that has moved also searches for smaller ones, down through the cells that are marked to hold some. Differs from Overmars and Mirtich, who
//! put a box into every cell that it overlaps, up to eight: with the cells of a block in one word, searching more cells is cheaper than keeping more
//! entries, and no pair is found twice.
//!
//! `cells` numbers cells and groups them into blocks, `levels` assigns boxes to levels, `table` holds the boxes of each cell, `below` marks where smaller boxes are.

mod below;
mod cells;
mod levels;
mod order;
mod table;

use rayon::prelude::*;
use zerogap_core::Aabb;

use self::below::Below;
use self::cells::{Cell, LOWEST, ancestor, cell_of, corners, for_each_block, lower_corner, reach};
use self::levels::Levels;
use self::order::Order;
use self::table::Table;
use super::backend::{Backend, Change, PairKey, pair_key};
use zerogap_core::threads::in_pool;

/// So many boxes may be kept aside before a rebuild.
const MAX_ASIDE: usize = 16;

/// So many boxes are searched by one thread at a time.
const CHUNK: usize = 8192;

/// Up to so many chunks are not worth waking other threads.
const FEW_CHUNKS: usize = 3;

/// Finds overlapping boxes by hash grids of several cell sizes.
///
/// Cost: O(n levels) to take up n boxes, O(levels) for each one that changed plus what it overlaps, where boxes of like size overlap few others. No allocation after the
/// largest scene has been seen.
/// Tolerance: none; every decision is a comparison of coordinates as given.
#[derive(Debug, Default)]
pub(super) struct Grid {
    levels: Levels,
    table: Table,
    below: Below,
    /// Boxes that are larger than all cells; they are tested against all.
    aside: Vec<u32>,
    /// Number of boxes in cells.
    live: usize,
    /// For each slot, where it may stand in the list of changes.
    change_of: Vec<u32>,
    /// Cells to descend into: level and cell.
    stack: Vec<(i32, Cell)>,
    /// The order in which all boxes are visited.
    order: Order,
    /// The order in which changes are visited.
    turns: Order,
    /// Pairs found by each thread.
    parts: Vec<Vec<PairKey>>,
}

impl Grid {
    /// Puts all boxes into cells.
    fn take_up(&mut self, boxes: &[Aabb]) {
        self.levels.choose(boxes);
        self.below.invalidate();
        self.aside.clear();
        self.table.reset(boxes.len(), boxes.len());
        self.live = 0;
        let mut order = std::mem::take(&mut self.order);
        for &slot in order.arrange(self.levels.ceiling().max(LOWEST), boxes.iter()) {
            let aabb = &boxes[slot as usize];
            if !aabb.is_empty() {
                self.put_in(slot, aabb, None);
            }
        }
        self.order = order;
    }

    /// Puts a box in that is not in; `before` is where it was.
    fn put_in(&mut self, slot: u32, aabb: &Aabb, before: Option<(i32, Cell)>) {
        let Some(level) = self.levels.of(aabb) else { return self.aside.push(slot) };
        let cell = lower_corner(aabb, level);
        self.table.insert(slot, aabb, level, cell);
        self.levels.enter(level);
        self.live += 1;
        if self.below.is_ready() {
            self.below.mark(level, cell, self.levels.ceiling(), before);
        }
    }

    /// Takes a box out that is in.
    fn take_out(&mut self, slot: u32) {
        if let Some(level) = self.table.level(slot) {
            self.table.remove(slot);
            self.levels.leave(level);
            self.live -= 1;
        } else if let Some(at) = self.aside.iter().position(|&other| other == slot) {
            self.aside.remove(at);
        }
    }

    /// The level and cell of a box that is not kept aside.
    #[inline]
    fn place(&self, aabb: &Aabb) -> Option<(i32, Cell)> {
        self.levels.of(aabb).map(|level| (level, lower_corner(aabb, level)))
    }

    /// Visits the boxes of a level in some cells of a block that overlap a box.
    #[inline]
    fn visit_block(
        &self,
        aabb: &Aabb,
        level: i32,
        (block, wanted): (Cell, u64),
        visit: &mut impl FnMut(u32),
    ) {
        let word = self.table.word(level, block);
        let mut hits = self.table.occupied(word) & wanted;
        while hits != 0 {
            let bit = hits.trailing_zeros();
            hits &= hits - 1;
            for (slot, other_level, other) in self.table.members((word, bit)) {
                // Boxes of other blocks with the same word are found from their own.
                if aabb.overlaps(other)
                    && other_level == level
                    && lower_corner(other, level) == cell_of(block, bit)
                {
                    visit(slot);
                }
            }
        }
    }

    /// Visits the boxes of its level, itself included, and of coarser ones that overlap a box, with whether they are of its level.
    #[inline]
    fn visit_coarser(&self, aabb: &Aabb, level: i32, mut visit: impl FnMut(u32, bool)) {
        let (low, high) = corners(aabb, level);
        for &coarser in self.levels.used().iter().rev().take_while(|&&used| used >= level) {
            let up = coarser - level;
            let range = reach(ancestor(low, up), ancestor(high, up));
            for_each_block(range, |block, wanted| {
                self.visit_block(aabb, coarser, (block, wanted), &mut |slot| visit(slot, up == 0));
            });
        }
    }

    /// Visits the boxes of finer levels that overlap a box.
    fn visit_finer(&self, aabb: &Aabb, level: i32, stack: &mut Vec<(i32, Cell)>, mut visit: impl FnMut(u32)) {
        let Some(&finest) = self.levels.used().first().filter(|&&finest| finest < level) else { return };
        // Into the marked cells of its own level, from there to the eight cells within each.
        let (low, high) = corners(aabb, level - 1);
        let (low, high) = reach(low, high);
        for_each_block((ancestor(low, 1), ancestor(high, 1)), |block, wanted| {
            push_marked(stack, &self.below, level, (block, wanted));
        });
        while let Some((above, cell)) = stack.pop() {
            let level = above - 1;
            let (low, high) = corners(aabb, level);
            let (low, high) = reach(low, high);
            let first: Cell = std::array::from_fn(|k| low[k].max(2 * cell[k]));
            let last: Cell = std::array::from_fn(|k| high[k].min(2 * cell[k] + 1));
            if (0..3).any(|k| first[k] > last[k]) {
                continue;
            }
            for_each_block((first, last), |block, wanted| {
                if self.levels.is_used(level) {
                    self.visit_block(aabb, level, (block, wanted), &mut visit);
                }
                if level > finest {
                    push_marked(stack, &self.below, level, (block, wanted));
                }
            });
        }
    }

    /// All pairs of the boxes from one place of the order on with those that [`Backend::rebuild`] finds from them.
    fn pairs_of_chunk(&self, boxes: &[Aabb], first: usize, found: &mut Vec<PairKey>) {
        for &slot in self.order.sorted().iter().skip(first).take(CHUNK) {
            let aabb = &boxes[slot as usize];
            if aabb.is_empty() {
                continue;
            }
            let level = self.table.level(slot);
            if let Some(level) = level {
                // Of two boxes of one level the later finds the pair.
                self.visit_coarser(aabb, level, |other, is_level| {
                    if !is_level || other < slot {
                        found.push(pair_key(slot, other));
                    }
                });
            }
            let aside = self.aside.iter().filter(|&&other| level.is_some() || other < slot);
            let large = aside.filter(|&&other| aabb.overlaps(&boxes[other as usize]));
            found.extend(large.map(|&other| pair_key(slot, other)));
        }
    }
}

/// Puts the marked ones of some cells of a block on the stack.
#[inline]
fn push_marked(stack: &mut Vec<(i32, Cell)>, below: &Below, level: i32, (block, wanted): (Cell, u64)) {
    let mut hits = below.marked(level, block) & wanted;
    while hits != 0 {
        stack.push((level, cell_of(block, hits.trailing_zeros())));
        hits &= hits - 1;
    }
}

impl Backend for Grid {
    fn rebuild(&mut self, boxes: &[Aabb], found: &mut Vec<PairKey>) {
        self.take_up(boxes);
        // Chunks are joined in their order, so that the number of threads does not show.
        let mut parts = std::mem::take(&mut self.parts);
        let chunks = boxes.len().div_ceil(CHUNK);
        if parts.len() < chunks {
            parts.resize_with(chunks, Vec::new);
        }
        let this = &*self;
        if chunks <= FEW_CHUNKS {
            (0..chunks).for_each(|chunk| this.pairs_of_chunk(boxes, chunk * CHUNK, found));
            self.parts = parts;
            return;
        }
        let shared = parts[..chunks].par_iter_mut().enumerate();
        in_pool(|| {
            shared.for_each(|(chunk, part)| {
                part.clear();
                this.pairs_of_chunk(boxes, chunk * CHUNK, part);
            });
        });
        parts[..chunks].iter().for_each(|part| found.extend_from_slice(part));
        self.parts = parts;
    }

    fn update(&mut self, boxes: &[Aabb], changes: &[Change], found: &mut Vec<PairKey>) {
        self.table.grow(boxes.len());
        self.change_of.resize(boxes.len().max(self.change_of.len()), 0);
        // Move what has left its cell.
        for (at, change) in changes.iter().enumerate() {
            self.change_of[change.slot as usize] = at as u32;
            let after = change.after.filter(|aabb| !aabb.is_empty());
            let place = after.and_then(|aabb| self.place(&aabb));
            let stays = place.is_some_and(|(level, cell)| self.table.is_at(change.slot, level, cell));
            let before = change.before.filter(|aabb| !aabb.is_empty()).and_then(|aabb| self.place(&aabb));
            if stays && before == place {
                if let Some(aabb) = after {
                    self.table.change(change.slot, &aabb);
                }
                continue;
            }
            self.take_out(change.slot);
            if let Some(aabb) = after {
                self.put_in(change.slot, &aabb, before);
            }
        }
        if self.live > self.table.capacity() || self.aside.len() > MAX_ASIDE {
            self.take_up(boxes);
        }
        let finest = self.levels.used().first().copied();
        let is_among_finer = |slot: u32| self.table.level(slot).is_some_and(|level| finest < Some(level));
        if changes.iter().any(|change| is_among_finer(change.slot)) {
            let (table, ceiling) = (&self.table, self.levels.ceiling());
            self.below.ensure(ceiling, self.live, || {
                let levels = (0..boxes.len() as u32).filter_map(|slot| Some((slot, table.level(slot)?)));
                levels.map(|(slot, level)| (level, lower_corner(&boxes[slot as usize], level)))
            });
        }
        let mut stack = std::mem::take(&mut self.stack);
        let mut turns = std::mem::take(&mut self.turns);
        let this = &*self;
        // The change of a slot, if it has changed.
        let change_of = |slot: u32| {
            changes.get(this.change_of[slot as usize] as usize).filter(|change| change.slot == slot)
        };
        let boxes_now = changes.iter().map(|change| &boxes[change.slot as usize]);
        for &at in turns.arrange(this.levels.ceiling().max(LOWEST), boxes_now) {
            let change = &changes[at as usize];
            let (slot, Some(aabb)) = (change.slot, change.after) else { continue };
            // A pair that overlapped before is known.
            let mut report = |other: u32| {
                let others = change_of(other).map_or(Some(boxes[other as usize]), |other| other.before);
                let is_known = change.before.zip(others).is_some_and(|(one, other)| one.overlaps(&other));
                if !is_known {
                    found.push(pair_key(slot, other));
                }
            };
            // Of two boxes that both changed, the smaller finds the pair, of one level the later.
            if let Some(level) = this.table.level(slot) {
                this.visit_coarser(&aabb, level, |other, is_level| {
                    if !is_level || other < slot || (other > slot && change_of(other).is_none()) {
                        report(other);
                    }
                });
                this.visit_finer(&aabb, level, &mut stack, |other| {
                    if change_of(other).is_none() {
                        report(other);
                    }
                });
                for &other in &this.aside {
                    if aabb.overlaps(&boxes[other as usize]) {
                        report(other);
                    }
                }
            } else {
                for (other, near) in boxes.iter().enumerate().filter(|(_, other)| aabb.overlaps(other)) {
                    let other = other as u32;
                    let is_aside = this.table.level(other).is_none();
                    if change_of(other).is_none() || (is_aside && other < slot && !near.is_empty()) {
                        report(other);
                    }
                }
            }
        }
        self.stack = stack;
        self.turns = turns;
    }

    fn check(&self, boxes: &[Aabb]) -> Result<(), String> {
        self.table.check(boxes)?;
        let mut live = 0;
        let mut counts = std::collections::BTreeMap::<i32, usize>::new();
        for (slot, aabb) in boxes.iter().enumerate() {
            let is_aside = self.aside.contains(&(slot as u32));
            let place = if aabb.is_empty() { None } else { self.place(aabb) };
            let Some((level, cell)) = place else {
                // Empty slots are nowhere, large boxes aside.
                if is_aside == aabb.is_empty() || self.table.level(slot as u32).is_some() {
                    return Err(format!("slot {slot} is not where large and empty boxes are"));
                }
                continue;
            };
            live += 1;
            *counts.entry(level).or_default() += 1;
            if is_aside || !self.table.is_at(slot as u32, level, cell) {
                return Err(format!("slot {slot} is not in its cell"));
            }
            if self.below.is_ready() && !self.below.covers(level, cell, self.levels.ceiling()) {
                return Err(format!("slot {slot} is not marked above"));
            }
        }
        let is_counted = live == self.live && counts.keys().eq(self.levels.used());
        if is_counted { Ok(()) } else { Err("the boxes of the levels are miscounted".to_owned()) }
    }

    fn memory(&self) -> usize {
        let parts: usize = self.parts.iter().map(|part| part.capacity() * size_of::<PairKey>()).sum();
        parts
            + self.levels.memory()
            + self.table.memory()
            + self.below.memory()
            + self.order.memory()
            + self.turns.memory()
            + (self.aside.capacity() + self.change_of.capacity()) * size_of::<u32>()
            + self.stack.capacity() * size_of::<(i32, Cell)>()
    }
}

#[cfg(test)]
#[path = "tests_grid.rs"]
mod tests_grid;
