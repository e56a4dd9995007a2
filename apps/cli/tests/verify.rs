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
fn json_has_every_row_with_all_digits() {
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
    let is_count = |row: &&serde_json::Value| row["name"].as_str().unwrap().starts_with("poses");
    let poses: f64 = rows.iter().filter(is_count).map(|row| row["value"].as_f64().unwrap()).sum();
    assert!((poses - 600.0).abs() < 1e-9, "each of two cases splits its poses: {poses}");

    // Times are reported, and differ from run to run.
    let timed: Vec<_> = rows.iter().filter(|row| row["is_timing"] == true).collect();
    assert_eq!(timed.len(), 6);
    assert!(
        timed.iter().all(|row| row["required"] == serde_json::json!({}) && row["passed"] == true),
        "{timed:?}"
    );

    let events = json(&zerogap(&["verify", "events", "--json"]));
    assert_eq!(events["passed"], true);
    let events = events["rows"].as_array().unwrap();
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
        help.contains("tables Tables I and II of Cheng Yi and Drumwright") && help.contains("100000 cases"),
        "{help}"
    );
    assert!(help.contains("events worlds with located events"), "{help}");
    assert!(help.contains("stepping worlds with time stepping"), "{help}");
}

/// What a page and a run have in common: words without the spaces of columns, and without times, which differ from run to run.
fn reported(text: &str) -> Vec<String> {
    let is_time = |line: &str| {
        line.contains("time per iteration")
            || line.contains("time fraction of contacts")
            || line.contains("time of a step")
    };
    let words = |line: &str| line.replace('─', "").split_whitespace().collect::<Vec<&str>>().join(" ");
    text.lines().filter(|line| !is_time(line)).map(words).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_page_shows_what_the_command_prints() {
    let page = reported(include_str!("../../../docs/verify.md"));
    for group in ["tables", "events", "stepping"] {
        let shown = good(&zerogap(&["verify", group]));
        let lines = reported(&shown);
        assert!(page.windows(lines.len()).any(|window| window == lines), "docs/verify.md must show\n{shown}");
    }
}
