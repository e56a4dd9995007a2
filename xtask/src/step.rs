//! One step of the test run: a command, what it was, how it ended.

use std::path::Path;
use std::process::Command;

/// How a step ended.
pub(crate) enum Outcome {
    /// It ran and was good.
    Passed,
    /// It ran and was not; what to say about it.
    Failed(String),
    /// It could not run here, and why.
    Skipped(String),
}

/// The cargo that started us, in the workspace root.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs a command with its output shown.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let words: Vec<String> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(|w| w.to_string_lossy().into_owned())
        .collect();
    let line = words.join(" ");
    println!("\n> {line}");
    match command.status() {
        Ok(status) if status.success() => Outcome::Passed,
        Ok(status) => Outcome::Failed(format!("{line}: {status}")),
        Err(error) => Outcome::Failed(format!("{line}: {error}")),
    }
}
