//! Time of one support query by vertex count and method.
//!
//! `cold`: random directions, each query without knowledge of the last. `warm`: a direction that turns by 0.01 rad from query to
//! query, the hint handed on. `auto` is what `Polyhedron::support` does. The default method is set from this table.

use zerogap_bench::{Table, time};
use zerogap_core::Vec3;
use zerogap_geometry::{Polyhedron, SupportHint, SupportMethod};
use zerogap_testkit::random::Random;

/// Queries in one timed run.
const QUERIES: usize = 20_000;

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
                time(15, || {
                    let mut hint = SupportHint::default();
                    let mut sum = 0_u64;
                    for direction in directions {
                        sum += u64::from(match method {
                            Some(method) => polyhedron.support_with(method, direction, &mut hint),
                            None => polyhedron.support_vertex(direction, &mut hint),
                        });
                    }
                    sum
                })
            };
            let timings = [
                Some(SupportMethod::Scan),
                Some(SupportMethod::Climb),
                Some(SupportMethod::Table),
                Some(SupportMethod::Best),
                None,
            ]
            .map(run);
            let mut row = vec![polyhedron.vertices().len().to_string(), name.to_owned()];
            row.extend(timings.iter().map(|t| format!("{:.1}", 1e9 * t.median / QUERIES as f64)));
            row.push(format!("{:.3}", timings.iter().map(|t| t.spread).fold(0.0, f64::max)));
            table.push(row);
        }
    }
    table.save("support")?;
    Ok(())
}
