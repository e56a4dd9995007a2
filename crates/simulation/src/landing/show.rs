//! A landing as frames: numbers of its bodies, where they are, what touches.
//!
//! The plane of the landing is the y-z plane of the world. Every surface of the deck is a body of its own, so that contacts and plots show which surface a skid is on; then come the aircraft, the tubes and
//! the skids. The first shape of each body has its number.

use zerogap_core::{ContactId, Feature, Pose, Vec3};
use zerogap_dynamics::beam::NodeState;
use zerogap_dynamics::multibody::{BodyId, Energy};

use super::contact::SkidForce;
use super::craft::PlacedCraft;
use super::deck::SURFACES;
use super::model::{DEFLECTION, Model};
use super::{NODES, SKIDS};
use crate::world::{ContactForce, ContactPoint, Frame, PairId, ShapeId};

/// Number of the aircraft among the bodies: it follows the surfaces of the deck.
pub const AIRCRAFT: usize = SURFACES.len();

/// Number of the first tube among the bodies.
pub const FIRST_TUBE: usize = AIRCRAFT + 1;

/// Number of the first skid among the bodies.
pub const FIRST_SKID: usize = FIRST_TUBE + NODES - 1;

/// Bodies in a recording of a landing: surfaces of the deck, aircraft, tubes, skids [-].
pub const BODIES: usize = FIRST_SKID + SKIDS.len();

/// The plane in the world: its x is y, its y is z, its z is x.
fn plane() -> Pose {
    Pose::new(Vec3::zeros(), [0.5, 0.5, 0.5, 0.5]).unwrap_or_default()
}

/// A vector of the plane in the world.
fn lifted(v: &Vec3) -> Vec3 {
    Vec3::new(v.z, v.x, v.y)
}

/// The pair of a skid and a surface of the deck.
pub(super) fn pair(skid: usize, surface: usize) -> PairId {
    PairId::new(ShapeId(surface as u32), ShapeId((FIRST_SKID + skid) as u32))
}

/// A pose in the plane, in the world.
fn placed_at(at: &[f64; 3]) -> Pose {
    let planar = Pose::from_axis_angle(Vec3::new(at[0], at[1], 0.0), Vec3::z(), at[2]);
    plane() * planar.unwrap_or_default()
}

impl Model {
    pub(super) fn energy(&self, y: &[f64]) -> Energy {
        let [kinetic, gravity, springs] = self.frame.energy(&self.frame.placed(y), self.params.gravity);
        Energy { kinetic, gravity, springs }
    }

    /// Pose and rates of everything that is drawn, in the order of bodies.
    fn bodies(&self, t: f64, placed: &PlacedCraft) -> Vec<(Pose, Vec3, f64)> {
        let deck = self.deck(t);
        let moving = self.params.deck.motion.at(self.jumps.clamp(t));
        let of_deck = (
            plane() * deck.pose,
            Vec3::new(0.0, moving.velocity.y, moving.velocity.z),
            moving.angular_velocity.x,
        );
        let of_node = |state: &NodeState| {
            (placed_at(&state.at), Vec3::new(0.0, state.rate[0], state.rate[1]), state.rate[2])
        };
        let mut bodies = vec![of_deck; SURFACES.len()];
        bodies.push(of_node(&self.frame.carried(&placed.body, [0.0; 2])));
        for pair in placed.nodes.windows(2) {
            let [a, b] = [&pair[0], &pair[1]];
            let way = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
            let squared = way[0] * way[0] + way[1] * way[1];
            let rate = [b.rate[0] - a.rate[0], b.rate[1] - a.rate[1]];
            // The middle of the tube, turned to its direction.
            let middle = NodeState {
                at: [
                    0.5 * (a.at[0] + b.at[0]),
                    0.5 * (a.at[1] + b.at[1]),
                    zerogap_core::math::atan2(way[1], way[0]),
                ],
                rate: [
                    0.5 * (a.rate[0] + b.rate[0]),
                    0.5 * (a.rate[1] + b.rate[1]),
                    (way[0] * rate[1] - way[1] * rate[0]) / squared,
                ],
            };
            bodies.push(of_node(&middle));
        }
        bodies.extend(SKIDS.map(|node| of_node(&placed.nodes[node])));
        bodies
    }

    /// A frame at a state.
    pub(super) fn shown(&self, t: f64, y: &[f64], step: f64) -> Frame {
        let placed = self.frame.placed(y);
        let bodies = self.bodies(t, &placed);
        let deck = self.deck(t);
        let contact = |(skid, on): (usize, SkidForce)| ContactForce {
            pair: pair(skid, on.surface),
            gap: on.gap,
            normal: lifted(&on.normal).into(),
            point: {
                let node = &placed.nodes[SKIDS[skid]];
                let foot = Vec3::new(node.at[0], node.at[1], 0.0) - on.normal * on.gap;
                lifted(&foot).into()
            },
            normal_force: on.force.normal_force,
            friction_force: lifted(&on.force.friction).into(),
        };
        let mut contacts: Vec<ContactForce> = (0..SKIDS.len())
            .filter_map(|skid| {
                Some((skid, self.touch.force(skid, &deck, &placed.nodes, y[DEFLECTION + skid])?))
            })
            .map(contact)
            .collect();
        contacts.sort_by_key(|contact| contact.pair);
        let points = contacts.iter().map(only_point).collect();
        Frame {
            t,
            bodies: (0..bodies.len() as u32).map(BodyId).collect(),
            poses: bodies.iter().map(|body| body.0).collect(),
            velocities: bodies.iter().map(|body| body.1).collect(),
            angular_velocities: bodies.iter().map(|body| Vec3::new(body.2, 0.0, 0.0)).collect(),
            energy: self.energy(y),
            step,
            contacts,
            points,
        }
    }
}

/// A skid touches a surface in one point.
fn only_point(contact: &ContactForce) -> ContactPoint {
    let [normal, point, friction] = [contact.normal, contact.point, contact.friction_force].map(Vec3::from);
    ContactPoint {
        pair: contact.pair,
        id: ContactId { a: Feature::Face(0), b: Feature::Surface(0) },
        gap: contact.gap,
        normal,
        point,
        force: normal * contact.normal_force + friction,
    }
}
