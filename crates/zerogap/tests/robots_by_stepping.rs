//! Public robot models by time stepping with their motors off: none gains energy.
//!
//! The models lie in `../shared/data/robots`; where that is absent the test says so and passes. Generated trees are tested in `crates/dynamics/tests/stepping`.

use std::path::{Path, PathBuf};

use zerogap::dynamics::multibody::{BodyId, Motor};
use zerogap::scene::Scene;
use zerogap::world::World;

/// Energy that a model may seem to gain, against the largest change there was [-].
const GAINED: f64 = 1e-3;

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

/// The model with fixed base, by stepping at 1 ms; none where it is refused.
fn load(path: &Path) -> Option<World> {
    let base = if path.extension()? == "urdf" { "base = \"fixed\"\n" } else { "" };
    let text = format!(
        "[world]\nmethod = \"stepping\"\noverlaps = \"exclude\"\n[robot]\nfile = \"{}\"\n{base}",
        path.display()
    );
    let mut world = Scene::parse(&text, "robot", Path::new("")).ok()?.build().ok()?;
    // Actuators that are no motors of joints cannot be switched off, and do work.
    if world.forces().actuators.iter().any(|actuator| !actuator.is_motor) {
        return None;
    }
    let bodies = world.names().len() as u32;
    for body in (0..bodies).map(BodyId) {
        let dofs = world.tree().v_range(body).len();
        for dof in 0..dofs {
            world.set_motor(body, dof, Motor::Off).ok()?;
        }
    }
    Some(world)
}

#[test]
fn public_robots_gain_no_energy() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/robots");
    let mut paths = Vec::new();
    models(&folder, &mut paths);
    if paths.is_empty() {
        println!("skipped: there is no {}", folder.display());
        return;
    }
    let steps = if std::env::var_os("ZEROGAP_FULL").is_some() { 1000 } else { 100 };
    let (mut loaded, mut failed) = (0, Vec::new());
    for path in &paths {
        let name = path.strip_prefix(&folder).unwrap_or(path).display().to_string();
        let Some(mut world) = load(path) else { continue };
        loaded += 1;
        let start = world.energy().total();
        let (mut lowest, mut highest) = (start, start);
        for step in 1..=steps {
            if let Err(error) = world.advance_to(1e-3 * f64::from(step)) {
                failed.push(format!("{name}: {error}"));
                break;
            }
            let now = world.energy().total();
            lowest = lowest.min(now);
            highest = highest.max(now);
        }
        let gained = (highest - start) / (start - lowest).max(1e-9);
        println!(
            "{name}: {start:.4} J, at most {:.2e} J more, {:.2e} of what it lost",
            highest - start,
            gained
        );
        if highest - start > 1e-9 && gained > GAINED {
            failed.push(format!("{name}: gained {:e} J, {gained:.2e} of what it lost", highest - start));
        }
    }
    println!("{loaded} of {} models load", paths.len());
    assert!(failed.is_empty(), "{failed:#?}");
}
