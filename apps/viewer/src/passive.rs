//! A page for a world that a program steps itself.
//!
//! In: the world, after each step of the program. Out: pictures of it, and what the hand of the page pulls, set as a force on the world. There is no clock and no past here: the program has both.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Instant;

use zerogap::Vec3;
use zerogap::world::World;

use crate::live::{Clearance, Feeds, Order, PICTURE_EVERY, Stage, frame};
use crate::server::{Access, ViewError, Viewer};
use crate::session::{Hand, SessionError};

/// A page for the world of a program.
pub struct Passive {
    viewer: Viewer,
    orders: Receiver<Order>,
    feeds: Feeds,
    hand: Option<Hand>,
    is_paused: bool,
    /// Steps that are let through while time is paused [-].
    steps: u64,
    clearance: Clearance,
    center: Vec3,
    shown: Option<Instant>,
    /// When and at which time of the world the pace was last measured [s].
    measured: (Instant, f64),
    pace: f64,
}

impl Passive {
    /// Starts the server for a world as it is: bodies that are added later are not drawn.
    pub fn start(name: &str, world: &World, access: Access) -> Result<Self, ViewError> {
        let feeds = Feeds::new();
        let stage = Stage { has_past: false, ..Stage::new(name, world) };
        let center = stage.center.into();
        feeds.stage.send_replace(Arc::new(stage));
        let (sender, orders) = mpsc::channel();
        let viewer = Viewer::serve(access, Vec::new(), feeds.clone(), sender)?;
        let mut passive = Self {
            viewer,
            orders,
            feeds,
            hand: None,
            is_paused: false,
            steps: 0,
            clearance: Clearance::default(),
            center,
            shown: None,
            measured: (Instant::now(), world.time()),
            pace: 0.0,
        };
        passive.show(world);
        Ok(passive)
    }

    /// The server.
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// Whether the program is to wait, because the page has paused time.
    pub fn is_paused(&self) -> bool {
        self.is_paused && self.steps == 0
    }

    /// Takes what the page has ordered, sets the force of its hand for the step that begins, and draws the world where it is time to.
    pub fn sync(&mut self, world: &mut World) -> Result<(), SessionError> {
        self.take_orders(world)?;
        if self.is_paused {
            self.steps = self.steps.saturating_sub(1);
        }
        if let Some(hand) = &self.hand {
            let (force, torque) = hand.wrench(world);
            world.set_force(hand.body, force, torque)?;
        }
        if self.shown.is_none_or(|shown| shown.elapsed() >= PICTURE_EVERY) {
            self.show(world);
        }
        Ok(())
    }

    /// Takes orders while time is paused, without letting a step through.
    pub fn wait(&mut self, world: &mut World) -> Result<(), SessionError> {
        self.take_orders(world)?;
        if self.shown.is_none_or(|shown| shown.elapsed() >= PICTURE_EVERY) {
            self.show(world);
        }
        Ok(())
    }

    /// Lets go, where the hand holds something.
    pub fn release(&mut self, world: &mut World) -> Result<(), SessionError> {
        self.set_hand(world, None)
    }

    fn take_orders(&mut self, world: &mut World) -> Result<(), SessionError> {
        while let Ok(order) = self.orders.try_recv() {
            match order {
                Order::Hand(input) => match Hand::of(&input, world, self.hand.as_ref()) {
                    Ok(hand) => self.set_hand(world, hand)?,
                    Err(error) => self.feeds.notice("refused", &error.to_string()),
                },
                Order::Pause => self.is_paused = true,
                Order::Play => self.is_paused = false,
                Order::Step { count } => {
                    self.is_paused = true;
                    self.steps = self.steps.saturating_add(count);
                }
                Order::Speed { .. } | Order::Rewind { .. } | Order::Save | Order::Open { .. } => {
                    self.feeds
                        .notice("refused", "a program makes the steps of this world: it alone does that");
                }
            }
        }
        Ok(())
    }

    fn set_hand(&mut self, world: &mut World, hand: Option<Hand>) -> Result<(), SessionError> {
        // What was held keeps what acted on it before.
        if let Some(held) = self.hand.take_if(|held| hand.is_none_or(|hand| hand.body != held.body)) {
            let (force, torque) = held.others();
            world.set_force(held.body, force, torque)?;
        }
        self.hand = hand;
        Ok(())
    }

    fn show(&mut self, world: &World) {
        let (passed, t) = (self.measured.0.elapsed().as_secs_f64(), world.time());
        if passed > 0.5 {
            self.pace = (t - self.measured.1) / passed;
            self.measured = (Instant::now(), t);
        }
        let instant = frame::Instant {
            world,
            tick: (t / world.step_length()).round() as u64,
            load: self.hand.map(|hand| hand.load(world)),
            clearance: self.clearance.of(world, self.hand.map(|hand| hand.body)),
            is_paused: self.is_paused,
            has_failed: false,
            pace: self.pace,
            center: self.center,
        };
        self.feeds.picture.send_replace(Arc::new(frame::picture(&instant)));
        self.shown = Some(Instant::now());
    }
}
