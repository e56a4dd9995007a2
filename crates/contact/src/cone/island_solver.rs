//! The methods that solve an island, in the order in which they are tried.
//!
//! In: an island and the impulses of the step before. Out: impulses that obey the laws, or the best found. Which method continues is decided by the progress measured, never by a clock, so the same input gives the same
//! bits; the work is bounded.

use super::interior::{Interior, Progress};
use super::island::{Island, Misses};
use super::proximal::Proximal;
use super::semismooth::Semismooth;
use super::{BodyProblem, Delassus as _, GaussSeidel};
use crate::SolverInfo;

/// Sweeps before anything else.
const SWEEPS: usize = 3;
/// Newton steps in one go.
const NEWTON_STEPS: usize = 6;
/// Newton's method is tried where the interior point method has come within this fraction of what no impulses at all miss [-], and again at every such fraction of that.
const NEAR: f64 = 1e-3;
const NEARER: f64 = 0.03;
/// Steps of the interior point method. It starts once: where redundant blocks slide it stops some way before the answer, and starting again there gains less than the last resort.
const INTERIOR_STEPS: usize = 40;
/// Factorisations of the last resort. It converges slowly where redundant blocks slide: of 125 problems of piles at 1e-6 m/s, 600 solve all and 200 leave three of walls and spheres.
const PROXIMAL_STEPS: usize = 600;
/// Where sweeps leave less than the larger of this fraction of what no impulses at all miss and so many times the tolerance [-], some steps of the last resort come before the interior point method: what is nearly right is mended
/// faster than it is found anew.
const MENDED: f64 = 3e-3;
const MENDED_TOLERANCES: f64 = 10.0;
const MENDING_STEPS: usize = 15;

/// What is asked of impulses, as misses [m/s].
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    /// Impulses that miss no more are left as they are.
    pub(super) taken: f64,
    /// What is aimed at where that is cheap.
    pub(super) aim: f64,
    /// What is solved.
    pub(super) tolerance: f64,
}

/// Memory of all methods.
#[derive(Debug, Clone, Default)]
pub(super) struct IslandSolver {
    island: Island,
    impulses: Vec<f64>,
    tried: Vec<f64>,
    best: Vec<f64>,
    semismooth: Semismooth,
    interior: Interior,
    proximal: Proximal,
    sweeps: GaussSeidel,
}

impl IslandSolver {
    /// Copies an island out of a problem, with its impulses; `local` is the number of each group in its island.
    pub(super) fn load(
        &mut self,
        problem: &BodyProblem,
        (groups, blocks): (&[u32], &[u32]),
        local: &[u32],
        impulses: &[f64],
    ) {
        self.island.load(problem, groups, blocks, local);
        self.impulses.clear();
        for &block in blocks {
            let (first, rows) = (problem.first(block as usize), problem.blocks()[block as usize].rows());
            self.impulses.extend_from_slice(&impulses[first..first + rows]);
        }
    }

    /// Copies the impulses back, unless the island was left as it is.
    pub(super) fn store(&self, problem: &BodyProblem, blocks: &[u32], impulses: &mut [f64]) {
        let mut at = 0;
        for &block in blocks.iter().filter(|_| !self.impulses.is_empty()) {
            let (first, rows) = (problem.first(block as usize), problem.blocks()[block as usize].rows());
            impulses[first..first + rows].copy_from_slice(&self.impulses[at..at + rows]);
            at += rows;
        }
    }

    /// Leaves an island as it is, with what its impulses miss.
    pub(super) fn leave(&mut self, miss: f64) {
        self.impulses.clear();
        self.island.info = SolverInfo { residual: miss, ..SolverInfo::default() };
    }

    /// What the last solve did.
    pub(super) fn info(&self) -> &SolverInfo {
        &self.island.info
    }

    /// Improves the impulses until they miss no more than the tolerance, and on towards the goal where that is cheap; those that miss no more than `taken` stay as they are. What they miss then is in the statistics.
    pub(super) fn solve(&mut self, goal: &Goal) {
        self.island.info.residual = self.improve(goal).worst;
    }

    fn improve(&mut self, goal: &Goal) -> Misses {
        let warm = self.island.follow(&self.impulses);
        if warm.worst <= goal.taken {
            return warm;
        }
        let mut best = warm;
        self.best.clone_from(&self.impulses);
        if !warm.worst.is_finite() {
            self.impulses.fill(0.0);
            self.best.fill(0.0);
            best = self.island.follow(&self.impulses);
            // Velocities that are not numbers have no answer; looking for one would take all the work there is.
            if !best.worst.is_finite() {
                return best;
            }
        }
        self.sweep(&mut best);
        if best.worst > goal.aim {
            self.newton(goal, &mut best);
        }
        if best.worst > goal.tolerance {
            self.tried.fill(0.0);
            let nothing = self.island.follow(&self.tried);
            self.take(nothing, &mut best);
            if best.worst <= (MENDED * nothing.worst).max(MENDED_TOLERANCES * goal.tolerance) {
                self.soften(goal, &mut best, MENDING_STEPS);
            }
            if best.worst > goal.tolerance {
                self.go_inside(goal, &mut best, nothing.worst);
            }
            if best.worst > goal.tolerance {
                self.soften(goal, &mut best, PROXIMAL_STEPS);
            }
        }
        self.impulses.clone_from(&self.best);
        best
    }

    /// A few sweeps from the impulses given, whose velocities the island has followed: they take away what is local.
    fn sweep(&mut self, best: &mut Misses) {
        self.tried.clone_from(&self.impulses);
        let Island { problem, state, info, .. } = &mut self.island;
        self.sweeps.relax(problem, &mut self.tried, state, SWEEPS);
        info.sweeps += SWEEPS;
        let found = self.island.follow(&self.tried);
        self.take(found, best);
        if !found.worst.is_finite() {
            self.tried.clone_from(&self.best);
        }
    }

    /// Newton's method from the impulses tried.
    fn newton(&mut self, goal: &Goal, best: &mut Misses) {
        let found = self.semismooth.solve(
            &mut self.island,
            &mut self.tried,
            (goal.aim, goal.tolerance),
            NEWTON_STEPS,
        );
        self.take(found, best);
    }

    /// Newton's method on softer laws from the best impulses.
    fn soften(&mut self, goal: &Goal, best: &mut Misses, max_steps: usize) {
        self.tried.clone_from(&self.best);
        let found = self.proximal.solve(&mut self.island, &mut self.tried, goal.tolerance, max_steps);
        self.take(found, best);
    }

    /// The interior point method from the best impulses, with Newton's method where it comes near; `nothing` is what no impulses at all miss.
    fn go_inside(&mut self, goal: &Goal, best: &mut Misses, nothing: f64) {
        let start = self.island.follow(&self.best);
        self.interior.begin(&self.island, &self.best, start.worst);
        let mut near = (NEAR * nothing).max(goal.tolerance);
        loop {
            let (progress, found) =
                self.interior.advance(&mut self.island, &mut self.tried, near, INTERIOR_STEPS);
            self.take(found, best);
            if best.worst <= goal.tolerance {
                return;
            }
            self.newton(goal, best);
            if best.worst <= goal.tolerance || progress != Progress::Near || !near.is_finite() {
                return;
            }
            near = (NEARER * found.worst).max(goal.tolerance);
        }
    }

    fn take(&mut self, found: Misses, best: &mut Misses) {
        if found.worst < best.worst {
            *best = found;
            self.best.clone_from(&self.tried);
        }
    }
}
