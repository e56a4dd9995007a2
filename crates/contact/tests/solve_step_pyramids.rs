//! Friction pyramids for problems of steps and matrices: what they solve, and how far they are from round cones.

use zerogap_contact::cone::{CoulombParams, CoulombStatus, MatrixProblem, solve_coulomb};
use zerogap_contact::solve::solve_coulomb_by_pyramids;
use zerogap_core::math::sin_cos;
use zerogap_testkit::random::Random;

/// A unit mass that hits the ground at 1 m/s and slips at 2 m/s in a direction [rad].
fn slider(angle: f64) -> MatrixProblem {
    let (sin, cos) = sin_cos(angle);
    let entries = (0..3).map(|k| (k, k, 1.0));
    MatrixProblem::new(entries, vec![-1.0, 2.0 * cos, 2.0 * sin], &[0.5]).unwrap()
}

#[test]
fn friction_points_along_the_nearest_side() {
    for sides in [3, 4, 6, 8, 16, 64] {
        let half = std::f64::consts::PI / sides as f64;
        let mut worst = 0.0_f64;
        for k in 0..100 {
            let angle = 0.0628 * f64::from(k) + 1e-3;
            let problem = slider(angle);
            let found = solve_coulomb_by_pyramids(&problem, sides);
            assert_eq!(found.status, CoulombStatus::Solved);
            let [n, x, y] = found.impulses[..] else { panic!("three rows") };
            assert!((n - 1.0).abs() < 1e-12);
            let speed = (found.velocities[1].powi(2) + found.velocities[2].powi(2)).sqrt();
            let (cos, sin) = (found.velocities[1] / speed, found.velocities[2] / speed);
            // All of the pyramid's width, or a mean of two sides that face the sliding equally.
            let against = -(x * cos + y * sin) / 0.5;
            assert!(against >= zerogap_core::math::cos(half) - 1e-12 && against <= 1.0 + 1e-12);
            worst = worst.max((x * sin - y * cos).abs() / 0.5);
        }
        // The direction is off by half the angle between sides at most, and nearly that somewhere.
        let (most, _) = sin_cos(half);
        println!("{sides} sides: off by {:.1} degrees at most", zerogap_core::math::asin(worst).to_degrees());
        assert!(worst <= most + 1e-12 && worst > 0.8 * most, "{sides}: {worst} of {most}");
    }
}

#[test]
fn separate_islands_are_solved_as_if_alone_and_come_to_the_round_cones() {
    let mut random = Random::new(26);
    let mut errors = [0.0_f64; 3];
    for _ in 0..20 {
        // Five bodies, each on contacts of its own: W = J J^T in blocks.
        let mut entries = Vec::new();
        let (mut q, mut friction) = (Vec::new(), Vec::new());
        for body in 0..5 {
            let rows: Vec<Vec<f64>> =
                (0..6).map(|_| (0..6).map(|_| random.range(-1.0, 1.0)).collect()).collect();
            for i in 0..6 {
                for j in 0..6 {
                    let product: f64 = rows[i].iter().zip(&rows[j]).map(|(a, b)| a * b).sum();
                    entries.push((6 * body + i, 6 * body + j, product));
                }
                q.push(random.range(-1.0, 1.0));
            }
            friction.extend([0.4, 0.4]);
        }
        let problem = MatrixProblem::new(entries.clone(), q.clone(), &friction).unwrap();
        let round = solve_coulomb(&problem, None, &CoulombParams::default());
        if round.status != CoulombStatus::Solved {
            continue;
        }
        for (error, sides) in errors.iter_mut().zip([4, 16, 64]) {
            let found = solve_coulomb_by_pyramids(&problem, sides);
            assert_eq!(found.status, CoulombStatus::Solved);
            assert!(
                found.misses.approach < 1e-9 && found.misses.complementarity < 1e-9,
                "{:?}",
                found.misses
            );
            assert!(found.misses.cone < 1e-9, "the pyramid lies inside the cone: {:?}", found.misses);
            let far = found.velocities.iter().zip(&round.velocities).map(|(a, b)| (a - b).abs());
            *error = error.max(far.fold(0.0, f64::max));
            // The first body alone has the same bits.
            let own = entries.iter().copied().filter(|(i, j, _)| i.max(j) < &6);
            let alone = MatrixProblem::new(own, q[..6].to_vec(), &friction[..2]).unwrap();
            assert_eq!(solve_coulomb_by_pyramids(&alone, sides).impulses, found.impulses[..6]);
        }
    }
    println!("largest difference of velocities with 4, 16, 64 sides: {errors:?}");
    assert!(errors[2] < 0.1 * errors[0] && errors[0] > 1e-2, "{errors:?}");
}
