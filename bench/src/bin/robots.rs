//! Robots under position control by time stepping: ours beside MuJoCo's `implicitfast`.
//!
//! An arm of 7 joints, a hand of 24 that closes on a ball, a quadruped and a humanoid (`scenes::ROBOTS`), steps of 1 ms. Every 10 ms both engines get the same targets, outside of the time. Both run one after the other, several times; the quickest
//! run of each counts, since whatever else the machine does only makes them slower. Times are of the processor, on one thread. `apart_rad` is how far the joint angles of both are apart after a tenth of a second, at most.
//!
//! MuJoCo runs from Python, see `pile`. Options: `--robot arm7,humanoid`, `--time 3` [s], `--repeats 5`, `--tolerances 1e-4,1e-6` [m/s], `--engines mujoco,zerogap`, `--name robots` of the result file.

use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use rayon::ThreadPoolBuilder;
use zerogap_bench::options::Options;
use zerogap_bench::scenes::{Drive, Joint, ROBOTS, Scene, build, make, mjcf};
use zerogap_bench::{Clock, Table, machine, peer_python};

/// Steps between two sets of targets.
const EVERY: usize = 10;
/// Sets of targets after which angles are compared: later ones differ by what contacts do, too.
const COMPARED: usize = 10;

/// Positions of a free body: its place and a quaternion [-].
const FREE_POSITIONS: usize = 7;

/// What an engine did.
#[derive(Debug, Clone, Default)]
struct Outcome {
    /// Time of all steps [s].
    seconds: f64,
    /// Contacts in the mean [-].
    contacts: f64,
    /// Positions of all joints when they are compared [m or rad].
    positions: Vec<f64>,
    /// Solves without convergence, or warnings of the peer.
    trouble: usize,
    version: String,
}

impl Outcome {
    fn quicker(self, other: Self) -> Self {
        if other.seconds > 0.0 && other.seconds < self.seconds { other } else { self }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::read(&["robot", "time", "repeats", "tolerances", "engines", "name"])?;
    let robots = options.list("robot", &ROBOTS.map(str::to_owned))?;
    let tolerances: Vec<f64> = options.list("tolerances", &[1e-4, 1e-6])?;
    let engines = options.list("engines", &["mujoco".to_owned(), "zerogap".to_owned()])?;
    let has = |name: &str| engines.iter().any(|engine| engine == name);
    let (time, repeats) = (options.value("time", 3.0)?, options.value("repeats", 5)?);
    let mut table = Table::new(&[
        "robot",
        "joints",
        "engine",
        "tolerance",
        "us/step",
        "ours/mujoco",
        "contacts",
        "apart_rad",
        "trouble",
        "note",
        "machine",
    ]);
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    for name in &robots {
        let scene = make(name, 1)?;
        let steps = (time / scene.step).round() as usize / EVERY * EVERY;
        let mut peer: Option<Outcome> = None;
        let mut own: Vec<Outcome> =
            vec![Outcome { seconds: f64::INFINITY, ..Outcome::default() }; tolerances.len()];
        for _ in 0..repeats {
            if has("mujoco") {
                let now = mujoco(&scene, steps)?;
                peer = match (peer, now) {
                    (Some(best), Some(now)) => Some(best.quicker(now)),
                    (best, now) => now.or(best),
                };
            }
            if has("zerogap") {
                for (best, tolerance) in own.iter_mut().zip(&tolerances) {
                    let now =
                        pool.install(|| ours(&scene, steps, *tolerance).map_err(|error| error.to_string()))?;
                    *best = std::mem::take(best).quicker(now);
                }
            }
        }
        let joints = scene.bodies.iter().filter(|body| matches!(body.joint, Joint::Hinge { .. })).count();
        let mut row = |engine: &str, tolerance: &str, outcome: &Outcome| {
            let per_step = |outcome: &Outcome| 1e6 * outcome.seconds / steps as f64;
            let against = peer.as_ref().map(|peer| peer.seconds / outcome.seconds);
            let apart = peer.as_ref().map(|peer| apart(&scene, &peer.positions, &outcome.positions));
            let text = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
            table.push(vec![
                name.clone(),
                joints.to_string(),
                engine.to_owned(),
                tolerance.to_owned(),
                format!("{:.2}", per_step(outcome)),
                text(against.map(|ratio| format!("{ratio:.2}"))),
                format!("{:.1}", outcome.contacts),
                text(apart.map(|apart| format!("{apart:.1e}"))),
                outcome.trouble.to_string(),
                outcome.version.clone(),
                machine(),
            ]);
        };
        if let Some(peer) = &peer {
            row("mujoco", "-", peer);
        }
        for (outcome, tolerance) in
            own.iter().zip(&tolerances).filter(|(outcome, _)| outcome.seconds.is_finite())
        {
            row("zerogap", &format!("{tolerance:.0e}"), outcome);
        }
    }
    table.save(options.text("name").unwrap_or("robots"))?;
    Ok(())
}

/// The largest difference of the angles of all hinges [rad].
fn apart(scene: &Scene, one: &[f64], other: &[f64]) -> f64 {
    let (mut place, mut apart) = (0, 0.0_f64);
    for body in &scene.bodies {
        if let Joint::Hinge { .. } = body.joint {
            apart = apart.max((one[place] - other[place]).abs());
            place += 1;
        } else {
            place += FREE_POSITIONS;
        }
    }
    apart
}

fn drives(scene: &Scene) -> impl Iterator<Item = (usize, Drive)> {
    scene.bodies.iter().enumerate().filter_map(|(k, body)| match body.joint {
        Joint::Hinge { drive, .. } => Some((k, drive)),
        _ => None,
    })
}

fn ours(scene: &Scene, steps: usize, tolerance: f64) -> Result<Outcome, Box<dyn Error>> {
    let (mut world, bodies) = build(scene, tolerance)?;
    let mut outcome = Outcome { version: "-".to_owned(), ..Outcome::default() };
    let looks = steps / EVERY;
    for look in 0..looks {
        let t = (look * EVERY) as f64 * scene.step;
        for (k, drive) in drives(scene) {
            world.set_motor(bodies[k], 0, drive.motor(t))?;
        }
        let clock = Clock::start();
        world.advance_to(((look + 1) * EVERY) as f64 * scene.step)?;
        outcome.seconds += clock.elapsed();
        outcome.contacts += world.contact_points().len() as f64 / looks as f64;
        if look + 1 == COMPARED {
            outcome.positions = world.positions().to_vec();
        }
    }
    outcome.trouble = world.info().contacts.unwrap_or_default().unconverged;
    Ok(outcome)
}

/// Has Python run MuJoCo; none where it is not there.
fn mujoco(scene: &Scene, steps: usize) -> Result<Option<Outcome>, Box<dyn Error>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/robots.py");
    let arguments = [script.to_owned(), steps.to_string(), EVERY.to_string()];
    let mut child =
        Command::new(peer_python()).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut text = String::new();
    for (_, drive) in drives(scene) {
        let Drive::Servo { swing: [middle, amplitude, rate, phase], .. } = drive else {
            return Err("a robot is driven by servos".into());
        };
        writeln!(text, "{middle:?} {amplitude:?} {rate:?} {phase:?}")?;
    }
    if let Some(mut input) = child.stdin.take() {
        // A process that is gone already says why by its status.
        let _ = write!(input, "{text}\n{}", mjcf::write(scene));
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        println!(
            "mujoco is not there: PEERS_PYTHON names no Python with mujoco, or it could not read the model"
        );
        return Ok(None);
    }
    let text = String::from_utf8(output.stdout)?;
    let mut lines = text.lines();
    let mut outcome =
        Outcome { version: format!("version {}", lines.next().unwrap_or_default()), ..Outcome::default() };
    for (look, line) in lines.enumerate() {
        let numbers: Vec<f64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [seconds, contacts, warnings, positions @ ..] = &numbers[..] else {
            return Err("a line of MuJoCo's run is cut".into());
        };
        outcome.seconds += seconds;
        outcome.contacts += contacts / (steps / EVERY) as f64;
        outcome.trouble = *warnings as usize;
        if look + 1 == COMPARED {
            outcome.positions = positions.to_vec();
        }
    }
    Ok(Some(outcome))
}
