//! Time stepping as a method of a world: where each step ends, and what lasts between steps.
//!
//! The clock is the number of the step: the n-th one after a boundary at t0 ends at t0 + n h, whatever times the calls ask for. Boundaries are the start, scheduled times, jumps of prescribed velocities, and times at which the user
//! changes something. Where the length of steps follows their error ([`super::control`]), every step ends at a time of its own. A time within a step is read from its path ([`super::path`]), which changes nothing. Where the user changes something at such a time, the step is made again so that it ends there, as if the time had been scheduled: contacts
//! and impacts are then those up to that time, which no state between the ends of a step would have.

use std::time::Instant;

use zerogap_contact::cone::CapturedProblem;
use zerogap_dynamics::multibody::BodyId;

use super::continuous::Unmade;
use super::control::{ErrorControl, MIN_CONTROLLED_STEP};
use super::forces::Forces;
use super::path::{Ends, PartContacts, StepPath};
use super::{Memory, SolveCount, Stepping, Steps, forces};
use crate::world::WorldError;
use crate::world::events::EventKind;
use crate::world::frames::{ContactForce, ContactPoint};
use crate::world::method::{Method, MethodState, Progress, STEPS_TO_PAUSE};
use crate::world::model::Model;
use crate::world::progress::{GRID, check_step};
use crate::world::shapes::PairId;
use crate::world::stored_state::{MAX_COUNT, Misfit, require};
use crate::world::summary::{MethodInfo, StepTimes};

/// Steps that were made since a boundary.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Clock {
    /// Time of the boundary [s].
    origin: f64,
    /// How many they are [-].
    index: usize,
}

zerogap_core::store_struct!(Clock { origin, index });

impl Clock {
    /// Stands at a boundary.
    fn at(origin: f64) -> Self {
        Self { origin, index: 0 }
    }

    /// Returns the time, by steps of a length [s]. From their number, so that it does not drift.
    fn time(self, step: f64) -> f64 {
        self.origin + self.index as f64 * step
    }
}

/// What it takes to make the last step again.
#[derive(Debug, Clone)]
struct LastStep {
    /// Where it began.
    clock: Clock,
    /// Events before it [-].
    events: usize,
    /// The scheduled time at which it ended [s].
    scheduled: Option<f64>,
    /// Whether a function of the user stops the run at its end.
    stops: bool,
}

zerogap_core::store_struct!(LastStep { clock, events, scheduled, stops });

/// Steps of one length, with the forces that contacts have in them.
#[derive(Debug)]
pub(in crate::world::method) struct TimeStepping {
    /// Time reached [s]: within the last step, or at its end.
    t: f64,
    /// Where the last step ended.
    clock: Clock,
    /// State there.
    y: Vec<f64>,
    /// State at its start.
    from: Vec<f64>,
    last: LastStep,
    /// Whether the time reached lies within the last step, and the state there.
    is_inside: bool,
    /// Whether a step led here; none has where coordinates were set.
    has_stepped: bool,
    /// Accelerations of a state that was restored between two steps; empty from the next step on.
    restored: Vec<f64>,
    seen: Vec<f64>,
    steps: Steps,
    forces: Box<dyn Forces>,
    step_times: Option<StepTimes>,
}

/// What time stepping keeps between steps.
#[derive(Debug, Clone)]
pub(in crate::world) struct StepsState {
    t: f64,
    clock: Clock,
    y: Vec<f64>,
    memory: Memory,
    /// Accelerations at the time reached, for sensors; empty before the first step.
    accelerations: Vec<f64>,
    /// The last step, where the time reached lies within it.
    lead: Option<Lead>,
}

zerogap_core::store_struct!(StepsState { t, clock, y, memory, accelerations, lead });

/// A step that reaches beyond the time reached: what it began with, and its path.
#[derive(Debug, Clone)]
struct Lead {
    last: LastStep,
    from: Vec<f64>,
    kept: Memory,
    path: StepPath,
}

zerogap_core::store_struct!(Lead { last, from, kept, path });

impl TimeStepping {
    /// Stands at time zero.
    pub(in crate::world::method) fn new(model: &Model, params: Stepping, y: Vec<f64>) -> Self {
        let (steps, forces) = (Steps::new(model, params), forces::make(params.forces, model));
        let clock = Clock::at(0.0);
        let last = LastStep { clock, events: 0, scheduled: None, stops: false };
        let (from, restored, seen) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            t: 0.0,
            clock,
            y,
            from,
            last,
            is_inside: false,
            has_stepped: false,
            restored,
            seen,
            steps,
            forces,
            step_times: None,
        }
    }

    /// The end of the last step [s].
    fn end(&self) -> f64 {
        self.clock.time(self.steps.params.step)
    }

    /// Times that are nearer to each other are one [s].
    fn sliver(&self) -> f64 {
        GRID * self.steps.params.step
    }

    /// Stands at the end of the last step.
    fn stand_at_end(&mut self) {
        (self.t, self.is_inside) = (self.end(), false);
    }

    fn ends(&self) -> Ends<'_> {
        let start = self.last.clock.time(self.steps.params.step);
        Ends { start: (start, &self.from), end: (self.end(), &self.y) }
    }

    /// Reads the state at a time that the last step reaches [s].
    fn read(&mut self, model: &Model, t: f64) {
        (self.t, self.is_inside) = (t, t < self.end() - self.sliver());
        if self.is_inside {
            let mut seen = std::mem::take(&mut self.seen);
            self.steps.path.at(self.ends(), t, &model.tree, &mut seen);
            self.seen = seen;
        }
    }

    /// The contacts at the time reached: those of the last step, or of the part of it that the time lies in.
    fn contacts(&self) -> PartContacts<'_> {
        let memory = &self.steps.memory;
        if self.is_inside { self.steps.path.contacts(self.t, memory) } else { memory.part_contacts() }
    }

    /// Makes the next step, which ends at a boundary [s] at the latest.
    fn advance_step(&mut self, model: &mut Model, boundary: f64) -> Result<(), WorldError> {
        self.stand_at_end();
        let (clock, length, t) = (self.clock, self.steps.params.step, self.t);
        self.last = LastStep { clock, events: model.events.len(), scheduled: None, stops: false };
        // To the next scheduled time, or the next jump of a prescribed velocity, at most.
        model.pass_jump(t, &mut self.y);
        let scheduled = model.scheduled.first().copied().unwrap_or(f64::INFINITY);
        let tick = if model.tick > t { model.tick } else { f64::INFINITY };
        let boundary = boundary.min(scheduled).min(tick).min(model.tree.next_jump());
        let left = boundary - t;
        self.from.clone_from(&self.y);
        self.has_stepped = true;
        self.restored.clear();
        let control = self.steps.params.control;
        if control.is_none() {
            let is_last = left <= length * (1.0 + GRID);
            self.clock =
                if is_last { Clock::at(boundary) } else { Clock { index: clock.index + 1, ..clock } };
        }
        // A boundary where it stands already takes no step.
        if left > self.sliver() {
            let began = Instant::now();
            self.steps.keep();
            let forces = self.forces.as_mut();
            let made = if let Some(control) = control {
                let made = self.steps.step_controlled(forces, model, control, (t, left), &mut self.y);
                made.map(|step| self.clock = Clock::at(if step < left { t + step } else { boundary }))
            } else {
                let step = if left < length * (1.0 - GRID) { left } else { length };
                let end = self.clock.time(length);
                self.steps.step(forces, model, (t, step, end), &mut self.y)
            };
            StepTimes::add(&mut self.step_times, t, began.elapsed().as_secs_f64());
            let overflown = self.y.iter().copied().find(|x| !x.is_finite());
            if let Some(unmade) = made.err().or(overflown.map(|_| Unmade::Overflow)) {
                // Its events are of a step that was not made.
                self.take_back(model);
                return Err(unmade.at(t, overflown));
            }
        } else {
            self.clock = Clock::at(boundary);
        }
        let end = self.end();
        self.t = end;
        if scheduled <= end {
            self.last.scheduled = Some(model.scheduled.remove(0));
            model.note(end, EventKind::Scheduled);
        }
        self.last.stops = self.steps.evaluate_functions(model, end, &self.y);
        Ok(())
    }

    /// Takes the last step back.
    fn take_back(&mut self, model: &mut Model) {
        self.y.copy_from_slice(&self.from);
        self.steps.take_back();
        model.events.truncate(self.last.events);
        if let Some(scheduled) = self.last.scheduled.take() {
            model.scheduled.insert(0, scheduled);
        }
        (self.clock, self.last.stops) = (self.last.clock, false);
        self.stand_at_end();
    }
}

impl Method for TimeStepping {
    fn time(&self) -> f64 {
        self.t
    }

    fn current_state(&self) -> &[f64] {
        if self.is_inside { &self.seen } else { &self.y }
    }

    fn known_until(&self) -> f64 {
        if self.is_inside { self.t } else { f64::INFINITY }
    }

    fn check_step(&self, until: f64) -> Result<(), WorldError> {
        let Stepping { step, control, .. } = self.steps.params;
        match control {
            Some(_) => check_step("shortest step", MIN_CONTROLLED_STEP, until),
            None => check_step("step", step, until),
        }
    }

    fn begin(&mut self, model: &mut Model) -> Result<(), WorldError> {
        let end = self.end();
        self.steps.begin_functions(model, end, &self.y);
        Ok(())
    }

    fn advance(&mut self, model: &mut Model, until: f64, is_followed: bool) -> Result<Progress, WorldError> {
        if until <= self.t {
            return Ok(Progress::Reached);
        }
        let mut is_known = self.is_inside;
        loop {
            let is_reached = until <= self.end() + self.sliver();
            // Frames of the step that was made, also of what is left of one that an earlier call made. The first one of all is of the step that follows it.
            if is_known {
                let to = if is_reached { until } else { self.end() };
                self.steps.record(model, self.ends(), to);
            }
            if is_reached && until < self.end() - self.sliver() {
                self.read(model, until);
                return Ok(Progress::Reached);
            }
            if std::mem::take(&mut self.last.stops) {
                self.stand_at_end();
                return Ok(Progress::Stopped);
            }
            if is_reached {
                self.read(model, until);
                return Ok(Progress::Reached);
            }
            if is_known && is_followed && self.steps.memory.steps.is_multiple_of(STEPS_TO_PAUSE) {
                self.stand_at_end();
                return Ok(Progress::Paused);
            }
            // Whoever takes frames may end the run with any step.
            if model.recorder.as_ref().is_some_and(|recorder| !recorder.frames.is_empty()) {
                self.stand_at_end();
                return Ok(Progress::Recorded);
            }
            self.advance_step(model, f64::INFINITY)?;
            is_known = true;
        }
    }

    fn is_inside_step(&self) -> bool {
        self.is_inside
    }

    fn make_boundary(&mut self, model: &mut Model) -> Result<(), WorldError> {
        if !self.is_inside {
            return Ok(());
        }
        let t = self.t;
        self.take_back(model);
        // One step, unless its error says otherwise.
        let mut stops = false;
        while self.end() + self.sliver() < t {
            self.advance_step(model, t)?;
            stops |= self.last.stops;
        }
        self.last.stops = stops;
        Ok(())
    }

    fn schedule(&mut self, model: &mut Model, t: f64) -> Result<(), WorldError> {
        if !self.is_inside || t > self.end() {
            return Ok(());
        }
        let now = self.t;
        self.take_back(model);
        while self.end() + self.sliver() < now {
            self.advance_step(model, f64::INFINITY)?;
        }
        self.read(model, now);
        Ok(())
    }

    fn contact_forces(&self, _: &Model) -> Vec<ContactForce> {
        self.contacts().forces()
    }

    fn contact_points(&self, _: &Model) -> Vec<ContactPoint> {
        self.contacts().points()
    }

    fn keep_contact_problems(&mut self, is_kept: bool) {
        self.steps.stepper.keep_problems(is_kept);
    }

    fn contact_problem(&self) -> Option<&CapturedProblem> {
        self.steps.stepper.problem()
    }

    fn wake(&mut self, model: &mut Model, body: BodyId) {
        self.steps.wake_body(model, self.t, body);
    }

    fn is_asleep(&self, body: BodyId) -> bool {
        self.steps.memory.sleepers.is_asleep(body)
    }

    fn save(&self, model: &Model) -> MethodState {
        let lead = self.is_inside.then(|| Lead {
            last: self.last.clone(),
            from: self.from.clone(),
            kept: self.steps.kept.memory.clone(),
            path: self.steps.path.kept(),
        });
        let (t, clock, y) = (self.t, self.clock, self.y.clone());
        let memory = self.steps.memory.clone();
        let accelerations = if self.has_stepped { self.accelerations(model) } else { Vec::new() };
        MethodState::Steps(Box::new(StepsState { t, clock, y, memory, accelerations, lead }))
    }

    fn restore(&mut self, model: &mut Model, state: &MethodState) {
        let MethodState::Steps(state) = state else { return };
        (self.t, self.clock, self.is_inside, self.last.stops) = (state.t, state.clock, false, false);
        self.y.clone_from(&state.y);
        self.steps.memory.clone_from(&state.memory);
        self.steps.wake_where_none_sleeps();
        self.steps.forget_inside();
        self.from.clone_from(&state.y);
        self.has_stepped = !state.accelerations.is_empty();
        self.restored.clone_from(&state.accelerations);
        if let Some(Lead { last, from, kept, path }) = &state.lead {
            self.restored.clear();
            self.last.clone_from(last);
            self.from.clone_from(from);
            self.steps.kept.memory.clone_from(kept);
            self.steps.path.clone_from(path);
            self.read(model, state.t);
        }
    }

    fn check(&self, _model: &Model, state: &MethodState) -> Result<(), Misfit> {
        let MethodState::Steps(state) = state else { return Ok(()) };
        state.check()
    }

    fn may_have(&self, model: &Model, state: &MethodState) -> bool {
        let MethodState::Steps(state) = state else { return false };
        state.y.len() == model.tree.positions() + model.tree.velocities()
            && state.memory.may_be_of(&model.tree, |pair| model.has_live_pair(pair))
            && (state.accelerations.is_empty() || state.accelerations.len() == model.tree.velocities())
            && state.lead.as_ref().is_none_or(|lead| {
                lead.from.len() == state.y.len()
                    && lead.kept.may_be_of(&model.tree, |pair| model.has_live_pair(pair))
                    && lead
                        .path
                        .may_be_of((state.y.len(), model.tree.velocities()), |pair| model.has_live_pair(pair))
            })
    }

    fn recompose(
        &mut self,
        from: &Model,
        model: &mut Model,
        y: Vec<f64>,
        near: &[PairId],
    ) -> Result<(), WorldError> {
        // Refuses what cannot collide so.
        model.refuse_oriented(self.t, &y)?;
        let params = self.steps.params;
        let memory = self.steps.memory.carried(from, model, self.t, near);
        self.steps = Steps { memory, ..Steps::new(model, params) };
        self.forces = forces::make(params.forces, model);
        (self.y, self.last.stops) = (y, false);
        self.from.clone_from(&self.y);
        self.has_stepped = false;
        self.restored.clear();
        Ok(())
    }

    fn place(&mut self, model: &mut Model, y: Vec<f64>, _near: &[PairId]) -> Result<(), WorldError> {
        for body in model.bodies.clone().iter() {
            self.steps.wake_body(model, self.t, *body);
        }
        self.steps.forget_contacts();
        (self.y, self.last.stops) = (y, false);
        self.from.clone_from(&self.y);
        self.has_stepped = false;
        self.restored.clear();
        Ok(())
    }

    fn accelerations(&self, model: &Model) -> Vec<f64> {
        let positions = model.tree.positions();
        if !self.restored.is_empty() {
            return self.restored.clone();
        }
        if !self.has_stepped {
            return model.free_accelerations(self.t, &self.y);
        }
        let ends = self.ends();
        let (before, after, length) = self.steps.path.part_velocities(ends, self.t, positions);
        before.iter().zip(after).map(|(before, after)| (after - before) / length).collect()
    }

    fn info(&self) -> MethodInfo {
        let Stepping { step, tolerance, control, .. } = self.steps.params;
        let length = match control {
            Some(ErrorControl { rtol, max_step }) => format!("rtol {rtol}, at most {max_step} s"),
            None => format!("{step} s"),
        };
        let name = format!("time stepping, {length}, {} to {tolerance} m/s", self.forces.name());
        MethodInfo {
            names: vec![name],
            steps: self.steps.memory.steps,
            rejected: self.steps.memory.rejected,
            evaluations: self.steps.memory.made,
            unresolved: control.map(|_| self.steps.memory.unresolved),
            events: self.steps.memory.events,
            contacts: Some(self.steps.memory.count),
            step_times: self.step_times,
            sleeping: self.steps.params.sleep.is_finite().then(|| self.steps.memory.sleepers.count()),
            ..MethodInfo::default()
        }
    }
}

impl StepsState {
    /// Refuses what a run would trip over.
    fn check(&self) -> Result<(), Misfit> {
        let from = self.lead.iter().flat_map(|lead| lead.from.iter().chain([&lead.last.clock.origin]));
        let numbers = self.y.iter().chain([&self.t, &self.clock.origin]).chain(from);
        require(numbers.into_iter().all(|x| x.is_finite()), "numbers of the state")?;
        let last = self.lead.iter().map(|lead| &lead.last);
        require(last.clone().all(|last| last.scheduled.is_none_or(f64::is_finite)), "schedule")?;
        require(last.map(|last| last.clock).chain([self.clock]).all(|at| at.index <= MAX_COUNT), "counts")?;
        let SolveCount { solves, unconverged, sweeps, newton, .. } = self.memory.count;
        let Memory { steps, rejected, unresolved, made, events, proposal, .. } = self.memory;
        let counts = [solves, unconverged, sweeps, newton, steps, rejected, unresolved, made, events];
        require(proposal >= 0.0 && proposal.is_finite(), "length of the next step")?;
        require(counts.iter().all(|count| *count <= MAX_COUNT), "counts")
    }
}
