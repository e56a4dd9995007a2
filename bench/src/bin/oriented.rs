//! Which surface was hit: tests of an initiator against a surface per second, by conditions and by guards, over the number of initiators.
//!
//! The target has 64 sides and turns; points fly through it and around it, one in eight of them inside, or one in eight hundred where they are spread ten times as far. Both forms must find the same contacts, bit for bit, before a
//! time is printed. `culled` is the guard form with culling, which makes fewer tests: its rate counts those that it saves as made.

use zerogap_bench::{Clock, Table, summarize};
use zerogap_core::math::sin_cos;
use zerogap_core::{Pose, Vec3};
use zerogap_proximity::oriented::{Form, Oriented, OrientedParams, Target};
use zerogap_testkit::random::Random;

/// Sides of the target [-].
const SIDES: usize = 64;

/// Steps whose points are made beforehand [-]; they are gone through to and fro.
const FRAMES: usize = 6;

/// Tests that one sample is made of at least [-]: milliseconds, long against the clock.
const TESTS: usize = 8_000_000;

/// Samples of a row [-].
const SAMPLES: usize = 15;

/// How far a point moves in a step, against the radius of the target [-].
const STEP: f64 = 0.02;

/// How far points lie about, against the radius of the target [-].
const REACHES: [f64; 2] = [2.5, 25.0];

struct Frames {
    poses: Vec<Pose>,
    points: Vec<Vec<Vec3>>,
}

impl Frames {
    fn new(count: usize, reach: f64) -> Self {
        let mut random = Random::new(5);
        let planar = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
        let start: Vec<Vec3> = (0..count).map(|_| planar(random.in_cube(reach))).collect();
        let steps: Vec<Vec3> = (0..count).map(|_| planar(random.in_cube(STEP))).collect();
        let at = |k: usize| start.iter().zip(&steps).map(|(p, v)| p + v * k as f64).collect();
        let pose =
            |k: usize| Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), 0.01 * k as f64).expect("a pose");
        Self { poses: (0..FRAMES).map(pose).collect(), points: (0..FRAMES).map(at).collect() }
    }

    /// Frame of a step, to and fro.
    fn at(&self, step: usize) -> ([Pose; 1], &[Vec3]) {
        let k = step % (2 * FRAMES - 2);
        let k = if k < FRAMES { k } else { 2 * FRAMES - 2 - k };
        ([self.poses[k]], &self.points[k])
    }
}

fn main() -> std::io::Result<()> {
    let corner = |k: usize| {
        let (s, c) = sin_cos(-std::f64::consts::TAU * k as f64 / SIDES as f64);
        [c, s]
    };
    let target = Target::polygon(&(0..SIDES).map(corner).collect::<Vec<_>>()).expect("a regular polygon");
    let mut table = Table::new(&[
        "reach",
        "initiators",
        "surfaces",
        "contacts",
        "conditional_M/s",
        "guards_M/s",
        "culled_M/s",
        "guards/cond.",
        "worst_spread",
    ]);
    let counts = [1, 4, 16, 64, 256, 1000, 10_000, 100_000, 1_000_000];
    for (reach, count) in REACHES.into_iter().flat_map(|reach| counts.map(|count| (reach, count))) {
        let frames = Frames::new(count, reach);
        let ways = [(Form::Conditional, false), (Form::Guards, false), (Form::Guards, true)];
        let mut runs = ways.map(|(form, culling)| {
            let (poses, points) = frames.at(0);
            let params = OrientedParams { form, culling, clipping: true, ..OrientedParams::default() };
            Oriented::new(vec![target.clone()], &poses, points, params).expect("finite points")
        });
        // The same contacts in every step of a round, or no time is worth printing.
        for step in 1..2 * FRAMES {
            let (poses, points) = frames.at(step);
            let [first, others @ ..] = &mut runs;
            let found = first.commit(&poses, points).expect("finite points");
            for other in others {
                assert_eq!(other.commit(&poses, points).expect("finite points").touches(), found.touches());
            }
        }
        let contacts = runs[0].reference().touches().len();
        let steps = TESTS.div_ceil(count * SIDES).max(2);
        let timings = runs.map(|mut run| {
            let mut at = 0;
            let samples = (0..=SAMPLES).map(|_| {
                let clock = Clock::start();
                for _ in 0..steps {
                    at += 1;
                    let (poses, points) = frames.at(at);
                    run.commit(&poses, points).expect("finite points");
                }
                clock.elapsed() / (steps * count * SIDES) as f64
            });
            // The first sample fills the caches.
            summarize(samples.skip(1).collect())
        });
        let rate = |k: usize| 1e-6 / timings[k].median;
        table.push(vec![
            reach.to_string(),
            count.to_string(),
            SIDES.to_string(),
            contacts.to_string(),
            format!("{:.1}", rate(0)),
            format!("{:.1}", rate(1)),
            format!("{:.1}", rate(2)),
            format!("{:.2}", rate(1) / rate(0)),
            format!("{:.3}", timings.iter().map(|t| t.spread).fold(0.0, f64::max)),
        ]);
    }
    table.save("oriented")?;
    Ok(())
}
