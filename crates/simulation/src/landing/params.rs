//! Settings of a landing.

use std::f64::consts::PI;
use std::sync::Arc;

use zerogap_core::Pose;
use zerogap_dynamics::beam::{Rayleigh, Section};
use zerogap_dynamics::integrate::{IntegratorKind, Tolerance};
use zerogap_dynamics::multibody::{Harmonic, HarmonicMotion, Motion};

use super::{LandingError, NODES};
use crate::world::MIN_STEP;

/// The aircraft: a rigid body and a gear of beams below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Craft {
    /// Mass of the body without its gear [kg].
    pub mass: f64,
    /// Moment of inertia of the body about its roll axis [kg m²].
    pub inertia: f64,
    /// The nodes of the gear from one skid to the other, across and up from the centre of mass of the body [m]; the third and fourth are bolted to it.
    pub nodes: [[f64; 2]; NODES],
    /// The tubes between the nodes.
    pub section: Section,
    /// Mass of each skid tube, at its node [kg].
    pub skid_mass: f64,
    /// Damping of the gear; the part in proportion to mass acts on motion against the body.
    pub damping: Rayleigh,
}

/// The deck of the ship: a plate that moves.
#[derive(Debug, Clone)]
pub struct DeckParams {
    /// Its width across the ship [m].
    pub width: f64,
    /// Its thickness [m].
    pub thickness: f64,
    /// How the middle of its upper side moves; sway, heave and roll count.
    pub motion: Arc<dyn Motion>,
}

/// Normal force of the deck on a skid that overlaps it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeckContact {
    /// Along the normal [N/m].
    pub stiffness: f64,
    /// Along the normal [N s/m].
    pub damping: f64,
    /// Coefficient of sliding friction [-].
    pub friction: f64,
    /// Coefficient before sliding starts, not below that of sliding [-].
    pub static_friction: f64,
    /// Along the deck, while sticking [N/m].
    pub grip_stiffness: f64,
    /// Along the deck, while sticking [N s/m].
    pub grip_damping: f64,
}

/// Where the aircraft starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// Centre of mass of the body, across and up in the world [m].
    pub position: [f64; 2],
    /// Roll [rad].
    pub roll: f64,
    /// Velocity across and up [m/s].
    pub velocity: [f64; 2],
    /// Rate of the roll [rad/s].
    pub roll_rate: f64,
}

/// What the rotor carries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lift {
    /// Fraction of the weight until the first skid touches [-].
    pub fraction: f64,
    /// Time in which it falls to zero from then on, linearly [s].
    pub fade: f64,
}

/// A rope between the body and the deck: it pulls, and never pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// When it is made fast [s].
    pub at: f64,
    /// Where on the body, across and up from its centre of mass [m].
    pub body: [f64; 2],
    /// Where on the deck, across and up from the middle of its upper side [m].
    pub deck: [f64; 2],
    /// Its stiffness [N/m].
    pub stiffness: f64,
    /// Its damping [N s/m].
    pub damping: f64,
    /// How hard it pulls when it is made fast [N].
    pub tension: f64,
}

/// A pull along the deck, as of a winch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pull {
    /// When it begins [s].
    pub from: f64,
    /// When it ends [s].
    pub until: f64,
    /// Time in which it rises to its full size, and in which it falls again [s].
    pub ramp: f64,
    /// Its size; negative pulls in the other direction [N].
    pub force: f64,
    /// Where it acts on the body, across and up from its centre of mass [m].
    pub body: [f64; 2],
}

/// A landing.
#[derive(Debug, Clone)]
pub struct LandingParams {
    /// Acceleration of free fall, downward [m/s²].
    pub gravity: f64,
    /// The aircraft.
    pub craft: Craft,
    /// Where it starts.
    pub start: Start,
    /// What its rotor carries.
    pub lift: Lift,
    /// The deck.
    pub deck: DeckParams,
    /// Contact of skids and deck.
    pub contact: DeckContact,
    /// Ropes.
    pub ties: Vec<Tie>,
    /// A pull along the deck.
    pub pull: Option<Pull>,
    /// How exact each step must be.
    pub tolerance: Tolerance,
    /// The integrator; `Auto` is the implicit one, since tubes are stiff along their length.
    pub integrator: IntegratorKind,
    /// Longest step [s].
    pub max_step: f64,
}

impl Default for Craft {
    /// A light helicopter of 1.5 t on aluminium tubes.
    fn default() -> Self {
        Self {
            mass: 1500.0,
            inertia: 900.0,
            nodes: [[-1.15, -1.65], [-1.0, -1.2], [-0.45, -0.85], [0.45, -0.85], [1.0, -1.2], [1.15, -1.65]],
            section: Section::tube(7.1e10, 2800.0, 0.08, 0.01),
            skid_mass: 18.0,
            damping: Rayleigh { mass: 0.0, stiffness: 1e-3 },
        }
    }
}

impl Default for DeckContact {
    fn default() -> Self {
        Self {
            stiffness: 2e6,
            damping: 1e4,
            friction: 0.6,
            static_friction: 0.7,
            grip_stiffness: 1e6,
            grip_damping: 5e3,
        }
    }
}

impl Default for LandingParams {
    /// A landing on a deck that heaves and rolls in a swell, without ropes.
    fn default() -> Self {
        let swing =
            |amplitude: f64, period: f64, phase: f64| Harmonic { amplitude, frequency: 1.0 / period, phase };
        let still = Harmonic::default();
        let heave = [still, still, swing(0.6, 7.0, 0.0)];
        let roll = [swing(0.07, 9.0, 0.6), still, still];
        let motion: Arc<dyn Motion> = match HarmonicMotion::new(Pose::identity(), heave, roll) {
            Ok(motion) => Arc::new(motion),
            Err(_) => unreachable!("these are finite numbers"),
        };
        Self {
            gravity: 9.81,
            craft: Craft::default(),
            start: Start { position: [0.0, 3.6], roll: 0.0, velocity: [0.0, -1.0], roll_rate: 0.0 },
            lift: Lift { fraction: 1.0, fade: 1.5 },
            deck: DeckParams { width: 8.0, thickness: 0.02, motion },
            contact: DeckContact::default(),
            ties: Vec::new(),
            pull: None,
            tolerance: Tolerance { relative: 1e-7, absolute: 1e-10 },
            integrator: IntegratorKind::Auto,
            max_step: 0.05,
        }
    }
}

impl LandingParams {
    /// Whether everything can be used.
    pub fn check(&self) -> Result<(), LandingError> {
        let value = |what, value: f64, is_good: bool, must| {
            if is_good && value.is_finite() { Ok(()) } else { Err(LandingError::Value { what, value, must }) }
        };
        let positive = |what, x: f64| value(what, x, x > 0.0, "above zero");
        let not_negative = |what, x: f64| value(what, x, x >= 0.0, "zero or more");
        let any = |what, x: f64| value(what, x, true, "a finite number");
        let Self { craft, start, lift, deck, contact, .. } = self;
        any("gravity", self.gravity)?;
        positive("the mass of the body", craft.mass)?;
        positive("the inertia of the body", craft.inertia)?;
        not_negative("the mass of a skid", craft.skid_mass)?;
        not_negative("the damping of the gear by mass", craft.damping.mass)?;
        not_negative("the damping of the gear by stiffness", craft.damping.stiffness)?;
        for x in start.position.iter().chain(&start.velocity).chain([&start.roll, &start.roll_rate]) {
            any("a number of the start", *x)?;
        }
        value("the roll at the start", start.roll, start.roll.abs() <= PI, "an angle from -pi to pi rad")?;
        not_negative("the fraction of the lift", lift.fraction)?;
        positive("the time in which the lift fades", lift.fade)?;
        positive("the width of the deck", deck.width)?;
        positive("the thickness of the deck", deck.thickness)?;
        not_negative("the friction of the deck", contact.friction)?;
        let statics = contact.static_friction;
        value(
            "the static friction of the deck",
            statics,
            statics >= contact.friction,
            "at least the friction",
        )?;
        positive("the stiffness of the grip", contact.grip_stiffness)?;
        not_negative("the damping of the grip", contact.grip_damping)?;
        for tie in &self.ties {
            not_negative("the time of a tie", tie.at)?;
            positive("the stiffness of a tie", tie.stiffness)?;
            not_negative("the damping of a tie", tie.damping)?;
            not_negative("the tension of a tie", tie.tension)?;
            tie.body.iter().chain(&tie.deck).try_for_each(|x| any("a place of a tie", *x))?;
        }
        if let Some(pull) = &self.pull {
            not_negative("the time of the pull", pull.from)?;
            let lasts = pull.until - pull.from;
            positive("the ramp of the pull", pull.ramp)?;
            value(
                "the time that the pull lasts",
                lasts,
                lasts >= 2.0 * pull.ramp,
                "at least twice its ramp",
            )?;
            any("the pull", pull.force)?;
            pull.body.iter().try_for_each(|x| any("the place of the pull", *x))?;
        }
        let relative = self.tolerance.relative;
        value("the relative tolerance", relative, relative > 0.0 && relative < 1.0, "between 0 and 1")?;
        positive("the absolute tolerance", self.tolerance.absolute)?;
        let max_step = self.max_step;
        value(
            "the longest step",
            max_step,
            max_step >= MIN_STEP,
            "long enough for time to advance: 1e-12 s or more",
        )
    }
}
