//! Runs the command and looks at what it prints.

use std::path::Path;
use std::process::{Command, Output};

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
#[allow(dead_code, reason = "not every test file looks at lists")]
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Standard error of a run that must end with this code and print nothing else, without line breaks and frames.
pub(crate) fn refused(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(output.stdout.is_empty());
    let words: Vec<String> =
        text(&output.stderr).split_whitespace().filter(|w| *w != "│").map(str::to_owned).collect();
    words.join(" ")
}
