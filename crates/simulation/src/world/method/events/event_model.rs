//! What event location keeps of a world: which pairs are in contact and how, and the functions of the step that is made.
//!
//! In: the model of a world. Out: a view of both, [`EventModel`], which is the system that integrators advance and whose events the driver locates. No other method sees any of it.

use std::cell::{Cell, RefCell};

use zerogap_dynamics::integrate::{System, Tolerance};

use super::active_pairs::{ActivePairs, Assignment};
use super::discrete::Discrete;
use super::frozen::{EventScratch, Frozen};
use super::rigid::points::Point;
use super::rigid::{breakaway, capture};
use crate::world::frames::FrameForces;
use crate::world::method::stepping::CapturedSteps;
use crate::world::model::Model;
use crate::world::params::EventLocation;
use crate::world::{ErrorControl, MIN_CONTROLLED_STEP, WorldError};

/// What event location keeps of a world.
pub(crate) struct EventData {
    pub(crate) discrete: Discrete,
    pub(crate) active_pairs: ActivePairs,
    pub(crate) is_stopped: bool,
    /// The step to try first after contacts that have just begun [s].
    pub(crate) first_step: Option<f64>,
    /// What velocities may be off by in a step.
    pub(crate) tolerance: Tolerance,
    /// By how much more than their friction rigid pairs may ask for before they break away [-].
    pub(crate) breakaway_tolerance: f64,
    /// How intervals in which events crowd are passed.
    pub(crate) capture: CaptureSettings,
    /// Length with which the step after the captured one ahead is tried [s].
    pub(crate) next_proposal: f64,
    /// Those steps; made where they are first needed.
    pub(crate) captured_steps: Option<Box<CapturedSteps>>,
    pub(crate) scratch: RefCell<EventScratch>,
    /// The same for contact forces that functions of the user ask for, and whether one has.
    pub(crate) view_scratch: RefCell<EventScratch>,
    pub(crate) sees_contacts: Cell<bool>,
}

/// How intervals in which events crowd are passed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaptureSettings {
    /// Length of captured steps [s].
    pub(crate) step: f64,
    /// Whether intervals that return again and again become phases.
    pub(crate) passes_phases: bool,
    /// How long the steps of a phase are.
    pub(crate) control: ErrorControl,
}

impl EventData {
    /// Of a world with nothing in contact.
    pub(crate) fn new(params: &EventLocation, model: &Model) -> Self {
        let moving = model.shapes.iter().filter(|placed| placed.body.is_some());
        let size = moving.map(|placed| placed.size).fold(f64::INFINITY, f64::min);
        let rtol = params.tolerance.relative;
        let settings = CaptureSettings {
            step: capture::captured_step(rtol, params.max_step, model.tree.gravity().norm(), size),
            passes_phases: params.phases,
            control: ErrorControl { rtol, max_step: params.max_step.max(MIN_CONTROLLED_STEP) },
        };
        Self::with(Assignment::new(params.functions), params.tolerance, settings, model)
    }

    /// The same settings for a model with other bodies, with nothing in contact.
    pub(crate) fn of_other(&self, model: &Model) -> Self {
        Self::with(self.active_pairs.assignment.clone(), self.tolerance, self.capture, model)
    }

    fn with(assignment: Assignment, tolerance: Tolerance, capture: CaptureSettings, model: &Model) -> Self {
        Self {
            discrete: Discrete::new(model.tree.limits().len()),
            active_pairs: ActivePairs::new(assignment),
            is_stopped: false,
            first_step: None,
            tolerance,
            breakaway_tolerance: breakaway::tolerance(tolerance.relative),
            capture,
            next_proposal: 0.0,
            captured_steps: None,
            scratch: EventScratch::new(&model.tree).into(),
            view_scratch: EventScratch::new(&model.tree).into(),
            sees_contacts: Cell::default(),
        }
    }

    /// What the slip of a rigid point may be off by in a step [m/s].
    pub(crate) fn slip_tolerance(&self, point: &Point) -> f64 {
        self.tolerance.absolute + self.tolerance.relative * point.speeds
    }

    /// The equations of motion of a model between events.
    pub(crate) fn frozen<'a>(&'a self, model: &'a Model) -> Frozen<'a> {
        Frozen { model, discrete: &self.discrete, scratch: &self.scratch }
    }

    /// Forces of the captured step that was made last; none outside of captured intervals.
    pub(crate) fn captured_forces(&self) -> Option<FrameForces> {
        self.discrete.captured.as_ref()?;
        Some(self.captured_steps.as_ref().map(|steps| steps.contact_forces()).unwrap_or_default())
    }

    /// A model whose events are located.
    pub(crate) fn with_model<'a>(&'a mut self, model: &'a mut Model) -> EventModel<'a> {
        EventModel { model, data: self }
    }
}

/// A model with what event location keeps of it.
pub(crate) struct EventModel<'a> {
    pub(crate) model: &'a mut Model,
    pub(crate) data: &'a mut EventData,
}

impl EventModel<'_> {
    /// The equations of motion between events.
    pub(crate) fn frozen(&self) -> Frozen<'_> {
        self.data.frozen(self.model)
    }

    /// Whether a query of the narrow phase has failed that counts.
    pub(crate) fn has_failed(&self) -> bool {
        self.data.scratch.borrow().manifold.failure.is_some()
    }

    /// Ends with the query that failed, where one has.
    pub(crate) fn refuse_failure(&mut self, t: f64) -> Result<(), WorldError> {
        self.data.scratch.get_mut().manifold.refuse_failure(t)
    }
}

impl System for EventModel<'_> {
    fn len(&self) -> usize {
        self.frozen().len()
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.frozen().derivative(t, y, dy);
    }
}
