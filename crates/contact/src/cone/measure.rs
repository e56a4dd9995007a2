//! How far impulses are from Coulomb's law, in the one number that solvers are compared by; and the best impulses seen.
//!
//! In: impulses, in the order they are found. Out: the residual `|r - P(r - (u + mu |u_t| e_n))| / max(1, |q|)` with `u = W r + q` and `P` the nearest point of the cones, which adds impulses to velocities as
//! they stand: it depends on the units of the problem.

use super::Delassus;
use super::matrix::MatrixProblem;
use super::natural_map;

/// A held problem counts as solved at this share of the tolerance [-].
const SETTLED: f64 = 0.1;

/// The residual that friction problems are judged by [impulses and velocities as they stand], with `velocities = W r + q`.
///
/// The length of `r - P(r - (u + mu |u_t| e_n))` over all contacts, over the length of `q` where that is above one. Infinite where anything is not a number.
///
/// # Panics
/// Where the slices do not have three entries for each contact.
pub fn coulomb_residual(problem: &MatrixProblem, impulses: &[f64], velocities: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (contact, law) in problem.blocks().iter().enumerate() {
        let k = 3 * contact;
        let r = [impulses[k], impulses[k + 1], impulses[k + 2]];
        let u = [velocities[k], velocities[k + 1], velocities[k + 2]];
        sum += natural_map(law, r, u, 1.0).iter().map(|x| x * x).sum::<f64>();
    }
    let found = sum.sqrt() / norm(problem.q()).max(1.0);
    if found.is_finite() { found } else { f64::INFINITY }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// The best impulses so far.
#[derive(Debug, Clone)]
pub(crate) struct Measure {
    pub impulses: Vec<f64>,
    pub residual: f64,
    tolerance: f64,
    velocities: Vec<f64>,
}

impl Measure {
    pub(crate) fn new(problem: &MatrixProblem, tolerance: f64) -> Self {
        let zero = vec![0.0; problem.q().len()];
        let residual = coulomb_residual(problem, &zero, problem.q());
        Self { velocities: zero.clone(), impulses: zero, residual, tolerance }
    }

    /// Keeps impulses that are better than those before; their residual.
    pub(crate) fn offer(&mut self, problem: &MatrixProblem, impulses: &[f64]) -> f64 {
        problem.respond(impulses, &mut self.velocities);
        let residual = coulomb_residual(problem, impulses, &self.velocities);
        if residual < self.residual {
            self.residual = residual;
            self.impulses.copy_from_slice(impulses);
        }
        residual
    }

    /// Whether the best is within the tolerance.
    pub(crate) fn is_enough(&self) -> bool {
        self.residual <= self.tolerance
    }

    /// Below this a held problem counts as solved.
    pub(crate) fn settled(&self) -> f64 {
        SETTLED * self.tolerance
    }
}
