//! Frames from the dense output of steps between events, and the forces at contacts.

use zerogap_core::Vec3;
use zerogap_dynamics::event::Step;

use super::discrete::Closed;
use super::event_model::EventModel;
use super::frozen::{EventScratch, Frozen};
use crate::world::frames::{ContactForce, ContactPoint, Frame, FrameForces, net_normal_force};

impl EventModel<'_> {
    /// Takes the frames of a step up to a time.
    pub(crate) fn record(&mut self, step: &Step<'_>, until: f64) {
        let Some(mut recorder) = self.model.recorder.take() else { return };
        recorder.state.resize(step.y0.len(), 0.0);
        while let Some(t) = recorder.due(until) {
            step.at(t, &mut recorder.state);
            let length = step.t1 - step.t0;
            let frame = match self.data.captured_forces() {
                Some(forces) => self.model.placed_frame(t, &recorder.state, length, forces),
                None => self.frozen().frame(t, &recorder.state, length),
            };
            recorder.push(frame);
        }
        self.model.recorder = Some(recorder);
    }
}

impl Frozen<'_> {
    fn frame(&self, t: f64, y: &[f64], step: f64) -> Frame {
        let scratch = &mut *self.scratch.borrow_mut();
        // Forces are needed where something touches; without contacts places are enough.
        let forces = if self.discrete.closed.is_empty() {
            self.model.locate_bodies(t, y, &mut scratch.ws);
            FrameForces::default()
        } else {
            let contact_points = self.evaluate_points(t, y, scratch);
            FrameForces {
                contacts: self.forces_in(scratch, &contact_points),
                points: points_in(scratch, contact_points),
            }
        };
        self.model.frame_in(&scratch.ws, t, y, step, forces)
    }

    /// The forces of all pairs in contact at a state, by pair.
    pub(crate) fn contact_forces(&self, t: f64, y: &[f64]) -> Vec<ContactForce> {
        let scratch = &mut *self.scratch.borrow_mut();
        let contact_points = self.evaluate_points(t, y, scratch);
        self.forces_in(scratch, &contact_points)
    }

    /// The contact points of all pairs in contact at a state, by pair.
    pub(crate) fn contact_points(&self, t: f64, y: &[f64]) -> Vec<ContactPoint> {
        let scratch = &mut *self.scratch.borrow_mut();
        let contact_points = self.evaluate_points(t, y, scratch);
        points_in(scratch, contact_points)
    }

    /// Evaluates a state; the contact points of elastic pairs there, by pair. Steps do not depend on it: a pair without an answer is no failure of theirs.
    fn evaluate_points(&self, t: f64, y: &[f64], scratch: &mut EventScratch) -> Vec<ContactPoint> {
        scratch.contact_points = Some(Vec::new());
        let failure = scratch.manifold.failure.take();
        self.evaluate(t, y, scratch);
        scratch.manifold.failure = failure;
        scratch.contact_points.take().unwrap_or_default()
    }

    /// The forces of all pairs in contact at the state that was evaluated last, by pair: a world has elastic pairs or rigid ones.
    fn forces_in(&self, scratch: &EventScratch, contact_points: &[ContactPoint]) -> Vec<ContactForce> {
        let mut forces: Vec<ContactForce> = scratch
            .elastic
            .iter()
            .map(|(pair, state)| {
                // Points stand in the order of pairs.
                let first = contact_points.partition_point(|point| point.pair < *pair);
                let of_pair = contact_points[first..].iter().take_while(|point| point.pair == *pair);
                let has_one_normal = of_pair.clone().all(|point| point.normal == state.normal);
                let (normal, normal_force) = if has_one_normal {
                    (state.normal, state.load)
                } else {
                    net_normal_force(of_pair.map(|point| (point.normal, point.normal.dot(&point.force))))
                };
                ContactForce {
                    pair: *pair,
                    gap: state.gap,
                    normal: normal.into(),
                    point: state.center.into(),
                    normal_force,
                    friction_force: state.pull.force.into(),
                }
            })
            .collect();
        for (&pair, closed) in &self.discrete.closed {
            if !matches!(closed, Closed::Rigid(_)) {
                continue;
            }
            let of_pair =
                || scratch.constraints.points.iter().filter(|constrained| constrained.point.pair == pair);
            let load: f64 = of_pair().map(|constrained| constrained.normal_force).sum();
            let Some(any) = of_pair().next() else { continue };
            let (normal, normal_force) = net_normal_force(
                of_pair().map(|constrained| (constrained.point.contact.normal, constrained.normal_force)),
            );
            let weighted: Vec3 =
                of_pair().map(|constrained| constrained.point.at * constrained.normal_force).sum();
            forces.push(ContactForce {
                pair,
                gap: of_pair().map(|constrained| constrained.point.contact.gap).fold(f64::INFINITY, f64::min),
                normal: normal.into(),
                point: if load > 0.0 { weighted / load } else { any.point.at }.into(),
                normal_force,
                friction_force: of_pair().map(|constrained| constrained.friction_force).sum::<Vec3>().into(),
            });
        }
        debug_assert!(forces.is_sorted_by_key(|force| force.pair), "pairs are elastic or rigid, never both");
        forces
    }
}

/// The contact points of all pairs in contact at the state that was evaluated last, by pair: those of elastic pairs, or of rigid ones.
fn points_in(scratch: &EventScratch, mut contact_points: Vec<ContactPoint>) -> Vec<ContactPoint> {
    contact_points.extend(scratch.constraints.points.iter().map(|constrained| ContactPoint {
        pair: constrained.point.pair,
        id: constrained.point.contact.id,
        gap: constrained.point.contact.gap,
        normal: constrained.point.contact.normal,
        point: constrained.point.at,
        force: constrained.point.contact.normal * constrained.normal_force + constrained.friction_force,
    }));
    debug_assert!(
        contact_points.is_sorted_by_key(|point| point.pair),
        "pairs are elastic or rigid, never both"
    );
    contact_points
}
