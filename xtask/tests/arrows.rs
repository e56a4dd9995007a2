//! Holds the arrows of ARCHITECTURE.md: which crate may use which.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// Every package of the workspace and the workspace packages it may depend on (for tests too, except `zerogap-testkit`, which
/// any test may use).
const ARROWS: [(&str, &[&str]); 15] = [
    ("zerogap-core", &[]),
    ("zerogap-geometry", &["zerogap-core"]),
    ("zerogap-proximity", &["zerogap-core", "zerogap-geometry"]),
    ("zerogap-contact", &["zerogap-core"]),
    ("zerogap-dynamics", &["zerogap-contact", "zerogap-core"]),
    ("zerogap-simulation", &BELOW_SIMULATION),
    ("zerogap-scene", &ON_SIMULATION),
    ("zerogap-recording", &ON_SIMULATION),
    ("zerogap-verification", &ON_SIMULATION),
    ("zerogap", &BELOW_THE_FACE),
    ("zerogap-testkit", &["zerogap-core"]),
    ("zerogap-viewer", &["zerogap"]),
    ("zerogap-cli", &["zerogap", "zerogap-viewer"]),
    ("zerogap-python", &["zerogap", "zerogap-viewer"]),
    ("xtask", &[]),
];

/// What `simulation` is made of.
const BELOW_SIMULATION: [&str; 5] =
    ["zerogap-contact", "zerogap-core", "zerogap-dynamics", "zerogap-geometry", "zerogap-proximity"];

/// What `scene`, `recording` and `verification` may use: `simulation` and all below it, never each other.
const ON_SIMULATION: [&str; 6] = [
    "zerogap-contact",
    "zerogap-core",
    "zerogap-dynamics",
    "zerogap-geometry",
    "zerogap-proximity",
    "zerogap-simulation",
];

/// What the face puts together.
const BELOW_THE_FACE: [&str; 9] = [
    "zerogap-contact",
    "zerogap-core",
    "zerogap-dynamics",
    "zerogap-geometry",
    "zerogap-proximity",
    "zerogap-recording",
    "zerogap-scene",
    "zerogap-simulation",
    "zerogap-verification",
];

/// Crates whose types must not appear in what people install.
const PEERS: [&str; 3] = ["parry3d-f64", "rapier3d-f64", "parry3d"];

#[test]
fn crates_use_only_what_their_arrows_allow() {
    let allowed: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let packages = workspace_packages();
    let names: Vec<&str> = packages.iter().map(|p| p["name"].as_str().unwrap()).collect();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let arrows = allowed
            .get(name)
            .unwrap_or_else(|| panic!("{name} is new: add its arrows here and to ARCHITECTURE.md"));
        for dependency in package["dependencies"].as_array().unwrap() {
            let to = dependency["name"].as_str().unwrap();
            let for_tests = dependency["kind"].as_str() == Some("dev");
            if names.contains(&to) && !(for_tests && to == "zerogap-testkit") {
                assert!(arrows.contains(&to), "{name} must not use {to}");
            }
            assert!(!PEERS.contains(&to), "{name} depends on a peer: {to} belongs in bench/");
        }
    }
}

/// Crates that a user of `World` alone need not compile: TOML, XML, plots, fonts, pictures.
const FOR_FILES: [&str; 5] = ["toml", "roxmltree", "plotters", "ab_glyph", "png"];

#[test]
fn a_user_of_worlds_alone_compiles_no_crate_for_files_and_pictures() {
    let tree = |features: &[&str]| {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--package", "zerogap", "--edges", "normal", "--prefix", "none", "--offline"])
            .args(features)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo tree runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).expect("cargo tree prints text");
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect::<Vec<_>>()
    };
    let (all, few) = (tree(&[]), tree(&["--no-default-features"]));
    for name in FOR_FILES {
        assert!(all.iter().any(|found| found == name), "{name} is gone: take it off the list");
        assert!(!few.iter().any(|found| found == name), "{name} is compiled for worlds alone");
    }
}

#[test]
fn every_arrow_names_a_package_that_exists() {
    let packages = workspace_packages();
    for (name, _) in ARROWS {
        assert!(packages.iter().any(|p| p["name"] == name), "{name} is gone: remove its arrows");
    }
}

fn workspace_packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    metadata["packages"].as_array().unwrap().clone()
}
