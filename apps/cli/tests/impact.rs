//! `zerogap impact` as people and programs use it.

mod run;

use run::{good, json as parsed, numbers, refused, zerogap};

/// A bullet through paper.
const SHOT: [&str; 8] = [
    "impact",
    "box:1,1,0.1mm",
    "sphere:0.5mm",
    "--pose-b",
    "0 0 5",
    "--velocity-b",
    "0 0 -1000",
    "--duration",
];

fn with<'a>(words: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    words.iter().chain(more).copied().collect()
}

#[test]
fn a_bullet_hits_with_time_normal_and_points() {
    let shown = good(&zerogap(&with(&SHOT, &["10ms"])));
    assert!(shown.starts_with("impact at 0.00499945 s\n"), "{shown}");
    assert!(shown.contains("proven free before") && shown.contains("(0, 0, 1)"), "{shown}");
    let before = good(&zerogap(&with(&SHOT, &["4ms"])));
    assert!(before.starts_with("no impact within 0.004 s\n"), "{before}");
}

#[test]
fn json_has_the_first_contact_and_what_moved() {
    let report = parsed(&zerogap(&with(&SHOT, &["10ms", "--json", "--clearance", "1um"])));
    assert_eq!(report["status"], "hit");
    let exact = (5.0 - 0.5e-3 - 0.5e-4) / 1000.0;
    let (t, upper) = (report["t"].as_f64().unwrap(), report["t_upper"].as_f64().unwrap());
    assert!(t <= exact && exact <= upper && upper - t < 1e-10, "{report}");
    let met = &report["first_contact"];
    assert_eq!(numbers(&met["normal"]), [0.0, 0.0, 1.0]);
    assert!((met["gap_rate"].as_f64().unwrap() + 1000.0).abs() < 1e-6, "{report}");
    assert!(report["clearance"]["upper"].as_f64().unwrap() < 0.0, "it goes through the sheet: {report}");
    assert_eq!(report["b"]["name"], "sphere:0.5mm");
}

#[test]
fn meshes_are_taken_as_they_are_and_tell_their_features() {
    let words = [
        "impact",
        "part:torus,major=40mm,minor=10mm",
        "sphere:10mm",
        "--pose-b",
        "0 0 0.2",
        "--to-b",
        "0 0 -0.2",
    ];
    let through = parsed(&zerogap(&with(&words, &["--json"])));
    assert_eq!((through["status"].as_str(), through["a"]["kind"].as_str()), (Some("clear"), Some("mesh")));
    let hull = parsed(&zerogap(&with(&words, &["--json", "--as", "hull"])));
    assert_eq!((hull["status"].as_str(), hull["a"]["kind"].as_str()), (Some("hit"), Some("hull")));
    let blocks = [
        "impact",
        "part:box",
        "part:box",
        "--pose-b",
        "0.01 0.005 0.3 0.3 0.1 0.2 0.9",
        "--to-b",
        "0.01 0.005 0",
        "--all",
    ];
    let shown = good(&zerogap(&blocks));
    assert!(
        shown.contains("as a mesh") && shown.contains("vertex") && shown.contains("closing [m/s]"),
        "{shown}"
    );
    let all = parsed(&zerogap(&with(&blocks, &["--json"])));
    let first = all["collisions"][0]["t"].as_f64().unwrap();
    assert!((first - all["t"].as_f64().unwrap()).abs() < 1e-6, "{all}");
}

#[test]
fn a_requirement_that_is_not_met_ends_with_one() {
    let output = zerogap(&with(&SHOT, &["10ms", "--require-clear"]));
    assert_eq!(output.status.code(), Some(1));
    good(&zerogap(&with(&SHOT, &["4ms", "--require-clear"])));
}

#[test]
fn wrong_words_are_pointed_at() {
    let reported = refused(&zerogap(&with(&SHOT, &["10ms", "--spin-a", "0 fast 0"])), 2);
    assert!(reported.contains("--spin-a is no angular speed") && reported.contains("fast"), "{reported}");
    let reported = refused(&zerogap(&with(&SHOT, &["10ms", "--spin-a", "0 0"])), 2);
    assert!(reported.contains("3 numbers"), "{reported}");
    let reported = refused(&zerogap(&with(&SHOT, &["10ms", "--to-b", "0 0 0"])), 2);
    assert!(reported.contains("cannot be used with"), "{reported}");
    let reported = refused(&zerogap(&["impact", "halfspace:0,0,1,0", "halfspace:0,0,1,0"]), 3);
    assert!(reported.contains("bounded"), "{reported}");
    let reported = refused(&zerogap(&["impact", "sphere:1", "sphere:1", "--all"]), 2);
    assert!(reported.contains("--all"), "{reported}");
}

#[test]
fn a_recorded_path_is_checked_between_its_rows() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("path.csv");
    let file = file.to_str().unwrap();
    // Two rows on either side of a wall of 0.1 mm: at both it is free, between them it is not.
    std::fs::write(file, "t,x,y,z,qx,qy,qz,qw\n10,0,0,-1,0,0,0,1\n11,0,0,-0.5,0,0,0,1\n12,0,0,0.5,0,0,0,1\n")
        .unwrap();
    let report = parsed(&zerogap(&[
        "impact",
        "sphere:0.1",
        "box:1,1,0.1mm",
        "--path",
        file,
        "--clearance",
        "1um",
        "--json",
    ]));
    assert_eq!(report["status"], "hit");
    let (t, upper) = (report["t"].as_f64().unwrap(), report["t_upper"].as_f64().unwrap());
    let exact = 1.0 + 0.5 - 0.1 - 0.5e-4;
    assert!(t <= exact && exact <= upper && upper - t < 1e-6, "{report}");
    // It touches by the radius and half the wall.
    let deepest = report["clearance"]["upper"].as_f64().unwrap();
    assert!((deepest + 0.1 + 0.5e-4).abs() < 1e-5, "{report}");
    let clear = parsed(&zerogap(&[
        "impact",
        "sphere:0.1",
        "box:1,1,0.1mm",
        "--pose-b",
        "0.7 0 0",
        "--path",
        file,
        "--json",
    ]));
    assert_eq!(clear["status"], "clear", "{clear}");
    let twice = ["impact", "sphere:0.1", "box:1,1,1", "--path", file, "--duration", "2s"];
    assert!(refused(&zerogap(&twice), 2).contains("--duration"));
    std::fs::write(file, "1,0,0,0,0,0,0,1\n1,0,0,0,0,0,0,1\n").unwrap();
    assert!(refused(&zerogap(&["impact", "sphere:0.1", "box:1,1,1", "--path", file]), 3).contains("line 2"));
}
