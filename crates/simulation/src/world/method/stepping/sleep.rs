//! Sleeping: islands that have been at rest for a while are frozen until something touches or moves them.
//!
//! In: the bodies and contacts at the end of a step. Out: which bodies sleep. An island is what hangs together by joints, loops and contacts, not through what is fixed or prescribed; it sleeps and wakes as one. Asleep its
//! velocities are zero, its positions keep their bits, and its contacts and impulses stay as they were: they are reported, and a solve starts from them when it wakes. Pairs of what sleeps are not searched and its contacts not
//! solved. It wakes where a contact with something that moves appears, where prescribed motion carries it, and when the user changes what acts on it. All that decides is part of the saved state, so runs are the same to the bit however
//! they are cut into calls.

use zerogap_core::disjoint_sets::DisjointSets;
use zerogap_core::{ContactId, Vec3};
use zerogap_dynamics::multibody::{BodyId, JointKind, Motor, Tree, Workspace};
use zerogap_dynamics::step::{ContactPoint, Groups};

use super::{Memory, Steps};
use crate::world::events::EventKind;
use crate::world::model::Model;
use crate::world::placed::PlacedCollider;
use crate::world::shapes::{PairId, ShapeId};

/// Who sleeps, and since when the others rest.
#[derive(Debug, Clone, Default)]
pub(super) struct Sleepers {
    /// Island of each body that sleeps: one more than the number of its first body; zero for bodies that are awake. Empty before the first step, and where nothing ever sleeps.
    island: Vec<u32>,
    /// How long each body has been slower than what counts as rest [s].
    rest: Vec<f64>,
    /// Contacts of what sleeps, sorted by pair, and their names.
    contacts: Vec<ContactPoint>,
    names: Vec<(PairId, ContactId)>,
    /// Length of the step that their impulses are for [s].
    length: f64,
}

zerogap_core::store_struct!(Sleepers { island, rest, contacts, names, length });

/// Memory of sleeping that every step overwrites, and what of the tree it needs.
#[derive(Debug)]
pub(super) struct Sleeping {
    /// Bodies constrained by each loop.
    loops: Vec<Vec<BodyId>>,
    /// Joint velocities of zero, and the bodies with these: at the start of a step, and where prescribed motions end; none without prescribed motion.
    rest: Vec<f64>,
    carried: Option<Box<[Workspace; 2]>>,
    /// Bodies that prescribed motion moves in the step.
    moved: Vec<bool>,
    frozen: Vec<bool>,
    speeds: Vec<f64>,
    islands: DisjointSets,
    is_supported: Vec<bool>,
    is_ready: Vec<bool>,
    woken: Vec<u32>,
    contacts: Vec<ContactPoint>,
    names: Vec<(PairId, ContactId)>,
}

impl Sleepers {
    /// Becomes another one, in the room that it has.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.island.clone_from(&other.island);
        self.rest.clone_from(&other.rest);
        self.contacts.clone_from(&other.contacts);
        self.names.clone_from(&other.names);
        self.length = other.length;
    }

    /// Whether a body sleeps.
    pub(super) fn is_asleep(&self, body: BodyId) -> bool {
        self.island_of(Some(body)) != 0
    }

    /// How many bodies sleep [-].
    pub(super) fn count(&self) -> usize {
        self.island.iter().filter(|island| **island != 0).count()
    }

    /// Whether a pair has a contact in an island that sleeps.
    pub(super) fn has_pair(&self, pair: PairId) -> bool {
        self.names.binary_search_by_key(&pair, |(pair, _)| *pair).is_ok()
    }

    /// The island of a body that sleeps, else zero.
    fn island_of(&self, body: Option<BodyId>) -> u32 {
        body.and_then(|body| self.island.get(body.index())).copied().unwrap_or(0)
    }

    /// Wakes an island: all of its bodies, whose rest begins anew.
    fn wake(&mut self, island: u32, mut note: impl FnMut(BodyId)) {
        if island == 0 {
            return;
        }
        let is_of = |contact: &ContactPoint, all: &[u32]| {
            [contact.a, contact.b].iter().flatten().any(|body| all[body.index()] == island)
        };
        let Self { island: all, rest, contacts, names, .. } = self;
        let mut kept = 0;
        for k in 0..contacts.len() {
            if !is_of(&contacts[k], all) {
                (contacts[kept], names[kept]) = (contacts[k], names[k]);
                kept += 1;
            }
        }
        contacts.truncate(kept);
        names.truncate(kept);
        for (body, (of, rest)) in all.iter_mut().zip(rest).enumerate() {
            if *of == island {
                (*of, *rest) = (0, 0.0);
                note(BodyId(body as u32));
            }
        }
    }

    /// Whether it can be that of a world with these bodies and the pairs that are known.
    pub(super) fn may_be_of(&self, tree: &Tree, is_known: impl Fn(PairId) -> bool) -> bool {
        let is_body = |body: Option<BodyId>| body.is_none_or(|body| body.index() < tree.bodies());
        let all = if self.island.is_empty() { 0 } else { tree.bodies() };
        self.island.len() == all
            && self.rest.len() == all
            && self.island.iter().all(|island| *island as usize <= all)
            && self.rest.iter().all(|rest| *rest >= 0.0)
            && self.contacts.len() == self.names.len()
            && (self.contacts.is_empty() || (self.length > 0.0 && self.length.is_finite()))
            && self.contacts.iter().all(|contact| is_body(contact.a) && is_body(contact.b))
            && self.names.iter().all(|(pair, _)| is_known(*pair))
    }

    /// What is left of it for a model with other bodies than that `from` which it comes, at a time [s]. What touched something that was removed wakes, and so does what is near something new.
    pub(super) fn carried(&self, from: &Model, model: &mut Model, t: f64, near: &[PairId]) -> Self {
        let mut next = self.clone();
        if next.island.is_empty() {
            return next;
        }
        let bodies = model.tree.bodies();
        next.island.resize(bodies, 0);
        next.rest.resize(bodies, 0.0);
        let mut woken: Vec<u32> = Vec::new();
        for (contact, (pair, _)) in self.contacts.iter().zip(&self.names) {
            if !model.has_live_pair(*pair) {
                woken.extend([contact.a, contact.b].map(|body| next.island_of(body)));
            }
        }
        let body_of = |shape: ShapeId| model.shapes[shape.0 as usize].body;
        for pair in near {
            woken.extend([pair.a, pair.b].map(|shape| next.island_of(body_of(shape))));
        }
        // What a body hangs on that is new, or hung on one that is gone; who else a loop held is not known any more.
        let has_loops = from.tree.loop_rows() != model.tree.loop_rows();
        for body in (0..bodies as u32).map(BodyId) {
            let is_new = body.index() >= from.tree.bodies();
            let is_gone = model.removed.contains_key(&body);
            if is_new || is_gone {
                let tree = if is_new { &model.tree } else { &from.tree };
                woken.extend([next.island_of(Some(body)), next.island_of(tree.parent(body))]);
            }
            if has_loops {
                woken.push(next.island_of(Some(body)));
            }
        }
        woken.sort_unstable();
        woken.dedup();
        for island in woken {
            next.wake(island, |body| {
                if !model.removed.contains_key(&body) {
                    model
                        .events
                        .push(crate::world::Event { t, what: EventKind::Wake { body: body.index() } });
                }
            });
        }
        next
    }
}

impl Sleeping {
    pub(super) fn new(tree: &Tree, groups: &Groups) -> Self {
        let bodies = || (0..tree.bodies() as u32).map(BodyId);
        let mut loops: Vec<Vec<BodyId>> = Vec::new();
        for body in bodies() {
            for closure in tree.loops_of(body) {
                let place = closure.0 as usize;
                loops.resize(loops.len().max(place + 1), Vec::new());
                loops[place].push(body);
            }
        }
        let is_prescribed = |body| matches!(tree.joint(body), JointKind::Prescribed(_));
        let has_prescribed = bodies().any(is_prescribed);
        Self {
            loops,
            rest: vec![0.0; tree.velocities()],
            carried: has_prescribed.then(|| Box::new([tree.workspace(), tree.workspace()])),
            moved: vec![false; tree.bodies()],
            frozen: vec![false; groups.len()],
            speeds: Vec::new(),
            islands: DisjointSets::default(),
            is_supported: Vec::new(),
            is_ready: Vec::new(),
            woken: Vec::new(),
            contacts: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Finds the bodies that prescribed motion moves between two times [s], whatever their joints do.
    fn find_moved(&mut self, tree: &Tree, (t, step): (f64, f64), q: &[f64]) {
        let Some([start, end]) = self.carried.as_deref_mut() else { return };
        tree.update_places(t, q, &self.rest, start);
        tree.update_places(t + step, q, &self.rest, end);
        for (index, moved) in self.moved.iter_mut().enumerate() {
            let body = BodyId(index as u32);
            let is_moving = |ws: &Workspace| {
                ws.linear_velocity(body) != Vec3::zeros() || ws.angular_velocity(body) != Vec3::zeros()
            };
            *moved = is_moving(start) || is_moving(end) || start.pose(body) != end.pose(body);
        }
    }

    fn is_moved(&self, body: Option<BodyId>) -> bool {
        body.is_some_and(|body| self.moved[body.index()])
    }

    /// Removes the pairs in which nothing moves: of bodies that sleep, with each other or with what is fixed or rests. Returns how many.
    pub(super) fn drop_pairs(
        &self,
        sleepers: &Sleepers,
        (shapes, groups): (&[PlacedCollider], &Groups),
        pairs: &mut Vec<PairId>,
    ) -> usize {
        let before = pairs.len();
        let is_active = |shape: ShapeId| {
            let body = shapes[shape.0 as usize].body;
            self.is_moved(body) || (groups.of(body).is_some() && sleepers.island_of(body) == 0)
        };
        if sleepers.count() > 0 {
            pairs.retain(|pair| is_active(pair.a) || is_active(pair.b));
        }
        before - pairs.len()
    }
}

impl Steps {
    /// Whether bodies may fall asleep at all.
    fn may_sleep(&self) -> bool {
        self.params.sleep.is_finite()
    }

    /// Wakes all where nothing may sleep: the state is of a world with other settings.
    pub(super) fn wake_where_none_sleeps(&mut self) {
        if !self.may_sleep() {
            self.memory.sleepers = Sleepers::default();
        }
    }

    /// Prepares a step, or a part of one, at its start: wakes what prescribed motion carries. Whether all sleeps and nothing moves.
    pub(super) fn begin_sleep(&mut self, model: &mut Model, (t, step): (f64, f64), q: &[f64]) -> bool {
        if !self.may_sleep() {
            return false;
        }
        let tree = &model.tree;
        let sleepers = &mut self.memory.sleepers;
        sleepers.island.resize(tree.bodies(), 0);
        sleepers.rest.resize(tree.bodies(), 0.0);
        self.sleeping.find_moved(tree, (t, step), q);
        if sleepers.count() > 0 && self.sleeping.moved.contains(&true) {
            let Sleeping { moved, loops, woken, .. } = &mut self.sleeping;
            woken.clear();
            let is_moved = |body: &BodyId| moved[body.index()];
            for body in tree.body_ids().filter(is_moved) {
                woken.push(sleepers.island_of(Some(body)));
            }
            for held in loops.iter().filter(|held| held.iter().any(is_moved)) {
                woken.extend(held.iter().map(|body| sleepers.island_of(Some(*body))));
            }
            self.wake_all(model, t);
        }
        let sleepers = &self.memory.sleepers;
        let groups = self.stepper.groups();
        let is_still = |body: BodyId| {
            !self.sleeping.moved[body.index()]
                && (groups.of(Some(body)).is_none() || sleepers.island_of(Some(body)) != 0)
        };
        sleepers.count() > 0 && model.tree.body_ids().all(is_still)
    }

    /// Wakes what something that moves touches, or may within the step. Whether there was any: then contacts have to be found again.
    pub(super) fn wake_touched(&mut self, model: &mut Model, t: f64) -> bool {
        if self.memory.sleepers.count() == 0 {
            return false;
        }
        let (sleepers, woken) = (&self.memory.sleepers, &mut self.sleeping.woken);
        woken.clear();
        for contact in &self.memory.contacts {
            woken.extend([contact.a, contact.b].map(|body| sleepers.island_of(body)));
        }
        self.wake_all(model, t)
    }

    /// Wakes a body with its island.
    pub(super) fn wake_body(&mut self, model: &mut Model, t: f64, body: BodyId) {
        self.sleeping.woken.clear();
        self.sleeping.woken.push(self.memory.sleepers.island_of(Some(body)));
        self.wake_all(model, t);
    }

    /// Wakes the islands that are listed, at a time [s]. Whether there was any.
    fn wake_all(&mut self, model: &mut Model, t: f64) -> bool {
        let woken = &mut self.sleeping.woken;
        woken.sort_unstable();
        woken.dedup();
        for island in woken.iter() {
            let note = |body: BodyId| model.note(t, EventKind::Wake { body: body.index() });
            self.memory.sleepers.wake(*island, note);
        }
        woken.last().is_some_and(|island| *island != 0)
    }

    /// Passes the sleeping bodies to the stepper.
    pub(super) fn freeze(&mut self, tree: &Tree) {
        if !self.may_sleep() {
            return;
        }
        self.sleeping.frozen.fill(false);
        for body in tree.body_ids().filter(|body| self.memory.sleepers.is_asleep(*body)) {
            if let Some(group) = self.stepper.groups().of(Some(body)) {
                self.sleeping.frozen[group] = true;
            }
        }
        self.stepper.freeze(&self.sleeping.frozen);
    }

    /// Gives bodies that sleep the positions that they had at the start of the step, to the bit, and puts their contacts back among all others.
    pub(super) fn keep_sleepers(&mut self, tree: &Tree, step: f64, y: &mut [f64]) {
        if self.memory.sleepers.count() == 0 {
            return;
        }
        let positions = tree.positions();
        for body in tree.body_ids().filter(|body| self.memory.sleepers.is_asleep(*body)) {
            let q = tree.q_range(body);
            y[q.clone()].copy_from_slice(&self.continuous.state[q]);
            y[positions..][tree.v_range(body)].fill(0.0);
        }
        self.scale_impulses(step);
        let Memory { contacts, names, sleepers, .. } = &mut self.memory;
        let Sleeping { contacts: merged, names: merged_names, .. } = &mut self.sleeping;
        merge((contacts, names), (&sleepers.contacts, &sleepers.names), (merged, merged_names));
        std::mem::swap(contacts, merged);
        std::mem::swap(names, merged_names);
    }

    /// Makes a step in which all sleeps.
    pub(super) fn sleep_on(&mut self, step: f64) {
        self.continuous.begin();
        // Another one of the same length changes nothing.
        let is_same = step.to_bits() == self.memory.last.to_bits();
        if !is_same || self.memory.names.len() != self.memory.sleepers.names.len() {
            self.scale_impulses(step);
            self.memory.contacts.clone_from(&self.memory.sleepers.contacts);
            self.memory.names.clone_from(&self.memory.sleepers.names);
            self.remember(step);
        }
    }

    /// Scales the impulses of sleeping contacts to a step of another length: they are those of forces that last.
    fn scale_impulses(&mut self, step: f64) {
        let Sleepers { contacts, length, .. } = &mut self.memory.sleepers;
        if step.to_bits() != length.to_bits() {
            for contact in contacts {
                contact.impulse *= step / *length;
            }
            *length = step;
        }
    }

    /// Puts the islands to sleep that have been at rest for long enough, at the end of a step.
    pub(super) fn fall_asleep(&mut self, model: &mut Model, (t, step): (f64, f64), y: &mut [f64]) {
        if !self.may_sleep() {
            return;
        }
        let (q, v) = y.split_at(model.tree.positions());
        let Self { stepper, sleeping, memory, params, .. } = self;
        let Sleeping { speeds, islands, moved, is_supported, is_ready, loops, .. } = sleeping;
        let Memory { sleepers, contacts, .. } = memory;
        let tree = &model.tree;

        // How fast each body moves.
        let ws = stepper.locate_end(tree, t, q, v);
        speeds.clear();
        speeds.extend((0..tree.bodies() as u32).map(|body| ws.linear_velocity(BodyId(body)).norm()));
        for placed in &model.shapes {
            if let Some(body) = placed.body {
                speeds[body.index()] = speeds[body.index()].max(placed.max_speed(ws));
            }
        }
        for (rest, speed) in sleepers.rest.iter_mut().zip(speeds.iter()) {
            *rest = if *speed <= params.sleep_speed { *rest + step } else { 0.0 };
        }

        // What hangs together, and what touches nothing.
        let groups = stepper.groups();
        islands.reset(groups.len());
        is_supported.clear();
        is_supported.resize(groups.len(), tree.gravity() == Vec3::zeros());
        is_ready.clear();
        is_ready.resize(groups.len(), true);
        let is_moved = |body: Option<BodyId>| body.is_some_and(|body| moved[body.index()]);
        for contact in contacts.iter() {
            let (a, b) = (groups.of(contact.a), groups.of(contact.b));
            for group in [a, b].into_iter().flatten() {
                is_supported[group] = true;
                is_ready[group] &= !is_moved(contact.a) && !is_moved(contact.b);
            }
            if let (Some(a), Some(b)) = (a, b) {
                islands.join(a, b);
            }
        }
        for held in loops.iter() {
            let mut first = None;
            for group in held.iter().filter_map(|body| groups.of(Some(*body))) {
                islands.join(*first.get_or_insert(group), group);
                is_ready[group] &= !held.iter().any(|body| is_moved(Some(*body)));
            }
        }
        let acted_on = tree.body_ids().filter(|body| tree.is_acted_on(*body));
        let by_functions = model.user_forces.iter().flat_map(|force| force.bodies.iter().copied());
        for body in model.servos.iter().map(|(body, _)| *body).chain(acted_on).chain(by_functions) {
            if let Some(group) = groups.of(Some(body)) {
                is_ready[group] = false;
            }
        }
        for body in tree.body_ids() {
            let Some(group) = groups.of(Some(body)) else { continue };
            is_ready[group] &= !is_driven(tree, body);
            // A body at the top of its path is slow, and falls.
            let is_held = is_supported[group] || !tree.moves_freely(tree.root(body));
            is_ready[group] &= is_held
                && sleepers.island[body.index()] == 0
                && sleepers.rest[body.index()] >= params.sleep
                && !is_moved(Some(body));
        }
        for group in 0..groups.len() {
            if !is_ready[group] {
                is_ready[islands.find(group)] = false;
            }
        }

        // Who sleeps from now on. The first body of an island has the smallest number.
        sleeping.woken.clear();
        sleeping.woken.resize(groups.len(), 0);
        let positions = tree.positions();
        let mut is_any = false;
        for body in tree.body_ids() {
            let Some(group) = groups.of(Some(body)) else { continue };
            let island = islands.find(group);
            if !is_ready[island] {
                continue;
            }
            let name = &mut sleeping.woken[island];
            if *name == 0 {
                *name = body.0 + 1;
            }
            sleepers.island[body.index()] = *name;
            y[positions..][tree.v_range(body)].fill(0.0);
            model.events.push(crate::world::Event { t, what: EventKind::Sleep { body: body.index() } });
            is_any = true;
        }
        if !is_any {
            return;
        }
        // Those of all islands are for the last step, or its last part.
        sleepers.contacts.clear();
        sleepers.names.clear();
        sleepers.length = memory.last;
        for (contact, name) in memory.contacts.iter().zip(&memory.names) {
            if [contact.a, contact.b].iter().any(|body| sleepers.island_of(*body) != 0) {
                sleepers.contacts.push(*contact);
                sleepers.names.push(*name);
            }
        }
    }
}

/// Whether a motor of a body's joint asks for motion: however slow that is, it is no rest.
fn is_driven(tree: &Tree, body: BodyId) -> bool {
    let mut motors = (0..tree.v_range(body).len()).filter_map(|index| tree.motor(body, index).ok());
    motors.any(|motor| matches!(motor, Motor::Velocity { target, gain, limit } if target != 0.0 && gain > 0.0 && limit > 0.0))
}

/// Contacts with their names, sorted by pair.
type Named<'a> = (&'a [ContactPoint], &'a [(PairId, ContactId)]);

/// Merges two lists that have no pair in common.
fn merge(
    one: Named<'_>,
    other: Named<'_>,
    (contacts, names): (&mut Vec<ContactPoint>, &mut Vec<(PairId, ContactId)>),
) {
    contacts.clear();
    names.clear();
    let (mut i, mut j) = (0, 0);
    while i < one.0.len() || j < other.0.len() {
        let is_one = j == other.0.len() || (i < one.0.len() && one.1[i].0 < other.1[j].0);
        let (from, place) = if is_one { (one, &mut i) } else { (other, &mut j) };
        contacts.push(from.0[*place]);
        names.push(from.1[*place]);
        *place += 1;
    }
}
