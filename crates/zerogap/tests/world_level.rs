//! Levels of abstraction: bodies that follow a path, that follow it within contacts and joints, and that have inertia, impacts and friction.

use std::path::Path;

use zerogap::Vec3;
use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::Scene;
use zerogap::world::{World, WorldBuilder};

/// A block over a table that a servo moves down onto it and along, and a ball that falls beside it.
const PRESS: &str = r#"
[world]
method = "METHOD"
step = "1 ms"
level = "LEVEL"

[[pairs]]
materials = ["steel", "steel"]
restitution = 0.5
friction = 0.5

[[fixed]]
name = "table"
shape = "box:20,20,0.2"
position = [0, 0, -0.1]

[[bodies]]
name = "block"
shape = "box:0.1,0.1,0.1"
position = [0, 0, 0.2]

[bodies.servo]
force = "20 N"
torque = "5 N m"

[bodies.servo.motion]
points = [
    { t = 0, position = [0, 0, 0.2] },
    { t = "0.5 s", position = [0, 0, -0.2] },
    { t = "1 s", position = [0.3, 0, -0.2] },
]

[[bodies]]
name = "ball"
shape = "sphere:0.1"
position = [1, 0, 0.3]
velocity = [1, 0, 0]
"#;

fn press_text(method: &str, level: &str) -> String {
    let text = PRESS.replace("METHOD", method).replace("LEVEL", level);
    // SiLVIA has neither.
    if method == "silvia" {
        return text.replace("restitution = 0.5\nfriction = 0.5\n", "");
    }
    text
}

fn press(method: &str, level: &str) -> World {
    Scene::parse(&press_text(method, level), "press", Path::new("")).unwrap().build().unwrap()
}

fn place(world: &World, body: u32) -> Vec3 {
    world.pose(BodyId(body)).translation()
}

#[test]
fn what_is_prescribed_follows_its_motion_through_everything() {
    for method in ["stepping", "silvia", "events"] {
        let mut world = press(method, "prescribed");
        world.advance_to(1.0).unwrap();
        // Through the table; what no servo carries stays where it is.
        assert!(
            (place(&world, 0) - Vec3::new(0.3, 0.0, -0.2)).norm() < 1e-12,
            "{method}: {:?}",
            place(&world, 0)
        );
        assert!((place(&world, 1) - Vec3::new(1.0, 0.0, 0.3)).norm() < 1e-15, "{method}");
        let mut again = WorldBuilder::from_bytes(&world_bytes(method)).unwrap().build().unwrap();
        again.advance_to(1.0).unwrap();
        assert_eq!(again.hash(), world.hash(), "{method}");
    }
}

fn world_bytes(method: &str) -> Vec<u8> {
    let text = press_text(method, "prescribed");
    Scene::parse(&text, "press", Path::new("")).unwrap().builder.to_bytes().unwrap()
}

#[test]
fn what_is_kinematic_follows_within_contacts_and_has_no_weight() {
    for method in ["stepping", "silvia"] {
        let mut world = press(method, "kinematic");
        world.advance_to(0.1).unwrap();
        // In the air it is where it is led, to the first order of a step.
        let mut exact = press(method, "prescribed");
        exact.advance_to(0.1).unwrap();
        let led = place(&exact, 0).z;
        assert!((place(&world, 0).z - led).abs() < 2e-3, "{method}: {:?}", place(&world, 0));
        world.advance_to(2.0).unwrap();
        // On the table it stays on it, and follows along it without friction.
        let end = place(&world, 0);
        assert!((end - Vec3::new(0.3, 0.0, 0.05)).norm() < 1e-4, "{method}: {end:?}");
        assert!(end.z > 0.05 - 1e-8, "{method}: {end:?}");
        // Nothing carries the ball, and nothing pushes it.
        assert!((place(&world, 1) - Vec3::new(1.0, 0.0, 0.3)).norm() < 1e-15, "{method}");
        // When the hand stops nothing moves on.
        assert!(world.velocity(BodyId(0)).xy().norm() < 1e-6, "{method}: {:?}", world.velocity(BodyId(0)));
    }
}

#[test]
fn levels_add_inertia_then_impacts_then_friction() {
    // The ball falls 0.2 m onto the table: it stays, or bounces to a quarter of the height; with friction it loses a part of its speed along the table.
    let after = |level: &str| {
        let mut world = press("stepping", level);
        let (mut highest, mut fallen): (f64, bool) = (0.0, false);
        for _ in 0..600 {
            world.step().unwrap();
            fallen |= place(&world, 1).z < 0.1 + 3e-3;
            if fallen {
                highest = highest.max(place(&world, 1).z - 0.1);
            }
        }
        (highest, world.velocity(BodyId(1)).x)
    };
    let [dynamic, impacts, friction] = ["dynamic", "impacts", "friction"].map(after);
    assert!(dynamic.0 < 4e-3 && (dynamic.1 - 1.0).abs() < 1e-6, "{dynamic:?}");
    assert!((impacts.0 - 0.05).abs() < 4e-3 && (impacts.1 - 1.0).abs() < 1e-6, "{impacts:?}");
    assert!((friction.0 - 0.05).abs() < 4e-3 && friction.1 < 0.8, "{friction:?}");
}

/// An arm of two links with a hand at its end, in the plane of x and z.
const ARM: &str = r#"
[world]
method = "stepping"
step = "1 ms"
level = "kinematic"

[[bodies]]
name = "upper"
shapes = [{ shape = "box:0.5,0.02,0.02", position = [0.25, 0, 0] }]
joint = { kind = "revolute", axis = [0, -1, 0], position = "60 deg" }

[[bodies]]
name = "lower"
shapes = [{ shape = "box:0.5,0.02,0.02", position = [0.25, 0, 0] }]
joint = { kind = "revolute", parent = "upper", axis = [0, -1, 0], parent_frame = { position = [0.5, 0, 0] }, position = "-90 deg" }

[[bodies]]
name = "hand"
shape = "sphere:0.02"
joint = { kind = "spherical", parent = "lower", parent_frame = { position = [0.5, 0, 0] } }

[bodies.servo]
force = "1 N"
torque = "1 N m"

[bodies.servo.motion]
points = [
    { t = 0, position = [0.683012701892219, 0, 0.183012701892219] },
    { t = "1 s", position = [0.6, 0.2, 0.3] },
    { t = "2 s", position = [0.6, 0.2, 0.3] },
]
"#;

#[test]
fn an_arm_follows_the_hand_that_a_servo_leads_as_far_as_its_joints_let_it() {
    let mut world = Scene::parse(ARM, "arm", Path::new("")).unwrap().build().unwrap();
    world.advance_to(2.0).unwrap();
    let hand = place(&world, 2);
    // The arm cannot leave its plane: it comes as near as that allows.
    assert!((hand - Vec3::new(0.6, 0.0, 0.3)).norm() < 1e-4, "{hand:?}");
    assert!(world.velocities().iter().all(|v| v.abs() < 1e-3), "{:?}", world.velocities());
    // Without weight and inertia it stays there.
    world.advance_to(4.0).unwrap();
    assert!((place(&world, 2) - hand).norm() < 1e-6);
}

#[test]
fn what_a_level_cannot_be_is_refused_by_name() {
    let refused = |text: &str| match Scene::parse(text, "scene", Path::new("")) {
        Ok(scene) => scene.build().map(|_| ()).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    };
    let kinematic = PRESS.replace("METHOD", "events").replace("LEVEL", "kinematic");
    assert!(refused(&kinematic).contains("steps of one length"), "{}", refused(&kinematic));
    let unknown = PRESS.replace("METHOD", "stepping").replace("LEVEL", "static");
    assert!(refused(&unknown).contains("level"), "{}", refused(&unknown));
    let on_joint = ARM.replace("kinematic", "prescribed");
    assert!(refused(&on_joint).contains("servo"), "{}", refused(&on_joint));
    let mixed = ARM.replace("name = \"lower\"", "name = \"lower\"\nlevel = \"dynamic\"");
    assert!(refused(&mixed).contains("joints and loops"), "{}", refused(&mixed));
    let sprung = ARM.replace("position = \"60 deg\"", "position = \"60 deg\", stiffness = 3");
    assert!(refused(&sprung).contains("spring"), "{}", refused(&sprung));
}

#[test]
fn a_body_can_have_a_level_of_its_own() {
    let text = PRESS.replace("METHOD", "stepping").replace("LEVEL", "friction");
    let text = text.replace("name = \"block\"", "name = \"block\"\nlevel = \"kinematic\"");
    let mut world = Scene::parse(&text, "press", Path::new("")).unwrap().build().unwrap();
    world.advance_to(2.0).unwrap();
    assert!((place(&world, 0) - Vec3::new(0.3, 0.0, 0.05)).norm() < 1e-4, "{:?}", place(&world, 0));
    assert!(place(&world, 1).x > 1.1 && (place(&world, 1).z - 0.1).abs() < 1e-3, "{:?}", place(&world, 1));
}
