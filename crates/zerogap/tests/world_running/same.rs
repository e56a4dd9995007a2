//! The same bits: from run to run, however a run is cut and followed, from a stored copy, for any number of threads.

use zerogap::world::StoredError;
use zerogap_testkit::random::Random;

use super::*;

/// A run with parts that come and go; `pause` is called after every step of it.
fn run(params: WorldParams, mut pause: impl FnMut(World) -> World) -> World {
    let mut world = world_of(params, [cube(0.0, 0.1), cube(0.01, 0.3)]);
    for k in 1..=8_u32 {
        world.advance_to(0.05 * f64::from(k)).unwrap();
        world = pause(world);
        match k {
            1 | 3 | 5 => {
                world.add_body(ball(0.03 * f64::from(k), 0.7 + 0.2 * f64::from(k)).named("part")).unwrap();
            }
            4 => world.remove_body(BodyId(1)).unwrap(),
            6 => world.remove_body(BodyId(2)).unwrap(),
            7 => {
                world
                    .add_fixed(ShapeDef::new(Shape::sphere(0.1).unwrap(), "steel").at(at(0.4, 0.1)))
                    .unwrap();
            }
            _ => {}
        }
        world = pause(world);
    }
    world.advance_to(1.0).unwrap();
    world
}

#[test]
fn a_run_with_changes_is_the_same_run_each_time_and_with_frames() {
    for (method, params) in methods() {
        let one = run(params, |world| world);
        let other = run(params, |world| world);
        assert_eq!((one.hash(), one.events()), (other.hash(), other.events()), "{method}");
        let mut followed = world_of(params, [cube(0.0, 0.1)]);
        let mut plain = world_of(params, [cube(0.0, 0.1)]);
        followed.record_to(0.2, 0.01).unwrap();
        plain.advance_to(0.2).unwrap();
        for world in [&mut followed, &mut plain] {
            world.add_body(cube(0.02, 0.5)).unwrap();
        }
        followed.record_to(0.8, 0.03).unwrap();
        plain.advance_to(0.8).unwrap();
        assert_eq!((followed.hash(), followed.events()), (plain.hash(), plain.events()), "{method}");
    }
}

#[test]
fn steps_with_changes_between_them_do_not_depend_on_how_the_run_is_cut() {
    for (method, params) in methods().into_iter().filter(|(_, params)| is_stepping(params)) {
        // Steps that are numbers without rounding, so that cuts are at their ends.
        let stepping = Stepping { step: 1.0 / 1024.0, ..*params.method.stepping().unwrap() };
        let run = |cuts: u32| {
            let mut world = world_of(WorldParams { method: stepping.into(), ..params }, [cube(0.0, 0.1)]);
            for k in 1..=64 * cuts {
                world.advance_to(f64::from(k) / f64::from(64 * cuts)).unwrap();
                match k * 64 / (64 * cuts) {
                    8 if k % cuts == 0 => drop(world.add_body(ball(0.05, 0.6)).unwrap()),
                    32 if k % cuts == 0 => world.remove_body(BodyId(0)).unwrap(),
                    _ => {}
                }
            }
            world
        };
        let (whole, cut) = (run(1), run(8));
        assert_eq!((whole.hash(), whole.events()), (cut.hash(), cut.events()), "{method}");
    }
}

#[test]
fn a_stored_world_with_changes_continues_with_the_same_bits() {
    for (method, params) in methods() {
        let plain = run(params, |world| world);
        let copied = run(params, |world| {
            let (builder, state) = (world.builder_to_bytes().unwrap(), world.save().to_bytes().unwrap());
            let copy = WorldBuilder::from_bytes(&builder).unwrap().resume(&state).unwrap();
            assert_eq!((copy.hash(), copy.events()), (world.hash(), world.events()), "{method}");
            assert_eq!((copy.bodies(), copy.names()), (world.bodies(), world.names()), "{method}");
            copy
        });
        assert_eq!((plain.hash(), plain.events()), (copied.hash(), copied.events()), "{method}");
        // The builder that the world began with does not fit its state any more.
        let mut first = WorldBuilder::new(params);
        first.fixed(floor()).unwrap();
        let refused = first.resume(&plain.save().to_bytes().unwrap()).err();
        assert_eq!(refused, Some(StoredError::OtherWorld), "{method}");
    }
}

/// A pile with enough pairs for several threads, of which some bodies go and others come.
fn pile_run(params: WorldParams) -> u64 {
    let balls = (0..64_u32).map(|k| {
        let (column, row) = (f64::from(k % 8), f64::from(k / 8));
        ball(0.201 * column + 0.01 * row, 0.101 + 0.201 * row)
    });
    let mut world = world_of(params, balls);
    for k in 0..8_u32 {
        world.advance_to(0.02 * f64::from(k + 1)).unwrap();
        world.remove_body(world.bodies()[3]).unwrap();
        world.add_body(ball(0.2 * f64::from(k), 2.0)).unwrap();
    }
    world.advance_to(0.3).unwrap();
    world.hash()
}

#[test]
fn steps_with_changes_are_the_same_for_any_number_of_threads() {
    for (method, params) in methods().into_iter().filter(|(_, params)| is_stepping(params)) {
        let expected = pile_run(params);
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| pile_run(params)), expected, "{method}, {threads} threads");
        }
    }
}

/// Adds and removes at random; the hash and how many bodies there were.
fn random_run(params: WorldParams, seed: u64) -> (u64, usize, usize) {
    let mut random = Random::new(seed);
    let mut world = world_of(params, [cube(0.0, 0.1)]);
    let mut shelves = Vec::new();
    for _ in 0..40 {
        let until = world.time() + random.range(0.0, 0.05);
        world.advance_to(until).unwrap();
        match random.range(0.0, 6.0) as u32 {
            0..=2 => {
                let (x, z) = (random.range(-0.6, 0.6), random.range(0.1, 1.2));
                let def = if random.unit() < 0.5 { ball(x, z) } else { cube(x, z) };
                // Some overlap what is there and are refused.
                match world.add_body(def.moving(&[0.0, 0.0, random.range(-1.0, 0.0), 0.0, 0.0, 0.0])) {
                    Ok(_) | Err(WorldError::Overlap { .. }) => {}
                    Err(error) => panic!("{error}"),
                }
            }
            3 => {
                let shelf = ShapeDef::new(Shape::sphere(0.05).unwrap(), "steel");
                match world.add_fixed(shelf.at(at(random.range(-0.6, 0.6), 0.05))) {
                    Ok(shelf) => shelves.push(shelf),
                    Err(error) => assert!(matches!(error, WorldError::Overlap { .. }), "{error}"),
                }
            }
            4 if !world.bodies().is_empty() => {
                let which = (random.unit() * world.bodies().len() as f64) as usize;
                world.remove_body(world.bodies()[which]).unwrap();
            }
            5 if !shelves.is_empty() => world.remove_fixed(shelves.pop().unwrap()).unwrap(),
            _ => {}
        }
        let pairs = world.contacts().into_iter().map(|contact| contact.pair);
        let bodies = pairs.flat_map(|pair| [pair.a, pair.b]).filter_map(|shape| world.body_of(shape));
        assert!(bodies.into_iter().all(|body| world.check_body(body).is_ok()));
    }
    (world.hash(), world.names().len(), world.events().len())
}

#[test]
fn random_changes_never_panic_and_end_with_the_same_bits_twice() {
    for (method, params) in methods() {
        for seed in 1..=4 {
            assert_eq!(random_run(params, seed), random_run(params, seed), "{method}, seed {seed}");
        }
    }
}
