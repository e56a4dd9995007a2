//! Runs the command and looks at what it prints.
#![allow(dead_code, reason = "not every test file uses all of it")]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Runs the command in a folder.
pub(crate) fn zerogap_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_zerogap"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the command starts")
}

pub(crate) fn zerogap(arguments: &[&str]) -> Output {
    zerogap_in(Path::new("."), arguments)
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

/// Standard output of a run that must be good.
pub(crate) fn good(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout)
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_str(&good(output)).expect("the output is JSON")
}

/// The numbers of a JSON list.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// The command with a limit of time: what is refused is refused soon.
pub(crate) fn zerogap_soon(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zerogap"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_mins(1) {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// Standard error of a run that must end with this code and print nothing else, without line breaks and frames.
pub(crate) fn refused(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.stdout.is_empty());
    let words: Vec<String> =
        text(&output.stderr).split_whitespace().filter(|w| *w != "│").map(str::to_owned).collect();
    words.join(" ")
}
