//! Which integrator a run uses, checked again at intervals.
//!
//! Through events the explicit one: what is stiff there, such as sliding that is about to stop, is over soon. In long periods without events, as of bodies that have come to rest in
//! damped contact, whichever is cheaper.

use zerogap_dynamics::integrate::{Integrator, IntegratorKind, System, Tolerance, choose};

/// Steps without an event before the first check [-].
const FIRST_REVIEW: usize = 300;

/// Steps of the implicit method after which events are checked for [-].
const IMPLICIT_STRETCH: usize = 8;

/// Each check that changes nothing doubles the steps to the next one, up to this [-].
const LONGEST_REVIEW: usize = 6400;

/// The method in use and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    asked: IntegratorKind,
    current: IntegratorKind,
    /// Steps at which it is checked again, and how many that was after the last check.
    next: usize,
    interval: usize,
    /// Steps that had been made when the implicit method was chosen last [-].
    since: usize,
    /// Events so far, at the last check.
    events: usize,
    /// Whether the caller brought an integrator.
    is_left: bool,
    /// The methods used so far, with times and reasons.
    pub(super) reasons: Vec<String>,
}

zerogap_core::store_struct!(Chosen { asked, current, next, interval, since, events, is_left, reasons });

impl Chosen {
    pub(super) fn new(asked: IntegratorKind) -> Self {
        let (current, reason) = match asked {
            IntegratorKind::Auto => {
                (IntegratorKind::Dop853, "explicit (dop853): default for non-stiff systems")
            }
            IntegratorKind::Dop853 => (asked, "explicit (dop853): as asked for"),
            IntegratorKind::Radau => (asked, "implicit (radau): as asked for"),
        };
        let reasons = vec![format!("from t = 0 s {reason}")];
        Self {
            asked,
            current,
            next: FIRST_REVIEW,
            interval: FIRST_REVIEW,
            since: 0,
            events: 0,
            is_left: false,
            reasons,
        }
    }

    /// The integrator.
    pub(super) fn make(&self, tolerance: Tolerance) -> Box<dyn Integrator> {
        self.current.make(tolerance)
    }

    /// Whether its counts are at most this [-].
    pub(super) fn is_counted_to(&self, most: usize) -> bool {
        self.next.max(self.interval).max(self.since).max(self.events) <= most
    }

    /// Leaves the choice to the caller.
    pub(super) fn leave(&mut self, t: f64, name: &str) {
        self.is_left = true;
        self.reasons.push(format!("from t = {t:.6} s {name}: brought by the caller"));
    }

    /// Whether the caller brought an integrator.
    pub(super) fn is_left(&self) -> bool {
        self.is_left
    }

    /// How many steps there are to the next check, or to the next search for events. It follows from the number of steps alone, not from where calls end.
    pub(super) fn steps_to_review(&self, steps: usize) -> usize {
        match (self.asked, self.current) {
            _ if self.is_left => usize::MAX,
            (IntegratorKind::Auto, IntegratorKind::Dop853) => self.next.saturating_sub(steps).max(1),
            (IntegratorKind::Auto, _) => IMPLICIT_STRETCH - self.implicit_steps(steps) % IMPLICIT_STRETCH,
            _ => usize::MAX,
        }
    }

    /// Whether a check, or the search for events, is due after so many steps.
    pub(super) fn is_pause(&self, steps: usize) -> bool {
        match (self.asked, self.current) {
            _ if self.is_left => false,
            (IntegratorKind::Auto, IntegratorKind::Dop853) => steps >= self.next,
            (IntegratorKind::Auto, _) => {
                self.implicit_steps(steps).is_multiple_of(IMPLICIT_STRETCH) && steps > self.since
            }
            _ => false,
        }
    }

    /// Steps that were made by the implicit method since it was chosen [-].
    fn implicit_steps(&self, steps: usize) -> usize {
        steps.saturating_sub(self.since)
    }

    /// Takes note of events at a check, and of the step of the last one: they postpone the next check, and end the use of the implicit method. Returns whether the method has changed.
    pub(super) fn note_events(&mut self, t: f64, events: usize, steps_at_event: usize) -> bool {
        if self.is_left || self.asked != IntegratorKind::Auto || events == self.events {
            return false;
        }
        self.events = events;
        (self.next, self.interval) = (steps_at_event + FIRST_REVIEW, FIRST_REVIEW);
        let is_implicit = self.current != IntegratorKind::Dop853;
        if is_implicit {
            self.current = IntegratorKind::Dop853;
            self.reasons.push(format!("from t = {t:.6} s explicit (dop853): an event occurred"));
        }
        is_implicit
    }

    /// Whether a check is due.
    pub(super) fn is_due(&self, steps: usize) -> bool {
        self.asked == IntegratorKind::Auto && !self.is_left && steps >= self.next
    }

    /// Checks the stiffness of the equations at the current state; returns whether the method has changed.
    pub(super) fn review(
        &mut self,
        system: &dyn System,
        (t, y, max_step): (f64, &[f64], f64),
        tolerance: &Tolerance,
        steps: usize,
    ) -> bool {
        self.interval = (2 * self.interval).min(LONGEST_REVIEW);
        self.next = steps + self.interval;
        // Where the equations cannot be looked at, the run goes on and finds out itself.
        let Ok(choice) = choose(IntegratorKind::Auto, system, t, y, tolerance, max_step) else {
            return false;
        };
        let is_new = choice.method != self.current;
        if is_new {
            (self.current, self.since) = (choice.method, steps);
            self.reasons.push(format!("from t = {t:.6} s {}", choice.reason));
        }
        is_new
    }
}
