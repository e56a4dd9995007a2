//! Contacts and limits that act before their gaps have closed: the error of a step that has an impact.
//!
//! In: the gaps at the start of a step with their rates, then the step that was made. Out: when the first of those that acted too early closes. An impulse acts from the start of its step on, so a gap that is still open then acts too early by the time it
//! takes to close, and positions are off by as much as it is open, whatever the velocities are. Whoever chooses the length of steps ends one where the gap has closed, and the impulse acts in the next.

use zerogap_contact::cone::Delassus;
use zerogap_core::Vec3;

use super::contact_point::{ContactPoint, ControlParams, StepParams};
use super::stepper::{Stepper, Which};

/// Steps that end before an impact leave this fraction of the gap that counts as closed [-]: the gap is not passed, and what is left counts as closed.
const LEFT: f64 = 0.5;
/// A gap that was not expected to close within the step, and did, is expected after this fraction of it [-].
const UNEXPECTED: f64 = 0.5;

impl Stepper {
    /// Begins to search for impacts.
    pub(super) fn expect_impacts(&mut self, params: &StepParams, step: f64, contacts: &[ContactPoint]) {
        self.late.clear();
        self.late.resize(contacts.len(), false);
        self.expect_closing(params, step, contacts);
    }

    /// Notes when each gap would close without contacts, where that is asked for.
    pub(super) fn expect_closing(&mut self, params: &StepParams, step: f64, contacts: &[ContactPoint]) {
        let Some(control) = params.control else { return };
        self.rates_of(Which::Start);
        self.rates_of(Which::Free);
        self.struck.clear();
        self.struck.resize(self.gaps.len(), false);
        self.shocks.clear();
        self.shocks.resize(contacts.len(), Vec3::zeros());
        self.closing.clear();
        for block in 0..self.gaps.len() {
            let left = LEFT * self.closed(block, control, contacts);
            let gained = (self.free_rates[block] - self.rates[block]) / step;
            self.closing.push(first_zero(self.gaps[block] - left, self.rates[block], gained));
        }
    }

    /// Returns when the first gap closes of bodies that nothing holds, if that is within the step [s]: until then they move as without contacts, so that it is known before the step is made.
    pub(super) fn first_in_flight(
        &mut self,
        params: &StepParams,
        step: f64,
        contacts: &[ContactPoint],
    ) -> Option<f64> {
        let control = params.control.filter(|control| control.may_reject)?;
        let mut held = std::mem::take(&mut self.held);
        let gapped = self.gapped();
        let is_open = |block: &usize| self.gaps[*block] > self.closed(*block, control, contacts);
        let groups = |block: usize| self.problem.sides(block).into_iter().flatten().map(|side| side.group);
        // Loops and drives hold whatever they act on.
        held.clear();
        held.resize(self.groups.len(), false);
        for block in (0..gapped.start).chain(gapped.clone().filter(|block| !is_open(block))) {
            groups(block).for_each(|group| held[group] = true);
        }
        let is_free = |block: &usize| is_open(block) && groups(*block).all(|group| !held[group]);
        let first = gapped.filter(is_free).map(|block| self.closing[block]).reduce(f64::min);
        self.held = held;
        first.filter(|time| *time < step)
    }

    /// Notes an impact.
    pub(super) fn mark_struck(&mut self, block: usize) {
        if let Some(struck) = self.struck.get_mut(block) {
            *struck = true;
        }
    }

    /// Adds the impulses of an impact at contacts without restitution to those of the step: they are contacts that last, or begin to, and a contact that pivots is held by nothing else.
    pub(super) fn keep_shocks(&mut self, params: &StepParams, contacts: &[ContactPoint]) {
        if params.control.is_none() {
            return;
        }
        for (k, contact) in contacts.iter().enumerate().filter(|(_, contact)| contact.restitution == 0.0) {
            let first = self.problem.first(self.rows.before + k);
            let [n, t1, t2] = contact.frame().rows;
            let impulse = &self.impulses[first..first + 3];
            self.shocks[k] += n * impulse[0] + t1 * impulse[1] + t2 * impulse[2];
        }
    }

    /// Returns when the first gap that acted in the step and was not closed is expected to close [s]; none where there is none.
    pub(super) fn first_early(
        &self,
        params: &StepParams,
        step: f64,
        contacts: &[ContactPoint],
    ) -> Option<f64> {
        let control = params.control?;
        let has_acted = |block: usize| self.struck[block] || self.impulses[self.problem.first(block)] > 0.0;
        let is_early =
            |block: &usize| self.gaps[*block] > self.closed(*block, control, contacts) && has_acted(*block);
        let time = |block: usize| {
            let time = self.closing[block];
            if time < step { time } else { UNEXPECTED * step }
        };
        self.gapped().filter(is_early).map(time).reduce(f64::min)
    }

    /// The gap up to which a block counts as closed [m or rad].
    fn closed(&self, block: usize, control: ControlParams, contacts: &[ContactPoint]) -> f64 {
        block.checked_sub(self.rows.before).map_or(control.closed_limits, |k| contacts[k].closed_gap())
    }
}

/// The first time at which a gap with a rate and an acceleration is zero; infinite where it never is, zero where it is closed.
fn first_zero(gap: f64, rate: f64, acceleration: f64) -> f64 {
    if gap <= 0.0 {
        return 0.0;
    }
    // gap + rate t + acceleration t²/2 = 0, in the form that loses no digits.
    let root = rate * rate - 2.0 * acceleration * gap;
    if root < 0.0 {
        return f64::INFINITY;
    }
    let time = 2.0 * gap / (root.sqrt() - rate);
    if time > 0.0 { time } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::first_zero;

    #[test]
    fn the_first_zero_of_a_parabola_is_found() {
        // By a fall from rest, by a throw upwards, at constant speed; never.
        assert!((first_zero(1.0, 0.0, -2.0) - 1.0).abs() < 1e-15);
        let t = first_zero(1.0, 3.0, -10.0);
        assert!(t > 0.0 && (1.0 + 3.0 * t - 5.0 * t * t).abs() < 1e-14);
        assert!((first_zero(1.0, -4.0, 0.0) - 0.25).abs() < 1e-15);
        // Of two zeros the first.
        assert!((first_zero(2.0, -3.0, 2.0) - 1.0).abs() < 1e-15);
        for (gap, rate, acceleration) in [(1.0, 1.0, 0.0), (1.0, 0.0, 0.0), (1.0, -1.0, 2.0), (1.0, 2.0, 1.0)]
        {
            assert!(first_zero(gap, rate, acceleration).is_infinite());
        }
        assert!(first_zero(-1.0, -1.0, 0.0) <= 0.0);
    }
}
