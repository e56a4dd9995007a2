//! A progress bar that appears only for jobs longer than two seconds.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Jobs shorter than this stay silent.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between two drawings of a bar whose job says nothing.
const TICK: Duration = Duration::from_secs(1);

/// A bar on standard error, hidden for the first two seconds and wherever standard error is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: bool,
}

impl Progress {
    /// A job of `length` steps; 0 means that the number is not known.
    pub(crate) fn new(length: u64, template: &str) -> Self {
        let bar = if length == 0 { ProgressBar::no_length() } else { ProgressBar::new(length) };
        bar.set_draw_target(ProgressDrawTarget::hidden());
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Self { bar, started: Instant::now(), shown: false }
    }

    /// Sets the position and the message.
    pub(crate) fn update(&mut self, position: u64, message: String) {
        self.bar.set_position(position);
        self.bar.set_message(message);
        if !self.shown && self.started.elapsed() > PATIENCE {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.shown = true;
        }
    }

    /// Has the bar appear after [`PATIENCE`] though nothing was done by then, and its time go on: a run may take long for its first frame.
    pub(crate) fn appear_in_time(&self) {
        let bar = self.bar.downgrade();
        std::thread::spawn(move || {
            std::thread::sleep(PATIENCE);
            if let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            }
        });
    }

    /// Runs one step of unknown duration; the bar appears on its own after [`PATIENCE`].
    pub(crate) fn while_waiting<T>(&mut self, position: u64, message: String, step: impl FnOnce() -> T) -> T {
        self.update(position, message);
        let (done, stop) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let (bar, shown, started) = (&self.bar, self.shown, self.started);
            scope.spawn(move || {
                // The channel closes when the step ends; until then this wakes up once.
                let left = PATIENCE.saturating_sub(started.elapsed());
                if !shown && stop.recv_timeout(left) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.tick();
                }
            });
            let result = step();
            drop(done);
            result
        })
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
