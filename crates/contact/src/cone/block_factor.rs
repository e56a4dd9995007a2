//! A matrix of dense blocks, one for each pair of groups that feel each other, factored in place.
//!
//! In: an [`Elimination`] and the blocks, added up. Out: solutions. Where the matrix is symmetric and positive the factor is Cholesky's, else it is LU with pivots chosen inside the diagonal blocks. Islands
//! are factored on their own. Sums have a fixed order, so that the bits are the same every time.

use super::elimination::Elimination;
use std::ops::Range;

/// A pivot at or below this share of its diagonal entry at the start is rounding, and replaced by that [-].
const LEAST_PIVOT: f64 = 1e-15;

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
    pub(crate) fn factor(&mut self, plan: &Elimination, columns: &Range<usize>, is_symmetric: bool) -> bool {
        for column in columns.clone() {
            let size = plan.sizes[column];
            let own = &mut self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
            let swaps = &mut self.swaps[self.swaps_at[column]..self.swaps_at[column] + size];
            if is_symmetric {
                cholesky(own, size);
            } else if !lu(own, size, swaps) {
                return false;
            }
            let places = plan.starts[column]..plan.starts[column + 1];
            for place in places.clone() {
                let range = plan.below_at[place]..plan.below_at[place + 1];
                let lower = &mut self.lower[range.clone()];
                let upper = &mut self.upper[range];
                if is_symmetric {
                    for row in lower.chunks_exact_mut(size) {
                        forward_cholesky(own, size, row);
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
            self.update(plan, column, is_symmetric);
        }
        true
    }

    /// Takes what a column does to later ones from them.
    fn update(&mut self, plan: &Elimination, column: usize, is_symmetric: bool) {
        let places = plan.starts[column]..plan.starts[column + 1];
        let inner = plan.sizes[column];
        let first = plan.below_at[places.start];
        let end = plan.below_at[places.end];
        let (lower, later_lower) = self.lower.split_at_mut(end);
        let (upper, later_upper) = self.upper.split_at_mut(end);
        let (lower, upper) = (&lower[first..], &upper[first..]);
        let block = |place: usize| plan.below_at[place] - first..plan.below_at[place + 1] - first;
        for k_place in places.clone() {
            let k = plan.rows[k_place] as usize;
            let size = plan.sizes[k];
            let (lower_k, upper_k) = (&lower[block(k_place)], &upper[block(k_place)]);
            let diagonal = &mut self.diagonal[plan.diagonal_at[k]..plan.diagonal_at[k + 1]];
            subtract_product(diagonal, lower_k, upper_k, inner, size);
            // Both lists ascend, and what stands below here stands below there.
            let mut target = plan.starts[k];
            for i_place in k_place + 1..places.end {
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
        start: impl Fn(usize) -> usize,
        x: &mut [f64],
    ) {
        let at = |column: usize| {
            let begin = start(plan.order[column] as usize);
            begin..begin + plan.sizes[column]
        };
        for column in columns.clone() {
            let size = plan.sizes[column];
            let own = &self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
            let range = at(column);
            if is_symmetric {
                forward_cholesky(own, size, &mut x[range.clone()]);
            } else {
                let swaps = &self.swaps[self.swaps_at[column]..self.swaps_at[column] + size];
                forward_lu(own, size, swaps, &mut x[range.clone()]);
            }
            for place in plan.starts[column]..plan.starts[column + 1] {
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
        for column in columns.clone().rev() {
            let size = plan.sizes[column];
            let own = &self.diagonal[plan.diagonal_at[column]..plan.diagonal_at[column + 1]];
            let range = at(column);
            for place in plan.starts[column]..plan.starts[column + 1] {
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
                backward_cholesky(own, size, &mut x[range]);
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

/// Cholesky's factor in the lower triangle, its diagonal inverted; only the lower triangle is read.
fn cholesky(m: &mut [f64], n: usize) {
    for j in 0..n {
        let own = m[j * n + j];
        let mut pivot = own;
        for k in 0..j {
            pivot -= m[j * n + k] * m[j * n + k];
        }
        // Positive but for rounding.
        let inverse = 1.0 / pivot.max(LEAST_PIVOT * own.abs()).max(f64::MIN_POSITIVE).sqrt();
        m[j * n + j] = inverse;
        for i in j + 1..n {
            let mut entry = m[i * n + j];
            for k in 0..j {
                entry -= m[i * n + k] * m[j * n + k];
            }
            m[i * n + j] = entry * inverse;
        }
    }
}

/// `L^-1 x`.
fn forward_cholesky(l: &[f64], n: usize, x: &mut [f64]) {
    for i in 0..n {
        let mut sum = x[i];
        for k in 0..i {
            sum -= l[i * n + k] * x[k];
        }
        x[i] = sum * l[i * n + i];
    }
}

/// `L^-T x`.
fn backward_cholesky(l: &[f64], n: usize, x: &mut [f64]) {
    for i in (0..n).rev() {
        let mut sum = x[i];
        for k in i + 1..n {
            sum -= l[k * n + i] * x[k];
        }
        x[i] = sum * l[i * n + i];
    }
}

/// LU with rows swapped, in place, the diagonal of U inverted; false where a pivot is lost.
fn lu(m: &mut [f64], n: usize, swaps: &mut [u32]) -> bool {
    let largest = m.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
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
        let is_usable = pivot.abs() > LEAST_PIVOT * largest;
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
