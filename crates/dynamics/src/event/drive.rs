//! The loop of event-driven simulation: step, locate crossings, stop at the first, let the model change, continue.
//!
//! In: a [`Model`], an [`Integrator`], a state and a time to reach. Out: the state there. The loop is [`Driver::advance`]; everything that a reader
//! wants to know about the order of things is in that one function.
//!
//! Steps do not end where a call does. The last one reaches beyond the time asked for: the integrator has made it and its first event is located, but the model has not taken it. The state is read from its dense output, and the
//! model takes the step when a call gets to its end. So the steps are the same however a run is cut into calls, and nothing that lies ahead of the time asked for has happened yet.

use super::locate::{Direction, LocateParams, LocateWork, Located, first_crossing};
use crate::integrate::{Integrator, StepError, System};

/// How often one step may be searched again because the model monitored too few zero-crossing functions [-]. Each time their number at least
/// doubles, so that a million pairs are reached before this.
const MAX_REDONE: usize = 24;

/// Events at one instant before a run is taken to be stuck [-]. A pile of hundreds of bodies settles its contacts in a few.
const MAX_AT_ONE_INSTANT: usize = 10_000;

/// Time within which events count as being at one instant, against the time [-].
const INSTANT: f64 = 4.0 * f64::EPSILON;

/// An accepted step of an integrator, not yet of the model.
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
    integrator: &'a dyn Integrator,
}

impl Step<'_> {
    /// The state at a time of the step.
    pub fn at(&self, t: f64, y: &mut [f64]) {
        // The ends are known better than the polynomial between them, and the start may have been changed by an event since.
        if t <= self.t0 {
            y.copy_from_slice(self.y0);
        } else if t >= self.t1 {
            y.copy_from_slice(self.y1);
        } else {
            self.integrator.dense(t, y);
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

    /// Whether the run is to end here.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Handles what is scheduled for this time; returns whether the system changed.
    fn schedule(&mut self, t: f64, y: &mut Vec<f64>) -> Result<bool, Self::Error>;
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
    #[error("{count} events at t = {t} s: time does not advance")]
    Stuck {
        /// Where [s].
        t: f64,
        /// How many [-].
        count: usize,
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
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
}

zerogap_core::store_struct!(DriveInfo { steps, events, steps_at_event, scheduled, redone, functions });

/// A step that the integrator has made and the model has not taken.
#[derive(Debug, Clone)]
struct Lead {
    /// Where it ends: at an event, or with the step of the integrator [s].
    end: f64,
    /// The functions that cross there; none where no event is.
    crossed: Option<Vec<usize>>,
    /// The next scheduled time [s].
    scheduled: f64,
}

zerogap_core::store_struct!(Lead { end, crossed, scheduled });

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
    at_instant: usize,
    /// Whether the model knows the functions of the step ahead.
    is_prepared: bool,
}

zerogap_core::store_struct!(Driver { t, y, step, info, max_step, steps_in_one_go, locate, lead, now, seen, is_fresh, asked, at_instant } skip { boundary, work, trial, state, is_prepared });

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
            at_instant: 0,
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
            if self.is_fresh {
                integrator.restart(model, self.t, &self.y, self.step)?;
            }

            // One accepted step of the integrator, with the discrete state frozen.
            let scheduled = model.next_scheduled(self.t);
            let longest = if self.max_step.is_finite() { self.t + self.max_step } else { until };
            self.is_fresh = true;
            integrator.step(model, scheduled.min(longest).min(self.boundary.unwrap_or(f64::INFINITY)))?;
            self.is_fresh = false;
            let step =
                Step { t0: self.t, y0: &self.y, t1: integrator.t(), y1: integrator.state(), integrator };

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
            self.lead = Some(Lead { end, crossed: found.map(|found| found.crossed), scheduled });
            self.is_prepared = true;
        }
    }

    /// Reads the state at a time of the step ahead [s].
    fn read<M: Model>(&mut self, model: &mut M, integrator: &dyn Integrator, t: f64) {
        let step = Step { t0: self.t, y0: &self.y, t1: integrator.t(), y1: integrator.state(), integrator };
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
        let Some(Lead { end: t, crossed, scheduled }) = self.lead.take() else { return Ok(false) };
        self.now = None;
        let step = Step { t0: self.t, y0: &self.y, t1: integrator.t(), y1: integrator.state(), integrator };
        // A state that was restored knows nothing of the functions.
        if !std::mem::take(&mut self.is_prepared) {
            model.prepare(&step);
        }
        self.state.resize(self.y.len(), 0.0);
        step.at(t, &mut self.state);
        if let Some(crossed) = crossed {
            model.accept_until(&step, t);
            self.count_instant(t)?;
            std::mem::swap(&mut self.y, &mut self.state);
            self.t = t;
            model.event(t, &mut self.y, &crossed).map_err(DriveError::Event)?;
            self.info.steps += 1;
            self.info.events += 1;
            self.info.steps_at_event = self.info.steps;
            (self.step, self.is_fresh) = (model.first_step(), true);
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
            return Ok(false);
        }
        // Something is scheduled here: the system may change.
        self.is_fresh = self.t >= scheduled;
        Ok(false)
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
        !self.is_fresh || self.lead.is_some()
    }

    /// Whether the time reached lies within the step ahead.
    pub fn is_inside_step(&self) -> bool {
        self.now.is_some()
    }

    /// Whether the model has taken all steps that were made.
    pub fn is_between_steps(&self) -> bool {
        self.lead.is_none()
    }

    /// Whether what it keeps of a step ahead can be that of a run.
    pub fn has_valid_lead(&self) -> bool {
        let is_ahead = |t: f64| t.is_finite() && t >= self.t;
        self.lead.as_ref().is_none_or(|lead| is_ahead(lead.end))
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

    /// Counts events that follow each other without time advancing.
    fn count_instant<E: std::error::Error>(&mut self, t: f64) -> Result<(), DriveError<E>> {
        self.at_instant = if t - self.t <= INSTANT * t.abs() { self.at_instant + 1 } else { 0 };
        if self.at_instant > MAX_AT_ONE_INSTANT {
            return Err(DriveError::Stuck { t, count: self.at_instant });
        }
        Ok(())
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
