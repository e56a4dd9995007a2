//! Motion of a beam with small deflections, as a system for integrators.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::{Beam, BeamError, MassKind};
use crate::integrate::System;

/// Damping in proportion to mass and to stiffness: `C = mass M + stiffness K`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rayleigh {
    /// Factor of the mass [1/s].
    pub mass: f64,
    /// Factor of the stiffness [s].
    pub stiffness: f64,
}

impl Rayleigh {
    /// The factors that give two angular frequencies [rad/s] their ratios to the critical damping [-].
    pub fn from_ratios([w1, w2]: [f64; 2], [z1, z2]: [f64; 2]) -> Self {
        let stiffness = 2.0 * (z2 * w2 - z1 * w1) / (w2 * w2 - w1 * w1);
        Self { mass: 2.0 * z1 * w1 - stiffness * w1 * w1, stiffness }
    }

    /// The fraction of the critical damping at an angular frequency [-].
    pub fn ratio(&self, w: f64) -> f64 {
        0.5 * (self.mass / w + self.stiffness * w)
    }
}

/// A beam in motion: `M a + C v + K u = f`, for the degrees of freedom that are not fixed.
///
/// The state is the deflections of these, then their rates. The force is constant until it is changed between two steps.
#[derive(Debug, Clone)]
pub struct MovingBeam {
    free: Vec<usize>,
    all: usize,
    mass: DMatrix<f64>,
    factor: Cholesky<f64, Dyn>,
    stiffness: DMatrix<f64>,
    damping: Rayleigh,
    /// Forces on the degrees of freedom that are not fixed [N, N m].
    force: DVector<f64>,
}

impl MovingBeam {
    /// A beam that is free to move as its supports allow.
    pub fn new(beam: &Beam, kind: MassKind, damping: Rayleigh) -> Result<Self, BeamError> {
        let free = beam.free();
        if free.is_empty() {
            return Err(BeamError::NothingFree);
        }
        let mass = beam.reduced(&beam.mass(kind));
        // Every element gives mass to all its freedoms; a node without an element has none.
        let factor = Cholesky::new(mass.clone()).ok_or(BeamError::Loose)?;
        let stiffness = beam.reduced(&beam.stiffness());
        let (all, force) = (beam.nodes.len() * super::FREEDOMS, DVector::zeros(free.len()));
        Ok(Self { free, all, mass, factor, stiffness, damping, force })
    }

    /// Sets forces and torques at all nodes [N, N m]; those on fixed degrees of freedom go into the supports.
    pub fn load(&mut self, loads: &[f64]) -> Result<(), BeamError> {
        if loads.len() != self.all {
            return Err(BeamError::Count { expected: self.all, given: loads.len() });
        }
        for (force, k) in self.force.iter_mut().zip(&self.free) {
            *force = loads[*k];
        }
        Ok(())
    }

    /// The state with these deflections and rates of all nodes.
    pub fn state(&self, deflections: &[f64], rates: &[f64]) -> Result<Vec<f64>, BeamError> {
        for given in [deflections.len(), rates.len()] {
            if given != self.all {
                return Err(BeamError::Count { expected: self.all, given });
            }
        }
        let of = |values: &[f64]| self.free.iter().map(|k| values[*k]).collect::<Vec<_>>();
        Ok([of(deflections), of(rates)].concat())
    }

    /// Kinetic and strain energy of a state [J].
    ///
    /// # Panics
    /// Where the state does not have the length of the system.
    pub fn energy(&self, y: &[f64]) -> [f64; 2] {
        let (u, v) = y.split_at(self.free.len());
        let (u, v) = (DVector::from_row_slice(u), DVector::from_row_slice(v));
        [0.5 * v.dot(&(&self.mass * &v)), 0.5 * u.dot(&(&self.stiffness * &u))]
    }
}

impl System for MovingBeam {
    fn len(&self) -> usize {
        2 * self.free.len()
    }

    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let n = self.free.len();
        let (u, v) = y.split_at(n);
        let (u, v) = (DVector::from_row_slice(u), DVector::from_row_slice(v));
        let Rayleigh { mass, stiffness } = self.damping;
        // What stiffness damps joins the deflection; what mass damps needs no solve.
        let mut acceleration = &self.force - &self.stiffness * (u + &v * stiffness);
        self.factor.solve_mut(&mut acceleration);
        acceleration -= &v * mass;
        dy[..n].copy_from_slice(v.as_slice());
        dy[n..].copy_from_slice(acceleration.as_slice());
    }
}
