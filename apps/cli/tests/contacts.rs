//! `zerogap contacts` as people and programs use it.

mod run;

use serde_json::{Value, json};
use tempfile::TempDir;

use run::{good, json as parsed, numbers, refused, text, zerogap, zerogap_in};

/// The contacts of a report.
fn contacts(report: &Value) -> &[Value] {
    report["contacts"].as_array().unwrap()
}

#[test]
fn a_box_on_a_box_is_reported_in_a_sentence_a_sheet_and_a_table() {
    let shown = good(&zerogap(&["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", "0.5 0 1"]));
    // How far the bounds are from the gap is no part of what is promised here.
    let kept: Vec<&str> =
        shown.lines().filter(|line| !line.contains("lower") && !line.contains("upper")).collect();
    let wanted = "\
touching in 4 points: face 5 of A on face 4 of B
  A       box:1,1,1
  B       box:1,1,1
  gap     0 m
  normal  (0, 0, 1), the only one
  status  exact: the bounds agree to rounding

gap [m]  point of A [m]    point of B [m]    features, A on B
───────  ────────────────  ────────────────  ──────────────────
      0  (0, -0.5, 0.5)    (0, -0.5, 0.5)    face 5 on vertex 0
      0  (0.5, -0.5, 0.5)  (0.5, -0.5, 0.5)  vertex 5 on face 4
      0  (0.5, 0.5, 0.5)   (0.5, 0.5, 0.5)   vertex 7 on face 4
      0  (0, 0.5, 0.5)     (0, 0.5, 0.5)     face 5 on vertex 2";
    assert_eq!(kept.join("\n"), wanted);
}

#[test]
fn overlap_nearness_and_chosen_normals_are_reported_in_words() {
    let boxes = |pose: &str| good(&zerogap(&["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", pose]));
    let deep = boxes("0.5 0 0.9998");
    assert!(deep.starts_with("overlap 0.2 mm in 4 points: face 5 of A on face 4 of B\n"), "{deep}");
    assert!(deep.contains("\n-0.0002  (0.5, 0.5, 0.5)   (0.5, 0.5, 0.4998)"), "{deep}");
    let near = boxes("0.5 0 1000.5mm");
    assert!(near.starts_with("apart by 0.5 mm, near in 4 points: face 5 of A on face 4 of B\n"), "{near}");
    let corner = boxes("1 1 1");
    assert!(corner.starts_with("touching in 1 point: "), "{corner}");
    assert!(corner.contains("chosen among several"), "{corner}");
}

#[test]
fn what_gives_the_direction_of_an_overlap_is_reported() {
    let (shelf, cube) = ("box:4,4,1", "box:1,1,1");
    let origin = || "0 0 0".to_owned();
    // On an edge along x, and one along y, by an eighth of a turn.
    let along_x = |z: f64| format!("0 0 {z} 0.3826834323650898 0 0 0.9238795325112867");
    let along_y = |z: f64| format!("0 0 {z} 0 0.3826834323650898 0 0.9238795325112867");
    for (a, pose_a, b, pose_b, words, kind) in [
        (shelf, origin(), cube, along_x(1.2), "  direction  a face of A\n", json!("face of A")),
        (cube, along_x(1.2), shelf, origin(), "  direction  a face of B\n", json!("face of B")),
        (cube, along_x(0.0), cube, along_y(1.41), "  direction  an edge of each\n", json!("edges")),
        // Nothing is said of curved bodies, nor of those that just touch.
        (shelf, origin(), "sphere:0.5", "0 0 0.99".to_owned(), "", Value::Null),
        (shelf, origin(), cube, "0 0 1".to_owned(), "", Value::Null),
    ] {
        let pair = ["contacts", a, b, "--pose-a", &pose_a, "--pose-b", &pose_b];
        let shown = good(&zerogap(&pair));
        assert!(shown.contains(words) && shown.contains("direction") != words.is_empty(), "{shown}");
        assert_eq!(parsed(&zerogap(&[&pair[..], &["--json"]].concat()))["kind"], kind);
    }
}

#[test]
fn bodies_farther_apart_than_asked_have_no_contacts() {
    let pair = ["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", "0.5 0 1.002"];
    let shown = good(&zerogap(&pair));
    assert!(shown.starts_with("farther apart than 1 mm: no contacts\n"), "{shown}");
    assert!(shown.contains("direction  (0, 0, 1)") && !shown.contains("point of A"), "{shown}");
    let far = parsed(&zerogap(&[&pair[..], &["--json"]].concat()));
    assert_eq!((&far["contacts"], &far["features"]), (&json!([]), &Value::Null));
    assert_eq!(far["status"], "farther");
    assert!(far["lower"].as_f64().unwrap() > 1e-3, "{far}");
    // A larger margin reaches them.
    let near = parsed(&zerogap(&[&pair[..], &["--within", "3mm", "--json"]].concat()));
    assert_eq!(contacts(&near).len(), 4, "{near}");
}

#[test]
fn json_has_the_contacts_with_names_that_last() {
    let report = parsed(&zerogap(&["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", "0.5 0 1", "--json"]));
    let keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let mut wanted = vec![
        "gap",
        "lower",
        "upper",
        "normal",
        "normal_kind",
        "kind",
        "status",
        "features",
        "contacts",
        "a",
        "b",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    assert_eq!(report["features"], json!({"a": "face 5", "b": "face 4"}));
    assert_eq!(report["b"]["kind"], "box");
    assert_eq!(contacts(&report).len(), 4);
    for contact in contacts(&report) {
        let keys: Vec<&str> = contact.as_object().unwrap().keys().map(String::as_str).collect();
        let mut wanted = vec!["gap", "normal", "point_a", "point_b", "id", "key", "feature_a", "feature_b"];
        wanted.sort_unstable();
        assert_eq!(keys, wanted);
        let (n, p, q) =
            (numbers(&contact["normal"]), numbers(&contact["point_a"]), numbers(&contact["point_b"]));
        let gap = contact["gap"].as_f64().unwrap();
        assert!((0..3).all(|k| (q[k] - p[k] - gap * n[k]).abs() < 1e-14), "{contact}");
        let word = |key: &str| contact[key].as_str().unwrap();
        assert_eq!(word("id"), format!("{} on {}", word("feature_a"), word("feature_b")));
        assert!(word("key").parse::<u64>().is_ok(), "{contact}");
    }
    // The names stay while the box slides.
    let moved = parsed(&zerogap(&["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", "0.4 0 1", "--json"]));
    let names =
        |report: &Value| -> Vec<Value> { contacts(report).iter().map(|c| c["key"].clone()).collect() };
    assert_eq!(names(&moved), names(&report));
}

#[test]
fn half_spaces_are_touched_on_either_side() {
    let floor = "halfspace:0,0,1,0";
    let lying = "0 0 0.1 0 1 0 1";
    let above = parsed(&zerogap(&["contacts", floor, "capsule:0.1,0.5", "--pose-b", lying, "--json"]));
    assert_eq!(contacts(&above).len(), 2);
    for contact in contacts(&above) {
        let point = numbers(&contact["point_b"]);
        assert!(
            (point[0].abs() - 0.25).abs() < 1e-14 && point[1..].iter().all(|x| x.abs() < 1e-14),
            "{contact}"
        );
    }
    let below = parsed(&zerogap(&["contacts", "capsule:0.1,0.5", floor, "--pose-a", lying, "--json"]));
    assert_eq!(numbers(&contacts(&below)[0]["normal"]), [0.0, 0.0, -1.0]);
    assert_eq!(contacts(&below)[0]["point_a"], contacts(&above)[0]["point_b"]);
    let error = refused(&zerogap(&["contacts", floor, "halfspace:0,0,-1,-1"]), 3);
    assert!(error.contains("two half-spaces have no contacts"), "{error}");
}

#[test]
fn rims_are_sampled_as_finely_as_asked_and_four_points_are_kept_when_asked() {
    let standing = ["contacts", "halfspace:0,0,1,0", "cylinder:1,1", "--pose-b", "0 0 0.5", "--json"];
    let count = |more: &[&str]| contacts(&parsed(&zerogap(&[&standing[..], more].concat()))).len();
    assert_eq!(count(&[]), 8);
    assert_eq!(count(&["--arc-tolerance", "0.01"]), 32);
    assert_eq!(count(&["--at-most-four"]), 4);
}

#[test]
fn meshes_and_parts_touch_by_their_hulls_in_their_unit() {
    let folder = TempDir::new().unwrap();
    let plate = ["part", "hole-plate", "--set", "section=rectangular", "--out", "frame.stl"];
    good(&zerogap_in(folder.path(), &plate));
    // The plate is 20 mm high: in millimetres it stands on a floor 10 µm below its middle.
    let on_floor = ["contacts", "frame.stl", "halfspace:0,0,1,-10um", "--unit", "mm", "--within", "1um"];
    let shown = good(&zerogap_in(folder.path(), &on_floor));
    assert!(shown.contains("hull of frame.stl, 8 vertices") && shown.contains(" 4 points: face "), "{shown}");
    let gear =
        ["contacts", "halfspace:0,0,1,0", "part:gear", "--pose-b", "0 0 7.5mm", "--at-most-four", "--json"];
    let report = parsed(&zerogap(&gear));
    assert_eq!((contacts(&report).len(), &report["b"]["kind"]), (4, &json!("hull")));
}

#[test]
fn a_bad_pose_is_underlined() {
    let error = refused(&zerogap(&["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", "1 zwei 3"]), 2);
    assert!(error.contains("--pose-b is not a pose") && error.contains("for example"), "{error}");
    assert!(error.contains("command line:1:3") && error.contains("'zwei' is not a length"), "{error}");
}

#[test]
fn what_cannot_be_answered_is_refused_with_its_place_and_exit_code() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("broken.obj"), "v 0 0 0\nv 1 zero 0\n").unwrap();
    std::fs::write(folder.path().join("empty.obj"), "v 0 0 0\nv 1 0 0\n").unwrap();
    let run = |arguments: &[&str]| zerogap_in(folder.path(), &[&["contacts"], arguments].concat());
    let broken = refused(&run(&["broken.obj", "box:1,1,1"]), 3);
    assert!(broken.contains("broken.obj:2:") && broken.contains("zero"), "{broken}");
    assert!(refused(&run(&["box:1,1,1", "empty.obj"]), 3).contains("no triangles"));
    assert!(refused(&run(&["nothing.stl", "box:1,1,1"]), 3).contains("nothing.stl"));
    assert!(refused(&run(&["box:1,two,1", "sphere:1"]), 3).contains("'two' is not a length"));
    // Compounds have no word: they are neither a file nor a shape.
    assert!(refused(&run(&["compound:1", "sphere:1"]), 3).contains("neither a file nor a shape"));
    for (wrong, message) in [
        (&["box:1,1,1"][..], "<B>"),
        (&["box:1,1,1", "sphere:1", "--within", "-1"], "a limit must not be negative, and this is -1 m"),
        (
            &["box:1,1,1", "sphere:1", "--within", "-2mm"],
            "a limit must not be negative, and this is -0.002 m",
        ),
        (&["box:1,1,1", "sphere:1", "--within=-1mm"], "a limit must not be negative, and this is -0.001 m"),
        (&["box:1,1,1", "sphere:1", "--within", "nan"], "the number is not finite"),
        (&["box:1,1,1", "sphere:1", "--within", "1 parsec"], "is not a length"),
        (&["box:1,1,1", "sphere:1", "--arc-tolerance", "2"], "a number from 0 to 1"),
        (&["box:1,1,1", "sphere:1", "--tolerance", "nan"], "a number from 0 to 1"),
    ] {
        let output = run(wrong);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {error}");
        assert!(error.contains(message), "{wrong:?}: {error}");
    }
}

#[test]
fn the_pages_show_what_the_command_prints() {
    let page = include_str!("../../../docs/contacts.md");
    let gear = ["contacts", "halfspace:0,0,1,0", "part:gear", "--pose-b", "0 0 7.5mm", "--at-most-four"];
    let boxes = ["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", "0.25 0 0.9998 0 0.0001 0 1"];
    for words in [&gear[..], &boxes] {
        let typed = |word: &&str| if word.contains(' ') { format!("\"{word}\"") } else { (*word).to_owned() };
        let typed: Vec<String> = words.iter().map(typed).collect();
        assert!(page.contains(&format!("zerogap {}\n", typed.join(" "))), "{typed:?}");
        for line in good(&zerogap(words)).lines() {
            assert!(page.contains(&format!("{line}\n")), "{line}");
        }
    }
}
