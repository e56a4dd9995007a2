//! Contact solvers over a library of problems: what they solve, what it takes, and how good it is by a checker of its own.
//!
//! `cargo run --release --bin solvers -- FOLDER...`: folders of problems in the format of `contact::cone::body_text`, made by the program `problems` or by `python/convert_problems.py`; without one `library/`. The
//! scene of a problem is its file name up to the first `_`.
//!
//! Options: `--solvers step,primal,gauss-seidel`, `--tolerances 1e-4,1e-6,1e-9` [m/s], `--starts warm,cold`, `--scene NAME`, `--limit N` problems of a scene, `--sliding` only problems in which a loaded contact
//! slides, `--islands` solves islands apart and counts the work of the one that needs most, `--name NAME` of the result files.
//!
//! Writes `results/<machine>/<name>.csv`, one row for each scene, solver, start and tolerance, and `<name>-unsolved.csv` with every solve that the checker does not accept. A solve counts as solved where the natural
//! map is within the tolerance and each condition by itself within ten times of it; `claimed_%` is what the solver says of itself. Times are of the processor, one thread.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use zerogap::contact::SolverInfo;
use zerogap::contact::cone::{
    BEYOND, BodyProblem, CapturedProblem, Delassus, GaussSeidel, StepSolver, read_body_problem,
};
use zerogap_bench::checker::{Misses, check};
use zerogap_bench::islands::islands;
use zerogap_bench::options::Options;
use zerogap_bench::{Clock, Table};

/// Conditions one by one may exceed the natural map by this factor: the two measure differently [-].
const CONDITIONS: f64 = 10.0;
/// What rounding adds to a residual at its tolerance [-].
const ROUNDING: f64 = 1e-6;
/// A contact slides above this speed [m/s].
const SLIDE: f64 = 1e-3;
/// What settled time stepping takes as it is, against the tolerance [-].
const TAKEN: f64 = 10.0 * BEYOND;
/// Sweeps of Gauss-Seidel at most.
const MAX_SWEEPS: usize = 500;
/// Solved with by default, to find what slides.
const REFERENCE: f64 = 1e-6;

/// A contact solver, whatever it is.
trait Solver {
    /// Improves impulses to a tolerance [m/s].
    fn solve(&mut self, problem: &BodyProblem, impulses: &mut Vec<f64>, tolerance: f64) -> SolverInfo;
}

/// Those that there are.
const SOLVERS: [&str; 2] = ["step", "gauss-seidel"];

fn make(name: &str) -> Option<Box<dyn Solver>> {
    Some(match name {
        "step" => Box::new(Step::default()),
        "gauss-seidel" => Box::new(Sweeps::default()),
        _ => return None,
    })
}

/// The default of time stepping.
#[derive(Default)]
struct Step {
    solver: StepSolver,
    state: Vec<f64>,
}

impl Solver for Step {
    fn solve(&mut self, problem: &BodyProblem, impulses: &mut Vec<f64>, tolerance: f64) -> SolverInfo {
        let within = (TAKEN * tolerance, tolerance);
        self.solver.solve(problem, impulses, &mut self.state, within)
    }
}

#[derive(Default)]
struct Sweeps {
    solver: GaussSeidel,
    state: Vec<f64>,
}

impl Solver for Sweeps {
    fn solve(&mut self, problem: &BodyProblem, impulses: &mut Vec<f64>, tolerance: f64) -> SolverInfo {
        self.solver.solve(problem, impulses, &mut self.state, tolerance, MAX_SWEEPS)
    }
}

/// What a solve did.
struct Outcome {
    is_solved: bool,
    is_claimed: bool,
    factorisations: f64,
    sweeps: f64,
    /// [ms]
    time: f64,
    misses: Misses,
}

fn main() -> Result<(), Box<dyn Error>> {
    let known = ["solvers", "tolerances", "starts", "scene", "limit", "sliding!", "islands!", "name"];
    let options = Options::read(&known)?;
    let folders = if options.words.is_empty() {
        vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/library"))]
    } else {
        options.words.iter().map(PathBuf::from).collect()
    };
    let scenes = find(&folders, &options)?;
    let names = options.list("solvers", &SOLVERS.map(str::to_owned))?;
    let starts = options.list("starts", &["warm".to_owned(), "cold".to_owned()])?;
    let tolerances = options.list("tolerances", &[1e-4, 1e-6, 1e-9])?;
    let name = options.text("name").unwrap_or("solvers");
    let mut table = Table::new(&[
        "scene",
        "solver",
        "start",
        "tolerance",
        "problems",
        "sliding",
        "contacts",
        "solved_%",
        "claimed_%",
        "fact_50",
        "fact_95",
        "fact_99.9",
        "fact_max",
        "sweeps_50",
        "sweeps_95",
        "sweeps_max",
        "ms_50",
        "ms_95",
        "ms_max",
        "natural_max",
        "velocity_max",
        "cone_max",
        "compl_max",
    ]);
    let mut unsolved = Table::new(&[
        "problem",
        "solver",
        "start",
        "tolerance",
        "claimed",
        "factorisations",
        "natural",
        "conditions",
    ]);
    for (scene, files) in &scenes {
        let problems = load(files, &options)?;
        if problems.is_empty() {
            continue;
        }
        let contacts: Vec<f64> =
            problems.iter().map(|problem| problem.captured.problem.blocks().len() as f64).collect();
        let sliding = problems.iter().filter(|problem| problem.slides).count();
        for solver in &names {
            for start in &starts {
                for tolerance in &tolerances {
                    let mut own = make(solver)
                        .ok_or_else(|| format!("no solver {solver}; there are {}", SOLVERS.join(", ")))?;
                    let mut outcomes = Vec::with_capacity(problems.len());
                    for problem in &problems {
                        let outcome = measure(own.as_mut(), problem, start == "cold", *tolerance);
                        if !outcome.is_solved {
                            unsolved.add(vec![
                                problem.name.clone(),
                                solver.clone(),
                                start.clone(),
                                format!("{tolerance:.0e}"),
                                outcome.is_claimed.to_string(),
                                outcome.factorisations.to_string(),
                                format!("{:.1e}", outcome.misses.natural),
                                format!("{:.1e}", outcome.misses.conditions()),
                            ]);
                        }
                        outcomes.push(outcome);
                    }
                    let mut row = vec![
                        scene.clone(),
                        solver.clone(),
                        start.clone(),
                        format!("{tolerance:.0e}"),
                        problems.len().to_string(),
                        sliding.to_string(),
                        format!("{:.0}", part(&contacts, 0.5)),
                    ];
                    row.extend(describe(&outcomes));
                    table.push(row);
                }
            }
        }
    }
    table.save(name)?;
    unsolved.save(&format!("{name}-unsolved"))?;
    Ok(())
}

/// The files of each scene, in the order of their names.
fn find(folders: &[PathBuf], options: &Options) -> Result<BTreeMap<String, Vec<PathBuf>>, Box<dyn Error>> {
    let mut scenes = BTreeMap::<String, Vec<PathBuf>>::new();
    let mut left = folders.to_vec();
    while let Some(folder) = left.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| {
            format!("{}: {error}; make problems with `cargo run --release --bin problems`", folder.display())
        })?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|extension| extension == "txt") {
                let stem = stem(&path);
                let scene = stem.split('_').next().unwrap_or_default().to_owned();
                scenes.entry(scene).or_default().push(path);
            }
        }
    }
    if let Some(wanted) = options.text("scene") {
        scenes.retain(|scene, _| wanted.split(',').any(|wanted| wanted == scene));
    }
    let limit = options.value("limit", usize::MAX)?;
    for files in scenes.values_mut() {
        files.sort();
        // Spread over all of them.
        let every = files.len().div_ceil(limit.max(1));
        let mut number = 0;
        files.retain(|_| {
            number += 1;
            (number - 1) % every == 0
        });
    }
    Ok(scenes)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A problem, whole or by islands.
struct Loaded {
    name: String,
    captured: CapturedProblem,
    /// Islands apart, with the rows that each has of the whole; empty where it is solved as a whole.
    islands: Vec<(CapturedProblem, Vec<usize>)>,
    slides: bool,
}

fn load(files: &[PathBuf], options: &Options) -> Result<Vec<Loaded>, Box<dyn Error>> {
    let mut problems = Vec::with_capacity(files.len());
    let mut reference = Step::default();
    for path in files {
        let text = std::fs::read_to_string(path)?;
        let captured = read_body_problem(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut impulses = captured.impulses.clone();
        reference.solve(&captured.problem, &mut impulses, REFERENCE);
        let slides = check(&captured.problem, &impulses, SLIDE).sliding > 0;
        if options.has("sliding") && !slides {
            continue;
        }
        let islands = if options.has("islands") { islands(&captured) } else { Vec::new() };
        problems.push(Loaded { name: stem(path), captured, islands, slides });
    }
    Ok(problems)
}

/// Solves a problem and checks the answer.
fn measure(solver: &mut dyn Solver, loaded: &Loaded, is_cold: bool, tolerance: f64) -> Outcome {
    let start = |captured: &CapturedProblem| {
        if is_cold { vec![0.0; captured.problem.rows()] } else { captured.impulses.clone() }
    };
    let mut impulses = start(&loaded.captured);
    let mut outcome = Outcome {
        is_solved: false,
        is_claimed: true,
        factorisations: 0.0,
        sweeps: 0.0,
        time: 0.0,
        misses: Misses::default(),
    };
    let mut solve = |problem: &BodyProblem, impulses: &mut Vec<f64>| {
        let clock = Clock::start();
        let info = solver.solve(problem, impulses, tolerance);
        outcome.time += 1e3 * clock.elapsed();
        outcome.is_claimed &= info.is_solved;
        outcome.factorisations = outcome.factorisations.max(info.equivalent_factorisations);
        outcome.sweeps = outcome.sweeps.max(info.sweeps as f64);
    };
    if loaded.islands.is_empty() {
        solve(&loaded.captured.problem, &mut impulses);
    }
    for (island, rows) in &loaded.islands {
        let mut own = start(island);
        solve(&island.problem, &mut own);
        for (row, own) in rows.iter().zip(own) {
            impulses[*row] = own;
        }
    }
    outcome.misses = check(&loaded.captured.problem, &impulses, SLIDE).worst;
    let within = (1.0 + ROUNDING) * tolerance;
    outcome.is_solved =
        outcome.misses.natural <= within && outcome.misses.conditions() <= CONDITIONS * within;
    outcome
}

/// The columns of a row that tell of outcomes.
fn describe(outcomes: &[Outcome]) -> Vec<String> {
    let percent = |is: &dyn Fn(&Outcome) -> bool| {
        let count = outcomes.iter().filter(|outcome| is(outcome)).count();
        format!("{:.1}", 100.0 * count as f64 / outcomes.len() as f64)
    };
    let mut row = vec![percent(&|outcome| outcome.is_solved), percent(&|outcome| outcome.is_claimed)];
    let mut parts = |of: &dyn Fn(&Outcome) -> f64, digits: usize, at: &[f64]| {
        let values: Vec<f64> = outcomes.iter().map(of).collect();
        row.extend(at.iter().map(|at| format!("{:.digits$}", part(&values, *at))));
    };
    parts(&|outcome| outcome.factorisations, 0, &[0.5, 0.95, 0.999, 1.0]);
    parts(&|outcome| outcome.sweeps, 0, &[0.5, 0.95, 1.0]);
    parts(&|outcome| outcome.time, 3, &[0.5, 0.95, 1.0]);
    let worst = outcomes.iter().fold(Misses::default(), |worst, outcome| worst.and(&outcome.misses));
    row.extend(
        [worst.natural, worst.velocity, worst.cone, worst.complementarity].map(|miss| format!("{miss:.1e}")),
    );
    row
}

/// The value below which a part of all values lies.
fn part(values: &[f64], at: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(((sorted.len().max(1) - 1) as f64 * at).round() as usize).copied().unwrap_or_default()
}
