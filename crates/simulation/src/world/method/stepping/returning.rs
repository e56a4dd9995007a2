//! Contact points that were left out of a step, and those of them that come back.
//!
//! In: a step solved with fewer points per patch ([`super::patch`]). Out: the points that it violates, among the contacts for the next solve, sorted by pair as before. After a few rounds all come back, so that a step ends.

use zerogap_core::{ContactId, Vec3};
use zerogap_dynamics::step::ContactPoint;

use super::Steps;
use crate::world::model::Model;
use crate::world::shapes::PairId;

/// Rounds in which violated points alone come back [-]; in the one after them all do.
const ROUNDS: usize = 2;

/// A point that came back stays for so many steps after the last in which it pushed [-].
const STAY: u32 = 10;

/// A contact point that was kept of a patch that had more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KeptPoint {
    pub(super) pair: PairId,
    pub(super) id: ContactId,
    /// Steps for which it stays in any case, because it came back not long ago [-].
    pub(super) needed_for: u32,
}

zerogap_core::store_struct!(KeptPoint { pair, id, needed_for });

/// The points that a step leaves out, sorted by pair, with memory that every step overwrites.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftOut {
    pub(super) contacts: Vec<ContactPoint>,
    pub(super) names: Vec<(PairId, ContactId)>,
    /// Pairs that left out any at the start of the step, sorted.
    pairs: Vec<PairId>,
    /// Points that came back in the step.
    returned: Vec<(PairId, ContactId)>,
    /// Gaps of the contacts at the start of the step: position correction changes them.
    gaps: Vec<f64>,
    /// Gaps of those left out at the end of the step, and which of them come back.
    end_gaps: Vec<f64>,
    is_violated: Vec<bool>,
    merged: Vec<ContactPoint>,
    merged_names: Vec<(PairId, ContactId)>,
}

impl LeftOut {
    /// Forgets the points of the step before.
    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.names.clear();
    }

    /// Takes note of the contacts that a step begins with.
    pub(super) fn begin(&mut self, contacts: &[ContactPoint]) {
        self.returned.clear();
        self.pairs.clear();
        self.pairs.extend(self.names.iter().map(|(pair, _)| *pair));
        self.pairs.dedup();
        self.gaps.clear();
        if !self.names.is_empty() {
            self.gaps.extend(contacts.iter().map(|contact| contact.gap));
        }
    }

    /// Brings the points back that the step violates; whether there are any. Then state and contacts are those of its start, with the impulses found to start from.
    pub(super) fn bring_back(
        &mut self,
        steps: &mut Steps,
        model: &Model,
        (t, step): (f64, f64),
        round: usize,
        y: &mut [f64],
    ) -> bool {
        if self.contacts.is_empty() {
            return false;
        }
        let (q, v) = steps.continuous.state.split_at(model.tree.positions());
        let tolerance = steps.params.tolerance;
        let time = (t, step);
        steps.stepper.end_gaps(&model.tree, tolerance, time, q, &self.contacts, &mut self.end_gaps);
        if !self.mark_violated(-tolerance * step) {
            return false;
        }
        if round > ROUNDS {
            self.is_violated.fill(true);
        }
        steps.stepper.locate(&model.tree, t, q, v);
        y.copy_from_slice(&steps.continuous.state);
        for (contact, gap) in steps.memory.contacts.iter_mut().zip(&self.gaps) {
            contact.gap = *gap;
        }
        self.merge(steps);
        self.gaps.clear();
        self.gaps.extend(steps.memory.contacts.iter().map(|contact| contact.gap));
        true
    }

    /// Marks the points whose gaps at the end of the step are below the least allowed [m], and those of the same pairs that are closed there: a face that lands flat has all of its corners or none. Whether there are any.
    fn mark_violated(&mut self, least: f64) -> bool {
        let Self { contacts, names, end_gaps, is_violated, .. } = self;
        is_violated.clear();
        let mut first = 0;
        while first < names.len() {
            let count = names[first..].iter().take_while(|(pair, _)| *pair == names[first].0).count();
            let of_pair = first..first + count;
            let is_any = end_gaps[of_pair.clone()].iter().any(|gap| *gap < least);
            is_violated
                .extend(of_pair.map(|k| is_any && (end_gaps[k] < least || end_gaps[k] <= contacts[k].slop)));
            first += count;
        }
        is_violated.contains(&true)
    }

    /// Puts the violated points behind the others of their pairs.
    fn merge(&mut self, steps: &mut Steps) {
        let Self { contacts, names, returned, is_violated, merged, merged_names, .. } = self;
        merged.clear();
        merged_names.clear();
        let memory = &mut steps.memory;
        let mut next = 0;
        for ((contact, name), _) in
            contacts.iter().zip(names.iter()).zip(&*is_violated).filter(|(_, is)| **is)
        {
            let end = next + memory.names[next..].iter().take_while(|(pair, _)| *pair <= name.0).count();
            merged.extend_from_slice(&memory.contacts[next..end]);
            merged_names.extend_from_slice(&memory.names[next..end]);
            next = end;
            merged.push(*contact);
            merged_names.push(*name);
            returned.push(*name);
        }
        merged.extend_from_slice(&memory.contacts[next..]);
        merged_names.extend_from_slice(&memory.names[next..]);
        std::mem::swap(&mut memory.contacts, merged);
        std::mem::swap(&mut memory.names, merged_names);
        let mut place = 0;
        contacts.retain(|_| {
            place += 1;
            !is_violated[place - 1]
        });
        place = 0;
        names.retain(|_| {
            place += 1;
            !is_violated[place - 1]
        });
    }

    /// Writes the points that were kept of patches that have more, sorted by pair: the next step prefers them.
    pub(super) fn remember(&mut self, steps: &mut Steps) {
        // Each round has appended its own.
        self.returned.sort_by_key(|(pair, _)| *pair);
        let memory = &mut steps.memory;
        let before = std::mem::take(&mut memory.kept);
        let mut next = 0;
        for pair in &self.pairs {
            next += memory.names[next..].iter().take_while(|(other, _)| other < pair).count();
            let count = memory.names[next..].iter().take_while(|(other, _)| other == pair).count();
            for (name, contact) in memory.names[next..].iter().zip(&memory.contacts[next..]).take(count) {
                let last = of_pair(&before, *pair).iter().find(|kept| kept.id == name.1);
                let last = last.map_or(0, |kept| kept.needed_for);
                let is_back = is_listed(&self.returned, name) || last > 0 && contact.impulse != Vec3::zeros();
                let needed_for = if is_back { STAY } else { last.saturating_sub(1) };
                memory.kept.push(KeptPoint { pair: *pair, id: name.1, needed_for });
            }
            next += count;
        }
    }
}

/// Whether a point is among some, which are sorted by pair.
fn is_listed(points: &[(PairId, ContactId)], name: &(PairId, ContactId)) -> bool {
    let first = points.partition_point(|(pair, _)| *pair < name.0);
    points[first..].iter().take_while(|(pair, _)| *pair == name.0).any(|other| other == name)
}

/// The kept points of a pair.
pub(super) fn of_pair(kept: &[KeptPoint], pair: PairId) -> &[KeptPoint] {
    let first = kept.partition_point(|kept| kept.pair < pair);
    let count = kept[first..].iter().take_while(|kept| kept.pair == pair).count();
    &kept[first..first + count]
}
