//! Hands carry bodies as far as their strength goes.

use std::sync::Arc;

use zerogap::dynamics::multibody::{BodyId, Interpolation, SplineMotion};
use zerogap::world::{
    BodyDef, MethodParams, Servo, ShapeDef, StepForces, Stepping, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap()
}

/// A box of 0.1 m above a floor, held by a servo of 5 N that takes it from x = 0, z = 0.2 through the given points.
fn held(method: MethodParams, points: &[(f64, Pose)]) -> (World, BodyId) {
    carried(method, points, Interpolation::Smooth)
}

fn carried(method: MethodParams, points: &[(f64, Pose)], interpolation: Interpolation) -> (World, BodyId) {
    let mut builder = WorldBuilder::new(WorldParams::new(method));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let def = BodyDef::free(at(0.0, 0.2)).with(Shape::cuboid(Vec3::repeat(0.1)).unwrap(), "steel");
    let body = builder.body(def).unwrap();
    let (times, poses): (Vec<f64>, Vec<Pose>) = points.iter().copied().unzip();
    let motion = Arc::new(SplineMotion::from_poses(&times, &poses, interpolation).unwrap());
    builder.servo(body, Servo { motion, force: 5.0, torque: 1.0, response: 0.05 }).unwrap();
    (builder.build().unwrap(), body)
}

fn ways() -> [MethodParams; 3] {
    let by = |forces| Stepping { forces, step: 1e-3, ..Stepping::default() }.into();
    [MethodParams::default(), by(StepForces::Coulomb), by(StepForces::Silvia)]
}

#[test]
fn a_hand_takes_a_body_along_its_path_and_to_its_end() {
    let turned = Pose::from_axis_angle(Vec3::new(0.3, 0.0, 0.4), Vec3::z(), 1.0).unwrap();
    for method in ways() {
        let (mut world, body) = held(method, &[(0.0, at(0.0, 0.2)), (4.0, turned)]);
        world.advance_to(6.0).unwrap();
        let pose = world.pose(body);
        assert!((pose.translation() - turned.translation()).norm() < 1e-5, "{method:?}: {pose:?}");
        assert!((pose.transform_vector(&Vec3::x()) - turned.transform_vector(&Vec3::x())).norm() < 1e-5);
    }
}

#[test]
fn steps_end_where_the_velocity_of_a_hand_jumps() {
    let points = [(0.0, at(0.0, 0.2)), (0.503_75, at(0.005, 0.205)), (1.105_15, at(0.0, 0.2))];
    for method in ways() {
        // Between two frames.
        let (mut world, body) = carried(method, &points, Interpolation::Linear);
        let frames = world.record_to(4.0, 1e-4).unwrap();
        for (jump, _) in &points[1..] {
            let after = frames.partition_point(|frame| frame.t <= *jump);
            let (before, after) = (frames[after - 1].step, frames[after].step);
            assert!(before.to_bits() != after.to_bits(), "{method:?}: {before} s reaches over {jump} s");
        }
        let place = world.pose(body).translation();
        assert!((place - points[2].1.translation()).norm() < 1e-5, "{method:?}: {place:?}");
    }
}

#[test]
fn a_hand_yields_to_the_floor_and_presses_on_it_with_its_strength() {
    // The path goes 0.1 m into the floor.
    for method in ways() {
        let (mut world, body) = held(method, &[(0.0, at(0.0, 0.2)), (4.0, at(0.0, -0.05))]);
        world.advance_to(8.0).unwrap();
        assert!((world.pose(body).translation().z - 0.05).abs() < 1e-6, "{method:?}: {:?}", world.pose(body));
        // Steps may miss by 1e-9 m/s, which for 7.85 kg within 1 ms is 8e-6 N.
        let force = world.contacts()[0].normal_force;
        assert!((force - 5.0).abs() < 1e-5, "{method:?}: {force}");
    }
}

#[test]
fn a_servo_acts_on_free_bodies_alone() {
    let mut builder = WorldBuilder::new(WorldParams::default());
    let joint = zerogap::dynamics::multibody::JointKind::Revolute { axis: Vec3::z() };
    let joint = zerogap::dynamics::multibody::Joint::new(None, joint);
    let body =
        builder.body(BodyDef::new(joint).named("arm").with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    let motion = Arc::new(
        SplineMotion::from_poses(&[0.0, 1.0], &[at(0.0, 0.0), at(1.0, 0.0)], Interpolation::Smooth).unwrap(),
    );
    let servo = Servo { motion, force: 1.0, torque: 1.0, response: 0.05 };
    assert!(builder.servo(body, Servo { force: f64::NAN, ..servo.clone() }).is_err());
    builder.servo(body, servo).unwrap();
    let error = builder.build().err().unwrap().to_string();
    assert!(error.starts_with("a servo cannot act on arm"), "{error}");
}
