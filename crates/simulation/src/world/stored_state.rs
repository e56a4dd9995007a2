//! Whether a state that was read from bytes fits the world that it is to continue: the bytes may have been made by anyone.
//!
//! In: a state and the model of its world. Out: what does not fit. Sizes, bodies, shapes and places were compared before; here what a run would follow without asking: pairs, limits, user functions, counts. What a method keeps is checked by the method. Numbers that merely make no sense are left to the run, which ends with an error.

use super::Saved;
use super::events::EventKind;
use super::method::Method;
use super::model::Model;

/// What does not fit, in words.
pub(super) type Misfit = &'static str;

/// Steps, events and other things that were counted beyond this are not those of a run [-]; what is counted on stays in range.
pub(super) const MAX_COUNT: usize = 1 << 48;

/// Passes where something holds.
pub(super) fn require(holds: bool, what: Misfit) -> Result<(), Misfit> {
    holds.then_some(()).ok_or(what)
}

impl Saved {
    /// Refuses what the run of a world would trip over.
    pub(super) fn check(&self, model: &Model, method: &dyn Method) -> Result<(), Misfit> {
        method.check(model, &self.method)?;
        require(self.gaps <= MAX_COUNT, "counts")?;
        require(self.step_origin.is_finite(), "start of steps")?;
        require(self.ticks.iter().all(|tick| *tick <= MAX_COUNT), "ticks")?;
        require(self.scheduled.is_sorted() && self.scheduled.iter().all(|t| t.is_finite()), "schedule")?;
        let is_known = |what: &EventKind| match what {
            EventKind::LimitReached { limit, .. } | EventKind::LimitLeft { limit } => {
                model.tree.knows_limit(*limit)
            }
            EventKind::Crossed { function } => *function < model.users.len(),
            EventKind::Sleep { body } | EventKind::Wake { body } => *body < model.tree.bodies(),
            EventKind::ContactBegin { pair, .. }
            | EventKind::ContactEnd { pair }
            | EventKind::Settled { pair, .. }
            | EventKind::Stick { pair }
            | EventKind::Slip { pair }
            | EventKind::HandedOver { pair, .. }
            | EventKind::Inconsistent { pair }
            | EventKind::Indeterminate { pair } => model.has_pair(*pair),
            EventKind::Captured { pair, .. } => pair.is_none_or(|pair| model.has_pair(pair)),
            EventKind::Impact { .. } | EventKind::MoreFunctions { .. } | EventKind::Scheduled => true,
        };
        require(self.events.iter().all(|event| is_known(&event.what)), "events")
    }
}
