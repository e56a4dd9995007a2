//! A stack of balls that is pushed from the side: its contacts as a friction problem, solved.
//!
//! Run it with `cargo run --release --example friction`; it writes the problem as text for `zerogap solve` where a file is named.

use std::error::Error;
use zerogap::contact::cone::{
    ContactKind, CoulombParams, CoulombStatus, MatrixProblem, solve_coulomb, write_problem,
};

/// Balls on top of each other.
const BALLS: usize = 10;
/// Mass of a ball [kg].
const MASS: f64 = 1.0;
/// What weight adds to the velocity in a time step of 1 ms [m/s].
const FALL: f64 = -9.81e-3;
/// Sideways velocity of the lowest ball [m/s].
const PUSH: f64 = 0.5;

fn main() -> Result<(), Box<dyn Error>> {
    // Contact k lies under ball k, rows n = z, t1 = x, t2 = y. A ball of radius R and inertia 2/5 m R^2 answers a force at its rim with 7/2 of 1/m along it; between its lowest and its highest
    // point forces along x pass on -1/m by the centre and +5/2 of 1/m by turning.
    let mut entries = Vec::new();
    let mut q = vec![0.0; 3 * BALLS];
    for k in 0..BALLS {
        // The ball above, and the one below where that is not the ground.
        let sides = if k == 0 { 1.0 } else { 2.0 };
        entries.push((3 * k, 3 * k, sides / MASS));
        for t in 1..3 {
            entries.push((3 * k + t, 3 * k + t, 3.5 * sides / MASS));
        }
        if k + 1 < BALLS {
            for (row, passed) in [(0, -1.0), (1, 1.5), (2, 1.5)] {
                entries.push((3 * k + row, 3 * k + 3 + row, passed / MASS));
                entries.push((3 * k + 3 + row, 3 * k + row, passed / MASS));
            }
        }
    }
    // All fall alike, so only the lowest contact closes; the push is felt at both ends of the lowest ball.
    q[0] = FALL;
    q[1] = PUSH;
    q[4] = -PUSH;
    let problem = MatrixProblem::new(entries, q, &[0.3; BALLS])?;
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, write_problem(&problem))?;
    }

    let solution = solve_coulomb(&problem, None, &CoulombParams::default());
    println!(
        "{:?}: residual {:.1e}, {} sweeps, {} Newton iterations",
        solution.status, solution.solver.residual, solution.solver.sweeps, solution.solver.iterations
    );
    for (k, kind) in solution.kinds(&problem).into_iter().enumerate() {
        let [n, t1] = [solution.impulses[3 * k], solution.impulses[3 * k + 1]];
        println!("under ball {k}: {kind:?}, pushes {n:.5} N s, rubs {t1:.5} N s");
    }
    // The ground carries the weight of all balls, and rubs as much as it can.
    assert_eq!(solution.status, CoulombStatus::Solved);
    assert!((solution.impulses[0] + MASS * FALL * BALLS as f64).abs() < 1e-6);
    assert_eq!(solution.kinds(&problem)[0], ContactKind::Slides);
    Ok(())
}
