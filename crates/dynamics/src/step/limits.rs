//! Joint limits of a step: those that may be reached in it have rows in its problem, others cost nothing.
//!
//! In: positions and velocities of a step. Out: the limits that take part. One that was left out and is passed all the same, because a contact drove its joint, comes back, and the step is solved again with it.

use super::rows::LimitRow;
use super::stepper::Stepper;
use crate::multibody::{Limit, Limited, Tree};

/// A joint limit takes part in a step if it is no farther than so many times what its joint moves in the step without contacts [-].
const LIMIT_REACH: f64 = 2.0;
/// What of the way beyond a limit whose row changes from place to place a step takes back [-]: it is of the third order in the step, and taking it back at once would throw.
const RETURNED: f64 = 0.2;

/// How fast what is beyond such a limit comes back at most [m/s or rad/s].
const RETURNING: f64 = 0.01;

impl Stepper {
    /// Whether a joint passes a limit in the step without contacts, or is beyond one.
    pub(super) fn reaches_limit(&mut self, tree: &Tree, step: f64) -> bool {
        for k in 0..self.rows.limits.len() {
            let row = self.rows.limits[k];
            let [before, after] = self.limit_rates(tree, &tree.limits()[row.number]);
            // Positions move by the mean of both velocities, or by more of the one after.
            if row.gap <= 0.0 || row.gap + step * after.min(0.5 * (before + after)) <= 0.0 {
                return true;
            }
        }
        false
    }

    /// The rate of a limit before the step, and without contacts after it [m/s or rad/s].
    fn limit_rates(&mut self, tree: &Tree, limit: &Limit) -> [f64; 2] {
        if let Limited::Position { v_index, .. } = limit.limited {
            return [&self.before, &self.free_velocity].map(|v| limit.sign * v[v_index]);
        }
        self.limit_row.fill(0.0);
        tree.limit_row(limit, &self.start, &mut self.limit_row);
        let row = &self.limit_row;
        [&self.before, &self.free_velocity].map(|v| row.iter().zip(v).map(|(row, v)| row * v).sum())
    }

    /// What is left up to a limit, at positions; of one whose row changes from place to place with what velocities that stay change of it by their turning, beyond its rate [m/s or rad/s] before the step.
    fn limit_gap(&mut self, tree: &Tree, limit: &Limit, (step, rate): (f64, f64), q: &[f64]) -> f64 {
        let gap = tree.limit_value(limit, q);
        if step == 0.0 || !limit.is_curved(tree) {
            return gap;
        }
        self.place.copy_from_slice(q);
        for (shift, v) in self.limit_row.iter_mut().zip(&self.before) {
            *shift = step * v;
        }
        tree.displace(&mut self.place, &self.limit_row);
        let bent = tree.limit_value(limit, &self.place) - gap - step * rate;
        // What was missed is made good step by step.
        if gap < 0.0 { (RETURNED * gap).max(-RETURNING * step) + bent } else { gap + bent }
    }

    fn row_of_limit(&mut self, tree: &Tree, number: usize, step: f64, q: &[f64]) -> LimitRow {
        let limit = &tree.limits()[number];
        let [rate, _] = self.limit_rates(tree, limit);
        let (gap, is_curved) = (self.limit_gap(tree, limit, (step, rate), q), limit.is_curved(tree));
        LimitRow { number, gap, restitution: limit.restitution, is_curved }
    }

    /// The group that a limit acts in.
    fn limit_group(&self, limit: &Limit) -> usize {
        match limit.limited {
            Limited::Position { v_index, .. } => self.groups.place(v_index).0,
            // One of a tendon is on a body that moves.
            Limited::Turn | Limited::Tendon(_) => self.groups.of(Some(limit.body)).unwrap_or(0),
        }
    }

    /// Lists the joint limits that may be reached in the step, of what is not frozen. Those far off are left out; what contacts drive there all the same comes back after the solve.
    pub(super) fn list_limits(&mut self, tree: &Tree, step: f64, q: &[f64]) {
        self.rows.limits.clear();
        for (number, limit) in tree.limits().iter().enumerate() {
            let speed = self.limit_rates(tree, limit).into_iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            // A velocity that is not a number is left to the solve to find out.
            let row = self.row_of_limit(tree, number, step, q);
            if row.gap > LIMIT_REACH * step * speed || self.frozen[self.limit_group(limit)] {
                continue;
            }
            self.rows.limits.push(row);
        }
    }

    /// Lists the limits too that the step was solved without and passes, from positions to velocities; whether there are any.
    pub(super) fn bring_limits_back(&mut self, tree: &Tree, step: f64, (q, v): (&[f64], &[f64])) -> bool {
        let count = self.rows.limits.len();
        for (number, limit) in tree.limits().iter().enumerate() {
            let group = self.limit_group(limit);
            if self.frozen[group] || self.rows.limits[..count].iter().any(|row| row.number == number) {
                continue;
            }
            let row = self.row_of_limit(tree, number, step, q);
            let moved = |k: usize| {
                let fraction = self.theta[group].max(0.5 + self.free.joints.lead[k]);
                step * (self.before[k] + fraction * (v[k] - self.before[k]))
            };
            let shift = if let Limited::Position { v_index, .. } = limit.limited {
                limit.sign * moved(v_index)
            } else {
                let mut along = std::mem::take(&mut self.limit_row);
                along.fill(0.0);
                tree.limit_row(limit, &self.start, &mut along);
                let shift = along.iter().enumerate().map(|(k, row)| row * moved(k)).sum();
                self.limit_row = along;
                shift
            };
            if row.gap + shift < 0.0 {
                self.rows.limits.push(row);
            }
        }
        if self.rows.limits.len() == count {
            return false;
        }
        self.rows.limits.sort_unstable_by_key(|row| row.number);
        // All where they are now: positions may have been corrected.
        for k in 0..self.rows.limits.len() {
            let number = self.rows.limits[k].number;
            self.rows.limits[k].gap = self.row_of_limit(tree, number, step, q).gap;
        }
        true
    }
}
