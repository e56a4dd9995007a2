//! Random smooth ways against convex targets: the surface that is reported against the one of exact continuous intersection.
//!
//! `docs/oriented-table.md` and `docs/images/oriented.csv` are the numbers of the full run (10,000 ways): `ZEROGAP_FULL=1 ZEROGAP_BLESS=1` writes them, and a full run fails where they are out of date.

mod oriented_checks;

use std::fmt::Write;
use std::path::PathBuf;

use oriented_checks::{WAYS, plain, random_polygon, random_polyhedron};
use zerogap_core::math::sin;
use zerogap_core::{Pose, Vec3};
use zerogap_proximity::oriented::{Oriented, OrientedParams, Target, TouchKind, first_entry, local_point};
use zerogap_testkit::count;
use zerogap_testkit::oriented::{Cubic, cubic_at, first_entry_of_cubic};
use zerogap_testkit::random::Random;

/// Ways against one target.
const WAYS_PER_TARGET: usize = 100;

/// Steps over the unit of time of a way: lengths from 0.1 s to 1e-4 s.
const STEPS: [usize; 7] = [10, 33, 100, 333, 1000, 3333, 10_000];

/// One target with ways in its frame, and what exact intersection says of each.
struct Case {
    target: Target,
    ways: Vec<Cubic>,
    exact: Vec<Option<(f64, usize)>>,
    /// How fast the target turns and shifts in the world.
    turn: f64,
}

impl Case {
    fn random(random: &mut Random, is_planar: bool) -> Self {
        let target = if is_planar { random_polygon(random) } else { random_polyhedron(random) };
        let surfaces = plain(&target);
        let (mut ways, mut exact) = (Vec::new(), Vec::new());
        while ways.len() < WAYS_PER_TARGET {
            // A Bezier curve whose control points are all around: some hit, some graze, some miss.
            let [a, b, c, d] = [1.6, 1.2, 1.2, 1.6].map(|size| {
                let p = random.in_cube(size);
                if is_planar { Vec3::new(p.x, p.y, 0.0) } else { p }
            });
            if target.holds(&a) {
                continue;
            }
            let way = [a, (b - a) * 3.0, (a - b * 2.0 + c) * 3.0, d - a + (b - c) * 3.0].map(Into::into);
            exact.push(first_entry_of_cubic(&surfaces, &way));
            ways.push(way);
        }
        Self { target, ways, exact, turn: random.range(-1.5, 1.5) }
    }

    /// The pose of the target: it turns about z and swings along x.
    fn pose(&self, t: f64) -> Pose {
        let shift = Vec3::new(0.4 * sin(3.0 * t), 0.1 * t, 0.0);
        Pose::from_axis_angle(shift, Vec3::z(), self.turn * sin(2.0 * t)).unwrap()
    }

    /// A point in the world.
    fn point(&self, way: usize, t: f64) -> Vec3 {
        self.pose(t).transform_point(&Vec3::from(cubic_at(&self.ways[way], t)))
    }

    fn points(&self, t: f64) -> Vec<Vec3> {
        let pose = self.pose(t);
        self.ways.iter().map(|way| pose.transform_point(&Vec3::from(cubic_at(way, t)))).collect()
    }

    /// First surface of every way, by steps without location: from history, and the nearest one at the first point inside; and whether the nearest one is another at some point inside.
    fn stepped(&self, steps: usize, params: OrientedParams) -> Vec<([Option<usize>; 2], bool)> {
        let targets = vec![self.target.clone()];
        let mut oriented = Oriented::new(targets, &[self.pose(0.0)], &self.points(0.0), params).unwrap();
        let mut found = vec![([None; 2], false); self.ways.len()];
        for k in 1..=steps {
            let t = k as f64 / steps as f64;
            let pose = self.pose(t);
            for touch in oriented.commit(&[pose], &self.points(t)).unwrap().touches() {
                let j = touch.initiator as usize;
                if matches!(touch.kind, TouchKind::Hit | TouchKind::Crossed) {
                    found[j].0[0].get_or_insert(touch.surface as usize);
                }
                if touch.is_inside {
                    let local = local_point(&pose, &self.point(j, t));
                    let nearest = self.target.nearest(&local).0;
                    found[j].0[1].get_or_insert(nearest);
                    found[j].1 |= self.exact[j].is_none_or(|exact| exact.1 != nearest);
                }
            }
        }
        found
    }

    /// First surface of one way, by steps that end at contact.
    fn located(&self, way: usize, steps: usize) -> Option<usize> {
        let targets = vec![self.target.clone()];
        let start = self.point(way, 0.0);
        let params = OrientedParams { clipping: false, ..WAYS[way % WAYS.len()] };
        let mut oriented = Oriented::new(targets, &[self.pose(0.0)], &[start], params).unwrap();
        // The second derivative in the frame of the target is linear in time.
        let [_, _, c, d] = self.ways[way].map(Vec3::from);
        let bend = (2.0 * c).norm().max((2.0 * c + 6.0 * d).norm());
        let mut local = |t: f64| local_point(&self.pose(t), &self.point(way, t));
        for k in 0..steps {
            let ends = (k as f64 / steps as f64, (k + 1) as f64 / steps as f64);
            let entry = first_entry(&self.target, &mut local, ends, bend, 0.0);
            for t in entry.map_or([ends.1; 2], |entry| [entry.before, entry.t]) {
                let found = oriented.commit(&[self.pose(t)], &[self.point(way, t)]).unwrap();
                if let Some(touch) = found.touches().first() {
                    assert!(entry.is_some(), "nothing is hit but at a located entry");
                    return Some(touch.surface as usize);
                }
            }
        }
        None
    }
}

/// How many of all ways disagree with exact intersection.
#[derive(Default, Clone, Copy)]
struct Row {
    steps: usize,
    wrong: usize,
    missed: usize,
    phantom: usize,
    nearest: usize,
    ever: usize,
    located: usize,
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// Runs cases of a dimension: a row for each length of the steps, and how many ways hit.
fn rows(cases: &[Case]) -> (Vec<Row>, usize) {
    let hits = cases.iter().flat_map(|case| &case.exact).filter(|exact| exact.is_some()).count();
    let rows = STEPS.map(|steps| {
        let mut row = Row { steps, ..Row::default() };
        for (number, case) in cases.iter().enumerate() {
            let found = case.stepped(steps, WAYS[number % WAYS.len()]);
            for (way, (([history, nearest], is_ever), exact)) in found.iter().zip(&case.exact).enumerate() {
                let exact = exact.map(|exact| exact.1);
                match (history, exact) {
                    (None, Some(_)) => row.missed += 1,
                    (Some(_), None) => row.phantom += 1,
                    _ => row.wrong += usize::from(*history != exact),
                }
                row.nearest += usize::from(*nearest != exact);
                row.ever += usize::from(*is_ever);
                row.located += usize::from(case.located(way, steps) != exact);
            }
        }
        row
    });
    (rows.to_vec(), hits)
}

#[test]
fn the_reported_surface_is_that_of_exact_intersection_when_entries_are_located() {
    let (per_dimension, is_full) = (count(1, 50), std::env::var_os("ZEROGAP_FULL").is_some());
    let mut random = Random::new(11);
    let cases: Vec<Case> = (0..2 * per_dimension).map(|k| Case::random(&mut random, k % 2 == 0)).collect();
    let (rows, hits) = rows(&cases);
    let ways = cases.len() * WAYS_PER_TARGET;

    let rate = |count: usize| count as f64 / ways as f64;
    let mut table = String::from(
        "| step [s] | located | by steps | of these: wrong surface | missed | not there | minimum translation, at the first point inside | at some point inside |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut csv = String::from("step,located,history,nearest,ever\n");
    for row in &rows {
        let Row { steps, wrong, missed, phantom, nearest, ever, located } = *row;
        let history = wrong + missed + phantom;
        let percent = |count: usize| format!("{:.2} %", 100.0 * rate(count));
        let step = 1.0 / steps as f64;
        writeln!(
            table,
            "| {step:.1e} | {} | {} | {wrong} | {missed} | {phantom} | {} | {} |",
            percent(located),
            percent(history),
            percent(nearest),
            percent(ever)
        )
        .unwrap();
        writeln!(csv, "{step:e},{},{},{},{}", rate(located), rate(history), rate(nearest), rate(ever))
            .unwrap();
        assert_eq!(located, 0, "with {steps} steps");
    }
    println!("{ways} ways, {hits} of them hit\n{table}");

    // Without location disagreement falls with the step, and is below that of the nearest surface at every length.
    let disagree: Vec<usize> = rows.iter().map(|row| row.wrong + row.missed + row.phantom).collect();
    assert!(disagree.windows(2).all(|pair| pair[1] <= pair[0]), "{disagree:?}");
    assert!(disagree[0] > 0 && disagree[STEPS.len() - 1] * 50 < disagree[0], "{disagree:?}");
    assert!(rows.iter().zip(&disagree).all(|(row, history)| row.nearest >= *history));
    if is_full {
        let page = format!(
            "# How often the surface that was hit is right\n\n{ways} ways, cubic in time, half of them in the plane and half in space, against 100 random convex targets that move and turn; {hits} of them hit.\n\n{table}"
        );
        if std::env::var_os("ZEROGAP_BLESS").is_some() {
            std::fs::write(file("oriented-table.md"), &page).unwrap();
            std::fs::write(file("images/oriented.csv"), &csv).unwrap();
        }
        assert_eq!(std::fs::read_to_string(file("oriented-table.md")).unwrap_or_default(), page);
        assert_eq!(std::fs::read_to_string(file("images/oriented.csv")).unwrap_or_default(), csv);
    }
}
