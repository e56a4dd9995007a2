//! Prescribed motions that carry other bodies by joints, loops and contacts: steps agree with located events.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use zerogap::contact::material::PairProperties;
use zerogap::contact::solve::ImpactLaw;
use zerogap::core::math::cos;
use zerogap::dynamics::multibody::{
    BodyId, Dof, Harmonic, HarmonicMotion, Inertia, Interpolation, Joint, JointKind, Loop, LoopKind, Motor,
    SplineMotion,
};
use zerogap::world::{
    BodyDef, ContactModel, EventLocation, MethodParams, ShapeDef, StepForces, Stepping, World, WorldBuilder,
    WorldParams,
};
use zerogap::{Shape, Vec3};

use super::scenes::{G, STEEL, at, steps};

/// An oscillation of half a hertz that begins at rest at one extreme [m or rad].
fn sway(amplitude: f64) -> Harmonic {
    Harmonic { amplitude, frequency: 0.5, phase: -FRAC_PI_2 }
}

fn prescribed(shift: [Harmonic; 3], turn: [Harmonic; 3]) -> Joint {
    let motion = HarmonicMotion::new(at(0.0, 0.0, 0.0), shift, turn).unwrap();
    Joint::new(None, JointKind::Prescribed(Arc::new(motion)))
}

fn plate(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

fn silvia() -> Stepping {
    Stepping { forces: StepForces::Silvia, ..steps(1e-3) }
}

/// Steps, or rigid events.
fn method(stepping: Option<Stepping>) -> MethodParams {
    let rigid = EventLocation::new(ContactModel::Rigid(ImpactLaw::default()));
    stepping.map_or(rigid.into(), Into::into)
}

/// An empty world with friction of 0.5 that goes by steps, or by rigid events.
fn builder(stepping: Option<Stepping>) -> WorldBuilder {
    let gravity = Vec3::new(0.0, 0.0, -G);
    let mut builder = WorldBuilder::new(WorldParams { gravity, method: method(stepping) });
    let properties = PairProperties { restitution: 0.0, friction: 0.5, ..PairProperties::default() };
    builder.pair(STEEL, STEEL, properties).unwrap();
    builder
}

/// A tray hung 0.2 m below its joint, on a carrier, with a cup that stands on it.
fn add_tray_and_cup(builder: &mut WorldBuilder, joint: Joint, dofs: &[Dof], below: Vec3) -> (BodyId, BodyId) {
    let joint_at = Vec3::new(0.0, 0.0, -0.2);
    let tray = ShapeDef::new(plate(0.4, 0.4, 0.02), STEEL).at(at(0.0, 0.0, -0.2));
    let mut def = BodyDef::new(joint).with_shape(tray);
    for (k, dof) in dofs.iter().enumerate() {
        def = def.with_dof(k, *dof);
    }
    let tray = builder.body(def).unwrap();
    let place = below + joint_at + Vec3::new(0.05, 0.02, 0.01 + 0.025);
    let cup = builder.body(BodyDef::free(at(place.x, place.y, place.z)).with(plate(0.05, 0.05, 0.05), STEEL));
    (tray, cup.unwrap())
}

/// Runs a scene by steps of two lengths and by events; both bodies must end where events say, to `within` metres for a step of 1 ms and a third of it for one of 0.25 ms.
fn agree(name: &str, within: f64, until: f64, scene: impl Fn(Option<Stepping>) -> (World, Vec<BodyId>)) {
    let run = |stepping| {
        let (mut world, bodies) = scene(stepping);
        world.advance_to(until).unwrap();
        let place = |body: &BodyId| world.pose(*body).translation();
        bodies.iter().map(place).collect::<Vec<_>>()
    };
    let exact = run(None);
    for (step, within) in [(1e-3, within), (2.5e-4, within / 3.0)] {
        for (k, (found, exact)) in run(Some(steps(step))).iter().zip(&exact).enumerate() {
            let off = (found - exact).norm();
            assert!(
                off < within,
                "{name}, body {k}, step {step}: {found:?}, by events {exact:?}, off by {off}"
            );
        }
    }
}

/// The base of most scenes: it sways along x and y, heaves and yaws.
fn swaying() -> Joint {
    let still = Harmonic::default();
    prescribed([sway(0.05), sway(0.02), sway(0.02)], [still, still, sway(0.2)])
}

/// Where a swaying base begins.
fn begin() -> Vec3 {
    Vec3::new(-0.05, -0.02, -0.02)
}

fn kinds() -> Vec<(&'static str, JointKind, Vec<Dof>)> {
    let spring = |stiffness: f64, damping: f64| Dof { stiffness, damping, ..Dof::default() };
    let (shift, turn) = (spring(4e4, 400.0), spring(400.0, 10.0));
    vec![
        ("fixed", JointKind::Fixed, vec![]),
        ("revolute", JointKind::Revolute { axis: Vec3::z() }, vec![]),
        ("hinge", JointKind::Revolute { axis: Vec3::y() }, vec![turn]),
        ("prismatic", JointKind::Prismatic { axis: Vec3::new(1.0, 0.5, 0.0) }, vec![]),
        ("lift", JointKind::Prismatic { axis: Vec3::z() }, vec![shift]),
        ("cylindrical", JointKind::Cylindrical { axis: Vec3::y() }, vec![shift, turn]),
        ("universal", JointKind::Universal { first: Vec3::x(), second: Vec3::y() }, vec![turn, turn]),
        ("spherical", JointKind::Spherical, vec![]),
        ("planar", JointKind::Planar { normal: Vec3::z() }, vec![]),
    ]
}

#[test]
fn a_jointed_child_moves_with_its_prescribed_base() {
    for (name, kind, dofs) in kinds() {
        agree(name, 3e-4, 0.9, |stepping| {
            let mut builder = builder(stepping);
            let base = builder.body(BodyDef::new(swaying())).unwrap();
            let joint = Joint::new(Some(base), kind.clone());
            let (tray, cup) = add_tray_and_cup(&mut builder, joint, &dofs, begin());
            (builder.build().unwrap(), vec![tray, cup])
        });
    }
}

#[test]
fn a_grandchild_moves_with_its_prescribed_base() {
    for (name, kind, dofs) in kinds() {
        agree(name, 3e-4, 0.9, |stepping| {
            let mut builder = builder(stepping);
            let base = builder.body(BodyDef::new(swaying())).unwrap();
            let slide = JointKind::Prismatic { axis: Vec3::y() };
            let middle = BodyDef::new(Joint::new(Some(base), slide).parent_frame(at(0.0, 0.0, 0.1)));
            let spring = Dof { stiffness: 1e4, damping: 200.0, ..Dof::default() };
            let block = ShapeDef::new(plate(0.05, 0.05, 0.05), STEEL);
            let middle = builder.body(middle.with_shape(block).with_dof(0, spring)).unwrap();
            let joint = Joint::new(Some(middle), kind.clone()).parent_frame(at(0.0, 0.0, -0.1));
            let (tray, cup) = add_tray_and_cup(&mut builder, joint, &dofs, begin());
            builder.exclude(Some(middle), Some(cup));
            (builder.build().unwrap(), vec![tray, cup])
        });
    }
}

#[test]
fn a_prescribed_wheel_drives_the_cart_that_it_hangs_on() {
    // A wheel of radius 0.1 turns on a strut that slides up and down on a slide along x: it rolls on the floor.
    for forces in [Some(steps(1e-3)), None] {
        let mut builder = builder(forces);
        super::scenes::add_floor(&mut builder);
        let rail = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() }).parent_frame(at(0.0, 0.0, 0.5));
        let cart = builder.body(BodyDef::new(rail).with(plate(0.1, 0.1, 0.1), STEEL)).unwrap();
        let strut =
            Joint::new(Some(cart), JointKind::Prismatic { axis: Vec3::z() }).parent_frame(at(0.0, 0.0, -0.4));
        let strut = builder.body(BodyDef::new(strut).with(plate(0.05, 0.05, 0.05), STEEL)).unwrap();
        let still = Harmonic::default();
        let turning = Joint { parent: Some(strut), ..prescribed([still; 3], [still, sway(1.0), still]) };
        builder.body(BodyDef::new(turning).with(Shape::sphere(0.1).unwrap(), STEEL)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.9).unwrap();
        let rolled = 0.1 * (1.0 - cos(PI * 0.9));
        let x = world.pose(cart).translation().x;
        assert!((x - rolled).abs() < 2e-4, "{forces:?}: {x}, rolled {rolled}");
    }
}

#[test]
fn a_cup_stays_on_a_prescribed_turntable() {
    let scene = |stepping| {
        let mut builder = builder(stepping);
        let still = Harmonic::default();
        let table = BodyDef::new(prescribed([still; 3], [still, still, sway(1.0)]));
        let table = builder.body(table.with(plate(1.0, 1.0, 0.02), STEEL)).unwrap();
        let cup = BodyDef::free(at(0.3, 0.0, 0.035)).with(plate(0.05, 0.05, 0.05), STEEL);
        let cup = builder.body(cup).unwrap();
        (builder.build().unwrap(), vec![table, cup])
    };
    agree("turntable", 1e-5, 0.9, scene);
}

#[test]
fn a_body_looped_to_a_prescribed_one_moves_with_it() {
    let loops = [
        ("point", LoopKind::Point),
        ("revolute", LoopKind::Revolute { axis: Vec3::y() }),
        ("fixed", LoopKind::Fixed),
        ("distance", LoopKind::Distance(0.3)),
    ];
    for (name, kind) in loops {
        let scene = |stepping| {
            let mut builder = builder(stepping);
            let still = Harmonic::default();
            let base = BodyDef::new(prescribed([sway(0.05), still, sway(0.02)], [still; 3]));
            let base = builder.body(base.with(plate(0.1, 0.1, 0.1), STEEL)).unwrap();
            let bob = BodyDef::free(at(-0.05, 0.0, -0.32)).with(plate(0.1, 0.1, 0.1), STEEL);
            let bob = builder.body(bob).unwrap();
            let reach = if name == "distance" { 0.0 } else { 0.3 };
            let (a, b) = (Some(base), Some(bob));
            let closure = Loop { a, frame_a: at(0.0, 0.0, 0.0), b, frame_b: at(0.0, 0.0, reach), kind };
            builder.close(closure).unwrap();
            (builder.build().unwrap(), vec![bob])
        };
        agree(name, 2e-6, 0.9, scene);
    }
}

#[test]
fn overlaps_taken_back_leave_a_body_looped_to_a_prescribed_one_where_it_is() {
    for (name, kind) in [("point", LoopKind::Point), ("fixed", LoopKind::Fixed)] {
        let run = |overlap: Option<f64>| {
            let mut builder = builder(Some(steps(1e-3)));
            builder.set_overlaps(zerogap::world::Overlaps::Allow);
            // The base moves at 0.5 m/s from the start.
            let (times, places) = ([0.0, 1.0], [at(0.0, 0.0, 0.0), at(0.5, 0.0, 0.0)]);
            let motion = SplineMotion::from_poses(&times, &places, Interpolation::Linear).unwrap();
            let base = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
            let base = builder.body(BodyDef::new(base).with(plate(0.1, 0.1, 0.1), STEEL)).unwrap();
            let start = BodyDef::free(at(0.0, 0.0, -0.3)).with(plate(0.1, 0.1, 0.1), STEEL);
            let bob = builder.body(start.moving(&[0.5, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
            let (a, b) = (Some(base), Some(bob));
            let closure = Loop { a, frame_a: at(0.0, 0.0, 0.0), b, frame_b: at(0.0, 0.0, 0.3), kind };
            builder.close(closure).unwrap();
            // Two boxes far away that overlap.
            if let Some(overlap) = overlap {
                for x in [3.0, 3.1 - overlap] {
                    builder.body(BodyDef::free(at(x, 0.0, 0.0)).with(plate(0.1, 0.1, 0.1), STEEL)).unwrap();
                }
            }
            let mut world = builder.build().unwrap();
            let mut places = Vec::new();
            for k in 1..=20 {
                world.advance_to(1e-3 * f64::from(k)).unwrap();
                places.push(world.pose(bob).translation());
            }
            places
        };
        let (alone, beside) = (run(None), run(Some(1e-3)));
        for (k, (one, other)) in alone.iter().zip(&beside).enumerate() {
            assert!((one - other).norm() < 1e-9, "{name}, step {k}: {one:?} and {other:?}");
        }
    }
}

#[test]
fn fingers_on_a_prescribed_palm_lift_a_box() {
    for (method, stepping) in [("steps", Some(steps(1e-3))), ("events", None)] {
        let mut builder = builder(stepping);
        super::scenes::add_floor(&mut builder);
        let properties = PairProperties { restitution: 0.0, friction: 0.8, ..PairProperties::default() };
        builder.pair("rubber", STEEL, properties).unwrap();
        // From 0.12 m to 0.32 m in one second.
        let still = Harmonic::default();
        let lift = Harmonic { amplitude: 0.1, frequency: 0.5, phase: -FRAC_PI_2 };
        let motion = HarmonicMotion::new(at(0.0, 0.0, 0.22), [still, still, lift], [still; 3]).unwrap();
        let palm = Joint::new(None, JointKind::Prescribed(Arc::new(motion)));
        let palm = builder.body(BodyDef::new(palm)).unwrap();
        for side in [-1.0, 1.0] {
            let axis = Vec3::new(-side, 0.0, 0.0);
            let slide = Joint::new(Some(palm), JointKind::Prismatic { axis }).parent_frame(at(
                0.0305 * side,
                0.0,
                -0.06,
            ));
            let dof =
                Dof { motor: Motor::Effort(10.0), lower: Some(0.0), upper: Some(0.05), ..Dof::default() };
            let finger = BodyDef::new(slide).with(plate(0.01, 0.03, 0.08), "rubber").with_dof(0, dof);
            builder.body(finger).unwrap();
        }
        // 0.4 kg, of which friction can hold four times the weight.
        let body = BodyDef::free(at(0.0, 0.0, 0.025));
        let size = 0.05;
        let inertia = Inertia::cuboid(0.4, Vec3::repeat(size));
        let held = builder.body(body.with(plate(size, size, size), STEEL).with_inertia(inertia)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(1.0).unwrap();
        let z = world.pose(held).translation().z;
        assert!((z - 0.225).abs() < 1e-3, "{method}: {z}");
    }
}

#[test]
fn normal_forces_alone_carry_what_a_prescribed_base_lifts() {
    // SiLVIA: a tray hinged on a lift carries a ball in place, without friction.
    let mut builder = builder(Some(silvia()));
    let still = Harmonic::default();
    let base = builder.body(BodyDef::new(prescribed([still, still, sway(0.1)], [still; 3]))).unwrap();
    let joint = Joint::new(Some(base), JointKind::Revolute { axis: Vec3::z() });
    let (tray, cup) = add_tray_and_cup(&mut builder, joint, &[], Vec3::new(0.0, 0.0, -0.1));
    let mut world = builder.build().unwrap();
    world.advance_to(0.9).unwrap();
    let (low, high) = (world.pose(tray).translation().z, world.pose(cup).translation().z);
    assert!((low + 0.1 * cos(PI * 0.9)).abs() < 1e-9, "{low}");
    assert!((high - low - (0.035 - 0.2)).abs() < 1e-6, "{high} on {low}");
}

/// A base that goes along x with half a metre per second for a time, and then stands still.
fn cart(until: f64) -> Joint {
    let poses = [at(0.0, 0.0, 0.0), at(0.5 * until, 0.0, 0.0)];
    let motion = SplineMotion::from_poses(&[0.0, until], &poses, Interpolation::Linear).unwrap();
    Joint::new(None, JointKind::Prescribed(Arc::new(motion)))
}

#[test]
fn a_pendulum_keeps_its_momentum_where_its_base_stops_at_once() {
    // The knot is no multiple of the step.
    for (name, stepping) in [("steps", Some(steps(1e-3))), ("SiLVIA", Some(silvia())), ("events", None)] {
        let mut builder = builder(stepping);
        let base = builder.body(BodyDef::new(cart(0.3137))).unwrap();
        let hinge = Joint::new(Some(base), JointKind::Revolute { axis: Vec3::y() });
        let bar = ShapeDef::new(plate(0.02, 0.02, 0.4), STEEL).at(at(0.0, 0.0, -0.2));
        builder.body(BodyDef::new(hinge).with_shape(bar)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.3137).unwrap();
        assert!(world.velocities()[0].abs() < 1e-12, "{name}: {:?}", world.velocities());
        world.advance_to(0.3137 + 1e-9).unwrap();
        // About the hinge: 0.2 m of arm, and the inertia of a bar about its end.
        let inertia = (0.4 * 0.4 + 0.02 * 0.02) / 12.0 + 0.2 * 0.2;
        let spin = -0.2 * 0.5 / inertia;
        assert!((world.velocities()[0] - spin).abs() < 1e-6, "{name}: {:?}, {spin}", world.velocities());
    }
}

#[test]
fn a_cup_slides_on_a_cart_that_starts_and_stops_at_once() {
    agree("cart", 1e-3, 1.5, |stepping| {
        let mut builder = builder(stepping);
        let shape = ShapeDef::new(plate(2.0, 0.4, 0.02), STEEL);
        let cart = builder.body(BodyDef::new(cart(1.0003)).with_shape(shape)).unwrap();
        let cup = BodyDef::free(at(0.0, 0.0, 0.035)).with(plate(0.05, 0.05, 0.05), STEEL);
        let cup = builder.body(cup).unwrap();
        (builder.build().unwrap(), vec![cart, cup])
    });
}

#[test]
fn a_prescribed_racket_gives_a_ball_its_restitution() {
    for (name, stepping) in [("steps", Some(steps(1e-3))), ("events", None)] {
        let params = WorldParams { gravity: Vec3::zeros(), method: method(stepping) };
        let mut builder = WorldBuilder::new(params);
        let properties = PairProperties { restitution: 0.5, friction: 0.5, ..PairProperties::default() };
        builder.pair(STEEL, STEEL, properties).unwrap();
        let racket = ShapeDef::new(plate(0.02, 0.4, 0.4), STEEL);
        builder.body(BodyDef::new(cart(1.0)).with_shape(racket)).unwrap();
        let ball = BodyDef::free(at(0.2, 0.0, 0.0)).with(Shape::sphere(0.05).unwrap(), STEEL);
        let ball = builder.body(ball).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.6).unwrap();
        let speed = world.velocity(ball).x;
        assert!((speed - 0.75).abs() < 1e-9, "{name}: {speed}");
    }
}

#[test]
fn a_joint_position_outside_its_limits_is_refused_with_joint_position_and_limits() {
    for stepping in [Some(steps(1e-3)), None] {
        for (start, is_inside) in [(0.7, false), (-0.1, false), (0.5, true), (0.5 + 1e-13, true)] {
            let mut builder = builder(stepping);
            let slide = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
            let dof = Dof { lower: Some(0.0), upper: Some(0.5), ..Dof::default() };
            let drawer = BodyDef::new(slide).named("drawer").with(plate(0.1, 0.1, 0.1), STEEL);
            builder.body(drawer.with_dof(0, dof).starting(&[start])).unwrap();
            match builder.build() {
                Ok(_) => assert!(is_inside, "{start}"),
                Err(error) => {
                    let text = error.to_string();
                    let says = ["drawer", &start.to_string(), "0.5"].iter().all(|word| text.contains(word));
                    assert!(!is_inside && says, "{text}");
                }
            }
        }
    }
}

#[test]
fn a_part_stays_where_it_is_on_a_table_that_heaves_and_surges() {
    // Taken by the velocity at the end wherever the table accelerates upwards, it would drift by 0.3 mm/s.
    for (step, within) in [(1e-3, 1e-6), (4e-3, 2e-5)] {
        let mut builder = builder(Some(steps(step)));
        let still = Harmonic::default();
        let swing = |phase: f64| Harmonic { amplitude: 0.05, frequency: 1.0, phase };
        let table = BodyDef::new(prescribed([swing(0.5), still, swing(-FRAC_PI_2)], [still; 3]));
        let table = builder.body(table.with(plate(1.0, 1.0, 0.02), STEEL)).unwrap();
        let x = 0.05 * zerogap::core::math::sin(0.5);
        let cup = BodyDef::free(at(x, 0.0, -0.05 + 0.035)).with(plate(0.05, 0.05, 0.05), STEEL);
        let surge = 0.05 * 2.0 * PI * cos(0.5);
        let cup = builder.body(cup.moving(&[surge, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
        let mut world = builder.build().unwrap();
        let apart = |world: &World| world.pose(cup).translation() - world.pose(table).translation();
        let before = apart(&world);
        for k in 1..=3 {
            world.advance_to(f64::from(k)).unwrap();
            let moved = (apart(&world) - before).norm();
            assert!(moved < within, "step {step}, {k} s: {moved:e}");
        }
    }
}
