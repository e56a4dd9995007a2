//! Random problems with friction obey Coulomb's law; order, units and repeats of contacts change nothing that is determined.

mod solve_common;

use nalgebra::{DMatrix, DVector};
use solve_common::{Mechanism, broken, contact, random_mechanism};
use zerogap_contact::SolverInfo;
use zerogap_contact::cone::{
    CoulombParams, CoulombSolution, CoulombStatus, MatrixProblem, MatrixProblemError, solve_coulomb,
};
use zerogap_contact::problem::Problem;
use zerogap_contact::solve::{LcpStatus, SolveStatus, lemke, solve};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

fn problem_of(w: &DMatrix<f64>, b: &DVector<f64>, friction: &[f64]) -> MatrixProblem {
    let entries = (0..w.nrows()).flat_map(|i| (0..w.ncols()).map(move |j| (i, j)));
    let entries = entries.filter(|(i, j)| w[(*i, *j)] != 0.0).map(|(i, j)| (i, j, w[(i, j)]));
    MatrixProblem::new(entries, b.as_slice().to_vec(), friction).unwrap()
}

fn solve_default(problem: &MatrixProblem) -> CoulombSolution {
    solve_coulomb(problem, None, &CoulombParams::default())
}

/// Bodies with more contacts than they can move, friction from none to much.
fn random_case(random: &mut Random, bodies: usize) -> (Mechanism, Vec<f64>) {
    let bodies = 1 + random.index(bodies);
    let contacts = 1 + random.index(6 * bodies);
    let mechanism = random_mechanism(random, bodies, contacts);
    let most = [0.0, 0.3, 1.0, 3.0][random.index(4)];
    let friction =
        (0..contacts).map(|_| if random.index(5) == 0 { 0.0 } else { most * random.range(0.0, 1.0) });
    let friction = friction.collect();
    (mechanism, friction)
}

/// How far the laws are broken, by their words.
fn laws(w: &DMatrix<f64>, b: &DVector<f64>, friction: &[f64], solution: &CoulombSolution) -> f64 {
    let blocks = friction.iter().map(|mu| contact(*mu)).collect();
    let problem = Problem::new(w.clone(), b.clone(), blocks).unwrap();
    let of = |x: &[f64]| DVector::from_column_slice(x);
    broken(&problem, &of(&solution.impulses), &of(&solution.velocities))
}

#[test]
fn random_problems_obey_coulombs_law() {
    let mut random = Random::new(5);
    let (cases, mut missed, mut work) = (count(1000, 20_000), 0, SolverInfo::default());
    for case in 0..cases {
        let (mechanism, friction) = random_case(&mut random, 8);
        let (w, b) = (mechanism.w(), mechanism.b());
        let problem = problem_of(&w, &b, &friction);
        let solution = solve_default(&problem);
        let numbers = solution.impulses.iter().chain(&solution.velocities);
        assert!(numbers.copied().all(f64::is_finite) && solution.solver.residual.is_finite(), "case {case}");
        assert!(solution.solver.iterations <= CoulombParams::default().max_newton, "case {case}");
        work.add_work(&solution.solver);
        if solution.status == CoulombStatus::Limit {
            missed += 1;
            println!("case {case}: {} contacts, residual {:e}", friction.len(), solution.solver.residual);
            continue;
        }
        assert!(solution.solver.residual <= 1e-8 && solution.relative <= 1e-8, "case {case}");
        let violation = laws(&w, &b, &friction, &solution);
        assert!(violation <= 1e-7, "case {case}: {violation}");
        // Impulses cannot bring energy where contacts only push and rub.
        let gain = mechanism.energy_change(&DVector::from_column_slice(&solution.impulses));
        assert!(gain <= 1e-7 * mechanism.velocity.norm_squared(), "case {case}: {gain}");
    }
    println!("{missed} of {cases} missed, {work:?}");
    assert_eq!(missed, 0, "of {cases}");
}

#[test]
fn small_problems_have_the_velocities_that_another_solver_finds() {
    // Without friction velocities are unique whatever the contacts; with little friction nearly always.
    let mut random = Random::new(6);
    for case in 0..count(200, 4000) {
        let mechanism = random_mechanism(&mut random, 1, 1 + case % 3);
        let contacts = mechanism.jacobian.nrows() / 3;
        let mu = if case % 2 == 0 { 0.0 } else { 0.05 };
        let (w, b) = (mechanism.w(), mechanism.b());
        let solution = solve_default(&problem_of(&w, &b, &vec![mu; contacts]));
        let other = solve(&Problem::new(w, b, vec![contact(mu); contacts]).unwrap(), None);
        assert_eq!((solution.status, other.status), (CoulombStatus::Solved, SolveStatus::Solved));
        for (mine, theirs) in solution.velocities.iter().zip(other.a.iter()) {
            assert!((mine - theirs).abs() < 1e-6, "case {case}: {mine} {theirs}");
        }
    }
}

#[test]
fn without_friction_lemke_finds_the_same_velocities() {
    let mut random = Random::new(7);
    for case in 0..count(100, 2000) {
        let (mechanism, friction) = random_case(&mut random, 3);
        let (w, b, n) = (mechanism.w(), mechanism.b(), friction.len());
        let solution = solve_default(&problem_of(&w, &b, &vec![0.0; n]));
        assert_eq!(solution.status, CoulombStatus::Solved, "case {case}");
        let normal = DMatrix::from_fn(n, n, |i, j| w[(3 * i, 3 * j)]);
        let answer = lemke(&normal, &DVector::from_fn(n, |i, _| b[3 * i]));
        assert_eq!(answer.status, LcpStatus::Solved);
        let velocities = normal * answer.z;
        for i in 0..n {
            let theirs = velocities[i] + b[3 * i];
            assert!((solution.velocities[3 * i] - theirs).abs() < 1e-6, "case {case}, contact {i}");
        }
    }
}

#[test]
fn the_order_of_contacts_does_not_change_how_bodies_move() {
    // With little friction on a few bodies velocities are unique, so the order cannot matter.
    let mut random = Random::new(8);
    for case in 0..count(100, 2000) {
        let (mechanism, friction) = random_case(&mut random, 2);
        let friction: Vec<f64> = friction.iter().map(|mu| 0.02 * mu).collect();
        let (w, b, n) = (mechanism.w(), mechanism.b(), friction.len());
        let from = |i: usize| 3 * ((i / 3 + 1 + case) % n) + i % 3;
        let turned = DMatrix::from_fn(3 * n, 3 * n, |i, j| w[(from(i), from(j))]);
        let b_turned = DVector::from_fn(3 * n, |i, _| b[from(i)]);
        let turned_friction: Vec<f64> = (0..n).map(|i| friction[from(3 * i) / 3]).collect();
        let one = solve_default(&problem_of(&w, &b, &friction));
        let other = solve_default(&problem_of(&turned, &b_turned, &turned_friction));
        assert_eq!((one.status, other.status), (CoulombStatus::Solved, CoulombStatus::Solved), "case {case}");
        for i in 0..3 * n {
            assert!((one.velocities[from(i)] - other.velocities[i]).abs() < 1e-5, "case {case}, row {i}");
        }
    }
}

#[test]
fn units_do_not_matter_however_small_or_large() {
    let mut random = Random::new(9);
    for case in 0..count(50, 1000) {
        let (mechanism, friction) = random_case(&mut random, 3);
        let (w, b) = (mechanism.w(), mechanism.b());
        for (mass, speed) in
            [(2.0_f64.powi(60), 1.0), (2.0_f64.powi(-60), 2.0_f64.powi(-40)), (1.0, 2.0_f64.powi(60))]
        {
            let scaled = problem_of(&(&w * mass), &(&b * speed), &friction);
            let solution = solve_default(&scaled);
            assert_eq!(solution.status, CoulombStatus::Solved, "case {case}, {mass:e} {speed:e}");
            let back = CoulombSolution {
                impulses: solution.impulses.iter().map(|r| r * mass / speed).collect(),
                velocities: solution.velocities.iter().map(|u| u / speed).collect(),
                ..solution
            };
            let violation = laws(&w, &b, &friction, &back);
            assert!(violation <= 1e-7, "case {case}, {mass:e} {speed:e}: {violation}");
        }
    }
}

#[test]
fn the_same_contact_fifty_times_is_the_same_contact() {
    let mut random = Random::new(10);
    for case in 0..20 {
        let mechanism = random_mechanism(&mut random, 1, 1);
        let (w, b) = (mechanism.w(), mechanism.b());
        let mu = [0.0, 0.2, 0.8, 2.0][case % 4];
        let one = solve_default(&problem_of(&w, &b, &[mu]));
        let many = DMatrix::from_fn(150, 150, |i, j| w[(i % 3, j % 3)]);
        let fifty = solve_default(&problem_of(&many, &DVector::from_fn(150, |i, _| b[i % 3]), &[mu; 50]));
        assert_eq!((one.status, fifty.status), (CoulombStatus::Solved, CoulombStatus::Solved), "case {case}");
        for i in 0..3 {
            assert!((one.velocities[i] - fifty.velocities[i]).abs() < 1e-6, "case {case}");
            let sum: f64 = (0..50).map(|k| fifty.impulses[3 * k + i]).sum();
            assert!((sum - one.impulses[i]).abs() < 1e-5 * (1.0 + one.impulses[i].abs()), "case {case}");
        }
    }
}

#[test]
fn what_cannot_move_is_solved_where_it_need_not_and_flagged_where_it_must() {
    let none = MatrixProblem::new([], vec![], &[]).unwrap();
    let solution = solve_default(&none);
    assert_eq!((solution.status, solution.solver.residual), (CoulombStatus::Solved, 0.0));
    // Apart: nothing to do.
    let still = MatrixProblem::new([], vec![1.0, 0.3, 0.0, 0.0, 0.0, 0.0], &[0.5, 0.5]).unwrap();
    assert_eq!(solve_default(&still).status, CoulombStatus::Solved);
    // Approaching, and nothing gives way: flagged, with finite numbers.
    let stuck = MatrixProblem::new([], vec![-1.0, 0.3, 0.0], &[0.5]).unwrap();
    let solution = solve_default(&stuck);
    assert_eq!(solution.status, CoulombStatus::Infeasible);
    assert!(solution.solver.residual > 1e-3 && solution.solver.residual.is_finite());
    assert!(solution.impulses.iter().all(|r| r.is_finite()));
    // Two walls that close on a body: no impulses obey both.
    let squeezed = [(0, 0, 1.0), (0, 3, -1.0), (3, 0, -1.0), (3, 3, 1.0)];
    let solution = solve_default(
        &MatrixProblem::new(squeezed, vec![-1.0, 0.0, 0.0, -1.0, 0.0, 0.0], &[0.5; 2]).unwrap(),
    );
    assert_eq!(solution.status, CoulombStatus::Infeasible);
    assert!(solution.impulses.iter().chain(&solution.velocities).all(|v| v.is_finite()));
}

#[test]
fn limits_are_kept_and_the_best_answer_comes_back() {
    let mut random = Random::new(12);
    let mechanism = random_mechanism(&mut random, 6, 30);
    let problem = problem_of(&mechanism.w(), &mechanism.b(), &[0.7; 30]);
    let params = CoulombParams { max_sweeps: 3, max_newton: 2, ..CoulombParams::default() };
    let few = solve_coulomb(&problem, None, &params);
    assert!(few.solver.sweeps <= 3 && few.solver.iterations <= 2);
    let nothing = solve_coulomb(&problem, None, &CoulombParams { max_sweeps: 0, max_newton: 0, ..params });
    assert_eq!(nothing.status, CoulombStatus::Limit);
    assert!(few.solver.residual.max(few.relative) < nothing.solver.residual.max(nothing.relative));
    // A start that makes no sense is left alone.
    let odd = solve_coulomb(&problem, Some(&[f64::NAN; 90]), &CoulombParams::default());
    assert_eq!(odd, solve_default(&problem));
    // A tolerance that nothing meets ends too.
    let never = solve_coulomb(&problem, None, &CoulombParams { tolerance: 0.0, max_newton: 200, ..params });
    assert!(never.solver.residual < 1e-6);
}

#[test]
fn bad_numbers_are_refused_with_their_values() {
    use MatrixProblemError as E;
    let new = |entries: &[(usize, usize, f64)], q: &[f64], mu: &[f64]| {
        MatrixProblem::new(entries.iter().copied(), q.to_vec(), mu).unwrap_err()
    };
    assert_eq!(new(&[], &[0.0; 4], &[0.5]), E::Sizes { contacts: 1, q: 4 });
    assert_eq!(new(&[(0, 3, 1.0)], &[0.0; 3], &[0.5]), E::Outside { row: 0, column: 3, size: 3 });
    assert!(matches!(new(&[(0, 2, f64::NAN)], &[0.0; 3], &[0.5]), E::EntryOfW { row: 0, column: 2, .. }));
    assert!(matches!(new(&[(1, 1, 9e99), (1, 1, 9e99)], &[0.0; 3], &[0.5]), E::EntryOfW { row: 1, .. }));
    assert!(matches!(new(&[], &[0.0, f64::INFINITY, 0.0], &[0.5]), E::EntryOfQ { row: 1, .. }));
    assert_eq!(new(&[], &[0.0; 3], &[-0.5]), E::Friction { contact: 0, friction: -0.5 });
    assert_eq!(new(&[(2, 2, -1.0)], &[0.0; 3], &[0.5]), E::Negative { row: 2, value: -1.0 });
}
