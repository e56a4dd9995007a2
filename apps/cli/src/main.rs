//! The program `zerogap`.

use std::process::ExitCode;

fn main() -> ExitCode {
    zerogap_cli::main()
}
