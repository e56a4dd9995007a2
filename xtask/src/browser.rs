//! The replay page and the live page, opened in a real browser where there is one.

use std::path::Path;
use std::process::Command;

use crate::step::{Outcome, cargo, run};

/// Names of Chromium binaries; the first is the smallest to install.
const BROWSERS: [&str; 6] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome-headless-shell",
];

/// The variable in which the test finds the browser.
const VARIABLE: &str = "ZEROGAP_BROWSER";

/// Runs the tests of the pages in a browser.
pub(crate) fn tests(root: &Path) -> Outcome {
    let Some(browser) = browser() else {
        return Outcome::Skipped(format!(
            "no Chromium on the PATH and none in {VARIABLE} (on Debian: apt install {})",
            BROWSERS[0]
        ));
    };
    let tests = |package: &str, test: &str| {
        run(cargo(root).args(["test", "--quiet", "-p", package, "--test", test]).env(VARIABLE, &browser))
    };
    match tests("zerogap", "replay_browser") {
        Outcome::Passed => tests("zerogap-viewer", "browser"),
        other => other,
    }
}

/// The browser that was asked for, or the first on the PATH.
pub(crate) fn browser() -> Option<String> {
    std::env::var(VARIABLE).ok().or_else(|| {
        let answers = |name: &&&str| {
            Command::new(**name).arg("--version").output().is_ok_and(|output| output.status.success())
        };
        BROWSERS.iter().find(answers).map(|name| (*name).to_owned())
    })
}
