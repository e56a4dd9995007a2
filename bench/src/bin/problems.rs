//! A library of contact problems, captured from running scenes.
//!
//! `cargo run --release --bin problems`: runs every scene of `scenes` with several seeds and writes the contact problems of some steps, with the impulses they were warm-started with, to
//! `library/<scene>_<seed>_<step>.txt` in the format of `contact::cone::body_text`. The program `solvers` reads them. The same command writes the same problems, as long as the solver that runs the scenes is
//! the same.
//!
//! Options: `--seeds 1,2,3` (ten by default), `--scene tilt0.5,wall`, `--count 25` problems of a run at most, spread over it, `--time 3` [s], `--tolerance 1e-6` [m/s] of the run, `--wall 120` [s] that a run may take,
//! `--out FOLDER`, `--unsolved` for the problems of all steps that did not converge instead. Steps without contacts are skipped, and in scenes of a thousand bodies five times fewer are kept.

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use zerogap::contact::cone::{Delassus, write_body_problem};
use zerogap_bench::options::Options;
use zerogap_bench::scenes::{EXTRA, SCENES, STEP, build, make};

/// Bodies from which fewer problems are kept, and how many times fewer.
const MANY: usize = 500;
const FEWER: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let options =
        Options::read(&["seeds", "scene", "count", "time", "tolerance", "wall", "out", "unsolved!"])?;
    let all: Vec<String> = SCENES.into_iter().chain(EXTRA).map(str::to_owned).collect();
    let scenes = options.list("scene", &all)?;
    let seeds: Vec<u64> = options.list("seeds", &(1..=10).collect::<Vec<_>>())?;
    let (count, time) = (options.value("count", 25_usize)?, options.value("time", 3.0)?);
    let tolerance = options.value("tolerance", 1e-6)?;
    let is_unsolved_alone = options.has("unsolved");
    let wall = Duration::from_secs_f64(options.value("wall", 120.0)?);
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/library");
    let out = options.text("out").map_or(PathBuf::from(beside), PathBuf::from);
    std::fs::create_dir_all(&out)?;
    let steps = (time / STEP).round() as usize;
    let mut total = 0;
    for name in &scenes {
        for seed in &seeds {
            let scene = make(name, *seed)?;
            // A start that a world refuses is reported; the other seeds are worth having.
            let mut world = match build(&scene, tolerance) {
                Ok((world, _)) => world,
                Err(error) => {
                    println!("{name:>10} seed {seed:>3}: refused: {error}");
                    continue;
                }
            };
            let count = if scene.bodies.len() > MANY { count.div_ceil(FEWER) } else { count };
            let every = (steps / count.max(1)).max(1);
            let (begin, mut kept, mut step) = (Instant::now(), 0, 0);
            while step < steps && begin.elapsed() < wall {
                step += 1;
                // All but one step of a stretch go without copies.
                let is_kept = is_unsolved_alone || step % every == 0;
                world.keep_contact_problems(is_kept);
                let before = world.info().contacts.unwrap_or_default().unconverged;
                world.advance_to(STEP * step as f64)?;
                let is_solved = world.info().contacts.unwrap_or_default().unconverged == before;
                let captured = world.contact_problem().filter(|it| !it.problem.blocks().is_empty());
                let captured = captured.filter(|_| !is_unsolved_alone || !is_solved);
                if let Some(captured) = captured {
                    let file = out.join(format!("{name}_{seed}_{step:04}.txt"));
                    std::fs::write(file, write_body_problem(captured))?;
                    kept += 1;
                }
            }
            let count = world.info().contacts.unwrap_or_default();
            println!(
                "{name:>10} seed {seed:>3}: {kept:>3} problems to {:.2} s, {} of {} solves unconverged, {:.1} s, end {:.1e} m/s",
                world.time(),
                count.unconverged,
                count.solves,
                begin.elapsed().as_secs_f64(),
                world.fastest()
            );
            total += kept;
        }
    }
    println!("wrote {total} problems to {}", out.display());
    Ok(())
}
