//! Units and threads do not matter to the solver of a step; heavy loads on light bodies cost little.

mod cone_common;

use cone_common::{FALL, Scene, pile, tower};
use rayon::ThreadPoolBuilder;
use zerogap_contact::SolverInfo;
use zerogap_contact::cone::{BodyProblem, Delassus, StepSolver};

/// Residual asked for [m/s].
const TOLERANCE: f64 = 1e-9;

fn solve(problem: &BodyProblem, tolerance: f64) -> (SolverInfo, Vec<f64>, Vec<f64>) {
    let (mut impulses, mut velocities) = (Vec::new(), Vec::new());
    let info = StepSolver::default().solve(problem, &mut impulses, &mut velocities, (tolerance, tolerance));
    (info, impulses, velocities)
}

/// Powers of four by which the units of mass, length and time differ.
#[derive(Debug, Clone, Copy)]
struct Units {
    mass: i32,
    length: i32,
    time: i32,
}

impl Units {
    fn factor(power: i32) -> f64 {
        4.0_f64.powi(power)
    }

    /// Factor of a linear (the first three) or angular velocity of a free body.
    fn velocity(self, k: usize) -> f64 {
        Self::factor(if k < 3 { self.length - self.time } else { -self.time })
    }

    /// The same problem in other units.
    fn apply(self, problem: &BodyProblem) -> BodyProblem {
        let mut other = BodyProblem::default();
        let arm = |k: usize| if k < 3 { 0 } else { self.length };
        for (number, group) in problem.groups().iter().enumerate() {
            let mass = problem.mass(number);
            let entry =
                |k: usize| mass[k] * Self::factor(self.mass + arm(k / group.len) + arm(k % group.len));
            let mass: Vec<f64> = (0..mass.len()).map(entry).collect();
            let free = &problem.free()[group.start..group.start + group.len];
            let free: Vec<f64> = free.iter().enumerate().map(|(k, v)| v * self.velocity(k)).collect();
            other.add_group(&mass, &free);
        }
        for (block, law) in problem.blocks().iter().enumerate() {
            let first = problem.first(block);
            let bias = problem.bias()[first..first + law.rows()].iter().map(|b| b * self.velocity(0));
            other.add_block(*law, &bias.collect::<Vec<_>>());
            for side in problem.sides(block).into_iter().flatten() {
                let rows = problem.rows_of(block, side).iter().enumerate();
                let rows: Vec<f64> = rows.map(|(k, x)| x * Self::factor(arm(k % 6))).collect();
                other.add_side(side.group, &rows);
            }
        }
        other
    }
}

#[test]
fn units_that_differ_by_powers_of_four_scale_the_bits() {
    // Sliding, sticking and opening contacts, some of them far from where they end.
    let problem = pile(3, 4, 0.5, 0.3, 7).problem;
    let (info, impulses, velocities) = solve(&problem, TOLERANCE);
    assert!(info.is_solved && info.factorisations > 3, "{info:?}");
    for power in (-30..=30).filter(|power| *power != 0) {
        for (mass, length, time) in [(power, 0, 0), (0, power, 0), (0, 0, power), (power, -power, power / 2)]
        {
            let units = Units { mass, length, time };
            let (again, other_impulses, other_velocities) =
                solve(&units.apply(&problem), TOLERANCE * units.velocity(0));
            assert_eq!(again.factorisations, info.factorisations, "{units:?}");
            let push = Units::factor(mass) * units.velocity(0);
            for (one, other) in impulses.iter().zip(&other_impulses) {
                assert_eq!((one * push).to_bits(), other.to_bits(), "{units:?}");
            }
            for (k, (one, other)) in velocities.iter().zip(&other_velocities).enumerate() {
                assert_eq!((one * units.velocity(k % 6)).to_bits(), other.to_bits(), "{units:?}");
            }
        }
    }
}

#[test]
fn a_stack_of_ten_carries_ten_million_times_its_weight_in_a_few_factorisations() {
    for ratio in [1e1, 1e3, 1e5, 1e7] {
        let mut scene = Scene::default();
        for k in 0..10 {
            let mass = if k == 9 { ratio } else { 1.0 };
            scene.add_box(mass, [1.0; 3], [0.0, 0.0, f64::from(k) + 0.5], [0.0, 0.0, -FALL, 0.0, 0.0, 0.0]);
        }
        for k in 0..10_usize {
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
                let at = [x, y, k as f64];
                scene.touch(k.checked_sub(1), k, at, [0.0, 0.0, 1.0], 0.5, [0.0; 3]);
            }
        }
        let (info, impulses, _) = solve(&scene.problem, TOLERANCE);
        assert!(info.is_solved && info.factorisations < 20, "ratio {ratio}: {info:?}");
        let load: f64 = (0..4).map(|k| impulses[3 * k]).sum();
        // Every one of ten gaps may close at the tolerance, and what is on top moves by their sum.
        let bound = 10.0 * TOLERANCE * (ratio + 9.0);
        assert!((load - FALL * (ratio + 9.0)).abs() < bound, "ratio {ratio}: {load}");
    }
}

#[test]
fn islands_on_any_number_of_threads_have_the_same_bits() {
    // Twenty towers beside each other: as many islands.
    let mut scene = Scene::default();
    for k in 0..20_usize {
        let one = tower(3 + k % 4, 0.4);
        let offset = scene.centres.len();
        for (number, centre) in one.centres.iter().enumerate() {
            let lean = 0.01 * (k + number) as f64;
            scene.add_box(1.0, [1.0; 3], *centre, [lean, 0.0, -FALL, 0.0, lean, 0.1]);
        }
        for layer in 0..one.centres.len() {
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
                let below = layer.checked_sub(1).map(|below| offset + below);
                let at = [x, y, layer as f64];
                scene.touch(below, offset + layer, at, [0.0, 0.0, 1.0], 0.4, [0.0; 3]);
            }
        }
    }
    let on = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| solve(&scene.problem, TOLERANCE))
    };
    let (info, impulses, velocities) = on(1);
    assert!(info.is_solved, "{info:?}");
    for threads in [2, 3, 5] {
        let (other, other_impulses, other_velocities) = on(threads);
        assert_eq!(info, other);
        assert!(impulses.iter().map(|x| x.to_bits()).eq(other_impulses.iter().map(|x| x.to_bits())));
        assert!(velocities.iter().map(|x| x.to_bits()).eq(other_velocities.iter().map(|x| x.to_bits())));
    }
}
