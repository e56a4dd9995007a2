//! Zero-crossing functions: what crosses zero when something has to change.
//!
//! In: the discrete state and the pairs that may touch. Out: a list of sources and their values at any state of a step. Pairs come first, in the places of [`Places`] or as two
//! functions; then joint limits, friction, rigid contacts and functions of the user.

use zerogap_core::ContactId;
use zerogap_dynamics::event::Direction;
use zerogap_proximity::oriented::OrientedHistory;

use super::active_pairs::{ActivePair, Assignment, FreePoint};
use super::discrete::{Closed, Elastic, Mode};
use super::elastic_friction::Friction;
use super::event_model::EventModel;
use super::frozen::EventScratch;
use crate::world::pairs::TOUCH;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// An elastic contact ends when its gap is beyond this fraction of the size [-]. It pushes nothing from a gap of zero on, so this changes no motion; it keeps a pair
/// that rests at a gap of nothing from chattering.
const OPEN: f64 = 1e-10;

/// A pair that has just separated may be in overlap by rounding, and a joint beyond the limit from which it has just rebounded; it touches again when it is deeper than it was by
/// this fraction of that overlap [-] and by [`AGAIN_SIZE`] of its size.
const AGAIN: f64 = 1e-3;

/// Roundings of a gap, against the size [-].
const AGAIN_SIZE: f64 = 1e-15;

/// A pair that has just begun to stick pulls as it did when it slid, with nothing left but rounding; it slides again when it pulls by this fraction of its load more than it may [-]. Without
/// it, sticking and sliding would take turns until the grip has relaxed.
const LENIENCE: f64 = 0.02;

/// A rigid pair none of whose points carries has separated at a gap of so many times what counts as touching [-].
const SEPARATED: f64 = 10.0;

/// What a place without a pair holds: it never crosses zero.
const UNUSED: f64 = 1.0;

/// The quantity whose zero crossings a function locates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Source {
    /// The gap of a pair: it touches, or it separates.
    Pair(PairId),
    /// A place without a pair.
    Unused,
    /// The smallest gap of all separated pairs.
    AnyTouches,
    /// The largest gap of all elastic pairs in contact.
    AnyParts,
    /// The distance to a joint limit.
    Limit(usize),
    /// The force of the k-th active limit, which has this number.
    LimitForce(usize, usize),
    /// What ends for a corner of a pair that collides by oriented collision.
    Corners(PairId),
    /// Friction left to an elastic pair that sticks.
    Grip(PairId),
    /// Sliding of an elastic pair along the direction in which it slid.
    Slide(PairId),
    /// Normal force of a rigid contact point.
    Load(PairId, usize),
    /// Friction left to the points of a rigid pair that stick.
    Cone(PairId),
    /// Sliding of a rigid contact point along the direction in which it slid.
    Slip(PairId, usize),
    /// Gap of a point of a rigid pair that carries nothing, by its place among those of the step.
    Free(PairId, usize),
    /// Smallest gap of all points of a rigid pair that carry nothing and are not among those of the step: names change as shapes turn.
    NewPoint(PairId),
    /// Whether all points of a rigid pair that carry are still points of the pair.
    Lost(PairId),
    /// How near a rigid pair is, none of whose points carries.
    Near(PairId),
    /// A function of the user.
    User(usize),
}

impl Source {
    fn needs_forces(self) -> bool {
        use Source as S;
        matches!(self, S::LimitForce(..) | S::Grip(_) | S::Slide(_) | S::Load(..) | S::Cone(_) | S::Slip(..))
    }
}

/// A gap that passes zero where something touches: at zero, or deeper where it began a step in overlap. The same for friction that is left to what sticks.
fn again(gap: f64, at_start: f64, size: f64) -> f64 {
    if at_start < 0.0 { gap - (1.0 + AGAIN) * at_start + AGAIN_SIZE * size } else { gap }
}

/// The entry of a pair in a list that is sorted by pair.
fn of_pair<T>(list: &[T], pair: PairId, key: impl Fn(&T) -> PairId) -> Option<&T> {
    list.binary_search_by_key(&pair, key).ok().map(|at| &list[at])
}

impl EventModel<'_> {
    /// Lists the functions of a step that begins at a state and whose pairs were found by [`EventModel::select_active_pairs`].
    pub(crate) fn list_functions(&mut self, t: f64, y: &[f64]) {
        let mut sources = std::mem::take(&mut self.data.active_pairs.sources);
        sources.clear();

        // Pairs that may touch or part.
        let discrete = &self.data.discrete;
        let is_rigid = |pair| matches!(discrete.closed.get(&pair), Some(Closed::Rigid(_)));
        match &mut self.data.active_pairs.assignment {
            Assignment::Places(places) => {
                places.clear();
                for &ActivePair { pair, gap } in &self.data.active_pairs.selected {
                    if !is_rigid(pair) {
                        places.offer(gap, pair);
                    }
                }
                sources.extend(places.chosen().map(Source::Pair));
                sources.resize(places.len(), Source::Unused);
            }
            Assignment::Two => sources.extend([Source::AnyTouches, Source::AnyParts]),
        }

        // Joint limits, and how far each is away.
        let positions = &y[..self.model.tree.positions()];
        self.data.active_pairs.ways.clear();
        self.data.active_pairs.ways.extend(
            self.model.tree.limits().iter().map(|limit| self.model.tree.limit_value(limit, positions)),
        );
        let mut active = 0;
        for (k, &is_active) in discrete.is_active.iter().enumerate() {
            sources.push(if is_active { Source::LimitForce(active, k) } else { Source::Limit(k) });
            active += usize::from(is_active);
        }

        // Contacts.
        for (&pair, closed) in &discrete.closed {
            if discrete.oriented_histories.contains_key(&pair) {
                sources.push(Source::Corners(pair));
            }
            match closed {
                Closed::Elastic(elastic) if elastic.restless.stays(t) => {}
                Closed::Elastic(elastic) => match elastic.friction {
                    Friction::Smooth => {}
                    Friction::Slip(_) => sources.push(Source::Slide(pair)),
                    Friction::Stick(_) => sources.push(Source::Grip(pair)),
                },
                Closed::Rigid(points) => {
                    for (k, point) in points.iter().enumerate() {
                        match point.mode {
                            Mode::Touch => {}
                            Mode::Slip(_) => {
                                sources.extend([Source::Load(pair, k), Source::Slip(pair, k)]);
                            }
                            Mode::Stick(_) => sources.push(Source::Load(pair, k)),
                        }
                    }
                    if points.iter().any(|point| matches!(point.mode, Mode::Stick(_))) {
                        sources.push(Source::Cone(pair));
                    }
                    let free = &self.data.active_pairs.free;
                    let first = free.partition_point(|point| point.pair < pair);
                    let count = free[first..].iter().take_while(|point| point.pair == pair).count();
                    sources.extend((first..first + count).map(|place| Source::Free(pair, place)));
                    sources.push(Source::NewPoint(pair));
                    let carries = points.iter().any(|point| point.mode != Mode::Touch);
                    sources.push(if carries { Source::Lost(pair) } else { Source::Near(pair) });
                }
            }
        }
        sources.extend((0..self.model.users.len()).map(Source::User));

        self.data.active_pairs.directions.clear();
        self.data.active_pairs.directions.extend(sources.iter().map(|source| match source {
            Source::Pair(pair) if discrete.closed.contains_key(pair) => Direction::Rising,
            Source::AnyParts => Direction::Rising,
            Source::User(k) => self.model.users[*k].direction,
            _ => Direction::Falling,
        }));
        self.data.active_pairs.sources = sources;
    }

    /// How much friction is left to the pairs that stick at the start of a step, and under which load; and how far the points of rigid pairs that carry nothing are away.
    pub(crate) fn note_margins(&mut self, t: f64, y: &[f64]) {
        let mut free = std::mem::take(&mut self.data.active_pairs.free);
        free.clear();
        if self.data.discrete.closed.values().any(|closed| matches!(closed, Closed::Rigid(_))) {
            let scratch = &mut *self.data.scratch.borrow_mut();
            self.model.locate_bodies(t, y, &mut scratch.ws);
            scratch.points.pair = None;
            for (&pair, _) in
                self.data.discrete.closed.iter().filter(|(_, closed)| matches!(closed, Closed::Rigid(_)))
            {
                self.find_points(pair, scratch);
                free.extend(scratch.points.free.iter().map(|(id, gap)| FreePoint {
                    pair,
                    id: *id,
                    gap: *gap,
                }));
            }
        }
        self.data.active_pairs.free = free;
        self.data.active_pairs.margins.clear();
        if self.data.discrete.sticking > 0 {
            let scratch = &mut *self.data.scratch.borrow_mut();
            self.frozen().evaluate(t, y, scratch);
            self.data
                .active_pairs
                .margins
                .extend(scratch.elastic.iter().map(|(pair, state)| (*pair, state.margin, state.load)));
        }
    }

    /// The values of all functions.
    pub(crate) fn values(&self, t: f64, y: &[f64], z: &mut [f64]) {
        let scratch = &mut *self.data.scratch.borrow_mut();
        if self.data.active_pairs.sources.iter().any(|source| source.needs_forces()) {
            self.frozen().evaluate(t, y, scratch);
        } else {
            self.model.locate_bodies(t, y, &mut scratch.ws);
        }
        let start = std::time::Instant::now();
        scratch.points.pair = None;
        for (z, source) in z.iter_mut().zip(&self.data.active_pairs.sources) {
            *z = self.value(*source, t, y, scratch);
        }
        self.model.times.borrow_mut().functions += start.elapsed();
    }

    fn value(&self, source: Source, t: f64, y: &[f64], scratch: &mut EventScratch) -> f64 {
        let elastic = |pair: PairId, scratch: &EventScratch| {
            of_pair(&scratch.elastic, pair, |(other, _)| *other).map(|(_, state)| *state)
        };
        match source {
            Source::Unused => UNUSED,
            Source::Pair(pair) => {
                let active = of_pair(&self.data.active_pairs.selected, pair, |active| active.pair);
                self.pair_value(pair, active.map_or(0.0, |active| active.gap), scratch)
            }
            Source::AnyTouches | Source::AnyParts => {
                // The smallest of one kind or the largest of the other, by the sign.
                let sign = if source == Source::AnyTouches { 1.0 } else { -1.0 };
                let of_kind = self.data.active_pairs.selected.iter().filter(|active| {
                    match self.data.discrete.closed.get(&active.pair) {
                        None => source == Source::AnyTouches,
                        Some(closed) => source == Source::AnyParts && matches!(closed, Closed::Elastic(_)),
                    }
                });
                let values =
                    of_kind.map(|&ActivePair { pair, gap }| sign * self.pair_value(pair, gap, scratch));
                sign * values.fold(UNUSED, f64::min)
            }
            Source::Limit(k) => {
                let limit = &self.model.tree.limits()[k];
                let way = self.model.tree.limit_value(limit, self.model.parts(y).q);
                again(way, self.data.active_pairs.ways[k], limit.bound.abs())
            }
            Source::LimitForce(place, _) => scratch.constraints.limits.get(place).copied().unwrap_or(UNUSED),
            Source::Corners(pair) => {
                let placed = self.frozen().placed(pair, &scratch.ws);
                placed.of_history(OrientedHistory::function).unwrap_or(UNUSED)
            }
            Source::Grip(pair) => elastic(pair, scratch).map_or(UNUSED, |state| {
                match of_pair(&self.data.active_pairs.margins, pair, |(other, ..)| *other) {
                    Some((_, margin, load)) if *margin < 0.0 => {
                        again(state.margin + LENIENCE * state.load, margin + LENIENCE * load, state.load)
                    }
                    _ => state.margin,
                }
            }),
            Source::Slide(pair) => match (self.data.discrete.closed.get(&pair), elastic(pair, scratch)) {
                (Some(Closed::Elastic(Elastic { friction: Friction::Slip(_), .. })), Some(state)) => {
                    state.along
                }
                _ => UNUSED,
            },
            Source::Load(pair, k) => {
                let of = scratch
                    .constraints
                    .points
                    .iter()
                    .find(|constrained| constrained.point.pair == pair && constrained.index == k);
                of.map_or(UNUSED, |constrained| constrained.normal_force)
            }
            Source::Slip(pair, k) => {
                let of = scratch
                    .constraints
                    .points
                    .iter()
                    .find(|constrained| constrained.point.pair == pair && constrained.index == k);
                match of.map(|constrained| (constrained.point.slip, constrained.mode)) {
                    Some((slip, Mode::Slip(reference))) => slip.dot(&reference),
                    _ => UNUSED,
                }
            }
            Source::Cone(pair) => super::rigid::breakaway::friction_left(pair, &scratch.constraints.points),
            // A point that begins a step in overlap, by an impact that left it there, has a function as well: it touches when it is deeper.
            Source::Free(pair, place) => {
                self.find_points(pair, scratch);
                let Some(point) = self.data.active_pairs.free.get(place) else { return UNUSED };
                let size = self.model.pair_size(pair);
                let now = scratch.points.free.iter().find(|(id, _)| *id == point.id);
                let half = 0.5 * TOUCH * size;
                now.map_or(UNUSED, |(_, gap)| again(gap + half, point.gap + half, size))
            }
            Source::NewPoint(pair) => {
                self.find_points(pair, scratch);
                if scratch.points.is_inside {
                    return -UNUSED;
                }
                let is_known = |id: ContactId| {
                    self.data.active_pairs.free.iter().any(|point| point.pair == pair && point.id == id)
                };
                let new = scratch.points.free.iter().filter(|(id, _)| !is_known(*id)).map(|(_, gap)| *gap);
                new.fold(UNUSED, f64::min) + 0.5 * TOUCH * self.model.pair_size(pair)
            }
            Source::Lost(pair) => {
                self.find_points(pair, scratch);
                if scratch.points.is_lost { -UNUSED } else { UNUSED }
            }
            Source::Near(pair) => {
                self.find_points(pair, scratch);
                if scratch.points.is_inside {
                    return UNUSED;
                }
                let gap = scratch.points.free.iter().map(|(_, gap)| *gap).fold(f64::INFINITY, f64::min);
                (SEPARATED * TOUCH * self.model.pair_size(pair) - gap).max(-UNUSED)
            }
            Source::User(k) => self.user_value(k, t, y, &scratch.ws),
        }
    }

    /// The gap of a pair, moved so that an event is where it passes zero.
    pub(crate) fn pair_value(&self, pair: PairId, at_start: f64, scratch: &mut EventScratch) -> f64 {
        let placed = self.frozen().placed(pair, &scratch.ws);
        let gap = scratch.manifold.gap(&placed, f64::INFINITY);
        match self.data.discrete.closed.get(&pair) {
            Some(_) => gap - OPEN * placed.size(),
            None => again(gap, at_start, placed.size()),
        }
    }

    /// Finds the points of a rigid pair that carry nothing, with their gaps, and whether one that carries is no longer a point of the pair; once for all functions of an evaluation.
    fn find_points(&self, pair: PairId, scratch: &mut EventScratch) {
        if scratch.points.pair == Some(pair) {
            return;
        }
        let EventScratch { points: found, ws, manifold, .. } = scratch;
        found.pair = Some(pair);
        found.free.clear();
        (found.is_lost, found.is_inside) = (false, false);
        let Some(Closed::Rigid(points)) = self.data.discrete.closed.get(&pair) else { return };
        let placed = PlacedPair::new(&self.model.shapes, pair, ws);
        placed.points(manifold);
        let contacts = &manifold.contacts;
        // Complexes that intersect have no points; they touched before.
        if contacts.is_empty() && manifold.gap.gap < 0.0 {
            found.is_inside = true;
            return;
        }
        // A curved contact is one point whatever it is called.
        if contacts.len() == 1 && points.len() == 1 && points[0].mode != Mode::Touch {
            return;
        }
        let carries = |id| points.iter().any(|point| point.id == id && point.mode != Mode::Touch);
        let free = contacts.iter().filter(|contact| !carries(contact.id));
        found.free.extend(free.map(|contact| (contact.id, contact.gap)));
        let mut carrying = points.iter().filter(|point| point.mode != Mode::Touch);
        found.is_lost = carrying.any(|point| contacts.iter().all(|contact| contact.id != point.id));
    }

    /// Number of pairs that have begun or ended contact and are not covered by a function.
    pub(crate) fn uncovered_pairs(&self, t: f64, y: &[f64]) -> usize {
        let Assignment::Places(places) = &self.data.active_pairs.assignment else { return 0 };
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let mut is_uncovered = |active: &&ActivePair| {
            let &ActivePair { pair, gap } = *active;
            if places.holds(pair) {
                return false;
            }
            match self.data.discrete.closed.get(&pair) {
                None => self.pair_value(pair, gap, scratch) < 0.0,
                Some(Closed::Elastic(_)) => self.pair_value(pair, gap, scratch) > 0.0,
                Some(Closed::Rigid(_)) => false,
            }
        };
        self.data.active_pairs.selected.iter().filter(|active| is_uncovered(active)).count()
    }
}
