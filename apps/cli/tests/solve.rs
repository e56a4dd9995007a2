//! `zerogap solve` as people and programs use it.

mod run;

use std::process::Output;

use tempfile::TempDir;

use run::{good, json as parsed, refused, text, zerogap, zerogap_in};

/// A unit mass that hits the ground at 1 m/s and slips at 2 m/s, friction 0.5.
const SLIDER: &str = "3 1\n3\n0 0 1\n1 1 1\n2 2 1\n-1 2 0\n0.5\n";
/// The same with nothing that gives way: no impulse answers.
const WALL: &str = "3 1\n0\n-1 2 0\n0.5\n";

/// A mass of which the impulses are no short numbers.
const ODD: &str = "3 1\n3\n0 0 0.3\n1 1 0.7\n2 2 0.7\n-0.1 0.01 0.02\n0.9\n";

/// Runs the command on files.
fn solve(files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    zerogap_in(folder.path(), &[&["solve"], names.as_slice(), arguments].concat())
}

#[test]
fn a_table_says_what_contacts_do_and_how_well_they_are_solved() {
    let shown = good(&solve(&[("slider.txt", SLIDER), ("none.txt", "3 0\n0\n")], &[]));
    let lines: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..6], ["problem", "contacts", "open", "sticking", "sliding", "status"]);
    assert_eq!(lines[2][..6], ["slider", "1", "0", "0", "1", "solved"]);
    assert_eq!(lines[3][..6], ["none", "0", "0", "0", "0", "solved"]);
}

#[test]
fn the_page_shows_what_the_command_prints() {
    // The first ten columns: the eleventh is the time, which differs from run to run.
    let words = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split_whitespace().take(10).collect::<Vec<_>>().join(" ")).collect()
    };
    let page = words(include_str!("../../../docs/friction.md"));
    let shown = words(&good(&solve(&[("slider.txt", SLIDER)], &[])));
    assert!(page.windows(shown.len()).any(|lines| lines == shown), "docs/friction.md must show\n{shown:#?}");
}

#[test]
fn json_has_every_number() {
    let report = parsed(&solve(&[("slider.txt", SLIDER)], &["--json", "--tolerance", "1e-10"]));
    assert_eq!(report["tolerance"], 1e-10);
    let problem = &report["problems"][0];
    assert_eq!((&problem["problem"], &problem["status"]), (&"slider".into(), &"solved".into()));
    assert!(problem["residual"].as_f64().unwrap() <= 1e-10);
    for key in ["contacts", "open", "sticking", "sliding", "relative", "sweeps", "newton", "time"] {
        assert!(problem[key].is_number(), "{key}: {report}");
    }
}

#[test]
fn a_missed_tolerance_is_reported_and_exits_with_one() {
    let output = solve(&[("slider.txt", SLIDER), ("wall.txt", WALL)], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("infeasible"), "{}", text(&output.stdout));
    assert!(
        text(&output.stderr)
            .starts_with("infeasible: wall: no impulses satisfy Coulomb's law: contact 0 approaches"),
        "{}",
        text(&output.stderr)
    );
    // JSON exits the same way.
    let output = solve(&[("wall.txt", WALL)], &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("\"infeasible\""));
    // Rounding that no impulses undo.
    let output = solve(&[("odd.txt", ODD)], &["--tolerance", "1e-300"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("not converged: odd reached "), "{}", text(&output.stderr));
}

#[test]
fn impulses_are_printed_and_written_with_every_digit() {
    let shown = good(&solve(&[("slider.txt", SLIDER)], &[]));
    let row: Vec<&str> = shown.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(row, ["slider", "0", "slides", "1", "-0.5", "0", "0", "1.5", "0"]);

    let folder = TempDir::new().unwrap();
    for (name, text) in [("slider.txt", SLIDER), ("odd.txt", ODD)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    good(&zerogap_in(folder.path(), &["solve", "slider.txt", "odd.txt", "--out", "impulses.csv"]));
    let written = std::fs::read_to_string(folder.path().join("impulses.csv")).unwrap();
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!(lines[0], "problem,contact,kind,r_n,r_t1,r_t2,u_n,u_t1,u_t2");
    assert_eq!(lines[1], "slider,0,slides,1.0,-0.5,0.0,0.0,1.5,0.0");
    let push: f64 = lines[2].split(',').nth(3).unwrap().parse().unwrap();
    assert!(lines[2].starts_with("odd,0,sticks,") && (0.3 * push - 0.1).abs() < 1e-9, "{written}");

    let report = parsed(&solve(&[("slider.txt", SLIDER)], &["--json"]));
    let problem = &report["problems"][0];
    assert_eq!(problem["impulses"], serde_json::json!([[1.0, -0.5, 0.0]]));
    assert_eq!(problem["velocities"], serde_json::json!([[0.0, 1.5, 0.0]]));
    assert_eq!((&problem["kinds"][0], &problem["certificate"]), (&"slides".into(), &serde_json::Value::Null));
    // It exits with one, and prints all the same.
    let wall = solve(&[("wall.txt", WALL)], &["--json"]);
    let wall: serde_json::Value = serde_json::from_slice(&wall.stdout).unwrap();
    assert_eq!(wall["problems"][0]["certificate"], serde_json::json!([[1.0, 0.0, 0.0]]));
    assert!(wall["problems"][0]["misses"]["approach"].as_f64().unwrap() > 0.9);
}

#[test]
fn json_tells_a_bound_that_is_infinite_from_none() {
    let report = |name: &str, problem: &str| -> serde_json::Value {
        let output = solve(&[(name, problem)], &["--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        report["problems"][0].clone()
    };
    assert_eq!(report("wall.txt", WALL)["min_impulse"], "inf");
    assert_eq!(report("slider.txt", SLIDER)["min_impulse"], serde_json::Value::Null);
}

#[test]
fn the_misses_of_the_law_stand_under_one_key() {
    let problem = &parsed(&solve(&[("slider.txt", SLIDER)], &["--json"]))["problems"][0];
    let keys: Vec<&str> = problem["misses"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["approach", "complementarity", "cone", "friction"]);
    assert!(problem.get("friction").is_none() && problem.get("cone").is_none(), "{problem}");
}

#[test]
fn impulses_that_cannot_be_written_exit_with_four_and_name_the_file() {
    let output = solve(&[("slider.txt", SLIDER)], &["--out", "missing/impulses.csv"]);
    assert!(refused(&output, 4).contains("missing/impulses.csv"), "{}", text(&output.stderr));
    let output = solve(&[("slider.txt", SLIDER)], &["--out", "missing/impulses.csv", "--json"]);
    let said: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&said["kind"], &said["file"]), (&"cannot_write".into(), &"missing/impulses.csv".into()));
}

#[cfg(unix)]
#[test]
fn impulses_are_not_written_through_a_link() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("slider.txt"), SLIDER).unwrap();
    std::fs::write(at("precious.txt"), "precious").unwrap();
    std::os::unix::fs::symlink("precious.txt", at("impulses.csv")).unwrap();
    let output = zerogap_in(folder.path(), &["solve", "slider.txt", "--out", "impulses.csv"]);
    assert!(refused(&output, 4).contains("impulses.csv: this is a symbolic link"), "{output:?}");
    assert_eq!(std::fs::read_to_string(at("precious.txt")).unwrap(), "precious");
}

#[test]
fn errors_point_at_the_line() {
    let said = refused(&solve(&[("bad.txt", &SLIDER.replace("1 1 1", "1 x 1"))], &[]), 3);
    assert!(said.contains("'bad.txt' is no friction problem"), "{said}");
    assert!(said.contains("bad.txt:4:1"), "{said}");
    assert!(said.contains("expected the column of entry 2 of 3 (a whole number), found `x`"), "{said}");
    let said = refused(&solve(&[("flat.txt", "2 1\n")], &[]), 3);
    assert!(said.contains("only of dimension 3"), "{said}");
    let said = refused(&solve(&[("empty.txt", "")], &[]), 3);
    assert!(said.contains("the text ends where the dimension"), "{said}");
    assert!(refused(&zerogap(&["solve", "missing.txt"]), 3).contains("missing.txt"));
    assert!(refused(&zerogap(&["solve"]), 2).contains("<FILE>"));
    assert!(refused(&solve(&[("slider.txt", SLIDER)], &["--tolerance", "-1"]), 2).contains("a tolerance is"));
    // A good file beside a bad one is still solved.
    let output = solve(&[("bad.txt", "3"), ("slider.txt", SLIDER)], &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("slider"));
}

#[test]
fn pyramids_have_friction_along_the_nearest_side() {
    // Slip in the direction of 30 degrees: of four sides the one along -t1 is nearest.
    let slanted = SLIDER.replace("-1 2 0", "-1 1.7320508 1");
    let found = parsed(&solve(&[("slanted.txt", &slanted)], &["--json", "--cone-sides", "4"]));
    let problem = &found["problems"][0];
    assert_eq!((problem["status"].as_str(), problem["sliding"].as_u64()), (Some("solved"), Some(1)));
    let impulse: Vec<f64> = run::numbers(&problem["impulses"][0]);
    assert!((impulse[1] + 0.5).abs() < 1e-12 && impulse[2].abs() < 1e-12, "{impulse:?}");
    assert!(problem["misses"]["friction"].as_f64().unwrap() > 0.1);
    let refusal = refused(&solve(&[("slanted.txt", &slanted)], &["--cone-sides", "2"]), 2);
    assert!(refusal.contains("--cone-sides") && refusal.contains("3..=1000"), "{refusal}");
    let wall = solve(&[("wall.txt", WALL)], &["--cone-sides", "4"]);
    assert_eq!(wall.status.code(), Some(1), "{}", text(&wall.stdout));
}
