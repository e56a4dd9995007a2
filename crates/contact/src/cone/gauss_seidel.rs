//! Block Gauss-Seidel: one contact after another, each solved exactly given what the others push.
//!
//! In: a problem and impulses to start from. Out: better impulses, in place, and their state. Blocks are visited in their order, forth and back in turn, so the answer does not depend on
//! anything but the input. Needs no matrix, is quick where few contacts feel each other, and slow in tall stacks.

use super::local::Local;
use super::{Delassus, law_under, residual, yielding};
use crate::SolverInfo;
use crate::sweeps::{Order, Relaxation, is_within, sweep};

/// Sweeps between two evaluations of the true residual; changes of impulses are checked every sweep.
const SWEEPS_PER_CHECK: usize = 8;
/// Impulses beyond this times the largest at the start, or the largest answer to begin with, mean that the sweeps run away [-].
const RUNAWAY: f64 = 1e12;

/// Memory of the sweeps, used again from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct GaussSeidel {
    locals: Vec<Local>,
    start: Vec<f64>,
}

impl GaussSeidel {
    /// Sweeps until the residual is at most `tolerance` [units of `b`], or `max_sweeps` times. `state` is computed here and is that of the impulses afterwards.
    ///
    /// The residual is that of [`residual`] [units of `b`].
    ///
    /// Sweeps that run away (no impulses obey all laws) leave the impulses as they were.
    ///
    /// Impulses and state get the problem's lengths; impulses that lack are zero.
    pub fn solve<P: Delassus + ?Sized>(
        &mut self,
        problem: &P,
        impulses: &mut Vec<f64>,
        state: &mut Vec<f64>,
        tolerance: f64,
        max_sweeps: usize,
    ) -> SolverInfo {
        impulses.resize(problem.rows(), 0.0);
        state.resize(problem.state_len(), 0.0);
        self.prepare(problem);
        self.start.clear();
        self.start.extend_from_slice(impulses);
        problem.begin(impulses, state);
        let found = residual(problem, impulses, state);
        if found <= tolerance {
            return SolverInfo::at(found, tolerance);
        }
        let mut run = Run {
            solver: self,
            problem,
            impulses,
            state,
            tolerance,
            max_sweeps,
            found,
            limit: f64::INFINITY,
        };
        let sweeps = sweep(&mut run, Order::Alternating, max_sweeps);
        SolverInfo { sweeps, ..SolverInfo::at(run.found, tolerance) }
    }

    /// Everything that visits need.
    fn prepare<P: Delassus + ?Sized>(&mut self, problem: &P) {
        self.locals.clear();
        self.locals.extend(
            problem.blocks().iter().enumerate().map(|(block, law)| Local::new(law, &problem.diagonal(block))),
        );
    }

    /// Sweeps `count` times and measures nothing; `state` must be that of the impulses, and is afterwards.
    pub(super) fn relax<P: Delassus + ?Sized>(
        &mut self,
        problem: &P,
        impulses: &mut [f64],
        state: &mut [f64],
        count: usize,
    ) {
        self.prepare(problem);
        sweep(&mut Unmeasured { solver: self, problem, impulses, state }, Order::Alternating, count);
    }

    /// Solves one block; how much it changed [units of `b`].
    fn visit<P: Delassus + ?Sized>(
        &self,
        problem: &P,
        block: usize,
        impulses: &mut [f64],
        state: &mut [f64],
    ) -> f64 {
        let law = &law_under(problem, block, impulses);
        let first = problem.first(block);
        let own = &mut impulses[first..first + law.rows()];
        let mut r = [0.0; 3];
        r[..own.len()].copy_from_slice(own);
        let u = yielding(problem.response(block, state), problem.compliance(block), r);
        let local = &self.locals[block];
        let without = local.without(u, r);
        let next = local.answer(law, without);
        let change = [next[0] - r[0], next[1] - r[1], next[2] - r[2]];
        if change.iter().all(|x| *x == 0.0) {
            return 0.0;
        }
        own.copy_from_slice(&next[..own.len()]);
        problem.push(block, change, state);
        let length = (change[0] * change[0] + change[1] * change[1] + change[2] * change[2]).sqrt();
        length * local.largest()
    }
}

/// One solve in progress.
struct Run<'a, P: ?Sized> {
    solver: &'a GaussSeidel,
    problem: &'a P,
    impulses: &'a mut [f64],
    state: &'a mut [f64],
    tolerance: f64,
    max_sweeps: usize,
    /// The residual evaluated last.
    found: f64,
    /// Impulses beyond this diverge.
    limit: f64,
}

impl<P: Delassus + ?Sized> Run<'_, P> {
    /// Computes state and residual from the impulses: rounding gathers in a state that is only updated.
    fn evaluate(&mut self) {
        self.problem.begin(self.impulses, self.state);
        self.found = residual(self.problem, self.impulses, self.state);
    }
}

impl<P: Delassus + ?Sized> Relaxation for Run<'_, P> {
    fn blocks(&self) -> usize {
        self.problem.blocks().len()
    }

    fn relax(&mut self, block: usize) -> f64 {
        self.solver.visit(self.problem, block, self.impulses, self.state)
    }

    fn is_done(&mut self, sweeps: usize, moved: f64) -> bool {
        if sweeps == 1 {
            let all = self.impulses.iter().chain(&self.solver.start);
            self.limit = all.fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs())) * RUNAWAY;
        }
        if !(moved <= self.tolerance || sweeps.is_multiple_of(SWEEPS_PER_CHECK) || sweeps == self.max_sweeps)
        {
            return false;
        }
        self.evaluate();
        let diverges = !is_within(self.impulses, self.limit);
        if diverges {
            self.impulses.copy_from_slice(&self.solver.start);
            self.evaluate();
        }
        diverges || self.found <= self.tolerance
    }
}

/// A problem that is swept a given number of times.
struct Unmeasured<'a, P: ?Sized> {
    solver: &'a GaussSeidel,
    problem: &'a P,
    impulses: &'a mut [f64],
    state: &'a mut [f64],
}

impl<P: Delassus + ?Sized> Relaxation for Unmeasured<'_, P> {
    fn blocks(&self) -> usize {
        self.problem.blocks().len()
    }

    fn relax(&mut self, block: usize) -> f64 {
        self.solver.visit(self.problem, block, self.impulses, self.state)
    }

    fn is_done(&mut self, _: usize, _: f64) -> bool {
        false
    }
}
