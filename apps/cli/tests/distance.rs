//! `zerogap distance` as people and programs use it.

mod run;

use serde_json::json;
use tempfile::TempDir;

use run::{good, json as parsed, numbers, refused, text, zerogap, zerogap_in};

#[test]
fn a_box_and_a_ball_are_apart_by_what_lies_between_them() {
    let shown = good(&zerogap(&["distance", "box:1,1,1", "sphere:0.5", "--pose-b", "0 0 1003.2mm"]));
    assert!(shown.starts_with("apart by 3.2 mm\n"), "{shown}");
    assert!(shown.contains("gap         0.0032 m") && shown.contains("(0, 0, 1), the only one"), "{shown}");
    assert!(shown.contains("exact") && shown.contains("closed form"), "{shown}");
}

#[test]
fn overlap_is_reported_with_the_separating_translation_and_contact_with_its_certainty() {
    let shown = good(&zerogap(&["distance", "box:1,1,1", "box:1,1,1", "--pose-b", "-0.9 0 0"]));
    assert!(shown.starts_with("overlap: 0.1 m to separate along (-1, 0, 0)\n"), "{shown}");
    let touching = good(&zerogap(&["distance", "box:1,1,1", "box:1,1,1", "--pose-b", "1 0 0"]));
    assert!(touching.starts_with("touching, to within "), "{touching}");
}

#[test]
fn the_headline_of_overlapping_compounds_claims_no_more_than_the_bounds() {
    let ask = ["distance", "assembly:connecting-rod", "box:0.05,0.05,0.5"];
    let report = parsed(&zerogap(&[&ask[..], &["--json"]].concat()));
    assert_eq!(report["status"], "local_depth", "{report}");
    let shown = good(&zerogap(&ask));
    assert!(shown.starts_with("overlap, at least ") && shown.contains(" deep\n"), "{shown}");
    assert!(shown.contains("local depth: that of the deepest part"), "{shown}");
}

#[test]
fn json_has_the_gap_its_certificate_and_what_was_measured() {
    let report = parsed(&zerogap(&[
        "distance",
        "part:box,width=2,depth=2,height=2",
        "capsule:0.5,1",
        "--pose-b",
        "3 0 0 0 0 0 1",
        "--json",
    ]));
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let mut wanted = vec![
        "gap",
        "lower",
        "upper",
        "normal",
        "normal_kind",
        "point_a",
        "point_b",
        "status",
        "iterations",
        "a",
        "b",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    let number = |key: &str| report[key].as_f64().unwrap();
    assert!((number("gap") - 1.5).abs() < 1e-14, "{report}");
    assert!(number("lower") <= 1.5 && 1.5 <= number("upper"));
    let (n, p, q) = (numbers(&report["normal"]), numbers(&report["point_a"]), numbers(&report["point_b"]));
    assert!((0..3).all(|k| (q[k] - p[k] - number("gap") * n[k]).abs() < 1e-14), "{report}");
    assert_eq!(
        report["a"],
        json!({"name": "part:box,width=2,depth=2,height=2", "kind": "hull", "format": null, "vertices": 8})
    );
    assert_eq!(report["b"]["kind"], "capsule");
}

#[test]
fn meshes_are_measured_by_their_hulls_in_their_unit() {
    let folder = TempDir::new().unwrap();
    // A frame: the hull fills its hole.
    let plate = ["part", "hole-plate", "--set", "section=rectangular", "--out", "frame.stl"];
    good(&zerogap_in(folder.path(), &plate));
    let shown = good(&zerogap_in(folder.path(), &["distance", "frame.stl", "sphere:1mm", "--unit", "1m"]));
    assert!(shown.starts_with("overlap: ") && shown.contains("hull of frame.stl, 8 vertices"), "{shown}");
    let scaled = parsed(&zerogap_in(
        folder.path(),
        &["distance", "frame.stl", "point:0,0,1", "--unit", "mm", "--json"],
    ));
    assert!((scaled["gap"].as_f64().unwrap() - (1.0 - 1e-5)).abs() < 1e-12, "{scaled}");
    assert_eq!(scaled["a"]["format"], "STL");
}

#[test]
fn half_spaces_are_measured_on_either_side() {
    let floor = "halfspace:0,0,1,0";
    let above = parsed(&zerogap(&["distance", floor, "sphere:1", "--pose-b", "0 0 3", "--json"]));
    let swapped = parsed(&zerogap(&["distance", "sphere:1", floor, "--pose-a", "0 0 3", "--json"]));
    assert_eq!((above["gap"].as_f64(), swapped["gap"].as_f64()), (Some(2.0), Some(2.0)));
    assert_eq!(numbers(&swapped["normal"]), [0.0, 0.0, -1.0]);
    let error = refused(&zerogap(&["distance", floor, "halfspace:0,0,-1,-1"]), 3);
    assert!(error.contains("two half-spaces have no gap"), "{error}");
}

#[test]
fn a_cutoff_ends_the_search_and_a_tolerance_its_precision() {
    let far = ["distance", "ellipsoid:1,2,3", "cone:1,2", "--pose-b", "20 1 0", "--cutoff", "5mm"];
    let shown = good(&zerogap(&far));
    assert!(shown.starts_with("farther apart than 5 mm: by at least "), "{shown}");
    assert!(!shown.contains("point of A"), "{shown}");
    let within = parsed(&zerogap(&[&far[..6], &["30", "--json"]].concat()));
    assert_ne!(within["status"], "farther");
    let width = |tolerance: &str| {
        let pair = ["distance", "ellipsoid:1,2,3", "cone:1,2", "--pose-b", "1 1 0.3", "--json"];
        let report = parsed(&zerogap(&[&pair[..], &["--tolerance", tolerance]].concat()));
        report["upper"].as_f64().unwrap() - report["lower"].as_f64().unwrap()
    };
    assert!(width("1e-3") > width("1e-10"), "{} {}", width("1e-3"), width("1e-10"));
}

#[test]
fn a_bad_pose_is_underlined() {
    for (pose, place, message) in [
        ("1 zwei 3", "command line:1:3", "'zwei' is not a length"),
        ("1 2 3 0 0 1mm 1", "command line:1:11", "a quaternion has no unit"),
        ("1 2 3 0 0 0 0", "command line:1:7", "no direction"),
        ("1 2", "command line:1:1", "and this has 2"),
        ("1 2 1e99", "command line:1:5", "at most 1e60"),
    ] {
        let error = refused(&zerogap(&["distance", "box:1,1,1", "box:1,1,1", "--pose-a", pose]), 2);
        assert!(error.contains("--pose-a is not a pose") && error.contains("for example"), "{error}");
        assert!(error.contains(place) && error.contains(message), "{pose}: {error}");
    }
    let empty = refused(&zerogap(&["distance", "box:1,1,1", "box:1,1,1", "--pose-b", ""]), 2);
    assert!(empty.contains("--pose-b is not a pose: a pose is 3 numbers"), "{empty}");
}

#[test]
fn what_cannot_be_measured_is_refused_with_its_exit_code() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("empty.obj"), "v 0 0 0\nv 1 0 0\n").unwrap();
    let run = |arguments: &[&str]| zerogap_in(folder.path(), &[&["distance"], arguments].concat());
    assert!(refused(&run(&["nothing.stl", "box:1,1,1"]), 3).contains("nothing.stl"));
    assert!(refused(&run(&["box:1,1,1", "empty.obj"]), 3).contains("no triangles"));
    assert!(refused(&run(&["box:1,two,1", "sphere:1"]), 3).contains("'two' is not a length"));
    for wrong in [
        &["box:1,1,1"][..],
        &["box:1,1,1", "sphere:1", "--cutoff", "-1mm"],
        &["box:1,1,1", "sphere:1", "--tolerance", "-1e-9"],
        &["box:1,1,1", "sphere:1", "--tolerance", "nan"],
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", text(&output.stderr));
    }
}

#[test]
fn the_readme_shows_what_the_command_prints() {
    let readme = include_str!("../../../README.md");
    let words = ["distance", "part:gear", "part:connecting-rod", "--pose-b", "62mm 0 0"];
    assert!(readme.contains("zerogap distance part:gear part:connecting-rod --pose-b \"62mm 0 0\""));
    let shown = good(&zerogap(&words));
    for line in shown.lines().filter(|line| !line.contains("iterations")) {
        assert!(readme.contains(&format!("{line}\n")), "{line}");
    }
}

#[test]
fn portal_refinement_has_the_sign_and_bounds_of_the_exact_gap() {
    let pose = ["--pose-b", "0.4 0.3 2.2"];
    let words = ["distance", "box:1,2,3", "part:gear", "--json"];
    let exact = parsed(&zerogap(&[&words[..], &pose[..]].concat()));
    let mpr = parsed(&zerogap(&[&words[..], &pose[..], &["--method", "mpr"]].concat()));
    let number = |value: &serde_json::Value, key: &str| value[key].as_f64().unwrap();
    let gap = number(&exact, "gap");
    assert!(number(&mpr, "lower") <= gap && gap <= number(&mpr, "upper"), "{mpr}");
    assert!(gap > 0.0 && number(&mpr, "gap") >= gap - 1e-3, "{mpr}");
    let plane = zerogap(&["distance", "halfspace:0,0,1,0", "box:1,1,1", "--method", "mpr"]);
    assert_eq!(plane.status.code(), Some(3), "{}", String::from_utf8_lossy(&plane.stderr));
    let mesh = zerogap(&["distance", "part:gear", "part:gear", "--as", "mesh", "--method", "mpr"]);
    assert_eq!(mesh.status.code(), Some(2));
}
