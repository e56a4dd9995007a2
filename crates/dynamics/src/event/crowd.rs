//! Where events crowd: when a run stops locating them and passes an interval by non-smooth steps, and when a run counts as stuck.
//!
//! In: the ends of accepted steps. Out: how many captured steps follow, or a phase of them that lasts until the model finds it calm, or that time does not advance. Counts and times of the run alone decide, never the clock on the wall or where calls end: the same run captures the same intervals.

use super::drive::CapturedInterval;

/// Accepted steps within one captured step's length from which on they crowd [-]. A ball that bounces to rest takes some twenty in such a time at restitution 0.9.
const MANY: usize = 64;

/// The same shortly after a captured interval, where the crowd is known [-].
const FEW: usize = 16;

/// Longer time in which steps are counted [captured steps].
const SUSTAINED: f64 = 32.0;

/// Accepted steps within that time from which on they crowd, too [-]: contacts that take turns come back at one rate for ever, 37 in a captured step's length in the pile that
/// showed it. A ball that bounces to rest takes some fifty in such a time at restitution 0.9, and 350 at 0.99.
const SUSTAINED_MANY: usize = 512;

/// A crowd that returns within so many times the length of the interval before is the same crowd [-]: the next interval is twice as long.
const RETURN: f64 = 4.0;

/// Longest captured interval [steps].
const LONGEST: usize = 64;

/// An interval that would be this long is a phase, for models that pass phases [steps]: the crowd has returned three times.
const PHASE: usize = 8;

/// Accepted steps that must advance time by [`STUCK_ADVANCE`] of the longest step, or the run ends [-].
pub const STUCK_STEPS: usize = 20_000;

/// Time that they must pass, against the longest step [-]. At this rate a second would take two thousand million steps with the usual longest step of 0.1 s.
pub const STUCK_ADVANCE: f64 = 1e-4;

/// The crowd of a run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Crowd {
    /// Start of the time in which steps are counted [s], and how many there were since [-].
    since: f64,
    steps: usize,
    /// The same over the longer time.
    long_since: f64,
    long_steps: usize,
    /// The same for runs that are stuck.
    stuck_since: f64,
    stuck_steps: usize,
    /// Captured steps that are left of the interval [-].
    left: usize,
    /// Captured steps of the last interval [-], and its ends [s].
    length: usize,
    start: f64,
    end: f64,
    /// Whether the interval lasts until the model finds it calm, its steps so far [-], and how long it lasts at least [s].
    is_phase: bool,
    phase_steps: usize,
    least: f64,
}

zerogap_core::store_struct!(Crowd {
    since,
    steps,
    long_since,
    long_steps,
    stuck_since,
    stuck_steps,
    left,
    length,
    start,
    end,
    is_phase,
    phase_steps,
    least
});

impl Crowd {
    /// At the start of a run.
    pub(super) fn new(t: f64) -> Self {
        Self {
            since: t,
            steps: 0,
            long_since: t,
            long_steps: 0,
            stuck_since: t,
            stuck_steps: 0,
            left: 0,
            length: 0,
            start: t,
            end: f64::NEG_INFINITY,
            is_phase: false,
            phase_steps: 0,
            least: 0.0,
        }
    }

    /// Whether a time shortly follows the last interval [s].
    fn is_recent(&self, t: f64) -> bool {
        self.length > 0 && t - self.end <= RETURN * (self.end - self.start)
    }

    /// Whether the next step is a captured one, of a length [s].
    pub(super) fn is_captured(&self, t: f64, step: f64) -> bool {
        let many = if self.is_recent(t) { FEW } else { MANY };
        let crowds = |steps: usize, many: usize, since: f64, time: f64| steps >= many && t - since <= time;
        self.left > 0
            || crowds(self.steps, many, self.since, step)
            || crowds(self.long_steps, SUSTAINED_MANY, self.long_since, SUSTAINED * step)
    }

    /// Whether a captured interval is under way.
    pub(super) fn is_inside(&self) -> bool {
        self.left > 0
    }

    /// Whether that interval is a phase.
    pub(super) fn is_phase(&self) -> bool {
        self.is_phase
    }

    /// Begins an interval at a time [s]; whether the model passes phases, and needs one here. A phase that follows shortly on an interval lasts at least twice as long.
    pub(super) fn begin(&mut self, t: f64, passes_phases: bool, needs_phase: bool) {
        let is_recent = self.is_recent(t);
        self.least = if is_recent { 2.0 * (self.end - self.start) } else { 0.0 };
        self.length = if is_recent { (2 * self.length).min(LONGEST) } else { 1 };
        (self.left, self.start) = (self.length, t);
        self.is_phase = passes_phases && (needs_phase || self.length >= PHASE);
        self.phase_steps = 0;
    }

    /// Takes note of a captured step that ends at a time [s], and whether the model found it calm; whether it is the last of its interval.
    pub(super) fn pass(&mut self, t: f64, is_calm: bool) -> bool {
        if self.is_phase {
            self.phase_steps += 1;
            self.left = usize::from(!is_calm || t - self.start < self.least);
        } else {
            self.left = self.left.saturating_sub(1);
        }
        (self.since, self.steps) = (t, 0);
        (self.long_since, self.long_steps) = (t, 0);
        self.end = t;
        self.left == 0
    }

    /// The interval that ended last.
    pub(super) fn interval(&self) -> CapturedInterval {
        let steps = if self.is_phase { self.phase_steps } else { self.length };
        CapturedInterval { start: self.start, steps, is_phase: self.is_phase }
    }

    /// Takes note of an accepted step that ends at a time [s], with the length of a captured step [s] where the model can make one.
    pub(super) fn count(&mut self, t: f64, step: Option<f64>) {
        self.steps += 1;
        self.long_steps += 1;
        if step.is_none_or(|step| t - self.since > step) {
            (self.since, self.steps) = (t, 0);
        }
        if step.is_none_or(|step| t - self.long_since > SUSTAINED * step) {
            (self.long_since, self.long_steps) = (t, 0);
        }
    }

    /// Takes note of any step that ends at a time [s], where steps are not longer than `max_step` [s]; how many steps passed how much time [s] where too many passed too little.
    pub(super) fn count_progress(&mut self, t: f64, max_step: f64) -> Option<(usize, f64)> {
        self.stuck_steps += 1;
        let (steps, passed) = (self.stuck_steps, t - self.stuck_since);
        // Without a longest step, rounding of time decides.
        let needed = if max_step.is_finite() { STUCK_ADVANCE * max_step } else { f64::EPSILON * t.abs() };
        if passed > needed {
            (self.stuck_since, self.stuck_steps) = (t, 0);
            return None;
        }
        (steps >= STUCK_STEPS).then_some((steps, passed))
    }

    /// Whether it can be that of a run.
    pub(super) fn is_valid(&self) -> bool {
        let times = [self.since, self.long_since, self.stuck_since, self.start, self.least];
        times.iter().all(|t| t.is_finite())
            && !self.end.is_nan()
            && self.left <= self.length
            && self.length <= LONGEST
            && self.stuck_steps <= STUCK_STEPS
            && self.steps <= STUCK_STEPS
            && self.long_steps <= STUCK_STEPS
    }
}
