//! Linear systems of contacts whose set is frozen: `w x = rhs` where `w` may have lost rank.
//!
//! In: a square matrix, not necessarily symmetric, and right-hand sides. Out: the shortest `x` (in scaled unknowns) that meets them
//! as well as rounding allows, how well, and the rank that was used. Called by the integrator between events, and by the solvers
//! here for their steps. The same input gives the same bits; nothing is allocated once the workspace fits.

use nalgebra::{DMatrix, DVector};

/// Residual at which a rank is taken as sufficient, relative to the terms that were summed [-].
const ENOUGH: f64 = 1e-14;
/// Pivots below this fraction of the first one count as lost; the next entry is tried only where the one before leaves a residual [-].
/// Small pivots are the last resort because an `x` made with them is long and mostly rounding.
const CUTOFFS: [f64; 3] = [1e-9, 1e-11, 1e-13];
/// A residual above this fraction of the right-hand side means that it was not in the range [-].
const CONSISTENT: f64 = 1e-6;
/// Rounds of refinement per rank: the first removes the error of the factors, the second shows that nothing is left.
const REFINEMENTS: usize = 2;

/// The answer of [`solve_constrained`].
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintSolution {
    /// Shortest solution found, in the units of `rhs / w`.
    pub x: DVector<f64>,
    /// Largest row of `|w x - rhs|` over the largest row of `|w| |x| + |rhs|`, rows scaled to alike size [-].
    pub residual: f64,
    /// Rank that was used.
    pub rank: usize,
    /// Whether `rhs` is in the range of `w`, to 1e-6 of its size.
    pub consistent: bool,
}

/// What [`ConstraintWork::solve`] says beside `x`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstraintInfo {
    /// As in [`ConstraintSolution`] [-].
    pub residual: f64,
    /// Rank that was used.
    pub rank: usize,
    /// As in [`ConstraintSolution`].
    pub consistent: bool,
}

/// Memory and factors of [`solve_constrained`], to be kept between calls: `factor` once per matrix, `solve` per right-hand side.
#[derive(Debug, Clone, Default)]
pub struct ConstraintWork {
    n: usize,
    /// The scaled matrix, by columns.
    scaled: Vec<f64>,
    /// Householder vectors below the diagonal, R on and above it, by columns.
    qr: Vec<f64>,
    tau: Vec<f64>,
    permutation: Vec<usize>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// R converted into a triangle for the rank `triangle_rank`, with its own Householder vectors to the right.
    triangle: Vec<f64>,
    triangle_tau: Vec<f64>,
    triangle_rank: usize,
    norms: Vec<f64>,
    rhs: Vec<f64>,
    rest: Vec<f64>,
    step: Vec<f64>,
    x: Vec<f64>,
    best: Vec<f64>,
}

/// Solves `w x = rhs` where `w` is square, possibly rank deficient, and `rhs` (nearly) in its range.
///
/// Computes: the shortest least-squares `x` in unknowns scaled by powers of two to alike columns.
/// Method: QR with column pivoting, the trapezoid converted into a triangle from the right (Golub and Van Loan, 5.4.2, 5.5), two
///   rounds of refinement. The rank is the smallest of three cut-offs that leaves no residual.
/// Tolerance: residual <= 1e-14 where `rhs` is consistent and pivots are above 1e-13 of the first (test: `solve_constrained.rs`).
/// Cost: O(n^3) once per matrix, O(n^2) per right-hand side and rank; [`ConstraintWork`] does it without allocation.
/// Fails: an inconsistent `rhs` gives the least-squares answer and `consistent = false`; sizes that do not fit together or numbers
///   that are not finite give zeros, an infinite residual and `consistent = false`.
pub fn solve_constrained(w: &DMatrix<f64>, rhs: &DVector<f64>) -> ConstraintSolution {
    let mut work = ConstraintWork::default();
    let mut x = DVector::zeros(w.ncols());
    work.factor(w);
    let info = work.solve(rhs.as_slice(), x.as_mut_slice());
    ConstraintSolution { x, residual: info.residual, rank: info.rank, consistent: info.consistent }
}

impl ConstraintWork {
    /// Memory for `n` rows.
    pub fn new(n: usize) -> Self {
        let mut work = Self::default();
        work.resize(n);
        work
    }

    fn resize(&mut self, n: usize) {
        self.n = n;
        self.permutation.resize(n, 0);
        for matrix in [&mut self.scaled, &mut self.qr, &mut self.triangle] {
            matrix.resize(n * n, 0.0);
        }
        for vector in [
            &mut self.tau,
            &mut self.row_scale,
            &mut self.column_scale,
            &mut self.triangle_tau,
            &mut self.norms,
            &mut self.rhs,
            &mut self.rest,
            &mut self.step,
            &mut self.x,
            &mut self.best,
        ] {
            vector.resize(n, 0.0);
        }
    }

    /// Takes a matrix in; one that is not square or not finite makes every later `solve` answer with zeros.
    pub fn factor(&mut self, w: &DMatrix<f64>) {
        let n = w.nrows();
        self.triangle_rank = usize::MAX;
        if w.ncols() != n || w.iter().any(|v| !v.is_finite()) {
            self.resize(0);
            return;
        }
        if self.n != n {
            self.resize(n);
        }
        self.scale(w);
        self.qr.copy_from_slice(&self.scaled);
        for (j, p) in self.permutation.iter_mut().enumerate() {
            *p = j;
        }
        for k in 0..n {
            self.bring_longest_column(k);
            self.tau[k] = reflect_column(&mut self.qr, n, k);
        }
    }

    /// Rows first, columns after, by powers of two so that scaling rounds nothing.
    fn scale(&mut self, w: &DMatrix<f64>) {
        let n = self.n;
        for i in 0..n {
            let largest = w.row(i).iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            self.row_scale[i] = inverse_power_of_two(largest);
        }
        for j in 0..n {
            let mut largest = 0.0_f64;
            for i in 0..n {
                largest = largest.max((w[(i, j)] * self.row_scale[i]).abs());
            }
            self.column_scale[j] = inverse_power_of_two(largest);
            for i in 0..n {
                self.scaled[j * n + i] = w[(i, j)] * self.row_scale[i] * self.column_scale[j];
            }
        }
    }

    /// Swaps the column with the longest rest into place `k`; the first of equals wins.
    fn bring_longest_column(&mut self, k: usize) {
        let n = self.n;
        let mut longest = k;
        for j in k..n {
            self.norms[j] = self.qr[j * n + k..(j + 1) * n].iter().map(|v| v * v).sum();
            if self.norms[j] > self.norms[longest] {
                longest = j;
            }
        }
        if longest != k {
            for i in 0..n {
                self.qr.swap(k * n + i, longest * n + i);
            }
            self.permutation.swap(k, longest);
        }
    }

    /// Shortest `x` with `w x = rhs` for the matrix taken in last; `x` is all zeros where the sizes do not fit together.
    pub fn solve(&mut self, rhs: &[f64], x: &mut [f64]) -> ConstraintInfo {
        let n = self.n;
        x.fill(0.0);
        if rhs.len() != n || x.len() != n || rhs.iter().any(|v| !v.is_finite()) {
            return ConstraintInfo { residual: f64::INFINITY, rank: 0, consistent: false };
        }
        for ((scaled, r), scale) in self.rhs.iter_mut().zip(rhs).zip(&self.row_scale) {
            *scaled = r * scale;
        }
        let size = largest(&self.rhs);
        if n == 0 || size == 0.0 {
            return ConstraintInfo { residual: 0.0, rank: self.rank(CUTOFFS[0]), consistent: true };
        }
        // Ranks from safe to daring; the first that leaves nothing wins, else the one that leaves least.
        let mut best = ConstraintInfo { residual: f64::INFINITY, rank: 0, consistent: false };
        let mut smallest = f64::INFINITY;
        let mut tried = usize::MAX;
        for cutoff in CUTOFFS {
            let rank = self.rank(cutoff);
            if rank == tried {
                continue;
            }
            tried = rank;
            let (left, terms) = self.solve_at(rank);
            let consistent = left <= CONSISTENT * size;
            if left < smallest {
                smallest = left;
                best = ConstraintInfo { residual: left / terms, rank, consistent };
                self.best.copy_from_slice(&self.x);
            }
            if consistent && left <= ENOUGH * terms {
                break;
            }
        }
        if smallest.is_finite() {
            for ((x, best), scale) in x.iter_mut().zip(&self.best).zip(&self.column_scale) {
                *x = best * scale;
            }
        }
        best
    }

    /// Number of pivots above a fraction of the first.
    fn rank(&self, cutoff: f64) -> usize {
        let n = self.n;
        let first = if n == 0 { 0.0 } else { self.qr[0].abs() };
        (0..n).take_while(|&k| first > 0.0 && self.qr[k * n + k].abs() > cutoff * first).count()
    }

    /// Fills `self.x` at a rank; returns the largest row left and the largest sum of terms.
    fn solve_at(&mut self, rank: usize) -> (f64, f64) {
        let n = self.n;
        self.make_triangle(rank);
        self.x.fill(0.0);
        self.rest.copy_from_slice(&self.rhs);
        let mut outcome = (largest(&self.rhs), largest(&self.rhs));
        for round in 0..=REFINEMENTS {
            self.one_step(rank);
            // A step that does not help is undone: refinement must not do harm where nothing is left to gain.
            for j in 0..n {
                self.x[j] += self.step[j];
            }
            let next = self.evaluate();
            let improves = next.0 < outcome.0 || (round == 0 && next.0.is_finite());
            if !improves {
                for j in 0..n {
                    self.x[j] -= self.step[j];
                }
                self.evaluate();
                break;
            }
            outcome = next;
        }
        outcome
    }

    /// `rest = rhs - w x`; the largest row of it and of the terms summed.
    fn evaluate(&mut self) -> (f64, f64) {
        let n = self.n;
        let mut worst = 0.0_f64;
        let mut terms = 0.0_f64;
        for i in 0..n {
            let mut left = self.rhs[i];
            let mut sum = left.abs();
            for j in 0..n {
                let term = self.scaled[j * n + i] * self.x[j];
                left -= term;
                sum += term.abs();
            }
            self.rest[i] = left;
            worst = worst.max(left.abs());
            terms = terms.max(sum);
        }
        if terms.is_finite() { (worst, terms) } else { (f64::INFINITY, f64::INFINITY) }
    }

    /// `step` = shortest least-squares answer to `rest` at a rank; the triangle must have been made.
    fn one_step(&mut self, rank: usize) {
        let n = self.n;
        // Q^T rest, of which only the first `rank` rows count.
        for k in 0..rank {
            reflect(&self.qr[k * n + k + 1..(k + 1) * n], self.tau[k], &mut self.rest[k..]);
        }
        // The triangle, from below.
        for k in (0..rank).rev() {
            let mut value = self.rest[k];
            for j in k + 1..rank {
                value -= self.triangle[j * n + k] * self.norms[j];
            }
            self.norms[k] = value / self.triangle[k * n + k];
        }
        for k in rank..n {
            self.norms[k] = 0.0;
        }
        // Back through the reflections from the right, then through the permutation.
        if rank < n {
            for k in 0..rank {
                let mut dot = self.norms[k];
                for j in rank..n {
                    dot += self.triangle[j * n + k] * self.norms[j];
                }
                dot *= self.triangle_tau[k];
                self.norms[k] -= dot;
                for j in rank..n {
                    self.norms[j] -= dot * self.triangle[j * n + k];
                }
            }
        }
        for k in 0..n {
            self.step[self.permutation[k]] = self.norms[k];
        }
    }

    /// Reflections from the right that empty the columns beyond the rank, row by row from below.
    fn make_triangle(&mut self, rank: usize) {
        let n = self.n;
        if self.triangle_rank == rank {
            return;
        }
        self.triangle.copy_from_slice(&self.qr);
        self.triangle_rank = rank;
        if rank == n {
            return;
        }
        for k in (0..rank).rev() {
            let alpha = self.triangle[k * n + k];
            let tail: f64 = (rank..n).map(|j| self.triangle[j * n + k] * self.triangle[j * n + k]).sum();
            if tail == 0.0 {
                self.triangle_tau[k] = 0.0;
                continue;
            }
            let norm = (alpha * alpha + tail).sqrt();
            let beta = if alpha > 0.0 { -norm } else { norm };
            let tau = (beta - alpha) / beta;
            let inverse = 1.0 / (alpha - beta);
            for j in rank..n {
                self.triangle[j * n + k] *= inverse;
            }
            self.triangle[k * n + k] = beta;
            self.triangle_tau[k] = tau;
            for i in 0..k {
                let mut dot = self.triangle[k * n + i];
                for j in rank..n {
                    dot += self.triangle[j * n + i] * self.triangle[j * n + k];
                }
                dot *= tau;
                self.triangle[k * n + i] -= dot;
                for j in rank..n {
                    let v = self.triangle[j * n + k];
                    self.triangle[j * n + i] -= dot * v;
                }
            }
        }
    }
}

/// One Householder reflection that empties column `k` below its diagonal, applied to the columns after it; returns its factor.
fn reflect_column(qr: &mut [f64], n: usize, k: usize) -> f64 {
    let (done, later) = qr.split_at_mut((k + 1) * n);
    let column = &mut done[k * n..];
    let tail: f64 = column[k + 1..].iter().map(|v| v * v).sum();
    if tail == 0.0 {
        return 0.0;
    }
    let alpha = column[k];
    let norm = (alpha * alpha + tail).sqrt();
    let beta = if alpha > 0.0 { -norm } else { norm };
    let tau = (beta - alpha) / beta;
    let inverse = 1.0 / (alpha - beta);
    for v in &mut column[k + 1..] {
        *v *= inverse;
    }
    column[k] = beta;
    for other in later.chunks_exact_mut(n) {
        reflect(&column[k + 1..], tau, &mut other[k..]);
    }
    tau
}

/// Applies the reflection with vector `(1, tail)` and factor `tau` to `target`.
fn reflect(tail: &[f64], tau: f64, target: &mut [f64]) {
    let Some((head, rest)) = target.split_first_mut() else { return };
    let dot = tau * (*head + tail.iter().zip(rest.iter()).map(|(v, t)| v * t).sum::<f64>());
    *head -= dot;
    for (t, v) in rest.iter_mut().zip(tail) {
        *t -= dot * v;
    }
}

/// Largest magnitude.
fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, v| m.max(v.abs()))
}

/// A power of two within a factor two of `1 / value`; 1 for zero.
pub(crate) fn inverse_power_of_two(value: f64) -> f64 {
    /// Bits of the exponent of an f64.
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    // Subnormal and huge values stay where they are: their inverse powers would not be finite or not be exact.
    if !(1e-290..=1e290).contains(&value) {
        return 1.0;
    }
    1.0 / f64::from_bits(value.to_bits() & EXPONENT)
}
