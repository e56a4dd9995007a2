//! Forces of a whole step by the Fischer function: exact cases with linear distances, jams, bad input, memory; and the naive method beside.

mod fischer_common;

use fischer_common::Linear;
use nalgebra::{DMatrix, DVector};
use zerogap_contact::solve::{
    BilateralStatus, BilateralWork, EndOfStep, FischerInfo, FischerParams, FischerStatus, FischerWork,
    solve_bilateral, solve_fischer,
};
use zerogap_testkit::allocations::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const G: f64 = 9.81;
const DT: f64 = 0.01;

/// A unit cube of 1 kg above z = 0 with contact points on its bottom: free motion along (z, about x, about y), and rows of the contacts.
struct Cube {
    points: Vec<(f64, f64)>,
    rows: DMatrix<f64>,
    inverse_mass: DMatrix<f64>,
}

impl Cube {
    /// Points on a grid that reaches the edges.
    fn new(nx: usize, ny: usize) -> Self {
        let at = |i: usize, n: usize| i as f64 / (n - 1) as f64 - 0.5;
        let points: Vec<_> = (0..nx).flat_map(|i| (0..ny).map(move |j| (at(i, nx), at(j, ny)))).collect();
        // r x n with n = +z is (y, -x).
        let rows = DMatrix::from_fn(points.len(), 3, |k, c| [1.0, points[k].1, -points[k].0][c]);
        let inverse_mass = DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 6.0, 6.0]));
        Self { points, rows, inverse_mass }
    }

    /// Distances at the end of a step that starts at `gap`, with `velocity` of the centre and an external torque about y.
    fn step(&self, gap: f64, velocity: f64, torque: f64) -> Linear {
        let free = DVector::from_column_slice(&[velocity - G * DT, 0.0, 6.0 * torque * DT]);
        let g = &self.rows * &self.inverse_mass * self.rows.transpose() * (DT * DT);
        let q = &self.rows * free * DT + DVector::from_element(self.points.len(), gap);
        Linear { g, q }
    }

    /// Velocities at the end: (z, about x, about y).
    fn after(&self, velocity: f64, torque: f64, forces: &[f64]) -> DVector<f64> {
        let free = DVector::from_column_slice(&[velocity - G * DT, 0.0, 6.0 * torque * DT]);
        free + &self.inverse_mass * self.rows.transpose() * DVector::from_column_slice(forces) * DT
    }
}

const GRIDS: [(usize, usize); 3] = [(2, 2), (5, 4), (10, 10)];

fn solve(problem: &mut Linear, forces: &mut Vec<f64>) -> FischerInfo {
    let info = solve_fischer(problem, forces, &FischerParams::default(), &mut FischerWork::default());
    assert!(forces.iter().all(|f| f.is_finite() && *f >= 0.0));
    info
}

/// Solves from cold and again from warm, with the counts that are promised.
fn solve_twice(problem: &mut Linear) -> Vec<f64> {
    let mut forces = vec![0.0; problem.contacts()];
    let cold = solve(problem, &mut forces);
    assert_eq!(cold.status, FischerStatus::Solved);
    assert!(cold.solver.residual <= 1e-12 && cold.solver.iterations <= 10 && !cold.fell_back, "{cold:?}");
    let mut again = forces.clone();
    let warm = solve(problem, &mut again);
    assert!(warm.status == FischerStatus::Solved && warm.solver.iterations <= 2, "{warm:?}");
    println!(
        "{} contacts: {} cold, {} warm, residual {:e}",
        forces.len(),
        cold.solver.iterations,
        warm.solver.iterations,
        cold.solver.residual
    );
    forces
}

#[test]
fn a_cube_at_rest_is_carried_equally() {
    for (nx, ny) in GRIDS {
        let cube = Cube::new(nx, ny);
        let mut problem = cube.step(0.0, 0.0, 0.0);
        let forces = solve_twice(&mut problem);
        let share = G / forces.len() as f64;
        for force in &forces {
            assert!((force - share).abs() <= 1e-10 * share, "{force} of {share}");
        }
        let mut distances = vec![0.0; forces.len()];
        problem.distances(&forces, &mut distances);
        assert!(distances.iter().all(|d| d.abs() < 1e-12));
    }
}

#[test]
fn an_impact_ends_in_touch() {
    for (nx, ny) in GRIDS {
        let cube = Cube::new(nx, ny);
        let forces = solve_twice(&mut cube.step(1e-3, -1.0, 0.0));
        let after = cube.after(-1.0, 0.0, &forces);
        assert!((after[0] + 0.1).abs() <= 1e-10, "{after}");
        assert!((forces.iter().sum::<f64>() - 99.81).abs() <= 1e-8);
    }
}

#[test]
fn without_contact_there_is_no_force() {
    for (nx, ny) in GRIDS {
        let mut problem = Cube::new(nx, ny).step(1e-3, 0.0, 0.0);
        let forces = solve_twice(&mut problem);
        assert!(forces.iter().all(|f| *f == 0.0), "{forces:?}");
        let mut distances = vec![0.0; forces.len()];
        problem.distances(&forces, &mut distances);
        assert!(distances.iter().all(|d| (d - 1.9e-5).abs() < 1e-15));
    }
}

#[test]
fn an_off_centre_load_moves_the_centre_of_pressure() {
    for (nx, ny) in GRIDS {
        let cube = Cube::new(nx, ny);
        let forces = solve_twice(&mut cube.step(0.0, 0.0, 0.2 * G));
        let sum: f64 = forces.iter().sum();
        let moment: f64 = forces.iter().zip(&cube.points).map(|(f, p)| f * p.0).sum();
        assert!((sum - G).abs() <= 1e-8, "{sum}");
        assert!((moment / sum - 0.2).abs() <= 1e-9, "{}", moment / sum);
    }
}

#[test]
fn tipping_leaves_the_far_edge_alone_to_carry() {
    for (nx, ny) in GRIDS {
        let cube = Cube::new(nx, ny);
        let forces = solve_twice(&mut cube.step(0.0, 0.0, 0.6 * G));
        let after = cube.after(0.0, 0.6 * G, &forces);
        assert!((forces.iter().sum::<f64>() - 1.12 * G).abs() <= 1e-8);
        assert!((after[2] - 0.24 * G * DT).abs() <= 1e-10, "{after}");
        for (force, point) in forces.iter().zip(&cube.points) {
            assert!(point.0 > 0.49 || *force == 0.0, "{force} at {}", point.0);
        }
    }
}

#[test]
fn stacked_cubes_carry_what_is_above_them() {
    for (nx, ny) in GRIDS {
        let cube = Cube::new(nx, ny);
        let k = cube.points.len();
        // Bodies: lower, upper. Contacts: ground to lower, then lower to upper.
        let mut rows = DMatrix::zeros(2 * k, 6);
        rows.view_mut((0, 0), (k, 3)).copy_from(&cube.rows);
        rows.view_mut((k, 0), (k, 3)).copy_from(&-&cube.rows);
        rows.view_mut((k, 3), (k, 3)).copy_from(&cube.rows);
        let inverse_mass =
            DMatrix::from_diagonal(&DVector::from_column_slice(&[1.0, 6.0, 6.0, 1.0, 6.0, 6.0]));
        let free = DVector::from_column_slice(&[-G * DT, 0.0, 0.0, -G * DT, 0.0, 0.0]);
        let g = &rows * &inverse_mass * rows.transpose() * (DT * DT);
        let q = &rows * free * DT;
        let forces = solve_twice(&mut Linear { g, q });
        let (lower, upper) = forces.split_at(k);
        assert!((lower.iter().sum::<f64>() - 2.0 * G).abs() <= 1e-8);
        assert!((upper.iter().sum::<f64>() - G).abs() <= 1e-8);
        for (low, up) in lower.iter().zip(upper) {
            assert!((low - 2.0 * G / k as f64).abs() <= 1e-8 && (up - G / k as f64).abs() <= 1e-8);
        }
    }
}

#[test]
fn contacts_that_hold_both_ways_glue_a_tipping_cube_to_the_ground() {
    let mut work = BilateralWork::default();
    for (nx, ny) in GRIDS {
        let cube = Cube::new(nx, ny);
        // At rest both methods agree.
        let (mut forces, mut held) = (vec![0.0; nx * ny], vec![true; nx * ny]);
        let params = FischerParams::default();
        let info = solve_bilateral(&mut cube.step(0.0, 0.0, 0.0), &mut forces, &mut held, &params, &mut work);
        assert_eq!((info.status, info.released), (BilateralStatus::Pushing, 0));
        assert!(info.solver.iterations <= 3 && (forces.iter().sum::<f64>() - G).abs() <= 1e-8, "{info:?}");
        // Tipping: the near edge pulls, and the cube does not turn as it must.
        let mut problem = cube.step(0.0, 0.0, 0.6 * G);
        let info = solve_bilateral(&mut problem, &mut forces, &mut held, &params, &mut work);
        assert_eq!(info.status, BilateralStatus::Pulling);
        assert!(forces.iter().any(|f| *f < -1e-3) && info.released >= ny, "{forces:?}");
        assert!(cube.after(0.0, 0.6 * G, &forces)[2].abs() <= 1e-9);
        // Released as the method says, the next step has them free.
        let mut problem = cube.step(0.0, 0.0, 0.6 * G);
        let released: Vec<bool> = held.iter().map(|h| !h).collect();
        let info = solve_bilateral(&mut problem, &mut forces, &mut held, &params, &mut work);
        assert!(info.solver.residual <= 1e-12);
        for (force, released) in forces.iter().zip(released) {
            assert!(!released || *force == 0.0);
        }
        // No contact at all: it pulls a falling cube down onto the ground.
        let (mut forces, mut held) = (vec![0.0; nx * ny], vec![true; nx * ny]);
        let mut problem = cube.step(1e-3, 0.0, 0.0);
        let info = solve_bilateral(&mut problem, &mut forces, &mut held, &params, &mut work);
        assert_eq!((info.status, info.released), (BilateralStatus::Pulling, nx * ny));
    }
    // Contacts that contradict each other cannot all be closed, though one-sided ones are content.
    let mut wedge =
        Linear { g: DMatrix::from_element(2, 2, 1e-4), q: DVector::from_column_slice(&[-1e-3, 1e-3]) };
    let info = solve_bilateral(
        &mut wedge,
        &mut vec![0.0; 2],
        &mut vec![true; 2],
        &FischerParams::default(),
        &mut BilateralWork::default(),
    );
    assert_eq!(info.status, BilateralStatus::Open);
    let mut forces = vec![0.0; 2];
    assert_eq!(solve(&mut wedge, &mut forces).status, FischerStatus::Solved);
    assert!((forces[0] - 10.0).abs() <= 1e-8 && forces[1] == 0.0);
}

#[test]
fn a_body_jammed_between_walls_is_told() {
    // A body 1 mm too wide for its slot, pressed by both walls; and a contact between two parts that nothing moves.
    for push in [0.0, 3e-4] {
        let mut slot = Linear {
            g: DMatrix::from_row_slice(2, 2, &[1e-4, -1e-4, -1e-4, 1e-4]),
            q: DVector::from_column_slice(&[-5e-4 + push, -5e-4 - push]),
        };
        let mut forces = vec![0.0; 2];
        let info = solve(&mut slot, &mut forces);
        println!("{info:?} {forces:?}");
        assert!(matches!(info.status, FischerStatus::Jammed { .. }), "{info:?}");
        assert!(info.solver.residual > 1e-4 && info.solver.residual < 1e-2);
    }
    let mut pinned = Linear {
        g: DMatrix::from_diagonal(&DVector::from_column_slice(&[1e-4, 0.0, 1e-4])),
        q: DVector::from_column_slice(&[-1e-3, -1e-3, 1e-3]),
    };
    let mut forces = vec![0.0; 3];
    let info = solve(&mut pinned, &mut forces);
    assert_eq!(info.status, FischerStatus::Jammed { contact: 1 });
    // The others are solved all the same.
    assert!((forces[0] - 10.0).abs() <= 1e-8 && forces[1] == 0.0 && forces[2] == 0.0, "{forces:?}");
    // Nothing moves at all, and nothing need.
    let mut still = Linear { g: DMatrix::zeros(2, 2), q: DVector::from_column_slice(&[0.0, 1.0]) };
    assert_eq!(solve(&mut still, &mut vec![3.0, 4.0]).status, FischerStatus::Solved);
}

#[test]
fn no_contacts_and_numbers_that_are_none() {
    let mut nothing = Linear { g: DMatrix::zeros(0, 0), q: DVector::zeros(0) };
    assert_eq!(solve(&mut nothing, &mut Vec::new()).status, FischerStatus::Solved);
    let cube = Cube::new(2, 2);
    // A warm start that is no number, or pulls, is no warm start.
    for bad in [f64::NAN, f64::INFINITY, -5.0, 1e300] {
        let mut forces = vec![bad, 1.0, 2.0, bad];
        assert_eq!(solve(&mut cube.step(0.0, 0.0, 0.0), &mut forces).status, FischerStatus::Solved);
        assert!((forces.iter().sum::<f64>() - G).abs() <= 1e-8);
    }
    for bad in [f64::NAN, f64::INFINITY] {
        let mut problem = cube.step(0.0, 0.0, 0.0);
        problem.q[2] = bad;
        let mut forces = vec![1.0; 4];
        assert_eq!(solve(&mut problem, &mut forces).status, FischerStatus::Refused);
        assert!(forces.iter().all(|f| f.abs() <= 0.0));
        let mut problem = cube.step(0.0, 0.0, 0.0);
        problem.g[(1, 2)] = bad;
        assert_eq!(solve(&mut problem, &mut forces).status, FischerStatus::Refused);
        let (mut held, mut work) = (vec![true; 4], BilateralWork::default());
        let info =
            solve_bilateral(&mut problem, &mut forces, &mut held, &FischerParams::default(), &mut work);
        assert_eq!(info.status, BilateralStatus::Refused);
    }
    for params in [
        FischerParams { length: 0.0, ..FischerParams::default() },
        FischerParams { length: f64::NAN, ..FischerParams::default() },
        FischerParams { tolerance: f64::NAN, ..FischerParams::default() },
        FischerParams { scale: Some(-1.0), ..FischerParams::default() },
    ] {
        let mut problem = cube.step(0.0, 0.0, 0.0);
        let info = solve_fischer(&mut problem, &mut vec![0.0; 4], &params, &mut FischerWork::default());
        assert_eq!(info.status, FischerStatus::Refused);
        assert!(info.solver.residual.is_infinite());
    }
    // A tolerance below rounding is not reached, and that is said.
    let mut problem = cube.step(0.0, 0.0, 0.17 * G);
    let params = FischerParams { tolerance: 0.0, ..FischerParams::default() };
    let mut forces = vec![0.0; 4];
    let info = solve_fischer(&mut problem, &mut forces, &params, &mut FischerWork::default());
    assert!(info.status == FischerStatus::Limit || info.solver.residual == 0.0, "{info:?}");
    assert!((forces.iter().sum::<f64>() - G).abs() <= 1e-9);
}

#[test]
fn forces_of_another_length_are_made_to_fit() {
    let problem = &mut Cube::new(2, 2).step(0.0, 0.0, 0.0);
    let (mut exact, mut short, mut long) = (vec![0.0; 4], Vec::new(), vec![0.0; 9]);
    for forces in [&mut exact, &mut short, &mut long] {
        assert_eq!(solve(problem, forces).status, FischerStatus::Solved);
    }
    assert!(short == exact && long == exact);
    let (mut forces, mut held) = (Vec::new(), vec![true]);
    let info = solve_bilateral(
        problem,
        &mut forces,
        &mut held,
        &FischerParams::default(),
        &mut BilateralWork::default(),
    );
    assert_eq!((info.status, forces.len(), held), (BilateralStatus::Pushing, 4, vec![true; 4]));
}

#[test]
fn nothing_is_allocated_once_the_memory_fits() {
    let mut work = FischerWork::default();
    let mut naive = BilateralWork::default();
    let cube = Cube::new(5, 4);
    let small = Cube::new(2, 2);
    let params = FischerParams::default();
    let mut problems =
        [cube.step(0.0, 0.0, 0.6 * G), cube.step(1e-3, -1.0, 0.0), small.step(0.0, 0.0, 0.2 * G)];
    let (mut forces, mut held) = (vec![0.0; 20], vec![true; 20]);
    for round in 0..3 {
        let before = allocations();
        for problem in &mut problems {
            forces.fill(0.0);
            held.clear();
            let info = solve_fischer(problem, &mut forces, &params, &mut work);
            assert_eq!(info.status, FischerStatus::Solved);
            solve_bilateral(problem, &mut forces, &mut held, &params, &mut naive);
        }
        assert!(round == 0 || allocations() == before, "{}", allocations() - before);
    }
}
