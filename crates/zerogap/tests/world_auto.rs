//! The method `auto`: events are located, and phases in which they crowd are passed by time stepping with error control.

use std::f64::consts::PI;
use std::fmt::Write;
use std::path::Path;

use zerogap::core::random::Random;
use zerogap::scene::Scene;
use zerogap::world::{EventKind, World};

const FLOOR: &str = "[[fixed]]\nname = \"floor\"\nshape = \"halfspace:0,0,1,0\"\n";

/// Bodies on a floor, by a method.
fn world(method: &str, pair: &str, bodies: &str) -> World {
    let text = format!(
        "[world]\nmethod = \"{method}\"\ncontact = \"rigid\"\nrtol = 1e-4\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\n{pair}\n{FLOOR}{bodies}"
    );
    Scene::parse(&text, "auto", Path::new("")).unwrap().build().unwrap()
}

/// Boxes at random attitudes above each other.
fn tumbling(method: &str, number: usize) -> World {
    let mut random = Random::new(7);
    let mut bodies = String::new();
    for k in 0..number {
        let (x, z) = (0.02 * (k % 3) as f64, 0.3 + 0.3 * k as f64);
        let [a, b, c] = [0; 3].map(|_| random.range(-1.0, 1.0));
        let angle = random.range(0.0, 2.0 * PI);
        writeln!(
            bodies,
            "[[bodies]]\nname = \"b{k}\"\nshape = \"box:0.2,0.15,0.1\"\nposition = [{x}, {x}, {z}]\nrotation = {{ axis = [{a}, {b}, {}], angle = {angle} }}",
            c + 2.0
        )
        .unwrap();
    }
    world(method, "restitution = 0.2\nfriction = 0.5", &bodies)
}

/// How often the report names a phase of time stepping.
fn phases(world: &World) -> usize {
    world.info().method.iter().filter(|name| name.contains("time stepping with error control")).count()
}

#[test]
fn without_a_crowd_auto_and_events_have_the_same_bits() {
    let ball = "[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 1]";
    let pair = "restitution = 0.7\nfriction = 0.3";
    let (mut events, mut auto) = (world("events", pair, ball), world("auto", pair, ball));
    for t in [0.5, 3.0] {
        events.advance_to(t).unwrap();
        auto.advance_to(t).unwrap();
        assert_eq!(events.hash(), auto.hash());
    }
    assert_eq!((events.events(), phases(&auto)), (auto.events(), 0));
}

#[test]
fn a_crowd_that_returns_is_passed_by_phases_without_gain() {
    let mut world = tumbling("auto", 4);
    let start = world.energy().total();
    let mut last = start;
    for k in 1..=30 {
        world.advance_to(0.05 * f64::from(k)).unwrap();
        let now = world.energy().total();
        assert!(now <= last + 1e-3 * start, "from {last} to {now} J by {} s", world.time());
        last = last.min(now);
    }
    assert!(phases(&world) > 0, "{:?}", world.info().method);
    // Each phase is reported as an event as well, with its start.
    let captured =
        world.events().iter().filter(|event| matches!(event.what, EventKind::Captured { .. })).count();
    assert!(captured >= phases(&world) && world.info().captured == captured);
    for body in world.bodies().to_vec() {
        assert!(world.pose(body).translation().z > 0.05 - 1e-4, "{:?}", world.pose(body));
    }
}

#[test]
fn phases_keep_bits_however_a_run_is_cut_and_stored() {
    let mut whole = tumbling("auto", 3);
    whole.advance_to(1.0).unwrap();
    assert!(phases(&whole) > 0, "{:?}", whole.info().method);
    let (mut cut, mut stored) = (tumbling("auto", 3), tumbling("auto", 3));
    for k in 1..=101 {
        let t = f64::from(k) / 101.0;
        cut.advance_to(t).unwrap();
        stored.advance_to(t).unwrap();
        let saved = stored.save();
        if k % 10 == 0 {
            stored.advance_to(t + 0.05).unwrap();
        }
        stored.restore(&saved).unwrap();
        assert_eq!(cut.hash(), stored.hash(), "at {t} s");
    }
    assert_eq!(cut.hash(), whole.hash());
    assert_eq!((cut.events(), stored.events()), (whole.events(), whole.events()));
}

#[test]
fn a_tower_of_more_points_than_events_are_located_for_is_a_phase_from_its_first_touch() {
    let mut bodies = String::new();
    for k in 0..14 {
        let z = 0.05 + 0.1 * f64::from(k) + 1e-3;
        writeln!(bodies, "[[bodies]]\nname = \"b{k}\"\nshape = \"box:0.1,0.1,0.1\"\nposition = [0, 0, {z}]")
            .unwrap();
    }
    let mut world = world("auto", "restitution = 0\nfriction = 0.5", &bodies);
    world.advance_to(0.5).unwrap();
    // It is under way: what it took is in the counts.
    assert!(world.info().captured_time > 0.4, "{:?}", world.info());
    let top = *world.bodies().last().unwrap();
    assert!((world.pose(top).translation().z - 1.35).abs() < 1e-4, "{:?}", world.pose(top));
    assert!(world.fastest() < 1e-3, "{}", world.fastest());
}

#[test]
fn a_cradle_by_impacts_in_sequence_gives_one_ball_out() {
    let mut bodies = String::new();
    for k in 0..5 {
        let speed = if k == 0 { 1.0 } else { 0.0 };
        let x = 0.2 * f64::from(k);
        writeln!(
            bodies,
            "[[bodies]]\nname = \"b{k}\"\nshape = \"sphere:0.1\"\nposition = [{x}, 0, 0.1]\nvelocity = [{speed}, 0, 0]"
        )
        .unwrap();
    }
    let run = |impact: &str| {
        let text = format!(
            "[world]\ngravity = [0, 0, 0]\ncontact = \"rigid\"\nimpact = \"{impact}\"\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nrestitution = 1\nfriction = 0\n{bodies}"
        );
        let mut world = Scene::parse(&text, "cradle", Path::new("")).unwrap().build().unwrap();
        world.advance_to(0.1).unwrap();
        world.bodies().to_vec().into_iter().map(|body| world.velocity(body).x).collect::<Vec<f64>>()
    };
    for (k, speed) in run("sequential").into_iter().enumerate() {
        let expected = if k == 4 { 1.0 } else { 0.0 };
        assert!((speed - expected).abs() < 1e-10, "ball {k}: {speed}");
    }
    // The others hit all at once: energy is kept, and the first ball rebounds.
    for impact in ["moreau", "poisson", "newton"] {
        let speeds = run(impact);
        let energy: f64 = speeds.iter().map(|v| v * v).sum();
        assert!(speeds[0] < -0.1 && (energy - 1.0).abs() < 1e-9, "{impact}: {speeds:?}");
    }
}
