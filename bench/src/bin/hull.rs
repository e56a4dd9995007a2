//! Convex hulls of points in a ball and on a sphere: ours against parry3d-f64's, in one run on the same points.
//!
//! `surface` is the exact triangulated hull, which is what the peer computes; `polyhedron` adds face merging, topology, mass and
//! support tables. Runs alternate between the three, so that a busy machine slows all alike.

use std::time::Instant;

use parry3d_f64::math::Vector;
use zerogap_bench::{Table, summarize};
use zerogap_core::Vec3;
use zerogap_geometry::hull::{convex_hull, hull_surface};
use zerogap_testkit::random::Random;

fn main() -> std::io::Result<()> {
    let largest: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let mut table = Table::new(&[
        "set",
        "points",
        "vertices",
        "surface_ms",
        "surface_spread",
        "polyhedron_ms",
        "polyhedron_spread",
        "parry_ms",
        "parry_spread",
        "parry/surface",
        "parry/polyh",
    ]);
    for kind in ["ball", "sphere"] {
        for n in [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|n| *n <= largest) {
            let mut random = Random::new(7);
            let points: Vec<Vec3> =
                (0..n).map(|_| if kind == "ball" { random.in_ball() } else { random.direction() }).collect();
            let peer_points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
            // The peer needs most of a minute for a million points on a sphere: one run of each shows enough.
            let runs = if kind == "sphere" && n >= 1_000_000 { 1 } else { (300_000 / n).clamp(5, 51) };
            let mut samples = [const { Vec::new() }; 3];
            let mut vertices = 0;
            for _ in 0..runs {
                let start = Instant::now();
                let surface = hull_surface(&points).expect("the points span space");
                samples[0].push(start.elapsed().as_secs_f64());
                let start = Instant::now();
                let hull = convex_hull(&points).expect("the points are finite");
                samples[1].push(start.elapsed().as_secs_f64());
                let start = Instant::now();
                let peer = parry3d_f64::transformation::convex_hull(&peer_points);
                samples[2].push(start.elapsed().as_secs_f64());
                // A wrong hull is not worth timing.
                assert_eq!(surface.triangles.len(), 2 * surface.sources.len() - 4);
                assert_eq!(surface.triangles.len(), peer.1.len());
                assert_eq!(hull.vertices().len(), surface.sources.len());
                vertices = surface.sources.len();
            }
            let [ours, whole, peer] = samples.map(summarize);
            let ms = |seconds: f64| format!("{:.3}", 1e3 * seconds);
            let spread = |part: f64| format!("{part:.3}");
            table.push(vec![
                kind.to_owned(),
                n.to_string(),
                vertices.to_string(),
                ms(ours.median),
                spread(ours.spread),
                ms(whole.median),
                spread(whole.spread),
                ms(peer.median),
                spread(peer.spread),
                format!("{:.2}", peer.median / ours.median),
                format!("{:.2}", peer.median / whole.median),
            ]);
        }
    }
    table.save("hull")?;
    Ok(())
}
