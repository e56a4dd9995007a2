//! `zerogap distance` and `zerogap contacts` with meshes as they are.

mod run;

use tempfile::TempDir;

use run::{good, json as parsed, numbers, refused, text, zerogap, zerogap_in};

#[test]
fn a_peg_in_its_hole_is_apart_as_a_mesh_and_overlaps_as_a_hull() {
    let hulls = good(&zerogap(&["distance", "part:hole-plate", "part:peg"]));
    assert!(hulls.starts_with("overlap"), "{hulls}");
    let meshes = good(&zerogap(&["distance", "part:hole-plate", "part:peg", "--as", "mesh"]));
    assert!(meshes.starts_with("apart by 0.1 mm"), "{meshes}");
    assert!(meshes.contains("pairs of nodes"), "{meshes}");
}

#[test]
fn overlaps_are_reported_region_by_region() {
    let pushed = ["distance", "part:hole-plate", "part:peg", "--as", "mesh", "--pose-b", "0.3mm 0 0"];
    let shown = good(&zerogap(&pushed));
    assert!(shown.starts_with("overlap in "), "{shown}");
    let report = parsed(&zerogap(&[&pushed[..], &["--json"]].concat()));
    assert!(report["gap"].as_f64().unwrap() < -1e-4 && report["distance"].as_f64() == Some(0.0), "{report}");
    let regions = report["overlaps"].as_array().unwrap();
    assert!(!regions.is_empty());
    let deepest = regions.iter().map(|r| r["gap"].as_f64().unwrap()).fold(0.0, f64::min);
    assert_eq!(report["gap"].as_f64(), Some(deepest));
}

#[test]
fn a_rod_through_a_plate_has_a_depth_with_bounds() {
    let rod = "part:box,width=10cm,depth=10cm,height=2";
    for z in ["0.99", "0.5", "0", "-0.3", "-1"] {
        let at = format!("0.07 0.03 {z}");
        let plate = "part:box,width=1,depth=1,height=2cm";
        let ask = ["distance", plate, rod, "--as", "mesh", "--pose-b", &at];
        let report = parsed(&zerogap(&[&ask[..], &["--json"]].concat()));
        let [gap, lower, upper] = ["gap", "lower", "upper"].map(|key| report[key].as_f64().unwrap());
        assert!(lower <= gap && gap <= upper && gap < -1e-3, "{report}");
        assert_eq!(report["status"], "local_depth", "{report}");
        let shown = good(&zerogap(&ask));
        assert!(
            shown.starts_with("overlap in 1 region, at least ") && shown.contains("local depth"),
            "{shown}"
        );
    }
    // Bars with flush sides that cross have no vertex in each other.
    let bars = ["part:box,width=4,depth=1,height=1", "part:box,width=1,depth=4,height=1"];
    let report = parsed(&zerogap(&["distance", bars[0], bars[1], "--as", "mesh", "--json"]));
    let [gap, lower, upper] = ["gap", "lower", "upper"].map(|key| report[key].as_f64().unwrap());
    assert!(report["status"] != "exact" && lower <= gap && gap <= upper && upper < -1e-3, "{report}");
}

#[test]
fn a_search_that_ends_early_says_what_it_knows() {
    let ask = |more: &[&str]| {
        let base = ["distance", "part:torus", "part:gear", "--as", "mesh", "--pose-b", "0 0 6cm", "--json"];
        parsed(&zerogap(&[&base[..], more].concat()))
    };
    let exact = ask(&[]);
    let gap = exact["gap"].as_f64().unwrap();
    assert_eq!(exact["status"], "exact");
    let early = ask(&["--best-first", "--budget", "20"]);
    assert_eq!(early["status"], "limited");
    assert!(early["lower"].as_f64().unwrap() <= gap && gap <= early["upper"].as_f64().unwrap(), "{early}");
    let rough = ask(&["--best-first", "--relative", "0.1"]);
    assert!(rough["upper"].as_f64().unwrap() <= 1.1 * rough["lower"].as_f64().unwrap() + 1e-12, "{rough}");
    assert!(rough["pops"].as_u64() <= exact["pops"].as_u64().map(|pops| pops + 100));
    let far = ask(&["--cutoff", "1mm"]);
    assert_eq!(far["status"], "farther");
    // For hulls there is nothing to end early.
    let shown = refused(&zerogap(&["distance", "part:torus", "part:gear", "--budget", "3"]), 2);
    assert!(shown.contains("--as mesh"), "{shown}");
}

#[test]
fn contacts_of_meshes_have_names_and_normals_of_their_own() {
    let report = parsed(&zerogap(&[
        "contacts",
        "part:box,width=1,depth=1,height=1",
        "part:box,width=1,depth=1,height=1",
        "--as",
        "mesh",
        "--pose-b",
        "0.25 0.125 0.999",
        "--json",
    ]));
    let contacts = report["contacts"].as_array().unwrap();
    assert_eq!(contacts.len(), 4, "{report}");
    for contact in contacts {
        assert!((contact["gap"].as_f64().unwrap() + 1e-3).abs() < 1e-12);
        assert!((numbers(&contact["normal"])[2] - 1.0).abs() < 1e-12);
        assert!(contact["id"].as_str().unwrap().contains(" on "));
    }
    let shown =
        good(&zerogap(&["contacts", "part:hole-plate", "part:peg", "--as", "mesh", "--within", "0.2mm"]));
    assert!(shown.contains("contacts, the nearest 0.1 mm apart"), "{shown}");
}

#[test]
fn a_mesh_in_millimetres_read_as_metres_is_warned_of_with_its_size_and_the_option() {
    let folder = TempDir::new().unwrap();
    let sizes = ["--set", "width=55", "--set", "depth=30", "--set", "height=12"];
    good(&zerogap_in(folder.path(), &[&["part", "box", "--out", "bracket.stl"][..], &sizes].concat()));
    for command in [
        &["inspect", "bracket.stl"][..],
        &["distance", "bracket.stl", "sphere:1"],
        &["distance", "--as", "mesh", "bracket.stl", "sphere:1"],
        &["hull", "bracket.stl"],
    ] {
        let said = zerogap_in(folder.path(), command);
        assert_eq!(said.status.code(), Some(0));
        let warned = text(&said.stderr);
        assert!(warned.starts_with("warning: bracket.stl is 55 x 30 x 12 m"), "{command:?}: {warned}");
        assert!(warned.contains("--unit mm"), "{command:?}: {warned}");
        good(&zerogap_in(folder.path(), &[command, &["--unit", "mm"]].concat()));
        // For programs, a line of JSON beside the result.
        let said = zerogap_in(folder.path(), &[command, &["--json"]].concat());
        let warned: serde_json::Value = serde_json::from_slice(&said.stderr).expect("one line of JSON");
        assert_eq!((&warned["kind"], &warned["file"]), (&"warning".into(), &"bracket.stl".into()));
        assert!(warned["message"].as_str().unwrap().contains("--unit mm"), "{warned}");
        serde_json::from_slice::<serde_json::Value>(&said.stdout).expect("the result");
    }
}

#[test]
fn the_name_of_a_file_in_a_warning_cannot_move_the_cursor() {
    let folder = TempDir::new().unwrap();
    let name = "\u{1b}[31mred.stl";
    let sizes = ["--set", "width=55", "--set", "depth=30", "--set", "height=12"];
    good(&zerogap_in(folder.path(), &[&["part", "box", "--out", "plain.stl"][..], &sizes].concat()));
    std::fs::rename(folder.path().join("plain.stl"), folder.path().join(name)).unwrap();
    let warned = text(&zerogap_in(folder.path(), &["inspect", name]).stderr);
    assert!(warned.starts_with("warning: \\u{1b}[31mred.stl is 55"), "{warned:?}");
    assert!(!warned.contains('\u{1b}'), "{warned:?}");
}
