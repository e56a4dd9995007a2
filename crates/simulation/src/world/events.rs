//! The record of a run's events.

use serde::{Deserialize, Serialize};

use super::shapes::PairId;

/// An event at an instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When [s].
    pub t: f64,
    /// What.
    #[serde(flatten)]
    pub what: EventKind,
}

zerogap_core::store_struct!(Event { t, what });

/// Its kind, with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventKind {
    /// Contact between two shapes begins.
    ContactBegin {
        /// Which.
        pair: PairId,
        /// Speed of approach at the deepest point [m/s].
        approach: f64,
    },
    /// Contact between two shapes ends.
    ContactEnd {
        /// Which.
        pair: PairId,
    },
    /// Impulses acted at rigid contacts.
    Impact {
        /// The contacts that were pushed [-].
        contacts: usize,
        /// Sum of the normal impulses [N s].
        impulse: f64,
        /// Kinetic energy lost [J].
        loss: f64,
    },
    /// A sequence of ever smaller impacts was taken to its end: the pair rests on each other.
    Settled {
        /// Which.
        pair: PairId,
        /// When the last of the infinitely many impacts would have been [s].
        limit: f64,
    },
    /// A contact changes from slip to stick.
    Stick {
        /// Which.
        pair: PairId,
    },
    /// A contact changes from stick to slip.
    Slip {
        /// Which.
        pair: PairId,
    },
    /// A point slid over a corner from one surface to the next and stays in contact.
    HandedOver {
        /// Which shapes.
        pair: PairId,
        /// The surface that it left, by its number.
        surface_from: u32,
        /// The surface that took over, by its number.
        surface: u32,
    },
    /// A joint reached a limit.
    LimitReached {
        /// Its number ([`zerogap_dynamics::multibody::Limit::number`]).
        limit: usize,
        /// Speed at which it did [m/s or rad/s].
        approach: f64,
    },
    /// A joint left a limit.
    LimitLeft {
        /// Which of the limits.
        limit: usize,
    },
    /// No force of a sliding contact can keep the bodies apart: Painlevé's paradox without a solution.
    Inconsistent {
        /// Which pair slides.
        pair: PairId,
    },
    /// A sliding contact may carry or separate, both in accord with all laws: it separates.
    Indeterminate {
        /// Which pair slides.
        pair: PairId,
    },
    /// There were too few zero-crossing functions for what crossed by now: the step is searched again with more.
    MoreFunctions {
        /// How many there are now [-].
        functions: usize,
    },
    /// A function of the user crossed zero.
    Crossed {
        /// Which, in the order of adding.
        function: usize,
    },
    /// A scheduled time came.
    Scheduled,
    /// Events crowded, as where contacts chatter, and the time up to this one was passed by non-smooth steps.
    Captured {
        /// Where the interval began [s].
        start: f64,
        /// What crowded.
        cause: CrowdCause,
        /// The pair that something happened to last, where there was one.
        pair: Option<PairId>,
    },
    /// A body fell asleep: it is frozen until something moves it.
    Sleep {
        /// Which.
        body: usize,
    },
    /// A body that slept woke.
    Wake {
        /// Which.
        body: usize,
    },
}

zerogap_core::store_enum!(EventKind { 0 => ContactBegin { pair, approach }, 1 => ContactEnd { pair }, 2 => Impact { contacts, impulse, loss }, 3 => Settled { pair, limit }, 4 => Stick { pair }, 5 => Slip { pair }, 6 => HandedOver { pair, surface_from, surface }, 7 => LimitReached { limit, approach }, 8 => LimitLeft { limit }, 9 => Inconsistent { pair }, 10 => Indeterminate { pair }, 11 => MoreFunctions { functions }, 12 => Crossed { function }, 13 => Scheduled, 14 => Sleep { body }, 15 => Wake { body }, 16 => Captured { start, cause, pair } });

/// What happens where events crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrowdCause {
    /// Impacts that follow each other ever more quickly.
    Impacts,
    /// Contacts that change between sticking, sliding and carrying nothing.
    Friction,
    /// Joints that rebound from their limits.
    Limits,
    /// No events: equations that need ever shorter steps.
    Steps,
    /// Functions of the user that cross zero again and again.
    Functions,
}

zerogap_core::store_enum!(CrowdCause { 0 => Impacts, 1 => Friction, 2 => Limits, 3 => Steps, 4 => Functions });

impl CrowdCause {
    /// All causes, in the order of their numbers in recordings.
    pub const ALL: [Self; 5] = [Self::Impacts, Self::Friction, Self::Limits, Self::Steps, Self::Functions];

    /// Returns its name, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impacts => "impacts",
            Self::Friction => "friction",
            Self::Limits => "limits",
            Self::Steps => "steps",
            Self::Functions => "functions",
        }
    }

    /// Returns what to try where a run cannot advance because of it.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Impacts => "try a larger rtol, a restitution below 1, or method = \"stepping\"",
            Self::Friction => "try a larger rtol, another friction of that pair, or method = \"stepping\"",
            Self::Limits => {
                "try a larger rtol, a smaller restitution of the limits, or method = \"stepping\""
            }
            Self::Steps => {
                "try a larger rtol, another contact law or softer forces, integrator = \"radau\", or method = \"stepping\""
            }
            Self::Functions => {
                "an event function must return the same value for the same state; give it a direction, or take it out"
            }
        }
    }

    /// Returns what crowds, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Impacts => "impacts",
            Self::Friction => "changes between sticking and sliding",
            Self::Limits => "rebounds of joints from their limits",
            Self::Steps => "ever shorter steps",
            Self::Functions => "crossings of event functions",
        }
    }
}
