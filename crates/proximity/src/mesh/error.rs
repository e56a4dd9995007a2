//! What cannot be asked of meshes.

use zerogap_geometry::GeometryError;

use crate::ProximityError;

/// Why a question about meshes has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MeshError {
    /// The question needs to know inside from outside, and the surface does not say.
    #[error("{question} needs a closed mesh, and neither of the two is one; the first: {reason}")]
    NotClosed {
        /// What was asked, in words.
        question: &'static str,
        /// What is wrong with the first.
        reason: GeometryError,
    },
    /// Neither is a mesh.
    #[error(transparent)]
    Shape(#[from] ProximityError),
}

/// The question of how deep two bodies overlap.
pub(super) const DEPTH: &str = "computing the depth of two surfaces that cross";
