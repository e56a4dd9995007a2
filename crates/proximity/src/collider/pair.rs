//! Two placed colliders.

use zerogap_core::{Aabb, Pose};

use super::compound::{Piece, pieces};
use super::error::ColliderError;
use super::kernel::{ConvexNarrowPhase, ConvexQuestion, PairKey};
use super::kind::Collider;
use super::table::{Question, refusal};
use crate::mesh::MeshOperand;
use crate::oriented::{OrientedHistory, OrientedPair};

/// Two placed colliders, with the history of the pair where its answers depend on one: what a gap and contacts are asked of.
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
    /// What the caller keeps of an oriented pair; none for other pairs, and for one whose history has not begun.
    pub history: Option<&'a OrientedHistory>,
    /// What answers bounded convex pairs in place of the exact kernels, and the name that it keeps the pair by; none: the exact kernels do.
    pub narrow_phase: Option<(&'a ConvexNarrowPhase, Option<PairKey>)>,
}

impl<'a> ColliderPair<'a> {
    /// Places two colliders.
    pub fn new(a: &'a Collider, pose_a: Pose, b: &'a Collider, pose_b: Pose) -> Self {
        Self { a, pose_a, b, pose_b, history: None, narrow_phase: None }
    }

    /// Returns the pair with its history.
    #[must_use]
    pub fn with_history(self, history: Option<&'a OrientedHistory>) -> Self {
        Self { history, ..self }
    }

    /// Returns the pair with what answers it where both are bounded and convex, or their pieces are.
    #[must_use]
    pub fn with_narrow_phase(self, narrow_phase: Option<(&'a ConvexNarrowPhase, Option<PairKey>)>) -> Self {
        Self { narrow_phase, ..self }
    }

    /// Returns both as oriented shapes; none where one is of another kind.
    pub fn oriented(&self) -> Option<OrientedPair<'a>> {
        let (Collider::Oriented(a), Collider::Oriented(b)) = (self.a, self.b) else { return None };
        Some(OrientedPair { a, pose_a: self.pose_a, b, pose_b: self.pose_b })
    }

    /// Returns whether all contacts share one normal: those of two convex shapes, or of one and a half-space.
    pub fn has_one_normal(&self) -> bool {
        [self.a, self.b].iter().all(|one| matches!(one, Collider::Convex(_) | Collider::HalfSpace(_)))
    }

    /// The pair of two pieces, each where it is in the world.
    pub(super) fn of_pieces(&self, p: &Piece<'a>, q: &Piece<'a>) -> Self {
        let (pose_a, pose_b) = (self.pose_a * p.pose, self.pose_b * q.pose);
        Self::new(p.collider, pose_a, q.collider, pose_b)
            .with_narrow_phase(self.narrow_phase.map(|(own, _)| (own, None)))
    }

    /// The question to another algorithm than the exact kernels, and that algorithm; none where these answer.
    pub(super) fn convex_question(&self) -> Option<(&'a ConvexNarrowPhase, ConvexQuestion<'_>)> {
        let (Collider::Convex(a), Collider::Convex(b)) = (self.a, self.b) else { return None };
        let (narrow_phase, key) = self.narrow_phase?;
        let (pose_a, pose_b) = (&self.pose_a, &self.pose_b);
        Some((narrow_phase, ConvexQuestion { a, pose_a, b, pose_b, key }))
    }

    /// Both as sides of a question about meshes; none where one is a compound, a complex or oriented.
    pub(super) fn sides(&self) -> Option<(MeshOperand<'a>, MeshOperand<'a>)> {
        self.a.side().zip(self.b.side())
    }

    /// The boxes around both [m]; none where one is unbounded.
    pub(crate) fn bounds(&self) -> Option<(Aabb, Aabb)> {
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
    pub(crate) fn refusal(&self, question: Question) -> Option<ColliderError> {
        refusal(self.a.kind(), self.b.kind(), question)
    }
}
