//! What steps leave behind: frames at even times between their ends, and forces by pair.

use zerogap_core::Vec3;

use super::Steps;
use super::path::{Ends, PartContacts};
use crate::world::frames::{ContactForce, ContactPoint, FrameForces, net_normal_force};
use crate::world::model::Model;

impl Steps {
    /// Takes the frames that lie in the last step up to a time [s].
    pub(super) fn record(&self, model: &mut Model, ends: Ends<'_>, until: f64) {
        // Most steps have no frame, and nothing to copy.
        let Some(mut recorder) = model.recorder.take_if(|recorder| recorder.due(until).is_some()) else {
            return;
        };
        let mut state = Vec::new();
        while let Some(t) = recorder.due(until) {
            let length = self.path.at(ends, t, &model.tree, &mut state);
            let forces = self.path.contacts(t, &self.memory).frame_forces();
            let frame = model.placed_frame(t, &state, length, forces);
            recorder.push(frame);
        }
        model.recorder = Some(recorder);
    }
}

impl PartContacts<'_> {
    /// What turns impulses into mean forces [1/s].
    fn per_second(&self) -> f64 {
        if self.last > 0.0 { 1.0 / self.last } else { 0.0 }
    }

    /// All points of contact, by pair.
    pub(super) fn points(&self) -> Vec<ContactPoint> {
        let per_second = self.per_second();
        let points = self.contacts.iter().zip(self.names);
        points
            .map(|(point, (pair, id))| ContactPoint {
                pair: *pair,
                id: *id,
                gap: point.gap,
                normal: point.normal,
                point: point.at,
                force: point.impulse * per_second,
            })
            .collect()
    }

    /// What a frame shows: the pairs that pushed, and those of their points that did.
    fn frame_forces(&self) -> FrameForces {
        let mut points = self.points();
        // The others only came near: they are no contact in this step.
        points.retain(|point| point.normal.dot(&point.force) > 0.0);
        FrameForces { contacts: self.forces(), points }
    }

    /// The mean forces of all pairs, by pair.
    pub(super) fn forces(&self) -> Vec<ContactForce> {
        let mut forces: Vec<ContactForce> = Vec::new();
        let per_second = self.per_second();
        let mut first = 0;
        while first < self.names.len() {
            let pair = self.names[first].0;
            let count = self.names[first..].iter().take_while(|(name, _)| *name == pair).count();
            let points = &self.contacts[first..first + count];
            first += count;
            let load: f64 = points.iter().map(|point| point.normal.dot(&point.impulse)).sum();
            if load <= 0.0 {
                continue;
            }
            let weighted: Vec3 = points.iter().map(|point| point.at * point.normal.dot(&point.impulse)).sum();
            let rubbing: Vec3 = points
                .iter()
                .map(|point| point.impulse - point.normal * point.normal.dot(&point.impulse))
                .sum();
            let (normal, pushed) =
                net_normal_force(points.iter().map(|point| (point.normal, point.normal.dot(&point.impulse))));
            forces.push(ContactForce {
                pair,
                gap: points.iter().map(|point| point.gap).fold(f64::INFINITY, f64::min),
                normal: normal.into(),
                point: (weighted / load).into(),
                normal_force: pushed * per_second,
                friction_force: (rubbing * per_second).into(),
            });
        }
        forces
    }
}
