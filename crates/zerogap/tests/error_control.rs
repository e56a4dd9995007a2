//! Time stepping whose steps follow their error: it converges with `rtol`, also across impacts, takes long steps at rest, and reports impacts when they are. Work against steps of one length is measured by bench/src/bin/control.rs.

use zerogap::dynamics::multibody::BodyId;
use zerogap::scene::Scene;
use zerogap::world::{
    BodyDef, ErrorControl, EventKind, MIN_CONTROLLED_STEP, ShapeDef, Stepping, World, WorldBuilder,
    WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

const GRAVITY: f64 = 9.81;
/// Impulse that counts as an impact [N s].
const IMPACT: f64 = 1e-6;
/// Longest steps of these tests [s].
const MAX_STEP: f64 = 0.1;

fn controlled(rtol: f64) -> Stepping {
    Stepping { control: Some(ErrorControl { rtol, max_step: MAX_STEP }), ..Stepping::default() }
}

/// A scene of scenes/precision.
fn world(name: &str, stepping: Stepping) -> World {
    let path = format!("{}/../../scenes/precision/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let mut scene = Scene::parse(&text, name, std::path::Path::new("")).unwrap();
    scene.builder.set_method(stepping);
    scene.builder.build().unwrap()
}

/// Times of the impacts so far [s].
fn impacts(world: &World) -> Vec<f64> {
    let is_impact = |what: &EventKind| matches!(what, EventKind::Impact { impulse, .. } if *impulse > IMPACT);
    world.events().iter().filter(|event| is_impact(&event.what)).map(|event| event.t).collect()
}

fn distance(one: &[Pose], other: &[Pose]) -> f64 {
    let off = |(a, b): (&Pose, &Pose)| {
        (a.translation() - b.translation()).norm() + 0.1 * a.rotation_vector_from(b).norm()
    };
    one.iter().zip(other).map(off).fold(0.0, f64::max)
}

#[test]
fn a_thrown_ball_converges_to_the_closed_form_over_four_decades() {
    // Falls by 0.4 m, bounces with 0.8 of its speed, falls again.
    let (fall, e, radius) = ((0.8 / GRAVITY).sqrt(), 0.8, 0.1);
    let speed = GRAVITY * fall;
    let second = fall + 2.0 * e * speed / GRAVITY;
    let until = second + 0.05;
    let height = radius + e * e * speed * 0.05 - 0.5 * GRAVITY * 0.05 * 0.05;
    let mut errors = Vec::new();
    for rtol in [1e-2, 1e-3, 1e-4, 1e-5, 1e-6] {
        let mut world = world("ball", controlled(rtol));
        world.advance_to(until).unwrap();
        let info = world.info();
        errors.push((world.pose(BodyId(0)).translation().z - height).abs());
        // Two impacts, each within the time that half of rtol by the size takes, twice for the second one.
        let times = impacts(&world);
        assert_eq!(times.len(), 2, "{times:?}");
        for (time, (expected, speed)) in times.iter().zip([(fall, speed), (second, e * speed)]) {
            assert!((time - expected).abs() <= 2.0 * rtol * radius / speed, "{time} {expected} {rtol}");
        }
        assert!(info.steps < 60 && info.evaluations < 200 && info.unresolved == Some(0), "{info:?}");
        assert!(errors[errors.len() - 1] <= 2.0 * rtol * radius, "{errors:?} {rtol}");
    }
    let slope = (errors[0] / errors[4]).log10() / 4.0;
    assert!(slope >= 0.8, "{slope} {errors:?}");
}

#[test]
fn steps_that_end_where_a_contact_closes_are_not_solved_before() {
    // Until 50 ms after the first impact. With a solve for each step and half of one that has the floor in reach there would be 60.
    let mut world = world("ball", controlled(1e-4));
    world.advance_to((0.8 / GRAVITY).sqrt() + 0.05).unwrap();
    let info = world.info();
    let solves = info.contacts.unwrap().solves;
    assert!((1..=20).contains(&solves) && solves < info.evaluations / 2, "{solves} solves, {info:?}");
}

#[test]
fn contacts_that_pivot_stick_and_slide_converge() {
    for (name, until) in [("slope", 0.17), ("gripper", 0.12)] {
        let run = |rtol: f64| {
            let mut world = world(name, controlled(rtol));
            world.advance_to(until).unwrap();
            assert!(!impacts(&world).is_empty(), "{name}");
            assert_eq!(world.info().unresolved, Some(0), "{name}");
            world.body_states().iter().map(|state| state.0).collect::<Vec<_>>()
        };
        let runs: Vec<Vec<Pose>> = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6].map(run).into();
        let errors: Vec<f64> = (0..3).map(|k| distance(&runs[k], &runs[k + 2])).collect();
        let slope = (errors[0] / errors[2]).log10() / 2.0;
        assert!(slope >= 0.8, "{name}: {slope} {errors:?}");
    }
}

fn builder(stepping: Stepping) -> WorldBuilder {
    WorldBuilder::new(WorldParams::new(stepping))
}

#[test]
fn what_rests_takes_the_longest_steps() {
    let mut builder = builder(controlled(1e-6));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    for k in 0..5 {
        let at = Pose::from_translation(Vec3::new(0.0, 0.0, 0.05 + 0.1 * f64::from(k))).unwrap();
        let cube = Shape::cuboid(Vec3::repeat(0.1)).unwrap();
        builder.body(BodyDef::free(at).with(cube, "steel")).unwrap();
    }
    let mut world = builder.build().unwrap();
    let before: Vec<Pose> = world.body_states().iter().map(|state| state.0).collect();
    world.advance_to(10.0).unwrap();
    let after: Vec<Pose> = world.body_states().iter().map(|state| state.0).collect();
    assert!(distance(&before, &after) < 1e-7, "{}", distance(&before, &after));
    let info = world.info();
    assert!(info.steps <= (10.0 / MAX_STEP) as usize + 10 && info.rejected < 10, "{info:?}");
}

#[test]
fn a_time_within_a_long_step_is_read_from_a_parabola() {
    let mut builder = builder(controlled(1e-4));
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 10.0)).unwrap();
    let ball = builder.body(BodyDef::free(start).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    let mut world = builder.build().unwrap();
    for k in 1..=70 {
        let t = 0.0137 * f64::from(k);
        world.advance_to(t).unwrap();
        assert!((world.pose(ball).translation().z - (10.0 - 0.5 * GRAVITY * t * t)).abs() < 1e-12);
        assert!((world.velocity(ball).z + GRAVITY * t).abs() < 1e-12);
    }
    assert!(world.info().steps < 20);
}

#[test]
fn steps_that_are_as_short_as_they_get_are_counted() {
    // It turns by a radian within the shortest step.
    let mut builder = builder(controlled(1e-4));
    let start = Pose::from_translation(Vec3::zeros()).unwrap();
    let bar = Shape::cuboid(Vec3::new(0.3, 0.2, 0.1)).unwrap();
    let body = BodyDef::free(start).with(bar, "steel").moving(&[0.0, 0.0, 0.0, 1e9, 2e9, 1e9]);
    builder.body(body).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(10.0 * MIN_CONTROLLED_STEP).unwrap();
    let info = world.info();
    assert!(info.unresolved.is_some_and(|count| count > 0) && info.rejected > 0, "{info:?}");
}
