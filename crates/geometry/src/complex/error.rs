//! What cannot be made into a complex, with the number of what is wrong.

use crate::GeometryError;

/// Why a complex cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ComplexError {
    /// The vertices or indices are unusable.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// An edge without length.
    #[error("edge {edge} has no length: both ends are at ({x}, {y}, {z})")]
    DegenerateEdge {
        /// Which of the given edges.
        edge: usize,
        /// Where it is, first coordinate [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// A triangle without area, where those are refused.
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
        /// Which one.
        tetrahedron: usize,
    },
    /// An index that names no vertex.
    #[error("{what} {index} names vertex {vertex}, but there are only {vertices} vertices (counted from 0)")]
    NoSuchVertex {
        /// What names it, in words.
        what: &'static str,
        /// Which of them.
        index: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
    /// A shape with a curved surface.
    #[error(
        "a {shape} is curved: make a mesh of it first (points, segments, polygons, boxes, polyhedra, spheres and capsules need none)"
    )]
    Curved {
        /// What kind of shape it is.
        shape: &'static str,
    },
    /// A volume was asked for and there is none.
    #[error("a volume was asked for, but there is a {part}")]
    NotAVolume {
        /// The part that is none, in words.
        part: String,
    },
    /// Moving the surface inward turned a triangle over.
    #[error(
        "moving the surface inward by {distance} m turns triangle {triangle} over: the part is too thin or its edges are too short there; take a smaller dilation or leave the surface where it is"
    )]
    Inset {
        /// How far it was moved [m].
        distance: f64,
        /// The first triangle that turned over.
        triangle: u32,
    },
    /// A ball or a rounding that is too small to be moved inward.
    #[error(
        "a radius of {radius} m is smaller than the dilation of {dilation} m that its surface is to be moved inward by: take a smaller dilation or leave the surface where it is"
    )]
    InsetRadius {
        /// Radius of the shape, or of its rounding [m].
        radius: f64,
        /// How far its surface was to be moved [m].
        dilation: f64,
    },
    /// An edge length that cannot be reached.
    #[error("edges of at most {edge} m would take more than {limit} triangles")]
    TooFine {
        /// The edge length asked for [m].
        edge: f64,
        /// The largest number of triangles.
        limit: usize,
    },
}
