//! Time of one support query by vertex count and method.
//!
//! `cold`: random directions, each query without knowledge of the last. `warm`: a direction that turns by 0.01 rad from query to
//! query, the hint handed on. `auto` is what `Polyhedron::support` does. The default method is set from this table.

use std::hint::black_box;
use std::time::Instant;

use zerogap_bench::{Table, summarize};
use zerogap_core::Vec3;
use zerogap_geometry::{Polyhedron, SupportHint, SupportMethod};
use zerogap_testkit::random::Random;

/// Different directions: too many for the branch predictor to learn by heart.
const QUERIES: usize = 20_000;

/// Queries timed together: long against the clock's resolution, short against the time slices of a busy machine.
const CHUNK: usize = 500;

/// How often all directions are asked for.
const PASSES: usize = 5;

/// Angle between successive warm directions [rad].
const TURN: f64 = 0.01;

fn main() -> std::io::Result<()> {
    let mut table = Table::new(&[
        "vertices",
        "directions",
        "scan_ns",
        "climb_ns",
        "table_ns",
        "best_ns",
        "rivals_ns",
        "auto_ns",
        "worst_spread",
    ]);
    for n in [4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 200, 500, 1000, 3000, 10_000] {
        let mut random = Random::new(31);
        let points: Vec<Vec3> = (0..n).map(|_| random.direction()).collect();
        let polyhedron = Polyhedron::from_points(&points).expect("points on a sphere span space");
        let cold: Vec<Vec3> = (0..QUERIES).map(|_| random.direction()).collect();
        let mut direction = Vec3::x();
        let warm: Vec<Vec3> = (0..QUERIES)
            .map(|_| {
                direction = (direction + direction.cross(&random.direction()).normalize() * TURN).normalize();
                direction
            })
            .collect();
        for (name, directions) in [("cold", &cold), ("warm", &warm)] {
            let run = |method: Option<SupportMethod>| {
                let mut samples = Vec::new();
                let mut hint = SupportHint::default();
                for pass in 0..=PASSES {
                    for chunk in directions.chunks(CHUNK) {
                        let start = Instant::now();
                        for direction in chunk {
                            black_box(match method {
                                Some(method) => polyhedron.support_with(method, direction, &mut hint),
                                None => polyhedron.support_vertex(direction, &mut hint),
                            });
                        }
                        // The first pass fills the caches and does not count.
                        if pass > 0 {
                            samples.push(start.elapsed().as_secs_f64() / CHUNK as f64);
                        }
                    }
                }
                summarize(samples)
            };
            let timings = [
                Some(SupportMethod::Scan),
                Some(SupportMethod::Climb),
                Some(SupportMethod::Table),
                Some(SupportMethod::Best),
                Some(SupportMethod::Rivals),
                None,
            ]
            .map(run);
            let mut row = vec![polyhedron.vertices().len().to_string(), name.to_owned()];
            row.extend(timings.iter().map(|t| format!("{:.1}", 1e9 * t.median)));
            row.push(format!("{:.3}", timings.iter().map(|t| t.spread).fold(0.0, f64::max)));
            table.push(row);
        }
    }
    table.save("support")?;
    Ok(())
}
