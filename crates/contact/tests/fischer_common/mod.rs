//! Distances at the end of a step that are linear in the forces.

use nalgebra::{DMatrix, DVector};
use zerogap_contact::solve::EndOfStep;

/// Distances `q + g f`.
#[derive(Clone)]
pub(crate) struct Linear {
    pub(crate) g: DMatrix<f64>,
    pub(crate) q: DVector<f64>,
}

impl EndOfStep for Linear {
    fn contacts(&self) -> usize {
        self.q.len()
    }

    fn distances(&mut self, forces: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.q[i] + (0..forces.len()).map(|j| self.g[(i, j)] * forces[j]).sum::<f64>();
        }
    }

    fn derivative(&mut self, _: &[f64], out: &mut [f64]) {
        let n = self.q.len();
        for (at, out) in out.iter_mut().enumerate() {
            *out = self.g[(at / n, at % n)];
        }
    }
}
