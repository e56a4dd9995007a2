//! Public robots and the facts and motions that `MuJoCo` has of them: what loads, what is refused and why.
//!
//! The models and `reference.json` lie in `../shared/data/robots`; where that is absent the tests say so and pass. Small generated files test every feature in `robots_features.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::integrate::Tolerance;
use zerogap_scene::{Base, RobotDescription, RobotOptions, Scene, Without};
use zerogap_simulation::world::{EventLocation, MethodParams, Overlaps, Stepping, World};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/robots")
}

/// The reference, or none with a message.
fn reference() -> Option<Value> {
    let Ok(text) = std::fs::read_to_string(folder().join("reference.json")) else {
        println!("skipped: there is no {}", folder().display());
        return None;
    };
    Some(serde_json::from_str(&text).unwrap())
}

fn options(name: &str) -> RobotOptions {
    let base = name.starts_with("urdf").then_some(Base::Fixed);
    RobotOptions { base, ..RobotOptions::default() }
}

fn is_asked(name: &str) -> bool {
    std::env::var("ZEROGAP_ROBOT").map_or(true, |part| name.contains(&part))
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().map(|list| list.iter().map(|x| x.as_f64().unwrap()).collect()).unwrap_or_default()
}

/// What of the facts differs.
fn differences(known: &Value, robot: &RobotDescription, of_meshes: bool) -> Vec<String> {
    let mut found = Vec::new();
    // The reference keeps vertices of meshes in single precision: a mass that follows from one is off by that.
    let close = if of_meshes { 2e-8 } else { 1e-9 };
    let counts = [
        ("nq", robot.positions),
        ("nv", robot.velocities),
        ("nu", robot.actuators.len()),
        ("na", robot.activations),
        ("nbody", robot.bodies.len() + 1),
        ("njnt", robot.joints.len()),
        ("neq", robot.equalities),
        ("ntendon", robot.tendons.len()),
        ("nsensor", robot.sensors.len()),
        ("nkey", robot.keyframes.len()),
        ("npair", robot.pairs),
        ("nexclude", robot.excludes),
        ("nmocap", robot.mocap_bodies),
        ("ngeom", robot.geoms),
    ];
    for (name, count) in counts {
        if known[name].as_u64() != Some(count as u64) {
            found.push(format!("{name} {count}, not {}", known[name]));
        }
    }
    let total: f64 = robot.bodies.iter().map(|body| body.mass).sum();
    let expected = known["total_mass"].as_f64().unwrap();
    if (total - expected).abs() > close * expected {
        found.push(format!("mass {total}, not {expected}"));
    }
    let by_name: BTreeMap<&str, &Value> = known["bodies"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|body| Some((body["name"].as_str()?, body)))
        .filter(|(name, _)| !name.is_empty())
        .collect();
    for body in &robot.bodies {
        let Some(known) = by_name.get(body.name.as_str()) else { continue };
        let mass = known["mass"].as_f64().unwrap();
        if (body.mass - mass).abs() > close * mass.max(1e-12) {
            found.push(format!("{}: mass {}, not {mass}", body.name, body.mass));
        }
        let (i, p, q) = (list(&known["inertia"]), list(&known["ipos"]), list(&known["iquat"]));
        let turn = Pose::new(Vec3::zeros(), [q[1], q[2], q[3], q[0]]).unwrap().rotation_matrix();
        let inertia = turn * Mat3::from_diagonal(&Vec3::new(i[0], i[1], i[2])) * turn.transpose();
        let scale = inertia.norm().max(1e-12);
        if (body.inertia - inertia).norm() > 1e-6 * scale {
            found.push(format!(
                "{}: inertia off by {:.1e}",
                body.name,
                (body.inertia - inertia).norm() / scale
            ));
        }
        let apart = (body.center - Vec3::new(p[0], p[1], p[2])).norm();
        if apart > 1e-6 * (1.0 + body.center.norm()) && mass > 0.0 {
            found.push(format!("{}: centre off by {apart:.1e} m", body.name));
        }
    }
    found
}

/// Pairs of bodies that touch or overlap where the file starts, and those that the reference has.
fn contacts(name: &str, known: &Value) -> Option<Vec<String>> {
    let mut scene = Scene::read_with(
        &folder().join(name),
        &RobotOptions { without: Without { limits: true, ..Without::default() }, ..options(name) },
    )
    .ok()?;
    let robot = scene.robots[0].clone();
    let key = known["contacts"]["at"].as_str().unwrap_or_default();
    let positions = if key.starts_with("keyframe") {
        let own = key.trim_start_matches("keyframe").trim().trim_matches('\'');
        let known = known["keyframes"].as_array()?;
        let key = known.iter().find(|key| key["name"].as_str() == Some(own)).or(known.first())?;
        list(&key["qpos"])
    } else {
        list(&known["qpos0"])
    };
    for (body, positions) in robot.joint_positions(&positions)? {
        scene.builder.start(body, Some(positions), None);
    }
    scene.builder.set_overlaps(Overlaps::Exclude);
    let world = match scene.build() {
        Ok(world) => world,
        Err(error) => return Some(vec![format!("contacts: does not build: {}", error.message)]),
    };
    let body_of =
        |shape| world.body_of(shape).map_or("world".to_owned(), |body| world.names()[body.index()].clone());
    let pair = |a: String, b: String| if a < b { (a, b) } else { (b, a) };
    let own: BTreeSet<(String, String)> =
        world.start_overlaps().excluded.iter().map(|(p, _)| pair(body_of(p.a), body_of(p.b))).collect();
    let expected: BTreeSet<(String, String)> = known["contacts"]["body_pairs"]
        .as_array()?
        .iter()
        .map(|one| {
            let body = |k: usize| one["bodies"][k].as_str().unwrap_or("world").to_owned();
            pair(body(0), body(1))
        })
        .collect();
    // What only touches may be a contact or none.
    let is_deep = |one: &&Value| one["min_dist"].as_f64().is_some_and(|gap| gap < -1e-9);
    let all = known["contacts"]["body_pairs"].as_array()?.iter();
    let deep: BTreeSet<(String, String)> = all
        .filter(is_deep)
        .map(|one| {
            let body = |k: usize| one["bodies"][k].as_str().unwrap_or("world").to_owned();
            pair(body(0), body(1))
        })
        .collect();
    let mut found = Vec::new();
    for (a, b) in own.difference(&expected).take(4) {
        found.push(format!("only here: {a} and {b}"));
    }
    for (a, b) in deep.difference(&own).take(4) {
        found.push(format!("only there: {a} and {b}"));
    }
    Some(found)
}

/// How a file is loaded at the first try that succeeds.
fn load(name: &str, without: Without) -> Result<(&'static str, Scene), String> {
    let plain = RobotOptions { without, ..options(name) };
    let second = if name.starts_with("urdf") {
        ("loads with repair", RobotOptions { repair: true, ..plain.clone() })
    } else {
        ("loads with leave_out", RobotOptions { leave_out: true, ..plain.clone() })
    };
    let path = folder().join(name);
    let first = Scene::read_with(&path, &plain).map(|scene| ("loads", scene));
    first.or_else(|error| {
        Scene::read_with(&path, &second.1).map(|scene| (second.0, scene)).map_err(|_| error.message)
    })
}

/// Files that `MuJoCo` refuses too, or that need a mesh format or a macro that is not read.
const REFUSED: [&str; 2] = [
    "urdf/husky/husky.urdf",
    "urdf/hyq/example-robot-data/robots/hyq_description/robots/hyq_no_sensors.urdf",
];

#[test]
fn facts_of_public_robots_agree() {
    let Some(reference) = reference() else { return };
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    let (mut rows, mut differ, mut refused) = (Vec::new(), Vec::new(), Vec::new());
    for (name, known) in reference.as_object().unwrap().iter().filter(|(name, _)| is_asked(name)) {
        let known = if name.starts_with("urdf") { &known["mujoco"] } else { known };
        let built = load(name, Without::default()).and_then(|(how, mut scene)| {
            let robot = scene.robots[0].clone();
            scene.builder.set_overlaps(Overlaps::Exclude);
            scene.build().map(|_| (how, robot)).map_err(|error| format!("when built: {}", error.message))
        });
        match built {
            Err(error) => {
                *count.entry("refused".to_owned()).or_default() += 1;
                rows.push(format!("{name}: refused: {error}"));
                refused.push(name.as_str());
            }
            Ok((how, robot)) => {
                *count.entry(how.to_owned()).or_default() += 1;
                let found = if known.is_object() {
                    differences(known, &robot, name.contains("made_here_features"))
                } else {
                    Vec::new()
                };
                let facts = if found.is_empty() { "facts agree".to_owned() } else { found.join(", ") };
                rows.push(format!("{name}: {how}; {facts}"));
                // Planar joints are three joints in the reference, which also takes out collision geometry of some URDFs.
                if how == "loads"
                    && !found.iter().all(|one| one.starts_with("ngeom") || one.starts_with("njnt 3"))
                {
                    differ.push(rows.last().unwrap().clone());
                }
            }
        }
    }
    println!("{}", rows.join("\n"));
    println!("{count:?} of {}", rows.len());
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(refused.iter().all(|name| REFUSED.contains(name)), "{refused:#?}");
}

/// The state of a world in the order of the reference.
fn error_of(world: &World, robot: &RobotDescription, known: &Value) -> (f64, f64) {
    let (q, v) = (list(&known["qpos"]), list(&known["qvel"]));
    let scale = |x: &[f64]| 1.0 + x.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut worst = (0.0_f64, 0.0_f64);
    for (body, expected) in robot.joint_positions(&q).unwrap() {
        let own = &world.positions()[world.tree().q_range(body)];
        // Two quaternions of opposite sign are one rotation.
        let far = |sign: f64| {
            own.iter().zip(&expected).enumerate().fold(0.0_f64, |most, (k, (a, b))| {
                let is_turn = expected.len() >= 4 && k + 4 >= expected.len();
                most.max((a - if is_turn { sign * b } else { *b }).abs())
            })
        };
        worst.0 = worst.0.max(far(1.0).min(far(-1.0)) / scale(&q));
    }
    for (body, expected) in robot.joint_velocities(&v).unwrap() {
        let own = &world.velocities()[world.tree().v_range(body)];
        let far = own.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        worst.1 = worst.1.max(far / scale(&v));
    }
    worst
}

fn located() -> MethodParams {
    let tolerance = Tolerance { relative: 1e-10, absolute: 1e-12 };
    MethodParams::Events(EventLocation { tolerance, ..EventLocation::default() })
}

/// Runs a motion of the reference.
fn run(name: &str, known: &Value, without: Without, method: MethodParams) -> Result<(f64, f64), String> {
    let (_, mut scene) = load(name, without)?;
    let robot = scene.robots[0].clone();
    scene.builder.set_overlaps(Overlaps::Exclude);
    scene.builder.set_method(method);
    let positions =
        robot.joint_positions(&list(&known["start_qpos"])).ok_or("another number of positions")?;
    for (body, positions) in positions {
        scene.builder.start(body, Some(positions), None);
    }
    let velocities =
        robot.joint_velocities(&list(&known["start_qvel"])).ok_or("another number of velocities")?;
    for (body, velocities) in velocities {
        scene.builder.start(body, None, Some(velocities));
    }
    let mut world = scene.build().map_err(|error| error.message)?;
    for (number, control) in list(&known["ctrl"]).into_iter().enumerate() {
        world.set_control(number, control).map_err(|error| error.to_string())?;
    }
    world.advance_to(known["duration"].as_f64().unwrap_or(0.5)).map_err(|error| error.to_string())?;
    Ok(error_of(&world, &robot, known))
}

#[test]
fn free_motions_of_public_robots_agree() {
    let Some(reference) = reference() else { return };
    let (mut all, mut good, mut bad) = (0, 0, Vec::new());
    for (name, known) in reference.as_object().unwrap().iter().filter(|(name, _)| is_asked(name)) {
        let known = if name.starts_with("urdf") { &known["mujoco"] } else { known };
        for kind in ["passive", "actuated"] {
            let motion = &known["motions"][kind];
            // Where links were given masses that the file does not have, the motion is another one.
            let has_other_masses = known["links_without_inertial_given_mass_from_geometry"].is_array();
            if motion["converged"].as_bool() != Some(true) || has_other_masses {
                continue;
            }
            all += 1;
            match run(name, motion, Without::all(), located()) {
                Ok((q, v)) if q.max(v) < 1e-6 => good += 1,
                Ok((q, v)) => {
                    bad.push(format!("{name} {kind}: positions off by {q:.1e}, velocities by {v:.1e}"));
                }
                Err(error) => bad.push(format!("{name} {kind}: {error}")),
            }
        }
    }
    println!("{}", bad.join("\n"));
    println!("{good} of {all} motions within 1e-6");
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Its rod comes out of reach, where its force jumps: located events end there with an error.
const SINGULAR: &str = "mujoco_slider_crank";

#[test]
fn motions_that_the_reference_has_roughly_agree_roughly() {
    let Some(reference) = reference() else { return };
    let mut bad = Vec::new();
    for (name, known) in reference.as_object().unwrap().iter().filter(|(name, _)| is_asked(name)) {
        let known = if name.starts_with("urdf") { &known["mujoco"] } else { known };
        for kind in ["passive", "actuated"] {
            let motion = &known["motions"][kind];
            let change = list(&motion["step_halving_change"]);
            if motion["converged"].as_bool() != Some(false) || change.len() != 2 {
                continue;
            }
            let found = run(name, motion, Without::all(), located());
            println!("{name} {kind}: {found:?}, the reference is good to {change:?}");
            // The other program's own changes are those of the last halving of its step.
            let is_close =
                |(q, v): (f64, f64)| q <= 10.0 * change[0].max(1e-7) && v <= 10.0 * change[1].max(1e-7);
            if !found.is_ok_and(is_close) && !name.contains(SINGULAR) {
                bad.push(format!("{name} {kind}"));
            }
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Models for stepping in the usual run; `ZEROGAP_FULL` takes all.
const STEPPED: [&str; 5] = ["xarm7", "wx250s.xml", "shadow_hand/left", "humanoid/humanoid.xml", "ur3e"];

#[test]
fn steps_converge_to_the_reference_with_their_order() {
    let Some(reference) = reference() else { return };
    let is_full = std::env::var_os("ZEROGAP_FULL").is_some();
    let mut bad = Vec::new();
    for (name, known) in reference.as_object().unwrap().iter().filter(|(name, _)| is_asked(name)) {
        let known = if name.starts_with("urdf") { &known["mujoco"] } else { known };
        let motion = &known["motions"]["passive"];
        let has_other_masses = known["links_without_inertial_given_mass_from_geometry"].is_array();
        let is_chosen = is_full || STEPPED.iter().any(|part| name.contains(part));
        if motion["converged"].as_bool() != Some(true) || has_other_masses || !is_chosen {
            continue;
        }
        let off = |step: f64| {
            let method = Stepping { step, ..Stepping::default() };
            run(name, motion, Without::all(), MethodParams::Stepping(method))
        };
        let [coarse, fine] = [off(1e-3), off(2.5e-4)];
        println!("{name}: by steps of 1 ms {coarse:?}, of 0.25 ms {fine:?}");
        let (Ok(coarse), Ok(fine)) = (coarse, fine) else {
            bad.push(format!("{name}: does not run"));
            continue;
        };
        // Order 1 is a quarter; what is near the reference's own error has none.
        if fine.0 > 0.3 * coarse.0 && fine.0 > 1e-6 {
            bad.push(format!("{name}: {coarse:?}, {fine:?}"));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

#[test]
fn constrained_motions_are_reported() {
    let Some(reference) = reference() else { return };
    if std::env::var_os("ZEROGAP_FULL").is_none() {
        println!("skipped: set ZEROGAP_FULL to print how far rigid constraints are from soft ones");
        return;
    }
    let free = Without { contacts: true, ..Without::default() };
    for (name, known) in reference.as_object().unwrap().iter().filter(|(name, _)| is_asked(name)) {
        let known = if name.starts_with("urdf") { &known["mujoco"] } else { known };
        for kind in ["passive_constrained", "actuated_constrained"] {
            let motion = &known["motions"][kind];
            if motion.is_object() && motion["qpos"].is_array() {
                let step = Stepping { step: 2e-4, ..Stepping::default() };
                println!("{name} {kind}: {:?}", run(name, motion, free, MethodParams::Stepping(step)));
            }
        }
    }
}

/// Models whose contacts at the start are others.
const OTHER_CONTACTS: [&str; 1] = ["mjcf/dm_control_ant/ant.xml"];

#[test]
fn contacts_of_public_robots_at_the_start_agree() {
    let Some(reference) = reference() else { return };
    let (mut all, mut good, mut others) = (0, 0, Vec::new());
    for (name, known) in reference.as_object().unwrap().iter().filter(|(name, _)| is_asked(name)) {
        if !name.starts_with("mjcf") {
            continue;
        }
        let Some(found) = contacts(name, known) else { continue };
        all += 1;
        if found.is_empty() {
            good += 1;
        } else {
            println!("{name}: {}", found.join("; "));
            others.push(name.as_str());
        }
    }
    println!("{good} of {all} models touch at the start where the reference does");
    // Two bodies on one joint never touch here, also where the first is fixed in the world.
    assert!(others.iter().all(|name| OTHER_CONTACTS.contains(name)), "{others:#?}");
}
