//! What bodies that stay keep: motion, contacts, friction, motors, limits and their numbers.

use zerogap::dynamics::multibody::{Dof, Inertia, Joint, JointKind, Motor};

use super::*;

/// A floor that slopes by about 15 degrees, shape 0.
fn slope(params: WorldParams) -> WorldBuilder {
    let mut builder = WorldBuilder::new(params);
    let normal = Vec3::new(-0.26, 0.0, 0.965);
    builder.fixed(ShapeDef::new(Shape::half_space(normal, 0.0).unwrap(), "steel")).unwrap();
    builder
}

#[test]
fn a_box_that_sticks_on_a_slope_sticks_on_when_others_come_and_go() {
    for (method, params) in methods().into_iter().filter(|(method, _)| *method != "silvia") {
        let mut builder = slope(params);
        let up = Vec3::new(-0.26, 0.0, 0.965).normalize();
        // By half the angle from the vertical to the normal, about y.
        let (s, c) = (-(0.5 * (1.0 - up.z)).sqrt(), (0.5 * (1.0 + up.z)).sqrt());
        let start = Pose::new(0.5 * SIDE * up, [0.0, s, 0.0, c]).unwrap();
        let lying = BodyDef::free(start).with(Shape::cuboid(Vec3::repeat(SIDE)).unwrap(), "steel");
        let lying = builder.body(lying).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(1.0).unwrap();
        let (place, before) = (world.pose(lying).translation(), world.events().len());
        let other = world.add_body(ball(0.0, 5.0)).unwrap();
        world.advance_to(1.1).unwrap();
        world.remove_body(other).unwrap();
        world.advance_to(2.0).unwrap();
        // Nothing happened to it, and it is where it was.
        assert_eq!(world.events()[before..], [], "{method}");
        let moved = (world.pose(lying).translation() - place).norm();
        assert!(moved < 1e-8, "{method}: {moved} m");
    }
}

#[test]
fn a_far_body_changes_no_bit_of_the_steps_of_others() {
    for (method, params) in methods().into_iter().filter(|(_, params)| is_stepping(params)) {
        let bodies = || [cube(0.0, 0.1), cube(0.02, 0.35), ball(1.0, 0.4)];
        let (mut plain, mut joined) = (world_of(params, bodies()), world_of(params, bodies()));
        for k in 1..20 {
            let t = 0.05 * f64::from(k);
            plain.advance_to(t).unwrap();
            joined.advance_to(t).unwrap();
            match k {
                2 => assert_eq!(joined.add_body(ball(20.0, 9.0)), Ok(BodyId(3))),
                12 => joined.remove_body(BodyId(3)).unwrap(),
                15 => assert_eq!(joined.add_body(ball(-20.0, 9.0)), Ok(BodyId(4))),
                _ => {}
            }
            for body in (0..3).map(BodyId) {
                let bits =
                    |world: &World| (world.pose(body), world.velocity(body), world.angular_velocity(body));
                assert_eq!(bits(&joined), bits(&plain), "{method} at {t} s, {body:?}");
            }
        }
        let of_three = |world: &World| {
            let is_of = |event: &&Event| match event.what {
                EventKind::ContactBegin { pair, .. } | EventKind::ContactEnd { pair } => pair.b.0 <= 3,
                _ => false,
            };
            world.events().iter().filter(is_of).cloned().collect::<Vec<_>>()
        };
        assert_eq!(of_three(&joined), of_three(&plain), "{method}");
    }
}

#[test]
fn a_far_body_changes_located_events_by_no_more_than_their_error() {
    for (method, params) in methods().into_iter().filter(|(_, params)| !is_stepping(params)) {
        let (mut plain, mut joined) =
            (world_of(params, [ball(0.0, 0.5)]), world_of(params, [ball(0.0, 0.5)]));
        for world in [&mut plain, &mut joined] {
            world.advance_to(0.2).unwrap();
        }
        joined.add_body(ball(20.0, 9.0)).unwrap();
        for world in [&mut plain, &mut joined] {
            world.advance_to(0.6).unwrap();
        }
        let apart = (plain.pose(BodyId(0)).translation() - joined.pose(BodyId(0)).translation()).norm();
        assert!(apart < 1e-5, "{method}: {apart} m");
        let [one, other] = [&plain, &joined].map(|world| begins(world, pair(0, 1))[0]);
        assert!((one - other).abs() < 1e-8, "{method}: {one} s and {other} s");
    }
}

#[test]
fn motors_forces_and_limits_of_others_stay_and_limits_keep_their_numbers() {
    for (method, params) in methods() {
        let slider = |x: f64| {
            let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
            let joint = Joint { parent_frame: at(x, 1.0), ..joint };
            let limited = Dof { lower: Some(-0.5), upper: Some(0.5), ..Dof::default() };
            BodyDef::new(joint).with_inertia(Inertia::sphere(1.0, 0.1)).with_dof(0, limited)
        };
        let mut builder = WorldBuilder::new(params);
        let [first, second, third] = [0.0, 2.0, 4.0].map(|x| builder.body(slider(x)).unwrap());
        let mut world = builder.build().unwrap();
        world.set_motor(second, 0, Motor::Effort(1.0)).unwrap();
        world.set_force(third, Vec3::new(-2.0, 0.0, 0.0), Vec3::zeros()).unwrap();
        world.advance_to(0.5).unwrap();
        world.remove_body(first).unwrap();
        let fourth = world.add_body(slider(6.0)).unwrap();
        world.set_force(fourth, Vec3::new(3.0, 0.0, 0.0), Vec3::zeros()).unwrap();
        world.advance_to(0.6).unwrap();
        let x = |body| world.positions()[world.tree().q_range(body)][0];
        // Motions from rest by one, two and three newtons.
        for (body, acceleration, t) in [(second, 1.0, 0.6), (third, -2.0, 0.6), (fourth, 3.0, 0.1)] {
            let expected = 0.5 * acceleration * t * t;
            assert!((x(body) - expected).abs() < 2e-3, "{method}, {body:?}: {} m", x(body));
        }
        world.advance_to(3.0).unwrap();
        if is_stepping(&params) {
            continue;
        }
        // Limits of the first are 0 and 1, of the second 2 and 3; those of the fourth come last.
        for (limit, body) in [(3, second), (4, third), (7, fourth)] {
            let is_reached =
                |event: &Event| matches!(event.what, EventKind::LimitReached { limit: k, .. } if k == limit);
            assert!(world.events().iter().any(is_reached), "{method}: {limit}");
            assert_eq!(world.tree().limit(limit).unwrap().body, body);
        }
        assert!(world.tree().limit(0).is_none());
    }
}

#[test]
fn a_joint_on_a_body_that_is_there_can_be_added_and_removed() {
    for (method, params) in methods() {
        let mut world = world_of(params, [cube(0.0, 0.1)]);
        world.advance_to(0.3).unwrap();
        let hinge = Joint {
            parent_frame: at(0.0, 0.1),
            ..Joint::new(Some(BodyId(0)), JointKind::Revolute { axis: Vec3::y() })
        };
        let bob = ShapeDef::new(Shape::sphere(0.05).unwrap(), "steel").at(at(0.0, 0.3));
        let arm = world.add_body(BodyDef::new(hinge).with_shape(bob).starting(&[0.1])).unwrap();
        world.advance_to(0.4).unwrap();
        let angle = world.positions()[world.tree().q_range(arm)][0];
        assert!(angle > 0.11, "{method}: {angle} rad");
        world.remove_body(arm).unwrap();
        world.advance_to(0.8).unwrap();
        assert!((world.pose(BodyId(0)).translation().z - 0.1).abs() < 1e-3, "{method}");
    }
}
