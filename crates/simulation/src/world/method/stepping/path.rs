//! The path of the last step: what lies between its ends.
//!
//! In: the parts that a step was made in. Out: the state and the contacts at any time of it. A run is read from here at times that are not the ends of steps, by frames and by whoever asks for the state, so that both see the same
//! and neither has any part in where steps end. Between the ends of a part the state is interpolated linearly: a step has no path of its own. An impact acts at the start of its part, so velocities in it go from those after the impact to those at its end. Where the length of steps follows their error, which makes long ones, velocities are interpolated so, and positions
//! by the parabola that has these velocities.

use zerogap_core::ContactId;
use zerogap_dynamics::multibody::Tree;
use zerogap_dynamics::step::ContactPoint;

use super::Memory;
use crate::world::shapes::PairId;

/// Parts of a step that are remembered one by one [-]. Beyond that every second one is dropped: a step in 65,536 parts would need as many states.
const MAX_PARTS: usize = 64;

/// The end of a part of a step that is not the end of the step, and the contacts of that part.
#[derive(Debug, Clone, Default)]
struct Knot {
    /// Time [s].
    t: f64,
    state: Vec<f64>,
    /// Whether the part began with an impact: its velocities are those after it.
    is_struck: bool,
    /// Velocities after the impact at the start of the part, where there was one and it is one part still; else none.
    launch: Vec<f64>,
    contacts: Vec<ContactPoint>,
    names: Vec<(PairId, ContactId)>,
    /// Length of the part [s].
    last: f64,
}

zerogap_core::store_struct!(Knot { t, state, is_struck, launch, contacts, names, last });

/// The knots of the last step.
#[derive(Debug, Clone, Default)]
pub(super) struct StepPath {
    /// Those in use come first; the others keep their memory.
    knots: Vec<Knot>,
    count: usize,
    /// Whether the last part began with an impact, and the velocities after it.
    is_struck: bool,
    launch: Vec<f64>,
    /// Whether positions follow a parabola between knots.
    is_curved: bool,
}

zerogap_core::store_struct!(StepPath { knots, count, is_struck, launch, is_curved });

/// The contacts of a part of a step, and the length that their impulses are for [s].
pub(super) struct PartContacts<'a> {
    pub(super) contacts: &'a [ContactPoint],
    pub(super) names: &'a [(PairId, ContactId)],
    pub(super) last: f64,
}

/// The ends of a step: times [s] and states.
#[derive(Clone, Copy)]
pub(super) struct Ends<'a> {
    pub(super) start: (f64, &'a [f64]),
    pub(super) end: (f64, &'a [f64]),
}

impl StepPath {
    /// Begins the path of a step, of lines or of parabolas.
    pub(super) fn clear(&mut self, is_curved: bool) {
        (self.count, self.is_struck, self.is_curved) = (0, false, is_curved);
        self.launch.clear();
    }

    /// Takes note of the velocities after the impact at the start of the current part, if there is one.
    pub(super) fn launch(&mut self, velocities: Option<&[f64]>) {
        self.launch.clear();
        self.launch.extend_from_slice(velocities.unwrap_or_default());
    }

    /// Takes note of a part that ends at a time [s] before the end of the step.
    pub(super) fn push(&mut self, t: f64, state: &[f64], is_struck: bool, memory: &Memory) {
        if self.count == MAX_PARTS {
            for k in 0..MAX_PARTS / 2 {
                self.knots[2 * k + 1].is_struck |= self.knots[2 * k].is_struck;
                self.knots[2 * k + 1].launch.clear();
                self.knots.swap(k, 2 * k + 1);
            }
            self.count = MAX_PARTS / 2;
        }
        if self.count == self.knots.len() {
            self.knots.push(Knot::default());
        }
        let knot = &mut self.knots[self.count];
        self.count += 1;
        knot.state.clear();
        knot.state.extend_from_slice(state);
        knot.contacts.clone_from(&memory.contacts);
        knot.names.clone_from(&memory.names);
        knot.launch.clone_from(&self.launch);
        (knot.t, knot.is_struck, knot.last) = (t, is_struck, memory.last);
    }

    /// Takes note of the last part.
    pub(super) fn finish(&mut self, is_struck: bool) {
        self.is_struck = is_struck;
    }

    fn used(&self) -> &[Knot] {
        &self.knots[..self.count]
    }

    /// The part that a time lies in, by the number of the knot at its end; all knots for the last part.
    fn part(&self, t: f64) -> usize {
        self.used().partition_point(|knot| knot.t < t)
    }

    /// Writes the state at a time of the step [s]; returns the length of the part that it lies in [s].
    pub(super) fn at(&self, ends: Ends<'_>, t: f64, tree: &Tree, state: &mut Vec<f64>) -> f64 {
        let (knots, part) = (self.used(), self.part(t));
        let (start, from) = match part.checked_sub(1) {
            Some(before) => (knots[before].t, &knots[before].state[..]),
            None => ends.start,
        };
        let (end, to, is_struck, launch) = match knots.get(part) {
            Some(knot) => (knot.t, &knot.state[..], knot.is_struck, &knot.launch[..]),
            None => (ends.end.0, ends.end.1, self.is_struck, &self.launch[..]),
        };
        let ratio = if end > start { ((t - start) / (end - start)).clamp(0.0, 1.0) } else { 1.0 };
        state.clear();
        state.extend(from.iter().zip(to).map(|(from, to)| from + ratio * (to - from)));
        let positions = tree.positions();
        let launched = match (is_struck, launch.is_empty()) {
            (_, false) => launch,
            (true, true) => &to[positions..],
            (false, true) => &from[positions..],
        };
        // After an impact at its start, velocities are those that it left.
        if is_struck && ratio > 0.0 {
            for ((v, before), after) in state[positions..].iter_mut().zip(launched).zip(&to[positions..]) {
                *v = before + ratio * (after - before);
            }
        }
        tree.normalise(&mut state[..positions]);
        if self.is_curved {
            let (q, v) = state.split_at_mut(positions);
            // The parabola through both ends with these velocities, beyond the line between them.
            let bend = 0.5 * (end - start) * ratio * (ratio - 1.0);
            for ((v, before), after) in v.iter_mut().zip(launched).zip(&to[positions..]) {
                *v = bend * (after - before);
            }
            tree.displace(q, v);
            for ((v, before), after) in v.iter_mut().zip(launched).zip(&to[positions..]) {
                *v = before + ratio * (after - before);
            }
            tree.normalise(q);
        }
        end - start
    }

    /// Returns the velocities at both ends of the part that a time of the step lies in, after an impact at its start, and its length [s].
    pub(super) fn part_velocities<'a>(
        &'a self,
        ends: Ends<'a>,
        t: f64,
        positions: usize,
    ) -> (&'a [f64], &'a [f64], f64) {
        let (knots, part) = (self.used(), self.part(t));
        let (start, from) = match part.checked_sub(1) {
            Some(before) => (knots[before].t, &knots[before].state[..]),
            None => ends.start,
        };
        let (end, to, launch) = match knots.get(part) {
            Some(knot) => (knot.t, &knot.state[..], &knot.launch[..]),
            None => (ends.end.0, ends.end.1, &self.launch[..]),
        };
        let from = if launch.is_empty() { &from[positions..] } else { launch };
        (from, &to[positions..], end - start)
    }

    /// Returns the contacts at a time of the step [s]; `memory` has those of the last part.
    pub(super) fn contacts<'a>(&'a self, t: f64, memory: &'a Memory) -> PartContacts<'a> {
        match self.used().get(self.part(t)) {
            Some(Knot { contacts, names, last, .. }) => PartContacts { contacts, names, last: *last },
            None => memory.part_contacts(),
        }
    }

    /// Returns a copy without the memory of other steps.
    pub(super) fn kept(&self) -> Self {
        Self { knots: self.used().to_vec(), launch: self.launch.clone(), ..*self }
    }

    /// Whether it can be the path of a state with so many numbers and velocities and of the pairs that are known.
    pub(super) fn may_be_of(
        &self,
        (numbers, velocities): (usize, usize),
        is_known: impl Fn(PairId) -> bool,
    ) -> bool {
        self.count == self.knots.len()
            && (self.launch.is_empty() || self.launch.len() == velocities)
            && self.count <= MAX_PARTS
            && self.knots.is_sorted_by(|a, b| a.t <= b.t)
            && self.knots.iter().all(|knot| {
                knot.t.is_finite()
                    && knot.state.len() == numbers
                    && knot.state.iter().all(|x| x.is_finite())
                    && (knot.launch.is_empty() || knot.launch.len() == velocities)
                    && knot.contacts.len() == knot.names.len()
                    && knot.names.iter().all(|(pair, _)| is_known(*pair))
            })
    }
}

impl Memory {
    /// The contacts of the last step, or of its last part.
    pub(super) fn part_contacts(&self) -> PartContacts<'_> {
        PartContacts { contacts: &self.contacts, names: &self.names, last: self.last }
    }
}
