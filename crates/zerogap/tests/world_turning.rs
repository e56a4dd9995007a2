//! Resistance against rolling and spinning, by located events with rigid and elastic contacts and by time stepping: what turns stops where closed forms say.

use std::path::Path;

use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::Scene;
use zerogap::world::World;

const METHODS: [&str; 4] = [
    "method = \"events\"\ncontact = \"rigid\"",
    "method = \"events\"\ncontact = \"hunt-crossley\"",
    "method = \"events\"\ncontact = \"linear\"\nstiffness = 1e7",
    "method = \"stepping\"",
];

/// A body on a floor.
fn world(method: &str, resistance: &str, body: &str) -> World {
    let text = format!(
        "[world]\n{method}\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nfriction = 0.5\n{resistance}\n\
         [[fixed]]\nshape = \"halfspace:0,0,1,0\"\n[[bodies]]\nname = \"body\"\n{body}"
    );
    Scene::parse(&text, "turning", Path::new("")).unwrap().build().unwrap()
}

#[test]
fn a_cylinder_on_its_side_rolls_out_by_its_radius() {
    let body = "shape = \"cylinder:0.1,0.3\"\nposition = [0, 0, 0.1]\nrotation = { axis = [1, 0, 0], angle = 1.5707963267948966 }\n\
                velocity = [0.4, 0, 0]\nangular_velocity = [0, 4, 0]";
    // The torque c r N slows one that rolls by c g / (1 + 1/2).
    let distance = 0.16 / (2.0 * 0.01 * 9.81 / 1.5);
    for method in METHODS {
        let mut world = world(method, "rolling = 0.01", body);
        world.advance_to(8.0).unwrap();
        let x = world.pose(BodyId(0)).translation().x;
        // The torque fades below a hundredth of a radian per second.
        assert!((x / distance - 1.0).abs() < 5e-3, "{method}: {x} m, not {distance} m");
        assert!(world.fastest() < 1e-4, "{method}: {}", world.fastest());
    }
}

#[test]
fn a_spinning_ball_stops_when_the_formula_says() {
    let body = "shape = \"sphere:0.1\"\nposition = [0, 0, 0.1]\nangular_velocity = [0, 0, 5]";
    // The torque mu s N against 2/5 m r² w.
    let time = 0.4 * 0.01 * 5.0 / (0.5 * 2e-3 * 9.81);
    for method in METHODS {
        let mut world = world(method, "spinning = \"2 mm\"", body);
        world.advance_to(0.5 * time).unwrap();
        let halfway = world.angular_velocity(BodyId(0)).z;
        assert!((halfway - 2.5).abs() < 0.02, "{method}: {halfway}");
        world.advance_to(time + 0.1).unwrap();
        assert!(world.fastest() < 1e-4, "{method}: {}", world.fastest());
    }
}
