//! Gaps between the bodies of a world are those of their shapes, measured one by one: between two sides, to the nearest, and of all pairs within a distance.

use std::sync::Arc;

use zerogap::dynamics::event::Direction;
use zerogap::dynamics::multibody::{BodyId, Inertia, Joint, JointKind};
use zerogap::geometry::parts;
use zerogap::world::{
    BodyDef, EventFunction, EventKind, GapSide, Overlaps, ShapeDef, ShapeGap, ShapeId, World, WorldBuilder,
    WorldError, WorldParams,
};
use zerogap::{Collider, DistanceParams, Gap, Pose, Shape, Vec3, distance};
use zerogap_testkit::random::Random;

fn some_pose(random: &mut Random, spread: f64) -> Pose {
    let axis = random.in_cube(1.0) + Vec3::new(2.0, 0.0, 0.0);
    Pose::from_axis_angle(random.in_cube(spread), axis, random.range(0.0, 6.0)).unwrap()
}

/// A floor, a fixed ring, and bodies of one to three shapes here and there, some of which overlap.
fn scattered(random: &mut Random) -> World {
    let mut builder = WorldBuilder::new(WorldParams::default());
    builder.set_overlaps(Overlaps::Allow);
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), -1.0).unwrap(), "steel")).unwrap();
    let ring = Shape::from(parts::by_name("torus", &[]).unwrap());
    builder.fixed(ShapeDef::new(ring, "steel").at(some_pose(random, 0.5))).unwrap();
    let shapes = [
        Shape::sphere(0.05).unwrap(),
        Shape::cuboid(Vec3::new(0.1, 0.15, 0.08)).unwrap(),
        Shape::capsule(0.03, 0.1).unwrap(),
        Shape::from(parts::by_name("l-prism", &[]).unwrap()),
    ];
    for k in 0..7 {
        let mut body = BodyDef::free(some_pose(random, 0.4)).named(&format!("body {k}"));
        for number in 0..=k % 3 {
            let shape = shapes[(k + number) % shapes.len()].clone();
            body = body.with_shape(ShapeDef::new(shape, "steel").at(some_pose(random, 0.1)));
        }
        builder.body(body).unwrap();
    }
    builder.build().unwrap()
}

/// The gap of every two shapes on different bodies, of which one moves, by colliders made from the shapes.
fn one_by_one(world: &World) -> Vec<ShapeGap> {
    let pose = |body: Option<BodyId>, at: &Pose| body.map_or(*at, |body| world.pose(body) * *at);
    let shapes: Vec<(Collider, Option<BodyId>, Pose)> =
        world.placed_shapes().map(|(s, body, at, _)| (s.clone().into(), body, pose(body, at))).collect();
    let mut found = Vec::new();
    for (i, (a, body_a, pose_a)) in shapes.iter().enumerate() {
        for (j, (b, body_b, pose_b)) in shapes.iter().enumerate().skip(i + 1) {
            if body_a != body_b {
                let gap = distance(a, pose_a, b, pose_b, &DistanceParams::default()).unwrap();
                found.push(ShapeGap { a: ShapeId(i as u32), b: ShapeId(j as u32), gap });
            }
        }
    }
    found
}

#[test]
fn gaps_of_a_world_are_those_of_its_shapes_one_by_one() {
    let random = &mut Random::new(26);
    let mut overlaps = 0;
    for _ in 0..10 {
        let world = scattered(random);
        let all = one_by_one(&world);
        // All pairs within a distance.
        for within in [-0.01, 0.0, 0.05, 0.3, 10.0] {
            let found = world.gaps(within).unwrap();
            let expected: Vec<&ShapeGap> = all.iter().filter(|one| one.gap.gap <= within).collect();
            assert_eq!(found.len(), expected.len(), "within {within}");
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!((found.a, found.b), (expected.a, expected.b));
                // Whether the normal of crossing surfaces was the only one depends on which of them were met first.
                let normal_kind = expected.gap.normal_kind;
                let is_apart = expected.gap.gap > 0.0;
                assert_eq!(if is_apart { found.gap } else { Gap { normal_kind, ..found.gap } }, expected.gap);
                overlaps += usize::from(found.gap.gap < 0.0);
            }
        }
        // Two bodies, from both sides, and the nearest of each.
        let of = |shape: ShapeId| world.body_of(shape).map_or(GapSide::Fixed, GapSide::Body);
        let sides: Vec<GapSide> = (0..7).map(|k| BodyId(k).into()).chain([GapSide::Fixed]).collect();
        for (k, &a) in sides.iter().enumerate() {
            for &b in &sides[k + 1..] {
                let is_between =
                    |one: &&ShapeGap| (of(one.a), of(one.b)) == (a, b) || (of(one.a), of(one.b)) == (b, a);
                let least =
                    all.iter().filter(is_between).map(|one| one.gap.gap).fold(f64::INFINITY, f64::min);
                let found = world.gap(a, b).unwrap();
                assert_eq!(found.gap.gap.to_bits(), least.to_bits());
                assert_eq!((of(found.a), of(found.b)), (a, b));
                let swapped = world.gap(b, a).unwrap();
                assert_eq!(swapped, ShapeGap { a: found.b, b: found.a, gap: found.gap.swapped() });
            }
            let is_of = |one: &&ShapeGap| of(one.a) == a || of(one.b) == a;
            let least = all.iter().filter(is_of).map(|one| one.gap.gap).fold(f64::INFINITY, f64::min);
            let nearest = world.nearest(a).unwrap().unwrap();
            assert_eq!(nearest.gap.gap.to_bits(), least.to_bits());
            assert_eq!(of(nearest.a), a);
        }
    }
    assert!(overlaps > 10, "{overlaps} overlaps: the test has too few");
}

#[test]
fn what_cannot_touch_has_a_gap_but_is_not_among_the_nearest() {
    let mut builder = WorldBuilder::new(WorldParams::default());
    let ball = |x: f64| Pose::from_translation(Vec3::new(x, 0.0, 0.0)).unwrap();
    let first = builder.body(BodyDef::free(ball(0.0)).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    let joint = Joint { parent_frame: ball(0.3), ..Joint::new(Some(first), JointKind::Fixed) };
    let arm = builder.body(BodyDef::new(joint).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    let far = builder.body(BodyDef::free(ball(2.0)).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    let bare = builder.body(BodyDef::free(ball(5.0)).with_inertia(Inertia::sphere(1.0, 0.1))).unwrap();
    let world = builder.build().unwrap();
    assert!((world.gap(first, arm).unwrap().gap.gap - 0.1).abs() < 1e-15);
    let nearest = world.nearest(first).unwrap().unwrap();
    assert_eq!(world.body_of(nearest.b), Some(far), "a joint connects the nearer one");
    assert_eq!(world.gaps(1.0).unwrap(), []);
    assert_eq!(world.gaps(10.0).unwrap().len(), 2);
    // What is not there is an error that says so.
    assert!(matches!(world.gap(first, bare), Err(WorldError::NothingBetween { .. })));
    assert!(matches!(world.gap(first, GapSide::Fixed), Err(WorldError::NothingBetween { .. })));
    assert!(matches!(world.gap(first, first), Err(WorldError::NothingBetween { .. })));
    assert!(matches!(world.gap(first, BodyId(9)), Err(WorldError::NoBody { body: 9 })));
    assert!(matches!(world.nearest(ShapeId(9)), Err(WorldError::NoShape { shape: 9 })));
    assert!(world.gaps(f64::NAN).is_err());
    assert_eq!(world.nearest(bare).unwrap(), None);
}

#[test]
fn an_event_function_of_a_gap_stops_where_it_is_reached() {
    let mut builder = WorldBuilder::new(WorldParams::default());
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0).unwrap(), "steel")).unwrap();
    let start = Pose::from_translation(Vec3::new(0.0, 0.0, 1.1)).unwrap();
    let ball = builder.body(BodyDef::free(start).with(Shape::sphere(0.1).unwrap(), "steel")).unwrap();
    builder.add_event(EventFunction {
        function: Arc::new(move |view| view.gap(ball, GapSide::Fixed).map_or(f64::NAN, |g| g.gap.gap - 0.25)),
        direction: Direction::Falling,
        stops: true,
    });
    let mut world = builder.build().unwrap();
    world.advance_to(1.0).unwrap();
    assert!((world.time() - (2.0 * 0.75 / 9.81_f64).sqrt()).abs() < 1e-12, "{}", world.time());
    assert!(world.events().iter().any(|event| matches!(event.what, EventKind::Crossed { function: 0 })));
    assert!((world.gap(ball, GapSide::Fixed).unwrap().gap.gap - 0.25).abs() < 1e-12);
}
