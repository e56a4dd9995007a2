//! Errors of complexes, with the index of the invalid simplex.

use crate::GeometryError;

/// Errors of making a complex.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ComplexError {
    /// The vertices or indices are unusable.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// An edge without length.
    #[error("edge {edge} has no length: both ends are at ({x}, {y}, {z})")]
    DegenerateEdge {
        /// Index of the edge.
        edge: usize,
        /// First coordinate of its place [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// A triangle without area, where those are rejected.
    #[error("triangle {triangle} has no area; {count} triangles have none")]
    DegenerateTriangle {
        /// The first such triangle.
        triangle: u32,
        /// How many there are.
        count: usize,
    },
    /// A tetrahedron without volume.
    #[error("tetrahedron {tetrahedron} has no volume")]
    DegenerateTetrahedron {
        /// Index of the tetrahedron.
        tetrahedron: usize,
    },
    /// An index that names no vertex.
    #[error("{what} {index} names vertex {vertex}, but there are only {vertices} vertices (counted from 0)")]
    NoSuchVertex {
        /// Kind of simplex that names it.
        what: &'static str,
        /// Which of them.
        index: usize,
        /// The vertex it names.
        vertex: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// A shape with a curved surface.
    #[error(
        "a {shape} is curved: make a mesh of it first (points, segments, polygons, boxes, polyhedra, spheres and capsules need none)"
    )]
    Curved {
        /// Kind of shape.
        shape: &'static str,
    },
    /// A volume was required and a part is not closed.
    #[error("a volume is required, but there is a {part}")]
    NotAVolume {
        /// Description of the part that is not a volume.
        part: String,
    },
    /// Moving the surface inward inverted a triangle.
    #[error(
        "moving the surface inward by {distance} m inverts triangle {triangle}: the part is too thin or its edges are too short there; use a smaller dilation or no inset"
    )]
    Inset {
        /// Inset [m].
        distance: f64,
        /// The first inverted triangle.
        triangle: u32,
    },
    /// A ball or a rounding that is too small to be moved inward.
    #[error(
        "a radius of {radius} m is smaller than the dilation of {dilation} m by which its surface is inset: use a smaller dilation or no inset"
    )]
    InsetRadius {
        /// Radius of the shape, or of its rounding [m].
        radius: f64,
        /// Requested inset [m].
        dilation: f64,
    },
    /// An edge length that cannot be reached.
    #[error("edges of at most {edge} m would need more than {limit} triangles")]
    TooFine {
        /// The requested edge length [m].
        edge: f64,
        /// The largest number of triangles.
        limit: usize,
    },
}
