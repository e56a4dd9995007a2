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

#[cfg(doc)]
use super::Integrator;
use super::error_control::{OneStep, Progress, Trial};
use super::linear::Lu;
use super::step_size::{self, Fitted};
use super::{StepError, System, Tolerance};
use nalgebra::Complex;
use tableau::{STAGES, basis};
use trial::Stages;

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
    progress: Progress,
    /// The derivative at `t` and `y`.
    dy: Vec<f64>,
    /// Stages of the last step less its start, one after the other; they are the dense output.
    stages: Vec<f64>,
    /// The same for the step being tried: stages, their transforms, residuals and derivatives.
    z: Vec<f64>,
    w: Vec<f64>,
    residual: Vec<f64>,
    pair: Vec<Complex<f64>>,
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
}

impl Radau {
    /// An integrator without a state: [`Integrator::restart`] gives it one.
    pub fn new(tolerance: Tolerance) -> Self {
        Self { progress: Progress::new(tolerance), ..Self::default() }
    }

    /// Goes to the end of a step that is accurate enough, unless the derivative there is not finite.
    fn accept(&mut self, system: &dyn System, fitted: Fitted) -> Result<(), usize> {
        let n = self.progress.y.len();
        for i in 0..n {
            self.progress.y_trial[i] = self.progress.y[i] + self.z[2 * n + i];
        }
        system.derivative(fitted.end, &self.progress.y_trial, &mut self.dy_trial);
        self.progress.info.evaluations += 1;
        if let Some(index) = step_size::not_finite(&self.dy_trial) {
            return Err(index);
        }
        std::mem::swap(&mut self.stages, &mut self.z);
        std::mem::swap(&mut self.dy, &mut self.dy_trial);
        self.progress.accept(fitted);
        Ok(())
    }
}

impl OneStep for Radau {
    const NAME: &'static str = "radau";
    const ORDER: u32 = 4;

    fn progress(&self) -> &Progress {
        &self.progress
    }

    fn progress_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }

    fn reset(&mut self, n: usize) {
        for values in [&mut self.dy, &mut self.dy_trial] {
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
    }

    fn take(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        system.derivative(self.progress.t, y, &mut self.dy_trial);
        self.progress.info.evaluations += 1;
        self.progress.check_finite(y, &self.dy_trial)?;
        self.progress.y.copy_from_slice(y);
        std::mem::swap(&mut self.dy, &mut self.dy_trial);
        Ok(())
    }

    fn with_derivative(&mut self) -> (&mut Progress, &[f64], &mut [f64]) {
        (&mut self.progress, &self.dy, &mut self.dy_trial)
    }

    fn prepare(&mut self, system: &dyn System, step: f64) {
        if self.renew {
            self.form_jacobian(system, step);
        }
    }

    fn attempt(&mut self, system: &dyn System, fitted: Fitted) -> Trial {
        let not_finite =
            |index| Trial::Rejected { shrink: step_size::SHRINK_NOT_FINITE, not_finite: Some(index) };
        let (error, rate, iterations) = match self.solve_stages(system, fitted) {
            Stages::Converged { error, rate, iterations } => (error, rate, iterations),
            // An old Jacobian may be to blame: once more with a new one before the step is shortened.
            Stages::Stuck if !self.fresh => {
                self.form_jacobian(system, fitted.step);
                return Trial::Again;
            }
            Stages::Stuck => return Trial::Rejected { shrink: 0.5, not_finite: None },
            Stages::NotFinite(index) => return not_finite(index),
        };
        // Slow iterations ask for shorter steps too.
        let effort = (2 * ITERATIONS + 1) as f64 / (2 * ITERATIONS + iterations) as f64;
        let factor = (SAFETY * effort.min(1.0) / step_size::root(error, Self::ORDER)).clamp(SHRINK, GROW);
        if error > 1.0 {
            return Trial::Rejected { shrink: factor.min(SAFETY), not_finite: None };
        }
        if let Err(index) = self.accept(system, fitted) {
            return not_finite(index);
        }
        self.fresh = false;
        self.renew = rate > FAST;
        let keep = !self.renew && (1.0..NOT_WORTH_IT).contains(&factor);
        Trial::Accepted { growth: if keep { 1.0 } else { factor } }
    }

    fn keep(&self, own: &mut Vec<f64>) {
        own.extend_from_slice(&self.dy);
        own.extend_from_slice(&self.stages);
        own.extend_from_slice(&self.jacobian);
        own.extend([f64::from(u8::from(self.fresh)), f64::from(u8::from(self.renew)), self.factored]);
    }

    fn recall_own(&mut self, own: &[f64]) -> bool {
        let n = self.progress.y.len();
        if own.len() != n + STAGES * n + n * n + 3 {
            return false;
        }
        let (dy, rest) = own.split_at(n);
        let (stages, rest) = rest.split_at(STAGES * n);
        let (jacobian, flags) = rest.split_at(n * n);
        self.dy.copy_from_slice(dy);
        self.stages.copy_from_slice(stages);
        self.jacobian.copy_from_slice(jacobian);
        (self.fresh, self.renew) = (flags[0] != 0.0, flags[1] != 0.0);
        // Factors follow from the Jacobian and their step.
        let factored = flags[2];
        if factored > 0.0 {
            self.factor(factored);
        }
        true
    }

    fn interpolate(&self, part: f64, y: &mut [f64]) {
        let n = y.len();
        let weights = basis(part);
        for (i, value) in y.iter_mut().enumerate() {
            let change: f64 = (0..STAGES).map(|k| weights[k] * self.stages[k * n + i]).sum();
            *value = self.progress.y_before[i] + change;
        }
    }
}
