//! Which shapes were asked to collide by oriented collision, and whether they can.
//!
//! In: the shapes of a world where it is built or changed. Out: an error that names the shape that cannot, whichever method advances the world.

use zerogap_proximity::collider::{Collider, ColliderKind};
use zerogap_proximity::oriented::{OrientedHistory, OrientedRefusal};

use super::WorldError;
use super::model::Model;
use super::params::ContactModel;
use super::placed::PlacedCollider;
use super::placed_pair::PlacedPair;
use super::shapes::{PairId, ShapeId};

/// Begins the history of a pair; none where neither shape was asked to collide by oriented collision.
pub(crate) fn begin(pair: &PlacedPair<'_>) -> Result<Option<OrientedHistory>, OrientedRefusal> {
    pair.colliders().oriented().map(|oriented| OrientedHistory::begin(&oriented)).transpose()
}

/// The error of a world for corners that cannot hit a shape.
pub(crate) fn refused(pair: PairId, OrientedRefusal { is_b, error }: OrientedRefusal) -> WorldError {
    let (shape, by) = if is_b { (pair.a, pair.b) } else { (pair.b, pair.a) };
    WorldError::Oriented { shape, by: Some(by), why: error.to_string() }
}

/// Whether a shape was asked to collide by oriented collision.
fn is_asked(placed: &PlacedCollider) -> bool {
    placed.colliders.asked() == Some(ColliderKind::Oriented)
}

impl Model {
    /// Whether a shape was asked to collide by oriented collision.
    pub(crate) fn has_oriented(&self) -> bool {
        self.shapes.iter().any(is_asked)
    }

    /// Refuses pairs that cannot collide by oriented collision.
    pub(crate) fn refuse_oriented(&self, t: f64, y: &[f64]) -> Result<(), WorldError> {
        let Some(asked) = self.shapes.iter().position(is_asked) else { return Ok(()) };
        if matches!(self.contact, ContactModel::Rigid(_)) {
            let why =
                "it needs elastic contacts and located events, not rigid contacts or steps of one length";
            return Err(WorldError::Oriented { shape: ShapeId(asked as u32), by: None, why: why.to_owned() });
        }
        let scratch = &mut *self.scratch.borrow_mut();
        self.locate_bodies(t, y, &mut scratch.ws);
        if let Some(pair) = self.first_without_surfaces() {
            begin(&PlacedPair::new(&self.shapes, pair, &scratch.ws))
                .map_err(|refusal| refused(pair, refusal))?;
        }
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
}
