//! The rod of Painlevé: sliding friction that leaves no solution, or two.

mod solve_common;

use nalgebra::{DMatrix, DVector};
use solve_common::{broken_by, random_mechanism};
use zerogap_contact::problem::{Block, Problem};
use zerogap_contact::solve::{SolveStatus, solve};
use zerogap_core::math;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

const G: f64 = 9.81;

/// A uniform rod of 1 kg and half length `l` on its lower end, the centre up and to the right at `tan` of the angle from the
/// horizontal, turning at `rate`; the end slides along t1 with `sign`.
///
/// The arm from the centre to the end is `r = -l (cos, sin)`; a force `(x, y)` there turns the rod by `r_x y - r_y x` over `m l^2 / 3`.
/// The end moves with `a_x - alpha r_y`, `a_y + alpha r_x`, and by `rate^2 l (cos, sin)` towards the centre.
fn rod(tan: f64, rate: f64, l: f64, friction: f64, sign: f64) -> (DMatrix<f64>, DVector<f64>, Block) {
    let cos = 1.0 / (1.0 + tan * tan).sqrt();
    let sin = tan * cos;
    let (rx, ry) = (-l * cos, -l * sin);
    let inverse = 3.0 / (l * l);
    let w = DMatrix::from_row_slice(
        3,
        3,
        &[
            1.0 + inverse * rx * rx,
            -inverse * rx * ry,
            0.0,
            -inverse * rx * ry,
            1.0 + inverse * ry * ry,
            0.0,
            0.0,
            0.0,
            1.0,
        ],
    );
    let b = DVector::from_column_slice(&[l * rate * rate * sin - G, l * rate * rate * cos, 0.0]);
    (w, b, Block::Contact { friction, slip: Some([sign, 0.0]) })
}

/// The rod, with the sliding direction in which friction presses it into the ground.
fn solve_rod(tan: f64, rate: f64, friction: f64) -> (Problem, zerogap_contact::solve::Solution) {
    let (w, b, block) = rod(tan, rate, 0.5, friction, -1.0);
    // Friction along +x turns the lower end up; along -x it drives it in. W_nt < 0 here, so the critical slip is along -x.
    assert!(w[(0, 1)] < 0.0);
    let problem = Problem::new(w, b, vec![block]).unwrap();
    let solution = solve(&problem, None);
    (problem, solution)
}

#[test]
fn a_rod_at_rest_beyond_the_limit_has_no_solution() {
    let (problem, solution) = solve_rod(2.0, 0.0, 1.5);
    assert_eq!(solution.status, SolveStatus::Inconsistent { block: 0 });
    assert_eq!(solution.lambda, DVector::zeros(3));
    assert_eq!(solution.a, problem.b);
    assert!(solution.residual > 0.1);
}

#[test]
fn a_turning_rod_beyond_the_limit_has_two_solutions_and_separates() {
    let (problem, solution) = solve_rod(2.0, 6.0, 1.5);
    let (sin, l) = (2.0 / 5.0_f64.sqrt(), 0.5);
    assert!((problem.b[0] - (l * 36.0 * sin - G)).abs() <= 1e-14 && problem.b[0] > 0.0);
    assert_eq!(solution.status, SolveStatus::Indeterminate { block: 0 });
    assert_eq!(solution.lambda, DVector::zeros(3));
    assert_eq!(solution.a, problem.b);
}

#[test]
fn started_at_the_pushing_solution_the_separating_one_is_returned() {
    let (problem, _) = solve_rod(2.0, 6.0, 1.5);
    let p = problem.w[(0, 0)] + 1.5 * problem.w[(0, 1)];
    let push = -problem.b[0] / p;
    let start = DVector::from_column_slice(&[push, 1.5 * push, 0.0]);
    let solution = solve(&problem, Some(&start));
    assert_eq!(solution.status, SolveStatus::Indeterminate { block: 0 });
    assert_eq!(solution.lambda, DVector::zeros(3));
}

#[test]
fn the_limit_is_where_the_formula_says() {
    // p < 0 iff friction > (4 + tan^2) / (3 tan).
    for tan in [0.3, 0.7, 1.0, 2.0, 3.0, 5.0] {
        let limit = (4.0 + tan * tan) / (3.0 * tan);
        for factor in [0.5, 0.9, 0.999_999] {
            let (problem, solution) = solve_rod(tan, 0.0, limit * factor);
            assert_eq!(solution.status, SolveStatus::Solved, "{tan} {factor}");
            assert!(broken_by(&problem, &solution) <= 1e-12);
            // One contact: lambda_n = -b / p.
            let p = problem.w[(0, 0)] + limit * factor * problem.w[(0, 1)];
            assert!((solution.lambda[0] * p / -problem.b[0] - 1.0).abs() <= 1e-12);
        }
        for factor in [1.000_001, 1.1, 2.0, 100.0] {
            let (_, solution) = solve_rod(tan, 0.0, limit * factor);
            assert_eq!(solution.status, SolveStatus::Inconsistent { block: 0 }, "{tan} {factor}");
        }
    }
}

#[test]
fn at_the_limit_itself_nothing_can_push_back() {
    // W_nn = 1, W_nt = -1/2, friction 2: p is exactly zero.
    let w = DMatrix::from_row_slice(3, 3, &[1.0, -0.5, 0.0, -0.5, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let block = Block::Contact { friction: 2.0, slip: Some([-1.0, 0.0]) };
    for (b, status) in [
        (-1.0, SolveStatus::Inconsistent { block: 0 }),
        (0.0, SolveStatus::Solved),
        (1.0, SolveStatus::Solved),
    ] {
        let b = DVector::from_column_slice(&[b, 0.0, 0.0]);
        let solution = solve(&Problem::new(w.clone(), b, vec![block]).unwrap(), None);
        assert_eq!(solution.status, status);
        assert_eq!(solution.lambda, DVector::zeros(3));
    }
}

#[test]
fn slip_in_the_other_direction_always_has_one_solution() {
    for friction in [0.1, 1.5, 10.0, 1e6] {
        let (w, b, block) = rod(2.0, 0.0, 0.5, friction, 1.0);
        let problem = Problem::new(w, b, vec![block]).unwrap();
        let solution = solve(&problem, None);
        assert_eq!(solution.status, SolveStatus::Solved);
        assert!(broken_by(&problem, &solution) <= 1e-12);
    }
}

#[test]
fn a_rod_that_does_not_slide_sticks_instead() {
    let (w, b, _) = rod(2.0, 0.0, 0.5, 1.5, 1.0);
    let problem = Problem::new(w, b, vec![Block::Contact { friction: 1.5, slip: None }]).unwrap();
    let solution = solve(&problem, None);
    assert_eq!(solution.status, SolveStatus::Solved);
    assert!(solution.a.amax() <= 1e-13);
}

#[test]
fn the_bad_contact_is_named_among_good_ones() {
    // Three rods far from one another; the second cannot be solved, or could push.
    for (rate, status) in
        [(0.0, SolveStatus::Inconsistent { block: 1 }), (6.0, SolveStatus::Indeterminate { block: 1 })]
    {
        let mut w = DMatrix::zeros(9, 9);
        let mut b = DVector::zeros(9);
        let mut blocks = Vec::new();
        for (k, (friction, rate)) in [(0.3, 0.0), (1.5, rate), (0.2, 1.0)].into_iter().enumerate() {
            let (wk, bk, block) = rod(2.0, rate, 0.5, friction, -1.0);
            w.view_mut((3 * k, 3 * k), (3, 3)).copy_from(&wk);
            b.rows_mut(3 * k, 3).copy_from(&bk);
            blocks.push(block);
        }
        let problem = Problem::new(w, b, blocks).unwrap();
        let solution = solve(&problem, None);
        assert_eq!(solution.status, status);
        if status == (SolveStatus::Indeterminate { block: 1 }) {
            assert!(broken_by(&problem, &solution) <= 1e-12);
            assert!(solution.lambda[0] > 0.0 && solution.lambda[3] == 0.0 && solution.lambda[6] > 0.0);
        }
    }
}

/// Number of solutions with regular bases for sliding contacts, by trying every set of pushing ones.
fn count_solutions(problem: &Problem) -> usize {
    let n = problem.blocks.len();
    // Column of each contact with its friction put in; rows n only.
    let column = |k: usize| {
        let Block::Contact { friction, slip: Some(d) } = problem.blocks[k] else { unreachable!() };
        problem.w.column(3 * k)
            - (problem.w.column(3 * k + 1) * d[0] + problem.w.column(3 * k + 2) * d[1]) * friction
    };
    let columns: Vec<DVector<f64>> = (0..n).map(column).collect();
    let m = DMatrix::from_fn(n, n, |i, j| columns[j][3 * i]);
    let q = DVector::from_fn(n, |i, _| problem.b[3 * i]);
    let mut found = 0;
    for set in 0..1_u32 << n {
        let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let k = active.len();
        let mut z = DVector::zeros(n);
        if k > 0 {
            let inner = DMatrix::from_fn(k, k, |i, j| m[(active[i], active[j])]);
            let rhs = DVector::from_fn(k, |i, _| -q[active[i]]);
            let Some(x) = inner.full_piv_lu().solve(&rhs) else { continue };
            for (v, &i) in x.iter().zip(&active) {
                z[i] = *v;
            }
        }
        let w = &m * &z + &q;
        // Only sets that are clearly solutions count: pushing contacts push, the others separate.
        let clear = (0..n).all(|i| if set >> i & 1 == 1 { z[i] > 1e-9 } else { w[i] > 1e-9 });
        found += usize::from(clear && z.amax() < 1e6);
    }
    found
}

#[test]
fn several_sliding_contacts_are_classified_as_enumeration_does() {
    let mut random = Random::new(1);
    let (mut solved, mut none, mut several) = (0, 0, 0);
    let (mut missed_solution, mut missed_second) = (0, 0);
    let cases = count(3000, 50_000);
    for case in 0..cases {
        // Several contacts on one or two bodies, strong friction: all kinds occur.
        let contacts = 1 + random.index(5);
        let bodies = 1 + random.index(2);
        let mechanism = random_mechanism(&mut random, bodies, contacts);
        let blocks: Vec<Block> = (0..contacts)
            .map(|_| {
                let (sin, cos) = math::sin_cos(random.range(0.0, std::f64::consts::TAU));
                Block::Contact { friction: random.range(0.0, 4.0), slip: Some([cos, sin]) }
            })
            .collect();
        let b = DVector::from_fn(3 * contacts, |_, _| random.range(-1.0, 1.0));
        let problem = Problem::new(mechanism.w(), b, blocks).unwrap();
        let solution = solve(&problem, None);
        let known = count_solutions(&problem);
        match solution.status {
            SolveStatus::Solved => {
                let violation = broken_by(&problem, &solution);
                assert!(violation <= 1e-11, "case {case}: {violation}");
                solved += 1;
                missed_second += usize::from(known > 1);
            }
            SolveStatus::Indeterminate { .. } => {
                assert!(broken_by(&problem, &solution) <= 1e-11);
                assert!(known > 1, "case {case}: {known}");
                several += 1;
            }
            SolveStatus::Inconsistent { .. } => {
                none += 1;
                missed_solution += usize::from(known > 0);
            }
            SolveStatus::Limit => panic!("case {case}: residual {}", solution.residual),
        }
    }
    println!(
        "solved {solved} (second solution missed {missed_second}), several {several}, none {none} (missed {missed_solution})"
    );
    assert!(solved > cases / 3 && none > 0 && several > 0);
    // All sets are tried for so few contacts: nothing can be missed.
    assert_eq!((missed_solution, missed_second), (0, 0));
}
