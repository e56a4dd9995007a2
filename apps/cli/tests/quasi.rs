//! `zerogap contacts --method quasi-lmd`, `zerogap refine` and `zerogap inspect --complex`.

mod run;

use run::{good, json as parsed, refused, zerogap};

#[test]
fn a_tilted_box_on_the_floor_keeps_four_contacts_up_to_the_angular_tolerance() {
    // A turn by two degrees about y, as a quaternion.
    let tilted = "0 0 0.52 0 0.017452406437284 0 0.999847695156391";
    let ask = |angular_tolerance: &str| {
        let base =
            ["contacts", "halfspace:0,0,1,0", "box:1,1,1", "--method", "quasi-lmd", "--pose-b", tilted];
        parsed(&zerogap(
            &[&base[..], &["--within", "10cm", "--angular-tolerance", angular_tolerance, "--json"]].concat(),
        ))
    };
    let four = ask("5deg");
    assert_eq!(four["contacts"].as_array().unwrap().len(), 4, "{four}");
    assert_eq!(
        (&four["contacts"][0]["classes"][0], &four["contacts"][0]["classes"][1]),
        (&6.into(), &0.into())
    );
    assert_eq!(four["status"], "separated");
    assert_eq!(ask("1deg")["contacts"].as_array().unwrap().len(), 2);
}

#[test]
fn a_dilation_closes_the_gap_and_an_inset_opens_it_again() {
    let smallest = |more: &[&str]| {
        let base = ["contacts", "part:hole-plate", "part:peg", "--method", "quasi-lmd", "--json"];
        let report = parsed(&zerogap(&[&base[..], more].concat()));
        let contacts = report["contacts"].as_array().unwrap().clone();
        contacts.iter().map(|c| c["gap"].as_f64().unwrap()).fold(f64::INFINITY, f64::min)
    };
    assert!((smallest(&[]) - 1e-4).abs() < 1e-12);
    assert!((smallest(&["--dilation", "20um"]) - 6e-5).abs() < 1e-12);
    // The edges of the 48-sided peg are rounded off by 20 um (1 / cos(3.75 deg) - 1).
    let rounded = 20e-6 * (1.0 / zerogap::core::math::cos(3.75_f64.to_radians()) - 1.0);
    assert!((smallest(&["--dilation", "20um", "--inset"]) - (1e-4 + rounded)).abs() < 1e-12);
}

#[test]
fn bodies_in_each_other_say_that_they_intersect() {
    let shown = good(&zerogap(&[
        "contacts",
        "box:1,1,1",
        "box:1,1,1",
        "--method",
        "quasi-lmd",
        "--pose-b",
        "0.5 0 0",
    ]));
    assert!(shown.contains("INTERSECT: face"), "{shown}");
    let error = refused(&zerogap(&["contacts", "box:1,1,1", "cylinder:1,2", "--method", "quasi-lmd"]), 3);
    assert!(error.contains("a cylinder is curved"), "{error}");
    let error = refused(
        &zerogap(&["contacts", "halfspace:0,0,1,0", "halfspace:0,0,1,0", "--method", "quasi-lmd"]),
        3,
    );
    assert!(error.contains("must be bounded"), "{error}");
}

#[test]
fn refining_writes_a_mesh_with_short_edges() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("fine.obj");
    let name = file.to_str().unwrap();
    let report = parsed(&zerogap(&["refine", "part:hole-plate", "--edge", "5mm", "--out", name, "--json"]));
    assert!(report["longest_edge"].as_f64().unwrap() <= 5e-3, "{report}");
    let again = parsed(&zerogap(&["inspect", name, "--json"]));
    assert_eq!(again["targets"][0]["topology"]["triangles"], report["triangles"]);
    assert_eq!(again["targets"][0]["topology"]["watertight"], true);
    let error = refused(&zerogap(&["refine", "part:hole-plate", "--edge", "1e-9"]), 3);
    assert!(error.contains("would need more than"), "{error}");
}

#[test]
fn inspecting_a_complex_says_what_is_a_volume_and_why() {
    let shown = good(&zerogap(&["inspect", "--complex", "part:hole-plate"]));
    assert!(shown.contains("closed and facing outward"), "{shown}");
    let report =
        parsed(&zerogap(&["inspect", "--complex", "box:1,1,1", "triangle:0,0,0,1,0,0,0,1,0", "--json"]));
    assert_eq!(report["targets"][0]["classes"], serde_json::json!([8, 0, 12, 0, 0, 6, 12, 0]));
    assert_eq!(report["targets"][1]["parts"][0]["kind"], "shell");
    assert_eq!(report["targets"][1]["parts"][0]["reason"], "3 edges with one triangle");
}
