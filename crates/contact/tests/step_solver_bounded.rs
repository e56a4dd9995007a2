//! Rows within bounds and rows that yield, in the solver of a step: against all combinations of bounds on small problems, and against what they become in the limits.

mod cone_common;

use cone_common::{Scene, pile};
use nalgebra::{DMatrix, DVector};
use zerogap_contact::cone::{BodyProblem, Delassus, StepSolver, residual};
use zerogap_contact::problem::Block;
use zerogap_core::random::Random;
use zerogap_testkit::count;

/// Residual asked for [m/s].
const TOLERANCE: f64 = 1e-11;
const INF: f64 = f64::INFINITY;

fn solve(problem: &BodyProblem, start: &[f64]) -> (bool, Vec<f64>, Vec<f64>) {
    let (mut r, mut v) = (start.to_vec(), Vec::new());
    let info = StepSolver::default().solve(problem, &mut r, &mut v, (TOLERANCE, TOLERANCE));
    assert!(residual(problem, &r, &v).total_cmp(&info.residual).is_eq(), "{info:?}");
    assert!(r.iter().chain(&v).all(|x| x.is_finite()));
    // Rows that nearly repeat each other have large impulses, of which rounding leaves as much.
    let largest = r.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    (info.residual <= TOLERANCE.max(1e-13 * largest), r, v)
}

/// Bounds of a law of one row.
fn bounds(law: &Block) -> [f64; 2] {
    match *law {
        Block::Bilateral => [-INF, INF],
        Block::Unilateral => [0.0, INF],
        Block::Bounded { lower, upper } => [lower, upper],
        Block::Contact { .. } | Block::Moment { .. } => panic!("one row each"),
    }
}

/// `W` with all compliances, and `b`, of rows one by one.
fn dense(problem: &BodyProblem) -> (DMatrix<f64>, DVector<f64>) {
    let rows = problem.rows();
    let at = |r: &[f64]| {
        let mut state = vec![0.0; problem.state_len()];
        problem.begin(r, &mut state);
        DVector::from_fn(rows, |k, _| problem.response(k, &state)[0] + problem.compliance(k) * r[k])
    };
    let b = at(&vec![0.0; rows]);
    let mut w = DMatrix::zeros(rows, rows);
    for k in 0..rows {
        let mut unit = vec![0.0; rows];
        unit[k] = 1.0;
        w.set_column(k, &(at(&unit) - &b));
    }
    (w, b)
}

/// The velocities that obey all laws, by trying every row at its lower bound, between its bounds and at its upper one; none where no combination does.
fn enumerate(problem: &BodyProblem) -> Option<DVector<f64>> {
    let (w, b) = dense(problem);
    let rows = b.len();
    let bounds: Vec<[f64; 2]> = problem.blocks().iter().map(bounds).collect();
    for case in 0..3_usize.pow(rows as u32) {
        let state = |k: usize| case / 3_usize.pow(k as u32) % 3;
        let mut r = DVector::zeros(rows);
        for k in 0..rows {
            r[k] = [bounds[k][0], 0.0, bounds[k][1]][state(k)];
        }
        if r.iter().any(|x| x.is_infinite()) {
            continue;
        }
        let free: Vec<usize> = (0..rows).filter(|k| state(*k) == 1).collect();
        if !free.is_empty() {
            let known = &w * &r + &b;
            let part = DMatrix::from_fn(free.len(), free.len(), |i, j| w[(free[i], free[j])]);
            let right = DVector::from_fn(free.len(), |i, _| -known[free[i]]);
            // Redundant rows: any solution has the same velocities.
            let Ok(found) = part.svd(true, true).solve(&right, 1e-12) else { continue };
            for (k, x) in free.iter().zip(found.iter()) {
                r[*k] = *x;
            }
        }
        let u = &w * &r + &b;
        let obeys = (0..rows).all(|k| {
            let [lower, upper] = bounds[k];
            let is_inside = r[k] >= lower - 1e-9 && r[k] <= upper + 1e-9;
            is_inside
                && match state(k) {
                    0 => u[k] >= -1e-9 || lower >= upper,
                    1 => u[k].abs() <= 1e-9,
                    _ => u[k] <= 1e-9 || lower >= upper,
                }
        });
        if obeys {
            return Some(u);
        }
    }
    None
}

/// Rows with random laws on a few groups.
fn random_rows(random: &mut Random, case: usize) -> BodyProblem {
    let mut problem = BodyProblem::default();
    let groups = 1 + random.index(3);
    let sizes: Vec<usize> = (0..groups).map(|_| 1 + random.index(4)).collect();
    for size in &sizes {
        let half = DMatrix::from_fn(*size, *size, |_, _| random.range(-1.0, 1.0));
        let mass = &half * half.transpose() + DMatrix::identity(*size, *size) * 0.3;
        let free: Vec<f64> = (0..*size).map(|_| random.range(-1.0, 1.0)).collect();
        problem.add_group(mass.as_slice(), &free);
    }
    for _ in 0..=random.index(5) {
        let size = random.range(0.0, 1.0);
        let law = match random.index(7) {
            0 => Block::Bilateral,
            1 => Block::Unilateral,
            2 => Block::Bounded { lower: -INF, upper: size },
            3 => Block::Bounded { lower: -size, upper: INF },
            4 => Block::Bounded { lower: size, upper: size },
            _ => Block::Bounded { lower: -size, upper: random.range(0.0, 1.0) },
        };
        let block = problem.add_block(law, &[random.range(-0.5, 0.5)]);
        for group in 0..groups.min(2) {
            let group = (group + random.index(groups)) % groups;
            // A row of zeros now and then.
            let scale = if random.index(12) == 0 { 0.0 } else { 1.0 };
            let row: Vec<f64> = (0..sizes[group]).map(|_| scale * random.range(-1.0, 1.0)).collect();
            problem.add_side(group, &row);
        }
        if case.is_multiple_of(2) && random.index(2) == 0 {
            problem.set_compliance(block, random.range(0.0, 1.0));
        }
    }
    problem
}

#[test]
fn velocities_are_those_of_the_combination_of_bounds_that_obeys() {
    let mut random = Random::new(21);
    let (mut compared, mut missed) = (0, 0);
    for case in 0..count(1500, 20_000) {
        let problem = random_rows(&mut random, case);
        let start: Vec<f64> = (0..problem.rows()).map(|_| random.range(-1.0, 1.0)).collect();
        for start in [vec![0.0; problem.rows()], start] {
            let (is_solved, r, v) = solve(&problem, &start);
            let Some(expected) = enumerate(&problem) else {
                assert!(!is_solved, "case {case}: {problem:?} {r:?}");
                missed += 1;
                continue;
            };
            assert!(is_solved, "case {case}: {problem:?} {r:?}");
            for (k, expected) in expected.iter().enumerate() {
                let u = problem.response(k, &v)[0] + problem.compliance(k) * r[k];
                assert!(
                    (u - expected).abs() < 1e-8 * (1.0 + expected.abs()),
                    "case {case}, row {k}: {u} {expected}"
                );
            }
            compared += 1;
        }
    }
    assert!(compared > 10 * missed, "{compared} {missed}");
}

#[test]
fn infinite_bounds_are_the_laws_without_bounds() {
    let mut random = Random::new(4);
    for case in 0..300 {
        let mut plain = random_rows(&mut random, case);
        let mut bounded = plain.clone();
        let zero = [0.0];
        for block in 0..plain.blocks().len() {
            let law = if block % 2 == 0 { Block::Bilateral } else { Block::Unilateral };
            plain.set_block(block, law, &zero);
            let [lower, upper] = bounds(&law);
            bounded.set_block(block, Block::Bounded { lower, upper }, &zero);
        }
        let start = vec![0.0; plain.rows()];
        let ((a, _, v), (b, _, w)) = (solve(&plain, &start), solve(&bounded, &start));
        assert_eq!(a, b, "case {case}");
        assert!(!a || v.iter().zip(&w).all(|(v, w)| (v - w).abs() < 1e-9), "case {case}: {v:?} {w:?}");
    }
}

#[test]
fn rows_that_move_nothing_take_the_bound_that_their_velocity_asks_for() {
    let with = |lower: f64, upper: f64, bias: f64, compliance: f64| {
        let mut problem = BodyProblem::default();
        problem.add_group(&[1.0], &[0.0]);
        let block = problem.add_block(Block::Bounded { lower, upper }, &[bias]);
        problem.set_compliance(block, compliance);
        // Once without any group, once with a row of zeros on one that moves.
        let mut other = problem.clone();
        other.add_side(0, &[0.0]);
        let [one, two] = [&problem, &other].map(|problem| solve(problem, &[0.0]));
        assert_eq!((one.0, &one.1), (two.0, &two.1));
        (one.0, one.1[0])
    };
    assert_eq!(with(-1.0, 2.0, 0.5, 0.0), (true, -1.0));
    assert_eq!(with(-1.0, 2.0, -0.5, 0.0), (true, 2.0));
    assert_eq!(with(1.0, 2.0, 0.0, 0.0), (true, 1.0));
    assert!(!with(-INF, 2.0, 0.5, 0.0).0, "nothing stops it");
    // What yields by itself needs nothing that moves.
    assert_eq!(with(-INF, INF, 0.5, 0.25), (true, -2.0));
    assert_eq!(with(-1.0, INF, 0.5, 0.25), (true, -1.0));
}

#[test]
fn a_compliant_row_is_a_row_on_a_small_mass_of_its_own() {
    // W + compliance is what a further group with the inverse mass `compliance` adds.
    let mut random = Random::new(9);
    for case in 0..200 {
        let (mass, compliance) = (random.range(0.1, 3.0), random.range(0.01, 2.0));
        let (free, bias) = (random.range(-1.0, 1.0), random.range(-1.0, 1.0));
        let bound = random.range(0.0, 1.0);
        let law = [
            Block::Bilateral,
            Block::Unilateral,
            Block::Bounded { lower: -bound, upper: bound },
            Block::Bounded { lower: -INF, upper: bound },
        ][case % 4];
        let mut compliant = BodyProblem::default();
        compliant.add_group(&[mass], &[free]);
        let mut rigid = compliant.clone();
        rigid.add_group(&[1.0 / compliance], &[0.0]);
        for problem in [&mut compliant, &mut rigid] {
            problem.add_block(law, &[bias]);
            problem.add_side(0, &[1.0]);
        }
        rigid.add_side(1, &[1.0]);
        compliant.set_compliance(0, compliance);
        let (one, other) = (solve(&compliant, &[0.0]), solve(&rigid, &[0.0]));
        assert!(one.0 && other.0 && (one.1[0] - other.1[0]).abs() < 1e-10, "case {case}: {one:?} {other:?}");
    }
}

/// A pile with dry friction in hinges between neighbours, motors of limited effort and springs.
fn braked_pile(random: &mut Random, strength: f64) -> Scene {
    let mut scene = pile(3, 3, 0.5, 0.3, 7);
    for k in 0..26_usize {
        let law = match k % 4 {
            0 => Block::Bilateral,
            1 => Block::Unilateral,
            _ => Block::Bounded { lower: -strength, upper: 0.5 * strength },
        };
        let block = scene.problem.add_block(law, &[random.range(-0.1, 0.1)]);
        let row: Vec<f64> = (0..6).map(|_| random.range(-1.0, 1.0)).collect();
        scene.problem.add_side(k, &row);
        scene.problem.add_side(k + 1, &row.iter().map(|x| -x).collect::<Vec<_>>());
        scene.problem.set_compliance(block, if k % 3 == 0 { 0.1 } else { 0.0 });
    }
    scene
}

#[test]
fn contacts_with_motors_and_springs_are_solved() {
    for seed in 0..count(8, 100) {
        for strength in [1e-4, 0.01, 0.1, 1.0, 100.0] {
            let scene = braked_pile(&mut Random::new(seed as u64), strength);
            let (is_solved, ..) = solve(&scene.problem, &[]);
            assert!(is_solved, "seed {seed}, strength {strength}");
        }
    }
}

#[test]
fn scaling_masses_and_times_by_powers_of_four_scales_the_bits() {
    let problem = braked_pile(&mut Random::new(1), 0.05).problem;
    let (is_solved, r, v) = solve(&problem, &[]);
    assert!(is_solved);
    for (mass, time) in [(1, 0), (-20, 0), (0, 1), (0, -20), (15, -7)] {
        let [mass, speed] = [mass, -time].map(|power| 4.0_f64.powi(power));
        let mut scaled = BodyProblem::default();
        for (number, group) in problem.groups().iter().enumerate() {
            let all: Vec<f64> = problem.mass(number).iter().map(|m| m * mass).collect();
            let free = &problem.free()[group.start..group.start + group.len];
            scaled.add_group(&all, &free.iter().map(|v| v * speed).collect::<Vec<_>>());
        }
        for (block, law) in problem.blocks().iter().enumerate() {
            let first = problem.first(block);
            let bias: Vec<f64> =
                problem.bias()[first..first + law.rows()].iter().map(|b| b * speed).collect();
            let law = match *law {
                Block::Bounded { lower, upper } => {
                    Block::Bounded { lower: lower * mass * speed, upper: upper * mass * speed }
                }
                law => law,
            };
            scaled.add_block(law, &bias);
            for side in problem.sides(block).into_iter().flatten() {
                scaled.add_side(side.group, problem.rows_of(block, side));
            }
            if law.rows() == 1 {
                scaled.set_compliance(block, problem.compliance(block) / mass);
            }
        }
        let (mut r2, mut v2) = (Vec::new(), Vec::new());
        let tolerance = TOLERANCE * speed;
        let info = StepSolver::default().solve(&scaled, &mut r2, &mut v2, (tolerance, tolerance));
        assert!(info.is_solved);
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        assert!(r.iter().zip(&r2).all(|(a, b)| same(a * mass * speed, *b)), "mass {mass}, speed {speed}");
        assert!(v.iter().zip(&v2).all(|(a, b)| same(a * speed, *b)), "mass {mass}, speed {speed}");
    }
}
