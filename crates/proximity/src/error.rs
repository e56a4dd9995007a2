//! What cannot be asked.

use zerogap_geometry::Shape;

/// Errors of proximity queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProximityError {
    /// The shape is not convex.
    #[error(
        "a {shape} is no convex shape: make it a collider, take its hull, or its convex pieces one by one"
    )]
    NotConvex {
        /// Kind of shape.
        shape: &'static str,
    },
    /// Neither shape is bounded.
    #[error("two half-spaces have no gap: one of the two shapes must be bounded")]
    BothUnbounded,
    /// A question about meshes with no mesh.
    #[error("neither of the two shapes is a mesh: ask for the contacts of shapes")]
    NoMesh,
}

impl ProximityError {
    /// Why two shapes have no motion to follow as they are.
    pub(crate) fn of_shapes(a: &Shape, b: &Shape) -> Self {
        let refused =
            [a, b].into_iter().find(|shape| !matches!(shape, Shape::Convex(_) | Shape::HalfSpace(_)));
        refused.map_or(Self::BothUnbounded, |shape| Self::NotConvex { shape: shape.kind() })
    }
}
