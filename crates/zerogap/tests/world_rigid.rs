//! Rigid contact against closed forms.

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::dynamics::integrate::Tolerance;
use zerogap::dynamics::multibody::{BodyId, Inertia};
use zerogap::world::{
    BodyDef, ContactModel, EventKind, EventLocation, ShapeDef, World, WorldBuilder, WorldParams,
};
use zerogap::{Pose, Shape, Vec3};

const G: f64 = 9.81;

fn rigid(restitution: f64, friction: f64) -> WorldBuilder {
    let params = WorldParams::new(EventLocation::new(ContactModel::Rigid(ImpactLaw::default())));
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution, friction, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    builder
}

fn floor(builder: &mut WorldBuilder) {
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
}

fn bouncing(restitution: f64) -> (World, BodyId) {
    let mut builder = rigid(restitution, 0.0);
    floor(&mut builder);
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.1)).unwrap();
    let ball = builder.body(BodyDef::free(start).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    (builder.build().unwrap(), ball)
}

#[test]
fn a_bouncing_ball_hits_when_it_must_and_comes_to_rest() {
    let (mut world, ball) = bouncing(0.9);
    world.advance_to(10.0).unwrap();
    let impacts: Vec<f64> = world
        .events()
        .iter()
        .filter(|event| matches!(event.what, EventKind::ContactBegin { .. }))
        .map(|event| event.t)
        .collect();
    for (k, expected) in [(0, 0.451_523_641), (1, 1.264_266_195), (2, 1.995_734_493), (5, 3.779_785_673)] {
        assert!((impacts[k] - expected).abs() < 1e-9, "{k}: {} {expected}", impacts[k]);
    }
    let settled = world.events().iter().find_map(|event| match event.what {
        EventKind::Settled { limit, .. } => Some(limit),
        _ => None,
    });
    assert!((settled.unwrap() - 8.578_949_179).abs() < 1e-9, "{settled:?}");
    assert!((world.pose(ball).translation().z - 0.1).abs() < 1e-12);
    assert!(world.velocity(ball).norm() < 1e-12);
    assert!((world.contacts()[0].normal_force / (world.tree().inertia(ball).mass * G) - 1.0).abs() < 1e-12);
}

#[test]
fn impacts_are_known_to_a_nanosecond_up_to_the_last_bounce_at_any_tolerance() {
    for (restitution, radius, height) in
        [(0.9, 0.1, 1.0), (0.7, 0.1, 1.0), (0.95, 0.02, 3.0), (0.8, 1.0, 0.5)]
    {
        for relative in [1e-4, 1e-7, 1e-10] {
            let params = WorldParams::new(EventLocation {
                tolerance: Tolerance { relative, absolute: relative * 1e-3 },
                ..EventLocation::new(ContactModel::Rigid(ImpactLaw::default()))
            });
            let mut builder = WorldBuilder::new(params);
            let properties = PairProperties { restitution, friction: 0.0, ..PairProperties::default() };
            builder.pair("steel", "steel", properties).unwrap();
            floor(&mut builder);
            let start = Pose::from_translation(Vec3::new(0.0, 0.0, radius + height)).unwrap();
            builder.body(BodyDef::free(start).with(Shape::sphere(radius).unwrap(), "steel")).unwrap();
            let mut world = builder.build().unwrap();
            let fall = (2.0 * height / G).sqrt();
            world.advance_to(1.1 * fall * (1.0 + restitution) / (1.0 - restitution)).unwrap();
            // Impacts that end a flight of more than 0.1 ms, at least.
            let (mut due, mut last) = (1, 2.0 * restitution * fall);
            while last > 1e-4 {
                (due, last) = (due + 1, restitution * last);
            }
            let mut expected = fall;
            let mut flight = 2.0 * restitution * fall;
            let (mut worst, mut count) = (0.0_f64, 0);
            for event in world.events() {
                if let EventKind::ContactBegin { .. } = event.what {
                    worst = worst.max((event.t - expected).abs());
                    expected += flight;
                    flight *= restitution;
                    count += 1;
                }
            }
            println!(
                "restitution {restitution}, radius {radius} m, rtol {relative:e}: {count} impacts, off by {worst:.1e} s"
            );
            assert!(worst < 1e-9, "{restitution} {radius} {relative}: {worst}");
            assert!(count >= due, "{restitution} {radius} {relative}: {count} impacts of {due} or more");
        }
    }
}

/// A free ball of radius `r` that touches the floor at the origin, with velocities.
fn ball_on_floor(builder: &mut WorldBuilder, r: f64, velocities: &[f64]) -> BodyId {
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, r)).unwrap();
    builder.body(BodyDef::free(start).with(Shape::sphere(r).unwrap(), "steel").moving(velocities)).unwrap()
}

#[test]
fn a_sliding_ball_begins_to_roll_when_it_must() {
    let mut builder = rigid(0.0, 0.2);
    floor(&mut builder);
    let ball = ball_on_floor(&mut builder, 0.1, &[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let mut world = builder.build().unwrap();
    world.advance_to(1.0).unwrap();
    let stuck = world.events().iter().find(|event| matches!(event.what, EventKind::Stick { .. })).unwrap();
    assert!((stuck.t - 0.728_119_994).abs() < 1e-8, "{}", stuck.t);
    let expected = 3.120_514_261 + 25.0 / 7.0 * (1.0 - 0.728_119_994);
    assert!((world.pose(ball).translation().x - expected).abs() < 1e-8);
    assert!((world.velocity(ball).x - 25.0 / 7.0).abs() < 1e-10);
    assert!((world.pose(ball).translation().z - 0.1).abs() < 1e-12);
}

/// A box or ball on a plane that falls along x, by turning gravity.
fn inclined(tangent: f64, friction: f64) -> WorldBuilder {
    let (s, c) = (tangent / (1.0 + tangent * tangent).sqrt(), 1.0 / (1.0 + tangent * tangent).sqrt());
    let params = WorldParams {
        gravity: Vec3::new(G * s, 0.0, -G * c),
        ..WorldParams::new(EventLocation {
            tolerance: Tolerance { relative: 1e-9, absolute: 1e-12 },
            ..EventLocation::new(ContactModel::Rigid(ImpactLaw::default()))
        })
    };
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution: 0.0, friction, ..PairProperties::default() };
    builder.pair("steel", "steel", properties).unwrap();
    floor(&mut builder);
    builder
}

#[test]
fn a_block_on_an_incline_sticks_below_the_friction_angle_and_slides_above() {
    for (f, expected) in [(0.5, 0.0), (0.99, 0.0), (1.01, 0.087_567_473), (1.1, 0.859_567_806)] {
        let mut builder = inclined(0.5 * f, 0.5);
        let start = Pose::from_translation(Vec3::new(0.0, 0.0, 0.1)).unwrap();
        let block = Shape::cuboid(Vec3::new(0.4, 0.3, 0.2)).unwrap();
        let block = builder.body(BodyDef::free(start).with(block, "steel")).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(2.0).unwrap();
        let at = world.pose(block).translation();
        let tolerance = if expected == 0.0 { 1e-10 } else { 1e-8 };
        assert!((at.x - expected).abs() < tolerance, "f {f}: {} {expected}", at.x);
        assert!(at.y.abs() < 1e-10 && (at.z - 0.1).abs() < 1e-10, "{at:?}");
    }
}

#[test]
fn a_ball_on_an_incline_rolls_or_slides() {
    for (tangent, friction) in [(0.5, 0.2), (0.5, 0.1), (1.0, 0.3), (1.0, 0.2)] {
        let mut builder = inclined(tangent, friction);
        let ball = ball_on_floor(&mut builder, 0.1, &[0.0; 6]);
        let mut world = builder.build().unwrap();
        world.advance_to(1.0).unwrap();
        let (s, c) = (tangent / (1.0 + tangent * tangent).sqrt(), 1.0 / (1.0 + tangent * tangent).sqrt());
        let rolls = friction >= 2.0 / 7.0 * tangent;
        let a = if rolls { 5.0 / 7.0 * G * s } else { G * (s - friction * c) };
        let alpha = if rolls { a / 0.1 } else { 5.0 * friction * G * c / 0.2 };
        assert!(
            (world.velocity(ball).x - a).abs() < 1e-10,
            "{tangent} {friction}: {}",
            world.velocity(ball).x - a
        );
        assert!((world.angular_velocity(ball).y - alpha).abs() < 1e-9 * alpha);
    }
}

#[test]
fn a_cradle_hands_its_speed_on() {
    let mut builder = rigid(1.0, 0.0);
    let balls: Vec<BodyId> = (0..5)
        .map(|k| {
            let start = Pose::from_translation(Vec3::new(0.21 * f64::from(k), 0.0, 0.0)).unwrap();
            let v = if k == 0 { 1.0 } else { 0.0 };
            let def = BodyDef::free(start).with(Shape::sphere(0.1).unwrap(), "steel");
            builder.body(def.moving(&[v, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap()
        })
        .collect();
    let mut world = builder.build().unwrap();
    let before = world.energy().kinetic;
    world.advance_to(1.0).unwrap();
    for (k, ball) in balls.iter().enumerate() {
        let v = world.velocity(*ball);
        let expected = if k == 4 { 1.0 } else { 0.0 };
        // Gravity pulls all of them down alike.
        assert!((v.x - expected).abs() < 1e-10 && v.y.abs() < 1e-10, "{k}: {v:?}");
    }
    let after = world.energy();
    assert!((after.kinetic + after.gravity - before).abs() < 1e-10 * before);
}

#[test]
fn forty_nine_balls_bounce_without_loss() {
    let mut builder = rigid(1.0, 0.0);
    floor(&mut builder);
    for k in 0..49 {
        let at = Vec3::new(0.3 * f64::from(k % 7), 0.3 * f64::from(k / 7), 5.0);
        let def =
            BodyDef::free(Pose::from_translation(at).unwrap()).with(Shape::sphere(0.1).unwrap(), "steel");
        builder.body(def.with_inertia(Inertia::sphere(10.0, 0.1))).unwrap();
    }
    let mut world = builder.build().unwrap();
    let before = world.energy().total();
    assert!((before - 24_034.5).abs() < 1e-9);
    world.advance_to(20.0).unwrap();
    assert!(
        (world.energy().total() / before - 1.0).abs() < 1e-10,
        "{}",
        world.energy().total() / before - 1.0
    );
}

#[test]
fn a_rolling_disc_keeps_its_inclination() {
    // Thin disc of radius a inclined by α, its centre at rest, the rim rolling: W² sin α = 4 g / a about the vertical.
    let (a, alpha) = (0.5_f64, 0.5_f64);
    let (s, c) = (zerogap::core::math::sin(alpha), zerogap::core::math::cos(alpha));
    let w = (4.0 * G / (a * s)).sqrt();
    let mut builder = rigid(0.0, 1e3);
    floor(&mut builder);
    // The disc's axis is turned by α from the vertical; its lowest point is at a sin α below the centre.
    let thickness = 1e-9;
    let start =
        Pose::from_axis_angle(Vec3::new(0.0, 0.0, a * s + 0.5 * thickness * c), Vec3::y(), alpha).unwrap();
    // Centre at rest and rolling: the angular velocity is along the diameter through the contact, W sin α in that direction.
    let omega = start.inverse_transform_vector(&Vec3::new(-c, 0.0, s));
    let lean = w * s;
    let m = 1.0;
    let inertia = Inertia {
        mass: m,
        center: Vec3::zeros(),
        inertia: zerogap::Mat3::from_diagonal(&Vec3::new(0.25, 0.25, 0.5)) * (m * a * a),
    };
    let def =
        BodyDef::free(start).with(Shape::cylinder(a, thickness).unwrap(), "steel").with_inertia(inertia);
    let disc =
        builder.body(def.moving(&[0.0, 0.0, 0.0, lean * omega.x, lean * omega.y, lean * omega.z])).unwrap();
    let mut world = builder.build().unwrap();
    let energy = world.energy().total() - m * G * 0.5 * thickness * c;
    assert!((energy - 1.5 * m * G * a * s).abs() < 1e-6);
    world.advance_to(2.0).unwrap();
    let axis = world.pose(disc).transform_vector(&Vec3::z());
    let at = world.pose(disc).translation();
    assert!((zerogap::core::math::acos(axis.z) - alpha).abs() < 1e-6);
    assert!(at.x.abs() < 1e-6 && at.y.abs() < 1e-6);
}

#[test]
fn boxes_that_tumble_on_a_floor_never_sink_in() {
    let mut random = zerogap::core::random::Random::new(3);
    let half = Vec3::new(0.05, 0.03, 0.02);
    let corners: Vec<Vec3> = (0..8)
        .map(|k| Vec3::from_fn(|axis, _| if k >> axis & 1 == 0 { -half[axis] } else { half[axis] }))
        .collect();
    for case in 0..24 {
        let mut builder = rigid(0.3, 0.5);
        if case % 3 == 0 {
            floor(&mut builder);
        } else {
            let plate = Shape::cuboid(Vec3::new(6.0, 2.0, 0.1)).unwrap();
            let at = Pose::from_translation(Vec3::new(0.0, 0.0, -0.05)).unwrap();
            let belt = if case % 3 == 1 { Vec3::zeros() } else { Vec3::new(0.2, 0.0, 0.0) };
            builder.fixed(ShapeDef::new(plate, "steel").at(at).running(belt)).unwrap();
        }
        let start = Pose::new(Vec3::new(0.0, 0.0, 0.15), random.quaternion_xyzw()).unwrap();
        let moving = BodyDef::free(start).with(Shape::cuboid(2.0 * half).unwrap(), "steel");
        builder.body(moving).unwrap();
        let frames = builder.build().unwrap().record_to(1.0, 0.005).unwrap();
        let lowest = |pose: &Pose| corners.iter().map(|p| pose.transform_point(p).z).fold(1.0, f64::min);
        let deepest = frames.iter().map(|frame| lowest(&frame.poses[0])).fold(1.0, f64::min);
        // A millionth of the size, as the tolerance.
        assert!(deepest > -1e-7, "case {case}: {deepest} m");
    }
}
