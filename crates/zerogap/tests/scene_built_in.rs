//! Built-in scenes.

use std::path::Path;

use zerogap::scene::{Scene, built_in, templates};

/// Time that each scene is run for here [s]; with `ZEROGAP_FULL=1` each runs to its end.
const SHORT: f64 = 0.3;

#[test]
fn every_built_in_scene_says_what_it_shows_and_runs() {
    for (name, text) in built_in() {
        let scene = Scene::parse(text, name, Path::new(""))
            .unwrap_or_else(|error| panic!("{name}: {}", error.report()));
        assert!(scene.name == *name && scene.about.ends_with('.') && scene.warnings.is_empty(), "{name}");
        let until = if zerogap_testkit::count(0, 1) == 1 { scene.until } else { scene.until.min(SHORT) };
        let start = std::time::Instant::now();
        let mut world = scene.build().unwrap_or_else(|error| panic!("{name}: {}", error.report()));
        world.advance_to(until).unwrap_or_else(|error| panic!("{name} at {} s: {error}", world.time()));
        println!(
            "{name}: {:?}, {} steps, {} events",
            start.elapsed(),
            world.info().steps,
            world.events().len()
        );
    }
}

#[test]
fn the_rattleback_turns_round() {
    let (_, text) = built_in().iter().find(|(name, _)| *name == "rattleback").unwrap();
    let mut world = Scene::parse(text, "rattleback", Path::new("")).unwrap().build().unwrap();
    let stone = zerogap::dynamics::multibody::BodyId(0);
    assert!(world.angular_velocity(stone).z < -4.9);
    world.advance_to(3.0).unwrap();
    assert!(world.angular_velocity(stone).z > 4.0, "{}", world.angular_velocity(stone).z);
}

#[test]
fn the_cradle_keeps_its_energy_and_hands_the_motion_on() {
    let (_, text) = built_in().iter().find(|(name, _)| *name == "newtons-cradle").unwrap();
    let mut world = Scene::parse(text, "cradle", Path::new("")).unwrap().build().unwrap();
    let energy = world.energy().total();
    world.advance_to(0.6).unwrap();
    assert!((world.energy().total() - energy).abs() < 1e-6 * energy);
    let q = world.positions();
    assert!(q[4] < -0.5 && q[..4].iter().all(|angle| angle.abs() < 0.05), "{q:?}");
}

#[test]
fn every_template_can_be_built() {
    for (name, text) in templates() {
        Scene::parse(text, name, Path::new(""))
            .and_then(Scene::build)
            .unwrap_or_else(|error| panic!("{name}: {}", error.report()));
    }
}
