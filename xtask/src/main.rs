//! `cargo xtask test`: the one command that tests everything; `cargo xtask gallery`: the pictures of the gallery.
//!
//! It runs the Rust tests, the documentation tests, the replay page and the live page in a browser, and the Python tests against the extension that was built with the Rust tests, in a
//! throw-away virtual environment. What cannot run on this machine is skipped, and the last lines say so with the reason; where the variable `CI` is
//! set a skipped step is a failure, so that a green run has really run everything.

mod browser;
mod docs;
mod gallery;
mod python;
mod step;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use python::Package;
use step::{Outcome, cargo, run};

const USAGE: &str = "\
cargo xtask test            run every test: Rust, documentation, browser, Python
cargo xtask test --rust     the Rust, documentation and browser tests only
cargo xtask test --python   the Python tests only
cargo xtask test --wheel    the Python tests against the wheel that pip builds
cargo xtask docs            build the site of the documentation into target/site
cargo xtask gallery [NAME]  make the pictures of docs/gallery.md again, all or those of some scenes
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["gallery", names @ ..] = arguments.as_slice() {
        return report(&[("gallery", gallery::pictures(&root(), names))]);
    }
    if arguments == ["docs"] {
        return report(&[("documentation site", docs::site(&root(), Package::Alone))]);
    }
    let (rust, python) = match arguments.as_slice() {
        ["test"] => (true, Some(Package::OfTests)),
        ["test", "--rust"] => (true, None),
        ["test", "--python"] => (false, Some(Package::Alone)),
        ["test", "--wheel"] => (false, Some(Package::Wheel)),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let root = &root();

    let mut outcomes = Vec::new();
    if rust {
        outcomes.push(("Rust tests", rust_tests(root)));
        outcomes.push((
            "documentation tests",
            run(cargo(root).args(["test", "--doc", "--workspace", "--quiet"]).args(NOT_PYTHON)),
        ));
        outcomes.push(("pages in a browser", browser::tests(root)));
    }
    if let Some(package) = python {
        outcomes.push(("Python tests", python::tests(root, package)));
        if rust {
            outcomes.push(("documentation site", docs::site(root, package)));
        }
    }
    report(&outcomes)
}

/// The root of the workspace. Asked for at run time: a binary that was built in one clone and runs in another must test the other.
fn root() -> PathBuf {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().expect("xtask lies in the workspace").to_owned()
}

/// The extension module has no documentation tests in Rust; pytest runs those of its Python.
const NOT_PYTHON: [&str; 2] = ["--exclude", "zerogap-python"];

/// With nextest where it is installed (faster, one process a test), with plain `cargo test` elsewhere.
fn rust_tests(root: &Path) -> Outcome {
    let has_nextest = cargo(root).args(["nextest", "--version"]).output().is_ok_and(|o| o.status.success());
    if has_nextest {
        run(cargo(root).args(["nextest", "run", "--workspace", "--no-fail-fast"]))
    } else {
        run(cargo(root).args(["test", "--workspace", "--tests", "--examples", "--no-fail-fast"]))
    }
}

fn report(outcomes: &[(&str, Outcome)]) -> ExitCode {
    let skips_fail = std::env::var_os("CI").is_some();
    println!();
    let mut good = true;
    for (name, outcome) in outcomes {
        match outcome {
            Outcome::Passed => println!("{name}: passed"),
            Outcome::Failed(why) => println!("{name}: FAILED ({why})"),
            Outcome::Skipped(why) => println!("{name}: SKIPPED ({why})"),
        }
        good &= match outcome {
            Outcome::Passed => true,
            Outcome::Failed(_) => false,
            Outcome::Skipped(_) => !skips_fail,
        };
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
