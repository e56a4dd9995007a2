//! The bits of a run do not depend on how it is cut into calls, in any method: not on the times that calls ask for, not on frames and questions in between, not on saving and restoring.

use std::sync::Arc;

use zerogap::contact::law::NormalLaw;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::event::Direction;
use zerogap::dynamics::integrate::IntegratorKind;
use zerogap::dynamics::multibody::{BodyId, Inertia};
use zerogap::scene::{Scene, built_in};
use zerogap::world::{
    BodyDef, ContactModel, ErrorControl, Event, EventFunction, EventKind, EventLocation, MethodParams, Saved,
    ShapeDef, StepForces, Stepping, Stop, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::random::Random;

/// Scenes, and how long each runs [s]: until well after its first contacts where it has some within a second.
const SCENES: [(&str, f64); 12] = [
    ("bouncing-ball", 0.6),
    ("newtons-cradle", 0.6),
    ("falling-parts", 0.15),
    ("box-tower", 0.12),
    ("card-house", 0.04),
    ("domino-row", 0.1),
    ("rattleback", 0.1),
    ("euler-disk", 0.05),
    ("four-bar", 0.3),
    ("heaving-deck", 0.2),
    ("bullet-and-paper", 0.05),
    ("gear-pair", 0.1),
];

const METHODS: [&str; 4] = ["events", "stepping", "controlled", "silvia"];

/// Stepping whose steps follow their error.
const CONTROL: ErrorControl = ErrorControl { rtol: 1e-2, max_step: 0.05 };

/// Every scene that a method takes, as often as asked for.
fn each_scene(method: &str, check: impl Fn(&str, &dyn Fn() -> World, f64)) {
    let mut checked = 0;
    for (name, until) in SCENES {
        let (_, text) = built_in().iter().find(|(known, _)| *known == name).unwrap();
        let make = || {
            let mut scene = Scene::parse(text, name, std::path::Path::new("")).unwrap();
            let is_controlled = method == "controlled";
            let word = if is_controlled { "stepping" } else { method };
            let mut params = scene.builder.params().method.by(word).unwrap();
            if let MethodParams::Stepping(stepping) = &mut params
                && is_controlled
            {
                stepping.control = Some(CONTROL);
            }
            scene.builder.set_method(params);
            scene.builder.build().ok()
        };
        if make().is_some() {
            check(&format!("{name} by {method}"), &|| make().unwrap(), until);
            checked += 1;
        }
    }
    assert!(checked >= 10, "{checked} scenes by {method}");
}

/// What two runs must have in common.
type Outcome = (u64, Vec<Event>, usize);

fn outcome(world: &World) -> Outcome {
    (world.hash(), world.events().to_vec(), world.info().steps)
}

fn whole(make: &dyn Fn() -> World, until: f64) -> Outcome {
    let mut world = make();
    world.advance_to(until).unwrap();
    outcome(&world)
}

/// Times in ascending order up to the end of a run [s].
fn random_times(random: &mut Random, count: usize, until: f64) -> Vec<f64> {
    let mut times: Vec<f64> = (0..count).map(|_| random.range(0.0, until)).collect();
    times.sort_by(f64::total_cmp);
    times.push(until);
    times
}

fn check_splits(method: &str) {
    each_scene(method, |what, make, until| {
        let whole = whole(make, until);
        // Even pieces, whose times are sums and products with rounding.
        for pieces in [1000_u32, 37] {
            let mut world = make();
            for k in 1..pieces {
                world.advance_to(until * f64::from(k) / f64::from(pieces)).unwrap();
            }
            world.advance_to(until).unwrap();
            assert_eq!(outcome(&world), whole, "{what} in {pieces} calls");
        }
        for seed in 1..=3 {
            let mut random = Random::new(seed);
            let mut world = make();
            for t in random_times(&mut random, 40, until) {
                world.advance_to(t).unwrap();
            }
            assert_eq!(outcome(&world), whole, "{what}, split at random with seed {seed}");
        }
    });
}

#[test]
fn one_call_is_a_thousand_calls_by_events() {
    check_splits("events");
}

#[test]
fn one_call_is_a_thousand_calls_by_stepping() {
    check_splits("stepping");
}

#[test]
fn one_call_is_a_thousand_calls_by_stepping_with_error_control() {
    check_splits("controlled");
}

#[test]
fn one_call_is_a_thousand_calls_by_silvia() {
    check_splits("silvia");
}

#[test]
fn reading_in_between_changes_nothing() {
    for method in METHODS {
        each_scene(method, |what, make, until| {
            let whole = whole(make, until);
            let mut random = Random::new(7);
            let mut world = make();
            for (k, t) in random_times(&mut random, 24, until).into_iter().enumerate() {
                // Frames of a part of the run, at times that have nothing to do with its steps.
                if k % 3 == 0 {
                    world.record_to(t, 0.37e-3).unwrap();
                } else {
                    world.advance_to(t).unwrap();
                }
                assert_eq!(world.time().to_bits(), t.to_bits(), "{what}");
                let (states, energy) = (world.body_states(), world.energy());
                world.contacts();
                world.contact_points();
                world.momentum();
                world.loop_errors();
                assert!(world.events().iter().all(|event| event.t <= t + 1e-12), "{what}: events of later");
                // A time that has passed is no time to go to.
                world.advance_to(0.5 * t).unwrap();
                assert_eq!((world.body_states(), world.energy()), (states, energy), "{what}");
            }
            assert_eq!(outcome(&world), whole, "{what}");
        });
    }
}

#[test]
fn saving_and_restoring_anywhere_keeps_the_bits() {
    for method in METHODS {
        each_scene(method, |what, make, until| {
            let whole = whole(make, until);
            let mut random = Random::new(11);
            let mut world = make();
            let mut kept: Option<(Saved, u64)> = None;
            for t in random_times(&mut random, 12, until) {
                world.advance_to(t).unwrap();
                // Back to where it was a while ago, and on again.
                let here = outcome(&world);
                if let Some((saved, hash)) = &kept {
                    world.restore(saved).unwrap();
                    assert_eq!(world.hash(), *hash, "{what}");
                    world.advance_to(t).unwrap();
                    assert_eq!(outcome(&world), here, "{what} at {t} s");
                }
                kept = Some((world.save(), world.hash()));
                // Into another world by way of bytes; histories of oriented collision have none.
                if let Ok(bytes) = world.save().to_bytes() {
                    let mut copy = make();
                    let saved = copy.saved_from_bytes(&bytes).unwrap();
                    copy.restore(&saved).unwrap();
                    assert_eq!(
                        (copy.hash(), copy.events()),
                        (world.hash(), world.events()),
                        "{what} at {t} s"
                    );
                    world = copy;
                }
            }
            let (hash, events, _) = whole;
            assert_eq!((world.hash(), world.events()), (hash, &events[..]), "{what}");
        });
    }
}

/// Every method with every kind of contact and integrator, and stepping in which bodies sleep.
fn methods() -> Vec<(&'static str, WorldParams)> {
    let by_steps = |forces| Stepping { forces, ..Stepping::default() };
    let with = |integrator| EventLocation { integrator, ..EventLocation::default() };
    vec![
        ("elastic", WorldParams::new(with(IntegratorKind::Dop853))),
        ("elastic, radau", WorldParams::new(with(IntegratorKind::Radau))),
        ("elastic, auto", WorldParams::default()),
        ("rigid", WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())))),
        ("stepping", WorldParams::new(by_steps(StepForces::Coulomb))),
        ("sleeping", WorldParams::new(Stepping { sleep: 0.05, ..Stepping::default() })),
        ("controlled", WorldParams::new(Stepping { control: Some(CONTROL), ..Stepping::default() })),
        (
            "controlled, sleeping",
            WorldParams::new(Stepping { control: Some(CONTROL), sleep: 0.05, ..Stepping::default() }),
        ),
        ("silvia", WorldParams::new(by_steps(StepForces::Silvia))),
    ]
}

fn at(x: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, 0.0, z)).unwrap()
}

/// A ball that falls on a floor, and a box that lies on it.
fn builder(params: WorldParams) -> WorldBuilder {
    let mut builder = WorldBuilder::new(params);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "rubber")).unwrap();
    builder.body(BodyDef::free(at(0.0, 0.2)).with(Shape::sphere(0.1).unwrap(), "rubber")).unwrap();
    let cube = Shape::cuboid(Vec3::repeat(0.2)).unwrap();
    builder.body(BodyDef::free(at(1.0, 0.1)).with(cube, "rubber")).unwrap();
    builder
}

/// What the user does at times that are no ends of steps; `go` runs to a time.
fn run_with_changes(mut world: World, mut go: impl FnMut(&mut World, f64)) -> Outcome {
    let (ball, cube) = (BodyId(0), BodyId(1));
    go(&mut world, 0.0503);
    world.set_force(cube, Vec3::new(3.0, 0.0, 0.0), Vec3::zeros()).unwrap();
    go(&mut world, 0.14217);
    // In the middle of the first bounce by steps, and a time off the grid for later.
    world.set_force(ball, Vec3::new(0.0, 0.5, 0.0), Vec3::zeros()).unwrap();
    world.schedule(0.20033).unwrap();
    go(&mut world, 0.21007);
    let added = BodyDef::free(at(2.0, 0.3)).with(Shape::sphere(0.05).unwrap(), "rubber");
    world.add_body(added).unwrap();
    go(&mut world, 0.26001);
    world.remove_body(cube).unwrap();
    go(&mut world, 0.4);
    outcome(&world)
}

#[test]
fn changes_at_any_time_do_not_make_a_run_depend_on_its_calls() {
    for (method, params) in methods() {
        let make = || builder(params).build().unwrap();
        let plain = run_with_changes(make(), |world, t| {
            world.advance_to(t).unwrap();
        });
        let mut random = Random::new(3);
        let cut = run_with_changes(make(), |world, t| {
            let now = world.time();
            for part in random_times(&mut random, 9, t - now) {
                world.advance_to((now + part).min(t)).unwrap();
                world.contacts();
            }
            world.advance_to(t).unwrap();
        });
        assert_eq!(cut, plain, "{method}");
        let stored = run_with_changes(make(), |world, t| {
            world.advance_to(0.5 * (world.time() + t)).unwrap();
            let (builder, state) = (world.builder_to_bytes().unwrap(), world.save().to_bytes().unwrap());
            *world = WorldBuilder::from_bytes(&builder).unwrap().resume(&state).unwrap();
            world.advance_to(t).unwrap();
        });
        assert_eq!((stored.0, &stored.1), (plain.0, &plain.1), "{method}, stored");
    }
}

#[test]
fn a_change_within_a_step_is_a_change_at_a_scheduled_time() {
    // To the bit by steps of one length; where steps follow their error, one that knows of a scheduled time is tried with other lengths before it.
    let has_one_length =
        |params: &WorldParams| params.method.stepping().is_some_and(|stepping| stepping.control.is_none());
    for (method, params) in methods().into_iter().filter(|(_, params)| has_one_length(params)) {
        // Before, within and after the step of the first bounce.
        for t in [0.0503, 0.14217, 0.1432, 0.3] {
            let force = |world: &mut World| {
                world.set_force(BodyId(0), Vec3::new(1.0, 0.0, 0.0), Vec3::zeros()).unwrap();
                world.advance_to(0.4).unwrap();
                world.hash()
            };
            let mut planned = builder(params).build().unwrap();
            planned.schedule(t).unwrap();
            planned.advance_to(t).unwrap();
            let mut changed = builder(params).build().unwrap();
            changed.advance_to(t).unwrap();
            // Late, when the step that it cuts is made already.
            let mut late = builder(params).build().unwrap();
            late.advance_to(t - 1e-5).unwrap();
            late.schedule(t).unwrap();
            late.advance_to(t).unwrap();
            let expected = force(&mut planned);
            assert_eq!(force(&mut changed), expected, "{method} at {t} s");
            assert_eq!(force(&mut late), expected, "{method} at {t} s");
        }
    }
}

#[test]
fn velocities_within_the_step_of_an_impact_are_those_after_it() {
    let make = || {
        let params = WorldParams { gravity: Vec3::zeros(), ..WorldParams::new(Stepping::default()) };
        let mut builder = builder(params);
        let ball = BodyDef::free(at(5.0, 0.1005)).with(Shape::sphere(0.1).unwrap(), "rubber");
        let ball = builder.body(ball.moving(&[0.0, 0.0, -1.0, 0.0, 0.0, 0.0])).unwrap();
        (builder.build().unwrap(), ball)
    };
    let (mut world, ball) = make();
    world.advance_to(0.01).unwrap();
    let after = world.velocity(ball).z;
    assert!(after > 0.1 && after < 1.0, "{after}");
    let (mut seen, _) = make();
    for k in 1..100 {
        seen.advance_to(1e-4 * f64::from(k)).unwrap();
        let v = seen.velocity(ball).z;
        assert!((v + 1.0).abs() < 1e-9 || (v - after).abs() < 1e-9, "{k}: {v}");
    }
}

#[test]
fn what_is_set_to_what_it_was_changes_nothing() {
    for (method, params) in methods() {
        let mut plain = builder(params).build().unwrap();
        let mut touched = builder(params).build().unwrap();
        for k in 1..=40 {
            let t = 0.0103 * f64::from(k);
            plain.advance_to(t).unwrap();
            touched.advance_to(t).unwrap();
            touched.set_force(BodyId(0), Vec3::zeros(), Vec3::zeros()).unwrap();
            touched.wake(BodyId(0)).unwrap();
        }
        assert_eq!(outcome(&touched), outcome(&plain), "{method}");
    }
}

#[test]
fn a_refused_change_leaves_a_world_within_a_step_as_it_was() {
    for (method, params) in methods() {
        let mut plain = builder(params).build().unwrap();
        let mut refused = builder(params).build().unwrap();
        plain.advance_to(0.4).unwrap();
        for t in [0.0503, 0.14217, 0.31113] {
            refused.advance_to(t).unwrap();
            let before = outcome(&refused);
            let overlapping = BodyDef::free(at(0.0, 0.0)).with(Shape::sphere(0.2).unwrap(), "rubber");
            refused.add_body(overlapping).unwrap_err();
            assert_eq!(outcome(&refused), before, "{method} at {t} s");
        }
        refused.advance_to(0.4).unwrap();
        assert_eq!((refused.hash(), refused.events()), (plain.hash(), plain.events()), "{method}");
    }
}

#[test]
fn an_event_function_stops_a_run_at_the_same_time_however_it_is_cut() {
    for (method, params) in methods() {
        let make = || {
            let mut builder = builder(params);
            let function =
                Arc::new(|view: &zerogap::world::View<'_>| view.pose(BodyId(0)).translation().z - 0.15);
            builder.add_event(EventFunction { function, direction: Direction::Falling, stops: true });
            builder.build().unwrap()
        };
        let mut whole = make();
        assert_eq!(whole.advance_to(0.4).unwrap(), Stop::Stopped, "{method}");
        let mut cut = make();
        let mut k = 0;
        while cut.time() < 0.4 {
            k += 1;
            if cut.advance_to(0.00037 * f64::from(k)).unwrap() == Stop::Stopped {
                break;
            }
            assert!(
                !cut.events().iter().any(|event| matches!(event.what, EventKind::Crossed { .. })),
                "{method}"
            );
        }
        assert_eq!(
            (cut.time().to_bits(), outcome(&cut)),
            (whole.time().to_bits(), outcome(&whole)),
            "{method}"
        );
        for world in [&mut whole, &mut cut] {
            assert_eq!(world.advance_to(0.2).unwrap(), Stop::Reached, "{method}");
        }
        assert_eq!(outcome(&cut), outcome(&whole), "{method}");
    }
}

#[test]
fn the_choice_of_the_integrator_does_not_depend_on_calls() {
    // A soft ball that comes to rest in damped contact, and is struck by another one later: explicit, implicit, and explicit again.
    let make = || {
        let law = NormalLaw::KelvinVoigt { stiffness: 1e6, damping: 3e3 };
        let mut builder = WorldBuilder::new(WorldParams::new(EventLocation::new(ContactModel::Elastic(law))));
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        let ball = |z: f64| {
            let def = BodyDef::free(at(0.0, z)).with(Shape::sphere(0.1).unwrap(), "steel");
            def.with_inertia(Inertia::sphere(1.0, 0.1))
        };
        builder.body(ball(0.2)).unwrap();
        builder.body(ball(20.0)).unwrap();
        builder.build().unwrap()
    };
    let until = 3.0;
    let mut world = make();
    world.advance_to(until).unwrap();
    let whole = (outcome(&world), world.info().method);
    assert!(whole.1.len() >= 3, "{:?}", whole.1);
    let mut cut = make();
    let mut random = Random::new(5);
    for t in random_times(&mut random, 500, until) {
        cut.advance_to(t).unwrap();
    }
    assert_eq!((outcome(&cut), cut.info().method), whole);
    let mut stored = make();
    for t in random_times(&mut random, 100, until) {
        stored.advance_to(t).unwrap();
        let bytes = stored.save().to_bytes().unwrap();
        let mut copy = make();
        let saved = copy.saved_from_bytes(&bytes).unwrap();
        copy.restore(&saved).unwrap();
        stored = copy;
    }
    assert_eq!((outcome(&stored), stored.info().method), whole);
}

#[test]
fn a_landing_does_not_depend_on_its_calls() {
    let (name, text) = built_in().iter().find(|(name, _)| *name == "skid-landing").unwrap();
    let make = || {
        let scene = Scene::parse(text, name, std::path::Path::new("")).unwrap();
        scene.simulation().unwrap()
    };
    let (mut whole, mut cut) = (make(), make());
    whole.advance_to(1.0).unwrap();
    for k in 1..=700 {
        cut.advance_to(f64::from(k) / 700.0).unwrap();
    }
    assert_eq!((cut.hash(), cut.events()), (whole.hash(), whole.events()));
}

#[test]
fn steps_are_one_run_in_every_method() {
    for (method, params) in methods() {
        let make = || builder(params).build().unwrap();
        let (mut whole, mut cut, mut many) = (make(), make(), make());
        whole.advance_to(0.3).unwrap();
        for k in 1..=300 {
            assert_eq!(cut.step().unwrap(), Stop::Reached, "{method}");
            assert_eq!(cut.time().to_bits(), (f64::from(k) * 1e-3).to_bits(), "{method}");
        }
        many.advance_steps(300).unwrap();
        assert_eq!((outcome(&cut), outcome(&many)), (outcome(&whole), outcome(&whole)), "{method}");

        // From a time that is not on the grid, with saving in between.
        let (mut whole, mut cut) = (make(), make());
        whole.advance_to(0.0517 + 200.0 * 1e-3).unwrap();
        cut.advance_to(0.0517).unwrap();
        for _ in 0..200 {
            cut.step().unwrap();
            let mut copy = make();
            copy.restore(&cut.save()).unwrap();
            cut = copy;
        }
        let expected = (whole.hash(), whole.time().to_bits(), whole.events());
        assert_eq!((cut.hash(), cut.time().to_bits(), cut.events()), expected, "{method}");
    }
}
