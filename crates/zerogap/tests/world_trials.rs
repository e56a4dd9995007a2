//! What a run must not depend on: how many zero-crossing functions there are, trial states, saving, threads and where it is interrupted.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::{Material, PairProperties};
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::integrate::{Dop853, Integrator, IntegratorKind, Radau, Rejecting, Tolerance};
use zerogap::dynamics::multibody::{Dof, Joint, JointKind, Motor};
use zerogap::world::{
    BodyDef, ContactModel, Event, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldParams,
    ZeroFunctions,
};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::random::Random;

const ELASTIC: ContactModel = ContactModel::Elastic(NormalLaw::HuntCrossley);

fn rigid() -> ContactModel {
    ContactModel::Rigid(ImpactLaw::default())
}

fn events(contact: ContactModel) -> EventLocation {
    EventLocation { integrator: IntegratorKind::Dop853, ..EventLocation::new(contact) }
}

fn params(contact: ContactModel) -> WorldParams {
    WorldParams::new(events(contact))
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// A box that slides, a ball that bounces and a tilted box that falls, on a floor of something soft.
fn scene(params: WorldParams) -> World {
    let mut builder = WorldBuilder::new(params);
    builder.material("soft", Material { young_modulus: 1e7, poisson_ratio: 0.4, density: 1000.0 }).unwrap();
    let properties =
        PairProperties { restitution: 0.5, friction: 0.3, rolling: 0.01, ..PairProperties::default() };
    builder.pair("soft", "soft", properties).unwrap();
    let floor = Shape::cuboid(Vec3::new(4.0, 4.0, 0.2)).unwrap();
    builder.fixed(ShapeDef::new(floor, "soft").at(at(0.0, 0.0, -0.1))).unwrap();
    let cube = Shape::cuboid(Vec3::new(0.1, 0.12, 0.08)).unwrap();
    let sliding = BodyDef::free(at(-0.3, 0.0, 0.0401)).with(cube.clone(), "soft");
    builder.body(sliding.moving(&[0.4, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    builder.body(BodyDef::free(at(0.0, 0.3, 0.08)).with(Shape::sphere(0.05).unwrap(), "soft")).unwrap();
    let tilted = Pose::from_axis_angle(Vec3::new(0.1, -0.3, 0.1), Vec3::new(1.0, 0.5, 0.2), 0.4).unwrap();
    builder.body(BodyDef::free(tilted).with(cube, "soft")).unwrap();
    builder.build().unwrap()
}

fn without_functions(world: &World) -> Vec<Event> {
    let is_kept = |event: &&Event| !matches!(event.what, EventKind::MoreFunctions { .. });
    world.events().iter().filter(is_kept).cloned().collect()
}

/// Five balls of different sizes that reach the floor one soon after another, and three that do so at one instant.
fn many_near(functions: ZeroFunctions) -> World {
    let mut builder = WorldBuilder::new(WorldParams::new(EventLocation { functions, ..events(ELASTIC) }));
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "rubber")).unwrap();
    for (k, (gap, radius)) in
        [(0.02, 0.03), (0.0201, 0.04), (0.02, 0.03), (0.0205, 0.05), (0.02, 0.03)].into_iter().enumerate()
    {
        let start = at(0.2 * k as f64, 0.0, gap + radius);
        builder.body(BodyDef::free(start).with(Shape::sphere(radius).unwrap(), "rubber")).unwrap();
    }
    let mut world = builder.build().unwrap();
    world.advance_to(0.25).unwrap();
    world
}

#[test]
fn too_few_zero_crossing_functions_are_noticed_and_change_nothing() {
    let many = many_near(ZeroFunctions::Smallest(100));
    assert_eq!(many.info().redone, 0);
    let expected = without_functions(&many);
    assert!(
        expected.iter().filter(|event| matches!(event.what, EventKind::ContactBegin { .. })).count() >= 5
    );
    for functions in [ZeroFunctions::Smallest(1), ZeroFunctions::Smallest(2), ZeroFunctions::Two] {
        let few = many_near(functions);
        let found = without_functions(&few);
        // The same events in the same order. Times differ by roundings: the locator tries other times when it looks at other functions.
        assert_eq!(found.len(), expected.len(), "{functions:?}");
        for (a, b) in found.iter().zip(&expected) {
            assert_eq!(std::mem::discriminant(&a.what), std::mem::discriminant(&b.what), "{a:?} {b:?}");
            assert!((a.t - b.t).abs() < 1e-12, "{a:?} {b:?}");
        }
        let states = few.positions().iter().zip(many.positions());
        let off = states.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-12, "{functions:?}: {off:e}");
        // It is logged where there were too few, and only there.
        let logged =
            few.events().iter().filter(|e| matches!(e.what, EventKind::MoreFunctions { .. })).count();
        assert_eq!(logged, few.info().redone);
        assert_eq!(logged > 0, functions != ZeroFunctions::Two, "{functions:?}");
    }
}

#[test]
fn a_pair_that_touches_first_without_being_watched_is_not_left_to_overlap() {
    // The nearer ball is slower: by the smallest gap alone it has the only place.
    let run = |functions| {
        let method = EventLocation { functions, ..events(ELASTIC) }.into();
        let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), method });
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "rubber")).unwrap();
        for (x, gap, speed) in [(0.0, 0.01, 0.25), (1.0, 0.02, 5.0)] {
            let ball = BodyDef::free(at(x, 0.0, 0.1 + gap)).with(Shape::sphere(0.1).unwrap(), "rubber");
            builder.body(ball.moving(&[0.0, 0.0, -speed, 0.0, 0.0, 0.0])).unwrap();
        }
        let mut world = builder.build().unwrap();
        world.advance_to(0.1).unwrap();
        world
    };
    let world = run(ZeroFunctions::Smallest(1));
    let touched: Vec<f64> = world
        .events()
        .iter()
        .filter(|event| matches!(event.what, EventKind::ContactBegin { .. }))
        .map(|event| event.t)
        .collect();
    assert!((touched[0] - 0.004).abs() < 1e-12 && (touched[1] - 0.04).abs() < 1e-12, "{touched:?}");
    assert!(world.info().redone > 0);
    // Rubber gives back less than it got.
    assert!(world.fastest() < 5.0 && world.fastest() > 3.0, "{}", world.fastest());
}

#[test]
fn trial_states_that_are_rejected_leave_no_trace() {
    let tolerance = Tolerance::default();
    for contact in [ELASTIC, rigid(), ContactModel::Elastic(NormalLaw::Modia3d)] {
        for is_implicit in [false, true] {
            let method = || -> Box<dyn Integrator> {
                if is_implicit { Box::new(Radau::new(tolerance)) } else { Box::new(Dop853::new(tolerance)) }
            };
            let rejecting = |seed| -> Box<dyn Integrator> {
                if is_implicit {
                    Box::new(Rejecting::new(Radau::new(tolerance), 3, 0.05, seed))
                } else {
                    Box::new(Rejecting::new(Dop853::new(tolerance), 3, 0.05, seed))
                }
            };
            let mut plain = scene(params(contact));
            plain.set_integrator(method());
            plain.advance_to(0.3).unwrap();
            for seed in [1, 2] {
                let mut tried = scene(params(contact));
                tried.set_integrator(rejecting(seed));
                tried.advance_to(0.3).unwrap();
                assert_eq!(tried.hash(), plain.hash(), "{contact:?} {is_implicit}");
                assert_eq!(tried.events(), plain.events());
                assert!(tried.info().rejected > plain.info().rejected + 2 * plain.info().steps);
            }
            assert!(plain.events().len() > 5, "{:?}", plain.events());
        }
    }
}

#[test]
fn a_saved_run_goes_on_with_the_same_bits() {
    let mut random = Random::new(5);
    for contact in [ELASTIC, rigid()] {
        for integrator in [IntegratorKind::Dop853, IntegratorKind::Auto] {
            for _ in 0..zerogap_testkit::count(3, 40) {
                let (first, last) = (0.3 * random.unit(), 0.4);
                let mut world = scene(WorldParams::new(EventLocation { integrator, ..events(contact) }));
                world.advance_to(first).unwrap();
                let saved = world.save();
                world.advance_to(last).unwrap();
                let (hash, events) = (world.hash(), world.events().to_vec());
                world.restore(&saved).unwrap();
                assert_eq!(world.time().to_bits(), first.to_bits());
                world.advance_to(last).unwrap();
                assert_eq!((world.hash(), world.events()), (hash, &events[..]), "{contact:?} from {first}");
            }
        }
    }
}

#[test]
fn threads_and_repetition_change_no_bit() {
    let run = || {
        let mut world = scene(params(ELASTIC));
        world.advance_to(0.3).unwrap();
        (world.hash(), world.events().to_vec())
    };
    let expected = run();
    assert_eq!(run(), expected);
    for threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(run), expected, "{threads} threads");
    }
}

#[test]
fn a_run_in_pieces_agrees_with_one_in_one_go() {
    let tight = Tolerance { relative: 1e-10, absolute: 1e-13 };
    let mut random = Random::new(9);
    for contact in [ELASTIC, rigid()] {
        let mut whole = scene(WorldParams::new(EventLocation { tolerance: tight, ..events(contact) }));
        whole.advance_to(0.15).unwrap();
        let mut pieces = scene(WorldParams::new(EventLocation { tolerance: tight, ..events(contact) }));
        while pieces.time() < 0.15 {
            pieces.advance_to((pieces.time() + 0.02 * random.unit()).min(0.15)).unwrap();
        }
        let off =
            whole.positions().iter().zip(pieces.positions()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-8, "{contact:?}: {off:e}");
        assert_eq!(whole.events().len(), pieces.events().len());
    }
}

#[test]
fn motor_targets_and_scheduled_times_are_met_exactly() {
    let mut builder = WorldBuilder::new(WorldParams { gravity: Vec3::zeros(), ..params(ELASTIC) });
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
    let cart = BodyDef::new(joint).with(Shape::cuboid(Vec3::repeat(0.1)).unwrap(), "steel");
    let force = Motor::Effort;
    let cart = builder.body(cart.with_dof(0, Dof { motor: force(8.0), ..Dof::default() })).unwrap();
    let mut world = builder.build().unwrap();
    world.schedule(0.25).unwrap();
    // 8 kg with 8 N for half a second, then 16 N for another half.
    world.advance_to(0.5).unwrap();
    assert!((world.positions()[0] - 0.125).abs() < 1e-12 && (world.velocities()[0] - 0.5).abs() < 1e-12);
    world.set_motor(cart, 0, force(16.0)).unwrap();
    world.advance_to(1.0).unwrap();
    assert!((world.positions()[0] - 0.625).abs() < 1e-12 && (world.velocities()[0] - 1.5).abs() < 1e-12);
    assert_eq!(world.time().to_bits(), 1.0_f64.to_bits());
    let scheduled: Vec<f64> = world
        .events()
        .iter()
        .filter(|event| event.what == EventKind::Scheduled)
        .map(|event| event.t)
        .collect();
    assert_eq!(scheduled, [0.25]);
}
