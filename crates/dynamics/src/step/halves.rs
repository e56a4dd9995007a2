//! Steps without contacts: as a whole, or in halves where joined bodies whip too fast for a step to keep their energy.

use super::contact_point::{StepInfo, StepParams};
use super::stepper::Stepper;
use crate::multibody::{Tree, Wrench};

/// A step without contacts is halved so often at most [-].
const MAX_HALVINGS: usize = 6;

impl Stepper {
    /// Makes the step that is known to touch nothing: the free motion that was found.
    pub(super) fn step_alone(
        &mut self,
        tree: &Tree,
        params: &StepParams,
        (t, step): (f64, f64),
        (q, v): (&mut [f64], &mut [f64]),
        wrenches: &[Wrench],
        info: &mut StepInfo,
    ) {
        v.copy_from_slice(&self.free_velocity);
        self.theta.clear();
        self.theta.resize(self.groups.len(), 0.5);
        self.made_q.copy_from_slice(q);
        self.find_displacement(step);
        self.displace(tree, q);
        self.centers.carry_over(&self.start, q, v);
        if !self.keep_energy(tree, (t, step), (q, v), (wrenches, false)) {
            self.step_in_halves(tree, params, (t, step), (q, v), wrenches, info);
        }
    }

    /// Makes a step without contacts again from its start, in two halves: joined bodies whip too fast for it to keep their energy.
    pub(super) fn step_in_halves(
        &mut self,
        tree: &Tree,
        params: &StepParams,
        (t, step): (f64, f64),
        (q, v): (&mut [f64], &mut [f64]),
        wrenches: &[Wrench],
        info: &mut StepInfo,
    ) {
        if self.halvings >= MAX_HALVINGS {
            return;
        }
        self.halvings += 1;
        q.copy_from_slice(&self.made_q);
        v.copy_from_slice(&self.before);
        // What the halves overwrite, in memory that is used again.
        let [mut before, mut displacement] = [(); 2].map(|()| self.spare.pop().unwrap_or_default());
        before.clone_from(&self.before);
        let half = 0.5 * step;
        self.locate(tree, t, q, v);
        *info = info.and(&self.step(tree, params, (t, half), (&mut *q, &mut *v), wrenches, &mut []));
        displacement.clone_from(&self.other);
        self.locate(tree, t + half, q, v);
        *info = info.and(&self.step(tree, params, (t + half, half), (q, v), wrenches, &mut []));
        self.halvings -= 1;
        // Of the whole step.
        self.before.clone_from(&before);
        for (sum, first) in self.other.iter_mut().zip(&displacement) {
            *sum += first;
        }
        self.spare.extend([before, displacement]);
    }
}
