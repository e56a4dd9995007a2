//! Pairs that collide by oriented collision: when their histories begin, change and end.
//!
//! In: poses at the start and after accepted steps. Out: the histories that [`zerogap_proximity::oriented`] answers with. They are part of the discrete state: trials read them, accepted steps and events
//! change them.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use zerogap_dynamics::multibody::Workspace;
use zerogap_proximity::collider::{Collider, ColliderKind};
use zerogap_proximity::oriented::{HandOver, OrientedHistory, OrientedRefusal, join_flush_surfaces};

use super::WorldError;
use super::events::{Event, EventKind};
use super::model::{Model, Scratch};
use super::params::ContactModel;
use super::placed::PlacedCollider;
use super::placed_pair::PlacedPair;
use super::shapes::{PairId, ShapeId};

/// Begins the history of a pair; none where neither shape was asked to collide by oriented collision.
fn begin(pair: &PlacedPair<'_>) -> Result<Option<OrientedHistory>, OrientedRefusal> {
    pair.colliders().oriented().map(|oriented| OrientedHistory::begin(&oriented)).transpose()
}

/// The error of a world for corners that cannot hit a shape.
fn refused(pair: PairId, OrientedRefusal { is_b, error }: OrientedRefusal) -> WorldError {
    let (shape, by) = if is_b { (pair.a, pair.b) } else { (pair.b, pair.a) };
    WorldError::Oriented { shape, by: Some(by), why: error.to_string() }
}

/// Whether a shape was asked to collide by oriented collision.
fn is_asked(placed: &PlacedCollider) -> bool {
    placed.colliders.asked() == Some(ColliderKind::Oriented)
}

/// Joins surfaces of several shapes that lie in one plane.
fn join_flush(histories: &mut BTreeMap<PairId, OrientedHistory>, shapes: &[PlacedCollider], ws: &Workspace) {
    let placed = |pair| PlacedPair::new(shapes, pair, ws).colliders().oriented();
    join_flush_surfaces(histories, |pair: PairId| [pair.a.0, pair.b.0], placed);
}

impl Model {
    /// Begins the histories of those of the pairs that are near at the start which touch, and refuses pairs that cannot collide by oriented collision.
    pub(crate) fn begin_oriented(&mut self, t: f64, y: &[f64], near: &[PairId]) -> Result<(), WorldError> {
        let asked = self.shapes.iter().position(is_asked);
        let Some(asked) = asked else { return Ok(()) };
        if matches!(self.contact, ContactModel::Rigid(_)) {
            let why =
                "it needs elastic contacts and located events, not rigid contacts or steps of one length";
            return Err(WorldError::Oriented { shape: ShapeId(asked as u32), by: None, why: why.to_owned() });
        }
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        if let Some(pair) = self.first_without_surfaces() {
            begin(&PlacedPair::new(&self.shapes, pair, &scratch.ws))
                .map_err(|refusal| refused(pair, refusal))?;
        }
        for &pair in near {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
            let Some(oriented) = placed.colliders().oriented() else { continue };
            let skin = oriented.skin();
            if let Some(history) = begin(&placed).map_err(|refusal| refused(pair, refusal))? {
                let gap = placed.gap(2.0 * skin, &mut scratch.manifold.cache);
                self.start_gaps += 1;
                if gap.map_err(|error| WorldError::NarrowPhase { t, pair, error })? <= skin {
                    self.discrete.oriented_histories.insert(pair, history);
                }
            }
        }
        join_flush(&mut self.discrete.oriented_histories, &self.shapes, &scratch.ws);
        Ok(())
    }

    /// A pair of which at least one was asked to collide by oriented collision, where neither that nor the other has surfaces to be hit by the corners of the other.
    fn first_without_surfaces(&self) -> Option<PairId> {
        let all = || self.shapes.iter().enumerate();
        let has_surfaces = |placed: &PlacedCollider| match placed.colliders.get(Some(ColliderKind::Oriented))
        {
            Collider::Oriented(oriented) => oriented.target().is_ok(),
            _ => false,
        };
        let bare: Vec<usize> = all().filter(|(_, placed)| !has_surfaces(placed)).map(|(k, _)| k).collect();
        for (asked, placed) in all().filter(|(_, placed)| is_asked(placed)) {
            // What has corners of its own can hit the one that was asked, if that has surfaces.
            let is_saved = |other: usize| is_asked(&self.shapes[other]) && has_surfaces(placed);
            let mut refused = bare.iter().filter(|&&other| other != asked && !is_saved(other));
            if let Some(&other) = refused.find(|&&other| self.may_touch(asked, other)) {
                return Some(PairId::new(ShapeId(asked as u32), ShapeId(other as u32)));
            }
        }
        None
    }

    /// Keeps the histories of pairs that are near each other in a step, and begins those of pairs that have come near: what is far is inside of nothing and needs none. `pairs` is sorted.
    pub(crate) fn renew_oriented(&mut self, t: f64, y: &[f64], pairs: &[PairId]) {
        if !self.shapes.iter().any(is_asked) {
            return;
        }
        let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        let histories = &mut self.discrete.oriented_histories;
        histories.retain(|pair, _| pairs.binary_search(pair).is_ok());
        for &pair in pairs {
            if let Entry::Vacant(place) = histories.entry(pair) {
                // Pairs that cannot be were refused at the start.
                match begin(&PlacedPair::new(&self.shapes, pair, &scratch.ws)) {
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
        if self.discrete.oriented_histories.is_empty() {
            return false;
        }
        let (mut has_changed, mut hand_overs) = (false, Vec::new());
        let scratch: &mut Scratch = &mut self.scratch.borrow_mut();
        self.locate_bodies(t, y, scratch);
        for (&pair, history) in &mut self.discrete.oriented_histories {
            let placed = PlacedPair::new(&self.shapes, pair, &scratch.ws);
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
            self.events.extend(reported);
        }
        if has_changed {
            join_flush(&mut self.discrete.oriented_histories, &self.shapes, &scratch.ws);
        }
        has_changed
    }
}
