//! Loop conditions that nearly repeat each other, made to repeat each other exactly.
//!
//! In: the rows of all loops at a position. Out: the same rows and their right-hand sides without the directions that velocities can hardly change.
//!
//! A planar linkage closed by a spatial hinge has two conditions too many. Where its axes are parallel but for the sixth digit of a file, these are conditions after all, with a lever arm of a millionth: to meet them the
//! linkage would have to turn by a radian for an error that nobody meant, and its motion would be locked. So combinations of rows with a singular value below [`REDUNDANT`] of the largest are taken out: rows, errors,
//! rates and biases are projected onto the others, and solvers, which share forces equally among rows that repeat each other, see nothing of them. Their error is left as it is; it stays what it was when the
//! loop was closed. Rows are compared by geometry alone, in units of the size of the mechanism, so that neither masses nor units matter.

use zerogap_core::cholesky::{self, PivotRule};

use super::tree::Tree;
use super::workspace::Workspace;

/// Combinations of rows with a singular value below this fraction of the largest are redundant [-].
pub(super) const REDUNDANT: f64 = 1e-4;

/// Sweeps of the eigenvalue iteration at most [-]; six suffice.
const MAX_SWEEPS: usize = 30;

/// Projection of loop rows; keeps its memory from call to call.
#[derive(Debug, Clone, Default)]
pub struct LoopFilter {
    units: Vec<f64>,
    scaled: Vec<f64>,
    /// `J Jᵀ` in units of the mechanism, then its eigenvalues on the diagonal.
    square: Vec<f64>,
    factor: Vec<f64>,
    vectors: Vec<f64>,
    /// The projection, row by row.
    projection: Vec<f64>,
    line: Vec<f64>,
    is_needed: bool,
}

/// Pivots stay as they are; what is negative is rounding.
#[derive(Clone, Copy)]
struct Plain;

impl PivotRule for Plain {
    fn keep(self, pivot: f64, _: f64) -> f64 {
        pivot.max(0.0).sqrt()
    }

    fn divide(self, x: f64, kept: f64) -> f64 {
        if kept > 0.0 { x / kept } else { 0.0 }
    }
}

impl LoopFilter {
    /// Takes redundant combinations out of the rows of all loops, row by row as [`Tree::loop_matrix_rows`] writes them.
    pub fn find(&mut self, tree: &Tree, ws: &Workspace, rows: &mut [f64]) {
        let (m, n) = (tree.loop_rows(), tree.velocities());
        self.is_needed = false;
        if m == 0 || n == 0 {
            return;
        }
        self.measure(tree, ws, rows);
        let largest = (0..m).map(|i| self.square[i * m + i]).fold(0.0, f64::max);
        let limit = REDUNDANT * REDUNDANT * largest;
        self.factor.clone_from(&self.square);
        cholesky::factor(&mut self.factor, m, Plain);
        // The smallest pivot is no smaller than the smallest eigenvalue, and rarely much larger.
        let smallest =
            (0..m).map(|i| self.factor[i * m + i] * self.factor[i * m + i]).fold(f64::INFINITY, f64::min);
        if smallest > limit * m as f64 {
            return;
        }
        self.find_eigenvectors(m);
        self.projection.clear();
        self.projection.resize(m * m, 0.0);
        let mut kept = 0;
        for k in 0..m {
            if self.square[k * m + k] <= limit {
                continue;
            }
            kept += 1;
            for i in 0..m {
                for j in 0..m {
                    self.projection[i * m + j] += self.vectors[i * m + k] * self.vectors[j * m + k];
                }
            }
        }
        self.is_needed = kept < m;
        for i in 0..m {
            for j in 0..m {
                self.projection[i * m + j] *= self.units[j] / self.units[i];
            }
        }
        self.apply(n, rows);
    }

    /// Takes the combinations that [`LoopFilter::find`] took out of the rows out of a right-hand side: one number for each row.
    pub fn filter(&mut self, values: &mut [f64]) {
        self.apply(1, values);
    }

    /// Replaces a matrix of `columns` columns by its projection.
    fn apply(&mut self, columns: usize, matrix: &mut [f64]) {
        if !self.is_needed {
            return;
        }
        let m = self.units.len();
        self.line.resize(m, 0.0);
        for column in 0..columns {
            for i in 0..m {
                let row = &self.projection[i * m..(i + 1) * m];
                self.line[i] =
                    row.iter().enumerate().map(|(j, factor)| factor * matrix[j * columns + column]).sum();
            }
            for i in 0..m {
                matrix[i * columns + column] = self.line[i];
            }
        }
    }

    /// Writes `J Jᵀ` with lengths in units of the mechanism's size.
    fn measure(&mut self, tree: &Tree, ws: &Workspace, rows: &[f64]) {
        let (m, n) = (tree.loop_rows(), tree.velocities());
        let size = ws.largest_arm();
        let size = if size > 0.0 { size } else { 1.0 };
        self.units.clear();
        self.units.resize(m, 1.0);
        tree.each_loop_row(ws, |k, is_angular| self.units[k] = if is_angular { 1.0 } else { 1.0 / size });
        self.scaled.clear();
        for (row, unit) in rows.chunks_exact(n).zip(&self.units) {
            let scaled =
                row.iter().enumerate().map(|(k, x)| x * unit * if tree.is_rotation(k) { 1.0 } else { size });
            self.scaled.extend(scaled);
        }
        self.square.resize(m * m, 0.0);
        for i in 0..m {
            for j in 0..=i {
                let rows = |k: usize| &self.scaled[k * n..(k + 1) * n];
                let entry = rows(i).iter().zip(rows(j)).map(|(a, b)| a * b).sum();
                self.square[i * m + j] = entry;
                self.square[j * m + i] = entry;
            }
        }
    }

    /// Eigenvalues and eigenvectors of the square, by Jacobi's rotations in cyclic order.
    fn find_eigenvectors(&mut self, m: usize) {
        let Self { square, vectors, .. } = self;
        vectors.clear();
        vectors.resize(m * m, 0.0);
        for k in 0..m {
            vectors[k * m + k] = 1.0;
        }
        let trace: f64 = (0..m).map(|k| square[k * m + k]).sum();
        for _ in 0..MAX_SWEEPS {
            let mut off = 0.0_f64;
            for p in 0..m {
                for q in p + 1..m {
                    let entry = square[p * m + q];
                    off = off.max(entry.abs());
                    if entry == 0.0 {
                        continue;
                    }
                    let half = 0.5 * (square[q * m + q] - square[p * m + p]) / entry;
                    let t = half.signum() / (half.abs() + (half * half + 1.0).sqrt());
                    let c = 1.0 / (t * t + 1.0).sqrt();
                    let s = t * c;
                    for k in 0..m {
                        let (a, b) = (square[k * m + p], square[k * m + q]);
                        (square[k * m + p], square[k * m + q]) = (c * a - s * b, s * a + c * b);
                        let (a, b) = (vectors[k * m + p], vectors[k * m + q]);
                        (vectors[k * m + p], vectors[k * m + q]) = (c * a - s * b, s * a + c * b);
                    }
                    for k in 0..m {
                        let (a, b) = (square[p * m + k], square[q * m + k]);
                        (square[p * m + k], square[q * m + k]) = (c * a - s * b, s * a + c * b);
                    }
                }
            }
            if off <= f64::EPSILON * f64::EPSILON * trace {
                break;
            }
        }
    }
}
