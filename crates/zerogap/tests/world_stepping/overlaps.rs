//! Overlaps at the ends of steps, by exact gaps at the poses that a run gives: shapes that spin, roll and are struck end no deeper than stated.

use zerogap::core::random::Random;
use zerogap::world::{BodyDef, Stepping, World};
use zerogap::{Collider, DistanceParams, Pose, Shape, Vec3, distance};

use crate::scenes::{G, STEEL, add_floor, builder, steps};

/// Overlaps that may remain, as a fraction of the size of the smaller shape, which is the radius of the ball around it [-].
const DEEP: f64 = 3e-4;

/// Boxes and capsules that fall on a floor and on each other, spinning.
fn heap(stepping: Stepping, restitution: f64, seed: u64) -> (World, Vec<Collider>) {
    let mut random = Random::new(seed);
    let mut builder = builder(stepping, G, (restitution, 0.5));
    add_floor(&mut builder);
    let mut shapes = Vec::new();
    for k in 0..18 {
        let place = Vec3::new(f64::from(k % 2), f64::from(k / 2 % 2), f64::from(k / 4)) * 0.16;
        let pose = Pose::new(place + Vec3::new(0.0, 0.0, 0.1), random.quaternion_xyzw()).unwrap();
        let shape = if k % 3 == 0 {
            Shape::capsule(0.03, 0.06).unwrap()
        } else {
            Shape::cuboid(Vec3::new(0.1, 0.08, 0.06)).unwrap()
        };
        let w = random.in_cube(8.0);
        builder
            .body(BodyDef::free(pose).with(shape.clone(), STEEL).moving(&[0.0, 0.0, -1.0, w.x, w.y, w.z]))
            .unwrap();
        shapes.push(shape.into());
    }
    (builder.build().unwrap(), shapes)
}

/// The deepest overlap of shapes with each other and the floor [m].
fn deepest(world: &World, shapes: &[Collider]) -> f64 {
    let floor: Collider = Shape::half_space(Vec3::z(), 0.0).unwrap().into();
    let poses: Vec<Pose> = world.body_states().iter().map(|(pose, ..)| *pose).collect();
    let overlap = |a: &Collider, at: &Pose, b: &Collider, bt: &Pose| {
        -distance(a, at, b, bt, &DistanceParams::default()).unwrap().gap
    };
    let mut worst = 0.0_f64;
    for (k, (shape, pose)) in shapes.iter().zip(&poses).enumerate() {
        worst = worst.max(overlap(shape, pose, &floor, &Pose::identity()));
        for (other, at) in shapes[..k].iter().zip(&poses) {
            worst = worst.max(overlap(shape, pose, other, at));
        }
    }
    worst
}

/// Bodies that tumble turn by up to a tenth of a radian in a step: contacts taken at its start alone would leave them up to half a millimetre too deep.
#[test]
fn tumbling_bodies_end_every_step_with_no_more_than_the_overlap_stated() {
    // What may remain of the smaller shape, and what a hundred steps may leave.
    let stepping = Stepping { tolerance: 1e-6, ..steps(2e-3) };
    let allowed = DEEP * 0.06 + 100.0 * stepping.tolerance * stepping.step;
    for (seed, restitution) in [(1, 0.0), (2, 0.0), (3, 0.4)] {
        let (mut world, shapes) = heap(stepping, restitution, seed);
        let mut worst = 0.0_f64;
        for step in 1..=400 {
            world.advance_to(2e-3 * f64::from(step)).unwrap();
            worst = worst.max(deepest(&world, &shapes));
        }
        assert!(worst <= 1.2 * allowed, "seed {seed}: {worst:e} m of {allowed:e} m");
    }
}

/// A box that lies on its edge is struck on its side: within the step it turns about the edge, and its other corners, which were out of reach at the start, do not end below the floor.
#[test]
fn corners_that_an_impact_swings_down_do_not_pass_the_floor() {
    let mut builder = builder(Stepping { tolerance: 1e-6, ..steps(2e-3) }, G, (0.0, 0.5));
    add_floor(&mut builder);
    let size = Vec3::new(0.1, 0.1, 0.1);
    // Its lower face is off the floor by 0.5 mm on one side: much more than it falls in a step, and less than it is struck through.
    let angle: f64 = 0.005;
    let half = 0.5 * angle;
    let (s, c) = (zerogap::core::math::sin(angle), zerogap::core::math::cos(angle));
    let up = 0.05 * (s + c);
    let turned = Pose::new(
        Vec3::new(0.0, 0.0, up),
        [0.0, zerogap::core::math::sin(half), 0.0, zerogap::core::math::cos(half)],
    )
    .unwrap();
    let cube = Shape::cuboid(size).unwrap();
    let body = builder.body(BodyDef::free(turned).with(cube, STEEL)).unwrap();
    // The ball comes down on the side that is off the floor.
    let ball = Pose::from_translation(Vec3::new(-0.04, 0.0, up + 0.05 * (c + s) + 0.03)).unwrap();
    let shape = Shape::sphere(0.03).unwrap();
    builder.body(BodyDef::free(ball).with(shape, STEEL).moving(&[0.0, 0.0, -3.0, 0.0, 0.0, 0.0])).unwrap();
    let mut world = builder.build().unwrap();
    let mut lowest = f64::INFINITY;
    for step in 1..=10 {
        world.advance_to(2e-3 * f64::from(step)).unwrap();
        let pose = world.pose(body);
        for corner in 0..8 {
            let sign = |bit: u32| if corner >> bit & 1 == 0 { -0.05 } else { 0.05 };
            lowest = lowest.min(pose.transform_point(&Vec3::new(sign(0), sign(1), sign(2))).z);
        }
    }
    assert!(lowest > -DEEP * 0.087, "{lowest:e} m");
}
