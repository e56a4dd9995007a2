//! Pairs that collide by oriented collision: when their histories begin, change and end.
//!
//! In: poses at the start and after accepted steps. Out: the histories that [`zerogap_proximity::oriented`] answers with. They are part of the discrete state: trials read them, accepted steps and events
//! change them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use zerogap_dynamics::multibody::Workspace;
use zerogap_proximity::oriented::{HandOver, OrientedHistory, join_flush_surfaces};

use super::event_model::EventModel;
use super::frozen::EventScratch;
use crate::world::WorldError;
use crate::world::events::{Event, EventKind};
use crate::world::oriented_pairs::{begin, refused};
use crate::world::placed::PlacedCollider;
use crate::world::placed_pair::PlacedPair;
use crate::world::shapes::PairId;

/// Joins surfaces of several shapes that lie in one plane.
fn join_flush(histories: &mut BTreeMap<PairId, OrientedHistory>, shapes: &[PlacedCollider], ws: &Workspace) {
    let placed = |pair| PlacedPair::new(shapes, pair, ws).colliders().oriented();
    join_flush_surfaces(histories, |pair: PairId| [pair.a.0, pair.b.0], placed);
}

impl EventModel<'_> {
    /// Begins the histories of those of the pairs that are near at the start which touch.
    pub(crate) fn begin_oriented(&mut self, t: f64, y: &[f64], near: &[PairId]) -> Result<(), WorldError> {
        if !self.model.has_oriented() {
            return Ok(());
        }
        let scratch = &mut *self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        for &pair in near {
            let placed = PlacedPair::new(&self.model.shapes, pair, &scratch.ws);
            let Some(oriented) = placed.colliders().oriented() else { continue };
            let skin = oriented.skin();
            if let Some(history) = begin(&placed).map_err(|refusal| refused(pair, refusal))? {
                let gap = placed.gap(2.0 * skin, &mut scratch.manifold.cache);
                self.model.start_gaps += 1;
                if gap.map_err(|error| WorldError::NarrowPhase { t, pair, error })? <= skin {
                    self.data.discrete.oriented_histories.insert(pair, history);
                }
            }
        }
        join_flush(&mut self.data.discrete.oriented_histories, &self.model.shapes, &scratch.ws);
        Ok(())
    }

    /// Keeps the histories of pairs that are near each other in a step, and begins those of pairs that have come near: what is far is inside of nothing and needs none. `pairs` is sorted.
    pub(crate) fn renew_oriented(&mut self, t: f64, y: &[f64], pairs: &[PairId]) {
        if !self.model.has_oriented() {
            return;
        }
        let scratch: &mut EventScratch = &mut self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let histories = &mut self.data.discrete.oriented_histories;
        histories.retain(|pair, _| pairs.binary_search(pair).is_ok());
        for &pair in pairs {
            if let Entry::Vacant(place) = histories.entry(pair) {
                // Pairs that cannot be were refused at the start.
                match begin(&PlacedPair::new(&self.model.shapes, pair, &scratch.ws)) {
                    Ok(Some(begun)) => {
                        place.insert(begun);
                    }
                    Ok(None) => {}
                    Err(refusal) => {
                        scratch.manifold.fail(pair, refusal.error);
                    }
                }
            }
        }
    }

    /// Takes a state as the reference of all pairs that collide by oriented collision; whether who touches which surface has changed.
    pub(crate) fn commit_oriented(&mut self, t: f64, y: &[f64]) -> bool {
        if self.data.discrete.oriented_histories.is_empty() {
            return false;
        }
        let (mut has_changed, mut hand_overs) = (false, Vec::new());
        let scratch: &mut EventScratch = &mut self.data.scratch.borrow_mut();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        for (&pair, history) in &mut self.data.discrete.oriented_histories {
            let placed = PlacedPair::new(&self.model.shapes, pair, &scratch.ws);
            let commit = |oriented| history.commit(&oriented, &mut hand_overs);
            match placed.colliders().oriented().map_or(Ok(false), commit) {
                Ok(is_new) => has_changed |= is_new,
                Err(error) => {
                    scratch.manifold.fail(pair, error);
                }
            }
            let reported = hand_overs.drain(..).map(|HandOver { from, to }| Event {
                t,
                what: EventKind::HandedOver { pair, surface_from: from, surface: to },
            });
            self.model.events.extend(reported);
        }
        if has_changed {
            join_flush(&mut self.data.discrete.oriented_histories, &self.model.shapes, &scratch.ws);
        }
        has_changed
    }
}
