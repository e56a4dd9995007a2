//! Impacts with restitution within a step, by Moreau's law, never with more energy afterwards: all that are due at once, or one after the other.
//!
//! In: the problem of a step, with the velocities before it. Out: those velocities after all impacts that are due.

use zerogap_contact::cone::{BEYOND, BodyProblem, Delassus};
use zerogap_core::Vec3;

use super::contact_point::{ContactPoint, StepInfo, StepParams};
use super::free::Start;
use super::rows::Places;
use super::stepper::{Stepper, Which};
use crate::multibody::{Tree, Wrench};

/// A contact is open in an impact with a bias of this many times the velocity that it can have at most [-]. A bias beyond all velocities would be as good, but for solvers that begin with impulses of its size.
const OPEN: f64 = 2.0;
/// Rounds of impacts in one step: in a row of balls each passes the impulse on in the next round.
const MAX_IMPACTS: usize = 64;
/// Impacts in a row, which are made one after the other in one step.
const MAX_SEQUENCE: usize = 1024;
/// Contacts that close this nearly as fast as the fastest are hit together with it [-]: what is symmetric stays so.
const TOGETHER: f64 = 1e-9;

impl Stepper {
    /// Makes the impacts with restitution that are due in the step from `t`, and nothing else, with all contacts where they are at its start: before a step with contacts that last.
    pub fn impacts(
        &mut self,
        tree: &Tree,
        params: &StepParams,
        (t, step): (f64, f64),
        (q, v): (&[f64], &mut [f64]),
        wrenches: &[Wrench],
        contacts: &[ContactPoint],
    ) -> StepInfo {
        let mut info = StepInfo::default();
        self.before.copy_from_slice(v);
        if params.control.is_none() && contacts.iter().all(|contact| contact.restitution == 0.0) {
            return info;
        }
        let start = Start { t, step, q, v: &self.before, wrenches };
        self.free.joints.use_rows(false);
        self.free.velocities(tree, &self.groups, &start, &mut self.free_velocity);
        self.centers.hold(tree, &self.start, &start, &mut self.free_velocity);
        self.rows.limits.clear();
        self.groups.fill(tree, &mut self.start, (&self.free_velocity, None), None, &mut self.problem);
        self.prescribed.locate_halfway(tree, t + 0.5 * step, q);
        self.locate_motion(tree, (t, step), q, contacts);
        // Drives do nothing in an impact.
        self.free.joints.rows.clear();
        let Self { start, prescribed, drift, groups, rows, problem, free, .. } = self;
        let places = Places { start, halfway: start, prescribed, drift };
        rows.add(tree, &places, groups, (&free.joints, contacts), problem);
        self.remember_bias();
        self.list_gaps(contacts);
        self.late.clear();
        self.late.resize(contacts.len(), false);
        if self.make_impacts(params, step, contacts, &mut info) {
            v.copy_from_slice(&self.before);
        }
        info
    }

    /// Marks the contacts with restitution that the step stopped though they came faster than its forces make them; whether there are any that were not marked.
    pub(super) fn find_late(&mut self, params: &StepParams, contacts: &[ContactPoint]) -> bool {
        if !self.has_impacts(params, contacts) {
            return false;
        }
        self.rates_of(Which::Before);
        self.rates_of(Which::Free);
        let mut is_any = false;
        for (k, contact) in contacts.iter().enumerate() {
            let block = self.rows.before + k;
            let (rate, gained) = (self.rates[block], self.free_rates[block] - self.rates[block]);
            let is_stopped = self.impulses[self.problem.first(block)] > 0.0;
            let is_late = (contact.restitution > 0.0 || params.control.is_some())
                && !contact.lasts
                && is_stopped
                && -rate > (-gained).max(params.tolerance);
            is_any |= is_late && !self.late[k];
            self.late[k] |= is_late;
        }
        is_any
    }

    /// Makes impacts with restitution until none is due; changes `before`. Whether there were any.
    pub(super) fn make_impacts(
        &mut self,
        params: &StepParams,
        step: f64,
        contacts: &[ContactPoint],
        info: &mut StepInfo,
    ) -> bool {
        self.rates_of(Which::Before);
        if !self.has_impacts(params, contacts) {
            return false;
        }
        self.rates_of(Which::Free);
        let (late, first) = (std::mem::take(&mut self.late), self.rows.before);
        let mut is_any = false;
        for _ in 0..if params.is_sequential { MAX_SEQUENCE } else { MAX_IMPACTS } {
            let (mut due, mut begun) = (0, 0);
            let slowest = if params.is_sequential {
                let is_due = |block: &usize| {
                    let contact = block.checked_sub(first).map(|k| &contacts[k]);
                    let is_late = block.checked_sub(first).is_some_and(|k| late[k]);
                    self.may_strike(*block, params, contacts)
                        && self.is_due((*block, contact), params, step, is_late)
                };
                let fastest =
                    self.gapped().filter(is_due).fold(0.0_f64, |most, block| most.max(-self.rates[block]));
                fastest * (1.0 - TOGETHER)
            } else {
                0.0
            };
            self.groups.gather(&self.before, &mut self.grouped);
            self.hold_loops();
            self.stop_drives();
            let energy: f64 =
                (0..self.groups.len()).map(|group| self.problem.kinetic_energy(group, &self.grouped)).sum();
            self.open.clear();
            self.open.resize(self.gaps.len(), false);
            for block in self.gapped() {
                let gap = self.gaps[block];
                let mut bias = self.driven[block];
                let contact = block.checked_sub(self.rows.before).map(|k| &contacts[k]);
                let restitution = self.restitution(block, contacts);
                let is_late = block.checked_sub(first).is_some_and(|k| late[k]);
                match contact {
                    _ if self.may_strike(block, params, contacts)
                        && self.is_due((block, contact), params, step, is_late)
                        && -self.rates[block] >= slowest =>
                    {
                        bias[0] += restitution * self.rates[block];
                        due += 1;
                        begun += usize::from(restitution > 0.0 || begins(contact));
                        self.mark_struck(block);
                    }
                    // What lasts does no work in an impact either.
                    Some(contact) if contact.lasts => bias = self.doubled(block),
                    // Of a sequence each impact is by itself.
                    Some(contact) if !params.is_sequential && gap <= contact.closed_gap() => {}
                    None if !params.is_sequential && gap <= 0.0 => {}
                    _ => {
                        // No impact adds energy, and with all of it in one contact this is its velocity.
                        let fastest = (2.0 * energy * self.problem.diagonal(block)[(0, 0)]).sqrt();
                        bias[0] += OPEN * (fastest + bias[0].abs()) + params.tolerance;
                        self.open[block] = true;
                    }
                }
                self.set_bias(block, bias);
            }
            self.set_moments(contacts);
            if due == 0 {
                break;
            }
            is_any = true;
            if begun > 0 {
                info.impacts += due;
                self.impact(params, contacts, info);
            } else {
                // No impact that one would report: what pivots on contacts comes with a velocity that was none at its last place.
                let mut aside = StepInfo::default();
                self.impact(params, contacts, &mut aside);
                let StepInfo { impacts, impact_impulse, impact_loss, .. } = *info;
                *info = StepInfo { impacts, impact_impulse, impact_loss, ..info.and(&aside) };
            }
            // What they changed.
            for (free_velocity, rate) in self.free_rates.iter_mut().zip(&self.rates) {
                *free_velocity -= rate;
            }
            self.rates_of(Which::Before);
            for (free_velocity, rate) in self.free_rates.iter_mut().zip(&self.rates) {
                *free_velocity += rate;
            }
        }
        self.late = late;
        is_any
    }

    /// Whether a step may have impacts: where something can be thrown back, or where all that strikes is to be known.
    pub(super) fn has_impacts(&self, params: &StepParams, contacts: &[ContactPoint]) -> bool {
        (params.control.is_some() && !self.gapped().is_empty())
            || contacts.iter().any(|contact| contact.restitution > 0.0)
            || self.rows.limits.iter().any(|limit| limit.restitution > 0.0)
    }

    /// Whether a gap may have an impact.
    fn may_strike(&self, block: usize, params: &StepParams, contacts: &[ContactPoint]) -> bool {
        let lasts = block.checked_sub(self.rows.before).is_some_and(|k| contacts[k].lasts);
        self.restitution(block, contacts) > 0.0 || (params.control.is_some() && !lasts)
    }

    /// The restitution of a limit or of a contact that may have an impact [-].
    fn restitution(&self, block: usize, contacts: &[ContactPoint]) -> f64 {
        match block.checked_sub(self.rows.before) {
            Some(k) if contacts[k].lasts => 0.0,
            Some(k) => contacts[k].restitution,
            None => self.rows.limits[block - self.gapped().start].restitution,
        }
    }

    /// Whether a gap would have passed zero by the end of the step, or is known to be late, and closes faster than the step's own forces make it.
    fn is_due(
        &self,
        (block, contact): (usize, Option<&ContactPoint>),
        params: &StepParams,
        step: f64,
        is_late: bool,
    ) -> bool {
        let (rate, gained) = (self.rates[block], self.free_rates[block] - self.rates[block]);
        let closed = contact.map_or(0.0, |contact| contact.closed);
        let gap = if self.gaps[block] <= closed { 0.0 } else { self.gaps[block].max(0.0) };
        (is_late || gap + step * (rate + 0.5 * gained) < 0.0) && -rate > (-gained).max(params.tolerance)
    }

    /// One impact, with the biases set; never with more energy afterwards.
    fn impact(&mut self, params: &StepParams, contacts: &[ContactPoint], info: &mut StepInfo) {
        self.groups.gather(&self.before, &mut self.grouped);
        self.problem.set_free(&self.grouped);
        self.impulses.fill(0.0);
        let tolerances = (BEYOND * params.tolerance, params.tolerance);
        let is_solved = self.solve(tolerances, info);
        let gained = self.work();
        if !is_solved || gained > 0.0 {
            // Restitution along some normals and friction at others can add up to more than there was: then as much of it as there is energy for. Or no impulses at all give it, where a body is stuck between others:
            // then none of it.
            self.elastic.clone_from(&self.impulses);
            for block in self.rows.before..self.gaps.len() {
                if !self.open[block] {
                    self.set_bias(block, self.driven[block]);
                }
            }
            self.impulses.fill(0.0);
            self.solve(tolerances, info);
            let plastic = self.work();
            if is_solved {
                let fraction = blend(&self.problem, &self.impulses, &self.elastic, (plastic, gained));
                for (impulse, elastic) in self.impulses.iter_mut().zip(&self.elastic) {
                    *impulse += fraction * (elastic - *impulse);
                }
                self.problem.begin(&self.impulses, &mut self.state);
            }
        }
        info.impact_loss -= self.work();
        info.impact_impulse +=
            (0..contacts.len()).map(|k| self.impulses[self.problem.first(self.rows.before + k)]).sum::<f64>();
        self.keep_shocks(params, contacts);
        self.groups.scatter(&self.state, &mut self.before);
    }

    /// Work of the impulses [J]: with the mean of the velocities before and after, those of prescribed motions included. A racket adds energy to a ball, but its impact loses some.
    fn work(&self) -> f64 {
        let mut work = 0.0;
        for (block, law) in self.problem.blocks().iter().enumerate() {
            let first = self.problem.first(block);
            let impulse = &self.impulses[first..first + law.rows()];
            if impulse.iter().all(|x| *x == 0.0) {
                continue;
            }
            let bias = &self.problem.bias()[first..first + law.rows()];
            let before = self.problem.response(block, self.problem.free());
            let after = self.problem.response(block, &self.state);
            for (k, impulse) in impulse.iter().enumerate() {
                work += impulse * (0.5 * (before[k] + after[k]) - (bias[k] - self.driven[block][k]));
            }
        }
        work
    }
}

/// Whether a contact did not push in the step before; a limit has no memory of it.
fn begins(contact: Option<&ContactPoint>) -> bool {
    contact.is_none_or(|contact| contact.impulse == Vec3::zeros())
}

/// The largest fraction of the path from `plastic` to `elastic` impulses that adds no energy; the energy is quadratic along it, and is not positive at its start.
fn blend(problem: &BodyProblem, plastic: &[f64], elastic: &[f64], (at_start, at_end): (f64, f64)) -> f64 {
    // The second derivative is |M^-1 J^T d|² in the metric of the masses: d W d.
    let change: Vec<f64> = elastic.iter().zip(plastic).map(|(e, p)| e - p).collect();
    let mut state = vec![0.0; problem.state_len()];
    problem.begin(&change, &mut state);
    let mut curvature = 0.0;
    for (block, law) in problem.blocks().iter().enumerate() {
        let first = problem.first(block);
        let (moved, rest) = (problem.response(block, &state), problem.response(block, problem.free()));
        for k in 0..law.rows() {
            curvature += change[first + k] * (moved[k] - rest[k]);
        }
    }
    // at_start + slope s + curvature s²/2 with the value at_end at one.
    let slope = at_end - at_start - 0.5 * curvature;
    let root = (slope * slope - 2.0 * curvature * at_start).max(0.0).sqrt();
    let fraction = if slope + root > 0.0 { -2.0 * at_start / (slope + root) } else { 0.0 };
    if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 }
}
