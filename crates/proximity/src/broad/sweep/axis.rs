//! The end points of all boxes along one axis, kept sorted.
//!
//! Order: by coordinate, a min before a max at the same one (so that touching boxes overlap), then by slot. It is total, so an end point is found again by halving
//! the array: no table of positions has to follow each swap, and a move is one shift of the end points between the old place and the new one.

use std::ops::Range;

use zerogap_core::Aabb;

/// The bit of a tag that distinguishes a max from a min; the others hold the slot.
const MAX_BIT: u32 = 1 << 31;

/// Bits of one pass of the radix sort: its counters fit the first level cache.
const DIGIT_BITS: u32 = 11;

/// Passes of the radix sort. The 33 bits that they cover distinguish nearly all coordinates; the few that remain equal are put in order by comparing.
const DIGITS: usize = 3;

/// Fewer end points than this are sorted by comparing: counters would cost more [-].
const RADIX_FROM: usize = 512;

/// One end of a box along an axis; compares in the order of the sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EndPoint {
    /// The coordinate, as a number that compares like it.
    key: u64,
    /// The slot, with `MAX_BIT` for the upper end.
    tag: u32,
}

impl EndPoint {
    /// The lower and the upper end of a box along axis `k`.
    #[inline]
    pub(super) fn of_box(slot: u32, aabb: &Aabb, k: usize) -> [Self; 2] {
        debug_assert!(slot < MAX_BIT, "slots leave one bit for the end");
        let min = Self { key: ordered_bits(aabb.min[k]), tag: slot };
        let max = Self { key: ordered_bits(aabb.max[k]), tag: slot | MAX_BIT };
        [min, max]
    }

    /// Whether it is the upper end.
    #[inline]
    pub(super) fn is_max(self) -> bool {
        self.tag & MAX_BIT != 0
    }

    /// The slot of its box.
    #[inline]
    pub(super) fn slot(self) -> u32 {
        self.tag & !MAX_BIT
    }
}

/// The bits of a finite number as an integer with the same order; both zeros give the same.
#[inline]
fn ordered_bits(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    let sign = 1 << 63;
    if bits & sign == 0 { bits | sign } else { !bits }
}

/// Target of an end point: what it passes, and on which side of it that lies.
#[derive(Debug, Clone)]
pub(super) struct Move {
    at: usize,
    to: EndPoint,
    /// The end points between the old place and the new one.
    pub(super) passed: Range<usize>,
}

/// The sorted end points of one axis.
#[derive(Debug, Default)]
pub(super) struct Axis {
    pub(super) ends: Vec<EndPoint>,
}

impl Axis {
    /// How many end points lie before this one.
    pub(super) fn rank(&self, end: EndPoint) -> usize {
        self.ends.partition_point(|e| *e < end)
    }

    /// Returns the target of an end point; none when it is not there.
    pub(super) fn plan(&self, from: EndPoint, to: EndPoint) -> Option<Move> {
        let at = self.ends.binary_search(&from).ok()?;
        // Small motions are the rule: search near the old place first, in steps that double.
        let passed = if to > from {
            let above = &self.ends[at + 1..];
            let reach = gallop(above.len(), |i| above[i] < to);
            at + 1..at + 1 + reach
        } else {
            let below = &self.ends[..at];
            let reach = gallop(at, |i| below[at - 1 - i] > to);
            at - reach..at
        };
        Some(Move { at, to, passed })
    }

    /// Carries out a move: what is passed makes room by one place.
    pub(super) fn apply(&mut self, plan: &Move) {
        let (from, to) = (plan.passed.start, plan.passed.end);
        let place = if from > plan.at {
            self.ends.copy_within(from..to, from - 1);
            to - 1
        } else {
            self.ends.copy_within(from..to, from + 1);
            from
        };
        self.ends[place] = plan.to;
    }

    /// Takes out the end points of all marked slots and takes in sorted new ones, in one pass.
    pub(super) fn merge(&mut self, is_marked: &[bool], fresh: &[EndPoint], spare: &mut Vec<EndPoint>) {
        spare.clear();
        spare.reserve(self.ends.len() + fresh.len());
        let mut next = 0;
        for end in &self.ends {
            if is_marked[end.slot() as usize] {
                continue;
            }
            while next < fresh.len() && fresh[next] < *end {
                spare.push(fresh[next]);
                next += 1;
            }
            spare.push(*end);
        }
        spare.extend_from_slice(&fresh[next..]);
        std::mem::swap(&mut self.ends, spare);
    }
}

/// The first of `0..len` for which `holds` fails (which it then does for all later ones), by steps that double and then halve.
fn gallop(len: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut step) = (0, 1);
    while low + step <= len && holds(low + step - 1) {
        low += step;
        step *= 2;
    }
    // All before `low` hold; the first that fails lies within one step.
    let mut high = len.min(low + step - 1);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Sorts end points; `spare` is room to work in.
///
/// Computes: the one ascending order, whatever the input's order.
/// Method: radix sort from the least significant digit on over the highest 33 bits that differ at all, then comparison within runs that are equal in these.
/// Cost: O(n) when few coordinates agree in 33 bits; O(n log n) at worst.
pub(super) fn sort(ends: &mut Vec<EndPoint>, spare: &mut Vec<EndPoint>) {
    if ends.len() < RADIX_FROM {
        ends.sort_unstable();
        return;
    }

    // Bits that all keys share decide nothing.
    let first = ends[0].key;
    let differing = ends.iter().fold(0, |bits, e| bits | (e.key ^ first));
    let width = u64::BITS - differing.leading_zeros();
    let shift = width.saturating_sub(DIGIT_BITS * DIGITS as u32);
    let mask = (1_u64 << DIGIT_BITS) - 1;
    let digit = |key: u64, pass: usize| ((key >> (shift + DIGIT_BITS * pass as u32)) & mask) as usize;

    spare.clear();
    spare.resize(ends.len(), EndPoint { key: 0, tag: 0 });
    for pass in 0..DIGITS {
        let mut places = [0_u32; 1 << DIGIT_BITS];
        for end in ends.iter() {
            places[digit(end.key, pass)] += 1;
        }
        // A digit that all share moves nothing.
        if places[digit(first, pass)] as usize == ends.len() {
            continue;
        }
        let mut sum = 0;
        for place in &mut places {
            let count = *place;
            *place = sum;
            sum += count;
        }
        for end in ends.iter() {
            let place = &mut places[digit(end.key, pass)];
            spare[*place as usize] = *end;
            *place += 1;
        }
        std::mem::swap(ends, spare);
    }

    // Runs that agree in all digits are short, or equal and in order already.
    for run in ends.chunk_by_mut(|a, b| (a.key ^ b.key) >> shift == 0) {
        if run.len() > 1 {
            run.sort_unstable();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_order_as_bits() {
        let ascending = [-1e300, -1.5, -1.0, -5e-324, 0.0, 5e-324, 1.0, 1e15, 1e300];
        assert!(ascending.windows(2).all(|w| ordered_bits(w[0]) < ordered_bits(w[1])));
        assert_eq!(ordered_bits(-0.0), ordered_bits(0.0));
    }

    #[test]
    fn galloping_finds_what_counting_finds() {
        for len in 0..40 {
            for first in 0..=len {
                assert_eq!(gallop(len, |i| i < first), first, "{len}");
            }
        }
    }

    #[test]
    fn radix_sorting_equals_comparing() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        // Spread, close together far from zero (where 33 bits do not distinguish them), on a lattice, and all the same.
        let kinds: [fn(f64) -> f64; 5] = [
            |t| t - 0.5,
            |t| 1e6 + 1e-6 * t,
            |t| (10.0 * t).floor(),
            |_| 3.0,
            |t| if t < 0.5 { t * 1e60 } else { t * 1e-60 },
        ];
        for kind in kinds {
            for count in [0, 1, 2, RADIX_FROM - 1, RADIX_FROM, 3000] {
                let mut ends: Vec<_> = (0..count as u32)
                    .map(|i| EndPoint { key: ordered_bits(kind(random())), tag: i.reverse_bits() })
                    .collect();
                let mut expected = ends.clone();
                expected.sort();
                sort(&mut ends, &mut Vec::new());
                assert_eq!(ends, expected);
            }
        }
    }
}
