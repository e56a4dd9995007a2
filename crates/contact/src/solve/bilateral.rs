//! Contacts taken as bilateral constraints: Newton's method on the distances alone.
//!
//! In: an [`EndOfStep`] and which contacts are constrained. Out: forces that close every constrained contact at the end of the step, pulling where
//! need be, and which of them pull: those are to be released in the next step. This is the naive method of Lennerz, Schömer and
//! Warken 1999, sec. 3.1, kept to compare [`super::fischer`] with: for the step in which a body tips or lifts it glues it to the ground.

use super::fischer::{EndOfStep, FischerParams};
use super::levenberg::Levenberg;
use crate::SolverInfo;

/// Damping of the least squares, relative to the mean square of a row [-]: shares forces that are not unique equally.
const DAMPING: f64 = 1e-10;

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BilateralStatus {
    /// All constrained contacts are closed, and none pulls.
    Pushing,
    /// All constrained contacts are closed, but some pull.
    Pulling,
    /// Not all could be closed: the method fails where contacts contradict each other.
    Open,
    /// Distances, derivatives or settings are not finite; the forces are zero.
    Refused,
}

/// Statistics of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BilateralInfo {
    /// How it ended.
    pub status: BilateralStatus,
    /// What was done. The residual is the largest distance left at a constrained contact, either way [m]; infinite where refused.
    pub solver: SolverInfo,
    /// Contacts that pulled and are released now [-].
    pub released: usize,
}

/// Memory of [`solve_bilateral`], to be kept between calls.
#[derive(Debug, Clone, Default)]
pub struct BilateralWork {
    trial: Vec<f64>,
    distances: Vec<f64>,
    derivative: Vec<f64>,
    step: Vec<f64>,
    levenberg: Levenberg,
}

/// Closes all constrained contacts at the end of a step, whatever that takes.
///
/// Computes: `forces` [N], a warm start on entry, with `delta(f) = 0` at every constrained contact, zero at the others; `constrained` loses the contacts
///   whose force pulls beyond the tolerance, for the next step. Both get one entry for each contact: forces that lack are zero, marks that lack are set.
/// Method: Newton-Raphson, steps by least squares, so that contacts that repeat each other share.
/// Tolerance: |delta| <= `tolerance length` where `Pushing` or `Pulling`.
/// Cost: 2 n³ and one derivative per step; allocates nothing once the memory fits.
/// Fails: see [`BilateralStatus`]; the forces are then the last that were finite.
pub fn solve_bilateral(
    problem: &mut impl EndOfStep,
    forces: &mut Vec<f64>,
    constrained: &mut Vec<bool>,
    params: &FischerParams,
    work: &mut BilateralWork,
) -> BilateralInfo {
    let n = problem.contacts();
    forces.resize(n, 0.0);
    constrained.resize(n, true);
    for buffer in [&mut work.trial, &mut work.distances, &mut work.step] {
        buffer.clear();
        buffer.resize(n, 0.0);
    }
    work.derivative.clear();
    work.derivative.resize(n * n, 0.0);
    for (force, constrained) in forces.iter_mut().zip(constrained.iter()) {
        *force = if *constrained && force.is_finite() { *force } else { 0.0 };
    }
    let enough = params.tolerance * params.length;
    let mut residual = open(problem, forces, constrained, &mut work.distances);
    if !residual.is_finite() {
        forces.fill(0.0);
        residual = open(problem, forces, constrained, &mut work.distances);
    }
    let solver = SolverInfo::at(f64::INFINITY, enough);
    let mut info = BilateralInfo { status: BilateralStatus::Refused, solver, released: 0 };
    if !(residual.is_finite() && enough.is_finite()) {
        return info;
    }
    // Newton without any safeguard, but that it never leaves the numbers.
    while residual > enough && info.solver.iterations < params.max_steps {
        problem.derivative(forces, &mut work.derivative);
        if !work.derivative.iter().all(|x| x.is_finite()) {
            break;
        }
        info.solver.iterations += 1;
        info.solver.factorisations += 1;
        work.step(forces, constrained);
        let next = open(problem, &work.trial, constrained, &mut work.distances);
        if !next.is_finite() {
            break;
        }
        forces.copy_from_slice(&work.trial);
        residual = next;
    }
    info.solver.finish(residual, enough);
    info.status = if info.solver.is_solved { BilateralStatus::Pushing } else { BilateralStatus::Open };
    // What pulls is released, as of the next step.
    let threshold = -1e-9 * forces.iter().fold(0.0, |m: f64, f| m.max(f.abs()));
    for (constrained, force) in constrained.iter_mut().zip(forces.iter()) {
        if *constrained && *force < threshold {
            *constrained = false;
            info.released += 1;
        }
    }
    if info.status == BilateralStatus::Pushing && info.released > 0 {
        info.status = BilateralStatus::Pulling;
    }
    info
}

impl BilateralWork {
    /// The next forces: rows and columns of contacts that are not constrained are those of the identity.
    fn step(&mut self, forces: &[f64], constrained: &[bool]) {
        let n = forces.len();
        let mut scale = 0.0_f64;
        for entry in &self.derivative {
            scale = scale.max(entry.abs());
        }
        let scale = if scale > 0.0 { scale } else { 1.0 };
        let mut square = 0.0;
        for i in 0..n {
            for j in 0..n {
                let entry = &mut self.derivative[i * n + j];
                *entry = match (constrained[i] && constrained[j], i == j) {
                    (true, _) => *entry / scale,
                    (false, true) => 1.0,
                    (false, false) => 0.0,
                };
                square += *entry * *entry;
            }
            self.distances[i] = if constrained[i] { -self.distances[i] / scale } else { 0.0 };
        }
        self.levenberg.factor(&self.derivative, n, DAMPING * square / n as f64);
        self.levenberg.solve(&self.distances, &mut self.step);
        for (trial, (force, step)) in self.trial.iter_mut().zip(forces.iter().zip(&self.step)) {
            *trial = force + step;
        }
    }
}

/// The largest distance at a constrained contact, either way; infinite where one is not finite.
fn open(problem: &mut impl EndOfStep, forces: &[f64], constrained: &[bool], distances: &mut [f64]) -> f64 {
    problem.distances(forces, distances);
    let mut largest = 0.0_f64;
    for (distance, constrained) in distances.iter().zip(constrained) {
        if !distance.is_finite() {
            return f64::INFINITY;
        }
        if *constrained {
            largest = largest.max(distance.abs());
        }
    }
    largest
}
