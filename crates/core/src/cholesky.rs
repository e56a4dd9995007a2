//! Cholesky factors of small dense matrices, row by row in plain slices, in place.
//!
//! In: a symmetric matrix of which the lower triangle is read. Out: its factor `L` there, and solutions. What is done where a pivot vanishes belongs to the problem: a [`PivotRule`] decides it. Sums have a fixed
//! order, so that the bits are the same on every machine.

/// What stands on the diagonal of a factor, and what it means to divide by it.
pub trait PivotRule: Copy {
    /// Returns what is kept of a pivot; `own` is the diagonal entry before elimination.
    fn keep(self, pivot: f64, own: f64) -> f64;

    /// Divides by the square root of the pivot whose kept value is given.
    fn divide(self, x: f64, kept: f64) -> f64;
}

/// Factors a matrix of `n` rows in the lower triangle.
pub fn factor(m: &mut [f64], n: usize, rule: impl PivotRule) {
    for j in 0..n {
        let own = m[j * n + j];
        let mut pivot = own;
        for k in 0..j {
            pivot -= m[j * n + k] * m[j * n + k];
        }
        let kept = rule.keep(pivot, own);
        m[j * n + j] = kept;
        for i in j + 1..n {
            let mut entry = m[i * n + j];
            for k in 0..j {
                entry -= m[i * n + k] * m[j * n + k];
            }
            m[i * n + j] = rule.divide(entry, kept);
        }
    }
}

/// Replaces `x` by `L^-1 x`.
pub fn solve_lower(l: &[f64], n: usize, rule: impl PivotRule, x: &mut [f64]) {
    for i in 0..n {
        let mut sum = x[i];
        for k in 0..i {
            sum -= l[i * n + k] * x[k];
        }
        x[i] = rule.divide(sum, l[i * n + i]);
    }
}

/// Replaces `x` by `L^-T x`.
pub fn solve_upper(l: &[f64], n: usize, rule: impl PivotRule, x: &mut [f64]) {
    for i in (0..n).rev() {
        let mut sum = x[i];
        for k in i + 1..n {
            sum -= l[k * n + i] * x[k];
        }
        x[i] = rule.divide(sum, l[i * n + i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use nalgebra::{DMatrix, DVector};

    #[derive(Clone, Copy)]
    struct Root;

    impl PivotRule for Root {
        fn keep(self, pivot: f64, _: f64) -> f64 {
            pivot.sqrt()
        }

        fn divide(self, x: f64, kept: f64) -> f64 {
            x / kept
        }
    }

    #[test]
    fn solutions_meet_their_equations() {
        let mut random = Random::new(5);
        for n in [0, 1, 2, 6, 11] {
            let a = DMatrix::from_fn(n, n, |_, _| random.range(-1.0, 1.0));
            let m = &a * a.transpose() + DMatrix::identity(n, n);
            let b = DVector::from_fn(n, |_, _| random.range(-1.0, 1.0));
            let (mut l, mut x) = (m.as_slice().to_vec(), b.as_slice().to_vec());
            factor(&mut l, n, Root);
            solve_lower(&l, n, Root, &mut x);
            solve_upper(&l, n, Root, &mut x);
            assert!((m * DVector::from_vec(x) - b).norm() < 1e-13);
        }
    }
}
