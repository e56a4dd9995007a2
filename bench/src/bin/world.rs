//! Falling parts run to rest: what a run costs, stage by stage.
//!
//! The scenes of figures 8 and 9 of Neumayr and Otter 2017, elastic, until no point moves faster than 1 mm/s or a time is over. One row for each scene: simulated time, wall
//! time, steps, events, evaluations, gaps, the deepest overlap at the sampled times, and the fractions of the wall time by stage.

use std::error::Error;

use zerogap::scene::{falling_parts, many_falling_parts};
use zerogap::world::{World, WorldBuilder, WorldError, WorldParams};
use zerogap_bench::Table;

/// Bodies rest when no point of them moves faster than this [m/s].
const REST: f64 = 1e-3;

/// How often to sample [s], and when to give up [s].
const EVERY: f64 = 0.1;
const LONGEST: f64 = 20.0;

type Scene = fn(WorldParams) -> Result<WorldBuilder, WorldError>;

fn main() -> Result<(), Box<dyn Error>> {
    let scenes: [(&str, Scene); 2] = [("figure-8", falling_parts), ("figure-9", many_falling_parts)];
    let mut table = Table::new(&[
        "scene",
        "simulated_s",
        "wall_s",
        "fastest_m/s",
        "steps",
        "rejected",
        "events",
        "evaluations",
        "functions",
        "gaps",
        "redone",
        "overlap_m",
        "dynamics",
        "narrow",
        "holding",
        "functions_share",
        "broad",
        "events_share",
    ]);
    for (name, scene) in scenes {
        let (world, overlap) = run(scene)?;
        let info = world.info();
        let mut row = vec![
            name.to_owned(),
            format!("{:.1}", world.time()),
            format!("{:.2}", info.wall),
            format!("{:.1e}", world.fastest()),
        ];
        let counts = [
            info.steps,
            info.rejected,
            info.events,
            info.evaluations,
            info.functions,
            info.gaps,
            info.redone,
        ];
        row.extend(counts.iter().map(ToString::to_string));
        row.push(format!("{overlap:.1e}"));
        row.extend(info.time_fractions.iter().map(|(_, share)| format!("{share:.3}")));
        table.push(row);
        for reason in &info.method {
            println!("    {reason}");
        }
    }
    table.save("world")?;
    Ok(())
}

/// Runs a scene to rest; also the deepest overlap seen [m].
fn run(scene: Scene) -> Result<(World, f64), WorldError> {
    let mut world = scene(WorldParams::default())?.build()?;
    let mut overlap = 0.0_f64;
    while world.time() < LONGEST {
        world.advance_to(world.time() + EVERY)?;
        let deepest = world.contacts().iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        overlap = overlap.max(deepest);
        if world.fastest() < REST {
            break;
        }
    }
    Ok((world, overlap))
}
