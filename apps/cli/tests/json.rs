//! JSON from every command, also where it fails; help that lists options where they belong.

mod run;

use serde_json::Value;
use tempfile::TempDir;

use run::{good, json, refused, text, zerogap, zerogap_in};

/// The names under `Commands:` in a help text.
fn commands(help: &str) -> Vec<String> {
    let list = help.split("Commands:\n").nth(1).unwrap_or_default();
    let names = list.lines().take_while(|line| !line.trim().is_empty());
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    names.filter(is_name).filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

#[test]
fn every_command_takes_json() {
    let mut found = 0;
    for name in commands(&good(&zerogap(&["--help"]))) {
        if name == "help" {
            continue;
        }
        let help = good(&zerogap(&[&name, "--help"]));
        let below: Vec<String> = commands(&help).into_iter().filter(|name| name != "help").collect();
        for below in &below {
            assert!(good(&zerogap(&[&name, below, "--help"])).contains("--json"), "{name} {below}");
        }
        assert!(!below.is_empty() || help.contains("--json"), "{name}");
        found += 1;
    }
    assert!(found >= 18, "{found}");
}

#[test]
fn commands_on_a_recording_print_json() {
    let folder = TempDir::new().unwrap();
    let reported = |arguments: &[&str]| json(&zerogap_in(folder.path(), arguments));
    let summary = reported(&["run", "bouncing-ball", "--until", "0.1", "--out", "out", "--json"]);
    assert_eq!((&summary["scene"], &summary["frames"]), (&"bouncing-ball".into(), &6.into()));
    assert!(summary["warnings"].as_array().unwrap().is_empty() && summary["files"].is_array());
    for (arguments, file) in [
        (&["plot", "out", "energy", "--json"][..], "energy.png"),
        (&["replay", "out", "--json"], "replay.html"),
        (&["export", "out", "run.npz", "--json"], "run.npz"),
        (&["export", "out", "tables", "--json"], "bodies.csv"),
        (&["scene", "new", "starter", "--out", "mine.toml", "--json"], "mine.toml"),
    ] {
        let files = reported(arguments)["files"].to_string();
        assert!(files.contains(file), "{arguments:?}: {files}");
    }
    assert!(
        reported(&["scene", "new", "starter", "--json"])["scene"].as_str().unwrap().contains("[[bodies]]")
    );
    assert!(reported(&["completions", "fish", "--json"])["script"].as_str().unwrap().contains("decompose"));
    assert_eq!(reported(&["scene", "schema", "--json"])["title"], "zerogap scene");
}

/// The one object that a command prints on standard error.
fn error(folder: &TempDir, arguments: &[&str], code: i32) -> Value {
    let output = zerogap_in(folder.path(), arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_str(&text(&output.stderr)).expect("the error is JSON")
}

#[test]
fn errors_are_json_with_kind_message_file_and_line_where_json_was_asked_for() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    file("bad.toml", "[world]\nrtoll = 1e-6\n");
    file("bad.obj", "v 0 0 0\nv 1 zero 0\nv 0 1 0\nf 1 2 3\n");
    file("boxes.csv", "0,0,0,1,1,1\n0,0,zero,1,1,1\n");
    file("problem.txt", "3 1\n3\n0 0 1\n1 x 1\n");
    for (arguments, name, line, words) in [
        (&["run", "bad.toml", "--json"][..], "bad.toml", 2, "[world] has no key 'rtoll'"),
        (&["scene", "check", "--json", "bad.toml"], "bad.toml", 2, "rtoll"),
        (&["inspect", "bad.obj", "--json"], "bad.obj", 2, "zero"),
        (&["distance", "bad.obj", "box:1,1,1", "--json"], "bad.obj", 2, "zero"),
        (&["pairs", "boxes.csv", "--json"], "boxes.csv", 2, "min_z"),
    ] {
        let said = error(&folder, arguments, 3);
        assert_eq!((&said["kind"], &said["file"]), (&"bad_input".into(), &name.into()), "{said}");
        assert_eq!(said["line"], line, "{said}");
        assert!(said["message"].as_str().unwrap().contains(words), "{said}");
    }
    for (arguments, code, kind, name) in [
        (&["plot", "nothing", "--json"][..], 3, "bad_input", Some("nothing")),
        (&["replay", "nothing", "--json"], 3, "bad_input", Some("nothing")),
        (&["export", "nothing", "x.npz", "--json"], 3, "bad_input", Some("nothing")),
        (&["inspect", "nothing.stl", "--json"], 3, "bad_input", Some("nothing.stl")),
        (&["run", "nothing.toml", "--json"], 3, "bad_input", Some("nothing.toml")),
        (&["inspect", "box:1,two,3", "--json"], 3, "bad_input", None),
        (&["part", "gear", "--out", "no/gear.obj", "--json"], 4, "cannot_write", Some("no/gear.obj")),
        (&["part", "gear", "--out", "gear.xyz", "--json"], 2, "bad_command", None),
        (&["distance", "box:1,1,1", "--json"], 2, "bad_command", None),
        (&["no-such-command", "--json"], 2, "bad_command", None),
        (&["run", "--json", "bouncing-ball", "--until", "-1"], 2, "bad_command", None),
    ] {
        let said = error(&folder, arguments, code);
        assert_eq!(said["kind"], kind, "{arguments:?}: {said}");
        assert_eq!(said["file"].as_str(), name, "{arguments:?}: {said}");
        assert!(said["line"].is_null() && !said["message"].as_str().unwrap().is_empty(), "{said}");
    }
    // Several errors are a line each, and good results still go to standard output.
    let output = zerogap_in(folder.path(), &["inspect", "part:gear", "nothing.stl", "bxo:1", "--json"]);
    assert_eq!(output.status.code(), Some(3));
    let errors: Vec<Value> =
        text(&output.stderr).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert_eq!(
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["targets"].as_array().unwrap().len(),
        1
    );
    let unmet = {
        file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
        error(&folder, &["inspect", "--require-watertight", "open.obj", "--json"], 1)
    };
    assert_eq!(unmet["kind"], "unmet", "{unmet}");
}

#[test]
fn general_options_stand_under_the_general_heading() {
    for (command, heading) in [("contacts", "With --method quasi-lmd:"), ("distance", "With --as mesh:")] {
        let help = good(&zerogap(&[command, "--help"]));
        let general = help.split(heading).next().unwrap();
        assert!(general.len() < help.len(), "{command}: no {heading}");
        for option in ["--json", "--unit", "--format", "--repair", "--tolerance", "--as", "--help"] {
            let is_there = general.lines().any(|line| line.split([' ', '<']).any(|word| word == option));
            assert!(is_there, "{command} {option}: {help}");
        }
    }
}

#[test]
fn a_misspelt_scene_is_reported_with_the_name_that_was_meant() {
    for command in [&["run", "domno-row"][..], &["scene", "check", "domno-row"]] {
        let said = refused(&zerogap(command), 3);
        assert!(said.contains("did you mean 'domino-row'?"), "{said}");
    }
    let said = refused(&zerogap(&["run", "zzz"]), 3);
    assert!(!said.contains("did you mean") && said.contains("domino-row"), "{said}");
}

#[test]
fn a_run_prints_the_json_that_it_writes() {
    let folder = TempDir::new().unwrap();
    let floor = "[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n";
    std::fs::write(folder.path().join("empty.toml"), floor).unwrap();
    for (command, key, part) in [
        (&["run", "empty.toml", "--until", "0.1"][..], "warnings", "the scene has no bodies"),
        // A ball has more impacts than are allowed, which ends the run.
        (&["run", "bouncing-ball", "--max-events", "2"], "reason", "'floor' and 'ball'"),
    ] {
        let output = zerogap_in(folder.path(), &[command, &["--out", key, "--json"]].concat());
        let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
        let file = std::fs::read(folder.path().join(key).join("summary.json")).unwrap();
        assert_eq!(printed, serde_json::from_slice::<Value>(&file).unwrap());
        assert!(printed[key].to_string().contains(part), "{printed}");
    }
}

#[test]
fn a_folder_named_as_a_built_in_scene_does_not_hide_it() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("bouncing-ball")).unwrap();
    let shown = good(&zerogap_in(folder.path(), &["scene", "check", "bouncing-ball"]));
    assert!(shown.starts_with("bouncing-ball: good"), "{shown}");
    // A file does.
    std::fs::remove_dir(folder.path().join("bouncing-ball")).unwrap();
    std::fs::write(folder.path().join("bouncing-ball"), "name = \"mine\"\n[run]\nuntil = 1\n").unwrap();
    let shown = good(&zerogap_in(folder.path(), &["scene", "check", "bouncing-ball"]));
    assert!(shown.starts_with("mine: good"), "{shown}");
}

#[test]
fn a_scene_without_bodies_says_so() {
    let folder = TempDir::new().unwrap();
    for content in ["", "[world]\ngravity = [0, 0, 0]\n", "[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n"] {
        std::fs::write(folder.path().join("empty.toml"), content).unwrap();
        let shown = good(&zerogap_in(folder.path(), &["scene", "check", "empty.toml"]));
        assert!(shown.contains("warning: the scene has no bodies"), "{shown}");
    }
    let shown = good(&zerogap_in(folder.path(), &["run", "empty.toml", "--until", "0.1", "--out", "out"]));
    assert!(shown.contains("warning: the scene has no bodies"), "{shown}");
    let landing = good(&zerogap(&["scene", "check", "skid-landing"]));
    assert!(!landing.contains("no bodies"), "{landing}");
}
