//! Time to solve the contacts of one step: Gauss-Seidel, Newton and the combination of both, on towers, arches and piles.
//!
//! `cargo run --release -p zerogap-contact --example step_solvers [PART OF A NAME]`. Cold starts from no impulses; warm from those of the same scene whose velocities differ by 1e-4 m/s at random.

#[path = "../tests/cone_common/mod.rs"]
mod cone_common;

use cone_common::{Scene, arch, cards, pile, tower};
use std::time::Instant;
use zerogap_contact::cone::{BodyProblem, Delassus, GaussSeidel, StepSolver};
use zerogap_core::random::Random;

/// Residual asked for [m/s].
const TOLERANCE: f64 = 1e-12;
/// Sweeps at most.
const SWEEPS: usize = 300;
/// Newton's steps at most.
/// Times that each solve is measured; the quickest counts.
const TIMES: usize = 3;

fn main() {
    println!(
        "{:<24} {:>6} {:>6}  {:^26}  {:^26}  {:^31}",
        "", "groups", "blocks", "gauss-seidel", "newton", "combination"
    );
    println!(
        "{:<24} {:>6} {:>6}  {:>7}{:>9}{:>9}  {:>7}{:>9}{:>9}  {:>6}{:>6}{:>9}{:>9}",
        "", "", "", "sweeps", "ms", "m/s", "steps", "ms", "m/s", "sweeps", "steps", "ms", "m/s"
    );
    report("tower of 20", tower(20, 0.5));
    report("tower of 100", tower(100, 0.5));
    report("arch of 15", arch(15, 0.7));
    report("arch of 15, falls", arch(15, 0.2));
    report("cards", cards(0.6));
    for speed in [0.0, 0.001, 0.01, 1.0] {
        report(&format!("pile of 125, speed {speed}"), pile(5, 5, 0.5, speed, 1));
    }
    report("pile of 125, mu 0", pile(5, 5, 0.0, 0.1, 1));
    report("pile of 125, mu 1.5", pile(5, 5, 1.5, 0.1, 1));
    report("pile of 1000, speed 0", pile(10, 10, 0.5, 0.0, 1));
}

fn report(name: &str, mut scene: Scene) {
    if !std::env::args().nth(1).is_none_or(|only| name.contains(&only)) {
        return;
    }
    let problem = &mut scene.problem;
    let mut start = vec![0.0; problem.rows()];
    print_row(&format!("{name}, cold"), problem, &start);
    // The answer becomes the start of a step in which velocities differ a little.
    let mut state = vec![0.0; problem.state_len()];
    StepSolver::default().solve(problem, &mut start, &mut state, (TOLERANCE, TOLERANCE));
    let mut random = Random::new(5);
    let free: Vec<f64> = problem.free().iter().map(|v| v + random.range(-1e-4, 1e-4)).collect();
    problem.set_free(&free);
    print_row(&format!("{name}, warm"), problem, &start);
}

fn print_row(name: &str, problem: &BodyProblem, start: &[f64]) {
    let mut sweeps = GaussSeidel::default();
    let (swept, time) = timed(problem, start, |r, v| sweeps.solve(problem, r, v, TOLERANCE, SWEEPS));
    print!(
        "{name:<24} {:>6} {:>6}  {:>7}{time:>9.3}{:>9.1e}",
        problem.groups().len(),
        problem.blocks().len(),
        swept.sweeps,
        swept.residual
    );
    let mut both = StepSolver::default();
    let (info, time) = timed(problem, start, |r, v| both.solve(problem, r, v, (TOLERANCE, TOLERANCE)));
    println!("  {:>6}{:>6}{time:>9.3}{:>9.1e}", info.sweeps, info.iterations, info.residual);
}

/// The quickest of a few times, in milliseconds.
fn timed<T>(
    problem: &BodyProblem,
    start: &[f64],
    mut solve: impl FnMut(&mut Vec<f64>, &mut Vec<f64>) -> T,
) -> (T, f64) {
    let mut state = vec![0.0; problem.state_len()];
    let mut once = || {
        let mut r = start.to_vec();
        let begin = Instant::now();
        let info = solve(&mut r, &mut state);
        (info, begin.elapsed().as_secs_f64() * 1e3)
    };
    let mut best = once();
    for _ in 1..TIMES {
        let next = once();
        if next.1 < best.1 {
            best = next;
        }
    }
    best
}
