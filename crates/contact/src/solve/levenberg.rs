//! Damped least squares: the `x` that makes `|h x - rhs|² + damping |x|²` smallest.
//!
//! In: a square matrix that may have lost rank, row by row, and a damping. Out: steps for the Newton methods of [`super::fischer`] and
//! [`super::bilateral`]. Where equations repeat each other the step is the shortest, so that equal contacts share equally. The same
//! input gives the same bits; nothing is allocated once the memory fits.

/// Factors of the last matrix, and memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Levenberg {
    n: usize,
    /// The matrix over a diagonal of the root of the damping, by columns of `2 n` entries; Householder vectors once factored.
    columns: Vec<f64>,
    /// Diagonal of the triangle.
    diagonal: Vec<f64>,
    /// Factors of the reflections.
    tau: Vec<f64>,
    rhs: Vec<f64>,
}

impl Levenberg {
    /// Takes a matrix in, `n` squared entries row by row, all finite.
    ///
    /// Method: Householder QR of the matrix over the root of the damping. The normal equations would square the condition number; and
    ///   column k of the lower block is filled down to row k alone, so that each reflection works on `n + 1` rows.
    /// Cost: 2 n³.
    pub(crate) fn factor(&mut self, h: &[f64], n: usize, damping: f64) {
        self.n = n;
        let height = 2 * n;
        self.columns.clear();
        self.columns.resize(n * height, 0.0);
        for buffer in [&mut self.diagonal, &mut self.tau] {
            buffer.resize(n, 0.0);
        }
        self.rhs.resize(height, 0.0);
        let root = damping.sqrt();
        for (j, column) in self.columns.chunks_exact_mut(height.max(1)).enumerate() {
            for (i, entry) in column[..n].iter_mut().enumerate() {
                *entry = h[i * n + j];
            }
            column[n + j] = root;
        }
        for k in 0..n {
            let (before, after) = self.columns.split_at_mut((k + 1) * height);
            let v = &mut before[k * height + k..=k * height + k + n];
            let length = dot(v, v).sqrt();
            // A column of nothing stays; its unknown will be zero.
            let pivot = if v[0] > 0.0 { -length } else { length };
            v[0] -= pivot;
            let square = dot(v, v);
            self.diagonal[k] = pivot;
            self.tau[k] = if square > 0.0 { 2.0 / square } else { 0.0 };
            for column in after.chunks_exact_mut(height) {
                reflect(v, self.tau[k], &mut column[k..=k + n]);
            }
        }
    }

    /// Writes the step for a right-hand side.
    pub(crate) fn solve(&mut self, rhs: &[f64], x: &mut [f64]) {
        let (n, height) = (self.n, 2 * self.n);
        self.rhs[..n].copy_from_slice(rhs);
        self.rhs[n..].fill(0.0);
        for k in 0..n {
            let v = &self.columns[k * height + k..=k * height + k + n];
            reflect(v, self.tau[k], &mut self.rhs[k..=k + n]);
        }
        for k in (0..n).rev() {
            let known: f64 = (k + 1..n).map(|j| self.columns[j * height + k] * x[j]).sum();
            let value = (self.rhs[k] - known) / self.diagonal[k];
            x[k] = if value.is_finite() { value } else { 0.0 };
        }
    }
}

/// `a . b`, in four sums side by side, which is quicker than one and as fixed in its order.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours_a, rest_a) = a.as_chunks::<4>();
    let (fours_b, rest_b) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in fours_a.iter().zip(fours_b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// `y -= tau v (v . y)`.
fn reflect(v: &[f64], tau: f64, y: &mut [f64]) {
    let amount = tau * dot(v, y);
    for (y, v) in y.iter_mut().zip(v) {
        *y -= amount * v;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};
    use zerogap_core::random::Random;

    #[test]
    fn steps_solve_the_damped_normal_equations() {
        let mut random = Random::new(11);
        let mut levenberg = Levenberg::default();
        for n in [1, 2, 5, 9] {
            let h = DMatrix::from_fn(n, n, |_, _| random.range(-1.0, 1.0));
            let rhs = DVector::from_fn(n, |_, _| random.range(-1.0, 1.0));
            let mut x = vec![0.0; n];
            // The stored order is by rows: the transpose by columns.
            levenberg.factor(h.transpose().as_slice(), n, 0.01);
            levenberg.solve(rhs.as_slice(), &mut x);
            let x = DVector::from_vec(x);
            let left = h.transpose() * (&h * &x - rhs) + x * 0.01;
            assert!(left.amax() < 1e-14, "{left}");
        }
    }

    #[test]
    fn equations_that_repeat_each_other_share_equally() {
        let mut levenberg = Levenberg::default();
        levenberg.factor(&[1.0; 9], 3, 1e-10);
        let mut x = [0.0; 3];
        levenberg.solve(&[3.0; 3], &mut x);
        for value in x {
            assert!((value - 1.0).abs() < 1e-9, "{x:?}");
        }
    }

    #[test]
    fn nothing_in_gives_nothing_out() {
        let mut levenberg = Levenberg::default();
        levenberg.factor(&[], 0, 1.0);
        levenberg.solve(&[], &mut []);
        levenberg.factor(&[0.0; 4], 2, 0.0);
        let mut x = [1.0; 2];
        levenberg.solve(&[1.0, 2.0], &mut x);
        assert!(x.iter().all(|v| *v == 0.0), "{x:?}");
    }
}
