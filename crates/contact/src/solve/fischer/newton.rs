//! Newton's method on the Fischer function, globalised.
//!
//! In: a problem and forces to start from. Out: forces at which the function vanishes, or the best point found. Everything here is
//! in units of the scene: `a = scale f / length` and `delta / length`, so that all numbers are alike whatever the units are.

use super::super::levenberg::{Levenberg, dot};
use super::function::{fischer, slopes};
use super::{EndOfStep, FischerInfo, FischerParams, FischerStatus};
use crate::SolverInfo;
use crate::sweeps::{Order, Relaxation, is_within, sweep};
use zerogap_core::line_search::LineSearch;

/// Damping of the least squares, relative to the mean of the squares of a row [-]: small enough to converge at once in directions that
/// matter, large enough that directions in which forces are not unique stay where they are.
const DAMPING: f64 = 1e-10;
/// Smallest damping: below it, rounding moves the forces that are not unique [-].
const MIN_DAMPING: f64 = 1e-18;
/// Factor on the damping where full steps converge slowly, as they do along directions softer than the root of it [-].
const LESS_DAMPING: f64 = 1e-2;
/// A full step is slow if more than this is left of the residual [-].
const SLOW: f64 = 0.1;
/// Slow steps in a row that make the damping smaller [-].
const PATIENCE: usize = 2;
/// Armijo's fraction of the decrease promised [-].
const ARMIJO: f64 = 1e-4;
/// Fractions of a step that are tried: beyond them the direction is useless.
const SEARCH: LineSearch = LineSearch::halving(31);
/// Steps after which the merit must have halved; else the iteration stalls [-].
const WINDOW: usize = 10;
/// Contacts whose row and column of the derivative are below this fraction of the largest entry cannot be moved [-].
const IMMOVABLE: f64 = 1e-14;
/// Unknowns beyond this mean that sweeps run away, in units of the scene [-].
const RUNAWAY: f64 = 1e12;

/// How the iteration ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// The tolerance is met.
    Arrived,
    /// It is not, and more steps would not help or are not allowed.
    Stalled,
}

/// The present point, a trial point, and memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Iteration {
    /// Scaled forces.
    pub(super) a: Vec<f64>,
    pub(super) trial: Vec<f64>,
    /// Half the square of the function at `a`.
    pub(super) merit: f64,
    /// Derivative of the distances by `a`, row by row, where it was asked for last.
    pub(super) derivative: Vec<f64>,
    pub(super) fell_back: bool,
    delta: Vec<f64>,
    trial_delta: Vec<f64>,
    map: Vec<f64>,
    trial_map: Vec<f64>,
    /// Contacts that no force moves: they are left out.
    immovable: Vec<bool>,
    forces: Vec<f64>,
    jacobian: Vec<f64>,
    gradient: Vec<f64>,
    step: Vec<f64>,
    levenberg: Levenberg,
    /// Newton per unit of `a` [N], metres per unit of distance, and metres per newton.
    unit_force: f64,
    length: f64,
    scale: f64,
    work: SolverInfo,
    gradient_steps: usize,
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, x| if x.abs() <= m { m } else { x.abs() })
}

impl Iteration {
    /// Takes a problem and a start in; false where neither the start nor zero forces give finite numbers.
    pub(super) fn start(
        &mut self,
        problem: &mut impl EndOfStep,
        forces: &[f64],
        params: &FischerParams,
    ) -> bool {
        let n = forces.len();
        for buffer in [
            &mut self.a,
            &mut self.trial,
            &mut self.delta,
            &mut self.trial_delta,
            &mut self.map,
            &mut self.trial_map,
            &mut self.forces,
            &mut self.gradient,
            &mut self.step,
        ] {
            buffer.clear();
            buffer.resize(n, 0.0);
        }
        for buffer in [&mut self.derivative, &mut self.jacobian] {
            buffer.clear();
            buffer.resize(n * n, 0.0);
        }
        self.immovable.clear();
        self.immovable.resize(n, false);
        (self.work, self.gradient_steps, self.fell_back) = (SolverInfo::default(), 0, false);
        (self.length, self.scale, self.unit_force) = (params.length, 1.0, params.length);
        self.forces.copy_from_slice(forces);
        // The warm start, or none where it leads nowhere.
        self.begin(problem, params) || {
            self.forces.fill(0.0);
            self.begin(problem, params)
        }
    }

    /// Takes the current forces.
    fn begin(&mut self, problem: &mut impl EndOfStep, params: &FischerParams) -> bool {
        let n = self.forces.len();
        problem.derivative(&self.forces, &mut self.derivative);
        if !self.derivative.iter().all(|x| x.is_finite()) {
            return false;
        }
        let trace: f64 = (0..n).map(|i| self.derivative[i * n + i]).sum();
        let mean = trace / n as f64;
        self.scale = params.scale.unwrap_or(if mean > 0.0 { mean } else { 1.0 });
        self.unit_force = self.length / self.scale;
        // What no force moves, and what moves nothing, is left out.
        let largest_entry = largest(&self.derivative);
        for i in 0..n {
            let row = largest(&self.derivative[i * n..(i + 1) * n]);
            let column = (0..n).fold(0.0, |m: f64, j| m.max(self.derivative[j * n + i].abs()));
            self.immovable[i] = row.max(column) <= IMMOVABLE * largest_entry;
        }
        for i in 0..n {
            self.trial[i] = if self.immovable[i] { 0.0 } else { self.forces[i] / self.unit_force };
        }
        self.unit_force > 0.0 && self.unit_force.is_finite() && self.jump(problem)
    }

    /// Evaluates the trial point; half the square of the function there, infinite where it is not finite.
    fn evaluate(&mut self, problem: &mut impl EndOfStep) -> f64 {
        for (force, a) in self.forces.iter_mut().zip(&self.trial) {
            *force = a * self.unit_force;
        }
        problem.distances(&self.forces, &mut self.trial_delta);
        let mut merit = 0.0;
        for i in 0..self.trial.len() {
            self.trial_delta[i] /= self.length;
            let value = if self.immovable[i] { 0.0 } else { fischer(self.trial[i], self.trial_delta[i]) };
            self.trial_map[i] = value;
            merit += 0.5 * value * value;
        }
        let finite = self.trial_delta.iter().chain(&self.trial).all(|x| x.is_finite());
        if finite && merit.is_finite() { merit } else { f64::INFINITY }
    }

    /// Makes the trial point, evaluated last, the present one.
    fn accept(&mut self, merit: f64) {
        std::mem::swap(&mut self.a, &mut self.trial);
        std::mem::swap(&mut self.delta, &mut self.trial_delta);
        std::mem::swap(&mut self.map, &mut self.trial_map);
        self.merit = merit;
    }

    /// Goes to the trial point, better or not; stays and says false where that is not finite.
    pub(super) fn jump(&mut self, problem: &mut impl EndOfStep) -> bool {
        let merit = self.evaluate(problem);
        if merit.is_finite() {
            self.accept(merit);
        }
        merit.is_finite()
    }

    /// The derivative at the present point; false where it is not finite.
    pub(super) fn linearise(&mut self, problem: &mut impl EndOfStep) -> bool {
        for (force, a) in self.forces.iter_mut().zip(&self.a) {
            *force = a * self.unit_force;
        }
        problem.derivative(&self.forces, &mut self.derivative);
        for entry in &mut self.derivative {
            *entry /= self.scale;
        }
        self.derivative.iter().all(|x| x.is_finite())
    }

    /// Steps until the tolerance is met, nothing helps any more, or there were enough.
    pub(super) fn newton(&mut self, problem: &mut impl EndOfStep, params: &FischerParams) -> Ended {
        let n = self.a.len();
        let (mut damping, mut slow, mut mark) = (DAMPING, 0, f64::INFINITY);
        for taken in 0..=params.max_steps {
            if largest(&self.map) <= params.tolerance && self.settle(problem, params.tolerance, taken > 0) {
                return Ended::Arrived;
            }
            let stalls = taken % WINDOW == 0 && {
                let before = std::mem::replace(&mut mark, self.merit);
                self.merit > 0.5 * before
            };
            if taken == params.max_steps || stalls || !self.linearise(problem) {
                break;
            }
            self.work.iterations += 1;
            self.work.factorisations += 1;
            self.differentiate();
            // Newton's direction, damped.
            let mean = dot(&self.jacobian, &self.jacobian) / n as f64;
            self.levenberg.factor(&self.jacobian, n, damping * mean);
            self.chord();
            let before = largest(&self.map);
            let slope = dot(&self.gradient, &self.step);
            let fraction = self.search(problem, slope).or_else(|| {
                self.gradient_steps += 1;
                let slope = self.descend();
                self.search(problem, slope)
            });
            let Some(fraction) = fraction else { break };
            // Softer directions want less damping.
            let is_slow = fraction >= 1.0 && largest(&self.map) > SLOW * before;
            slow = if is_slow { slow + 1 } else { 0 };
            if slow >= PATIENCE {
                damping = (damping * LESS_DAMPING).max(MIN_DAMPING);
            }
        }
        Ended::Stalled
    }

    /// The derivative of the function, and the gradient of the merit.
    fn differentiate(&mut self) {
        let n = self.a.len();
        self.gradient.fill(0.0);
        for i in 0..n {
            let row = &mut self.jacobian[i * n..(i + 1) * n];
            if self.immovable[i] {
                row.fill(0.0);
                row[i] = -1.0;
                continue;
            }
            let (by_a, by_delta) = slopes(self.a[i], self.delta[i]);
            for (entry, d) in row.iter_mut().zip(&self.derivative[i * n..(i + 1) * n]) {
                *entry = by_delta * d;
            }
            row[i] += by_a;
            for (g, entry) in self.gradient.iter_mut().zip(row.iter()) {
                *g += entry * self.map[i];
            }
        }
    }

    /// The step that the current factors give.
    fn chord(&mut self) {
        self.levenberg.solve(&self.map, &mut self.step);
        for x in &mut self.step {
            *x = -*x;
        }
    }

    /// Down the gradient, as far as the linearised function becomes shorter; the slope there.
    fn descend(&mut self) -> f64 {
        let n = self.a.len();
        let square = dot(&self.gradient, &self.gradient);
        let bend: f64 =
            self.jacobian.chunks_exact(n.max(1)).map(|row| dot(row, &self.gradient).powi(2)).sum();
        let fraction = if bend > 0.0 { square / bend } else { 0.0 };
        for (step, g) in self.step.iter_mut().zip(&self.gradient) {
            *step = -fraction * g;
        }
        -fraction * square
    }

    /// Moves along the step as far as it helps; returns the fraction.
    fn search(&mut self, problem: &mut impl EndOfStep, slope: f64) -> Option<f64> {
        // Not a direction of descent, or not a number.
        if !(slope < 0.0 && slope.is_finite()) {
            return None;
        }
        let before = self.merit;
        let searched = SEARCH.search(
            |fraction| {
                for (trial, (a, step)) in self.trial.iter_mut().zip(self.a.iter().zip(&self.step)) {
                    *trial = a + fraction * step;
                }
                self.evaluate(problem)
            },
            |fraction, merit| merit <= before + ARMIJO * fraction * slope && merit < before,
        );
        self.work.backtracks += searched.backtracks;
        searched.is_accepted.then(|| {
            self.accept(searched.merit);
            searched.fraction
        })
    }

    /// Forces that pull to rounding push nothing, nor do contacts that open; false where that breaks the tolerance.
    fn settle(&mut self, problem: &mut impl EndOfStep, tolerance: f64, factored: bool) -> bool {
        // One more step with the factors at hand costs little and takes nearly all that is left.
        if factored && self.merit > 0.0 {
            self.chord();
            for (trial, (a, step)) in self.trial.iter_mut().zip(self.a.iter().zip(&self.step)) {
                *trial = a + step;
            }
            let merit = self.evaluate(problem);
            if merit < self.merit {
                self.accept(merit);
            }
        }
        for tidy in [true, false] {
            let mut same = true;
            for i in 0..self.a.len() {
                let opens = tidy && self.delta[i] > self.a[i];
                self.trial[i] = if opens { 0.0 } else { self.a[i].max(0.0) };
                same &= self.trial[i].to_bits() == self.a[i].to_bits();
            }
            if same {
                return true;
            }
            let merit = self.evaluate(problem);
            if largest(&self.trial_map) <= tolerance && merit.is_finite() {
                self.accept(merit);
                return true;
            }
        }
        false
    }

    /// Projected Gauss-Seidel on the linearised distances, from the present point to a trial; whether it stayed in range.
    pub(super) fn sweep(&mut self, sweeps: usize) -> bool {
        for (trial, a) in self.trial.iter_mut().zip(&self.a) {
            *trial = a.max(0.0);
        }
        for i in 0..self.a.len() {
            self.gradient[i] = self.offset(i);
        }
        sweep(self, Order::Forward, sweeps);
        is_within(&self.trial, RUNAWAY)
    }

    /// Distance of a contact without forces, as the linearisation at the present point has it.
    pub(super) fn offset(&self, i: usize) -> f64 {
        let n = self.a.len();
        self.delta[i] - dot(&self.derivative[i * n..(i + 1) * n], &self.a)
    }

    /// The contact that overlaps most at the present point.
    pub(super) fn deepest(&self) -> usize {
        (0..self.delta.len()).fold(0, |d, i| if self.delta[i] < self.delta[d] { i } else { d })
    }

    /// The contact that overlaps most among those that no force moves, if one does.
    pub(super) fn stuck(&self, tolerance: f64) -> Option<usize> {
        let stuck = (0..self.delta.len()).filter(|&i| self.immovable[i] && self.delta[i] < -tolerance);
        stuck.fold(None, |d, i| match d {
            Some(d) if self.delta[d] <= self.delta[i] => Some(d),
            _ => Some(i),
        })
    }

    /// Writes the forces, none of which pulls, and says what the function is there [m].
    pub(super) fn finish(&mut self, problem: &mut impl EndOfStep, forces: &mut [f64]) -> f64 {
        if self.a.iter().any(|a| *a < 0.0) {
            for (trial, a) in self.trial.iter_mut().zip(&self.a) {
                *trial = a.max(0.0);
            }
            self.jump(problem);
        }
        for (force, a) in forces.iter_mut().zip(&self.a) {
            *force = a.max(0.0) * self.unit_force;
        }
        // Contacts that no force moves count here again.
        let left_out = (0..self.a.len()).filter(|&i| self.immovable[i]);
        left_out.fold(largest(&self.map), |m, i| m.max(fischer(0.0, self.delta[i]))) * self.length
    }

    /// Returns the statistics.
    pub(super) fn info(&self, status: FischerStatus, residual: f64) -> FischerInfo {
        FischerInfo {
            status,
            solver: SolverInfo { residual, is_solved: status == FischerStatus::Solved, ..self.work },
            scale: self.scale,
            gradient_steps: self.gradient_steps,
            fell_back: self.fell_back,
        }
    }
}

/// The distances linearised at the present point, with those without forces in `gradient`; the trial is relaxed.
impl Relaxation for Iteration {
    fn blocks(&self) -> usize {
        self.a.len()
    }

    fn relax(&mut self, i: usize) -> f64 {
        let n = self.a.len();
        let row = &self.derivative[i * n..(i + 1) * n];
        if self.immovable[i] || row[i] <= 0.0 {
            return 0.0;
        }
        let distance = self.gradient[i] + dot(row, &self.trial);
        let wanted = (self.trial[i] - distance / row[i]).max(0.0);
        let moved = (wanted - self.trial[i]).abs();
        self.trial[i] = wanted;
        moved
    }

    fn is_done(&mut self, _: usize, moved: f64) -> bool {
        moved == 0.0 || !is_within(&self.trial, RUNAWAY)
    }
}
