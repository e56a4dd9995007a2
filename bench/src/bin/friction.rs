//! Friction problems of the Siconos test data, solved with one setting, beside what Siconos needs.
//!
//! `cargo run --release --bin friction -- FOLDER`: the folder holds the problems as text; without one it is searched for beside the repository.

use std::error::Error;
use std::path::PathBuf;

use zerogap::contact::cone::{CoulombParams, CoulombStatus, read_problem, solve_coulomb};
use zerogap_bench::{Clock, Table, summarize};

/// Runs of each problem, of which the median counts.
const RUNS: usize = 21;

/// Siconos 4.4 at 1e-8 on two cores: NSGS, NSN-AC, ADMM [ms]; x: did not converge; empty: not measured.
const SICONOS: [(&str, [&str; 3]); 11] = [
    ("Confeti-ex13", ["2.2", "11.6", "x"]),
    ("Confeti-ex03", ["1.4", "4.5", "x"]),
    ("Confeti-ex13-4contact", ["0.1", "2.2", "x"]),
    ("Capsules-i101-404", ["1698", "82", "198"]),
    ("Capsules-i122-1617", ["1849", "447", "2374"]),
    ("BoxesStack1-i100000-32", ["x", "954", "88"]),
    ("OneObject-i100000-499", ["x", "3.5", "52"]),
    ("NESpheres_10_1", ["0.6", "0.4", "0.3"]),
    ("NESpheres_30_1", ["0.1", "0.4", "4.0"]),
    ("Rover4396", ["0.1", "0.2", "0.2"]),
    ("Rover1039", ["", "", ""]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data/friction");
    let folder = std::env::args().nth(1).map_or(PathBuf::from(beside), PathBuf::from);
    let mut table = Table::new(&[
        "problem",
        "contacts",
        "residual",
        "relative",
        "sweeps",
        "newton",
        "ms",
        "spread",
        "siconos_nsgs_ms",
        "siconos_nsn_ms",
        "siconos_admm_ms",
    ]);
    let mut missed = 0;
    for (name, peers) in SICONOS {
        let path = folder.join(name).with_extension("txt");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let problem = read_problem(&text)?;
        let params = CoulombParams::default();
        let solution = solve_coulomb(&problem, None, &params);
        let mut times = Vec::with_capacity(RUNS);
        for _ in 0..RUNS {
            let clock = Clock::start();
            let again = solve_coulomb(&problem, None, &params);
            times.push(clock.elapsed());
            assert_eq!(again, solution, "{name}: the same bits every time");
        }
        let timing = summarize(times);
        missed += usize::from(solution.status != CoulombStatus::Solved);
        let mut row = vec![
            name.to_owned(),
            problem.contacts().to_string(),
            format!("{:.1e}", solution.solver.residual),
            format!("{:.1e}", solution.relative),
            solution.solver.sweeps.to_string(),
            solution.solver.iterations.to_string(),
            format!("{:.3}", 1e3 * timing.median),
            format!("{:.3}", timing.spread),
        ];
        row.extend(peers.map(str::to_owned));
        table.push(row);
    }
    table.save("friction")?;
    if missed > 0 {
        return Err(format!("{missed} problems missed the tolerance").into());
    }
    Ok(())
}
