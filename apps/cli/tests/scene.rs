//! `zerogap scene`.

mod run;

use tempfile::TempDir;

use run::{good, json, refused, text, zerogap, zerogap_in};

#[test]
fn a_new_scene_is_written_once_and_is_good() {
    let folder = TempDir::new().unwrap();
    let shown = good(&zerogap_in(folder.path(), &["scene", "new", "starter", "--out", "mine.toml"]));
    assert!(shown.contains("wrote mine.toml"), "{shown}");
    let shown = good(&zerogap_in(folder.path(), &["scene", "check", "mine.toml"]));
    assert!(shown.contains("mine: good") && shown.contains("swinging arm"), "{shown}");
    let again = refused(&zerogap_in(folder.path(), &["scene", "new", "starter", "--out", "mine.toml"]), 4);
    assert!(again.contains("mine.toml") && again.contains("another file"), "{again}");
    assert!(good(&zerogap(&["scene", "new", "starter"])).starts_with("# A scene for zerogap"));
}

#[test]
fn an_error_shows_file_line_and_help() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("bad.toml"), "[world]\nrtoll = 1e-6\n").unwrap();
    let shown = refused(&zerogap_in(folder.path(), &["scene", "check", "bad.toml"]), 3);
    for part in ["bad.toml:2:1", "rtoll = 1e-6", "[world] has no key 'rtoll'", "did you mean 'rtol'?"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn overlaps_at_the_start_are_reported_by_name_at_the_body() {
    let folder = TempDir::new().unwrap();
    let scene = "[[fixed]]\nname = \"floor\"\nshape = \"box:4,4,0.2\"\n\n[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\n";
    std::fs::write(folder.path().join("deep.toml"), scene).unwrap();
    let shown = refused(&zerogap_in(folder.path(), &["scene", "check", "deep.toml"]), 3);
    for part in ["deep.toml:5:1", "'floor' and 'ball' overlap by", "overlaps = \"separate\""] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[test]
fn built_in_scenes_are_listed_and_checked_by_name() {
    let list = json(&zerogap(&["scene", "list", "--json"]));
    let names: Vec<&str> =
        list["scenes"].as_array().unwrap().iter().filter_map(|row| row["name"].as_str()).collect();
    assert!(names.contains(&"bouncing-ball") && names.contains(&"rattleback"), "{names:?}");
    assert!(good(&zerogap(&["scene", "list"])).contains("what it shows"));
    let checked = json(&zerogap(&["scene", "check", "bouncing-ball", "--json"]));
    assert_eq!((checked["bodies"].as_u64(), checked["shapes"].as_u64()), (Some(1), Some(2)));
    let shown = refused(&zerogap(&["scene", "check", "bouncing-bal"]), 3);
    assert!(
        shown.contains("neither a file nor a built-in scene") && shown.contains("newtons-cradle"),
        "{shown}"
    );
}

#[test]
fn a_urdf_asks_for_its_base_and_warns() {
    let folder = TempDir::new().unwrap();
    let robot = "<robot name=\"r\">\n<link name=\"base\"><visual/></link>\n</robot>\n";
    std::fs::write(folder.path().join("r.urdf"), robot).unwrap();
    let shown = refused(&zerogap_in(folder.path(), &["scene", "check", "r.urdf"]), 3);
    assert!(shown.contains("--base fixed or --base free"), "{shown}");
    let shown = good(&zerogap_in(folder.path(), &["scene", "check", "r.urdf", "--base", "fixed"]));
    assert!(shown.contains("warning: r.urdf: appearance is not read: <visual>"), "{shown}");
}

#[test]
fn the_schema_is_json() {
    let schema = json(&zerogap(&["scene", "schema"]));
    assert_eq!(schema["title"], "zerogap scene");
    assert!(text(&zerogap(&["scene", "schema"]).stdout).contains("\"bodies.joint\""));
}
