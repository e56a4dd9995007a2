//! Linear complementarity problems by Lemke's method: `w = M z + q`, `w >= 0`, `z >= 0`, `w^T z = 0`.
//!
//! In: a square matrix of any kind and a vector. Out: a solution, or the ray on which the method ended. Small dense problems; the
//! answer depends on nothing but the input.

use super::constrained::{inverse_power_of_two, solve_constrained};
use nalgebra::{DMatrix, DVector};

/// Entries of the entering column below this count as zero, in rows and columns scaled to one [-].
const PIVOT: f64 = 1e-11;
/// Ratios closer than this are ties, which the lexicographic order decides: relative part [-].
const TIE: f64 = 1e-11;
/// The same: absolute part, for a right-hand side scaled to one [-].
const TIE_AT_ZERO: f64 = 1e-13;
/// Right-hand sides that rounding pushed below zero by less than this are zero [-].
const CLEAN: f64 = 1e-12;
/// A covering variable below this relaxes nothing, and the problem is solved, for a right-hand side scaled to one [-].
const UNCOVERED: f64 = 1e-11;
/// Pivots allowed per row, beyond a floor: far more than problems from contacts take (about two per row).
const PIVOTS_PER_ROW: usize = 50;

/// How [`lemke`] ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LcpStatus {
    /// `z` solves the problem.
    Solved,
    /// The method ended on a ray. For copositive-plus matrices (positive semidefinite ones, friction pyramids on them) this proves
    /// that there is no solution; for others there may still be one.
    Ray,
    /// Too many pivots, or input that is not square, not of one size or not finite.
    Limit,
}

/// The answer of [`lemke`].
#[derive(Debug, Clone, PartialEq)]
pub struct Lcp {
    /// The solution; zeros where there is none.
    pub z: DVector<f64>,
    /// How the method ended.
    pub status: LcpStatus,
    /// Pivots taken.
    pub pivots: usize,
}

/// Solves `0 <= z` complementary to `M z + q >= 0`.
///
/// Computes: `z` with `min(z, M z + q)` zero to rounding.
/// Method: Lemke 1965 with the covering vector of ones and the lexicographic ratio test (Cottle, Pang and Stone, 4.4 and 4.9), so
///   that degenerate problems do not cycle; the final basis is solved again from the original entries.
/// Tolerance: max |min(z, M z + q)| <= 1e-12 (|q| + |M| |z|) for well-conditioned bases (test: `solve_lemke.rs`); pivots below 1e-11
///   of their row and column count as zero.
/// Cost: O(n^2) per pivot, typically one to two pivots per row; a table of n by 2 n + 2.
/// Fails: `Ray` and `Limit`, with zeros.
pub fn lemke(m: &DMatrix<f64>, q: &DVector<f64>) -> Lcp {
    lemke_covered(m, q, |_| 1.0)
}

/// The same with another covering vector, whose entries must be positive: where the matrix is no friend of the method, another way in
/// may end elsewhere.
pub(crate) fn lemke_covered(m: &DMatrix<f64>, q: &DVector<f64>, cover: impl Fn(usize) -> f64) -> Lcp {
    let n = q.len();
    let failed = |status, pivots| Lcp { z: DVector::zeros(n), status, pivots };
    let finite = m.iter().chain(q.iter()).all(|v| v.is_finite());
    if m.nrows() != n || m.ncols() != n || !finite {
        return failed(LcpStatus::Limit, 0);
    }
    if q.iter().all(|v| *v >= 0.0) {
        return failed(LcpStatus::Solved, 0);
    }
    let mut table = Table::new(m, q, cover);
    let (status, pivots) = table.run();
    if status != LcpStatus::Solved {
        return failed(status, pivots);
    }
    let z = polish(m, q, &table);
    if z.iter().all(|v| v.is_finite()) { Lcp { z, status, pivots } } else { failed(LcpStatus::Limit, pivots) }
}

/// Solves the final basis again from the entries as given, and keeps the better answer.
fn polish(m: &DMatrix<f64>, q: &DVector<f64>, table: &Table) -> DVector<f64> {
    let n = q.len();
    let mut raw = DVector::zeros(n);
    let mut active = Vec::new();
    for (i, &variable) in table.basis.iter().enumerate() {
        if (n..2 * n).contains(&variable) {
            let j = variable - n;
            raw[j] = (table.rhs(i) * table.column_scale[j] * table.size).max(0.0);
            active.push(j);
        }
    }
    active.sort_unstable();
    let inner = DMatrix::from_fn(active.len(), active.len(), |i, j| m[(active[i], active[j])]);
    let solved = solve_constrained(&inner, &DVector::from_fn(active.len(), |i, _| -q[active[i]]));
    let mut z = DVector::zeros(n);
    for (k, &j) in active.iter().enumerate() {
        z[j] = solved.x[k].max(0.0);
    }
    let worst = |z: &DVector<f64>| {
        let w = m * z + q;
        (0..n).fold(0.0_f64, |worst, i| worst.max(z[i].min(w[i]).abs() * table.row_scale[i]))
    };
    if worst(&z) <= worst(&raw) { z } else { raw }
}

/// The table of the method: columns of w (the inverse of the basis), of z, of the covering variable, and the right-hand side.
struct Table {
    n: usize,
    width: usize,
    entries: Vec<f64>,
    /// Variable of each row: `i` is entry i of w, `n + i` entry i of z, `2 n` the covering variable.
    basis: Vec<usize>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    /// What the right-hand side was divided by.
    size: f64,
}

impl Table {
    fn new(m: &DMatrix<f64>, q: &DVector<f64>, cover: impl Fn(usize) -> f64) -> Self {
        let n = q.len();
        let width = 2 * n + 2;
        // Rows and columns to about one, by powers of two: the same problem in other units of w and z.
        let row_scale: Vec<f64> = (0..n)
            .map(|i| inverse_power_of_two(m.row(i).iter().fold(0.0_f64, |s, v| s.max(v.abs()))))
            .collect();
        let column_scale: Vec<f64> = (0..n)
            .map(|j| {
                inverse_power_of_two((0..n).fold(0.0_f64, |s, i| s.max((m[(i, j)] * row_scale[i]).abs())))
            })
            .collect();
        let largest = (0..n).fold(0.0_f64, |s, i| s.max((q[i] * row_scale[i]).abs()));
        let size = 1.0 / inverse_power_of_two(largest);
        let mut entries = vec![0.0; n * width];
        for i in 0..n {
            let row = &mut entries[i * width..(i + 1) * width];
            row[i] = 1.0;
            for j in 0..n {
                row[n + j] = -m[(i, j)] * row_scale[i] * column_scale[j];
            }
            row[2 * n] = -cover(i);
            row[2 * n + 1] = q[i] * row_scale[i] / size;
        }
        Self { n, width, entries, basis: (0..n).collect(), row_scale, column_scale, size }
    }

    fn rhs(&self, i: usize) -> f64 {
        self.entries[i * self.width + self.width - 1]
    }

    fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.width + j]
    }

    fn run(&mut self) -> (LcpStatus, usize) {
        let (n, covering) = (self.n, 2 * self.n);
        // The first pivot makes every row positive in the lexicographic sense: the least ratio, the last of equals.
        let mut first = 0;
        for i in 1..n {
            if self.rhs(i) / -self.at(i, covering) <= self.rhs(first) / -self.at(first, covering) {
                first = i;
            }
        }
        self.pivot(first, covering);
        let mut entering = n + first;
        let max_pivots = 1000 + PIVOTS_PER_ROW * n;
        let cover_row = first;
        for pivots in 1..max_pivots {
            // Where many rows become zero at once, rounding may hide that the covering variable is one of them.
            if self.rhs(cover_row) <= UNCOVERED {
                return (LcpStatus::Solved, pivots);
            }
            let Some(row) = self.leaving(entering) else {
                return (LcpStatus::Ray, pivots);
            };
            let leaving = self.basis[row];
            self.pivot(row, entering);
            if leaving == covering {
                return (LcpStatus::Solved, pivots + 1);
            }
            entering = if leaving < n { leaving + n } else { leaving - n };
        }
        (LcpStatus::Limit, max_pivots)
    }

    /// Row of the lexicographically least ratio; the covering variable leaves where it may.
    fn leaving(&self, entering: usize) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in 0..self.n {
            if self.at(i, entering) <= PIVOT {
                continue;
            }
            best = match best {
                Some(b) if !self.before(i, b, entering) => Some(b),
                _ => Some(i),
            };
        }
        best
    }

    /// Whether row `i` has the smaller ratio than row `b`.
    fn before(&self, i: usize, b: usize, entering: usize) -> bool {
        let (ui, ub) = (self.at(i, entering), self.at(b, entering));
        let covering = 2 * self.n;
        let order = compare(self.rhs(i) / ui, self.rhs(b) / ub);
        if order != 0 {
            return order < 0;
        }
        // Once the covering variable can leave, the problem is solved.
        if self.basis[i] == covering || self.basis[b] == covering {
            return self.basis[i] == covering;
        }
        for j in 0..self.n {
            let order = compare(self.at(i, j) / ui, self.at(b, j) / ub);
            if order != 0 {
                return order < 0;
            }
        }
        false
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let width = self.width;
        let inverse = 1.0 / self.at(row, column);
        for v in &mut self.entries[row * width..(row + 1) * width] {
            *v *= inverse;
        }
        self.entries[row * width + column] = 1.0;
        for i in 0..self.n {
            let factor = self.at(i, column);
            if i == row || factor == 0.0 {
                continue;
            }
            let (low, high) = self.entries.split_at_mut(row.max(i) * width);
            let (target, source) = if i < row {
                (&mut low[i * width..(i + 1) * width], &high[..width])
            } else {
                (&mut high[..width], &low[row * width..(row + 1) * width])
            };
            for (t, s) in target.iter_mut().zip(source) {
                *t -= factor * s;
            }
            target[column] = 0.0;
            let last = &mut target[width - 1];
            if *last < 0.0 && *last > -CLEAN {
                *last = 0.0;
            }
        }
        self.basis[row] = column;
    }
}

/// -1, 0 or 1, where values within rounding are equal.
fn compare(x: f64, y: f64) -> i32 {
    let difference = x - y;
    if difference.abs() <= TIE * x.abs().max(y.abs()) + TIE_AT_ZERO {
        0
    } else if difference < 0.0 {
        -1
    } else {
        1
    }
}
