//! How far apart two parts are: the gap and its certificate, a warm cache along a motion, many pairs at once.
//!
//! Run with `cargo run --release --example distance`.

use zerogap::geometry::parts::{ConnectingRod, Gear};
use zerogap::proximity::convex::{distance, distance_with};
use zerogap::{
    Collider, ColliderPair, ConvexShape, DistanceParams, PairCache, Pose, Vec3, convex_hull, distance_many,
};

/// Decisions are taken on what is certain: a clearance [m] that must be kept.
const CLEARANCE: f64 = 1e-3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Gaps are those of convex bodies: here the hulls of two generated parts.
    let gear = Gear::default().generate()?;
    let rod = ConnectingRod::default().generate()?;
    let gear: ConvexShape = convex_hull(&gear.used_vertices())?.into();
    let rod: ConvexShape = convex_hull(&rod.used_vertices())?.into();

    // The gap is a number with a certificate: the exact value lies between `lower` and `upper`.
    let here = Pose::identity();
    let beside = Pose::from_axis_angle(Vec3::new(0.062, 0.0, 0.0), Vec3::z(), 0.5)?;
    let gap = distance(&gear, &here, &rod, &beside);
    println!("gear and rod: gap {:.6} mm, {}, {} steps", 1e3 * gap.gap, gap.status.word(), gap.iterations);
    println!("  certain to {:.1e} m", gap.upper - gap.lower);
    println!("  along ({:.4}, {:.4}, {:.4})", gap.normal.x, gap.normal.y, gap.normal.z);
    println!("  is the clearance kept? {}", if gap.lower >= CLEARANCE { "yes, for certain" } else { "no" });

    // Along a motion a cache per pair saves steps; it changes the speed, never the answer.
    let (params, mut cache) = (DistanceParams::default(), PairCache::default());
    let mut nearest = f64::INFINITY;
    for step in 0..=100 {
        let angle = 0.02 * f64::from(step);
        let pose = Pose::from_axis_angle(Vec3::new(0.062, 0.0, 0.0), Vec3::z(), angle)?;
        let gap = distance_with(&gear, &here, &rod, &pose, &params, &mut cache);
        nearest = nearest.min(gap.gap);
    }
    println!("turning the rod by 2 rad: nearest {:.6} mm", 1e3 * nearest);

    // Many pairs of any colliders run on all cores, with the same bits for any number of threads.
    let (gear, rod) = (Collider::from(gear), Collider::from(rod));
    let pairs = (0..1000)
        .map(|k| {
            let pose_b = Pose::from_translation(Vec3::new(1e-4 * f64::from(k), 0.0, 0.0))?;
            Ok(ColliderPair::new(&gear, here, &rod, pose_b))
        })
        .collect::<Result<Vec<_>, zerogap::core::InputError>>()?;
    let mut gaps = vec![gap; pairs.len()];
    distance_many(&pairs, &params, &mut gaps).map_err(|(_, error)| error)?;
    let overlapping = gaps.iter().filter(|gap| gap.upper < 0.0).count();
    println!("{} places along x: {overlapping} overlap for certain", gaps.len());
    Ok(())
}
