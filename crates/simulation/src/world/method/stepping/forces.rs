//! What contacts do in a step, as the search for parts of a step sees it.

use std::fmt::Debug;

use zerogap_dynamics::step::{StepInfo, Stepper};

use super::cones::Cones;
use super::continuous::Unmade;
use super::silvia::Pushing;
use super::{StepForces, Steps};
use crate::world::model::Model;
use crate::world::pair_contacts::NarrowPhaseFailure;

/// Finds the contacts of a step and the impulses at them. An implementation owns the memory that it alone needs.
pub(super) trait Forces: Debug + Send {
    /// Returns what determines the forces, in words.
    fn name(&self) -> &'static str;

    /// Makes a step, or a part of one, of the state: pairs, contacts, impulses, motion. Contacts and their impulses are left in the memory of the steps, sorted by pair.
    ///
    /// Fails: where numbers overflow, and where the narrow phase has no answer.
    fn step(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        time: (f64, f64),
        y: &mut [f64],
    ) -> Result<StepInfo, Unmade>;

    /// Checks where a part that was made ends; whether bodies overlap there because contacts in it made them faster than they were searched for. Their speeds are noted, so that the part can be made anew.
    ///
    /// Fails: where the narrow phase has no answer.
    fn has_missed_contacts(
        &mut self,
        _: &mut Steps,
        _: &mut Model,
        _: (f64, f64),
        _: &[f64],
    ) -> Result<bool, NarrowPhaseFailure> {
        Ok(false)
    }

    /// Corrects the overlaps that the last check found at the end of a part that is kept, at a time [s]; returns the work.
    ///
    /// Fails: where the narrow phase has no answer.
    fn correct_end(
        &mut self,
        _: &mut Steps,
        _: &Model,
        _: f64,
        _: &mut [f64],
    ) -> Result<StepInfo, NarrowPhaseFailure> {
        Ok(StepInfo::default())
    }

    /// Appends the displacement of all joints in the part that was made, with the velocities at its end and its length [s].
    fn displacement(&self, stepper: &Stepper, v: &[f64], part: f64, out: &mut Vec<f64>);
}

/// Makes the forces that are asked for.
pub(super) fn make(forces: StepForces, model: &Model) -> Box<dyn Forces> {
    match forces {
        StepForces::Coulomb => Box::new(Cones::default()),
        StepForces::Silvia => Box::new(Pushing::new(model)),
    }
}
