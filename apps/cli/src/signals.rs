//! Signals that end a run and keep the partial result: Ctrl-C, and on Unix SIGTERM and SIGHUP.
//!
//! In: nothing. Out: a [`StopRequest`] that a run polls. The first signal of a run asks it to end, the second ends the process at once; before the run has
//! begun there is nothing to keep, and the first one ends the process. A signal that was ignored when the command started stays ignored, so that `nohup` and jobs in the
//! background work as they do for any command.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::exit::Exit;

/// The signals received so far.
#[derive(Debug, Default)]
pub(crate) struct StopRequest {
    /// The exit code of the signal that came; 0 before.
    code: AtomicU8,
    is_running: AtomicBool,
}

impl StopRequest {
    /// From now on the first signal asks the run to end; before, it ends the process.
    pub(crate) fn begin_run(&self) {
        self.is_running.store(true, Ordering::SeqCst);
    }

    /// Returns whether a signal came.
    pub(crate) fn is_made(&self) -> bool {
        self.code.load(Ordering::SeqCst) != 0
    }

    /// Returns the exit code of the signal, if one came.
    pub(crate) fn exit(&self) -> Option<Exit> {
        [Exit::Hangup, Exit::Interrupted, Exit::Terminated]
            .into_iter()
            .find(|exit| *exit as u8 == self.code.load(Ordering::SeqCst))
    }

    /// Handles a signal.
    fn take(&self, exit: Exit) {
        let is_running = self.is_running.load(Ordering::SeqCst);
        let is_second = self.code.swap(exit as u8, Ordering::SeqCst) != 0;
        if is_second || !is_running {
            std::process::exit(i32::from(exit as u8));
        }
    }
}

/// Listens for signals from now on. Call it before any thread is started: threads inherit which signals they leave to the one that waits.
pub(crate) fn listen() -> Arc<StopRequest> {
    let request = Arc::new(StopRequest::default());
    system::listen(Arc::clone(&request));
    request
}

#[cfg(unix)]
mod system {
    use std::mem::MaybeUninit;
    use std::sync::Arc;

    use nix::libc;
    use nix::sys::signal::{SigSet, Signal};

    use super::StopRequest;
    use crate::exit::Exit;

    pub(super) fn listen(request: Arc<StopRequest>) {
        let signals = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM].into_iter();
        let set: SigSet = signals.filter(|signal| !is_ignored(*signal)).collect();
        // Without a thread that waits they must not be blocked: the command could not be ended.
        if set.iter().next().is_none() || set.thread_block().is_err() {
            return;
        }
        let waiting = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            while let Ok(signal) = set.wait() {
                request.take(match signal {
                    Signal::SIGHUP => Exit::Hangup,
                    Signal::SIGTERM => Exit::Terminated,
                    _ => Exit::Interrupted,
                });
            }
        });
        if waiting.is_err() {
            let _ = set.thread_unblock();
        }
    }

    /// Whether the process was started with a signal ignored.
    #[expect(
        unsafe_code,
        reason = "no safe interface returns the disposition of a signal without changing it"
    )]
    fn is_ignored(signal: Signal) -> bool {
        let mut action = MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: the new action is null, so nothing is changed; the old one is written to memory of its type, which is read only where the call succeeded.
        unsafe {
            libc::sigaction(signal as libc::c_int, std::ptr::null(), action.as_mut_ptr()) == 0
                && action.assume_init().sa_sigaction == libc::SIG_IGN
        }
    }
}

#[cfg(not(unix))]
mod system {
    use std::sync::Arc;

    use super::StopRequest;
    use crate::exit::Exit;

    pub(super) fn listen(request: Arc<StopRequest>) {
        // Without a handler Ctrl-C ends the command without a summary, which is no reason not to run.
        let _ = ctrlc::set_handler(move || request.take(Exit::Interrupted));
    }
}
