//! Scenes of contact benchmarks, made in code from a seed, the same for every engine.
//!
//! In: the name of a scene and a seed. Out: a [`Scene`], which is plain data: bodies with convex pieces, masses, joints and where they start, and what is fixed. [`build`] makes a world of it, [`mjcf`] the text of a
//! model for MuJoCo, [`penetration`] measures overlaps of poses that any engine found. Same name and seed, same bits.

mod heaps;
mod linked;
pub mod mjcf;
pub mod penetration;
mod robots;

use std::error::Error;
use std::f64::consts::TAU;

use zerogap::contact::material::PairProperties;
use zerogap::dynamics::multibody::{
    BodyId, Dof, Inertia, Joint as TreeJoint, JointKind, Loop, LoopKind, Motor,
};
use zerogap::geometry::{ConvexShape, MassProperties, Polyhedron};
use zerogap::world::{BodyDef, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_core::random::Random;
use zerogap_core::{fingerprint, math};

/// Length of a step [s].
pub const STEP: f64 = 2e-3;
/// Density of bodies whose mass is not given [kg/m³].
const DENSITY: f64 = 1000.0;
/// The one material.
const MATERIAL: &str = "steel";

/// A convex form about its own origin; lengths in metres.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Full extents.
    Box(Vec3),
    /// Radius.
    Sphere(f64),
    /// Radius and length of the straight part, along z.
    Capsule(f64, f64),
    /// Radius and length, along z.
    Cylinder(f64, f64),
    /// Semi-axes.
    Ellipsoid(Vec3),
    /// Corners.
    Hull(Vec<Vec3>),
    /// Everything below z = 0; fixed only.
    Floor,
}

impl Form {
    /// The shape.
    pub fn shape(&self) -> Result<Shape, Box<dyn Error>> {
        Ok(match self {
            Self::Box(size) => Shape::cuboid(*size)?,
            Self::Sphere(radius) => Shape::sphere(*radius)?,
            Self::Capsule(radius, length) => Shape::capsule(*radius, *length)?,
            Self::Cylinder(radius, length) => Shape::cylinder(*radius, *length)?,
            Self::Ellipsoid(radii) => Shape::ellipsoid(*radii)?,
            Self::Hull(points) => Shape::from(ConvexShape::from(Polyhedron::from_points(points)?)),
            Self::Floor => Shape::half_space(Vec3::z(), 0.0)?,
        })
    }

    /// The farthest any of its points is from its origin [m].
    fn reach(&self) -> f64 {
        match self {
            Self::Box(size) => 0.5 * size.norm(),
            Self::Sphere(radius) => *radius,
            Self::Capsule(radius, length) => radius + 0.5 * length,
            Self::Cylinder(radius, length) => math::hypot(*radius, 0.5 * length),
            Self::Ellipsoid(radii) => radii.max(),
            Self::Hull(points) => points.iter().map(Vec3::norm).fold(0.0, f64::max),
            Self::Floor => f64::INFINITY,
        }
    }
}

/// A form somewhere on a body, or in the world.
#[derive(Debug, Clone)]
pub struct Piece {
    /// The form.
    pub form: Form,
    /// Where it is.
    pub pose: Pose,
}

impl Piece {
    fn new(form: Form) -> Self {
        Self { form, pose: Pose::identity() }
    }
}

/// How a body hangs on its parent; the joint is at the origin of the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Joint {
    /// Not at all.
    Free,
    /// By a ball and socket with a damper.
    Ball {
        /// Of the damper, about every axis [N m s].
        damping: f64,
    },
    /// By a hinge with limits, a damper and a motor.
    Hinge {
        /// The axis in the frame of the body [-].
        axis: Vec3,
        /// Smallest and largest angle [rad].
        range: [f64; 2],
        /// Of the damper [N m s].
        damping: f64,
        /// The motor.
        drive: Drive,
    },
}

/// What a motor does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Drive {
    /// A constant torque [N m].
    Torque(f64),
    /// It drives the angle to a target that swings.
    Servo {
        /// Torque per error of the angle [N m/rad].
        stiffness: f64,
        /// Torque per velocity [N m s].
        damping: f64,
        /// Middle and amplitude of the target [rad], cycles per second [1/s] and phase at the start [rad].
        swing: [f64; 4],
    },
}

impl Drive {
    /// What drives at a time [s]: the target of a servo [rad], or the torque [N m].
    pub fn command(&self, t: f64) -> f64 {
        match *self {
            Self::Torque(torque) => torque,
            Self::Servo { swing: [middle, amplitude, rate, phase], .. } => {
                middle + amplitude * math::sin(TAU * rate * t + phase)
            }
        }
    }

    /// The motor at a time [s].
    pub fn motor(&self, t: f64) -> Motor {
        match *self {
            Self::Torque(torque) => Motor::Effort(torque),
            Self::Servo { stiffness, damping, .. } => {
                Motor::Position { target: self.command(t), stiffness, damping, limit: f64::INFINITY }
            }
        }
    }
}

/// By which rule MuJoCo makes its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrator {
    /// Its default, semi-implicit Euler with dampers implicit.
    Euler,
    /// All forces that depend on velocities implicit, but for those of rotation.
    ImplicitFast,
}

/// A body and how it starts.
#[derive(Debug, Clone)]
pub struct Body {
    /// The body it hangs on, by number, below its own; none is the world.
    pub parent: Option<usize>,
    /// Its joint.
    pub joint: Joint,
    /// Where it starts in the frame of its parent.
    pub pose: Pose,
    /// Velocity of the origin in world axes [m/s] and angular velocity in axes of the body [rad/s]; of free bodies only.
    pub velocity: [f64; 6],
    /// Its convex pieces.
    pub pieces: Vec<Piece>,
    /// Mass and inertia.
    pub inertia: Inertia,
}

impl Body {
    /// A free body with one form and a mass [kg]; none takes that of the density of water.
    fn free(form: Form, mass: Option<f64>, pose: Pose) -> Result<Self, Box<dyn Error>> {
        Self::of_pieces(vec![Piece::new(form)], mass, pose)
    }

    /// A free body with pieces, whose masses are added even where they overlap.
    fn of_pieces(pieces: Vec<Piece>, mass: Option<f64>, pose: Pose) -> Result<Self, Box<dyn Error>> {
        let mut all = MassProperties::zero();
        for piece in &pieces {
            let own = piece.form.shape()?.mass_properties(DENSITY)?;
            all = all.combined(&own.transformed(&piece.pose));
        }
        if let Some(mass) = mass {
            all = all.with_mass(mass)?;
        }
        let inertia = Inertia { mass: all.mass, center: all.center, inertia: all.inertia };
        Ok(Self { parent: None, joint: Joint::Free, pose, velocity: [0.0; 6], pieces, inertia })
    }

    /// The farthest any of its points is from its origin [m].
    pub fn reach(&self) -> f64 {
        self.pieces
            .iter()
            .map(|piece| piece.pose.translation().norm() + piece.form.reach())
            .fold(0.0, f64::max)
    }
}

/// Two bodies held together in a point.
#[derive(Debug, Clone, Copy)]
pub struct Closure {
    /// The bodies, by number.
    pub bodies: [usize; 2],
    /// The point on each, in its frame [m].
    pub points: [Vec3; 2],
}

/// Bodies and what is fixed.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Its name.
    pub name: String,
    /// Coefficient of friction everywhere [-].
    pub friction: f64,
    /// The bodies, parents first.
    pub bodies: Vec<Body>,
    /// What does not move.
    pub fixed: Vec<Piece>,
    /// Loops.
    pub closures: Vec<Closure>,
    /// Length of a step [s].
    pub step: f64,
    /// The rule of MuJoCo.
    pub integrator: Integrator,
}

impl Scene {
    fn on_floor(name: &str, bodies: Vec<Body>) -> Self {
        let fixed = vec![Piece::new(Form::Floor)];
        let (closures, integrator) = (Vec::new(), Integrator::Euler);
        Self { name: name.to_owned(), friction: 0.5, bodies, fixed, closures, step: STEP, integrator }
    }

    /// Adds four walls about the z axis, at half the width [m].
    fn in_container(mut self, half: f64) -> Result<Self, Box<dyn Error>> {
        for inward in [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y()] {
            let axis = Vec3::z().cross(&inward);
            let pose = Pose::from_axis_angle(-half * inward, axis, std::f64::consts::FRAC_PI_2)?;
            self.fixed.push(Piece { form: Form::Floor, pose });
        }
        Ok(self)
    }
}

/// The scenes that are compared with other engines.
pub const SCENES: [&str; 11] = [
    "tilt0",
    "tilt0.01",
    "tilt0.05",
    "tilt0.5",
    "spheres",
    "mixed",
    "wall",
    "boxes1000",
    "parts",
    "chain",
    "hand",
];

/// Scenes that the library of problems has beside those.
pub const EXTRA: [&str; 4] = ["ratio", "rough", "stack", "ring"];

/// Robots under position control.
pub const ROBOTS: [&str; 4] = ["arm7", "hand24", "quadruped", "humanoid"];

/// Makes a scene from its name and a seed. Beside [`SCENES`], [`EXTRA`] and [`ROBOTS`] there are `layers-boxes-N`, `layers-spheres-N`, `cube-boxes-N` and `cube-spheres-N` with N bodies.
pub fn make(name: &str, seed: u64) -> Result<Scene, Box<dyn Error>> {
    // Every scene has a sequence of its own.
    let mut random =
        Random::new(seed.wrapping_mul(1_000_003) ^ fingerprint::go_on(fingerprint::START, name.as_bytes()));
    let random = &mut random;
    if let Some(tilt) = name.strip_prefix("tilt") {
        return heaps::boxes(name, [5, 5, 5], tilt.parse()?, random);
    }
    let words: Vec<&str> = name.split('-').collect();
    if let [order @ ("layers" | "cube"), what @ ("boxes" | "spheres"), count] = words[..] {
        return heaps::growing(name, order == "cube", what == "boxes", count.parse()?, random);
    }
    match name {
        "spheres" => heaps::spheres(name, [5, 5, 5], random),
        "mixed" => heaps::mixed(random),
        "wall" => heaps::wall(random),
        "boxes1000" => heaps::tumbling(random),
        "parts" => heaps::parts(random),
        "chain" => linked::chain(random),
        "hand" => linked::hand(random),
        "ratio" => heaps::ratio(random),
        "rough" => Ok(Scene { friction: 1.0, ..heaps::boxes(name, [5, 5, 5], 0.5, random)? }),
        "stack" => heaps::stack(seed, random),
        "ring" => linked::ring(random),
        "arm7" => robots::arm(),
        "hand24" => robots::hand(),
        "quadruped" => robots::quadruped(),
        "humanoid" => robots::humanoid(),
        _ => {
            let known: Vec<&str> = SCENES.into_iter().chain(EXTRA).chain(ROBOTS).collect();
            Err(format!("no scene `{name}`; there are {}", known.join(", ")).into())
        }
    }
}

/// Makes a world of a scene, with a tolerance [m/s].
pub fn build(scene: &Scene, tolerance: f64) -> Result<(World, Vec<BodyId>), Box<dyn Error>> {
    let stepping = Stepping { step: scene.step, tolerance, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    let properties =
        PairProperties { friction: scene.friction, restitution: 0.0, ..PairProperties::default() };
    builder.pair(MATERIAL, MATERIAL, properties)?;
    for piece in &scene.fixed {
        builder.fixed(ShapeDef::new(piece.form.shape()?, MATERIAL).at(piece.pose))?;
    }
    let mut bodies: Vec<BodyId> = Vec::new();
    for body in &scene.bodies {
        let parent = body.parent.map(|parent| bodies[parent]);
        let mut def = match body.joint {
            Joint::Free => BodyDef::free(body.pose).moving(&body.velocity),
            Joint::Ball { damping } => {
                let joint = TreeJoint::new(parent, JointKind::Spherical).parent_frame(body.pose);
                let dof = Dof { damping, ..Dof::default() };
                (0..3).fold(BodyDef::new(joint), |def, index| def.with_dof(index, dof))
            }
            Joint::Hinge { axis, range: [lower, upper], damping, drive } => {
                let joint = TreeJoint::new(parent, JointKind::Revolute { axis }).parent_frame(body.pose);
                let motor = drive.motor(0.0);
                let dof = Dof { lower: Some(lower), upper: Some(upper), damping, motor, ..Dof::default() };
                BodyDef::new(joint).with_dof(0, dof)
            }
        };
        for piece in &body.pieces {
            def = def.with_shape(ShapeDef::new(piece.form.shape()?, MATERIAL).at(piece.pose));
        }
        bodies.push(builder.body(def.with_inertia(body.inertia))?);
    }
    for Closure { bodies: [a, b], points } in &scene.closures {
        let [frame_a, frame_b] = [Pose::from_translation(points[0])?, Pose::from_translation(points[1])?];
        let kind = LoopKind::Point;
        builder.close(Loop { a: Some(bodies[*a]), frame_a, b: Some(bodies[*b]), frame_b, kind })?;
    }
    Ok((builder.build()?, bodies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scene_is_built_and_makes_a_step_the_same_way_twice() {
        for name in
            SCENES.into_iter().chain(EXTRA).chain(ROBOTS).chain(["layers-spheres-125", "cube-boxes-27"])
        {
            let ends = [0, 1].map(|_| {
                let scene = make(name, 3).unwrap();
                let (mut world, _) = build(&scene, 1e-4).unwrap_or_else(|error| panic!("{name}: {error}"));
                world.advance_to(2.0 * STEP).unwrap();
                world.positions().to_vec()
            });
            assert_eq!(ends[0], ends[1], "{name}");
            let other = make(name, 4).unwrap();
            assert_eq!(other.bodies.len(), make(name, 3).unwrap().bodies.len());
        }
        // The first chain that this seed draws bends into the floor.
        assert!(build(&make("chain", 202).unwrap(), 1e-4).is_ok());
        assert!(make("tilted", 1).is_err() && make("nothing", 1).is_err());
    }
}
