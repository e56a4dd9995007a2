//! The robots of `scenes/robots`: an arm that picks a box, carries, shakes and holds it, and a walker that stands on uneven ground.

use std::path::{Path, PathBuf};

use zerogap::Vec3;
use zerogap::dynamics::multibody::{BodyId, Site};
use zerogap::scene::Scene;
use zerogap::world::World;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/robots")
}

fn world(name: &str) -> World {
    let scene = Scene::read(&folder().join(name)).unwrap_or_else(|error| panic!("{}", error.report()));
    scene.build().unwrap_or_else(|error| panic!("{}", error.report()))
}

fn body(world: &World, name: &str) -> BodyId {
    world.frame_named(name).unwrap().body.unwrap()
}

/// Where the box is against the middle of the pads, in axes of the hand.
fn grasp(world: &World) -> Vec3 {
    let [left, right, held] = ["left", "right", "box"].map(|name| world.pose(body(world, name)));
    let middle = (left.translation() + right.translation()) * 0.5;
    left.inverse_transform_vector(&(held.translation() - middle))
}

/// How far the box creeps in so many seconds of holding [m].
fn creep(seconds: f64) -> (f64, World) {
    let mut world = world("picks-box.toml");
    world.advance_to(2.4).unwrap();
    assert!(world.pose(body(&world, "box")).translation().z > 0.2, "it is not picked");
    world.advance_to(7.0).unwrap();
    let before = grasp(&world);
    world.advance_to(7.0 + seconds).unwrap();
    ((grasp(&world) - before).norm(), world)
}

#[test]
fn a_box_is_picked_carried_shaken_and_held_without_creep() {
    let seconds = std::env::var("ZEROGAP_HOLD").ok().and_then(|text| text.parse().ok()).unwrap_or(2.0);
    let (moved, world) = creep(seconds);
    println!("creep {moved:.3e} m in {seconds} s; {:?}", world.info().contacts);
    assert!(moved < 1e-6, "creep {moved:e} m in {seconds} s");
    // Both pads together carry the weight of 0.2 kg, at half of what friction allows.
    let held = body(&world, "box");
    let lift = ["left", "right"].map(|pad| world.contact_force(Some(body(&world, pad)), Some(held)));
    assert!((lift[0].z + lift[1].z - 0.2 * 9.81).abs() < 1e-3, "{lift:?}");
    assert!((world.pose(held).translation().z - 0.245).abs() < 0.02);
}

#[test]
fn the_files_of_the_robots_are_those_that_are_made() {
    for (name, text) in zerogap::scene::showcase_files() {
        let path = folder().join(name);
        if std::env::var_os("ZEROGAP_BLESS").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == text,
            "{name} is out of date: ZEROGAP_BLESS=1 cargo test -p zerogap --test robots_showcase"
        );
    }
}

#[test]
fn a_walker_stands_on_uneven_ground() {
    let mut world = world("stands.toml");
    world.advance_to(2.0).unwrap();
    let trunk = Site { body: Some(body(&world, "trunk")), pose: zerogap::Pose::identity() };
    let height = world.frame_pose(&trunk).translation().z;
    assert!((0.25..0.4).contains(&height), "{height}");
    let weight = 9.81 * (8.0 + 4.0 * (0.6 + 0.8 + 0.2 + 0.05));
    let feet: f64 = ["front left", "front right", "hind left", "hind right"]
        .iter()
        .map(|leg| world.sensor(&format!("{leg} foot")).unwrap()[0])
        .sum();
    // Feet stand on edges of slabs as well, so normal forces need not point up.
    assert!(feet > 0.9 * weight, "{feet} of {weight}");
    let fastest = world.velocities().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    assert!(fastest < 1e-2, "{fastest}");
}
