//! How a world advances in time: event location, time stepping and SiLVIA behind one interface.
//!
//! In: the model of a world and a time to reach. Out: the same world some steps later. A [`Method`] owns time, state and what it keeps between steps,
//! which no other method sees. Every method has the same stages of a step, in its own order:
//!
//! | stage | events | stepping and SiLVIA |
//! |---|---|---|
//! | pairs | `events::active_pairs`: boxes over the path of the integrator | [`stepping`]: boxes over the displacement of a step |
//! | contacts | `events::functions`: zero crossings of gaps | contact points within reach of a step |
//! | method | the integrator up to the first crossing, then `events::event_handling` | impulses by friction cones, or by SiLVIA's gaps at the end of a step |
//! | record | frames from the dense output | frames between the ends of a step |

pub(super) mod events;
pub(super) mod stepping;

use zerogap_contact::cone::CapturedProblem;
use zerogap_dynamics::integrate::{Integrator, IntegratorInfo};
use zerogap_dynamics::multibody::BodyId;

use super::frames::{ContactForce, ContactPoint};
use super::model::Model;
use super::shapes::PairId;
use super::stored_state::Misfit;
use super::summary::MethodInfo;
use super::{MethodParams, WorldError};
use events::{Events, EventsState};
use stepping::{StepsState, TimeStepping};

/// Steps after which a run may be interrupted, and frames of located events are handed over [-].
const STEPS_TO_PAUSE: usize = 32;

/// How far one call of [`Method::advance`] got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// To the time asked for.
    Reached,
    /// To where a function of the user stopped it.
    Stopped,
    /// To a step with frames; the next call continues.
    Recorded,
    /// To where a run may be interrupted; the next call continues.
    Paused,
}

/// A method that advances a world in time.
pub(super) trait Method: Send {
    /// Returns the time reached [s]. Steps do not end there: the last one may reach beyond it.
    fn time(&self) -> f64;

    /// Returns the state at that time, read from within the last step: positions, velocities, then states of the method's own.
    fn current_state(&self) -> &[f64];

    /// Refuses steps that are too short for time to advance to `until` [s].
    fn check_step(&self, until: f64) -> Result<(), WorldError>;

    /// Prepares a run that begins at the time reached.
    fn begin(&mut self, model: &mut Model) -> Result<(), WorldError>;

    /// Makes steps: pairs, contacts, motion, record. A run that is followed pauses every few steps; the steps do not depend on it.
    fn advance(&mut self, model: &mut Model, until: f64, is_followed: bool) -> Result<Progress, WorldError>;

    /// Whether the time reached lies within a step that reaches beyond it.
    fn is_inside_step(&self) -> bool;

    /// Makes the time reached a boundary, where the user is about to change something: a step ends there, and the state that lies ahead of it is given up.
    fn make_boundary(&mut self, model: &mut Model) -> Result<(), WorldError>;

    /// Takes note that a later time was scheduled, at which a step has to end [s]. It may lie in a step that is made already.
    fn schedule(&mut self, model: &mut Model, t: f64) -> Result<(), WorldError>;

    /// Returns the time up to which events have happened [s]: those of a step that reaches beyond the time reached have not.
    fn known_until(&self) -> f64 {
        self.time()
    }

    /// Returns the forces of all pairs in contact, by pair.
    fn contact_forces(&self, model: &Model) -> Vec<ContactForce>;

    /// Returns the contact points with their forces, by pair.
    fn contact_points(&self, model: &Model) -> Vec<ContactPoint>;

    /// Has every step keep a copy of its contact problem, or no longer; a method without such problems ignores it.
    fn keep_contact_problems(&mut self, _is_kept: bool) {}

    /// Returns the contact problem of the last step that had one, where they are kept.
    fn contact_problem(&self) -> Option<&CapturedProblem> {
        None
    }

    /// Wakes a body, since what acts on it has changed; a method in which none sleeps ignores it.
    fn wake(&mut self, _model: &mut Model, _body: BodyId) {}

    /// Whether a body sleeps.
    fn is_asleep(&self, _body: BodyId) -> bool {
        false
    }

    /// Takes note that forces jump now.
    fn disturb(&mut self) {}

    /// Replaces the integrator; a method without one ignores it.
    fn set_integrator(&mut self, _integrator: Box<dyn Integrator>) {}

    /// Returns all that it keeps between steps.
    fn save(&self, model: &Model) -> MethodState;

    /// Returns to what it kept; the state of another method is ignored.
    fn restore(&mut self, model: &mut Model, state: &MethodState);

    /// Whether a state can be one of this method for this model.
    fn may_have(&self, model: &Model, state: &MethodState) -> bool;

    /// Refuses a state of this method that a run would trip over; the state of another method is ignored.
    fn check(&self, model: &Model, state: &MethodState) -> Result<(), Misfit>;

    /// Continues at the time reached, which is a boundary, with a model that has other bodies or shapes than the one `from` which it comes, at the coordinates `y`, and begins what touches of the pairs that are near and new. What it
    /// keeps of pairs and limits that are in both is kept; contacts of what was removed end. An error leaves the method as it was.
    fn recompose(
        &mut self,
        from: &Model,
        model: &mut Model,
        y: Vec<f64>,
        near: &[PairId],
    ) -> Result<(), WorldError>;

    /// Continues at the time reached, which is a boundary, from other coordinates `y`, and begins what touches there of the pairs that are near; contacts of before end. An error leaves the method as it was.
    fn place(&mut self, model: &mut Model, y: Vec<f64>, near: &[PairId]) -> Result<(), WorldError>;

    /// Returns the accelerations of all joints at the time reached.
    fn accelerations(&self, model: &Model) -> Vec<f64>;

    /// Returns what was done so far.
    fn info(&self) -> MethodInfo;

    /// Returns the work of all integrators so far.
    fn integrator_info(&self) -> IntegratorInfo {
        IntegratorInfo::default()
    }

    /// Counts the work of integrators in another process.
    fn add_integrator_info(&mut self, _info: &IntegratorInfo) {}
}

/// What a method keeps between steps, to return to.
#[derive(Debug, Clone)]
pub(super) enum MethodState {
    /// Of event location.
    Events(Box<EventsState>),
    /// Of time stepping, whichever forces it has.
    Steps(Box<StepsState>),
}

zerogap_core::store_enum!(MethodState { 0 => Events(state), 1 => Steps(state) });

/// Makes the method that the settings ask for, at time zero with a state and the pairs that are near there.
pub(super) fn make(
    params: &MethodParams,
    model: &mut Model,
    y: Vec<f64>,
    near: &[PairId],
) -> Result<Box<dyn Method>, WorldError> {
    Ok(match params {
        MethodParams::Events(events) => Box::new(Events::start(events, model, y, near)?),
        MethodParams::Stepping(stepping) => Box::new(TimeStepping::new(model, *stepping, y)),
    })
}
