//! Dense linear systems, real and complex, in memory that is kept.
//!
//! In: a square matrix by rows. Out: its factors, and solutions. Plain loops in a fixed order: the same bits on every machine, which libraries that
//! choose their kernels by the processor do not promise.

use nalgebra::Complex;
use std::ops::{Div, Mul, Sub};

/// What the elimination needs of a number.
pub(super) trait Number:
    Copy + Default + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Size for the choice of pivots; need not be the absolute value.
    fn size(self) -> f64;
}

impl Number for f64 {
    fn size(self) -> f64 {
        self.abs()
    }
}

impl Number for Complex<f64> {
    fn size(self) -> f64 {
        self.re.abs() + self.im.abs()
    }
}

/// Factors of a square matrix.
#[derive(Debug, Clone, Default)]
pub(super) struct Lu<T> {
    n: usize,
    /// By rows: unit lower factor below the diagonal, upper factor on and above.
    factors: Vec<T>,
    /// Row that was swapped with row `k` in step `k`.
    swaps: Vec<usize>,
}

impl<T: Number> Lu<T> {
    /// Room for `n` unknowns; allocates only where there was less.
    pub(super) fn size(&mut self, n: usize) {
        self.n = n;
        self.factors.resize(n * n, T::default());
        self.swaps.resize(n, 0);
    }

    /// Factors the matrix whose entries are `entry(row, column)`; false where it is singular or not finite.
    ///
    /// Method: Gaussian elimination with partial pivoting; the first of equal pivots wins.
    pub(super) fn factor(&mut self, entry: impl Fn(usize, usize) -> T) -> bool {
        let n = self.n;
        for row in 0..n {
            for column in 0..n {
                self.factors[row * n + column] = entry(row, column);
            }
        }
        for k in 0..n {
            let mut pivot = k;
            for row in k + 1..n {
                if self.factors[row * n + k].size() > self.factors[pivot * n + k].size() {
                    pivot = row;
                }
            }
            let size = self.factors[pivot * n + k].size();
            if !(size > 0.0 && size.is_finite()) {
                return false;
            }
            self.swaps[k] = pivot;
            if pivot != k {
                let (upper, lower) = self.factors.split_at_mut(pivot * n);
                upper[k * n..(k + 1) * n].swap_with_slice(&mut lower[..n]);
            }
            let (upper, lower) = self.factors.split_at_mut((k + 1) * n);
            let pivots = &upper[k * n..];
            for row in lower.chunks_exact_mut(n) {
                let factor = row[k] / pivots[k];
                row[k] = factor;
                // Zeros are many in matrices of mechanical systems.
                if factor.size() > 0.0 {
                    for (value, &p) in row[k + 1..].iter_mut().zip(&pivots[k + 1..]) {
                        *value = *value - factor * p;
                    }
                }
            }
        }
        true
    }

    /// Replaces a right side by the solution.
    pub(super) fn solve(&self, b: &mut [T]) {
        let n = self.n;
        // Every swap first: the rows of the lower factor were swapped along with the rest.
        for k in 0..n {
            b.swap(k, self.swaps[k]);
        }
        for row in 1..n {
            let mut value = b[row];
            for (&factor, &known) in self.factors[row * n..row * n + row].iter().zip(&*b) {
                value = value - factor * known;
            }
            b[row] = value;
        }
        for row in (0..n).rev() {
            let mut value = b[row];
            for (&factor, &known) in self.factors[row * n + row + 1..(row + 1) * n].iter().zip(&b[row + 1..])
            {
                value = value - factor * known;
            }
            b[row] = value / self.factors[row * n + row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_core::random::Random;

    #[test]
    fn solutions_meet_their_equations() {
        let mut random = Random::new(3);
        let (mut real, mut complex) = (Lu::<f64>::default(), Lu::<Complex<f64>>::default());
        for n in [1, 2, 3, 7, 20, 4] {
            // A zero on the diagonal, so that rows must be swapped.
            let a: Vec<f64> =
                (0..n * n).map(|i| if i == 0 && n > 1 { 0.0 } else { random.range(-1.0, 1.0) }).collect();
            let b: Vec<f64> = (0..n).map(|_| random.range(-1.0, 1.0)).collect();
            real.size(n);
            assert!(real.factor(|r, c| a[r * n + c]));
            let mut x = b.clone();
            real.solve(&mut x);
            for r in 0..n {
                let left: f64 = (0..n).map(|c| a[r * n + c] * x[c]).sum();
                assert!((left - b[r]).abs() < 1e-10, "{left} {}", b[r]);
            }
            complex.size(n);
            let entry = |r: usize, c: usize| Complex::new(a[r * n + c], if r == c { 2.0 } else { 0.1 });
            assert!(complex.factor(entry));
            let right: Vec<Complex<f64>> = b.iter().map(|&v| Complex::new(v, 1.0 - v)).collect();
            let mut x = right.clone();
            complex.solve(&mut x);
            for (r, right) in right.iter().enumerate() {
                let left = (0..n).fold(Complex::new(0.0, 0.0), |sum, c| sum + entry(r, c) * x[c]);
                assert!((left - right).size() < 1e-10);
            }
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        let mut real = Lu::<f64>::default();
        real.size(2);
        assert!(!real.factor(|_, _| 1.0));
        assert!(!real.factor(|_, _| f64::NAN));
        real.size(0);
        assert!(real.factor(|_, _| 1.0));
    }
}
