//! A pile of boxes that comes to rest, by time stepping: ours beside rapier3d-f64 and MuJoCo.
//!
//! Boxes of 0.1 m and 1 kg in layers 0.12 m apart, 0.12 m apart in each layer, shifted by up to 4 mm at random, fall on a floor; friction 0.5, no restitution, steps of 2 ms, 3 s. Each
//! engine makes the same steps from the same start and its poses are sampled every 20 ms, outside of the time: the deepest overlap is measured with exact gaps, the same way for all.
//! MuJoCo runs from Python: the interpreter named by PEERS_PYTHON, or `python3`; where it has no `mujoco`, its row says so. `worst_mm` is the deepest overlap of two boxes, or of a box and the
//! floor, at the sampled times; `end_m/s` the speed of the fastest point at the end.
//!
//! `-- 10` has 10 x 10 x 10 boxes (5); `-- 5 1e-5` has another tolerance of our contacts [m/s] beside the usual ones.

use std::error::Error;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rapier3d_f64::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, Vector};
use zerogap::contact::material::PairProperties;
use zerogap::world::{BodyDef, ShapeDef, Stepping, WorldBuilder, WorldParams};
use zerogap::{DistanceParams, Pose, Shape, Vec3, distance};
use zerogap_bench::Table;
use zerogap_core::random::Random;

/// Length of a step [s], steps of a run, and steps between two samples.
const STEP: f64 = 2e-3;
const STEPS: usize = 1500;
const LOOK: usize = 10;
/// Edge of a box [m], distance of layers and columns [m], largest shift [m].
const EDGE: f64 = 0.1;
const PITCH: f64 = 0.12;
const SHIFT: f64 = 4e-3;
const FRICTION: f64 = 0.5;
/// Tolerances of our contacts [m/s].
const TOLERANCES: [f64; 3] = [1e-4, 1e-6, 1e-9];

/// What an engine did.
struct Outcome {
    name: String,
    wall: Duration,
    /// Deepest overlap [m].
    worst: f64,
    /// Speed of the fastest point at the end [m/s].
    end: f64,
    /// What else is to be said.
    note: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let edge: usize = std::env::args().nth(1).map_or(Ok(5), |text| text.parse())?;
    let more: Option<f64> = std::env::args().nth(2).map(|text| text.parse()).transpose()?;
    let start = start(edge);
    let mut table = Table::new(&["engine", "boxes", "steps/s", "worst_mm", "end_m/s", "ours/mujoco", "note"]);
    let mut outcomes = vec![rapier(&start), mujoco(&start)?];
    for tolerance in TOLERANCES.into_iter().chain(more) {
        outcomes.push(ours(&start, tolerance)?);
    }
    let rate = |outcome: &Outcome| STEPS as f64 / outcome.wall.as_secs_f64();
    let peer = rate(&outcomes[1]);
    for outcome in &outcomes {
        table.push(vec![
            outcome.name.clone(),
            start.len().to_string(),
            format!("{:.0}", rate(outcome)),
            format!("{:.5}", 1e3 * outcome.worst),
            format!("{:.1e}", outcome.end),
            format!("{:.2}", rate(outcome) / peer),
            outcome.note.clone(),
        ]);
    }
    table.save(&format!("pile-{}", start.len()))?;
    Ok(())
}

/// Where the centres start [m].
fn start(edge: usize) -> Vec<[f64; 3]> {
    let mut random = Random::new(1);
    let mut centers = Vec::new();
    for k in 0..edge {
        for j in 0..edge {
            for i in 0..edge {
                let shift = |random: &mut Random| random.range(-SHIFT, SHIFT);
                let (x, y) = (shift(&mut random), shift(&mut random));
                centers.push([PITCH * i as f64 + x, PITCH * j as f64 + y, 0.5 * PITCH + PITCH * k as f64]);
            }
        }
    }
    centers
}

/// The deepest overlap of boxes at poses [m], of those near each other and of each with the floor.
fn deepest(shape: &Shape, poses: &[Pose]) -> f64 {
    let mut worst = 0.0_f64;
    for (k, one) in poses.iter().enumerate() {
        let corners =
            (0..8).map(|c| Vec3::from_fn(|axis, _| if c >> axis & 1 == 0 { 0.5 } else { -0.5 } * EDGE));
        worst = corners.map(|corner| -one.transform_point(&corner).z).fold(worst, f64::max);
        for other in &poses[..k] {
            if (one.translation() - other.translation()).norm() > 1.8 * EDGE {
                continue;
            }
            let gap = distance(shape, one, shape, other, &DistanceParams::default());
            worst = worst.max(-gap.map_or(0.0, |gap| gap.gap));
        }
    }
    worst
}

/// The speed of the fastest point of a box [m/s].
fn speed(linear: Vec3, angular: Vec3) -> f64 {
    linear.norm() + angular.norm() * EDGE * 0.75_f64.sqrt()
}

fn ours(start: &[[f64; 3]], tolerance: f64) -> Result<Outcome, Box<dyn Error>> {
    let stepping = Stepping { step: STEP, tolerance, ..Stepping::default() };
    let mut builder = WorldBuilder::new(WorldParams::new(stepping));
    let properties = PairProperties { friction: FRICTION, restitution: 0.0, ..PairProperties::default() };
    builder.pair("steel", "steel", properties)?;
    builder.fixed(ShapeDef::new(Shape::half_space(Vec3::z(), 0.0)?, "steel"))?;
    let shape = Shape::cuboid(Vec3::repeat(EDGE))?;
    let inertia = zerogap::dynamics::multibody::Inertia::cuboid(1.0, Vec3::repeat(EDGE));
    let mut bodies = Vec::new();
    for [x, y, z] in start {
        let body = BodyDef::free(Pose::from_translation(Vec3::new(*x, *y, *z))?);
        bodies.push(builder.body(body.with(shape.clone(), "steel").with_inertia(inertia))?);
    }
    let mut world = builder.build()?;
    let (mut wall, mut worst) = (Duration::ZERO, 0.0_f64);
    for look in 1..=STEPS / LOOK {
        let begin = Instant::now();
        world.advance_to(STEP * (look * LOOK) as f64)?;
        wall += begin.elapsed();
        let poses: Vec<Pose> = bodies.iter().map(|body| world.pose(*body)).collect();
        worst = worst.max(deepest(&shape, &poses));
    }
    let info = world.info();
    let count = info.contacts.unwrap_or_default();
    let share = |name: &str| {
        info.time_fractions.iter().find(|(stage, _)| stage == name).map_or(0.0, |(_, share)| *share)
    };
    Ok(Outcome {
        name: format!("zerogap {tolerance:.0e} m/s"),
        wall,
        worst,
        end: world.fastest(),
        note: format!(
            "{} of {} solves missed; {:.1} sweeps and {:.1} Newton steps a step; contacts {:.0} % of the time",
            count.unconverged,
            count.solves,
            count.sweeps as f64 / STEPS as f64,
            count.newton as f64 / STEPS as f64,
            100.0 * share("narrow phase and laws"),
        ),
    })
}

fn rapier(start: &[[f64; 3]]) -> Outcome {
    let gravity = Vector::new(0.0, 0.0, -9.81);
    let mut world = PhysicsWorld { gravity, ..PhysicsWorld::default() };
    world.integration_parameters.dt = STEP;
    let floor =
        ColliderBuilder::cuboid(50.0, 50.0, 0.5).translation(Vector::new(0.0, 0.0, -0.5)).friction(FRICTION);
    world.colliders.insert(floor);
    let mut handles = Vec::new();
    for [x, y, z] in start {
        let body = world
            .bodies
            .insert(RigidBodyBuilder::dynamic().translation(Vector::new(*x, *y, *z)).can_sleep(false));
        let half = 0.5 * EDGE;
        let collider = ColliderBuilder::cuboid(half, half, half).mass(1.0).friction(FRICTION);
        world.colliders.insert_with_parent(collider, body, &mut world.bodies);
        handles.push(body);
    }
    let shape = Shape::cuboid(Vec3::repeat(EDGE)).expect("a box");
    let (mut wall, mut worst, mut end) = (Duration::ZERO, 0.0_f64, 0.0_f64);
    for _ in 0..STEPS / LOOK {
        let begin = Instant::now();
        for _ in 0..LOOK {
            world.step();
        }
        wall += begin.elapsed();
        end = 0.0;
        let mut poses = Vec::new();
        for handle in &handles {
            let body = &world.bodies[*handle];
            let (p, r) = (body.translation(), body.rotation());
            let pose = Pose::new(Vec3::new(p.x, p.y, p.z), [r.x, r.y, r.z, r.w]);
            poses.push(pose.unwrap_or_else(|_| Pose::identity()));
            let (v, w) = (body.linvel(), body.angvel());
            end = end.max(speed(Vec3::new(v.x, v.y, v.z), Vec3::new(w.x, w.y, w.z)));
        }
        worst = worst.max(deepest(&shape, &poses));
    }
    Outcome {
        name: "rapier3d-f64".to_owned(),
        wall,
        worst,
        end,
        note: "its own defaults; sleeping off".to_owned(),
    }
}

/// Has Python run MuJoCo: centres go in, the time and all sampled poses come out.
fn mujoco(start: &[[f64; 3]]) -> Result<Outcome, Box<dyn Error>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/pile.py");
    let python = std::env::var("PEERS_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let arguments = [
        script.to_owned(),
        STEP.to_string(),
        STEPS.to_string(),
        LOOK.to_string(),
        EDGE.to_string(),
        FRICTION.to_string(),
    ];
    let mut child =
        Command::new(python).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        for [x, y, z] in start {
            writeln!(input, "{x:?} {y:?} {z:?}")?;
        }
    }
    let output = child.wait_with_output()?;
    let nothing = |note: &str| Outcome {
        name: "mujoco".to_owned(),
        wall: Duration::MAX,
        worst: f64::NAN,
        end: f64::NAN,
        note: note.to_owned(),
    };
    if !output.status.success() {
        return Ok(nothing("not there: PEERS_PYTHON names no Python with mujoco"));
    }
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [version, wall, end] = head[..] else { return Ok(nothing("its answer could not be read")) };
    let shape = Shape::cuboid(Vec3::repeat(EDGE))?;
    let mut worst = 0.0_f64;
    for line in lines {
        let numbers: Vec<f64> = line.split(' ').map(str::parse).collect::<Result<_, _>>()?;
        let poses: Result<Vec<Pose>, _> = numbers
            .chunks_exact(7)
            .map(|p| Pose::new(Vec3::new(p[0], p[1], p[2]), [p[4], p[5], p[6], p[3]]))
            .collect();
        worst = worst.max(deepest(&shape, &poses?));
    }
    Ok(Outcome {
        name: "mujoco".to_owned(),
        wall: Duration::from_secs_f64(wall.parse()?),
        worst,
        end: end.parse()?,
        note: format!("version {version}; its own defaults but friction"),
    })
}
