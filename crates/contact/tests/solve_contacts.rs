//! Resting and sliding bodies with known answers, and problems at the edge of what makes sense.

mod solve_common;

use nalgebra::{DMatrix, DVector, Vector3};
use solve_common::{broken_by, contact, cube_on_plane};
use zerogap_contact::problem::{Block, Problem};
use zerogap_contact::solve::{SolveStatus, solve};

const G: f64 = 9.81;

/// A cube on a plane tilted about y: four contacts, twelve rows, rank six.
fn tilted_cube(tan: f64, friction: f64, slip: Option<[f64; 2]>) -> Problem {
    let cos = 1.0 / (1.0 + tan * tan).sqrt();
    let mechanism = cube_on_plane(Vector3::new(G * tan * cos, 0.0, -G * cos));
    Problem::new(mechanism.w(), mechanism.b(), vec![Block::Contact { friction, slip }; 4]).unwrap()
}

/// Acceleration of the centre along x and z, from the mean of the contacts.
fn mean(a: &DVector<f64>) -> [f64; 3] {
    [1, 2, 0].map(|row| (0..4).map(|k| a[3 * k + row]).sum::<f64>() / 4.0)
}

#[test]
fn a_cube_on_an_incline_sticks_below_the_angle_of_friction() {
    for factor in [0.0, 0.3, 0.9, 0.999_999] {
        let problem = tilted_cube(0.5 * factor, 0.5, None);
        let solution = solve(&problem, None);
        assert_eq!(solution.status, SolveStatus::Solved);
        assert!(solution.a.amax() <= 1e-13, "{factor}: {}", solution.a.amax());
        assert!(broken_by(&problem, &solution) <= 1e-12);
    }
}

#[test]
fn a_cube_on_an_incline_slides_above_it_with_the_known_acceleration() {
    for factor in [1.000_001_f64, 1.01, 1.1, 1.5] {
        let tan = 0.5 * factor;
        let cos = 1.0 / (1.0 + tan * tan).sqrt();
        let expected = G * cos * (tan - 0.5);
        // Not yet sliding, and sliding: the same acceleration.
        for slip in [None, Some([1.0, 0.0])] {
            let problem = tilted_cube(tan, 0.5, slip);
            let solution = solve(&problem, None);
            assert_eq!(solution.status, SolveStatus::Solved, "{factor} {slip:?}: {}", solution.residual);
            let [x, y, z] = mean(&solution.a);
            assert!((x - expected).abs() <= 1e-12 && y.abs() <= 1e-12 && z.abs() <= 1e-12, "{x} {expected}");
        }
    }
}

#[test]
fn a_cube_tips_over_its_edge_where_friction_outlasts_balance() {
    // tan > 1 with friction 3: the two lower corners hold, the upper ones lift. About the edge: alpha = (3/4) G (sin - cos), as the
    // inertia about it is 1/6 + 1/2 and the arm of gravity (sin - cos) / 2.
    let tan: f64 = 1.5;
    let cos = 1.0 / (1.0 + tan * tan).sqrt();
    let problem = tilted_cube(tan, 3.0, None);
    let solution = solve(&problem, None);
    assert_eq!(solution.status, SolveStatus::Solved);
    let alpha = 0.75 * G * (tan * cos - cos);
    for k in [0, 3] {
        assert!((solution.a[3 * k] - alpha).abs() <= 1e-12, "{} {alpha}", solution.a[3 * k]);
        assert!(solution.lambda[3 * k] == 0.0);
    }
    for k in [1, 2] {
        assert!(solution.a.rows(3 * k, 3).amax() <= 1e-12);
    }
}

#[test]
fn a_sphere_on_an_incline_rolls_or_slips() {
    // W at the contact of a solid sphere of 1 kg: n 1, tangents 1 + 5/2.
    let w = DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 3.5, 3.5]));
    for tan in [0.1_f64, 0.5, 1.0] {
        let cos = 1.0 / (1.0 + tan * tan).sqrt();
        let b = DVector::from_column_slice(&[-G * cos, G * tan * cos, 0.0]);
        for friction in [0.01, 2.0 / 7.0 * tan * 0.999, 2.0 / 7.0 * tan * 1.001, 1.0] {
            let problem = Problem::new(w.clone(), b.clone(), vec![contact(friction)]).unwrap();
            let solution = solve(&problem, None);
            let acceleration = G * tan * cos + solution.lambda[1];
            let expected = if friction >= 2.0 / 7.0 * tan {
                5.0 / 7.0 * G * tan * cos
            } else {
                G * (tan * cos - friction * cos)
            };
            assert!((acceleration - expected).abs() <= 1e-13 * G, "{acceleration} {expected}");
        }
    }
}

#[test]
fn a_stack_of_very_different_masses_rests() {
    // Light below heavy, frictionless: forces are the weights above.
    for ratio in [1.0, 1e3, 1e6, 1e9] {
        let w = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0 + 1.0 / ratio]);
        let b = DVector::from_column_slice(&[-G, 0.0]);
        let problem = Problem::new(w, b, vec![Block::Unilateral; 2]).unwrap();
        let solution = solve(&problem, None);
        assert_eq!(solution.status, SolveStatus::Solved, "{ratio}: {}", solution.residual);
        let error = (solution.lambda[0] / (G * (1.0 + ratio)) - 1.0).abs();
        assert!(error <= 1e-15 * ratio.max(10.0), "{ratio}: {error}");
    }
}

#[test]
fn immovable_contacts_are_answered_by_what_is_asked() {
    let zero = |n| DMatrix::zeros(n, n);
    let status = |blocks: Vec<Block>, b: &[f64]| {
        let problem = Problem::new(zero(b.len()), DVector::from_column_slice(b), blocks).unwrap();
        let solution = solve(&problem, None);
        assert!(solution.lambda.amax() == 0.0);
        solution.status
    };
    assert_eq!(status(vec![Block::Unilateral], &[1.0]), SolveStatus::Solved);
    assert_eq!(status(vec![Block::Unilateral], &[0.0]), SolveStatus::Solved);
    assert_eq!(status(vec![Block::Unilateral], &[-1.0]), SolveStatus::Inconsistent { block: 0 });
    assert_eq!(status(vec![Block::Bilateral], &[0.0]), SolveStatus::Solved);
    let both = vec![Block::Bilateral, Block::Bilateral];
    assert_eq!(status(both, &[0.0, 1.0]), SolveStatus::Inconsistent { block: 1 });
    assert_eq!(status(vec![contact(0.5)], &[1.0, 1.0, 0.0]), SolveStatus::Solved);
    assert_eq!(status(vec![contact(0.5)], &[0.0, 1.0, 0.0]), SolveStatus::Solved);
    assert_eq!(status(vec![contact(0.5)], &[-1.0, 0.0, 0.0]), SolveStatus::Inconsistent { block: 0 });
    assert_eq!(status(vec![], &[]), SolveStatus::Solved);
}

#[test]
fn a_squeezed_body_has_no_solution() {
    // Two walls that both ask the body to move away from them.
    let w = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
    let b = DVector::from_element(2, -1.0);
    let solution = solve(&Problem::new(w, b, vec![Block::Unilateral; 2]).unwrap(), None);
    assert!(matches!(solution.status, SolveStatus::Inconsistent { .. }));
    assert!(solution.lambda.iter().all(|v| v.is_finite() && *v >= 0.0));
}

#[test]
fn repeated_contacts_push_together_as_one_does_alone() {
    let one = DMatrix::from_row_slice(3, 3, &[1.0, 0.3, -0.2, 0.3, 2.0, 0.1, -0.2, 0.1, 1.5]);
    for b in [[-1.0, 0.2, 0.1], [-1.0, 3.0, -2.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]] {
        let b = DVector::from_column_slice(&b);
        for friction in [0.0, 0.5, 1e6] {
            let alone = solve(&Problem::new(one.clone(), b.clone(), vec![contact(friction)]).unwrap(), None);
            assert_eq!(alone.status, SolveStatus::Solved);
            for copies in [2, 20] {
                let w = DMatrix::from_fn(3 * copies, 3 * copies, |i, j| one[(i % 3, j % 3)]);
                let bs = DVector::from_fn(3 * copies, |i, _| b[i % 3]);
                let problem = Problem::new(w, bs, vec![contact(friction); copies]).unwrap();
                let solution = solve(&problem, None);
                assert_eq!(solution.status, SolveStatus::Solved, "{b} {friction} {copies}");
                assert!(broken_by(&problem, &solution) <= 1e-11);
                for k in 0..copies {
                    let difference = (solution.a.rows(3 * k, 3) - &alone.a).amax();
                    assert!(difference <= 1e-11, "{friction} {copies}: {difference}");
                }
            }
        }
    }
}

#[test]
fn loops_and_limits_go_with_contacts() {
    // A block pressed on the ground while a loop holds its tangential motion: the loop takes what friction would.
    let w = DMatrix::from_row_slice(
        4,
        4,
        &[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0],
    );
    let b = DVector::from_column_slice(&[-G, 20.0, 0.0, 20.0]);
    let problem = Problem::new(w, b, vec![contact(0.1), Block::Bilateral]).unwrap();
    let solution = solve(&problem, None);
    assert_eq!(solution.status, SolveStatus::Solved);
    assert!(solution.a.amax() <= 1e-13);
    assert!((solution.lambda[0] - G).abs() <= 1e-13);
    assert!((solution.lambda[1] + solution.lambda[3] + 20.0).abs() <= 1e-13);
}

#[test]
fn a_problem_broken_after_its_check_is_refused_without_panic() {
    let mut problem = Problem::new(DMatrix::identity(3, 3), DVector::zeros(3), vec![contact(0.5)]).unwrap();
    problem.b[0] = f64::NAN;
    let solution = solve(&problem, None);
    assert_eq!(solution.status, SolveStatus::Limit);
    assert_eq!(solution.lambda, DVector::zeros(3));
    problem.b = DVector::zeros(1);
    assert_eq!(solve(&problem, None).status, SolveStatus::Limit);
}
