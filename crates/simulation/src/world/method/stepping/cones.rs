//! Steps by friction cones: contacts with normal force, friction and restitution.
//!
//! In: a world at the start of a step. Out: the world one step later. Reads: pairs and contacts ([`super::touch`]), impulses of the last step, then [`zerogap_dynamics::step::Stepper::step`], once or, for
//! contacts of curved surfaces that last, once for each midpoint iteration ([`super::lasting`]). Where it violates contact points that were left out it is made again with these ([`super::returning`]).

use std::time::Instant;

use zerogap_contact::solve::ImpactLaw;
use zerogap_core::Vec3;
use zerogap_dynamics::step::{ControlParams, StepInfo, StepParams, Stepper};

use super::continuous::Unmade;
use super::end_overlaps::EndOverlaps;
use super::followed::PairMemory;
use super::forces::Forces;
use super::lasting::Again;
use super::returning::LeftOut;
use super::touch::ContactBatch;
use super::{Known, Memory, Steps};
use crate::world::model::Model;
use crate::world::pair_contacts::NarrowPhaseFailure;
use crate::world::params::ContactModel;
use crate::world::shapes::PairId;

/// Forces by friction cones, with memory that every step overwrites.
#[derive(Debug, Default)]
pub(super) struct Cones {
    pub(super) pairs: Vec<PairId>,
    pub(super) parts: Vec<ContactBatch>,
    /// What was found of pairs of complexes, from step to step.
    pub(super) followed: PairMemory,
    pub(super) left_out: LeftOut,
    again: Again,
    pub(super) end: EndOverlaps,
}

impl Forces for Cones {
    fn name(&self) -> &'static str {
        "exact friction cones"
    }

    fn step(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        (t, step): (f64, f64),
        y: &mut [f64],
    ) -> Result<StepInfo, Unmade> {
        let begin = Instant::now();
        let (q, v) = y.split_at_mut(model.tree.positions());
        if steps.begin_sleep(model, (t, step), q) {
            steps.sleep_on(step);
            return Ok(StepInfo { is_settled: steps.memory.is_settled, ..StepInfo::default() });
        }
        // What is woken has contacts of its own.
        self.find_contacts(steps, model, (t, step), (q, v))?;
        while steps.wake_touched(model, t) {
            self.find_contacts(steps, model, (t, step), (q, v))?;
        }
        steps.freeze(&model.tree);
        let found = Instant::now();
        steps.recall(step);
        self.left_out.begin(&steps.memory.contacts);
        let mut info = self.solve(steps, model, false, (t, step), y)?;
        if steps.control.rejects(&info) {
            return Ok(info);
        }
        let mut round = 1;
        while self.left_out.bring_back(steps, model, (t, step), round, y) {
            // What was found without these points is not used, but took work.
            let again = self.solve(steps, model, true, (t, step), y)?;
            let (solves, sweeps) = (info.solves + again.solves, info.sweeps + again.sweeps);
            let newton = info.newton + again.newton;
            info = StepInfo { solves, sweeps, newton, is_settled: false, ..again };
            round += 1;
        }
        steps.keep_sleepers(&model.tree, step, y);
        steps.remember(step);
        self.left_out.remember(steps);
        steps.memory.is_settled = info.is_settled;
        let times = model.times.get_mut();
        times.narrow += found - begin;
        times.holding += found.elapsed();
        Ok(info)
    }

    fn has_missed_contacts(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        time: (f64, f64),
        y: &[f64],
    ) -> Result<bool, NarrowPhaseFailure> {
        let begin = Instant::now();
        let is_missed = self.check_end(steps, model, time, y)?;
        model.times.get_mut().narrow += begin.elapsed();
        Ok(is_missed)
    }

    fn correct_end(
        &mut self,
        steps: &mut Steps,
        model: &Model,
        t: f64,
        y: &mut [f64],
    ) -> Result<StepInfo, NarrowPhaseFailure> {
        self.correct_overlaps(steps, model, t, y)
    }

    fn displacement(&self, stepper: &Stepper, _: &[f64], _: f64, out: &mut Vec<f64>) {
        out.extend_from_slice(stepper.last_displacement());
    }
}

impl Cones {
    /// Makes the step with the contacts there are.
    fn solve(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        is_repeated: bool,
        time: (f64, f64),
        y: &mut [f64],
    ) -> Result<StepInfo, Unmade> {
        let params = StepParams {
            tolerance: steps.params.tolerance,
            is_settled: steps.memory.is_settled,
            is_repeated,
            control: steps.params.control.map(|control| ControlParams {
                closed_limits: control.closed(1.0),
                may_reject: steps.control.may_reject,
            }),
            is_sequential: model.contact == ContactModel::Rigid(ImpactLaw::Sequential),
        };
        if steps.mark_lasting(model, time.1) {
            return Ok(self.again.step(steps, model, &params, time, y)?);
        }
        let Steps { stepper, wrenches, memory, .. } = steps;
        let state = y.split_at_mut(model.tree.positions());
        Ok(stepper.step(&model.tree, &params, time, state, wrenches, &mut memory.contacts))
    }
}

impl Steps {
    /// Gives the impulses of the last step, and whether they stuck, to the contacts of the same names, or to the nearest of the same pair: where faces lie on faces, points change their names from step to step.
    fn recall(&mut self, step: f64) {
        let longer = if self.memory.last > 0.0 { step / self.memory.last } else { 0.0 };
        let Memory { contacts, names, known, .. } = &mut self.memory;
        // Both lists are sorted by pair.
        let mut first = 0;
        for known in known.iter() {
            first += names[first..].iter().take_while(|(pair, _)| *pair < known.pair).count();
            let count = names[first..].iter().take_while(|(pair, _)| *pair == known.pair).count();
            let contacts = &mut contacts[first..first + count];
            let off = |place: &usize| (contacts[*place].at - known.at).norm_squared();
            let same = names[first..first + count].iter().position(|(_, id)| *id == known.id);
            let nearest = || (0..count).min_by(|one, other| off(one).total_cmp(&off(other)));
            if let Some(place) = same.or_else(nearest) {
                contacts[place].impulse += known.impulse * longer;
                contacts[place].moment += known.moment * longer;
                contacts[place].is_stuck = known.sticks;
            }
        }
    }

    pub(super) fn remember(&mut self, step: f64) {
        self.memory.known.clear();
        for (contact, name) in self.memory.contacts.iter().zip(&self.memory.names) {
            if contact.impulse != Vec3::zeros() {
                self.memory.known.push(Known::new(*name, contact));
            }
        }
        self.memory.last = step;
    }
}
