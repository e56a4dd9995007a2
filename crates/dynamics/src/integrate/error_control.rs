//! Error control: the loop of all one-step methods in which steps are accepted and rejected, and the ends of the dense output.
//!
//! In: a [`OneStep`] method, which tries a step of given length and says how large its error is. Out: an [`Integrator`]. A step depends on `(t, state, next_step)` and the limit alone.

use super::step_size::{self, Fitted};
use super::{Integrator, IntegratorInfo, IntegratorMemory, StepError, System, Tolerance};

/// Where a method stands, and what it has done.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    pub(super) tolerance: Tolerance,
    /// Start and end of the last accepted step [s].
    pub(super) t_before: f64,
    pub(super) t: f64,
    /// Length of the step to try next [s].
    pub(super) next_step: f64,
    /// States there.
    pub(super) y_before: Vec<f64>,
    pub(super) y: Vec<f64>,
    /// End of the step being tried: swapped in when it is accepted.
    pub(super) y_trial: Vec<f64>,
    /// What each state may be off by where it is near zero.
    pub(super) floors: Vec<f64>,
    pub(super) info: IntegratorInfo,
}

impl Progress {
    pub(super) fn new(tolerance: Tolerance) -> Self {
        Self { tolerance, ..Self::default() }
    }

    /// Makes the step tried the last accepted one.
    pub(super) fn accept(&mut self, fitted: Fitted) {
        std::mem::swap(&mut self.y_before, &mut self.y);
        std::mem::swap(&mut self.y, &mut self.y_trial);
        self.t_before = self.t;
        self.t = fitted.end;
        self.info.accepted += 1;
    }

    /// Returns the error of a derivative or state that is not finite, if one is.
    pub(super) fn check_finite(&self, y: &[f64], dy: &[f64]) -> Result<(), StepError> {
        let bad = step_size::not_finite(y).or_else(|| step_size::not_finite(dy));
        bad.map_or(Ok(()), |index| Err(StepError::NotFinite { t: self.t, index }))
    }
}

/// What came of a trial step.
pub(super) enum Trial {
    /// It was accepted ([`Progress::accept`]); the next step may be longer by this factor [-].
    Accepted { growth: f64 },
    /// It was not: a step of this part of its length is tried next [-]. With the state whose derivative or value was not finite, if that was why.
    Rejected { shrink: f64, not_finite: Option<usize> },
    /// The method has changed something of its own; the same step is tried again.
    Again,
}

/// A one-step method with an error estimate.
pub(super) trait OneStep {
    /// Name for summaries.
    const NAME: &'static str;

    /// The error is proportional to the step to this power: 2, 4 or 8 [-].
    const ORDER: u32;

    fn progress(&self) -> &Progress;

    fn progress_mut(&mut self) -> &mut Progress;

    /// Makes room for `n` states and forgets everything about steps before.
    fn reset(&mut self, n: usize);

    /// Goes to a state and its derivative at the present time, or stays where it is if one of them is not finite.
    fn take(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError>;

    /// Where it stands, the derivative there, and memory for another.
    fn with_derivative(&mut self) -> (&mut Progress, &[f64], &mut [f64]);

    /// Called before the first trial of a step of this length [s].
    fn prepare(&mut self, _system: &dyn System, _step: f64) {}

    /// Tries a step, and accepts it where it is exact enough.
    fn attempt(&mut self, system: &dyn System, fitted: Fitted) -> Trial;

    /// Appends what it keeps from step to step besides its progress, the dense output included.
    fn keep(&self, own: &mut Vec<f64>);

    /// Takes what [`OneStep::keep`] appended, after [`OneStep::reset`]; false where it is not of this length.
    fn recall_own(&mut self, own: &[f64]) -> bool;

    /// Writes the state at a time strictly within the last step, given as the part of the step before it [-].
    fn interpolate(&self, part: f64, y: &mut [f64]);
}

impl<M: OneStep + Send> Integrator for M {
    fn name(&self) -> &'static str {
        M::NAME
    }

    fn restart(
        &mut self,
        system: &dyn System,
        t: f64,
        y: &[f64],
        step: Option<f64>,
    ) -> Result<(), StepError> {
        debug_assert_eq!(y.len(), system.len(), "a state has as many entries as its system");
        let progress = self.progress_mut();
        (progress.t, progress.t_before) = (t, t);
        for state in [&mut progress.y, &mut progress.y_before, &mut progress.y_trial] {
            state.clear();
            state.extend_from_slice(y);
        }
        step_size::fill_floors(&mut progress.floors, system, &progress.tolerance);
        self.reset(y.len());
        self.take(system, y)?;
        let first = match step {
            Some(step) if step > 0.0 => step.min(step_size::LONGEST_STEP),
            _ => {
                let (progress, dy, dy_trial) = self.with_derivative();
                progress.info.evaluations += usize::from(!y.is_empty());
                step_size::first_step(
                    system,
                    t,
                    &progress.y,
                    dy,
                    &progress.floors,
                    progress.tolerance.relative,
                    M::ORDER,
                    &mut progress.y_trial,
                    dy_trial,
                )
            }
        };
        self.progress_mut().next_step = first;
        Ok(())
    }

    fn step(&mut self, system: &dyn System, limit: f64) -> Result<(), StepError> {
        let t = self.progress().t;
        if !step_size::has_room(t, limit)? {
            return Ok(());
        }
        let shortest = step_size::shortest_step(t);
        let wanted = self.progress().next_step;
        self.prepare(system, wanted);
        let (mut step, mut is_rejected) = (wanted, false);
        loop {
            let fitted = step_size::fit(t, step, limit);
            match self.attempt(system, fitted) {
                Trial::Again => {}
                Trial::Accepted { growth } => {
                    self.progress_mut().next_step =
                        step_size::next_step(fitted.step, growth, wanted, is_rejected);
                    return Ok(());
                }
                Trial::Rejected { shrink, not_finite } => {
                    self.progress_mut().info.rejected += 1;
                    is_rejected = true;
                    step = fitted.step * shrink;
                    if step < shortest {
                        return Err(match not_finite {
                            Some(index) => StepError::NotFinite { t, index },
                            None => StepError::TooSmall { t, step: fitted.step },
                        });
                    }
                }
            }
        }
    }

    fn t_before(&self) -> f64 {
        self.progress().t_before
    }

    fn t(&self) -> f64 {
        self.progress().t
    }

    fn state(&self) -> &[f64] {
        &self.progress().y
    }

    fn dense(&self, t: f64, y: &mut [f64]) {
        let progress = self.progress();
        // The ends are the states themselves, bit for bit; beyond them is nothing known.
        if t >= progress.t {
            y.copy_from_slice(&progress.y);
        } else if t <= progress.t_before {
            y.copy_from_slice(&progress.y_before);
        } else {
            self.interpolate((t - progress.t_before) / (progress.t - progress.t_before), y);
        }
    }

    fn correct(&mut self, system: &dyn System, y: &[f64]) -> Result<(), StepError> {
        self.take(system, y)
    }

    fn next_step(&self) -> f64 {
        self.progress().next_step
    }

    fn info(&self) -> IntegratorInfo {
        self.progress().info
    }

    fn memory(&self) -> Option<IntegratorMemory> {
        let Progress { t_before, t, next_step, y_before, y, .. } = self.progress();
        let mut own = Vec::new();
        self.keep(&mut own);
        Some(IntegratorMemory {
            name: M::NAME.to_owned(),
            t_before: *t_before,
            t: *t,
            y_before: y_before.clone(),
            y: y.clone(),
            next_step: *next_step,
            own,
        })
    }

    fn recall(&mut self, system: &dyn System, memory: &IntegratorMemory) -> bool {
        let n = system.len();
        if memory.name != M::NAME || memory.y.len() != n || memory.y_before.len() != n {
            return false;
        }
        let progress = self.progress_mut();
        (progress.t_before, progress.t, progress.next_step) = (memory.t_before, memory.t, memory.next_step);
        progress.y_before.clone_from(&memory.y_before);
        progress.y.clone_from(&memory.y);
        progress.y_trial.clone_from(&memory.y);
        step_size::fill_floors(&mut progress.floors, system, &progress.tolerance);
        self.reset(n);
        self.recall_own(&memory.own)
    }
}
