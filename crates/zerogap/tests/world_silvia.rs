//! Worlds that go by SiLVIA's forces: exact cases, assembly without overlap, energy, joints, and runs that repeat.

use zerogap::contact::material::{Material, PairProperties};
use zerogap::dynamics::multibody::{BodyId, Dof, Inertia, Joint, JointKind};
use zerogap::world::{
    BodyDef, ContactForce, Happening, ShapeDef, StepForces, Stepping, Stop, World, WorldBuilder, WorldError,
    WorldParams,
};
use zerogap::{DistanceParams, Pose, Shape, Vec3, distance};
use zerogap_testkit::count;

const G: f64 = 9.81;
const STEP: f64 = 0.01;

fn builder(step: f64, gravity: f64) -> WorldBuilder {
    let stepping = Stepping { forces: StepForces::Silvia, step, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams {
        gravity: Vec3::new(0.0, 0.0, -gravity),
        stepping: Some(stepping),
        ..WorldParams::default()
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
fn smallest_gap(world: &World, shapes: &[(Shape, Option<BodyId>, Pose)]) -> f64 {
    let pose = |(_, body, own): &(Shape, Option<BodyId>, Pose)| body.map_or(*own, |body| world.pose(body) * *own);
    let mut smallest = f64::INFINITY;
    for (k, a) in shapes.iter().enumerate() {
        for b in shapes[..k].iter().filter(|b| a.1 != b.1) {
            let params = DistanceParams::default();
            let found = distance(&a.0, &pose(a), &b.0, &pose(b), &params).unwrap();
            smallest = smallest.min(found.gap);
        }
    }
    smallest
}

fn solved(world: &World) {
    let count = world.info().contacts.unwrap();
    assert!(count.missed == 0 && count.solves > 0, "{count:?}");
}

#[test]
fn a_cube_at_rest_is_carried_in_its_middle() {
    let (mut world, body) = cube(0.0, 0.0);
    for step in 1..=1000 {
        world.advance_to(f64::from(step) * STEP).unwrap();
        let force = only(&world);
        assert!((force.normal_force - G).abs() < 1e-7, "{step}: {force:?}");
        assert!(Vec3::from(force.point).norm() < 1e-9 && force.gap.abs() < 1e-11, "{force:?}");
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
    let Happening::Touched { approach, .. } = world.events()[0].what else { panic!("{:?}", world.events()) };
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
fn peg(step: f64) -> (World, BodyId, Vec<(Shape, Option<BodyId>, Pose)>) {
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
        let wiggle = Vec3::new((40.0 * t).sin(), (55.0 * t).cos(), 0.0);
        let force = Vec3::new(-200.0 * place.x, -200.0 * place.y, -2.0) - velocity * 2.0 + wiggle * 0.3;
        let turn = world.pose(body).quaternion_xyzw();
        let upright = Vec3::new(turn[0], turn[1], turn[2]) * turn[3].signum();
        let torque = upright * -0.2 - world.angular_velocity(body) * 5e-4 + wiggle.yzx() * 2e-3;
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
