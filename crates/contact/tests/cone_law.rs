//! Coulomb's law condition by condition, for friction from nothing to infinity, and problems without a solution.

use zerogap_contact::cone::{
    CoulombParams, CoulombSolution, CoulombStatus, MatrixProblem, law_misses, prove_infeasible, solve_coulomb,
};
use zerogap_core::random::Random;

/// Friction from none to infinite [-].
const FRICTION: [f64; 11] = [0.0, 1e-6, 0.1, 0.5, 1.0, 10.0, 1e3, 1e5, 1e8, 1e12, f64::INFINITY];

fn solved(problem: &MatrixProblem) -> CoulombSolution {
    solve_coulomb(problem, None, &CoulombParams::default())
}

/// One unit mass that hits the ground with a velocity `q`.
fn ball(q: [f64; 3], mu: f64) -> MatrixProblem {
    MatrixProblem::new((0..3).map(|k| (k, k, 1.0)), q.to_vec(), &[mu]).unwrap()
}

/// Contacts among a few bodies, `W = J J^T` with more rows than bodies have coordinates.
fn crowd(random: &mut Random, contacts: usize, mu: f64) -> MatrixProblem {
    let coordinates = 6 + 2 * contacts;
    let rows: Vec<Vec<f64>> =
        (0..3 * contacts).map(|_| (0..coordinates).map(|_| random.range(-1.0, 1.0)).collect()).collect();
    let dot = |i: usize, j: usize| rows[i].iter().zip(&rows[j]).map(|(x, y)| x * y).sum::<f64>();
    let places = (0..3 * contacts).flat_map(|i| (0..3 * contacts).map(move |j| (i, j)));
    let entries: Vec<_> = places.map(|(i, j)| (i, j, dot(i, j))).collect();
    let q = (0..3 * contacts).map(|_| random.range(-1.0, 1.0)).collect();
    MatrixProblem::new(entries, q, &vec![mu; contacts]).unwrap()
}

#[test]
fn a_mass_that_slips_over_rough_ground_stops_whatever_the_friction_is() {
    for mu in FRICTION {
        for slip in [0.0, 2.0, 1e5] {
            let problem = ball([-1.0, slip, 0.0], mu);
            let found = solved(&problem);
            assert_eq!(found.status, CoulombStatus::Solved, "mu {mu}, slip {slip}: {found:?}");
            // The normal impulse stops the approach; friction stops the slip as far as it can.
            let friction = if mu < slip { mu } else { slip };
            assert!((found.impulses[0] - 1.0).abs() < 1e-8, "mu {mu}: {:?}", found.impulses);
            assert!(
                (found.impulses[1] + friction).abs() < 1e-8 * slip.max(1.0),
                "mu {mu}: {:?}",
                found.impulses
            );
            assert!(found.velocities[0] >= -1e-8, "mu {mu}: {:?}", found.velocities);
        }
    }
}

#[test]
fn every_condition_of_the_law_holds_by_itself_for_any_friction() {
    let mut random = Random::new(11);
    for mu in FRICTION {
        let mut missed = 0;
        for contacts in [1, 2, 4, 7] {
            for _ in 0..12 {
                let problem = crowd(&mut random, contacts, mu);
                let found = solved(&problem);
                // Sliding with impulses of friction thousands of times the normal ones is hard to resolve: what is not says so.
                if mu > 100.0 && found.status == CoulombStatus::Limit {
                    assert!(found.solver.residual.max(found.relative).max(found.misses.largest()) > 1e-8);
                    missed += 1;
                    continue;
                }
                assert_eq!(found.status, CoulombStatus::Solved, "mu {mu}, {contacts} contacts: {found:?}");
                for (r, u) in found.impulses.chunks_exact(3).zip(found.velocities.chunks_exact(3)) {
                    let (push, along) = (r[0], (r[1] * r[1] + r[2] * r[2]).sqrt());
                    let slip = (u[1] * u[1] + u[2] * u[2]).sqrt();
                    assert!(u[0] >= -1e-7, "approaches at {}", u[0]);
                    assert!(push >= -1e-7 && (push > 0.0 || along <= 1e-7), "outside of the cone: {r:?}");
                    assert!(mu.is_infinite() || along <= mu * push * (1.0 + 1e-7) + 1e-7, "outside: {r:?}");
                    assert!(push.min(u[0]) <= 1e-7, "pushes {push} and opens at {}", u[0]);
                    // What slips is opposed by all that the cone allows.
                    let is_rigid = slip <= 1e-6 || push <= 1e-6;
                    assert!(
                        is_rigid || along >= mu * push * (1.0 - 1e-4) - 1e-6,
                        "slips at {slip} with {r:?}"
                    );
                }
                let misses = law_misses(&problem, &found.impulses, &found.velocities);
                assert_eq!(misses, found.misses);
                assert!(misses.largest() <= 1e-8, "{misses:?}");
            }
        }
        println!("friction {mu}: {missed} of 48 not resolved");
        // Measured: 1, 2, 2, 9 and 13 from 1e3 on.
        let most = [(1e10, 14), (100.0, 6), (-1.0, 0)]
            .iter()
            .find(|(from, _)| mu > *from)
            .map_or(0, |(_, most)| *most);
        assert!(missed <= most, "friction {mu}: {missed} of 48");
    }
}

#[test]
fn an_immovable_contact_that_approaches_is_infeasible_with_a_certificate() {
    for mu in FRICTION {
        let problem = MatrixProblem::new([], vec![-1.0, 0.3, 0.0], &[mu]).unwrap();
        let found = solved(&problem);
        assert_eq!(found.status, CoulombStatus::Infeasible, "{found:?}");
        let proof = found.infeasibility.unwrap();
        assert_eq!((proof.certificate, proof.min_impulse), (vec![1.0, 0.0, 0.0], f64::INFINITY));
    }
}

/// Whether a certificate proves what it claims: pushes along normals that move nothing, and an approach along them.
fn assert_proves(problem: &MatrixProblem, certificate: &[f64]) {
    assert!(
        certificate.chunks_exact(3).all(|y| y[0] >= 0.0 && y[1] == 0.0 && y[2] == 0.0),
        "{certificate:?}"
    );
    let closing: f64 = problem.q().iter().zip(certificate).map(|(q, y)| q * y).sum();
    assert!((closing + 1.0).abs() < 1e-12, "{closing}");
    let mut moved = vec![0.0; certificate.len()];
    for (row, column, value) in problem.entries() {
        moved[column] += value * certificate[row];
    }
    let largest = certificate.iter().fold(0.0_f64, |m, y| m.max(y.abs()));
    assert!(moved.iter().all(|x| x.abs() <= 1e-9 * largest), "{moved:?}");
}

#[test]
fn a_mass_between_two_walls_that_close_is_infeasible_with_a_certificate() {
    // Both walls come at 1 m/s from either side: no impulses make both contacts open.
    for mu in [0.0, 0.5, 1e8] {
        let direction = [
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [-1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
        ];
        let dot =
            |i: usize, j: usize| direction[i].iter().zip(&direction[j]).map(|(a, b)| a * b).sum::<f64>();
        let places = (0..6).flat_map(|i| (0..6).map(move |j| (i, j)));
        let entries: Vec<_> = places.map(|(i, j)| (i, j, dot(i, j))).collect();
        let problem = MatrixProblem::new(entries, vec![-1.0, 0.2, 0.0, -1.0, 0.2, 0.0], &[mu; 2]).unwrap();
        let found = solved(&problem);
        assert_eq!(found.status, CoulombStatus::Infeasible, "{found:?}");
        assert_proves(&problem, &found.infeasibility.unwrap().certificate);
    }
}

#[test]
fn problems_with_a_solution_have_no_certificate_and_crushed_crowds_have_one() {
    let mut random = Random::new(23);
    for case in 0..40 {
        let contacts = 2 + case % 5;
        let problem = crowd(&mut random, contacts, 0.4);
        assert_eq!(prove_infeasible(&problem), None, "case {case}");
        // The same with one more contact that is pushed by the mirrored normal of the first: both cannot open.
        let mut entries: Vec<_> = problem.entries().collect();
        let size = 3 * contacts;
        let mirrored: Vec<_> = entries.iter().filter(|(row, ..)| *row == 0).copied().collect();
        let own = mirrored.iter().find(|(_, column, _)| *column == 0).unwrap().2;
        for (_, column, value) in mirrored {
            entries.extend([(size, column, -value), (column, size, -value)]);
        }
        entries.push((size, size, own));
        let mut q = problem.q().to_vec();
        q.extend([-q[0] - 0.5, 0.0, 0.0]);
        let crushed = MatrixProblem::new(entries, q, &vec![0.4; contacts + 1]).unwrap();
        let found = solved(&crushed);
        assert_eq!(found.status, CoulombStatus::Infeasible, "case {case}: {found:?}");
        assert_proves(&crushed, &found.infeasibility.unwrap().certificate);
    }
}
