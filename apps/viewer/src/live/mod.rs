//! The thread that keeps a session at the pace of the clock.
//!
//! In: orders of clients. Out: pictures, the newest alone, and notices. The clock decides how many ticks are made, never what a tick does: where the machine is slow, the time of the scene passes more slowly, and the page says so.
//! Drawing never slows physics: a picture that nobody has fetched is replaced by the next.

mod clearance;
pub(crate) mod frame;
mod orders;
mod records;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::{broadcast, watch};
use zerogap::Vec3;
use zerogap::record::Head;
use zerogap::world::{World, WorldBuilder};

use crate::session::{Inputs, Session, SessionError};

pub(crate) use clearance::Clearance;
pub use frame::FRAME;
pub use orders::{Order, SPEEDS};
pub(crate) use records::Records;

/// Shortest time between two pictures.
pub(crate) const PICTURE_EVERY: Duration = Duration::from_millis(16);
/// How far a scene may fall behind the clock before it stops catching up [s].
const MAX_BEHIND: f64 = 0.1;
/// Time over which the pace is measured.
const PACE_OVER: Duration = Duration::from_millis(500);
/// Notices that wait for a slow client [-].
const WAITING_NOTICES: usize = 64;
/// Longest time without a picture.
const IDLE: Duration = Duration::from_millis(250);

/// A scene that can be opened by its number.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct SceneChoice {
    /// Its name.
    pub name: String,
    /// What it shows.
    pub description: String,
}

/// Opens a scene by its number among the choices: its name and its world, or why not.
pub type OpenScene = dyn Fn(usize) -> Result<(String, WorldBuilder), String> + Send;

/// What the server sees of the thread: the newest picture, what the page is told, and what stands on it.
#[derive(Debug, Clone)]
pub(crate) struct Feeds {
    /// The newest picture.
    pub picture: watch::Sender<Arc<Vec<u8>>>,
    /// The scene as it is drawn, made anew for every scene that is opened.
    pub stage: watch::Sender<Arc<Stage>>,
    /// Texts for all clients.
    pub notices: broadcast::Sender<String>,
}

/// A scene as it is drawn.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    /// Number of the scene among those of this viewer, ascending [-].
    pub number: u64,
    /// Length of a tick [s].
    pub tick: f64,
    /// The point from which positions are given [m].
    pub center: [f64; 3],
    /// Time of the scene that is to pass in a second [-].
    pub speed: f64,
    /// Whether the page asks for a scene.
    pub is_choosing: bool,
    /// Whether time can go back and the session be saved: not where a program makes the steps.
    pub has_past: bool,
    /// Names, shapes and gravity.
    pub head: Option<Head>,
}

impl Stage {
    /// The scene of a world, number 0, at the pace of the clock.
    pub(crate) fn new(name: &str, world: &World) -> Self {
        let tick = world.step_length();
        let center = middle(world.body_states().iter().map(|(pose, ..)| pose.translation()));
        let head = Some(Head::of_world(world, name, tick));
        Self { number: 0, tick, center: center.into(), speed: 1.0, is_choosing: false, has_past: true, head }
    }
}

impl Feeds {
    /// Feeds with nothing in them yet.
    pub(crate) fn new() -> Self {
        Self {
            picture: watch::Sender::new(Arc::new(Vec::new())),
            stage: watch::Sender::new(Arc::new(Stage::default())),
            notices: broadcast::Sender::new(WAITING_NOTICES),
        }
    }

    /// Tells all clients something.
    pub(crate) fn notice(&self, kind: &str, text: &str) {
        let message = serde_json::json!({ "say": kind, "text": text }).to_string();
        // Without a client nobody reads it.
        let _ = self.notices.send(message);
    }
}

/// The loop of the thread.
pub(crate) struct Live {
    pub(crate) session: Session,
    pub(crate) orders: Receiver<Order>,
    pub(crate) feeds: Feeds,
    pub(crate) open: Box<OpenScene>,
    /// The folder for recordings.
    pub(crate) out: PathBuf,
    pub(crate) clock: Clock,
    pub(crate) is_choosing: bool,
    pub(crate) records: Records,
    pub(crate) center: Vec3,
    pub(crate) clearance: Clearance,
}

/// Where the scene is to be by the clock of the wall.
#[derive(Debug)]
pub(crate) struct Clock {
    is_paused: bool,
    speed: f64,
    /// An instant and the time of the scene then [s].
    start: (Instant, f64),
    /// The same where the pace was last measured.
    measured: (Instant, f64),
    pace: f64,
    picture: Instant,
}

impl Clock {
    pub(crate) fn new(t: f64, speed: f64, is_paused: bool) -> Self {
        let now = Instant::now();
        Self { is_paused, speed, start: (now, t), measured: (now, t), pace: 0.0, picture: now }
    }

    /// Starts to count from now.
    fn begin(&mut self, t: f64) {
        self.start = (Instant::now(), t);
        self.measured = self.start;
    }

    /// How far a time is ahead of where the scene is to be [s of the wall].
    fn ahead(&mut self, t: f64) -> f64 {
        let ahead = (t - self.start.1) / self.speed - self.start.0.elapsed().as_secs_f64();
        if ahead < -MAX_BEHIND {
            self.start = (Instant::now(), t);
        }
        ahead
    }

    /// Measures the pace now and then.
    fn measure(&mut self, t: f64) {
        let passed = self.measured.0.elapsed();
        if passed > PACE_OVER {
            self.pace = (t - self.measured.1) / passed.as_secs_f64();
            self.measured = (Instant::now(), t);
        }
    }
}

impl Live {
    /// Runs until nobody can give orders any more.
    pub(crate) fn run(mut self) {
        self.set_stage(0);
        loop {
            // Orders, all that have come; they act from this tick on.
            let wait = self.wait();
            let mut order = match self.orders.recv_timeout(wait) {
                Ok(order) => Some(order),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            while let Some(next) = order {
                if let Err(text) = self.take(next) {
                    self.notice("refused", &text);
                }
                order = self.orders.try_recv().ok();
            }
            // A tick, where it is due.
            let t = self.session.world().time();
            if !self.is_resting() && self.clock.ahead(t) <= 0.0 {
                self.advance();
            }
            self.clock.measure(self.session.world().time());
            // A picture.
            let idle = self.clock.picture.elapsed();
            if idle >= PICTURE_EVERY && !self.is_resting() || idle >= IDLE {
                self.show();
            }
        }
    }

    fn is_resting(&self) -> bool {
        self.clock.is_paused || self.session.failure().is_some()
    }

    /// How long orders may be waited for.
    fn wait(&mut self) -> Duration {
        if self.is_resting() {
            return IDLE;
        }
        let ahead = self.clock.ahead(self.session.world().time());
        if ahead > 0.0 { Duration::from_secs_f64(ahead).min(PICTURE_EVERY) } else { Duration::ZERO }
    }

    /// Makes a tick; a failure is told once.
    fn advance(&mut self) {
        if let Err(error) = self.session.advance() {
            self.notice("failed", &error.to_string());
            self.show();
        }
    }

    /// Publishes a picture of the instant.
    fn show(&mut self) {
        let (world, hand) = (self.session.world(), self.session.hand());
        let instant = frame::Instant {
            world,
            tick: self.session.tick(),
            load: hand.map(|hand| hand.load(world)),
            clearance: self.clearance.of(world, hand.map(|hand| hand.body)),
            is_paused: self.clock.is_paused,
            has_failed: self.session.failure().is_some(),
            pace: if self.is_resting() { 0.0 } else { self.clock.pace },
            center: self.center,
        };
        self.feeds.picture.send_replace(Arc::new(frame::picture(&instant)));
        self.clock.picture = Instant::now();
    }

    /// Publishes the scene as it is drawn.
    fn set_stage(&mut self, number: u64) {
        let stage = Stage {
            number,
            speed: self.clock.speed,
            is_choosing: self.is_choosing,
            ..Stage::new(self.session.name(), self.session.world())
        };
        self.center = stage.center.into();
        self.feeds.stage.send_replace(Arc::new(stage));
        self.show();
    }

    fn notice(&self, kind: &str, text: &str) {
        self.feeds.notice(kind, text);
    }

    fn take(&mut self, order: Order) -> Result<(), String> {
        let t = self.session.world().time();
        match order {
            Order::Hand(input) => self.session.apply(input).map_err(|error| words(&error))?,
            Order::Play => {
                self.clock.is_paused = false;
                self.clock.begin(t);
            }
            Order::Pause => self.clock.is_paused = true,
            Order::Step { count } => {
                self.clock.is_paused = true;
                for _ in 0..count.min(orders::MAX_STEPS) {
                    if self.session.failure().is_none() {
                        self.advance();
                    }
                }
            }
            Order::Speed { value } => {
                let [low, high] = SPEEDS;
                if !(low..=high).contains(&value) {
                    return Err(format!("a speed lies between {low} and {high}, not {value}"));
                }
                self.clock.speed = value;
                self.clock.begin(t);
            }
            Order::Rewind { tick } => {
                self.session.rewind(tick).map_err(|error| words(&error))?;
                self.clock.begin(self.session.world().time());
            }
            Order::Save => self.save()?,
            Order::Open { scene } => {
                let (name, builder) = (self.open)(scene)?;
                self.session = Session::new(&name, builder).map_err(|error| words(&error))?;
                if std::mem::take(&mut self.is_choosing) {
                    self.clock.is_paused = false;
                }
                self.clock.begin(self.session.world().time());
                let number = self.feeds.stage.borrow().number + 1;
                self.set_stage(number);
            }
        }
        self.show();
        Ok(())
    }

    /// Writes the session as a recording, in a thread of its own.
    fn save(&mut self) -> Result<(), String> {
        let file = self.records.next(&self.out, self.session.name())?;
        let name = self.session.name().to_owned();
        let (builder, entries) = (self.session.builder(), self.session.entries().to_vec());
        let (end, feeds) = ((self.session.tick(), self.session.world().hash()), self.feeds.clone());
        let written = self.records.written();
        let writing = thread::Builder::new().name("recording".to_owned()).spawn(move || {
            let outcome = Session::record((&name, builder), &entries, end, &file).and_then(|()| {
                let (tick, hash) = (end.0, format!("{:016x}", end.1));
                Inputs { scene: name, tick, hash, entries }.write(&file.with_extension("inputs.json"))
            });
            written.add(&file);
            match outcome {
                Ok(()) => feeds.notice("saved", &file.display().to_string()),
                Err(error) => feeds.notice("refused", &error.to_string()),
            }
        });
        writing.map(drop).map_err(|error| format!("the recording cannot be written: {error}"))
    }
}

fn words(error: &SessionError) -> String {
    error.to_string()
}

/// The middle of points; the origin where there are none.
fn middle(points: impl Iterator<Item = Vec3>) -> Vec3 {
    let mut ends: Option<(Vec3, Vec3)> = None;
    for point in points {
        ends = Some(ends.map_or((point, point), |(low, high)| (low.inf(&point), high.sup(&point))));
    }
    ends.map_or_else(Vec3::zeros, |(low, high)| low + (high - low) / 2.0)
}
