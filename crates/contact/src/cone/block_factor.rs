//! The sparse factorisation of this crate: a matrix of dense blocks, one for each pair of groups that feel each other, factored in place.
//!
//! In: an [`Elimination`] and the blocks, added up. Out: solutions. Where the matrix is symmetric and positive the factor is Cholesky's, else it is LU with pivots chosen inside the diagonal blocks. Islands
//! are factored on their own. Sums have a fixed order, so that the bits are the same every time and on every machine.
//!
//! Panels of free bodies (blocks of 6 x 6, nearly all there is) go through the kernels of [`block6`]; other sizes, and islands of which some groups do not take part, column by column.

use super::elimination::{Elimination, MAX_PANEL, Panel, Reach};
use std::ops::Range;
use zerogap_core::block6::{self, Factors, Targets};
use zerogap_core::cholesky::{self, PivotRule};

/// A pivot at or below this fraction of its diagonal entry at the start is rounding, and replaced by that [-].
const MIN_PIVOT: f64 = 1e-15;

/// Rows of a panel that are multiplied with all columns before the next: their blocks stay in the first cache.
const ROWS_AT_ONCE: usize = 16;

/// Velocities of a free body.
const FREE: usize = block6::SIZE;

/// Blocks, then their factor.
///
/// A column whose diagonal block is `L U` has `U^-T A^T` in place of each block `A` of `lower`, transposed against what was there, and `L^-1 A` in place of each of `upper`. For Cholesky's factor both
/// are the same, and `upper` is left alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct BlockFactor {
    /// Diagonal blocks, row-major.
    pub(crate) diagonal: Vec<f64>,
    /// Blocks (later, earlier), row-major.
    pub(crate) lower: Vec<f64>,
    /// Blocks (earlier, later), row-major; not read where the matrix is symmetric.
    pub(crate) upper: Vec<f64>,
    /// Rows swapped in the diagonal blocks.
    swaps: Vec<u32>,
    /// First velocity of each column, one column after another; one more than columns.
    velocity_at: Vec<usize>,
    // Memory.
    transposed: Vec<f64>,
    x: Vec<f64>,
}

impl BlockFactor {
    /// Makes room; blocks hold whatever they held.
    pub(crate) fn prepare(&mut self, plan: &Elimination) {
        self.diagonal.resize(plan.diagonal_at.last().copied().unwrap_or(0), 0.0);
        self.lower.resize(plan.below_at.last().copied().unwrap_or(0), 0.0);
        self.upper.resize(self.lower.len(), 0.0);
        self.velocity_at.clear();
        let mut at = 0;
        for size in &plan.sizes {
            self.velocity_at.push(at);
            at += size;
        }
        self.velocity_at.push(at);
        self.swaps.resize(at, 0);
        self.x.resize(at, 0.0);
        let largest = plan.sizes.iter().copied().max().unwrap_or(0);
        self.transposed.resize(largest * largest, 0.0);
    }

    /// Sets the blocks off the diagonal of an island to zero.
    pub(crate) fn clear(&mut self, plan: &Elimination, columns: &Range<usize>) {
        let below = plan.below_at[plan.starts[columns.start]]..plan.below_at[plan.starts[columns.end]];
        self.lower[below.clone()].fill(0.0);
        self.upper[below].fill(0.0);
    }

    /// Factors an island; false where a pivot of an unsymmetric matrix is lost, and then the factor is of no use.
    ///
    /// Groups that do not take part are left out with their rows and columns.
    pub(crate) fn factor(
        &mut self,
        plan: &Elimination,
        columns: &Range<usize>,
        is_symmetric: bool,
        takes_part: impl Fn(usize) -> bool,
    ) -> bool {
        let takes_part = |column: usize| takes_part(plan.order[column] as usize);
        if columns.clone().all(takes_part) {
            return plan.panels_of(columns).iter().all(|panel| {
                if panel.is_free {
                    self.factor_panel(plan, *panel, is_symmetric)
                } else {
                    self.factor_column(plan, panel.first, is_symmetric, &|_| true)
                }
            });
        }
        columns
            .clone()
            .filter(|column| takes_part(*column))
            .all(|column| self.factor_column(plan, column, is_symmetric, &takes_part))
    }

    /// Eliminates the columns of a panel of free bodies.
    fn factor_panel(&mut self, plan: &Elimination, panel: Panel, is_symmetric: bool) -> bool {
        let width = panel.end - panel.first;
        let column_at = |column: usize| plan.below_at[plan.starts[column]];
        // From which entry on each column has the blocks of the rows from the one given on.
        let rows_from = |row: usize, count: usize| {
            let mut first = [0; MAX_PANEL];
            for (k, first) in first.iter_mut().enumerate().take(count) {
                let column = panel.first + k;
                *first = column_at(column) + block6::ENTRIES * (row - column - 1);
            }
            first
        };
        for done in 0..width {
            // What the columns before did to this one, all at once.
            let column = panel.first + done;
            if done > 0 {
                let (own, below) = (rows_from(column, done), rows_from(column + 1, done));
                let targets = Targets::Run { first: 0, count: plan.starts[column + 1] - plan.starts[column] };
                self.subtract_from_diagonal(plan, column, &own[..done], is_symmetric);
                self.subtract([&own[..done], &below[..done]], column_at(column), targets, is_symmetric);
            }
            let below = column_at(column)..plan.below_at[plan.starts[column + 1]];
            let own = &mut self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
            let own: &mut block6::Block = own.try_into().expect("a free body has six velocities");
            let lower = &mut self.lower[below.clone()];
            if is_symmetric {
                factor_free(own);
                block6::divide_transposed(own, lower);
            } else {
                let swaps = self.swaps[self.velocity_at[column]..].first_chunk_mut();
                let swaps = swaps.expect("a free body has six velocities");
                if !lu_free(own, swaps) {
                    return false;
                }
                let (rows, upper) = (permutation(swaps), *own);
                let transposed = std::array::from_fn(|at| upper[at % FREE * FREE + at / FREE]);
                block6::divide_transposed(&transposed, lower);
                block6::divide_permuted(own, rows, &mut self.upper[below]);
            }
        }
        // What all of them do to later columns, few rows at a time against every column.
        let rows = &plan.rows[plan.starts[panel.end - 1]..plan.starts[panel.end]];
        let (first, end) = (rows_from(panel.end, width), column_at(panel.end));
        let at = |row: usize| first.map(|first| first + block6::ENTRIES * row);
        for chunk in (0..rows.len()).step_by(ROWS_AT_ONCE) {
            let chunk_end = (chunk + ROWS_AT_ONCE).min(rows.len());
            for (k, &row) in rows.iter().enumerate().take(chunk_end) {
                let own = at(k);
                if k >= chunk {
                    self.subtract_from_diagonal(plan, row as usize, &own[..width], is_symmetric);
                }
                let begin = chunk.max(k + 1);
                let (count, skipped) = (chunk_end - begin, begin - k - 1);
                if count == 0 {
                    continue;
                }
                let targets = match plan.reaches[panel.reaches_at + k] {
                    Reach::Run(first) => {
                        Targets::Run { first: first as usize - end + block6::ENTRIES * skipped, count }
                    }
                    Reach::List(at) => {
                        let list = &plan.targets[at as usize + skipped..][..count];
                        Targets::List { first: list, origin: end }
                    }
                };
                self.subtract([&own[..width], &at(begin)[..width]], end, targets, is_symmetric);
            }
        }
        true
    }

    /// Takes from the diagonal block of a column what columns of a panel do to it; `own` says where their blocks in its row lie.
    fn subtract_from_diagonal(
        &mut self,
        plan: &Elimination,
        column: usize,
        own: &[usize],
        is_symmetric: bool,
    ) {
        let same = |entries| Factors { entries, first: own, stride: 0 };
        let upper = if is_symmetric { &self.lower } else { &self.upper };
        let target = Targets::Run { first: plan.diagonal_at[column], count: 1 };
        block6::subtract_products(&mut self.diagonal, target, same(&self.lower), same(upper));
    }

    /// Takes from blocks of a column what columns of a panel do to them.
    ///
    /// For each of those, `own` says where the block in the row of the column lies, `below` where those of the rows of the targets begin; all lie before `end`, and `targets` after it.
    fn subtract(
        &mut self,
        [own, below]: [&[usize]; 2],
        end: usize,
        targets: Targets<'_>,
        is_symmetric: bool,
    ) {
        let (lower, later_lower) = self.lower.split_at_mut(end);
        let (upper, later_upper) = self.upper.split_at_mut(end);
        let (lower, upper) = (&*lower, if is_symmetric { &*lower } else { &*upper });
        let same = |entries, first| Factors { entries, first, stride: 0 };
        let each = |entries, first| Factors { entries, first, stride: block6::ENTRIES };
        block6::subtract_products(later_lower, targets, each(lower, below), same(upper, own));
        if !is_symmetric {
            block6::subtract_products(later_upper, targets, same(lower, own), each(upper, below));
        }
    }

    /// Eliminates a column of any size.
    fn factor_column(
        &mut self,
        plan: &Elimination,
        column: usize,
        is_symmetric: bool,
        takes_part: &impl Fn(usize) -> bool,
    ) -> bool {
        let size = plan.sizes[column];
        let own = &mut self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
        let swaps = &mut self.swaps[self.velocity_at[column]..self.velocity_at[column + 1]];
        if is_symmetric {
            cholesky::factor(own, size, Inverted);
        } else if !lu(own, size, swaps) {
            return false;
        }
        let places = plan.starts[column]..plan.starts[column + 1];
        for place in places.filter(|place| takes_part(plan.rows[*place] as usize)) {
            let range = plan.below_at[place]..plan.below_at[place + 1];
            let lower = &mut self.lower[range.clone()];
            transpose(lower, size, &mut self.transposed);
            if is_symmetric {
                divide(size, lower, |i, k| own[i * size + k], |i| own[i * size + i]);
            } else {
                divide(size, lower, |i, k| own[k * size + i], |i| own[i * size + i]);
                forward_lu(own, size, swaps, &mut self.upper[range]);
            }
        }
        self.update(plan, column, is_symmetric, takes_part);
        true
    }

    /// Takes what a column does to later ones from them.
    fn update(
        &mut self,
        plan: &Elimination,
        column: usize,
        is_symmetric: bool,
        takes_part: &impl Fn(usize) -> bool,
    ) {
        let places = plan.starts[column]..plan.starts[column + 1];
        let inner = plan.sizes[column];
        let end = plan.below_at[places.end];
        let (lower, later_lower) = self.lower.split_at_mut(end);
        let (upper, later_upper) = self.upper.split_at_mut(end);
        let (lower, upper) = (&*lower, if is_symmetric { &*lower } else { &*upper });
        let block = |place: usize| plan.below_at[place]..plan.below_at[place + 1];
        let present = |place: &usize| takes_part(plan.rows[*place] as usize);
        for k_place in places.clone().filter(present) {
            let k = plan.rows[k_place] as usize;
            let (lower_k, upper_k) = (&lower[block(k_place)], &upper[block(k_place)]);
            let diagonal = &mut self.diagonal[plan.diagonal_at[k]..plan.diagonal_at[k + 1]];
            subtract_product(diagonal, lower_k, upper_k, inner);
            // Both lists ascend, and what stands below here stands below there.
            let mut target = plan.starts[k];
            for i_place in (k_place + 1..places.end).filter(present) {
                while plan.rows[target] != plan.rows[i_place] {
                    target += 1;
                }
                let range = plan.below_at[target] - end..plan.below_at[target + 1] - end;
                subtract_product(&mut later_lower[range.clone()], &lower[block(i_place)], upper_k, inner);
                if !is_symmetric {
                    subtract_product(&mut later_upper[range], lower_k, &upper[block(i_place)], inner);
                }
                target += 1;
            }
        }
    }

    /// Solves for an island in place; `start(group)` is where the velocities of a group begin in `x`.
    pub(crate) fn solve(
        &mut self,
        plan: &Elimination,
        columns: &Range<usize>,
        is_symmetric: bool,
        takes_part: impl Fn(usize) -> bool,
        start: impl Fn(usize) -> usize,
        x: &mut [f64],
    ) {
        self.solve_several(plan, columns, is_symmetric, takes_part, start, [x]);
    }

    /// As [`BlockFactor::solve`], for several right-hand sides at once.
    pub(crate) fn solve_several<const N: usize>(
        &mut self,
        plan: &Elimination,
        columns: &Range<usize>,
        is_symmetric: bool,
        takes_part: impl Fn(usize) -> bool,
        start: impl Fn(usize) -> usize,
        mut x: [&mut [f64]; N],
    ) {
        let takes_part = |column: usize| takes_part(plan.order[column] as usize);
        let is_whole = columns.clone().all(takes_part);
        let at = |column: usize| {
            let begin = start(plan.order[column] as usize);
            begin..begin + plan.sizes[column]
        };
        // In the order of elimination, the right-hand sides of a column one after another.
        let mut work = std::mem::take(&mut self.x);
        work.resize(N * self.swaps.len(), 0.0);
        for column in columns.clone() {
            let size = plan.sizes[column];
            for (n, x) in x.iter().enumerate() {
                let to = N * self.velocity_at[column] + n * size;
                work[to..to + size].copy_from_slice(&x[at(column)]);
            }
        }
        if is_whole {
            self.solve_in_order::<N>(plan, columns, is_symmetric, &mut work);
        } else {
            for column in columns.clone().filter(|column| takes_part(*column)) {
                self.forward::<N>(plan, column, is_symmetric, &takes_part, &mut work);
            }
            for column in columns.clone().rev().filter(|column| takes_part(*column)) {
                self.backward::<N>(plan, column, is_symmetric, &takes_part, &mut work);
            }
        }
        for column in columns.clone().filter(|column| takes_part(*column)) {
            let size = plan.sizes[column];
            for (n, x) in x.iter_mut().enumerate() {
                let from = N * self.velocity_at[column] + n * size;
                x[at(column)].copy_from_slice(&work[from..from + size]);
            }
        }
        self.x = work;
    }

    /// Solves in place; `x` is in the order of elimination.
    fn solve_in_order<const N: usize>(
        &self,
        plan: &Elimination,
        columns: &Range<usize>,
        is_symmetric: bool,
        x: &mut [f64],
    ) {
        let panels = plan.panels_of(columns);
        let columns = |panel: &Panel| panel.first..panel.end;
        for panel in panels {
            if !panel.is_free {
                self.forward::<N>(plan, panel.first, is_symmetric, &|_| true, x);
                continue;
            }
            for column in columns(panel) {
                let (own, at) = (self.free_diagonal(plan, column), N * self.velocity_at[column]);
                let swaps = permutation(&self.swaps[self.velocity_at[column]..]);
                let mut known = [[0.0; FREE]; N];
                for (known, x) in known.iter_mut().zip(x[at..].as_chunks_mut::<FREE>().0) {
                    if is_symmetric {
                        forward_free(own, x, |i| own[i * FREE + i]);
                    } else {
                        *x = swaps.map(|row| x[row as usize]);
                        forward_free(own, x, |_| 1.0);
                    }
                    *known = *x;
                }
                let places = plan.starts[column]..plan.starts[column + 1];
                let blocks = &self.lower[plan.below_at[places.start]..plan.below_at[places.end]];
                block6::subtract_transposed_times(blocks, &known, &plan.rows[places], &self.velocity_at, x);
            }
        }
        let upper = if is_symmetric { &self.lower } else { &self.upper };
        for panel in panels.iter().rev() {
            if !panel.is_free {
                self.backward::<N>(plan, panel.first, is_symmetric, &|_| true, x);
                continue;
            }
            for column in columns(panel).rev() {
                let (own, at) = (self.free_diagonal(plan, column), N * self.velocity_at[column]);
                let places = plan.starts[column]..plan.starts[column + 1];
                let blocks = &upper[plan.below_at[places.start]..plan.below_at[places.end]];
                let sums: [_; N] = block6::sum_of_products(blocks, &plan.rows[places], &self.velocity_at, x);
                for (sum, x) in sums.iter().zip(x[at..].as_chunks_mut::<FREE>().0) {
                    for (x, sum) in x.iter_mut().zip(sum) {
                        *x -= sum;
                    }
                    if is_symmetric {
                        backward_free(own, x, |i, k| own[k * FREE + i]);
                    } else {
                        backward_free(own, x, |i, k| own[i * FREE + k]);
                    }
                }
            }
        }
    }

    fn free_diagonal(&self, plan: &Elimination, column: usize) -> &block6::Block {
        let at = plan.diagonal_at[column];
        self.diagonal[at..].first_chunk().expect("a free body has six velocities")
    }

    /// Solves for a column of any size with the lower triangle, and takes what follows from the rows below.
    fn forward<const N: usize>(
        &self,
        plan: &Elimination,
        column: usize,
        is_symmetric: bool,
        takes_part: &impl Fn(usize) -> bool,
        x: &mut [f64],
    ) {
        let size = plan.sizes[column];
        let own = &self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
        let swaps = &self.swaps[self.velocity_at[column]..self.velocity_at[column + 1]];
        let (x, later) = x.split_at_mut(N * self.velocity_at[column + 1]);
        let x = &mut x[N * self.velocity_at[column]..];
        for x in x.chunks_exact_mut(size) {
            if is_symmetric {
                cholesky::solve_lower(own, size, Inverted, x);
            } else {
                forward_lu(own, size, swaps, x);
            }
        }
        let places = plan.starts[column]..plan.starts[column + 1];
        for place in places.filter(|place| takes_part(plan.rows[*place] as usize)) {
            let row = plan.rows[place] as usize;
            let begin = N * (self.velocity_at[row] - self.velocity_at[column + 1]);
            let rows = plan.sizes[row];
            let block = &self.lower[plan.below_at[place]..plan.below_at[place + 1]];
            for (x, out) in x.chunks_exact(size).zip(later[begin..].chunks_exact_mut(rows)) {
                for (x, block) in x.iter().zip(block.chunks_exact(rows)) {
                    for (out, entry) in out.iter_mut().zip(block) {
                        *out -= entry * x;
                    }
                }
            }
        }
    }

    /// Solves for a column of any size with the upper triangle.
    fn backward<const N: usize>(
        &self,
        plan: &Elimination,
        column: usize,
        is_symmetric: bool,
        takes_part: &impl Fn(usize) -> bool,
        x: &mut [f64],
    ) {
        let size = plan.sizes[column];
        let own = &self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
        let (x, later) = x.split_at_mut(N * self.velocity_at[column + 1]);
        let x = &mut x[N * self.velocity_at[column]..];
        let upper = if is_symmetric { &self.lower } else { &self.upper };
        let places = plan.starts[column]..plan.starts[column + 1];
        for place in places.filter(|place| takes_part(plan.rows[*place] as usize)) {
            let row = plan.rows[place] as usize;
            let begin = N * (self.velocity_at[row] - self.velocity_at[column + 1]);
            let rows = plan.sizes[row];
            let block = &upper[plan.below_at[place]..plan.below_at[place + 1]];
            for (x, known) in x.chunks_exact_mut(size).zip(later[begin..].chunks_exact(rows)) {
                for (x, block) in x.iter_mut().zip(block.chunks_exact(rows)) {
                    let mut sum = 0.0;
                    for (entry, known) in block.iter().zip(known) {
                        sum += entry * known;
                    }
                    *x -= sum;
                }
            }
        }
        for x in x.chunks_exact_mut(size) {
            if is_symmetric {
                cholesky::solve_upper(own, size, Inverted, x);
            } else {
                backward_lu(own, size, x);
            }
        }
    }
}

/// `c -= a^T b`; `a` and `b` have `inner` rows.
fn subtract_product(c: &mut [f64], a: &[f64], b: &[f64], inner: usize) {
    if [c.len(), a.len(), b.len()] == [block6::ENTRIES; 3] && inner == FREE {
        let factors = |entries| Factors { entries, first: &[0], stride: 0 };
        block6::subtract_products(c, Targets::Run { first: 0, count: 1 }, factors(a), factors(b));
        return;
    }
    let (rows, columns) = (a.len() / inner, b.len() / inner);
    for (a, b) in a.chunks_exact(rows).zip(b.chunks_exact(columns)) {
        for (factor, c) in a.iter().zip(c.chunks_exact_mut(columns)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c -= factor * b;
            }
        }
    }
}

/// Transposes a matrix with `columns` columns.
fn transpose(x: &mut [f64], columns: usize, memory: &mut [f64]) {
    let before = &mut memory[..x.len()];
    before.copy_from_slice(x);
    let rows = x.len() / columns;
    for (i, row) in before.chunks_exact(columns).enumerate() {
        for (j, entry) in row.iter().enumerate() {
            x[j * rows + i] = *entry;
        }
    }
}

/// `L^-1 x` for a matrix `x` of `n` rows; `scale` is one over the diagonal.
fn divide(n: usize, x: &mut [f64], entry: impl Fn(usize, usize) -> f64, scale: impl Fn(usize) -> f64) {
    let columns = x.len() / n;
    for i in 0..n {
        let (above, own) = x.split_at_mut(i * columns);
        let own = &mut own[..columns];
        for (k, above) in above.chunks_exact(columns).enumerate() {
            let factor = entry(i, k);
            for (x, above) in own.iter_mut().zip(above) {
                *x -= factor * above;
            }
        }
        let scale = scale(i);
        for x in own {
            *x *= scale;
        }
    }
}

/// One over the square root is kept; a pivot is positive but for rounding.
#[derive(Clone, Copy)]
struct Inverted;

impl PivotRule for Inverted {
    fn keep(self, pivot: f64, own: f64) -> f64 {
        1.0 / usable(pivot, own).sqrt()
    }

    fn divide(self, x: f64, kept: f64) -> f64 {
        x * kept
    }
}

fn usable(pivot: f64, own: f64) -> f64 {
    pivot.max(MIN_PIVOT * own.abs()).max(f64::MIN_POSITIVE)
}

/// Cholesky's factor in the lower triangle, one over the diagonal in its place.
///
/// Square roots come last: pivots wait for one division each, and not for a root too.
fn factor_free(m: &mut block6::Block) {
    let mut inverses = [0.0; FREE];
    let own: [f64; FREE] = std::array::from_fn(|i| m[i * FREE + i]);
    for j in 0..FREE {
        let inverse = 1.0 / usable(m[j * FREE + j], own[j]);
        inverses[j] = inverse;
        for i in j + 1..FREE {
            let factor = m[i * FREE + j] * inverse;
            for k in j + 1..=i {
                m[i * FREE + k] -= factor * m[k * FREE + j];
            }
        }
    }
    let roots = inverses.map(f64::sqrt);
    for i in 0..FREE {
        for j in 0..i {
            m[i * FREE + j] *= roots[j];
        }
        m[i * FREE + i] = roots[i];
    }
}

/// `L^-1 x`; `scale` is one over the diagonal.
fn forward_free(l: &block6::Block, x: &mut [f64; FREE], scale: impl Fn(usize) -> f64) {
    for i in 0..FREE {
        let mut sum = x[i];
        for k in 0..i {
            sum -= l[i * FREE + k] * x[k];
        }
        x[i] = sum * scale(i);
    }
}

/// `U^-1 x`, of a matrix with one over the diagonal in its place; `upper` is an entry above.
fn backward_free(own: &block6::Block, x: &mut [f64; FREE], upper: impl Fn(usize, usize) -> f64) {
    for i in (0..FREE).rev() {
        let mut sum = x[i];
        // The last known comes last: whoever waits for it has done the rest.
        for k in (i + 1..FREE).rev() {
            sum -= upper(i, k) * x[k];
        }
        x[i] = sum * own[i * FREE + i];
    }
}

/// The row that stands in each place after rows were swapped.
fn permutation(swaps: &[u32]) -> [u8; FREE] {
    let mut rows = [0, 1, 2, 3, 4, 5];
    for (j, &swap) in swaps.iter().enumerate().take(FREE) {
        rows.swap(j, swap as usize);
    }
    rows
}

/// LU with rows swapped, in place, the diagonal of U inverted; false where a pivot is lost.
#[expect(clippy::inline_always, reason = "with the size known the loops unroll: 40 ns less for a free body")]
#[inline(always)]
fn lu(m: &mut [f64], n: usize, swaps: &mut [u32]) -> bool {
    let largest = m.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for j in 0..n {
        let mut best = j;
        for i in j + 1..n {
            if m[i * n + j].abs() > m[best * n + j].abs() {
                best = i;
            }
        }
        swaps[j] = best as u32;
        if best != j {
            for k in 0..n {
                m.swap(j * n + k, best * n + k);
            }
        }
        let pivot = m[j * n + j];
        let is_usable = pivot.abs() > MIN_PIVOT * largest;
        if !is_usable {
            return false;
        }
        let inverse = 1.0 / pivot;
        m[j * n + j] = inverse;
        for i in j + 1..n {
            let factor = m[i * n + j] * inverse;
            m[i * n + j] = factor;
            for k in j + 1..n {
                m[i * n + k] -= factor * m[j * n + k];
            }
        }
    }
    true
}

/// [`lu`] of a free body.
fn lu_free(m: &mut block6::Block, swaps: &mut [u32; FREE]) -> bool {
    lu(m, FREE, swaps)
}

/// `L^-1 P x` for every column of `x`, which has `n` rows.
fn forward_lu(m: &[f64], n: usize, swaps: &[u32], x: &mut [f64]) {
    let columns = x.len() / n;
    for (j, &swap) in swaps.iter().enumerate() {
        let swap = swap as usize;
        if swap != j {
            for c in 0..columns {
                x.swap(j * columns + c, swap * columns + c);
            }
        }
    }
    divide(n, x, |i, k| m[i * n + k], |_| 1.0);
}

/// `U^-1 x`.
fn backward_lu(m: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        let mut sum = x[i];
        for k in i + 1..n {
            sum -= m[i * n + k] * x[k];
        }
        x[i] = sum * m[i * n + i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use zerogap_core::random::Random;

    /// A plan over groups of given sizes.
    fn plan(sizes: &[usize], pairs: &[[usize; 2]]) -> Elimination {
        let mut plan = Elimination::default();
        plan.prepare(sizes.len(), |lens, edges| {
            lens.copy_from_slice(sizes);
            edges.extend(pairs.iter().map(|pair| pair.map(|group| group as u32)));
        });
        plan
    }

    #[test]
    fn solutions_are_those_of_dense_elimination_with_any_groups_left_out() {
        let mut random = Random::new(3);
        for case in 0..300 {
            // Free bodies alone, with some others, and groups of all sizes.
            let size_of = |k: usize| match case % 6 {
                0 | 1 => 6,
                2 | 3 if k % 5 < 4 => 6,
                _ => 1 + (k + case) % 6,
            };
            let sizes: Vec<usize> = (0..=case % 23).map(size_of).collect();
            let n = sizes.len();
            let starts: Vec<usize> = (0..n).map(|k| sizes[..k].iter().sum()).collect();
            let rows: usize = sizes.iter().sum();
            let pairs: Vec<[usize; 2]> = (0..n)
                .flat_map(|i| (i + 1..n).map(move |j| [i, j]))
                .filter(|_| random.range(0.0, 1.0) < (1 + case % 5) as f64 / n as f64)
                .collect();
            let group_of = |row: usize| starts.partition_point(|start| *start <= row) - 1;
            let feels = |i: usize, j: usize| i == j || pairs.contains(&[i.min(j), i.max(j)]);
            let is_symmetric = case % 2 == 0;
            let any = DMatrix::from_fn(rows, rows, |i, j| {
                if feels(group_of(i), group_of(j)) { random.range(-1.0, 1.0) } else { 0.0 }
            });
            // Heavy diagonal: elimination without exchanges between blocks is then stable.
            let heavy = DMatrix::identity(rows, rows) * 60.0;
            let matrix = if is_symmetric { &any + any.transpose() + heavy } else { any + heavy };
            let some: Vec<bool> = (0..n).map(|_| random.range(0.0, 1.0) < 0.8).collect();
            let rhs: Vec<f64> = (0..rows).map(|_| random.range(-1.0, 1.0)).collect();
            let plan = plan(&sizes, &pairs);
            let mut factor = BlockFactor::default();
            factor.prepare(&plan);
            // Twice: nothing of the first may stay.
            for part in [vec![true; n], some] {
                let mut x = rhs.clone();
                for island in &plan.islands {
                    factor.clear(&plan, island);
                    for column in island.clone() {
                        let group = plan.order[column] as usize;
                        let block = |a: usize, b: usize| {
                            let range = |g: usize| (starts[g], sizes[g]);
                            let ((i, m), (j, n)) = (range(a), range(b));
                            matrix.view((i, j), (m, n)).transpose().as_slice().to_vec()
                        };
                        factor.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]]
                            .copy_from_slice(&block(group, group));
                        for place in plan.starts[column]..plan.starts[column + 1] {
                            let later = plan.order[plan.rows[place] as usize] as usize;
                            let range = plan.below_at[place]..plan.below_at[place + 1];
                            factor.lower[range.clone()].copy_from_slice(&block(later, group));
                            factor.upper[range].copy_from_slice(&block(group, later));
                        }
                    }
                    assert!(factor.factor(&plan, island, is_symmetric, |group| part[group]));
                    factor.solve(&plan, island, is_symmetric, |group| part[group], |k| starts[k], &mut x);
                }
                // Two at once give the bits of one after the other.
                let (mut y, mut z) = (rhs.clone(), vec![1.0; rows]);
                let mut alone = z.clone();
                for island in &plan.islands {
                    let part = |group: usize| part[group];
                    let sides = [&mut y[..], &mut z[..]];
                    factor.solve_several(&plan, island, is_symmetric, part, |k| starts[k], sides);
                    factor.solve(&plan, island, is_symmetric, part, |k| starts[k], &mut alone);
                }
                assert_eq!((&y, &z), (&x, &alone), "case {case}");
                let kept: Vec<usize> = (0..rows).filter(|row| part[group_of(*row)]).collect();
                let small = DMatrix::from_fn(kept.len(), kept.len(), |i, j| matrix[(kept[i], kept[j])]);
                let right = DVector::from_fn(kept.len(), |i, _| rhs[kept[i]]);
                let exact = if kept.is_empty() { right } else { small.lu().solve(&right).unwrap() };
                for (value, row) in exact.iter().zip(&kept) {
                    assert!((x[*row] - value).abs() < 1e-11, "case {case}: row {row}, {} {value}", x[*row]);
                }
                assert!((0..rows).all(|i| part[group_of(i)] || x[i].to_bits() == rhs[i].to_bits()));
            }
        }
    }

    #[test]
    fn chains_keep_their_factors_sparse() {
        let pairs: Vec<[usize; 2]> = (0..99).map(|i| [i, i + 1]).collect();
        assert_eq!(plan(&[3; 100], &pairs).rows.len(), 99);
    }
}
