//! Rolling, spinning, static and directed friction by steps: closed forms, and no energy out of nothing.

use zerogap::contact::material::{DirectedFriction, PairProperties};
use zerogap::core::math::{atan, cos, sin};
use zerogap::core::random::Random;
use zerogap::dynamics::multibody::{BodyId, Dof, Joint, JointKind, Motor};
use zerogap::scene::Scene;
use zerogap::world::{BodyDef, ShapeDef, Stepping, World, WorldBuilder, WorldParams};
use zerogap::{Pose, Shape, Vec3};
use zerogap_testkit::count;

use crate::scenes::{G, Kind, STEEL, add_bodies, add_floor, add_half_space, at, steps};

/// The material of floors, where it is another than that of bodies.
const FLOOR: &str = "concrete";

/// An empty world in which gravity points down a slope of a given inclination, towards a direction in the plane.
fn sloped(properties: PairProperties, step: f64, slope: f64, downhill: Vec3) -> WorldBuilder {
    let angle = atan(slope);
    let gravity = (downhill * sin(angle) - Vec3::z() * cos(angle)) * G;
    let mut builder = WorldBuilder::new(WorldParams { gravity, ..WorldParams::new(steps(step)) });
    builder.pair(STEEL, STEEL, PairProperties { restitution: 0.0, ..properties }).unwrap();
    builder
}

fn ball(properties: PairProperties, slope: f64, velocity: [f64; 6]) -> World {
    let mut builder = sloped(properties, 1e-3, slope, Vec3::x());
    add_floor(&mut builder);
    let def = BodyDef::free(at(0.0, 0.0, 0.1)).with(Shape::sphere(0.1).unwrap(), STEEL);
    builder.body(def.moving(&velocity)).unwrap();
    builder.build().unwrap()
}

fn block(properties: PairProperties, (slope, downhill): (f64, Vec3), velocity: Vec3) -> World {
    let mut builder = sloped(properties, 1e-3, slope, downhill);
    add_floor(&mut builder);
    let def = BodyDef::free(at(0.0, 0.0, 0.05)).with(Shape::cuboid(Vec3::new(0.4, 0.4, 0.1)).unwrap(), STEEL);
    builder.body(def.moving(&[velocity.x, velocity.y, velocity.z, 0.0, 0.0, 0.0])).unwrap();
    builder.build().unwrap()
}

fn resting(friction: f64, rolling: f64, spinning: f64) -> PairProperties {
    PairProperties { friction, rolling, spinning, ..PairProperties::default() }
}

#[test]
fn a_ball_rolls_out_over_the_distance_of_its_resistance_and_stays() {
    // The torque about the contact point is c R m g, with the coefficient c and the effective radius R of the ball on a plane; the inertia about it (2/5 + 1) m R². So the ball slows by 5/7 c g, and rolls 7 v² / (10 c g).
    let (rolling, speed) = (0.05, 1.0);
    let mut world = ball(resting(0.5, rolling, 0.0), 0.0, [speed, 0.0, 0.0, 0.0, speed / 0.1, 0.0]);
    world.advance_to(1.0).unwrap();
    let expected = speed - 5.0 / 7.0 * rolling * G;
    assert!((world.velocities()[0] - expected).abs() < 1e-9, "{} {expected}", world.velocities()[0]);
    world.advance_to(3.0).unwrap();
    let (reached, distance) = (world.positions()[0], 0.7 * speed * speed / (rolling * G));
    println!("rolled out: {reached} m, closed form {distance} m");
    assert!((reached - distance).abs() < 1e-6, "{reached} {distance}");
    assert!(world.velocities().iter().all(|v| v.abs() < 1e-11), "{:?}", world.velocities());
    world.advance_to(4.0).unwrap();
    assert!((world.positions()[0] - reached).abs() < 1e-10, "it creeps");
}

#[test]
fn a_ball_holds_on_slopes_below_its_coefficient_and_rolls_on_steeper_ones() {
    // It begins to roll where the weight's torque about the contact, m g sin R, is above c R m g cos: where the slope is above c.
    let mut held = ball(resting(0.5, 0.05, 0.0), 0.0499, [0.0; 6]);
    held.advance_to(2.0).unwrap();
    assert!(held.positions()[0].abs() < 1e-9, "it creeps by {} m", held.positions()[0]);
    for slope in [0.0501, 0.1, 0.3] {
        let mut rolls = ball(resting(0.5, 0.05, 0.0), slope, [0.0; 6]);
        rolls.advance_to(0.5).unwrap();
        let angle = atan(slope);
        let expected = 0.5 * 5.0 / 7.0 * G * (sin(angle) - 0.05 * cos(angle));
        assert!(
            (rolls.velocities()[0] - expected).abs() < 1e-8,
            "{slope}: {} {expected}",
            rolls.velocities()[0]
        );
    }
}

#[test]
fn a_spinning_ball_stops_after_the_time_of_its_resistance() {
    // The torque about the normal is s mu m g with the length s, so that the spin ends after I w / (s mu m g), with I = 2/5 m R².
    let (spinning, friction, spin) = (2e-3, 0.4, 5.0);
    let mut world = ball(resting(friction, 0.0, spinning), 0.0, [0.0, 0.0, 0.0, 0.0, 0.0, spin]);
    let slows = spinning * friction * G / (0.4 * 0.01);
    let stops = spin / slows;
    println!("spin stops after {stops} s");
    for t in [0.3 * stops, 0.9 * stops] {
        world.advance_to(t).unwrap();
        assert!((world.velocities()[5] - (spin - slows * t)).abs() < 1e-8, "{t}: {:?}", world.velocities());
    }
    world.advance_to(stops - 2e-3).unwrap();
    assert!(world.velocities()[5] > 1e-3);
    world.advance_to(stops + 2e-3).unwrap();
    assert!(world.velocities()[5].abs() < 1e-9, "{:?}", world.velocities());
    assert!(world.positions()[0].abs() < 1e-12, "it stays where it is");
}

/// A box in the pinch of two round tips, 100 N each, under a torque about the axis of the pinch.
fn pinched(spinning: f64, torque: f64, patch: f64) -> (World, BodyId) {
    let params = WorldParams { gravity: Vec3::new(0.0, 0.0, -G), ..WorldParams::new(steps(1e-3)) };
    let mut builder = WorldBuilder::new(params);
    let properties = PairProperties { restitution: 0.0, ..resting(0.5, 0.0, spinning) };
    builder.pair(STEEL, STEEL, properties).unwrap();
    let tip = Shape::sphere(0.01).unwrap();
    builder.fixed(ShapeDef::new(tip.clone(), STEEL).at(at(-0.01 - patch, 0.0, 0.0))).unwrap();
    let slide = Joint::new(None, JointKind::Prismatic { axis: Vec3::x() });
    let slide = slide.parent_frame(at(0.01 + patch, 0.0, 0.0));
    let dof = Dof { motor: Motor::Effort(-100.0), ..Dof::default() };
    builder.body(BodyDef::new(slide).with(tip, STEEL).with_dof(0, dof)).unwrap();
    let size = Vec3::new(2.0 * patch, 0.06, 0.06);
    let held =
        builder.body(BodyDef::free(at(0.0, 0.0, 0.0)).with(Shape::cuboid(size).unwrap(), STEEL)).unwrap();
    let mut world = builder.build().unwrap();
    world.set_force(held, Vec3::zeros(), Vec3::new(torque, 0.0, 0.0)).unwrap();
    (world, held)
}

#[test]
fn a_pinch_holds_a_box_up_to_the_torque_of_its_tips_and_no_further() {
    // Two contacts, each s mu F; the friction that carries the weight does not weaken them.
    let (spinning, patch) = (5e-3, 0.03);
    let limit = 2.0 * spinning * 0.5 * 100.0;
    for (share, holds) in [(0.99, true), (-0.99, true), (1.01, false), (2.0, false)] {
        let (mut world, held) = pinched(spinning, share * limit, patch);
        world.advance_to(0.02).unwrap();
        let turned = world.angular_velocity(held).x;
        let inertia = world.tree().inertia(held).inertia[(0, 0)];
        let expected = if holds { 0.0 } else { 0.02 * (share - 1.0) * limit / inertia };
        println!("pinch at {share} of {limit} N m: {turned} rad/s, closed form {expected} rad/s");
        assert!((turned - expected).abs() < 1e-7 + 1e-6 * expected, "{share}: {turned} {expected}");
        let fallen = world.pose(held).translation();
        assert!(fallen.norm() < 1e-9, "it is carried: {fallen:?}");
    }
    // Without it, the lightest torque turns the box.
    let (mut world, held) = pinched(0.0, 0.1 * limit, patch);
    world.advance_to(0.02).unwrap();
    assert!(world.angular_velocity(held).x > 0.01);
}

#[test]
fn a_block_breaks_away_at_static_friction_and_slides_with_less() {
    let properties = PairProperties { static_friction: Some(0.6), ..resting(0.4, 0.0, 0.0) };
    let run = |slope: f64, speed: f64, t: f64| {
        let mut world = block(properties, (slope, Vec3::x()), Vec3::new(speed, 0.0, 0.0));
        world.advance_to(t).unwrap();
        (world.positions()[0], world.velocities()[0])
    };
    let (moved, _) = run(0.5999, 0.0, 1.0);
    assert!(moved.abs() < 1e-9, "{moved}");
    let (_, speed) = run(0.6001, 0.0, 0.5);
    let angle = atan(0.6001);
    let expected = 0.5 * G * (sin(angle) - 0.4 * cos(angle));
    // The first step is still held by static friction.
    println!("broken away: {speed} m/s, closed form {expected} m/s");
    assert!((speed - expected).abs() < 2.1e-3 * 0.5 * G * 0.2 * 2.0, "{speed} {expected}");
    // What slides already is not held by it, though it would be at rest.
    let (_, speed) = run(0.5, 0.1, 0.5);
    let angle = atan(0.5);
    assert!((speed - (0.1 + 0.5 * G * (sin(angle) - 0.4 * cos(angle)))).abs() < 1e-9, "{speed}");
    // Upwards it is slowed by sliding friction, comes to rest, and then is held.
    let (moved, speed) = run(0.5, -1.0, 2.0);
    let distance = 0.5 / (G * (sin(angle) + 0.4 * cos(angle)));
    assert!(speed.abs() < 1e-9 && (moved + distance).abs() < 1e-5, "{speed} {moved} {distance}");
}

#[test]
fn static_friction_survives_a_saved_state() {
    let properties = PairProperties { static_friction: Some(0.6), ..resting(0.4, 0.0, 0.0) };
    let mut world = block(properties, (0.5, Vec3::x()), Vec3::new(0.1, 0.0, 0.0));
    world.advance_to(0.1).unwrap();
    let saved = world.save().to_bytes().unwrap();
    world.advance_to(0.2).unwrap();
    let hash = world.hash();
    let mut other = block(properties, (0.5, Vec3::x()), Vec3::new(0.1, 0.0, 0.0));
    let saved = other.saved_from_bytes(&saved).unwrap();
    other.restore(&saved).unwrap();
    other.advance_to(0.2).unwrap();
    assert_eq!(other.hash(), hash);
}

/// Friction 0.8 along a direction of the first material's surface, 0.2 across it.
fn directed(direction: Vec3) -> PairProperties {
    let directed = DirectedFriction { across: 0.2, direction, is_of_second: false };
    PairProperties { directed: Some(directed), ..resting(0.8, 0.0, 0.0) }
}

#[test]
fn a_block_holds_along_the_grain_and_slides_across_it() {
    let slope = 0.5;
    let angle = atan(slope);
    let mut along = block(directed(Vec3::x()), (slope, Vec3::x()), Vec3::zeros());
    along.advance_to(0.5).unwrap();
    assert!(along.positions()[0].abs() < 1e-9, "{:?}", along.positions());
    let mut across = block(directed(Vec3::x()), (slope, Vec3::y()), Vec3::zeros());
    across.advance_to(0.5).unwrap();
    let expected = 0.5 * G * (sin(angle) - 0.2 * cos(angle));
    println!("across the grain: {} m/s, closed form {expected} m/s", across.velocities()[1]);
    assert!((across.velocities()[1] - expected).abs() < 1e-9, "{:?}", across.velocities());
    // It begins to slide where (x / 0.8)² + (y / 0.2)² is above the normal force: between the two, by direction.
    for (degrees, holds) in [(0.0_f64, true), (10.0, true), (22.0, false), (45.0, false)] {
        let heading = degrees.to_radians();
        let downhill = Vec3::new(cos(heading), sin(heading), 0.0);
        let asked = ((downhill.x / 0.8).powi(2) + (downhill.y / 0.2).powi(2)).sqrt() * slope;
        assert_eq!(asked <= 1.0, holds, "{degrees}: {asked}");
        let mut world = block(directed(Vec3::x()), (slope, downhill), Vec3::zeros());
        world.advance_to(0.1).unwrap();
        let moved = Vec3::new(world.positions()[0], world.positions()[1], 0.0).norm();
        assert_eq!(moved < 1e-9, holds, "{degrees}: {moved}");
    }
}

#[test]
fn friction_of_an_ellipse_opposes_sliding_with_the_largest_power() {
    // On level ground: dv = -g h D² d / |D d|, with D the two coefficients and d the direction of sliding after the step.
    let mut world = block(directed(Vec3::x()), (0.0, Vec3::x()), Vec3::new(0.6, 0.8, 0.0));
    world.advance_to(1e-3).unwrap();
    let v = Vec3::new(world.velocities()[0], world.velocities()[1], 0.0);
    let stretched = Vec3::new(0.8 * v.x, 0.2 * v.y, 0.0);
    let force = Vec3::new(0.8 * stretched.x, 0.2 * stretched.y, 0.0) / stretched.norm();
    let expected = Vec3::new(0.6, 0.8, 0.0) - force * (G * 1e-3);
    assert!((v - expected).norm() < 1e-9, "{v:?} {expected:?}");
}

#[test]
fn the_direction_of_friction_turns_with_the_shape_of_the_material_named_first() {
    let run = |names: [&str; 2], turned: bool| {
        let angle = atan(0.5);
        let gravity = Vec3::new(sin(angle), 0.0, -cos(angle)) * G;
        let mut builder = WorldBuilder::new(WorldParams { gravity, ..WorldParams::new(steps(1e-3)) });
        let [a, b] = names;
        builder.pair(a, b, PairProperties { restitution: 0.0, ..directed(Vec3::x()) }).unwrap();
        let floor = Shape::cuboid(Vec3::new(4.0, 4.0, 1.0)).unwrap();
        builder.fixed(ShapeDef::new(floor, FLOOR).at(at(0.0, 0.0, -0.5))).unwrap();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let rotation = if turned { [0.0, 0.0, half, half] } else { [0.0, 0.0, 0.0, 1.0] };
        let pose = Pose::new(Vec3::new(0.0, 0.0, 0.05), rotation).unwrap();
        let shape = Shape::cuboid(Vec3::new(0.4, 0.4, 0.1)).unwrap();
        builder.body(BodyDef::free(pose).with(shape, STEEL)).unwrap();
        let mut world = builder.build().unwrap();
        world.advance_to(0.2).unwrap();
        world.positions()[0].abs() < 1e-9
    };
    // A grain of the block turns with it, one of the floor does not; the order of the ids of the materials does not count.
    assert!(run([STEEL, FLOOR], false) && !run([STEEL, FLOOR], true));
    assert!(run([FLOOR, STEEL], false) && run([FLOOR, STEEL], true));
}

#[test]
fn a_scene_says_all_kinds_of_friction() {
    let run = |pair: &str, body: &str, until: f64| {
        let text = format!(
            "[world]\nmethod = \"stepping\"\n[[pairs]]\nmaterials = [\"rubber\", \"concrete\"]\nrestitution = 0\n{pair}\n\
             [[fixed]]\nname = \"floor\"\nshape = \"halfspace:0,0,1,0\"\nmaterial = \"concrete\"\n\
             [[bodies]]\nname = \"body\"\nmaterial = \"rubber\"\n{body}\n"
        );
        let scene = Scene::parse(&text, "scene", std::path::Path::new("")).unwrap();
        let mut world = scene.build().unwrap();
        world.advance_to(until).unwrap();
        (world.positions()[0], world.velocities().to_vec())
    };
    let ball =
        "shape = \"sphere:0.1\"\nposition = [0, 0, 0.1]\nvelocity = [1, 0, 0]\nangular_velocity = [0, 10, 3]";
    let (x, v) = run("friction = 0.5\nrolling = 0.05\nspinning = \"2 mm\"", ball, 4.0);
    assert!((x - 0.7 / (0.05 * G)).abs() < 1e-6 && v.iter().all(|v| v.abs() < 1e-9), "{x} {v:?}");
    // Static friction does not hold what slides; friction across the motion does not count.
    let block = "shape = \"box:0.4,0.4,0.1\"\nposition = [0, 0, 0.05]\nvelocity = [1, 0, 0]";
    let directed =
        "friction = 0.2\nstatic_friction = 0.4\nfriction_across = 0.8\nfriction_direction = [1, 0, 0]";
    let (x, _) = run(directed, block, 1.0);
    assert!((x - 0.5 / (0.2 * G)).abs() < 1e-5, "{x}");
}

#[test]
fn tumbling_with_all_kinds_of_friction_gains_no_energy() {
    let (mut solves, mut unconverged) = (0, 0);
    for case in 0..count(40, 1000) {
        let mut random = Random::new(case as u64);
        let kind = Kind::new(&mut random);
        let is_heavy = case % 2 == 0;
        let gravity = if is_heavy { Vec3::new(0.0, 0.0, -G) } else { Vec3::zeros() };
        let stepping = Stepping { step: kind.step, ..Stepping::default() };
        let mut builder = WorldBuilder::new(WorldParams { gravity, ..WorldParams::new(stepping) });
        let properties = PairProperties {
            restitution: kind.restitution,
            static_friction: Some(kind.friction * random.range(1.0, 2.0)),
            directed: Some(DirectedFriction {
                across: random.range(0.0, 1.0),
                direction: random.direction(),
                is_of_second: false,
            }),
            ..resting(kind.friction, random.range(0.0, 0.3), random.range(0.0, 0.05))
        };
        builder.pair(STEEL, STEEL, properties).unwrap();
        add_floor(&mut builder);
        for (normal, offset) in
            [(Vec3::x(), -1.2), (-Vec3::x(), -1.2), (Vec3::y(), -1.2), (-Vec3::y(), -1.2), (-Vec3::z(), -2.5)]
        {
            add_half_space(&mut builder, normal, offset);
        }
        add_bodies(&mut builder, kind.bodies, (2.0, 8.0), &mut random);
        let mut world = builder.build().unwrap();
        let start = world.energy().total();
        let mass: f64 = (0..world.tree().bodies() as u32).map(|k| world.tree().inertia(BodyId(k)).mass).sum();
        // What friction stops that would turn back within the step, as without these kinds of friction.
        let weight = if is_heavy { G * kind.step } else { 0.0 };
        let most = mass * weight * weight / 8.0 + 1e-14 * start.abs().max(world.energy().kinetic);
        let mut last = start;
        for k in 1..=200 {
            world.advance_to(f64::from(k) * kind.step).unwrap();
            let now = world.energy().total();
            assert!(
                now - last <= most,
                "case {case}, step {k}: {} J, allowed {most} J of {start} J",
                now - last
            );
            last = now;
        }
        let count = world.info().contacts.unwrap();
        (solves, unconverged) = (solves + count.solves, unconverged + count.unconverged);
    }
    println!("{unconverged} of {solves} solves not converged");
    assert!(unconverged * 200 <= solves, "{unconverged} of {solves}");
}
