//! `zerogap verify` as people and programs use it.

mod run;

use run::{good, json, refused, zerogap};

#[test]
fn tables_are_shown_beside_what_was_published() {
    let shown = good(&zerogap(&["verify", "tables", "--count", "500"]));
    assert!(shown.starts_with("tables: Table I, two boxes") && shown.contains(", 500 cases\n"), "{shown}");
    let line = |start: &str| shown.lines().find(|line| line.starts_with(start)).unwrap().to_owned();
    assert!(line("measured").ends_with("libccd (GJK and EPA)  Moby (separating axes)"), "{shown}");
    let words: Vec<String> = line("largest error [m]").split_whitespace().map(str::to_owned).collect();
    assert_eq!(words[4..], ["<=", "2.7e-15", "holds", "0.6089", "2.665e-15"], "{shown}");
    assert!(shown.ends_with("4 of 4 requirements hold\n"), "{shown}");
}

#[test]
fn json_has_every_row_with_all_digits_and_no_group_means_all() {
    let report = json(&zerogap(&["verify", "tables", "--count", "300", "--json"]));
    assert_eq!(report["passed"], true);
    let rows = report["rows"].as_array().unwrap();
    let largest = rows.iter().find(|row| row["name"] == "largest error").unwrap();
    assert_eq!(largest["required"]["at_most"], 2.7e-15);
    assert_eq!(
        (&largest["group"], &largest["count"], &largest["unit"]),
        (&"tables".into(), &300.into(), &"m".into())
    );
    assert_eq!(
        largest["published"][1],
        serde_json::json!({"by": "Moby (separating axes)", "value": 2.664_54e-15})
    );
    let error = largest["value"].as_f64().unwrap();
    assert!(error > 0.0 && error <= 2.7e-15 && largest["passed"] == true, "{largest}");
    let poses: f64 = rows.iter().filter(|r| r["unit"] == "").map(|r| r["value"].as_f64().unwrap()).sum();
    assert!((poses - 600.0).abs() < 1e-9, "each of two cases splits its poses: {poses}");

    // All groups: the same rows, then those of the groups after it.
    let all = json(&zerogap(&["verify", "--count", "300", "--json"]));
    assert_eq!(all["passed"], true);
    let all = all["rows"].as_array().unwrap();
    assert_eq!(&all[..rows.len()], &rows[..]);
    let events = &all[rows.len()..];
    assert!(events.iter().all(|row| row["group"] == "events" && row["count"] == 1), "{events:?}");
    let named = |name: &str| events.iter().find(|row| row["name"] == name).unwrap();
    let first = named("impact 1");
    assert_eq!((&first["unit"], &first["passed"]), (&"s".into(), &true.into()));
    let exact = (2.0_f64 / 9.81).sqrt();
    assert!((first["required"]["expected"].as_f64().unwrap() - exact).abs() < 1e-15, "{first}");
    assert!((first["value"].as_f64().unwrap() - exact).abs() < 1e-9, "{first}");
    assert_eq!(first["required"]["tolerance"], 1e-9);
    let energy = named("mean squared error of energy");
    assert_eq!(energy["published"][0], serde_json::json!({"by": "RaiSim", "value": 0.019}));
    assert_eq!(energy["required"], serde_json::json!({}));
}

#[test]
fn unknown_groups_and_empty_counts_are_refused_with_what_there_is() {
    let unknown = refused(&zerogap(&["verify", "tabels"]), 2);
    assert!(unknown.contains("tabels") && unknown.contains("tables"), "{unknown}");
    let counted = refused(&zerogap(&["verify", "events", "--count", "5"]), 2);
    assert!(counted.contains("'events' has no random cases"), "{counted}");
    let none = refused(&zerogap(&["verify", "--count", "0"]), 2);
    assert!(none.contains("--count"), "{none}");
    let help = good(&zerogap(&["verify", "--help"])).split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(
        help.contains("tables Table I of Cheng Yi and Drumwright") && help.contains("100000 cases"),
        "{help}"
    );
    assert!(help.contains("events worlds with located events"), "{help}");
}

#[test]
fn the_page_shows_what_the_command_prints() {
    let page = include_str!("../../../docs/verify.md");
    for group in ["tables", "events"] {
        let shown = good(&zerogap(&["verify", group]));
        assert!(page.contains(&shown), "docs/verify.md must show\n{shown}");
    }
}
