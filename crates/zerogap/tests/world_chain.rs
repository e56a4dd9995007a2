//! A chain of a hundred links, pinned at both ends, with a rod across and joint limits that are hit: it keeps its energy and stays closed.

use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::sin_cos;
use zerogap::dynamics::integrate::{Method, Tolerance};
use zerogap::dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind};
use zerogap::world::{BodyDef, ContactModel, Happening, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Vec3};

/// Length of a link [m].
const LENGTH: f64 = 0.1;

/// Mass of a link [kg].
const MASS: f64 = 0.2;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// A chain of links in an arc that turns by `turn` [rad] from the first to the last, both ends pinned to the world, and a rod between the links at a quarter and at three quarters. Joints
/// turn about y, every fourth one about z. Every second of the former has a limit on either side, `room` [rad] away.
fn chain(links: usize, turn: f64, room: f64, restitution: f64, relative: f64) -> World {
    let params = WorldParams {
        contact: ContactModel::Rigid(ImpactLaw::default()),
        tolerance: Tolerance { relative, absolute: relative },
        method: Method::Dop853,
        // Pulls to the side of where the chain hangs at first.
        gravity: Vec3::new(6.0, 5.0, -6.0),
        ..WorldParams::default()
    };
    let mut builder = WorldBuilder::new(params);
    let bend = turn / (links - 1) as f64;
    let inertia = Inertia::cuboid(MASS, Vec3::new(LENGTH, 0.02, 0.02));
    let inertia = Inertia { center: Vec3::new(0.5 * LENGTH, 0.0, 0.0), ..inertia };
    let (mut parent, mut angle, mut place) = (None, -0.5 * turn, Vec3::zeros());
    let mut bodies: Vec<BodyId> = Vec::new();
    let mut starts = Vec::new();
    let bends = (1..links).filter(|k| k % 4 != 2).count() as f64;
    for k in 0..links {
        // The arc hangs: it turns upward about -y, in the joints that can.
        let is_sideways = k % 4 == 2;
        let axis = if is_sideways { Vec3::z() } else { -Vec3::y() };
        let own = if k == 0 { angle } else if is_sideways { 0.0 } else { turn / bends };
        if k > 0 {
            angle += own;
        }
        let frame = if k == 0 { Pose::identity() } else { at(LENGTH, 0.0, 0.0) };
        let joint = Joint::new(parent, JointKind::Revolute { axis }).at(frame);
        let mut def = BodyDef::new(joint).with_inertia(inertia).starting(&[own]);
        if k > 0 && k % 2 == 1 {
            let dof = Dof { lower: Some(own - room), upper: Some(own + room), restitution, ..Dof::default() };
            def = def.with_dof(0, dof);
        }
        let body = builder.body(def).unwrap();
        starts.push(place);
        let (s, c) = sin_cos(angle);
        place += Vec3::new(c, 0.0, s) * LENGTH;
        parent = Some(body);
        bodies.push(body);
    }
    let _ = bend;
    let pin = Loop { a: None, frame_a: Pose::from_translation(place).unwrap(), b: parent, frame_b: at(LENGTH, 0.0, 0.0), kind: LoopKind::Point };
    builder.close(pin).unwrap();
    let (i, j) = (links / 4, 3 * links / 4);
    let length = (starts[j] - starts[i]).norm();
    let rod = Loop { a: Some(bodies[i]), frame_a: Pose::identity(), b: Some(bodies[j]), frame_b: Pose::identity(), kind: LoopKind::Distance(length) };
    builder.close(rod).unwrap();
    builder.build().unwrap()
}

#[test]
fn trial() {
    let links: usize = std::env::var("LINKS").map_or(100, |x| x.parse().unwrap());
    let until: f64 = std::env::var("UNTIL").map_or(1.0, |x| x.parse().unwrap());
    let room: f64 = std::env::var("ROOM").map_or(0.3, |x| x.parse().unwrap());
    let rtol: f64 = std::env::var("RTOL").map_or(1e-10, |x| x.parse().unwrap());
    let mut world = chain(links, 2.5, room, 1.0, rtol);
    let e0 = world.energy().total();
    let mut top = 0.0_f64;
    for k in 1..=20 {
        world.advance_to(until * k as f64 / 20.0).unwrap();
        let e = world.energy();
        top = top.max(e.kinetic);
        let hits = world.events().iter().filter(|e| matches!(e.what, Happening::LimitReached { .. })).count();
        eprintln!("{:.3} kinetic {:.4} drift {:.3e} rel {:.3e} hits {hits} steps {} evals {} wall {:.2}", world.time(), e.kinetic, e.total() - e0, (e.total() - e0) / top, world.info().steps, world.info().evaluations, world.info().wall);
    }
    eprintln!("{:?}", world.info());
}
