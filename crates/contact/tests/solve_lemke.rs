//! Lemke's method against the enumeration of all complementary bases.

use nalgebra::{DMatrix, DVector};
use zerogap_contact::solve::{LcpStatus, lemke};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// All solutions with a regular basis, by trying each of the 2^n sets of positive `z`.
fn enumerate(m: &DMatrix<f64>, q: &DVector<f64>) -> Vec<DVector<f64>> {
    let n = q.len();
    let mut found = Vec::new();
    for set in 0..1_u32 << n {
        let active: Vec<usize> = (0..n).filter(|i| set >> i & 1 == 1).collect();
        let k = active.len();
        let inner = DMatrix::from_fn(k, k, |i, j| m[(active[i], active[j])]);
        let rhs = DVector::from_fn(k, |i, _| -q[active[i]]);
        let x = if k == 0 { Some(rhs) } else { inner.full_piv_lu().solve(&rhs) };
        let Some(x) = x else { continue };
        let mut z = DVector::zeros(n);
        for (v, &i) in x.iter().zip(&active) {
            z[i] = *v;
        }
        // A basis that is singular but for rounding gives huge numbers, which prove nothing.
        if z.amax() <= 1e6 && broken(m, q, &z) <= 1e-9 {
            found.push(z);
        }
    }
    found
}

/// Largest violation of `0 <= z`, `0 <= w`, `z w = 0`, relative.
fn broken(m: &DMatrix<f64>, q: &DVector<f64>, z: &DVector<f64>) -> f64 {
    let w = m * z + q;
    let terms = (m.abs() * z.abs() + q.abs()).amax().max(1e-300);
    let mut worst = 0.0_f64;
    for i in 0..q.len() {
        worst = worst.max(-z[i] / z.amax().max(1.0)).max(-w[i] / terms);
        worst = worst.max(z[i].min(w[i] / terms));
    }
    if worst.is_nan() { f64::INFINITY } else { worst }
}

fn integer(random: &mut Random, most: usize) -> f64 {
    random.index(2 * most + 1) as f64 - most as f64
}

#[test]
fn p_matrices_have_one_solution_and_it_is_found() {
    let mut random = Random::new(1);
    for _ in 0..count(1000, 50_000) {
        let n = 1 + random.index(6);
        // Positive definite plus skew: every principal minor is positive.
        let f = DMatrix::from_fn(n, n, |_, _| random.range(-1.0, 1.0));
        let s = DMatrix::from_fn(n, n, |_, _| random.range(-1.0, 1.0));
        let m = &f * f.transpose() + DMatrix::identity(n, n) * 0.1 + (&s - s.transpose());
        let q = DVector::from_fn(n, |_, _| random.range(-1.0, 1.0));
        let answer = lemke(&m, &q);
        assert_eq!(answer.status, LcpStatus::Solved);
        assert!(broken(&m, &q, &answer.z) <= 1e-12, "{}", broken(&m, &q, &answer.z));
        let all = enumerate(&m, &q);
        assert!(!all.is_empty());
        for other in all {
            assert!((&other - &answer.z).amax() <= 1e-8 * (1.0 + other.amax()));
        }
    }
}

#[test]
fn semidefinite_problems_end_on_a_ray_exactly_where_there_is_no_solution() {
    // Small integers: degenerate in every way, with exact answers.
    let mut random = Random::new(2);
    let (mut solved, mut rays) = (0, 0);
    for case in 0..count(3000, 100_000) {
        let n = 1 + random.index(6);
        let rank = 1 + random.index(n);
        let f = DMatrix::from_fn(n, rank, |_, _| integer(&mut random, 2));
        let m = &f * f.transpose();
        let q = DVector::from_fn(n, |_, _| integer(&mut random, 2));
        let answer = lemke(&m, &q);
        let any = !enumerate(&m, &q).is_empty();
        match answer.status {
            LcpStatus::Solved => {
                assert!(broken(&m, &q, &answer.z) <= 1e-12, "case {case}: {}", broken(&m, &q, &answer.z));
                solved += 1;
            }
            LcpStatus::Ray => {
                assert!(!any, "case {case}: {m} {q}");
                rays += 1;
            }
            LcpStatus::Limit => panic!("case {case}: cycles: {m} {q}"),
        }
    }
    assert!(solved > 100 && rays > 100, "{solved} {rays}");
}

#[test]
fn copositive_problems_with_nonnegative_right_side_on_rays_are_solved() {
    // Strictly copositive: entries nonnegative, diagonal positive. There is always a solution.
    let mut random = Random::new(3);
    for case in 0..count(2000, 50_000) {
        let n = 1 + random.index(6);
        let m = DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) + random.index(3) as f64);
        let q = DVector::from_fn(n, |_, _| integer(&mut random, 3));
        let answer = lemke(&m, &q);
        assert_eq!(answer.status, LcpStatus::Solved, "case {case}: {m} {q}");
        assert!(broken(&m, &q, &answer.z) <= 1e-12);
    }
}

#[test]
fn any_matrix_is_answered_without_a_false_claim() {
    let mut random = Random::new(4);
    let mut missed = 0;
    for case in 0..count(3000, 100_000) {
        let n = 1 + random.index(6);
        let m = DMatrix::from_fn(n, n, |_, _| integer(&mut random, 2));
        let q = DVector::from_fn(n, |_, _| integer(&mut random, 2));
        let answer = lemke(&m, &q);
        assert_ne!(answer.status, LcpStatus::Limit, "case {case}");
        if answer.status == LcpStatus::Solved {
            assert!(broken(&m, &q, &answer.z) <= 1e-11, "case {case}: {}", broken(&m, &q, &answer.z));
        } else {
            missed += usize::from(!enumerate(&m, &q).is_empty());
        }
    }
    // A ray proves nothing here, and the documentation says so.
    println!("rays where there was a solution: {missed}");
    assert!(missed > 0);
}

#[test]
fn a_problem_in_which_every_ratio_is_tied_ends() {
    // Rows that are turns of one another and equal right sides: only the lexicographic order decides.
    let m = DMatrix::from_row_slice(3, 3, &[1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0]);
    let q = DVector::from_element(3, -1.0);
    let answer = lemke(&m, &q);
    assert_eq!(answer.status, LcpStatus::Solved);
    assert!((answer.z - DVector::from_element(3, 1.0 / 3.0)).amax() <= 1e-15);
}

#[test]
fn sizes_and_numbers_that_make_no_problem_are_refused() {
    let m = DMatrix::identity(2, 2);
    assert_eq!(lemke(&m, &DVector::zeros(3)).status, LcpStatus::Limit);
    assert_eq!(lemke(&DMatrix::zeros(2, 3), &DVector::zeros(2)).status, LcpStatus::Limit);
    let nan = lemke(&m, &DVector::from_element(2, f64::NAN));
    assert_eq!((nan.status, nan.z), (LcpStatus::Limit, DVector::zeros(2)));
    assert_eq!(lemke(&DMatrix::zeros(0, 0), &DVector::zeros(0)).status, LcpStatus::Solved);
    assert_eq!(lemke(&DMatrix::zeros(2, 2), &DVector::from_element(2, -1.0)).status, LcpStatus::Ray);
    assert_eq!(lemke(&DMatrix::zeros(2, 2), &DVector::zeros(2)).status, LcpStatus::Solved);
}

#[test]
fn very_large_and_very_small_units_give_the_same_answer() {
    let mut random = Random::new(5);
    for _ in 0..count(300, 5000) {
        let n = 1 + random.index(6);
        let f = DMatrix::from_fn(n, n, |_, _| random.range(-1.0, 1.0));
        let m = &f * f.transpose() + DMatrix::identity(n, n) * 0.1;
        let q = DVector::from_fn(n, |_, _| random.range(-1.0, 1.0));
        let plain = lemke(&m, &q).z;
        for (a, b) in [(1e-9, 1e9), (1e9, 1e-9), (1e80, 1e-80), (1e-80, 1e80)] {
            let z = lemke(&(&m * a), &(&q * b)).z;
            assert!((z * (a / b) - &plain).amax() <= 1e-11 * (1.0 + plain.amax()));
        }
    }
}
