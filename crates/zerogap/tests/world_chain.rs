//! A chain of a hundred links, pinned at both ends, with a rod across it and joint limits that are hit: it keeps its energy and stays closed.

use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::sin_cos;
use zerogap::dynamics::integrate::{IntegratorKind, Tolerance};
use zerogap::dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind};
use zerogap::world::{BodyDef, ContactModel, EventKind, EventLocation, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Vec3};
use zerogap_testkit::count;

/// Length of a link [m].
const LENGTH: f64 = 0.1;

/// Mass of a link [kg].
const MASS: f64 = 0.2;

/// By how much the chain turns from its first link to its last [rad].
const TURN: f64 = 2.5;

/// How far a joint with limits may turn either way from where it starts [rad].
const ROOM: f64 = 0.3;

fn at(place: Vec3) -> Pose {
    Pose::from_translation(place).unwrap()
}

/// Links in an arc, both ends pinned to the world, and a rod without mass between the links at a quarter and at three quarters. Joints turn about y, every fourth one about z; every second
/// one has limits on either side.
fn chain(links: usize, restitution: f64, relative: f64) -> World {
    let method = EventLocation {
        tolerance: Tolerance { relative, absolute: relative },
        integrator: IntegratorKind::Dop853,
        ..EventLocation::new(ContactModel::Rigid(ImpactLaw::default()))
    };
    // Pulls to the side of where the chain hangs at first.
    let gravity = Vec3::new(6.0, 5.0, -6.0);
    let mut builder = WorldBuilder::new(WorldParams { gravity, ..WorldParams::new(method) });
    let inertia = Inertia::cuboid(MASS, Vec3::new(LENGTH, 0.02, 0.02));
    let inertia = Inertia { center: Vec3::new(0.5 * LENGTH, 0.0, 0.0), ..inertia };
    let is_sideways = |k: usize| k % 4 == 2;
    let bend = TURN / (1..links).filter(|k| !is_sideways(*k)).count() as f64;
    let (mut angle, mut place) = (0.0, Vec3::zeros());
    let (mut bodies, mut starts): (Vec<BodyId>, Vec<Vec3>) = (Vec::new(), Vec::new());
    for k in 0..links {
        // Joints about y bend the arc, upward about -y; the first sets off downward.
        let axis = if is_sideways(k) { Vec3::z() } else { -Vec3::y() };
        let own = match k {
            0 => -0.5 * TURN,
            k if is_sideways(k) => 0.0,
            _ => bend,
        };
        angle += own;
        let frame = if k == 0 { Pose::identity() } else { at(LENGTH * Vec3::x()) };
        let joint = Joint::new(bodies.last().copied(), JointKind::Revolute { axis }).parent_frame(frame);
        let mut def = BodyDef::new(joint).with_inertia(inertia).starting(&[own]);
        if k % 2 == 1 {
            let (lower, upper) = (Some(own - ROOM), Some(own + ROOM));
            def = def.with_dof(0, Dof { lower, upper, restitution, ..Dof::default() });
        }
        bodies.push(builder.body(def).unwrap());
        starts.push(place);
        let (s, c) = sin_cos(angle);
        place += Vec3::new(c, 0.0, s) * LENGTH;
    }
    let (a, b) = (None, bodies.last().copied());
    let (frame_a, frame_b) = (at(place), at(LENGTH * Vec3::x()));
    builder.close(Loop { a, frame_a, b, frame_b, kind: LoopKind::Point }).unwrap();
    let (i, j) = (links / 4, 3 * links / 4);
    let (a, b) = (Some(bodies[i]), Some(bodies[j]));
    let (frame_a, frame_b) = (Pose::identity(), Pose::identity());
    let kind = LoopKind::Distance((starts[j] - starts[i]).norm());
    builder.close(Loop { a, frame_a, b, frame_b, kind }).unwrap();
    builder.build().unwrap()
}

/// Largest error of a loop [m] and of a joint beyond its limit [rad].
fn violations(world: &World) -> (f64, f64) {
    let tree = world.tree();
    let mut ws = tree.workspace();
    tree.update(world.time(), world.positions(), world.velocities(), &mut ws);
    let mut errors = vec![0.0; tree.loop_rows()];
    tree.loop_errors(&ws, &mut errors);
    let beyond = tree.limits().iter().map(|limit| -tree.limit_value(limit, world.positions()));
    (errors.iter().fold(0.0, |worst, x| x.abs().max(worst)), beyond.fold(0.0, f64::max))
}

fn hits(world: &World) -> usize {
    world.events().iter().filter(|event| matches!(event.what, EventKind::LimitReached { .. })).count()
}

#[test]
fn a_chain_of_a_hundred_links_keeps_its_energy() {
    // Drift is measured against the largest kinetic energy of the run, which is less than what the chain is above its lowest state.
    let tenths = count(30, 100);
    let mut world = chain(100, 1.0, 1e-10);
    let before = world.energy().total();
    let (mut kinetic, mut drift) = (0.0_f64, 0.0_f64);
    for k in 1..=tenths {
        world.advance_to(0.1 * k as f64).unwrap();
        let energy = world.energy();
        kinetic = kinetic.max(energy.kinetic);
        drift = drift.max((energy.total() - before).abs());
        let (open, beyond) = violations(&world);
        assert!(open < 1e-12 && beyond < 1e-12, "loops {open} m, limits {beyond} rad");
    }
    let (hits, info) = (hits(&world), world.info());
    eprintln!(
        "{} s: drift {drift:e} J of {kinetic} J, {hits} limits hit, {} evaluations, {} s",
        world.time(),
        info.evaluations,
        info.wall
    );
    assert!(hits >= count(5, 100), "{hits} limits were hit");
    assert!(drift <= 1e-8 * kinetic, "{drift} J of {kinetic} J");
}

#[test]
fn a_chain_with_soft_stops_loses_what_its_impacts_take() {
    for restitution in [0.0, 0.5] {
        let mut world = chain(24, restitution, 1e-10);
        let before = world.energy();
        world.advance_to(2.0).unwrap();
        let (after, hits) = (world.energy(), hits(&world));
        let losses = world.events().iter().filter_map(|event| match event.what {
            EventKind::Impact { loss, .. } => Some(loss),
            _ => None,
        });
        let lost: f64 = losses.inspect(|loss| assert!(*loss >= -1e-12, "an impact gave {loss} J")).sum();
        let (open, beyond) = violations(&world);
        eprintln!("e {restitution}: {hits} hits, lost {lost} J, {open} m, {beyond} rad");
        assert!(hits > 10 && lost > 0.0, "{hits} hits, {lost} J");
        assert!((before.total() - after.total() - lost).abs() < 1e-8 * lost.max(1.0), "{lost} J");
        assert!(open < 1e-12 && beyond < 1e-12, "loops {open} m, limits {beyond} rad");
    }
}
