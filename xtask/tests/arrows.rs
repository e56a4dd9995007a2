//! Holds the arrows of ARCHITECTURE.md: which crate may use which.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// Every package of the workspace and the workspace packages it may depend on (for tests too, except `zerogap-testkit`, which
/// any test may use).
const ARROWS: [(&str, &[&str]); 10] = [
    ("zerogap-core", &[]),
    ("zerogap-geometry", &["zerogap-core"]),
    ("zerogap-proximity", &["zerogap-core", "zerogap-geometry"]),
    ("zerogap-contact", &["zerogap-core"]),
    ("zerogap-dynamics", &["zerogap-contact", "zerogap-core"]),
    (
        "zerogap",
        &["zerogap-contact", "zerogap-core", "zerogap-dynamics", "zerogap-geometry", "zerogap-proximity"],
    ),
    ("zerogap-testkit", &["zerogap-core"]),
    ("zerogap-cli", &["zerogap"]),
    ("zerogap-python", &["zerogap"]),
    ("xtask", &[]),
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
