//! What signals do to a run, and what a reader that goes away does to any command.
#![cfg(unix)]
#![expect(unsafe_code, reason = "the disposition of signals in a child is set between fork and exec")]

mod run;

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::Pid;
use tempfile::TempDir;

use run::{good, json, text, zerogap_in};

const ALL: [Signal; 3] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM];

/// A run that takes hours, started with these signals ignored and the others not, whatever the tests were started with.
fn endless(folder: &Path, ignored: &'static [Signal]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zerogap"));
    command
        .args(["run", "heaving-deck", "--until", "1e6", "--every", "10", "--out", "out", "--json"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // SAFETY: only `signal` is called between fork and exec, which is allowed there.
    unsafe {
        command.pre_exec(move || {
            for each in ALL {
                let handler = if ignored.contains(&each) { SigHandler::SigIgn } else { SigHandler::SigDfl };
                signal(each, handler)?;
            }
            Ok(())
        });
    }
    let child = command.spawn().unwrap();
    let start = Instant::now();
    while !folder.join("out/recording.zgr").exists() {
        assert!(start.elapsed() < Duration::from_mins(1), "the run does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    child
}

fn send(child: &Child, signal: Signal) {
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), signal).unwrap();
}

/// Waits for the end, but not for ever.
fn ended(mut child: Child) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_mins(1) {
            child.kill().unwrap();
            panic!("the run does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

#[test]
fn every_signal_that_ends_a_run_leaves_recording_summary_and_replay() {
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        let folder = TempDir::new().unwrap();
        let child = endless(folder.path(), &[]);
        send(&child, signal);
        let output = ended(child);
        assert_eq!(output.status.code(), Some(code), "{signal}: {}", text(&output.stderr));
        let summary: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        assert_eq!(summary["reason"], "stopped by the user");
        for file in ["recording.zgr", "overview.png", "summary.json", "replay.html"] {
            assert!(folder.path().join("out").join(file).metadata().unwrap().len() > 100, "{signal}: {file}");
        }
        let reported = json(&zerogap_in(folder.path(), &["info", "out", "--json"]));
        assert_eq!(reported["is_whole"], true, "{signal}");
        assert_eq!(std::fs::read_dir(folder.path().join("out")).unwrap().count(), 4);
    }
    let help = good(&zerogap_in(Path::new("."), &["--help"]));
    for code in ["  0  done", "  1  ", "  2  ", "  3  ", "  4  ", "129", "130", "143"] {
        assert!(help.contains(code), "{code}: {help}");
    }
}

#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    let folder = TempDir::new().unwrap();
    let mut child = endless(folder.path(), &[Signal::SIGHUP, Signal::SIGINT]);
    send(&child, Signal::SIGHUP);
    send(&child, Signal::SIGINT);
    std::thread::sleep(Duration::from_millis(200));
    assert!(child.try_wait().unwrap().is_none());
    send(&child, Signal::SIGTERM);
    assert_eq!(ended(child).status.code(), Some(143));
}

/// The command with standard output, or standard error, closed by its reader at once.
fn unread(folder: &Path, arguments: &[&str], closes_errors: bool) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zerogap"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    if closes_errors {
        drop(child.stderr.take());
    }
    child.wait_with_output().unwrap()
}

#[test]
fn a_reader_that_goes_away_is_no_panic_in_any_command() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, content: &str| std::fs::write(folder.path().join(name), content).unwrap();
    file("boxes.csv", "0,0,0,1,1,1\n0,0,0,2,2,2\n");
    file("problem.txt", "3 1\n3\n0 0 1\n1 1 1\n2 2 1\n-1 0 0\n0.5\n");
    // More contacts than are printed: a hint goes to standard error.
    let zeros = |count: usize| "0 ".repeat(count);
    file("many.txt", &format!("3 30\n0\n{}\n{}\n", zeros(90), zeros(30)));
    // A body of 50 m in a format without units: a warning does.
    file("large.obj", "v 0 0 0\nv 50 0 0\nv 0 50 0\nv 0 0 50\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    file("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    good(&zerogap_in(folder.path(), &["run", "bouncing-ball", "--until", "0.1", "--out", "out"]));
    let commands: [&[&str]; 28] = [
        &["--help"],
        &["inspect", "part:gear"],
        &["inspect", "--require-watertight", "open.obj"],
        &["inspect", "nothing.stl", "bxo:1"],
        &["hull", "part:gear"],
        &["decompose", "part:box"],
        &["distance", "box:1,1,1", "sphere:1"],
        &["contacts", "box:1,1,1", "sphere:1"],
        &["impact", "box:1,1,1", "sphere:1"],
        &["pairs", "boxes.csv"],
        &["part"],
        &["refine", "part:box", "--edge", "10mm"],
        &["run", "bouncing-ball", "--until", "0.1"],
        &["run", "no-such-scene"],
        &["info", "out"],
        &["replay", "out"],
        &["plot", "out"],
        &["export", "out", "run.npz"],
        &["scene", "list"],
        &["scene", "schema"],
        &["scene", "new", "starter"],
        &["solve", "problem.txt", "missing.txt"],
        &["solve", "many.txt"],
        &["inspect", "large.obj"],
        &["distance", "large.obj", "sphere:1"],
        &["distance", "--as", "mesh", "large.obj", "sphere:1"],
        &["completions", "bash"],
        &["distance", "--wrong"],
    ];
    for arguments in commands {
        for json in [&[][..], &["--json"]] {
            let arguments = [arguments, json].concat();
            for closes_errors in [false, true] {
                let output = unread(folder.path(), &arguments, closes_errors);
                let (code, said) = (output.status.code(), text(&output.stderr));
                assert!(code.is_some_and(|code| code <= 4), "{arguments:?}: {code:?} {said}");
                assert!(!said.contains("panicked"), "{arguments:?}: {said}");
            }
        }
    }
}
