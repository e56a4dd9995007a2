//! Timing and tables shared by the benchmark programs.
//!
//! Each program prints a table and writes the same rows as CSV under `bench/results/<machine>/`, with the commit they belong to.

pub mod checker;
pub mod islands;
pub mod narrow;
pub mod options;
pub mod scenes;
pub mod soak;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The folder of this package.
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Median and spread of repeated runs.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Middle of the sorted times [s].
    pub median: f64,
    /// Half the distance between the quartiles, relative to the median [-].
    pub spread: f64,
}

/// Median and spread of times [s].
pub fn summarize(mut samples: Vec<f64>) -> Timing {
    samples.sort_by(f64::total_cmp);
    let at = |part: f64| samples[((samples.len() - 1) as f64 * part).round() as usize];
    Timing { median: at(0.5), spread: 0.5 * (at(0.75) - at(0.25)) / at(0.5) }
}

/// Rows of text under a header, printed in columns and written as CSV.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these column names.
    pub fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row and prints it at once, so that a long run shows where it is.
    pub fn push(&mut self, row: Vec<String>) {
        if self.rows.len() == 1 {
            print_row(&self.rows[0]);
        }
        print_row(&row);
        self.rows.push(row);
    }

    /// Adds a row without printing it.
    pub fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// Writes `results/<machine>/<name>.csv` beside this package's manifest; every row ends with the commit.
    pub fn save(&self, name: &str) -> std::io::Result<PathBuf> {
        let folder = Path::new(ROOT).join("results").join(machine());
        fs::create_dir_all(&folder)?;
        let commit = commit();
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            let last = if index == 0 { "commit" } else { &commit };
            text += &format!("{},{last}\n", row.join(","));
        }
        let path = folder.join(format!("{name}.csv"));
        fs::write(&path, text)?;
        println!("\nwrote results/{}/{name}.csv", machine());
        Ok(path)
    }
}

fn print_row(row: &[String]) {
    println!("{}", row.iter().map(|cell| format!("{cell:>14}")).collect::<Vec<_>>().join(" "));
}

/// The processor's name and core count as one lower-case word.
pub fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split(':').nth(1))
        .unwrap_or(std::env::consts::ARCH);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let word: String =
        model.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let parts: Vec<&str> = word.split('-').filter(|part| !part.is_empty()).collect();
    format!("{}-{cores}-cores", parts.join("-"))
}

/// The commit of the sources, with `+` when they have been changed since; results and this package's lock file do not count.
pub fn commit() -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(ROOT).args(arguments).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let hash = git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    let changed =
        git(&["status", "--porcelain", "--", "..", ":!results"]).is_some_and(|text| !text.is_empty());
    if changed { hash + "+" } else { hash }
}

/// Returns the Python that peers run in: the one that PEERS_PYTHON names, or that of `.venv` in this package, or `python3`.
pub fn peer_python() -> String {
    let own = Path::new(ROOT).join(".venv/bin/python");
    let usual = || if own.exists() { own.display().to_string() } else { "python3".to_owned() };
    std::env::var("PEERS_PYTHON").unwrap_or_else(|_| usual())
}

/// Measures the time that the processor gave to this thread; where the system does not report it, the time that passed.
pub struct Clock {
    passed: Instant,
    given: Option<f64>,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Self {
        Self { given: given(), passed: Instant::now() }
    }

    /// Time since the start [s].
    pub fn elapsed(&self) -> f64 {
        let passed = self.passed.elapsed().as_secs_f64();
        given().zip(self.given).map_or(passed, |(now, start)| now - start)
    }
}

/// Time that the processor gave to this thread so far [s].
fn given() -> Option<f64> {
    // The system brings the number up to date when the thread offers its place to others.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse::<f64>().ok().map(|nanoseconds| 1e-9 * nanoseconds)
}
