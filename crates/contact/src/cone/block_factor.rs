//! The sparse factorisation of this crate: a matrix of dense blocks, one for each pair of groups that feel each other, factored in place.
//!
//! In: an [`Elimination`] and the blocks, added up. Out: solutions. Where the matrix is symmetric and positive the factor is Cholesky's, else it is LU with pivots chosen inside the diagonal blocks. Islands
//! are factored on their own. Sums have a fixed order, so that the bits are the same every time.

use super::elimination::Elimination;
use std::ops::Range;
use zerogap_core::cholesky::{self, PivotRule};

/// A pivot at or below this fraction of its diagonal entry at the start is rounding, and replaced by that [-].
const MIN_PIVOT: f64 = 1e-15;

/// Blocks, then their factor.
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
    swaps_at: Vec<usize>,
}

impl BlockFactor {
    /// Makes room.
    pub(crate) fn prepare(&mut self, plan: &Elimination) {
        self.diagonal.clear();
        self.diagonal.resize(plan.diagonal_at.last().copied().unwrap_or(0), 0.0);
        self.lower.clear();
        self.lower.resize(plan.below_at.last().copied().unwrap_or(0), 0.0);
        self.upper.clear();
        self.upper.resize(self.lower.len(), 0.0);
        self.swaps_at.clear();
        let mut at = 0;
        for size in &plan.sizes {
            self.swaps_at.push(at);
            at += size;
        }
        self.swaps.clear();
        self.swaps.resize(at, 0);
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
        for column in columns.clone().filter(|column| takes_part(*column)) {
            let size = plan.sizes[column];
            let own = &mut self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
            let swaps = &mut self.swaps[self.swaps_at[column]..self.swaps_at[column] + size];
            if is_symmetric {
                cholesky::factor(own, size, Inverted);
            } else if !lu(own, size, swaps) {
                return false;
            }
            let places = plan.starts[column]..plan.starts[column + 1];
            for place in places.filter(|place| takes_part(plan.rows[*place] as usize)) {
                let range = plan.below_at[place]..plan.below_at[place + 1];
                let lower = &mut self.lower[range.clone()];
                let upper = &mut self.upper[range];
                if is_symmetric {
                    for row in lower.chunks_exact_mut(size) {
                        cholesky::solve_lower(own, size, Inverted, row);
                    }
                    let rows = lower.len() / size;
                    for (i, row) in lower.chunks_exact(size).enumerate() {
                        for (j, x) in row.iter().enumerate() {
                            upper[j * rows + i] = *x;
                        }
                    }
                } else {
                    divide_by_upper(own, size, lower);
                    forward_lu(own, size, swaps, upper);
                }
            }
            self.update(plan, column, is_symmetric, &takes_part);
        }
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
        let first = plan.below_at[places.start];
        let end = plan.below_at[places.end];
        let (lower, later_lower) = self.lower.split_at_mut(end);
        let (upper, later_upper) = self.upper.split_at_mut(end);
        let (lower, upper) = (&lower[first..], &upper[first..]);
        let block = |place: usize| plan.below_at[place] - first..plan.below_at[place + 1] - first;
        let present = |place: &usize| takes_part(plan.rows[*place] as usize);
        for k_place in places.clone().filter(present) {
            let k = plan.rows[k_place] as usize;
            let size = plan.sizes[k];
            let (lower_k, upper_k) = (&lower[block(k_place)], &upper[block(k_place)]);
            let diagonal = &mut self.diagonal[plan.diagonal_at[k]..plan.diagonal_at[k + 1]];
            subtract_product(diagonal, lower_k, upper_k, inner, size);
            // Both lists ascend, and what stands below here stands below there.
            let mut target = plan.starts[k];
            for i_place in (k_place + 1..places.end).filter(present) {
                while plan.rows[target] != plan.rows[i_place] {
                    target += 1;
                }
                let range = plan.below_at[target] - end..plan.below_at[target + 1] - end;
                subtract_product(
                    &mut later_lower[range.clone()],
                    &lower[block(i_place)],
                    upper_k,
                    inner,
                    size,
                );
                if !is_symmetric {
                    let columns = plan.sizes[plan.rows[i_place] as usize];
                    subtract_product(
                        &mut later_upper[range],
                        lower_k,
                        &upper[block(i_place)],
                        inner,
                        columns,
                    );
                }
                target += 1;
            }
        }
    }

    /// Solves for an island in place; `start(group)` is where the velocities of a group begin in `x`.
    pub(crate) fn solve(
        &self,
        plan: &Elimination,
        columns: &Range<usize>,
        is_symmetric: bool,
        takes_part: impl Fn(usize) -> bool,
        start: impl Fn(usize) -> usize,
        x: &mut [f64],
    ) {
        let takes_part = |column: usize| takes_part(plan.order[column] as usize);
        let present = |place: &usize| takes_part(plan.rows[*place] as usize);
        let at = |column: usize| {
            let begin = start(plan.order[column] as usize);
            begin..begin + plan.sizes[column]
        };
        for column in columns.clone().filter(|column| takes_part(*column)) {
            let size = plan.sizes[column];
            let own = &self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
            let range = at(column);
            if is_symmetric {
                cholesky::solve_lower(own, size, Inverted, &mut x[range.clone()]);
            } else {
                let swaps = &self.swaps[self.swaps_at[column]..self.swaps_at[column] + size];
                forward_lu(own, size, swaps, &mut x[range.clone()]);
            }
            for place in (plan.starts[column]..plan.starts[column + 1]).filter(present) {
                let rows = at(plan.rows[place] as usize);
                let block = &self.lower[plan.below_at[place]..plan.below_at[place + 1]];
                for (i, row) in rows.zip(block.chunks_exact(size)) {
                    let mut sum = 0.0;
                    for (k, entry) in range.clone().zip(row) {
                        sum += entry * x[k];
                    }
                    x[i] -= sum;
                }
            }
        }
        for column in columns.clone().rev().filter(|column| takes_part(*column)) {
            let size = plan.sizes[column];
            let own = &self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
            let range = at(column);
            for place in (plan.starts[column]..plan.starts[column + 1]).filter(present) {
                let rows = at(plan.rows[place] as usize);
                let block = &self.upper[plan.below_at[place]..plan.below_at[place + 1]];
                for (i, row) in range.clone().zip(block.chunks_exact(rows.len())) {
                    let mut sum = 0.0;
                    for (k, entry) in rows.clone().zip(row) {
                        sum += entry * x[k];
                    }
                    x[i] -= sum;
                }
            }
            if is_symmetric {
                cholesky::solve_upper(own, size, Inverted, &mut x[range]);
            } else {
                backward_lu(own, size, &mut x[range]);
            }
        }
    }
}

/// `c -= a b`, with `b` of `inner` rows and `columns` columns.
fn subtract_product(c: &mut [f64], a: &[f64], b: &[f64], inner: usize, columns: usize) {
    // Free bodies are nearly all there is: with sizes known beforehand this is several times as fast.
    if let (Ok(c), Ok(a), Ok(b), 6) =
        (<&mut [f64; 36]>::try_from(&mut *c), <&[f64; 36]>::try_from(a), <&[f64; 36]>::try_from(b), inner)
    {
        for i in 0..6 {
            let mut row = [0.0; 6];
            row.copy_from_slice(&c[i * 6..i * 6 + 6]);
            for k in 0..6 {
                let factor = a[i * 6 + k];
                for j in 0..6 {
                    row[j] -= factor * b[k * 6 + j];
                }
            }
            c[i * 6..i * 6 + 6].copy_from_slice(&row);
        }
        return;
    }
    for (c, a) in c.chunks_exact_mut(columns).zip(a.chunks_exact(inner)) {
        for (factor, b) in a.iter().zip(b.chunks_exact(columns)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c -= factor * b;
            }
        }
    }
}

/// One over the square root is kept; a pivot is positive but for rounding.
#[derive(Clone, Copy)]
struct Inverted;

impl PivotRule for Inverted {
    fn keep(self, pivot: f64, own: f64) -> f64 {
        1.0 / pivot.max(MIN_PIVOT * own.abs()).max(f64::MIN_POSITIVE).sqrt()
    }

    fn divide(self, x: f64, kept: f64) -> f64 {
        x * kept
    }
}

/// LU with rows swapped, in place, the diagonal of U inverted; false where a pivot is lost.
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
    for i in 1..n {
        let (above, own) = x.split_at_mut(i * columns);
        for (k, above) in above.chunks_exact(columns).enumerate() {
            let factor = m[i * n + k];
            for (x, above) in own.iter_mut().zip(above) {
                *x -= factor * above;
            }
        }
    }
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

/// `x U^-1` for every row of `x`, which has `n` columns.
fn divide_by_upper(m: &[f64], n: usize, x: &mut [f64]) {
    for row in x.chunks_exact_mut(n) {
        for j in 0..n {
            let value = row[j] * m[j * n + j];
            row[j] = value;
            for k in j + 1..n {
                row[k] -= value * m[j * n + k];
            }
        }
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
        for case in 0..200 {
            let sizes: Vec<usize> = (0..=case % 23).map(|k| 1 + (k + case) % 6).collect();
            let n = sizes.len();
            let starts: Vec<usize> = (0..n).map(|k| sizes[..k].iter().sum()).collect();
            let rows: usize = sizes.iter().sum();
            let pairs: Vec<[usize; 2]> = (0..n)
                .flat_map(|i| (i + 1..n).map(move |j| [i, j]))
                .filter(|_| random.range(0.0, 1.0) < 2.0 / n as f64)
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
