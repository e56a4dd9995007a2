//! The scenes that cases run: each a function from its parameters to a world at its start.
//!
//! Up is z unless stated otherwise, all sizes are in SI units, and colliders are of steel with the restitution and friction given, unless the scene is about a material.

use std::sync::Arc;

use zerogap_contact::law::NormalLaw;
use zerogap_contact::material::PairProperties;
use zerogap_contact::solve::ImpactLaw;
use zerogap_core::math::{cos, sin};
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::event::Direction;
use zerogap_dynamics::integrate::Tolerance;
use zerogap_dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap_geometry::Shape;

use super::certain;
use zerogap_simulation::world::{
    BodyDef, ContactModel, EventFunction, EventLocation, ShapeDef, Stepping, World, WorldBuilder, WorldError,
    WorldParams,
};

/// Acceleration of free fall [m/s²].
pub(super) const G: f64 = 9.81;

/// The material of most scenes.
pub(super) const STEEL: &str = "steel";

/// The default relative tolerance of worlds [-].
pub(super) const USUAL: f64 = 1e-6;

/// A tolerance for blocks that begin to slide [-]: as long as their speed is below the absolute tolerance, the direction in which each corner slides is known to
/// no more than that, and friction is lost.
const ONSET: f64 = 1e-9;

/// A tolerance [-] that leaves errors of some 1e-10 over seconds of smooth motion.
pub(super) const FINE: f64 = 1e-12;

/// A world and its bodies, in the order of adding.
pub(super) struct Scene {
    pub(super) world: World,
    pub(super) bodies: Vec<BodyId>,
}

impl Scene {
    pub(super) fn new(builder: WorldBuilder, bodies: Vec<BodyId>) -> Result<Self, WorldError> {
        Ok(Self { world: builder.build()?, bodies })
    }

    /// Where the origin of a body is [m].
    pub(super) fn place(&self, body: usize) -> Vec3 {
        self.world.pose(self.bodies[body]).translation()
    }

    /// The velocity of the origin of a body [m/s].
    pub(super) fn velocity(&self, body: usize) -> Vec3 {
        self.world.velocity(self.bodies[body])
    }

    /// The angular velocity of a body, in world axes [rad/s].
    pub(super) fn spin(&self, body: usize) -> Vec3 {
        self.world.angular_velocity(self.bodies[body])
    }

    /// Where the z axis of a body points [-].
    pub(super) fn axis(&self, body: usize) -> Vec3 {
        self.world.pose(self.bodies[body]).transform_vector(&Vec3::z())
    }
}

/// A pose without rotation.
pub(super) fn at(x: f64, y: f64, z: f64) -> Pose {
    certain(Pose::from_translation(Vec3::new(x, y, z)))
}

/// Errors relative to a state, and a thousandth of that against its unit.
fn tolerance(relative: f64) -> Tolerance {
    Tolerance { relative, absolute: 1e-3 * relative }
}

/// Time-integration method of a world with rigid contacts.
#[derive(Debug, Clone, Copy)]
pub(super) enum How {
    /// With located events.
    Events,
    /// Time stepping.
    Steps(Stepping),
}

/// An empty world with rigid contacts; with located events to a relative tolerance.
pub(super) fn rigid(
    how: How,
    gravity: Vec3,
    (restitution, friction): (f64, f64),
    relative: f64,
) -> Result<WorldBuilder, WorldError> {
    let contact = ContactModel::Rigid(ImpactLaw::default());
    let method = match how {
        How::Events => EventLocation { tolerance: tolerance(relative), ..EventLocation::new(contact) }.into(),
        How::Steps(stepping) => stepping.into(),
    };
    let mut builder = WorldBuilder::new(WorldParams { gravity, method });
    builder.pair(STEEL, STEEL, PairProperties { restitution, friction, ..PairProperties::default() })?;
    Ok(builder)
}

/// An empty world with elastic contacts.
fn elastic(gravity: Vec3, law: NormalLaw, relative: f64) -> WorldBuilder {
    let contact = ContactModel::Elastic(law);
    WorldBuilder::new(WorldParams {
        gravity,
        ..WorldParams::new(EventLocation { tolerance: tolerance(relative), ..EventLocation::new(contact) })
    })
}

pub(super) fn down() -> Vec3 {
    Vec3::new(0.0, 0.0, -G)
}

pub(super) fn add_floor(builder: &mut WorldBuilder) -> Result<(), WorldError> {
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, STEEL))?;
    Ok(())
}

/// A free ball of steel.
pub(super) fn ball(pose: Pose, radius: f64) -> Result<BodyDef, WorldError> {
    Ok(BodyDef::free(pose).with(Shape::sphere(radius)?, STEEL))
}

/// Ends a run where the vertical velocity of a body crosses zero.
fn stop_at_turn(builder: &mut WorldBuilder, body: BodyId, direction: Direction) {
    let function = Arc::new(move |view: &zerogap_simulation::world::View<'_>| view.velocity(body).z);
    builder.add_event(EventFunction { function, direction, stops: true });
}

/// A ball that falls on a floor from rest, with rigid contact; `stops` ends runs at each apex.
pub(super) fn bouncing_ball(how: How, gap: f64, restitution: f64, stops: bool) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = rigid(how, down(), (restitution, 0.0), USUAL)?;
    add_floor(&mut builder)?;
    let body = builder.body(ball(at(0.0, 0.0, RADIUS + gap), RADIUS)?)?;
    if stops {
        stop_at_turn(&mut builder, body, Direction::Falling);
    }
    Scene::new(builder, vec![body])
}

/// Balls in a row, apart, without gravity; the first moves to the next.
pub(super) fn row_of_balls(count: u32, speed: f64) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = rigid(How::Events, Vec3::zeros(), (1.0, 0.0), USUAL)?;
    let mut bodies = Vec::new();
    for k in 0..count {
        let moving = if k == 0 { speed } else { 0.0 };
        let def = ball(at(2.1 * RADIUS * f64::from(k), 0.0, 0.0), RADIUS)?;
        bodies.push(builder.body(def.moving(&[moving, 0.0, 0.0, 0.0, 0.0, 0.0]))?);
    }
    Scene::new(builder, bodies)
}

/// Side by side balls of 10 kg and radius 0.1 m that start with their centres 5 m above a floor, without losses: the bouncing scene of `SimBenchmark`.
pub(super) fn bouncing_balls(side: u32) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = rigid(How::Events, down(), (1.0, 0.0), USUAL)?;
    add_floor(&mut builder)?;
    let mut bodies = Vec::new();
    for k in 0..side * side {
        let pose = at(0.3 * f64::from(k % side), 0.3 * f64::from(k / side), 5.0);
        bodies.push(builder.body(ball(pose, RADIUS)?.with_inertia(Inertia::sphere(10.0, RADIUS)))?);
    }
    Scene::new(builder, bodies)
}

/// A solid ball that touches a floor and slides along x.
pub(super) fn sliding_ball(how: How, speed: f64, friction: f64) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = rigid(how, down(), (0.0, friction), USUAL)?;
    add_floor(&mut builder)?;
    let def = ball(at(0.0, 0.0, RADIUS), RADIUS)?.moving(&[speed, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

/// Gravity in axes of a plane that falls along x with a tangent: sine and cosine of its angle, and the vector.
pub(super) fn incline(tangent: f64) -> (f64, f64, Vec3) {
    let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
    let sine = tangent * cosine;
    (sine, cosine, Vec3::new(G * sine, 0.0, -G * cosine))
}

/// A block at rest on a plane that falls along x; its centre starts above the origin.
pub(super) fn block_on_incline(how: How, tangent: f64, friction: f64) -> Result<Scene, WorldError> {
    let size = Vec3::new(0.4, 0.3, 0.2);
    let mut builder = rigid(how, incline(tangent).2, (0.0, friction), ONSET)?;
    add_floor(&mut builder)?;
    let body = builder.body(BodyDef::free(at(0.0, 0.0, 0.5 * size.z)).with(Shape::cuboid(size)?, STEEL))?;
    Scene::new(builder, vec![body])
}

/// A solid ball at rest on a plane that falls along x.
pub(super) fn ball_on_incline(tangent: f64, friction: f64, radius: f64) -> Result<Scene, WorldError> {
    let mut builder = rigid(How::Events, incline(tangent).2, (0.0, friction), USUAL)?;
    add_floor(&mut builder)?;
    let body = builder.body(ball(at(0.0, 0.0, radius), radius)?)?;
    Scene::new(builder, vec![body])
}

/// A thin disk of 1 kg that rolls on its rim with its centre at rest, its axis turning about the vertical at a rate [rad/s] from the direction of x.
pub(super) fn rolling_disk(radius: f64, inclination: f64, rate: f64) -> Result<Scene, WorldError> {
    // Thin enough for the formulas of a disk without thickness, thick enough for a cylinder.
    const THICKNESS: f64 = 1e-9;
    // More than any rolling asks for.
    const FRICTION: f64 = 1e3;
    let (s, c) = (sin(inclination), cos(inclination));
    let mut builder = rigid(How::Events, down(), (0.0, FRICTION), USUAL)?;
    add_floor(&mut builder)?;
    let center = Vec3::new(0.0, 0.0, radius * s + 0.5 * THICKNESS * c);
    let pose = certain(Pose::from_axis_angle(center, Vec3::y(), inclination));
    // The diameter through the contact is at rest: the disk rotates about it.
    let spin = pose.inverse_transform_vector(&Vec3::new(-c, 0.0, s)) * (rate * s);
    let inertia = Mat3::from_diagonal(&Vec3::new(0.25, 0.25, 0.5)) * (radius * radius);
    let def = BodyDef::free(pose)
        .with(Shape::cylinder(radius, THICKNESS)?, STEEL)
        .with_inertia(Inertia { mass: 1.0, center: Vec3::zeros(), inertia })
        .moving(&[0.0, 0.0, 0.0, spin.x, spin.y, spin.z]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

/// A row of upright boxes.
pub(super) struct Dominoes {
    /// Extents [m].
    pub(super) size: Vec3,
    /// From one to the next [m].
    pub(super) spacing: f64,
    /// Angular velocity of the first about its lower edge at the start [rad/s].
    pub(super) rate: f64,
}

/// The dominoes of the verification.
pub(super) const DOMINO: Dominoes = Dominoes { size: Vec3::new(0.02, 0.1, 0.2), spacing: 0.1, rate: 1.5 };

/// Dominoes along x, of which the first begins to fall about its edge.
pub(super) fn dominoes(count: usize) -> Result<Scene, WorldError> {
    let Dominoes { size, spacing, rate } = DOMINO;
    let mut builder = rigid(How::Events, down(), (0.0, 0.4), USUAL)?;
    add_floor(&mut builder)?;
    let mut bodies = Vec::new();
    for k in 0..count {
        let def = BodyDef::free(at(spacing * k as f64, 0.0, 0.5 * size.z)).with(Shape::cuboid(size)?, STEEL);
        let turning = if k == 0 { rate } else { 0.0 };
        let moving = [0.5 * size.z * turning, 0.0, 0.5 * size.x * turning, 0.0, turning, 0.0];
        bodies.push(builder.body(def.moving(&moving))?);
    }
    Scene::new(builder, bodies)
}

/// A cylinder that tips over.
#[derive(Clone, Copy)]
pub(super) struct TippingCylinder {
    /// Radius and length [m].
    pub(super) radius: f64,
    pub(super) length: f64,
    /// Inclination of its axis at the start [rad].
    pub(super) tilt: f64,
    /// Angular velocity at the start [rad/s].
    pub(super) rate: f64,
}

/// A cylinder that turns about the lowest point of its rim, with more friction than it asks for.
pub(super) fn tipping_cylinder(cylinder: TippingCylinder) -> Result<Scene, WorldError> {
    const FRICTION: f64 = 1e3;
    let TippingCylinder { radius, length, tilt, rate } = cylinder;
    let (s, c) = (sin(tilt), cos(tilt));
    let mut builder = rigid(How::Events, down(), (0.0, FRICTION), USUAL)?;
    add_floor(&mut builder)?;
    // About y, from z towards x, over the rim at the origin.
    let center = Vec3::new(0.5 * length * s - radius * c, 0.0, 0.5 * length * c + radius * s);
    let pose = certain(Pose::from_axis_angle(center, Vec3::y(), tilt));
    let velocity = Vec3::new(0.0, rate, 0.0).cross(&center);
    let def = BodyDef::free(pose).with(Shape::cylinder(radius, length)?, STEEL);
    let body = builder.body(def.moving(&[velocity.x, velocity.y, velocity.z, 0.0, rate, 0.0]))?;
    Scene::new(builder, vec![body])
}

/// A cylinder that lies at rest on a plane that falls along x, with its axis across it.
pub(super) fn rolling_cylinder(tangent: f64) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = rigid(How::Events, incline(tangent).2, (0.0, 0.5), USUAL)?;
    add_floor(&mut builder)?;
    let pose = Pose::from_axis_angle(Vec3::new(0.0, 0.0, RADIUS), Vec3::x(), 0.5 * std::f64::consts::PI);
    let def = BodyDef::free(certain(pose)).with(Shape::cylinder(RADIUS, 0.3)?, STEEL);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

/// The tolerance at which crowded impacts are captured [-].
const LOOSE: f64 = 1e-3;

/// A ball that falls from low on a floor and bounces often.
pub(super) fn low_ball(gap: f64, restitution: f64) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = rigid(How::Events, down(), (restitution, 0.1), LOOSE)?;
    add_floor(&mut builder)?;
    let body = builder.body(ball(at(0.0, 0.0, RADIUS + gap), RADIUS)?)?;
    Scene::new(builder, vec![body])
}

/// Extents of the block that rocks [m].
pub(super) const BLOCK: Vec3 = Vec3::new(0.2, 0.3, 0.6);

/// A block on one edge of its base, let go at rest.
pub(super) fn rocking_block() -> Result<Scene, WorldError> {
    const TILT: f64 = 0.12;
    let mut builder = rigid(How::Events, down(), (0.3, 0.6), LOOSE)?;
    add_floor(&mut builder)?;
    let center = Vec3::new(0.0, 0.0, 0.5 * (BLOCK.x * sin(TILT) + BLOCK.z * cos(TILT)));
    let pose = certain(Pose::from_axis_angle(center, Vec3::y(), TILT));
    let body = builder.body(BodyDef::free(pose).with(Shape::cuboid(BLOCK)?, STEEL))?;
    Scene::new(builder, vec![body])
}

/// A uniform rod of 1 kg whose lower end touches a floor and slides in the direction in which friction increases the normal force, while it rotates at a rate [rad/s].
pub(super) fn sliding_rod(half: f64, tangent: f64, friction: f64, rate: f64) -> Result<Scene, WorldError> {
    const SLIP: f64 = -1.0;
    let (s, c, _) = incline(tangent);
    let mut builder = rigid(How::Events, down(), (0.0, friction), USUAL)?;
    add_floor(&mut builder)?;
    // From x towards z by the angle of the rod.
    let angle = zerogap_core::math::atan(tangent);
    let pose = certain(Pose::from_axis_angle(Vec3::new(0.0, 0.0, half * s), -Vec3::y(), angle));
    let transverse = half * half / 3.0;
    // A rod has no inertia about its own length; a little of it lets a free body have one.
    let inertia = Mat3::from_diagonal(&Vec3::new(1e-3 * transverse, transverse, transverse));
    // The end moves with `SLIP` along the floor and not across it.
    let def = BodyDef::free(pose)
        .with(Shape::segment(Vec3::new(-half, 0.0, 0.0), Vec3::new(half, 0.0, 0.0))?, STEEL)
        .with_inertia(Inertia { mass: 1.0, center: Vec3::zeros(), inertia })
        .moving(&[SLIP - rate * half * s, 0.0, rate * half * c, 0.0, -rate, 0.0]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

/// A symmetric top: mass and inertia.
#[derive(Clone, Copy)]
pub(super) struct Top {
    /// Mass [kg].
    pub(super) mass: f64,
    /// From the point it stands on to its centre [m].
    pub(super) length: f64,
    /// Moment of inertia across its axis, about the point it stands on [kg m²].
    pub(super) across: f64,
    /// Moment of inertia about its axis [kg m²].
    pub(super) along: f64,
}

/// A top that turns about a point, its axis inclined towards x, with an angular velocity in its own axes [rad/s]. Its origin is its centre; `stops` ends runs where
/// it has sunk and begins to rise.
pub(super) fn top(top: &Top, inclination: f64, spin: Vec3, stops: bool) -> Result<Scene, WorldError> {
    let mut builder = WorldBuilder::new(WorldParams::new(EventLocation {
        tolerance: tolerance(FINE),
        ..EventLocation::default()
    }));
    let joint = Joint::new(None, JointKind::Spherical).child_frame(at(0.0, 0.0, -top.length));
    let central = top.across - top.mass * top.length * top.length;
    let inertia = Mat3::from_diagonal(&Vec3::new(central, central, top.along));
    let (s, c) = (sin(0.5 * inclination), cos(0.5 * inclination));
    let def = BodyDef::new(joint)
        .with_inertia(Inertia { mass: top.mass, center: Vec3::zeros(), inertia })
        .starting(&[0.0, s, 0.0, c])
        .moving(&[spin.x, spin.y, spin.z]);
    let body = builder.body(def)?;
    if stops {
        stop_at_turn(&mut builder, body, Direction::Rising);
    }
    Scene::new(builder, vec![body])
}

/// A box that tumbles freely, nearly about its middle axis.
pub(super) fn tumbling_box() -> Result<Scene, WorldError> {
    let params = WorldParams {
        gravity: Vec3::zeros(),
        ..WorldParams::new(EventLocation { tolerance: tolerance(FINE), ..EventLocation::default() })
    };
    let mut builder = WorldBuilder::new(params);
    let inertia = Inertia::cuboid(2.0, Vec3::new(0.3, 0.2, 0.1));
    let def =
        BodyDef::free(at(0.4, -0.2, 0.3)).with_inertia(inertia).moving(&[0.3, -0.2, 0.1, 0.02, 6.0, 0.01]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

/// A billiard ball at rest that just touches a wooden table of 1 m, at a place on it.
pub(super) fn ball_on_table(radius: f64, x: f64, y: f64) -> Result<Scene, WorldError> {
    let mut builder = elastic(down(), NormalLaw::HuntCrossley, 1e-8);
    let table = Shape::cuboid(Vec3::new(1.0, 1.0, 0.1))?;
    builder.fixed(ShapeDef::new(table, "dry-wood").at(at(0.0, 0.0, -0.05)))?;
    let body = builder.body(BodyDef::free(at(x, y, radius)).with(Shape::sphere(radius)?, "billiard-ball"))?;
    Scene::new(builder, vec![body])
}

/// A ball that hits a floor at a speed after 10 ms, without gravity, with the elastic law.
pub(super) fn weightless_bounce(restitution: f64, speed: f64) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = elastic(Vec3::zeros(), NormalLaw::HuntCrossley, FINE);
    builder.pair(STEEL, STEEL, PairProperties { restitution, ..PairProperties::default() })?;
    add_floor(&mut builder)?;
    let def = ball(at(0.0, 0.0, RADIUS + 0.01 * speed), RADIUS)?;
    let body = builder.body(def.moving(&[0.0, 0.0, -speed, 0.0, 0.0, 0.0]))?;
    Scene::new(builder, vec![body])
}

/// A cube of 1 m and 1,000 kg that drops 1 mm on a fixed one.
pub(super) fn box_on_box(law: NormalLaw) -> Result<Scene, WorldError> {
    let mut builder = elastic(down(), law, 1e-5);
    let size = Vec3::new(1.0, 1.0, 1.0);
    let cube = Shape::cuboid(size)?;
    builder.fixed(ShapeDef::new(cube.clone(), STEEL))?;
    let def = BodyDef::free(at(0.0, 0.0, 1.001)).with(cube, STEEL);
    let body = builder.body(def.with_inertia(Inertia::cuboid(1000.0, size)))?;
    Scene::new(builder, vec![body])
}

/// `BouncingSphere` of `Modia3D`: a ball on a vertical rail falls on a box. The position of its joint is the gap.
pub(super) fn bouncing_sphere(law: NormalLaw) -> Result<Scene, WorldError> {
    const RADIUS: f64 = 0.1;
    let mut builder = elastic(down(), law, 1e-10);
    let floor = Shape::cuboid(Vec3::new(2.0, 2.0, 0.1))?;
    builder.fixed(ShapeDef::new(floor, STEEL).at(at(0.0, 0.0, -0.05)))?;
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() }).parent_frame(at(0.0, 0.0, RADIUS));
    let def = BodyDef::new(joint)
        .with(Shape::sphere(RADIUS)?, STEEL)
        .with_inertia(Inertia::sphere(0.001, RADIUS))
        .starting(&[1.0]);
    let body = builder.body(def)?;
    Scene::new(builder, vec![body])
}

/// `NewtonsCradle` of `Modia3D`: five balls on wires, the first released at -60°.
pub(super) fn newtons_cradle(law: NormalLaw) -> Result<Scene, WorldError> {
    const DIAMETER: f64 = 0.02;
    const WIRE: f64 = 0.15;
    // The mass is that of steel, the contact that of billiard balls.
    let mass = 8000.0 * std::f64::consts::PI / 6.0 * DIAMETER * DIAMETER * DIAMETER;
    let mut builder = elastic(down(), law, 1e-9);
    let mut bodies = Vec::new();
    for k in 0..5 {
        let pivot = at(0.0, f64::from(k) * 1.01 * DIAMETER, 0.0);
        let joint = Joint::new(None, JointKind::Revolute { axis: Vec3::x() }).parent_frame(pivot);
        let ball = ShapeDef::new(Shape::sphere(0.5 * DIAMETER)?, "billiard-ball").at(at(0.0, 0.0, -WIRE));
        let inertia = Inertia { center: Vec3::new(0.0, 0.0, -WIRE), ..Inertia::sphere(mass, 0.5 * DIAMETER) };
        let angle = if k == 0 { -std::f64::consts::FRAC_PI_3 } else { 0.0 };
        let def = BodyDef::new(joint).with_shape(ball).with_inertia(inertia).starting(&[angle]);
        bodies.push(builder.body(def)?);
    }
    Scene::new(builder, bodies)
}

/// `BouncingEllipsoidOnSphere` of `Modia3D`: up is y.
pub(super) fn bouncing_ellipsoid(law: NormalLaw) -> Result<Scene, WorldError> {
    let mut builder = elastic(Vec3::new(0.0, -G, 0.0), law, 1e-9);
    builder.fixed(ShapeDef::new(Shape::sphere(0.75)?, STEEL).at(at(0.0, -0.05, 0.0)))?;
    let ellipsoid = Shape::ellipsoid(Vec3::new(0.05, 0.1, 0.15))?;
    let def = BodyDef::free(at(0.0, 1.0, 0.0)).with(ellipsoid, STEEL);
    let body = builder.body(def.moving(&[0.0, 0.0, 0.0, 5.0, 0.0, -2.0]))?;
    Scene::new(builder, vec![body])
}
