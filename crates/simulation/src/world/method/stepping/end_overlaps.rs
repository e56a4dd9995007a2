//! Overlaps where a step ends, though it obeyed the contact laws at all points that it had.
//!
//! In: a part of a step that was made. Out: either the shapes that contacts made faster than they were searched for and that overlap something at the end, so that the part is made anew with what they reach; or a state in
//! which overlaps are corrected. Both have been traced in piles: a box on its edge is struck, turns about it within the step, and its other corners, which were out of reach at the start, end below the floor (the deepest ones);
//! and contacts are linear in the displacements of a step, so that what turns ends some second order of its angle too deep, each step anew (most of them).
//! Order: pairs are checked in order; same input, same bits for any number of threads.

use zerogap_core::{ContactId, Vec3};
use zerogap_dynamics::multibody::{BodyId, Workspace};
use zerogap_dynamics::step::{ContactPoint, StepInfo};

use super::Steps;
use super::cones::Cones;
use super::touch::{NEAR, SLOP};
use crate::world::model::Model;
use crate::world::pair_contacts::{ContactWork, NarrowPhaseFailure};
use crate::world::placed::{PlacedCollider, SPEED_MARGIN};
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::{PairId, ShapeId};

/// Overlaps deeper than this fraction of the size of the smaller shape are corrected at the end of a step [-]; others are left to the next one, with those that it finds at its start.
const DEEP: f64 = 3e-4;
/// Overlaps are corrected to this fraction of that [-].
const LEFT: f64 = 0.1;
/// How often positions are corrected at the end of one step [-]: corrections are linear too.
const ROUNDS: usize = 3;
/// Contacts are in the way of a correction up to so many times the deepest overlap [-].
const AROUND: f64 = 3.0;

/// Memory of checks.
#[derive(Debug, Default)]
pub(super) struct EndOverlaps {
    /// By shape: the largest angle it may have turned by [rad], and whether it moved farther than was searched.
    angles: Vec<f64>,
    is_beyond: Vec<bool>,
    /// Pairs that may touch at the end, sorted, and those of them that overlap too deep, with the depth [m].
    pairs: Vec<PairId>,
    deep: Vec<(PairId, f64)>,
    contacts: Vec<ContactPoint>,
    work: ContactWork,
}

impl EndOverlaps {
    /// Notes how far shapes may have turned, and which of them moved farther than was searched; these get boxes where they are. Whether there are any.
    fn note_motion(&mut self, steps: &Steps, model: &mut Model, part: f64) -> bool {
        let (start, end) = (steps.stepper.located(), steps.stepper.located_end());
        let falling = model.tree.gravity().norm() * part * part;
        self.angles.clear();
        self.is_beyond.clear();
        for (index, placed) in model.shapes.iter().enumerate() {
            let Some(body) = placed.body.filter(|_| !placed.is_removed) else {
                self.angles.push(0.0);
                self.is_beyond.push(false);
                continue;
            };
            let turning = start.angular_velocity(body).norm().max(end.angular_velocity(body).norm());
            self.angles.push(part * turning);
            let searched = SPEED_MARGIN * steps.speeds[index] * part + falling + NEAR * placed.size;
            let is_beyond = part * placed.max_speed(end) > searched;
            self.is_beyond.push(is_beyond);
            if let Some(bounds) = placed.bounds.filter(|_| is_beyond) {
                // Boxes of finite poses are boxes; a run whose numbers overflow ends with an error.
                let _ = model.boxes.set(index, bounds.transformed(end.pose(body)));
            }
        }
        self.is_beyond.contains(&true)
    }

    /// What the second order of rotations can add to the overlap of two shapes with contacts [m].
    fn second_order(&self, (a, b): (usize, usize), steps: &Steps, model: &Model, part: f64) -> f64 {
        let (one, other) = (&model.shapes[a], &model.shapes[b]);
        let velocity = |body: Option<BodyId>, ws: &Workspace| {
            body.map_or_else(Vec3::zeros, |body| ws.linear_velocity(body))
        };
        let speed = |ws: &Workspace| (velocity(other.body, ws) - velocity(one.body, ws)).norm();
        let speed = speed(steps.stepper.located()).max(speed(steps.stepper.located_end()));
        // A half-space, which reaches everywhere, counts by the origin of its body.
        let reach = |placed: &PlacedCollider| if placed.reach.is_finite() { placed.reach } else { 0.0 };
        let path = part * speed + self.angles[a] * reach(one) + self.angles[b] * reach(other);
        (self.angles[a] + self.angles[b]) * path
    }
}

impl Cones {
    /// Finds the overlaps at the end of a part that was made; whether shapes overlap that went farther than was searched, whose speeds are noted then.
    ///
    /// Only pairs that can overlap are asked: those of shapes beyond what was searched, and those with contacts that have turned so far that the second order counts. Contacts of what does not turn are exact, or open farther than
    /// they say: the gap of convex shapes is a convex function of a translation.
    pub(super) fn check_end(
        &mut self,
        steps: &mut Steps,
        model: &mut Model,
        (t, part): (f64, f64),
        y: &[f64],
    ) -> Result<bool, NarrowPhaseFailure> {
        self.end.deep.clear();
        // Nothing was struck, or all sleeps.
        if steps.memory.contacts.is_empty() || steps.speeds.len() != model.shapes.len() {
            return Ok(false);
        }
        let (q, v) = y.split_at(model.tree.positions());
        steps.stepper.locate_end(&model.tree, t + part, q, v);
        let is_any_beyond = self.end.note_motion(steps, model, part);
        self.end.pairs.clear();
        if is_any_beyond {
            self.end.pairs.extend(model.boxes.pairs());
            self.end.pairs.extend(model.pairs.half_space_pairs());
            self.end.pairs.sort_unstable();
        } else {
            self.end.pairs.extend_from_slice(&self.pairs);
        }
        // What sleeps is not moved; whatever overlaps it wakes it.
        let sleepers = &steps.memory.sleepers;
        if sleepers.count() > 0 {
            let body = |shape: ShapeId| model.shapes[shape.0 as usize].body;
            let sleeps = |shape: ShapeId| body(shape).is_some_and(|body| sleepers.is_asleep(body));
            self.end.pairs.retain(|pair| !sleeps(pair.a) && !sleeps(pair.b));
        }

        let end = steps.stepper.located_end();
        let (mut at_kept, mut at_left_out) = (0, 0);
        let mut is_missed = false;
        for number in 0..self.end.pairs.len() {
            let pair = self.end.pairs[number];
            let shapes = (pair.a.0 as usize, pair.b.0 as usize);
            let has_contacts = is_listed(&steps.memory.names, &mut at_kept, pair)
                | is_listed(&self.left_out.names, &mut at_left_out, pair);
            let is_beyond = self.end.is_beyond[shapes.0] || self.end.is_beyond[shapes.1];
            if !is_beyond && !has_contacts {
                continue;
            }
            let allowed = DEEP * model.shapes[shapes.0].size.min(model.shapes[shapes.1].size);
            if !is_beyond && self.end.second_order(shapes, steps, model, part) <= allowed {
                continue;
            }
            let placed = PlacedPair::new(&model.shapes, pair, end);
            // Complexes have a budget of their own.
            if placed.is_complex() || placed.is_far(0.0) {
                continue;
            }
            model.gaps += 1;
            let gap = self.end.work.gap(&placed, 0.0);
            if let Some(failure) = self.end.work.failure.take() {
                return Err(failure);
            }
            if gap < -allowed {
                self.end.deep.push((pair, -gap));
                is_missed |= is_beyond;
            }
        }
        if is_missed {
            let reached = &mut steps.continuous.reached;
            reached.resize(model.shapes.len(), 0.0);
            let deep = self.end.deep.iter().flat_map(|(pair, _)| [pair.a, pair.b]);
            for index in deep.map(|shape| shape.0 as usize).filter(|index| self.end.is_beyond[*index]) {
                reached[index] = reached[index].max(model.shapes[index].max_speed(end));
            }
        }
        Ok(is_missed)
    }

    /// Corrects the overlaps that the last check found at the end of a part, at a time [s]: bodies are moved as little as possible in the metric of their masses, and pay for heights with their motion.
    pub(super) fn correct_overlaps(
        &mut self,
        steps: &mut Steps,
        model: &Model,
        t: f64,
        y: &mut [f64],
    ) -> Result<StepInfo, NarrowPhaseFailure> {
        let mut info = StepInfo::default();
        for _ in 0..ROUNDS {
            let deepest = self.end.deep.iter().fold(0.0_f64, |deepest, (_, depth)| deepest.max(*depth));
            if deepest == 0.0 {
                break;
            }
            let (q, v) = y.split_at_mut(model.tree.positions());
            steps.stepper.locate_end(&model.tree, t, q, v);
            let mut contacts = std::mem::take(&mut self.end.contacts);
            let pairs = std::mem::take(&mut self.end.pairs);
            let found = self.find_contacts_at_rest(
                model,
                (steps.stepper.located_end(), &steps.speeds),
                &pairs,
                AROUND * deepest,
                &mut contacts,
            );
            for contact in &mut contacts {
                // Slop is in proportion to the size.
                contact.slop *= LEFT * DEEP / SLOP;
            }
            if found.is_ok() {
                info = info.and(&steps.stepper.correct_overlaps(
                    &model.tree,
                    t,
                    (&mut *q, &mut *v),
                    &mut contacts,
                ));
            }
            (self.end.contacts, self.end.pairs) = (contacts, pairs);
            found?;
            // Whether that was enough.
            let end = steps.stepper.locate_end(&model.tree, t, q, v);
            let EndOverlaps { deep, work, .. } = &mut self.end;
            for (pair, depth) in deep.iter_mut() {
                let placed = PlacedPair::new(&model.shapes, *pair, end);
                let gap = work.gap(&placed, 0.0);
                *depth = if gap < -DEEP * placed.size() { -gap } else { 0.0 };
            }
            if let Some(failure) = work.failure.take() {
                return Err(failure);
            }
        }
        Ok(info)
    }
}

/// Whether a pair is among those of names, which are sorted by pair; `at` is a place before it, and is moved there.
fn is_listed(names: &[(PairId, ContactId)], at: &mut usize, pair: PairId) -> bool {
    *at += names[*at..].iter().take_while(|(other, _)| *other < pair).count();
    names.get(*at).is_some_and(|(other, _)| *other == pair)
}
