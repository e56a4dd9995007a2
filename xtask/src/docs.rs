//! The site of the documentation, built by Sphinx in a virtual environment of its own.

use std::path::Path;
use std::process::Command;

use crate::python::{Package, install_built, make_environment};
use crate::step::{Outcome, run};

/// The variable in which the site's build finds the command whose help it shows.
const COMMAND: &str = "ZEROGAP_COMMAND";

/// Builds the site into `target/site`; a warning, such as a dead link, is a failure. The reference of Python is that of the extension as it is built here.
pub(crate) fn site(root: &Path, package: Package) -> Outcome {
    let (docs, target) = (root.join("docs"), root.join("target"));
    let requirements = docs.join("requirements.txt").display().to_string();
    let packages = ["-r", &requirements, "numpy"].map(str::to_owned).to_vec();
    let python = match make_environment(&target.join("site-environment"), packages) {
        Ok(python) => python,
        Err(outcome) => return outcome,
    };
    let built = install_built(root, &python, package);
    if !matches!(built, Outcome::Passed) {
        return built;
    }
    let command = target.join("debug").join(format!("zerogap{}", std::env::consts::EXE_SUFFIX));
    run(Command::new(&python)
        .args(["-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going", "--builder", "html"])
        .arg(&docs)
        .arg(target.join("site"))
        .env(COMMAND, command))
}
