//! What the exit code of the command means.

use std::process::ExitCode;

/// How a command ended; the numbers are part of the interface and are listed by `zerogap --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Success.
    Good = 0,
    /// Done, but a requirement given on the command line failed.
    Unmet = 1,
    /// Invalid command line; clap uses the same number.
    BadCommand = 2,
    /// The input cannot be read or cannot be used.
    BadInput = 3,
    /// The result cannot be written.
    CannotWrite = 4,
    /// The terminal was closed; 128 and the number of the signal, as shells count.
    Hangup = 129,
    /// Ctrl-C.
    Interrupted = 130,
    /// The system or a scheduler asked the run to end.
    Terminated = 143,
}

impl Exit {
    /// Returns the name of the exit code in JSON.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Unmet => "unmet",
            Self::BadCommand => "bad_command",
            Self::BadInput => "bad_input",
            Self::CannotWrite => "cannot_write",
            Self::Hangup => "hangup",
            Self::Interrupted => "interrupted",
            Self::Terminated => "terminated",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
