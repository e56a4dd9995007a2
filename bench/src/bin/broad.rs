//! Who might touch: the broad phase by each of its methods, beside parry3d-f64's `Bvh` and the broad phase of rapier3d-f64.
//!
//! Boxes in a cube, each overlapping about two others. `uniform`: all of one size. `clustered`: in a hundred heaps. `mixed`: sizes over a factor of 64, with a floor
//! under all. A frame: every box is set, then the pairs are brought up to date. `rest`: nothing moves. `slow`: by 1 % of its size. `fast`: by its size.
//! Each of our methods and the peer's tree must count the same pairs in the last frame. The peer's frame: leaves updated, tree refitted and improved as its physics engine does, then
//! all pairs of leaves visited with a test of their own boxes; it neither sorts them nor reports what began and ended.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use parry3d_f64::bounding_volume::{Aabb as PeerBox, BoundingVolume};
use parry3d_f64::math::{Pose as PeerPose, Vector};
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rapier3d_f64::prelude::{
    BroadPhaseBvh, ColliderBuilder, ColliderSet, IntegrationParameters, RigidBodySet,
};
use zerogap_bench::{Table, summarize};
use zerogap_core::math::{cbrt, pow};
use zerogap_core::{Aabb, Vec3};
use zerogap_proximity::broad::{BoxId, BroadMethod, BroadParams, BroadPhase, Filter};
use zerogap_testkit::random::Random;

/// Frames before the first that is timed: boxes that set out together leave their first fat boxes together.
const WARM_UP: usize = 6;

/// How a scene is spread out.
const SCENES: [&str; 3] = ["uniform", "clustered", "mixed"];

/// How it moves, with the displacement of a frame against the size [-].
const MOTIONS: [(&str, f64); 3] = [("rest", 0.0), ("slow", 0.01), ("fast", 1.0)];

fn main() -> Result<(), Box<dyn Error>> {
    let largest: usize = std::env::args().nth(1).map_or(Ok(1_000_000), |text| text.parse())?;
    let mut table = Table::new(&[
        "scene",
        "boxes",
        "motion",
        "grid_ms",
        "sweep_ms",
        "tree_ms",
        "auto_ms",
        "parry_ms",
        "rapier_ms",
        "parry/best",
        "parry/auto",
        "pairs",
        "grid_B",
        "sweep_B",
        "tree_B",
        "spread",
    ]);
    for scene in SCENES {
        for n in [1_000, 10_000, 100_000, 1_000_000] {
            if n > largest {
                continue;
            }
            for (motion, speed) in MOTIONS {
                let frames = (2_000_000 / n).clamp(4, 100);
                let run = |method| time_ours(scene, n, speed, frames, method);
                let [grid, sweep, tree, auto] =
                    [BroadMethod::Grid, BroadMethod::Sweep, BroadMethod::Tree, BroadMethod::Auto].map(run);
                // In fast motion the peer's tree decays: a frame of a million boxes would take minutes.
                let (peer_frames, is_asked) = if speed < 0.5 { (frames, true) } else { (4, n < 1_000_000) };
                let nothing = Outcome { median: f64::NAN, spread: 0.0, pairs: tree.pairs, memory: 0 };
                let peer = if is_asked { time_peer(scene, n, speed, peer_frames) } else { nothing };
                let engine = time_engine(scene, n, speed, peer_frames);
                for ours in [&grid, &sweep, &auto] {
                    assert_eq!(ours.pairs, tree.pairs, "{scene} {n} {motion}");
                }
                assert!(peer_frames != frames || peer.pairs == tree.pairs, "{scene} {n} {motion}");
                let best = grid.median.min(sweep.median).min(tree.median);
                let ms = |result: &Outcome| format!("{:.3}", 1e3 * result.median);
                let bytes = |result: &Outcome| (result.memory / n).to_string();
                let spread = [&grid, &sweep, &tree, &auto, &peer]
                    .iter()
                    .map(|result| result.spread)
                    .fold(0.0, f64::max);
                table.push(vec![
                    scene.to_owned(),
                    n.to_string(),
                    motion.to_owned(),
                    ms(&grid),
                    ms(&sweep),
                    ms(&tree),
                    ms(&auto),
                    ms(&peer),
                    ms(&engine),
                    format!("{:.2}", peer.median / best),
                    format!("{:.2}", peer.median / auto.median),
                    tree.pairs.to_string(),
                    bytes(&grid),
                    bytes(&sweep),
                    bytes(&tree),
                    format!("{spread:.3}"),
                ]);
            }
        }
    }
    table.save("broad")?;
    Ok(())
}

struct Outcome {
    median: f64,
    spread: f64,
    pairs: usize,
    memory: usize,
}

/// The boxes of a scene and where each is heading, the same for every engine.
struct Scene {
    boxes: Vec<Aabb>,
    ways: Vec<Vec3>,
    random: Random,
    half: f64,
}

impl Scene {
    fn new(scene: &str, n: usize, speed: f64) -> Self {
        let mut random = Random::new(3);
        // Unit boxes in a cube in which each overlaps two others in the mean.
        let half = 0.5 * cbrt(4.0 * n as f64);
        let heaps: Vec<Vec3> = (0..100).map(|_| random.in_cube(3.0 * half)).collect();
        let spread = 0.5 * cbrt(4.0 * n as f64 / 100.0);
        let mut boxes: Vec<Aabb> = (0..n)
            .map(|k| match scene {
                "clustered" => {
                    Aabb::from_center_size(heaps[k % 100] + random.in_cube(spread), Vec3::repeat(1.0))
                }
                "mixed" => {
                    let size = pow(2.0, -6.0 * random.unit());
                    Aabb::from_center_size(random.in_cube(0.5 * half), Vec3::repeat(size))
                }
                _ => Aabb::from_center_size(random.in_cube(half), Vec3::repeat(1.0)),
            })
            .collect();
        if scene == "mixed" {
            boxes[0] = Aabb {
                min: Vec3::new(-half, -half, -0.5 * half - 1.0),
                max: Vec3::new(half, half, -0.5 * half),
            };
        }
        let ways = boxes.iter().map(|bounds| random.direction() * (speed * bounds.size().min())).collect();
        let mut scene = Self { boxes, ways, random, half: 3.5 * half };
        scene.ways[0] *= f64::from(u8::from(speed > 0.5));
        scene
    }

    /// Moves all boxes on, turning back those that leave.
    fn advance(&mut self) {
        for (bounds, way) in self.boxes.iter_mut().zip(&mut self.ways) {
            if bounds.center().amax() > self.half || self.random.index(64) == 0 {
                *way = -*way;
            }
            *bounds = Aabb { min: bounds.min + *way, max: bounds.max + *way };
        }
    }
}

fn time_ours(scene: &str, n: usize, speed: f64, frames: usize, method: BroadMethod) -> Outcome {
    let mut scene = Scene::new(scene, n, speed);
    let mut phase = BroadPhase::new(BroadParams { method, margin: 0.0 });
    for (k, bounds) in scene.boxes.iter().enumerate() {
        phase.insert(*bounds, Filter::of_body(k as u32)).expect("a box");
    }
    phase.update();
    let mut samples = Vec::new();
    for frame in 0..frames + WARM_UP {
        scene.advance();
        let start = Instant::now();
        for (k, bounds) in scene.boxes.iter().enumerate() {
            phase.set(BoxId(k as u32), *bounds).expect("a box");
        }
        black_box(phase.update());
        if frame >= WARM_UP {
            samples.push(start.elapsed().as_secs_f64());
        }
    }
    let timing = summarize(samples);
    Outcome {
        median: timing.median,
        spread: timing.spread,
        pairs: phase.pairs().len(),
        memory: phase.memory(),
    }
}

/// The broad phase of the peer's physics engine, on colliders without bodies; placing them is not timed. It keeps a list of pairs of boxes with a skin and reports changes to it.
fn time_engine(scene: &str, n: usize, speed: f64, frames: usize) -> Outcome {
    let mut scene = Scene::new(scene, n, speed);
    let (mut colliders, bodies) = (ColliderSet::new(), RigidBodySet::new());
    let (mut phase, params) = (BroadPhaseBvh::new(), IntegrationParameters::default());
    let place = |bounds: &Aabb| {
        let center = bounds.center();
        PeerPose::from_translation(Vector::new(center.x, center.y, center.z))
    };
    let collider = |bounds: &Aabb| {
        let half = 0.5 * bounds.size();
        ColliderBuilder::cuboid(half.x, half.y, half.z).position(place(bounds)).build()
    };
    let handles: Vec<_> = scene.boxes.iter().map(|bounds| colliders.insert(collider(bounds))).collect();
    let (mut samples, mut events) = (Vec::new(), Vec::new());
    for frame in 0..frames + WARM_UP {
        scene.advance();
        for (handle, bounds) in handles.iter().zip(&scene.boxes) {
            if let Some(collider) = colliders.get_mut(*handle) {
                collider.set_position(place(bounds));
            }
        }
        events.clear();
        let start = Instant::now();
        phase.update(&params, &colliders, &bodies, &handles, &[], &mut events);
        black_box(&mut events);
        if frame >= WARM_UP {
            samples.push(start.elapsed().as_secs_f64());
        }
    }
    let timing = summarize(samples);
    Outcome { median: timing.median, spread: timing.spread, pairs: 0, memory: 0 }
}

fn time_peer(scene: &str, n: usize, speed: f64, frames: usize) -> Outcome {
    let mut scene = Scene::new(scene, n, speed);
    let peer = |bounds: &Aabb| {
        let point = |p: &Vec3| Vector::new(p.x, p.y, p.z);
        PeerBox::new(point(&bounds.min), point(&bounds.max))
    };
    let mut boxes: Vec<PeerBox> = scene.boxes.iter().map(peer).collect();
    let mut tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let mut workspace = BvhWorkspace::default();
    let (mut samples, mut pairs) = (Vec::new(), Vec::new());
    for frame in 0..frames + WARM_UP {
        scene.advance();
        for (bounds, own) in boxes.iter_mut().zip(&scene.boxes) {
            *bounds = peer(own);
        }
        let start = Instant::now();
        for (k, bounds) in boxes.iter().enumerate() {
            tree.insert_or_update_partially(*bounds, k as u32, 0.0);
        }
        tree.refit(&mut workspace);
        tree.optimize_incremental(&mut workspace);
        pairs.clear();
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |p, q| {
            if boxes[p as usize].intersects(&boxes[q as usize]) {
                pairs.push((p, q));
            }
        });
        black_box(&mut pairs);
        if frame >= WARM_UP {
            samples.push(start.elapsed().as_secs_f64());
        }
    }
    let timing = summarize(samples);
    Outcome { median: timing.median, spread: timing.spread, pairs: pairs.len(), memory: 0 }
}
