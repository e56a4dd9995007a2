//! Time to solve the contacts of one step: Gauss-Seidel, Newton and the combination of both, on towers, arches and piles.
//!
//! `cargo run --release -p zerogap-contact --example step_solvers`

#[path = "../tests/cone_common/mod.rs"]
mod cone_common;

use cone_common::{Scene, arch, pile, tower};
use std::time::Instant;
use zerogap_contact::cone::{Delassus, GaussSeidel, PrimalNewton};

/// Residual asked for [m/s].
const TOLERANCE: f64 = 1e-12;

fn main() {
    println!(
        "{:<34} {:>7} {:>7} {:>22} {:>34}",
        "scene", "groups", "blocks", "sweeps ms residual", "newton steps factors ms residual"
    );
    report("tower of 20", &tower(20, 0.5));
    report("tower of 100", &tower(100, 0.5));
    report("arch of 15", &arch(15, 0.7));
    report("arch of 15, falls", &arch(15, 0.2));
    for speed in [0.0, 0.01, 1.0] {
        report(&format!("pile of 125, speed {speed}"), &pile(5, 5, 0.5, speed, 1));
    }
    report("pile of 125, mu 0", &pile(5, 5, 0.0, 0.1, 1));
    report("pile of 125, mu 1.5", &pile(5, 5, 1.5, 0.1, 1));
    for speed in [0.0, 0.1] {
        report(&format!("pile of 1000, speed {speed}"), &pile(10, 10, 0.5, speed, 1));
    }
}

fn report(name: &str, scene: &Scene) {
    if !std::env::args().nth(1).is_none_or(|only| name.contains(&only)) {
        return;
    }
    let problem = &scene.problem;
    let mut state = vec![0.0; problem.state_len()];
    let mut r = vec![0.0; problem.rows()];
    let mut sweeps = GaussSeidel::default();
    let begin = Instant::now();
    let swept = sweeps.solve(problem, &mut r, &mut state, TOLERANCE, 300);
    let swept_time = begin.elapsed().as_secs_f64() * 1e3;
    let mut newton = PrimalNewton::default();
    let mut time = f64::INFINITY;
    let mut info = None;
    for _ in 0..3 {
        r.fill(0.0);
        let pre: usize = std::env::var("PRE").ok().and_then(|x| x.parse().ok()).unwrap_or(0);
        sweeps.solve(problem, &mut r, &mut state, TOLERANCE, pre);
        let begin = Instant::now();
        info = Some(newton.solve(problem, &mut r, &mut state, TOLERANCE, 200));
        time = time.min(begin.elapsed().as_secs_f64() * 1e3);
    }
    let Some(info) = info else { return };
    println!(
        "{name:<34} {:>7} {:>7} {:>5} {swept_time:>8.3} {:>8.1e} {:>8} {:>8} {time:>8.3} {:>8.1e}",
        problem.groups().len(),
        problem.blocks().len(),
        swept.sweeps,
        swept.residual,
        info.steps,
        info.factors,
        info.residual,
    );
}
