//! What steps leave behind: frames at even times between their ends, and forces by pair.

use zerogap_core::Vec3;

use super::Steps;
use crate::world::frames::{ContactForce, ContactPoint, FrameForces, net_normal_force};
use crate::world::model::Model;

impl Steps {
    /// Takes the frames that lie in a step, or in a part of one, from one state to another. Where bodies were struck, that was at its start: velocities are those after it.
    pub(super) fn record(
        &self,
        model: &mut Model,
        (start, end): (f64, f64),
        (from, y): (&[f64], &[f64]),
        is_struck: bool,
    ) {
        // Most steps have no frame, and nothing to copy.
        let Some(mut recorder) = model.recorder.take_if(|recorder| recorder.due(end).is_some()) else {
            return;
        };
        let mut state = y.to_vec();
        while let Some(t) = recorder.due(end) {
            // Evenly between the ends: a step has no path of its own.
            let fraction = ((t - start) / (end - start)).clamp(0.0, 1.0);
            for (state, (from, to)) in state.iter_mut().zip(from.iter().zip(y)) {
                *state = from + fraction * (to - from);
            }
            let positions = model.tree.positions();
            if is_struck {
                state[positions..].copy_from_slice(&y[positions..]);
            }
            model.tree.normalise(&mut state[..positions]);
            let frame = model.placed_frame(t, &state, end - start, self.frame_forces());
            recorder.push(frame);
        }
        model.recorder = Some(recorder);
    }

    /// All points of contact of the last step, or of its last part, by pair.
    pub(super) fn points(&self) -> Vec<ContactPoint> {
        let per_second = if self.memory.last > 0.0 { 1.0 / self.memory.last } else { 0.0 };
        let points = self.memory.contacts.iter().zip(&self.memory.names);
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

    /// What a frame shows of the last step: the pairs that pushed, and those of their points that did.
    fn frame_forces(&self) -> FrameForces {
        let mut points = self.points();
        // The others only came near: they are no contact in this step.
        points.retain(|point| point.normal.dot(&point.force) > 0.0);
        FrameForces { contacts: self.forces(), points }
    }

    /// The mean forces of all pairs over the last step, by pair.
    pub(super) fn forces(&self) -> Vec<ContactForce> {
        let mut forces: Vec<ContactForce> = Vec::new();
        let per_second = if self.memory.last > 0.0 { 1.0 / self.memory.last } else { 0.0 };
        let mut first = 0;
        while first < self.memory.names.len() {
            let pair = self.memory.names[first].0;
            let count = self.memory.names[first..].iter().take_while(|(name, _)| *name == pair).count();
            let points = &self.memory.contacts[first..first + count];
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
