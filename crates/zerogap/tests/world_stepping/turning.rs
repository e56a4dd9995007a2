//! Parts on bodies that joints turn: what sticks stays where it is, and gains no energy.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use zerogap::core::math::{cos, sin};
use zerogap::dynamics::multibody::{BodyId, Dof, Harmonic, HarmonicMotion, Inertia, Joint, JointKind, Motor};
use zerogap::world::{BodyDef, ShapeDef, World};
use zerogap::{Shape, Vec3};

use super::scenes::{G, STEEL, at, builder, steps};

/// Speed of the turntable or arm [rad/s], and how far out the part is [m].
const SPIN: f64 = 2.0;
const REACH: f64 = 0.5;

fn cube(size: f64) -> Shape {
    Shape::cuboid(Vec3::repeat(size)).unwrap()
}

fn revolute(axis: Vec3) -> Joint {
    Joint::new(None, JointKind::Revolute { axis })
}

/// A motor that keeps the speed.
fn constant_speed() -> Dof {
    let motor = Motor::Velocity { target: SPIN, gain: 1e3, limit: f64::INFINITY };
    Dof { motor, ..Dof::default() }
}

/// Where a body is, in axes of another.
fn place_in(world: &World, carrier: BodyId, part: BodyId) -> Vec3 {
    world.pose(carrier).inverse_transform_point(&world.pose(part).translation())
}

/// A disc with a part on it, which turn together, in the world or on a base of prescribed motion.
fn turntable(step: f64, dof: Dof, base: Option<Joint>) -> (World, BodyId, BodyId) {
    let mut builder = builder(steps(step), G, (0.0, 0.5));
    let base = base.map(|base| builder.body(BodyDef::new(base)).unwrap());
    let disc = ShapeDef::new(Shape::cylinder(0.7, 0.02).unwrap(), STEEL);
    let disc = BodyDef::new(Joint { parent: base, ..revolute(Vec3::z()) })
        .with_shape(disc)
        .with_dof(0, dof)
        .moving(&[SPIN]);
    let inertia = Inertia::cuboid(1.0, Vec3::new(1.0, 1.0, 0.02));
    let table = builder.body(disc.with_inertia(inertia)).unwrap();
    let part = BodyDef::free(at(REACH, 0.0, 0.035)).with(cube(0.05), STEEL);
    let part = part.with_inertia(Inertia::cuboid(0.5, Vec3::repeat(0.05)));
    let part = builder.body(part.moving(&[0.0, SPIN * REACH, 0.0, 0.0, 0.0, SPIN])).unwrap();
    (builder.build().unwrap(), table, part)
}

#[test]
fn a_part_stays_where_it_is_on_a_driven_turntable() {
    // By velocities of the place that it leaves it would creep by h w² r: 4 mm in 2 s.
    for step in [1e-3, 4e-3] {
        let (mut world, table, part) = turntable(step, constant_speed(), None);
        let before = place_in(&world, table, part);
        world.advance_to(2.0).unwrap();
        let moved = (place_in(&world, table, part) - before).norm();
        assert!(moved < 6e-6 * (step / 1e-3) * (step / 1e-3), "step {step}: moved by {moved:e}");
    }
}

#[test]
fn a_part_stays_where_it_is_on_a_turntable_that_is_carried() {
    // The base yaws and sways; it is at rest at the start. The motor is stiff, so that displacements follow more of the velocity at the end: by a third of a step times what the base changes of it, to and fro.
    for step in [1e-3, 4e-3] {
        let still = Harmonic::default();
        let sway = |amplitude: f64| Harmonic { amplitude, frequency: 0.5, phase: -FRAC_PI_2 };
        let shift = [sway(0.02), still, still];
        let motion = HarmonicMotion::new(at(0.02, 0.0, 0.0), shift, [still, still, sway(0.1)]).unwrap();
        let base = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
        let (mut world, table, part) = turntable(step, constant_speed(), Some(base));
        let before = place_in(&world, table, part);
        world.advance_to(2.0).unwrap();
        let moved = (place_in(&world, table, part) - before).norm();
        assert!(moved < 8e-5 * (step / 1e-3), "step {step}: moved by {moved:e}");
    }
}

#[test]
fn a_turntable_that_turns_freely_keeps_its_energy_and_its_part() {
    for step in [1e-3, 4e-3] {
        let (mut world, table, part) = turntable(step, Dof::default(), None);
        let (before, start) = (place_in(&world, table, part), world.energy().kinetic);
        for k in 1..=20 {
            world.advance_to(0.1 * f64::from(k)).unwrap();
            let gained = world.energy().kinetic / start - 1.0;
            assert!((-1e-4 * step / 1e-3..1e-9).contains(&gained), "step {step}: gained {gained:e}");
        }
        let moved = (place_in(&world, table, part) - before).norm();
        assert!(moved < 6e-6 * (step / 1e-3) * (step / 1e-3), "step {step}: moved by {moved:e}");
    }
}

#[test]
fn a_part_stays_between_the_fingers_of_an_arm_that_swings() {
    // The arm turns about a horizontal axis, so that weight pulls the part all ways.
    let mut builder = builder(steps(1e-3), G, (0.0, 0.8));
    let arm = BodyDef::new(revolute(Vec3::y())).with_dof(0, constant_speed()).moving(&[SPIN]);
    let arm = builder.body(arm.with_inertia(Inertia::cuboid(5.0, Vec3::new(0.5, 0.1, 0.1)))).unwrap();
    for side in [-1.0, 1.0] {
        let axis = Vec3::new(0.0, -side, 0.0);
        let slide = Joint::new(Some(arm), JointKind::Prismatic { axis });
        let slide = slide.parent_frame(at(REACH, 0.03 * side, 0.0));
        let dof = Dof { motor: Motor::Effort(20.0), ..Dof::default() };
        builder.body(BodyDef::new(slide).with(plate(), STEEL).with_dof(0, dof)).unwrap();
    }
    let part = BodyDef::free(at(REACH, 0.0, 0.0)).with(cube(0.05), STEEL);
    let part = part.with_inertia(Inertia::cuboid(0.3, Vec3::repeat(0.05)));
    let part = builder.body(part.moving(&[0.0, 0.0, -SPIN * REACH, 0.0, SPIN, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    let before = place_in(&world, arm, part);
    world.advance_to(1.5).unwrap();
    let angle = world.positions()[0];
    assert!((angle - SPIN * 1.5).abs() < 1e-2, "{angle}");
    let place = world.pose(part).translation();
    let expected = Vec3::new(cos(angle), 0.0, -sin(angle)) * REACH;
    let moved = (place_in(&world, arm, part) - before).norm();
    assert!(moved < 1e-5, "moved by {moved:e}: at {place:?}, expected {expected:?}");
}

/// A finger whose inner face is 5 mm from its middle.
fn plate() -> Shape {
    Shape::cuboid(Vec3::new(0.03, 0.01, 0.03)).unwrap()
}
