//! Searches of meshes with a budget of time, crossings, contact planes and rows from the command line.

mod run;

use run::{good, json as parsed, refused, zerogap};

#[test]
fn a_budget_of_time_and_any_hierarchy_have_true_bounds() {
    let base = ["distance", "part:gear", "part:gear", "--pose-b", "60mm 5mm 3mm", "--as", "mesh", "--json"];
    let ask = |more: &[&str]| parsed(&zerogap(&[&base[..], more].concat()));
    let exact = ask(&[])["gap"].as_f64().unwrap();
    for more in [
        &["--budget", "10s"][..],
        &["--volume", "balls"],
        &["--volume", "26-dops", "--split", "longest", "--best-first"],
        &["--split", "smallest-volumes"],
    ] {
        let found = ask(more);
        assert!((found["gap"].as_f64().unwrap() - exact).abs() < 1e-12, "{more:?}: {found}");
        assert_eq!(found["status"], "exact", "{more:?}");
    }
    let short = ask(&["--volume", "boxes", "--budget", "10", "--best-first"]);
    assert!(short["lower"].as_f64().unwrap() <= exact && exact <= short["upper"].as_f64().unwrap());
    assert_eq!(short["status"], "limited");
    let message =
        refused(&zerogap(&["distance", "part:gear", "box:1,1,1", "--as", "mesh", "--budget", "2ms"]), 2);
    assert!(message.contains("two meshes"), "{message}");
}

#[test]
fn crossings_are_listed() {
    let ask = |x: &str| {
        zerogap(&["contacts", "part:box", "part:box", "--pose-b", x, "--as", "mesh", "--crossings", "--json"])
    };
    assert_eq!(parsed(&ask("9 0 0"))["crossings"].as_array().unwrap().len(), 0);
    let found = parsed(&ask("1mm 0.5mm 0.2mm"));
    assert!(found["crossings"].as_array().unwrap().len() > 6, "{found}");
    let shown = good(&zerogap(&[
        "contacts",
        "part:box",
        "part:box",
        "--pose-b",
        "9 0 0",
        "--as",
        "mesh",
        "--crossings",
    ]));
    assert!(shown.starts_with("no triangles cross"), "{shown}");
}

#[test]
fn plane_and_rows_come_with_the_contacts() {
    let ask = ["contacts", "box:1,1,1", "box:1,1,1", "--pose-b", "1 1 1", "--plane", "--rows"];
    let found = parsed(&zerogap(&[&ask[..], &["--json"]].concat()));
    let plane = &found["plane"];
    assert_eq!(plane["candidates"].as_array().unwrap().len(), 3, "{found}");
    assert_eq!(plane["candidates"][0]["kind"], "face of A");
    let row = found["rows"][0].as_array().unwrap();
    assert_eq!(row.len(), 12);
    for axis in 0..3 {
        assert!((row[axis].as_f64().unwrap() + row[6 + axis].as_f64().unwrap()).abs() < 1e-15);
    }
    let shown = good(&zerogap(&ask));
    assert!(
        shown.contains("contact plane:") && shown.contains("candidate normal") && shown.contains("gap rate"),
        "{shown}"
    );
    let message = refused(&zerogap(&["contacts", "box:1,1,1", "halfspace:0,0,1,0", "--plane"]), 2);
    assert!(message.contains("--plane takes bounded convex bodies"), "{message}");
}
