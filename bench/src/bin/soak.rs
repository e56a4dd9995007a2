//! Asks for the gap of many random and degenerate pairs, and checks what every answer promises.
//!
//! Usage: `soak [--count 1e6] [--seed 1] [--threads 2] [--replay I]`. Query `i` depends on the seed and `i` alone; `--replay I` shows one
//! query, its answer and the promises it breaks. Exits with 1 when a promise was broken.

use std::error::Error;
use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use zerogap_bench::soak::case::case;
use zerogap_bench::soak::check::check;
use zerogap_bench::soak::code;
use zerogap_bench::soak::shapes::Pool;
use zerogap_bench::soak::tally::Tally;

/// Queries that a thread takes at a time: enough that the counter costs nothing.
const BATCH: u64 = 1000;

struct Options {
    count: u64,
    seed: u64,
    threads: usize,
    replay: Option<u64>,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = parse()?;
    let pool = Pool::new(options.seed)?;
    let clean = match options.replay {
        Some(index) => replay(&pool, options.seed, index)?,
        None => soak(&pool, &options)?,
    };
    Ok(if clean { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn parse() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { count: 1_000_000, seed: 1, threads: 2, replay: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        // Numbers such as 1e8 are welcome where the count is meant.
        match name.as_str() {
            "--count" => options.count = value.parse::<f64>()? as u64,
            "--seed" => options.seed = value.parse()?,
            "--threads" => options.threads = value.parse()?,
            "--replay" => options.replay = Some(value.parse()?),
            _ => return Err(format!("unknown option {name}").into()),
        }
    }
    Ok(options)
}

fn soak(pool: &Pool, options: &Options) -> Result<bool, Box<dyn Error>> {
    // Panics are counted, and replayed where they matter.
    panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let work = || -> Result<Tally, String> {
        let mut tally = Tally::default();
        loop {
            let first = next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= options.count {
                return Ok(tally);
            }
            for index in first..options.count.min(first + BATCH) {
                let case = case(pool, options.seed, index)
                    .map_err(|error| format!("query {index} could not be made: {error}"))?;
                tally.add(index, case.is_polytope(), &check(&case));
            }
            report_progress(first + BATCH, options.count, &start);
        }
    };
    let mut tally = Tally::default();
    thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        let threads: Vec<_> = (0..options.threads).map(|_| scope.spawn(work)).collect();
        for thread in threads {
            tally.merge(&thread.join().map_err(|_| "a thread of the soak panicked")??);
        }
        Ok(())
    })?;
    tally.print();
    println!("seed {}, {:.0} s in all", options.seed, start.elapsed().as_secs_f64());
    Ok(tally.is_clean())
}

/// A line for every tenth of the run.
fn report_progress(done: u64, count: u64, start: &Instant) {
    let tenth = |queries: u64| 10 * queries / count.max(1);
    if tenth(done) > tenth(done - BATCH) {
        eprintln!("{done} queries, {:.0} s", start.elapsed().as_secs_f64());
    }
}

fn replay(pool: &Pool, seed: u64, index: u64) -> Result<bool, Box<dyn Error>> {
    let case = case(pool, seed, index)?;
    println!(
        "// seed {seed}, query {index}: {} and {}, {}",
        case.a.kind(),
        case.b.kind(),
        case.placed.regime
    );
    println!("let a: ConvexShape = {};", code::shape(&case.a));
    println!("let pose_a = {};", code::pose(&case.placed.pose_a));
    println!("let b: ConvexShape = {};", code::shape(&case.b));
    println!("let pose_b = {};", code::pose(&case.placed.pose_b));
    println!(
        "// extent {:?}, gap known to lie in [{:?}, {:?}]",
        case.extent(),
        case.placed.at_least,
        case.placed.at_most
    );
    let outcome = check(&case);
    if let Some(gap) = outcome.gap {
        println!("{gap:#?}");
        println!("// width / extent {:.2e}, {} ns", outcome.width, outcome.time.as_nanos());
    }
    for failure in &outcome.failures {
        println!("FAILED {failure:?}");
    }
    Ok(outcome.failures.is_empty())
}
