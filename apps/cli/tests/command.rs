//! The command as people and programs use it: output, JSON, files, errors and exit codes.

mod run;

use tempfile::TempDir;

use run::{good, json, refused, text, zerogap, zerogap_in};

#[test]
fn inspect_shows_a_part_with_its_mass() {
    let shown = good(&zerogap(&["inspect", "part:box,width=2,depth=3,height=4", "--density", "7.85 g/cm3"]));
    assert!(shown.contains("closed manifold"), "{shown}");
    assert!(shown.contains("188400 kg"), "{shown}");
    assert!(shown.contains("2 x 3 x 4 m"), "{shown}");
}

#[test]
fn inspect_prints_json_with_all_digits() {
    let report = json(&zerogap(&["inspect", "--json", "sphere:0.1", "halfspace:0,0,1,0", "part:torus"]));
    let [sphere, floor, torus] = report["targets"].as_array().unwrap().as_slice() else {
        panic!("three targets")
    };
    assert_eq!(
        sphere["volume"].as_f64().unwrap().to_bits(),
        (4.0 / 3.0 * std::f64::consts::PI * 0.1_f64.powi(3)).to_bits()
    );
    assert_eq!(sphere["kind"], "sphere");
    assert!(floor["extent"].is_null() && floor["mass"].is_null());
    assert!(floor["mass_error"].as_str().unwrap().contains("half-space"));
    assert_eq!(torus["topology"]["watertight"], true);
    assert_eq!(torus["topology"]["euler_characteristic"], 0);
}

#[test]
fn several_targets_make_a_table() {
    let shown = good(&zerogap(&["inspect", "part:gear", "box:1,1,1"]));
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 6, "{shown}");
    assert_eq!(lines[5], "masses at 1000 kg/m³");
    assert!(
        lines[0].starts_with("target")
            && lines[2].starts_with("part:gear")
            && lines[3].starts_with("box:1,1,1")
    );
}

#[test]
fn parts_are_listed_described_and_written_in_every_format() {
    let folder = TempDir::new().unwrap();
    let list = good(&zerogap(&["part"]));
    assert!(list.contains("gear") && list.contains("hole-plate"), "{list}");
    for format in ["obj", "stl", "ply", "glb"] {
        let file = format!("gear.{format}");
        let shown = good(&zerogap_in(folder.path(), &["part", "gear", "--set", "teeth=12", "--out", &file]));
        assert!(shown.contains(&format!("wrote {file}")) && shown.contains("12"), "{shown}");
        let report = json(&zerogap_in(folder.path(), &["inspect", "--json", &file]));
        assert_eq!(report["targets"][0]["topology"]["summary"], "closed manifold", "{format}");
    }
}

#[test]
fn units_scale_mesh_files() {
    let folder = TempDir::new().unwrap();
    good(&zerogap_in(
        folder.path(),
        &["part", "box", "--set", "width=1", "--set", "depth=1", "--set", "height=1", "--out", "cube.obj"],
    ));
    let report = json(&zerogap_in(folder.path(), &["inspect", "--json", "--unit", "mm", "cube.obj"]));
    assert_eq!(report["targets"][0]["extent"], serde_json::json!([1e-3, 1e-3, 1e-3]));
}

#[test]
fn hulls_are_measured_and_written() {
    let folder = TempDir::new().unwrap();
    let report =
        json(&zerogap_in(folder.path(), &["hull", "--json", "part:hole-plate", "--out", "hull.obj"]));
    assert_eq!(
        (report["vertices"].as_u64(), report["edges"].as_u64(), report["faces"].as_u64()),
        (Some(8), Some(12), Some(6))
    );
    let inspected = json(&zerogap_in(folder.path(), &["inspect", "--json", "hull.obj"]));
    let volume = inspected["targets"][0]["volume"].as_f64().unwrap();
    assert!((volume / report["volume"].as_f64().unwrap() - 1.0).abs() < 1e-14);
}

#[test]
fn decompositions_are_written_as_one_file_or_many() {
    let folder = TempDir::new().unwrap();
    let plate = "part:hole-plate,section=rectangular";
    let report = json(&zerogap_in(
        folder.path(),
        &["decompose", "--json", plate, "--concavity", "0.1mm", "--out", "pieces"],
    ));
    assert_eq!(report["status"], "reached");
    let pieces = report["pieces"].as_array().unwrap().len();
    assert_eq!(pieces, 4, "a frame is four boxes");
    assert_eq!(std::fs::read_dir(folder.path().join("pieces")).unwrap().count(), pieces);
    good(&zerogap_in(folder.path(), &["decompose", plate, "--concavity", "0.1mm", "--out", "all.obj"]));
    let all = std::fs::read_to_string(folder.path().join("all.obj")).unwrap();
    let groups: Vec<&str> = all.lines().filter_map(|line| line.strip_prefix("g ")).collect();
    assert_eq!(groups, ["piece-000", "piece-001", "piece-002", "piece-003"]);
}

#[test]
fn a_limit_that_is_not_kept_is_exit_code_one() {
    let output = zerogap(&["decompose", "part:torus", "--concavity", "0.1mm", "--max-pieces", "2"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("LIMIT EXCEEDED"));
}

#[test]
fn an_open_mesh_fails_the_requirement_and_says_why_it_has_no_mass() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("open.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let output = zerogap_in(folder.path(), &["inspect", "--require-watertight", "open.obj"]);
    assert_eq!(output.status.code(), Some(1));
    let shown = text(&output.stdout);
    assert!(shown.contains("3 boundary edges") && shown.contains("mass"), "{shown}");
    assert!(text(&output.stderr).contains("not watertight: open.obj"));
}

#[test]
fn errors_in_files_name_the_file_and_underline_the_line() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("bad.obj"), "v 0 0 0\nv 1 zero 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let error = refused(&zerogap_in(folder.path(), &["inspect", "bad.obj"]), 3);
    assert!(
        error.contains("bad.obj:2:5") && error.contains("v 1 zero 0") && error.contains("'zero'"),
        "{error}"
    );
    let missing = refused(&zerogap_in(folder.path(), &["inspect", "nothing.stl"]), 3);
    assert!(missing.contains("nothing.stl"), "{missing}");
}

#[test]
fn errors_in_words_underline_the_word() {
    let error = refused(&zerogap(&["inspect", "box:1,two,3"]), 3);
    assert!(error.contains("box:1,two,3") && error.contains("'two' is not a length"), "{error}");
    let unknown = refused(&zerogap(&["inspect", "bxo:1,2,3"]), 3);
    assert!(unknown.contains("for example box:2,2,2"), "{unknown}");
    let part = refused(&zerogap(&["inspect", "part:gear,tooth=3"]), 3);
    assert!(part.contains("did you mean 'teeth'"), "{part}");
    let shape = refused(&zerogap(&["hull", "sphere:1"]), 3);
    assert!(shape.contains("takes a mesh file or a part"), "{shape}");
}

#[test]
fn what_cannot_be_written_is_exit_code_four_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let error = refused(&zerogap_in(folder.path(), &["part", "gear", "--out", "no/such/folder/gear.obj"]), 4);
    assert!(error.contains("gear.obj"), "{error}");
    let error = refused(&zerogap_in(folder.path(), &["part", "gear", "--out", "gear.xyz"]), 2);
    assert!(error.contains("obj, stl, ply, glb"), "{error}");
    let error = refused(&zerogap_in(folder.path(), &["decompose", "part:gear", "--out", "pieces.stl"]), 2);
    assert!(error.contains("to a folder"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_wrong_command_line_is_exit_code_two() {
    assert_eq!(zerogap(&["inspect"]).status.code(), Some(2));
    let density = zerogap(&["inspect", "box:1,1,1", "--density", "heavy"]);
    assert_eq!(density.status.code(), Some(2));
    assert!(text(&density.stderr).contains("kg/m3"));
    for wrong in [
        ["inspect", "box:1,1,1", "--density", "-5"],
        ["inspect", "box:1,1,1", "--unit", "0"],
        ["decompose", "part:gear", "--concavity", "-1mm"],
        ["decompose", "part:gear", "--max-pieces", "0"],
        ["part", "gear", "--set", "teeth"],
        ["part", "gear", "--set", "teeth=1"],
    ] {
        assert_eq!(zerogap(&wrong).status.code(), Some(2), "{wrong:?}");
    }
    assert!(text(&zerogap(&["part", "gera"]).stderr).contains("gear"));
}

#[test]
fn one_bad_file_does_not_hide_the_good_ones() {
    let output = zerogap(&["inspect", "part:gear", "nothing.stl", "part:torus", "bxo:1"]);
    assert_eq!(output.status.code(), Some(3));
    let (shown, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(shown.contains("part:gear") && shown.contains("part:torus"), "{shown}");
    assert!(errors.contains("nothing.stl") && errors.contains("bxo"), "{errors}");
}

#[test]
fn a_second_decomposition_leaves_no_piece_of_the_first() {
    let folder = TempDir::new().unwrap();
    let pieces = |limit: &str| {
        let plate = "part:hole-plate,section=rectangular";
        good(&zerogap_in(folder.path(), &["decompose", plate, "--concavity", limit, "--out", "pieces"]));
        std::fs::read_dir(folder.path().join("pieces")).unwrap().count()
    };
    assert_eq!(pieces("0.1mm"), 4);
    std::fs::write(folder.path().join("pieces/notes.txt"), "mine").unwrap();
    assert_eq!(pieces("1m"), 1 + 1);
}

#[test]
fn the_format_can_be_given() {
    let folder = TempDir::new().unwrap();
    good(&zerogap_in(folder.path(), &["part", "gear", "--out", "gear.stl"]));
    std::fs::rename(folder.path().join("gear.stl"), folder.path().join("gear.part")).unwrap();
    refused(&zerogap_in(folder.path(), &["inspect", "gear.part"]), 3);
    good(&zerogap_in(folder.path(), &["inspect", "gear.part", "--format", "stl"]));
}

#[test]
fn help_has_examples_and_completions_know_the_commands() {
    for command in ["inspect", "hull", "decompose", "distance", "part", "completions"] {
        assert!(good(&zerogap(&[command, "--help"])).contains("Examples:"), "{command}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(good(&zerogap(&["completions", shell])).contains("decompose"), "{shell}");
    }
}

#[test]
fn manual_pages_have_the_texts_of_the_help() {
    let page = good(&zerogap(&["man"]));
    assert!(page.contains(".TH zerogap 1") && page.contains("Signed distance of two bodies"), "{page}");
    let folder = TempDir::new().unwrap();
    good(&zerogap_in(folder.path(), &["man", "--out", "man1"]));
    for (file, words) in
        [("zerogap.1", "zerogap"), ("zerogap-run.1", "rtol"), ("zerogap-scene-check.1", "first error")]
    {
        let page = std::fs::read_to_string(folder.path().join("man1").join(file)).unwrap();
        assert!(page.contains(words), "{file}");
    }
}
