//! Explicit Runge-Kutta method of order 8 with error control and dense output of order 7, for systems that are not stiff.
//!
//! In: a [`System`], where to start, a [`Tolerance`]. Out: accepted steps, one at a time, and the solution anywhere within the last one.
//! A step depends on `(t, state, next_step)` and the limit alone, so that an integrator restarted there goes on with the same bits as one that was not.
//! Nothing is allocated after [`Integrator::restart`].
//!
//! Written here rather than taken from the crate `differential-equations` 0.7, whose method of the same name allocates about ten states in every step, sets
//! its steps by the platform's `powf` (bits would depend on the machine), does not land on a limit, and ends with an error when its detection of
//! stiffness, which subtracts a state from a derivative, takes a motion for stiff.

mod tableau;

use super::control::{self, Fitted};
use super::{Integrator, IntegratorInfo, StepError, System, Tolerance};
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
///   `tests/integrate_order.rs`: the error after a run goes with the tolerance to a power between 0.8 and 1.2, the dense output is of order 7 or better.
/// Cost: 15 evaluations an accepted step (3 of them for the dense output, made at once since events are looked for in every step), 12 a rejected one.
/// Fails: `TooSmall`, `NotFinite`; it then stands where it stood before.
/// Order: serial; the same bits on every machine.
#[derive(Debug, Clone, Default)]
pub struct Dop853 {
    tolerance: Tolerance,
    t_before: f64,
    t: f64,
    next_step: f64,
    y: Vec<f64>,
    y_before: Vec<f64>,
    /// Argument of the stage being evaluated.
    y_stage: Vec<f64>,
    /// End of the step being tried, and its dense output: swapped in when it is accepted.
    y_trial: Vec<f64>,
    dense_trial: Vec<f64>,
    floors: Vec<f64>,
    /// Derivatives at the stages, one after the other; the first is always the one at `t` and `y`.
    stages: Vec<f64>,
    /// Coefficients of the dense output above the constant one, one after the other.
    dense: Vec<f64>,
    info: IntegratorInfo,
}

/// What came of a trial step.
enum Trial {
    /// With the error in units of what is allowed [-].
    Error(f64),
    /// With a state whose derivative or value is not finite.
    NotFinite(usize),
}

impl Dop853 {
    /// An integrator without a state: [`Integrator::restart`] gives it one.
    pub fn new(tolerance: Tolerance) -> Self {
        Self { tolerance, ..Self::default() }
    }

    /// Stages 1 to 11 of a step, the new state in `y_trial`, and its error.
    fn attempt(&mut self, system: &dyn System, fitted: Fitted) -> Trial {
        let n = self.y.len();
        for (stage, node) in NODES.iter().enumerate().take(END).skip(1) {
            self.advance(stage, fitted.step);
            // The last one stands at the end of the step, which is exactly the limit where it lands there.
            let time = if stage == END - 1 { fitted.end } else { self.t + node * fitted.step };
            self.evaluate(system, stage, time);
        }
        // The derivative at the end serves the next step: it is worth its cost only where this one is accepted.
        self.advance(END, fitted.step);
        self.y_trial.copy_from_slice(&self.y_stage);
        if let Some(index) = control::not_finite(&self.y_trial) {
            return Trial::NotFinite(index);
        }

        // Two estimates, of order 5 and 3; the second keeps the first from being zero by accident.
        let (mut five, mut three) = (0.0, 0.0);
        for i in 0..n {
            let size = self.y[i].abs().max(self.y_trial[i].abs());
            let allowed = control::allowed(self.floors[i], self.tolerance.relative, size);
            let at = |row: Row| row.iter().map(|&(j, weight)| weight * self.stages[j * n + i]).sum::<f64>();
            let (a, b) = (at(ERROR_FIVE) / allowed, at(ERROR_THREE) / allowed);
            five += a * a;
            three += b * b;
        }
        let both = five + 0.01 * three;
        let error = if both == 0.0 { 0.0 } else { fitted.step * five / (n as f64 * both).sqrt() };
        if error.is_finite() {
            return Trial::Error(error);
        }
        // Not a number: blame the first derivative that is none; where each is one, the error is too large to be squared.
        match control::not_finite(&self.stages[..END * n]) {
            Some(at) => Trial::NotFinite(at % n),
            None => Trial::Error(f64::MAX),
        }
    }

    /// The derivative at the end and the dense output, for a step that is accurate enough.
    fn complete(&mut self, system: &dyn System, fitted: Fitted) -> Result<(), usize> {
        let n = self.y.len();
        self.evaluate(system, END, fitted.end);
        if let Some(index) = control::not_finite(&self.stages[END * n..(END + 1) * n]) {
            return Err(index);
        }
        for (stage, node) in NODES.iter().enumerate().skip(END + 1) {
            self.advance(stage, fitted.step);
            self.evaluate(system, stage, self.t + node * fitted.step);
        }

        // Change over the step, then what makes both slopes right, then the four corrections of higher order.
        for i in 0..n {
            let change = self.y_trial[i] - self.y[i];
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
        if let Some(at) = control::not_finite(&self.dense_trial) {
            return Err(at % n);
        }
        std::mem::swap(&mut self.dense, &mut self.dense_trial);
        std::mem::swap(&mut self.y_before, &mut self.y);
        std::mem::swap(&mut self.y, &mut self.y_trial);
        Ok(())
    }

    /// Where a stage is evaluated, from those before it.
    fn advance(&mut self, stage: usize, step: f64) {
        combine(WEIGHTS[stage], &self.stages, &mut self.y_stage);
        for (argument, y) in self.y_stage.iter_mut().zip(&self.y) {
            *argument = y + step * *argument;
        }
    }

    /// The derivative there.
    fn evaluate(&mut self, system: &dyn System, stage: usize, t: f64) {
        let n = self.y.len();
        system.derivative(t, &self.y_stage, &mut self.stages[stage * n..(stage + 1) * n]);
        self.info.evaluations += 1;
    }

    /// Goes to a state and its derivative, or stays where it is if one of them is not finite.
    fn take(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        let n = y.len();
        self.y_stage.copy_from_slice(y);
        self.evaluate(system, END, self.t);
        let derivative = END * n..(END + 1) * n;
        let bad = control::not_finite(y).or_else(|| control::not_finite(&self.stages[derivative.clone()]));
        if let Some(index) = bad {
            return Err(StepError::NotFinite { t: self.t, index });
        }
        self.stages.copy_within(derivative, 0);
        self.y.copy_from_slice(y);
        Ok(())
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

impl Integrator for Dop853 {
    fn name(&self) -> &'static str {
        "dop853"
    }

    fn restart(
        &mut self,
        system: &dyn System,
        t: f64,
        y: &[f64],
        step: Option<f64>,
    ) -> Result<(), StepError> {
        let n = y.len();
        debug_assert_eq!(y.len(), system.len(), "a state has as many entries as its system");
        self.t = t;
        self.t_before = t;
        self.y.clear();
        self.y.extend_from_slice(y);
        self.y_before.clear();
        self.y_before.extend_from_slice(y);
        self.y_stage.resize(n, 0.0);
        self.y_trial.resize(n, 0.0);
        self.dense_trial.resize((CUBIC + DENSE.len()) * n, 0.0);
        self.stages.resize(STAGES * n, 0.0);
        self.dense.resize((CUBIC + DENSE.len()) * n, 0.0);
        control::fill_floors(&mut self.floors, system, &self.tolerance);
        self.take(system, y)?;
        self.next_step = match step {
            Some(step) if step > 0.0 => step.min(control::LONGEST_STEP),
            _ => {
                let (first, others) = self.stages.split_at_mut(n);
                self.info.evaluations += usize::from(n > 0);
                control::first_step(
                    system,
                    t,
                    &self.y,
                    first,
                    &self.floors,
                    self.tolerance.relative,
                    8,
                    &mut self.y_trial,
                    &mut others[..n],
                )
            }
        };
        Ok(())
    }

    fn step(&mut self, system: &dyn System, limit: f64) -> Result<(), StepError> {
        if !control::has_room(self.t, limit)? {
            return Ok(());
        }
        let shortest = control::shortest_step(self.t);
        let wanted = self.next_step;
        let mut step = wanted;
        let mut rejected = false;
        loop {
            let fitted = control::fit(self.t, step, limit);
            let (shrink, bad) = match self.attempt(system, fitted) {
                Trial::Error(error) => {
                    let factor = (SAFETY / control::root(error, 8)).clamp(SHRINK, GROW);
                    if error > 1.0 {
                        (factor, None)
                    } else {
                        match self.complete(system, fitted) {
                            Ok(()) => {
                                self.t_before = self.t;
                                self.t = fitted.end;
                                self.next_step = control::next_step(fitted.step, factor, wanted, rejected);
                                self.stages.copy_within(END * self.y.len()..(END + 1) * self.y.len(), 0);
                                self.info.accepted += 1;
                                return Ok(());
                            }
                            Err(index) => (control::SHRINK_NOT_FINITE, Some(index)),
                        }
                    }
                }
                Trial::NotFinite(index) => (control::SHRINK_NOT_FINITE, Some(index)),
            };
            self.info.rejected += 1;
            rejected = true;
            step = fitted.step * shrink;
            if step < shortest {
                return Err(match bad {
                    Some(index) => StepError::NotFinite { t: self.t, index },
                    None => StepError::TooSmall { t: self.t, step: fitted.step },
                });
            }
        }
    }

    fn t_before(&self) -> f64 {
        self.t_before
    }

    fn t(&self) -> f64 {
        self.t
    }

    fn state(&self) -> &[f64] {
        &self.y
    }

    fn dense(&self, t: f64, y: &mut [f64]) {
        // The ends are the states themselves, bit for bit; beyond them is nothing known.
        if t >= self.t {
            y.copy_from_slice(&self.y);
            return;
        }
        if t <= self.t_before {
            y.copy_from_slice(&self.y_before);
            return;
        }
        let n = self.y.len();
        let part = (t - self.t_before) / (self.t - self.t_before);
        let rest = 1.0 - part;
        // Nested from the highest coefficient down, by turns with the part done and the part left.
        for (i, value) in y.iter_mut().enumerate() {
            let c = |row: usize| self.dense[row * n + i];
            let high = c(3) + part * (c(4) + rest * (c(5) + part * c(6)));
            *value = self.y_before[i] + part * (c(0) + rest * (c(1) + part * (c(2) + rest * high)));
        }
    }

    fn correct(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        self.take(system, y)
    }

    fn next_step(&self) -> f64 {
        self.next_step
    }

    fn info(&self) -> IntegratorInfo {
        self.info
    }
}
