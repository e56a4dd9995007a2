//! All points at which shapes touch, or may within a step.

use zerogap_core::Aabb;
use zerogap_dynamics::multibody::Workspace;
use zerogap_dynamics::step::ContactPoint;
use zerogap_proximity::broad::BoxId;

use super::Steps;
use crate::world::model::Model;
use crate::world::shapes::{PairId, PlacedPair};

/// Room for what bodies speed up within a step, against their way at the start [-].
const ROOM: f64 = 1.5;
/// Contacts are looked for within this share of the size of the smaller shape at least [-]: bodies at rest keep theirs.
const NEAR: f64 = 1e-6;
/// Overlaps up to this share of the size of the smaller shape are left alone [-].
const SLOP: f64 = 1e-8;

impl Steps {
    /// Finds the contacts of the bodies at the start of a step, sorted by pair.
    pub(super) fn find_contacts(&mut self, model: &mut Model, t: f64, step: f64, q: &[f64], v: &[f64]) {
        let ws = self.stepper.locate(&model.tree, t, q, v);
        let falling = model.tree.gravity().norm() * step * step;
        follow(model, ws, step, falling, &mut self.speeds);
        model.broad.update();
        self.pairs.clear();
        self.pairs.extend(model.broad.pairs().iter().map(|pair| {
            let shape = |id: BoxId| model.watch.shapes_of_boxes[id.0 as usize];
            PairId::new(shape(pair.a), shape(pair.b))
        }));
        self.pairs.extend(model.pairs.half_space_pairs());
        self.pairs.sort_unstable();

        self.contacts.clear();
        self.names.clear();
        for pair in &self.pairs {
            let placed = PlacedPair::new(&model.shapes, *pair, ws);
            let way = self.speeds[pair.a.0 as usize] + self.speeds[pair.b.0 as usize];
            let within = ROOM * way * step + falling + NEAR * placed.size();
            placed.contacts(within, &mut self.manifold);
            let properties = model.properties(*pair);
            for contact in self.manifold.contacts.iter().filter(|contact| contact.gap <= within) {
                self.names.push((*pair, contact.id));
                self.contacts.push(ContactPoint {
                    a: placed.a.body,
                    b: placed.b.body,
                    at: 0.5 * (contact.point_a + contact.point_b),
                    normal: contact.normal,
                    gap: contact.gap,
                    friction: properties.friction,
                    restitution: properties.restitution,
                    slop: SLOP * placed.size(),
                    impulse: zerogap_core::Vec3::zeros(),
                    gap_rate: 0.0,
                });
            }
        }
        model.watch.gaps += self.pairs.len();
    }

    /// The speed at which a pair approached at the end of the step [m/s].
    pub(super) fn approach(&self, pair: PairId) -> f64 {
        let of_pair = self.names.iter().zip(&self.contacts).filter(|((name, _), _)| *name == pair);
        of_pair.map(|(_, contact)| -contact.gap_rate).fold(0.0, f64::max)
    }
}

/// Moves the boxes of all shapes to cover a step, and notes how fast each moves at most [m/s].
fn follow(model: &mut Model, ws: &Workspace, step: f64, falling: f64, speeds: &mut Vec<f64>) {
    speeds.clear();
    for (index, placed) in model.shapes.iter().enumerate() {
        // What is fixed keeps the box it was put in with.
        let Some(body) = placed.body else {
            speeds.push(0.0);
            continue;
        };
        let turning = ws.angular_velocity(body).norm();
        let reach = if placed.reach.is_finite() { placed.reach } else { 0.0 };
        let speed = ws.linear_velocity(body).norm() + turning * reach;
        speeds.push(speed);
        if let (Some(id), Some(bounds)) = (model.watch.boxes[index], placed.bounds) {
            let around: Aabb = bounds
                .transformed(ws.pose(body))
                .expanded(ROOM * speed * step + falling + NEAR * placed.size);
            // Boxes of finite poses are boxes; a run whose numbers overflow ends with an error.
            let _ = model.broad.set(id, around);
        }
    }
}
