//! One trial step of the implicit method: its stages by Newton's iteration, and its error.
//!
//! In: the state of [`Radau`] and a step. Out: the stages in `z`, and what came of it. Only scratch, Jacobian and factors change.

use super::super::jacobian::{self, Point};
use super::super::step_size::{self, Fitted};
use super::tableau::{
    ALPHA, BETA, BETWEEN, ERROR, FROM_STAGES, GAMMA, NODES, STAGES, TO_STAGES, basis, transform,
};
use super::{FAST, ITERATIONS, Radau, System};
use nalgebra::Complex;

/// Newton's iteration must shrink its increments at least to this part each time [-].
const SLOWEST: f64 = 0.99;

/// Factors serve steps that differ from theirs by this part: the iteration corrects for it [-].
const SAME_STEP: f64 = 1e-6;

/// What came of the stages of a trial step.
pub(super) enum Stages {
    /// With the error in units of what is allowed, how fast Newton's iteration converged, and how long it took.
    Converged { error: f64, rate: f64, iterations: usize },
    /// Newton's iteration did not converge.
    Stuck,
    /// With a state whose derivative or value is not finite.
    NotFinite(usize),
}

impl Radau {
    /// The Jacobian at `t` and `y`.
    pub(super) fn form_jacobian(&mut self, system: &dyn System, step: f64) {
        let at = Point { t: self.progress.t, y: &self.progress.y, dy: &self.dy };
        let size = |i: usize| {
            // What the state is, what it becomes in this step, or where it begins to count.
            let counts = self.progress.floors[i] / self.progress.tolerance.relative.max(f64::EPSILON);
            self.progress.y[i].abs().max((step * self.dy[i]).abs()).max(counts)
        };
        let (y, dy) = (&mut self.progress.y_trial, &mut self.dy_trial);
        self.progress.info.evaluations +=
            jacobian::by_differences(system, at, size, y, dy, &mut self.jacobian);
        self.progress.info.jacobians += 1;
        self.fresh = true;
        self.renew = false;
        self.factored = 0.0;
    }

    /// The factors for a step; false where there are none.
    pub(super) fn factor(&mut self, step: f64) -> bool {
        if (step - self.factored).abs() <= SAME_STEP * self.factored {
            return true;
        }
        let n = self.progress.y.len();
        let jacobian = &self.jacobian;
        let real = GAMMA / step;
        let complex = Complex::new(ALPHA / step, -BETA / step);
        let entry = |row: usize, column: usize| -jacobian[row * n + column];
        let done = self.real.factor(|r, c| if r == c { real + entry(r, c) } else { entry(r, c) })
            && self
                .complex
                .factor(|r, c| if r == c { complex + entry(r, c) } else { Complex::new(entry(r, c), 0.0) });
        self.factored = if done { step } else { 0.0 };
        done
    }

    /// First guess of the stages: the dense output of the last step carried on, or no change after a restart.
    fn predict(&mut self, step: f64) {
        let n = self.progress.y.len();
        let last = self.progress.t - self.progress.t_before;
        if last > 0.0 {
            for (stage, node) in NODES.iter().enumerate() {
                let weights = basis(1.0 + node * step / last);
                for i in 0..n {
                    let change: f64 = (0..STAGES).map(|j| weights[j] * self.stages[j * n + i]).sum();
                    self.z[stage * n + i] = self.progress.y_before[i] + change - self.progress.y[i];
                }
            }
        } else {
            self.z.fill(0.0);
        }
        transform(&FROM_STAGES, &self.z, &mut self.w);
    }

    /// Solves for the stages by simplified Newton iterations and estimates the error of the step.
    pub(super) fn solve_stages(&mut self, system: &dyn System, fitted: Fitted) -> Stages {
        let n = self.progress.y.len();
        let step = fitted.step;
        if !self.factor(step) {
            return Stages::Stuck;
        }
        self.predict(step);
        let relative = self.progress.tolerance.relative;
        // As exact as the error estimate deserves, and no more than doubles allow.
        let enough = (10.0 * f64::EPSILON / relative).max(relative.sqrt().min(0.03));
        let mut last = 0.0;
        for iteration in 1..=ITERATIONS {
            // Derivatives at the stages, transformed, less the transformed stages over the step.
            for (stage, node) in NODES.iter().enumerate() {
                let range = stage * n..(stage + 1) * n;
                for i in 0..n {
                    self.progress.y_trial[i] = self.progress.y[i] + self.z[stage * n + i];
                }
                let time = if stage == STAGES - 1 { fitted.end } else { self.progress.t + node * step };
                system.derivative(time, &self.progress.y_trial, &mut self.z[range]);
                self.progress.info.evaluations += 1;
            }
            if let Some(at) = step_size::not_finite(&self.z) {
                return Stages::NotFinite(at % n);
            }
            transform(&FROM_STAGES, &self.z, &mut self.residual);
            for i in 0..n {
                let (w1, w2, w3) = (self.w[i], self.w[n + i], self.w[2 * n + i]);
                self.residual[i] -= GAMMA * w1 / step;
                let second = self.residual[n + i] - (ALPHA * w2 + BETA * w3) / step;
                let third = self.residual[2 * n + i] - (ALPHA * w3 - BETA * w2) / step;
                self.pair[i] = Complex::new(second, third);
            }

            // One real and one complex system instead of one of three times the size.
            self.real.solve(&mut self.residual[..n]);
            self.complex.solve(&mut self.pair);
            for i in 0..n {
                self.residual[n + i] = self.pair[i].re;
                self.residual[2 * n + i] = self.pair[i].im;
            }
            for (w, increment) in self.w.iter_mut().zip(&self.residual) {
                *w += increment;
            }
            transform(&TO_STAGES, &self.w, &mut self.z);
            if let Some(at) = step_size::not_finite(&self.z) {
                return Stages::NotFinite(at % n);
            }
            let size = (0..STAGES)
                .map(|k| {
                    step_size::norm(
                        &self.residual[k * n..(k + 1) * n],
                        &self.progress.y,
                        &self.progress.floors,
                        relative,
                    )
                })
                .fold(0.0, f64::max);

            // How fast it goes says how far it still is.
            if iteration > 1 {
                let rate = size / last;
                if rate.is_nan() || rate >= SLOWEST {
                    return Stages::Stuck;
                }
                let mut ahead = size * rate / (1.0 - rate);
                if ahead <= enough {
                    return self.estimate(system, step, rate, iteration);
                }
                for _ in iteration..ITERATIONS {
                    ahead *= rate;
                }
                if ahead > enough {
                    return Stages::Stuck;
                }
            } else if size <= FAST * enough {
                return self.estimate(system, step, 0.0, iteration);
            }
            last = size;
        }
        Stages::Stuck
    }

    /// The error of a step whose stages are known: a formula of order 3, filtered so that stiff parts do not count.
    fn estimate(&mut self, system: &dyn System, step: f64, rate: f64, iterations: usize) -> Stages {
        let n = self.progress.y.len();
        for i in 0..n {
            let sum: f64 = (0..STAGES).map(|k| ERROR[k] * self.z[k * n + i]).sum();
            self.w[i] = sum / step;
            self.residual[i] = self.dy[i] + self.w[i];
        }
        let between = self.error_between(step);
        self.real.solve(&mut self.residual[..n]);
        let mut error = self.norm_over_step(0);
        if error >= 1.0 {
            // Filtered once more: after a jump the first derivative says too much.
            for i in 0..n {
                self.progress.y_trial[i] = self.progress.y[i] + self.residual[i];
            }
            system.derivative(self.progress.t, &self.progress.y_trial, &mut self.dy_trial);
            self.progress.info.evaluations += 1;
            if step_size::not_finite(&self.dy_trial).is_none() {
                for i in 0..n {
                    self.residual[i] = self.dy_trial[i] + self.w[i];
                }
                self.real.solve(&mut self.residual[..n]);
                error = self.norm_over_step(0);
            }
        }
        let error = if error < between { between } else { error };
        if error.is_finite() {
            Stages::Converged { error, rate, iterations }
        } else {
            Stages::NotFinite(step_size::not_finite(&self.residual[..n]).unwrap_or(0))
        }
    }

    /// Error of the dense output in units of what is allowed [-]: what the next power of time would add between the stages.
    ///
    /// A step over a stiff part can be exact at its end and at its stages and yet far too long for the polynomial between them, which is where events are
    /// located. One value within the last step shows how much the polynomial bends; without a last step the first derivative does.
    fn error_between(&mut self, step: f64) -> f64 {
        let n = self.progress.y.len();
        let last = self.progress.t - self.progress.t_before;
        if last > 0.0 {
            let part = -(1.0 - NODES[1]) * last / step;
            let weights = basis(part);
            let product = part * (part - NODES[0]) * (part - NODES[1]) * (part - NODES[2]);
            for i in 0..n {
                let known = self.progress.y_before[i] + self.stages[n + i] - self.progress.y[i];
                let polynomial: f64 = (0..STAGES).map(|k| weights[k] * self.z[k * n + i]).sum();
                self.residual[n + i] = BETWEEN * (known - polynomial) / product;
            }
        } else {
            for i in 0..n {
                self.residual[n + i] = BETWEEN * step * self.residual[i] / (NODES[0] * NODES[1]);
            }
        }
        self.norm_over_step(1)
    }

    /// Size of one of the three residuals in units of what is allowed over the step [-].
    fn norm_over_step(&self, which: usize) -> f64 {
        let n = self.progress.y.len();
        if n == 0 {
            return 0.0;
        }
        let sum: f64 = (0..n)
            .map(|i| {
                let size = self.progress.y[i].abs().max((self.progress.y[i] + self.z[2 * n + i]).abs());
                let allowed =
                    step_size::allowed(self.progress.floors[i], self.progress.tolerance.relative, size);
                let r = self.residual[which * n + i] / allowed;
                r * r
            })
            .sum();
        (sum / n as f64).sqrt()
    }
}
