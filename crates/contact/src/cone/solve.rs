//! The default way to solve a problem given by its matrix: sweeps while they pay, then Newton's method, then both in turn.
//!
//! In: a [`MatrixProblem`]. Out: the best impulses found, with an honest status. The same input gives the same bits, whatever the machine does beside.

use super::gauss_seidel::GaussSeidel;
use super::matrix::MatrixProblem;
use super::measure::Measure;
use super::newton::Newton;
use super::{Delassus, onto_cone};

/// Sweeps between two looks at the residual.
const LOOK: usize = 10;
/// Sweeps go on while a look finds this share of the residual before, or less [-].
const PAYS: f64 = 0.3;
/// Sweeps before the first Newton step where they pay less: they settle which contacts push.
const FIRST_SWEEPS: usize = 40;
/// How firmly Newton's method first holds impulses, and the least and most [-].
const EPS: f64 = 1e-4;
const LEAST_EPS: f64 = 1e-10;
const MOST_EPS: f64 = 1.0;
/// Newton steps to solve one held problem.
const STEPS: usize = 40;

/// What is asked of a solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoulombParams {
    /// Residual to reach, as [`super::coulomb_residual`].
    pub tolerance: f64,
    /// Sweeps of Gauss-Seidel in all.
    pub most_sweeps: usize,
    /// Newton steps in all.
    pub most_newton: usize,
}

impl Default for CoulombParams {
    fn default() -> Self {
        Self { tolerance: 1e-8, most_sweeps: 20_000, most_newton: 1000 }
    }
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoulombStatus {
    /// The residual is within the tolerance.
    Solved,
    /// It is not: the impulses are the best found. No impulses may obey the law at all.
    Limit,
}

/// Work done by a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoulombIterations {
    /// Sweeps of Gauss-Seidel.
    pub sweeps: usize,
    /// Newton steps.
    pub newton: usize,
}

/// Impulses at the contacts and what they do.
#[derive(Debug, Clone, PartialEq)]
pub struct CoulombSolution {
    /// Impulses, rows n, t1, t2 for each contact [Ns].
    pub impulses: Vec<f64>,
    /// `u = W r + q` [m/s].
    pub velocities: Vec<f64>,
    /// How the solve ended.
    pub status: CoulombStatus,
    /// As [`super::coulomb_residual`].
    pub residual: f64,
    /// Work done.
    pub iterations: CoulombIterations,
}

/// Solves.
pub fn solve_coulomb(
    problem: &MatrixProblem,
    start: Option<&[f64]>,
    params: &CoulombParams,
) -> CoulombSolution {
    let mut best = Measure::new(problem, params.tolerance);
    let mut now = best.impulses.clone();
    if let Some(start) = start.filter(|s| s.len() == now.len() && s.iter().all(|v| v.is_finite())) {
        best.offer(problem, start);
        now.copy_from_slice(&best.impulses);
    }
    let mut sweeper = Sweeper {
        sweeps: GaussSeidel::default(),
        state: vec![0.0; now.len()],
        most: params.most_sweeps,
        done: 0,
    };
    sweeper.run(problem, &mut now, &mut best, FIRST_SWEEPS);
    let mut steps = 0;
    if !best.is_enough() && params.most_newton > 0 {
        let mut newton = Newton::new(problem);
        let mut eps = EPS;
        now.copy_from_slice(&best.impulses);
        while steps < params.most_newton && !best.is_enough() {
            let info = newton.run(problem, &mut now, eps, &mut best, STEPS.min(params.most_newton - steps));
            steps += info.steps.max(1);
            if info.is_settled {
                eps = (0.1 * eps).max(LEAST_EPS);
            } else {
                eps = (10.0 * eps).min(MOST_EPS);
                now.copy_from_slice(&best.impulses);
                sweeper.run(problem, &mut now, &mut best, FIRST_SWEEPS);
            }
        }
    }
    finish(problem, best, params, CoulombIterations { sweeps: sweeper.done, newton: steps })
}

struct Sweeper {
    sweeps: GaussSeidel,
    state: Vec<f64>,
    most: usize,
    done: usize,
}

impl Sweeper {
    /// Sweeps at least `least` times and then as long as it pays.
    fn run(&mut self, problem: &MatrixProblem, now: &mut [f64], best: &mut Measure, least: usize) {
        let until = (self.done + least).min(self.most);
        let mut before = best.residual;
        while self.done < self.most && !best.is_enough() {
            let info = self.sweeps.solve(problem, now, &mut self.state, 0.0, LOOK.min(self.most - self.done));
            self.done += info.sweeps;
            let found = best.offer(problem, now);
            if info.sweeps == 0 || (self.done >= until && found > PAYS * before) {
                break;
            }
            before = found;
        }
    }
}

fn finish(
    problem: &MatrixProblem,
    best: Measure,
    params: &CoulombParams,
    iterations: CoulombIterations,
) -> CoulombSolution {
    let mut best = best;
    // Inside the cones to rounding, where that costs nothing.
    let mut inside = best.impulses.clone();
    for (contact, r) in inside.chunks_exact_mut(3).enumerate() {
        r.copy_from_slice(&onto_cone([r[0], r[1], r[2]], problem.mu(contact)));
    }
    let found = best.offer(problem, &inside);
    if found <= params.tolerance {
        best.impulses = inside;
        best.residual = found;
    }
    let mut velocities = vec![0.0; best.impulses.len()];
    problem.begin(&best.impulses, &mut velocities);
    let status = if best.residual <= params.tolerance { CoulombStatus::Solved } else { CoulombStatus::Limit };
    CoulombSolution { impulses: best.impulses, velocities, status, residual: best.residual, iterations }
}
