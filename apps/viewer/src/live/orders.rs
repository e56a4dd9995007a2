//! What a client may ask for.
//!
//! In: a message in JSON. Out: an [`Order`]; anything else is refused.

use serde::{Deserialize, Serialize};

use crate::session::Input;

/// Slowest and fastest pace, against the clock [-].
pub const SPEEDS: [f64; 2] = [0.01, 10.0];

/// Steps of one order [-].
pub(super) const MAX_STEPS: u64 = 1000;

/// What a client asks for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// An input of the hand.
    Hand(Input),
    /// Lets time pass.
    Play,
    /// Stops time.
    Pause,
    /// Makes some ticks, and pauses.
    Step {
        /// How many; at most 1000.
        count: u64,
    },
    /// Sets the pace.
    Speed {
        /// Time of the scene that passes in a second [-].
        value: f64,
    },
    /// Goes back to a tick.
    Rewind {
        /// The tick; 0 is the start.
        tick: u64,
    },
    /// Writes the session as a recording.
    Save,
    /// Opens another scene.
    Open {
        /// Its number among the choices.
        scene: usize,
    },
}
