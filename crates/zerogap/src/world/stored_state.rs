//! Whether a state that was read from bytes fits the world that it is to continue: the bytes may have been made by anyone.
//!
//! In: a state and the model of its world. Out: what does not fit. Every index that a run follows without asking is checked here: shapes, bodies, limits, user functions, contact points,
//! places in the state vector. Numbers that merely make no sense are left to the run, which ends with an error.

use zerogap_dynamics::event::Driver;

use super::Saved;
use super::discrete::{Closed, Friction};
use super::events::Happening;
use super::functions::Source;
use super::model::Model;
use super::params::ContactModel;
use super::shapes::PairId;
use super::stepping::{Memory, SolveCount};
use super::watch::{Assignment, Watch};

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
        self.check_driver(model)?;
        self.check_contacts(model, &known)?;
        check_functions(&self.watch, self, model, &known)?;
        require(self.discrete.is_held.len() == limits, "joint limits")?;
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
        self.steps.as_ref().map_or(Ok(()), |memory| check_memory(memory, model, &known))
    }

    fn check_driver(&self, model: &Model) -> Result<(), Misfit> {
        let Driver { t, y, step, info, max_step, locate, .. } = &self.driver;
        let bodies = model.tree.positions() + model.tree.velocities();
        let expected = super::discrete::STRETCH.checked_mul(self.discrete.sticking);
        require(expected.and_then(|more| more.checked_add(bodies)) == Some(y.len()), "size of the state")?;
        require(y.iter().chain([t]).all(|x| x.is_finite()), "numbers of the state")?;
        require(step.is_none_or(|step| step > 0.0 && step.is_finite()), "step")?;
        require(*max_step > 0.0, "longest step")?;
        require(locate.samples <= MAX_FUNCTIONS && locate.tolerance >= 0.0, "event location")?;
        let counts =
            [info.steps, info.events, info.steps_at_event, info.scheduled, info.redone, info.functions];
        require(counts.iter().all(|count| *count <= MAX_COUNT), "counts")?;
        require(info.steps_at_event <= info.steps, "counts")
    }

    fn check_contacts(&self, model: &Model, known: &impl Fn(PairId) -> bool) -> Result<(), Misfit> {
        let closed = &self.discrete.closed;
        require(closed.keys().all(|pair| known(*pair)), "pairs in contact")?;
        let is_rigid = matches!(model.contact, ContactModel::Rigid(_));
        require(closed.values().all(|one| matches!(one, Closed::Rigid(_)) == is_rigid), "kind of contact")?;
        // Bristle deflections have their places in the order of pairs.
        let places = closed.values().filter_map(|closed| match closed {
            Closed::Elastic(elastic) => match elastic.friction {
                Friction::Stick(place) => Some(place),
                Friction::Smooth | Friction::Slip(_) => None,
            },
            Closed::Rigid(_) => None,
        });
        let mut count = 0;
        for place in places {
            require(place < self.discrete.sticking, "sticking pairs")?;
            count += 1;
        }
        require(count == self.discrete.sticking, "sticking pairs")?;
        require(self.discrete.creeping.max(self.discrete.patience) <= MAX_COUNT, "counts")
    }
}

/// Pairs, limits and user functions that zero-crossing functions name.
fn check_functions(
    watch: &Watch,
    saved: &Saved,
    model: &Model,
    known: &impl Fn(PairId) -> bool,
) -> Result<(), Misfit> {
    let own = &model.watch;
    require(watch.boxes == own.boxes && watch.shapes_of_boxes == own.shapes_of_boxes, "broad phase")?;
    let is_assigned = match (&watch.assignment, &own.assignment) {
        // As many as functions are listed, or as at the start.
        (Assignment::Places(places), Assignment::Places(own)) => {
            places.len() <= watch.sources.len().max(own.len()) && places.chosen().all(known)
        }
        (Assignment::Two, Assignment::Two) => true,
        _ => false,
    };
    require(is_assigned, "zero-crossing functions")?;
    require(watch.pairs().all(known), "active pairs")?;
    require(watch.directions.len() == watch.sources.len(), "zero-crossing functions")?;
    require(watch.samples <= MAX_FUNCTIONS && watch.gaps <= MAX_COUNT, "counts")?;
    let limits = model.tree.limits().len();
    let has_lists = [(watch.ways.len(), limits), (watch.motions.len(), model.shapes.len())]
        .iter()
        .all(|(n, m)| *n == 0 || n == m);
    require(has_lists, "active pairs")?;
    let points = |pair: PairId| match saved.discrete.closed.get(&pair) {
        Some(Closed::Rigid(points)) => points.len(),
        Some(Closed::Elastic(_)) | None => 0,
    };
    let fits = |source: &Source| match *source {
        Source::Unused | Source::AnyTouches | Source::AnyParts => true,
        Source::Limit(limit) => limit < watch.ways.len(),
        Source::LimitForce(held, limit) => held <= limit && limit < limits,
        Source::User(function) => function < model.users.len(),
        Source::Load(pair, point) | Source::Slip(pair, point) => known(pair) && point < points(pair),
        Source::Corners(pair) => saved.discrete.hits.contains_key(&pair),
        Source::Pair(pair)
        | Source::Grip(pair)
        | Source::Slide(pair)
        | Source::Cone(pair)
        | Source::Others(pair) => known(pair),
    };
    require(watch.sources.iter().all(fits), "zero-crossing functions")
}

/// Bodies and pairs that the contacts of the last step name.
fn check_memory(memory: &Memory, model: &Model, known: &impl Fn(PairId) -> bool) -> Result<(), Misfit> {
    let is_body = |body: Option<zerogap_dynamics::multibody::BodyId>| {
        body.is_none_or(|body| (body.0 as usize) < model.tree.bodies())
    };
    require(memory.pairs().all(known), "pairs of the last step")?;
    require(memory.contacts.len() == memory.names.len(), "contacts of the last step")?;
    require(memory.contacts.iter().all(|it| is_body(it.a) && is_body(it.b)), "bodies of the last step")?;
    let SolveCount { solves, missed, sweeps, newton, .. } = memory.count;
    let counts = [solves, missed, sweeps, newton, memory.steps, memory.events];
    require(counts.iter().all(|count| *count <= MAX_COUNT), "counts")
}
