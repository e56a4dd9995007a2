//! Impacts with known answers, and that guarded laws never create energy.

mod solve_common;

use nalgebra::{DMatrix, DVector};
use solve_common::{contact, cube_on_plane, random_mechanism};
use zerogap_contact::problem::{Block, Problem, ProblemError};
use zerogap_contact::solve::{Impact, ImpactLaw, ImpactSolution, SolveStatus, solve_impact};
use zerogap_core::math;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

const LAWS: [ImpactLaw; 3] = [ImpactLaw::Moreau, ImpactLaw::Poisson, ImpactLaw::Newton];

fn impact(w: &DMatrix<f64>, before: &[f64], blocks: &[Block], e: &[f64], law: ImpactLaw) -> ImpactSolution {
    let problem = Problem::new(w.clone(), DVector::from_column_slice(before), blocks.to_vec()).unwrap();
    solve_impact(&Impact::new(problem, e.to_vec(), law).unwrap())
}

#[test]
fn equal_balls_exchange_their_velocities_exactly() {
    // Only two of a chain touch: gap rates before -v, after +v, whatever the law.
    let w = DMatrix::from_element(1, 1, 2.0);
    for law in LAWS {
        for v in [1.0, 0.1, 3.7e-9, 1e6] {
            let solution = impact(&w, &[-v], &[Block::Unilateral], &[1.0], law);
            assert_eq!(solution.status, SolveStatus::Solved);
            assert_eq!((solution.impulse[0], solution.after[0], solution.energy_change), (v, v, 0.0));
        }
    }
}

#[test]
fn three_touching_balls_share_the_impulse() {
    // Hit at once, the first ball goes back with 1/3 and the others leave with 2/3 each: energy and momentum hold, but it is not the
    // cradle, which needs the impacts one after another.
    let w = DMatrix::from_row_slice(2, 2, &[2.0, -1.0, -1.0, 2.0]);
    for law in LAWS {
        let solution = impact(&w, &[-1.0, 0.0], &[Block::Unilateral; 2], &[1.0; 2], law);
        let expected = [4.0 / 3.0, 2.0 / 3.0];
        for (impulse, expected) in solution.impulse.iter().zip(expected) {
            assert!((impulse - expected).abs() <= 1e-15, "{law:?} {impulse}");
        }
        assert!(solution.energy_change.abs() <= 1e-15);
        // Balls: 1 - 4/3, 4/3 - 2/3, 2/3; the gaps open with 1 and 0.
        assert!((solution.after[0] - 1.0).abs() <= 1e-15 && solution.after[1].abs() <= 1e-15);
    }
}

#[test]
fn a_row_of_touching_balls_passes_the_blow_on() {
    // One impact after the other: all stand but the last, for any number of equal balls.
    for balls in [3, 5, 20] {
        let rows = balls - 1;
        let w = DMatrix::from_fn(rows, rows, |i, j| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        });
        let mut before = vec![0.0; rows];
        before[0] = -1.0;
        let solution =
            impact(&w, &before, &vec![Block::Unilateral; rows], &vec![1.0; rows], ImpactLaw::Sequential);
        assert_eq!((solution.status, solution.iterations), (SolveStatus::Solved, rows));
        for (k, (impulse, after)) in solution.impulse.iter().zip(solution.after.iter()).enumerate() {
            let opens = if k == rows - 1 { 1.0 } else { 0.0 };
            assert!((impulse - 1.0).abs() <= 1e-15 && (after - opens).abs() <= 1e-15, "{balls} {k}");
        }
        assert!(solution.energy_change.abs() <= 1e-15);
    }
    // Two balls from both sides: what is symmetric stays so, to the bit.
    let w = DMatrix::from_fn(4, 4, |i, j| [2.0, -1.0, 0.0, 0.0][i.abs_diff(j)]);
    let before = [-1.0, 0.0, 0.0, -1.0];
    let solution = impact(&w, &before, &[Block::Unilateral; 4], &[0.7; 4], ImpactLaw::Sequential);
    for (one, other) in [(0, 3), (1, 2)] {
        assert_eq!(solution.impulse[one].to_bits(), solution.impulse[other].to_bits());
    }
    assert!(solution.after.min() >= -1e-12 && solution.energy_change < 0.0);
}

#[test]
fn a_spinning_ball_sticks_or_slips_as_the_formulas_say() {
    // A solid sphere of 1 kg: n 1, tangents 7/2. Stick: v_t after = 0, impulse 2/7 of it; slip: the friction of (1 + e) u.
    let w = DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 3.5, 3.5]));
    for law in LAWS {
        for e in [0.0, 0.3, 0.9, 1.0] {
            for (u, s, t) in [(1.0, 0.5, 0.2), (1.0, -5.0, 3.0), (0.1, 0.0, 0.0), (2.0, 1.0, -8.0)] {
                for friction in [0.0, 0.1, 0.7] {
                    let solution = impact(&w, &[-u, s, t], &[contact(friction)], &[e], law);
                    assert_eq!(solution.status, SolveStatus::Solved);
                    let speed = f64::sqrt(s * s + t * t);
                    let normal = (1.0 + e) * u;
                    let push = (speed / 3.5).min(friction * normal);
                    let left = if speed == 0.0 { 0.0 } else { 1.0 - 3.5 * push / speed };
                    let after = [e * u, s * left, t * left];
                    for k in 0..3 {
                        assert!((solution.after[k] - after[k]).abs() <= 1e-13, "{law:?} {e} {after:?}");
                    }
                    let energy =
                        0.5 * (e * e - 1.0) * u * u + 0.5 * (left * left - 1.0) * speed * speed / 3.5;
                    assert!((solution.energy_change - energy).abs() <= 1e-13 * (1.0 + energy.abs()));
                }
            }
        }
    }
}

#[test]
fn tangential_restitution_turns_the_slip_round() {
    let w = DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 3.5, 3.5]));
    let b = DVector::from_column_slice(&[-1.0, 0.5, 0.0]);
    let problem = Problem::new(w, b, vec![contact(1.0)]).unwrap();
    let superball =
        Impact::new(problem, vec![0.8], ImpactLaw::Moreau).unwrap().with_tangential(vec![0.8]).unwrap();
    let solution = solve_impact(&superball);
    assert!((solution.after[0] - 0.8).abs() <= 1e-15 && (solution.after[1] + 0.4).abs() <= 1e-15);
    assert!((solution.fraction - 1.0).abs() == 0.0);
}

#[test]
fn a_flat_cube_bounces_flat() {
    // Four contacts of rank three in the normals: all leave with e times their speed.
    let mechanism = cube_on_plane(nalgebra::Vector3::new(0.3, 0.0, -2.0));
    for law in LAWS {
        let solution = impact(&mechanism.w(), mechanism.b().as_slice(), &[contact(0.0); 4], &[0.6; 4], law);
        assert_eq!(solution.status, SolveStatus::Solved);
        for k in 0..4 {
            assert!((solution.after[3 * k] - 1.2).abs() <= 1e-14, "{}", solution.after[3 * k]);
        }
        assert!((solution.impulse.sum() - 3.2).abs() <= 1e-14);
    }
}

#[test]
fn contacts_that_separate_stay_out_unless_pushed() {
    let w = DMatrix::from_row_slice(2, 2, &[2.0, -1.0, -1.0, 2.0]);
    for law in LAWS {
        // The second separates fast enough: nothing happens there.
        let solution = impact(&w, &[-1.0, 5.0], &[Block::Unilateral; 2], &[0.5; 2], law);
        assert!(solution.impulse[1] == 0.0);
        assert!((solution.after[0] - 0.5).abs() <= 1e-15);
        // Pushed by the first, it takes part and ends at zero or apart.
        let solution = impact(&w, &[-1.0, 0.1], &[Block::Unilateral; 2], &[0.5; 2], law);
        assert!(solution.impulse[1] > 0.0 && solution.after[1] >= -1e-15);
        // All separate: nothing at all.
        let solution = impact(&w, &[1.0, 0.1], &[Block::Unilateral; 2], &[0.5; 2], law);
        assert_eq!((solution.impulse.amax(), solution.energy_change), (0.0, 0.0));
    }
}

/// Two uniform rods of 1 m and 1 kg hanging from one another, the tip on the floor: rows n, t, and a third that is not there.
fn double_pendulum(first: f64, second: f64) -> DMatrix<f64> {
    let mass = nalgebra::Matrix2::new(
        4.0 / 3.0,
        0.5 * math::cos(first - second),
        0.5 * math::cos(first - second),
        1.0 / 3.0,
    );
    let jacobian =
        nalgebra::Matrix2::new(math::sin(first), math::sin(second), math::cos(first), math::cos(second));
    let w2 = jacobian * mass.try_inverse().unwrap() * jacobian.transpose();
    let mut w = DMatrix::zeros(3, 3);
    for i in 0..2 {
        for j in 0..2 {
            w[(i, j)] = 0.5 * (w2[(i, j)] + w2[(j, i)]);
        }
    }
    w
}

#[test]
fn newtons_law_creates_energy_at_the_double_pendulum_and_the_others_do_not() {
    // Kane 1984: with friction that stops the slip, v_n after = -e v_n before is more than the impact has to give.
    let w = double_pendulum(20.0_f64.to_radians(), 30.0_f64.to_radians());
    // The slip at which sticking frees most: s = W_nt / W_nn times the speed of approach, against the coupling.
    let s = -w[(0, 1)] / w[(0, 0)];
    let before = [-1.0, s, 0.0];
    let block = [contact(10.0)];
    let newton = impact(&w, &before, &block, &[1.0], ImpactLaw::Newton);
    assert_eq!(newton.status, SolveStatus::Solved);
    assert!((newton.after[0] - 1.0).abs() <= 1e-13 && newton.after[1].abs() <= 1e-13);
    // Closed form: c^2 / (2 d) with the inverse of the two rows [a c; c d].
    let determinant = w[(0, 0)] * w[(1, 1)] - w[(0, 1)] * w[(0, 1)];
    let (c, d) = (-w[(0, 1)] / determinant, w[(0, 0)] / determinant);
    let gain = c * c / (2.0 * d);
    assert!((newton.energy_change - gain).abs() <= 1e-12 * gain, "{} {gain}", newton.energy_change);
    println!("Newton creates {gain} J");

    let moreau = impact(&w, &before, &block, &[1.0], ImpactLaw::Moreau);
    assert!(moreau.energy_change <= 0.0 && moreau.energy_change >= -1e-12);
    assert!(moreau.fraction > 0.0 && moreau.fraction < 1.0 && moreau.after[0] > 0.0);
    println!("Moreau keeps {} of the restitution: after {}", moreau.fraction, moreau.after[0]);
    let poisson = impact(&w, &before, &block, &[1.0], ImpactLaw::Poisson);
    assert!(poisson.energy_change <= 0.0 && poisson.after[0] >= 0.0);

    // With the same coefficient along the surface no guard is needed.
    let problem = Problem::new(w, DVector::from_column_slice(&before), block.to_vec()).unwrap();
    let whole =
        Impact::new(problem, vec![1.0], ImpactLaw::Moreau).unwrap().with_tangential(vec![1.0]).unwrap();
    let whole = solve_impact(&whole);
    assert!(whole.energy_change <= 0.0 && whole.energy_change >= -1e-12 && whole.fraction > 1.0 - 1e-12);
}

#[test]
fn a_body_between_two_walls_stops_there() {
    // Touching both, moving to the first: it cannot leave the first at e and not enter the second.
    let w = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
    for law in LAWS {
        let solution = impact(&w, &[-1.0, 1.0], &[Block::Unilateral; 2], &[0.5; 2], law);
        assert_eq!((solution.status, solution.law), (SolveStatus::Solved, ImpactLaw::Poisson));
        assert!(solution.after.amax() <= 1e-15 && solution.energy_change <= 0.0);
    }
}

#[test]
fn random_impacts_never_create_energy_nor_penetrate() {
    let mut random = Random::new(1);
    let mut worst = [0.0_f64; 2];
    let mut guarded = 0;
    let cases = count(2000, 50_000);
    for case in 0..cases {
        let (bodies, contacts) = (1 + random.index(3), 1 + random.index(5));
        let mechanism = random_mechanism(&mut random, bodies, contacts);
        let same = random.range(0.0, 1.0);
        let equal = random.index(2) == 0;
        let e: Vec<f64> = (0..contacts).map(|_| if equal { same } else { random.range(0.0, 1.0) }).collect();
        let friction = [0.0, 0.2, 1.0][random.index(3)];
        let law = [ImpactLaw::Moreau, ImpactLaw::Poisson, ImpactLaw::Sequential][random.index(3)];
        let solution =
            impact(&mechanism.w(), mechanism.b().as_slice(), &vec![contact(friction); contacts], &e, law);
        assert_eq!(solution.status, SolveStatus::Solved, "case {case} {law:?}: {}", solution.residual);
        // Energy from the bodies, not from the contacts.
        let momenta = mechanism.jacobian.abs().transpose() * solution.impulse.abs();
        let terms = momenta.dot(&(mechanism.velocity.abs() + mechanism.inverse_mass.abs() * &momenta));
        let energy = mechanism.energy_change(&solution.impulse);
        assert!(solution.energy_change <= 0.0);
        assert!(energy <= 1e-14 * terms, "case {case}: {energy} of {terms}");
        assert!((energy - solution.energy_change).abs() <= 1e-13 * terms);
        worst[0] = worst[0].max(energy / terms.max(1e-300));
        guarded += usize::from(solution.fraction < 1.0 - 1e-9);
        let scale = (mechanism.w().abs() * solution.impulse.abs() + mechanism.b().abs()).amax();
        for k in 0..contacts {
            let lambda = solution.impulse.rows(3 * k, 3);
            let tangential = (lambda[1] * lambda[1] + lambda[2] * lambda[2]).sqrt();
            assert!(lambda[0] >= 0.0 && tangential <= friction * lambda[0] + 1e-13 * solution.impulse.amax());
            assert!(solution.after[3 * k] >= -1e-11 * scale, "case {case}: {}", solution.after[3 * k]);
            worst[1] = worst[1].max(-solution.after[3 * k] / scale);
        }
    }
    println!("worst gain {:e}, worst approach after {:e}, guarded {guarded} of {cases}", worst[0], worst[1]);
}

#[test]
fn equal_coefficients_in_all_directions_need_no_guard() {
    let mut random = Random::new(2);
    for case in 0..count(1000, 20_000) {
        let contacts = 1 + random.index(4);
        let mechanism = random_mechanism(&mut random, 2, contacts);
        // All approach: flip the rows that do not.
        let mut jacobian = mechanism.jacobian.clone();
        let b = mechanism.b();
        for k in 0..contacts {
            if b[3 * k] > 0.0 {
                for i in 3 * k..3 * k + 3 {
                    jacobian.row_mut(i).neg_mut();
                }
            }
        }
        let w = &jacobian * &mechanism.inverse_mass * jacobian.transpose();
        let e = random.range(0.0, 1.0);
        let problem = Problem::new(w, &jacobian * &mechanism.velocity, vec![contact(0.5); contacts]).unwrap();
        let impact = Impact::new(problem, vec![e; contacts], ImpactLaw::Moreau)
            .unwrap()
            .with_tangential(vec![e; contacts])
            .unwrap();
        let solution = solve_impact(&impact);
        assert_eq!(solution.status, SolveStatus::Solved, "case {case}");
        assert!(solution.fraction >= 1.0 - 1e-10, "case {case}: {}", solution.fraction);
    }
}

#[test]
fn coefficients_outside_zero_to_one_are_refused() {
    let problem = Problem::new(DMatrix::identity(1, 1), DVector::zeros(1), vec![Block::Unilateral]).unwrap();
    let refused = |e: Vec<f64>| Impact::new(problem.clone(), e, ImpactLaw::default()).unwrap_err();
    assert!(matches!(refused(vec![1.5]), ProblemError::Restitution { block: 0, .. }));
    assert!(matches!(refused(vec![f64::NAN]), ProblemError::Restitution { block: 0, .. }));
    assert!(matches!(refused(vec![]), ProblemError::RestitutionCount { given: 0, blocks: 1 }));
    let mut broken = Impact::new(problem.clone(), vec![0.5], ImpactLaw::Newton).unwrap();
    broken.restitution.clear();
    assert_eq!(solve_impact(&broken).status, SolveStatus::Limit);
}

const ALL: [ImpactLaw; 4] = [ImpactLaw::Moreau, ImpactLaw::Poisson, ImpactLaw::Newton, ImpactLaw::Sequential];

/// A block of 1 kg, 0.2 m wide and 0.6 m high, which has rocked about its left lower edge at 1 rad/s and comes down on the right one: the rates of its rotation and of the height of its centre after the impact, with friction that holds.
fn rocked(restitution: f64, law: ImpactLaw) -> (f64, f64) {
    let (half, high) = (0.1, 0.3);
    let inertia: f64 = (half * half + high * high) / 3.0;
    // Velocities: along x, along z, about y (positive to the right), and along y. Rows: normal, two tangents, left then right.
    let rows = |x: f64| [[0.0, 1.0, -x, 0.0], [1.0, 0.0, -high, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let jacobian = DMatrix::from_row_iterator(
        6,
        4,
        [-half, half].into_iter().flat_map(|x| rows(x).into_iter().flatten().collect::<Vec<f64>>()),
    );
    let inverse = DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 1.0, 1.0 / inertia, 1.0]));
    // About the left edge: its velocity is zero.
    let velocity = DVector::from_column_slice(&[high, -half, 1.0, 0.0]);
    let w = &jacobian * &inverse * jacobian.transpose();
    let before = &jacobian * &velocity;
    let w = 0.5 * (&w + w.transpose());
    let solution = impact(&w, before.as_slice(), &[contact(2.0); 2], &[restitution; 2], law);
    assert_eq!(solution.status, SolveStatus::Solved);
    let after = velocity + inverse * jacobian.transpose() * solution.impulse;
    (after[2], after[1])
}

#[test]
fn each_law_at_cradle_rocking_block_and_column() {
    // The table of docs/motion.md. Five balls that touch, the first at 1 m/s.
    let row = DMatrix::from_fn(4, 4, |i, j| [2.0, -1.0, 0.0, 0.0][i.abs_diff(j)]);
    // A column of three balls that fall on a floor at 1 m/s.
    let column = DMatrix::from_row_slice(3, 3, &[1.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0]);
    for law in ALL {
        for e in [1.0, 0.5, 0.0] {
            let cradle = impact(&row, &[-1.0, 0.0, 0.0, 0.0], &[Block::Unilateral; 4], &[e; 4], law);
            let p = &cradle.impulse;
            let balls = [1.0 - p[0], p[0] - p[1], p[1] - p[2], p[2] - p[3], p[3]];
            let fall = impact(&column, &[-1.0, 0.0, 0.0], &[Block::Unilateral; 3], &[e; 3], law);
            let p = &fall.impulse;
            let heights = [p[0] - p[1] - 1.0, p[1] - p[2] - 1.0, p[2] - 1.0];
            let (rotation, rise) = rocked(e, law);
            println!(
                "{law:?} {e}: cradle {balls:.3?}, block {rotation:.4} rad/s {rise:.4} m/s, column {heights:.3?}"
            );
            // Momentum of the row; nothing approaches.
            assert!((balls.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(cradle.after.min() >= -1e-12 && fall.after.min() >= -1e-12);
        }
        // Without restitution the block goes on to rock about its right edge as Housner (1963) has it: 1 - 3/2 sin².
        let (rotation, rise) = rocked(0.0, law);
        assert!((rotation - 0.85).abs() < 1e-12 && (rise - 0.085).abs() < 1e-12, "{law:?} {rotation} {rise}");
    }
}
