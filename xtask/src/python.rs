//! The Python package, put into a throw-away virtual environment and tested there.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::step::{Outcome, cargo, run};

/// The oldest interpreter the package supports (its stable ABI is 3.10's).
const OLDEST: (u32, u32) = (3, 10);

/// What the tests need beside the package itself.
const TEST_PACKAGES: [&str; 3] = ["numpy", "pytest", "mypy"];

/// What some tests want and skip themselves without: integrators of others, of which one is for algebraic equations, and what runs notebooks.
const WANTED_PACKAGES: [&str; 5] = ["scipy", "scikit-sundae", "matplotlib", "nbclient", "ipykernel"];

/// Where the package under test comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Package {
    /// The crates as the Rust tests have built them, so that nothing is compiled twice.
    OfTests,
    /// The extension alone, in the profile of the tests.
    Alone,
    /// The wheel that pip builds from `apps/python`, as users get it.
    Wheel,
}

/// Installs the package, then runs pytest and checks the type stubs.
pub(crate) fn tests(root: &Path, package: Package) -> Outcome {
    let environment = root.join("target").join("python-tests");
    let python = match make_environment(&environment, TEST_PACKAGES.map(str::to_owned).to_vec()) {
        Ok(python) => python,
        Err(outcome) => return outcome,
    };
    for wanted in WANTED_PACKAGES {
        let _ = quiet(
            Command::new(&python)
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
                .arg(wanted),
        );
    }
    let source = root.join("apps").join("python");
    let install = match package {
        Package::Wheel => run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .arg(&source)),
        Package::OfTests | Package::Alone => install_built(root, &python, package),
    };
    if !matches!(install, Outcome::Passed) {
        return install;
    }
    // Away from the sources, so that the installed package is the one that is imported.
    let pytest = run(Command::new(&python)
        .args(["-m", "pytest", "-q"])
        .arg(source.join("tests"))
        .current_dir(&environment));
    if !matches!(pytest, Outcome::Passed) {
        return pytest;
    }
    // The stubs say what the compiled module is: the type checker compares the two.
    run(Command::new(&python).args(["-m", "mypy.stubtest", "zerogap"]).current_dir(&environment))
}

/// Makes a virtual environment anew and installs packages into it, named as pip's arguments. Returns its interpreter, or why there is none.
pub(crate) fn make_environment(environment: &Path, packages: Vec<String>) -> Result<PathBuf, Outcome> {
    let Some(python) = interpreter() else {
        return Err(Outcome::Skipped(format!("no Python {}.{} or newer on the PATH", OLDEST.0, OLDEST.1)));
    };
    let _ = std::fs::remove_dir_all(environment);
    if !quiet(Command::new(&python).args(["-m", "venv"]).arg(environment)) {
        return Err(Outcome::Skipped(format!(
            "{python} cannot make virtual environments (on Debian: apt install python3-venv)"
        )));
    }
    let python = environment_python(environment);
    let names = packages.join(" ");
    let is_there = quiet(
        Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(packages),
    );
    if is_there { Ok(python) } else { Err(Outcome::Skipped(format!("pip could not install {names}"))) }
}

/// Builds the extension and the command in the profile of the tests and lays the former out with the Python sources as pip would.
pub(crate) fn install_built(root: &Path, python: &Path, package: Package) -> Outcome {
    let mut build = cargo(root);
    build.args(["build", "--profile", "test", "--features", "zerogap-python/extension-module"]);
    // Features of shared crates follow from what is built together: with the targets of the Rust tests they are the same, and so are the crates.
    match package {
        Package::OfTests => build.args(["--workspace", "--all-targets"]),
        Package::Alone | Package::Wheel => {
            build.args(["--package", "zerogap-python", "--package", "zerogap-cli"])
        }
    };
    let built = run(&mut build);
    if !matches!(built, Outcome::Passed) {
        return built;
    }
    match lay_out(root, &root.join("apps").join("python"), python) {
        Ok(()) => Outcome::Passed,
        Err(error) => Outcome::Failed(format!("the package could not be laid out: {error}")),
    }
}

fn lay_out(root: &Path, source: &Path, python: &Path) -> std::io::Result<()> {
    let ask = "import sysconfig; print(sysconfig.get_paths()['platlib'], end='')";
    let site = Command::new(python).args(["-c", ask]).output()?.stdout;
    let to = PathBuf::from(String::from_utf8_lossy(&site).into_owned()).join("zerogap");
    std::fs::create_dir_all(&to)?;
    for file in std::fs::read_dir(source.join("python").join("zerogap"))? {
        let file = file?;
        let is_source =
            file.path().extension().is_some_and(|end| end == "py" || end == "pyi" || end == "typed");
        if is_source {
            std::fs::copy(file.path(), to.join(file.file_name()))?;
        }
    }
    let (built, installed) = match std::env::consts::OS {
        "windows" => ("_zerogap.dll", "_zerogap.pyd"),
        "macos" => ("lib_zerogap.dylib", "_zerogap.abi3.so"),
        _ => ("lib_zerogap.so", "_zerogap.abi3.so"),
    };
    std::fs::copy(root.join("target").join("debug").join(built), to.join(installed)).map(drop)
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
