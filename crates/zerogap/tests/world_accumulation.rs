//! Behind accumulation points of impacts, runs at every tolerance come to the same: a ball with its weight off its centre that bounces until it slides, and a block that rocks to rest on two contacts.
//!
//! What is left does not go with the tolerance: the last rebounds, below a billionth of the size, are taken to their end at once.

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::sin_cos;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::Inertia;
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldParams,
};
use zerogap::{Mat3, Pose, Shape, Vec3};

/// Starts of each case [-].
const STARTS: usize = 4;

fn builder(relative: f64, restitution: f64, friction: f64) -> WorldBuilder {
    let tolerance = Tolerance { relative, absolute: 1e-3 * relative };
    let contact = ContactModel::Rigid(ImpactLaw::default());
    let mut builder =
        WorldBuilder::new(WorldParams::new(EventLocation { tolerance, ..EventLocation::new(contact) }));
    let properties = PairProperties { restitution, friction, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    builder
}

/// A ball thrown onto the floor.
fn ball(start: f64, relative: f64) -> World {
    let mut builder = builder(relative, 0.7, 0.1);
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, 0.4 + 0.03 * start)).unwrap();
    let def = BodyDef::free(pose).with(Shape::sphere(0.1).unwrap(), "steel");
    let inertia = Mat3::from_diagonal(&(Vec3::new(0.4, 0.5, 0.7) * 0.01));
    let inertia = Inertia { mass: 1.0, center: Vec3::new(0.01, 0.0, -0.005), inertia };
    builder.body(def.with_inertia(inertia).moving(&[0.3, 0.2, 0.0, 1.0, 4.0, 2.0])).unwrap();
    builder.build().unwrap()
}

/// A block that stands on one edge of its base, falls onto the other and rocks to rest.
fn block(start: f64, relative: f64) -> World {
    let mut builder = builder(relative, 0.3, 0.6);
    let (half, height) = (0.1, 0.3);
    let tilt = 0.12 + 0.005 * start;
    let (sin, cos) = sin_cos(tilt);
    let center = Vec3::new(0.0, 0.0, half * sin + height * cos);
    let pose = Pose::from_axis_angle(center, Vec3::y(), tilt).unwrap();
    let shape = Shape::cuboid(Vec3::new(2.0 * half, 0.3, 2.0 * height)).unwrap();
    builder.body(BodyDef::free(pose).with(shape, "steel")).unwrap();
    builder.build().unwrap()
}

/// The largest difference of positions between a tolerance and another one, over all starts, and how many sequences of impacts were taken to their end.
fn difference(build: fn(f64, f64) -> World, until: f64, tolerances: [f64; 2]) -> (f64, usize) {
    let (mut largest, mut settled) = (0.0_f64, 0);
    for start in 0..STARTS {
        let [run, reference] = tolerances.map(|relative| {
            let mut world = build(start as f64, relative);
            world.advance_to(until).unwrap();
            world
        });
        settled +=
            run.events().iter().filter(|event| matches!(event.what, EventKind::Settled { .. })).count();
        let both = run.positions().iter().zip(reference.positions());
        largest = both.map(|(a, b)| (a - b).abs()).fold(largest, f64::max);
    }
    (largest, settled)
}

#[test]
fn behind_its_accumulation_point_a_ball_is_where_it_is_at_any_tolerance() {
    for relative in [1e-3, 1e-4, 1e-5, 1e-6] {
        let (difference, settled) = difference(ball, 6.0, [relative, 1e-9]);
        assert!(settled >= STARTS && difference < 2e-7, "{relative:e}: {difference:e} m, {settled} settled");
    }
}

#[test]
fn a_block_that_has_rocked_to_rest_is_where_it_is_at_any_tolerance() {
    for relative in [1e-3, 1e-4, 1e-5] {
        let (difference, settled) = difference(block, 1.5, [relative, 1e-6]);
        assert!(settled >= STARTS && difference < 1e-9, "{relative:e}: {difference:e} m, {settled} settled");
    }
}

#[test]
fn a_block_that_rocks_comes_to_rest_at_any_tolerance() {
    for relative in [1e-4, 1e-6, 1e-8] {
        let mut world = block(0.0, relative);
        world.advance_to(3.0).unwrap();
        let info = world.info();
        assert!(world.fastest() < 1e-12, "{relative:e}: {} m/s", world.fastest());
        // It rocked on without end before, with 28,000 impacts a second: each time that both edges were held, what held them made the block slide, and friction made it tip.
        assert!(info.events < 2_000, "{relative:e}: {} events", info.events);
    }
}
