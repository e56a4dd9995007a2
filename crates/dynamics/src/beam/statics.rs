//! Deflections under loads.

use nalgebra::{Cholesky, DVector};

use super::{Beam, BeamError};

/// A pivot below this part of its diagonal entry belongs to a motion without bending [-]: rounding of a sum of elements leaves no more than 1e-15 of each, and beams of a thousand elements have 1e-9.
const LOOSE: f64 = 1e-13;

impl Beam {
    /// Displacements and rotations of all nodes under forces and torques at all nodes [m, rad from N, N m], for small deflections.
    ///
    /// Computes: `K u = f` for the degrees of freedom that are not fixed; the others stay zero.
    /// Method: Cholesky. Tolerance: 1e-9 of the closed form for a cantilever of 20 elements (tests/beam.rs).
    /// Fails: where the supports let the frame move without bending.
    pub fn deflection(&self, loads: &[f64]) -> Result<Vec<f64>, BeamError> {
        let count = self.fixed.len();
        if loads.len() != count {
            return Err(BeamError::Count { expected: count, given: loads.len() });
        }
        if let Some(index) = loads.iter().position(|load| !load.is_finite()) {
            return Err(BeamError::Load { index, value: loads[index] });
        }
        let free = self.free();
        if free.is_empty() {
            return Err(BeamError::NothingFree);
        }
        let reduced = self.reduced(&self.stiffness());
        let diagonal = reduced.diagonal();
        let factor = Cholesky::new(reduced).ok_or(BeamError::Loose)?;
        let pivots = factor.l_dirty().diagonal();
        if pivots.iter().zip(diagonal.iter()).any(|(pivot, entry)| pivot * pivot < LOOSE * entry) {
            return Err(BeamError::Loose);
        }
        let solved = factor.solve(&DVector::from_iterator(free.len(), free.iter().map(|k| loads[*k])));
        let mut all = vec![0.0; count];
        for (k, value) in free.iter().zip(solved.iter()) {
            all[*k] = *value;
        }
        Ok(all)
    }
}
