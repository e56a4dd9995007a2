//! What has no right answer, or none that steps can find, must not fail either: no panic, no NaN, and nothing gained.

use std::f64::consts::PI;
use std::sync::Arc;

use zerogap::dynamics::multibody::{Harmonic, HarmonicMotion, Joint, JointKind};
use zerogap::world::{BodyDef, WorldBuilder, WorldError};
use zerogap::{Shape, Vec3};

use super::scenes::{G, STEEL, add_floor, at, builder, steps};

fn cube(size: f64) -> Shape {
    Shape::cuboid(Vec3::repeat(size)).unwrap()
}

fn finite(world: &zerogap::world::World) -> bool {
    world.positions().iter().chain(world.velocities()).all(|x| x.is_finite())
}

#[test]
fn a_world_without_bodies_goes_on() {
    let mut builder = builder(steps(1e-2), G, (0.0, 0.0));
    add_floor(&mut builder);
    let mut world = builder.build().unwrap();
    world.advance_to(0.995).unwrap();
    assert!((world.time() - 0.995).abs() < 1e-15 && world.info().steps == 100);
    assert!(world.contacts().is_empty());
}

#[test]
fn a_step_that_is_no_length_is_refused_with_its_value() {
    for step in [0.0, -1e-3, f64::NAN, f64::INFINITY] {
        let built = builder(steps(step), G, (0.0, 0.0)).build();
        assert!(matches!(built, Err(WorldError::Setting { what: "step", .. })), "{step}");
    }
}

#[test]
fn bodies_in_one_place_are_taken_apart_without_speed() {
    let mut builder = builder(steps(1e-3), 0.0, (0.5, 0.5));
    builder.set_overlaps(zerogap::world::Overlaps::Allow);
    let bodies: Vec<_> = (0..2)
        .map(|_| builder.body(BodyDef::free(at(0.0, 0.0, 0.0)).with(cube(0.2), STEEL)).unwrap())
        .collect();
    let mut world = builder.build().unwrap();
    world.advance_to(0.1).unwrap();
    assert!(finite(&world));
    let apart = world.pose(bodies[0]).translation() - world.pose(bodies[1]).translation();
    assert!(apart.amax() > 0.2 - 1e-6, "{apart}");
    assert!(world.fastest() < 1e-9, "{}", world.fastest());
}

/// Three boxes that fall on each other from half their size, in units of a size.
fn falling(size: f64, step: f64) -> WorldBuilder {
    let mut builder = builder(steps(step), G * size, (0.2, 0.5));
    add_floor(&mut builder);
    for k in 0..3 {
        let z = size * (1.0 + 1.5 * f64::from(k));
        builder.body(BodyDef::free(at(0.1 * size * f64::from(k), 0.0, z)).with(cube(size), STEEL)).unwrap();
    }
    builder
}

#[test]
fn tiny_and_huge_worlds_come_to_rest_like_others() {
    for size in [1e-6, 1.0, 1e5] {
        let mut world = falling(size, 1e-3).build().unwrap();
        world.advance_to(3.0).unwrap();
        assert!(finite(&world));
        let heights: Vec<f64> = world.positions().chunks_exact(7).map(|q| q[2] / size).collect();
        for (k, height) in heights.iter().enumerate() {
            assert!((height - 0.5 - k as f64).abs() < 1e-4, "size {size}: {heights:?}");
        }
    }
}

#[test]
fn steps_of_any_length_are_made() {
    for step in [1e-12, 1.0, 10.0] {
        let mut world = falling(1.0, step).build().unwrap();
        world.advance_to(20.0 * step).unwrap();
        assert!(finite(&world), "step {step}");
    }
}

#[test]
fn a_million_times_its_mass_rests_on_a_box() {
    let mut builder = builder(steps(1e-3), G, (0.0, 0.5));
    add_floor(&mut builder);
    let small = builder.body(BodyDef::free(at(0.0, 0.0, 0.05)).with(cube(0.1), STEEL)).unwrap();
    let heavy = builder.body(BodyDef::free(at(0.0, 0.0, 5.1)).with(cube(10.0), STEEL)).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.5).unwrap();
    assert!(finite(&world));
    assert!((world.pose(small).translation().z - 0.05).abs() < 1e-6);
    assert!((world.pose(heavy).translation().z - 5.1).abs() < 1e-6);
}

#[test]
fn a_press_that_leaves_no_room_throws_nothing_about() {
    // A plate that is told to go into the box on the floor: no velocity obeys both. It overlaps as it must, and the box goes no faster than the plate.
    for (friction, restitution) in [(0.0, 0.0), (0.8, 0.0), (1.5, 0.7)] {
        let mut builder = builder(steps(5e-3), G, (restitution, friction));
        add_floor(&mut builder);
        let shift = [
            Harmonic::default(),
            Harmonic::default(),
            Harmonic { amplitude: 0.02, frequency: 1.0, phase: PI },
        ];
        let motion = HarmonicMotion::new(at(0.0, 0.0, 0.15), shift, [Harmonic::default(); 3]).unwrap();
        let plate = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
        let plate = BodyDef::new(plate).with(Shape::cuboid(Vec3::new(0.5, 0.5, 0.1)).unwrap(), STEEL);
        builder.body(plate).unwrap();
        let pressed = BodyDef::free(at(0.0, 0.0, 0.05)).with(cube(0.1), STEEL);
        let pressed = builder.body(pressed).unwrap();
        let mut world = builder.build().unwrap();
        for k in 1..=12 {
            world.advance_to(0.01 * f64::from(k)).unwrap();
            let fastest = world.velocity(pressed).norm();
            assert!(fastest < 0.3, "friction {friction}, {} s: {fastest} m/s", world.time());
        }
        let place = world.pose(pressed).translation();
        assert!((place - Vec3::new(0.0, 0.0, 0.05)).norm() < 0.03, "friction {friction}: {place}");
    }
}
