//! The Python package, built into a throw-away virtual environment and tested there.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Outcome, run};

/// The oldest interpreter the package supports (its stable ABI is 3.10's).
const OLDEST: (u32, u32) = (3, 10);

/// What the tests need beside the package itself.
const TEST_PACKAGES: [&str; 3] = ["numpy", "pytest", "mypy"];

/// What one test wants and skips itself without: another integrator.
const WANTED_PACKAGE: &str = "scipy";

/// Builds and installs the package, then runs pytest and checks the type stubs.
pub(crate) fn tests(root: &Path) -> Outcome {
    let Some(python) = interpreter() else {
        return Outcome::Skipped(format!("no Python {}.{} or newer on the PATH", OLDEST.0, OLDEST.1));
    };
    let environment = root.join("target").join("python-tests");
    let _ = std::fs::remove_dir_all(&environment);
    if !quiet(Command::new(&python).args(["-m", "venv"]).arg(&environment)) {
        return Outcome::Skipped(format!(
            "{python} cannot make virtual environments (on Debian: apt install python3-venv)"
        ));
    }
    let python = environment_python(&environment);
    if !quiet(
        Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(TEST_PACKAGES),
    ) {
        return Outcome::Skipped(format!("pip could not install {}", TEST_PACKAGES.join(", ")));
    }
    let _ = quiet(
        Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .arg(WANTED_PACKAGE),
    );
    let package = root.join("apps").join("python");
    let install = run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .arg(&package));
    if !matches!(install, Outcome::Passed) {
        return install;
    }
    // Away from the sources, so that the installed package is the one that is imported.
    let pytest = run(Command::new(&python)
        .args(["-m", "pytest", "-q"])
        .arg(package.join("tests"))
        .current_dir(&environment));
    if !matches!(pytest, Outcome::Passed) {
        return pytest;
    }
    // The stubs say what the compiled module is: the type checker compares the two.
    run(Command::new(&python).args(["-m", "mypy.stubtest", "zerogap"]).current_dir(&environment))
}

/// The first interpreter on the PATH that is new enough.
fn interpreter() -> Option<String> {
    let check = format!("import sys; sys.exit(sys.version_info < ({}, {}))", OLDEST.0, OLDEST.1);
    ["python3", "python"]
        .into_iter()
        .find(|name| quiet(Command::new(name).args(["-c", &check])))
        .map(str::to_owned)
}

fn environment_python(environment: &Path) -> PathBuf {
    if cfg!(windows) {
        environment.join("Scripts").join("python.exe")
    } else {
        environment.join("bin").join("python")
    }
}

fn quiet(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
