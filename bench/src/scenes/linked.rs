//! Bodies on joints: a chain, a ring and a hand.

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};

use super::{Body, Closure, Form, Joint, Piece, Scene};
use zerogap::{Pose, Vec3};
use zerogap_core::math;
use zerogap_core::random::Random;

type Made<T> = Result<T, Box<dyn Error>>;

/// Distance of the joints of a link, and its radius [m].
const LINK: f64 = 0.05;
const LINK_RADIUS: f64 = 0.012;

/// A link from its origin along z, on a ball joint.
fn link(parent: Option<usize>, pose: Pose, length: f64, radius: f64) -> Made<Body> {
    let at = Pose::from_translation(Vec3::z() * (0.5 * length))?;
    let piece = Piece { form: Form::Capsule(radius, length - 2.0 * radius), pose: at };
    let joint = if parent.is_some() { Joint::Ball } else { Joint::Free };
    Ok(Body { parent, joint, ..Body::of_pieces(vec![piece], None, pose)? })
}

/// A chain of fifty links on ball joints that falls on the floor, bent a little at every joint.
pub(super) fn chain(random: &mut Random) -> Made<Scene> {
    let mut bodies = Vec::new();
    for k in 0..50 {
        let (parent, at) = match k {
            0 => (None, Vec3::new(0.0, 0.0, 0.1)),
            _ => (Some(k - 1), Vec3::z() * LINK),
        };
        // Together it leans by some tenths of a radian.
        let pose = Pose::from_axis_angle(at, random.direction(), random.range(0.0, 0.1))?;
        bodies.push(link(parent, pose, LINK, LINK_RADIUS)?);
    }
    Ok(Scene::on_floor("chain", bodies))
}

/// A closed chain of fifty links that falls on a ball and the floor.
pub(super) fn ring(random: &mut Random) -> Made<Scene> {
    let count = 50;
    // A regular polygon in a plane that is tilted a little: each link goes on in the direction of the one before, rotated about x of both.
    let radius = 0.5 * LINK / math::sin(0.5 * TAU / count as f64);
    let lean = Pose::from_axis_angle(Vec3::zeros(), random.direction(), random.range(0.0, 0.2))?;
    let upright = Pose::from_axis_angle(Vec3::zeros(), Vec3::y(), FRAC_PI_2)?;
    let shift = Vec3::new(random.range(-0.1, 0.1), radius + random.range(-0.1, 0.1), 0.6);
    let first = Pose::from_translation(shift)? * lean * upright;
    let mut bodies = Vec::new();
    for k in 0..count {
        let (parent, pose) = match k {
            0 => (None, first),
            _ => {
                let turned = Pose::from_axis_angle(Vec3::z() * LINK, Vec3::x(), TAU / count as f64)?;
                (Some(k - 1), turned)
            }
        };
        bodies.push(link(parent, pose, LINK, LINK_RADIUS)?);
    }
    let mut scene = Scene::on_floor("ring", bodies);
    scene.closures.push(Closure { bodies: [count - 1, 0], points: [Vec3::z() * LINK, Vec3::zeros()] });
    let at = Pose::from_translation(Vec3::z() * 0.15)?;
    scene.fixed.push(Piece { form: Form::Sphere(0.3), pose: at });
    Ok(scene)
}

/// Five fingers of four hinges each on the floor, closed on a box by constant torques.
pub(super) fn hand(random: &mut Random) -> Made<Scene> {
    let lengths = [0.06, 0.045, 0.035, 0.03];
    let torques = [0.5, 0.3, 0.15, 0.06];
    let (radius, base) = (0.01, 0.115);
    let mut bodies = Vec::new();
    for finger in 0..5 {
        let around = TAU * (finger as f64 + random.range(-0.05, 0.05)) / 5.0;
        for (k, (length, torque)) in lengths.into_iter().zip(torques).enumerate() {
            // A positive angle about y of the finger leads from z towards x, which is inward.
            let (parent, pose) = if k == 0 {
                let inward = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), around)?;
                let at = inward.transform_vector(&Vec3::new(-base, 0.0, 0.02));
                (None, Pose::from_translation(at)? * inward)
            } else {
                (Some(bodies.len() - 1), Pose::from_translation(Vec3::z() * lengths[k - 1])?)
            };
            let joint = Joint::Hinge { axis: Vec3::y(), range: [-0.3, 1.4], damping: 5e-3, torque };
            bodies.push(Body { joint, ..link(parent, pose, length, radius)? });
        }
    }
    let at = Vec3::new(random.range(-4e-3, 4e-3), random.range(-4e-3, 4e-3), 0.051);
    let pose = Pose::from_axis_angle(at, Vec3::z(), random.range(0.0, TAU))?;
    bodies.push(Body::free(Form::Box(Vec3::repeat(0.1)), Some(0.5), pose)?);
    Ok(Scene::on_floor("hand", bodies))
}
