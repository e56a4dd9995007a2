//! Coordinate sorting (sweep and prune): the end points of all boxes, sorted along three axes and kept so from step to step.
//!
//! In: boxes by slot and what changed. Out: the pairs that overlap, or newly do; none that does not, some maybe more than once. The arrays hold whole
//! coordinates in a total order (see `axis`), so the outcome depends on the boxes alone.
//!
//! Few small motions: each end point is shifted past those between its old place and its new one; a max that passes a min upwards, or a min that passes a max downwards,
//! makes two boxes overlap along that axis, and the boxes decide about the other two. All else (many changes, far jumps, the start): the changed end points are
//! taken out, sorted and merged in again in one pass, and the changed boxes are paired with all by sweeping columns (see `columns`). Which of
//! the two costs less is estimated from a sample of the changes.

mod axis;
mod columns;
#[cfg(test)]
mod tests;

use zerogap_core::Aabb;

use super::backend::{Backend, Change, PairKey, pair_key};
use axis::{Axis, EndPoint};
use columns::{Columns, Spans};

/// Changes sampled to estimate how far end points move [-].
const SAMPLE: usize = 16;

/// What finding one end point costs (measured) [ns].
const SEARCH_COST: usize = 180;

/// What passing one end point costs while the boxes fit into the cache, and beyond (measured) [ns].
const PASS_COST: [usize; 2] = [2, 10];

/// How many boxes fit into the cache: 12 MiB of boxes [-].
const CACHED: usize = 1 << 18;

/// What taking up changes in bulk costs for each box (measured) [ns].
const BULK_COST: usize = 120;

/// Up to this many new boxes are compared with all others directly: one pass over the boxes costs less than columns [-].
const FEW: usize = 4;

/// Sweep and prune with coherence.
///
/// Computes: all pairs (rebuild), or at least the new ones (update), of boxes that intersect. Method: Lennerz, Schoemer, Warken 1999; differs from it: no
/// table of positions and no pair counters, columns instead of one sweep, the axis of the fewest overlaps instead of the greatest variance.
/// Tolerance: none; coordinates are compared as they are.
/// Cost: update: O(changes (log n + end points passed)), at most O(n + changes log n + pairs of the changed boxes) for evenly spread boxes.
/// Fails: never, for up to 2^31 slots.
/// Order: of the pairs: a function of the boxes and changes alone.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    axes: [Axis; 3],
    is_marked: Vec<bool>,
    fresh: Vec<EndPoint>,
    spare: Vec<EndPoint>,
    spans: Vec<Spans>,
    columns: Columns,
    passed_slots: Vec<u32>,
}

impl Backend for Sweep {
    fn rebuild(&mut self, boxes: &[Aabb], found: &mut Vec<PairKey>) {
        for axis in &mut self.axes {
            axis.ends.clear();
        }
        let in_use = |slot: &u32| !boxes[*slot as usize].is_empty();
        self.take_up(boxes, &(0..boxes.len() as u32).filter(in_use));
        self.pair_marked(boxes, found);
    }

    fn update(&mut self, boxes: &[Aabb], changes: &[Change], found: &mut Vec<PairKey>) {
        let came = || changes.iter().filter(|c| c.before.is_none() && c.after.is_some());
        let is_moved = |c: &&Change| c.before.is_some() && c.after.is_some();
        let moved = || changes.iter().filter(is_moved);
        let moves = moved().count();

        if came().count() <= FEW && self.is_local(changes, moves) {
            // Inserted and removed boxes change the arrays in one pass.
            if moves < changes.len() {
                self.take_up(boxes, &changes.iter().filter(|c| !is_moved(c)).map(|c| c.slot));
            }
            pair_directly(boxes, came(), found);
            let budget = 2 * BULK_COST * boxes.len() / pass_cost(boxes.len());
            if self.shift(boxes, &moved(), budget, found) {
                return;
            }
        }
        // Whatever was shifted so far is removed again with the other changes.
        self.take_up(boxes, &changes.iter().map(|c| c.slot));
        self.pair_marked(boxes, found);
    }

    fn check(&self, boxes: &[Aabb]) -> Result<(), String> {
        let in_use: Vec<_> =
            (0..boxes.len() as u32).filter(|slot| !boxes[*slot as usize].is_empty()).collect();
        for (k, axis) in self.axes.iter().enumerate() {
            if let Some(i) = (1..axis.ends.len()).find(|&i| axis.ends[i - 1] >= axis.ends[i]) {
                return Err(format!("axis {k}: end points {} and {i} are out of order", i - 1));
            }
            if axis.ends.len() != 2 * in_use.len() {
                return Err(format!("axis {k}: {} end points of {} boxes", axis.ends.len(), in_use.len()));
            }
            let ends = |slot: &u32| EndPoint::of_box(*slot, &boxes[*slot as usize], k);
            let is_missing = |slot: &u32| ends(slot).iter().any(|e| axis.ends.binary_search(e).is_err());
            if let Some(slot) = in_use.iter().find(|slot| is_missing(slot)) {
                return Err(format!("axis {k}: an end point of slot {slot} is missing"));
            }
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        let ends: usize = self.axes.iter().map(|axis| axis.ends.capacity()).sum();
        (ends + self.fresh.capacity() + self.spare.capacity()) * size_of::<EndPoint>()
            + self.is_marked.capacity()
            + self.spans.capacity() * size_of::<Spans>()
            + self.columns.memory()
            + self.passed_slots.capacity() * size_of::<u32>()
    }
}

impl Sweep {
    /// Whether shifting end points one by one costs less than taking up all changes in bulk, judged by some of them.
    fn is_local(&self, changes: &[Change], moves: usize) -> bool {
        let boxes = self.axes[0].ends.len() / 2;
        let bulk = BULK_COST * boxes;
        if moves == 0 {
            return true;
        }
        if moves * 6 * SEARCH_COST > bulk {
            return false;
        }
        let mut passed = 0;
        let mut sampled = 0;
        for change in changes.iter().step_by(changes.len().div_ceil(SAMPLE)) {
            let (Some(before), Some(after)) = (change.before, change.after) else { continue };
            sampled += 1;
            for (k, axis) in self.axes.iter().enumerate() {
                let old = EndPoint::of_box(change.slot, &before, k);
                let new = EndPoint::of_box(change.slot, &after, k);
                passed += (0..2).map(|end| axis.rank(old[end]).abs_diff(axis.rank(new[end]))).sum::<usize>();
            }
        }
        let each = passed / sampled.max(1);
        moves * (6 * SEARCH_COST + each * pass_cost(boxes)) <= bulk
    }

    /// Shifts the end points of moved boxes and reports who newly overlaps; stops, and returns false, when that passes more end points than `budget` or finds one missing.
    fn shift<'a>(
        &mut self,
        boxes: &[Aabb],
        moved: &(impl Iterator<Item = &'a Change> + Clone),
        mut budget: usize,
        found: &mut Vec<PairKey>,
    ) -> bool {
        for (k, axis) in self.axes.iter_mut().enumerate() {
            for change in moved.clone() {
                let (Some(before), now) = (change.before, &boxes[change.slot as usize]) else { continue };
                let old = EndPoint::of_box(change.slot, &before, k);
                let new = EndPoint::of_box(change.slot, now, k);
                // However two boxes come to overlap along an axis, a max passes a min.
                for end in 0..2 {
                    if old[end] == new[end] {
                        continue;
                    }
                    let Some(plan) = axis.plan(old[end], new[end]) else { return false };
                    let Some(left) = budget.checked_sub(plan.passed.len()) else { return false };
                    budget = left;
                    if new[end].is_max() == (new[end] > old[end]) {
                        // Every other end point or so is of the opposite kind: which one is, no branch can foresee.
                        let passed = &axis.ends[plan.passed.clone()];
                        self.passed_slots.resize(self.passed_slots.len().max(passed.len()), 0);
                        let mut passed_slots = 0;
                        for e in passed {
                            self.passed_slots[passed_slots] = e.slot();
                            passed_slots += usize::from(e.is_max() != new[end].is_max());
                        }
                        let others =
                            self.passed_slots[..passed_slots].iter().filter(|slot| **slot != change.slot);
                        let overlapping = others.filter(|slot| now.overlaps(&boxes[**slot as usize]));
                        found.extend(overlapping.map(|slot| pair_key(*slot, change.slot)));
                    }
                    axis.apply(&plan);
                }
            }
        }
        true
    }

    /// Brings the end points of some slots, ascending, up to date in one pass, and leaves these slots marked.
    fn take_up(&mut self, boxes: &[Aabb], slots: &(impl Iterator<Item = u32> + Clone)) {
        // Slots beyond the boxes given are removed.
        let known = self.is_marked.len().max(boxes.len());
        self.is_marked.clear();
        self.is_marked.resize(known, false);
        self.is_marked[boxes.len()..].fill(true);
        for slot in slots.clone() {
            self.is_marked[slot as usize] = true;
        }
        for (k, axis) in self.axes.iter_mut().enumerate() {
            let in_use = slots.clone().filter(|slot| !boxes[*slot as usize].is_empty());
            self.fresh.clear();
            self.fresh.extend(in_use.flat_map(|slot| EndPoint::of_box(slot, &boxes[slot as usize], k)));
            axis::sort(&mut self.fresh, &mut self.spare);
            axis.merge(&self.is_marked, &self.fresh, &mut self.spare);
        }
    }

    /// Reports all pairs that have a marked slot.
    fn pair_marked(&mut self, boxes: &[Aabb], found: &mut Vec<PairKey>) {
        self.spans.resize(boxes.len(), Spans::default());
        for (k, axis) in self.axes.iter().enumerate() {
            for (place, end) in axis.ends.iter().enumerate() {
                self.spans[end.slot() as usize][k][usize::from(end.is_max())] = place as u32;
            }
        }

        // Along the axis on which boxes hold the fewest end points of others, the fewest pairs overlap.
        let mut overlaps = [0_u64; 3];
        for end in &self.axes[0].ends {
            let span = &self.spans[end.slot() as usize];
            (0..3).for_each(|k| overlaps[k] += u64::from(span[k][1] - span[k][0]));
        }
        let axis = (1..3).fold(0, |best, k| if overlaps[k] < overlaps[best] { k } else { best });

        let begins = self.axes[axis].ends.iter().filter(|end| !end.is_max());
        self.columns.find(axis, begins.map(|end| end.slot()), &self.spans, &self.is_marked, found);
    }
}

/// What passing one end point costs among so many boxes [ns].
fn pass_cost(boxes: usize) -> usize {
    PASS_COST[usize::from(boxes > CACHED)]
}

/// Compares a few new boxes with all.
fn pair_directly<'a>(boxes: &[Aabb], came: impl Iterator<Item = &'a Change>, found: &mut Vec<PairKey>) {
    for change in came {
        let now = &boxes[change.slot as usize];
        let others = (0..boxes.len() as u32).filter(|slot| *slot != change.slot);
        let overlapping = others.filter(|slot| now.overlaps(&boxes[*slot as usize]));
        found.extend(overlapping.map(|slot| pair_key(slot, change.slot)));
    }
}
