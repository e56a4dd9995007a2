//! The loop of event-driven simulation: step, locate crossings, stop at the first, let the model change, continue.
//!
//! In: a [`Model`], an [`Integrator`], a state and a time to reach. Out: the state there. The loop is [`Driver::advance`]; everything that a reader
//! wants to know about the order of things is in that one function.
//!
//! Steps do not end where a call does. The last one reaches beyond the time asked for: the integrator has made it and its first event is located, but the model has not taken it. The state is read from its dense output, and the
//! model takes the step when a call gets to its end. So the steps are the same however a run is cut into calls, and nothing that lies ahead of the time asked for has happened yet.
//!
//! Where events crowd, as where contacts chatter, or where no step is short enough, a model that can pass an interval by non-smooth steps does so ([`Model::capture`]): a captured step is read and taken like any other, and events are located again behind it. A model that
//! cannot, and whose steps do not get on, ends the run with [`DriveError::Stuck`] after [`STUCK_STEPS`] steps.

use super::crowd::Crowd;
use super::locate::{Direction, LocateParams, LocateWork, Located, first_crossing};
use crate::integrate::{Integrator, StepError, System};

/// How far a step goes on beyond an event up to which it is made again, against its length [-]: the crossing is to lie within it, and no stage but the last beyond it.
const BEYOND: f64 = 1e-3;

/// How often one step may be searched again because the model monitored too few zero-crossing functions [-]. Each time their number at least
/// doubles, so that a million pairs are reached before this.
const MAX_REDONE: usize = 24;

/// An accepted step of an integrator, or a captured one, not yet of the model.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    /// Where it began [s].
    pub t0: f64,
    /// The state there.
    pub y0: &'a [f64],
    /// Where it ended [s].
    pub t1: f64,
    /// The state there.
    pub y1: &'a [f64],
    /// None for a captured step: all that is known of it are its ends.
    integrator: Option<&'a dyn Integrator>,
}

impl Step<'_> {
    /// The state at a time of the step.
    pub fn at(&self, t: f64, y: &mut [f64]) {
        // The ends are known better than the polynomial between them, and the start may have been changed by an event since.
        if t <= self.t0 {
            y.copy_from_slice(self.y0);
        } else if t >= self.t1 {
            y.copy_from_slice(self.y1);
        } else if let Some(integrator) = self.integrator {
            integrator.dense(t, y);
        } else {
            let ratio = (t - self.t0) / (self.t1 - self.t0);
            for (y, (from, to)) in y.iter_mut().zip(self.y0.iter().zip(self.y1)) {
                *y = from + ratio * (to - from);
            }
        }
    }
}

/// What a model says to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acceptance {
    /// It is as it should be.
    Good,
    /// The state was moved within the tolerance, for instance back onto constraints.
    Corrected,
    /// The state is good, and something is to change here though nothing crossed: an event without crossings follows.
    Event,
}

/// A system with discrete state that changes at events.
pub trait Model: System {
    /// Errors at an event.
    type Error: std::error::Error;

    /// Chooses the zero-crossing functions of a step; nothing else may change.
    fn prepare(&mut self, step: &Step<'_>);

    /// Whether a zero crossing by a time of the step is not covered by a function; if so, [`Model::prepare`] lists more functions from now on. Nothing else may change.
    fn has_missed(&mut self, _t: f64, _y: &[f64]) -> bool {
        false
    }

    /// In which direction each function crosses zero at an event.
    fn directions(&self) -> &[Direction];

    /// Writes the values of the functions.
    fn functions(&self, t: f64, y: &[f64], z: &mut [f64]);

    /// How many times between its ends the functions are evaluated in this step [-].
    fn samples(&self) -> usize;

    /// A time of this step at which a function is known to have crossed, though evenly spaced samples might miss it [s].
    fn known_crossing(&self) -> Option<f64> {
        None
    }

    /// The next scheduled time, later than `t` [s]; infinity where nothing is.
    fn next_scheduled(&self, t: f64) -> f64;

    /// Takes note of an accepted step without crossings and may correct the state at its end.
    fn accept(&mut self, step: &Step<'_>, y: &mut [f64]) -> Acceptance;

    /// Takes note of an accepted step up to an event, before the event is handled.
    fn accept_until(&mut self, step: &Step<'_>, t: f64);

    /// Takes note that a run is read at a time of a step that it has not taken, and may correct the state there as [`Model::accept`] would. Nothing that steps depend on may change.
    fn read(&mut self, _step: &Step<'_>, _t: f64, _y: &mut [f64]) {}

    /// Handles an event: changes the discrete state and the state itself, whose length may change.
    fn event(&mut self, t: f64, y: &mut Vec<f64>, crossed: &[usize]) -> Result<(), Self::Error>;

    /// The step to be tried first after the last event [s]; none lets the integrator find one. A force that begins at zero and grows steeply says nothing about itself at the
    /// start, and a step that is far too long may seem good by chance.
    fn first_step(&self) -> Option<f64> {
        None
    }

    /// Whether the system is not smooth somewhere in the part of a step beyond its first event: the step is known less well than its estimated error says then, and is made again up to the event.
    fn is_rough_beyond(&self, _step: &Step<'_>) -> bool {
        false
    }

    /// Whether the run is to end here.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Longest step with which it passes an interval in which events crowd, from a time on [s]; none where it cannot.
    fn capture_step(&self, _t: f64) -> Option<f64> {
        None
    }

    /// Whether the last event could not be handled exactly: a captured interval follows.
    fn is_unsolved(&self) -> bool {
        false
    }

    /// Whether an interval in which events crowd again and again becomes a phase: it lasts until [`Model::is_calm`], by steps whose lengths the model chooses.
    fn passes_phases(&self) -> bool {
        false
    }

    /// Whether the last event asks for a phase at once.
    fn needs_phase(&self) -> bool {
        false
    }

    /// Whether events have become sparse by the end of a captured step: the phase ends with it.
    fn is_calm(&mut self, _step: &Step<'_>) -> bool {
        true
    }

    /// Passes the time to `end` [s] by a non-smooth step: velocities may jump anywhere in it. Writes the state there, of the same length, and returns the time: in a phase the step may end earlier. What it finds out it keeps for
    /// [`Model::accept_captured`], and what was closed at the start of the interval is open in it.
    fn capture(
        &mut self,
        _t: f64,
        _y: &[f64],
        end: f64,
        _is_phase: bool,
        _to: &mut Vec<f64>,
    ) -> Result<f64, Self::Error> {
        Ok(end)
    }

    /// Takes note of a captured step; the last one of an interval, which began at `start` [s], closes what touches at its end, and may correct the state there.
    fn accept_captured(
        &mut self,
        _step: &Step<'_>,
        _y: &mut [f64],
        _last: Option<CapturedInterval>,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Handles what is scheduled for this time; returns whether the system changed.
    fn schedule(&mut self, t: f64, y: &mut Vec<f64>) -> Result<bool, Self::Error>;
}

/// An interval that was passed by non-smooth steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapturedInterval {
    /// Where it began [s].
    pub start: f64,
    /// Captured steps [-].
    pub steps: usize,
    /// Whether it was a phase.
    pub is_phase: bool,
}

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DriveError<E: std::error::Error> {
    /// A step could not be made.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An event could not be handled.
    #[error("{0}")]
    Event(E),
    /// Time does not advance.
    #[error("{steps} steps to t = {t} s advanced by {passed:.1e} s: time does not advance")]
    Stuck {
        /// Where [s].
        t: f64,
        /// Steps [-].
        steps: usize,
        /// Time that they passed [s].
        passed: f64,
    },
    /// The functions never were enough.
    #[error("the step from t = {t} s was searched {count} times, and each time a crossing was missed")]
    Missed {
        /// Where the step begins [s].
        t: f64,
        /// How many times [-].
        count: usize,
    },
}

/// How far a call got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advance {
    /// To the time asked for.
    Reached,
    /// To an event at which the model stopped it.
    Stopped,
    /// As many steps as one call may make; the next call continues.
    Paused,
}

/// What a driver has done.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DriveInfo {
    /// Accepted steps, full or truncated at an event [-].
    pub steps: usize,
    /// Times at which something crossed [-].
    pub events: usize,
    /// Accepted steps at the last event [-].
    pub steps_at_event: usize,
    /// Scheduled times passed [-].
    pub scheduled: usize,
    /// Steps searched again with more functions [-].
    pub redone: usize,
    /// Evaluations of all zero-crossing functions [-].
    pub functions: usize,
    /// Intervals that were passed by non-smooth steps [-], these steps [-] and the time that they passed [s].
    pub captured: usize,
    /// Captured steps [-]; they count among the accepted ones.
    pub captured_steps: usize,
    /// Time that they passed [s].
    pub captured_time: f64,
}

zerogap_core::store_struct!(DriveInfo {
    steps,
    events,
    steps_at_event,
    scheduled,
    redone,
    functions,
    captured,
    captured_steps,
    captured_time
});

/// A step that the integrator has made and the model has not taken.
#[derive(Debug, Clone)]
struct Lead {
    /// Where it ends: at an event, or with the step of the integrator [s].
    end: f64,
    /// The functions that cross there; none where no event is.
    crossed: Option<Vec<usize>>,
    /// The next scheduled time [s].
    scheduled: f64,
    /// The state at its end where it is a captured step.
    captured: Option<Vec<f64>>,
}

zerogap_core::store_struct!(Lead { end, crossed, scheduled, captured });

impl Lead {
    /// The step, from where the model is.
    fn step<'a>(&'a self, t0: f64, y0: &'a [f64], integrator: &'a dyn Integrator) -> Step<'a> {
        match &self.captured {
            Some(y1) => Step { t0, y0, t1: self.end, y1, integrator: None },
            None => Step { t0, y0, t1: integrator.t(), y1: integrator.state(), integrator: Some(integrator) },
        }
    }
}

/// The state of a run, and memory for its loop.
#[derive(Debug, Clone)]
pub struct Driver {
    /// Time that the model has reached [s]; a run is read at [`Driver::time`].
    pub t: f64,
    /// The state there.
    pub y: Vec<f64>,
    /// The step to be tried first [s]; none lets the integrator find one.
    pub step: Option<f64>,
    /// What was done so far.
    pub info: DriveInfo,
    /// Longest step [s]. Without one, steps end where calls do, since a state cannot be read from a step of any length: the bits of a run then depend on how it is cut.
    pub max_step: f64,
    /// Maximum number of steps of one call [-].
    pub steps_in_one_go: usize,
    /// Width of the bracket around an event [s].
    pub locate: LocateParams,
    /// The step ahead, from `t` on.
    lead: Option<Lead>,
    /// Time at which the run is read, within the step ahead [s], and the state there; none at `t`.
    now: Option<f64>,
    seen: Vec<f64>,
    /// Where a step has to end, while the one ahead is cut [s].
    boundary: Option<f64>,
    /// Whether the integrator is to start anew.
    is_fresh: bool,
    /// When the model was last asked for what is scheduled [s].
    asked: f64,
    work: LocateWork,
    /// States evaluated within a step.
    trial: Vec<f64>,
    state: Vec<f64>,
    crowd: Crowd,
    /// Whether the model knows the functions of the step ahead.
    is_prepared: bool,
}

zerogap_core::store_struct!(Driver { t, y, step, info, max_step, steps_in_one_go, locate, lead, now, seen, is_fresh, asked, crowd } skip { boundary, work, trial, state, is_prepared });

impl Driver {
    /// A run that starts here.
    pub fn new(t: f64, y: Vec<f64>) -> Self {
        Self {
            t,
            y,
            step: None,
            info: DriveInfo::default(),
            max_step: f64::INFINITY,
            steps_in_one_go: usize::MAX,
            locate: LocateParams { tolerance: 0.0, ..LocateParams::default() },
            lead: None,
            now: None,
            seen: Vec::new(),
            boundary: None,
            is_fresh: true,
            asked: f64::NEG_INFINITY,
            work: LocateWork::default(),
            trial: Vec::new(),
            state: Vec::new(),
            crowd: Crowd::new(t),
            is_prepared: false,
        }
    }

    /// Returns the time reached by the last call [s].
    pub fn time(&self) -> f64 {
        self.now.unwrap_or(self.t)
    }

    /// Returns the state there.
    pub fn state(&self) -> &[f64] {
        if self.now.is_some() { &self.seen } else { &self.y }
    }

    /// Runs to a time, exactly, or to where the model stops it, or for so many steps as [`Driver::steps_in_one_go`] says. A time before the one reached changes nothing.
    pub fn advance<M: Model>(
        &mut self,
        model: &mut M,
        integrator: &mut dyn Integrator,
        until: f64,
    ) -> Result<Advance, DriveError<M::Error>> {
        if until <= self.time() {
            return Ok(Advance::Reached);
        }
        let last = self.info.steps.saturating_add(self.steps_in_one_go);
        // Why the integrator could make no step from here.
        let mut failed: Option<StepError> = None;
        // Where a step has to end that is made again [s].
        let mut again: Option<f64> = None;
        loop {
            // The step ahead: it is read, or it is the model's.
            if let Some(lead) = &self.lead {
                if until < lead.end {
                    self.read(model, integrator, until);
                    return Ok(Advance::Reached);
                }
                if self.take_step(model, integrator)? {
                    return Ok(Advance::Stopped);
                }
            }
            self.now = None;
            if self.t >= until {
                return Ok(Advance::Reached);
            }
            if self.info.steps >= last {
                return Ok(Advance::Paused);
            }
            // What is scheduled for now happens before time goes on, and once.
            if self.is_fresh && self.asked < self.t {
                if model.schedule(self.t, &mut self.y).map_err(DriveError::Event)? {
                    self.info.scheduled += 1;
                    self.step = None;
                }
                self.asked = self.t;
            }
            let scheduled = model.next_scheduled(self.t);
            let boundary = self.boundary.unwrap_or(f64::INFINITY);

            // Where events crowd, a captured step.
            let is_captured =
                |step: &f64| failed.is_some() || model.is_unsolved() || self.crowd.is_captured(self.t, *step);
            if let Some(length) = model.capture_step(self.t).filter(is_captured) {
                if !self.crowd.is_inside() {
                    self.crowd.begin(self.t, model.passes_phases(), model.needs_phase());
                }
                let is_phase = self.crowd.is_phase();
                let longest = if is_phase { self.max_step } else { length };
                let end = (self.t + longest).min(scheduled).min(boundary);
                let mut to = Vec::with_capacity(self.y.len());
                let end =
                    model.capture(self.t, &self.y, end, is_phase, &mut to).map_err(DriveError::Event)?;
                self.is_fresh = true;
                failed = None;
                self.lead = Some(Lead { end, crossed: None, scheduled, captured: Some(to) });
                continue;
            }
            if let Some(error) = failed {
                return Err(error.into());
            }

            // One accepted step of the integrator, with the discrete state frozen.
            let longest = if self.max_step.is_finite() { self.t + self.max_step } else { until };
            let shortened = again.take();
            let limit = scheduled.min(longest).min(boundary).min(shortened.unwrap_or(f64::INFINITY));
            let is_fresh = std::mem::replace(&mut self.is_fresh, true);
            let first = shortened.map(|end| end - self.t).or(self.step);
            let begun = if is_fresh { integrator.restart(model, self.t, &self.y, first) } else { Ok(()) };
            if let Err(error) = begun.and_then(|()| integrator.step(model, limit)) {
                // What no step is short enough for, a captured step passes.
                failed = Some(error);
                continue;
            }
            self.is_fresh = false;
            let step = Step {
                t0: self.t,
                y0: &self.y,
                t1: integrator.t(),
                y1: integrator.state(),
                integrator: Some(integrator),
            };

            // Is there an event in it? Where too few functions were monitored it is searched again with more: the step itself is as good as it was, so
            // the run is the same as if there had been enough from the start.
            self.state.resize(self.y.len(), 0.0);
            let mut searches = 0;
            let found = loop {
                model.prepare(&step);
                let work = (&mut self.work, &mut self.trial, &mut self.info.functions);
                let found = locate(model, &step, self.locate, work);
                step.at(found.as_ref().map_or(step.t1, |found| found.t), &mut self.state);
                if !model.has_missed(found.as_ref().map_or(step.t1, |found| found.t), &self.state) {
                    break found;
                }
                searches += 1;
                self.info.redone += 1;
                if searches > MAX_REDONE {
                    return Err(DriveError::Missed { t: self.t, count: searches });
                }
            };
            let end = found.as_ref().map_or(step.t1, |found| found.t);
            if let Some(found) = &found {
                let beyond = found.t + BEYOND * (found.t - step.t0);
                if shortened.is_none() && beyond < step.t1 && model.is_rough_beyond(&step) {
                    again = Some(beyond);
                    self.is_fresh = true;
                    continue;
                }
            }
            self.lead =
                Some(Lead { end, crossed: found.map(|found| found.crossed), scheduled, captured: None });
            self.is_prepared = true;
        }
    }

    /// Reads the state at a time of the step ahead [s].
    fn read<M: Model>(&mut self, model: &mut M, integrator: &dyn Integrator, t: f64) {
        let Some(lead) = &self.lead else { return };
        let step = lead.step(self.t, &self.y, integrator);
        self.seen.resize(self.y.len(), 0.0);
        step.at(t, &mut self.seen);
        model.read(&step, t, &mut self.seen);
        self.now = Some(t);
    }

    /// Has the model take the step ahead; whether it stops the run there.
    fn take_step<M: Model>(
        &mut self,
        model: &mut M,
        integrator: &mut dyn Integrator,
    ) -> Result<bool, DriveError<M::Error>> {
        let Some(lead) = self.lead.take() else { return Ok(false) };
        self.now = None;
        if lead.captured.is_some() {
            return self.take_captured(model, integrator, &lead);
        }
        let step = lead.step(self.t, &self.y, integrator);
        let (t, scheduled) = (lead.end, lead.scheduled);
        // A state that was restored knows nothing of the functions.
        if !std::mem::take(&mut self.is_prepared) {
            model.prepare(&step);
        }
        self.state.resize(self.y.len(), 0.0);
        step.at(t, &mut self.state);
        if let Some(crossed) = &lead.crossed {
            model.accept_until(&step, t);
            std::mem::swap(&mut self.y, &mut self.state);
            self.t = t;
            model.event(t, &mut self.y, crossed).map_err(DriveError::Event)?;
            self.info.steps += 1;
            self.info.events += 1;
            self.info.steps_at_event = self.info.steps;
            (self.step, self.is_fresh) = (model.first_step(), true);
            self.count_step(model)?;
            return Ok(model.is_stopped());
        }

        // No event: the step is the model's, unless it knows better.
        let acceptance = model.accept(&step, &mut self.state);
        if acceptance == Acceptance::Corrected {
            integrator.correct(model, &self.state)?;
        }
        std::mem::swap(&mut self.y, &mut self.state);
        self.t = t;
        self.info.steps += 1;
        self.step = Some(integrator.next_step());
        if acceptance == Acceptance::Event {
            model.event(t, &mut self.y, &[]).map_err(DriveError::Event)?;
            self.info.events += 1;
            self.info.steps_at_event = self.info.steps;
            (self.step, self.is_fresh) = (model.first_step(), true);
            self.count_step(model)?;
            return Ok(false);
        }
        // Something is scheduled here: the system may change.
        self.is_fresh = self.t >= scheduled;
        self.count_step(model)?;
        Ok(false)
    }

    /// Has the model take a captured step; whether it stops the run there.
    fn take_captured<M: Model>(
        &mut self,
        model: &mut M,
        integrator: &dyn Integrator,
        lead: &Lead,
    ) -> Result<bool, DriveError<M::Error>> {
        let step = lead.step(self.t, &self.y, integrator);
        let is_calm = self.crowd.is_phase() && model.is_calm(&step);
        let is_last = self.crowd.pass(lead.end, is_calm);
        let last = is_last.then(|| self.crowd.interval());
        let mut y = lead.captured.clone().unwrap_or_default();
        model.accept_captured(&step, &mut y, last).map_err(DriveError::Event)?;
        self.info.steps += 1;
        self.info.captured_steps += 1;
        self.info.captured_time += lead.end - self.t;
        (self.t, self.y) = (lead.end, y);
        if is_last {
            self.info.captured += 1;
            self.info.events += 1;
            self.info.steps_at_event = self.info.steps;
        }
        (self.step, self.is_fresh) = (model.first_step().filter(|_| is_last), true);
        self.refuse_stuck()?;
        Ok(model.is_stopped())
    }

    /// Ends a step at the time reached, where the system is to change. The step ahead is made again up to there, as if that time had been scheduled: its end is known better than what its dense output says in between.
    pub fn cut<M: Model>(
        &mut self,
        model: &mut M,
        integrator: &mut dyn Integrator,
    ) -> Result<(), DriveError<M::Error>> {
        let Some(now) = self.now.take() else { return Ok(()) };
        self.forget_step();
        let steps = std::mem::replace(&mut self.steps_in_one_go, usize::MAX);
        self.boundary = Some(now);
        let mut advanced = self.advance(model, integrator, now);
        // A function that stops a run has had its say, or found its zero by rounding alone.
        while matches!(advanced, Ok(Advance::Stopped)) && self.t < now {
            advanced = self.advance(model, integrator, now);
        }
        (self.steps_in_one_go, self.boundary) = (steps, None);
        self.is_fresh = true;
        advanced.map(|_| ())
    }

    /// Takes note that something was scheduled for a time after the one reached [s]: a step ahead that does not end before it is made anew.
    pub fn reschedule(&mut self, t: f64) {
        if self.lead.as_ref().is_some_and(|lead| t <= lead.end) {
            self.forget_step();
        }
    }

    /// Forgets the step ahead, which is made anew: the integrator is another one, or cannot continue.
    pub fn forget_step(&mut self) {
        (self.lead, self.is_fresh, self.is_prepared) = (None, true, false);
    }

    /// Takes note that the model is not the one that knew the functions of the step ahead.
    pub fn forget_functions(&mut self) {
        self.is_prepared = false;
    }

    /// Whether the next step depends on what the integrator keeps.
    pub fn needs_integrator(&self) -> bool {
        !self.is_fresh || self.lead.is_some() && !self.has_captured_step()
    }

    /// Whether the time reached lies within the step ahead.
    pub fn is_inside_step(&self) -> bool {
        self.now.is_some()
    }

    /// Whether the model has taken all steps that were made.
    pub fn is_between_steps(&self) -> bool {
        self.lead.is_none()
    }

    /// Whether it is within an interval that is passed by non-smooth steps.
    pub fn is_captured(&self) -> bool {
        self.crowd.is_inside()
    }

    /// Whether the step ahead is a captured one, which nothing of the integrator is needed for.
    pub fn has_captured_step(&self) -> bool {
        self.lead.as_ref().is_some_and(|lead| lead.captured.is_some())
    }

    /// Whether what it keeps of a step ahead can be that of a run.
    pub fn has_valid_lead(&self) -> bool {
        let is_ahead = |t: f64| t.is_finite() && t >= self.t;
        let is_state = |y: &Vec<f64>| y.len() == self.y.len() && y.iter().all(|x| x.is_finite());
        self.crowd.is_valid()
            && self
                .lead
                .as_ref()
                .is_none_or(|lead| is_ahead(lead.end) && lead.captured.as_ref().is_none_or(is_state))
            && self.now.is_none_or(|now| {
                is_ahead(now)
                    && self.seen.len() == self.y.len()
                    && self.seen.iter().all(|x| x.is_finite())
                    && self.lead.as_ref().is_none_or(|lead| now <= lead.end)
            })
    }

    /// Lets the next call start the integrator anew, with a step to be tried first [s] or one that it finds: something has changed since the last one.
    pub fn refresh(&mut self, step: Option<f64>) {
        debug_assert!(self.lead.is_none(), "a step ahead is cut before the system changes");
        (self.is_fresh, self.step) = (true, step);
    }

    /// Counts an accepted step towards a crowd.
    fn count_step<M: Model>(&mut self, model: &M) -> Result<(), DriveError<M::Error>> {
        self.crowd.count(self.t, model.capture_step(self.t));
        self.refuse_stuck()
    }

    /// Ends a run whose steps do not get on.
    fn refuse_stuck<E: std::error::Error>(&mut self) -> Result<(), DriveError<E>> {
        match self.crowd.count_progress(self.t, self.max_step) {
            Some((steps, passed)) => Err(DriveError::Stuck { t: self.t, steps, passed }),
            None => Ok(()),
        }
    }
}

/// The first crossing of a step.
fn locate(
    model: &impl Model,
    step: &Step<'_>,
    params: LocateParams,
    (work, trial, evaluations): (&mut LocateWork, &mut Vec<f64>, &mut usize),
) -> Option<Located> {
    let params = LocateParams { samples: model.samples(), ..params };
    trial.resize(step.y0.len(), 0.0);
    let mut evaluate = |t: f64, z: &mut [f64]| {
        *evaluations += 1;
        step.at(t, trial);
        model.functions(t, trial, z);
    };
    let directions = model.directions();
    // What is known to have crossed is searched for before that time, and nothing can be missed there.
    let known = model.known_crossing().filter(|known| *known > step.t0 && *known < step.t1);
    let before = known.and_then(|t| first_crossing(step.t0, t, directions, &mut evaluate, params, work));
    before.or_else(|| first_crossing(step.t0, step.t1, directions, &mut evaluate, params, work))
}
