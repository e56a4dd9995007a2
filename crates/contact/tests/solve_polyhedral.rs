//! Friction pyramids: solved by Lemke's method, inside the round cones and ever closer to them with more directions.

mod solve_common;

use nalgebra::{DMatrix, DVector, Vector3};
use solve_common::{contact, cube_on_plane, random_mechanism};
use zerogap_contact::problem::{Block, Problem};
use zerogap_contact::solve::{LcpStatus, SolveStatus, lemke, solve, solve_polyhedral};
use zerogap_testkit::random::Random;

#[test]
fn a_point_slides_along_the_nearest_direction() {
    // A unit mass that hits the ground at 1 m/s and slips along (cos, sin) of 20 degrees.
    let w = DMatrix::identity(3, 3);
    let (sin, cos) = zerogap_core::math::sin_cos(20.0_f64.to_radians());
    let b = DVector::from_column_slice(&[-1.0, 2.0 * cos, 2.0 * sin]);
    let problem = Problem::new(w, b, vec![contact(0.5)]).unwrap();
    let four = solve_polyhedral(&problem, 4);
    assert_eq!(four.status, LcpStatus::Solved);
    // Of t1, t2 and their opposites, -t1 opposes it best.
    assert!((four.lambda - DVector::from_column_slice(&[1.0, -0.5, 0.0])).amax() < 1e-12);
    // With 18 directions one of them is the exact one.
    let exact = solve_polyhedral(&problem, 18);
    assert!((exact.lambda - DVector::from_column_slice(&[1.0, -0.5 * cos, -0.5 * sin])).amax() < 1e-12);
}

#[test]
fn more_directions_come_to_the_round_cone() {
    let mut random = Random::new(4);
    let mut worst = [0.0_f64; 4];
    for _ in 0..20 {
        let mechanism = random_mechanism(&mut random, 2, 3);
        let problem = Problem::new(mechanism.w(), mechanism.b(), vec![contact(0.3); 3]).unwrap();
        let round = solve(&problem, None);
        assert_eq!(round.status, SolveStatus::Solved);
        for (worst, directions) in worst.iter_mut().zip([4, 16, 64, 256]) {
            let found = solve_polyhedral(&problem, directions);
            assert_eq!(found.status, LcpStatus::Solved, "{directions} directions");
            *worst = worst.max((&found.a - &round.a).amax());
            // Inside the round cone.
            for k in 0..3 {
                let t = (found.lambda[3 * k + 1].powi(2) + found.lambda[3 * k + 2].powi(2)).sqrt();
                assert!(t <= 0.3 * found.lambda[3 * k] + 1e-10);
            }
        }
    }
    println!("largest difference of velocities: {worst:?}");
    assert!(worst[0] > 1e-2 && worst[3] < 0.05 * worst[0], "{worst:?}");
    assert!(worst.windows(2).all(|pair| pair[1] < 0.5 * pair[0]), "{worst:?}");
}

#[test]
fn without_friction_it_is_the_linear_complementarity_problem() {
    let mechanism = random_mechanism(&mut Random::new(5), 3, 8);
    let (w, b) = (mechanism.w(), mechanism.b());
    let normal = DMatrix::from_fn(8, 8, |i, j| w[(3 * i, 3 * j)]);
    let wanted = lemke(&normal, &DVector::from_fn(8, |i, _| b[3 * i]));
    let found = solve_polyhedral(&Problem::new(w, b, vec![contact(0.0); 8]).unwrap(), 8);
    for i in 0..8 {
        assert!((found.lambda[3 * i] - wanted.z[i]).abs() < 1e-9);
    }
}

#[test]
fn bilateral_rows_and_degenerate_contacts_go_together() {
    // A cube on four corners, held against turning about z by one bilateral row.
    let mechanism = cube_on_plane(Vector3::new(0.2, 0.0, -1.0));
    let mut jacobian = mechanism.jacobian.clone().insert_rows(12, 1, 0.0);
    jacobian[(12, 5)] = 1.0;
    let w = &jacobian * &mechanism.inverse_mass * jacobian.transpose();
    let mut blocks = vec![contact(0.5); 4];
    blocks.push(Block::Bilateral);
    let problem = Problem::new(w, &jacobian * &mechanism.velocity, blocks).unwrap();
    let found = solve_polyhedral(&problem, 8);
    assert_eq!(found.status, LcpStatus::Solved);
    // It stands still: friction of 0.5 g holds 0.2 g.
    assert!(found.a.amax() < 1e-10, "{}", found.a);
}

#[test]
fn problems_without_a_solution_end_on_a_ray() {
    let w = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
    let b = DVector::from_element(2, -1.0);
    let squeezed = Problem::new(w, b, vec![Block::Unilateral; 2]).unwrap();
    assert_eq!(solve_polyhedral(&squeezed, 4).status, LcpStatus::Ray);
    let none = Problem::new(DMatrix::zeros(0, 0), DVector::zeros(0), vec![]).unwrap();
    assert_eq!(solve_polyhedral(&none, 4).status, LcpStatus::Solved);
}
