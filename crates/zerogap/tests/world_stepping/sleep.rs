//! Bodies that rest fall asleep, cost nothing then, and wake when something moves them.

use std::sync::Arc;

use zerogap::core::random::Random;
use zerogap::dynamics::multibody::{BodyId, Interpolation, Joint, JointKind, SplineMotion};
use zerogap::world::{BodyDef, EventKind, ShapeDef, Stepping, StoredError, World, WorldBuilder, WorldError};
use zerogap::{Pose, Shape, Vec3};

use crate::scenes::{G, KINDS, STEEL, add_floor, at, builder, shape, steps};

/// Time at rest [s] and speed [m/s] of these tests.
const SLEEP: f64 = 0.05;
const SPEED: f64 = 1e-3;

fn sleepy(step: f64) -> Stepping {
    Stepping { sleep: SLEEP, sleep_speed: SPEED, ..steps(step) }
}

fn cube(size: f64) -> Shape {
    Shape::cuboid(Vec3::repeat(size)).unwrap()
}

/// A floor with 27 bodies above it: boxes that are tilted at random, or mixed shapes.
fn pile(stepping: Stepping, is_mixed: bool, seed: u64) -> World {
    let mut random = Random::new(seed);
    let mut builder = builder(stepping, G, (0.0, 0.5));
    add_floor(&mut builder);
    for k in 0..27 {
        let place = Vec3::new(f64::from(k % 3), f64::from(k / 3 % 3), f64::from(k / 9) + 0.6) * 0.55;
        let shape = if is_mixed { shape(1 + random.index(KINDS - 1), &mut random) } else { cube(0.3) };
        let pose = Pose::new(place + random.in_cube(0.02), random.quaternion_xyzw()).unwrap();
        builder.body(BodyDef::free(pose).with(shape, STEEL)).unwrap();
    }
    builder.build().unwrap()
}

/// A floor with 27 boxes in three layers, each tilted a little at random.
fn tilted(stepping: Stepping, seed: u64) -> World {
    let mut random = Random::new(seed);
    let mut builder = builder(stepping, G, (0.0, 0.5));
    add_floor(&mut builder);
    for k in 0..27 {
        let place =
            Vec3::new(f64::from(k % 3) * 0.4, f64::from(k / 3 % 3) * 0.4, f64::from(k / 9) * 0.33 + 0.18);
        let tilt = random.in_cube(0.05);
        let pose = Pose::new(place, [0.5 * tilt.x, 0.5 * tilt.y, 0.5 * tilt.z, 1.0]).unwrap();
        builder.body(BodyDef::free(pose).with(cube(0.3), STEEL)).unwrap();
    }
    builder.build().unwrap()
}

/// A tower of boxes on a floor.
fn tower(stepping: Stepping, count: usize) -> WorldBuilder {
    let mut builder = builder(stepping, G, (0.0, 0.5));
    add_floor(&mut builder);
    for k in 0..count {
        builder.body(BodyDef::free(at(0.0, 0.0, 0.1 + 0.2 * k as f64)).with(cube(0.2), STEEL)).unwrap();
    }
    builder
}

fn asleep(world: &World) -> usize {
    let count = world.bodies().iter().filter(|body| world.is_asleep(**body)).count();
    assert_eq!(world.info().sleeping, Some(count));
    count
}

fn places(world: &World) -> Vec<Vec3> {
    world.body_states().iter().map(|(pose, _, _)| pose.translation()).collect()
}

/// The largest distance between the places of bodies that sleep in one world and in another [m].
fn apart(sleepy: &World, plain: &World) -> f64 {
    let pairs = places(sleepy).into_iter().zip(places(plain)).enumerate();
    let asleep = pairs.filter(|(body, _)| sleepy.is_asleep(BodyId(*body as u32)));
    asleep.map(|(_, (one, other))| (one - other).norm()).fold(0.0, f64::max)
}

#[test]
fn sleeping_changes_where_a_pile_comes_to_rest_by_less_than_speed_times_time() {
    for seed in 1..4 {
        let (mut plain, mut sleepy) = (tilted(steps(2e-3), seed), tilted(sleepy(2e-3), seed));
        plain.advance_to(3.0).unwrap();
        sleepy.advance_to(3.0).unwrap();
        assert_eq!((plain.info().sleeping, asleep(&sleepy)), (None, 27));
        let apart = apart(&sleepy, &plain);
        assert!(apart <= SPEED * SLEEP + 1e-6, "{seed}: {apart}");
    }
}

#[test]
fn a_pile_that_sleeps_stays_where_it_is_without_sleeping() {
    // Where bodies tumble, what wakes later goes another way for the last bit that differs. So each pile is compared until then, and from where it sleeps.
    for (is_mixed, seed) in [(false, 1), (false, 2), (true, 3), (true, 4)] {
        let (mut plain, mut world) = (pile(steps(2e-3), is_mixed, seed), pile(sleepy(2e-3), is_mixed, seed));
        while !world.events().iter().any(|event| matches!(event.what, EventKind::Wake { .. }))
            && world.time() < 4.0
        {
            let t = world.time() + 0.05;
            world.advance_to(t).unwrap();
            plain.advance_to(t).unwrap();
            let apart = apart(&world, &plain);
            assert!(apart <= SPEED * SLEEP + 1e-6, "{is_mixed} {seed} at {t}: {apart}");
        }
        world.advance_to(6.0).unwrap();
        // Most of them: round ones may roll on, for nothing resists rolling.
        let least = if is_mixed { 14 } else { 20 };
        assert!(asleep(&world) >= least, "{is_mixed} {seed}: {} asleep", asleep(&world));
        // Nothing sleeps in a world without sleeping, whatever state it is put into.
        plain.restore(&world.save()).unwrap();
        let before = places(&plain);
        plain.advance_to(7.0).unwrap();
        assert!((0..27).all(|body| !plain.is_asleep(BodyId(body))));
        // What still rolls may hit something: that is woken with its island, and no matter here.
        let count = world.events().len();
        let slept: Vec<usize> = (0..27).filter(|body| world.is_asleep(BodyId(*body as u32))).collect();
        world.advance_to(7.0).unwrap();
        let is_woken =
            |body: usize| world.events()[count..].iter().any(|e| e.what == EventKind::Wake { body });
        for body in slept.into_iter().filter(|body| !is_woken(*body)) {
            let apart = (places(&plain)[body] - before[body]).norm();
            assert!(apart <= SPEED * SLEEP + 1e-6, "{is_mixed} {seed}, body {body}: {apart}");
        }
    }
}

#[test]
fn bodies_that_sleep_are_still_to_the_bit_and_keep_their_contacts() {
    // Times of all steps are exact.
    let mut world = tower(sleepy(1.0 / 1024.0), 4).build().unwrap();
    world.advance_to(1.0 / 32.0).unwrap();
    assert_eq!(asleep(&world), 0);
    let awake = world.contacts();
    world.advance_to(0.25).unwrap();
    assert_eq!(asleep(&world), 4);
    let (positions, forces) = (world.positions().to_vec(), world.contacts());
    world.advance_to(1.0).unwrap();
    assert_eq!(world.positions(), positions);
    assert!(world.velocities().iter().all(|v| v.to_bits() == 0));
    assert_eq!((world.contacts(), forces.len()), (forces.clone(), awake.len()));
    for (one, other) in forces.iter().zip(&awake) {
        assert!((one.normal_force - other.normal_force).abs() < 1e-6 * awake[0].normal_force);
    }
    // A last step of another length has the same forces.
    world.advance_to(1.000_3).unwrap();
    for (one, other) in world.contacts().iter().zip(&forces) {
        assert!((one.normal_force / other.normal_force - 1.0).abs() < 1e-12);
    }
    let ends = world.events().iter().filter(|event| matches!(event.what, EventKind::ContactEnd { .. }));
    assert_eq!(ends.count(), 0);
}

#[test]
fn a_step_of_a_world_that_sleeps_examines_no_pair_and_solves_nothing() {
    let mut world = pile(sleepy(2e-3), false, 5);
    world.advance_to(6.0).unwrap();
    assert_eq!(asleep(&world), 27);
    let before = world.info();
    world.advance_to(7.0).unwrap();
    let after = world.info();
    assert_eq!(after.steps - before.steps, 500);
    assert_eq!(after.gaps, before.gaps);
    assert_eq!(after.contacts.unwrap().solves, before.contacts.unwrap().solves);
}

#[test]
fn a_ball_wakes_the_island_that_it_hits_and_no_other() {
    let run = |stepping: Stepping| {
        let mut builder = builder(stepping, G, (0.0, 0.5));
        add_floor(&mut builder);
        for x in [0.0, 5.0] {
            for k in 0..3 {
                let pose = at(x, 0.0, 0.1 + 0.2 * f64::from(k));
                builder.body(BodyDef::free(pose).with(cube(0.2), STEEL)).unwrap();
            }
        }
        // It is in the air for half a second, and hits the top of the first tower.
        let ball =
            BodyDef::free(at(-3.0, 0.0, 0.5 + 0.5 * G * 0.25)).with(Shape::sphere(0.1).unwrap(), STEEL);
        builder.body(ball.moving(&[5.8, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
        builder.build().unwrap()
    };
    let (mut plain, mut sleepy) = (run(steps(1e-3)), run(sleepy(1e-3)));
    sleepy.advance_to(0.4).unwrap();
    assert_eq!(asleep(&sleepy), 6);
    plain.advance_to(0.4).unwrap();
    for t in [0.5, 0.55, 0.6, 0.7] {
        plain.advance_to(t).unwrap();
        sleepy.advance_to(t).unwrap();
        let (one, other) = (plain.energy(), sleepy.energy());
        assert!((one.kinetic - other.kinetic).abs() < 1e-3 * one.kinetic, "{t}: {one:?} {other:?}");
        assert!((plain.momentum().0 - sleepy.momentum().0).norm() < 1e-3 * plain.momentum().0.norm());
        for (k, (one, other)) in places(&plain).iter().zip(places(&sleepy)).enumerate() {
            assert!((one - other).norm() < 1e-4, "{t}, body {k}: {one} {other}");
        }
    }
    assert_eq!(asleep(&sleepy), 3);
    let woken = |event: &&zerogap::world::Event| matches!(event.what, EventKind::Wake { .. });
    assert_eq!(sleepy.events().iter().filter(woken).count(), 3);
    assert!((3..6).all(|body| sleepy.is_asleep(BodyId(body))));
}

#[test]
fn a_tower_falls_when_its_support_is_removed() {
    // A fixed plate, then the lowest body.
    let mut builder = builder(sleepy(1e-3), G, (0.0, 0.5));
    add_floor(&mut builder);
    let plate = Shape::cuboid(Vec3::new(1.0, 1.0, 0.1)).unwrap();
    let plate = builder.fixed(ShapeDef::new(plate, STEEL).at(at(0.0, 0.0, 0.95))).unwrap();
    for k in 0..3 {
        builder.body(BodyDef::free(at(0.0, 0.0, 1.1 + 0.2 * f64::from(k))).with(cube(0.2), STEEL)).unwrap();
    }
    let mut world = builder.build().unwrap();
    world.advance_to(0.2).unwrap();
    assert_eq!(asleep(&world), 3);
    world.remove_fixed(plate).unwrap();
    assert_eq!(asleep(&world), 0);
    world.advance_to(1.0).unwrap();
    assert_eq!(asleep(&world), 3);
    assert!((world.pose(BodyId(0)).translation().z - 0.1).abs() < 1e-4);
    world.remove_body(BodyId(0)).unwrap();
    assert_eq!(asleep(&world), 0);
    world.advance_to(2.0).unwrap();
    assert_eq!(asleep(&world), 2);
    assert!((world.pose(BodyId(1)).translation().z - 0.1).abs() < 1e-4);
}

#[test]
fn what_is_put_into_a_body_that_sleeps_wakes_it() {
    let mut world = tower(sleepy(1e-3), 2).build().unwrap();
    world.advance_to(0.2).unwrap();
    assert_eq!(asleep(&world), 2);
    // Far away: nothing wakes.
    world.add_body(BodyDef::free(at(3.0, 0.0, 0.1)).with(cube(0.2), STEEL)).unwrap();
    assert_eq!(asleep(&world), 2);
    // One that falls on it.
    world.add_body(BodyDef::free(at(0.05, 0.0, 0.6)).with(cube(0.2), STEEL)).unwrap();
    world.advance_to(0.3).unwrap();
    assert_eq!(asleep(&world), 3);
    world.advance_to(0.37).unwrap();
    assert_eq!(asleep(&world), 1);
    world.advance_to(1.0).unwrap();
    assert_eq!(asleep(&world), 4);
}

#[test]
fn a_force_that_changes_wakes_and_one_that_stays_does_not() -> Result<(), WorldError> {
    let mut world = tower(sleepy(1e-3), 2).build()?;
    world.advance_to(0.2)?;
    let (top, push) = (BodyId(1), Vec3::new(0.1, 0.0, 0.0));
    world.set_force(top, Vec3::zeros(), Vec3::zeros())?;
    assert_eq!(asleep(&world), 2);
    world.set_force(top, push, Vec3::zeros())?;
    assert_eq!(asleep(&world), 0);
    world.advance_to(0.4)?;
    assert_eq!(asleep(&world), 2);
    world.set_force(top, push, Vec3::zeros())?;
    assert_eq!(asleep(&world), 2);
    // Enough to slide.
    let weight = world.tree().inertia(top).mass * G;
    world.set_force(top, Vec3::new(0.6 * weight, 0.0, 0.0), Vec3::zeros())?;
    world.advance_to(0.5)?;
    assert_eq!(asleep(&world), 0);
    assert!(world.velocity(top).x > 0.05);
    world.wake(BodyId(0))
}

#[test]
fn what_stands_on_a_prescribed_body_sleeps_only_while_that_rests() {
    // It rests for a second, rises slowly for two and rests again.
    let rise = |t: f64| 2e-4 * (t - 1.0).clamp(0.0, 2.0);
    let times: Vec<f64> = (0..=50).map(|k| 0.1 * f64::from(k)).collect();
    let poses: Vec<Pose> = times.iter().map(|t| at(0.0, 0.0, rise(*t))).collect();
    let motion = Arc::new(SplineMotion::from_poses(&times, &poses, Interpolation::Linear).unwrap());
    let mut builder = builder(sleepy(1e-3), G, (0.0, 0.5));
    let plate = Shape::cuboid(Vec3::new(1.0, 1.0, 0.1)).unwrap();
    let base = BodyDef::new(Joint::new(None, JointKind::Prescribed(motion))).with(plate, STEEL);
    builder.body(base).unwrap();
    builder.body(BodyDef::free(at(0.0, 0.0, 0.15)).with(cube(0.2), STEEL)).unwrap();
    let mut world = builder.build().unwrap();
    let top = BodyId(1);
    for (t, is_asleep) in [(0.5, true), (0.95, true), (1.2, false), (2.0, false), (2.9, false), (3.5, true)] {
        world.advance_to(t).unwrap();
        assert_eq!(world.is_asleep(top), is_asleep, "{t}");
        assert!((world.pose(top).translation().z - 0.15 - rise(t)).abs() < 2e-5, "{t}");
    }
    assert!(!world.is_asleep(BodyId(0)));
}

#[test]
fn a_body_at_the_top_of_its_path_does_not_sleep() {
    let stepping = Stepping { sleep: 1e-3, sleep_speed: 0.05, ..steps(1e-3) };
    let mut builder = builder(stepping, G, (0.0, 0.5));
    add_floor(&mut builder);
    let up = BodyDef::free(at(0.0, 0.0, 1.0)).with(cube(0.2), STEEL);
    builder.body(up.moving(&[0.0, 0.0, 1.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.3).unwrap();
    assert_eq!(asleep(&world), 0);
    assert!(world.velocity(BodyId(0)).z < -1.9);
}

#[test]
fn sleep_is_the_same_in_one_call_and_in_many_and_from_a_saved_state() -> Result<(), StoredError> {
    // Times of all steps are exact.
    let make = || pile(sleepy(1.0 / 512.0), true, 7);
    let mut whole = make();
    whole.advance_to(6.0)?;
    assert!(asleep(&whole) > 20);

    // Through bytes at some instants, half of them while some sleep.
    let (mut parts, mut other) = (make(), make());
    for k in 1..=12 {
        parts.advance_to(0.5 * f64::from(k))?;
        let bytes = parts.save().to_bytes()?;
        let saved = other.saved_from_bytes(&bytes)?;
        other.restore(&saved)?;
        assert_eq!(other.hash(), parts.hash());
        assert_eq!(asleep(&other), asleep(&parts));
        assert_eq!(other.contacts(), parts.contacts());
        std::mem::swap(&mut parts, &mut other);
    }
    assert_eq!(whole.hash(), parts.hash());
    assert_eq!(whole.events(), parts.events());
    Ok(())
}

#[test]
fn sleep_is_the_same_for_any_number_of_threads() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut world = pile(sleepy(2e-3), false, 8);
            world.advance_to(3.0).unwrap();
            (world.hash(), asleep(&world), world.events().to_vec())
        })
    };
    let one = with(1);
    assert!(one.1 > 0);
    assert_eq!(one, with(2));
    assert_eq!(one, with(3));
}

#[test]
fn settings_of_sleep_that_make_no_sense_are_refused() {
    let refused = |stepping: Stepping| builder(stepping, G, (0.0, 0.5)).build().err();
    for sleep in [0.0, -1.0, f64::NAN] {
        assert!(matches!(refused(Stepping { sleep, ..steps(1e-3) }), Some(WorldError::Setting { .. })));
    }
    for sleep_speed in [0.0, f64::INFINITY, f64::NAN] {
        let stepping = Stepping { sleep_speed, ..sleepy(1e-3) };
        assert!(matches!(refused(stepping), Some(WorldError::Setting { .. })));
    }
    let silvia = Stepping { forces: zerogap::world::StepForces::Silvia, ..sleepy(1e-3) };
    assert!(matches!(refused(silvia), Some(WorldError::Setting { .. })));
}
