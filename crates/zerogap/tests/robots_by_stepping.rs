//! Public robot models left to themselves for two seconds, motors off: by time stepping at the step of the file nothing breaks, none gains energy and all contact problems are solved; by `auto` all finish.
//!
//! The models lie in `../shared/data/robots`; where that is absent the test says so and passes. Generated trees are tested in `crates/dynamics/tests/stepping`.
//!
//! `ZEROGAP_ROBOT` chooses models by a part of their names, `ZEROGAP_SECONDS` sets how long they run (2 for the numbers of docs/robots.md), `ZEROGAP_METHOD` the method, and `ZEROGAP_ROWS` prints a line of JSON for each,
//! which `bench/python/robot_models.py` puts beside `MuJoCo`'s times.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use zerogap::Vec3;
use zerogap::contact::material::{Material, PairProperties};
use zerogap::dynamics::multibody::{BodyId, JointKind};
use zerogap::geometry::shape::HalfSpace;
use zerogap::scene::{Base, RobotOptions, Scene, Without};
use zerogap::world::{EventLocation, MethodParams, ShapeDef, Stepping, World};

/// Energy that a model may seem to gain, against the largest change there was [-].
const GAINED: f64 = 1e-3;
/// Largest miss of the contact laws [m/s].
const TOLERANCE: f64 = 1e-6;
/// Height above the floor from which free bases fall [m].
const DROP: f64 = 0.05;
/// Time of the processor after which a model counts as hung.
const PATIENCE: Duration = Duration::from_mins(2);
/// Models that are known to fail; docs/robots.md names them.
const KNOWN: [&str; 0] = [];
/// Robots whose URDF stands on nothing: their base is free.
const FREE: [&str; 12] = [
    "solo",
    "hyq",
    "hector",
    "urdf/quadruped",
    "simple_humanoid",
    "anymal",
    "atlas",
    "husky",
    "minitaur",
    "r2d2",
    "a1",
    "laikago",
];

/// All model files below a folder, in order.
fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "xml" || ending == "urdf") {
            found.push(path);
        }
    }
}

/// The lowest point of all shapes of bodies at the start [m], and whether there is a floor already.
fn lowest(world: &World) -> (f64, bool) {
    let (mut lowest, mut has_floor) = (0.0_f64, false);
    for (shape, body, at, _) in world.placed_shapes() {
        let Ok(bounds) = shape.bounding_box() else {
            has_floor |= body.is_none();
            continue;
        };
        let place = body.map_or(*at, |body| world.pose(body) * *at);
        for k in 0..8 {
            let pick = |bit: usize, low: f64, high: f64| if k & bit == 0 { low } else { high };
            let (low, high) = (bounds.min, bounds.max);
            let corner = Vec3::new(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z));
            lowest = lowest.min(place.transform_point(&corner).z);
        }
    }
    (lowest, has_floor)
}

/// What a model is run by.
fn method(name: &str, step: f64) -> MethodParams {
    if name == "auto" {
        return MethodParams::Events(EventLocation::default());
    }
    MethodParams::Stepping(Stepping { step, tolerance: TOLERANCE, ..Stepping::default() })
}

/// A model that is left to itself.
struct Left {
    world: World,
    step: f64,
    /// Height of the floor that was put under it [m].
    floor: Option<f64>,
}

/// Loads a model with motors off, by a method, with a floor under free bases that have none; why it is refused.
fn load(path: &Path, name: &str, by: &str) -> Result<Left, String> {
    let is_urdf = path.extension().is_some_and(|ending| ending == "urdf");
    let base = if FREE.iter().any(|part| name.contains(part)) { Base::Free } else { Base::Fixed };
    let options = RobotOptions {
        base: is_urdf.then_some(base),
        without: Without { actuators: true, ..Without::default() },
        leave_out: true,
        repair: true,
        ignore_overlaps: true,
        ..RobotOptions::default()
    };
    let built = |floor: Option<f64>| -> Result<(World, f64), String> {
        let mut scene = Scene::read_with(path, &options).map_err(|error| error.message)?;
        let MethodParams::Events(events) = scene.builder.params().method else {
            return Err("a robot alone is run by events unless it is told otherwise".to_owned());
        };
        let step = if is_urdf { 1e-3 } else { events.step };
        scene.builder.set_method(method(by, step));
        if let Some(height) = floor {
            let words = |error: zerogap::world::WorldError| error.to_string();
            let ground = Material { young_modulus: 2e11, poisson_ratio: 0.3, density: 1e3 };
            scene.builder.material("a floor", ground).map_err(words)?;
            let plane = HalfSpace::new(Vec3::z(), height).map_err(|error| error.to_string())?;
            scene.builder.fixed(ShapeDef::new(plane.into(), "a floor")).map_err(words)?;
            let materials: Vec<String> =
                scene.builder.material_names().iter().map(|name| (*name).to_owned()).collect();
            let dull = PairProperties { restitution: 0.0, friction: 1.0, ..PairProperties::default() };
            for other in materials {
                scene.builder.pair("a floor", &other, dull).map_err(words)?;
            }
        }
        Ok((scene.build().map_err(|error| error.message)?, step))
    };
    let (world, step) = built(None)?;
    let is_free = |body: &BodyId| matches!(world.tree().joint(*body), JointKind::Free);
    let (low, has_floor) = lowest(&world);
    let needs = !has_floor && (0..world.names().len() as u32).map(BodyId).any(|body| is_free(&body));
    if !needs {
        return Ok(Left { world, step, floor: None });
    }
    let floor = low - DROP;
    Ok(Left { world: built(Some(floor))?.0, step, floor: Some(floor) })
}

/// The energy of a world without what carries weights: a potential that gravity compensation has [J].
fn energy(world: &World) -> f64 {
    let (tree, mut total) = (world.tree(), world.energy().total());
    for (body, part) in &world.forces().weight_compensation {
        let inertia = tree.inertia(*body);
        let center = world.pose(*body).transform_point(&inertia.center);
        total += part * inertia.mass * tree.gravity().dot(&center);
    }
    total
}

/// What this thread has had of the processor, where the system says so; else the time since the first call.
fn processor_time() -> Duration {
    static FIRST: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let first = *FIRST.get_or_init(Instant::now);
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split_whitespace().next()?.parse().ok());
    spent.map_or_else(|| first.elapsed(), Duration::from_nanos)
}

/// How a model did.
#[derive(Default)]
struct Outcome {
    reached: f64,
    steps: usize,
    /// Energy more than at the start [J], and against the largest loss [-].
    gained: f64,
    ratio: f64,
    unconverged: usize,
    solves: usize,
    seconds: f64,
    /// What is wrong; none where all is well.
    wrong: Option<String>,
}

fn run(left: &mut Left, seconds: f64) -> Outcome {
    let Left { world, step, .. } = left;
    let start = energy(world);
    let (mut low, mut high) = (start, start);
    let mut out = Outcome { steps: (seconds / *step).round() as usize, ..Outcome::default() };
    // A look every twentieth of the time: energies cost as much as a step.
    let every = (out.steps / 100).max(1);
    for k in (0..out.steps).step_by(every) {
        let t = *step * (k + every).min(out.steps) as f64;
        let begun = processor_time();
        let advanced = world.advance_to(t);
        out.seconds += processor_time().saturating_sub(begun).as_secs_f64();
        if let Err(error) = advanced {
            out.wrong = Some(error.to_string());
            break;
        }
        out.reached = world.time();
        let now = energy(world);
        if !now.is_finite() {
            out.wrong = Some(format!("its energy is {now} at {t} s"));
            break;
        }
        (low, high) = (low.min(now), high.max(now));
        if Duration::from_secs_f64(out.seconds) > PATIENCE {
            out.wrong = Some(format!("reached {} s in {:.0} s", out.reached, out.seconds));
            break;
        }
    }
    (out.gained, out.ratio) = (high - start, (high - start) / (start - low).max(1e-9));
    if let Some(contacts) = world.info().contacts {
        (out.unconverged, out.solves) = (contacts.unconverged, contacts.solves);
    }
    if out.wrong.is_none() && out.gained > 1e-6 && out.ratio > GAINED {
        out.wrong = Some(format!("gained {:e} J, {:.2e} of what it lost", out.gained, out.ratio));
    }
    if out.wrong.is_none() && out.unconverged > 0 {
        out.wrong = Some(format!("{} of {} solves unconverged", out.unconverged, out.solves));
    }
    out
}

#[test]
fn public_robots_that_are_left_to_themselves_gain_no_energy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/robots");
    let mut paths = Vec::new();
    models(&folder, &mut paths);
    if paths.is_empty() {
        println!("skipped: there is no {}", folder.display());
        return;
    }
    let asked = |name: &str| std::env::var(name).ok();
    let seconds = asked("ZEROGAP_SECONDS").and_then(|text| text.parse().ok()).unwrap_or(0.05);
    let by = asked("ZEROGAP_METHOD").unwrap_or_else(|| "stepping".to_owned());
    let (mut loaded, mut failed) = (0, Vec::new());
    for path in &paths {
        let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        if asked("ZEROGAP_ROBOT").is_some_and(|part| !name.contains(&part)) {
            continue;
        }
        let mut left = match load(path, &name, &by) {
            Ok(left) => left,
            Err(error) => {
                println!("{name}: refused: {error}");
                continue;
            }
        };
        loaded += 1;
        let out = run(&mut left, seconds);
        if asked("ZEROGAP_ROWS").is_some() {
            println!(
                "ROW {}",
                serde_json::json!({ "file": name, "method": by, "step": left.step, "floor": left.floor,
                    "reached": out.reached, "steps": out.steps, "seconds": out.seconds, "gained": out.gained, "ratio": out.ratio,
                    "unconverged": out.unconverged, "solves": out.solves, "wrong": out.wrong })
            );
        }
        if let Some(wrong) = out.wrong.filter(|_| !KNOWN.iter().any(|known| name.contains(known))) {
            failed.push(format!("{name}: {wrong}"));
        }
    }
    println!("{loaded} of {} models load", paths.len());
    assert!(failed.is_empty(), "{failed:#?}");
}
