//! The shapes of a landing, to be drawn: deck, aircraft, tubes, skids.
//!
//! Every surface of the deck is a body of its own, so that contacts and plots show which surface a skid is on. Tubes are drawn as straight capsules of their length at rest.

use zerogap_core::{Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::{Capsule, Cuboid, Ellipsoid};
use zerogap_simulation::landing::{
    AIRCRAFT, BOLTED, FIRST_SKID, FIRST_TUBE, Landing, LandingError, NODES, SKIDS, SURFACES,
};

use super::draw::triangles_of;
use super::{DrawnShape, Head};

/// Length of what is drawn along the ship: deck, aircraft, skids [m].
const LENGTHS: [f64; 3] = [7.0, 3.2, 3.0];

/// A convex shape at a pose on its body, as triangles.
fn drawn(body: usize, material: &str, shape: &ConvexShape, at: &Pose) -> DrawnShape {
    let (vertices, triangles) = triangles_of(shape);
    let vertices = vertices.iter().map(|p| at.transform_point(p).into()).collect();
    let (name, material) = (String::new(), material.to_owned());
    DrawnShape { name, body: Some(body as u32), material, vertices, triangles }
}

impl Head {
    /// Returns the head of a landing's recording, with the time between frames [s].
    pub fn of_landing(landing: &Landing, scene: &str, every: f64) -> Result<Self, LandingError> {
        let params = landing.params();
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
        let bolts = BOLTED.map(|k| params.craft.nodes[k]);
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
            shapes.push(drawn(FIRST_TUBE + k, "aluminium", &capsule(radius, length)?, &lay));
        }
        for k in 0..SKIDS.len() {
            shapes.push(drawn(FIRST_SKID + k, "steel", &capsule(1.2 * radius, skid)?, &Pose::identity()));
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
        Ok(Self { scene, source, every, gravity: [0.0, 0.0, -params.gravity], bodies, shapes })
    }
}
