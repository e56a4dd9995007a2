//! Block Gauss-Seidel: one contact after another, each solved exactly given what the others push.
//!
//! In: a problem and impulses to start from. Out: better impulses, in place, and their state. Blocks are visited in their order, forth and back in turn, so the answer does not depend on
//! anything but the input. Needs no matrix, is quick where few contacts feel each other, and slow in tall stacks.

use super::local::Local;
use super::{Delassus, residual};
use crate::SolverInfo;

/// Sweeps between two looks at the true residual; changes of impulses are looked at every sweep.
const SWEEPS_TO_LOOK: usize = 8;
/// Impulses beyond this times the largest at the start, or the largest answer to begin with, mean that the sweeps run away [-].
const RUNAWAY: f64 = 1e12;

/// Memory of the sweeps, used again from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct GaussSeidel {
    locals: Vec<Local>,
    start: Vec<f64>,
}

impl GaussSeidel {
    /// Sweeps until the residual is at most `tolerance` [units of `b`], or `most` times. `state` is computed here and is that of the impulses afterwards.
    ///
    /// The residual is that of [`residual`] [units of `b`].
    ///
    /// Sweeps that run away (no impulses obey all laws) leave the impulses as they were.
    ///
    /// # Panics
    /// Where a slice does not have the problem's length.
    pub fn solve<P: Delassus + ?Sized>(
        &mut self,
        problem: &P,
        impulses: &mut [f64],
        state: &mut [f64],
        tolerance: f64,
        most: usize,
    ) -> SolverInfo {
        let blocks = problem.blocks();
        self.prepare(problem);
        self.start.clear();
        self.start.extend_from_slice(impulses);
        problem.begin(impulses, state);
        let mut found = residual(problem, impulses, state);
        let mut sweeps = 0;
        let mut limit = f64::INFINITY;
        while found > tolerance && sweeps < most {
            let mut moved = 0.0_f64;
            for k in 0..blocks.len() {
                // Back and forth: what one end of a stack learns reaches the other in one sweep.
                let block = if sweeps % 2 == 0 { k } else { blocks.len() - 1 - k };
                moved = moved.max(self.visit(problem, block, impulses, state));
            }
            sweeps += 1;
            if sweeps == 1 {
                limit = impulses.iter().chain(&self.start).fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()))
                    * RUNAWAY;
            }
            if moved <= tolerance || sweeps % SWEEPS_TO_LOOK == 0 || sweeps == most {
                // Rounding gathers in the state; from the impulses it is fresh.
                problem.begin(impulses, state);
                found = residual(problem, impulses, state);
                if !impulses.iter().all(|x| x.abs() <= limit) {
                    impulses.copy_from_slice(&self.start);
                    problem.begin(impulses, state);
                    found = residual(problem, impulses, state);
                    break;
                }
            }
        }
        SolverInfo { sweeps, ..SolverInfo::at(found, tolerance) }
    }

    /// Everything that visits need.
    pub(super) fn prepare<P: Delassus + ?Sized>(&mut self, problem: &P) {
        self.locals.clear();
        self.locals.extend(
            problem.blocks().iter().enumerate().map(|(block, law)| Local::new(law, &problem.diagonal(block))),
        );
    }

    /// Solves one block; how much it changed [units of `b`].
    pub(super) fn visit<P: Delassus + ?Sized>(
        &self,
        problem: &P,
        block: usize,
        impulses: &mut [f64],
        state: &mut [f64],
    ) -> f64 {
        let law = &problem.blocks()[block];
        let first = problem.first(block);
        let own = &mut impulses[first..first + law.rows()];
        let mut r = [0.0; 3];
        r[..own.len()].copy_from_slice(own);
        let u = problem.response(block, state);
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
