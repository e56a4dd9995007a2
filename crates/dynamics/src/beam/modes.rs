//! Natural frequencies and the shapes that belong to them.
//!
//! In: a beam. Out: the lowest modes of `K x = w² M x`. Turned round with a shift, so that the lowest are the largest eigenvalues and keep their digits: `(K + s M) = L Lᵀ`,
//! eigenvalues of `L⁻¹ M L⁻ᵀ` are `1 / (w² + s)`. The shift also lets frames without supports have their motions without bending, at frequency zero.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::{Beam, BeamError, MassKind};

/// The shift against the largest ratio of stiffness to mass on the diagonal [-]: far below the lowest mode of a frame of tens of elements, far above rounding.
const SHIFT: f64 = 1e-11;

/// Sweeps of rotations at most [-]: ten are enough for matrices of hundreds of rows.
const SWEEPS: usize = 60;

/// The lowest modes of a beam.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// Angular frequencies, ascending [rad/s].
    pub angular_frequencies: Vec<f64>,
    /// For each of them the shifts and turns of all nodes, of modal mass 1 kg, with the largest entry positive.
    pub shapes: Vec<Vec<f64>>,
}

impl Beam {
    /// The lowest `count` modes, or all where there are fewer.
    ///
    /// Method: Cholesky, then cyclic Jacobi rotations. Tolerance: 1e-6 of the eigenvalue of the finite elements for frames of tens of elements.
    /// Cost: O(n³) for n degrees of freedom, with a factor of about 50: seconds from n = 500.
    /// Fails: where every degree of freedom is fixed.
    pub fn modes(&self, count: usize, kind: MassKind) -> Result<Modes, BeamError> {
        let free = self.free();
        if free.is_empty() {
            return Err(BeamError::NothingFree);
        }
        let (stiffness, mass) = (self.reduced(&self.stiffness()), self.reduced(&self.mass(kind)));
        let stiffest = (0..free.len()).map(|k| stiffness[(k, k)] / mass[(k, k)]).fold(0.0, f64::max);
        let shift = SHIFT * stiffest;
        let factor = Cholesky::new(&stiffness + &mass * shift).ok_or(BeamError::Loose)?;
        let lower = factor.l();
        // L⁻¹ M L⁻ᵀ, made symmetric to the last bit.
        let mut rotated = mass;
        lower.solve_lower_triangular_mut(&mut rotated);
        rotated.transpose_mut();
        lower.solve_lower_triangular_mut(&mut rotated);
        let rotated = (&rotated + rotated.transpose()) * 0.5;
        let (values, vectors) = symmetric_eigen(rotated);

        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
        let mut modes = Modes { angular_frequencies: Vec::new(), shapes: Vec::new() };
        for &k in order.iter().take(count) {
            let squared = (1.0 / values[k] - shift).max(0.0);
            // x = L⁻ᵀ y has modal mass yᵀ (L⁻¹ M L⁻ᵀ) y, the eigenvalue.
            let mut y: DVector<f64> = vectors.column(k).into_owned();
            lower.tr_solve_lower_triangular_mut(&mut y);
            y /= values[k].sqrt();
            if y[y.iamax()] < 0.0 {
                y.neg_mut();
            }
            let mut shape = vec![0.0; self.fixed.len()];
            for (at, value) in free.iter().zip(y.iter()) {
                shape[*at] = *value;
            }
            modes.angular_frequencies.push(squared.sqrt());
            modes.shapes.push(shape);
        }
        Ok(modes)
    }
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix, in no order.
///
/// Method: cyclic Jacobi rotations with the half-angle formulas of Rutishauser 1966, which need no function but the square root, so that every machine has the same bits.
/// Tolerance: a few roundings of the largest eigenvalue.
pub(super) fn symmetric_eigen(mut a: DMatrix<f64>) -> (Vec<f64>, DMatrix<f64>) {
    let n = a.nrows();
    let mut vectors = DMatrix::identity(n, n);
    for _ in 0..SWEEPS {
        let mut is_diagonal = true;
        for p in 0..n {
            for q in p + 1..n {
                // Nothing is left to turn where the entry is lost in the rounding of both its diagonal entries.
                let entry = a[(p, q)];
                if entry.abs() <= f64::EPSILON * (a[(p, p)] * a[(q, q)]).abs().sqrt() {
                    continue;
                }
                is_diagonal = false;
                let theta = (a[(q, q)] - a[(p, p)]) / (2.0 * entry);
                let t = 1.0_f64.copysign(theta) / (theta.abs() + (1.0 + theta * theta).sqrt());
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (x, y) = (a[(k, p)], a[(k, q)]);
                    (a[(k, p)], a[(k, q)]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[(p, k)], a[(q, k)]);
                    (a[(p, k)], a[(q, k)]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (vectors[(k, p)], vectors[(k, q)]);
                    (vectors[(k, p)], vectors[(k, q)]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
        if is_diagonal {
            break;
        }
    }
    (a.diagonal().iter().copied().collect(), vectors)
}
