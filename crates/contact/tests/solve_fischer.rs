//! Forces of a whole step by the Fischer function: exact cases with linear distances, redundant contacts, jams, and Lemke's method as the
//! oracle.

use nalgebra::{DMatrix, DVector};
use zerogap_contact::solve::{
    BilateralStatus, BilateralWork, EndOfStep, FischerInfo, FischerParams, FischerStatus, FischerWork,
    LcpStatus, lemke, solve_bilateral, solve_fischer,
};
use zerogap_testkit::allocations::{Counting, allocations};
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const G: f64 = 9.81;
const DT: f64 = 0.01;

/// Distances `q + g f`.
#[derive(Clone)]
struct Linear {
    g: DMatrix<f64>,
    q: DVector<f64>,
}

impl EndOfStep for Linear {
    fn contacts(&self) -> usize {
        self.q.len()
    }

    fn distances(&mut self, forces: &[f64], out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.q[i] + (0..forces.len()).map(|j| self.g[(i, j)] * forces[j]).sum::<f64>();
        }
    }

    fn derivative(&mut self, _: &[f64], out: &mut [f64]) {
        let n = self.q.len();
        for (at, out) in out.iter_mut().enumerate() {
            *out = self.g[(at / n, at % n)];
        }
    }
}

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

fn solve(problem: &mut Linear, forces: &mut [f64]) -> FischerInfo {
    let info = solve_fischer(problem, forces, &FischerParams::default(), &mut FischerWork::default());
    assert!(forces.iter().all(|f| f.is_finite() && *f >= 0.0));
    info
}

/// Solves from cold and again from warm, with the counts that are promised.
fn solve_twice(problem: &mut Linear) -> Vec<f64> {
    let mut forces = vec![0.0; problem.contacts()];
    let cold = solve(problem, &mut forces);
    assert_eq!(cold.status, FischerStatus::Solved);
    assert!(cold.residual <= 1e-12 && cold.steps <= 10 && !cold.fell_back, "{cold:?}");
    let mut again = forces.clone();
    let warm = solve(problem, &mut again);
    assert!(warm.status == FischerStatus::Solved && warm.steps <= 2, "{warm:?}");
    println!(
        "{} contacts: {} cold, {} warm, residual {:e}",
        forces.len(),
        cold.steps,
        warm.steps,
        cold.residual
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
        assert!(info.steps <= 3 && (forces.iter().sum::<f64>() - G).abs() <= 1e-8, "{info:?}");
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
        assert!(info.residual <= 1e-12);
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
        &mut [0.0; 2],
        &mut [true; 2],
        &FischerParams::default(),
        &mut BilateralWork::default(),
    );
    assert_eq!(info.status, BilateralStatus::Open);
    let mut forces = [0.0; 2];
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
        let mut forces = [0.0; 2];
        let info = solve(&mut slot, &mut forces);
        println!("{info:?} {forces:?}");
        assert!(matches!(info.status, FischerStatus::Jammed { .. }), "{info:?}");
        assert!(info.residual > 1e-4 && info.residual < 1e-2);
    }
    let mut pinned = Linear {
        g: DMatrix::from_diagonal(&DVector::from_column_slice(&[1e-4, 0.0, 1e-4])),
        q: DVector::from_column_slice(&[-1e-3, -1e-3, 1e-3]),
    };
    let mut forces = [0.0; 3];
    let info = solve(&mut pinned, &mut forces);
    assert_eq!(info.status, FischerStatus::Jammed { contact: 1 });
    // The others are solved all the same.
    assert!((forces[0] - 10.0).abs() <= 1e-8 && forces[1] == 0.0 && forces[2] == 0.0, "{forces:?}");
    // Nothing moves at all, and nothing need.
    let mut still = Linear { g: DMatrix::zeros(2, 2), q: DVector::from_column_slice(&[0.0, 1.0]) };
    assert_eq!(solve(&mut still, &mut [3.0, 4.0]).status, FischerStatus::Solved);
}

#[test]
fn no_contacts_and_numbers_that_are_none() {
    let mut nothing = Linear { g: DMatrix::zeros(0, 0), q: DVector::zeros(0) };
    assert_eq!(solve(&mut nothing, &mut []).status, FischerStatus::Solved);
    let cube = Cube::new(2, 2);
    // A warm start that is no number, or pulls, is no warm start.
    for bad in [f64::NAN, f64::INFINITY, -5.0, 1e300] {
        let mut forces = [bad, 1.0, 2.0, bad];
        assert_eq!(solve(&mut cube.step(0.0, 0.0, 0.0), &mut forces).status, FischerStatus::Solved);
        assert!((forces.iter().sum::<f64>() - G).abs() <= 1e-8);
    }
    for bad in [f64::NAN, f64::INFINITY] {
        let mut problem = cube.step(0.0, 0.0, 0.0);
        problem.q[2] = bad;
        let mut forces = [1.0; 4];
        assert_eq!(solve(&mut problem, &mut forces).status, FischerStatus::Refused);
        assert!(forces.iter().all(|f| f.abs() <= 0.0));
        let mut problem = cube.step(0.0, 0.0, 0.0);
        problem.g[(1, 2)] = bad;
        assert_eq!(solve(&mut problem, &mut forces).status, FischerStatus::Refused);
        let (mut held, mut work) = ([true; 4], BilateralWork::default());
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
        let info = solve_fischer(&mut problem, &mut [0.0; 4], &params, &mut FischerWork::default());
        assert_eq!(info.status, FischerStatus::Refused);
        assert!(info.residual.is_infinite());
    }
    // A tolerance below rounding is not reached, and that is said.
    let mut problem = cube.step(0.0, 0.0, 0.17 * G);
    let params = FischerParams { tolerance: 0.0, ..FischerParams::default() };
    let mut forces = [0.0; 4];
    let info = solve_fischer(&mut problem, &mut forces, &params, &mut FischerWork::default());
    assert!(info.status == FischerStatus::Limit || info.residual == 0.0, "{info:?}");
    assert!((forces.iter().sum::<f64>() - G).abs() <= 1e-9);
}

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
        assert!(info.residual <= 1e-12);
        steps += info.steps;
        most = most.max(info.steps);
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

#[test]
fn nothing_is_allocated_once_the_memory_fits() {
    let mut work = FischerWork::default();
    let mut naive = BilateralWork::default();
    let cube = Cube::new(5, 4);
    let small = Cube::new(2, 2);
    let params = FischerParams::default();
    let mut problems =
        [cube.step(0.0, 0.0, 0.6 * G), cube.step(1e-3, -1.0, 0.0), small.step(0.0, 0.0, 0.2 * G)];
    let mut forces = [0.0; 20];
    for round in 0..3 {
        let before = allocations();
        for problem in &mut problems {
            let n = problem.contacts();
            forces.fill(0.0);
            let info = solve_fischer(problem, &mut forces[..n], &params, &mut work);
            assert_eq!(info.status, FischerStatus::Solved);
            solve_bilateral(problem, &mut forces[..n], &mut [true; 20][..n], &params, &mut naive);
        }
        assert!(round == 0 || allocations() == before, "{}", allocations() - before);
    }
}
