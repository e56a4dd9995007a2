//! Several colliders that move as one, and which pairs of pieces are worth asking.

use zerogap_core::{Aabb, Pose};
use zerogap_geometry::shape::Compound;

use super::error::ColliderError;
use super::kind::Collider;
use super::table::{Question, refusal};
use crate::mesh::MeshOperand;

/// Several bounded colliders, each in its own place, that move as one. Pieces may overlap.
#[derive(Debug, Clone)]
pub struct CompoundCollider {
    pieces: Vec<(Pose, Collider)>,
}

impl CompoundCollider {
    /// Makes a compound of pieces, each with its pose in the compound's frame.
    ///
    /// Fails: no piece, an unbounded piece, or a piece that is a compound itself.
    pub fn new(pieces: Vec<(Pose, Collider)>) -> Result<Self, ColliderError> {
        if pieces.is_empty() {
            return Err(ColliderError::NoPieces);
        }
        let unfit = |(_, piece): &&(Pose, Collider)| {
            matches!(piece, Collider::Compound(_)) || piece.bounds(&Pose::identity()).is_none()
        };
        if let Some((_, piece)) = pieces.iter().find(unfit) {
            return Err(ColliderError::UnfitPiece { kind: piece.kind() });
        }
        Ok(Self { pieces })
    }

    /// The convex pieces of a shape; a shape of pieces has at least one.
    pub(super) fn of_convex(compound: &Compound) -> Self {
        let piece = |(pose, piece): &(Pose, _)| (*pose, Collider::Convex(Clone::clone(piece)));
        Self { pieces: compound.pieces().iter().map(piece).collect() }
    }

    /// Returns the pieces with their poses, as given.
    pub fn pieces(&self) -> &[(Pose, Collider)] {
        &self.pieces
    }

    /// Returns the box around all pieces at a pose [m].
    pub(super) fn bounds(&self, pose: &Pose) -> Aabb {
        let boxes = self.pieces.iter().filter_map(|(own, piece)| piece.bounds(&(*pose * *own)));
        boxes.fold(Aabb::empty(), |all, one| all.union(&one))
    }
}

/// A piece of either body of a pair; a collider that is no compound is its only piece.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) number: u32,
    /// In the frame of the whole.
    pub(super) pose: Pose,
    pub(super) collider: &'a Collider,
}

/// The pieces of a collider, in order.
pub(super) fn pieces(collider: &Collider) -> impl Iterator<Item = Piece<'_>> + Clone {
    let (whole, parts) = match collider {
        Collider::Compound(compound) => (None, compound.pieces()),
        other => (Some(Piece { number: 0, pose: Pose::identity(), collider: other }), &[][..]),
    };
    let parts = (0..).zip(parts).map(|(number, (pose, collider))| Piece { number, pose: *pose, collider });
    whole.into_iter().chain(parts)
}

/// Asks about every piece of A and every piece of B that moves with it, in order.
///
/// Fails: pieces that no question about motions knows, as the table says.
pub(super) fn each_moving_pair(
    a: &Collider,
    b: &Collider,
    mut ask: impl FnMut(&Pose, MeshOperand<'_>, &Pose, MeshOperand<'_>) -> Result<(), ColliderError>,
) -> Result<(), ColliderError> {
    for p in pieces(a) {
        for q in pieces(b) {
            let (Some(side_a), Some(side_b)) = (p.collider.side(), q.collider.side()) else {
                let reason = refusal(p.collider.kind(), q.collider.kind(), Question::FirstTouch);
                return Err(reason.unwrap_or(ColliderError::UnfitPiece { kind: p.collider.kind() }));
            };
            ask(&p.pose, side_a, &q.pose, side_b)?;
        }
    }
    Ok(())
}

/// How far apart two boxes are at least [m]; 0 where one body is unbounded.
pub(super) fn box_distance(a: Option<&Aabb>, b: Option<&Aabb>) -> f64 {
    a.zip(b).map_or(0.0, |(a, b)| a.distance(b))
}

/// How far a box must be moved along an axis to be clear of another [m]: no more is ever needed to part what they hold.
pub(super) fn box_depth(a: &Aabb, b: &Aabb) -> f64 {
    (a.max - b.min).inf(&(b.max - a.min)).min().max(0.0)
}
