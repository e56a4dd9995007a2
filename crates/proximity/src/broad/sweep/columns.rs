//! All pairs at once: the boxes are divided into columns, and each column is swept along its length.
//!
//! In: for each box the places of its end points in the sorted arrays. These whole numbers compare exactly as the coordinates do, touching included, and no two
//! are the same, so that sizes and units do not matter here. Out: each overlapping pair with a fresh box, once, in an order that depends on the boxes alone.
//!
//! One sweep over everything checks O(n^(5/3)) pairs of n evenly spread boxes. Hence the cross-section is halved again and again, where the boxes
//! are, as long as that saves more tests than it costs. A box is stored in every column that it overlaps; a pair belongs to the column in which its overlap begins. A box
//! that covers the whole cross-section of a column overlaps there everything in its range along the length: it is paired at once and not divided further, so that floors
//! do not end up in every column.

use super::super::backend::{PairKey, pair_key};

/// Places of the two ends of a box, along each axis.
pub(super) type Spans = [[u32; 2]; 3];

/// The bit that marks a fresh box; the others hold the slot.
const FRESH: u32 = 1 << 31;

/// What halving a column costs, in tests of pairs for each of its boxes (measured) [-].
const SPLIT_COST: f64 = 2.0;

/// Boxes sampled for a decision to halve [-].
const SAMPLE: usize = 256;

/// Fewer boxes are never divided [-].
const SMALLEST_SPLIT: usize = 16;

/// A box in a column.
#[derive(Debug, Clone, Copy, Default)]
struct Item {
    /// Along the column.
    along: [u32; 2],
    /// Across the column, two axes.
    across: [[u32; 2]; 2],
    tag: u32,
}

impl Item {
    #[inline]
    fn is_fresh(&self) -> bool {
        self.tag & FRESH != 0
    }

    /// Whether both overlap across the column; no branches, as most tests fail on either axis.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "which comparison fails is hard to foresee")]
    fn overlaps_across(&self, other: &Self) -> bool {
        let ([a, b], [c, d]) = (self.across, other.across);
        (a[0] < c[1]) & (c[0] < a[1]) & (b[0] < d[1]) & (d[0] < b[1])
    }
}

/// The cross-section of a column: places from `low` on, up to but without `high`.
#[derive(Debug, Clone, Copy)]
struct Cell {
    low: [u32; 2],
    high: [u32; 2],
}

impl Cell {
    /// Whether the overlap of a pair begins in this column.
    #[inline]
    fn owns(&self, a: &Item, b: &Item) -> bool {
        (0..2).all(|k| {
            let begin = a.across[k][0].max(b.across[k][0]);
            self.low[k] <= begin && begin < self.high[k]
        })
    }

    /// Whether a box covers the whole cross-section and began before it.
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "which comparison fails is hard to foresee")]
    fn is_covered_by(&self, item: &Item) -> bool {
        let [a, b] = item.across;
        (a[0] < self.low[0]) & (a[1] >= self.high[0]) & (b[0] < self.low[1]) & (b[1] >= self.high[1])
    }

    /// Whether a box begins in this column.
    #[inline]
    fn is_home_of(&self, item: &Item) -> bool {
        item.across[0][0] >= self.low[0] && item.across[1][0] >= self.low[1]
    }
}

/// A column: where its boxes stand, in the order of their begins along it.
#[derive(Debug, Clone, Copy)]
struct Column {
    start: usize,
    end: usize,
    /// How many of them cover it.
    covering: usize,
    cell: Cell,
}

/// Statistics of a column, from a sample of its boxes.
#[derive(Debug, Default)]
struct Survey {
    fresh: u32,
    /// Summed lengths along the column.
    length: u64,
    /// Summed middles across it, each of the part inside the column.
    middle: [u64; 2],
}

/// Room to work in, kept between calls.
#[derive(Debug, Default)]
pub(super) struct Columns {
    items: Vec<Item>,
    some: Vec<Item>,
    others: Vec<Item>,
}

impl Columns {
    /// Finds the pairs of overlapping boxes of which at least one is fresh.
    ///
    /// Computes: each pair once. `order`: slots by their begin along axis `axis`; `spans`: places of the ends of each of them.
    /// Method: columns by halving at the mean of the middles, sweep in each; ours. Tolerance: none, whole numbers only.
    /// Cost: for n evenly spread boxes of like size O(n log n + pairs), measured 0.15 us a box at 1e5.
    /// Fails: never; each division leaves fewer boxes on either side.
    /// Order: of the pairs: as the columns come, the same for the same boxes.
    pub(super) fn find(
        &mut self,
        axis: usize,
        order: impl Iterator<Item = u32>,
        spans: &[Spans],
        is_fresh: &[bool],
        found: &mut Vec<PairKey>,
    ) {
        let across = [(axis + 1) % 3, (axis + 2) % 3];
        let item = |slot: u32| {
            let span = &spans[slot as usize];
            let mark = if is_fresh[slot as usize] { FRESH } else { 0 };
            Item { along: span[axis], across: across.map(|k| span[k]), tag: slot | mark }
        };
        self.items.clear();
        self.items.extend(order.map(item));
        let all = Column {
            start: 0,
            end: self.items.len(),
            covering: 0,
            cell: Cell { low: [0; 2], high: [u32::MAX; 2] },
        };
        self.divide(all, found);
    }

    /// Bytes it holds.
    pub(super) fn memory(&self) -> usize {
        (self.items.capacity() + self.some.capacity() + self.others.capacity()) * size_of::<Item>()
    }

    /// Finds the pairs of a column; `items` from its start on may be overwritten.
    fn divide(&mut self, mut column: Column, found: &mut Vec<PairKey>) {
        // The second half of each division is done in the same call: the stack is as deep as first halves nest.
        loop {
            if column.covering > 0 {
                self.pair_covering(&mut column, found);
            }
            let items = &self.items[column.start..column.end];
            if !items.iter().any(Item::is_fresh) {
                return;
            }
            let Some((k, cut)) = best_cut(items, &column.cell) else {
                self.sweep(&column, found);
                return;
            };

            // The first half is appended behind the column, the second takes the place of the whole. Which half a box is in no branch can foresee: write both, and count.
            let (mut first, mut second) = (column, column);
            first.start = column.end;
            first.cell.high[k] = cut;
            second.cell.low[k] = cut;
            let count = column.end - column.start;
            if self.items.len() < column.end + count {
                self.items.resize(column.end + count, Item::default());
            }
            let (whole, behind) = self.items[column.start..].split_at_mut(count);
            let (mut f, mut s) = (0, 0);
            (first.covering, second.covering) = (0, 0);
            for i in 0..count {
                let item = whole[i];
                let (in_first, in_second) = (item.across[k][0] < cut, item.across[k][1] >= cut);
                behind[f] = item;
                f += usize::from(in_first);
                first.covering += usize::from(in_first & first.cell.is_covered_by(&item));
                whole[s] = item;
                s += usize::from(in_second);
                second.covering += usize::from(in_second & second.cell.is_covered_by(&item));
            }
            first.end = first.start + f;
            second.end = second.start + s;
            self.divide(first, found);
            column = second;
        }
    }

    /// Pairs the boxes that cover a column with those that begin in it, and takes the former off.
    fn pair_covering(&mut self, column: &mut Column, found: &mut Vec<PairKey>) {
        let (covering, home) = (&mut self.some, &mut self.others);
        covering.clear();
        home.clear();
        let items = &mut self.items[column.start..column.end];
        let mut kept = 0;
        for i in 0..items.len() {
            let item = items[i];
            if column.cell.is_covered_by(&item) {
                covering.push(item);
                continue;
            }
            items[kept] = item;
            kept += 1;
            if column.cell.is_home_of(&item) {
                home.push(item);
            }
        }
        column.end = column.start + kept;
        column.covering = 0;

        // A box overlaps those of the other kind that begin after it and before it ends. Two that cover the column began their overlap before it.
        let (mut c, mut h) = (0, 0);
        while c < covering.len() && h < home.len() {
            let (one, later) = if covering[c].along[0] < home[h].along[0] {
                c += 1;
                (&covering[c - 1], &home[h..])
            } else {
                h += 1;
                (&home[h - 1], &covering[c..])
            };
            let passed_slots = later.iter().take_while(|other| other.along[0] < one.along[1]);
            let wanted = passed_slots.filter(|other| one.is_fresh() || other.is_fresh());
            found.extend(wanted.map(|other| pair_key(one.tag & !FRESH, other.tag & !FRESH)));
        }
    }

    /// Finds the pairs of a column by one sweep along it.
    fn sweep(&mut self, column: &Column, found: &mut Vec<PairKey>) {
        let items = &self.items[column.start..column.end];
        let mut report = |a: &Item, b: &Item| {
            if a.overlaps_across(b) && column.cell.owns(a, b) {
                found.push(pair_key(a.tag & !FRESH, b.tag & !FRESH));
            }
        };

        // When not all are fresh, the others are checked against fresh ones only.
        let is_mixed = !items.iter().all(Item::is_fresh);
        let fresh_ones = &mut self.some;
        fresh_ones.clear();
        if is_mixed {
            fresh_ones.extend(items.iter().filter(|item| item.is_fresh()));
        }
        let mut fresh_before = 0;
        for (i, item) in items.iter().enumerate() {
            fresh_before += usize::from(item.is_fresh());
            let later =
                if is_mixed && !item.is_fresh() { &fresh_ones[fresh_before..] } else { &items[i + 1..] };
            for other in later {
                if other.along[0] > item.along[1] {
                    break;
                }
                report(item, other);
            }
        }
    }
}

/// The axis and place at which halving a column pays most, judged by some of its boxes; none if it does not pay.
///
/// A sweep over m boxes tests about m^2 times the chance that two of them overlap along the column. A cut leaves at least one box out on either side.
fn best_cut(items: &[Item], cell: &Cell) -> Option<(usize, u32)> {
    let (begin, end) = (items.first()?, items.last()?);
    if items.len() < SMALLEST_SPLIT {
        return None;
    }
    let sample = items.iter().step_by(items.len().div_ceil(SAMPLE));
    let mut sums = Survey::default();
    for item in sample.clone() {
        sums.fresh += u32::from(item.is_fresh());
        sums.length += u64::from(item.along[1] - item.along[0]);
        for k in 0..2 {
            let low = item.across[k][0].max(cell.low[k]);
            let high = item.across[k][1].min(cell.high[k]);
            sums.middle[k] += u64::from(low.midpoint(high));
        }
    }
    let sampled = sample.len() as f64;

    // Chance that two boxes overlap along the column, and that one of them is fresh (one more than sampled, as there is one).
    let stretch = f64::from(end.along[0] - begin.along[0]).max(1.0);
    let chance = (sums.length as f64 / sampled / stretch).min(1.0);
    let fraction = (f64::from(sums.fresh + 1) / sampled).min(1.0);
    let tests = items.len() as f64 * chance * fraction * (2.0 - fraction);
    if tests < 2.0 * SPLIT_COST {
        return None;
    }

    // Shares of the boxes on both sides of a cut at the mean.
    let cuts = sums.middle.map(|sum| (sum / sample.len() as u64) as u32);
    let mut sides = [[0_u32; 2]; 2];
    for item in sample {
        for k in 0..2 {
            sides[k][0] += u32::from(item.across[k][0] < cuts[k]);
            sides[k][1] += u32::from(item.across[k][1] >= cuts[k]);
        }
    }
    let left_over = |k: usize| sides[k].iter().map(|side| (f64::from(*side) / sampled).powi(2)).sum::<f64>();
    let k = usize::from(left_over(1) < left_over(0));
    let is_inside = cell.low[k] < cuts[k] && cuts[k] < cell.high[k];
    (is_inside && (1.0 - left_over(k)) * tests > SPLIT_COST).then_some((k, cuts[k]))
}
