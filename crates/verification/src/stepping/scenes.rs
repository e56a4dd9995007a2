//! Scenes of many bodies: each a function to a world at its start. Up is z.

use std::f64::consts::PI;

use zerogap_contact::material::PairProperties;
use zerogap_core::math::{acos, cos, sin};
use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Inertia};
use zerogap_geometry::{Polyhedron, Shape};

use super::super::certain;
use super::super::worlds::{G, How, STEEL, Scene, USUAL, add_floor, at, ball, down, rigid};
use zerogap_simulation::world::{BodyDef, Stepping, WorldBuilder, WorldError};

/// Time stepping with a given step and default settings.
pub(super) fn steps(step: f64) -> How {
    How::Steps(Stepping { step, ..Stepping::default() })
}

/// An empty world with a floor, time stepping, without restitution.
fn on_floor(step: f64, friction: f64) -> Result<WorldBuilder, WorldError> {
    let mut builder = rigid(steps(step), down(), (0.0, friction), USUAL)?;
    add_floor(&mut builder)?;
    Ok(builder)
}

/// The rolling scene of `SimBenchmark`, with its solution.
pub(super) struct Rolling {
    pub(super) scene: Scene,
    /// Acceleration of the box, which is the first body [m/s²].
    pub(super) of_box: Vec3,
    /// Acceleration of every ball [m/s²].
    pub(super) of_ball: Vec3,
}

/// Twenty-five balls of 1 kg at rest on a box of 10 kg that a force pulls over a floor.
pub(super) fn rolling(step: f64) -> Result<Rolling, WorldError> {
    const SIZE: Vec3 = Vec3::new(20.0, 20.0, 1.0);
    const RADIUS: f64 = 0.5;
    const SIDE: i32 = 5;
    const FORCE: f64 = 150.0;
    const ON_FLOOR: f64 = 0.4;
    const ON_BOX: f64 = 0.8;
    const BALL: &str = "rubber";
    let mut builder = on_floor(step, ON_FLOOR)?;
    let grip = PairProperties { restitution: 0.0, friction: ON_BOX, ..PairProperties::default() };
    builder.pair(STEEL, BALL, grip)?;
    let plate = BodyDef::free(at(0.0, 0.0, 0.5 * SIZE.z)).with(Shape::cuboid(SIZE)?, STEEL);
    let mut bodies = vec![builder.body(plate.with_inertia(Inertia::cuboid(10.0, SIZE)))?];
    for k in 0..SIDE * SIDE {
        let (x, y) = (f64::from(k % SIDE - SIDE / 2), f64::from(k / SIDE - SIDE / 2));
        let pose = at(2.0 * x, 2.0 * y, SIZE.z + RADIUS);
        let def = BodyDef::free(pose).with(Shape::sphere(RADIUS)?, BALL);
        bodies.push(builder.body(def.with_inertia(Inertia::sphere(1.0, RADIUS)))?);
    }
    let mut scene = Scene::new(builder, bodies)?;
    let along = Vec3::new(0.5, 0.75_f64.sqrt(), 0.0);
    scene.world.set_force(scene.bodies[0], along * FORCE, Vec3::zeros())?;
    // A ball that rolls on the box takes as much of the force as 2/7 of its mass would.
    let balls = f64::from(SIDE * SIDE);
    let of_box = along * ((FORCE - ON_FLOOR * (10.0 + balls) * G) / (10.0 + balls * 2.0 / 7.0));
    Ok(Rolling { scene, of_box, of_ball: of_box * (2.0 / 7.0) })
}

/// Radius of the balls of the 666 scene [m].
pub(super) const BALL_RADIUS: f64 = 0.1;

/// The 666 scene of `SimBenchmark`: 6 x 6 x 6 balls of 10 kg, not quite above each other, fall on a floor without friction.
pub(super) fn six_six_six(step: f64) -> Result<Scene, WorldError> {
    const SIDE: usize = 6;
    const SPACING: f64 = 0.21;
    const JITTER: f64 = 0.001;
    const HEIGHT: f64 = 1.101;
    let mut random = Random::new(42);
    let mut builder = on_floor(step, 0.0)?;
    let mut bodies = Vec::new();
    for k in 0..SIDE * SIDE * SIDE {
        let place = |index: usize| SPACING * index as f64;
        let (x, y, z) = (place(k / (SIDE * SIDE)), place(k / SIDE % SIDE), place(k % SIDE) + HEIGHT);
        let mut jitter = || random.range(0.0, JITTER);
        let pose = at(x + jitter(), y + jitter(), z + jitter());
        let def = ball(pose, BALL_RADIUS)?.with_inertia(Inertia::sphere(10.0, BALL_RADIUS));
        bodies.push(builder.body(def)?);
    }
    Scene::new(builder, bodies)
}

/// A pile of boxes of 0.1 m and 1 kg: layers of 5 x 5 side by side, 0.12 m above each other, each box up to 4 mm off its place.
pub(super) fn pile(step: f64, layers: usize) -> Result<Scene, WorldError> {
    const SIDE: usize = 5;
    const SIZE: f64 = 0.1;
    const EXCLUDE: f64 = 0.12;
    const JITTER: f64 = 0.004;
    let mut random = Random::new(1);
    let mut builder = on_floor(step, 0.5)?;
    let mut bodies = Vec::new();
    let cube = Shape::cuboid(Vec3::repeat(SIZE))?;
    for k in 0..SIDE * SIDE * layers {
        let (x, y, layer) = (k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE));
        let mut place = |index: usize| EXCLUDE * index as f64 + random.range(-JITTER, JITTER);
        let pose = at(place(x), place(y), SIZE * 0.5 + 0.01 + place(layer));
        let def = BodyDef::free(pose).with(cube.clone(), STEEL);
        bodies.push(builder.body(def.with_inertia(Inertia::cuboid(1.0, Vec3::repeat(SIZE))))?);
    }
    Scene::new(builder, bodies)
}

/// Unit boxes on each other.
pub(super) fn tower(step: f64, count: u32) -> Result<Scene, WorldError> {
    let mut builder = on_floor(step, 0.5)?;
    let mut bodies = Vec::new();
    for k in 0..count {
        let def = BodyDef::free(at(0.0, 0.0, 0.5 + f64::from(k)));
        bodies.push(builder.body(def.with(Shape::cuboid(Vec3::repeat(1.0))?, STEEL))?);
    }
    Scene::new(builder, bodies)
}

/// Stones of an arch [-].
pub(super) const STONES: usize = 15;

/// A half circle of wedges on a floor, mean radius 1 m, 0.3 m deep; its thickness is given relative to its radius.
pub(super) fn arch(step: f64, friction: f64, thickness: f64) -> Result<Scene, WorldError> {
    const DEPTH: f64 = 0.3;
    let mut builder = on_floor(step, friction)?;
    // Across the joint of a number, from the left springing: the right half mirrors the left, so that both springings lie on the floor to the last bit.
    let joint = |number: usize, radius: f64| {
        let mirrored = number.min(STONES - number);
        let angle = PI * mirrored as f64 / STONES as f64;
        let side = if mirrored == number { -1.0 } else { 1.0 };
        Vec3::new(side * radius * cos(angle), 0.0, radius * sin(angle))
    };
    let mut bodies = Vec::new();
    for stone in 0..STONES {
        let mut corners = Vec::new();
        for number in [stone, stone + 1] {
            for radius in [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness] {
                for y in [-0.5 * DEPTH, 0.5 * DEPTH] {
                    corners.push(joint(number, radius) + Vec3::new(0.0, y, 0.0));
                }
            }
        }
        bodies.push(builder.body(stone_of(&corners)?)?);
    }
    Scene::new(builder, bodies)
}

/// A free body of steel with these corners, its origin at its centre of mass.
fn stone_of(corners: &[Vec3]) -> Result<BodyDef, WorldError> {
    let center = Shape::from(Polyhedron::from_points(corners)?).mass_properties(1.0)?.center;
    let own: Vec<Vec3> = corners.iter().map(|corner| corner - center).collect();
    let pose = certain(Pose::from_translation(center));
    Ok(BodyDef::free(pose).with(Shape::from(Polyhedron::from_points(&own)?), STEEL))
}

/// A playing card: length along z, width along y, thickness along x [m].
const CARD: Vec3 = Vec3::new(0.001, 0.06, 0.1);

/// Distance from the top of a card to the contact of the card that leans on it, relative to its length [-].
const BELOW: f64 = 0.005;

/// Two cards that lean on each other: the first leans towards +x, and the second on its lower face.
struct Pair {
    /// Inclinations from the vertical [rad].
    angles: [f64; 2],
    /// From foot to foot [m].
    spread: f64,
    /// From the foot of the first to its highest edge [m].
    top: Vec3,
}

impl Pair {
    /// From the inclination of the second card [rad]; that of the first follows.
    fn new(angle: f64) -> Self {
        let (length, thickness) = (CARD.z, CARD.x);
        let first = acos(cos(angle) / (1.0 - BELOW));
        let contact = (1.0 - BELOW) * length;
        Self {
            angles: [first, angle],
            spread: contact * sin(first) + length * sin(angle),
            top: Vec3::new(
                length * sin(first) - thickness * cos(first),
                0.0,
                length * cos(first) + thickness * sin(first),
            ),
        }
    }

    /// Adds both with the foot of the first at a place; mirrored they lean in the opposite direction.
    fn add(&self, builder: &mut WorldBuilder, foot: Vec3, is_mirrored: bool) -> Result<(), WorldError> {
        let side = if is_mirrored { -1.0 } else { 1.0 };
        let feet = [foot, foot + Vec3::new(side * self.spread, 0.0, 0.0)];
        for ((foot, angle), side) in feet.into_iter().zip(self.angles).zip([side, -side]) {
            // A card stands on the lower edge of its lower face.
            let (along, lower) = (
                Vec3::new(side * sin(angle), 0.0, cos(angle)),
                Vec3::new(side * cos(angle), 0.0, -sin(angle)),
            );
            let center = foot + along * (0.5 * CARD.z) - lower * (0.5 * CARD.x);
            let pose = certain(Pose::from_axis_angle(center, Vec3::y(), side * angle));
            builder.body(BodyDef::free(pose).with(Shape::cuboid(CARD)?, STEEL))?;
        }
        Ok(())
    }
}

/// A house of seven cards in two storeys: two pairs, a card across, a pair on it. Every card touches others along an edge on a face.
///
/// Where two cards lean on each other along their top edges alone, the normal is any; so one leans on the face of the other, just below its top. In the plane the forces are determinate: with these angles they ask for
/// friction of 0.42 at most.
pub(super) fn card_house(step: f64, friction: f64) -> Result<Scene, WorldError> {
    /// Half of the gap between the two lower pairs [m].
    const BETWEEN: f64 = 0.002;
    let (lower, upper) = (Pair::new(28.0_f64.to_radians()), Pair::new(20.0_f64.to_radians()));
    let mut builder = on_floor(step, friction)?;
    for is_mirrored in [false, true] {
        let x = if is_mirrored { -BETWEEN } else { BETWEEN };
        lower.add(&mut builder, Vec3::new(x, 0.0, 0.0), is_mirrored)?;
    }
    let roof = at(0.0, 0.0, lower.top.z + 0.5 * CARD.x);
    let flat = Shape::cuboid(Vec3::new(CARD.z, CARD.y, CARD.x))?;
    builder.body(BodyDef::free(roof).with(flat, STEEL))?;
    let foot = Vec3::new(-0.5 * upper.spread, 0.0, lower.top.z + CARD.x);
    upper.add(&mut builder, foot, false)?;
    let world = builder.build()?;
    let bodies = (0..world.tree().bodies() as u32).map(BodyId).collect();
    Ok(Scene { world, bodies })
}
