//! Non-smooth steps for worlds whose events are located: they pass an interval in which events crowd.
//!
//! In: the state at the start of a step, and its length. Out: the state at its end, by friction cones with restitution (Moreau). Nothing lasts from one such step to the next, so that a step follows from its start alone: it may be made again
//! after a state was restored, or with another end. What happens in it is not reported: whoever asked for it reports the interval.

use super::continuous::Unmade;
use super::forces::Forces;
use super::{ErrorControl, Memory, StepForces, Stepping, Steps, forces};
use crate::world::WorldError;
use crate::world::frames::FrameForces;
use crate::world::model::Model;
use crate::world::shapes::PairId;

/// Midpoint iterations of a step [-]: bodies that roll keep their energy.
const MIDPOINT_ITERATIONS: usize = 2;

/// Steps without memory of each other.
#[derive(Debug)]
pub(in crate::world::method) struct CapturedSteps {
    steps: Steps,
    forces: Box<dyn Forces>,
}

impl CapturedSteps {
    /// Memory for the steps of a model, whose lengths are known when they are made; those that follow their error are no shorter than a length [s].
    pub(in crate::world::method) fn new(model: &Model, shortest: f64) -> Self {
        let params = Stepping { midpoint_iterations: MIDPOINT_ITERATIONS, ..Stepping::default() };
        let steps = Steps { shortest, ..Steps::new(model, params) };
        Self { steps, forces: forces::make(StepForces::Coulomb, model) }
    }

    /// Makes a step of the state, from a time to another [s].
    pub(in crate::world::method) fn advance(
        &mut self,
        model: &mut Model,
        (t, end): (f64, f64),
        y: &mut [f64],
    ) -> Result<(), WorldError> {
        self.steps.params = Stepping {
            step: end - t,
            control: None,
            midpoint_iterations: MIDPOINT_ITERATIONS,
            ..self.steps.params
        };
        self.forget(0.0);
        let events = model.events.len();
        let made = self.steps.step(self.forces.as_mut(), model, (t, end - t, end), y);
        model.events.truncate(events);
        checked(made, t, y)
    }

    /// Makes a step of the state whose length follows an estimate of its error, from a time and no longer than what is left [s], tried first with a proposed length [s]; returns its length, and the one to try next [s].
    pub(in crate::world::method) fn advance_controlled(
        &mut self,
        model: &mut Model,
        control: ErrorControl,
        (t, left): (f64, f64),
        proposal: f64,
        y: &mut [f64],
    ) -> Result<(f64, f64), WorldError> {
        // Halfway iterations and error control do not go together.
        self.steps.params = Stepping { control: Some(control), midpoint_iterations: 0, ..self.steps.params };
        self.forget(proposal);
        self.steps.keep();
        let events = model.events.len();
        let made = self.steps.step_controlled(self.forces.as_mut(), model, control, (t, left), y);
        model.events.truncate(events);
        Ok((checked(made, t, y)?, self.steps.memory.proposal))
    }

    /// Forgets the step before, but for the length to try next [s].
    fn forget(&mut self, proposal: f64) {
        self.steps.memory = Memory { proposal, ..Memory::default() };
        self.steps.forget_inside();
    }

    /// Contact points that pushed in the last step, or in its last part [-].
    pub(in crate::world::method) fn contacts(&self) -> usize {
        self.steps.memory.known.len()
    }

    /// The pairs that pushed in the last step, or in its last part, sorted.
    pub(in crate::world::method) fn pushing(&self) -> &[PairId] {
        &self.steps.memory.pushing
    }

    /// Forces at the contacts of the last step, or of its last part.
    pub(in crate::world::method) fn contact_forces(&self) -> FrameForces {
        let contacts = self.steps.memory.part_contacts();
        FrameForces { contacts: contacts.forces(), points: contacts.points() }
    }
}

/// What a step from a time [s] came to, where the state at its end has finite numbers.
fn checked<T>(made: Result<T, Unmade>, t: f64, y: &[f64]) -> Result<T, WorldError> {
    let overflown = y.iter().copied().find(|x| !x.is_finite());
    match made {
        Err(unmade) => Err(unmade.at(t, overflown)),
        Ok(_) if overflown.is_some() => Err(Unmade::Overflow.at(t, overflown)),
        Ok(made) => Ok(made),
    }
}
