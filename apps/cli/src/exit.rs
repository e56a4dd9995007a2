//! What the exit code of the command means.

use std::process::ExitCode;

/// How a command ended; the numbers are part of the interface and are listed by `zerogap --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done, and the answer is good.
    Good = 0,
    /// Done, but the answer is no: a requirement given on the command line is not met.
    Unmet = 1,
    /// The command line itself is wrong; clap uses the same number.
    BadCommand = 2,
    /// The input cannot be read or cannot be used.
    BadInput = 3,
    /// The result cannot be written.
    CannotWrite = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
