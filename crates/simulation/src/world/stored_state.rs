//! Whether a state that was read from bytes fits the world that it is to continue: the bytes may have been made by anyone.
//!
//! In: a state and the model of its world. Out: what does not fit. Sizes, bodies, shapes and places were compared before; here what a run would follow without asking: pairs, limits, user functions, counts. Numbers that merely make no sense are left to the run, which ends with an error.

use zerogap_dynamics::event::Driver;

use super::Saved;
use super::discrete::Closed;
use super::events::Happening;
use super::model::Model;
use super::params::ContactModel;
use super::shapes::PairId;
use super::stepping::{Memory, SolveCount};
use super::watch::Assignment;

/// What does not fit, in words.
type Misfit = &'static str;

/// Samples within a step and zero-crossing functions beyond this are not those of a run [-]: the memory for them would be asked for at once.
const MAX_FUNCTIONS: usize = 1 << 20;

/// Steps, events and other things that were counted beyond this are not those of a run [-]; what is counted on stays in range.
const MAX_COUNT: usize = 1 << 48;

/// Passes where something holds.
fn require(holds: bool, what: Misfit) -> Result<(), Misfit> {
    holds.then_some(()).ok_or(what)
}

impl Saved {
    /// Refuses what the run of a world would trip over.
    pub(super) fn check(&self, model: &Model) -> Result<(), Misfit> {
        let known = |pair: PairId| pair.a < pair.b && (pair.b.0 as usize) < model.shapes.len();
        let limits = model.tree.limits().len();
        self.check_driver()?;
        self.check_contacts(model)?;
        self.check_functions(model, &known)?;
        require(self.scheduled.is_sorted() && self.scheduled.iter().all(|t| t.is_finite()), "schedule")?;
        let is_known = |what: &Happening| match what {
            Happening::LimitReached { limit, .. } | Happening::LimitLeft { limit } => *limit < limits,
            Happening::Crossed { function } => *function < model.users.len(),
            Happening::Touched { pair, .. }
            | Happening::Parted { pair }
            | Happening::Settled { pair, .. }
            | Happening::Stuck { pair }
            | Happening::Slid { pair }
            | Happening::HandedOver { pair, .. }
            | Happening::Inconsistent { pair }
            | Happening::Indeterminate { pair } => known(*pair),
            Happening::Impact { .. } | Happening::MoreFunctions { .. } | Happening::Scheduled => true,
        };
        require(self.events.iter().all(|event| is_known(&event.what)), "events")?;
        require(self.method.is_counted_to(MAX_COUNT), "steps to the next review")?;
        self.steps.as_ref().map_or(Ok(()), check_memory)
    }

    fn check_driver(&self) -> Result<(), Misfit> {
        let Driver { t, y, step, info, max_step, locate, .. } = &self.driver;
        require(y.iter().chain([t]).all(|x| x.is_finite()), "numbers of the state")?;
        require(step.is_none_or(|step| step > 0.0 && step.is_finite()), "step")?;
        require(*max_step > 0.0, "longest step")?;
        require(locate.samples <= MAX_FUNCTIONS && locate.tolerance >= 0.0, "event location")?;
        let counts =
            [info.steps, info.events, info.steps_at_event, info.scheduled, info.redone, info.functions];
        require(counts.iter().all(|count| *count <= MAX_COUNT), "counts")?;
        require(info.steps_at_event <= info.steps, "counts")
    }

    fn check_contacts(&self, model: &Model) -> Result<(), Misfit> {
        let closed = &self.discrete.closed;
        let is_rigid = matches!(model.contact, ContactModel::Rigid(_));
        require(closed.values().all(|one| matches!(one, Closed::Rigid(_)) == is_rigid), "kind of contact")?;
        require(self.discrete.creeping.max(self.discrete.patience) <= MAX_COUNT, "counts")
    }

    /// Pairs that zero-crossing functions name.
    fn check_functions(&self, model: &Model, known: &impl Fn(PairId) -> bool) -> Result<(), Misfit> {
        let is_assigned = match (&self.assignment, &model.watch.assignment) {
            (Assignment::Places(places), Assignment::Places(_)) => {
                places.len() <= MAX_FUNCTIONS && places.chosen().all(known)
            }
            (Assignment::Two, Assignment::Two) => true,
            _ => false,
        };
        require(is_assigned, "zero-crossing functions")?;
        require(self.gaps <= MAX_COUNT, "counts")
    }
}

/// What the last step counted.
fn check_memory(memory: &Memory) -> Result<(), Misfit> {
    let SolveCount { solves, missed, sweeps, newton, .. } = memory.count;
    let counts = [solves, missed, sweeps, newton, memory.steps, memory.events];
    require(counts.iter().all(|count| *count <= MAX_COUNT), "counts")
}
