//! Contact scenes by time stepping: ours beside MuJoCo and, where it has the shapes, rapier3d-f64.
//!
//! Every engine makes the same steps of 2 ms from the same start with its own defaults but friction, sleeping off. Every 20 ms its poses are taken, outside of the time: the deepest overlap is measured with exact gaps,
//! the same way for all, and the time of these steps counts as moving where the fastest point is above 0.05 m/s at their start or end, as rest where not. Our impulses are checked by a checker that shares no code
//! with the solver (`checked_m/s`, the natural map of the last solve before each look).
//!
//! MuJoCo runs from Python: the interpreter named by PEERS_PYTHON, or that of `.venv` in this folder, or `python3`; where it has no `mujoco`, its rows are missing and a line says so. Times on one thread are of the
//! processor, those on more are of the clock on the wall.
//!
//! Options: `--scene tilt0.5,wall`, `--seeds 1,2,3` (ten by default), `--time 3` [s], `--tolerances 1e-4,1e-6,1e-9` [m/s], `--threads 1,2` of ours, `--engines mujoco,rapier,zerogap`, `--wall 600` [s] that one run may
//! take, `--name pile` of the result file. `--growth` runs 125, 1000 and 8000 boxes and spheres instead (`--counts`), in five layers and heaped as a cube, at the first tolerance, and fits the exponent of the time per step.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rapier3d_f64::na::Unit;
use rapier3d_f64::prelude::{
    ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Rotation, Vector,
};
use rayon::ThreadPoolBuilder;
use zerogap::{Pose, Vec3};
use zerogap_bench::checker::{Misses, check};
use zerogap_bench::options::Options;
use zerogap_bench::scenes::penetration::Penetration;
use zerogap_bench::scenes::{Form, Joint, SCENES, STEP, Scene, build, make, mjcf};
use zerogap_bench::{Clock, Table, machine, peer_python};
use zerogap_core::math;

/// Steps between two looks.
const LOOK: usize = 10;
/// A scene rests below this speed of its fastest point [m/s].
const RESTING: f64 = 0.05;
/// Bodies up to which overlaps are measured.
const MEASURED: usize = 2000;
/// Sliding of the checker [m/s]; not used here.
const SLIDE: f64 = 1e-3;

/// Which engine, and how.
#[derive(Debug, Clone, PartialEq)]
enum Engine {
    Mujoco,
    Rapier,
    Zerogap { tolerance: f64, threads: usize },
}

impl Engine {
    fn describe(&self) -> [String; 3] {
        match self {
            Self::Mujoco => ["mujoco".to_owned(), "-".to_owned(), "1".to_owned()],
            Self::Rapier => ["rapier".to_owned(), "-".to_owned(), "1".to_owned()],
            Self::Zerogap { tolerance, threads } => {
                ["zerogap".to_owned(), format!("{tolerance:.0e}"), threads.to_string()]
            }
        }
    }
}

/// What an engine did with one seed, or with all of them.
#[derive(Debug, Clone, Default)]
struct Outcome {
    /// Steps and their time [s]: moving, resting.
    moving: (usize, f64),
    resting: (usize, f64),
    /// Deepest overlap at each look [m].
    depths: Vec<f64>,
    /// Poses at the first look.
    first: Vec<Pose>,
    /// Speed of the fastest point at the last look [m/s].
    speed: f64,
    solves: usize,
    unconverged: usize,
    newton: usize,
    /// Largest residual by the solver and by the checker [m/s].
    residual: f64,
    checked: Misses,
    is_cut: bool,
    note: String,
}

impl Outcome {
    /// Counts the steps of a look by the speeds at its start and end.
    fn add(&mut self, seconds: f64, speed: f64) {
        let is_moving = self.speed > RESTING || speed > RESTING;
        let (steps, time) = if is_moving { &mut self.moving } else { &mut self.resting };
        *steps += LOOK;
        *time += seconds;
        self.speed = speed;
    }

    /// Measures overlaps at the poses of a look.
    fn look(&mut self, penetration: &Penetration, poses: Vec<Pose>) {
        self.depths.push(penetration.deepest(&poses));
        if self.first.is_empty() {
            self.first = poses;
        }
    }

    fn steps(&self) -> usize {
        self.moving.0 + self.resting.0
    }
}

/// What is asked of every run.
struct Task<'a> {
    scene: &'a Scene,
    penetration: Option<Penetration>,
    steps: usize,
    wall: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let known =
        ["scene", "seeds", "time", "tolerances", "threads", "engines", "wall", "name", "growth!", "counts"];
    let options = Options::read(&known)?;
    if options.has("growth") { grow(&options) } else { compare(&options) }
}

/// The settings of the engines that are asked for; the peers come first, so that ours can be set against them.
fn engines(options: &Options) -> Result<Vec<Engine>, Box<dyn Error>> {
    let all = ["mujoco", "rapier", "zerogap"].map(str::to_owned);
    let names = options.list("engines", &all)?;
    let tolerances = options.list("tolerances", &[1e-4, 1e-6, 1e-9])?;
    let threads = options.list("threads", &[1, 2])?;
    let mut engines = Vec::new();
    for name in &names {
        match name.as_str() {
            "mujoco" => engines.push(Engine::Mujoco),
            "rapier" => engines.push(Engine::Rapier),
            "zerogap" => {
                for threads in &threads {
                    let of = |tolerance: &f64| Engine::Zerogap { tolerance: *tolerance, threads: *threads };
                    engines.extend(tolerances.iter().map(of));
                }
            }
            _ => return Err(format!("no engine {name}; there are {}", all.join(", ")).into()),
        }
    }
    Ok(engines)
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    let scenes = options.list("scene", &SCENES.map(str::to_owned))?;
    let seeds: Vec<u64> = options.list("seeds", &(1..=10).collect::<Vec<_>>())?;
    let engines = engines(options)?;
    let mut table = Table::new(&[
        "scene",
        "engine",
        "tolerance",
        "threads",
        "seeds",
        "bodies",
        "moving_steps",
        "moving_steps/s",
        "rest_steps",
        "rest_steps/s",
        "ours/mujoco",
        "deepest_mm",
        "mujoco_deeper",
        "first_off_mm",
        "unconverged",
        "solves",
        "newton/solve",
        "residual_m/s",
        "checked_m/s",
        "end_m/s",
        "cut",
        "note",
        "machine",
    ]);
    let machine = machine();
    for name in &scenes {
        let mut peers: Option<Vec<Outcome>> = None;
        for engine in &engines {
            let mut runs = Vec::new();
            for seed in &seeds {
                let scene = make(name, *seed)?;
                match run(engine, &task(&scene, options)?)? {
                    Some(outcome) => runs.push(outcome),
                    None => break,
                }
            }
            if runs.is_empty() {
                continue;
            }
            if *engine == Engine::Mujoco {
                peers = Some(runs.clone());
            }
            let bodies = make(name, seeds[0])?.bodies.len();
            let mut row = vec![name.clone()];
            row.extend(engine.describe());
            row.extend([runs.len().to_string(), bodies.to_string()]);
            row.extend(describe(&runs, peers.as_deref()));
            row.push(machine.clone());
            table.push(row);
        }
    }
    table.save(options.text("name").unwrap_or("pile"))?;
    Ok(())
}

fn task<'a>(scene: &'a Scene, options: &Options) -> Result<Task<'a>, Box<dyn Error>> {
    let is_measured = scene.bodies.len() <= MEASURED;
    Ok(Task {
        scene,
        penetration: if is_measured { Some(Penetration::new(scene)?) } else { None },
        steps: (options.value("time", 3.0)? / STEP).round() as usize,
        wall: Duration::from_secs_f64(options.value("wall", 600.0)?),
    })
}

/// Runs a scene; none where the engine cannot.
fn run(engine: &Engine, task: &Task<'_>) -> Result<Option<Outcome>, Box<dyn Error>> {
    match engine {
        Engine::Mujoco => mujoco(task),
        Engine::Rapier => Ok(rapier(task)),
        Engine::Zerogap { tolerance, threads } => {
            let pool = ThreadPoolBuilder::new().num_threads(*threads).build()?;
            // All of it on a thread of the pool: parallel work stays there.
            let outcome =
                pool.install(|| ours(task, *tolerance, *threads).map_err(|error| error.to_string()));
            Ok(Some(outcome?))
        }
    }
}

/// The columns that tell of runs with all seeds.
fn describe(runs: &[Outcome], peers: Option<&[Outcome]>) -> Vec<String> {
    let sum = |of: &dyn Fn(&Outcome) -> usize| runs.iter().map(of).sum::<usize>();
    let rate = |runs: &[Outcome], of: &dyn Fn(&Outcome) -> (usize, f64)| {
        let all = runs.iter().map(of).fold((0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
        (all.0, all.0 as f64 / all.1)
    };
    let (moving, resting) = (rate(runs, &|run| run.moving), rate(runs, &|run| run.resting));
    let text = |(steps, rate): (usize, f64)| {
        if steps > 0 { format!("{rate:.0}") } else { "-".to_owned() }
    };
    let most = |of: &dyn Fn(&Outcome) -> f64| runs.iter().map(of).fold(0.0, f64::max);
    let deepest = |run: &Outcome, looks: usize| run.depths.iter().take(looks).copied().fold(0.0, f64::max);
    let depth = most(&|run| deepest(run, usize::MAX));
    // Against the peer at equal instants: where one was cut, up to there.
    let (mut own, mut other) = (0.0_f64, 0.0_f64);
    for (run, peer) in runs.iter().zip(peers.unwrap_or_default()) {
        let looks = run.depths.len().min(peer.depths.len());
        own = own.max(deepest(run, looks));
        other = other.max(deepest(peer, looks));
    }
    // Where bodies are at the first look against the peer: the same start gives nearly the same.
    let off = |run: &Outcome, peer: &Outcome| {
        let pairs = run.first.iter().zip(&peer.first);
        pairs.map(|(a, b)| (a.translation() - b.translation()).norm()).fold(0.0, f64::max)
    };
    let first_off =
        runs.iter().zip(peers.unwrap_or_default()).map(|(run, peer)| off(run, peer)).fold(0.0, f64::max);
    let against = peers.map(|peers| moving.1 / rate(peers, &|run| run.moving).1);
    let (solves, newton) = (sum(&|run| run.solves), sum(&|run| run.newton));
    let of_solves = |text: String| if solves > 0 { text } else { "-".to_owned() };
    let checked = runs.iter().fold(Misses::default(), |worst, run| worst.and(&run.checked));
    vec![
        moving.0.to_string(),
        text(moving),
        resting.0.to_string(),
        text(resting),
        against.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
        format!("{:.2e}", 1e3 * depth),
        peers.map_or("-".to_owned(), |_| format!("{:.1e}", other / own)),
        peers.map_or("-".to_owned(), |_| format!("{:.2e}", 1e3 * first_off)),
        of_solves(sum(&|run| run.unconverged).to_string()),
        of_solves(solves.to_string()),
        of_solves(format!("{:.1}", newton as f64 / solves as f64)),
        of_solves(format!("{:.1e}", most(&|run| run.residual))),
        of_solves(format!("{:.1e}", checked.natural)),
        format!("{:.1e}", most(&|run| run.speed)),
        runs.iter().filter(|run| run.is_cut).count().to_string(),
        runs[0].note.clone(),
    ]
}

/// The speed that no point of any body exceeds [m/s].
fn fastest(scene: &Scene, motion: impl Iterator<Item = (Vec3, Vec3)>) -> f64 {
    let speeds = scene.bodies.iter().zip(motion);
    speeds.map(|(body, (linear, angular))| linear.norm() + angular.norm() * body.reach()).fold(0.0, f64::max)
}

fn ours(task: &Task<'_>, tolerance: f64, threads: usize) -> Result<Outcome, Box<dyn Error>> {
    let (mut world, _) = build(task.scene, tolerance)?;
    let mut outcome = Outcome::default();
    let begin = Instant::now();
    for look in 1..=task.steps / LOOK {
        let (clock, wall) = (Clock::start(), Instant::now());
        for step in (look - 1) * LOOK + 1..=look * LOOK {
            // The last step before a look keeps its problem for the checker.
            world.keep_contact_problems(step == look * LOOK);
            world.advance_to(STEP * step as f64)?;
            if begin.elapsed() > task.wall {
                outcome.is_cut = true;
                break;
            }
        }
        let seconds = if threads == 1 { clock.elapsed() } else { wall.elapsed().as_secs_f64() };
        if outcome.is_cut {
            break;
        }
        let states = world.body_states();
        outcome.add(seconds, fastest(task.scene, states.iter().map(|(_, v, w)| (*v, *w))));
        if let Some(penetration) = &task.penetration {
            outcome.look(penetration, states.iter().map(|(pose, ..)| *pose).collect());
        }
        if let Some(captured) = world.contact_problem() {
            let worst = check(&captured.problem, &captured.found, SLIDE).worst;
            outcome.checked = outcome.checked.and(&worst);
        }
    }
    let count = world.info().contacts.unwrap_or_default();
    outcome.solves = count.solves;
    outcome.unconverged = count.unconverged;
    outcome.newton = count.newton;
    outcome.residual = count.residual;
    Ok(outcome)
}

/// Has Python run MuJoCo; none where it is not there.
fn mujoco(task: &Task<'_>) -> Result<Option<Outcome>, Box<dyn Error>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/pile.py");
    let python = peer_python();
    let arguments = [
        script.to_owned(),
        task.steps.to_string(),
        LOOK.to_string(),
        task.wall.as_secs_f64().to_string(),
        u8::from(task.penetration.is_some()).to_string(),
    ];
    let mut child =
        Command::new(python).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        let reach: Vec<String> = task.scene.bodies.iter().map(|body| format!("{:?}", body.reach())).collect();
        // A process that is gone already says why by its status.
        let _ = writeln!(input, "{}\n{}", reach.join(" "), mjcf::write(task.scene));
    }
    let Some(output) = child.stdout.take() else { return Ok(None) };
    let mut lines = BufReader::new(output).lines();
    let mut outcome = Outcome::default();
    if let Some(version) = lines.next() {
        outcome.note = format!("version {}", version?);
    }
    while let Some(line) = lines.next() {
        let numbers = read_numbers(&line?)?;
        let [seconds, speed, _] = numbers[..] else { return Err("a line of MuJoCo's run is cut".into()) };
        outcome.add(seconds, speed);
        if let Some(penetration) = &task.penetration {
            let numbers = read_numbers(&lines.next().unwrap_or_else(|| Ok(String::new()))?)?;
            let poses: Result<Vec<Pose>, _> = numbers
                .chunks_exact(7)
                .map(|p| Pose::new(Vec3::new(p[0], p[1], p[2]), [p[3], p[4], p[5], p[6]]))
                .collect();
            outcome.look(penetration, poses?);
        }
    }
    if !child.wait()?.success() || outcome.note.is_empty() {
        println!(
            "mujoco is not there: PEERS_PYTHON names no Python with mujoco, or it could not read the model"
        );
        return Ok(None);
    }
    outcome.is_cut = outcome.steps() < task.steps / LOOK * LOOK;
    Ok(Some(outcome))
}

fn read_numbers(line: &str) -> Result<Vec<f64>, std::num::ParseFloatError> {
    line.split_whitespace().map(str::parse).collect()
}

/// Runs rapier; none where the scene has forms or joints that are not written for it here.
fn rapier(task: &Task<'_>) -> Option<Outcome> {
    let scene = task.scene;
    let gravity = Vector::new(0.0, 0.0, -9.81);
    let mut world = PhysicsWorld { gravity, ..PhysicsWorld::default() };
    world.integration_parameters.dt = STEP;
    for piece in &scene.fixed {
        if piece.form != Form::Floor {
            return None;
        }
        let n = piece.pose.transform_vector(&Vec3::z());
        let at = piece.pose.translation();
        let collider = ColliderBuilder::halfspace(Unit::new_unchecked(Vector::new(n.x, n.y, n.z)))
            .translation(Vector::new(at.x, at.y, at.z))
            .friction(scene.friction);
        world.colliders.insert(collider);
    }
    let mut handles: Vec<RigidBodyHandle> = Vec::new();
    for body in &scene.bodies {
        let [piece] = &body.pieces[..] else { return None };
        if body.joint != Joint::Free || piece.pose != Pose::identity() {
            return None;
        }
        let collider = match &piece.form {
            Form::Box(size) => ColliderBuilder::cuboid(0.5 * size.x, 0.5 * size.y, 0.5 * size.z),
            Form::Sphere(radius) => ColliderBuilder::ball(*radius),
            _ => return None,
        };
        let (p, [x, y, z, w], v) = (body.pose.translation(), body.pose.quaternion_xyzw(), body.velocity);
        let spin = body.pose.transform_vector(&Vec3::new(v[3], v[4], v[5]));
        let handle = world.bodies.insert(
            RigidBodyBuilder::dynamic()
                .translation(Vector::new(p.x, p.y, p.z))
                .rotation(Rotation::from_xyzw(x, y, z, w).to_scaled_axis())
                .linvel(Vector::new(v[0], v[1], v[2]))
                .angvel(Vector::new(spin.x, spin.y, spin.z))
                .can_sleep(false),
        );
        let collider = collider.mass(body.inertia.mass).friction(scene.friction);
        world.colliders.insert_with_parent(collider, handle, &mut world.bodies);
        handles.push(handle);
    }
    let mut outcome = Outcome::default();
    let begin = Instant::now();
    for _ in 0..task.steps / LOOK {
        let clock = Clock::start();
        for _ in 0..LOOK {
            world.step();
        }
        let seconds = clock.elapsed();
        let bodies = handles.iter().map(|handle| &world.bodies[*handle]);
        let poses: Vec<Pose> = bodies
            .clone()
            .map(|body| {
                let (p, r) = (body.translation(), body.rotation());
                Pose::new(Vec3::new(p.x, p.y, p.z), [r.x, r.y, r.z, r.w]).unwrap_or_else(|_| Pose::identity())
            })
            .collect();
        let motion = bodies.map(|body| {
            let (v, w) = (body.linvel(), body.angvel());
            (Vec3::new(v.x, v.y, v.z), Vec3::new(w.x, w.y, w.z))
        });
        outcome.add(seconds, fastest(scene, motion));
        if let Some(penetration) = &task.penetration {
            outcome.look(penetration, poses);
        }
        if begin.elapsed() > task.wall {
            outcome.is_cut = outcome.steps() < task.steps / LOOK * LOOK;
            break;
        }
    }
    Some(outcome)
}

/// Time per step by number of bodies, and its exponent.
fn grow(options: &Options) -> Result<(), Box<dyn Error>> {
    let counts: Vec<usize> = options.list("counts", &[125, 1000, 8000])?;
    let seeds: Vec<u64> = options.list("seeds", &[1])?;
    let scenes = options.list(
        "scene",
        &["layers-boxes", "layers-spheres", "cube-boxes", "cube-spheres"].map(str::to_owned),
    )?;
    let mut engines = engines(options)?;
    // Growth is measured at one tolerance.
    let first = engines.iter().find_map(|engine| match engine {
        Engine::Zerogap { tolerance, .. } => Some(*tolerance),
        _ => None,
    });
    engines.retain(|engine| match engine {
        Engine::Zerogap { tolerance, .. } => Some(*tolerance) == first,
        _ => true,
    });
    let mut table = Table::new(&[
        "scene",
        "engine",
        "tolerance",
        "threads",
        "bodies",
        "steps",
        "ms/step",
        "moving_ms/step",
        "unconverged",
        "solves",
        "residual_m/s",
        "deepest_mm",
        "cut",
        "exponent",
        "machine",
    ]);
    for name in &scenes {
        for engine in &engines {
            let mut points: Vec<(f64, f64)> = Vec::new();
            for count in &counts {
                let mut all = Vec::new();
                let mut bodies = 0;
                for seed in &seeds {
                    let scene = make(&format!("{name}-{count}"), *seed)?;
                    bodies = scene.bodies.len();
                    all.extend(run(engine, &task(&scene, options)?)?);
                }
                if all.is_empty() {
                    continue;
                }
                let sum = |of: &dyn Fn(&Outcome) -> (usize, f64)| {
                    let all = all.iter().map(of).fold((0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
                    1e3 * all.1 / all.0 as f64
                };
                let each = sum(&|run| (run.steps(), run.moving.1 + run.resting.1));
                points.push((math::ln(bodies as f64), math::ln(each)));
                let depth = all.iter().flat_map(|run| &run.depths).copied().fold(0.0, f64::max);
                let mut row = vec![name.clone()];
                row.extend(engine.describe());
                row.extend([
                    bodies.to_string(),
                    all.iter().map(Outcome::steps).sum::<usize>().to_string(),
                    format!("{each:.3}"),
                    format!("{:.3}", sum(&|run| run.moving)),
                    all.iter().map(|run| run.unconverged).sum::<usize>().to_string(),
                    all.iter().map(|run| run.solves).sum::<usize>().to_string(),
                    format!("{:.1e}", all.iter().map(|run| run.residual).fold(0.0, f64::max)),
                    format!("{:.2e}", 1e3 * depth),
                    all.iter().filter(|run| run.is_cut).count().to_string(),
                    slope(&points).map_or("-".to_owned(), |slope| format!("{slope:.2}")),
                    machine(),
                ]);
                table.push(row);
            }
        }
    }
    let name = options.text("name").unwrap_or("pile-growth");
    table.save(name)?;
    Ok(())
}

/// The slope of the straight line nearest to points; none where there are too few.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    if points.len() < 2 {
        return None;
    }
    let count = points.len() as f64;
    let mean = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
    let (mut up, mut along) = (0.0, 0.0);
    for (x, y) in points {
        up += (x - mean.0) * (y - mean.1);
        along += (x - mean.0) * (x - mean.0);
    }
    (along > 0.0).then(|| up / along)
}
