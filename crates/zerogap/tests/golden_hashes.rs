//! Hashes of the state that each built-in scene reaches by each method: the same input gives the same bits on every machine.
//!
//! A change of form keeps them. One that moves bits on purpose runs this test with `ZEROGAP_BLESS=1` and names the scenes and the reason in its commit.

use std::path::PathBuf;

use zerogap::scene::{Scene, built_in};

/// Time that each scene is run for [s]; long enough for first contacts in most.
const SHORT: f64 = 0.3;

#[test]
fn states_of_built_in_scenes_keep_their_bits_by_events() {
    check("events");
}

#[test]
fn states_of_built_in_scenes_keep_their_bits_by_stepping() {
    check("stepping");
}

#[test]
fn states_of_built_in_scenes_keep_their_bits_by_silvia() {
    check("silvia");
}

fn check(method: &str) {
    let found: String = built_in().iter().map(|(name, text)| line(name, text, method)).collect();
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/hashes-{method}.txt"));
    if std::env::var_os("ZEROGAP_BLESS").is_some() {
        std::fs::write(&file, &found).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap_or_default();
    let changed: Vec<(&str, &str)> = found
        .lines()
        .zip(known.lines().chain(std::iter::repeat("")))
        .filter(|(now, was)| now != was)
        .collect();
    assert!(
        changed.is_empty() && found.lines().count() == known.lines().count(),
        "states by {method} changed, (now, before): {changed:#?}"
    );
}

/// A line of the table: scene, hash of the state, how many events there were; or that the method refuses the scene.
fn line(name: &str, text: &str, method: &str) -> String {
    let mut scene = Scene::parse(text, name, std::path::Path::new("")).unwrap();
    let until = scene.until.min(SHORT);
    if scene.landing.is_some() && method != "events" {
        return format!("{name} refused\n");
    }
    let method = scene.builder.params().method.by(method).unwrap();
    scene.builder.set_method(method);
    let reached = scene.simulation().ok().and_then(|mut simulation| {
        simulation.advance_to(until).ok()?;
        Some(format!("{:016x} {} events", simulation.hash(), simulation.events().len()))
    });
    format!("{name} {}\n", reached.as_deref().unwrap_or("refused"))
}
