//! Built-in scenes.

use std::path::Path;

use zerogap::scene::{Scene, built_in};

/// Time that each scene is run for here [s].
const SHORT: f64 = 0.3;

#[test]
fn every_built_in_scene_says_what_it_shows_and_runs() {
    for (name, text) in built_in() {
        let scene = Scene::parse(text, name, Path::new(""))
            .unwrap_or_else(|error| panic!("{name}: {}", error.report()));
        assert!(scene.name == *name && scene.about.ends_with('.') && scene.warnings.is_empty(), "{name}");
        let until = scene.until.min(SHORT);
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
