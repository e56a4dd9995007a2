//! Bodies on joints: a chain, a ring and a hand.

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};

use super::penetration::Penetration;
use super::{Body, Closure, Drive, Form, Joint, Piece, Scene};
use zerogap::{Pose, Vec3};
use zerogap_core::math;
use zerogap_core::random::Random;

type Made<T> = Result<T, Box<dyn Error>>;

/// Distance of the joints of a link, and its radius [m].
const LINK: f64 = 0.1;
const LINK_RADIUS: f64 = 0.02;
/// Damping of a ball joint [N m s]: the spin of a link about its axis, which impacts bring to a hundred radians per second, fades in 20 ms.
const DAMPING: f64 = 1e-3;

/// A link from its origin along z, on a ball joint.
fn link(parent: Option<usize>, pose: Pose, length: f64, radius: f64) -> Made<Body> {
    let at = Pose::from_translation(Vec3::z() * (0.5 * length))?;
    let piece = Piece { form: Form::Capsule(radius, length - 2.0 * radius), pose: at };
    let joint = if parent.is_some() { Joint::Ball { damping: DAMPING } } else { Joint::Free };
    Ok(Body { parent, joint, ..Body::of_pieces(vec![piece], None, pose)? })
}

/// Chains that are drawn at most until one is free of overlap; one in some hundred is not.
const DRAWS: usize = 100;

/// A chain of fifty links on ball joints that falls on the floor, one end first: a zigzag, bent a little out of its plane at every joint. A chain that bends into itself or the floor is drawn again.
pub(super) fn chain(random: &mut Random) -> Made<Scene> {
    for _ in 0..DRAWS {
        let scene = draw_chain(random)?;
        let mut poses: Vec<Pose> = Vec::new();
        for body in &scene.bodies {
            poses.push(body.parent.map_or(body.pose, |parent| poses[parent] * body.pose));
        }
        if Penetration::new(&scene)?.deepest(&poses) == 0.0 {
            return Ok(scene);
        }
    }
    Err(format!("{DRAWS} chains overlap").into())
}

fn draw_chain(random: &mut Random) -> Made<Scene> {
    let lean = Pose::from_axis_angle(Vec3::z() * 0.3, Vec3::y(), FRAC_PI_2 - random.range(0.02, 0.08))?;
    let mut bodies = Vec::new();
    for k in 0..50 {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let bend = side * random.range(0.3, 0.9);
        // About x of the links, which is across them, and a little about y.
        let bent = Pose::from_axis_angle(Vec3::z() * LINK, Vec3::x(), bend)?
            * Pose::from_axis_angle(Vec3::zeros(), Vec3::y(), random.range(-0.02, 0.02))?;
        let (parent, pose) = if k == 0 { (None, lean) } else { (Some(k - 1), bent) };
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
    let shift = Vec3::new(random.range(-0.1, 0.1), radius + random.range(-0.1, 0.1), 1.0);
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
    let at = Pose::from_translation(Vec3::z() * 0.2)?;
    scene.fixed.push(Piece { form: Form::Sphere(0.5), pose: at });
    Ok(scene)
}

/// Five fingers of four hinges each on the floor, closed on a box by constant torques.
pub(super) fn hand(random: &mut Random) -> Made<Scene> {
    // Masses that a damper can hold within a step: 0.02 N m s times 2 ms is a third of the inertia of the last link.
    let lengths = [0.12, 0.09, 0.07, 0.06];
    let masses = [0.3, 0.2, 0.15, 0.1];
    let torques = [1.5, 0.8, 0.4, 0.15];
    let (radius, base) = (0.02, 0.23);
    let mut bodies = Vec::new();
    for finger in 0..5 {
        let around = TAU * (finger as f64 + random.range(-0.05, 0.05)) / 5.0;
        for (k, length) in lengths.into_iter().enumerate() {
            // A positive angle about y of the finger leads from z towards x, which is inward.
            let (parent, pose) = if k == 0 {
                let inward = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), around)?;
                let at = inward.transform_vector(&Vec3::new(-base, 0.0, 0.03));
                (None, Pose::from_translation(at)? * inward)
            } else {
                (Some(bodies.len() - 1), Pose::from_translation(Vec3::z() * lengths[k - 1])?)
            };
            let (range, torque) = ([-0.3, 1.4], torques[k]);
            let drive = Drive::Torque(torque);
            let joint = Joint::Hinge { axis: Vec3::y(), range, damping: 0.02, drive };
            let mut body = link(parent, pose, length, radius)?;
            body.inertia.inertia *= masses[k] / body.inertia.mass;
            body.inertia.mass = masses[k];
            bodies.push(Body { joint, ..body });
        }
    }
    let at = Vec3::new(random.range(-8e-3, 8e-3), random.range(-8e-3, 8e-3), 0.101);
    let pose = Pose::from_axis_angle(at, Vec3::z(), random.range(0.0, TAU))?;
    bodies.push(Body::free(Form::Box(Vec3::repeat(0.2)), Some(1.0), pose)?);
    Ok(Scene::on_floor("hand", bodies))
}
