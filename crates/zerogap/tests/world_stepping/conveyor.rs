//! Surfaces that run over their bodies, as of conveyor belts: by steps, by rigid events and by elastic ones.

use std::f64::consts::FRAC_PI_2;

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::multibody::{Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, MethodParams, ShapeDef, StepForces, Stepping, WorldBuilder,
    WorldError, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

use super::scenes::{G, STEEL, at, steps};

/// Speed of the belts [m/s], and friction of everything [-].
const SPEED: f64 = 0.5;
const FRICTION: f64 = 0.4;

fn ways() -> [(&'static str, MethodParams); 3] {
    let rigid = ContactModel::Rigid(ImpactLaw::default());
    [
        ("steps", steps(1e-3).into()),
        ("rigid events", EventLocation::new(rigid).into()),
        ("elastic events", EventLocation::new(ContactModel::Elastic(NormalLaw::HuntCrossley)).into()),
    ]
}

fn builder(method: MethodParams) -> WorldBuilder {
    let gravity = Vec3::new(0.0, 0.0, -G);
    let mut builder = WorldBuilder::new(WorldParams { gravity, method });
    let properties = PairProperties { restitution: 0.0, friction: FRICTION, ..PairProperties::default() };
    builder.pair(STEEL, STEEL, properties).unwrap();
    builder
}

fn belt() -> ShapeDef {
    ShapeDef::new(Shape::cuboid(Vec3::new(4.0, 1.0, 0.1)).unwrap(), STEEL).running(Vec3::new(SPEED, 0.0, 0.0))
}

fn parcel(place: Vec3) -> BodyDef {
    BodyDef::free(at(place.x, place.y, place.z)).with(Shape::cuboid(Vec3::repeat(0.1)).unwrap(), STEEL)
}

#[test]
fn a_belt_takes_a_parcel_up_to_its_speed() {
    for (name, method) in ways() {
        let mut builder = builder(method);
        // Along its own x, which is the world's y.
        let turned = Pose::from_axis_angle(Vec3::new(0.0, 0.0, -0.05), Vec3::z(), FRAC_PI_2).unwrap();
        builder.fixed(belt().at(turned)).unwrap();
        let parcel = builder.body(parcel(Vec3::new(0.0, 0.0, 0.05))).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(1.0).unwrap();
        // It slides until it has the speed, and is then carried along.
        let expected = SPEED - SPEED * SPEED / (2.0 * FRICTION * G);
        let (place, velocity) = (world.pose(parcel).translation(), world.velocity(parcel));
        assert!((place.y - expected).abs() < 5e-4, "{name}: {place:?}, expected {expected}");
        assert!(place.x.abs() < 1e-6 && (velocity.y - SPEED).abs() < 1e-4, "{name}: {place:?}, {velocity:?}");
    }
}

#[test]
fn a_belt_pushes_its_own_body_back() {
    for (name, method) in ways() {
        let mut builder = builder(method);
        let rail =
            Joint::new(None, JointKind::Prismatic { axis: Vec3::x() }).parent_frame(at(0.0, 0.0, -0.05));
        let truck = builder.body(BodyDef::new(rail).with_shape(belt())).unwrap();
        let parcel = builder.body(parcel(Vec3::new(0.0, 0.0, 0.05))).unwrap();
        let mut world = builder.build().unwrap();
        let [one, other] = [truck, parcel].map(|body| world.tree().inertia(body).mass);
        world.advance_to(0.5).unwrap();
        let (back, forth) = (world.velocity(truck).x, world.velocity(parcel).x);
        assert!((forth - back - SPEED).abs() < 1e-4, "{name}: {forth} on {back}");
        assert!((one * back + other * forth).abs() < 1e-6 * one, "{name}: {forth} on {back}");
    }
}

#[test]
fn a_belt_holds_a_parcel_back_on_a_slope() {
    // Up a slope of 10 degrees, which friction holds: the parcel goes up with the belt.
    for (name, method) in ways() {
        let mut builder = builder(method);
        let slope = Pose::from_axis_angle(Vec3::zeros(), Vec3::y(), -0.1745).unwrap();
        builder.fixed(belt().at(slope)).unwrap();
        let on = slope.transform_point(&Vec3::new(0.0, 0.0, 0.1));
        let start = Pose::from_axis_angle(on, Vec3::y(), -0.1745).unwrap();
        let shape = Shape::cuboid(Vec3::repeat(0.1)).unwrap();
        let parcel = builder.body(BodyDef::free(start).with(shape, STEEL)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(1.0).unwrap();
        let along = slope.transform_vector(&Vec3::x()).dot(&world.velocity(parcel));
        assert!((along - SPEED).abs() < 1e-4, "{name}: {along}");
    }
}

#[test]
fn a_surface_velocity_is_refused_where_nothing_rubs() {
    let stepping = Stepping { forces: StepForces::Silvia, ..steps(1e-3) };
    let mut builder = builder(stepping.into());
    builder.fixed(belt()).unwrap();
    let error = builder.build().err().unwrap();
    assert!(matches!(error, WorldError::SurfaceVelocity { .. }), "{error}");
    assert!(error.to_string().contains("friction"), "{error}");
}
