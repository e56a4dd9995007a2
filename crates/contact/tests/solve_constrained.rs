//! Linear systems of frozen contacts, against the singular value decomposition.

mod solve_common;

use nalgebra::{DMatrix, DVector};
use solve_common::{cube_on_plane, random_mechanism};
use zerogap_contact::solve::{ConstraintWork, solve_constrained};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

#[test]
fn consistent_systems_are_solved_to_rounding_whatever_the_rank() {
    let mut random = Random::new(1);
    let mut worst = 0.0_f64;
    for case in 0..count(2000, 50_000) {
        let contacts = 1 + random.index(8);
        let mechanism = random_mechanism(&mut random, 2, contacts);
        let w = mechanism.w();
        let rhs = mechanism.b();
        let solved = solve_constrained(&w, &rhs);
        assert!(solved.consistent && solved.residual <= 1e-14, "case {case}: {}", solved.residual);
        worst = worst.max(solved.residual);
    }
    println!("worst residual {worst:e}");
}

#[test]
fn asymmetric_systems_of_sliding_contacts_are_solved_too() {
    let mut random = Random::new(2);
    for case in 0..count(2000, 20_000) {
        let n = 1 + random.index(12);
        let rank = 1 + random.index(n);
        let left = DMatrix::from_fn(n, rank, |_, _| random.range(-1.0, 1.0));
        let right = DMatrix::from_fn(rank, n, |_, _| random.range(-1.0, 1.0));
        let w = left * right;
        // From a vector that w does not cancel: rounding in the right side is then as small as it looks.
        let rhs = &w * (w.transpose() * DVector::from_fn(n, |_, _| random.range(-1.0, 1.0)));
        let solved = solve_constrained(&w, &rhs);
        assert!(
            solved.consistent && solved.residual <= 1e-14,
            "case {case}: {} rank {rank}",
            solved.residual
        );
    }
}

#[test]
fn a_cube_on_four_corners_is_held_evenly() {
    let mechanism = cube_on_plane(nalgebra::Vector3::new(0.0, 0.0, -9.81));
    let solved = solve_constrained(&mechanism.w(), &-mechanism.b());
    assert_eq!(solved.rank, 6);
    for k in 0..4 {
        assert!((solved.x[3 * k] - 9.81 / 4.0).abs() <= 1e-13);
    }
}

#[test]
fn the_answer_is_the_shortest_where_columns_are_alike() {
    let mut random = Random::new(3);
    for case in 0..count(500, 5000) {
        // Columns within a factor two of one another are scaled alike: a symmetric matrix with a constant diagonal and null vectors.
        let n = 4;
        let f = DMatrix::from_fn(n, 2, |_, _| random.range(-1.0, 1.0));
        let w = &f * f.transpose();
        let twice = DMatrix::from_fn(2 * n, 2 * n, |i, j| w[(i % n, j % n)]);
        let rhs = &twice * DVector::from_fn(2 * n, |_, _| random.range(-1.0, 1.0));
        let solved = solve_constrained(&twice, &rhs);
        // Repeated columns share alike.
        for i in 0..n {
            let difference = (solved.x[i] - solved.x[i + n]).abs();
            assert!(difference <= 1e-9 * solved.x.amax(), "case {case}: {difference}");
        }
    }
}

#[test]
fn a_right_side_out_of_range_is_told_from_one_within() {
    let w = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 1.0]);
    let within = solve_constrained(&w, &DVector::from_column_slice(&[2.0, 2.0]));
    assert!(within.consistent);
    assert!((within.x - DVector::from_element(2, 1.0)).amax() <= 1e-15);
    let out = solve_constrained(&w, &DVector::from_column_slice(&[1.0, -1.0]));
    assert!(!out.consistent && out.x.amax() <= 1e-12);
    let nothing = solve_constrained(&DMatrix::zeros(2, 2), &DVector::from_element(2, 1.0));
    assert!(!nothing.consistent && nothing.x.amax() == 0.0 && nothing.rank == 0);
    assert!(solve_constrained(&DMatrix::zeros(2, 2), &DVector::zeros(2)).consistent);
    assert!(!solve_constrained(&DMatrix::identity(2, 2), &DVector::zeros(3)).consistent);
    let nan = solve_constrained(&DMatrix::from_element(1, 1, f64::NAN), &DVector::zeros(1));
    assert!(!nan.consistent && nan.x[0] == 0.0);
}

#[test]
fn masses_and_units_far_apart_do_not_cost_digits() {
    let mut random = Random::new(4);
    for case in 0..count(500, 5000) {
        let mechanism = random_mechanism(&mut random, 2, 3);
        let d = DMatrix::from_fn(9, 9, |i, j| if i == j { [1e-9, 1e-3, 1.0, 1e6, 1e9][i % 5] } else { 0.0 });
        let w = &d * mechanism.w() * &d;
        let solved = solve_constrained(&w, &(&d * mechanism.b()));
        assert!(solved.consistent && solved.residual <= 1e-14, "case {case}: {}", solved.residual);
    }
}

#[test]
fn a_workspace_gives_the_same_bits_again() {
    let mut random = Random::new(5);
    let mut work = ConstraintWork::new(12);
    for _ in 0..50 {
        let n = 3 * (1 + random.index(4));
        let mechanism = random_mechanism(&mut random, 1, n / 3);
        let mut x = vec![0.0; n];
        work.factor(&mechanism.w());
        let info = work.solve(mechanism.b().as_slice(), &mut x);
        let fresh = solve_constrained(&mechanism.w(), &mechanism.b());
        assert_eq!(fresh.x.as_slice(), x.as_slice());
        assert_eq!((fresh.residual, fresh.rank), (info.residual, info.rank));
    }
}
