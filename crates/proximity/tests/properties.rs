//! What holds for every pair of convex shapes, without an oracle: swap, motion, scale, rounding, cutoffs, caches.

#[path = "../../geometry/tests/shape_zoo/mod.rs"]
#[allow(dead_code, reason = "the shapes are used here, not their own checks")]
mod shape_zoo;

mod pair_checks;

use std::sync::LazyLock;

use pair_checks::{CURVED, EXACT, PlacedShape, check_form, distance, is_exact, random_pose, set_apart, size};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use shape_zoo::zoo;
use zerogap_core::{Gap, GapStatus, NormalKind, Pose, Vec3};
use zerogap_geometry::ConvexShape;
use zerogap_geometry::shape::Cuboid;
use zerogap_proximity::collider::{Collider, ColliderPair, distance_many};
use zerogap_proximity::convex::{DistanceParams, PairCache, distance_with, distance_within, intersects};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

static ZOO: LazyLock<Vec<(&'static str, ConvexShape)>> = LazyLock::new(|| zoo(1.0));

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: count(300, 20_000) as u32,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Any two shapes: apart or in overlap, on the brink of contact, with their origins in one place, or unturned.
fn pair() -> impl Strategy<Value = (PlacedShape, PlacedShape)> {
    (0..ZOO.len(), 0..ZOO.len(), 0..6, 0.0..2.0_f64, any::<u64>()).prop_map(|(a, b, mode, reach, seed)| {
        let mut random = Random::new(seed);
        let mut place = |k: usize| PlacedShape::new(ZOO[k].1.clone(), random_pose(&mut random, reach));
        let (mut a, mut b) = (place(a), place(b));
        match mode {
            0 => {
                let gap = [0.0, 1e-15, -1e-15, 1e-12, -1e-9, 1e-6, -1e-3][random.index(7)];
                b = set_apart(&a, &b, &random.direction(), gap);
            }
            1 => b.pose = Pose::new(a.pose.translation(), b.pose.quaternion_xyzw()).unwrap(),
            2 => {
                a.pose = Pose::from_translation(a.pose.translation()).unwrap();
                b.pose = Pose::from_translation(b.pose.translation()).unwrap();
            }
            _ => {}
        }
        (a, b)
    })
}

/// The error that one answer may have, against the size [-].
fn relative(a: &PlacedShape, b: &PlacedShape) -> f64 {
    if is_exact(a, b) { EXACT } else { CURVED }
}

/// All that an answer says, but how long it took, in bits.
fn bits(gap: &Gap) -> ([u64; 3], [u64; 9], NormalKind, GapStatus) {
    let of = |v: &Vec3| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()];
    let vectors = [of(&gap.normal), of(&gap.point_a), of(&gap.point_b)];
    let flat = std::array::from_fn(|k| vectors[k / 3][k % 3]);
    ([gap.gap.to_bits(), gap.lower.to_bits(), gap.upper.to_bits()], flat, gap.normal_kind, gap.status)
}

/// The shape of the zoo of another size that answers to this one, in a pose of that size.
fn scaled(k: usize, scale: f64, pose: &Pose) -> PlacedShape {
    let (_, shape) = zoo(scale).swap_remove(k);
    PlacedShape::new(shape, Pose::new(pose.translation() * scale, pose.quaternion_xyzw()).unwrap())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_answer_has_its_form((a, b) in pair()) {
        check_form("any pair", &a, &b, &distance(&a, &b), relative(&a, &b));
    }

    #[test]
    fn swapping_flips_the_normal_and_swaps_the_points((a, b) in pair()) {
        let (here, there) = (distance(&a, &b), distance(&b, &a).swapped());
        prop_assert_eq!(bits(&here), bits(&there), "{:?}\n{:?}\n{:?}\n{:?}", here, there, a, b);
    }

    #[test]
    fn a_common_motion_leaves_the_gap((a, b) in pair(), seed in any::<u64>()) {
        let by = random_pose(&mut Random::new(seed), 3.0);
        let (here, there) = (distance(&a, &b), distance(&a.moved(&by), &b.moved(&by)));
        let allowed = if is_exact(&a, &b) { 1e-12 } else { 2.0 * CURVED + 1e-12 };
        prop_assert!((here.gap - there.gap).abs() <= allowed * size(&a, &b), "{here:?}\n{there:?}\n{a:?}\n{b:?}");
    }

    #[test]
    fn powers_of_two_scale_every_digit(ka in 0..28_usize, kb in 0..28_usize, power in -30..30_i32, seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let (pose_a, pose_b) = (random_pose(&mut random, 1.0), random_pose(&mut random, 1.0));
        let scale = 2.0_f64.powi(power);
        let here = distance(&scaled(ka, 1.0, &pose_a), &scaled(kb, 1.0, &pose_b));
        let (a, b) = (scaled(ka, scale, &pose_a), scaled(kb, scale, &pose_b));
        let there = distance(&a, &b);
        let back = Gap {
            gap: there.gap / scale,
            lower: there.lower / scale,
            upper: there.upper / scale,
            point_a: there.point_a / scale,
            point_b: there.point_b / scale,
            ..there
        };
        prop_assert_eq!(bits(&here), bits(&back), "{:?}\n{:?}\n{:?}\n{:?}", here, back, a, b);
    }

    #[test]
    fn any_scale_scales_the_gap(ka in 0..28_usize, kb in 0..28_usize, seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let (pose_a, pose_b) = (random_pose(&mut random, 1.0), random_pose(&mut random, 1.0));
        let (a, b) = (scaled(ka, 1.0, &pose_a), scaled(kb, 1.0, &pose_b));
        let here = distance(&a, &b);
        for scale in [1e-3, 1e4] {
            let there = distance(&scaled(ka, scale, &pose_a), &scaled(kb, scale, &pose_b));
            let allowed = if is_exact(&a, &b) { 1e-13 } else { 2.0 * CURVED };
            prop_assert!((here.gap - there.gap / scale).abs() <= allowed * size(&a, &b), "{scale}: {here:?}\n{there:?}\n{a:?}\n{b:?}");
        }
    }

    #[test]
    fn rounding_lowers_the_gap_by_the_radii((a, b) in pair(), radius_a in 0.0..0.5_f64, radius_b in 0.0..0.5_f64) {
        let inflated = |placed: &PlacedShape, radius| PlacedShape::new(placed.shape.clone().rounded(radius).unwrap(), placed.pose);
        let (round_a, round_b) = (inflated(&a, radius_a), inflated(&b, radius_b));
        let (here, there) = (distance(&a, &b), distance(&round_a, &round_b));
        check_form("rounded", &round_a, &round_b, &there, relative(&round_a, &round_b));
        let allowed = if is_exact(&a, &b) { 1e-12 } else { 1e-12 + 2.0 * CURVED };
        let off = there.gap - (here.gap - radius_a - radius_b);
        prop_assert!(off.abs() <= allowed * size(&round_a, &round_b), "off by {off:e}: {here:?}\n{there:?}\n{a:?}\n{b:?}");
    }

    #[test]
    fn intersects_is_the_sign_of_the_gap((a, b) in pair()) {
        let gap = distance(&a, &b);
        let meets = intersects(&a.shape, &a.pose, &b.shape, &b.pose);
        let margin = relative(&a, &b) * size(&a, &b);
        if gap.gap.abs() > margin {
            prop_assert_eq!(meets, gap.gap < 0.0, "{:?}\n{:?}\n{:?}", gap, a, b);
        }
    }

    #[test]
    fn a_cutoff_ends_the_search_only_beyond_it((a, b) in pair(), part in 0.0..2.0_f64) {
        let free = distance(&a, &b);
        let margin = 2.0 * relative(&a, &b) * size(&a, &b);
        for cutoff in [part * free.gap.abs(), 0.0, 10.0] {
            let within = distance_within(&a.shape, &a.pose, &b.shape, &b.pose, cutoff);
            if within.status == GapStatus::Farther {
                prop_assert!(within.lower > cutoff, "cutoff {cutoff}: {within:?}\n{a:?}\n{b:?}");
                prop_assert!(free.gap >= within.lower - margin && within.upper >= free.gap - margin, "{within:?}\n{free:?}");
            } else {
                prop_assert!((within.gap - free.gap).abs() <= margin, "cutoff {cutoff}: {within:?}\n{free:?}\n{a:?}\n{b:?}");
            }
            if free.gap < cutoff - margin {
                prop_assert!(within.status != GapStatus::Farther, "cutoff {cutoff}: {within:?}\n{free:?}");
            }
            if free.lower > cutoff + margin {
                prop_assert!(within.status == GapStatus::Farther, "cutoff {cutoff}: {within:?}\n{free:?}\n{a:?}\n{b:?}");
            }
        }
    }
}

#[test]
fn a_warm_cache_gives_the_bits_of_a_cold_one() {
    let mut random = Random::new(31);
    for _ in 0..count(60, 2000) {
        let mut pick = || ZOO[random.index(ZOO.len())].1.clone();
        let (a, b) = (pick(), pick());
        let (mut pose_a, mut pose_b) = (random_pose(&mut random, 1.0), random_pose(&mut random, 1.0));
        let mut cache = PairCache::default();
        // Small steps, as a simulation takes them, and now and then a jump.
        for step in 0..40 {
            let warm = distance_with(&a, &pose_a, &b, &pose_b, &DistanceParams::default(), &mut cache);
            let cold = zerogap_proximity::convex::distance(&a, &pose_a, &b, &pose_b);
            assert_eq!(
                bits(&warm),
                bits(&cold),
                "step {step}: {warm:?}\n{cold:?}\n{a:?} {pose_a:?}\n{b:?} {pose_b:?}"
            );
            let far = if step % 10 == 9 { 1.0 } else { 0.02 };
            let mut moved = |pose: &Pose| {
                let turn = Pose::from_axis_angle(random.in_cube(far), random.direction(), far).unwrap();
                Pose::new(pose.translation() + turn.translation(), (turn * *pose).quaternion_xyzw()).unwrap()
            };
            (pose_a, pose_b) = (moved(&pose_a), moved(&pose_b));
        }
    }
}

#[test]
fn a_cache_may_change_its_pair() {
    // What one pair has left in the cache must not reach the answer of another.
    let mut random = Random::new(32);
    let mut cache = PairCache::default();
    for _ in 0..count(500, 20_000) {
        let mut pick =
            || PlacedShape::new(ZOO[random.index(ZOO.len())].1.clone(), random_pose(&mut random, 1.0));
        let (a, b) = (pick(), pick());
        let warm =
            distance_with(&a.shape, &a.pose, &b.shape, &b.pose, &DistanceParams::default(), &mut cache);
        assert_eq!(bits(&warm), bits(&distance(&a, &b)), "{a:?}\n{b:?}");
    }
}

#[test]
fn many_at_once_give_the_bits_of_one_by_one_on_any_number_of_threads() {
    let mut random = Random::new(33);
    let pairs: Vec<(PlacedShape, PlacedShape)> = (0..count(1000, 20_000))
        .map(|_| {
            let mut pick =
                || PlacedShape::new(ZOO[random.index(ZOO.len())].1.clone(), random_pose(&mut random, 1.0));
            (pick(), pick())
        })
        .collect();
    let colliders: Vec<[Collider; 2]> =
        pairs.iter().map(|(a, b)| [a, b].map(|one| Collider::from(one.shape.clone()))).collect();
    let queries: Vec<ColliderPair<'_>> = pairs
        .iter()
        .zip(&colliders)
        .map(|((a, b), [one, other])| ColliderPair::new(one, a.pose, other, b.pose))
        .collect();
    let single: Vec<Gap> = pairs.iter().map(|(a, b)| distance(a, b)).collect();
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Filled with an answer that none of them has, so that a slot left out is seen.
        let mut answers = vec![Gap { gap: f64::NAN, ..single[0] }; queries.len()];
        pool.install(|| distance_many(&queries, &DistanceParams::default(), &mut answers)).unwrap();
        for (k, (found, expected)) in answers.iter().zip(&single).enumerate() {
            assert_eq!(bits(found), bits(expected), "query {k} on {threads} threads: {:?}", pairs[k]);
        }
    }
}

#[test]
fn contact_points_of_rounded_boxes_stay_continuous_in_shallow_overlap() {
    let radius = 0.1;
    let rounded = |x, y, z| -> ConvexShape {
        ConvexShape::from(Cuboid::new(Vec3::new(x, y, z)).unwrap()).rounded(radius).unwrap()
    };
    let still = PlacedShape::at(rounded(2.0, 2.0, 1.0), 0.0, 0.0, 0.0);
    // A step along the way, and how many times as far a point may move: a tilt of 0.3 lets a nearest point run ahead 1/sin(0.3) times.
    let (step, ahead) = (1e-3, 10.0);
    for tilt in [Vec3::new(0.3, 0.2, 0.1), Vec3::new(-0.4, 0.5, 0.8), Vec3::new(0.7, 0.0, 0.9)] {
        let sliding = |x: f64| {
            let pose = Pose::from_axis_angle(Vec3::new(x, 0.15, 0.0), tilt, tilt.norm()).unwrap();
            // As deep as half of both radii, seen from above.
            set_apart(&still, &PlacedShape::new(rounded(0.8, 0.6, 0.7), pose), &Vec3::z(), -radius)
        };
        let height = sliding(0.0).pose.translation().z;
        let mut last: Option<Gap> = None;
        let mut deepest = 0.0_f64;
        for k in 0..4000 {
            let x = -2.0 + f64::from(k) * step;
            let mut b = sliding(x);
            // Straight along x and level, over one edge, across the face and over the other edge.
            b.pose = Pose::new(Vec3::new(x, 0.15, height), b.pose.quaternion_xyzw()).unwrap();
            let gap = distance(&still, &b);
            deepest = deepest.min(gap.gap);
            assert!(gap.gap > -2.0 * radius, "the slide goes deeper than meant: {gap:?}");
            if let Some(last) = last {
                let moved = (gap.point_a - last.point_a).norm().max((gap.point_b - last.point_b).norm());
                assert!(moved <= ahead * step, "at {x} by {} steps: {last:?}\n{gap:?}", moved / step);
                let turned = (gap.normal - last.normal).norm();
                assert!(turned <= ahead * step / radius, "at {x}: {last:?}\n{gap:?}");
            }
            last = Some(gap);
        }
        assert!(deepest < -0.5 * radius, "the slide never overlaps: {deepest}");
    }
}
