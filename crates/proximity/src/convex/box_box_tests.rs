//! Boxes against an independent answer, under motion, swap and scale, and in every degenerate position.

use zerogap_core::{Gap, GapStatus, NormalKind, Pose, Vec3};
use zerogap_testkit::{count, random::Random};

use super::box_box::box_box;
use super::placement::Placement;

/// Largest error in a gap or a point, against the extent of the pair [-].
const TOLERANCE: f64 = 2e-15;

/// Where the oracle's searches on an edge end, as a part of its length [-]; squared, this is below rounding.
const SEARCH_STEPS: usize = 100;

/// Two boxes with their poses.
#[derive(Debug, Clone, Copy)]
struct Case {
    half: [Vec3; 2],
    pose: [Pose; 2],
}

impl Case {
    fn extent(&self) -> f64 {
        let [a, b] = &self.pose;
        self.half[0].norm() + self.half[1].norm() + (b.translation() - a.translation()).norm()
    }

    fn gap(&self) -> Gap {
        let at = Placement::new(&self.pose[0], &self.pose[1]);
        at.to_world(box_box(&self.half[0], &self.half[1], &at, f64::INFINITY))
    }

    fn swapped(&self) -> Self {
        Self { half: [self.half[1], self.half[0]], pose: [self.pose[1], self.pose[0]] }
    }

    /// Corners of a box in the world.
    fn corners(&self, which: usize) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let own = Vec3::from_fn(|k, _| self.half[which][k] * if i >> k & 1 == 1 { 1.0 } else { -1.0 });
            self.pose[which].transform_point(&own)
        })
    }

    fn distance_from_box(&self, which: usize, q: &Vec3) -> f64 {
        let own = self.pose[which].inverse_transform_point(q);
        (own.abs() - self.half[which]).sup(&Vec3::zeros()).norm()
    }

    /// The gap by definition: the best of all axes by all corners; apart, the least of corners against boxes and edges against boxes.
    fn oracle(&self) -> f64 {
        let (a, b) = (self.corners(0), self.corners(1));
        let axes = |which: usize| {
            [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| self.pose[which].transform_vector(&axis))
        };
        let mut directions = [axes(0), axes(1)].concat();
        for u in axes(0) {
            directions.extend(axes(1).iter().filter_map(|v| u.cross(v).try_normalize(1e-13)));
        }
        let separation = |n: &Vec3| {
            let low = b.iter().map(|q| n.dot(&(q - a[0]))).fold(f64::INFINITY, f64::min);
            low - a.iter().map(|q| n.dot(&(q - a[0]))).fold(f64::NEG_INFINITY, f64::max)
        };
        let best =
            directions.iter().map(|n| separation(n).max(separation(&-n))).fold(f64::NEG_INFINITY, f64::max);
        if best <= 1e-15 * self.extent() {
            return best;
        }
        // The distance from the other box is convex along an edge: ternary search.
        let mut smallest = f64::INFINITY;
        for (which, corners) in [(1, &a), (0, &b)] {
            for (i, k) in (0..8).flat_map(|i| (0..3).map(move |k| (i, k))).filter(|(i, k)| i >> k & 1 == 0) {
                let (from, to) = (corners[i], corners[i | 1 << k]);
                let at = |t: f64| self.distance_from_box(which, &(from + (to - from) * t));
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..SEARCH_STEPS {
                    let (t1, t2) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                    if at(t1) <= at(t2) { high = t2 } else { low = t1 }
                }
                smallest = smallest.min(at(low)).min(at(high)).min(at(0.0)).min(at(1.0));
            }
        }
        smallest
    }

    /// Everything that must hold for one pair.
    fn check(&self) -> Gap {
        let gap = self.gap();
        let room = TOLERANCE * self.extent();
        let exact = self.oracle();
        assert!((gap.gap - exact).abs() <= room, "{exact:e}, but {gap:?} for {self:?}");
        assert!(gap.lower <= exact && exact <= gap.upper, "{exact:e}, but {gap:?} for {self:?}");
        assert_eq!(gap.status, GapStatus::Exact, "{gap:?} for {self:?}");
        assert!((gap.normal.norm() - 1.0).abs() < 1e-14, "{gap:?} for {self:?}");
        let twist = gap.point_b - gap.point_a - gap.normal * gap.gap;
        assert!(twist.amax() <= room, "{twist:?} in {gap:?} for {self:?}");
        for (which, point) in [(0, &gap.point_a), (1, &gap.point_b)] {
            let outside = self.distance_from_box(which, point);
            assert!(outside <= 2.0 * room, "point of {which} is {outside:e} outside: {gap:?} for {self:?}");
        }
        // Seen from the other side.
        let back = self.swapped().gap().swapped();
        assert!((back.gap - gap.gap).abs() <= room, "{back:?} against {gap:?}");
        if gap.normal_kind == NormalKind::Unique && gap.gap.abs() > 1e-6 * self.extent() {
            assert!((back.normal - gap.normal).amax() <= 1e-7, "{back:?} against {gap:?} for {self:?}");
        }
        gap
    }
}

fn random_case(random: &mut Random, half_a: Vec3, half_b: Vec3, spread: f64) -> Case {
    let mut pose = || Pose::new(random.in_cube(spread), random.quaternion_xyzw()).unwrap();
    Case { half: [half_a, half_b], pose: [pose(), pose()] }
}

fn beside(half_a: Vec3, half_b: Vec3, p: Vec3, turn: (Vec3, f64)) -> Case {
    let pose_b = Pose::from_axis_angle(p, turn.0, turn.1).unwrap();
    Case { half: [half_a, half_b], pose: [Pose::identity(), pose_b] }
}

const STRAIGHT: (Vec3, f64) = (Vec3::new(0.0, 0.0, 1.0), 0.0);

#[test]
fn random_boxes_have_the_gap_of_the_definition_at_every_scale() {
    let mut random = Random::new(3);
    for scale in [1e-9, 1.0, 1e9] {
        for _ in 0..count(60, 5_000) {
            let mut side = || scale * random.range(0.1, 1.0);
            let half_a = Vec3::new(side(), side(), side());
            let half_b = Vec3::new(side(), side(), side());
            random_case(&mut random, half_a, half_b, 1.2 * scale).check();
        }
    }
}

#[test]
fn plates_needles_and_boxes_of_unlike_size_have_the_gap_of_the_definition() {
    let mut random = Random::new(4);
    let cube = Vec3::repeat(1.0);
    let plate = Vec3::new(1.0, 1.0, 1e-4);
    let needle = Vec3::new(1.0, 1e-4, 1e-4);
    for (half_a, half_b, spread) in [
        (plate, plate, 0.7),
        (needle, needle, 0.3),
        (needle, plate, 0.5),
        (cube, needle, 1.0),
        (cube * 100.0, cube * 0.01, 60.0),
        (cube * 1e4, cube, 6e3),
    ] {
        for _ in 0..count(40, 3_000) {
            random_case(&mut random, half_a, half_b, spread).check();
        }
    }
}

#[test]
fn boxes_turned_by_almost_nothing_keep_their_digits() {
    let mut random = Random::new(5);
    for angle in [1e-4, 1e-8, 1e-12, 1e-16] {
        for half_b in [Vec3::repeat(1.0), Vec3::new(3.0, 0.2, 0.1)] {
            for height in [1e-3, 0.0, -1e-3] {
                for _ in 0..count(6, 500) {
                    let (x, y) = (random.range(-1.5, 1.5), random.range(-1.5, 1.5));
                    let p = Vec3::new(x, y, 1.0 + half_b.z + height);
                    beside(Vec3::repeat(1.0), half_b, p, (random.direction(), angle)).check();
                }
            }
        }
    }
}

#[test]
fn crossed_bars_meet_where_no_corner_is_near() {
    let bar = Vec3::new(3.0, 0.1, 0.1);
    for height in [0.5, 1e-9, 0.0, -1e-9, -0.05] {
        for angle in [0.3, 1.0, std::f64::consts::FRAC_PI_2] {
            for tilt in [0.0, 1e-15, 1e-9, 1e-3] {
                let axis = Vec3::new(tilt, 0.3 * tilt, 1.0);
                let case = beside(bar, bar, Vec3::new(0.01, 0.02, 0.2 + height), (axis, angle));
                let gap = case.check();
                assert!(gap.normal.z > 0.9, "{gap:?}");
            }
        }
    }
}

#[test]
fn boxes_with_parallel_sides_have_exact_gaps() {
    let cube = Vec3::repeat(1.0);
    for (p, expected, kind) in [
        (Vec3::new(3.0, 0.5, -0.25), 1.0, NormalKind::Unique),
        (Vec3::new(3.0, 4.0, 0.25), 5.0_f64.sqrt(), NormalKind::Unique),
        (Vec3::new(-3.0, 4.0, 4.0), 3.0, NormalKind::Unique),
        (Vec3::new(2.0, 0.5, 0.25), 0.0, NormalKind::Unique),
        (Vec3::new(2.0, 2.0, 0.25), 0.0, NormalKind::Chosen),
        (Vec3::new(2.0, -2.0, 2.0), 0.0, NormalKind::Chosen),
        (Vec3::new(0.0, 0.0, -1.75), -0.25, NormalKind::Unique),
        (Vec3::new(1.75, 0.0, -1.75), -0.25, NormalKind::Chosen),
        (Vec3::new(1.75, 1.99, 0.5), -0.01, NormalKind::Unique),
        (Vec3::zeros(), -2.0, NormalKind::Chosen),
    ] {
        let gap = beside(cube, cube, p, STRAIGHT).check();
        assert!((gap.gap - expected).abs() < 1e-15, "{p}: {gap:?}");
        assert_eq!(gap.normal_kind, kind, "{p}: {gap:?}");
    }
    // A box on top of another, both rotated: the same normal however it was found.
    let mut random = Random::new(6);
    for _ in 0..count(50, 5_000) {
        let rotation = random.quaternion_xyzw();
        let pose_a = Pose::new(random.in_cube(2.0), rotation).unwrap();
        let up = pose_a.transform_vector(&Vec3::new(0.25, -0.5, 1.999));
        let pose_b = Pose::new(pose_a.translation() + up, rotation).unwrap();
        let gap = Case { half: [cube, cube], pose: [pose_a, pose_b] }.check();
        assert_eq!(gap.normal_kind, NormalKind::Unique);
        assert!((gap.normal - pose_a.transform_vector(&Vec3::z())).amax() < 1e-14);
    }
}

#[test]
fn identical_boxes_in_one_place_have_a_way_out() {
    let mut random = Random::new(7);
    for half in [Vec3::repeat(1.0), Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 1.0, 1e-4)] {
        let pose = Pose::new(random.in_cube(1.0), random.quaternion_xyzw()).unwrap();
        let gap = Case { half: [half, half], pose: [pose, pose] }.check();
        assert!((gap.gap + 2.0 * half.min()).abs() < 1e-15);
        assert_eq!(gap.normal_kind, NormalKind::Chosen);
    }
}

#[test]
fn moving_both_boxes_moves_the_answer() {
    let mut random = Random::new(8);
    for _ in 0..count(200, 20_000) {
        let case = random_case(&mut random, Vec3::new(0.5, 0.7, 0.9), Vec3::new(0.8, 0.3, 0.6), 1.0);
        let motion = Pose::new(random.in_cube(3.0), random.quaternion_xyzw()).unwrap();
        let moved = Case { pose: case.pose.map(|pose| motion * pose), ..case };
        let (before, after) = (case.gap(), moved.gap());
        assert!((before.gap - after.gap).abs() < 1e-14);
        if before.gap.abs() > 1e-3 && (motion.transform_vector(&before.normal) - after.normal).amax() > 1e-9 {
            // Another normal is only right where two are equally good.
            assert!(before.gap < 0.0 && after.normal_kind == NormalKind::Chosen, "{case:?}");
        }
    }
}

#[test]
fn beyond_the_cutoff_the_bounds_are_true_and_within_it_nothing_changes() {
    let mut random = Random::new(9);
    for _ in 0..count(300, 30_000) {
        let case = random_case(&mut random, Vec3::new(0.5, 0.7, 0.9), Vec3::new(0.8, 0.3, 0.6), 2.0);
        let at = Placement::new(&case.pose[0], &case.pose[1]);
        let exact = box_box(&case.half[0], &case.half[1], &at, f64::INFINITY);
        for cutoff in [-0.1, 0.0, 0.5] {
            let gap = box_box(&case.half[0], &case.half[1], &at, cutoff);
            if gap.status == GapStatus::Farther {
                assert!(gap.lower > cutoff && gap.lower <= exact.gap && exact.gap <= gap.upper);
                assert!(gap.lower <= gap.gap && gap.gap <= gap.upper);
                assert!((gap.point_b - gap.point_a - gap.normal * gap.gap).amax() < 1e-14);
            } else {
                assert_eq!(gap, exact);
            }
            // An axis separates by the distance over the square root of three at least.
            assert!(gap.status == GapStatus::Farther || exact.gap <= 1.8 * cutoff.max(0.0) + 1e-12);
        }
    }
}
