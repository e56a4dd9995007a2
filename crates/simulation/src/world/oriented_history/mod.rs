//! Pairs that collide by oriented collision: corners of each shape against the flat surfaces of the other, each corner pushed by the surface that it came in through.
//!
//! In: poses at the start, at trials and after accepted steps. Out: gaps, contacts with a normal each, and one function of a pair in contact that falls through zero where a corner comes in, goes out or slides
//! over to another surface. The history is part of the discrete state: trials read it, accepted steps and events change it.

mod flush;
mod probe;

use std::collections::btree_map::Entry;

use zerogap_core::Manifold;
use zerogap_core::store::{Reader, Store, StoreError, Writer};
use zerogap_proximity::oriented::Target;

use self::probe::{HandOver, Probe, skin};
use super::WorldError;
use super::events::{Event, EventKind};
use super::model::{Model, Scratch};
use super::narrow::NarrowPhaseError;
use super::params::ContactModel;
use super::shapes::{PairId, Placed, PlacedPair, ShapeId};

pub(crate) use self::probe::{SKIN, corners_of};

/// The corners of a pair's shapes against the surfaces of each other, with their history: of one shape or of both.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OrientedHistory(Vec<Probe>);

/// The history is in the detectors, which are not stored.
impl Store for OrientedHistory {
    fn put(&self, out: &mut Writer) {
        out.refuse("the contact history of oriented collision");
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Err(from.expected("contact history of oriented collision"))
    }
}

/// Why the corners of a shape cannot hit another.
struct Refused {
    /// What would be hit.
    shape: ShapeId,
    /// Whose corners.
    by: ShapeId,
    error: NarrowPhaseError,
}

impl From<Refused> for WorldError {
    fn from(Refused { shape, by, error }: Refused) -> Self {
        Self::Oriented { shape, by: Some(by), why: error.to_string() }
    }
}

impl OrientedHistory {
    /// Begins the history of a pair; none where neither shape was asked to collide by oriented collision.
    ///
    /// The corners of both shapes count, whoever was asked: a box that falls on a wide floor has corners inside it, the floor has none inside the box. Those of the shape that was asked need surfaces to
    /// hit; those of its partner hit where they can.
    fn begin(pair: &PlacedPair<'_>) -> Result<Option<Self>, Refused> {
        let (mut probes, mut refused, mut is_accepted) = (Vec::new(), None, false);
        if !(pair.a.is_oriented || pair.b.is_oriented) {
            return Ok(None);
        }
        for (owner, is_b) in [(pair.a, false), (pair.b, true)] {
            let Some(corners) = &owner.corners else { continue };
            match Probe::begin(pair, corners.clone(), is_b) {
                Ok(probe) => {
                    probes.push(probe);
                    is_accepted |= owner.is_oriented;
                }
                Err(error) if owner.is_oriented => {
                    let PairId { a, b } = pair.id;
                    let (shape, by) = if is_b { (a, b) } else { (b, a) };
                    refused = Some(Refused { shape, by, error });
                }
                Err(_) => {}
            }
        }
        // Of two that were asked it is enough that one has surfaces.
        match refused {
            Some(error) if !is_accepted => Err(error),
            _ if probes.is_empty() => Ok(None),
            _ => Ok(Some(Self(probes))),
        }
    }

    /// The smallest gap of a corner [m]: from its surface where it is in contact, otherwise the largest separation, which is no more than the distance.
    pub(crate) fn gap(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|probe| probe.gap(pair)).fold(f64::INFINITY, f64::min)
    }

    /// The smallest separation of a corner that is in contact with nothing [m].
    pub(crate) fn free_gap(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|probe| probe.free_gap(pair)).fold(f64::INFINITY, f64::min)
    }

    /// Half the width of what is hit, where it is thinnest [m]: no corner is inside for a shorter way than twice that.
    pub(crate) fn thickness(&self, pair: &PlacedPair<'_>) -> f64 {
        let of = |probe: &Probe| if probe.is_b { pair.a.thickness } else { pair.b.thickness };
        self.0.iter().map(of).fold(f64::INFINITY, f64::min)
    }

    /// Writes the contacts of the reference at the poses of a pair.
    pub(crate) fn contacts(&self, pair: &PlacedPair<'_>, manifold: &mut Manifold) {
        manifold.contacts.clear();
        for probe in &self.0 {
            probe.contacts(pair, manifold);
        }
    }

    /// The smallest of the functions that fall through zero where the reference ends [m].
    pub(crate) fn function(&self, pair: &PlacedPair<'_>) -> f64 {
        self.0.iter().map(|probe| probe.function(pair)).fold(f64::INFINITY, f64::min)
    }
}

impl Model {
    /// Begins the history of those of the pairs that are near and new which touch, and refuses pairs that cannot meet by oriented collision.
    pub(crate) fn begin_hits(&mut self, t: f64, y: &[f64], near: &[PairId]) -> Result<(), WorldError> {
        let asked = self.shapes.iter().position(|placed| placed.is_oriented);
        let Some(asked) = asked else { return Ok(()) };
        if matches!(self.contact, ContactModel::Rigid(_)) {
            let why =
                "it needs elastic contacts and located events, not rigid contacts or steps of one length";
            return Err(WorldError::Oriented { shape: ShapeId(asked as u32), by: None, why: why.to_owned() });
        }
        for placed in &mut self.shapes {
            placed.corners = corners_of(&placed.shape);
        }
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        if let Some(pair) = self.first_without_surfaces() {
            OrientedHistory::begin(&PlacedPair::new(&self.shapes, pair, &scratch.ws))?;
        }
        for &pair in near {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            let skin = skin(&placed);
            if let Some(hits) = OrientedHistory::begin(&placed)? {
                let gap = placed.gap(2.0 * skin);
                self.start_gaps += 1;
                if gap.map_err(|error| WorldError::NarrowPhase { t, pair, error })? <= skin {
                    self.discrete.hits.insert(pair, hits);
                }
            }
        }
        self.discrete.join_flush_surfaces(&self.shapes, &scratch.ws);
        Ok(())
    }

    /// A pair of which at least one was asked to collide by oriented collision, where neither that nor the other has surfaces to be hit by the corners of the other.
    fn first_without_surfaces(&self) -> Option<PairId> {
        let all = || self.shapes.iter().enumerate();
        let has_surfaces = |placed: &Placed| Target::of_shape(&placed.shape).is_ok();
        let bare: Vec<usize> = all().filter(|(_, placed)| !has_surfaces(placed)).map(|(k, _)| k).collect();
        for (asked, placed) in all().filter(|(_, placed)| placed.is_oriented) {
            // What has corners of its own can hit the one that was asked, if that has surfaces.
            let is_saved = |other: usize| self.shapes[other].is_oriented && has_surfaces(placed);
            let mut refused = bare.iter().filter(|&&other| other != asked && !is_saved(other));
            if let Some(&other) = refused.find(|&&other| self.may_touch(asked, other)) {
                return Some(PairId::new(ShapeId(asked as u32), ShapeId(other as u32)));
            }
        }
        None
    }

    /// Keeps the history of pairs that are near each other in a step, and begins that of pairs that have come near: who is far is inside of nothing and needs none. `pairs` is sorted.
    pub(crate) fn renew_hits(&mut self, t: f64, y: &[f64], pairs: &[PairId]) {
        if !self.shapes.iter().any(|placed| placed.is_oriented) {
            return;
        }
        let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        let hits = &mut self.discrete.hits;
        hits.retain(|pair, _| pairs.binary_search(pair).is_ok());
        for &pair in pairs {
            if let Entry::Vacant(place) = hits.entry(pair) {
                // Pairs that cannot be were refused at the start.
                let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
                match OrientedHistory::begin(&placed) {
                    Ok(Some(begun)) => {
                        place.insert(begun);
                    }
                    Ok(None) => {}
                    Err(refused) => {
                        scratch.manifold.fail(pair, refused.error);
                    }
                }
            }
        }
    }

    /// Takes a state as the reference of all pairs that meet by oriented collision; whether who touches which surface has changed.
    pub(crate) fn commit_hits(&mut self, t: f64, y: &[f64]) -> bool {
        if self.discrete.hits.is_empty() {
            return false;
        }
        let (mut has_changed, mut handed) = (false, Vec::new());
        let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        for (&pair, OrientedHistory(probes)) in &mut self.discrete.hits {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            for probe in probes {
                match probe.commit(&placed, &mut handed) {
                    Ok(is_new) => has_changed |= is_new,
                    Err(error) => {
                        scratch.manifold.fail(pair, error.into());
                    }
                }
            }
            let told = handed.drain(..).map(|HandOver { from, to }| Event {
                t,
                what: EventKind::HandedOver { pair, surface_from: from, surface: to },
            });
            self.events.extend(told);
        }
        if has_changed {
            self.discrete.join_flush_surfaces(&self.shapes, &scratch.ws);
        }
        has_changed
    }
}
