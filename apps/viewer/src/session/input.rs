//! What a hand does to a world: the inputs of a session.
//!
//! In: messages of a page or of a program. Out: [`Input`]s, each stamped with the tick from which on it acts ([`Entry`]). They are all that a session needs to make the same bits again.

use serde::{Deserialize, Serialize};

/// An input of the hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case", deny_unknown_fields)]
pub enum Input {
    /// Pulls a point of a body by a spring.
    Pull {
        /// The body, by its place among those that there are.
        body: usize,
        /// The point, in the frame of the body [m].
        at: [f64; 3],
        /// Where the point is pulled to [m].
        to: [f64; 3],
        /// How strong the hand is, against its default [-].
        #[serde(default = "default_strength")]
        strength: f64,
    },
    /// Turns a body by a spring; its place is left to it.
    Turn {
        /// The body, by its place among those that there are.
        body: usize,
        /// The rotation that it is turned to: a quaternion x y z w.
        to: [f64; 4],
        /// How strong the hand is, against its default [-].
        #[serde(default = "default_strength")]
        strength: f64,
    },
    /// Carries a body: its weight is borne, and a spring in all six axes leads it to a pose.
    Carry {
        /// The body, by its place among those that there are.
        body: usize,
        /// The pose that it is led to: x y z [m] and a quaternion x y z w.
        to: [f64; 7],
        /// How strong the hand is, against its default [-].
        #[serde(default = "default_strength")]
        strength: f64,
    },
    /// Lets go.
    Release,
}

fn default_strength() -> f64 {
    1.0
}

/// An input and the tick from which on it acts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The tick [-].
    pub tick: u64,
    /// The input.
    #[serde(flatten)]
    pub input: Input,
}

/// Inputs that cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InputError {
    /// There is no such body.
    #[error("there is no body {body}: the scene has {bodies}")]
    Body {
        /// What was asked for.
        body: usize,
        /// How many there are.
        bodies: usize,
    },
    /// The body follows a prescribed motion.
    #[error("'{name}' follows a prescribed motion and cannot be held")]
    Prescribed {
        /// Its name.
        name: String,
    },
    /// A number is not finite, or out of its range.
    #[error("{what} is {value}")]
    Number {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The recorded inputs end before a tick, or are not in order.
    #[error("input {index} is of tick {tick}, after one of tick {before}")]
    Order {
        /// Which input.
        index: usize,
        /// Its tick.
        tick: u64,
        /// The tick of the one before.
        before: u64,
    },
}
