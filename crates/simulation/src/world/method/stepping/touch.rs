//! The points at which shapes touch, or may within a step.
//!
//! In: bodies at the start of a step. Out: contacts sorted by pair, the same for any number of threads: each part of the list of pairs writes its own part of the contacts.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use zerogap_contact::law::NormalLaw;
use zerogap_contact::material::PairProperties;
use zerogap_core::threads::{in_pool, thread_count};
use zerogap_core::{Aabb, ContactId, Vec3};
use zerogap_dynamics::multibody::Workspace;
use zerogap_dynamics::step::{Anisotropy, ContactPoint, TurningResistance};
use zerogap_proximity::collider::ColliderKind;

use super::cones::Cones;
use super::continuous::{Budget, Fast, is_fast};
use super::control::ErrorControl;
use super::followed::{Followed, PairMemory, collect, hand_out};
use super::patch::{Candidate, Choice, PatchPoints};
use super::returning::{KeptPoint, of_pair};
use super::{Known, Steps, last_impulse};
use crate::world::boxes::ShapeBoxes;
use crate::world::contact_radius::{contact_radius, rolling_arm};
use crate::world::model::Model;
use crate::world::pair_contacts::{ContactWork, NarrowPhaseFailure};
use crate::world::params::PairTable;
use crate::world::placed::{PlacedCollider, SPEED_MARGIN};
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::{PairId, ShapeId};

/// Contacts are searched for within this fraction of the size of the smaller shape at least [-]: bodies at rest keep theirs.
pub(super) const NEAR: f64 = 1e-6;
/// Overlaps up to this fraction of the size of the smaller shape are left alone [-].
pub(super) const SLOP: f64 = 1e-8;
/// And up to what so many steps leave that each miss the contact laws by as much as they may [-].
const SLOP_STEPS: f64 = 100.0;
/// Patches at rest open and close more slowly than this fraction of what gravity does within a step [-].
const AT_REST: f64 = 0.1;
/// Pairs that one thread takes at a time: about thirty microseconds of work.
const PAIRS_PER_PART: usize = 32;
/// Parts that a list with pairs of meshes or complexes is divided into at most: each such pair may be more work than all others, and each part has memory of its own.
const HEAVY_PARTS: usize = 16;
/// Fewer pairs than this are quicker without other threads.
const WORTH_SHARING: usize = 96;
/// A pair of meshes or complexes counts for so many others at least [-].
const HEAVY: usize = 16;

/// The contacts of some pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactBatch {
    contacts: Vec<ContactPoint>,
    names: Vec<(PairId, ContactId)>,
    /// Those that were left out.
    left_out: Vec<ContactPoint>,
    left_out_names: Vec<(PairId, ContactId)>,
    /// Those of the pair in hand.
    found: Vec<(ContactId, ContactPoint)>,
    choice: Choice,
    fast: Vec<Fast>,
    budgets: Vec<Budget>,
    manifold: ContactWork,
    /// Memory of the pairs of complexes.
    pub(super) followed: Followed,
}

/// What a search reads.
struct Search<'a> {
    shapes: &'a [PlacedCollider],
    table: &'a PairTable,
    ws: &'a Workspace,
    /// Largest speed of any point of each shape [m/s].
    speeds: &'a [f64],
    step: f64,
    /// What gravity adds to a displacement within the step [m].
    falling: f64,
    /// Overlap that steps leave [m].
    left_over: f64,
    /// Whether fast pairs have no contacts until they are close.
    has_substeps: bool,
    patch_points: PatchPoints,
    control: Option<ErrorControl>,
    /// Points kept in the last step, and those that pushed.
    kept: &'a [KeptPoint],
    known: &'a [Known],
}

impl Cones {
    /// Finds the contacts of the bodies at the start of a step, sorted by pair.
    ///
    /// Fails: the first pair that the narrow phase has no answer for.
    pub(super) fn find_contacts(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        (t, step): (f64, f64),
        (q, v): (&[f64], &[f64]),
    ) -> Result<(), NarrowPhaseFailure> {
        steps.stepper.locate(&model.tree, t, q, v);
        let ws = steps.stepper.located();
        let falling = model.tree.gravity().norm() * step * step;
        let Model { shapes, pairs, boxes, gaps, .. } = model;
        let mut around = Around { shapes, table: pairs, boxes, gaps };
        around.follow(ws, step, falling, &steps.continuous.reached, &mut steps.speeds);
        around.list_pairs(&mut self.pairs);
        let places = (model.shapes.as_slice(), steps.stepper.groups());
        model.gaps -= steps.sleeping.drop_pairs(&steps.memory.sleepers, places, &mut self.pairs);

        let (shapes, table) = (&model.shapes, &model.pairs);
        let left_over = SLOP_STEPS * steps.params.tolerance * step;
        let has_substeps = !steps.continuous.is_off;
        let search = Search {
            shapes,
            table,
            ws,
            speeds: &steps.speeds,
            step,
            falling,
            left_over,
            has_substeps,
            patch_points: steps.params.patch_points,
            control: steps.params.control,
            kept: &steps.memory.kept,
            known: &steps.memory.known,
        };
        let parts = search.fill_batches(&self.pairs, &mut self.parts, &mut self.followed);
        steps.memory.contacts.clear();
        steps.memory.names.clear();
        steps.continuous.begin();
        self.left_out.clear();
        for part in parts {
            if let Some(failure) = part.manifold.failure.take() {
                return Err(failure);
            }
            steps.memory.contacts.extend_from_slice(&part.contacts);
            steps.memory.names.extend_from_slice(&part.names);
            self.left_out.contacts.extend_from_slice(&part.left_out);
            self.left_out.names.extend_from_slice(&part.left_out_names);
            steps.continuous.fast.extend_from_slice(&part.fast);
            steps.continuous.budgets.extend_from_slice(&part.budgets);
        }
        Ok(())
    }
}

impl Cones {
    /// Writes all contacts of pairs of bodies that do not move, up to a gap beyond which none counts [m].
    ///
    /// Fails: the first pair that the narrow phase has no answer for.
    pub(super) fn find_contacts_at_rest(
        &mut self,
        model: &Model,
        (ws, speeds): (&Workspace, &[f64]),
        pairs: &[PairId],
        within: f64,
        contacts: &mut Vec<ContactPoint>,
    ) -> Result<(), NarrowPhaseFailure> {
        let search = Search {
            shapes: &model.shapes,
            table: &model.pairs,
            ws,
            speeds,
            step: 0.0,
            falling: within,
            left_over: 0.0,
            has_substeps: false,
            patch_points: PatchPoints::All,
            control: None,
            kept: &[],
            known: &[],
        };
        contacts.clear();
        for part in search.fill_batches(pairs, &mut self.parts, &mut PairMemory::default()) {
            if let Some(failure) = part.manifold.failure.take() {
                return Err(failure);
            }
            contacts.extend_from_slice(&part.contacts);
        }
        Ok(())
    }
}

impl Steps {
    /// The speed at which a pair approached at the end of the step [m/s].
    pub(super) fn approach(&self, pair: PairId) -> f64 {
        let of_pair =
            self.memory.names.iter().zip(&self.memory.contacts).filter(|((name, _), _)| *name == pair);
        of_pair.map(|(_, contact)| -contact.gap_rate).fold(0.0, f64::max)
    }
}

impl Search<'_> {
    /// Writes the contacts of pairs, every part of the list on its own; the batches that have them, in order.
    fn fill_batches<'b>(
        &self,
        pairs: &[PairId],
        batches: &'b mut Vec<ContactBatch>,
        followed: &mut PairMemory,
    ) -> &'b mut [ContactBatch] {
        let heavy = pairs.iter().filter(|pair| self.is_heavy(**pair)).count();
        let few = pairs.len().div_ceil(HEAVY_PARTS).min(PAIRS_PER_PART);
        let per_part = if heavy > 0 { few } else { PAIRS_PER_PART };
        let count = pairs.len().div_ceil(per_part);
        if batches.len() < count {
            batches.resize_with(count, ContactBatch::default);
        }
        let batches = &mut batches[..count];
        hand_out(followed, pairs.chunks(per_part), batches);
        if pairs.len() + HEAVY * heavy < WORTH_SHARING || thread_count() == 1 {
            for (part, pairs) in batches.iter_mut().zip(pairs.chunks(per_part)) {
                self.fill_batch(pairs, part);
            }
        } else {
            let shared = batches.par_iter_mut().zip(pairs.par_chunks(per_part));
            in_pool(|| shared.for_each(|(part, pairs)| self.fill_batch(pairs, part)));
        }
        collect(followed, batches);
        batches
    }

    /// Whether contacts of a pair take far longer than those of convex shapes.
    fn is_heavy(&self, pair: PairId) -> bool {
        let is_heavy = |shape: ShapeId| {
            let colliders = &self.shapes[shape.0 as usize].colliders;
            let kind = colliders.get(colliders.asked()).kind();
            matches!(kind, ColliderKind::Mesh | ColliderKind::HeightField | ColliderKind::Complex)
        };
        is_heavy(pair.a) || is_heavy(pair.b)
    }

    /// Writes the contacts of some pairs.
    fn fill_batch(&self, pairs: &[PairId], part: &mut ContactBatch) {
        part.contacts.clear();
        part.names.clear();
        part.left_out.clear();
        part.left_out_names.clear();
        part.fast.clear();
        part.budgets.clear();
        part.manifold.failure = None;
        for pair in pairs {
            let placed = PlacedPair::new(self.shapes, *pair, self.ws);
            let speed = SPEED_MARGIN * (self.speeds[pair.a.0 as usize] + self.speeds[pair.b.0 as usize]);
            let near = self.falling + NEAR * placed.size();
            let within = speed * self.step + near;
            if placed.is_far(within) {
                continue;
            }
            let is_complex = placed.is_complex();
            if self.has_substeps && !is_complex && is_fast(placed.a, placed.b, speed * self.step) {
                let gap = part.manifold.gap(&placed, within);
                if gap > near + placed.path_resolution() {
                    part.fast.push(Fast { pair: *pair, speed });
                    continue;
                }
            }
            if is_complex {
                let mut own = part.followed.take(*pair);
                part.manifold.cache.swap_complexes(&mut own);
                placed.contacts(within, &mut part.manifold);
                part.manifold.cache.swap_complexes(&mut own);
                part.followed.keep(*pair, own);
                part.budgets.extend(Budget::of(*pair, &part.manifold));
            } else {
                placed.contacts(within, &mut part.manifold);
            }
            let properties = &self.table.of(placed.a, placed.b).properties;
            let surface_velocity = placed.surface_velocity();
            let anisotropy = properties.directed.map(|directed| Anisotropy {
                along: placed.direction_of(&directed.direction, directed.is_of_second),
                across: directed.across,
            });
            let is_rough = properties.static_friction.is_some()
                || properties.resists_rolling()
                || properties.spinning > 0.0;
            part.found.clear();
            for contact in part.manifold.contacts.iter().filter(|contact| contact.gap <= within) {
                let point = ContactPoint {
                    a: placed.a.body,
                    b: placed.b.body,
                    at: 0.5 * (contact.point_a + contact.point_b),
                    normal: contact.normal,
                    gap: contact.gap,
                    friction: properties.friction,
                    restitution: properties.restitution,
                    slop: SLOP * placed.size() + self.left_over,
                    closed: self.control.map_or(0.0, |control| control.closed(placed.size())),
                    surface_velocity,
                    anisotropy,
                    ..ContactPoint::default()
                };
                part.found.push((contact.id, point));
            }
            if is_rough {
                let Self { ws, falling, step, .. } = *self;
                let at_rest = AT_REST * falling / step;
                for (_, point) in &mut part.found {
                    roughen(point, &placed, properties, (ws, at_rest));
                }
            }
            self.keep(*pair, placed.colliders().has_one_normal(), near, part);
        }
    }

    /// Writes the points of a pair that the step is solved with, and apart from them the others. A point counts where it is closed, has restitution, or would come nearer than `near` [m] by the velocity at the start of the step.
    fn keep(&self, pair: PairId, is_convex: bool, near: f64, part: &mut ContactBatch) {
        let Some(limit) = self.patch_points.limit(is_convex) else {
            part.names.extend(part.found.iter().map(|(id, _)| (pair, *id)));
            part.contacts.extend(part.found.iter().map(|(_, point)| *point));
            return;
        };
        let kept = of_pair(self.kept, pair);
        part.choice.candidates.clear();
        for (id, point) in &part.found {
            let of = |body| self.ws.point_velocity(body, point.at);
            let gap_rate = point.normal.dot(&(of(point.b) - of(point.a)));
            // What restitution throws back may hit others within the step: velocities at its start say little.
            let by_end = if point.restitution > 0.0 { near } else { point.gap + self.step * gap_rate };
            let was = kept.iter().find(|kept| kept.id == *id);
            let is_needed = point.gap < -point.slop || was.is_some_and(|was| was.needed_for > 0);
            part.choice.candidates.push(Candidate {
                at: point.at,
                normal: point.normal,
                gap: point.gap,
                slop: point.slop,
                gap_rate,
                is_near: is_needed || point.gap <= point.slop || by_end <= near,
                was_kept: was.is_some() || last_impulse(self.known, pair, *id) != Vec3::zeros(),
                is_needed,
            });
        }
        part.choice.choose(limit, is_convex, AT_REST * self.falling / self.step);
        for ((id, point), is_kept) in part.found.iter().zip(&part.choice.is_kept) {
            let (names, contacts) = if *is_kept {
                (&mut part.names, &mut part.contacts)
            } else {
                (&mut part.left_out_names, &mut part.left_out)
            };
            names.push((pair, *id));
            contacts.push(*point);
        }
    }
}

/// Gives a contact static friction and what resists turning. One that is new sticks where its surfaces slide no faster than `at_rest` [m/s] at the start of the step; of others it is known.
fn roughen(
    point: &mut ContactPoint,
    placed: &PlacedPair<'_>,
    properties: &PairProperties,
    (ws, at_rest): (&Workspace, f64),
) {
    point.static_friction = properties.static_friction();
    if point.static_friction > point.friction {
        let of = |body| ws.point_velocity(body, point.at);
        let velocity = of(point.b) - of(point.a) + point.surface_velocity;
        let slip = velocity - point.normal * point.normal.dot(&velocity);
        point.is_stuck = slip.norm() <= at_rest;
    }
    let PairProperties { rolling_length, spinning, friction, contact_radius: of_pair, .. } = *properties;
    if properties.resists_rolling() || spinning > 0.0 {
        // That of all laws but Modia3D's own.
        let effective = contact_radius(placed, NormalLaw::HuntCrossley, &point.normal, of_pair);
        // A point has no size, and may spin.
        let radius = if effective > 0.0 { effective } else { spinning.max(rolling_length) };
        point.resistance = TurningResistance {
            radius,
            rolling: if effective > 0.0 {
                rolling_arm(placed, &point.normal, effective, properties) / radius
            } else if radius > 0.0 {
                rolling_length / radius
            } else {
                0.0
            },
            spinning: if radius > 0.0 { spinning * friction / radius } else { 0.0 },
        };
    }
}

/// Shapes and what finds pairs of them.
#[derive(Debug)]
pub(super) struct Around<'a> {
    pub(super) shapes: &'a [PlacedCollider],
    pub(super) table: &'a PairTable,
    pub(super) boxes: &'a mut ShapeBoxes,
    /// Gaps computed so far [-].
    pub(super) gaps: &'a mut usize,
}

impl Around<'_> {
    /// Moves the boxes of all shapes to cover a step, and notes how fast each moves at most [m/s].
    pub(super) fn follow(
        &mut self,
        ws: &Workspace,
        step: f64,
        falling: f64,
        reached: &[f64],
        speeds: &mut Vec<f64>,
    ) {
        speeds.clear();
        for (index, placed) in self.shapes.iter().enumerate() {
            // What is fixed keeps the box it was put in with; what was removed has none.
            let Some(body) = placed.body.filter(|_| !placed.is_removed) else {
                speeds.push(0.0);
                continue;
            };
            let speed = placed.max_speed(ws).max(reached.get(index).copied().unwrap_or(0.0));
            speeds.push(speed);
            if let Some(bounds) = placed.bounds {
                let around: Aabb = bounds
                    .transformed(ws.pose(body))
                    .expanded(SPEED_MARGIN * speed * step + falling + NEAR * placed.size);
                // Boxes of finite poses are boxes; a run whose numbers overflow ends with an error.
                let _ = self.boxes.set(index, around);
            }
        }
    }

    /// The pairs whose boxes overlap, and all with half-spaces, sorted.
    pub(super) fn list_pairs(&mut self, pairs: &mut Vec<PairId>) {
        pairs.clear();
        pairs.extend(self.boxes.pairs());
        pairs.extend(self.table.half_space_pairs());
        pairs.sort_unstable();
        *self.gaps += pairs.len();
    }
}
