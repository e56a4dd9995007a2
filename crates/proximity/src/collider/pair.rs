//! Two placed colliders.

use zerogap_core::{Aabb, Pose};

use super::compound::{Piece, pieces};
use super::error::ColliderError;
use super::kind::Collider;
use super::table::{Question, refusal};
use crate::mesh::Side;

/// Two placed colliders: what a gap and contacts are asked of.
#[derive(Debug, Clone, Copy)]
pub struct ColliderPair<'a> {
    /// Collider A.
    pub a: &'a Collider,
    /// Pose of A.
    pub pose_a: Pose,
    /// Collider B.
    pub b: &'a Collider,
    /// Pose of B.
    pub pose_b: Pose,
}

impl<'a> ColliderPair<'a> {
    /// The pair of two pieces, each where it is in the world.
    pub(super) fn of_pieces(&self, p: &Piece<'a>, q: &Piece<'a>) -> Self {
        let (pose_a, pose_b) = (self.pose_a * p.pose, self.pose_b * q.pose);
        Self { a: p.collider, pose_a, b: q.collider, pose_b }
    }

    /// Both as sides of a question about meshes; none where one is a compound or a complex.
    pub(super) fn sides(&self) -> Option<(Side<'a>, Side<'a>)> {
        self.a.side().zip(self.b.side())
    }

    /// The boxes around both [m]; none where one is unbounded.
    pub(super) fn bounds(&self) -> Option<(Aabb, Aabb)> {
        self.a.bounds(&self.pose_a).zip(self.b.bounds(&self.pose_b))
    }

    /// The boxes of all pieces of both, into lists whose memory is used again [m].
    pub(super) fn place_boxes(&self, boxes: &mut [Vec<Option<Aabb>>; 2]) {
        for (boxes, (collider, pose)) in boxes.iter_mut().zip([(self.a, self.pose_a), (self.b, self.pose_b)])
        {
            boxes.clear();
            boxes.extend(pieces(collider).map(|piece| piece.collider.bounds(&(pose * piece.pose))));
        }
    }

    /// The refusal of a question; none where it is answered.
    pub(super) fn refusal(&self, question: Question) -> Option<ColliderError> {
        refusal(self.a.kind(), self.b.kind(), question)
    }
}
