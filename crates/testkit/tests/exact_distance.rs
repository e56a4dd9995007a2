//! The oracle for polytopes against closed forms, against itself with the two sets swapped, and against a plain search.
#![expect(clippy::float_cmp, reason = "an exact oracle gives exactly these numbers")]

use zerogap_core::{Pose, Vec3};
use zerogap_testkit::brute::largest_separation;
use zerogap_testkit::count;
use zerogap_testkit::exact_distance::{ExactGap, signed_distance};
use zerogap_testkit::random::Random;

fn cuboid(half: Vec3) -> Vec<Vec3> {
    (0..8)
        .map(|k| {
            let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            Vec3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z)
        })
        .collect()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

fn gap_of(a: &[Vec3], b: &[Vec3]) -> ExactGap {
    signed_distance(a, &Pose::identity(), b, &Pose::identity())
}

/// The value of an interval of no width.
#[track_caller]
fn sharp(found: ExactGap) -> f64 {
    assert!(found.lo.to_bits() == found.hi.to_bits() || (found.lo == 0.0 && found.hi == 0.0), "{found:?}");
    found.lo
}

#[test]
fn aligned_boxes_have_their_gap_to_the_last_bit() {
    let (a, b) = (cuboid(Vec3::new(1.0, 2.0, 3.0)), cuboid(Vec3::new(0.5, 0.25, 4.0)));
    for (x, y, z, expected) in [
        (2.0, 0.5, 0.25, 0.5),
        (1.5, 0.5, 0.25, 0.0),
        (1.25, 0.5, 0.25, -0.25),
        (0.25, 2.0, 0.0, -0.25),
        (4.5, 6.25, 0.0, 5.0),
        (2.5, 4.25, 9.0, (1.0_f64 + 4.0 + 4.0).sqrt()),
        (0.0, 0.0, 0.0, -1.5),
    ] {
        let found = signed_distance(&a, &Pose::identity(), &b, &at(x, y, z));
        assert_eq!(sharp(found), expected, "{x} {y} {z}");
        // The rounding of a coordinate is seen, where plain arithmetic would lose it.
        let moved = signed_distance(&a, &at(-1e-30, 0.0, 0.0), &b, &at(1.5, 0.0, 0.0));
        assert!(moved.lo > 0.999e-30 && moved.hi < 1.001e-30, "{moved:?}");
    }
}

#[test]
fn known_tetrahedra_have_their_gap() {
    let corner = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    // The slanted face x + y + z = 1 against a point above and a point inside.
    for (point, expected) in [
        (Vec3::new(1.0, 1.0, 1.0), 2.0 / 3.0_f64.sqrt()),
        (Vec3::new(0.25, 0.25, 0.25), -0.25 / 3.0_f64.sqrt()),
        (Vec3::new(-3.0, -4.0, 0.0), 5.0),
        (Vec3::new(0.5, 0.5, 0.0), 0.0),
        (Vec3::new(0.125, 0.25, 0.25), -0.125),
    ] {
        let found = gap_of(&corner, &[point]);
        assert!((found.lo - expected).abs() <= 2.3e-16 * expected.abs(), "{found:?} {expected}");
        assert!((found.hi - expected).abs() <= 2.3e-16 * expected.abs(), "{found:?} {expected}");
    }
    // Two crossing edges, square to each other: z = -1 and z = 1.
    let low = [
        Vec3::new(-1.0, 0.0, -1.0),
        Vec3::new(1.0, 0.0, -1.0),
        Vec3::new(0.0, 1.0, -3.0),
        Vec3::new(0.0, -1.0, -3.0),
    ];
    let high = low.map(|p| Vec3::new(p.y, p.x, -p.z));
    assert_eq!(sharp(gap_of(&low, &high)), 2.0);
    let raised = low.map(|p| p + Vec3::z() * 2.25);
    assert_eq!(sharp(gap_of(&raised, &high)), -0.25);
}

#[test]
fn flat_sets_never_overlap_and_touch_at_zero() {
    let plate = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(1.0, 1.0, 0.0)];
    let segment = [Vec3::new(0.25, 0.25, 0.0), Vec3::new(3.0, 0.25, 0.0)];
    let inside = [Vec3::new(0.5, 0.25, 0.0)];
    for (a, b) in [
        (&plate[..], &segment[..]),
        (&plate, &inside),
        (&segment, &inside),
        (&plate, &plate),
        (&inside, &inside),
    ] {
        let found = gap_of(a, b);
        assert_eq!(sharp(found), 0.0);
        assert!((found.normal.norm() - 1.0).abs() < 1e-15);
    }
    // A needle through a plate spans the space with it: the separating translation is along the plate, or along the needle.
    let needle = [Vec3::new(0.5, 0.25, -0.125), Vec3::new(0.5, 0.25, 4.0)];
    assert_eq!(sharp(gap_of(&plate, &needle)), -0.125);
    let needle = needle.map(|p| p + Vec3::new(0.0, -0.1875, -2.0));
    assert_eq!(sharp(gap_of(&plate, &needle)), -0.0625);
    assert_eq!(sharp(gap_of(&[Vec3::zeros(); 3], &[Vec3::new(3.0, 4.0, 0.0); 2])), 5.0);
}

#[test]
fn random_sets_agree_with_a_plain_search_and_with_their_swap() {
    let mut random = Random::new(11);
    let (mut apart, mut overlapping) = (0, 0);
    for case in 0..count(300, 3000) {
        let set = |random: &mut Random| -> Vec<Vec3> {
            let n = 1 + random.index(7);
            (0..n).map(|_| random.in_cube(1.0)).collect()
        };
        let (a, b) = (set(&mut random), set(&mut random));
        let reach = random.range(0.0, 2.0);
        let [pose_a, pose_b] =
            [0, 1].map(|_| Pose::new(random.in_cube(reach), random.quaternion_xyzw()).unwrap());
        let found = signed_distance(&a, &pose_a, &b, &pose_b);
        let placed = |set: &[Vec3], pose: &Pose| -> Vec<Vec3> {
            set.iter().map(|p| pose.transform_point(p)).collect()
        };
        let plain = largest_separation(&placed(&a, &pose_a), &placed(&b, &pose_b));
        assert!((found.lo - plain).abs() <= 1e-12, "case {case}: {found:?} against {plain}");
        assert!(found.hi - found.lo <= f64::EPSILON * found.hi.abs());
        let swapped = signed_distance(&b, &pose_b, &a, &pose_a);
        assert_eq!((found.lo.to_bits(), found.hi.to_bits()), (swapped.lo.to_bits(), swapped.hi.to_bits()));
        if found.lo > 0.0 {
            apart += 1;
        } else if found.hi < 0.0 {
            overlapping += 1;
        }
    }
    assert!(apart > 30 && overlapping > 30, "{apart} apart, {overlapping} overlapping");
}

#[test]
fn points_inside_and_duplicates_change_nothing() {
    let mut random = Random::new(5);
    for _ in 0..20 {
        let a: Vec<Vec3> = (0..8).map(|_| random.in_ball()).collect();
        let b: Vec<Vec3> = (0..8).map(|_| random.in_ball() + Vec3::new(0.7, 0.0, 0.0)).collect();
        let plain = gap_of(&a, &b);
        let middle: Vec3 = (a[0] + a[1] + a[2] + a[3]) * 0.25;
        let more: Vec<Vec3> = a.iter().chain(&a).copied().chain([middle]).collect();
        let fuller = gap_of(&more, &b);
        assert_eq!((plain.lo.to_bits(), plain.hi.to_bits()), (fuller.lo.to_bits(), fuller.hi.to_bits()));
    }
}
