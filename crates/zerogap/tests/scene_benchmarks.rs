//! The scenes of Cheng Yi and Drumwright's benchmark, against theory, and that of the evaluation of SiLVIA.

use std::path::Path;

use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::Scene;
use zerogap::world::World;
use zerogap::{ConvexShape, Shape, Vec3};

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/benchmarks").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn built(name: &str, changed: &[(&str, &str)]) -> World {
    let mut text = text(name);
    for (from, to) in changed {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    Scene::parse(&text, name, Path::new(""))
        .unwrap_or_else(|error| panic!("{}", error.report()))
        .build()
        .unwrap()
}

const BODY: BodyId = BodyId(0);

#[test]
fn a_box_that_spins_is_stopped_by_friction_at_its_corners() {
    let mut world = built("spinning-box.toml", &[]);
    // Each of the four corners slides on a circle and carries a quarter of the weight.
    let slowing = 6.0 * 0.1 * 9.81 * 0.5_f64.sqrt();
    for t in [0.5, 1.0, 2.0] {
        world.advance_to(t).unwrap();
        let spin = world.angular_velocity(BODY).z;
        assert!((spin - (20.0 - slowing * t)).abs() < 0.02 * slowing, "{t}: {spin}");
    }
    world.advance_to(6.0).unwrap();
    assert!(world.angular_velocity(BODY).norm() < 1e-9);
    assert!((world.pose(BODY).translation() - Vec3::new(0.0, 0.0, 0.5)).norm() < 1e-3);
}

#[test]
fn a_sphere_that_spins_on_a_vertex_keeps_its_energy_and_on_a_face_it_stops() {
    for vertices in ["50", "100", "200"] {
        let changed = [("polysphere:100,1", &*format!("polysphere:{vertices},1"))];
        let mut world = built("spinning-sphere.toml", &changed);
        let (before, scale) = (world.energy().total(), world.energy().kinetic);
        world.advance_to(1.0).unwrap();
        let lost = (before - world.energy().total()) / scale;
        assert!(lost.abs() < 1e-6, "{vertices}: {lost}");
    }
    // On a facet friction at its corners stops it within I w / (mu m g r) = 0.4 * 20 / (10 * 9.81 * 0.2) = 0.4 s.
    let shape: Shape = "polysphere:100,1".parse().unwrap();
    let Some(ConvexShape::Polyhedron(sphere)) = shape.as_convex() else { panic!("a polyhedron") };
    let normal = sphere.normal(20);
    let height = normal.dot(&sphere.vertices()[sphere.face_vertices(20)[0] as usize]);
    let (axis, angle) = (normal.cross(&-Vec3::z()), zerogap::core::math::acos(-normal.z));
    let lying = format!(
        "position = [0, 0, {height}]\nrotation = {{ axis = [{}, {}, {}], angle = {angle} }}",
        axis.x, axis.y, axis.z
    );
    let mut world = built("spinning-sphere.toml", &[("position = [0, 0, 1]", &lying)]);
    let before = world.energy().kinetic;
    world.advance_to(1.0).unwrap();
    assert!(world.energy().kinetic < 1e-6 * before, "{before} {}", world.energy().kinetic);
    // The height of the box changes nothing.
    let heights = [("box:4,4,1", "box:4,4,1e-2"), ("position = [0, 0, -0.5]", "position = [0, 0, -5e-3]")];
    let (mut thick, mut thin) = (built("spinning-sphere.toml", &[]), built("spinning-sphere.toml", &heights));
    thick.advance_to(0.5).unwrap();
    thin.advance_to(0.5).unwrap();
    let apart = thick.pose(BODY).translation() - thin.pose(BODY).translation();
    assert!(apart.norm() < 1e-9, "{apart:?}");
}

#[test]
fn smooth_spheres_lose_less_than_two_per_cent_as_they_roll() {
    let run = |changed: &[(&str, &str)]| {
        let mut world = built("rolling-spheres.toml", changed);
        world.advance_to(0.02).unwrap();
        let before = world.energy().total();
        let scale = world.energy().kinetic;
        world.advance_to(1.2).unwrap();
        ((world.energy().total() - before) / scale, world.pose(BODY).translation())
    };
    let (lost, end) = run(&[]);
    assert!(end.x > 0.2, "{end:?}");
    assert!(lost.abs() < 0.02, "{lost}");
}

#[test]
fn a_driver_turns_a_loose_screw_that_friction_holds_in_its_block() {
    let end = |friction: &str| {
        let mut world = built("screw-in-block.toml", &[("friction = 0.1", friction)]);
        world.advance_to(3.0).unwrap();
        let angle = |body: BodyId| {
            let x = world.pose(body).transform_vector(&Vec3::x());
            zerogap::core::math::atan2(x.y, x.x).to_degrees()
        };
        let sinks = world.contact_points().iter().any(|contact| contact.gap < -2e-6);
        assert!(!sinks && world.pose(BODY).translation().z.abs() < 1e-6, "the screw lies on the block");
        (world.pose(BodyId(1)).translation().z, angle(BODY), angle(BodyId(1)))
    };
    // The driver is in its seat, pushed on by its play, and has turned the screw since it found it.
    let (height, screw, driver) = end("friction = 0.1");
    assert!(height < 1e-5 && height > -1.2e-4, "{height}");
    assert!((screw - driver).abs() < 0.5 && screw < -40.0 && screw > -60.0, "{screw} {driver}");
    // Nothing keeps a screw without friction from turning with the driver that stands on it.
    let (height, screw, driver) = end("friction = 0");
    assert!(
        height > 1.9e-3 && (driver - screw - 45.0).abs() < 2.0 && screw < -100.0,
        "{height} {screw} {driver}"
    );
}
