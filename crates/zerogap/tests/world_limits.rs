//! Joint limits, motors, functions of the user and scheduled times, against closed forms.

use std::sync::Arc;

use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::{cos, exp, sin};
use zerogap::dynamics::event::Direction;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind, Loop, LoopKind, Motor};
use zerogap::world::{
    BodyDef, ContactModel, EventFunction, EventKind, EventLocation, Stop, View, World, WorldBuilder,
    WorldParams,
};
use zerogap::{Pose, Vec3};

const G: f64 = 9.81;

fn builder(relative: f64) -> WorldBuilder {
    WorldBuilder::new(WorldParams::new(EventLocation {
        tolerance: Tolerance { relative, absolute: 1e-3 * relative },
        ..EventLocation::new(ContactModel::Rigid(ImpactLaw::default()))
    }))
}

/// A weight on a vertical slide, from a height, with a stop at zero.
fn slide(stop: f64, height: f64, restitution: f64, motor: Motor) -> (World, BodyId) {
    let mut builder = builder(1e-10);
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
    let dof = Dof { lower: Some(stop), restitution, motor, ..Dof::default() };
    let def = BodyDef::new(joint).with_inertia(Inertia::sphere(2.0, 0.1)).starting(&[stop + height]);
    let body = builder.body(def.with_dof(0, dof)).unwrap();
    (builder.build().unwrap(), body)
}

fn times(world: &World, is_asked: impl Fn(&EventKind) -> bool) -> Vec<f64> {
    world.events().iter().filter(|event| is_asked(&event.what)).map(|event| event.t).collect()
}

fn reached(world: &World) -> Vec<f64> {
    times(world, |what| matches!(what, EventKind::LimitReached { .. }))
}

#[test]
fn a_weight_bounces_on_its_stop_as_a_ball_does_and_comes_to_rest() {
    // Where the stop is says how finely doubles tell the last rebounds apart.
    for (stop, tolerance) in [(0.0, 1e-12), (1.0, 1e-12), (1000.0, 1e-11)] {
        for e in [0.0, 0.5, 0.9, 1.0] {
            let (mut world, _) = slide(stop, 1.0, e, Motor::Off);
            world.advance_to(10.0).unwrap();
            let hits = reached(&world);
            let first = (2.0_f64 / G).sqrt();
            let (mut expected, mut flight) = (first, 2.0 * first * e);
            for hit in hits.iter().take(8) {
                assert!((hit - expected).abs() < tolerance, "stop {stop} e {e}: {hit} {expected}");
                expected += flight;
                flight *= e;
            }
            let (z, v) = (world.positions()[0] - stop, world.velocities()[0]);
            if e < 1.0 {
                assert!(z.abs() <= 4e-15 * stop.max(1.0) && v.abs() <= 1e-15, "stop {stop} e {e}: {z} {v}");
                assert!(hits.len() < 300, "stop {stop} e {e}: {} hits", hits.len());
            } else {
                let energy = 0.5 * v * v + G * z;
                assert_eq!(hits.len(), 11);
                assert!((energy / G - 1.0).abs() < 1e-12, "stop {stop}: {energy}");
            }
        }
    }
}

#[test]
fn what_rests_on_a_stop_leaves_when_a_motor_or_a_force_lifts_it_and_not_before() {
    let weight = 2.0 * G;
    let (mut world, body) = slide(1.0, 0.0, 0.0, Motor::Off);
    let left = |world: &World| times(world, |what| matches!(what, EventKind::LimitLeft { .. }));
    // Nearly enough is not enough.
    world.advance_to(1.0).unwrap();
    world.set_motor(body, 0, Motor::Effort(0.999 * weight)).unwrap();
    world.advance_to(2.0).unwrap();
    assert!(left(&world).is_empty() && (world.positions()[0] - 1.0).abs() < 1e-15);
    // With twice the weight it rises as it would fall.
    world.set_motor(body, 0, Motor::Effort(2.0 * weight)).unwrap();
    world.advance_to(3.0).unwrap();
    assert_eq!(left(&world), [2.0]);
    assert!((world.positions()[0] - (1.0 + 0.5 * G)).abs() < 1e-12);
    // It falls back, and a force of the user lifts it as well.
    world.set_motor(body, 0, Motor::Off).unwrap();
    world.advance_to(8.0).unwrap();
    assert!((world.positions()[0] - 1.0).abs() < 1e-14 && world.velocities()[0].abs() < 1e-15);
    world.set_force(body, Vec3::new(0.0, 0.0, 1.5 * weight), Vec3::zeros()).unwrap();
    world.advance_to(9.0).unwrap();
    assert_eq!(left(&world), [2.0, 8.0]);
    assert!((world.positions()[0] - (1.0 + 0.25 * G)).abs() < 1e-12);
}

#[test]
fn a_position_motor_lifts_from_the_stop_and_holds_against_gravity() {
    let (stiffness, weight) = (100.0, 2.0 * G);
    let motor = |target, damping| Motor::Position { target, stiffness, damping, limit: f64::INFINITY };
    let (mut world, body) = slide(0.0, 0.0, 0.0, motor(0.1, 0.0));
    world.advance_to(1.0).unwrap();
    assert!(world.positions()[0].abs() < 1e-15, "10 N do not lift 19.62 N");
    // It swings about where the motor carries it, which is above the stop.
    world.set_motor(body, 0, motor(0.3, 0.0)).unwrap();
    world.advance_to(2.0).unwrap();
    let middle = 0.3 - weight / stiffness;
    let expected = middle * (1.0 - cos((stiffness / 2.0_f64).sqrt()));
    assert!((world.positions()[0] - expected).abs() < 1e-9, "{} {expected}", world.positions()[0]);
    // With damping it comes to rest there.
    world.set_motor(body, 0, motor(0.3, 40.0)).unwrap();
    world.advance_to(10.0).unwrap();
    assert!((world.positions()[0] - middle).abs() < 1e-10 && world.velocities()[0].abs() < 1e-10);
}

/// A parallelogram: two arms of length `ARM` hinged at the world, with a bar between their ends, at an angle from hanging down, with a stop and a motor at the first arm. The bar does not turn, so that
/// the whole is a pendulum.
fn parallelogram(angle: f64, dof: Dof) -> (World, BodyId) {
    let mut builder = builder(1e-11);
    let hinge =
        |parent, frame| Joint::new(parent, JointKind::Revolute { axis: Vec3::y() }).parent_frame(frame);
    let def = |joint, center| BodyDef::new(joint).with_inertia(Inertia::point(1.0, center));
    let down = Vec3::new(0.0, 0.0, -0.5 * ARM);
    let arm = def(hinge(None, Pose::identity()), down).starting(&[angle]).with_dof(0, dof);
    let arm = builder.body(arm).unwrap();
    let end = Pose::from_translation(2.0 * down).unwrap();
    let bar = def(hinge(Some(arm), end), Vec3::new(0.5, 0.0, 0.0)).starting(&[-angle]);
    let bar = builder.body(bar).unwrap();
    let far = Pose::from_translation(Vec3::x()).unwrap();
    // The second arm hangs up from the bar.
    let other = builder.body(def(hinge(Some(bar), far), -down).starting(&[angle])).unwrap();
    let up = Pose::from_translation(-2.0 * down).unwrap();
    let kind = LoopKind::Point;
    builder.close(Loop { a: None, frame_a: far, b: Some(other), frame_b: up, kind }).unwrap();
    (builder.build().unwrap(), arm)
}

/// Length of the arms of the parallelogram [m].
const ARM: f64 = 0.5;

/// Its inertia about the angle: two arms with their masses half way, and the bar [kg m²].
const INERTIA: f64 = (0.25 + 0.25 + 1.0) * ARM * ARM;

/// Its energy of height at an angle [J].
fn height_energy(angle: f64) -> f64 {
    -2.0 * G * ARM * cos(angle)
}

#[test]
fn a_four_bar_linkage_rebounds_from_its_stop() {
    for e in [0.0, 0.5, 1.0] {
        let stop = -0.2;
        let (mut world, _) = parallelogram(0.9, Dof { lower: Some(stop), restitution: e, ..Dof::default() });
        // Up to the stop all of the height has become speed.
        world.advance_to(0.8).unwrap();
        let drop = height_energy(0.9) - height_energy(stop);
        let approach = world.events().iter().find_map(|event| match event.what {
            EventKind::LimitReached { approach, .. } => Some(approach),
            _ => None,
        });
        let expected = (2.0 * drop / INERTIA).sqrt();
        assert!((approach.unwrap() - expected).abs() < 1e-9, "e {e}: {approach:?} {expected}");
        // Afterwards e² of it is left, and the loop is closed.
        let energy = 0.5 * INERTIA * world.velocities()[0] * world.velocities()[0];
        let energy = energy + height_energy(world.positions()[0]);
        let left = height_energy(stop) + e * e * drop;
        assert!((energy - left).abs() < 1e-9, "e {e}: {energy} {left}");
        assert!((world.positions()[0] + world.positions()[1]).abs() < 1e-12, "the bar does not turn");
    }
}

#[test]
fn a_four_bar_linkage_lies_on_its_stop_until_a_motor_has_the_torque() {
    let stop = 0.4;
    let torque = 2.0 * G * ARM * sin(stop);
    let (mut world, arm) = parallelogram(0.9, Dof { lower: Some(stop), restitution: 0.5, ..Dof::default() });
    world.advance_to(4.0).unwrap();
    assert!((world.positions()[0] - stop).abs() < 1e-14, "it has come to rest: {:?}", world.positions());
    assert!(world.velocities().iter().all(|v| v.abs() < 1e-14));
    let left = |world: &World| times(world, |what| matches!(what, EventKind::LimitLeft { .. }));
    let before = left(&world).len();
    world.set_motor(arm, 0, Motor::Effort(0.9999 * torque)).unwrap();
    world.advance_to(5.0).unwrap();
    assert_eq!(left(&world).len(), before);
    world.set_motor(arm, 0, Motor::Effort(1.0001 * torque)).unwrap();
    world.advance_to(6.0).unwrap();
    assert_eq!(left(&world)[before..], [5.0]);
    assert!(world.positions()[0] > stop);
}

#[test]
fn limits_that_are_reached_together_are_handled_together() {
    // Two weights on slides of their own, and one that carries another on a stop of its own.
    let mut builder = builder(1e-10);
    let slide = |parent| Joint::new(parent, JointKind::Prismatic { axis: Vec3::z() });
    let weight = |parent, start: f64, e| {
        let dof = Dof { lower: Some(0.5), restitution: e, ..Dof::default() };
        let inertia = Inertia::sphere(1.0, 0.1);
        BodyDef::new(slide(parent)).with_inertia(inertia).starting(&[start]).with_dof(0, dof)
    };
    builder.body(weight(None, 1.5, 1.0)).unwrap();
    builder.body(weight(None, 1.5, 0.5)).unwrap();
    let carrier = builder.body(weight(None, 1.5, 0.0)).unwrap();
    builder.body(weight(Some(carrier), 0.5, 0.0)).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.6).unwrap();
    let first = (2.0_f64 / G).sqrt();
    let hits = reached(&world);
    let impacts: Vec<_> = world
        .events()
        .iter()
        .filter_map(|event| match event.what {
            EventKind::Impact { contacts, impulse, loss } => Some((event.t, contacts, impulse, loss)),
            _ => None,
        })
        .collect();
    // One instant, one impact: of three stops in the world and the one between the two weights.
    assert!(hits.iter().skip(1).all(|t| (t - first).abs() < 1e-12), "{hits:?}");
    let v = G * first;
    let [(t, 4, impulse, loss)] = impacts[..] else { panic!("{impacts:?}") };
    assert!((t - first).abs() < 1e-12);
    // 2 v and 1.5 v for the weights alone, 2 v for both on each other, and v between those.
    assert!((impulse - 6.5 * v).abs() < 1e-9 * v, "{impulse} {v}");
    assert!((loss - 0.5 * v * v * (0.75 + 2.0)).abs() < 1e-9, "{loss}");
    let after = v - G * (0.6 - first);
    assert!((world.velocities()[0] - after).abs() < 1e-10);
    assert!(world.velocities()[2].abs() < 1e-14 && world.velocities()[3].abs() < 1e-14);
}

#[test]
fn a_motor_changed_between_calls_is_one_changed_at_an_event() {
    // A velocity motor at a weight on a level slide: v = target (1 - exp(-gain t / m)).
    let build = |stops: bool| {
        let mut builder = builder(1e-11);
        let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
        let motor = Motor::Velocity { target: 1.0, gain: 3.0, limit: f64::INFINITY };
        let def = BodyDef::new(joint).with_inertia(Inertia::sphere(2.0, 0.1));
        let body = builder.body(def.with_dof(0, Dof { motor, ..Dof::default() })).unwrap();
        if stops {
            let function = Arc::new(|view: &View<'_>| view.t - 0.7);
            builder.add_event(EventFunction { function, direction: Direction::Rising, stops: true });
        }
        (builder.build().unwrap(), body)
    };
    let slower = Motor::Velocity { target: -0.5, gain: 1.0, limit: f64::INFINITY };
    let closed = |t: f64| {
        let at = 1.0 - exp(-1.5 * 0.7);
        -0.5 + (at + 0.5) * exp(-0.5 * (t - 0.7))
    };
    // Changed where a call ends.
    let (mut called, body) = build(false);
    called.advance_to(0.7).unwrap();
    called.set_motor(body, 0, slower).unwrap();
    called.advance_to(2.0).unwrap();
    // Changed at a scheduled time: the step ends there, so that the same bits come out.
    let (mut scheduled, body) = build(false);
    scheduled.schedule(0.7).unwrap();
    scheduled.advance_to(0.7).unwrap();
    scheduled.set_motor(body, 0, slower).unwrap();
    scheduled.advance_to(2.0).unwrap();
    assert_eq!(called.hash(), scheduled.hash());
    assert_eq!(times(&scheduled, |what| matches!(what, EventKind::Scheduled)), [0.7]);
    // Changed where a function of the user stops the run.
    let (mut stopped, body) = build(true);
    assert_eq!(stopped.advance_to(2.0).unwrap(), Stop::Stopped);
    assert!((stopped.time() - 0.7).abs() < 1e-15);
    stopped.set_motor(body, 0, slower).unwrap();
    assert_eq!(stopped.advance_to(2.0).unwrap(), Stop::Reached);
    for world in [&called, &scheduled, &stopped] {
        let v = world.velocities()[0];
        assert!((v - closed(2.0)).abs() < 1e-10, "{v} {}", closed(2.0));
    }
}

#[test]
fn a_scheduled_time_between_calls_changes_no_motion() {
    let (mut plain, _) = slide(0.0, 1.0, 0.5, Motor::Off);
    let (mut cut, _) = slide(0.0, 1.0, 0.5, Motor::Off);
    for t in [0.1, 0.77, 0.3] {
        cut.schedule(t).unwrap();
    }
    assert!(cut.schedule(0.0).is_err() && cut.schedule(f64::NAN).is_err());
    plain.advance_to(1.0).unwrap();
    cut.advance_to(1.0).unwrap();
    assert_eq!(times(&cut, |what| matches!(what, EventKind::Scheduled)), [0.1, 0.3, 0.77]);
    assert!((plain.positions()[0] - cut.positions()[0]).abs() < 1e-12);
}

#[test]
fn functions_of_the_user_cross_where_and_in_the_direction_they_must() {
    // A weight thrown up at 5 m/s passes 1 m twice; a watched speed passes zero once.
    let crossings = |direction: Direction, function: fn(&View<'_>) -> f64| {
        let mut builder = builder(1e-10);
        let start = Pose::identity();
        let def = BodyDef::free(start).with_inertia(Inertia::sphere(1.0, 0.1));
        builder.body(def.moving(&[0.0, 0.0, 5.0, 0.0, 0.0, 0.0])).unwrap();
        let function = Arc::new(function);
        builder.add_event(EventFunction { function, direction, stops: false });
        let mut world = builder.build().unwrap();
        world.advance_to(2.0).unwrap();
        times(&world, |what| matches!(what, EventKind::Crossed { function: 0 }))
    };
    let height = |view: &View<'_>| view.pose(BodyId(0)).translation().z - 1.0;
    let speed = |view: &View<'_>| view.velocity(BodyId(0)).z;
    let root = (25.0 - 2.0 * G).sqrt();
    let (up, down, top) = ((5.0 - root) / G, (5.0 + root) / G, 5.0 / G);
    for (direction, function, expected) in [
        (Direction::Rising, height as fn(&View<'_>) -> f64, vec![up]),
        (Direction::Falling, height, vec![down]),
        (Direction::Both, height, vec![up, down]),
        (Direction::Falling, speed, vec![top]),
        (Direction::Rising, speed, vec![]),
        // A constant never crosses, not even where it is zero.
        (Direction::Both, |_| 0.0, vec![]),
    ] {
        let found = crossings(direction, function);
        assert_eq!(found.len(), expected.len(), "{direction:?}: {found:?} {expected:?}");
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }
}

#[test]
fn crossings_of_a_swinging_weight_are_found_as_exactly_as_the_motion_is() {
    // A spring of 50 N/m and 2 kg on a level slide, from 1 m: x = cos(5 t).
    let mut builder = builder(1e-13);
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
    let def = BodyDef::new(joint).with_inertia(Inertia::sphere(2.0, 0.1)).starting(&[1.0]);
    builder.body(def.with_dof(0, Dof { stiffness: 50.0, ..Dof::default() })).unwrap();
    let function = Arc::new(|view: &View<'_>| view.positions[0] - 0.3);
    builder.add_event(EventFunction { function, direction: Direction::Both, stops: false });
    let mut world = builder.build().unwrap();
    world.advance_to(4.0).unwrap();
    let found = times(&world, |what| matches!(what, EventKind::Crossed { .. }));
    let angle = zerogap::core::math::acos(0.3);
    let expected = |k: usize| {
        let turns = k.div_ceil(2) as f64 * std::f64::consts::TAU;
        (if k.is_multiple_of(2) { turns + angle } else { turns - angle }) / 5.0
    };
    assert_eq!(found.len(), 6);
    for (k, t) in found.iter().enumerate() {
        assert!((t - expected(k)).abs() < 1e-12, "{k}: {t} {}", expected(k));
    }
}
