//! Implicit Runge-Kutta method of order 5 with error control and dense output of order 3, for stiff systems.
//!
//! In: a [`System`], where to start, a [`Tolerance`]. Out: accepted steps, one at a time, and the solution anywhere within the last one.
//! It has no memory longer than a step, so that it starts anew after an event at full order, where a multistep method begins again at the first.
//! Jacobians are formed by differences of the derivative, kept while Newton's iteration converges fast, and formed anew by every restart:
//! two restarts from the same numbers give the same bits, a restart and a run without one agree within the tolerance.
//! Nothing is allocated after [`Integrator::restart`].
//!
//! Written here rather than taken from diffsol 0.18. Its solvers borrow the problem for as long as they live, while a [`System`] changes between any two steps here:
//! a solver for each step means a new Jacobian, new factors and all of its memory anew, and forgets when to raise order and step. On van der Pol's equation (rates of 1e6 1/s,
//! tolerance 1e-6, t = 2) its backward differentiation made anew for each step had not arrived after 200 000 steps; kept over the whole run it took 1208 and was off
//! by 8e-6; this method takes 839 and is off by 6e-9 in less time. Its step control goes through the platform's `powf` and its matrix products through kernels chosen by
//! the processor, so that bits depend on the machine. And with either of its matrix types it builds faer: 100 crates, 115 s of processor time in a debug build.

mod tableau;
mod trial;

use super::control::{self, Fitted};
use super::linear::Lu;
use super::{Integrator, IntegratorInfo, StepError, System, Tolerance};
use nalgebra::Complex;
use tableau::{STAGES, basis};
use trial::Trial;

/// Newton iterations before the step is given up [-].
const ITERATIONS: usize = 7;

/// A Jacobian is kept while each increment is at most this part of the one before [-].
const FAST: f64 = 1e-3;

/// Steps aim at this part of what would just be accepted [-].
const SAFETY: f64 = 0.9;

/// A step shrinks at most to this part of the one before [-].
const SHRINK: f64 = 0.2;

/// A step grows at most by this factor [-].
const GROW: f64 = 8.0;

/// A step that could grow by less than this stays as it is, so that the factors can be kept [-].
const NOT_WORTH_IT: f64 = 1.2;

/// The collocation method of Radau with three stages, also known as Radau IIA of order 5 or Radau5.
///
/// Computes: the solution of `dy/dt = f(t, y)`, one accepted step at a time, for systems whose fastest rates would hold an explicit method to tiny steps.
/// Method: Hairer and Wanner, Solving Ordinary Differential Equations II, 2nd ed. 1996, section IV.8. Differs from it: plain step control, so that a step does not
///   depend on the errors of those before; the transformation is scaled otherwise; Newton's first increment is never trusted alone unless it is tiny.
/// Tolerance: the estimated error of each step, root mean square over states in units of `relative |y| + absolute scale`, is at most 1. The
///   estimate is of order 3, the method of order 5: the error of a run is usually well below. The dense output is of order 3 and its error is held to the same bound.
/// Cost: about 10 evaluations a step and, where Newton's iteration slows down, one for each state; one real and one complex factorisation for each change of step.
/// Fails: `TooSmall`, `NotFinite`; it then stands where it stood before.
/// Order: serial; the same bits on every machine.
#[derive(Debug, Clone, Default)]
pub struct Radau {
    tolerance: Tolerance,
    t_before: f64,
    t: f64,
    next_step: f64,
    y: Vec<f64>,
    y_before: Vec<f64>,
    /// The derivative at `t` and `y`.
    dy: Vec<f64>,
    floors: Vec<f64>,
    /// Stages of the last step less its start, one after the other; they are the dense output.
    stages: Vec<f64>,
    /// The same for the step being tried: stages, their transforms, residuals and derivatives.
    z: Vec<f64>,
    w: Vec<f64>,
    residual: Vec<f64>,
    pair: Vec<Complex<f64>>,
    y_trial: Vec<f64>,
    dy_trial: Vec<f64>,
    /// By rows.
    jacobian: Vec<f64>,
    /// Whether the Jacobian is the one at `t` and `y`, and whether the next step must form it.
    fresh: bool,
    renew: bool,
    real: Lu<f64>,
    complex: Lu<Complex<f64>>,
    /// The step that the factors are for, or zero [s].
    factored: f64,
    info: IntegratorInfo,
}

impl Radau {
    /// An integrator without a state: [`Integrator::restart`] gives it one.
    pub fn new(tolerance: Tolerance) -> Self {
        Self { tolerance, ..Self::default() }
    }

    /// Goes to the end of a step that is accurate enough, unless the derivative there is not finite.
    fn accept(&mut self, system: &dyn System, fitted: Fitted) -> Result<(), usize> {
        let n = self.y.len();
        for i in 0..n {
            self.y_trial[i] = self.y[i] + self.z[2 * n + i];
        }
        system.derivative(fitted.end, &self.y_trial, &mut self.dy_trial);
        self.info.evaluations += 1;
        if let Some(index) = control::not_finite(&self.dy_trial) {
            return Err(index);
        }
        std::mem::swap(&mut self.stages, &mut self.z);
        std::mem::swap(&mut self.y_before, &mut self.y);
        std::mem::swap(&mut self.y, &mut self.y_trial);
        std::mem::swap(&mut self.dy, &mut self.dy_trial);
        self.t_before = self.t;
        self.t = fitted.end;
        self.info.accepted += 1;
        Ok(())
    }

    /// Goes to a state and its derivative, or stays where it is if one of them is not finite.
    fn take(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        system.derivative(self.t, y, &mut self.dy_trial);
        self.info.evaluations += 1;
        let bad = control::not_finite(y).or_else(|| control::not_finite(&self.dy_trial));
        if let Some(index) = bad {
            return Err(StepError::NotFinite { t: self.t, index });
        }
        self.y.copy_from_slice(y);
        std::mem::swap(&mut self.dy, &mut self.dy_trial);
        Ok(())
    }
}

impl Integrator for Radau {
    fn name(&self) -> &'static str {
        "radau"
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
        for values in [&mut self.y, &mut self.y_before] {
            values.clear();
            values.extend_from_slice(y);
        }
        for values in [&mut self.dy, &mut self.y_trial, &mut self.dy_trial] {
            values.resize(n, 0.0);
        }
        for values in [&mut self.stages, &mut self.z, &mut self.w, &mut self.residual] {
            values.resize(STAGES * n, 0.0);
        }
        self.pair.resize(n, Complex::default());
        self.jacobian.resize(n * n, 0.0);
        self.real.size(n);
        self.complex.size(n);
        self.fresh = false;
        self.renew = true;
        self.factored = 0.0;
        control::fill_floors(&mut self.floors, system, &self.tolerance);
        self.take(system, y)?;
        self.next_step = match step {
            Some(step) if step > 0.0 => step.min(control::LONGEST_STEP),
            _ => {
                self.info.evaluations += usize::from(n > 0);
                control::first_step(
                    system,
                    t,
                    &self.y,
                    &self.dy,
                    &self.floors,
                    self.tolerance.relative,
                    4,
                    &mut self.y_trial,
                    &mut self.dy_trial,
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
        if self.renew {
            self.form_jacobian(system, wanted);
        }
        let mut step = wanted;
        let mut rejected = false;
        loop {
            let fitted = control::fit(self.t, step, limit);
            let (shrink, bad) = match self.attempt(system, fitted) {
                Trial::Error { error, rate, iterations } => {
                    // Slow iterations ask for shorter steps too.
                    let effort = (2 * ITERATIONS + 1) as f64 / (2 * ITERATIONS + iterations) as f64;
                    let factor = (SAFETY * effort.min(1.0) / control::root(error, 4)).clamp(SHRINK, GROW);
                    if error > 1.0 {
                        (factor.min(SAFETY), None)
                    } else {
                        match self.accept(system, fitted) {
                            Ok(()) => {
                                self.fresh = false;
                                self.renew = rate > FAST;
                                let keep = !self.renew && (1.0..NOT_WORTH_IT).contains(&factor);
                                let factor = if keep { 1.0 } else { factor };
                                self.next_step = control::next_step(fitted.step, factor, wanted, rejected);
                                return Ok(());
                            }
                            Err(index) => (control::SHRINK_NOT_FINITE, Some(index)),
                        }
                    }
                }
                // An old Jacobian may be to blame: once more with a new one before the step is shortened.
                Trial::Stuck if !self.fresh => {
                    self.form_jacobian(system, fitted.step);
                    continue;
                }
                Trial::Stuck => (0.5, None),
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
        let weights = basis((t - self.t_before) / (self.t - self.t_before));
        for (i, value) in y.iter_mut().enumerate() {
            let change: f64 = (0..STAGES).map(|k| weights[k] * self.stages[k * n + i]).sum();
            *value = self.y_before[i] + change;
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
