//! How far impulses are from Coulomb's law, in the number that solvers are compared by and in one that knows no units; and the best impulses seen.
//!
//! In: impulses, in the order they are found. Out: their residuals, and those impulses whose larger residual was least.

use super::conditions::LawMiss;
use super::matrix::MatrixProblem;
use super::project::MAPPED_FRICTION;
use super::{Delassus, natural_map, residual};

/// The residual that friction problems are judged by: `|r - P(r - (u + mu |u_t| e_n))| / max(1, |q|)` over all contacts, where `velocities` is `u = W r + q` and `P` gives the nearest point of the cones.
///
/// It adds impulses to velocities as they stand, so it depends on the units of the problem. For friction beyond 100, where rounding of `u_t` times `mu` drowns all else, the largest miss of a condition of the law
/// ([`LawMiss`]) stands for the contact. Infinite where anything is not a number.
///
/// # Panics
/// Where the slices do not have three entries for each contact.
pub fn coulomb_residual(problem: &MatrixProblem, impulses: &[f64], velocities: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (contact, law) in problem.blocks().iter().enumerate() {
        let k = 3 * contact;
        let r = [impulses[k], impulses[k + 1], impulses[k + 2]];
        let u = [velocities[k], velocities[k + 1], velocities[k + 2]];
        sum += if problem.mu(contact) > MAPPED_FRICTION {
            LawMiss::new(problem.friction_of(contact), r, u, 1.0).largest().powi(2)
        } else {
            natural_map(law, r, u, 1.0).iter().map(|x| x * x).sum::<f64>()
        };
    }
    let size = problem.q().iter().map(|v| v * v).sum::<f64>().sqrt();
    or_infinite(sum.sqrt() / size.max(1.0))
}

/// The same without units: the largest velocity by which a contact misses its law ([`residual`]), over the largest entry of `q` [-].
///
/// # Panics
/// Where the slices do not have three entries for each contact.
pub fn relative_residual(problem: &MatrixProblem, impulses: &[f64], velocities: &[f64]) -> f64 {
    let missed = residual(problem, impulses, velocities);
    let size = problem.q().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if missed == 0.0 { 0.0 } else { or_infinite(missed / size) }
}

/// By how much each condition of Coulomb's law is missed at most, over all contacts [m/s].
///
/// # Panics
/// Where the slices do not have three entries for each contact.
pub fn law_misses(problem: &MatrixProblem, impulses: &[f64], velocities: &[f64]) -> LawMiss {
    let mut worst = LawMiss::default();
    for (contact, (r, u)) in impulses.chunks_exact(3).zip(velocities.chunks_exact(3)).enumerate() {
        let weight = problem.diagonal(contact).diagonal().max();
        let miss = LawMiss::new(problem.friction_of(contact), [r[0], r[1], r[2]], [u[0], u[1], u[2]], weight);
        worst = worst.worse(&miss);
    }
    worst
}

/// The largest of these over the largest entry of `q` [-].
pub(crate) fn relative_law_miss(problem: &MatrixProblem, misses: &LawMiss) -> f64 {
    let size = problem.q().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let missed = misses.largest();
    if missed == 0.0 { 0.0 } else { or_infinite(missed / size) }
}

fn or_infinite(x: f64) -> f64 {
    if x.is_finite() { x } else { f64::INFINITY }
}

/// The largest residual: both of the law as a whole, and that of its conditions one by one.
pub(crate) fn worse(problem: &MatrixProblem, impulses: &[f64], velocities: &[f64]) -> f64 {
    let misses = law_misses(problem, impulses, velocities);
    coulomb_residual(problem, impulses, velocities)
        .max(relative_residual(problem, impulses, velocities))
        .max(relative_law_miss(problem, &misses))
}

/// The best impulses so far.
#[derive(Debug, Clone)]
pub(crate) struct Best {
    pub impulses: Vec<f64>,
    /// The largest of all residuals.
    pub residual: f64,
    pub tolerance: f64,
    velocities: Vec<f64>,
}

impl Best {
    /// No impulses at all.
    pub(crate) fn new(problem: &MatrixProblem, tolerance: f64) -> Self {
        let zero = vec![0.0; problem.q().len()];
        let residual = worse(problem, &zero, problem.q());
        Self { velocities: zero.clone(), impulses: zero, residual, tolerance }
    }

    /// Keeps impulses that are better than those before; their residual.
    pub(crate) fn offer(&mut self, problem: &MatrixProblem, impulses: &[f64]) -> f64 {
        problem.respond(impulses, &mut self.velocities);
        let residual = worse(problem, impulses, &self.velocities);
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
}
