//! Times one engine on one scene, in the same way for every engine that is written in Rust. `bench/narrow/runner.hpp` is the C++ twin.
//!
//! Command line: `PROGRAM SCENE.bin PREFIX [--reps N] [--only TEXT] [--cold]`.
//! Writes, in the order of the pairs, `PREFIX.res` (distance, normal from A to B, status; f64 each), `PREFIX.bounds` (lower, upper; only
//! for engines that give them), and `PREFIX.time` (group, tab, ns per query: the least batch mean over the repetitions).

use std::fs::File;
use std::hint::black_box;
use std::io::{self, BufWriter, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Once;
use std::time::{Duration, Instant};

use super::scene::{Group, Scene};

/// A query longer than this counts as a hang.
const HANG: Duration = Duration::from_secs(2);

/// A batch longer than this is not repeated.
const LONG_BATCH: Duration = Duration::from_secs(4);

/// What an engine says about one pair.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// Signed distance [m]; NaN when the engine has none.
    pub distance: f64,
    /// Unit vector from A to B [-].
    pub normal: [f64; 3],
    /// Lower and upper bound of the exact distance [m], from engines that certify.
    pub bounds: Option<[f64; 2]>,
}

impl Answer {
    /// The engine gave up.
    pub const NONE: Self = Self { distance: f64::NAN, normal: [f64::NAN; 3], bounds: None };
}

/// A library under measurement: shapes and poses are built before the clock starts.
pub trait Engine {
    /// Whether it knows both shapes of a pair.
    fn supports(&self, pair: usize) -> bool;
    /// A pass over a group begins. With `warm`, consecutive pairs are one pair in motion, and knowledge may be carried on.
    fn begin_group(&mut self, group: &Group, warm: bool);
    /// Answers one pair.
    fn query(&mut self, pair: usize) -> Answer;
}

/// How a query ended; the numbers stand in the result file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Status {
    Answered = 0,
    NoAnswer = 1,
    Skipped = 2,
    Panicked = 3,
    Hung = 4,
}

/// What the command line asks for.
#[derive(Debug)]
pub struct Options {
    /// The scene file.
    pub scene: PathBuf,
    /// Where the results go: extensions are appended to this.
    pub prefix: String,
    /// Timed passes over each group.
    pub repetitions: usize,
    /// Only groups whose name contains this.
    pub only: Option<String>,
    /// Without warm starts.
    pub cold: bool,
}

impl Options {
    /// From the command line.
    pub fn parse() -> Result<Self, String> {
        let mut arguments = std::env::args().skip(1);
        let mut positional = Vec::new();
        let mut options =
            Self { scene: PathBuf::new(), prefix: String::new(), repetitions: 5, only: None, cold: false };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--reps" => {
                    options.repetitions = value()?.parse().map_err(|error| format!("--reps: {error}"))?;
                }
                "--only" => options.only = Some(value()?),
                "--cold" => options.cold = true,
                text if text.starts_with("--") => return Err(format!("unknown option {text}")),
                _ => positional.push(argument),
            }
        }
        let [scene, prefix] = <[String; 2]>::try_from(positional)
            .map_err(|_| "usage: SCENE.bin PREFIX [--reps N] [--only TEXT] [--cold]".to_owned())?;
        options.scene = scene.into();
        options.prefix = prefix;
        Ok(options)
    }
}

/// Asks the engine for every pair, times every group, and writes the result files.
pub fn run(options: &Options, scene: &Scene, engine: &mut impl Engine) -> io::Result<()> {
    report_only_the_first_panic();
    let mut answers = vec![(Answer::NONE, Status::Skipped); scene.pairs.len()];
    let mut times = File::create(format!("{}.time", options.prefix))?;
    for group in &scene.groups {
        if options.only.as_ref().is_some_and(|text| !group.name.contains(text)) {
            continue;
        }
        let warm = !options.cold && group.name.contains("coherent");
        let answered = answer_group(group, warm, engine, &mut answers);
        let ns = time_group(group, warm, engine, &answered, options.repetitions);
        writeln!(times, "{}\t{ns:.1}", group.name)?;
    }
    write_answers(&options.prefix, &answers)
}

/// The untimed first pass: what each query answers, and which ones can be timed.
fn answer_group(
    group: &Group,
    warm: bool,
    engine: &mut impl Engine,
    answers: &mut [(Answer, Status)],
) -> Vec<usize> {
    let mut answered = Vec::with_capacity(group.count);
    engine.begin_group(group, warm);
    for (pair, entry) in answers.iter_mut().enumerate().skip(group.first).take(group.count) {
        if !engine.supports(pair) {
            continue;
        }
        let start = Instant::now();
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| engine.query(pair)));
        let hung = start.elapsed() > HANG;
        *entry = match outcome {
            Err(_) => (Answer::NONE, Status::Panicked),
            Ok(answer) if hung => (answer, Status::Hung),
            Ok(answer) if answer.distance.is_nan() => (answer, Status::NoAnswer),
            Ok(answer) => (answer, Status::Answered),
        };
        if matches!(entry.1, Status::Answered | Status::NoAnswer) {
            answered.push(pair);
        }
    }
    answered
}

/// Nanoseconds per query: the least mean over the repetitions, because other programs can only add to it.
fn time_group(
    group: &Group,
    warm: bool,
    engine: &mut impl Engine,
    pairs: &[usize],
    repetitions: usize,
) -> f64 {
    let mut best = f64::NAN;
    for _ in 0..repetitions {
        if pairs.is_empty() {
            break;
        }
        engine.begin_group(group, warm);
        let start = Instant::now();
        for &pair in pairs {
            // The whole answer is wanted, not only the part that the compiler could prove to be used.
            black_box(engine.query(pair));
        }
        let elapsed = start.elapsed();
        best = best.min(elapsed.as_nanos() as f64 / pairs.len() as f64);
        if elapsed > LONG_BATCH {
            break;
        }
    }
    best
}

fn write_answers(prefix: &str, answers: &[(Answer, Status)]) -> io::Result<()> {
    let mut results = BufWriter::new(File::create(format!("{prefix}.res"))?);
    for (answer, status) in answers {
        let [x, y, z] = answer.normal;
        for number in [answer.distance, x, y, z, f64::from(*status as u8)] {
            results.write_all(&number.to_le_bytes())?;
        }
    }
    results.flush()?;
    if answers.iter().any(|(answer, _)| answer.bounds.is_some()) {
        let mut bounds = BufWriter::new(File::create(format!("{prefix}.bounds"))?);
        for (answer, _) in answers {
            for number in answer.bounds.unwrap_or([f64::NAN; 2]) {
                bounds.write_all(&number.to_le_bytes())?;
            }
        }
        bounds.flush()?;
    }
    Ok(())
}

/// Panics are counted in the table; the text of the first is enough to find the cause.
fn report_only_the_first_panic() {
    static FIRST: Once = Once::new();
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| FIRST.call_once(|| print(info))));
}
