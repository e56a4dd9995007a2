//! The contacts of one time step, by whatever is quickest: sweeps of Gauss-Seidel first, Newton's steps where those are slow.
//!
//! In: a problem and the impulses of the step before. Out: impulses, their velocities and what they achieve, the best found. Which method continues is decided by the progress measured, never by a clock, so the
//! same input gives the same bits.

use super::{BodyProblem, Delassus, GaussSeidel, PrimalNewton};
use crate::SolverInfo;

/// Sweeps of the first attempt: enough to see how quick they are.
const FIRST_SWEEPS: usize = 4;
/// Sweeps that cost about as much as Newton's method usually does, and how many such attempts they are.
const WORTH: usize = 16;
const WORTH_ATTEMPTS: i32 = 4;
/// What is solved is solved to this fraction of the tolerance [-]: what a step misses moves the bodies, and the impulses of the next one have to stop that.
pub const BEYOND: f64 = 1e-3;
/// Sweeps from the best impulses where Newton's method has not arrived.
const LAST_SWEEPS: usize = 60;

/// Memory of both methods.
#[derive(Debug, Clone, Default)]
pub struct StepSolver {
    sweeps: GaussSeidel,
    newton: PrimalNewton,
    start: Vec<f64>,
    best: Vec<f64>,
}

impl StepSolver {
    /// Improves impulses until the residual is at most `tolerance` [units of the bias], and well below it where that is cheap; those with a residual of at most `taken` are taken as they are. At most `max_steps` steps of Newton's method in an island. `state` is computed here and is that of the impulses afterwards.
    ///
    /// Method: a few sweeps; if they would arrive soon at their pace, more; else Newton's method from the impulses given, and sweeps after it where it fails. See [`PrimalNewton::solve`] and [`GaussSeidel::solve`].
    /// Tolerance: the residual is that of [`super::residual`] [units of the bias].
    /// Fails: `is_solved` is false, with the best impulses found.
    ///
    /// Impulses and state get the problem's lengths; impulses that lack are zero.
    pub fn solve(
        &mut self,
        problem: &BodyProblem,
        impulses: &mut Vec<f64>,
        state: &mut Vec<f64>,
        (taken, tolerance): (f64, f64),
        max_steps: usize,
    ) -> SolverInfo {
        impulses.resize(problem.rows(), 0.0);
        state.resize(problem.state_len(), 0.0);
        self.start.clear();
        self.start.extend_from_slice(impulses);
        problem.begin(impulses, state);
        let first = super::residual(problem, impulses, state);
        let mut info = SolverInfo::at(first, tolerance);
        if first <= taken {
            return info;
        }
        self.keep(impulses);
        let goal = BEYOND * tolerance;
        self.sweep(problem, impulses, state, goal, FIRST_SWEEPS, &mut info);
        // At the pace of a sweep so far, would as many as Newton's method costs arrive?
        let pace = (info.residual / first).min(1.0);
        if !info.is_solved && info.residual * pace.powi(WORTH_ATTEMPTS) <= goal {
            self.sweep(problem, impulses, state, goal, WORTH, &mut info);
        }
        if info.is_solved {
            return info;
        }
        // Sweeps load the contacts in their order; the step before is the better start, and even nothing is.
        impulses.copy_from_slice(&self.start);
        let newton = self.newton.solve(problem, impulses, state, goal, max_steps);
        info.add_work(&newton);
        self.take(impulses, newton.residual, &mut info);
        info.is_solved = info.residual <= tolerance;
        if info.is_solved && newton.residual > info.residual {
            impulses.copy_from_slice(&self.best);
            problem.begin(impulses, state);
        } else if !info.is_solved {
            impulses.copy_from_slice(&self.best);
            self.sweep(problem, impulses, state, tolerance, LAST_SWEEPS, &mut info);
            if !info.is_solved {
                impulses.copy_from_slice(&self.best);
                problem.begin(impulses, state);
            }
        }
        info
    }

    /// Sweeps, and keeps what is better.
    fn sweep(
        &mut self,
        problem: &BodyProblem,
        impulses: &mut Vec<f64>,
        state: &mut Vec<f64>,
        tolerance: f64,
        max_sweeps: usize,
        info: &mut SolverInfo,
    ) {
        let swept = self.sweeps.solve(problem, impulses, state, tolerance, max_sweeps);
        info.add_work(&swept);
        self.take(impulses, swept.residual, info);
        info.is_solved = swept.is_solved;
    }

    fn take(&mut self, impulses: &[f64], residual: f64, info: &mut SolverInfo) {
        if residual < info.residual {
            info.residual = residual;
            self.keep(impulses);
        }
    }

    fn keep(&mut self, impulses: &[f64]) {
        self.best.clear();
        self.best.extend_from_slice(impulses);
    }
}
