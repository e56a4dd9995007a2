//! Joints, limits, loops, springs and motions that are told, under steps.

use std::f64::consts::TAU;
use std::sync::Arc;

use zerogap::core::math::{cos, sin};
use zerogap::dynamics::multibody::{Dof, Harmonic, HarmonicMotion, Joint, JointKind, Loop, LoopKind, Motor};
use zerogap::world::{BodyDef, EventKind, ShapeDef};
use zerogap::{Shape, Vec3};

use super::scenes::{G, STEEL, add_floor, at, builder, steps};

fn cube(size: f64) -> Shape {
    Shape::cuboid(Vec3::repeat(size)).unwrap()
}

#[test]
fn a_weight_on_a_slide_falls_to_its_limit_and_stays() {
    for (restitution, until) in [(0.0, 1.0), (0.5, 4.0)] {
        let mut builder = builder(steps(1e-3), G, (0.0, 0.0));
        let slide = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
        let dof = Dof { lower: Some(-0.5), restitution, ..Dof::default() };
        let weight = builder.body(BodyDef::new(slide).with(cube(0.1), STEEL).with_dof(0, dof)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(until).unwrap();
        let z = world.pose(weight).translation().z;
        assert!((z + 0.5).abs() < 1e-8, "restitution {restitution}: {z}");
        assert!(world.velocity(weight).norm() < 1e-9);
    }
}

#[test]
fn a_weight_bounces_on_its_limit_as_high_as_its_restitution_says() {
    for e in [0.5, 0.8, 1.0] {
        let mut builder = builder(steps(1e-3), G, (0.0, 0.0));
        let slide = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() });
        let dof = Dof { lower: Some(-0.5), restitution: e, ..Dof::default() };
        builder.body(BodyDef::new(slide).with(cube(0.1), STEEL).with_dof(0, dof)).unwrap();
        let mut world = builder.build().unwrap();
        // From the impact to the top above it.
        let fall = (1.0 / G).sqrt();
        world.advance_to(fall * (1.0 + e)).unwrap();
        let height = world.positions()[0] + 0.5;
        assert!((height - 0.5 * e * e).abs() < 5e-3, "e {e}: {height}");
        assert!(world.velocities()[0].abs() < 0.03, "e {e}: {:?}", world.velocities());
    }
}

#[test]
fn a_spring_swings_with_its_frequency_and_keeps_its_energy() {
    let mut builder = builder(steps(1e-3), 0.0, (0.0, 0.0));
    let slide = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
    let body = BodyDef::new(slide).with(cube(0.1), STEEL).starting(&[0.1]);
    let mass = 0.001 * builder.density(STEEL).unwrap();
    let stiffness = mass * TAU * TAU;
    let body = builder.body(body.with_dof(0, Dof { stiffness, ..Dof::default() })).unwrap();
    let mut world = builder.build().unwrap();
    let energy = world.energy().total();
    world.advance_to(10.25).unwrap();
    // The implicit midpoint rule keeps the energy of a spring, and is late by (w h)²/12 of the angle.
    assert!((world.energy().total() / energy - 1.0).abs() < 1e-10);
    let late = TAU * 10.25 * TAU * TAU * 1e-6 / 12.0;
    let x = world.pose(body).translation().x;
    assert!((x - 0.1 * cos(TAU * 10.25 - late)).abs() < 1e-7, "{x}");
}

#[test]
fn a_motor_drives_a_cart_that_pushes_a_box() {
    let mut builder = builder(steps(1e-3), G, (0.0, 0.25));
    add_floor(&mut builder);
    let rail = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() }).parent_frame(at(0.0, 0.0, 0.2));
    let dof = Dof { motor: Motor::Effort(600.0), ..Dof::default() };
    let cart = builder.body(BodyDef::new(rail).with(cube(0.2), STEEL).with_dof(0, dof)).unwrap();
    let pushed = builder.body(BodyDef::free(at(0.2, 0.0, 0.1)).with(cube(0.2), STEEL)).unwrap();
    builder.exclude(None, Some(cart));
    let mass = 0.008 * builder.density(STEEL).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.5).unwrap();
    // Both go on together: the motor less the friction of the box, which the cart's friction on its side neither lifts nor presses for long.
    let together = (600.0 - 0.25 * mass * G) / (2.0 * mass);
    let (v_cart, v_box) = (world.velocity(cart).x, world.velocity(pushed).x);
    assert!((v_cart - v_box).abs() < 1e-8, "{v_cart} and {v_box}");
    assert!((v_cart - 0.5 * together).abs() < 0.1 * together, "{v_cart} against {}", 0.5 * together);
}

#[test]
fn a_ball_leaves_a_deck_that_falls_faster_than_it() {
    let mut builder = builder(steps(1e-4), G, (0.0, 0.5));
    let w = TAU;
    let heave = Harmonic { amplitude: 2.0 * G / (w * w), frequency: 1.0, phase: 0.0 };
    let still = Harmonic::default();
    let motion = HarmonicMotion::new(at(0.0, 0.0, -0.5), [still, still, heave], [still; 3]).unwrap();
    let deck = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
    let plate = ShapeDef::new(Shape::cuboid(Vec3::new(4.0, 4.0, 1.0)).unwrap(), STEEL);
    builder.body(BodyDef::new(deck).with_shape(plate)).unwrap();
    let ball = BodyDef::free(at(0.0, 0.0, 0.1)).with(Shape::sphere(0.1).unwrap(), STEEL);
    builder.body(ball.moving(&[0.0, 0.0, 2.0 * G / w, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.3).unwrap();
    let leaves =
        world.events().iter().find(|event| matches!(event.what, EventKind::ContactEnd { .. })).unwrap();
    // Where the deck falls with g: 2 sin(w t) = 1.
    assert!((leaves.t - 1.0 / 12.0).abs() < 3e-4, "{}", leaves.t);
}

#[test]
fn a_box_rides_on_a_plate_that_shakes_gently_and_slips_on_one_that_shakes_hard() {
    for (share, slips) in [(0.9, false), (1.5, true)] {
        let friction = 0.5;
        let mut builder = builder(steps(1e-3), G, (0.0, friction));
        let w = TAU;
        let shake = Harmonic { amplitude: share * friction * G / (w * w), frequency: 1.0, phase: 0.0 };
        let still = Harmonic::default();
        let motion = HarmonicMotion::new(at(0.0, 0.0, -0.1), [shake, still, still], [still; 3]).unwrap();
        let plate = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
        let shape = Shape::cuboid(Vec3::new(4.0, 4.0, 0.2)).unwrap();
        builder.body(BodyDef::new(plate).with(shape, STEEL)).unwrap();
        let start = shake.amplitude * w;
        let carried = BodyDef::free(at(0.0, 0.0, 0.1)).with(cube(0.2), STEEL);
        let carried = builder.body(carried.moving(&[start, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(2.2).unwrap();
        let off = world.pose(carried).translation().x - shake.amplitude * sin(w * 2.2);
        assert_eq!(off.abs() > 1e-3, slips, "share {share}: off by {off}");
    }
}

#[test]
fn a_loop_stays_closed_while_the_linkage_swings_and_hits() {
    // A parallelogram of two cranks and a coupler, in the plane y = 0, let go from the side.
    let mut builder = builder(steps(1e-3), G, (0.0, 0.3));
    let bar = |joint: Joint, angle: f64| {
        let shape = ShapeDef::new(Shape::cuboid(Vec3::new(0.02, 0.02, 0.4)).unwrap(), STEEL);
        BodyDef::new(joint).with_shape(shape.at(at(0.0, 0.0, -0.2))).starting(&[angle])
    };
    let pin = |parent| Joint::new(parent, JointKind::Revolute { axis: Vec3::y() });
    let first = builder.body(bar(pin(None), 1.0)).unwrap();
    let second = builder.body(bar(pin(None).parent_frame(at(0.5, 0.0, 0.0)), 1.0)).unwrap();
    let shape =
        ShapeDef::new(Shape::cuboid(Vec3::new(0.5, 0.02, 0.02)).unwrap(), STEEL).at(at(0.25, 0.0, 0.0));
    let coupler =
        BodyDef::new(pin(Some(first)).parent_frame(at(0.0, 0.0, -0.4))).with_shape(shape).starting(&[-1.0]);
    let coupler = builder.body(coupler).unwrap();
    let closure = Loop {
        a: Some(coupler),
        frame_a: at(0.5, 0.0, 0.0),
        b: Some(second),
        frame_b: at(0.0, 0.0, -0.4),
        kind: LoopKind::Point,
    };
    builder.close(closure).unwrap();
    builder.fixed(ShapeDef::new(Shape::sphere(0.05).unwrap(), STEEL).at(at(0.25, 0.0, -0.44))).unwrap();
    builder.exclude(None, Some(first));
    builder.exclude(None, Some(second));
    let mut world = builder.build().unwrap();
    let start = world.energy().total();
    // Until it hits, its energy is kept to the second order of the step.
    world.advance_to(0.2).unwrap();
    assert!(world.events().is_empty());
    let swings = world.energy().total();
    assert!((swings - start).abs() < 1e-5 * start.abs(), "{start} {swings}");
    world.advance_to(2.0).unwrap();
    assert!(world.loop_errors().iter().all(|error| error.abs() < 1e-9), "{:?}", world.loop_errors());
    let end = world.energy().total();
    assert!(end < start - 0.1, "{start} {end}");
    let is_hit = |event: &&zerogap::world::Event| matches!(event.what, EventKind::ContactBegin { .. });
    assert!(world.events().iter().any(|event| is_hit(&event)));
}
