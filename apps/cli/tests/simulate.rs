//! `zerogap run`, `zerogap info` and `zerogap replay`.

mod run;

use tempfile::TempDir;

use run::{good, json, refused, zerogap, zerogap_in};

#[test]
fn a_run_leaves_a_recording_a_summary_and_a_replay() {
    let folder = TempDir::new().unwrap();
    let shown = good(&zerogap_in(folder.path(), &["run", "bouncing-ball", "--until", "600 ms"]));
    for part in ["bouncing-ball", "time reached  0.6 s", "frames        31", "state hash", "replay.html"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let made = folder.path().join("runs/bouncing-ball");
    for file in ["recording.zgr", "overview.png", "summary.json", "replay.html"] {
        assert!(made.join(file).metadata().unwrap().len() > 100, "{file}");
    }
    let reported = json(&zerogap_in(folder.path(), &["info", "runs/bouncing-ball", "--json"]));
    assert_eq!(reported["frames"], 31);
    assert_eq!(reported["is_whole"], true);
    for (what, out) in [("energy", "energy.svg"), ("steps", "steps.png")] {
        good(&zerogap_in(folder.path(), &["plot", "runs/bouncing-ball", what, "--out", out]));
        assert!(folder.path().join(out).metadata().unwrap().len() > 1000);
    }
    let wrong = refused(&zerogap_in(folder.path(), &["plot", "runs/bouncing-ball", "--out", "x.pdf"]), 2);
    assert!(wrong.contains(".png or a .svg"), "{wrong}");
    for out in ["run.npz", "run.glb", "tables"] {
        let shown = good(&zerogap_in(folder.path(), &["export", "runs/bouncing-ball", out]));
        assert!(shown.contains(out), "{shown}");
    }
    assert!(folder.path().join("tables/bodies.csv").exists());
    let wrong = refused(&zerogap_in(folder.path(), &["export", "runs/bouncing-ball", "x.xls"]), 2);
    assert!(wrong.contains(".npz, .glb, or a folder"), "{wrong}");
    let before = std::fs::read(made.join("replay.html")).unwrap();
    good(&zerogap_in(folder.path(), &["replay", "runs/bouncing-ball", "--out", "again.html"]));
    assert!(std::fs::read(folder.path().join("again.html")).unwrap() == before);
}

#[test]
fn two_runs_have_the_same_hash_and_json_has_the_same_numbers() {
    let folder = TempDir::new().unwrap();
    let run = |out: &str| {
        json(&zerogap_in(
            folder.path(),
            &["run", "newtons-cradle", "--until", "0.5", "--every", "50 ms", "--out", out, "--json"],
        ))
    };
    let (first, second) = (run("a"), run("b"));
    assert_eq!(first["hash"], second["hash"]);
    assert_eq!(first["frames"], 11);
    let info = |run: &str| json(&zerogap_in(folder.path(), &["info", run, "--json"]));
    assert_eq!(info("a")["hash"], info("b")["hash"]);
}

#[test]
fn what_cannot_be_run_is_reported() {
    let unknown = refused(&zerogap(&["run", "no-such-scene"]), 3);
    assert!(
        unknown.contains("neither a file nor a built-in scene") && unknown.contains("box-tower"),
        "{unknown}"
    );
    let never = refused(&zerogap(&["run", "bouncing-ball", "--until", "-1"]), 2);
    assert!(never.contains("until"), "{never}");
    let missing = refused(&zerogap(&["info", "no-such-run"]), 3);
    assert!(missing.contains("no-such-run"), "{missing}");
}

#[test]
fn a_run_says_how_many_bodies_sleep() {
    let folder = TempDir::new().unwrap();
    let scene = r#"
        name = "two boxes"
        [run]
        until = "300 ms"
        [world]
        method = "stepping"
        sleep = "50 ms"
        sleep_speed = "2 mm/s"
        [[fixed]]
        shape = "halfspace:0,0,1,0"
        [[bodies]]
        name = "lower"
        position = [0, 0, 0.1]
        shape = "box:0.2,0.2,0.2"
        [[bodies]]
        name = "upper"
        position = [0, 0, 0.3]
        shape = "box:0.2,0.2,0.2"
    "#;
    std::fs::write(folder.path().join("boxes.toml"), scene).unwrap();
    let run = |arguments: &[&str]| {
        let all = [&["run", "boxes.toml", "--out", "made", "--overwrite"], arguments].concat();
        zerogap_in(folder.path(), &all)
    };
    let shown = good(&run(&[]));
    assert!(shown.contains("asleep") && shown.contains("2 bodies at the end"), "{shown}");
    assert_eq!(json(&run(&["--json"]))["info"]["sleeping"], 2);
    // Later than the run lasts.
    assert_eq!(json(&run(&["--sleep", "1 s", "--json"]))["info"]["sleeping"], 0);
    let wrong = refused(&run(&["--sleep", "0"]), 2);
    assert!(wrong.contains("'sleep' is 0 s: it must be above 0"), "{wrong}");
    let wrong = refused(&run(&["--method", "silvia", "--sleep", "1 s"]), 2);
    assert!(wrong.contains("--method stepping"), "{wrong}");
    let alone = ["run", "bouncing-ball", "--method", "stepping", "--sleep-speed", "1 mm/s"];
    let wrong = refused(&zerogap_in(folder.path(), &alone), 2);
    assert!(wrong.contains("nothing sleeps"), "{wrong}");
}

#[test]
fn a_run_may_use_time_stepping_in_place_of_events() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| {
        let all = [&["run", "bouncing-ball", "--until", "600 ms", "--out", "made", "--overwrite"], arguments]
            .concat();
        zerogap_in(folder.path(), &all)
    };
    for (method, words) in [("stepping", "exact friction cones"), ("silvia", "normal forces")] {
        let reported = json(&run(&["--method", method, "--step", "2 ms", "--json"]));
        assert_eq!(reported["info"]["steps"], 300, "{reported}");
        assert_eq!(reported["info"]["contacts"]["unconverged"], 0, "{reported}");
        assert!(reported["info"]["method"][0].as_str().unwrap().contains(words), "{reported}");
    }
    let shown = good(&run(&["--method", "silvia"]));
    assert!(shown.contains("contact problems") && shown.contains("600 accepted"), "{shown}");
    // Keys of the scene that this method does not use are named, once.
    assert_eq!(shown.matches("does not use").count(), 1, "{shown}");
    assert!(shown.contains("'restitution' of [[pairs]]"), "{shown}");
    let reported = json(&run(&["--method", "events", "--json"]));
    assert!(reported["info"]["contacts"].is_null(), "{reported}");
    assert_eq!(reported["warnings"].as_array().map_or(0, Vec::len), 0, "{reported}");

    let wrong = refused(&run(&["--step", "1 ms"]), 2);
    assert!(wrong.contains("--method stepping"), "{wrong}");
    let wrong = refused(&run(&["--method", "events", "--step", "1 ms"]), 2);
    assert!(wrong.contains("--method stepping"), "{wrong}");
    let wrong = refused(&run(&["--method", "silvia", "--step", "0"]), 2);
    assert!(wrong.contains("'step' is 0 s: it must be above 0"), "{wrong}");
    let wrong = refused(&run(&["--method", "euler"]), 2);
    assert!(wrong.contains("silvia"), "{wrong}");
    let auto = json(&run(&["--method", "auto", "--json"]));
    assert!(auto["info"]["method"][0].as_str().unwrap().contains("dop853"), "{auto}");
    let wrong = refused(&run(&["--method", "dop853"]), 2);
    assert!(wrong.contains("integrator"), "{wrong}");
    let wrong = refused(&run(&["--method", "silvia", "--integrator", "radau"]), 2);
    assert!(wrong.contains("'integrator' has no meaning for method"), "{wrong}");
    let told = json(&run(&["--integrator", "radau", "--json"]));
    assert!(told["info"]["method"][0].as_str().unwrap().contains("radau"), "{told}");
}

#[test]
fn a_scene_that_goes_by_steps_may_go_by_events() {
    let folder = TempDir::new().unwrap();
    let text = "[world]\nmethod = \"silvia\"\nstep = \"5 ms\"\n[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n\
                [[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 0.2]\n";
    std::fs::write(folder.path().join("ball.toml"), text).unwrap();
    let run = |arguments: &[&str]| {
        let all =
            [&["run", "ball.toml", "--until", "0.1", "--out", "made", "--overwrite", "--json"], arguments]
                .concat();
        json(&zerogap_in(folder.path(), &all))
    };
    assert_eq!(run(&[])["info"]["steps"], 20);
    assert_eq!(run(&["--step", "1 ms"])["info"]["steps"], 100);
    assert!(run(&["--method", "stepping"])["info"]["method"][0].as_str().unwrap().contains("friction"));
    assert!(run(&["--method", "events"])["info"]["contacts"].is_null());
}

#[test]
fn gaps_of_chosen_pairs_are_written_frame_by_frame() {
    let folder = TempDir::new().unwrap();
    let run = ["run", "bouncing-ball", "--until", "0.3", "--every", "0.1", "--out", "out", "--gaps"];
    let shown = good(&zerogap_in(folder.path(), &[&run[..], &["ball,world"]].concat()));
    assert!(shown.contains("gaps.csv"), "{shown}");
    let table = std::fs::read_to_string(folder.path().join("out/gaps.csv")).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines[0], "t,a,b,gap,lower,upper,nx,ny,nz,ax,ay,az,bx,by,bz");
    assert_eq!(lines.len(), 5, "{table}");
    let gap = |line: &str| line.split(',').nth(3).unwrap().parse::<f64>().unwrap();
    let fallen = gap(lines[1]) - gap(lines[2]);
    assert!((fallen - 0.5 * 9.81 * 0.01).abs() < 1e-9, "{table}");
    let wrong =
        refused(&zerogap_in(folder.path(), &[&run[..], &["ball,floor 9", "--overwrite"]].concat()), 2);
    assert!(wrong.contains("no body or shape is called 'floor 9'"), "{wrong}");
    let wrong = refused(&zerogap_in(folder.path(), &[&run[..], &["ball"]].concat()), 2);
    assert!(wrong.contains("two names with a comma"), "{wrong}");
}
