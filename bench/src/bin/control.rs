//! Error-controlled time stepping: error against `rtol`, and what steps of one length cost for the same error.
//!
//! Six scenes, each until 50 ms after its first impact: the error of a run is the largest displacement of any point of a body from the same run at `rtol` / 100, relative to the size of the body. Work is the number of steps that were computed, of
//! rejected ones and of both estimates too, and the time of the processor. Steps of one length are compared with the finest controlled run; the row of each `rtol` names the first of them (halved from 16 ms) that is at least as good, or none down to the shortest.

use std::error::Error;
use std::path::Path;

use zerogap::Pose;
use zerogap::scene::{Scene, built_in};
use zerogap::world::{ErrorControl, EventKind, Stepping, World};
use zerogap_bench::{Clock, Table};

/// Measured until this long after the first impact [s].
const AFTER: f64 = 0.05;
/// Impulse that counts as an impact [N s].
const IMPACT: f64 = 1e-6;
/// Tolerances of each scene: 10 to the power of the coarsest, and how many decades. References of the last ones at a hundredth of 1e-5 take long.
const SCENES: [(&str, i32, usize); 6] = [
    ("ball", -2, 4),
    ("slope", -2, 4),
    ("gripper", -2, 3),
    ("tower", -1, 3),
    ("card-house", -1, 2),
    ("pile", -1, 3),
];
/// Steps of one length: the longest [s], and how often it is halved.
const LONGEST: f64 = 16e-3;
const HALVINGS: i32 = 14;
/// Steps of one length take no longer than this in all [s].
const PATIENCE: f64 = 10.0;

/// A run until shortly after its first impact.
struct Run {
    poses: Vec<Pose>,
    steps: usize,
    rejected: usize,
    computed: usize,
    solves: usize,
    unresolved: usize,
    time: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    let mut table = Table::new(&[
        "scene",
        "rtol",
        "error",
        "slope",
        "steps",
        "rejected",
        "computed",
        "solves",
        "unresolved",
        "time_ms",
        "fixed_step",
        "fixed_error",
        "fixed_steps",
        "fixed_solves",
        "fixed_time_ms",
    ]);
    for (name, coarsest, decades) in SCENES {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            measure(name, (coarsest, decades), &mut table)?;
        }
    }
    if chosen.is_empty() {
        table.save("control")?;
    }
    Ok(())
}

fn measure(name: &str, (coarsest, decades): (i32, usize), table: &mut Table) -> Result<(), Box<dyn Error>> {
    let until = first_impact(name)? + AFTER;
    let runs: Vec<Run> = (0..=decades as i32 + 2)
        .map(|k| run(name, controlled(coarsest - k), until))
        .collect::<Result<_, _>>()?;
    let sizes = sizes(name)?;
    let best = &runs[runs.len() - 1];
    let errors: Vec<f64> =
        (0..=decades).map(|k| distance(&runs[k].poses, &runs[k + 2].poses, &sizes)).collect();

    // Steps of one length, until they are as good as the best or take too long.
    let mut fixed: Vec<(f64, f64, Run)> = Vec::new();
    let mut spent = 0.0;
    for halving in 0..=HALVINGS {
        let step = LONGEST * 0.5_f64.powi(halving);
        let made = run(name, Stepping { step, ..Stepping::default() }, until)?;
        let error = distance(&made.poses, &best.poses, &sizes);
        spent += made.time;
        fixed.push((step, error, made));
        if error <= errors[errors.len() - 1] || 2.0 * spent > PATIENCE {
            break;
        }
    }
    for k in 0..=decades {
        let power = coarsest - k as i32;
        let Run { steps, rejected, computed, solves, unresolved, time, .. } = runs[k];
        let slope =
            if k == 0 { String::new() } else { format!("{:.2}", (errors[k - 1] / errors[k]).log10()) };
        let mut row = vec![
            name.to_owned(),
            format!("1e{power}"),
            format!("{:.2e}", errors[k]),
            slope,
            steps.to_string(),
            rejected.to_string(),
            computed.to_string(),
            solves.to_string(),
            unresolved.to_string(),
            format!("{:.2}", 1e3 * time),
        ];
        // The longest steps from which on all shorter ones are as good: a lucky one says nothing.
        let good = fixed.iter().rposition(|(_, error, _)| *error > errors[k]).map_or(0, |last| last + 1);
        row.extend(match fixed.get(good) {
            Some((step, error, made)) => vec![
                format!("{step:.1e}"),
                format!("{error:.2e}"),
                made.steps.to_string(),
                made.solves.to_string(),
                format!("{:.2}", 1e3 * made.time),
            ],
            None => {
                let (step, error, made) = &fixed[fixed.len() - 1];
                vec![
                    format!("<{step:.1e}"),
                    format!("{error:.2e}"),
                    format!(">{}", made.steps),
                    String::new(),
                    String::new(),
                ]
            }
        });
        table.push(row);
    }
    Ok(())
}

fn controlled(power: i32) -> Stepping {
    let control = Some(ErrorControl { rtol: 10.0_f64.powi(power), max_step: 0.1 });
    Stepping { control, ..Stepping::default() }
}

fn world(name: &str, stepping: Stepping) -> Result<World, Box<dyn Error>> {
    let text = match built_in().iter().find(|(known, _)| *known == name) {
        Some((_, text)) => (*text).to_owned(),
        None => {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenes/precision");
            std::fs::read_to_string(folder.join(format!("{name}.toml")))?
        }
    };
    let mut scene = Scene::parse(&text, name, Path::new(""))?;
    scene.builder.set_method(stepping);
    Ok(scene.builder.build()?)
}

/// The time of the first impact [s].
fn first_impact(name: &str) -> Result<f64, Box<dyn Error>> {
    let mut world = world(name, controlled(-5))?;
    let is_impact = |what: &EventKind| matches!(what, EventKind::Impact { impulse, .. } if *impulse > IMPACT);
    loop {
        world.advance_to(world.time() + 0.01)?;
        if let Some(event) = world.events().iter().find(|event| is_impact(&event.what)) {
            return Ok(event.t);
        }
        if world.time() > 5.0 {
            return Err(format!("{name} has no impact").into());
        }
    }
}

fn run(name: &str, stepping: Stepping, until: f64) -> Result<Run, Box<dyn Error>> {
    let mut world = world(name, stepping)?;
    let clock = Clock::start();
    world.advance_to(until)?;
    let time = clock.elapsed();
    let info = world.info();
    let computed = if info.unresolved.is_some() { info.evaluations } else { info.steps };
    Ok(Run {
        poses: world.body_states().iter().map(|state| state.0).collect(),
        steps: info.steps,
        rejected: info.rejected,
        computed,
        solves: info.contacts.map_or(0, |count| count.solves),
        unresolved: info.unresolved.unwrap_or(0),
        time,
    })
}

/// Largest distance of a point from the origin of each body [m].
fn sizes(name: &str) -> Result<Vec<f64>, Box<dyn Error>> {
    let world = world(name, Stepping::default())?;
    let mut sizes = vec![0.0_f64; world.body_states().len()];
    for (shape, body, at, _) in world.placed_shapes() {
        let bounds = zerogap::proximity::collider::ColliderViews::new(shape.clone());
        if let (Some(body), Some(extent)) = (body, bounds.exact().extent()) {
            let reach = at.transform_point(&extent.ball.center).norm() + extent.ball.radius;
            sizes[body.index()] = sizes[body.index()].max(reach);
        }
    }
    Ok(sizes)
}

/// The largest distance between two states, relative to the size of each body [-].
fn distance(one: &[Pose], other: &[Pose], sizes: &[f64]) -> f64 {
    let off = |((one, other), size): ((&Pose, &Pose), &f64)| {
        (one.translation() - other.translation()).norm() / size + one.rotation_vector_from(other).norm()
    };
    one.iter().zip(other).zip(sizes).map(off).fold(0.0, f64::max)
}
