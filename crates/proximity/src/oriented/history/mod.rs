//! Oriented collision of a pair of shapes: the corners of each against the flat surfaces of the other, each corner pushed by the surface that it came in through.
//!
//! In: two [`OrientedCollider`]s at their poses. Out: gaps, contacts with a normal each, and one function that falls through zero where a corner enters, leaves or slides over to another surface.
//! The caller keeps the [`OrientedHistory`] of a pair and gives it with every question ([`crate::collider::ColliderPair::with_history`]). Questions take `&self`; only
//! [`OrientedHistory::commit`] and [`join_flush_surfaces`] change it.

mod collider;
mod flush;
mod probe;

use zerogap_core::store::{Reader, Store, StoreError, Writer};
use zerogap_core::{Contact, Pose};

pub use collider::OrientedCollider;
pub use flush::join_flush_surfaces;

use self::probe::Probe;
use crate::collider::ColliderError;

/// Surfaces are moved outwards by this fraction of the size of the smaller shape [-]: corners that lie in the plane of a neighbouring surface, as in a stack of equal boxes, are inside it whatever rounding and the
/// errors of integration say. Forces do not depend on it, and times of touching do so only in that case.
pub const SKIN: f64 = 1e-7;

/// Two placed shapes that collide by oriented collision.
#[derive(Debug, Clone, Copy)]
pub struct OrientedPair<'a> {
    /// Shape A.
    pub a: &'a OrientedCollider,
    /// Pose of A.
    pub pose_a: Pose,
    /// Shape B.
    pub b: &'a OrientedCollider,
    /// Pose of B.
    pub pose_b: Pose,
}

impl<'a> OrientedPair<'a> {
    /// Returns the owner of the corners with its pose, then the target with its pose.
    fn sides(&self, is_b: bool) -> [(&'a OrientedCollider, Pose); 2] {
        let (a, b) = ((self.a, self.pose_a), (self.b, self.pose_b));
        if is_b { [b, a] } else { [a, b] }
    }

    /// Returns the size of the smaller shape [m]; a point has none, so that of what it hits counts.
    fn size(&self) -> f64 {
        let (a, b) = (self.a.size(), self.b.size());
        if a.min(b) > 0.0 { a.min(b) } else { a.max(b) }
    }

    /// Returns how far the surfaces of the pair are moved outwards [m].
    pub fn skin(&self) -> f64 {
        // A point on a half-space has no size to go by, and no neighbouring surfaces either.
        if self.size().is_finite() { SKIN * self.size() } else { 0.0 }
    }
}

/// Why two shapes cannot collide by oriented collision.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{error}")]
pub struct OrientedRefusal {
    /// Whether the corners of B would hit A; otherwise those of A would hit B.
    pub is_b: bool,
    /// Why they cannot.
    pub error: ColliderError,
}

/// The corners of a pair's shapes against the surfaces of each other, with their history: of one shape or of both.
#[derive(Debug, Clone, PartialEq)]
pub struct OrientedHistory(Vec<Probe>);

/// A corner that slid over to another surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HandOver {
    /// The surface that it left.
    pub from: u32,
    /// The surface that it is in contact with now.
    pub to: u32,
}

/// The history is in the detectors, which are not stored.
impl Store for OrientedHistory {
    fn put(&self, out: &mut Writer) {
        out.refuse("the contact history of oriented collision");
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Err(from.expected("contact history of oriented collision"))
    }
}

impl OrientedHistory {
    /// Begins the history of a pair.
    ///
    /// The corners of both shapes count, whichever asked for it: a box that falls on a wide floor has corners inside it, the floor has none inside the box. Those of a shape that was asked need surfaces to
    /// hit; those of its partner hit where they can.
    /// Fails: no shape that was asked finds surfaces to hit.
    pub fn begin(pair: &OrientedPair<'_>) -> Result<Self, OrientedRefusal> {
        let (mut probes, mut refused, mut is_accepted) = (Vec::new(), None, false);
        for is_b in [false, true] {
            let [(owner, _), _] = pair.sides(is_b);
            if owner.corners().is_empty() {
                continue;
            }
            match Probe::begin(pair, is_b) {
                Ok(probe) => {
                    probes.push(probe);
                    is_accepted |= owner.is_asked;
                }
                Err(error) if owner.is_asked => refused = Some(OrientedRefusal { is_b, error }),
                Err(_) => {}
            }
        }
        // Of two that were asked it is enough that one has surfaces.
        match refused {
            Some(refusal) if !is_accepted => Err(refusal),
            _ => Ok(Self(probes)),
        }
    }

    /// Returns the smallest gap of a corner [m]: from its surface where it is in contact, otherwise the largest separation, which is no more than the distance.
    pub fn gap(&self, pair: &OrientedPair<'_>) -> f64 {
        self.least(|probe| probe.gap(pair))
    }

    /// Returns the smallest separation of a corner that is in contact with nothing [m].
    pub fn free_gap(&self, pair: &OrientedPair<'_>) -> f64 {
        self.least(|probe| probe.free_gap(pair))
    }

    /// Returns half the width of what is hit, where it is thinnest [m]: a corner passes through twice that at least.
    pub fn thickness(&self, pair: &OrientedPair<'_>) -> f64 {
        self.least(|probe| pair.sides(probe.is_b)[1].0.thickness())
    }

    /// Returns the smallest of the functions that fall through zero where the reference ends [m].
    pub fn function(&self, pair: &OrientedPair<'_>) -> f64 {
        self.least(|probe| probe.function(pair))
    }

    /// Adds the contacts of the reference at the poses of a pair.
    pub fn contacts(&self, pair: &OrientedPair<'_>, contacts: &mut Vec<Contact>) {
        for probe in &self.0 {
            probe.contacts(pair, contacts);
        }
    }

    /// Takes the poses of a pair as the reference and adds the hand-overs; returns whether who touches which surface has changed.
    ///
    /// Fails: poses that are not finite.
    pub fn commit(
        &mut self,
        pair: &OrientedPair<'_>,
        hand_overs: &mut Vec<HandOver>,
    ) -> Result<bool, ColliderError> {
        let mut has_changed = false;
        let mut outcome = Ok(());
        for probe in &mut self.0 {
            match probe.commit(pair, hand_overs) {
                Ok(is_new) => has_changed |= is_new,
                Err(error) => outcome = outcome.and(Err(error.into())),
            }
        }
        outcome.map(|()| has_changed)
    }

    fn least(&self, of: impl Fn(&Probe) -> f64) -> f64 {
        self.0.iter().map(of).fold(f64::INFINITY, f64::min)
    }
}
