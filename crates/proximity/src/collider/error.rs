//! Why a pair question has no answer.

use super::kind::ColliderKind;
use super::table::Question;
use crate::ProximityError;
use crate::mesh::MeshError;
use crate::motion::MotionError;
use crate::oriented::OrientedError;

/// Why a pair question has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ColliderError {
    /// The table has no algorithm for the pair.
    #[error("{} have no {question}: {reason}", pair_words(*a, *b))]
    Refused {
        /// What was asked.
        question: Question,
        /// The kind of A.
        a: ColliderKind,
        /// The kind of B.
        b: ColliderKind,
        /// The reason that the table gives.
        reason: &'static str,
    },
    /// A compound without pieces.
    #[error("a compound needs at least one piece")]
    NoPieces,
    /// A piece that no compound can have.
    #[error("{} cannot be a piece of a compound: pieces are bounded, and compounds do not nest", kind.with_article())]
    UnfitPiece {
        /// The kind of the piece.
        kind: ColliderKind,
    },
    /// A question about shapes.
    #[error(transparent)]
    Shapes(#[from] ProximityError),
    /// A question about meshes.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// A question about motions.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// A question about corners and surfaces.
    #[error(transparent)]
    Oriented(#[from] OrientedError),
    /// A gap that is no number.
    #[error("the gap is {gap}: a pose or a support point is not finite")]
    NotFinite {
        /// The gap [m].
        gap: f64,
    },
}

impl ColliderError {
    /// Returns a gap [m], and refuses one that is no number.
    pub fn check(gap: f64) -> Result<f64, Self> {
        if gap.is_nan() { Err(Self::NotFinite { gap }) } else { Ok(gap) }
    }
}

/// A pair of kinds in words: `two half-spaces`, `an open mesh and a complex`.
fn pair_words(a: ColliderKind, b: ColliderKind) -> String {
    if a == b {
        format!("two {}", a.plural())
    } else {
        format!("{} and {}", a.with_article(), b.with_article())
    }
}
