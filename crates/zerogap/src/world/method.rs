//! Which integrator a run uses, looked at again now and then.

use zerogap_dynamics::integrate::{Integrator, Method, Tolerance, choose};

use super::model::Model;

/// Steps before the first look [-]: most runs of a few bounces are over by then.
const FIRST_REVIEW: usize = 400;

/// Each look that changes nothing doubles the steps to the next one, up to this [-].
const LONGEST_REVIEW: usize = 6400;

/// The method in use and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chosen {
    asked: Method,
    current: Method,
    /// Steps at which it is looked at again, and how many that was after the last look.
    next: usize,
    interval: usize,
    /// Whether the caller brought an integrator.
    is_left: bool,
    /// The methods used so far, with times and reasons.
    pub(super) reasons: Vec<String>,
}

impl Chosen {
    pub(super) fn new(asked: Method) -> Self {
        let (current, reason) = match asked {
            Method::Auto => (Method::Dop853, "explicit (dop853): where most runs are well off"),
            Method::Dop853 => (asked, "explicit (dop853): as asked for"),
            _ => (asked, "implicit: as asked for"),
        };
        let reasons = vec![format!("from t = 0 s {reason}")];
        Self { asked, current, next: FIRST_REVIEW, interval: FIRST_REVIEW, is_left: false, reasons }
    }

    /// The integrator.
    pub(super) fn make(&self, tolerance: Tolerance) -> Box<dyn Integrator> {
        self.current.make(tolerance)
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

    /// How many steps there are to the next look.
    pub(super) fn steps_to_review(&self, steps: usize) -> usize {
        if self.asked == Method::Auto && !self.is_left {
            self.next.saturating_sub(steps).max(1)
        } else {
            usize::MAX
        }
    }

    /// Looks at the equations where a run is; tells whether the method has changed.
    pub(super) fn review(
        &mut self,
        model: &Model,
        (t, y, until): (f64, &[f64], f64),
        tolerance: &Tolerance,
        steps: usize,
    ) -> bool {
        // Where the equations cannot be looked at, the run goes on and finds out itself.
        let choice = choose(Method::Auto, model, t, y, tolerance, until - t).ok();
        let is_new = choice.as_ref().is_some_and(|choice| choice.method != self.current);
        if let (true, Some(choice)) = (is_new, choice) {
            self.current = choice.method;
            self.reasons.push(format!("from t = {t:.6} s {}", choice.reason));
            self.interval = FIRST_REVIEW;
        } else {
            self.interval = (2 * self.interval).min(LONGEST_REVIEW);
        }
        self.next = steps + self.interval;
        is_new
    }
}
