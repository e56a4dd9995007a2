//! Integrators with error control, one accepted step at a time.
//!
//! In: a [`System`] whose discrete state is frozen, a state and how exact it must be. Out: accepted steps with dense output over each.
//! Whatever happens between two accepted steps (trial stages, rejected steps) leaves no trace: a system is evaluated through `&self`.
//! Events are located above this trait, on the dense output: see [`crate::event`].

mod choose;
mod dop853;
mod error_control;
mod jacobian;
mod linear;
mod radau;
mod spurious_trials;
mod step_size;

pub use choose::{Choice, IntegratorKind, choose};
pub use dop853::Dop853;
pub use radau::Radau;
pub use spurious_trials::Rejecting;

/// A system of ordinary differential equations `dy/dt = f(t, y)`, smooth until it is changed between two steps.
pub trait System {
    /// Number of states [-].
    fn len(&self) -> usize;

    /// Whether there are no states.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes `f(t, y)`.
    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]);

    /// How much each state may be off where it is near zero, in units of the absolute tolerance [-].
    fn scale(&self, _index: usize) -> f64 {
        1.0
    }
}

/// How exact each step must be: the error of state `i` in one step is at most `relative * |y_i| + absolute * scale(i)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Against the size of a state [-].
    pub relative: f64,
    /// Against its unit.
    pub absolute: f64,
}

zerogap_core::store_struct!(Tolerance { relative, absolute });

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 1e-6, absolute: 1e-9 }
    }
}

/// What an integrator has done since it was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IntegratorInfo {
    /// Steps that were accepted [-].
    pub accepted: usize,
    /// Steps that were tried and rejected [-].
    pub rejected: usize,
    /// Evaluations of the derivative [-].
    pub evaluations: usize,
    /// Jacobians formed [-]; each costs one evaluation for every state, counted above.
    pub jacobians: usize,
}

zerogap_core::store_struct!(IntegratorInfo { accepted, rejected, evaluations, jacobians });

impl IntegratorInfo {
    /// The sum of two.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self {
            accepted: self.accepted + other.accepted,
            rejected: self.rejected + other.rejected,
            evaluations: self.evaluations + other.evaluations,
            jacobians: self.jacobians + other.jacobians,
        }
    }
}

/// Everything that the next step of an integrator and the dense output of its last one depend on: one that recalls it makes the same steps to the bit.
#[derive(Debug, Clone, PartialEq)]
pub struct IntegratorMemory {
    /// Name of the method.
    name: String,
    /// Start and end of the last step [s].
    t_before: f64,
    t: f64,
    /// States there.
    y_before: Vec<f64>,
    y: Vec<f64>,
    /// Length of the step to try next [s].
    next_step: f64,
    /// What the method itself keeps.
    own: Vec<f64>,
}

zerogap_core::store_struct!(IntegratorMemory { name, t_before, t, y_before, y, next_step, own });

impl IntegratorMemory {
    /// Whether it can be that of a run: every number is finite.
    pub fn is_finite(&self) -> bool {
        let Self { t_before, t, y_before, y, next_step, own, .. } = self;
        let all = y_before.iter().chain(y).chain(own).chain([t_before, t, next_step]);
        all.into_iter().all(|x| x.is_finite())
    }
}

/// Why a step could not be made. The integrator stays where it was.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum StepError {
    /// The tolerance cannot be met.
    #[error("the step at t = {t} s would have to be smaller than {step} s to be as exact as asked for")]
    TooSmall {
        /// Where [s].
        t: f64,
        /// The step that was still too large [s].
        step: f64,
    },
    /// The derivative is not a number.
    #[error("the derivative of state {index} at t = {t} s is not finite")]
    NotFinite {
        /// Where [s].
        t: f64,
        /// Which state.
        index: usize,
    },
}

/// A method that makes one accepted step at a time and knows the solution everywhere within the last one.
pub trait Integrator: Send {
    /// Name for summaries.
    fn name(&self) -> &'static str;

    /// Starts anew at `t` and `y`, without memory of what was before; `step` [s] is tried first, or one is found.
    /// The number of states may have changed.
    fn restart(&mut self, system: &dyn System, t: f64, y: &[f64], step: Option<f64>)
    -> Result<(), StepError>;

    /// Makes one accepted step that ends at `limit` [s] at the latest, and exactly there where it gets so far.
    fn step(&mut self, system: &dyn System, limit: f64) -> Result<(), StepError>;

    /// Where the last step began [s].
    fn t_before(&self) -> f64;

    /// Where the last step ended [s].
    fn t(&self) -> f64;

    /// The state there.
    fn state(&self) -> &[f64];

    /// The state at a time within the last step.
    fn dense(&self, t: f64, y: &mut [f64]);

    /// Replaces the state at the end of the last step by one that differs from it by no more than the tolerance, such as the nearest one that meets
    /// constraints; history is kept as well as the method allows.
    fn correct(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError>;

    /// The step that would be tried next [s].
    fn next_step(&self) -> f64;

    /// What was done so far.
    fn info(&self) -> IntegratorInfo;

    /// Returns all that its next step and its dense output depend on; none from a method that cannot be stored, which starts anew in its place.
    fn memory(&self) -> Option<IntegratorMemory> {
        None
    }

    /// Continues where another integrator of its kind stood; false, and anywhere, where the memory is of another kind or of another number of states.
    fn recall(&mut self, _system: &dyn System, _memory: &IntegratorMemory) -> bool {
        false
    }
}
