//! Advancing by an integrator, with every event located in time.
//!
//! In: a model. Out: the same model later. The loop over steps and events is [`Driver::advance`]; here is what lasts from call to call, and which integrator is used (`choice`). What event location keeps of a world is
//! private to it (`event_model`, `discrete`). In the order of a step: `frozen` has the equations of motion between events, with forces of compliant pairs from `elastic` and `elastic_friction` and of rigid ones from `rigid`;
//! `active_pairs` finds the pairs that may touch, `functions` is what crosses zero, `event_handling` changes what is discrete (`contact_onset`, `oriented_history`, `rigid`), `constraint_projection` removes drift,
//! `frames` records.

mod active_pairs;
mod choice;
mod constraint_projection;
mod contact_onset;
mod discrete;
pub(crate) mod elastic;
mod elastic_friction;
mod event_handling;
mod event_model;
mod frames;
mod frozen;
mod functions;
mod oriented_history;
mod ray;
mod rigid;
mod user_functions;

use zerogap_dynamics::event::{Advance, DriveError, Driver};
use zerogap_dynamics::integrate::{Integrator, IntegratorInfo, IntegratorMemory, Tolerance};

use super::{Method, MethodState, Progress, STEPS_TO_PAUSE};
use crate::world::events::EventKind;
use crate::world::frames::{ContactForce, ContactPoint};
use crate::world::model::Model;
use crate::world::params::ContactModel;
use crate::world::progress::check_step;
use crate::world::shapes::PairId;
use crate::world::stored_state::{MAX_COUNT, Misfit, require};
use crate::world::summary::MethodInfo;
use crate::world::{EventLocation, WorldError};
use active_pairs::Assignment;
use choice::Chosen;
use discrete::{Closed, Discrete, Phase};
use event_model::EventData;

/// Samples within a step and zero-crossing functions beyond this are not those of a run [-]: the memory for them would be asked for at once.
const MAX_FUNCTIONS: usize = 1 << 20;

/// Event location: the driver of events with its integrator.
pub(super) struct Events {
    driver: Driver,
    data: EventData,
    integrator: Box<dyn Integrator>,
    chosen: Chosen,
    tolerance: Tolerance,
    /// Work of integrators that are no longer used.
    left: IntegratorInfo,
    /// Whether forces were changed since the last step.
    is_disturbed: bool,
}

/// What event location keeps between steps.
#[derive(Debug, Clone)]
pub(in crate::world) struct EventsState {
    driver: Driver,
    discrete: Discrete,
    /// How zero-crossing functions stand for pairs; all else of the active pairs is found anew for the next step.
    assignment: Assignment,
    is_disturbed: bool,
    chosen: Chosen,
    /// What the next step of the integrator depends on, and the step that is ahead of the time reached; none where it starts anew.
    integrator: Option<IntegratorMemory>,
}

zerogap_core::store_struct!(EventsState { driver, discrete, assignment, is_disturbed, chosen, integrator });

impl Events {
    /// Begins everything that touches at time zero.
    pub(super) fn start(
        params: &EventLocation,
        model: &mut Model,
        mut y: Vec<f64>,
        near: &[PairId],
    ) -> Result<Self, WorldError> {
        let mut data = EventData::new(params, model);
        let mut start = data.with_model(model);
        start.begin_oriented(0.0, &y, near)?;
        start.start(0.0, &mut y, near)?;
        let mut driver = Driver::new(0.0, y);
        driver.max_step = params.max_step;
        driver.step = data.first_step;
        let chosen = Chosen::new(params.integrator);
        Ok(Self {
            driver,
            data,
            integrator: chosen.make(params.tolerance),
            chosen,
            tolerance: params.tolerance,
            left: IntegratorInfo::default(),
            is_disturbed: false,
        })
    }

    /// Continues with another integrator and counts the work of the one before. A step ahead is made anew.
    fn replace_integrator(&mut self, integrator: Box<dyn Integrator>) {
        self.left = self.integrator_info();
        self.integrator = integrator;
        self.driver.forget_step();
    }

    /// What was used when and why: integrators, and phases of time stepping.
    fn names(&self) -> Vec<String> {
        let mut names = self.chosen.reasons.clone();
        let captured = self.data.discrete.phases.iter().map(|phase| {
            let &Phase { start, end, steps, cause } = phase;
            format!("from t = {start:.6} s to {end:.6} s time stepping with error control, {steps} steps: {} crowded", cause.words())
        });
        names.extend(captured);
        names
    }

    /// Checks at certain numbers of steps whether the other kind of integrator would be cheaper from here. The numbers, and not where calls end, decide when.
    fn review(&mut self, model: &Model) {
        let Driver { t, y, info, max_step, .. } = &self.driver;
        if !(self.driver.is_between_steps() && self.chosen.is_pause(info.steps)) {
            return;
        }
        let mut is_new = self.chosen.note_events(*t, info.events, info.steps_at_event);
        if !is_new && self.chosen.is_due(info.steps) {
            is_new =
                self.chosen.review(&self.data.frozen(model), (*t, y, *max_step), &self.tolerance, info.steps);
        }
        if is_new {
            self.replace_integrator(self.chosen.make(self.tolerance));
            self.driver.refresh(None);
        }
    }
}

/// The error that ended a run; where a step could not be made because the narrow phase had no answer, that is why.
fn explain_failure(data: &EventData, t: f64, error: DriveError<WorldError>) -> WorldError {
    match (error, data.scratch.borrow_mut().manifold.refuse_failure(t)) {
        (DriveError::Step(_), Err(failure)) => failure,
        (DriveError::Step(error), Ok(())) => {
            WorldError::Step { error, pair: data.discrete.tally.pair().copied() }
        }
        (DriveError::Stuck { t, steps, passed }, _) => {
            let (cause, pair) = data.discrete.tally.most();
            WorldError::Stuck { t, steps, passed, cause, pair }
        }
        (error, _) => WorldError::from(error),
    }
}

impl Method for Events {
    fn time(&self) -> f64 {
        self.driver.time()
    }

    fn current_state(&self) -> &[f64] {
        self.driver.state()
    }

    fn check_step(&self, until: f64) -> Result<(), WorldError> {
        check_step("longest step", self.driver.max_step, until)
    }

    fn begin(&mut self, model: &mut Model) -> Result<(), WorldError> {
        self.data.is_stopped = false;
        // Forces that have jumped may lift what rests; a function that crosses zero would not see it, since it has already.
        if std::mem::take(&mut self.is_disturbed) {
            let mut model = self.data.with_model(model);
            model.settle(self.driver.t, &self.driver.y)?;
            model.refuse_failure(self.driver.t)?;
        }
        Ok(())
    }

    fn advance(&mut self, model: &mut Model, until: f64, is_followed: bool) -> Result<Progress, WorldError> {
        self.review(model);
        let to_review = self.chosen.steps_to_review(self.driver.info.steps);
        self.driver.steps_in_one_go = if is_followed { to_review.min(STEPS_TO_PAUSE) } else { to_review };
        let mut model = self.data.with_model(model);
        let advanced = self.driver.advance(&mut model, self.integrator.as_mut(), until);
        match advanced.map_err(|error| explain_failure(&self.data, self.driver.t, error))? {
            Advance::Reached => Ok(Progress::Reached),
            Advance::Stopped => Ok(Progress::Stopped),
            Advance::Paused => Ok(Progress::Paused),
        }
    }

    fn is_inside_step(&self) -> bool {
        self.driver.is_inside_step()
    }

    fn make_boundary(&mut self, model: &mut Model) -> Result<(), WorldError> {
        let t = self.driver.time();
        let cut = self.driver.cut(&mut self.data.with_model(model), self.integrator.as_mut());
        cut.map_err(|error| explain_failure(&self.data, t, error))
    }

    fn schedule(&mut self, _model: &mut Model, t: f64) -> Result<(), WorldError> {
        self.driver.reschedule(t);
        Ok(())
    }

    fn contact_forces(&self, model: &Model) -> Vec<ContactForce> {
        if let Some(forces) = self.data.captured_forces() {
            return forces.contacts;
        }
        self.data.frozen(model).contact_forces(self.time(), self.current_state())
    }

    fn contact_points(&self, model: &Model) -> Vec<ContactPoint> {
        if let Some(forces) = self.data.captured_forces() {
            return forces.points;
        }
        self.data.frozen(model).contact_points(self.time(), self.current_state())
    }

    /// Takes note that forces jump: what rests and how long steps may be is found anew.
    fn disturb(&mut self) {
        self.driver.refresh(None);
        self.is_disturbed = true;
    }

    fn set_integrator(&mut self, integrator: Box<dyn Integrator>) {
        self.chosen.leave(self.driver.t, integrator.name());
        self.replace_integrator(integrator);
        self.driver.refresh(None);
    }

    fn save(&self, _model: &Model) -> MethodState {
        MethodState::Events(Box::new(EventsState {
            driver: self.driver.clone(),
            discrete: self.data.discrete.clone(),
            assignment: self.data.active_pairs.assignment.clone(),
            is_disturbed: self.is_disturbed,
            chosen: self.chosen.clone(),
            integrator: self.driver.needs_integrator().then(|| self.integrator.memory()).flatten(),
        }))
    }

    fn restore(&mut self, model: &mut Model, state: &MethodState) {
        let MethodState::Events(state) = state else { return };
        self.driver.clone_from(&state.driver);
        self.data.discrete.clone_from(&state.discrete);
        self.data.active_pairs.assignment.clone_from(&state.assignment);
        self.is_disturbed = state.is_disturbed;
        if self.chosen != state.chosen && !self.chosen.is_left() {
            self.chosen.clone_from(&state.chosen);
            self.left = self.integrator_info();
            self.integrator = self.chosen.make(self.tolerance);
        }
        // The pairs that may touch in the step ahead are found again when it is taken.
        self.driver.forget_functions();
        let memory = state.integrator.as_ref();
        if !memory.is_some_and(|memory| self.integrator.recall(&self.data.frozen(model), memory)) {
            // A captured step ahead is made anew too, with the same bits, so that its contacts are known.
            self.driver.forget_step();
        }
    }

    fn check(&self, model: &Model, state: &MethodState) -> Result<(), Misfit> {
        let MethodState::Events(state) = state else { return Ok(()) };
        state.check(model, &self.data.active_pairs.assignment)
    }

    fn may_have(&self, model: &Model, state: &MethodState) -> bool {
        let MethodState::Events(state) = state else { return false };
        let discrete = &state.discrete;
        let coordinates = model.tree.positions() + model.tree.velocities();
        discrete.is_active.len() == model.tree.limits().len()
            && discrete.has_deflections_of(state.driver.y.len().checked_sub(coordinates))
            && discrete
                .closed
                .keys()
                .chain(discrete.oriented_histories.keys())
                .all(|pair| model.has_live_pair(*pair))
    }

    fn recompose(
        &mut self,
        from: &Model,
        model: &mut Model,
        mut y: Vec<f64>,
        near: &[PairId],
    ) -> Result<(), WorldError> {
        let t = self.driver.t;
        model.refuse_oriented(t, &y)?;
        let mut data = self.data.of_other(model);
        let mut new = data.with_model(model);
        new.carry_contacts(&self.data.frozen(from), t, (&self.driver.y, &mut y));
        new.begin_oriented(t, &y, near)?;
        new.begin_added(t, &mut y, near, from)?;
        // Nothing fails from here. What lay on something that is gone falls, and steps are found anew.
        self.is_disturbed |= model.disturbs(from);
        self.driver.y = y;
        self.driver.refresh(data.first_step);
        self.data = data;
        Ok(())
    }

    fn place(&mut self, model: &mut Model, mut y: Vec<f64>, near: &[PairId]) -> Result<(), WorldError> {
        let t = self.driver.t;
        let mut data = self.data.of_other(model);
        data.discrete.phases.clone_from(&self.data.discrete.phases);
        let events = model.events.len();
        for pair in self.data.discrete.closed.keys() {
            model.note(t, EventKind::ContactEnd { pair: *pair });
        }
        let mut new = data.with_model(model);
        let begun = new.begin_oriented(t, &y, near).and_then(|()| new.start(t, &mut y, near));
        if begun.is_err() {
            model.events.truncate(events);
            return begun;
        }
        self.driver.y = y;
        self.driver.refresh(data.first_step);
        self.data = data;
        self.is_disturbed = true;
        Ok(())
    }

    fn accelerations(&self, model: &Model) -> Vec<f64> {
        let frozen = self.data.frozen(model);
        let scratch = &mut *self.data.scratch.borrow_mut();
        let failure = scratch.manifold.failure.take();
        frozen.evaluate(self.time(), self.current_state(), scratch);
        scratch.manifold.failure = failure;
        scratch.acceleration.clone()
    }

    fn info(&self) -> MethodInfo {
        let (drive, integrator) = (self.driver.info, self.integrator_info());
        MethodInfo {
            names: self.names(),
            steps: drive.steps,
            rejected: integrator.rejected,
            redone: drive.redone,
            events: drive.events,
            captured: Some((drive.captured, drive.captured_time)),
            crowd: Some(self.data.discrete.tally.most()),
            evaluations: integrator.evaluations,
            functions: drive.functions,
            contacts: None,
            sleeping: None,
            unresolved: None,
            step_times: None,
        }
    }

    fn integrator_info(&self) -> IntegratorInfo {
        self.left.with(&self.integrator.info())
    }

    fn add_integrator_info(&mut self, info: &IntegratorInfo) {
        self.left = self.left.with(info);
    }
}

impl EventsState {
    /// Refuses what a run would trip over.
    fn check(&self, model: &Model, assignment: &Assignment) -> Result<(), Misfit> {
        self.check_driver()?;
        self.check_contacts(model)?;
        self.check_functions(model, assignment)?;
        require(self.chosen.is_counted_to(MAX_COUNT), "steps to the next review")
    }

    fn check_driver(&self) -> Result<(), Misfit> {
        let Driver { t, y, step, info, max_step, locate, .. } = &self.driver;
        require(y.iter().chain([t]).all(|x| x.is_finite()), "numbers of the state")?;
        require(self.driver.has_valid_lead(), "step ahead")?;
        require(self.integrator.as_ref().is_none_or(IntegratorMemory::is_finite), "integrator")?;
        require(step.is_none_or(|step| step > 0.0 && step.is_finite()), "step")?;
        require(*max_step > 0.0, "longest step")?;
        require(locate.samples <= MAX_FUNCTIONS && locate.tolerance >= 0.0, "event location")?;
        let counts =
            [info.steps, info.events, info.steps_at_event, info.scheduled, info.redone, info.functions];
        let captured = [info.captured, info.captured_steps];
        require(captured.iter().all(|count| *count <= info.steps), "counts")?;
        require(info.captured_time.is_finite(), "counts")?;
        require(counts.iter().all(|count| *count <= MAX_COUNT), "counts")?;
        require(info.steps_at_event <= info.steps, "counts")
    }

    fn check_contacts(&self, model: &Model) -> Result<(), Misfit> {
        let closed = &self.discrete.closed;
        let captured = self.discrete.captured.iter().flat_map(|captured| &captured.pairs);
        require(captured.chain(self.discrete.tally.pair()).all(|pair| model.has_pair(*pair)), "pairs")?;
        let is_rigid = matches!(model.contact, ContactModel::Rigid(_));
        require(closed.values().all(|one| matches!(one, Closed::Rigid(_)) == is_rigid), "kind of contact")?;
        require(self.discrete.creeping.max(self.discrete.patience) <= MAX_COUNT, "counts")
    }

    /// Refuses pairs that zero-crossing functions name and that are not of the world.
    fn check_functions(&self, model: &Model, assignment: &Assignment) -> Result<(), Misfit> {
        let is_assigned = match (&self.assignment, assignment) {
            (Assignment::Places(places), Assignment::Places(_)) => {
                places.len() <= MAX_FUNCTIONS && places.chosen().all(|pair| model.has_live_pair(pair))
            }
            (Assignment::Two, Assignment::Two) => true,
            _ => false,
        };
        require(is_assigned, "zero-crossing functions")
    }
}
