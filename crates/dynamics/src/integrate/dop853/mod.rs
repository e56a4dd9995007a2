//! Explicit Runge-Kutta method of order 8 with error control and dense output of order 7, for systems that are not stiff.
//!
//! In: a [`System`], where to start, a [`Tolerance`]. Out: accepted steps, one at a time, and the solution anywhere within the last one.
//! A step depends on `(t, state, next_step)` and the limit alone, so that an integrator restarted there continues with the same bits as one that was not.
//! Nothing is allocated after [`Integrator::restart`].
//!
//! Written here rather than taken from the crate `differential-equations` 0.7, whose method of the same name allocates about ten states in every step, sets
//! its steps by the platform's `powf` (bits would depend on the machine), does not land on a limit, and ends with an error when its detection of
//! stiffness, which subtracts a state from a derivative, takes a motion for stiff.

mod tableau;

#[cfg(doc)]
use super::Integrator;
use super::error_control::{OneStep, Progress, Trial};
use super::step_size::{self, Fitted};
use super::{StepError, System, Tolerance};
use tableau::{DENSE, ERROR_FIVE, ERROR_THREE, NODES, Row, STAGES, WEIGHTS};

/// The stage that is the derivative at the end of a step, and so the first one of the next.
const END: usize = 12;

/// Steps aim at this part of what would just be accepted [-]. The customary 0.9 has a quarter of the steps rejected on orbits, this a tenth, for fewer evaluations in all.
const SAFETY: f64 = 0.8;

/// A step shrinks at most to this part of the one before [-].
const SHRINK: f64 = 1.0 / 3.0;

/// A step grows at most by this factor [-].
const GROW: f64 = 6.0;

/// The coefficients of the dense output that do not come from a row of the tableau: the change, and the two of the cubic Hermite polynomial.
const CUBIC: usize = 3;

/// Dormand and Prince's pair of order 8(5,3).
///
/// Computes: the solution of `dy/dt = f(t, y)`, one accepted step at a time.
/// Method: Hairer, Norsett and Wanner 1993, sections II.5 (pair), II.10 (error estimate from two embedded solutions), II.6 (dense output).
///   Differs from it: no step is a sliver before the limit; a stage that is not finite shrinks the step; steps by square roots alone.
/// Tolerance: the estimated error of each step, root mean square over states in units of `relative |y| + absolute scale`, is at most 1. Measured in
///   `tests/integrate_order.rs`: the error after a run is proportional to the tolerance to a power between 0.8 and 1.2, the dense output is of order 7 or better.
/// Cost: 15 evaluations an accepted step (3 of them for the dense output, made at once since events are located in every step), 12 a rejected one.
/// Fails: `TooSmall`, `NotFinite`; it then stands where it stood before.
/// Order: serial; the same bits on every machine.
#[derive(Debug, Clone, Default)]
pub struct Dop853 {
    progress: Progress,
    /// Argument of the stage being evaluated.
    y_stage: Vec<f64>,
    /// Derivatives at the stages, one after the other; the first is always the one at `t` and `y`.
    stages: Vec<f64>,
    /// Coefficients of the dense output above the constant one, one after the other.
    dense: Vec<f64>,
    /// The same for the step being tried: swapped in when it is accepted.
    dense_trial: Vec<f64>,
}

impl Dop853 {
    /// An integrator without a state: [`Integrator::restart`] gives it one.
    pub fn new(tolerance: Tolerance) -> Self {
        Self { progress: Progress::new(tolerance), ..Self::default() }
    }

    /// Stages 1 to 11 of a step, the new state in `y_trial`, and its error in units of what is allowed [-]; else the state whose derivative or value is not finite.
    fn estimate(&mut self, system: &dyn System, fitted: Fitted) -> Result<f64, usize> {
        let n = self.progress.y.len();
        for (stage, node) in NODES.iter().enumerate().take(END).skip(1) {
            self.advance(stage, fitted.step);
            // The last one stands at the end of the step, which is exactly the limit where it lands there.
            let time = if stage == END - 1 { fitted.end } else { self.progress.t + node * fitted.step };
            self.evaluate(system, stage, time);
        }
        // The derivative at the end serves the next step: it is worth its cost only where this one is accepted.
        self.advance(END, fitted.step);
        self.progress.y_trial.copy_from_slice(&self.y_stage);
        if let Some(index) = step_size::not_finite(&self.progress.y_trial) {
            return Err(index);
        }

        // Two estimates, of order 5 and 3; the second keeps the first from being zero by accident.
        let (mut five, mut three) = (0.0, 0.0);
        for i in 0..n {
            let size = self.progress.y[i].abs().max(self.progress.y_trial[i].abs());
            let allowed = step_size::allowed(self.progress.floors[i], self.progress.tolerance.relative, size);
            let at = |row: Row| row.iter().map(|&(j, weight)| weight * self.stages[j * n + i]).sum::<f64>();
            let (a, b) = (at(ERROR_FIVE) / allowed, at(ERROR_THREE) / allowed);
            five += a * a;
            three += b * b;
        }
        let both = five + 0.01 * three;
        let error = if both == 0.0 { 0.0 } else { fitted.step * five / (n as f64 * both).sqrt() };
        if error.is_finite() {
            return Ok(error);
        }
        // Not a number: blame the first derivative that is none; where each is one, the error is too large to be squared.
        match step_size::not_finite(&self.stages[..END * n]) {
            Some(at) => Err(at % n),
            None => Ok(f64::MAX),
        }
    }

    /// The derivative at the end and the dense output, for a step that is accurate enough.
    fn complete(&mut self, system: &dyn System, fitted: Fitted) -> Result<(), usize> {
        let n = self.progress.y.len();
        self.evaluate(system, END, fitted.end);
        if let Some(index) = step_size::not_finite(&self.stages[END * n..(END + 1) * n]) {
            return Err(index);
        }
        for (stage, node) in NODES.iter().enumerate().skip(END + 1) {
            self.advance(stage, fitted.step);
            self.evaluate(system, stage, self.progress.t + node * fitted.step);
        }

        // Change over the step, then what makes both slopes right, then the four corrections of higher order.
        for i in 0..n {
            let change = self.progress.y_trial[i] - self.progress.y[i];
            let at_start = fitted.step * self.stages[i] - change;
            self.dense_trial[i] = change;
            self.dense_trial[n + i] = at_start;
            self.dense_trial[2 * n + i] = change - fitted.step * self.stages[END * n + i] - at_start;
        }
        for (row, weights) in DENSE.iter().enumerate() {
            let part = &mut self.dense_trial[(CUBIC + row) * n..(CUBIC + row + 1) * n];
            combine(weights, &self.stages, part);
            for value in part {
                *value *= fitted.step;
            }
        }
        if let Some(at) = step_size::not_finite(&self.dense_trial) {
            return Err(at % n);
        }
        std::mem::swap(&mut self.dense, &mut self.dense_trial);
        self.progress.accept(fitted);
        self.stages.copy_within(END * n..(END + 1) * n, 0);
        Ok(())
    }

    /// Where a stage is evaluated, from those before it.
    fn advance(&mut self, stage: usize, step: f64) {
        combine(WEIGHTS[stage], &self.stages, &mut self.y_stage);
        for (argument, y) in self.y_stage.iter_mut().zip(&self.progress.y) {
            *argument = y + step * *argument;
        }
    }

    /// The derivative there.
    fn evaluate(&mut self, system: &dyn System, stage: usize, t: f64) {
        let n = self.progress.y.len();
        system.derivative(t, &self.y_stage, &mut self.stages[stage * n..(stage + 1) * n]);
        self.progress.info.evaluations += 1;
    }
}

/// Writes the weighted sum of stages.
fn combine(row: Row, stages: &[f64], out: &mut [f64]) {
    let n = out.len();
    out.fill(0.0);
    for &(j, weight) in row {
        for (sum, k) in out.iter_mut().zip(&stages[j * n..(j + 1) * n]) {
            *sum += weight * k;
        }
    }
}

impl OneStep for Dop853 {
    const NAME: &'static str = "dop853";
    const ORDER: u32 = 8;

    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn progress_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn reset(&mut self, n: usize) {
        self.y_stage.resize(n, 0.0);
        self.stages.resize(STAGES * n, 0.0);
        for dense in [&mut self.dense, &mut self.dense_trial] {
            dense.resize((CUBIC + DENSE.len()) * n, 0.0);
        }
    }

    fn take(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        let n = y.len();
        self.y_stage.copy_from_slice(y);
        self.evaluate(system, END, self.progress.t);
        let derivative = END * n..(END + 1) * n;
        self.progress.check_finite(y, &self.stages[derivative.clone()])?;
        self.stages.copy_within(derivative, 0);
        self.progress.y.copy_from_slice(y);
        Ok(())
    }

    fn with_derivative(&mut self) -> (&mut Progress, &[f64], &mut [f64]) {
        let n = self.progress.y.len();
        let (first, others) = self.stages.split_at_mut(n);
        (&mut self.progress, first, &mut others[..n])
    }

    fn attempt(&mut self, system: &dyn System, fitted: Fitted) -> Trial {
        let not_finite =
            |index| Trial::Rejected { shrink: step_size::SHRINK_NOT_FINITE, not_finite: Some(index) };
        let error = match self.estimate(system, fitted) {
            Ok(error) => error,
            Err(index) => return not_finite(index),
        };
        let growth = (SAFETY / step_size::root(error, Self::ORDER)).clamp(SHRINK, GROW);
        if error > 1.0 {
            return Trial::Rejected { shrink: growth, not_finite: None };
        }
        self.complete(system, fitted).map_or_else(not_finite, |()| Trial::Accepted { growth })
    }

    fn keep(&self, own: &mut Vec<f64>) {
        own.extend_from_slice(&self.stages[..self.progress.y.len()]);
        own.extend_from_slice(&self.dense);
    }

    fn recall_own(&mut self, own: &[f64]) -> bool {
        let n = self.progress.y.len();
        let Some((derivative, dense)) = own.split_at_checked(n).filter(|(_, d)| d.len() == self.dense.len())
        else {
            return false;
        };
        self.stages[..n].copy_from_slice(derivative);
        self.dense.copy_from_slice(dense);
        true
    }

    fn interpolate(&self, part: f64, y: &mut [f64]) {
        let n = y.len();
        let rest = 1.0 - part;
        // Nested from the highest coefficient down, by turns with the part done and the part left.
        for (i, value) in y.iter_mut().enumerate() {
            let c = |row: usize| self.dense[row * n + i];
            let high = c(3) + part * (c(4) + rest * (c(5) + part * c(6)));
            *value = self.progress.y_before[i] + part * (c(0) + rest * (c(1) + part * (c(2) + rest * high)));
        }
    }
}
