//! Closest features by V-Clip: against exact distances and a look at all vertices, from any start.

mod vclip_checks;

use std::f64::consts::TAU;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use vclip_checks::{
    EXACT, Pair, check, check_against, cuboid, prism, random_pose, set_apart, stone, vertices_of,
};
use zerogap_core::math::sin_cos;
use zerogap_core::{ContactId, Feature, Pose, Vec3};
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{ClosestStatus, distance};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// Gaps down to rounding [m].
const GAPS: [f64; 8] = [1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-14, 1e-15, 0.0];

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn kinds(id: ContactId) -> (&'static str, &'static str) {
    (id.a.word(), id.b.word())
}

#[test]
fn every_start_ends_at_the_exact_distance() {
    let mut random = Random::new(1);
    let (mut asked, mut clear_searches, mut all_searches) = (0, 0, 0);
    for stretch in [Vec3::repeat(1.0), Vec3::new(1.0, 1.0, 1e-6), Vec3::new(1.0, 1e-3, 1e-3)] {
        for corners in [4, 8, 20, 50, 200] {
            for _ in 0..count(30, 1000) {
                let scale = [1.0, 1.0, 1e-9, 1e9][random.index(4)];
                let stretch = stretch * scale;
                let (a, b) = (stone(&mut random, corners, &stretch), stone(&mut random, corners, &stretch));
                let mut pose = || random_pose(&mut random, 1.5 * scale);
                let mut pair = Pair::new(&a, pose(), &b, pose());
                if random.index(2) == 0 {
                    let gap = GAPS[random.index(GAPS.len())] * scale;
                    pair = set_apart(&pair, &random.direction(), gap);
                }
                let exact = pair.exact();
                for k in 0..4 {
                    let start = (k > 0).then(|| pair.random_start(&mut random));
                    let near = pair.query(start);
                    check_against("stones", &pair, &near, exact);
                    let most = pair.feature_count() / 2 + 20;
                    assert!((near.steps as usize) < most, "{} steps: {pair:?}", near.steps);
                    asked += 1;
                    all_searches += usize::from(!near.by_walk);
                    // Clear of rounding the walk needs no help, apart or in overlap.
                    let is_clear = exact[0].abs() > 1e-11 * pair.extent();
                    clear_searches += usize::from(is_clear && !near.by_walk);
                }
            }
        }
    }
    assert!(1000 * clear_searches <= asked, "{clear_searches} searches in {asked} queries clear of contact");
    assert!(8 * all_searches <= asked, "{all_searches} searches in {asked} queries");
}

#[test]
fn boxes_have_the_distance_of_boxes() {
    let mut random = Random::new(2);
    for _ in 0..count(300, 20_000) {
        let mut size = || Vec3::from_fn(|_, _| [1.0, 0.1, 1e-6, 3.0][random.index(4)]);
        let sizes = [size(), size()];
        let [a, b] = sizes.map(|size| cuboid(size.x, size.y, size.z));
        let turn = random.index(2) == 0;
        let mut pose = || {
            let place = random.in_cube(2.0);
            if turn { Pose::new(place, random.quaternion_xyzw()) } else { Pose::from_translation(place) }
        };
        let pair = Pair::new(&a, pose().unwrap(), &b, pose().unwrap());
        let near = pair.query(None);
        let boxes = sizes.map(|size| ConvexShape::from(zerogap_geometry::shape::Cuboid::new(size).unwrap()));
        let gap = distance(&boxes[0], &pair.poses[0], &boxes[1], &pair.poses[1]);
        let error = (near.distance - gap.gap.max(0.0)).abs();
        assert!(error <= EXACT * pair.extent(), "{near:?}\n{gap:?}\n{pair:?}");
        check_against("boxes", &pair, &near, pair.exact());
    }
}

/// Parallel features at all gaps, unturned and turned, from all kinds of starts: the same general pair.
#[track_caller]
fn check_parallel(
    name: &str,
    a: &Polyhedron,
    b: &Polyhedron,
    place: impl Fn(f64) -> Pose,
    expected: (&str, &str),
) {
    let mut random = Random::new(3);
    for gap in GAPS {
        for turned in [false, true] {
            let mut pair = Pair::new(a, Pose::identity(), b, place(gap));
            if turned {
                pair = pair.moved(&random_pose(&mut random, 1.0));
            }
            let cold = check(name, &pair, None);
            // Below that, poses and distances are rounding, and a normal may be any.
            let is_clear = gap > 1e-13;
            assert!(!is_clear || kinds(cold.features) == expected, "{name} at {gap:e}: {}", cold.features);
            for _ in 0..8 {
                let near = check(name, &pair, Some(pair.random_start(&mut random)));
                assert!(!is_clear || near.features == cold.features, "{name} at {gap:e}: {}", near.features);
            }
        }
    }
}

#[test]
fn a_stack_lies_face_on_face() {
    for sides in [3, 4, 6, 30] {
        let (a, b) = (prism(sides), prism(sides));
        // Vertex over vertex, and shifted so that sides cross.
        check_parallel("stack", &a, &b, |gap| at(0.0, 0.0, 1.0 + gap), ("face", "face"));
        check_parallel("shifted stack", &a, &b, |gap| at(0.5, 0.3, 1.0 + gap), ("face", "face"));
        let other = prism(sides + 2);
        check_parallel("unlike stack", &a, &other, |gap| at(0.0, 0.0, 1.0 + gap), ("face", "face"));
    }
    // Faces that only overlap beside each other's vertices: a cross of two beams.
    let (a, b) = (cuboid(4.0, 1.0, 1.0), cuboid(1.0, 4.0, 1.0));
    check_parallel("crossed beams", &a, &b, |gap| at(0.1, 0.2, 1.0 + gap), ("face", "face"));
}

#[test]
fn parallel_edges_are_found_whole() {
    let square = prism(4);
    check_parallel("upright edges", &square, &square, |gap| at(2.0 + gap, 0.0, 0.0), ("edge", "edge"));
    check_parallel("shifted edges", &square, &square, |gap| at(2.0 + gap, 0.0, 0.4), ("edge", "edge"));
    // The edge of one against a face of the other.
    let cube = cuboid(2.0, 2.0, 2.0);
    check_parallel("edge on face", &cube, &square, |gap| at(2.0 + gap, 0.1, 0.2), ("face", "edge"));
    check_parallel("edge beside face", &cube, &square, |gap| at(2.0 + gap, 0.0, 1.2), ("face", "edge"));
}

#[test]
fn crossing_edges_and_corners_are_no_more_than_that() {
    let gem = Polyhedron::from_points(&[Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()])
        .unwrap();
    check_parallel("tips", &gem, &gem, |gap| at(2.0 + gap, 0.0, 0.0), ("vertex", "vertex"));
    check_parallel(
        "tip on face",
        &cuboid(2.0, 2.0, 2.0),
        &gem,
        |gap| at(2.0 + gap, 0.3, 0.1),
        ("face", "vertex"),
    );
    let square = prism(4);
    let across =
        |gap: f64| Pose::from_axis_angle(Vec3::new(2.0 + gap, 0.0, 0.0), Vec3::x(), 0.25 * TAU).unwrap();
    check_parallel("crossing edges", &square, &square, across, ("edge", "edge"));
}

#[test]
fn a_vertex_behind_a_face_finds_the_way_around() {
    // Mirtich's local minimum: straight behind the far face of a slab, where no neighbouring pair is nearer.
    let slab = cuboid(4.0, 4.0, 0.2);
    let gem = Polyhedron::from_points(&[Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()])
        .unwrap();
    let pair = Pair::new(&slab, Pose::identity(), &gem, at(0.3, 0.2, 2.0));
    let far_face = (0..6).find(|face| slab.normal(*face).z < -0.5).unwrap() as u32;
    let tip = (0..6).find(|tip| gem.vertices()[*tip].z < -0.5).unwrap() as u32;
    let near =
        check("behind", &pair, Some(ContactId { a: Feature::Face(far_face), b: Feature::Vertex(tip) }));
    assert!(near.by_walk && near.steps <= 4, "{near:?}");
    assert!((near.distance - 0.9).abs() < 1e-15);
    // Inside the slab the same start ends in overlap.
    let pair = Pair::new(&slab, Pose::identity(), &gem, at(0.3, 0.2, 1.0));
    let near =
        check("inside", &pair, Some(ContactId { a: Feature::Face(far_face), b: Feature::Vertex(tip) }));
    assert_eq!((near.status, near.by_walk), (ClosestStatus::Overlap, true));
}

#[test]
fn one_inside_the_other_or_in_its_place_is_an_overlap() {
    let mut random = Random::new(4);
    let (big, small) =
        (stone(&mut random, 40, &Vec3::repeat(1.0)), stone(&mut random, 40, &Vec3::repeat(0.1)));
    for (a, b) in [(&big, &small), (&small, &big), (&big, &big)] {
        let pair = Pair::new(a, Pose::identity(), b, Pose::identity());
        for _ in 0..20 {
            let near = check("inside", &pair, Some(pair.random_start(&mut random)));
            assert_eq!(near.status, ClosestStatus::Overlap);
        }
    }
}

#[test]
fn starts_of_other_polyhedra_are_poor_starts_only() {
    let mut random = Random::new(5);
    let (a, b) = (stone(&mut random, 12, &Vec3::repeat(1.0)), stone(&mut random, 9, &Vec3::repeat(1.0)));
    let pair = Pair::new(&a, Pose::identity(), &b, at(2.5, 0.3, 0.1));
    let cold = check("cold", &pair, None);
    let features = |k: u32| [Feature::Vertex(k), Feature::Edge(k), Feature::Face(k), Feature::Surface(k)];
    let all: Vec<Feature> = [0, 5, 11, 100, (1 << 30) - 1, u32::MAX].into_iter().flat_map(features).collect();
    for &of_a in &all {
        for &of_b in &all {
            let near = pair.query(Some(ContactId { a: of_a, b: of_b }));
            assert!((near.distance - cold.distance).abs() <= EXACT * pair.extent());
            assert_eq!(near.features, cold.features);
        }
    }
}

/// B on a slow, uneven way around A, `distance` from it; step k of many.
fn slow_motion(k: usize, distance: f64) -> [Pose; 2] {
    let t = 0.002 * k as f64;
    let (sin, cos) = sin_cos(0.7 * t);
    let place = Vec3::new(distance * cos, distance * sin, 0.2 * sin);
    [
        Pose::from_axis_angle(Vec3::zeros(), Vec3::new(1.0, 0.3, 0.2), t).unwrap(),
        Pose::from_axis_angle(place, Vec3::new(0.1, 1.0, 0.4), -1.3 * t).unwrap(),
    ]
}

#[test]
fn along_a_slow_motion_a_few_steps_do_whatever_the_size() {
    let mut random = Random::new(6);
    let steps = count(400, 10_000);
    for corners in [50, 200, 1000] {
        let (a, b) = (
            stone(&mut random, corners, &Vec3::repeat(1.0)),
            stone(&mut random, corners, &Vec3::repeat(1.0)),
        );
        let shapes = [ConvexShape::from(a.clone()), ConvexShape::from(b.clone())];
        for far in [2.01, 3.0] {
            let (mut start, mut taken, mut searches) = (None, 0, 0);
            for k in 0..steps {
                let [pose_a, pose_b] = slow_motion(k, far);
                let pair = Pair { shapes: [a.clone(), b.clone()], poses: [pose_a, pose_b] };
                let near = pair.query(start);
                let gap = distance(&shapes[0], &pose_a, &shapes[1], &pose_b);
                assert!((near.distance - gap.gap).abs() <= EXACT * pair.extent(), "{near:?}\n{gap:?}");
                start = Some(near.found);
                taken += near.steps;
                searches += usize::from(!near.by_walk);
            }
            let mean = f64::from(taken) / steps as f64;
            assert!(mean < 2.0, "{corners} corners {far} apart: {mean} steps a query");
            assert_eq!(searches, 0, "{corners} corners {far} apart");
        }
    }
}

#[test]
fn cold_walks_are_linear_in_the_features() {
    let mut random = Random::new(7);
    for corners in [20, 200, 1000] {
        let shape = stone(&mut random, corners, &Vec3::new(3.0, 1.0, 0.3));
        for _ in 0..count(20, 1000) {
            let pair =
                Pair::new(&shape, random_pose(&mut random, 1.0), &shape, random_pose(&mut random, 8.0));
            for k in 0..5 {
                let near = pair.query((k > 0).then(|| pair.random_start(&mut random)));
                let most = pair.feature_count() / 4 + 20;
                assert!((near.steps as usize) < most, "{} steps of {most}: {pair:?}", near.steps);
            }
        }
    }
}

#[test]
fn faces_that_are_nearly_coplanar_change_nothing() {
    // A cap of points a hair above or below one plane: merged faces, slivers and all between.
    let mut random = Random::new(8);
    for bulge in [1e-3, 1e-8, 1e-11, 1e-12, 1e-13, 1e-14, 1e-16] {
        for _ in 0..count(10, 300) {
            let mut points = vec![Vec3::new(0.0, 0.0, -1.0)];
            points.extend((0..20).map(|_| {
                let p = random.in_ball();
                Vec3::new(p.x, p.y, bulge * random.range(-1.0, 1.0))
            }));
            let Ok(top) = Polyhedron::from_points(&points) else { continue };
            let b = stone(&mut random, 12, &Vec3::repeat(0.5));
            let turn = random.quaternion_xyzw();
            let pair = Pair::new(&top, Pose::identity(), &b, Pose::new(Vec3::zeros(), turn).unwrap());
            for gap in [1e-1, 1e-9, 1e-13] {
                let pair = set_apart(&pair, &Vec3::z(), gap);
                let exact = pair.exact();
                for _ in 0..4 {
                    let near = pair.query(Some(pair.random_start(&mut random)));
                    check_against("cap", &pair, &near, exact);
                }
            }
        }
    }
}

#[test]
fn far_tiny_and_huge_pairs_keep_their_digits() {
    let mut random = Random::new(9);
    let stone = stone(&mut random, 20, &Vec3::repeat(1.0));
    for scale in [1e-59, 1e-41, 1e-30, 1e-9, 1e9, 1e30, 1e45] {
        let corners: Vec<Vec3> = stone.vertices().iter().map(|v| v * scale).collect();
        let scaled = Polyhedron::from_points(&corners).unwrap();
        for far in [2.5, 1e3, 1e9] {
            let place = random.direction() * (far * scale);
            let (turn, other_turn) = (random.quaternion_xyzw(), random.quaternion_xyzw());
            let pair = Pair::new(
                &scaled,
                Pose::new(Vec3::zeros(), turn).unwrap(),
                &scaled,
                Pose::new(place, other_turn).unwrap(),
            );
            let near = pair.query(None);
            let [a, b] = [0, 1].map(|k| ConvexShape::from(pair.shapes[k].clone()));
            let gap = distance(&a, &pair.poses[0], &b, &pair.poses[1]);
            assert_eq!(near.status, ClosestStatus::Apart);
            assert!((near.distance - gap.gap).abs() <= EXACT * pair.extent(), "{near:?}\n{gap:?}");
            assert!((near.normal - gap.normal).norm() < 1e-12, "{near:?}\n{gap:?}");
        }
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: count(200, 10_000) as u32,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Stones, boxes and prisms: apart, in overlap, on the brink of contact or unturned.
fn pairs() -> impl Strategy<Value = Pair> {
    (any::<u64>(), 0..4_usize).prop_map(|(seed, mode)| {
        let mut random = Random::new(seed);
        let mut shape = || match random.index(3) {
            0 => cuboid(random.range(0.1, 2.0), random.range(0.1, 2.0), 1.0),
            1 => prism(3 + random.index(8)),
            _ => {
                let corners = 4 + random.index(60);
                stone(&mut random, corners, &Vec3::repeat(1.0))
            }
        };
        let (a, b) = (shape(), shape());
        let mut pair = Pair::new(&a, random_pose(&mut random, 2.0), &b, random_pose(&mut random, 2.0));
        if mode == 0 {
            pair.poses = pair.poses.map(|pose| Pose::from_translation(pose.translation()).unwrap());
        }
        if mode == 1 {
            pair = set_apart(&pair, &random.direction(), [1e-9, 1e-6, 1e-3, 1.0][random.index(4)]);
        }
        pair
    })
}

/// Whether a distance is far enough from zero for its features to be told [m].
fn is_clear(distance: f64, pair: &Pair) -> bool {
    distance > 1e-8 * pair.extent()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn swapping_swaps_the_features(pair in pairs()) {
        let (here, there) = (pair.query(None), pair.swapped().query(None));
        prop_assert!((here.distance - there.distance).abs() <= EXACT * pair.extent(), "{here:?}\n{there:?}");
        if is_clear(here.distance, &pair) {
            prop_assert_eq!(here.features, there.features.swapped(), "{:?}\n{:?}", here, there);
            prop_assert!((here.normal + there.normal).norm() < 1e-6, "{here:?}\n{there:?}");
        }
    }

    #[test]
    fn a_common_motion_leaves_features_and_distance(pair in pairs(), seed in any::<u64>()) {
        let by = random_pose(&mut Random::new(seed), 3.0);
        let (here, there) = (pair.query(None), pair.moved(&by).query(None));
        prop_assert!((here.distance - there.distance).abs() <= 1e-13 * pair.extent(), "{here:?}\n{there:?}");
        if is_clear(here.distance, &pair) {
            prop_assert_eq!(here.features, there.features, "{:?}\n{:?}", here, there);
        }
    }

    #[test]
    fn powers_of_two_scale_every_digit(pair in pairs(), power in -30..30_i32) {
        let scale = 2.0_f64.powi(power);
        let shapes = [0, 1].map(|k| {
            let corners: Vec<Vec3> = pair.shapes[k].vertices().iter().map(|v| v * scale).collect();
            Polyhedron::from_points(&corners).unwrap()
        });
        let poses = pair.poses.map(|pose| Pose::new(pose.translation() * scale, pose.quaternion_xyzw()).unwrap());
        let scaled = Pair { shapes, poses };
        let (here, there) = (pair.query(None), scaled.query(None));
        prop_assert_eq!(here.distance.to_bits(), (there.distance / scale).to_bits(), "{:?}\n{:?}", here, there);
        prop_assert_eq!(here.status, there.status);
        // The numbering may differ, the corners may not.
        for (k, (own, other)) in
            [(here.features.a, there.features.a), (here.features.b, there.features.b)].into_iter().enumerate()
        {
            let sorted = |shape: &Polyhedron, feature| {
                let mut corners = vertices_of(shape, feature);
                corners.sort_unstable();
                corners
            };
            prop_assert_eq!(sorted(&pair.shapes[k], own), sorted(&scaled.shapes[k], other));
        }
    }

    #[test]
    fn the_answer_feeds_the_next_query_and_stays(pair in pairs()) {
        let first = pair.query(None);
        let again = pair.query(Some(first.found));
        prop_assert!((first.distance - again.distance).abs() <= EXACT * pair.extent(), "{first:?}\n{again:?}");
        if first.by_walk && first.status == ClosestStatus::Apart {
            prop_assert_eq!((again.found, again.steps), (first.found, 1));
        }
    }
}
