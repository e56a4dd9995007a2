//! The problems of the friction library that solvers of contact with friction are compared by, where their files lie beside the repository.

use std::path::Path;
use std::time::Instant;
use zerogap_contact::cone::{
    CoulombParams, CoulombStatus, MatrixProblem, read_problem, solve_coulomb, write_problem,
};
use zerogap_core::math::hypot;

/// Residual by its definition, written out once more: dense, with nothing of the solver but its answer.
fn residual(problem: &MatrixProblem, r: &[f64]) -> f64 {
    let n = r.len();
    let mut u = problem.q().to_vec();
    for (row, column, value) in problem.entries() {
        u[row] += value * r[column];
    }
    let mut sum = 0.0;
    for (contact, mu) in problem.friction().enumerate() {
        let k = 3 * contact;
        let slip = hypot(u[k + 1], u[k + 2]);
        let x = [r[k] - u[k] - mu * slip, r[k + 1] - u[k + 1], r[k + 2] - u[k + 2]];
        let length = hypot(x[1], x[2]);
        // The point of the cone nearest to x.
        let p = if length <= mu * x[0] {
            x
        } else if mu * length <= -x[0] {
            [0.0; 3]
        } else {
            let height = (x[0] + mu * length) / (1.0 + mu * mu);
            [height, mu * height * x[1] / length, mu * height * x[2] / length]
        };
        sum += (0..3).map(|i| (r[k + i] - p[i]) * (r[k + i] - p[i])).sum::<f64>();
    }
    assert_eq!(n, 3 * problem.contacts());
    sum.sqrt() / problem.q().iter().map(|v| v * v).sum::<f64>().sqrt().max(1.0)
}

#[test]
fn every_problem_of_the_library_is_solved_with_one_setting() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/friction");
    let Ok(files) = std::fs::read_dir(&folder) else {
        println!("skipped: no friction problems at {}", folder.display());
        return;
    };
    let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "txt"));
    paths.sort();
    assert!(paths.len() >= 11, "{} problems", paths.len());
    println!(
        "{:<24}{:>9}{:>11}{:>8}{:>8}{:>10}",
        "problem", "contacts", "residual", "sweeps", "newton", "ms"
    );
    for path in paths {
        let problem = read_problem(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let begin = Instant::now();
        let solution = solve_coulomb(&problem, None, &CoulombParams::default());
        let time = begin.elapsed().as_secs_f64();
        let found = residual(&problem, &solution.impulses);
        println!(
            "{:<24}{:>9}{:>11.1e}{:>8}{:>8}{:>10.3}",
            path.file_stem().unwrap().to_string_lossy(),
            problem.contacts(),
            found,
            solution.solver.sweeps,
            solution.solver.iterations,
            1e3 * time,
        );
        assert_eq!(solution.status, CoulombStatus::Solved, "{}", path.display());
        assert!(
            found <= 1e-8 && solution.solver.residual <= 1e-8 && solution.relative <= 1e-8,
            "{}",
            path.display()
        );
        assert!((found - solution.solver.residual).abs() <= 1e-12, "{found} {}", solution.solver.residual);
        // Text keeps every bit.
        assert_eq!(read_problem(&write_problem(&problem)).as_ref(), Ok(&problem));
        // From its own answer nothing is left to do.
        let again = solve_coulomb(&problem, Some(&solution.impulses), &CoulombParams::default());
        assert_eq!((again.solver.sweeps, again.solver.iterations), (0, 0));
    }
}
