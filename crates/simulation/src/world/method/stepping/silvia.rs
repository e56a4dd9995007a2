//! Steps by SiLVIA's forces: gaps at the end of a step complementary to normal forces during it.
//!
//! In: a world at the start of a step. Out: the world one step later, with contacts and their impulses sorted by pair. Contacts of pairs that touch are chosen at the start; those of pairs that only come near wait, and
//! are added where the pair overlaps at the end, so that what flies past a corner is not stopped by it. The forces are found by [`zerogap_dynamics::step::Silvia`].

use std::time::Instant;

use zerogap_contact::solve::{FischerInfo, FischerParams};
use zerogap_core::{ContactId, Vec3};
use zerogap_dynamics::multibody::{Workspace, Wrench};
use zerogap_dynamics::step::{
    ContactPoint, Moment, Silvia, SilviaParams, SilviaStatus, StepContacts, StepInfo, Stepper,
};

use super::continuous::{Budget, ContinuousCollision, Fast, Unmade, is_fast};
use super::followed::Followed;
use super::forces::Forces;
use super::measure::{ContactPlace, Measure};
use super::touch::{Around, NEAR};
use super::{Known, Memory, Steps, last_impulse};
use crate::world::model::Model;
use crate::world::pair_contacts::ContactWork;
use crate::world::placed::SPEED_MARGIN;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// Overlaps at the end of a step up to this fraction of the size of the smaller shape need no further contact [-]; solving leaves less.
const LEFT: f64 = 1e-10;
/// Distances are known to this many roundings of the largest coordinate [-]: no solve can do better.
const ROUNDINGS: f64 = 64.0;

/// A contact of a step.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    pair: PairId,
    id: ContactId,
    measure: Measure,
    normal: Vec3,
    /// Velocity of B against A along the normal where it was found [m/s].
    gap_rate: f64,
}

/// A contact that pushed in a part of a step.
#[derive(Debug, Clone, Copy)]
struct Pushed {
    pair: PairId,
    id: ContactId,
    point: ContactPoint,
}

/// SiLVIA's forces, with memory that every step overwrites.
#[derive(Debug)]
pub(super) struct Pushing {
    silvia: Silvia,
    room: Room,
}

/// What is written anew in every step.
#[derive(Debug, Default)]
struct Room {
    chosen: Vec<Chosen>,
    waiting: Vec<Chosen>,
    pushed: Vec<Pushed>,
    pairs: Vec<PairId>,
    speeds: Vec<f64>,
    manifold: ContactWork,
    /// Memory of the pairs of complexes.
    followed: Followed,
    /// Miss of a distance that solving may leave [m].
    tolerance: f64,
}

/// A world as the method sees it.
struct Touching<'a> {
    around: Around<'a>,
    applied: &'a [Wrench],
    memory: &'a mut Memory,
    room: &'a mut Room,
    continuous: &'a mut ContinuousCollision,
    limits: usize,
}

impl Pushing {
    pub(super) fn new(model: &Model) -> Self {
        Self { silvia: Silvia::new(&model.tree, SilviaParams::default()), room: Room::default() }
    }
}

impl Forces for Pushing {
    fn name(&self) -> &'static str {
        "normal forces by gaps at the end of a step"
    }

    fn step(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        (t, step): (f64, f64),
        y: &mut [f64],
    ) -> Result<StepInfo, Unmade> {
        let begin = Instant::now();
        let Pushing { silvia, room } = self;
        let (q, v) = y.split_at_mut(model.tree.positions());
        let largest = q.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        room.tolerance = (steps.params.tolerance * step).max(ROUNDINGS * f64::EPSILON * largest);
        room.pushed.clear();
        steps.continuous.begin();
        let fischer = FischerParams { length: 1.0, tolerance: room.tolerance, ..FischerParams::default() };
        silvia.set_params(SilviaParams { fischer, ..SilviaParams::default() });

        let Model { tree, shapes, pairs, boxes, gaps, .. } = model;
        let applied = &steps.wrenches;
        let limits = tree.limits().len();
        let around = Around { shapes, table: pairs, boxes, gaps };
        let (memory, continuous) = (&mut steps.memory, &mut steps.continuous);
        let mut touching = Touching { around, applied, memory, room, continuous, limits };
        let info = silvia.step(tree, t, step, q, v, &mut touching);
        steps.speeds.clone_from(&room.speeds);
        let failure = room.manifold.failure.take();
        room.gather(&mut steps.memory, step);
        model.times.get_mut().holding += begin.elapsed();
        if let Some(failure) = failure {
            return Err(failure.into());
        }
        if info.status == SilviaStatus::Refused {
            return Err(Unmade::Overflow);
        }
        Ok(StepInfo {
            solves: info.parts + info.rounds,
            unconverged: usize::from(info.status != SilviaStatus::Done),
            newton: info.newton_steps,
            residual: info.residual / step,
            ..StepInfo::default()
        })
    }

    fn displacement(&self, _: &Stepper, v: &[f64], part: f64, out: &mut Vec<f64>) {
        out.extend(v.iter().map(|v| part * v));
    }
}

impl Room {
    /// Sums what contacts of one name did in the parts of a step.
    fn gather(&mut self, memory: &mut Memory, step: f64) {
        let pushed = &mut self.pushed;
        pushed.sort_by_key(|pushed| (pushed.pair, pushed.id));
        memory.names.clear();
        memory.contacts.clear();
        memory.known.clear();
        for Pushed { pair, id, point } in pushed.iter() {
            match (memory.names.last(), memory.contacts.last_mut(), memory.known.last_mut()) {
                (Some(name), Some(last), Some(known)) if *name == (*pair, *id) => {
                    // Where it is now, with all that it did.
                    let impulse = last.impulse + point.impulse;
                    *last = ContactPoint { impulse, ..*point };
                    known.impulse = impulse;
                }
                _ => {
                    memory.names.push((*pair, *id));
                    memory.contacts.push(*point);
                    memory.known.push(Known::new((*pair, *id), point));
                }
            }
        }
        memory.last = step;
    }

    /// The gap of a pair where it overlaps [m], with the memory of the pair where it has one.
    fn gap(&mut self, placed: &PlacedPair<'_>) -> f64 {
        let Self { manifold, followed, .. } = self;
        let Some(own) = followed.kept(placed.id) else { return manifold.gap(placed, 0.0) };
        manifold.cache.swap_complexes(own);
        let gap = manifold.gap(placed, 0.0);
        manifold.cache.swap_complexes(own);
        gap
    }

    /// The contacts of a pair within a gap, as they are meant throughout the step; the smallest gap.
    fn list(
        &mut self,
        (pair, placed): (PairId, &PlacedPair<'_>),
        ws: &Workspace,
        within: f64,
        is_waiting: impl FnOnce(f64) -> bool,
    ) {
        placed.contacts(within, &mut self.manifold);
        let Some(nearest) = self.manifold.contacts.iter().map(|contact| contact.gap).reduce(f64::min) else {
            return;
        };
        let list = if is_waiting(nearest) { &mut self.waiting } else { &mut self.chosen };
        for (k, contact) in
            self.manifold.contacts.iter().enumerate().filter(|(_, contact)| contact.gap <= within)
        {
            let measure = Measure::new(placed, &self.manifold, k);
            let at = 0.5 * (contact.point_a + contact.point_b);
            let velocity = ws.point_velocity(placed.b.body, at) - ws.point_velocity(placed.a.body, at);
            let (id, normal) = (contact.id, contact.normal);
            list.push(Chosen { pair, id, measure, normal, gap_rate: normal.dot(&velocity) });
        }
    }
}

impl Touching<'_> {
    /// Where the contact is.
    fn place(
        &mut self,
        contact: usize,
        ws: &Workspace,
    ) -> (ContactPlace, [Option<zerogap_dynamics::multibody::BodyId>; 2]) {
        let chosen = &self.room.chosen[contact];
        let placed = PlacedPair::new(self.around.shapes, chosen.pair, ws);
        (chosen.measure.at(&placed, &mut self.room.manifold), [placed.a.body, placed.b.body])
    }

    /// Whether a contact of a pair is not satisfied as it is.
    fn is_missed(&mut self, pair: PairId, ws: &Workspace, allowed: f64) -> bool {
        (0..self.room.chosen.len())
            .any(|k| self.room.chosen[k].pair == pair && self.place(k, ws).0.distance < -allowed)
    }
}

impl StepContacts for Touching<'_> {
    fn choose(&mut self, start: &Moment<'_>, dt: f64) -> usize {
        let Self { around, room, continuous, .. } = self;
        let falling = start.tree.gravity().norm() * dt * dt;
        around.follow(start.ws, dt, falling, continuous.reached.as_slice(), &mut room.speeds);
        let mut pairs = std::mem::take(&mut room.pairs);
        around.list_pairs(&mut pairs);
        room.chosen.clear();
        room.waiting.clear();
        room.followed.turn();
        for pair in &pairs {
            let placed = PlacedPair::new(around.shapes, *pair, start.ws);
            let way = SPEED_MARGIN * dt * (room.speeds[pair.a.0 as usize] + room.speeds[pair.b.0 as usize]);
            let resting = falling + NEAR * placed.size();
            if placed.is_far(way + resting) {
                continue;
            }
            if placed.is_complex() {
                let mut own = room.followed.take(*pair);
                room.manifold.cache.swap_complexes(&mut own);
                room.list((*pair, &placed), start.ws, way + resting, |nearest| nearest > resting);
                room.manifold.cache.swap_complexes(&mut own);
                room.followed.keep(*pair, own);
                continuous.budgets.extend(Budget::of(*pair, &room.manifold));
                continue;
            }
            if is_fast(placed.a, placed.b, way) {
                // What could pass through the other within the step must not wait for an overlap at its end.
                let is_close = continuous.is_off
                    || room.manifold.gap(&placed, way + resting) <= resting + placed.path_resolution();
                if is_close {
                    room.list((*pair, &placed), start.ws, way + resting, |_| false);
                    continuous.limit(placed.a, placed.b, way / dt);
                } else {
                    continuous.fast.push(Fast { pair: *pair, speed: way / dt });
                }
                continue;
            }
            room.list((*pair, &placed), start.ws, way + resting, |nearest| nearest > resting);
        }
        room.pairs = pairs;
        self.limits + self.room.chosen.len()
    }

    fn loads(&mut self, start: &Moment<'_>, wrenches: &mut [Wrench], effort: &mut [f64]) {
        wrenches.copy_from_slice(self.applied);
        start.tree.joint_efforts(start.q, start.v, effort);
    }

    fn warm(&mut self, contact: usize) -> f64 {
        let Some(k) = contact.checked_sub(self.limits) else {
            return self.memory.limits.get(contact).copied().unwrap_or(0.0);
        };
        let chosen = &self.room.chosen[k];
        let impulse = last_impulse(&self.memory.known, chosen.pair, chosen.id);
        if self.memory.last > 0.0 { impulse.norm() / self.memory.last } else { 0.0 }
    }

    fn distances(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
        for (k, out) in which.iter().zip(out) {
            *out = match k.checked_sub(self.limits) {
                None => at.tree.limit_value(&at.tree.limits()[*k], at.q),
                Some(k) => self.place(k, at.ws).0.distance,
            };
        }
    }

    fn rows(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
        // Where nothing moves there are no rows.
        for (k, row) in which.iter().zip(out.chunks_exact_mut(at.v.len().max(1))) {
            let Some(k) = k.checked_sub(self.limits) else {
                at.tree.limit_row(&at.tree.limits()[*k], at.ws, row);
                continue;
            };
            let (place, [a, b]) = self.place(k, at.ws);
            at.tree.point_row(at.ws, b, place.on_b, place.normal, 1.0, row);
            at.tree.point_row(at.ws, a, place.on_a, place.normal, -1.0, row);
        }
    }

    fn prescribed_rates(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
        let mut row = vec![0.0; at.v.len()];
        for (k, out) in which.iter().zip(out) {
            // Limits are those of joints that move freely.
            let Some(k) = k.checked_sub(self.limits) else {
                *out = 0.0;
                continue;
            };
            let (place, [a, b]) = self.place(k, at.ws);
            row.fill(0.0);
            at.tree.point_row(at.ws, b, place.on_b, place.normal, 1.0, &mut row);
            at.tree.point_row(at.ws, a, place.on_a, place.normal, -1.0, &mut row);
            let velocity = at.ws.point_velocity(b, place.on_b) - at.ws.point_velocity(a, place.on_a);
            let own: f64 = row.iter().zip(at.v).map(|(x, v)| x * v).sum();
            *out = place.normal.dot(&velocity) - own;
        }
    }

    fn widen(&mut self, end: &Moment<'_>) -> usize {
        let before = self.room.chosen.len();
        let mut speeds = Vec::new();
        self.around.follow(end.ws, 0.0, 0.0, &[], &mut speeds);
        let mut pairs = std::mem::take(&mut self.room.pairs);
        self.around.list_pairs(&mut pairs);
        for pair in &pairs {
            let placed = PlacedPair::new(self.around.shapes, *pair, end.ws);
            let allowed = (LEFT * placed.size()).max(2.0 * self.room.tolerance);
            if placed.is_far(0.0) {
                continue;
            }
            let gap = self.room.gap(&placed);
            if gap >= -allowed {
                continue;
            }
            // What waited since the start, where the shapes were apart and the normal is sure.
            let (found, waiting) = (self.room.chosen.len(), &self.room.waiting);
            self.room.chosen.extend(waiting.iter().filter(|contact| contact.pair == *pair));
            if self.room.chosen.len() > found {
                self.room.waiting.retain(|contact| contact.pair != *pair);
                continue;
            }
            // Other features than those at the start meet; more contacts do not help one that is not met anyway.
            if !self.is_missed(*pair, end.ws, allowed) {
                self.room.list((*pair, &placed), end.ws, 0.0, |_| false);
            }
        }
        self.room.pairs = pairs;
        self.room.chosen.len() - before
    }

    fn accept(&mut self, end: &Moment<'_>, dt: f64, forces: &[f64], _: &FischerInfo) {
        let (limits, forces) = forces.split_at(self.limits);
        self.memory.limits.clear();
        self.memory.limits.extend_from_slice(limits);
        let first = self.room.pushed.len();
        for (k, force) in forces.iter().enumerate().filter(|(_, force)| **force > 0.0) {
            let (place, [a, b]) = self.place(k, end.ws);
            let Chosen { pair, id, normal, gap_rate, .. } = self.room.chosen[k];
            let point = ContactPoint {
                a,
                b,
                at: 0.5 * (place.on_a + place.on_b),
                normal,
                gap: place.distance,
                impulse: normal * (force * dt),
                gap_rate,
                ..ContactPoint::default()
            };
            self.room.pushed.push(Pushed { pair, id, point });
        }
        // What the next part starts from.
        self.memory.known.clear();
        let known = |pushed: &Pushed| Known::new((pushed.pair, pushed.id), &pushed.point);
        self.memory.known.extend(self.room.pushed[first..].iter().map(known));
        self.memory.known.sort_by_key(|known| known.pair);
        self.memory.last = dt;
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::Pose;
    use zerogap_dynamics::multibody::Inertia;
    use zerogap_geometry::Shape;

    use super::*;
    use crate::world::{BodyDef, ShapeDef, StepForces, Stepping, WorldBuilder, WorldParams};

    #[test]
    fn a_cube_is_carried_equally_by_its_corners() {
        let stepping = Stepping { forces: StepForces::Silvia, step: 0.01, ..Stepping::default() };
        let params = WorldParams::new(stepping);
        let mut builder = WorldBuilder::new(params);
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        let size = Vec3::repeat(1.0);
        let def = BodyDef::free(Pose::from_translation(Vec3::new(0.0, 0.0, 0.5)).unwrap());
        let def = def.with(Shape::cuboid(size).unwrap(), "steel").with_inertia(Inertia::cuboid(1.0, size));
        builder.body(def).unwrap();
        let mut world = builder.build().unwrap();
        for step in 1..=10 {
            world.advance_to(0.01 * f64::from(step)).unwrap();
            let contacts = world.contact_points();
            assert_eq!(contacts.len(), 4);
            for contact in contacts {
                let force = contact.force.z;
                assert!((force - 2.4525).abs() < 1e-7 && contact.gap.abs() < 1e-11, "{contact:?}");
            }
        }
    }
}
