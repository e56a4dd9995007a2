//! Elastic contact against closed forms and reference runs.

use zerogap::contact::law::NormalLaw;
use zerogap::contact::material::PairProperties;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

const G: f64 = 9.81;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn params(law: NormalLaw, relative: f64) -> WorldParams {
    WorldParams::new(EventLocation {
        tolerance: Tolerance { relative, absolute: relative * 1e-3 },
        ..EventLocation::new(ContactModel::Elastic(law))
    })
}

#[test]
fn a_ball_rests_at_the_overlap_of_hertz_anywhere_on_the_table() {
    let mut found = Vec::new();
    for (x, y) in [(0.0, 0.0), (0.3, -0.2), (-0.45, 0.47)] {
        let mut builder = WorldBuilder::new(params(NormalLaw::HuntCrossley, 1e-8));
        let table = Shape::cuboid(Vec3::new(1.0, 1.0, 0.1)).unwrap();
        builder.fixed(ShapeDef::new(table, "dry-wood").at(at(0.0, 0.0, -0.05))).unwrap();
        let properties =
            PairProperties { restitution: 0.0, friction: 0.8, rolling: 0.01, ..PairProperties::default() };
        builder.pair("billiard-ball", "dry-wood", properties).unwrap();
        let ball = BodyDef::free(at(x, y, 0.03)).with(Shape::sphere(0.03).unwrap(), "billiard-ball");
        let ball = builder.body(ball).unwrap();
        let mut world = builder.build().unwrap();
        // Without restitution it creeps to its place within about a tenth of a second.
        world.advance_to(4.0).unwrap();
        found.push(0.03 - world.pose(ball).translation().z);
    }
    for overlap in &found {
        assert!((overlap / 1.608_351_225e-6 - 1.0).abs() < 1e-9, "{overlap}");
        assert!((overlap - found[0]).abs() < 1e-12);
    }
}

fn weightless(law: NormalLaw, relative: f64) -> WorldParams {
    WorldParams { gravity: Vec3::zeros(), ..params(law, relative) }
}

#[test]
fn a_bounce_delivers_the_restitution_asked_for() {
    for e in [0.1, 0.5, 0.9, 0.99] {
        let mut builder = WorldBuilder::new(weightless(NormalLaw::HuntCrossley, 1e-11));
        builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
        builder
            .pair(
                "steel",
                "steel",
                PairProperties { restitution: e, friction: 0.3, ..PairProperties::default() },
            )
            .unwrap();
        let ball = BodyDef::free(at(0.0, 0.0, 0.11)).with(Shape::sphere(0.1).unwrap(), "steel");
        let ball = builder.body(ball.moving(&[0.0, 0.0, -1.0, 0.0, 0.0, 0.0])).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.1).unwrap();
        let v = world.velocity(ball).z;
        assert!((v - e).abs() < 1e-8, "{e} {v}");
    }
}

fn bouncing_sphere(law: NormalLaw) -> (World, BodyId) {
    let mut builder = WorldBuilder::new(params(law, 1e-10));
    let floor = Shape::cuboid(Vec3::new(2.0, 2.0, 0.1)).unwrap();
    builder.fixed(ShapeDef::new(floor, "steel").at(at(0.0, 0.0, -0.05))).unwrap();
    let joint = Joint::new(None, JointKind::Prismatic { axis: Vec3::z() }).parent_frame(at(0.0, 0.0, 0.1));
    let ball = BodyDef::new(joint).with(Shape::sphere(0.1).unwrap(), "steel");
    let ball = builder.body(ball.with_inertia(Inertia::sphere(0.001, 0.1)).starting(&[1.0])).unwrap();
    (builder.build().unwrap(), ball)
}

#[test]
fn the_bouncing_sphere_of_modia3d() {
    let (mut world, _) = bouncing_sphere(NormalLaw::Modia3d);
    world.advance_to(2.2).unwrap();
    let (s, v) = (world.positions()[0], world.velocities()[0]);
    assert!((v + 0.441_811_9).abs() < 2e-5 && (s - 3.862_68e-4).abs() < 1e-6, "{s} {v}");
}

#[test]
fn a_box_rests_on_a_box_without_drift() {
    let law = NormalLaw::Linear { stiffness: 1e6, damping_ratio: 1.0 };
    let mut builder = WorldBuilder::new(WorldParams::new(EventLocation {
        tolerance: Tolerance { relative: 1e-5, absolute: 1e-8 },
        ..EventLocation::new(ContactModel::Elastic(law))
    }));
    let cube = Shape::cuboid(Vec3::new(1.0, 1.0, 1.0)).unwrap();
    builder.fixed(ShapeDef::new(cube.clone(), "steel")).unwrap();
    let inertia = Inertia::cuboid(1000.0, Vec3::new(1.0, 1.0, 1.0));
    let top =
        builder.body(BodyDef::free(at(0.0, 0.0, 1.001)).with(cube, "steel").with_inertia(inertia)).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.5).unwrap();
    let p = world.pose(top).translation();
    let sunk = 1.0 - p.z;
    assert!((sunk - 1000.0 * G / 4e6).abs() < 1e-9);
    assert!(p.x.abs() < 1e-12 && p.y.abs() < 1e-12);
    assert!(world.info().steps < 229);
    assert!(world.events().iter().any(|event| matches!(event.what, EventKind::ContactBegin { .. })));
}

#[test]
fn the_bouncing_ellipsoid_of_modia3d() {
    let mut builder = WorldBuilder::new(WorldParams {
        gravity: Vec3::new(0.0, -G, 0.0),
        ..params(NormalLaw::Modia3d, 1e-9)
    });
    let sphere = Shape::sphere(0.75).unwrap();
    builder.fixed(ShapeDef::new(sphere, "steel").at(at(0.0, -0.05, 0.0))).unwrap();
    let ellipsoid = Shape::ellipsoid(Vec3::new(0.05, 0.1, 0.15)).unwrap();
    let body = BodyDef::free(at(0.0, 1.0, 0.0)).with(ellipsoid, "steel");
    let body = builder.body(body.moving(&[0.0, 0.0, 0.0, 5.0, 0.0, -2.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(2.0).unwrap();
    let r = world.pose(body).translation();
    assert!((r - Vec3::new(1.869_998_9, -5.222_327_8, -0.615_434_4)).norm() < 1e-3);
}

#[test]
fn the_cradle_of_modia3d() {
    let mut builder = WorldBuilder::new(params(NormalLaw::Modia3d, 1e-9));
    let (d, length) = (0.02, 0.15);
    let mass = 8000.0 * std::f64::consts::PI / 6.0 * d * d * d;
    for k in 0..5 {
        let pivot = at(0.0, f64::from(k) * 1.01 * d, 0.0);
        let joint = Joint::new(None, JointKind::Revolute { axis: Vec3::x() }).parent_frame(pivot);
        let hung = at(0.0, 0.0, -length);
        let inertia = Inertia { center: Vec3::new(0.0, 0.0, -length), ..Inertia::sphere(mass, 0.5 * d) };
        let shape = ShapeDef::new(Shape::sphere(0.5 * d).unwrap(), "billiard-ball").at(hung);
        let angle = if k == 0 { -std::f64::consts::FRAC_PI_3 } else { 0.0 };
        builder.body(BodyDef::new(joint).with_shape(shape).with_inertia(inertia).starting(&[angle])).unwrap();
    }
    let mut world = builder.build().unwrap();
    world.advance_to(5.0).unwrap();
    let (q, v) = (world.positions(), world.velocities());
    for (got, expected) in [(v[0], -1.180_79), (q[0], -1.033_93), (v[4], 0.049_875_6), (q[4], 0.018_481_5)] {
        assert!((got - expected).abs() < 1e-3, "{got} {expected}");
    }
}

#[test]
fn a_tower_set_down_without_any_load_gets_going() {
    // At the start every contact has a load and a sliding of nothing: sticking and sliding must not take turns for ever.
    for damping_ratio in [0.3, 0.5, 0.9] {
        let law = NormalLaw::Linear { stiffness: 1e6, damping_ratio };
        let params = WorldParams::new(EventLocation::new(ContactModel::Elastic(law)));
        let mut builder = WorldBuilder::new(params);
        let cuboid = |text: &str| text.parse::<Shape>().unwrap();
        builder.fixed(ShapeDef::new(cuboid("box:2,2,0.2"), "steel").at(at(0.0, 0.0, -0.1))).unwrap();
        for k in 0..5 {
            let off = 0.01 * (f64::from(k * 7 % 3) - 1.0);
            let place = at(off, -0.5 * off, 0.1 + 0.2 * f64::from(k));
            let def =
                BodyDef::free(place).named(&format!("box {k}")).with(cuboid("box:0.2,0.2,0.2"), "steel");
            builder.body(def).unwrap();
        }
        let mut world = builder.build().unwrap();
        world.advance_to(0.1).unwrap();
        assert!(world.info().steps < 20_000, "{damping_ratio}: {} steps", world.info().steps);
        assert!(world.events().len() < 2_000, "{damping_ratio}: {} events", world.events().len());
    }
}
