//! Assembly scenes end where the parts fit.

use std::path::Path;

use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::{Scene, built_in};
use zerogap::world::{StepForces, Stepping, World};
use zerogap::{Pose, Vec3};

fn end_of(name: &str, forces: StepForces) -> World {
    let (_, text) = built_in().iter().find(|(known, _)| *known == name).expect("a built-in scene");
    let mut scene = Scene::parse(text, name, Path::new("")).unwrap();
    scene.builder.set_method(Stepping { forces, ..Stepping::default() });
    let until = scene.until;
    let mut world = scene.build().unwrap();
    let mut t = 0.0;
    while t < until {
        t = (t + 0.1_f64).min(until);
        world.advance_to(t).unwrap();
        // What is inflated by 10 um or more on both sides is never as deep as that.
        let least = world.contact_points().iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        assert!(least > -2e-6, "{name} at {t} s: gap {least}");
        assert!(world.contact_points().len() < 200);
    }
    world
}

fn part(world: &World) -> Pose {
    world.pose(BodyId(0))
}

/// The angle about z [rad].
fn turn(pose: &Pose) -> f64 {
    let x = pose.transform_vector(&Vec3::x());
    zerogap::core::math::atan2(x.y, x.x)
}

#[test]
fn the_bolt_sits_flush_in_its_countersunk_hole() {
    let pose = part(&end_of("bolt-in-hole", StepForces::Coulomb));
    // The clearance of 0.1 mm along the radius lets it sink by as much below the face.
    let place = pose.translation();
    assert!(place.z < 1e-5 && place.z > -1.1e-4 && place.xy().norm() < 1e-4, "{place:?}");
    assert!(pose.transform_vector(&Vec3::z()).xy().norm() < 0.01, "it stands upright");
}

#[test]
fn the_driver_finds_its_seat_with_friction_and_without() {
    for forces in [StepForces::Coulomb, StepForces::Silvia] {
        let pose = part(&end_of("screwdriver", forces));
        // In the seat, where the frames coincide, or pushed on by the play of 0.112 mm; wings that are 50 um thinner than the recess leave a few degrees.
        let place = pose.translation();
        assert!(place.z < 1e-5 && place.z > -1.2e-4 && place.xy().norm() < 1e-4, "{forces:?}: {place:?}");
        assert!(turn(&pose).abs() < 0.09, "{forces:?}: turned by {} rad", turn(&pose));
    }
}

#[test]
fn the_thread_moves_the_nut_by_a_pitch_a_turn() {
    let world = end_of("nut-on-bolt", StepForces::Coulomb);
    let risen = part(&world).translation().z - 0.01;
    // A pitch of 1.25 mm, less what the clearance of 0.1 mm along the radius leaves along the axis.
    assert!(risen > 1.25e-3 - 1.3e-4 && risen < 1.25e-3, "{risen}");
}

#[test]
fn the_wheel_turns_half_as_fast_as_the_pinion() {
    let world = end_of("gear-pair", StepForces::Coulomb);
    let (pinion, wheel) = (turn(&world.pose(BodyId(0))), turn(&world.pose(BodyId(1))));
    // From half a tooth, 5.625 degrees; the backlash of 0.1 mm at a radius of 32 mm is 3 mrad.
    let ratio = (0.098_174_770_424_681_03 - wheel) / pinion;
    assert!((ratio - 0.5).abs() < 0.01, "{ratio}");
}

#[test]
fn a_box_stays_on_an_equal_one_whose_sides_are_flush_with_its_own() {
    // Met by their triangles; corners on shared sides once threw the upper one away.
    let text = r#"
[world]
method = "stepping"
step = "1 ms"

[run]
until = "0.5 s"

[[pairs]]
materials = ["steel", "steel"]
restitution = 0
friction = 0.3

[[fixed]]
name = "lower"
shape = "part:box,width=0.1,depth=0.1,height=0.1"
collision = "mesh"

[[bodies]]
name = "upper"
shape = "part:box,width=0.1,depth=0.1,height=0.1"
collision = "mesh"
position = [0, 0, "100 mm"]
"#;
    let mut world = Scene::parse(text, "flush", Path::new("")).unwrap().build().unwrap();
    let energy = |world: &World| {
        let energy = world.energy();
        energy.kinetic + energy.gravity
    };
    let start = energy(&world);
    for step in 1..=50 {
        world.advance_to(0.01 * f64::from(step)).unwrap();
        let off = part(&world).translation() - Vec3::new(0.0, 0.0, 0.1);
        assert!(off.norm() < 1e-6, "after {step} hundredths of a second: {off:?}");
        assert!((energy(&world) - start).abs() < 1e-4, "{} J from {start} J", energy(&world));
    }
}
