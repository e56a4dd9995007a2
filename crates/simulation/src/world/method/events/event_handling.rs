//! What a world does when a step is accepted and when something crosses zero.
//!
//! In: accepted steps and crossings from the driver. Out: a new discrete state, and the state itself where velocities jump. This is the one place where either changes.

use std::collections::BTreeMap;
use std::time::Instant;

use zerogap_contact::law::friction;
use zerogap_dynamics::event::{Acceptance, CapturedInterval, Direction, Model as LocatedModel, Step};
use zerogap_proximity::collider::ColliderKind;

use super::active_pairs::Assignment;
use super::discrete::{Captured, Closed, Creep, Discrete, Elastic, Mode, SlipWork, Tally};
use super::elastic::onset_after;
use super::elastic_friction::{Friction, STATES};
use super::event_model::EventModel;
use super::frozen::{EventScratch, Frozen};
use super::functions::Source;
use super::rigid::constraints::ConstrainedPoint;
use crate::world::WorldError;
use crate::world::events::{CrowdCause, EventKind};
use crate::world::model::Model;
use crate::world::params::ContactModel;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// Rigid contacts that slide more slowly than this, step after step, are asked whether they stick [m/s]: a corner that a body turns about neither slides nor comes to a
/// stop, and equations with friction become ever stiffer about it.
pub(crate) const CREEP: f64 = 1e-6;

/// Steps that they may do so [-] before they are asked for the first time; after each answer that they slide on they may do so for twice as many.
pub(crate) const PATIENCE: usize = 3;

/// The functions that crossed at an event, sorted by what has to be done.
#[derive(Debug, Default)]
struct Agenda {
    touched: Vec<PairId>,
    parted: Vec<PairId>,
    slipping: Vec<PairId>,
    sticking: Vec<PairId>,
    /// Elastic pairs that have slipped slowly for long.
    creeping: Vec<PairId>,
    limits: Vec<usize>,
    /// Rigid contacts whose forces or sliding have changed their kind.
    is_unsettled: bool,
    /// Rigid pairs with other points than those that carried.
    is_lost: bool,
    /// Functions of the user that crossed zero.
    functions: Vec<usize>,
    /// A pair that something happens to.
    pair: Option<PairId>,
}

impl Agenda {
    /// What an event of this kind is where events crowd.
    fn cause(&self) -> CrowdCause {
        if !self.touched.is_empty() || !self.parted.is_empty() {
            CrowdCause::Impacts
        } else if !self.limits.is_empty() {
            CrowdCause::Limits
        } else if !self.functions.is_empty() {
            CrowdCause::Functions
        } else {
            CrowdCause::Friction
        }
    }
}

impl LocatedModel for EventModel<'_> {
    type Error = WorldError;

    fn prepare(&mut self, step: &Step<'_>) {
        let start = Instant::now();
        // The step was made: whatever failed in trials of it does not count.
        self.data.scratch.get_mut().manifold.failure = None;
        self.data.active_pairs.start = step.t0;
        self.select_active_pairs(step);
        self.note_margins(step.t0, step.y0);
        self.list_functions(step.t0, step.y0);
        self.model.times.get_mut().broad += start.elapsed();
    }

    fn has_missed(&mut self, t: f64, y: &[f64]) -> bool {
        let uncovered = self.uncovered_pairs(t, y);
        if uncovered > 0
            && let Assignment::Places(places) = &mut self.data.active_pairs.assignment
        {
            places.grow(places.len() + uncovered);
            let functions = places.len();
            // At the start of the step, whose end may lie ahead of the time that a call asks for.
            self.model.note(self.data.active_pairs.start, EventKind::MoreFunctions { functions });
        }
        uncovered > 0
    }

    fn directions(&self) -> &[Direction] {
        &self.data.active_pairs.directions
    }

    fn functions(&self, t: f64, y: &[f64], z: &mut [f64]) {
        self.values(t, y, z);
    }

    fn samples(&self) -> usize {
        self.data.active_pairs.samples
    }

    fn known_crossing(&self) -> Option<f64> {
        self.data.active_pairs.known_touch
    }

    fn next_scheduled(&self, t: f64) -> f64 {
        let next = self.model.scheduled.partition_point(|time| *time <= t);
        let scheduled = self.model.scheduled.get(next).copied().unwrap_or(f64::INFINITY);
        // A tick ends a step as a scheduled time does, and is no event.
        let tick = if self.model.tick > t { self.model.tick } else { f64::INFINITY };
        scheduled.min(tick).min(self.model.tree.next_jump())
    }

    fn accept(&mut self, step: &Step<'_>, y: &mut [f64]) -> Acceptance {
        self.data.discrete.tally.count(CrowdCause::Steps, None);
        self.record(step, step.t1);
        let is_corrected = self.correct(step.t1, y);
        self.follow_friction(step.t1, y);
        // Handling it ends the run where complexes intersect, and where the narrow phase has failed.
        let is_creeping = self.data.discrete.creeping > self.data.discrete.patience
            || self.creeping_pairs(step.t1).next().is_some();
        let is_handled = self.commit_oriented(step.t1, y) || is_creeping || self.has_failed();
        if is_handled || self.refuse_intersecting(step.t1, y).is_err() {
            return Acceptance::Event;
        }
        if is_corrected { Acceptance::Corrected } else { Acceptance::Good }
    }

    fn accept_until(&mut self, step: &Step<'_>, t: f64) {
        self.record(step, t);
    }

    fn read(&mut self, step: &Step<'_>, t: f64, y: &mut [f64]) {
        self.record(step, t);
        // A pair without an answer here says nothing about the step.
        let failure = self.data.scratch.get_mut().manifold.failure.take();
        self.correct(t, y);
        self.data.scratch.get_mut().manifold.failure = failure;
    }

    fn first_step(&self) -> Option<f64> {
        self.data.first_step
    }

    fn is_rough_beyond(&self, step: &Step<'_>) -> bool {
        // The force of an elastic contact ends with a kink.
        let is_elastic = |closed: &Closed| matches!(closed, Closed::Elastic(_));
        self.data.discrete.closed.values().any(is_elastic)
            && !self.crossed_pairs(step.t1, step.y1).1.is_empty()
    }

    fn is_stopped(&self) -> bool {
        self.data.is_stopped
    }

    fn capture_step(&self, _t: f64) -> Option<f64> {
        self.captured_step()
    }

    fn is_unsolved(&self) -> bool {
        self.data.discrete.is_unsolved
    }

    fn passes_phases(&self) -> bool {
        self.data.capture.passes_phases
    }

    fn needs_phase(&self) -> bool {
        self.data.discrete.is_large
    }

    fn is_calm(&mut self, _step: &Step<'_>) -> bool {
        self.is_calm_again()
    }

    fn capture(
        &mut self,
        t: f64,
        y: &[f64],
        end: f64,
        is_phase: bool,
        to: &mut Vec<f64>,
    ) -> Result<f64, WorldError> {
        self.capture_to((t, end), y, is_phase, to)
    }

    fn accept_captured(
        &mut self,
        step: &Step<'_>,
        y: &mut [f64],
        last: Option<CapturedInterval>,
    ) -> Result<(), WorldError> {
        self.accept_captured_step(step, y, last)
    }

    fn event(&mut self, t: f64, y: &mut Vec<f64>, crossed: &[usize]) -> Result<(), WorldError> {
        let start = Instant::now();
        self.data.first_step = None;
        self.refuse_failure(t)?;
        self.correct(t, y);
        self.refuse_intersecting(t, y)?;
        self.commit_oriented(t, y);
        let mut agenda = self.agenda(t, y, crossed);
        agenda.creeping.extend(self.creeping_pairs(t));
        let before = self.values_before_jump(t, y);
        if self.data.discrete.creeping > self.data.discrete.patience {
            agenda.is_unsettled = true;
            self.data.discrete.patience = self.data.discrete.patience.saturating_mul(2);
        }
        self.data.discrete.tally.count(agenda.cause(), agenda.pair);
        self.change(t, y, &agenda)?;
        self.refuse_failure(t)?;
        self.note_jumped_functions(t, y, &before, &agenda.functions);
        self.data.discrete.creeping = 0;
        self.model.times.get_mut().events += start.elapsed();
        Ok(())
    }

    fn schedule(&mut self, t: f64, y: &mut Vec<f64>) -> Result<bool, WorldError> {
        let has_jumped = self.model.pass_jump(t, y);
        if has_jumped {
            // What it drives into is hit, and what it leaves behind parts.
            self.impact(t, y, &[], &[])?;
        }
        let is_scheduled = self.model.scheduled.binary_search_by(|time| time.total_cmp(&t)).is_ok();
        if is_scheduled {
            self.model.note(t, EventKind::Scheduled);
        }
        if has_jumped || is_scheduled {
            self.settle(t, y)?;
            self.refuse_failure(t)?;
        }
        Ok(has_jumped || is_scheduled)
    }
}

impl EventModel<'_> {
    /// The elastic pairs that have slipped slowly for so long that friction takes the direction of their sliding.
    fn creeping_pairs(&self, t: f64) -> impl Iterator<Item = PairId> + '_ {
        let creeps = move |closed: &Closed| match closed {
            Closed::Elastic(Elastic { friction: Friction::Slip(_), creep, .. }) => creep.has_lasted(t),
            _ => false,
        };
        self.data.discrete.closed.iter().filter(move |entry| creeps(entry.1)).map(|entry| *entry.0)
    }

    /// Sorts crossings by what has to be done.
    fn agenda(&mut self, t: f64, y: &[f64], crossed: &[usize]) -> Agenda {
        let mut agenda = Agenda::default();
        for &index in crossed {
            // A state that was stored names functions by number.
            let Some(&source) = self.data.active_pairs.sources.get(index) else { continue };
            match source {
                // Pairs are checked below.
                Source::Unused
                | Source::Pair(_)
                | Source::AnyTouches
                | Source::AnyParts
                | Source::Corners(_) => {}
                Source::Limit(limit) => agenda.limits.push(limit),
                Source::Grip(pair) => agenda.slipping.push(pair),
                Source::Slide(pair) => agenda.sticking.push(pair),
                Source::LimitForce(..) => agenda.is_unsettled = true,
                Source::Load(pair, _) | Source::Cone(pair) | Source::Slip(pair, _) => {
                    agenda.is_unsettled = true;
                    agenda.pair = Some(pair);
                }
                Source::Free(pair, _) | Source::NewPoint(pair) => agenda.touched.push(pair),
                Source::Lost(pair) => {
                    agenda.is_lost = true;
                    agenda.pair = Some(pair);
                }
                Source::Near(pair) => agenda.parted.push(pair),
                Source::User(function) => {
                    self.model.note(t, EventKind::Crossed { function });
                    self.data.is_stopped |= self.model.users[function].stops;
                    agenda.functions.push(function);
                }
            }
        }
        // All pairs that have crossed by now, whichever function located them: what happens together is handled together.
        let (touched, parted) = self.crossed_pairs(t, y);
        agenda.touched.extend(touched);
        agenda.parted.extend(parted);
        agenda.touched.sort_unstable();
        agenda.touched.dedup();
        agenda.pair = agenda.touched.first().copied().or(agenda.pair);
        agenda
    }

    /// Changes the discrete state, and the state with it.
    fn change(&mut self, t: f64, y: &mut Vec<f64>, agenda: &Agenda) -> Result<(), WorldError> {
        let mut deflections = self.frozen().deflections(y);

        // Elastic pairs, one by one.
        for pair in &agenda.parted {
            self.data.discrete.closed.remove(pair);
            self.model.note(t, EventKind::ContactEnd { pair: *pair });
        }
        self.change_friction(t, y, agenda, &mut deflections);
        if !agenda.touched.is_empty() {
            self.model.locate_bodies(t, y, &mut self.data.scratch.borrow_mut().ws);
        }
        match self.model.contact {
            ContactModel::Elastic(law) => {
                for &pair in &agenda.touched {
                    let closed = self.begin_elastic(t, pair, law)?;
                    self.data.discrete.closed.insert(pair, Closed::Elastic(closed));
                }
            }
            ContactModel::Rigid(_) => {
                for &pair in &agenda.touched {
                    self.note_touch(t, pair);
                }
            }
        }
        self.write_deflections(y, &deflections);

        // Rigid contacts and limits, all together.
        let is_rigid = matches!(self.model.contact, ContactModel::Rigid(_));
        let touched: &[PairId] = if is_rigid { &agenda.touched } else { &[] };
        for &limit in &agenda.limits {
            let approach = -self.model.tree.limits()[limit].sign
                * y[self.model.tree.positions() + self.model.tree.limits()[limit].v_index];
            let limit = self.model.tree.limits()[limit].number;
            self.model.note(t, EventKind::LimitReached { limit, approach });
        }
        if !touched.is_empty() || !agenda.limits.is_empty() || agenda.is_lost {
            self.impact(t, y, touched, &agenda.limits)?;
        }
        let has_begun = is_rigid && !touched.is_empty() || agenda.is_lost;
        if has_begun || !agenda.limits.is_empty() || agenda.is_unsettled {
            self.settle(t, y)?;
        }
        Ok(())
    }

    /// Begins everything that touches at the start of a run.
    pub(crate) fn start(&mut self, t: f64, y: &mut Vec<f64>, near: &[PairId]) -> Result<(), WorldError> {
        self.begin_touching(t, y, near, 0)
    }

    /// Begins what touches of the pairs and limits that another model does not have.
    pub(crate) fn begin_added(
        &mut self,
        t: f64,
        y: &mut Vec<f64>,
        near: &[PairId],
        from: &Model,
    ) -> Result<(), WorldError> {
        self.begin_touching(t, y, near, from.tree.limit_numbers())
    }

    /// Begins what touches of the pairs that are near, and of the limits from a number on.
    fn begin_touching(
        &mut self,
        t: f64,
        y: &mut Vec<f64>,
        near: &[PairId],
        first_limit: usize,
    ) -> Result<(), WorldError> {
        let touched = self.touching_pairs(t, y, near)?;
        if let Some(pair) = self.first_intersecting(t, y, touched.iter().copied()) {
            return Err(WorldError::Intersecting { t, pair });
        }
        let all = self.model.tree.limits();
        let is_begun =
            |k: &usize| all[*k].number >= first_limit && all[*k].value(self.model.parts(y).q) <= 0.0;
        let limits: Vec<usize> = (0..all.len()).filter(is_begun).collect();
        self.change(t, y, &Agenda { touched, limits, ..Agenda::default() })?;
        self.refuse_failure(t)
    }

    /// Takes over the contacts and limits of a model with other bodies, with the bristle deflections among its states; those of what was removed end.
    pub(crate) fn carry_contacts(&mut self, from: &Frozen<'_>, t: f64, (state, y): (&[f64], &mut Vec<f64>)) {
        let Discrete { closed, is_active, oriented_histories, creeping, patience, captured, phases, .. } =
            from.discrete;
        let (kept, ended): (Vec<_>, Vec<_>) =
            closed.iter().partition(|(pair, _)| self.model.has_live_pair(**pair));
        for (pair, _) in ended {
            self.model.note(t, EventKind::ContactEnd { pair: *pair });
        }
        let is_live = |pair: &PairId| self.model.has_live_pair(*pair);
        let histories = oriented_histories.iter().filter(|(pair, _)| self.model.has_live_pair(**pair));
        self.data.discrete = Discrete {
            closed: kept.into_iter().map(|(pair, closed)| (*pair, closed.clone())).collect(),
            is_active: self.model.carry_limits(from.model, is_active, false),
            oriented_histories: histories.map(|(pair, history)| (*pair, history.clone())).collect(),
            // Numbered with the deflections.
            sticking: 0,
            creeping: *creeping,
            patience: *patience,
            captured: captured.as_ref().map(|captured| Captured {
                users: captured.users.clone(),
                pairs: captured.pairs.iter().copied().filter(is_live).collect(),
                pushing: captured.pushing.iter().copied().filter(is_live).collect(),
                ..*captured
            }),
            tally: Tally::default(),
            is_unsolved: false,
            is_large: false,
            phases: phases.clone(),
        };
        self.write_deflections(y, &from.deflections(state));
        // Who has a place is found anew for the next step.
        if let Assignment::Places(places) = &mut self.data.active_pairs.assignment {
            places.clear();
        }
    }

    /// Fails where complexes that may touch in the current step intersect: they have no contacts then, and would fall through each other silently.
    fn refuse_intersecting(&self, t: f64, y: &[f64]) -> Result<(), WorldError> {
        let active = self.data.active_pairs.selected.iter().map(|active| active.pair);
        let first = self.first_intersecting(t, y, active);
        first.map_or(Ok(()), |pair| Err(WorldError::Intersecting { t, pair }))
    }

    /// The first of some pairs whose complexes intersect.
    pub(crate) fn first_intersecting(
        &self,
        t: f64,
        y: &[f64],
        mut pairs: impl Iterator<Item = PairId>,
    ) -> Option<PairId> {
        if self.model.shapes.iter().all(|placed| !placed.colliders.has(ColliderKind::Complex)) {
            return None;
        }
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let EventScratch { ws, manifold, .. } = scratch;
        pairs.find(|pair| PlacedPair::new(&self.model.shapes, *pair, ws).is_intersecting(manifold))
    }

    /// Elastic pairs that begin to slide or to stick.
    fn change_friction(
        &mut self,
        t: f64,
        y: &[f64],
        agenda: &Agenda,
        deflections: &mut BTreeMap<PairId, [f64; STATES]>,
    ) {
        if agenda.slipping.is_empty() && agenda.sticking.is_empty() && agenda.creeping.is_empty() {
            return;
        }
        self.frozen().evaluate(t, y, &mut self.data.scratch.borrow_mut());
        let states = std::mem::take(&mut self.data.scratch.get_mut().elastic);
        for (pair, state) in &states {
            let Some(Closed::Elastic(closed)) = self.data.discrete.closed.get_mut(pair) else { continue };
            if agenda.slipping.contains(pair) {
                // It gives way against the pull that held it.
                closed.friction = Friction::Slip(state.against);
                closed.onset = None;
                closed.creep = Creep::new();
                closed.restless.change(t);
                let held = deflections
                    .remove(pair)
                    .map_or(0.0, |deflection| closed.bristle_energy(state.lever, &deflection));
                closed.slip_work = SlipWork::new(t, held);
                self.model.note(t, EventKind::Slip { pair: *pair });
            } else if agenda.sticking.contains(pair) {
                if state.speed > friction::SLOW {
                    closed.friction = Friction::Slip(state.sliding);
                    continue;
                }
                closed.slip_work.add(t, state.power);
                deflections.insert(*pair, closed.take_hold(state));
                closed.restless.change(t);
                self.model.note(t, EventKind::Stick { pair: *pair });
            } else if agenda.creeping.contains(pair) {
                closed.creep = Creep::new();
                closed.friction = Friction::Slip(state.sliding);
            }
        }
        self.data.scratch.get_mut().elastic = states;
    }

    /// Writes the bristle deflections behind positions and velocities, in the order of pairs; a pair that has just begun has none yet.
    fn write_deflections(&mut self, y: &mut Vec<f64>, deflections: &BTreeMap<PairId, [f64; STATES]>) {
        self.data.discrete.number_deflections();
        y.truncate(self.model.tree.positions() + self.model.tree.velocities());
        for (pair, closed) in &self.data.discrete.closed {
            if let Closed::Elastic(Elastic { friction: Friction::Stick(_), .. }) = closed {
                y.extend(deflections.get(pair).copied().unwrap_or_default());
            }
        }
    }

    /// Records the state of friction at the end of an accepted step: in which direction each pair slides, and which pairs have full friction.
    fn follow_friction(&mut self, t: f64, y: &[f64]) {
        let slides = |closed: &Closed| match closed {
            Closed::Elastic(closed) => matches!(closed.friction, Friction::Slip(_)),
            Closed::Rigid(points) => points.iter().any(|point| matches!(point.mode, Mode::Slip(_))),
        };
        let takes_hold = |closed: &Closed| match closed {
            Closed::Elastic(Elastic { onset, friction, .. }) => {
                onset.is_some() && matches!(friction, Friction::Stick(_))
            }
            Closed::Rigid(_) => false,
        };
        let closed = || self.data.discrete.closed.values();
        let (slides, takes_hold) = (closed().any(slides), closed().any(takes_hold));
        if slides || takes_hold {
            self.frozen().evaluate(t, y, &mut self.data.scratch.borrow_mut());
        }
        if slides {
            self.renew_references(t);
        } else {
            (self.data.discrete.creeping, self.data.discrete.patience) = (0, PATIENCE);
        }
        if takes_hold {
            self.follow_onsets();
        }
    }

    /// Ends the onset of pairs whose friction has taken hold, at the state that was evaluated last. Nothing jumps: they pull with all they ask for already.
    fn follow_onsets(&mut self) {
        let scratch = self.data.scratch.borrow();
        for (pair, state) in &scratch.elastic {
            if let Some(Closed::Elastic(closed)) = self.data.discrete.closed.get_mut(pair)
                && let Friction::Stick(_) = closed.friction
            {
                closed.onset = onset_after(closed, state);
            }
        }
    }

    /// The directions of sliding at the state that was evaluated last, at a time [s]: what the next step compares with.
    fn renew_references(&mut self, t: f64) {
        let scratch = self.data.scratch.borrow();
        for (pair, state) in &scratch.elastic {
            if let Some(Closed::Elastic(closed)) = self.data.discrete.closed.get_mut(pair)
                && let Friction::Slip(reference) = &mut closed.friction
            {
                closed.slip_work.add(t, state.power);
                // Slower than this the force depends on the reference, and what it was at the start of sliding is as good as any: for a while.
                let is_slow = state.speed < 2.0 * friction::SLOW;
                closed.creep.note(t, is_slow);
                if !is_slow {
                    *reference = state.sliding;
                }
            }
        }
        let creeps = |constrained: &ConstrainedPoint| {
            matches!(constrained.mode, Mode::Slip(_)) && constrained.point.slip.norm() < CREEP
        };
        let is_creeping = scratch
            .constraints
            .points
            .iter()
            .any(|constrained| constrained.friction > 0.0 && creeps(constrained));
        (self.data.discrete.creeping, self.data.discrete.patience) = if is_creeping {
            (self.data.discrete.creeping + 1, self.data.discrete.patience)
        } else {
            (0, PATIENCE)
        };
        for constrained in &scratch.constraints.points {
            if let Some(Closed::Rigid(points)) = self.data.discrete.closed.get_mut(&constrained.point.pair)
                && let Mode::Slip(reference) = &mut points[constrained.index].mode
                && constrained.friction > 0.0
                && let Some(direction) = constrained.point.slip.try_normalize(f64::MIN_POSITIVE)
            {
                *reference = direction;
            }
        }
    }
}

impl Frozen<'_> {
    /// The bristle deflections of all pairs that stick.
    fn deflections(&self, y: &[f64]) -> BTreeMap<PairId, [f64; STATES]> {
        let deflections = self.model.parts(y).deflections;
        let of = |(pair, closed): (&PairId, &Closed)| match closed {
            Closed::Elastic(Elastic { friction: Friction::Stick(place), .. }) => {
                let s = &deflections[place * STATES..][..STATES];
                Some((*pair, [s[0], s[1], s[2], s[3]]))
            }
            _ => None,
        };
        self.discrete.closed.iter().filter_map(of).collect()
    }
}
