//! Pairs that meet by oriented collision: corners of one shape against the flat surfaces of another, each corner pushed by the surface that it came in through.
//!
//! In: poses at the start, at trials and after accepted steps. Out: gaps, contacts with a normal each, and one function of a pair in contact that falls through zero where a corner comes in, goes out or slides
//! over to another surface. The history is part of the discrete state: trials read it, accepted steps and events change it.

mod flush;
mod probe;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use zerogap_core::Manifold;
use zerogap_core::store::{Reader, Store, StoreError, Writer};

use self::probe::{HandOver, Probe, skin};
use super::WorldError;
use super::events::{Event, Happening};
use super::model::{Model, Scratch};
use super::params::ContactModel;
use super::shapes::{PairId, PlacedPair, ShapeId};

pub(crate) use self::probe::corners_of;

/// The corners of a pair's shapes against the surfaces of each other, with their history: of one shape or of both.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hits(Vec<Probe>);

/// The history is in the detectors, which are not stored.
impl Store for Hits {
    fn put(&self, out: &mut Writer) {
        out.refuse("the contact history of oriented collision");
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Err(from.expected("contact history of oriented collision"))
    }
}

impl Hits {
    /// Begins the history of a pair; none where neither shape was asked to be met by its corners.
    fn begin(pair: &PlacedPair<'_>) -> Result<Option<Self>, WorldError> {
        let (mut probes, mut refused) = (Vec::new(), None);
        for (corners, is_b) in [(&pair.a.corners, false), (&pair.b.corners, true)] {
            let Some(corners) = corners else { continue };
            match Probe::begin(pair, corners.clone(), is_b) {
                Ok(probe) => probes.push(probe),
                Err(error) => {
                    let PairId { a, b } = pair.id;
                    let (shape, by) = if is_b { (a, Some(b)) } else { (b, Some(a)) };
                    refused = Some(WorldError::Oriented { shape, by, why: error.to_string() });
                }
            }
        }
        // Of two that were asked it is enough that one has surfaces.
        match refused {
            Some(error) if probes.is_empty() => Err(error),
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
    /// Begins the history of pairs that touch at the start, and refuses pairs that cannot meet by oriented collision.
    pub(crate) fn begin_hits(&mut self, t: f64, y: &[f64]) -> Result<(), WorldError> {
        let asked = self.shapes.iter().position(|placed| placed.corners.is_some());
        let Some(asked) = asked else { return Ok(()) };
        if matches!(self.contact, ContactModel::Rigid(_)) {
            let why =
                "it needs elastic contacts and located events, not rigid contacts or steps of one length";
            return Err(WorldError::Oriented { shape: ShapeId(asked as u32), by: None, why: why.to_owned() });
        }
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        let mut all = BTreeMap::new();
        for pair in self.all_pairs() {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            let skin = skin(&placed);
            if let Some(hits) = Hits::begin(&placed)?
                && placed.gap(2.0 * skin) <= skin
            {
                all.insert(pair, hits);
            }
        }
        self.discrete.hits = all;
        self.discrete.join_flush_surfaces(&self.shapes, &scratch.ws);
        Ok(())
    }

    /// Keeps the history of pairs that are near each other in a step, and begins that of pairs that have come near: who is far is inside of nothing and needs none. `pairs` is sorted.
    pub(crate) fn renew_hits(&mut self, t: f64, y: &[f64], pairs: &[PairId]) {
        if !self.shapes.iter().any(|placed| placed.corners.is_some()) {
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
                if let Ok(Some(begun)) = Hits::begin(&placed) {
                    place.insert(begun);
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
        for (&pair, Hits(probes)) in &mut self.discrete.hits {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            for probe in probes {
                has_changed |= probe.commit(&placed, &mut handed);
            }
            let told = handed.drain(..).map(|HandOver { from, to }| Event {
                t,
                what: Happening::HandedOver { pair, surface_from: from, surface: to },
            });
            self.events.extend(told);
        }
        if has_changed {
            self.discrete.join_flush_surfaces(&self.shapes, &scratch.ws);
        }
        has_changed
    }
}
