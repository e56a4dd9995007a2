//! Worlds with rigid contacts whose events crowd: they finish, gain no energy, and do not depend on how a run is cut or stored.

use std::f64::consts::PI;
use std::fmt::Write;
use std::path::Path;

use zerogap::core::random::Random;
use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::Scene;
use zerogap::world::{EventKind, World, WorldError};
use zerogap_testkit::count;

/// A world with rigid contacts on a floor of a shape.
fn scene(rtol: f64, pair: &str, fixed: &str, bodies: &str) -> World {
    let text = format!(
        "[world]\nmethod = \"events\"\ncontact = \"rigid\"\nrtol = {rtol:e}\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\n{pair}\n{fixed}\n{bodies}"
    );
    Scene::parse(&text, "captured", Path::new("")).unwrap().build().unwrap()
}

const FLOOR: &str = "[[fixed]]\nname = \"floor\"\nshape = \"halfspace:0,0,1,0\"\n";

/// A box that stands and falls against the next.
fn dominoes(number: usize, rtol: f64) -> World {
    let mut bodies = String::new();
    for k in 0..number {
        let push = if k == 0 { "velocity = [0.1, 0, 0]\nangular_velocity = [0, 1.5, 0]\n" } else { "" };
        let x = 0.1 * k as f64;
        writeln!(
            bodies,
            "[[bodies]]\nname = \"d{k}\"\nshape = \"box:0.02,0.1,0.2\"\nposition = [{x}, 0, 0.1]\n{push}"
        )
        .unwrap();
    }
    scene(rtol, "restitution = 0\nfriction = 0.4", FLOOR, &bodies)
}

/// Boxes at random attitudes above each other.
fn tumbling(number: usize, restitution: f64, rtol: f64) -> World {
    let mut random = Random::new(7);
    let mut bodies = String::new();
    for k in 0..number {
        let (x, z) = (0.02 * (k % 3) as f64, 0.3 + 0.3 * k as f64);
        writeln!(
            bodies,
            "[[bodies]]\nname = \"b{k}\"\nshape = \"box:0.2,0.15,0.1\"\nposition = [{x}, {x}, {z}]\n{}",
            attitude(&mut random)
        )
        .unwrap();
    }
    scene(rtol, &format!("restitution = {restitution}\nfriction = 0.5"), FLOOR, &bodies)
}

fn attitude(random: &mut Random) -> String {
    let [x, y, z] = [0; 3].map(|_| random.range(-1.0, 1.0));
    format!("rotation = {{ axis = [{x}, {y}, {}], angle = {} }}", z + 2.0, random.range(0.0, 2.0 * PI))
}

/// Runs in pieces and checks that the energy never rises by more than a fraction of what there was, above the lowest that the bodies can have.
fn run_without_gain(world: &mut World, until: f64, tolerance: f64) -> Result<(), WorldError> {
    let start = world.energy().total();
    let mut last = start;
    for k in 1..=20 {
        world.advance_to(until * f64::from(k) / 20.0)?;
        let now = world.energy().total();
        assert!(
            now <= last + tolerance * start.abs(),
            "from {last} to {now} J of {start} by {} s",
            world.time()
        );
        last = last.min(now);
    }
    Ok(())
}

fn captured(world: &World) -> usize {
    world.events().iter().filter(|event| matches!(event.what, EventKind::Captured { .. })).count()
}

#[test]
fn rigid_dominoes_fall_one_after_the_other() {
    for (number, until) in [(3, 1.5), (count(5, 10), 2.0)] {
        let mut world = dominoes(number, 1e-4);
        run_without_gain(&mut world, until, 1e-4).unwrap();
        // All have fallen to the same side, and none into the floor.
        for body in world.bodies().to_vec() {
            let pose = world.pose(body);
            let up = pose.rotation_matrix().column(2).z;
            assert!(up < 0.5, "{body:?} stands: {up}");
            assert!(pose.translation().z > 0.0, "{body:?} at {}", pose.translation().z);
        }
        assert_eq!(world.info().captured, captured(&world));
    }
}

#[test]
fn tumbling_boxes_finish_on_the_floor() {
    let mut world = tumbling(5, 0.2, 1e-4);
    run_without_gain(&mut world, 1.5, 1e-3).unwrap();
    for body in world.bodies().to_vec() {
        // Half of the smallest extent.
        assert!(world.pose(body).translation().z > 0.05 - 1e-6, "{:?}", world.pose(body));
    }
}

#[test]
fn a_cylinder_that_tips_over_comes_to_lie_flat() {
    let body = "[[bodies]]\nname = \"can\"\nshape = \"cylinder:0.1,0.2\"\nposition = [0, 0, 0.4]\nrotation = { axis = [1, 0.3, 0], angle = 0.5 }";
    for rtol in [1e-4, 1e-6] {
        let mut world = scene(rtol, "restitution = 0.3\nfriction = 0.4", FLOOR, body);
        run_without_gain(&mut world, 2.0, 1e-4).unwrap();
        let info = world.info();
        assert!(info.steps < 2_000, "{} steps", info.steps);
        assert!(
            world.fastest() < 1e-3 || world.pose(BodyId(0)).translation().z > 0.099,
            "{}",
            world.fastest()
        );
    }
}

#[test]
fn captured_intervals_keep_bits_however_a_run_is_cut_and_stored() {
    let mut whole = tumbling(3, 0.2, 1e-4);
    whole.advance_to(1.0).unwrap();
    assert!(captured(&whole) > 0, "nothing crowds");
    let mut cut = tumbling(3, 0.2, 1e-4);
    let mut stored = tumbling(3, 0.2, 1e-4);
    for k in 1..=331 {
        let t = f64::from(k) / 331.0;
        cut.advance_to(t).unwrap();
        stored.advance_to(t).unwrap();
        // Goes on from bytes, in a world that has been elsewhere.
        let saved = stored.save();
        if k % 10 == 0 {
            stored.advance_to(t + 0.05).unwrap();
        }
        stored.restore(&saved).unwrap();
        assert_eq!(cut.hash(), stored.hash(), "at {t} s");
    }
    assert_eq!((cut.hash(), cut.events().len()), (whole.hash(), whole.events().len()));
    assert_eq!(stored.hash(), whole.hash());
    assert_eq!(cut.events(), whole.events());
}

#[test]
fn a_ball_under_rolling_resistance_stops_where_the_formula_says() {
    let body = "[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 0.1]\nvelocity = [0.5, 0, 0]\nangular_velocity = [0, 5, 0]";
    let mut world = scene(1e-8, "restitution = 0\nfriction = 0.5\nrolling = 0.01", FLOOR, body);
    world.advance_to(9.0).unwrap();
    // The torque c r N slows a ball that rolls by c g / (1 + 2/5): it goes v²/(2 a).
    let distance = 0.25 / (2.0 * 0.01 * 9.81 / 1.4);
    let x = world.pose(BodyId(0)).translation().x;
    // The torque fades below a hundredth of a radian per second.
    assert!((x / distance - 1.0).abs() < 2e-3, "{x} m, not {distance} m");
    assert!(world.fastest() < 1e-4, "{}", world.fastest());
}

#[test]
fn too_many_events_and_too_much_time_end_a_run_with_an_error_that_says_so() {
    let text = |limits: &str| {
        let ball = "[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 1]";
        format!(
            "[world]\ncontact = \"rigid\"\n[run]\nuntil = 100\n{limits}\n[[pairs]]\nmaterials = [\"steel\", \"steel\"]\nrestitution = 1\n{FLOOR}{ball}"
        )
    };
    let run = |limits: &str| {
        let scene = Scene::parse(&text(limits), "limits", Path::new("")).unwrap();
        let until = scene.until;
        let mut simulation = scene.simulation().unwrap();
        let outcome = simulation.advance_to(until);
        (outcome.map_err(|error| simulation.explain(&error)), simulation.time())
    };
    let (outcome, t) = run("max_events = 20");
    let message = outcome.unwrap_err();
    assert!(message.contains("max_events is 20") && message.contains("'floor' and 'ball'"), "{message}");
    assert!(t > 5.0 && t < 80.0, "{t}");
    let (outcome, _) = run("max_wall = \"1 us\"");
    assert!(outcome.unwrap_err().contains("max_wall"));
    assert_eq!(run("max_events = 100000\nmax_wall = 1000").0, Ok(()));
}
