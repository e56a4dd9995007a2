//! Joint limits of a step: those that may be reached in it have rows in its problem, others cost nothing.
//!
//! In: positions and velocities of a step. Out: the limits that take part. One that was left out and is passed all the same, because a contact drove its joint, comes back, and the step is solved again with it.

use super::rows::LimitRow;
use super::stepper::Stepper;
use crate::multibody::Tree;

/// A joint limit takes part in a step if it is no farther than so many times what its joint moves in the step without contacts [-].
const LIMIT_REACH: f64 = 2.0;

impl Stepper {
    /// Whether a joint passes a limit in the step without contacts, or is beyond one.
    pub(super) fn reaches_limit(&self, tree: &Tree, step: f64) -> bool {
        self.rows.limits.iter().any(|row| {
            let limit = &tree.limits()[row.number];
            let [before, after] = [&self.before, &self.free_velocity].map(|v| limit.sign * v[limit.v_index]);
            // Positions move by the mean of both velocities, or by more of the one after.
            row.gap <= 0.0 || row.gap + step * after.min(0.5 * (before + after)) <= 0.0
        })
    }

    /// Lists the joint limits that may be reached in the step, of what is not frozen. Those far off are left out; what contacts drive there all the same comes back after the solve.
    pub(super) fn list_limits(&mut self, tree: &Tree, step: f64, q: &[f64]) {
        self.rows.limits.clear();
        for (number, limit) in tree.limits().iter().enumerate() {
            let gap = limit.value(q);
            let speed = self.before[limit.v_index].abs().max(self.free_velocity[limit.v_index].abs());
            // A velocity that is not a number is left to the solve to find out.
            if gap > LIMIT_REACH * step * speed || self.frozen[self.groups.place(limit.v_index).0] {
                continue;
            }
            self.rows.limits.push(LimitRow { number, gap, restitution: limit.restitution });
        }
    }

    /// Lists the limits too that the step was solved without and passes, from positions to velocities; whether there are any.
    pub(super) fn bring_limits_back(&mut self, tree: &Tree, step: f64, (q, v): (&[f64], &[f64])) -> bool {
        let count = self.rows.limits.len();
        for (number, limit) in tree.limits().iter().enumerate() {
            let k = limit.v_index;
            let group = self.groups.place(k).0;
            let gap = limit.value(q);
            let fraction = self.theta[group].max(0.5 + self.free.joints.lead[k]);
            let shift = step * (self.before[k] + fraction * (v[k] - self.before[k]));
            let is_passed = gap + limit.sign * shift < 0.0 && !self.frozen[group];
            if is_passed && !self.rows.limits[..count].iter().any(|row| row.number == number) {
                self.rows.limits.push(LimitRow { number, gap, restitution: limit.restitution });
            }
        }
        if self.rows.limits.len() == count {
            return false;
        }
        self.rows.limits.sort_unstable_by_key(|row| row.number);
        // All where they are now: positions may have been corrected.
        for row in &mut self.rows.limits {
            row.gap = tree.limits()[row.number].value(q);
        }
        true
    }
}
