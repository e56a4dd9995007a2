//! Which integrator, and why, in a sentence.
//!
//! In: what the user asked for, and the system where it starts. Out: a method and the numbers that speak for it. The system is evaluated, never changed.

use super::step_size;
use super::{Dop853, Integrator, Radau, StepError, System, Tolerance};
use zerogap_core::random::Random;
use zerogap_core::store::{Reader, Store, StoreError, Writer};

/// What the user may ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum IntegratorKind {
    /// Whichever is cheaper, found by a trial.
    #[default]
    Auto,
    /// Explicit, order 8: [`Dop853`].
    Dop853,
    /// Implicit, order 5: [`Radau`].
    Radau,
}

impl Store for IntegratorKind {
    fn put(&self, out: &mut Writer) {
        let number: u8 = match self {
            Self::Auto => 0,
            Self::Dop853 => 1,
            Self::Radau => 2,
        };
        number.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        match u8::take(from)? {
            0 => Ok(Self::Auto),
            1 => Ok(Self::Dop853),
            2 => Ok(Self::Radau),
            _ => Err(from.expected("IntegratorKind")),
        }
    }
}

/// A method and why it was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Never `Auto`.
    pub method: IntegratorKind,
    /// Largest eigenvalue of the Jacobian in absolute value, about [1/s]; zero where it was not estimated.
    pub fastest_rate: f64,
    /// The longest step for which the explicit method is stable at that rate [s]; infinite where it was not estimated.
    pub stable_step: f64,
    /// The step that exactness alone asks for [s]; infinite where it was not estimated.
    pub accurate_step: f64,
    /// The same in words.
    pub reason: String,
}

impl IntegratorKind {
    /// The integrator itself; `Auto`, where none was chosen, is the explicit one.
    pub fn make(&self, tolerance: Tolerance) -> Box<dyn Integrator> {
        match self {
            Self::Radau => Box::new(Radau::new(tolerance)),
            Self::Auto | Self::Dop853 => Box::new(Dop853::new(tolerance)),
        }
    }
}

impl Choice {
    /// The integrator itself.
    pub fn make(&self, tolerance: Tolerance) -> Box<dyn Integrator> {
        self.method.make(tolerance)
    }
}

/// The explicit method is stable while step times rate is below this [-]: about 6 on the negative axis, and as much on the imaginary one before it is inexact.
const STABLE: f64 = 6.0;

/// Evaluations of one explicit step [-].
const EXPLICIT_COST: f64 = 15.0;

/// Evaluations of one implicit step without its Jacobian [-].
const IMPLICIT_COST: f64 = 10.0;

/// A Jacobian serves about so many steps [-].
const JACOBIAN_SERVES: f64 = 3.0;

/// The implicit method must be cheaper by this factor to be chosen [-]: it also factors matrices, which is not counted.
const CLEARLY: f64 = 3.0;

/// Steps of the trial [-]: enough to get over a first transient.
const TRIAL_STEPS: usize = 60;

/// Products with the Jacobian before the rate is read off, and those it is read off from [-].
const PRODUCTS: (usize, usize) = (8, 8);

/// Chooses a method for a system that starts at `t` [s] and `y`, whose steps are not to be longer than `horizon` [s].
///
/// Computes: for `Auto` the fastest rate by power iteration, the step that exactness alone asks for by some implicit steps, and from both the number of
///   evaluations either method would need. Any other method is taken as asked for, at no cost.
/// Tolerance: the rate is good to a factor of two, which is all that matters; the choice is a guess from the start of the motion.
/// Cost: at most about 600 evaluations and some Jacobians, once.
/// Fails: `NotFinite` where the derivative at the start is. A trial that fails speaks for the explicit method.
pub fn choose(
    method: IntegratorKind,
    system: &dyn System,
    t: f64,
    y: &[f64],
    tolerance: &Tolerance,
    horizon: f64,
) -> Result<Choice, StepError> {
    if method != IntegratorKind::Auto {
        let name = match method {
            IntegratorKind::Radau => "implicit (radau)",
            IntegratorKind::Auto | IntegratorKind::Dop853 => "explicit (dop853)",
        };
        return Ok(Choice {
            method,
            fastest_rate: 0.0,
            stable_step: f64::INFINITY,
            accurate_step: f64::INFINITY,
            reason: format!("{name}: as asked for"),
        });
    }
    let fastest_rate = fastest_rate(system, t, y, tolerance)?;
    let stable_step = if fastest_rate > 0.0 { STABLE / fastest_rate } else { f64::INFINITY };

    // Never limited by stability: no trial is needed.
    if stable_step >= horizon {
        let reason = format!(
            "explicit (dop853): the fastest rate, {fastest_rate:.1e} 1/s, allows steps of {horizon:.1e} s and longer"
        );
        let accurate_step = f64::INFINITY;
        return Ok(Choice {
            method: IntegratorKind::Dop853,
            fastest_rate,
            stable_step,
            accurate_step,
            reason,
        });
    }
    let Some(accurate_step) = accurate_step(system, t, y, tolerance, horizon) else {
        let reason = "explicit (dop853): a trial of the implicit method failed".to_owned();
        let accurate_step = f64::INFINITY;
        return Ok(Choice {
            method: IntegratorKind::Dop853,
            fastest_rate,
            stable_step,
            accurate_step,
            reason,
        });
    };

    // Evaluations for each second of motion.
    let explicit = EXPLICIT_COST / stable_step;
    let implicit = (IMPLICIT_COST + y.len() as f64 / JACOBIAN_SERVES) / accurate_step;
    let (method, reason) = if explicit > CLEARLY * implicit {
        let reason = format!(
            "implicit (radau): the fastest rate, {fastest_rate:.1e} 1/s, would hold an explicit method to steps of {stable_step:.1e} s, \
             exactness asks for {accurate_step:.1e} s"
        );
        (IntegratorKind::Radau, reason)
    } else {
        let reason = format!(
            "explicit (dop853): the fastest rate, {fastest_rate:.1e} 1/s, allows steps of {stable_step:.1e} s, \
             exactness would have an implicit method make steps of {accurate_step:.1e} s"
        );
        (IntegratorKind::Dop853, reason)
    };
    Ok(Choice { method, fastest_rate, stable_step, accurate_step, reason })
}

/// The largest eigenvalue of the Jacobian in absolute value, about [1/s].
///
/// Method: power iteration with differences of the derivative in place of products. Each state is measured in its own size, which changes no eigenvalue; the mean growth over
///   several products also holds for pairs of complex eigenvalues, whose growth swings from one product to the next.
fn fastest_rate(system: &dyn System, t: f64, y: &[f64], tolerance: &Tolerance) -> Result<f64, StepError> {
    let n = y.len();
    if n == 0 {
        return Ok(0.0);
    }
    let mut dy = vec![0.0; n];
    system.derivative(t, y, &mut dy);
    if let Some(index) = step_size::not_finite(y).or_else(|| step_size::not_finite(&dy)) {
        return Err(StepError::NotFinite { t, index });
    }
    let mut floors = Vec::new();
    step_size::fill_floors(&mut floors, system, tolerance);
    let relative = tolerance.relative.max(f64::EPSILON);
    let sizes: Vec<f64> =
        (0..n).map(|i| (y[i].abs() + floors[i] / relative).max(f64::MIN_POSITIVE)).collect();

    let mut random = Random::new(1);
    let mut v: Vec<f64> = (0..n).map(|_| random.range(-1.0, 1.0)).collect();
    let (mut y_trial, mut dy_trial) = (vec![0.0; n], vec![0.0; n]);
    let part = f64::EPSILON.sqrt();
    let mut log_growth = 0.0;
    for product in 0..PRODUCTS.0 + PRODUCTS.1 {
        let length = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if length <= 0.0 || !length.is_finite() {
            return Ok(0.0);
        }
        for i in 0..n {
            v[i] /= length;
            y_trial[i] = y[i] + part * sizes[i] * v[i];
        }
        system.derivative(t, &y_trial, &mut dy_trial);
        for i in 0..n {
            v[i] = (dy_trial[i] - dy[i]) / (part * sizes[i]);
        }
        let grown = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if product >= PRODUCTS.0 && grown > 0.0 {
            log_growth += zerogap_core::math::ln(grown);
        }
    }
    Ok(zerogap_core::math::exp(log_growth / PRODUCTS.1 as f64))
}

/// The longest step within a trial of the implicit method, which no rate holds back [s].
fn accurate_step(system: &dyn System, t: f64, y: &[f64], tolerance: &Tolerance, horizon: f64) -> Option<f64> {
    let mut trial = Radau::new(*tolerance);
    trial.restart(system, t, y, None).ok()?;
    let mut longest = trial.next_step();
    for _ in 0..TRIAL_STEPS {
        if trial.t() >= t + horizon {
            break;
        }
        trial.step(system, t + horizon).ok()?;
        longest = longest.max(trial.next_step());
    }
    Some(longest.min(horizon))
}
