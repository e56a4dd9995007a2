//! A landing as a recording tells it: bodies, shapes to be drawn, frames.
//!
//! The plane of the landing is the y-z plane of the world. Every surface of the deck is a body of its own, so that contacts and plots tell which surface a skid is on; then come the aircraft, the tubes and
//! the skids. The first shape of each body has its number. Tubes are drawn as straight capsules of their length at rest.

use zerogap_core::{ContactId, Feature, Pose, Vec3};
use zerogap_dynamics::beam::NodeState;
use zerogap_dynamics::multibody::Energy;
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{Capsule, Cuboid, Ellipsoid};

use super::contact::SkidForce;
use super::craft::Placed;
use super::deck::SURFACES;
use super::model::{Model, STRETCH};
use super::{LandingError, NODES, SKIDS};
use crate::landing::Landing;
use crate::record::{DrawnShape, Head, triangles_of};
use crate::world::{ContactForce, ContactSpot, Frame, PairId, ShapeId};

/// Numbers of the first tube and the first skid among the bodies; the aircraft is the one before the tubes.
const AIRCRAFT: usize = SURFACES.len();
const TUBES: usize = AIRCRAFT + 1;
const SKID: usize = TUBES + NODES - 1;

/// Bodies that a recording of a landing tells: surfaces of the deck, aircraft, tubes, skids [-].
pub const BODIES: usize = SKID + SKIDS.len();

/// Length of what is drawn along the ship: deck, aircraft, skids [m].
const LENGTHS: [f64; 3] = [7.0, 3.2, 3.0];

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
    PairId::new(ShapeId(surface as u32), ShapeId((SKID + skid) as u32))
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
    fn bodies(&self, t: f64, placed: &Placed) -> Vec<(Pose, Vec3, f64)> {
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
            .filter_map(|skid| Some((skid, self.touch.force(skid, &deck, &placed.nodes, y[STRETCH + skid])?)))
            .map(contact)
            .collect();
        contacts.sort_by_key(|contact| contact.pair);
        let points = contacts.iter().map(only_point).collect();
        Frame {
            t,
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
fn only_point(contact: &ContactForce) -> ContactSpot {
    let [normal, point, friction] = [contact.normal, contact.point, contact.friction_force].map(Vec3::from);
    ContactSpot {
        pair: contact.pair,
        id: ContactId { a: Feature::Face(0), b: Feature::Surface(0) },
        gap: contact.gap,
        normal,
        point,
        force: normal * contact.normal_force + friction,
    }
}

/// A convex shape at a pose on its body, as triangles.
fn drawn(body: usize, material: &str, shape: &ConvexShape, at: &Pose) -> DrawnShape {
    let (vertices, triangles) = triangles_of(shape);
    let vertices = vertices.iter().map(|p| at.transform_point(p).into()).collect();
    let (name, material) = (String::new(), material.to_owned());
    DrawnShape { name, body: Some(body as u32), material, vertices, triangles }
}

impl Landing {
    /// What is simulated, as a recording tells it.
    pub fn head(&self, scene: &str, every: f64) -> Result<Head, LandingError> {
        let params = self.params();
        let across = |x: f64, y: f64| Pose::from_translation(Vec3::new(x, y, 0.0));
        let slab = |x: f64, y: f64, length: f64| -> Result<ConvexShape, LandingError> {
            let cuboid = Cuboid::new(Vec3::new(x, y, length));
            cuboid.map(Into::into).map_err(|error| LandingError::Stuck(error.to_string()))
        };
        let capsule = |radius: f64, length: f64| -> Result<ConvexShape, LandingError> {
            let capsule = Capsule::new(radius, length);
            capsule.map(Into::into).map_err(|error| LandingError::Stuck(error.to_string()))
        };

        // The deck: a slab for its top and its bottom, and a strip on either side.
        let (width, thickness) = (params.deck.width, params.deck.thickness);
        let [deck, body, skid] = LENGTHS;
        let strip = 0.25 * thickness;
        let mut shapes = vec![
            drawn(0, "concrete", &slab(width, 0.5 * thickness, deck)?, &across(0.0, -0.25 * thickness)?),
            drawn(
                1,
                "concrete",
                &slab(strip, thickness, deck)?,
                &across(0.5 * (width - strip), -0.5 * thickness)?,
            ),
            drawn(2, "concrete", &slab(width, 0.5 * thickness, deck)?, &across(0.0, -0.75 * thickness)?),
            drawn(
                3,
                "concrete",
                &slab(strip, thickness, deck)?,
                &across(-0.5 * (width - strip), -0.5 * thickness)?,
            ),
        ];
        // The body: a cabin that reaches down to its bolts.
        let bolts = super::BOLTED.map(|k| params.craft.nodes[k]);
        let low = bolts[0][1].min(bolts[1][1]).abs().max(0.1);
        let wide = 0.8 * (bolts[1][0] - bolts[0][0]).abs().max(0.2);
        let cabin = Ellipsoid::new(Vec3::new(wide, low, 0.5 * body)).map(ConvexShape::from);
        let cabin = cabin.map_err(|error| LandingError::Stuck(error.to_string()))?;
        shapes.push(drawn(AIRCRAFT, "aluminium", &cabin, &across(0.0, 0.0)?));
        // Tubes lie along x of their bodies, skids along z, which is along the ship.
        let lay = Pose::from_axis_angle(Vec3::zeros(), Vec3::y(), std::f64::consts::FRAC_PI_2)?;
        let radius = (2.0 * params.craft.section.second_moment / params.craft.section.area).sqrt();
        for (k, ends) in params.craft.nodes.windows(2).enumerate() {
            let length = zerogap_core::math::hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]);
            shapes.push(drawn(TUBES + k, "aluminium", &capsule(radius, length)?, &lay));
        }
        for k in 0..SKIDS.len() {
            shapes.push(drawn(SKID + k, "steel", &capsule(1.2 * radius, skid)?, &Pose::identity()));
        }
        // Tail, mast and rotor have no numbers that a contact could name.
        let tail = Pose::from_translation(Vec3::new(0.0, 0.3 * low, -1.1 * body))?;
        shapes.push(drawn(AIRCRAFT, "aluminium", &capsule(0.12 * low, 1.6 * body)?, &tail));
        shapes.push(drawn(
            AIRCRAFT,
            "aluminium",
            &slab(0.1 * low, 0.5 * low, 0.1 * low)?,
            &across(0.0, 1.2 * low)?,
        ));
        shapes.push(drawn(
            AIRCRAFT,
            "aluminium",
            &slab(5.0 * low, 0.03 * low, 0.2 * low)?,
            &across(0.0, 1.45 * low)?,
        ));
        let mut bodies: Vec<String> = SURFACES.iter().map(|surface| format!("deck {surface}")).collect();
        bodies.push("aircraft".to_owned());
        bodies.extend((1..NODES).map(|k| format!("tube {k}-{}", k + 1)));
        bodies.extend(SKIDS.map(|node| format!("skid {}", node + 1)));
        let (scene, source) = (scene.to_owned(), String::new());
        Ok(Head { scene, source, every, gravity: [0.0, 0.0, -params.gravity], bodies, shapes })
    }
}
