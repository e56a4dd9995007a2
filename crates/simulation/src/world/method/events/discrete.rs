//! What changes at events alone: which pairs are in contact and how, which joint limits are active.
//!
//! Frozen during a step, its trial stages and the search for roots; committed when a step is accepted or an event handled.

use std::collections::BTreeMap;

use zerogap_contact::law::{Grip, NormalForce};
use zerogap_core::{ContactId, Vec3};
use zerogap_proximity::oriented::OrientedHistory;

use super::elastic_friction::{Friction, STATES};
use super::event_handling::PATIENCE;
use crate::world::events::CrowdCause;
use crate::world::shapes::PairId;

/// The discrete state of a world.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Discrete {
    /// The pairs in contact, by name.
    pub(crate) closed: BTreeMap<PairId, Closed>,
    /// For each joint limit whether it is active.
    pub(crate) is_active: Vec<bool>,
    /// The histories of pairs that collide by oriented collision.
    pub(crate) oriented_histories: BTreeMap<PairId, OrientedHistory>,
    /// How many pairs stick, each with a bristle deflection among the states [-].
    pub(crate) sticking: usize,
    /// Steps in a row in which a rigid contact hardly slid [-].
    pub(crate) creeping: usize,
    /// After how many of them it is asked whether it sticks [-].
    pub(crate) patience: usize,
    /// The interval that is passed by non-smooth steps, while one is: nothing rigid is closed in it.
    pub(crate) captured: Option<Captured>,
    /// What crossed of late.
    pub(crate) tally: Tally,
    /// Whether the last event has no exact solution, or takes too much to find one: an interval is captured next.
    pub(crate) is_unsolved: bool,
    /// Whether that is because more points act on each other than are solved for exactly.
    pub(crate) is_large: bool,
    /// The phases that were passed by time stepping.
    pub(crate) phases: Vec<Phase>,
}

zerogap_core::store_struct!(Discrete {
    closed,
    is_active,
    oriented_histories,
    sticking,
    creeping,
    patience,
    captured,
    tally,
    is_unsolved,
    is_large,
    phases
});

/// An interval that is passed by non-smooth steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Captured {
    /// The pairs that were closed where it began, sorted.
    pub(crate) pairs: Vec<PairId>,
    /// In a phase: the length with which the next step is tried [s], zero before the first.
    pub(crate) proposal: f64,
    /// In a phase: the pairs that pushed in the last step, sorted, and for how many steps they have been the same [-].
    pub(crate) pushing: Vec<PairId>,
    pub(crate) calm: usize,
    /// The values of functions of the user at the end of the last captured step, or at the start of the interval.
    pub(crate) users: Vec<f64>,
}

zerogap_core::store_struct!(Captured { pairs, proposal, pushing, calm, users });

/// A phase that was passed by time stepping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Phase {
    /// From when to when [s].
    pub(crate) start: f64,
    pub(crate) end: f64,
    /// Its steps [-].
    pub(crate) steps: usize,
    pub(crate) cause: CrowdCause,
}

zerogap_core::store_struct!(Phase { start, end, steps, cause });

/// What crossed of late, each step counting a sixteenth less than the one after it: why steps are short.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Tally {
    impacts: f64,
    friction: f64,
    limits: f64,
    functions: f64,
    steps: f64,
    /// The pair that something happened to last.
    pair: Option<PairId>,
}

zerogap_core::store_struct!(Tally { impacts, friction, limits, functions, steps, pair });

impl Tally {
    /// What is left of each count after one more step [-].
    const KEPT: f64 = 15.0 / 16.0;

    /// Takes note of a step that ended with an event, or with none.
    pub(crate) fn count(&mut self, cause: CrowdCause, pair: Option<PairId>) {
        let Self { impacts, friction, limits, functions, steps, .. } = self;
        for count in [impacts, friction, limits, functions, steps] {
            *count *= Self::KEPT;
        }
        let count = match cause {
            CrowdCause::Impacts => &mut self.impacts,
            CrowdCause::Friction => &mut self.friction,
            CrowdCause::Limits => &mut self.limits,
            CrowdCause::Functions => &mut self.functions,
            CrowdCause::Steps => &mut self.steps,
        };
        *count += 1.0;
        self.pair = pair.or(self.pair);
    }

    /// What there was most of, and the pair that something happened to last.
    pub(crate) fn most(&self) -> (CrowdCause, Option<PairId>) {
        use CrowdCause as C;
        let counts = [
            (self.impacts, C::Impacts),
            (self.friction, C::Friction),
            (self.limits, C::Limits),
            (self.functions, C::Functions),
            (self.steps, C::Steps),
        ];
        let most = counts.iter().fold(counts[0], |most, count| if count.0 > most.0 { *count } else { most });
        (most.1, self.pair)
    }

    /// The pair that something happened to last.
    pub(crate) fn pair(&self) -> Option<&PairId> {
        self.pair.as_ref()
    }

    /// Forgets all of it.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}

/// A pair in contact.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Closed {
    Elastic(Elastic),
    Rigid(Vec<RigidPoint>),
}

zerogap_core::store_enum!(Closed { 0 => Elastic(pair), 1 => Rigid(points) });

/// A compliant pair.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Elastic {
    /// The normal law, with the damping found when the contact began.
    pub(crate) force: NormalForce,
    pub(crate) friction: Friction,
    /// How hard the surfaces hold each other while they stick.
    pub(crate) grip: Grip,
    /// Radius of the contact [m].
    pub(crate) radius: f64,
    /// Whether friction is that of `Modia3D`, without phases.
    pub(crate) is_modia3d: bool,
    /// While a pair that was set down at rest takes hold.
    pub(crate) onset: Option<Onset>,
    /// How often it changed between sticking and sliding of late.
    pub(crate) restless: Restless,
    /// What it has taken from the motion since it slips.
    pub(crate) slip_work: SlipWork,
    /// Since when it slips slowly.
    pub(crate) creep: Creep,
}

zerogap_core::store_struct!(Elastic {
    force,
    friction,
    grip,
    radius,
    is_modia3d,
    onset,
    restless,
    slip_work,
    creep
});

/// Since when a pair slips so slowly that its friction keeps the direction it had. Across that direction such friction yields like a viscous fluid: what is jammed between two surfaces
/// would creep along them for ever. After a while the direction is that of the sliding again; sliding that lasts goes on, and what friction can hold comes to a stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Creep {
    /// [s]; infinite while it does not.
    since: f64,
}

zerogap_core::store_struct!(Creep { since });

impl Creep {
    /// How long the direction is kept [s]: some ten times as long as an impact of stiff bodies lasts.
    const PATIENCE: f64 = 0.02;

    /// Of a pair that does not slip, or fast.
    pub(crate) fn new() -> Self {
        Self { since: f64::INFINITY }
    }

    /// Takes note of whether it slips slowly at a time [s].
    pub(crate) fn note(&mut self, t: f64, is_slow: bool) {
        self.since = if is_slow { self.since.min(t) } else { f64::INFINITY };
    }

    /// Whether it has done so for long enough.
    pub(crate) fn has_lasted(self, t: f64) -> bool {
        t - self.since > Self::PATIENCE
    }
}

/// What friction has taken from the motion since a pair slips: its bristles are deflected by no more than that when it comes to stick, so that no energy comes from nowhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SlipWork {
    /// Up to `t`, with what the bristles held before [J].
    pub(crate) work: f64,
    /// When the power was known last [s], and what it was [W].
    t: f64,
    power: f64,
}

zerogap_core::store_struct!(SlipWork { work, t, power });

impl SlipWork {
    /// From a time on at which nothing slides yet [s], with what the bristles hold [J].
    pub(crate) fn new(t: f64, work: f64) -> Self {
        Self { work, t, power: 0.0 }
    }

    /// Takes note of the power at a later time [W]; in between it changes linearly.
    pub(crate) fn add(&mut self, t: f64, power: f64) {
        let work = self.work + 0.5 * (self.power + power) * (t - self.t).max(0.0);
        *self = Self { work, t, power };
    }
}

/// A pair that is set down at rest carries nothing at first, and may hop before it lies still: until its friction has taken hold, it is judged by the load to be expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Onset {
    /// The load to be expected [N].
    pub(crate) expected: f64,
    /// Steps in a row in which the load could hold what friction was asked for [-].
    pub(crate) calm: u32,
}

zerogap_core::store_struct!(Onset { expected, calm } check |it| if it.calm < Self::CALM { Ok(()) } else { Err("a count beyond its end") });

impl Onset {
    /// Steps after which friction has taken hold [-]: two or three hops, each of which takes some ten steps.
    const CALM: u32 = 30;

    /// The same after one more step; none where friction has taken hold.
    pub(crate) fn after(self, is_calm: bool) -> Option<Self> {
        let calm = if is_calm { self.calm + 1 } else { 0 };
        (calm < Self::CALM).then_some(Self { calm, ..self })
    }
}

/// Changes between sticking and sliding that follow each other ever more quickly, as where a load of nothing holds a sliding of nothing: after a few of them the phase stays for a while, and each time for twice as long.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Restless {
    /// When it last changed [s].
    last: f64,
    /// Quick changes in a row [-].
    quick: i32,
}

zerogap_core::store_struct!(Restless { last, quick } check |it| if it.quick >= 0 { Ok(()) } else { Err("a negative count") });

impl Restless {
    /// Quick changes that are let through [-].
    const LET: i32 = 12;

    /// Changes follow each other quickly within this time [s].
    const QUICK: f64 = 1e-9;

    /// Longest time for which a phase stays [s].
    const LONGEST: f64 = 1e-5;

    pub(crate) fn new() -> Self {
        Self { last: f64::NEG_INFINITY, quick: 0 }
    }

    /// How long the phase stays after the last change [s].
    fn pause(self) -> f64 {
        match self.quick - Self::LET {
            beyond @ 1.. => (Self::QUICK * f64::from(1_u32 << beyond.min(20))).min(Self::LONGEST),
            _ => 0.0,
        }
    }

    /// Takes note of a change.
    pub(crate) fn change(&mut self, t: f64) {
        let is_quick = t - self.last < 4.0 * self.pause().max(Self::QUICK);
        *self = Self { last: t, quick: if is_quick { self.quick.saturating_add(1) } else { 0 } };
    }

    /// Whether the phase stays as it is.
    pub(crate) fn stays(self, t: f64) -> bool {
        t < self.last + self.pause()
    }
}

/// A contact point of a rigid pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RigidPoint {
    pub(crate) id: ContactId,
    pub(crate) mode: Mode,
}

zerogap_core::store_struct!(RigidPoint { id, mode });

/// What a contact point does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mode {
    /// It touches and carries nothing.
    Touch,
    /// It carries and slides; the direction of sliding at the start of the step, unit.
    Slip(Vec3),
    /// It carries and sticks, up to this fraction of the friction there is [-].
    Stick(f64),
}

zerogap_core::store_enum!(Mode { 0 => Touch, 1 => Slip(direction), 2 => Stick(ratio) });

impl Discrete {
    /// Of a world with nothing in contact and so many joint limits.
    pub(crate) fn new(limits: usize) -> Self {
        Self { is_active: vec![false; limits], patience: PATIENCE, ..Self::default() }
    }

    /// Whether a state with so many numbers behind positions and velocities has the bristle deflections of all pairs that stick, each once; none is a state that is too short.
    pub(crate) fn has_deflections_of(&self, numbers: Option<usize>) -> bool {
        let mut places = self.closed.values().filter_map(|closed| match closed {
            Closed::Elastic(Elastic { friction: Friction::Stick(place), .. }) => Some(*place),
            _ => None,
        });
        // They are numbered in the order of pairs.
        let is_numbered = (0..self.sticking).all(|place| places.next() == Some(place));
        is_numbered && places.next().is_none() && numbers == self.sticking.checked_mul(STATES)
    }

    /// Numbers the bristle deflections of sticking pairs anew, in the order of pairs.
    pub(crate) fn number_deflections(&mut self) {
        self.sticking = 0;
        for closed in self.closed.values_mut() {
            if let Closed::Elastic(Elastic { friction: Friction::Stick(place), .. }) = closed {
                *place = self.sticking;
                self.sticking += 1;
            }
        }
    }
}
