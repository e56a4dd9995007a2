//! A collision configuration: who touches which surface, with all that is needed to continue from there.
//!
//! Written by [`super::Oriented::evaluate`] for a trial, and by a commit for the reference. Memory is kept from one use to the next.

use zerogap_core::Vec3;
use zerogap_core::facets::{Blocks, WORD, point_of};

use super::hand_over::Carry;

/// How an initiator came to its surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TouchKind {
    /// It came in through this surface in this step.
    Hit,
    /// It passed through the whole target in this step; this is the surface by which it came in.
    Crossed,
    /// It was in contact with this surface before.
    Kept,
    /// It slid over a corner, from another surface to this one, and contact continues.
    HandedOver {
        /// The surface that it leaves.
        from: u32,
    },
    /// It was inside before there was any history; this is the nearest surface.
    Inside,
}

impl TouchKind {
    /// The kind as one lower-case word: `hit`, `crossed`, `kept`, `handed-over` or `inside`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Crossed => "crossed",
            Self::Kept => "kept",
            Self::HandedOver { .. } => "handed-over",
            Self::Inside => "inside",
        }
    }
}

/// An initiator in contact with a surface of a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// Number of the target.
    pub target: u32,
    /// Number of the initiator.
    pub initiator: u32,
    /// The collision surface.
    pub surface: u32,
    /// Gap of initiator and surface along the normal [m]: negative below the surface. Just after a hand-over it changes from that of the former surface without a jump.
    pub gap: f64,
    /// Outward unit normal of the surface in the world [-]; force on the initiator acts along it.
    pub normal: Vec3,
    /// Foot of the initiator on the plane of the surface, in the world [m].
    pub point: Vec3,
    /// How it came to be.
    pub kind: TouchKind,
    /// Whether the initiator is inside the target: contact can outlast it, where a target is thin or acute.
    pub is_inside: bool,
    /// Whether the contact began without history, so that its surface is the nearest one rather than the one that was hit.
    pub is_guess: bool,
}

/// An initiator that was in contact and is no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// Number of the target.
    pub target: u32,
    /// Number of the initiator.
    pub initiator: u32,
    /// The surface that it was in contact with.
    pub surface: u32,
}

/// What lasts of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ActiveContact {
    pub(super) initiator: u32,
    pub(super) surface: u32,
    pub(super) is_guess: bool,
    pub(super) carry: Option<Carry>,
}

/// How an initiator is in contact, before hand-over is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DetectedContact {
    pub(super) initiator: u32,
    pub(super) surface: u32,
    pub(super) kind: TouchKind,
    pub(super) is_inside: bool,
}

/// The initiators against one target.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    /// Where they are, in the frame of the target [m], 64 to an entry.
    pub(super) at: Vec<Blocks>,
    /// Penetration bits of the guard form: for each word of 64 initiators one row per surface.
    pub(super) words: Vec<u64>,
    /// Penetration of the conditional form: for each initiator one entry per surface.
    pub(super) flags: Vec<bool>,
    /// Whether these were computed, or culled: per word or per initiator.
    pub(super) is_known: Vec<bool>,
    /// Contacts by initiator.
    pub(super) active: Vec<ActiveContact>,
}

impl Set {
    pub(super) fn point(&self, initiator: usize) -> Vec3 {
        point_of(&self.at[initiator / WORD], initiator % WORD)
    }
}

/// Memory of one evaluation.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    pub(super) found: Vec<DetectedContact>,
    /// Rows of one word: reference penetration where it was culled, reference collision, span, collision.
    pub(super) was: Vec<u64>,
    pub(super) active: Vec<u64>,
    pub(super) span: Vec<u64>,
    pub(super) collision: Vec<u64>,
    /// The same for one initiator of the conditional form.
    pub(super) flags: Vec<bool>,
}

/// A collision configuration of all initiators against all targets.
#[derive(Debug, Clone, Default)]
pub struct Configuration {
    pub(super) sets: Vec<Set>,
    pub(super) touches: Vec<Touch>,
    pub(super) releases: Vec<Release>,
    pub(super) scratch: Scratch,
    pub(super) tests: u64,
}

impl Configuration {
    /// Memory to evaluate into.
    pub fn new() -> Self {
        Self::default()
    }

    /// Who is in contact, by target and initiator; an initiator has one surface of a target at most.
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// Who was in contact in the reference and is no more, by target and initiator.
    pub fn releases(&self) -> &[Release] {
        &self.releases
    }

    /// The contact of an initiator with a target, if there is one.
    pub fn touch(&self, target: usize, initiator: usize) -> Option<&Touch> {
        let key = (target, initiator);
        let at = self.touches.binary_search_by(|t| (t.target as usize, t.initiator as usize).cmp(&key));
        at.ok().map(|at| &self.touches[at])
    }

    /// The collision surface of an initiator on a target, if it has one.
    pub fn surface(&self, target: usize, initiator: usize) -> Option<usize> {
        self.touch(target, initiator).map(|touch| touch.surface as usize)
    }

    /// Tests of an initiator against a surface that were made [-]: fewer where initiators were culled.
    pub fn tests(&self) -> u64 {
        self.tests
    }
}
