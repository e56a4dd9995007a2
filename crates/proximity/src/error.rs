//! What cannot be asked.

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
