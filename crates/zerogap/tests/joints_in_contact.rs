//! Joints with springs, dampers and motors that stand on something, by time stepping: what is held rests where statics says, whatever the step.

use std::path::Path;

use zerogap::scene::Scene;
use zerogap::world::World;

/// A body of 10 kg on a vertical guide, on a leg of a mass [kg] with a joint of the keys given that stands on the floor.
fn guided(leg: f64, joint: &str, step: f64) -> World {
    let text = format!(
        r#"
        [world]
        method = "stepping"
        step = {step:?}
        [[pairs]]
        materials = ["steel", "steel"]
        restitution = 0
        friction = 0.5
        [[fixed]]
        name = "floor"
        shape = "halfspace:0,0,1,0"
        [[bodies]]
        name = "body"
        shape = "box:0.6,0.4,0.1"
        mass = 10
        joint = {{ kind = "prismatic", axis = [0, 0, 1], parent_frame = {{ position = [0, 0, 0.38] }} }}
        [[bodies]]
        name = "leg"
        shape = "capsule:0.03,0.2"
        mass = {leg:?}
        joint = {{ kind = "prismatic", parent = "body", axis = [0, 0, 1], parent_frame = {{ position = [0, 0, -0.25] }}, {joint} }}
        "#
    );
    let scene =
        Scene::parse(&text, "guided", Path::new("")).unwrap_or_else(|error| panic!("{}", error.report()));
    scene.build().unwrap_or_else(|error| panic!("{}", error.report()))
}

#[test]
fn a_body_on_a_spring_leg_settles_where_its_weight_is_carried() {
    let weight = 10.0 * 9.81;
    for (stiffness, damping, leg) in
        [(8e3, 200.0, 0.1), (8e3, 1e3, 0.1), (8e3, 4e3, 0.1), (8e4, 4e4, 1.0), (8e3, 200.0, 5.0)]
    {
        let spring = format!("stiffness = {stiffness:?}, damping = {damping:?}");
        let motor = format!("motor = {{ position = 0, stiffness = {stiffness:?}, damping = {damping:?} }}");
        let limited = format!(
            "motor = {{ position = 0, stiffness = {stiffness:?}, damping = {damping:?}, limit = 1000 }}"
        );
        for joint in [&spring, &motor, &limited] {
            for step in [5e-4, 1e-3, 2e-3, 5e-3] {
                let mut world = guided(leg, joint, step);
                // Twenty times the time constant of the damper.
                world.advance_to(f64::max(20.0 * damping / stiffness, 2.0)).unwrap();
                let deflection = world.positions()[1];
                let expected = weight / stiffness;
                assert!(
                    (deflection - expected).abs() < 1e-4 * expected,
                    "{joint}, leg {leg} kg, step {step}: {deflection} instead of {expected}"
                );
                let force: f64 = world.contacts().iter().map(|contact| contact.normal_force).sum();
                let carried = weight + 9.81 * leg;
                assert!(
                    (force.abs() - carried).abs() < 1e-4 * carried,
                    "{joint}, leg {leg} kg, step {step}: {force} N instead of {carried}"
                );
            }
        }
    }
}

#[test]
fn a_stop_out_of_reach_of_the_free_motion_holds_what_a_contact_drives_into_it() {
    // The slider rests 0.1 mm before its stop, which the step leaves out at first; a ball that touches it comes with 1 m/s.
    let text = r#"
        [world]
        method = "stepping"
        step = 1e-3
        gravity = [0, 0, 0]
        [[pairs]]
        materials = ["steel", "steel"]
        restitution = 0
        friction = 0
        [[bodies]]
        name = "slider"
        shape = "box:0.1,0.1,0.1"
        mass = 1
        joint = { kind = "prismatic", axis = [1, 0, 0], upper = 1e-4 }
        [[bodies]]
        name = "ball"
        shape = "sphere:0.05"
        mass = 1
        position = [-0.1, 0, 0]
        velocity = [1, 0, 0]
    "#;
    let scene =
        Scene::parse(text, "struck", Path::new("")).unwrap_or_else(|error| panic!("{}", error.report()));
    let mut world = scene.build().unwrap_or_else(|error| panic!("{}", error.report()));
    world.advance_to(1e-3).unwrap();
    // Half of the momentum would take it 0.5 mm or 0.25 mm far.
    let slider = world.positions()[0];
    assert!((slider - 1e-4).abs() < 1e-9, "the slider is at {slider} m, and its stop at 1e-4 m");
    world.advance_to(0.1).unwrap();
    let slider = world.positions()[0];
    assert!((0.0..=1e-4 + 1e-9).contains(&slider), "the slider is at {slider} m");
}
