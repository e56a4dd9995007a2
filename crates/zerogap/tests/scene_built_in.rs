//! Built-in scenes.

use std::mem::discriminant;
use std::path::Path;

use zerogap::Vec3;
use zerogap::dynamics::multibody::BodyId;
use zerogap::record::Head;
use zerogap::scene::{Scene, built_in, descriptions, falling_parts, many_falling_parts, templates};
use zerogap::world::{World, WorldBuilder, WorldError, WorldParams};

/// Time that each scene is run for here [s]; with `ZEROGAP_FULL=1` each runs to its end.
const SHORT: f64 = 0.3;

#[test]
fn every_built_in_scene_says_what_it_shows_and_runs() {
    for (name, text) in built_in() {
        let scene = Scene::parse(text, name, Path::new(""))
            .unwrap_or_else(|error| panic!("{name}: {}", error.report()));
        assert!(
            scene.name == *name && scene.description.ends_with('.') && scene.warnings.is_empty(),
            "{name}"
        );
        let until = if zerogap_testkit::count(0, 1) == 1 { scene.until } else { scene.until.min(SHORT) };
        let start = std::time::Instant::now();
        let mut world = scene.simulation().unwrap_or_else(|error| panic!("{name}: {}", error.report()));
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
fn descriptions_of_scenes_are_listed_without_reading_them_whole() {
    let listed = descriptions();
    assert_eq!(listed.len(), built_in().len());
    for ((name, description), (known, text)) in listed.iter().zip(built_in()) {
        assert_eq!(name, known);
        assert_eq!(*description, Scene::parse(text, name, Path::new("")).unwrap().description);
    }
}

#[test]
fn the_gallery_shows_every_scene() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let gallery = std::fs::read_to_string(docs.join("gallery.md")).unwrap();
    for (name, description) in descriptions() {
        let picture = format!("images/scenes/{name}.png");
        let entry = format!("## {name}\n\n{description}\n\n![The replay page of {name}]({picture})\n");
        assert!(gallery.contains(&entry), "the gallery lacks:\n{entry}");
        assert!(docs.join(&picture).exists(), "{picture}");
    }
}

#[test]
fn falling_parts_in_files_are_those_of_the_functions() {
    type Make = fn(WorldParams) -> Result<WorldBuilder, WorldError>;
    for (name, make) in
        [("falling-parts", falling_parts as Make), ("many-falling-parts", many_falling_parts as Make)]
    {
        let (_, text) = built_in().iter().find(|(known, _)| *known == name).unwrap();
        let mut file = Scene::parse(text, name, Path::new("")).unwrap().build().unwrap();
        let mut function = make(WorldParams::default()).unwrap().build().unwrap();
        assert_eq!(file.names(), function.names());
        assert_eq!(
            (file.pairs(), Head::of_world(&file, "", 1.0).shapes),
            (function.pairs(), Head::of_world(&function, "", 1.0).shapes)
        );
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        let are_near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| near(*a, *b));
        assert!(are_near(file.positions(), function.positions()));
        assert!(are_near(file.velocities(), function.velocities()));
        assert!(near(file.energy().total(), function.energy().total()));
        for body in (0..file.names().len() as u32).map(BodyId) {
            let (a, b) = (file.tree().inertia(body), function.tree().inertia(body));
            assert!(near(a.mass, b.mass) && (a.center - b.center).norm() < 1e-15);
            assert!((a.inertia - b.inertia).norm() < 1e-12 * b.inertia.norm());
        }
        // They touch first in the same places at the same speeds, and materials are the same: so are forces.
        for world in [&mut file, &mut function] {
            world.advance_to(0.12).unwrap();
        }
        let kinds =
            |world: &World| world.events().iter().map(|event| discriminant(&event.what)).collect::<Vec<_>>();
        assert!(!file.events().is_empty());
        assert_eq!(kinds(&file), kinds(&function));
        for (a, b) in file.positions().iter().zip(function.positions()) {
            assert!((a - b).abs() < 1e-4, "{name}: {a} {b}");
        }
    }
}

#[test]
fn the_disk_goes_round_faster_the_flatter_it_lies() {
    let (_, text) = built_in().iter().find(|(name, _)| *name == "euler-disk").unwrap();
    let mut world = Scene::parse(text, "euler-disk", Path::new("")).unwrap().build().unwrap();
    // The axis of the disk leans towards where it goes round.
    let axis = |world: &World| world.pose(BodyId(0)).transform_vector(&Vec3::z());
    let mut seen = Vec::new();
    for t in [0.1, 0.6, 1.1] {
        world.advance_to(t).unwrap();
        let before = axis(&world);
        world.advance_to(t + 1e-4).unwrap();
        let now = axis(&world);
        let turned = (before.x * now.y - before.y * now.x) / (before.x * now.x + before.y * now.y);
        seen.push((now.z, turned.abs()));
    }
    assert!(seen.windows(2).all(|two| two[1].0 > two[0].0 && two[1].1 > 1.02 * two[0].1), "{seen:?}");
}

#[test]
fn the_rattleback_turns_round() {
    let (_, text) = built_in().iter().find(|(name, _)| *name == "rattleback").unwrap();
    let mut world = Scene::parse(text, "rattleback", Path::new("")).unwrap().build().unwrap();
    let stone = BodyId(0);
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
            .and_then(Scene::simulation)
            .unwrap_or_else(|error| panic!("{name}: {}", error.report()));
    }
}
