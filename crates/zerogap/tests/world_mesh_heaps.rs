//! Heaps of concave parts in a container, by stepping: nothing leaves it, every contact problem is solved, no energy is gained.
//!
//! `ZEROGAP_FULL=1` runs them until they are at rest; with `ZEROGAP_TABLE` the cost of a step is printed.

use std::time::Instant;

use zerogap::contact::material::PairProperties;
use zerogap::geometry::{TriangleMesh, parts};
use zerogap::world::{BodyDef, Collision, QuasiLmd, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// Step [s], and tolerance of the contact laws [m/s].
const STEP: f64 = 2e-3;
const TOLERANCE: f64 = 1e-6;

fn angle() -> TriangleMesh {
    let size = [("width", "0.15"), ("depth", "0.15"), ("height", "0.05"), ("leg", "0.05")];
    parts::by_name("l-prism", &size).unwrap()
}

fn gear() -> TriangleMesh {
    let size = [
        ("teeth", "12"),
        ("module", "8mm"),
        ("face_width", "30mm"),
        ("flank_segments", "3"),
        ("land_segments", "1"),
    ];
    parts::by_name("gear", &size).unwrap()
}

/// Parts that fall one after the other into a container with walls of boxes.
fn heap(parts: &[TriangleMesh], collision: Collision, seed: u64) -> World {
    let stepping = Stepping { step: STEP, tolerance: TOLERANCE, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    let pair = PairProperties { restitution: 0.0, friction: 0.4, ..PairProperties::default() };
    builder.pair("steel", "steel", pair).unwrap();
    let mut wall = |size: [f64; 3], at: [f64; 3]| {
        let shape = ShapeDef::new(Shape::cuboid(size.into()).unwrap(), "steel");
        builder.fixed(shape.at(Pose::from_translation(at.into()).unwrap())).unwrap();
    };
    wall([4.0, 4.0, 0.2], [0.0, 0.0, -0.1]);
    for side in [-0.35, 0.35] {
        wall([0.1, 0.8, 3.0], [side, 0.0, 1.5]);
        wall([0.8, 0.1, 3.0], [0.0, side, 1.5]);
    }
    let mut random = Random::new(seed);
    for (k, part) in parts.iter().enumerate() {
        // Four in a layer, by the middles of their boxes.
        let [x, y] = [k % 2, k / 2 % 2].map(|side| 0.28 * side as f64 - 0.14);
        let place = random.in_cube(0.01) + Vec3::new(x, y, 0.15 + 0.25 * (k / 4) as f64);
        let middle = Pose::from_translation(-part.bounding_box().center()).unwrap();
        let pose = Pose::new(place, random.quaternion_xyzw()).unwrap() * middle;
        let def = ShapeDef::new(Shape::from(part.clone()), "steel").colliding(collision);
        builder.body(BodyDef::free(pose).with_shape(def)).unwrap();
    }
    builder.build().unwrap()
}

/// Runs a heap, holds what must hold, and returns the mean time of a step [s].
fn run(name: &str, mut world: World, until: f64) -> f64 {
    let mut energy = world.energy().total();
    let peak = energy;
    let begin = Instant::now();
    let frames = (until / 0.05).round() as u32;
    for k in 1..=frames {
        world.advance_to(until * f64::from(k) / f64::from(frames)).unwrap();
        let now = world.energy().total();
        assert!(now <= energy + 1e-3 * peak, "{name}: {energy} J, then {now} J at {} s", world.time());
        energy = now;
        for (pose, ..) in world.body_states() {
            let p = pose.translation();
            assert!(p.z > 0.0 && p.x.abs() < 0.35 && p.y.abs() < 0.35, "{name}: at {p:?}");
        }
    }
    let info = world.info();
    let solves = info.contacts.unwrap();
    let mean = begin.elapsed().as_secs_f64() / info.steps as f64;
    if std::env::var_os("ZEROGAP_TABLE").is_some() {
        let (steps, speed) = (info.steps, world.fastest());
        eprintln!(
            "{name}: {:.2} ms a step, {steps} steps, {} of {} unconverged, residual {:.1e}, {speed:.1e} m/s at the end, {:?}, {:?}",
            1e3 * mean,
            solves.unconverged,
            solves.solves,
            solves.residual,
            info.time_fractions,
            info.quasi_lmds,
        );
    }
    assert_eq!(solves.unconverged, 0, "{name}: {solves:?}");
    mean
}

/// Simulated time [s].
fn until() -> f64 {
    count(4, 20) as f64 * 0.1
}

#[test]
fn ten_gears_in_a_heap() {
    run("ten gears", heap(&vec![gear(); 10], Collision::Exact, 1), until());
}

#[test]
fn thirty_parts_by_quasi_lmds_in_a_heap() {
    let brick =
        || parts::by_name("box", &[("width", "0.12"), ("depth", "0.08"), ("height", "0.05")]).unwrap();
    let all: Vec<TriangleMesh> = (0..30).map(|k| if k % 3 == 0 { brick() } else { angle() }).collect();
    run("thirty parts", heap(&all, Collision::QuasiLmd(QuasiLmd::default()), 2), until());
}

#[test]
fn ten_angles_by_quasi_lmds_cost_no_more_than_a_few_times_those_by_meshes() {
    let all = vec![angle(); 10];
    let by_mesh = run("ten L, mesh", heap(&all, Collision::Exact, 3), until());
    let by_quasi = run("ten L, quasi-LMD", heap(&all, Collision::QuasiLmd(QuasiLmd::default()), 3), until());
    assert!(by_quasi < 8.0 * by_mesh, "{by_quasi} s and {by_mesh} s a step");
}
