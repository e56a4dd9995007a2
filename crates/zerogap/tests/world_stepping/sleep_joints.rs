//! Trees, loops and motors that rest fall asleep as one and wake as one; what a motor moves does not, however slow it is.

use std::f64::consts::FRAC_PI_2;

use zerogap::dynamics::multibody::{BodyId, Dof, Joint, JointKind, Loop, LoopKind, Motor};
use zerogap::world::{BodyDef, EventKind, ShapeDef, Stepping, World, WorldError};
use zerogap::{Pose, Shape, Vec3};

use crate::scenes::{G, STEEL, add_floor, at, builder, steps};

/// Time at rest [s] and speed [m/s] of these tests.
const SLEEP: f64 = 0.05;
const SPEED: f64 = 1e-3;

fn sleepy() -> Stepping {
    Stepping { sleep: SLEEP, sleep_speed: SPEED, ..steps(1.0 / 512.0) }
}

/// A bar of 0.2 m along x from its joint, with a hinge about an axis.
fn bar(parent: Option<BodyId>, place: Pose, axis: Vec3, dof: Dof) -> BodyDef {
    let joint = Joint::new(parent, JointKind::Revolute { axis }).parent_frame(place);
    let shape = Shape::cuboid(Vec3::new(0.2, 0.02, 0.02)).unwrap();
    let shape = ShapeDef::new(shape, STEEL).at(at(0.1, 0.0, 0.0));
    BodyDef::new(joint).with_shape(shape).with_dof(0, dof)
}

fn damped() -> Dof {
    Dof { damping: 0.5, ..Dof::default() }
}

fn asleep(world: &World) -> Vec<bool> {
    world.bodies().iter().map(|body| world.is_asleep(*body)).collect()
}

/// How many bodies fell asleep and woke.
fn counts(world: &World) -> (usize, usize) {
    let of = |is: fn(&EventKind) -> bool| world.events().iter().filter(|event| is(&event.what)).count();
    (of(|what| matches!(what, EventKind::Sleep { .. })), of(|what| matches!(what, EventKind::Wake { .. })))
}

/// Three bars in a row, hanging from a point, far above the floor.
fn pendulum(stepping: Stepping) -> World {
    let mut builder = builder(stepping, G, (0.0, 0.5));
    add_floor(&mut builder);
    let mut parent = None;
    for k in 0..3 {
        let place = if k == 0 { at(0.0, 0.0, 2.0) } else { at(0.2, 0.0, 0.0) };
        parent = Some(builder.body(bar(parent, place, Vec3::y(), damped())).unwrap());
    }
    builder.build().unwrap()
}

#[test]
fn a_tree_falls_asleep_as_one_where_it_hangs_still_and_wakes_as_one() -> Result<(), WorldError> {
    let (mut world, mut plain) = (pendulum(sleepy()), pendulum(steps(1.0 / 512.0)));
    let mut before = 0;
    while world.time() < 8.0 {
        let t = world.time() + 0.0625;
        world.advance_to(t)?;
        plain.advance_to(t)?;
        // All or none.
        let now = asleep(&world).iter().filter(|is| **is).count();
        assert!(now == 0 || now == 3, "{now} at {t}");
        before = before.max(now);
    }
    assert_eq!((before, counts(&world)), (3, (3, 0)));
    // Upright below its point, and within speed times time of the angles that it would have.
    for (own, other) in world.positions().iter().zip(plain.positions()) {
        assert!((own - other).abs() <= SPEED * SLEEP / 0.2, "{own} {other}");
    }
    let still = world.positions().to_vec();
    world.advance_to(9.0)?;
    assert_eq!(world.positions(), still);
    // A torque at the last hinge wakes all of it.
    world.set_motor(BodyId(2), 0, Motor::Effort(0.5))?;
    world.advance_to(9.1)?;
    assert_eq!((asleep(&world), counts(&world)), (vec![false; 3], (3, 3)));
    assert!((world.positions()[2] - still[2]).abs() > 1e-3);
    Ok(())
}

#[test]
fn a_closed_loop_falls_asleep_as_one_and_wakes_when_one_of_its_bodies_is_driven() -> Result<(), WorldError> {
    // Two cranks that hang and swing, and a coupler between their ends: a parallelogram whose second crank is held by a loop alone.
    let mut builder = builder(sleepy(), G, (0.0, 0.5));
    let down = |place: Vec3| Pose::from_axis_angle(place, Vec3::y(), FRAC_PI_2).unwrap();
    let along = Pose::from_axis_angle(Vec3::x() * 0.2, Vec3::y(), -FRAC_PI_2).unwrap();
    let left = builder.body(bar(None, down(Vec3::z()), Vec3::y(), damped()).moving(&[2.0]))?;
    let right =
        builder.body(bar(None, down(Vec3::new(0.2, 0.0, 1.0)), Vec3::y(), damped()).moving(&[2.0]))?;
    let coupler = builder.body(bar(Some(left), along, Vec3::y(), damped()).moving(&[-2.0]))?;
    let end = at(0.2, 0.0, 0.0);
    let kind = LoopKind::Revolute { axis: Vec3::y() };
    builder.close(Loop { a: Some(coupler), frame_a: end, b: Some(right), frame_b: end, kind })?;
    let mut world = builder.build()?;
    world.advance_to(0.25)?;
    assert_eq!(asleep(&world), [false; 3]);
    world.advance_to(6.0)?;
    assert_eq!((asleep(&world), counts(&world)), (vec![true; 3], (3, 0)));
    world.set_motor(right, 0, Motor::Effort(0.2))?;
    world.advance_to(6.1)?;
    assert_eq!((asleep(&world), counts(&world)), (vec![false; 3], (3, 3)));
    // The crank of the other tree has moved with it.
    let [a, b] = [left, right].map(|body| world.positions()[body.index()]);
    assert!(a.abs() > 1e-2 && (a - b).abs() < 1e-6, "{a} {b}");
    Ok(())
}

#[test]
fn what_a_motor_turns_slowly_never_sleeps_and_arrives_where_it_would() -> Result<(), WorldError> {
    // Its tip moves at a fifth of what counts as rest.
    let speed = 1e-3;
    let turn = |stepping: Stepping, target: f64| -> Result<World, WorldError> {
        let mut builder = builder(stepping, 0.0, (0.0, 0.5));
        let motor = Motor::Velocity { target, gain: 10.0, limit: f64::INFINITY };
        let dof = Dof { motor, ..Dof::default() };
        builder.body(bar(None, at(0.0, 0.0, 0.0), Vec3::z(), dof))?;
        let mut world = builder.build()?;
        world.advance_to(2.0)?;
        Ok(world)
    };
    let (mut world, plain) = (turn(sleepy(), speed)?, turn(steps(1.0 / 512.0), speed)?);
    assert_eq!((asleep(&world), counts(&world)), (vec![false], (0, 0)));
    assert_eq!(world.positions(), plain.positions());
    assert!((world.positions()[0] - 2.0 * speed).abs() < 1e-2 * speed, "{}", world.positions()[0]);
    // A motor that holds lets it sleep, and asked to move again it wakes.
    let hold = Motor::Velocity { target: 0.0, gain: 10.0, limit: f64::INFINITY };
    world.set_motor(BodyId(0), 0, hold)?;
    world.advance_to(3.0)?;
    assert_eq!(asleep(&world), [true]);
    let held = world.positions()[0];
    world.set_motor(BodyId(0), 0, Motor::Velocity { target: -speed, gain: 10.0, limit: f64::INFINITY })?;
    world.advance_to(4.0)?;
    assert_eq!(asleep(&world), [false]);
    assert!((world.positions()[0] - held + speed).abs() < 1e-2 * speed);
    Ok(())
}
