//! Closed forms, at short length: what `zerogap verify stepping` shows in full.

use zerogap::world::{BodyDef, EventKind, World};
use zerogap::{Shape, Vec3};

use crate::scenes::{G, STEEL, add_floor, at, builder, steps};

fn ball(restitution: f64, friction: f64, step: f64, start: Vec3, velocity: Vec3) -> World {
    let mut builder = builder(steps(step), G, (restitution, friction));
    add_floor(&mut builder);
    let def = BodyDef::free(at(start.x, start.y, start.z)).with(Shape::sphere(0.1).unwrap(), STEEL);
    builder.body(def.moving(&[velocity.x, velocity.y, velocity.z, 0.0, 0.0, 0.0])).unwrap();
    builder.build().unwrap()
}

#[test]
fn a_thrown_ball_flies_as_it_must_whatever_the_step() {
    for step in [1e-3, 1e-2, 0.1] {
        let mut world = ball(0.5, 0.5, step, Vec3::new(0.0, 0.0, 1.0), Vec3::new(1.0, -2.0, 3.0));
        world.advance_to(0.7).unwrap();
        let expected = Vec3::new(0.7, -1.4, 1.0 + 2.1 - 0.5 * G * 0.49);
        let q = world.positions();
        assert!((Vec3::new(q[0], q[1], q[2]) - expected).norm() < 1e-13, "{step}: {q:?}");
        assert!((world.velocities()[2] - (3.0 - 0.7 * G)).abs() < 1e-13);
        assert!(world.contacts().is_empty() && world.events().is_empty());
    }
}

#[test]
fn a_ball_without_restitution_is_caught_and_rests() {
    for step in [1e-3, 1e-2, 0.1] {
        let mut world = ball(0.0, 0.5, step, Vec3::new(0.0, 0.0, 1.1), Vec3::zeros());
        world.advance_to(2.0).unwrap();
        assert!((world.positions()[2] - 0.1).abs() < 1e-8, "{step}: {:?}", world.positions());
        assert!(world.velocities().iter().all(|v| v.abs() < 1e-12), "{step}: {:?}", world.velocities());
        let [contact] = world.contacts()[..] else { panic!("one contact") };
        let weight = world.tree().inertia(zerogap::dynamics::multibody::BodyId(0)).mass * G;
        assert!((contact.normal_force / weight - 1.0).abs() < 1e-9, "{contact:?}");
    }
}

#[test]
fn a_ball_bounces_as_high_as_its_restitution_says() {
    // The impact is made at the start of its step: the speed there is off by what gravity does in a step.
    for (e, step) in [(0.5, 1e-3), (0.9, 1e-3), (1.0, 1e-3), (1.0, 1e-2)] {
        let mut world = ball(e, 0.0, step, Vec3::new(0.0, 0.0, 1.1), Vec3::zeros());
        let mut highest = 0.0_f64;
        let mut has_hit = false;
        for k in 1..=(1.2 / step) as usize {
            world.advance_to(k as f64 * step).unwrap();
            has_hit |= world.events().iter().any(|event| matches!(event.what, EventKind::Impact { .. }));
            if has_hit && world.velocities()[2] > -0.2 {
                highest = highest.max(world.positions()[2] - 0.1);
            }
        }
        assert!((highest - e * e).abs() < 6.0 * step, "e {e}, step {step}: {highest}");
    }
}

#[test]
fn sliding_becomes_rolling() {
    let mut world = ball(0.0, 0.2, 1e-3, Vec3::new(0.0, 0.0, 0.1), Vec3::new(5.0, 0.0, 0.0));
    world.advance_to(1.0).unwrap();
    let (v, w) = (world.velocities()[0], world.velocities()[4]);
    assert!((v - 25.0 / 7.0).abs() < 1e-10 && (w * 0.1 - v).abs() < 1e-9, "{v} {w}");
}

#[test]
fn a_row_of_balls_passes_a_blow_on_in_one_step() {
    // Five a hair apart, and one that comes: the last leaves with its speed. Without the hair they take the impulse together, and all but the first leave with a third of it.
    let mut builder = builder(steps(1e-3), 0.0, (1.0, 0.0));
    for k in 0..6 {
        let gap = if k == 0 { 0.05 } else { -1e-6 * f64::from(k) };
        let def = BodyDef::free(at(0.2 * f64::from(k) - gap, 0.0, 0.0));
        let speed = if k == 0 { 2.0 } else { 0.0 };
        let def = def.with(Shape::sphere(0.1).unwrap(), STEEL).moving(&[speed, 0.0, 0.0, 0.0, 0.0, 0.0]);
        builder.body(def).unwrap();
    }
    let mut world = builder.build().unwrap();
    world.advance_to(0.1).unwrap();
    let speeds: Vec<f64> = world.velocities().chunks(6).map(|v| v[0]).collect();
    let total: f64 = speeds.iter().sum();
    assert!((total - 2.0).abs() < 1e-12 && world.energy().kinetic > 0.0, "{speeds:?}");
    assert!((speeds[5] - 2.0).abs() < 1e-6, "{speeds:?}");
}

#[test]
fn a_block_sticks_below_the_angle_of_friction_and_slides_above() {
    for (factor, expected) in [(0.99, 0.0), (1.1, 0.859_567_806 / 16.0)] {
        let tangent = 0.5 * factor;
        let cosine = 1.0 / (1.0_f64 + tangent * tangent).sqrt();
        let mut params = *builder(steps(1e-3), G, (0.0, 0.5)).params();
        params.gravity = Vec3::new(G * tangent * cosine, 0.0, -G * cosine);
        let mut builder = zerogap::world::WorldBuilder::new(params);
        let rough = zerogap::contact::material::PairProperties {
            restitution: 0.0,
            friction: 0.5,
            ..Default::default()
        };
        builder.pair(STEEL, STEEL, rough).unwrap();
        add_floor(&mut builder);
        let block = Shape::cuboid(Vec3::new(0.4, 0.3, 0.2)).unwrap();
        builder.body(BodyDef::free(at(0.0, 0.0, 0.1)).with(block, STEEL)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.5).unwrap();
        assert!((world.positions()[0] - expected).abs() < 1e-9, "{factor}: {:?}", world.positions());
    }
}

#[test]
fn a_function_that_crosses_in_the_first_step_stops_there() {
    let mut builder = builder(steps(0.1), G, (0.0, 0.0));
    builder.add_event(zerogap::world::EventFunction {
        function: std::sync::Arc::new(|view| 0.05 - view.t),
        direction: zerogap::dynamics::event::Direction::Falling,
        stops: true,
    });
    let mut world = builder.build().unwrap();
    assert_eq!(world.advance_to(1.0).unwrap(), zerogap::world::Stop::Stopped);
    assert!((world.time() - 0.1).abs() < 1e-15);
}
