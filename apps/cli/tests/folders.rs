//! Where `zerogap run` and its fellows write, and what they leave alone.

mod run;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use run::{good, json, refused, zerogap_in};

const BALL: &str = "[[fixed]]\nshape = \"halfspace:0,0,1,0\"\n[[bodies]]\nname = \"ball\"\nshape = \"sphere:0.1\"\nposition = [0, 0, 1]\n";

/// All files below a folder.
fn files_below(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            found.append(&mut files_below(&path));
        } else {
            found.insert(path);
        }
    }
    found
}

fn scene_named(folder: &Path, name: &str) {
    let name = serde_json::to_string(name).unwrap();
    std::fs::write(folder.join("scene.toml"), format!("name = {name}\n{BALL}")).unwrap();
}

/// A run that takes hours.
fn endless(folder: &Path, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_zerogap"))
        .args(["run", "heaving-deck", "--until", "1e6", "--every", "10", "--out", "out"])
        .args(more)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn wait_for(file: &Path) {
    let start = Instant::now();
    while !file.exists() {
        assert!(start.elapsed() < Duration::from_mins(1), "{} does not come", file.display());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_scene_name_never_leads_out_of_the_folder_of_runs() {
    let top = TempDir::new().unwrap();
    let absolute = top.path().join("absolute").display().to_string();
    let long = "n".repeat(400);
    for (k, name) in
        ["../../x", "..", ".", "", "a/../../b", "/", "x\\..\\y", "\n\u{1b}[2J", "NUL", &absolute, &long]
            .into_iter()
            .enumerate()
    {
        let folder = top.path().join(format!("{k}/deep"));
        std::fs::create_dir_all(&folder).unwrap();
        scene_named(&folder, name);
        let before = files_below(top.path());
        good(&zerogap_in(&folder, &["run", "scene.toml", "--until", "0.05"]));
        let runs = folder.join("runs");
        let new: Vec<PathBuf> = files_below(top.path()).difference(&before).cloned().collect();
        let inside = new.iter().filter(|file| file.parent().and_then(Path::parent) == Some(&runs)).count();
        assert_eq!((new.len(), inside), (4, 4), "{name:?}: {new:?}");
        assert_eq!(std::fs::read_dir(&runs).unwrap().count(), 1, "{name:?}");
    }
}

#[test]
fn a_second_run_without_a_folder_gets_one_of_its_own_and_nothing_is_lost() {
    let folder = TempDir::new().unwrap();
    let read = |run: &str| std::fs::read(folder.path().join("runs").join(run).join("recording.zgr")).unwrap();
    let run = |until: &str| good(&zerogap_in(folder.path(), &["run", "bouncing-ball", "--until", until]));
    run("0.1");
    let first = read("bouncing-ball");
    let shown = run("0.2");
    assert!(shown.contains("runs/bouncing-ball-2/replay.html"), "{shown}");
    run("0.3");
    assert!(read("bouncing-ball") == first);
    assert!(read("bouncing-ball-2").len() < read("bouncing-ball-3").len());
    let left: Vec<PathBuf> = files_below(folder.path()).into_iter().collect();
    assert_eq!(left.len(), 3 * 4, "{left:?}");
}

#[test]
fn an_earlier_result_is_replaced_only_with_overwrite() {
    let folder = TempDir::new().unwrap();
    let run = |until: &str, more: &[&str]| {
        let all = [&["run", "bouncing-ball", "--until", until, "--out", "out"], more].concat();
        zerogap_in(folder.path(), &all)
    };
    std::fs::create_dir(folder.path().join("out")).unwrap();
    std::fs::write(folder.path().join("out/notes.txt"), "mine").unwrap();
    good(&run("0.1", &[]));
    let before: Vec<Vec<u8>> =
        files_below(folder.path()).iter().map(|file| std::fs::read(file).unwrap()).collect();
    let said = refused(&run("0.2", &[]), 4);
    assert!(said.contains("earlier run") && said.contains("--overwrite"), "{said}");
    let after: Vec<Vec<u8>> =
        files_below(folder.path()).iter().map(|file| std::fs::read(file).unwrap()).collect();
    assert!(before == after);
    good(&run("0.2", &["--overwrite"]));
    assert_eq!(json(&zerogap_in(folder.path(), &["info", "out", "--json"]))["frames"], 11);
    assert_eq!(std::fs::read_to_string(folder.path().join("out/notes.txt")).unwrap(), "mine");
    // Without a folder there is nothing to replace.
    assert!(
        refused(&zerogap_in(folder.path(), &["run", "bouncing-ball", "--overwrite"]), 2).contains("--out")
    );
}

#[test]
fn a_folder_that_a_run_writes_to_is_refused_with_the_process_that_has_it() {
    let folder = TempDir::new().unwrap();
    let mut first = endless(folder.path(), &[]);
    wait_for(&folder.path().join("out/recording.zgr"));
    let second = zerogap_in(folder.path(), &["run", "bouncing-ball", "--out", "out", "--overwrite"]);
    first.kill().unwrap();
    first.wait().unwrap();
    let said = refused(&second, 4);
    assert!(said.contains(&format!("process {}", first.id())), "{said}");
    // A process that is gone holds nothing.
    let args = ["run", "bouncing-ball", "--until", "0.1", "--out", "out", "--overwrite"];
    good(&zerogap_in(folder.path(), &args));
    assert_eq!(files_below(folder.path()).len(), 4);
}

#[test]
fn a_run_killed_at_any_moment_leaves_the_old_recording_or_a_readable_new_one() {
    let folder = TempDir::new().unwrap();
    let info = || json(&zerogap_in(folder.path(), &["info", "out", "--json"]));
    good(&zerogap_in(folder.path(), &["run", "bouncing-ball", "--until", "0.1", "--out", "out"]));
    let old = info();
    let mut kept = 0;
    for delay in [0, 2, 5, 10, 20, 50, 100, 300] {
        let mut child = endless(folder.path(), &["--overwrite"]);
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = info();
        if found["scene"] == "bouncing-ball" {
            assert_eq!(found, old);
            kept += 1;
        } else {
            assert!(found["frames"].as_u64().unwrap() > 0 && found["is_whole"] == false, "{found}");
        }
    }
    assert!(kept > 0, "a run that is killed at once costs the old recording");
    let mut child = endless(folder.path(), &["--overwrite"]);
    let start = Instant::now();
    while info()["scene"] == "bouncing-ball" {
        assert!(start.elapsed() < Duration::from_mins(1), "the new recording does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let found = info();
    assert!(found["frames"].as_u64().unwrap() > 0 && found["is_whole"] == false, "{found}");
}

#[cfg(unix)]
#[test]
fn a_page_written_to_the_standard_output_is_all_that_is_printed() {
    let folder = TempDir::new().unwrap();
    good(&zerogap_in(folder.path(), &["run", "bouncing-ball", "--until", "0.1", "--out", "out"]));
    good(&zerogap_in(folder.path(), &["replay", "out", "--out", "page.html"]));
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    let printed = good(&zerogap_in(folder.path(), &["replay", "out", "--out", "/dev/stdout"]));
    assert!(printed == page, "{} bytes for {}", printed.len(), page.len());
}

#[cfg(unix)]
#[test]
fn results_are_not_written_through_symbolic_links() {
    use std::os::unix::fs::symlink;
    let folder = TempDir::new().unwrap();
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    let run = |out: &str| {
        zerogap_in(folder.path(), &["run", "bouncing-ball", "--until", "0.1", "--out", out, "--overwrite"])
    };
    symlink(&victim, folder.path().join("out/recording.zgr")).unwrap();
    let said = refused(&run("out"), 4);
    assert!(said.contains("symbolic link"), "{said}");
    std::fs::remove_file(folder.path().join("out/recording.zgr")).unwrap();
    symlink(&victim, folder.path().join("out/.run.lock")).unwrap();
    refused(&run("out"), 4);
    std::fs::remove_file(folder.path().join("out/.run.lock")).unwrap();
    for name in ["replay.html", "overview.png", "summary.json"] {
        symlink(&victim, folder.path().join("out").join(name)).unwrap();
    }
    good(&run("out"));
    for (command, link) in [
        (&["replay", "out", "--out", "page.html"][..], "page.html"),
        (&["plot", "out", "--out", "plot.png"], "plot.png"),
        (&["export", "out", "run.npz"], "run.npz"),
        (&["export", "out", "run.glb"], "run.glb"),
        (&["export", "out", "tables"], "tables/bodies.csv"),
        (&["part", "gear", "--out", "gear.obj"], "gear.obj"),
    ] {
        let link = folder.path().join(link);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(&victim, &link).unwrap();
        let said = refused(&zerogap_in(folder.path(), command), 4);
        assert!(said.contains("symbolic link"), "{said}");
    }
    // A link where a new folder would be is no folder of ours.
    symlink(folder.path(), folder.path().join("elsewhere")).unwrap();
    std::fs::create_dir(folder.path().join("runs")).unwrap();
    symlink(folder.path().join("elsewhere"), folder.path().join("runs/bouncing-ball")).unwrap();
    let shown = good(&zerogap_in(folder.path(), &["run", "bouncing-ball", "--until", "0.1"]));
    assert!(shown.contains("runs/bouncing-ball-2/"), "{shown}");
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
}
