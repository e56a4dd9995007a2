//! Time stepping as a method of a world: how long each step is, and what lasts between steps.

use zerogap_contact::cone::CapturedProblem;
use zerogap_dynamics::multibody::BodyId;

use super::continuous::Unmade;
use super::forces::Forces;
use super::{Memory, SolveCount, Stepping, Steps, forces};
use crate::world::WorldError;
use crate::world::events::EventKind;
use crate::world::frames::{ContactForce, ContactPoint};
use crate::world::method::{Method, MethodState, Progress, STEPS_TO_PAUSE};
use crate::world::model::Model;
use crate::world::progress::check_step;
use crate::world::shapes::PairId;
use crate::world::stored_state::{MAX_COUNT, Misfit, require};
use crate::world::summary::MethodInfo;

/// A last step may be longer than the others by this ratio, so that no sliver is left for one more [-].
const SLIVER: f64 = 1e-9;

/// Steps of one length, with the forces that contacts have in them.
#[derive(Debug)]
pub(in crate::world::method) struct TimeStepping {
    /// Time reached [s].
    t: f64,
    /// State there.
    y: Vec<f64>,
    /// State at the start of the step.
    from: Vec<f64>,
    steps: Steps,
    forces: Box<dyn Forces>,
}

/// What time stepping keeps between steps.
#[derive(Debug, Clone)]
pub(in crate::world) struct StepsState {
    t: f64,
    y: Vec<f64>,
    memory: Memory,
}

zerogap_core::store_struct!(StepsState { t, y, memory });

impl TimeStepping {
    /// Stands at time zero.
    pub(in crate::world::method) fn new(model: &Model, params: Stepping, y: Vec<f64>) -> Self {
        let (steps, forces) = (Steps::new(model, params), forces::make(params.forces, model));
        Self { t: 0.0, y, from: Vec::new(), steps, forces }
    }

    /// Makes the next step towards a time [s]; whether a function of the user stops the run at its end.
    fn advance_step(&mut self, model: &mut Model, until: f64) -> Result<bool, WorldError> {
        // To the next scheduled time, or the next jump of a prescribed velocity, at most.
        model.pass_jump(self.t, &mut self.y);
        let scheduled = model.scheduled.first().copied().filter(|at| *at <= until);
        let until = scheduled.unwrap_or(until).min(model.tree.next_jump());
        let left = until - self.t;
        let is_last = left <= self.steps.params.step * (1.0 + SLIVER);
        let step = if is_last { left } else { self.steps.params.step };
        let end = if is_last { until } else { self.t + step };

        self.from.clone_from(&self.y);
        let known_events = model.events.len();
        self.steps.keep();
        let made = self.steps.step(self.forces.as_mut(), model, (self.t, step), &mut self.y);
        let overflown = self.y.iter().copied().find(|x| !x.is_finite());
        if let Some(unmade) = made.err().or(overflown.map(|_| Unmade::Overflow)) {
            // Events and frames of its parts are of a step that was not made.
            self.y.copy_from_slice(&self.from);
            self.steps.take_back();
            model.events.truncate(known_events);
            if let Some(recorder) = &mut model.recorder {
                recorder.frames.clear();
            }
            return Err(unmade.at(self.t, overflown));
        }
        self.t = end;
        if scheduled == Some(end) {
            model.scheduled.remove(0);
            model.note(end, EventKind::Scheduled);
        }
        Ok(self.steps.evaluate_functions(model, end, &self.y))
    }
}

impl Method for TimeStepping {
    fn time(&self) -> f64 {
        self.t
    }

    fn current_state(&self) -> &[f64] {
        &self.y
    }

    fn check_step(&self, until: f64) -> Result<(), WorldError> {
        check_step("step", self.steps.params.step, until)
    }

    fn begin(&mut self, model: &mut Model) -> Result<(), WorldError> {
        // What functions of the user are before the first step, so that a crossing in it is seen.
        if self.steps.memory.users.is_empty() {
            self.steps.evaluate_functions(model, self.t, &self.y);
        }
        Ok(())
    }

    fn advance(&mut self, model: &mut Model, until: f64, is_followed: bool) -> Result<Progress, WorldError> {
        while until - self.t > 0.0 {
            if self.advance_step(model, until)? {
                return Ok(Progress::Stopped);
            }
            if is_followed && self.steps.memory.steps.is_multiple_of(STEPS_TO_PAUSE) {
                return Ok(Progress::Paused);
            }
            // Whoever takes frames may end the run with any step.
            if model.recorder.as_ref().is_some_and(|recorder| !recorder.frames.is_empty()) {
                return Ok(Progress::Recorded);
            }
        }
        Ok(Progress::Reached)
    }

    fn contact_forces(&self, _: &Model) -> Vec<ContactForce> {
        self.steps.forces()
    }

    fn contact_points(&self, _: &Model) -> Vec<ContactPoint> {
        self.steps.points()
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

    fn save(&self, _: &Model) -> MethodState {
        let state = StepsState { t: self.t, y: self.y.clone(), memory: self.steps.memory.clone() };
        MethodState::Steps(Box::new(state))
    }

    fn restore(&mut self, _: &mut Model, state: &MethodState) {
        let MethodState::Steps(state) = state else { return };
        self.t = state.t;
        self.y.clone_from(&state.y);
        self.steps.memory.clone_from(&state.memory);
        self.steps.wake_where_none_sleeps();
        self.steps.forget_inside();
    }

    fn may_have(&self, model: &Model, state: &MethodState) -> bool {
        let MethodState::Steps(state) = state else { return false };
        state.y.len() == model.tree.positions() + model.tree.velocities()
            && state.memory.may_be_of(&model.tree, |pair| model.has_live_pair(pair))
    }

    fn recompose(
        &mut self,
        from: &Model,
        model: &mut Model,
        y: Vec<f64>,
        near: &[PairId],
    ) -> Result<(), WorldError> {
        // Refuses what cannot collide so.
        model.begin_oriented(self.t, &y, near)?;
        let params = self.steps.params;
        let memory = self.steps.memory.carried(from, model, self.t, near);
        self.steps = Steps { memory, ..Steps::new(model, params) };
        self.forces = forces::make(params.forces, model);
        self.y = y;
        Ok(())
    }

    fn info(&self) -> MethodInfo {
        let Stepping { step, tolerance, .. } = self.steps.params;
        let name = format!("time stepping, {step} s, {} to {tolerance} m/s", self.forces.name());
        MethodInfo {
            names: vec![name],
            steps: self.steps.memory.steps,
            events: self.steps.memory.events,
            contacts: Some(self.steps.memory.count),
            sleeping: self.steps.params.sleep.is_finite().then(|| self.steps.memory.sleepers.count()),
            ..MethodInfo::default()
        }
    }
}

impl StepsState {
    /// Refuses what a run would trip over.
    pub(in crate::world::method) fn check(&self) -> Result<(), Misfit> {
        require(self.y.iter().chain([&self.t]).all(|x| x.is_finite()), "numbers of the state")?;
        let SolveCount { solves, unconverged, sweeps, newton, .. } = self.memory.count;
        let counts = [solves, unconverged, sweeps, newton, self.memory.steps, self.memory.events];
        require(counts.iter().all(|count| *count <= MAX_COUNT), "counts")
    }
}
