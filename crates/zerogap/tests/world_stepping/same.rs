//! The same bits from run to run, with frames and without, for any number of threads, and after going back.

use zerogap::core::random::Random;
use zerogap::world::{BodyDef, World};
use zerogap::{Shape, Vec3};

use crate::scenes::{G, Kind, STEEL, add_floor, at, builder, enclosed, falling, steps};

/// Boxes that fall on each other: enough pairs for several threads.
fn pile() -> World {
    let mut random = Random::new(7);
    let mut builder = builder(steps(2e-3), G, (0.2, 0.5));
    add_floor(&mut builder);
    for k in 0..48 {
        let place = Vec3::new(f64::from(k % 4), f64::from(k / 4 % 4), f64::from(k / 16)) * 0.11;
        let pose = at(place.x, place.y, place.z + 0.07);
        let w = random.in_cube(1.0);
        let def = BodyDef::free(pose).with(Shape::cuboid(Vec3::repeat(0.1)).unwrap(), STEEL);
        builder.body(def.moving(&[0.0, 0.0, 0.0, w.x, w.y, w.z])).unwrap();
    }
    builder.build().unwrap()
}

/// Every kind of scene, by number.
fn scenes() -> Vec<(String, World)> {
    let mut scenes = vec![("pile".to_owned(), pile())];
    for seed in 0..4 {
        let mut random = Random::new(seed);
        let kind = Kind::new(&mut random);
        scenes.push((format!("falling {seed}"), falling(&kind, &mut random.clone())));
        scenes.push((format!("enclosed {seed}"), enclosed(&kind, &mut random)));
    }
    scenes
}

/// The hash of a scene after a run by parts.
fn run(world: &mut World, end: f64) -> u64 {
    world.advance_to(end).unwrap();
    world.hash()
}

#[test]
fn runs_repeat_to_the_last_bit() {
    for ((name, mut one), (_, mut other)) in scenes().into_iter().zip(scenes()) {
        assert_eq!(run(&mut one, 0.4), run(&mut other, 0.4), "{name}");
    }
}

#[test]
fn frames_change_nothing() {
    for ((name, mut plain), (_, mut recorded)) in scenes().into_iter().zip(scenes()) {
        let hash = run(&mut plain, 0.4);
        let frames = recorded.record_to(0.4, 0.0033).unwrap();
        assert!(frames.len() > 100, "{name}");
        assert_eq!(recorded.hash(), hash, "{name}");
        assert_eq!(recorded.events(), plain.events(), "{name}");
    }
}

#[test]
fn threads_change_nothing() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| scenes().into_iter().map(|(_, mut world)| run(&mut world, 0.4)).collect::<Vec<u64>>())
    };
    let one = with(1);
    assert_eq!(one, with(2));
    assert_eq!(one, with(4));
}

#[test]
fn a_state_that_is_gone_back_to_goes_on_as_it_did() {
    for (name, mut world) in scenes() {
        world.advance_to(0.2).unwrap();
        let saved = world.save();
        let (forces, middle) = (world.contacts(), world.hash());
        let end = run(&mut world, 0.4);
        let events = world.events().to_vec();
        world.restore(&saved).unwrap();
        assert_eq!(world.hash(), middle, "{name}");
        assert_eq!(world.contacts(), forces, "{name}");
        assert_eq!(run(&mut world, 0.4), end, "{name}");
        assert_eq!(world.events(), events, "{name}");
    }
}

#[test]
fn another_world_goes_on_from_a_saved_state_as_the_first_did() {
    for ((name, mut one), (_, mut other)) in scenes().into_iter().zip(scenes()) {
        one.advance_to(0.2).unwrap();
        other.restore(&one.save()).unwrap();
        assert_eq!(run(&mut one, 0.4), run(&mut other, 0.4), "{name}");
    }
}
