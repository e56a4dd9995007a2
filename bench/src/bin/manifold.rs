//! Contact manifolds, ours against parry3d-f64, each with its own cache for the pair.
//!
//! Pairs of boxes and of hulls of random points on a sphere, B pressed 0.1 % of its size into A. `rest`: nothing moves. `jitter`: B trembles
//! by 1e-7 of its size. `roll`: B turns by 0.005 rad per step, `tumble`: by 0.05 rad. The peer keeps its contact points, with their
//! features and normal as they are, while they shift by less than 1 mm and the normal turns by less than one degree; `off` is how far its deepest contact is then
//! from the exact gap, in the worst step. Ours is exact in every step.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use parry3d_f64::math::{Pose as PeerPose, Rotation, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::SharedShape;
use zerogap_bench::{Table, Timing, summarize};
use zerogap_core::{Manifold, Pose, Vec3};
use zerogap_geometry::shape::Cuboid;
use zerogap_geometry::{ConvexShape, Polyhedron};
use zerogap_proximity::convex::{ContactCache, ContactParams, contacts_with, distance};
use zerogap_testkit::random::Random;

/// Steps of a motion.
const STEPS: usize = 2_000;

/// Steps that are timed together.
const CHUNK: usize = 100;

/// How often a motion is run through.
const PASSES: usize = 20;

/// Contacts up to this gap count [m].
const WITHIN: f64 = 0.01;

/// How deep B lies in A [m].
const DEPTH: f64 = 1e-3;

/// A shape for both.
struct Pair {
    ours: ConvexShape,
    peer: SharedShape,
    vertices: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut table = Table::new(&[
        "a",
        "b",
        "motion",
        "ours_ns",
        "parry_ns",
        "parry/ours",
        "ours_points",
        "parry_points",
        "parry_off_m",
        "spread",
    ]);
    let cube = || {
        let ours = Cuboid::new(Vec3::repeat(1.0))?.into();
        Ok::<_, Box<dyn Error>>(Pair { ours, peer: SharedShape::cuboid(0.5, 0.5, 0.5), vertices: 0 })
    };
    let shapes = |n: usize, seed| if n == 0 { cube() } else { hull(n, seed) };
    for (n, m) in [(0, 0), (8, 8), (50, 50), (200, 200), (8, 200)] {
        let (a, b) = (shapes(n, 1)?, shapes(m, 2)?);
        for motion in ["rest", "jitter", "roll", "tumble"] {
            let poses = poses(&a.ours, &b.ours, motion)?;
            let (ours, mine) = time_ours(&a, &b, &poses);
            let (peer, theirs) = time_peer(&a, &b, &poses);
            let off = theirs.iter().zip(&poses).map(|((deepest, _), pose)| {
                let exact = distance(&a.ours, &Pose::identity(), &b.ours, pose).gap;
                (deepest - exact).abs()
            });
            let points = |counts: &[(f64, usize)]| {
                format!("{:.2}", counts.iter().map(|(_, count)| *count as f64).sum::<f64>() / STEPS as f64)
            };
            let name = |shape: &Pair| {
                if shape.vertices == 0 { "box".to_owned() } else { format!("hull{}", shape.vertices) }
            };
            table.push(vec![
                name(&a),
                name(&b),
                motion.to_owned(),
                format!("{:.0}", 1e9 * ours.median),
                format!("{:.0}", 1e9 * peer.median),
                format!("{:.2}", peer.median / ours.median),
                points(&mine),
                points(&theirs),
                format!("{:.1e}", off.fold(0.0, f64::max)),
                format!("{:.3}", ours.spread.max(peer.spread)),
            ]);
        }
    }
    table.save("manifold")?;
    Ok(())
}

/// The hull of random points on a sphere, or the corners of a box for eight of them.
fn hull(count: usize, seed: u64) -> Result<Pair, Box<dyn Error>> {
    let mut random = Random::new(seed);
    let points: Vec<Vec3> = if count == 8 {
        Cuboid::new(Vec3::new(0.8, 1.0, 1.2))?.corners().to_vec()
    } else {
        (0..count).map(|_| 0.5 * random.direction()).collect()
    };
    let peer_points: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let ours = Polyhedron::from_points(&points)?;
    let vertices = ours.vertices().len();
    let peer = SharedShape::convex_hull(&peer_points).ok_or("the peer makes no hull")?;
    Ok(Pair { ours: ours.into(), peer, vertices })
}

/// The poses of B, one per step, each as deep in A as the others.
fn poses(a: &ConvexShape, b: &ConvexShape, motion: &str) -> Result<Vec<Pose>, Box<dyn Error>> {
    let mut random = Random::new(7);
    let turn = match motion {
        "roll" => 0.005,
        "tumble" => 0.05,
        _ => 0.0,
    };
    let (axis, rest) = (random.direction(), resting(a, b)?);
    let mut poses = Vec::with_capacity(STEPS);
    for step in 0..STEPS {
        poses.push(match motion {
            "rest" => rest,
            "jitter" => Pose::new(rest.translation() + 1e-7 * random.in_ball(), rest.quaternion_xyzw())?,
            _ => pressed(a, b, &Pose::from_axis_angle(rest.translation(), axis, turn * step as f64)?)?,
        });
    }
    Ok(poses)
}

/// B with a face on a face of A.
fn resting(a: &ConvexShape, b: &ConvexShape) -> Result<Pose, Box<dyn Error>> {
    let (ConvexShape::Polyhedron(p), ConvexShape::Polyhedron(q)) = (a, b) else {
        return pressed(a, b, &Pose::from_translation(Vec3::new(0.2, 0.1, 2.0))?);
    };
    let (from, to) = (q.normal(0), -p.normal(0));
    let axis = from.cross(&to);
    let angle = zerogap_core::math::atan2(axis.norm(), from.dot(&to));
    let axis = if axis.norm() > 1e-9 { axis } else { Vec3::x() };
    pressed(a, b, &Pose::from_axis_angle(p.normal(0) * 3.0, axis, angle)?)
}

/// A pose moved along the normal until B lies in A as deep as all others.
fn pressed(a: &ConvexShape, b: &ConvexShape, pose: &Pose) -> Result<Pose, Box<dyn Error>> {
    let mut pose = *pose;
    for _ in 0..50 {
        let gap = distance(a, &Pose::identity(), b, &pose);
        if (gap.gap + DEPTH).abs() < 1e-9 {
            break;
        }
        pose = Pose::new(pose.translation() - gap.normal * (gap.gap + DEPTH), pose.quaternion_xyzw())?;
    }
    Ok(pose)
}

/// Our time per step, and the smallest gap and number of contacts of each step.
fn time_ours(a: &Pair, b: &Pair, poses: &[Pose]) -> (Timing, Vec<(f64, usize)>) {
    let params = ContactParams::within(WITHIN);
    let (mut cache, mut manifold) = (ContactCache::default(), Manifold::default());
    let (mut samples, mut answers) = (Vec::new(), Vec::new());
    let here = Pose::identity();
    for pass in 0..=PASSES {
        for chunk in poses.chunks(CHUNK) {
            let start = Instant::now();
            for pose in chunk {
                contacts_with(&a.ours, &here, &b.ours, pose, &params, &mut cache, black_box(&mut manifold));
                // The first pass fills the caches and does not count.
                if pass == 0 {
                    let deepest = manifold.contacts.iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
                    answers.push((deepest, manifold.contacts.len()));
                }
            }
            if pass > 0 {
                samples.push(start.elapsed().as_secs_f64() / chunk.len() as f64);
            }
        }
    }
    (summarize(samples), answers)
}

/// The peer's time per step, and the smallest gap and number of contacts of each step.
fn time_peer(a: &Pair, b: &Pair, poses: &[Pose]) -> (Timing, Vec<(f64, usize)>) {
    let poses: Vec<PeerPose> = poses.iter().map(peer_pose).collect();
    let mut manifolds: Vec<ContactManifold<(), ()>> = Vec::new();
    let (mut samples, mut answers) = (Vec::new(), Vec::new());
    let mut workspace = None;
    let here = PeerPose::identity();
    for pass in 0..=PASSES {
        for chunk in poses.chunks(CHUNK) {
            let start = Instant::now();
            for pose in chunk {
                let between = here.inv_mul(pose);
                let asked = DefaultQueryDispatcher.contact_manifolds(
                    &between,
                    &*a.peer,
                    &*b.peer,
                    WITHIN,
                    &mut manifolds,
                    &mut workspace,
                );
                asked.expect("the peer knows the pair");
                black_box(&mut manifolds);
                if pass == 0 {
                    let points = manifolds.iter().flat_map(|manifold| &manifold.points);
                    let deepest = points.clone().map(|p| p.dist).fold(f64::INFINITY, f64::min);
                    answers.push((deepest, points.count()));
                }
            }
            if pass > 0 {
                samples.push(start.elapsed().as_secs_f64() / chunk.len() as f64);
            }
        }
    }
    (summarize(samples), answers)
}

fn peer_pose(pose: &Pose) -> PeerPose {
    let (p, [x, y, z, w]) = (pose.translation(), pose.quaternion_xyzw());
    PeerPose::from_parts(Vector::new(p.x, p.y, p.z), Rotation::from_xyzw(x, y, z, w))
}
