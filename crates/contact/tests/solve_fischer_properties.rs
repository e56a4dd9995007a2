//! Forces of a whole step by the Fischer function, random redundant contacts: Lemke's method as the oracle, units and order.

mod fischer_common;

use fischer_common::Linear;
use nalgebra::{DMatrix, DVector};
use zerogap_contact::solve::{
    EndOfStep, FischerParams, FischerStatus, FischerWork, LcpStatus, lemke, solve_fischer,
};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

const DT: f64 = 0.01;

/// Random contacts on a few bodies, as `rows`, inverse masses and distances without forces that some forces can mend.
fn random_contacts(random: &mut Random) -> (DMatrix<f64>, DMatrix<f64>, Linear) {
    let dofs = 1 + random.index(8);
    let k = 1 + random.index(24);
    let mut rows = DMatrix::from_fn(k, dofs, |_, _| random.range(-1.0, 1.0));
    // Some contacts repeat others.
    for i in 1..k {
        if random.index(3) == 0 {
            let j = random.index(i);
            let copy = rows.row(j).into_owned();
            rows.row_mut(i).copy_from(&copy);
        }
    }
    let inverse_mass = DMatrix::from_diagonal(&DVector::from_fn(dofs, |_, _| 1.0 / random.range(0.1, 10.0)));
    let g = &rows * &inverse_mass * rows.transpose() * (DT * DT);
    // Distances that forces can mend: those at some motion, less what it moves.
    let motion = DVector::from_fn(dofs, |_, _| random.range(-1.0, 1.0));
    let left = DVector::from_fn(k, |_, _| if random.index(2) == 0 { 0.0 } else { random.range(0.0, 1e-2) });
    let q = left - &rows * motion * 1e-2;
    (rows, inverse_mass, Linear { g, q })
}

#[test]
fn redundant_contacts_move_bodies_as_lemke_says() {
    let mut random = Random::new(5);
    let (mut steps, mut most, mut fell_back, mut wedges, mut worst, mut off) = (0, 0, 0, 0, 0.0_f64, 0.0_f64);
    let cases = count(2000, 200_000);
    let mut work = FischerWork::default();
    for case in 0..cases {
        let (rows, inverse_mass, mut problem) = random_contacts(&mut random);
        let mut forces = vec![0.0; problem.contacts()];
        let info = solve_fischer(&mut problem, &mut forces, &FischerParams::default(), &mut work);
        let oracle = lemke(&problem.g, &problem.q);
        assert_eq!(oracle.status, LcpStatus::Solved, "case {case}");
        assert_eq!(info.status, FischerStatus::Solved, "case {case}: {info:?}");
        assert!(info.solver.residual <= 1e-12);
        steps += info.solver.iterations;
        most = most.max(info.solver.iterations);
        fell_back += usize::from(info.fell_back);
        // Loads on the bodies and velocities after the step.
        let load = rows.transpose() * (DVector::from_column_slice(&forces) - &oracle.z);
        let velocity = &inverse_mass * &load * DT;
        // Narrow wedges amplify what the tolerance leaves; there energy bounds it: `|dv|²_M = df . d delta`.
        let pushing = DVector::from_vec(forces).amax().max(oracle.z.amax());
        if pushing <= 1e4 {
            worst = worst.max(velocity.amax());
            assert!(velocity.amax() <= 1e-9, "case {case}: {}", velocity.amax());
            off = off.max(load.amax() / (rows.abs().transpose() * &oracle.z).amax().max(1.0));
        } else {
            wedges += 1;
            let energy = velocity.dot(&load) * DT;
            assert!(energy <= 4e-12 * pushing * problem.contacts() as f64, "case {case}: {energy}");
        }
    }
    println!(
        "{cases} cases: {} steps on average, {most} at most, {fell_back} fell back, {wedges} wedges, worst velocity {worst:e}, load {off:e}",
        steps as f64 / cases as f64
    );
    // Loads are velocities times masses over the step: the tolerance of 1e-12 m is up to 1e-7 N here, and some more in wedges.
    assert!(off <= 1e-8, "{off:e}");
}

#[test]
fn units_and_order_do_not_matter() {
    let mut random = Random::new(6);
    let mut work = FischerWork::default();
    for case in 0..count(300, 30_000) {
        let (rows, _, mut problem) = random_contacts(&mut random);
        let n = problem.contacts();
        let mut forces = vec![0.0; n];
        let info = solve_fischer(&mut problem, &mut forces, &FischerParams::default(), &mut work);
        let load = rows.transpose() * DVector::from_column_slice(&forces);
        let size = load.amax().max(1.0);
        // Wedges so narrow are jammed but for rounding, which is another one in other units.
        if forces.iter().any(|f| *f > 1e6) {
            continue;
        }
        // Lengths and forces in other units, as far as anyone goes.
        for (length, force) in [(1e-9, 1e6), (1e12, 1e-30), (1e3, 1.0), (1e-100, 1e100)] {
            let mut scaled = Linear { g: &problem.g * (length / force), q: &problem.q * length };
            let params = FischerParams { length, ..FischerParams::default() };
            let mut others = vec![0.0; n];
            let other = solve_fischer(&mut scaled, &mut others, &params, &mut work);
            assert_eq!(other.status, info.status, "case {case}");
            let other = rows.transpose() * DVector::from_vec(others) / force;
            assert!((&other - &load).amax() <= 1e-7 * size, "case {case}: {other} {load}");
        }
        // Contacts in another order.
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, random.index(i + 1));
        }
        let mut shuffled = Linear {
            g: DMatrix::from_fn(n, n, |i, j| problem.g[(order[i], order[j])]),
            q: DVector::from_fn(n, |i, _| problem.q[order[i]]),
        };
        let mut others = vec![0.0; n];
        let other = solve_fischer(&mut shuffled, &mut others, &FischerParams::default(), &mut work);
        assert_eq!(other.status, info.status, "case {case}");
        let mut back = DVector::zeros(n);
        for (i, &j) in order.iter().enumerate() {
            back[j] = others[i];
        }
        assert!((rows.transpose() * back - &load).amax() <= 1e-7 * size, "case {case}");
    }
}
