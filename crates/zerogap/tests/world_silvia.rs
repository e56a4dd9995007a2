//! Worlds that go by SiLVIA's forces: exact cases, assembly without overlap, energy, joints, and runs that repeat.

use zerogap::contact::material::{Material, PairProperties};
use zerogap::core::math::{cos, sin};
use zerogap::core::random::Random;
use zerogap::dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactForce, EventKind, ShapeDef, StepForces, Stepping, World, WorldBuilder, WorldError,
    WorldParams,
};
use zerogap::{Collider, DistanceParams, Pose, Shape, Vec3, distance};
use zerogap_testkit::count;

/// A shape, the body it is on, and its pose there.
type BodyPart = (Shape, Option<BodyId>, Pose);

const G: f64 = 9.81;
const STEP: f64 = 0.01;

fn builder(step: f64, gravity: f64) -> WorldBuilder {
    let stepping = Stepping { forces: StepForces::Silvia, step, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams {
        gravity: Vec3::new(0.0, 0.0, -gravity),
        ..WorldParams::new(stepping)
    });
    // A unit cube of it weighs a kilogram. What rubs and bounces elsewhere does not here.
    let foam = Material { density: 1.0, young_modulus: 1e9, poisson_ratio: 0.3 };
    builder.material("foam", foam).unwrap();
    let properties = PairProperties { restitution: 0.9, friction: 0.7, ..PairProperties::default() };
    builder.pair("foam", "foam", properties).unwrap();
    builder
}

fn floor(builder: &mut WorldBuilder) {
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "foam")).unwrap();
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::cuboid(Vec3::new(x, y, z)).unwrap()
}

/// A unit cube with its bottom at a height, moving down.
fn cube(gap: f64, speed: f64) -> (World, BodyId) {
    let mut builder = builder(STEP, G);
    floor(&mut builder);
    let def = BodyDef::free(at(0.0, 0.0, 0.5 + gap)).with(cuboid(1.0, 1.0, 1.0), "foam");
    let body = builder.body(def.moving(&[0.0, 0.0, -speed, 0.0, 0.0, 0.0])).unwrap();
    (builder.build().unwrap(), body)
}

/// The only contact force.
fn only(world: &World) -> ContactForce {
    let forces = world.contacts();
    assert_eq!(forces.len(), 1, "{forces:?}");
    forces[0]
}

/// The smallest gap of any two shapes, measured apart from the world's own search.
fn smallest_gap(world: &World, shapes: &[BodyPart]) -> f64 {
    let pose = |(_, body, own): &BodyPart| body.map_or(*own, |body| world.pose(body) * *own);
    let mut smallest = f64::INFINITY;
    for (k, a) in shapes.iter().enumerate() {
        for b in shapes[..k].iter().filter(|b| a.1 != b.1) {
            let params = DistanceParams::default();
            let [one, other] = [a, b].map(|part| Collider::from(part.0.clone()));
            let found = distance(&one, &pose(a), &other, &pose(b), &params).unwrap();
            smallest = smallest.min(found.gap);
        }
    }
    smallest
}

fn solved(world: &World) {
    let count = world.info().contacts.unwrap();
    assert!(count.unconverged == 0 && count.solves > 0, "{count:?}");
}

#[test]
fn a_cube_at_rest_is_carried_in_its_middle() {
    let (mut world, body) = cube(0.0, 0.0);
    for step in 1..=1000 {
        world.advance_to(f64::from(step) * STEP).unwrap();
        let force = only(&world);
        assert!((force.normal_force - G).abs() < 1e-7, "{step}: {force:?}");
        // Forces are known to what a distance of 1e-11 m, the tolerance of 1e-9 m/s in such a step, takes of them.
        assert!(Vec3::from(force.point).norm() < 1e-8 && force.gap.abs() < 1e-11, "{force:?}");
    }
    let place = world.pose(body).translation();
    assert!((place - Vec3::new(0.0, 0.0, 0.5)).norm() < 1e-11, "{place:?}");
    solved(&world);
    let count = world.info().contacts.unwrap();
    assert!(count.newton < 2 * count.solves + 10, "{count:?}");
}

#[test]
fn an_impact_ends_in_touch_and_never_bounces() {
    let (mut world, body) = cube(1e-3, 1.0);
    world.advance_to(STEP).unwrap();
    assert!((world.velocity(body).z + 0.1).abs() < 1e-10, "{}", world.velocity(body).z);
    assert!((only(&world).normal_force - 99.81).abs() < 1e-6);
    assert!(only(&world).friction_force.iter().all(|f| f.abs() < 1e-12));
    let EventKind::ContactBegin { approach, .. } = world.events()[0].what else {
        panic!("{:?}", world.events())
    };
    assert!((approach - 1.0).abs() < 1e-12);
    world.advance_to(0.5).unwrap();
    assert!((world.pose(body).translation().z - 0.5).abs() < 1e-11 && world.velocity(body).norm() < 1e-9);
    assert_eq!(world.events().len(), 1);
    solved(&world);
}

#[test]
fn without_contact_there_is_no_force() {
    let (mut world, body) = cube(1e-3, 0.0);
    world.advance_to(STEP).unwrap();
    assert!(world.contacts().is_empty() && world.events().is_empty());
    assert!((world.pose(body).translation().z - 0.5 - 1.9e-5).abs() < 1e-15);
}

#[test]
fn an_off_centre_load_moves_the_centre_of_pressure() {
    let (mut world, body) = cube(0.0, 0.0);
    world.set_force(body, Vec3::zeros(), Vec3::new(0.0, 0.2 * G, 0.0)).unwrap();
    for step in 1..=100 {
        world.advance_to(f64::from(step) * STEP).unwrap();
        let force = only(&world);
        assert!((force.normal_force - G).abs() < 1e-7 && (force.point[0] - 0.2).abs() < 1e-8, "{force:?}");
    }
    solved(&world);
}

#[test]
fn a_cube_tips_about_its_edge() {
    let (mut world, body) = cube(0.0, 0.0);
    world.set_force(body, Vec3::zeros(), Vec3::new(0.0, 0.6 * G, 0.0)).unwrap();
    world.advance_to(STEP).unwrap();
    let (force, turning) = (only(&world), world.angular_velocity(body).y);
    assert!((force.normal_force - 10.98714).abs() < 5e-6, "{force:?}");
    assert!((turning - 0.023_545_7).abs() < 5e-8, "{turning}");
    assert!((force.point[0] - 0.5).abs() < 1e-3, "{force:?}");
    // It tips over, slides away without friction, and no corner ever goes below the floor.
    let shapes = [
        (Shape::half_space(Vec3::z(), 0.0).unwrap(), None, Pose::identity()),
        (cuboid(1.0, 1.0, 1.0), Some(body), Pose::identity()),
    ];
    for step in 2..=200 {
        world.advance_to(f64::from(step) * STEP).unwrap();
        let gap = smallest_gap(&world, &shapes);
        assert!(gap > -2e-10, "{step}: {gap:e}");
    }
    solved(&world);
}

#[test]
fn stacked_cubes_carry_what_is_above_them() {
    // On each other's corners, and turned, so that edges cross: 4 and 8 points.
    for turn in [0.0, 0.6] {
        let mut builder = builder(STEP, G);
        floor(&mut builder);
        let shape = || cuboid(1.0, 1.0, 1.0);
        let lower = builder.body(BodyDef::free(at(0.0, 0.0, 0.5)).with(shape(), "foam")).unwrap();
        let pose = Pose::from_axis_angle(Vec3::new(0.0, 0.0, 1.5), Vec3::z(), turn).unwrap();
        let upper = builder.body(BodyDef::free(pose).with(shape(), "foam")).unwrap();
        let mut world = builder.build().unwrap();
        for step in 1..=200 {
            world.advance_to(f64::from(step) * STEP).unwrap();
            let forces: Vec<f64> = world.contacts().iter().map(|force| force.normal_force).collect();
            assert!((forces[0] - 2.0 * G).abs() < 1e-6 && (forces[1] - G).abs() < 1e-6, "{forces:?}");
        }
        for (body, height) in [(lower, 0.5), (upper, 1.5)] {
            assert!((world.pose(body).translation().z - height).abs() < 1e-10);
            assert!(world.velocity(body).norm() + world.angular_velocity(body).norm() < 1e-8);
        }
        solved(&world);
    }
}

/// A square peg of 20 mm over a hole that is 0.1 mm wider on each side, made of four fixed boxes.
fn peg(step: f64) -> (World, BodyId, Vec<BodyPart>) {
    let mut builder = builder(step, G);
    let mut shapes = Vec::new();
    let half = 0.0101;
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        // Each covers one corner of the frame.
        let size = if x == 0.0 { cuboid(2.0 * half, 0.02, 0.03) } else { cuboid(0.02, 0.0802, 0.03) };
        let pose = at(x * (half + 0.01), y * (half + 0.01), -0.015);
        builder.fixed(ShapeDef { pose, ..ShapeDef::new(size.clone(), "foam") }).unwrap();
        shapes.push((size, None, pose));
    }
    let bottom = cuboid(0.1, 0.1, 0.01);
    let pose = at(0.0, 0.0, -0.035);
    builder.fixed(ShapeDef { pose, ..ShapeDef::new(bottom.clone(), "foam") }).unwrap();
    shapes.push((bottom, None, pose));
    let shape = cuboid(0.02, 0.02, 0.05);
    let inertia = Inertia::cuboid(0.1, Vec3::new(0.02, 0.02, 0.05));
    let def = BodyDef::free(at(0.002, -0.001, 0.026)).with(shape.clone(), "foam").with_inertia(inertia);
    let body = builder.body(def).unwrap();
    shapes.push((shape, Some(body), Pose::identity()));
    (builder.build().unwrap(), body, shapes)
}

#[test]
fn a_peg_is_pushed_into_its_hole_and_never_overlaps_it() {
    let step = 1e-3;
    let (mut world, body, shapes) = peg(step);
    let mut worst = f64::INFINITY;
    for k in 0..3000 {
        // A hand that pulls the peg over the hole, wiggles, turns and pushes.
        let t = f64::from(k) * step;
        let (place, velocity) = (world.pose(body).translation(), world.velocity(body));
        let wiggle = Vec3::new(sin(40.0 * t), cos(55.0 * t), 0.0);
        let force = Vec3::new(-200.0 * place.x, -200.0 * place.y, -2.0) - velocity * 2.0 + wiggle * 0.3;
        let turn = world.pose(body).quaternion_xyzw();
        let upright = Vec3::new(turn[0], turn[1], turn[2]) * turn[3].signum();
        let torque = upright * -1.0 - world.angular_velocity(body) * 3e-3 + wiggle.yzx() * 2e-3;
        world.set_force(body, force, torque).unwrap();
        world.advance_to(t + step).unwrap();
        worst = worst.min(smallest_gap(&world, &shapes));
    }
    let depth = world.pose(body).translation().z;
    println!("smallest gap {worst:e} m, {:?}", world.info().contacts);
    assert!(worst > -1e-9, "{worst:e}");
    // It stands on the bottom of the hole.
    assert!((depth + 0.005).abs() < 1e-4, "{depth}");
    solved(&world);
}

/// Boxes, cubes, balls, capsules and cylinders thrown into a fixed box, with the shapes for measuring.
fn pile(seed: u64, gravity: f64, step: f64) -> (World, Vec<BodyPart>) {
    let mut random = Random::new(seed);
    let mut builder = builder(step, gravity);
    let mut shapes = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let wall = Shape::half_space(Vec3::ith(axis, -side), -1.0).unwrap();
            builder.fixed(ShapeDef::new(wall.clone(), "foam")).unwrap();
            shapes.push((wall, None, Pose::identity()));
        }
    }
    for k in 0..8 {
        let corner = |bit: usize| if k >> bit & 1 == 0 { -0.5 } else { 0.5 };
        let shape = match k % 5 {
            0 => cuboid(0.5, 0.5, 0.5),
            1 => cuboid(0.3, 0.4, 0.6),
            2 => Shape::sphere(0.3).unwrap(),
            3 => Shape::capsule(0.2, 0.3).unwrap(),
            _ => Shape::cylinder(0.25, 0.4).unwrap(),
        };
        let pose = Pose::new(Vec3::new(corner(0), corner(1), corner(2)), random.quaternion_xyzw()).unwrap();
        let velocities: Vec<f64> = (0..6).map(|_| random.range(-2.0, 2.0)).collect();
        let def = BodyDef::free(pose).with(shape.clone(), "foam").moving(&velocities);
        shapes.push((shape, Some(builder.body(def).unwrap()), Pose::identity()));
    }
    (builder.build().unwrap(), shapes)
}

/// Runs a pile for a second: the largest gain of energy in a step against the energy at the start, what is left of that, and the smallest gap.
fn run_pile(seed: u64, step: f64) -> (f64, f64, f64) {
    let (mut world, shapes) = pile(seed, 0.0, step);
    let first = world.energy().total();
    let (mut energy, mut worst, mut gained) = (first, f64::INFINITY, 0.0_f64);
    for k in 1..=(1.0 / step).round() as u32 {
        world.advance_to(f64::from(k) * step).unwrap();
        let now = world.energy().total();
        gained = gained.max((now - energy) / first);
        energy = now;
        worst = worst.min(smallest_gap(&world, &shapes));
    }
    solved(&world);
    (gained, energy / first, worst)
}

#[test]
fn a_pile_never_overlaps_and_loses_energy() {
    for seed in 0..count(4, 40) as u64 {
        let step = 2e-3;
        let (gained, left, worst) = run_pile(seed, step);
        println!("{seed}: {gained:e} gained in a step at most, {left} left, smallest gap {worst:e} m");
        assert!(worst > -1e-10, "{worst:e}");
        assert!(left < 0.5 && gained < 1e-11, "{left} {gained:e}");
    }
}

#[test]
fn steps_of_any_length_gain_nothing() {
    // Contacts push along where they were at the start of the step: left alone, a step of 4 ms would gain 6e-4 of the energy here.
    for step in [4e-3, 2e-3, 1e-3] {
        let (gained, ..) = run_pile(13, step);
        assert!(gained < 1e-11, "{step}: {gained:e}");
    }
}

#[test]
fn balls_never_gain_energy() {
    for seed in 0..count(4, 40) as u64 {
        let mut random = Random::new(seed);
        let mut builder = builder(STEP, 0.0);
        for axis in 0..3 {
            for side in [-1.0, 1.0] {
                let wall = Shape::half_space(Vec3::ith(axis, -side), -1.0).unwrap();
                builder.fixed(ShapeDef::new(wall, "foam")).unwrap();
            }
        }
        for k in 0..27_i32 {
            let place = |by: i32| f64::from(k / by % 3 - 1) * 0.6;
            let ball =
                BodyDef::free(at(place(1), place(3), place(9))).with(Shape::sphere(0.25).unwrap(), "foam");
            let velocities: Vec<f64> = (0..6).map(|_| random.range(-3.0, 3.0)).collect();
            builder.body(ball.moving(&velocities)).unwrap();
        }
        let mut world = builder.build().unwrap();
        let mut energy = world.energy().total();
        for step in 1..=200 {
            world.advance_to(f64::from(step) * STEP).unwrap();
            let now = world.energy().total();
            // What solving leaves: 1e-9 m/s at each contact.
            assert!(now <= energy + 1e-7, "{seed} {step}: {energy} {now}");
            energy = now;
        }
        solved(&world);
    }
}

#[test]
fn a_chain_of_balls_passes_nothing_on() {
    // In Newton's cradle the last ball flies off; without restitution all go on together.
    let mut builder = builder(1e-3, 0.0);
    let ball = |x: f64, v: f64| {
        let def = BodyDef::free(at(x, 0.0, 0.0)).with(Shape::sphere(0.1).unwrap(), "foam");
        def.moving(&[v, 0.0, 0.0, 0.0, 0.0, 0.0])
    };
    let mut bodies = vec![builder.body(ball(-0.25, 1.0)).unwrap()];
    for k in 0..4 {
        bodies.push(builder.body(ball(0.2 * f64::from(k), 0.0)).unwrap());
    }
    let mut world = builder.build().unwrap();
    world.advance_to(0.2).unwrap();
    for body in bodies {
        assert!((world.velocity(body).x - 0.2).abs() < 1e-8, "{}", world.velocity(body).x);
    }
    assert!((world.momentum().0 - Vec3::x() * world.tree().inertia(BodyId(0)).mass).norm() < 1e-12);
    solved(&world);
}

#[test]
fn what_flies_past_a_corner_is_not_stopped_by_it() {
    // One millimetre above the edge of a table, and a step that takes it 10 mm on.
    let mut builder = builder(1e-3, 0.0);
    let table = ShapeDef { pose: at(0.5, 0.0, -0.5), ..ShapeDef::new(cuboid(1.0, 1.0, 1.0), "foam") };
    builder.fixed(table).unwrap();
    let def = BodyDef::free(at(-0.105, 0.0, 0.101)).with(cuboid(0.2, 0.2, 0.2), "foam");
    let body = builder.body(def.moving(&[10.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.02).unwrap();
    assert!(world.velocity(body).x >= 10.0 && world.events().is_empty(), "{:?}", world.events());
}

#[test]
fn a_bullet_does_not_pass_through_a_plate() {
    let mut builder = builder(STEP, 0.0);
    builder.fixed(ShapeDef::new(cuboid(0.01, 1.0, 1.0), "foam")).unwrap();
    let def = BodyDef::free(at(-0.5, 0.0, 0.0)).with(Shape::sphere(0.01).unwrap(), "foam");
    let body = builder.body(def.moving(&[100.0, 0.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    world.advance_to(0.1).unwrap();
    assert!((world.pose(body).translation().x + 0.015).abs() < 1e-10, "{:?}", world.pose(body));
}

#[test]
fn a_cylinder_rolls_on_without_sinking() {
    let mut builder = builder(STEP, G);
    floor(&mut builder);
    let (r, spin) = (0.1, 20.0);
    let lying =
        Pose::from_axis_angle(Vec3::new(0.0, 0.0, r), Vec3::x(), std::f64::consts::FRAC_PI_2).unwrap();
    let def = BodyDef::free(lying).with(Shape::cylinder(r, 0.3).unwrap(), "foam");
    let body = builder.body(def.moving(&[r * spin, 0.0, 0.0, 0.0, 0.0, -spin])).unwrap();
    let mut world = builder.build().unwrap();
    for step in 1..=100 {
        world.advance_to(f64::from(step) * STEP).unwrap();
        assert!((world.pose(body).translation().z - r).abs() < 1e-10, "{:?}", world.pose(body));
    }
    assert!((world.velocity(body).x - r * spin).abs() < 1e-9);
    assert!((world.angular_velocity(body).norm() - spin).abs() < 1e-9);
    solved(&world);
}

#[test]
fn a_tumbling_plate_keeps_its_energy_in_flight() {
    let mut builder = builder(STEP, 0.0);
    let def = BodyDef::free(Pose::identity()).with(cuboid(0.1, 0.5, 1.0), "foam");
    builder.body(def.moving(&[0.0, 0.0, 0.0, 0.01, 10.0, 0.01])).unwrap();
    let mut world = builder.build().unwrap();
    let before = world.energy().kinetic;
    world.advance_to(5.0).unwrap();
    assert!((world.energy().kinetic / before - 1.0).abs() < 1e-12, "{}", world.energy().kinetic / before);
}

#[test]
fn joints_stop_at_their_limits() {
    let mut builder = builder(1e-3, G);
    let joint = Joint::new(None, JointKind::Revolute { axis: -Vec3::y() });
    let bar = Inertia::point(1.0, Vec3::new(0.5, 0.0, 0.0));
    let dof = Dof { lower: Some(-0.2), restitution: 0.8, ..Dof::default() };
    builder.body(BodyDef::new(joint).with_inertia(bar).starting(&[0.3]).with_dof(0, dof)).unwrap();
    let mut world = builder.build().unwrap();
    for step in 1..=1000 {
        world.advance_to(f64::from(step) * 1e-3).unwrap();
        assert!(world.positions()[0] > -0.2 - 1e-11, "{}", world.positions()[0]);
    }
    assert!((world.positions()[0] + 0.2).abs() < 1e-11 && world.velocities()[0].abs() < 1e-9);
}

#[test]
fn runs_repeat_and_go_on_from_saved_states_with_the_same_bits() {
    let step = 2e-3;
    let whole = {
        let (mut world, _) = pile(1, G, step);
        world.advance_to(0.15).unwrap();
        world.advance_to(0.3).unwrap();
        world.hash()
    };
    let (mut world, _) = pile(1, G, step);
    world.advance_to(0.15).unwrap();
    let saved = world.save();
    let forces = world.contacts();
    world.advance_to(0.3).unwrap();
    assert_eq!(world.hash(), whole);
    world.restore(&saved).unwrap();
    assert_eq!(world.contacts(), forces);
    world.advance_to(0.3).unwrap();
    assert_eq!(world.hash(), whole);
}

#[test]
fn frames_lie_on_even_times_and_show_the_forces() {
    let (mut world, body) = cube(0.0, 0.0);
    let frames = world.record_to(0.1, 0.025).unwrap();
    assert_eq!(frames.len(), 5);
    for frame in &frames[1..] {
        assert!((frame.contacts[0].normal_force - G).abs() < 1e-7, "{:?}", frame.contacts);
        assert!((frame.poses[body.0 as usize].translation().z - 0.5).abs() < 1e-11);
    }
    assert!(world.info().method[0].contains("normal forces"), "{:?}", world.info().method);
}

#[test]
fn what_jams_is_counted_and_numbers_that_overflow_are_an_error() {
    // A cube in a slot that is a millimetre too narrow.
    let mut builder = builder(STEP, 0.0);
    for side in [-1.0, 1.0] {
        let wall = Shape::half_space(Vec3::x() * -side, -0.4995).unwrap();
        builder.fixed(ShapeDef::new(wall, "foam")).unwrap();
    }
    builder.body(BodyDef::free(Pose::identity()).with(cuboid(1.0, 1.0, 1.0), "foam")).unwrap();
    builder.set_overlaps(zerogap::world::Overlaps::Allow);
    let mut world = builder.build().unwrap();
    world.advance_to(3.0 * STEP).unwrap();
    let count = world.info().contacts.unwrap();
    assert_eq!(count.unconverged, 3, "{count:?}");
    assert!(world.positions().iter().all(|x| x.abs() <= 1.0));

    let (mut world, body) = cube(0.0, 0.0);
    world.set_force(body, Vec3::new(0.0, 0.0, -1e308), Vec3::zeros()).unwrap();
    let before = world.positions().to_vec();
    let outcome = world.advance_to(1.0);
    assert!(matches!(outcome, Err(WorldError::Overflow { .. })), "{outcome:?}");
    assert_eq!(world.positions(), before);
}
