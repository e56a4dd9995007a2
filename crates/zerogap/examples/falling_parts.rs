//! Parts of an engine fall on a box and come to rest: what happened, and what it cost.
//!
//! Run with `cargo run --release --example falling_parts`; `-- many` takes 79 convex shapes.

use zerogap::scene::{falling_parts, many_falling_parts};
use zerogap::world::WorldParams;

/// Bodies rest when no point of them moves faster than this [m/s].
const REST: f64 = 1e-3;

/// Sampling interval [s] and end time [s].
const EVERY: f64 = 0.1;
const LONGEST: f64 = 20.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let params = WorldParams::default();
    let is_many = std::env::args().any(|word| word == "many");
    let builder = if is_many { many_falling_parts(params)? } else { falling_parts(params)? };
    let mut world = builder.build()?;
    while world.time() < LONGEST {
        world.advance_to(world.time() + EVERY)?;
        let info = world.info();
        println!(
            "t = {:.1} s: fastest point {:.2e} m/s, {} pairs in contact, {} steps, {} events, {:.2} s",
            world.time(),
            world.fastest(),
            world.contacts().len(),
            info.steps,
            info.events,
            info.wall
        );
        if world.fastest() < REST {
            break;
        }
    }
    println!("{:#?}", world.info());
    Ok(())
}
