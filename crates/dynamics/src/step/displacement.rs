//! Displacements of a step: which mean of the velocities before and after positions follow.
//!
//! In: a step that is solved. Out: for every island the fraction of the velocity after, one half or more where a gap would pass zero, and the displacements. Gaps that opened before the step may close as fast at its end, which keeps the
//! displacement of a mean velocity from passing zero, and no other: where the fraction is larger, they may close by less, and the caller solves the step again.

use zerogap_contact::cone::{BodyProblem, Delassus};

use super::contact_point::ContactPoint;
use super::islands::find_islands;
use super::stepper::{Stepper, Which};
use crate::multibody::Tree;

/// How often a step is solved again because gaps that opened before it would pass zero [-].
pub(super) const OPENING_ROUNDS: usize = 4;

impl Stepper {
    /// For every island the fraction of the velocity after in that of the positions: one half, more where a gap would pass zero.
    pub(super) fn choose_rule(&mut self, step: f64, contacts: &[ContactPoint]) {
        let (problem, impulses) = (&self.problem, &self.impulses);
        find_islands(&mut self.islands, problem, |block| {
            let first = problem.first(block);
            impulses[first..first + problem.blocks()[block].rows()].iter().any(|x| *x != 0.0)
        });
        self.theta.clear();
        self.theta.resize(self.groups.len(), 0.5);
        for group in 0..self.groups.len() {
            let island = self.islands.find(group);
            self.theta[island] = self.theta[island].max(self.free.joints.group_theta(group));
        }
        self.rates_of(Which::Start);
        for block in self.gapped() {
            if self.lasts(block, contacts) {
                continue;
            }
            let gap = self.room(block, contacts);
            let before = self.rates[block];
            let after = self.problem.response(block, &self.state)[0] - gap / step;
            let slop = block.checked_sub(self.rows.before).map_or(0.0, |k| 0.5 * contacts[k].slop);
            // What prescribed motions and joints that turn change within the step moves by its mean, whatever positions follow.
            let carried = self.carried_after(block) - self.carried_before(block);
            let own = after - before - carried;
            if gap + 0.5 * step * (before + after) >= -slop || own <= 0.0 {
                continue;
            }
            let needed = ((-slop - gap - step * (before + 0.5 * carried)) / (step * own)).clamp(0.5, 1.0);
            for side in self.problem.sides(block).iter().flatten() {
                let island = self.islands.find(side.group);
                self.theta[island] = self.theta[island].max(needed);
            }
        }
        // From islands, which are named by their first group, to groups.
        for group in 0..self.groups.len() {
            self.theta[group] = self.theta[self.islands.find(group)];
        }
    }

    /// Has gaps that open before the step close as fast at its end; where the step is made again with more contacts, by the rule that the last time ended with.
    pub(super) fn begin_opening(&mut self, is_repeated: bool) {
        let Self { opening, problem, theta, .. } = self;
        opening.clear();
        opening.extend((0..problem.blocks().len()).map(|block| {
            let theta = if is_repeated { fraction_of(problem, theta, block) } else { 0.5 };
            (1.0 - theta) / theta
        }));
    }

    /// Limits how fast gaps that opened before the step may close at its end, where by the rule chosen they would pass zero; whether there are any.
    ///
    /// With the velocities b > 0 before and a after, positions follow (1 - θ) b + θ a: this is not negative where a >= -b (1 - θ) / θ. An impact anywhere in an island makes θ one for all of it.
    pub(super) fn limit_opening(&mut self, (step, tolerance): (f64, f64), contacts: &[ContactPoint]) -> bool {
        if self.theta.iter().all(|theta| *theta <= 0.5) {
            return false;
        }
        self.groups.scatter(&self.state, &mut self.other);
        self.mix_displacement(step);
        self.groups.gather(&self.other, &mut self.grouped);
        let mut is_any = false;
        for block in self.gapped() {
            // The rates are those before the step.
            if self.rates[block] <= tolerance || self.lasts(block, contacts) || self.opening[block] == 0.0 {
                continue;
            }
            let slop = block.checked_sub(self.rows.before).map_or(0.0, |k| 0.5 * contacts[k].slop);
            let carried = 0.5 * (self.carried_before(block) + self.carried_after(block));
            let shift = self.problem.velocity(block, &self.grouped)[0] + step * carried;
            if self.room(block, contacts) + shift >= -slop - tolerance * step {
                continue;
            }
            let theta = fraction_of(&self.problem, &self.theta, block);
            let needed = (1.0 - theta) / theta;
            // One that this does not stop is followed by joint forces too.
            self.opening[block] = if needed < self.opening[block] { needed } else { 0.0 };
            is_any = true;
        }
        is_any
    }

    /// The velocity that prescribed motions and joints that turn give a gap at the end of the step [m/s].
    fn carried_after(&self, block: usize) -> f64 {
        let drift = block.checked_sub(self.rows.before).map_or(0.0, |k| self.rows.drifts[k][0]);
        self.driven[block][0] + drift
    }

    /// Finds the displacements, by a mean of the velocities `before` and `free_velocity`, with the fraction of the latter by group.
    pub(super) fn find_displacement(&mut self, step: f64) {
        self.other.copy_from_slice(&self.free_velocity);
        self.mix_displacement(step);
    }

    /// Makes displacements of the velocities after in `other`.
    fn mix_displacement(&mut self, step: f64) {
        for (k, (before, other)) in self.before.iter().zip(&mut self.other).enumerate() {
            let fraction = self.theta[self.groups.place(k).0].max(0.5 + self.free.joints.lead[k]);
            *other = step * (before + fraction * (*other - before));
        }
    }

    /// Moves the positions by the displacements.
    pub(super) fn displace(&mut self, tree: &Tree, q: &mut [f64]) {
        self.centers.displace(tree, q, &self.other);
        tree.normalise(q);
    }
}

/// The fraction of the velocity after in the displacement of a block: the larger one of its sides.
fn fraction_of(problem: &BodyProblem, theta: &[f64], block: usize) -> f64 {
    problem.sides(block).iter().flatten().map(|side| theta[side.group]).fold(0.5, f64::max)
}
