//! Robots under position control: an arm, a hand, a quadruped and a humanoid, whose targets swing.
//!
//! One hinge for each link, as files of robots have it; where a joint turns about several axes, links without a shape stand between. All joints are held by servos, so that each model is one that a controller would run at 1 kHz.

use std::error::Error;
use std::f64::consts::FRAC_PI_2;

use super::{Body, Drive, Form, Integrator, Joint, Piece, Scene};
use zerogap::dynamics::multibody::Inertia;
use zerogap::{Pose, Vec3};
use zerogap_core::Mat3;

type Made<T> = Result<T, Box<dyn Error>>;

/// Length of a step [s].
const STEP: f64 = 1e-3;
/// Radius of gyration of a link without a shape [m].
const GYRATION: f64 = 0.03;

/// A robot while it is put together.
#[derive(Debug, Default)]
struct Robot {
    bodies: Vec<Body>,
}

/// A hinge with its servo.
#[derive(Debug, Clone, Copy)]
struct Hinge {
    axis: Vec3,
    range: [f64; 2],
    stiffness: f64,
    damping: f64,
    swing: [f64; 4],
}

impl Hinge {
    fn joint(&self) -> Joint {
        let Self { axis, range, stiffness, damping, swing } = *self;
        // What the joint itself loses is a tenth of what the servo brakes.
        Joint::Hinge {
            axis,
            range,
            damping: 0.1 * damping,
            drive: Drive::Servo { stiffness, damping, swing },
        }
    }
}

impl Robot {
    /// Adds a free body with a piece and a mass [kg]; its number.
    fn free(&mut self, form: Form, mass: f64, at: Vec3) -> Made<usize> {
        self.bodies.push(Body::free(form, Some(mass), Pose::from_translation(at)?)?);
        Ok(self.bodies.len() - 1)
    }

    /// Adds a body on a hinge at a point of its parent; its number.
    fn link(
        &mut self,
        parent: Option<usize>,
        at: Vec3,
        hinge: Hinge,
        mass: f64,
        pieces: Vec<Piece>,
    ) -> Made<usize> {
        let pose = Pose::from_translation(at)?;
        let mut body = if pieces.is_empty() {
            let inertia = Mat3::from_diagonal_element(mass * GYRATION * GYRATION);
            let inertia = Inertia { mass, center: Vec3::zeros(), inertia };
            Body { parent, joint: Joint::Free, pose, velocity: [0.0; 6], pieces, inertia }
        } else {
            Body::of_pieces(pieces, Some(mass), pose)?
        };
        (body.parent, body.joint) = (parent, hinge.joint());
        self.bodies.push(body);
        Ok(self.bodies.len() - 1)
    }

    fn finish(self, name: &str) -> Scene {
        Scene {
            step: STEP,
            integrator: Integrator::ImplicitFast,
            friction: 0.8,
            ..Scene::on_floor(name, self.bodies)
        }
    }
}

/// A capsule from the origin along x, y or z, backwards where the length is negative.
fn capsule(axis: usize, length: f64, radius: f64) -> Made<Vec<Piece>> {
    let along = Vec3::ith(axis, 1.0);
    let at = along * (0.5 * length);
    let straight = length.abs() - 2.0 * radius;
    let pose = match axis {
        0 => Pose::from_axis_angle(at, Vec3::y(), FRAC_PI_2)?,
        1 => Pose::from_axis_angle(at, Vec3::x(), FRAC_PI_2)?,
        _ => Pose::from_translation(at)?,
    };
    Ok(vec![Piece { form: Form::Capsule(radius, straight), pose }])
}

fn cuboid(size: Vec3, at: Vec3) -> Made<Vec<Piece>> {
    Ok(vec![Piece { form: Form::Box(size), pose: Pose::from_translation(at)? }])
}

/// An arm of seven joints that moves through the air.
pub(super) fn arm() -> Made<Scene> {
    let mut robot = Robot::default();
    let lengths = [0.2, 0.2, 0.2, 0.2, 0.2, 0.1, 0.1];
    let masses = [4.0, 4.0, 3.0, 2.7, 1.7, 1.6, 0.4];
    let stiffness = [600.0, 600.0, 600.0, 600.0, 250.0, 150.0, 50.0];
    let mut parent = None;
    for k in 0..7 {
        let at = if k == 0 { Vec3::z() * 0.15 } else { Vec3::z() * lengths[k - 1] };
        let hinge = Hinge {
            axis: if k % 2 == 0 { Vec3::z() } else { Vec3::y() },
            range: [-2.9, 2.9],
            stiffness: stiffness[k],
            damping: 0.1 * stiffness[k],
            swing: [if k % 2 == 0 { 0.0 } else { 0.5 }, 0.5, 0.5, k as f64],
        };
        parent = Some(robot.link(parent, at, hinge, masses[k], capsule(2, lengths[k], 0.045)?)?);
    }
    Ok(robot.finish("arm7"))
}

/// A hand of 24 joints, its palm up, that closes on a ball and opens again.
pub(super) fn hand() -> Made<Scene> {
    let mut robot = Robot::default();
    let servo =
        |axis, range, stiffness, swing| Hinge { axis, range, stiffness, damping: 0.05 * stiffness, swing };
    let wrist = servo(Vec3::y(), [-0.6, 0.4], 20.0, [0.0, 0.05, 0.7, 0.0]);
    let base = robot.link(None, Vec3::z() * 0.3, wrist, 0.3, Vec::new())?;
    let palm = servo(Vec3::x(), [-0.4, 0.4], 20.0, [0.0, 0.05, 0.9, 1.0]);
    let palm = robot.link(
        Some(base),
        Vec3::zeros(),
        palm,
        0.4,
        cuboid(Vec3::new(0.09, 0.09, 0.02), Vec3::x() * 0.055)?,
    )?;
    // Index to little finger, whose root moves too; fingers point along x and close about -y.
    for finger in 0..4 {
        let (mut root, mut at) = (palm, Vec3::new(0.112, 0.0345 - 0.023 * finger as f64, 0.0));
        if finger == 3 {
            let bend = servo(-Vec3::y(), [-0.1, 0.7], 2.0, [0.1, 0.1, 1.0, 0.5]);
            root = robot.link(Some(root), at, bend, 0.02, Vec::new())?;
            at = Vec3::zeros();
        }
        let spread = servo(Vec3::z(), [-0.35, 0.35], 2.0, [0.0, 0.05, 1.0, finger as f64]);
        let mut parent = robot.link(Some(root), at, spread, 0.02, Vec::new())?;
        at = Vec3::zeros();
        for (length, mass) in [(0.045, 0.04), (0.027, 0.025), (0.024, 0.015)] {
            let close = servo(-Vec3::y(), [-0.1, 1.6], 1.5, [0.6, 0.5, 1.0, finger as f64 * 0.3]);
            parent = robot.link(Some(parent), at, close, mass, capsule(0, length, 0.009)?)?;
            at = Vec3::x() * length;
        }
    }
    // The thumb beside the palm, along y.
    let (mut parent, mut at) = (palm, Vec3::new(0.04, 0.052, 0.0));
    let thumb =
        [(Vec3::z(), 0.0), (Vec3::x(), 0.04), (Vec3::z(), 0.0), (Vec3::x(), 0.032), (Vec3::x(), 0.027)];
    for (k, (axis, length)) in thumb.into_iter().enumerate() {
        let turn =
            if axis == Vec3::x() { [0.5, 0.3, 1.0, 0.2 * k as f64] } else { [0.0, 0.1, 1.0, 0.2 * k as f64] };
        let hinge = servo(axis, [-0.7, 1.4], 1.5, turn);
        let pieces = if length > 0.0 { capsule(1, length, 0.01)? } else { Vec::new() };
        parent = robot.link(Some(parent), at, hinge, 0.02 + length, pieces)?;
        // Capsules on both sides of a link without a shape do not touch when they bend.
        at = Vec3::y() * if k == 1 { length + 0.012 } else { length };
    }
    robot.free(Form::Sphere(0.03), 0.1, Vec3::new(0.09, 0.0, 0.345))?;
    Ok(robot.finish("hand24"))
}

/// A quadruped of twelve joints that trots on the spot.
pub(super) fn quadruped() -> Made<Scene> {
    let mut robot = Robot::default();
    let (upper, lower) = (0.21, 0.22);
    // Legs are bent by 0.7 and 1.4 rad when they stand; they start straight and are lowered into the stance.
    let trunk = robot.free(Form::Box(Vec3::new(0.4, 0.16, 0.1)), 7.0, Vec3::z() * (upper + lower + 0.005))?;
    for leg in 0..4 {
        let (front, left) = (if leg < 2 { 1.0 } else { -1.0 }, if leg % 2 == 0 { 1.0 } else { -1.0 });
        let phase = if (leg == 0) == (leg == 3) { std::f64::consts::PI } else { 0.0 };
        let servo = |axis, range, swing| Hinge { axis, range, stiffness: 80.0, damping: 2.0, swing };
        let hip = servo(Vec3::x(), [-0.8, 0.8], [0.0, 0.05, 2.0, phase]);
        let hip = robot.link(Some(trunk), Vec3::new(0.19 * front, 0.06 * left, 0.0), hip, 0.6, Vec::new())?;
        let thigh = servo(Vec3::y(), [-1.5, 1.5], [0.5, 0.2, 2.0, phase]);
        let thigh =
            robot.link(Some(hip), Vec3::y() * (0.08 * left), thigh, 0.9, capsule(2, -upper, 0.02)?)?;
        let knee = servo(Vec3::y(), [-2.6, 0.1], [-1.0, 0.4, 2.0, phase]);
        robot.link(Some(thigh), Vec3::z() * -upper, knee, 0.2, capsule(2, -lower, 0.018)?)?;
    }
    Ok(robot.finish("quadruped"))
}

/// A humanoid of 21 joints that bends its knees and swings its arms.
pub(super) fn humanoid() -> Made<Scene> {
    let mut robot = Robot::default();
    let servo = |axis, range, stiffness: f64, swing| Hinge {
        axis,
        range,
        stiffness,
        damping: 0.1 * stiffness,
        swing,
    };
    let (thigh_length, shin_length) = (0.4, 0.38);
    let hip_height = thigh_length + shin_length + 0.09;
    let pelvis = robot.free(Form::Box(Vec3::new(0.14, 0.24, 0.1)), 9.0, Vec3::z() * (hip_height + 0.065))?;
    // Down each branch in turn: waist and torso, arms, legs.
    let bend = [0.0, 0.1, 0.8, 0.0];
    let waist = robot.link(
        Some(pelvis),
        Vec3::z() * 0.08,
        servo(Vec3::z(), [-0.8, 0.8], 200.0, bend),
        1.0,
        Vec::new(),
    )?;
    let waist = robot.link(
        Some(waist),
        Vec3::zeros(),
        servo(Vec3::y(), [-1.0, 0.5], 300.0, bend),
        1.0,
        Vec::new(),
    )?;
    let torso = cuboid(Vec3::new(0.16, 0.3, 0.36), Vec3::z() * 0.2)?;
    let torso =
        robot.link(Some(waist), Vec3::zeros(), servo(Vec3::x(), [-0.6, 0.6], 300.0, bend), 16.0, torso)?;
    for side in [1.0, -1.0] {
        let phase = if side > 0.0 { 0.0 } else { std::f64::consts::PI };
        let swing = |middle, amplitude| [middle, amplitude, 0.8, phase];
        let shoulder = servo(Vec3::x(), [-1.5, 1.5], 60.0, swing(0.3 * side, 0.1));
        let shoulder =
            robot.link(Some(torso), Vec3::new(0.0, 0.21 * side, 0.33), shoulder, 0.8, Vec::new())?;
        let upper = servo(Vec3::y(), [-2.0, 2.0], 60.0, swing(0.0, 0.4));
        let upper = robot.link(Some(shoulder), Vec3::zeros(), upper, 1.6, capsule(2, -0.28, 0.04)?)?;
        let elbow = servo(Vec3::y(), [-2.4, 0.1], 40.0, swing(-0.5, 0.3));
        robot.link(Some(upper), Vec3::z() * -0.28, elbow, 1.2, capsule(2, -0.28, 0.035)?)?;
    }
    for side in [1.0, -1.0] {
        let swing = |middle, amplitude| [middle, amplitude, 1.0, 0.0];
        let hip = servo(Vec3::z(), [-0.6, 0.6], 150.0, swing(0.0, 0.0));
        let hip = robot.link(Some(pelvis), Vec3::new(0.0, 0.1 * side, -0.065), hip, 0.8, Vec::new())?;
        let hip = robot.link(
            Some(hip),
            Vec3::zeros(),
            servo(Vec3::x(), [-0.6, 0.6], 300.0, swing(0.0, 0.02)),
            0.8,
            Vec::new(),
        )?;
        let thigh = servo(Vec3::y(), [-2.0, 0.7], 300.0, swing(-0.25, 0.15));
        let thigh = robot.link(Some(hip), Vec3::zeros(), thigh, 4.5, capsule(2, -thigh_length, 0.055)?)?;
        let knee = servo(Vec3::y(), [-0.1, 2.6], 300.0, swing(0.5, 0.3));
        let shin = robot.link(
            Some(thigh),
            Vec3::z() * -thigh_length,
            knee,
            2.5,
            capsule(2, -shin_length, 0.045)?,
        )?;
        let ankle = servo(Vec3::y(), [-1.0, 0.8], 100.0, swing(-0.25, 0.15));
        let ankle = robot.link(Some(shin), Vec3::z() * -shin_length, ankle, 0.4, Vec::new())?;
        let foot = cuboid(Vec3::new(0.2, 0.09, 0.04), Vec3::new(0.03, 0.0, -0.045))?;
        robot.link(
            Some(ankle),
            Vec3::zeros(),
            servo(Vec3::x(), [-0.5, 0.5], 60.0, swing(0.0, 0.02)),
            0.7,
            foot,
        )?;
    }
    Ok(robot.finish("humanoid"))
}
