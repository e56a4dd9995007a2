//! Linear vertex motion against whole-number arithmetic: no miss, and no false alarm beyond the tolerance.

use zerogap_core::{Pose, Vec3};
use zerogap_proximity::motion::{MotionError, Sweep, SweepParams, SweepStatus, edge_edge, vertex_face};
use zerogap_testkit::count;
use zerogap_testkit::exact_distance::signed_distance;
use zerogap_testkit::exact_motion::{edge_edge_time, vertex_face_time};
use zerogap_testkit::random::Random;

/// Eight points: four at the start, four at the end. A vertex and a face, or two edges.
type Query = [Vec3; 8];

fn face_sweep(q: &Query, params: &SweepParams) -> Sweep {
    vertex_face(&q[0], &q[4], &[q[1], q[2], q[3]], &[q[5], q[6], q[7]], params).unwrap()
}

fn edge_sweep(q: &Query, params: &SweepParams) -> Sweep {
    edge_edge(&[q[0], q[1]], &[q[4], q[5]], &[q[2], q[3]], &[q[6], q[7]], params).unwrap()
}

fn face_truth(q: &Query) -> Option<(f64, f64)> {
    vertex_face_time(&q[0], &q[4], &[q[1], q[2], q[3]], &[q[5], q[6], q[7]])
}

fn edge_truth(q: &Query) -> Option<(f64, f64)> {
    edge_edge_time(&[q[0], q[1]], &[q[4], q[5]], &[q[2], q[3]], &[q[6], q[7]])
}

/// Distance of the features at a time, without rounding but for the positions.
fn distance_at(q: &Query, t: f64, first: usize) -> f64 {
    let at: Vec<Vec3> = (0..4).map(|k| q[k] + (q[k + 4] - q[k]) * t).collect();
    let here = Pose::identity();
    signed_distance(&at[..first], &here, &at[first..], &here).hi.max(0.0)
}

/// What was seen over many queries.
#[derive(Debug, Default)]
struct Tally {
    hits: usize,
    false_hits: usize,
    limited: usize,
    late: usize,
    steps: u64,
    most: u32,
    count: usize,
}

impl Tally {
    /// Holds one answer against the truth.
    fn judge(&mut self, q: &Query, sweep: &Sweep, truth: Option<(f64, f64)>, tolerance: f64, first: usize) {
        self.count += 1;
        self.steps += u64::from(sweep.steps);
        self.most = self.most.max(sweep.steps);
        self.limited += usize::from(sweep.status == SweepStatus::Limited);
        let size = q.iter().map(Vec3::amax).fold(0.0, f64::max);
        assert!(sweep.t_lower <= sweep.t_upper && (0.0..=1.0).contains(&sweep.t_lower), "{sweep:?} of {q:?}");
        if let Some((low, high)) = truth {
            self.hits += 1;
            assert!(sweep.is_hit(), "missed at {low}: {q:?}");
            assert!(sweep.t_lower <= high, "late: {sweep:?} after {high} of {q:?}");
            self.late += usize::from(sweep.t_upper < low);
        } else {
            self.false_hits += usize::from(sweep.is_hit());
        }
        if sweep.status == SweepStatus::Hit {
            let allowed = tolerance + 1e-13 * size;
            let distance = distance_at(q, sweep.t_lower, first);
            assert!(distance <= allowed, "{distance} is too far for a hit: {sweep:?} of {q:?}");
        }
    }
}

fn run(make: impl Fn(&mut Random) -> Query, cases: usize, seed: u64, tolerance: f64) -> [Tally; 2] {
    let mut random = Random::new(seed);
    let params = SweepParams { tolerance, ..SweepParams::default() };
    let mut tallies = [Tally::default(), Tally::default()];
    for _ in 0..cases {
        let q = make(&mut random);
        tallies[0].judge(&q, &face_sweep(&q, &params), face_truth(&q), tolerance, 1);
        tallies[1].judge(&q, &edge_sweep(&q, &params), edge_truth(&q), tolerance, 2);
    }
    tallies
}

#[test]
fn random_features_are_never_missed_and_false_alarms_are_near() {
    let tallies = run(|random| std::array::from_fn(|_| random.in_cube(1.0)), count(3_000, 500_000), 1, 1e-6);
    for tally in tallies {
        assert!(tally.hits > tally.count / 50, "{tally:?}");
        assert_eq!(tally.limited, 0, "{tally:?}");
    }
}

#[test]
fn features_on_a_small_grid_touch_in_every_degenerate_way() {
    // Coordinates -1, 0 and 1: coplanar, parallel, without length or area, touching at the start or the end, at rest.
    let make = |random: &mut Random| -> Query {
        std::array::from_fn(|_| Vec3::from_fn(|_, _| random.index(3) as f64 - 1.0))
    };
    let tallies = run(make, count(3_000, 500_000), 2, 1e-6);
    for tally in tallies {
        assert!(tally.hits > tally.count / 10 && tally.limited == 0, "{tally:?}");
    }
}

#[test]
fn features_in_one_plane_are_decided_there() {
    let make = |random: &mut Random| -> Query {
        std::array::from_fn(|_| Vec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0))
    };
    run(make, count(1_000, 100_000), 3, 1e-6);
}

#[test]
fn grazing_and_nearly_touching_features_are_judged_within_the_tolerance() {
    // A vertex or edge that passes within some tolerances of a feature that turns under it.
    let make = |random: &mut Random| -> Query {
        let near = 1e-6 * random.range(-8.0, 8.0);
        let mut q: Query = std::array::from_fn(|_| random.in_cube(1.0));
        let (u, v, t) = (random.unit(), random.unit(), random.unit());
        // The point of the second feature at that time, moved a little, becomes a point of the first.
        let at = |k: usize| q[k] + (q[k + 4] - q[k]) * t;
        let (w, x) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        let foot = at(1) * (1.0 - w - x) + at(2) * w + at(3) * x;
        let there = foot + random.direction() * near;
        let shift = there - at(0);
        q[0] += shift;
        q[4] += shift;
        q
    };
    run(make, count(1_000, 100_000), 4, 1e-6);
}

#[test]
fn scale_and_place_change_nothing_but_rounding() {
    for (scale, away) in [(1e-150, 0.0), (1e150, 0.0), (1e-9, 1.0), (1e6, 1e9), (1.0, 1e5)] {
        let make = |random: &mut Random| -> Query {
            std::array::from_fn(|_| random.in_cube(1.0) * scale + Vec3::repeat(away))
        };
        run(make, count(200, 20_000), 5, 1e-6 * scale);
    }
}

#[test]
fn the_closed_forms_have_their_times() {
    let face = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];
    let params = SweepParams::default();
    let falls = |from: Vec3, to: Vec3| vertex_face(&from, &to, &face, &face, &params).unwrap();
    let y = Vec3::y();
    for (sweep, time) in [(falls(y, -y), 0.5), (falls(y, Vec3::zeros()), 1.0), (falls(-y, y), 0.5)] {
        assert!(sweep.is_hit() && sweep.t_lower <= time && time <= sweep.t_upper, "{sweep:?}");
        assert!(sweep.t_upper - sweep.t_lower < 1e-12, "{sweep:?}");
    }
    let beside = Vec3::new(2.0, 0.0, 0.0);
    assert!(!falls(beside + y, beside - y).is_hit());
    // Edges: crossing, shifted, parallel.
    let e = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0)];
    let down = |e: [Vec3; 2]| e.map(|p| p - Vec3::z() * 2.0);
    for (f, shift, hit) in [
        ([-y, y], Vec3::zeros(), true),
        ([-y, y], 2.0 * y, false),
        ([-Vec3::x(), Vec3::x()], Vec3::zeros(), true),
    ] {
        let e = e.map(|p| p + shift);
        let sweep = edge_edge(&e, &down(e), &f, &f, &params).unwrap();
        assert_eq!(sweep.is_hit(), hit, "{sweep:?}");
        if hit {
            assert!(sweep.t_lower <= 0.5 && 0.5 <= sweep.t_upper && sweep.t_upper - sweep.t_lower < 1e-12);
        }
    }
}

#[test]
fn a_separation_is_kept_as_if_the_features_were_that_much_thicker() {
    let face = [Vec3::new(-1.0, 0.0, 1.0), Vec3::new(1.0, 0.0, 1.0), Vec3::new(0.0, 0.0, -1.0)];
    let params = SweepParams { min_separation: 0.25, ..SweepParams::default() };
    let sweep = vertex_face(&Vec3::y(), &-Vec3::y(), &face, &face, &params).unwrap();
    assert!(sweep.is_hit() && sweep.t_lower <= 0.375 && 0.375 <= sweep.t_upper, "{sweep:?}");
    // Past a corner at more and at less than the separation.
    let pass = |height: f64| {
        let (from, to) = (Vec3::new(-3.0, 0.0, -1.0 - height), Vec3::new(3.0, 0.0, -1.0 - height));
        vertex_face(&from, &to, &face, &face, &params).unwrap()
    };
    assert!(pass(0.2499).is_hit() && !pass(0.2501).is_hit());
}

#[test]
fn a_point_near_the_middle_of_a_spinning_face_is_told_from_a_touch() {
    // Corners run 1 while the distance at the middle stays 1e-5: the case that cutting the face is for.
    for height in [1e-2, 1e-4, 1e-5] {
        let start = [Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
        let end = [Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, -1.0, -1.0), Vec3::new(0.0, 2.0, 2.0)];
        let over = Vec3::new(0.0, 0.0, height);
        let sweep = vertex_face(&over, &over, &start, &end, &SweepParams::default()).unwrap();
        assert!(!sweep.is_hit(), "{height}: {sweep:?}");
        assert!(sweep.steps < 2_000, "{height}: {sweep:?}");
    }
}

#[test]
fn what_is_no_number_is_refused_and_nothing_else_is() {
    let face = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    let params = SweepParams::default();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let found = vertex_face(&Vec3::new(0.0, bad, 0.0), &Vec3::z(), &face, &face, &params);
        assert!(matches!(found, Err(MotionError::NotFinite { .. })));
    }
    for big in [1e308, 1e-308, 5e-324, 0.0] {
        let face = face.map(|p| p * big);
        let sweep = vertex_face(
            &Vec3::new(0.1 * big, 0.1 * big, big),
            &Vec3::repeat(-0.5 * big),
            &face,
            &face,
            &params,
        );
        assert!(sweep.is_ok_and(|sweep| sweep.distance >= 0.0 && sweep.normal.iter().all(|c| c.is_finite())));
    }
}

#[test]
fn the_tests_of_the_paper_miss_what_these_find() {
    use zerogap_proximity::motion::paper::{self, Sides};
    // Motion as large as the features: far from the small steps that those tests are for. Then a hundredth of that.
    for (motion, name) in [(1.0, "large"), (0.1, "a tenth"), (0.01, "a hundredth")] {
        let mut random = Random::new(6);
        let [mut faces, mut edges] = [[0_usize; 5]; 2];
        for _ in 0..count(4_000, 200_000) {
            let mut q: Query = std::array::from_fn(|_| random.in_cube(1.0));
            for k in 0..4 {
                q[k + 4] = q[k] + (q[k + 4] - q[k]) * motion;
            }
            let (truth, apexes) = (face_truth(&q).is_some(), [random.in_cube(1.0), random.in_cube(1.0)]);
            let of = |sides| {
                paper::vertex_face(&q[0], &q[4], &[q[1], q[2], q[3]], &[q[5], q[6], q[7]], sides).is_some()
            };
            let (one, both) = (of(Sides::One), of(Sides::Both));
            let seen = [truth, truth && !one, truth && !both, !truth && one, !truth && both];
            faces.iter_mut().zip(seen).for_each(|(sum, is)| *sum += usize::from(is));
            let truth = edge_truth(&q).is_some();
            let wing = |k: usize, apex: usize| [q[k], q[k + 1], apexes[apex]];
            let found = paper::edge_edge(&wing(0, 0), &wing(4, 0), &wing(2, 1), &wing(6, 1)).is_some();
            let seen = [truth, truth && !found, truth && !found, !truth && found, !truth && found];
            edges.iter_mut().zip(seen).for_each(|(sum, is)| *sum += usize::from(is));
        }
        eprintln!("{name}: [true, missed one-sided, missed two-sided, false one-sided, false two-sided]");
        eprintln!("  vertex-face {faces:?}, edge-edge {edges:?}");
        assert!(
            faces[2] <= faces[1],
            "what comes from behind is missed by the one-sided test alone: {faces:?}"
        );
        if name == "large" {
            assert!(faces[1] > faces[0] / 4 && faces[2] > 0 && edges[1] > 0, "{faces:?} {edges:?}");
        }
    }
}
