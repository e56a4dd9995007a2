//! Errors of shapes, with the values.

use zerogap_core::{InputError, MAX_LENGTH, MIN_LENGTH};

/// A shape that cannot be made, or an operation that it does not support.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GeometryError {
    /// An invalid number.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A triangle refers to a vertex that does not exist.
    #[error(
        "triangle {triangle} refers to vertex {index}, but there are only {vertices} vertices (counted from 0)"
    )]
    IndexOutOfRange {
        /// Index of the triangle, from 0.
        triangle: usize,
        /// The vertex it names.
        index: u32,
        /// Number of vertices.
        vertices: usize,
    },
    /// No points, no triangles, no pieces.
    #[error("{what} is empty")]
    Empty {
        /// Name of what is empty.
        what: &'static str,
    },
    /// A query that needs a closed surface, on a mesh that is open.
    #[error("{}; the first is at ({x}, {y}, {z})", open_edges(*boundary_edges, *non_manifold_edges, *orientation_conflicts))]
    NotClosed {
        /// Edges with one triangle.
        boundary_edges: usize,
        /// Edges with three or more triangles.
        non_manifold_edges: usize,
        /// Edges that both neighbours run through in the same direction.
        orientation_conflicts: usize,
        /// Midpoint of the first such edge, first coordinate [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// An open surface was asked for, to make a solid of.
    #[error("{}; at ({x}, {y}, {z})", no_sheet(*non_manifold_edges, *orientation_conflicts))]
    NotSheet {
        /// Edges with three or more triangles.
        non_manifold_edges: usize,
        /// Edges that both neighbours run through in the same direction.
        orientation_conflicts: usize,
        /// Midpoint of the first such edge, or a vertex of a surface without a border, first coordinate [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// A sheet that is too thick for its bends.
    #[error(
        "the surface bends too sharply at ({x}, {y}, {z}) to be a sheet {thickness} m thick: take a smaller thickness, or a mesh of the solid"
    )]
    SharpSheet {
        /// The thickness asked for [m].
        thickness: f64,
        /// Where, first coordinate [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// Terrain that faces down.
    #[error(
        "the surface faces down: of terrain the triangles are counter-clockwise seen from above, along z of the mesh; reverse them, or rotate the mesh"
    )]
    FacesDown,
    /// A closed mesh whose triangles face inward.
    #[error("the mesh is inside out: its signed volume is {volume} m³; reverse its triangles (repair does)")]
    InsideOut {
        /// Signed volume [m³].
        volume: f64,
    },
    /// A scale factor that is not positive or out of range.
    #[error("the scale factor is {value:e}: it must be a number from {MIN_LENGTH:e} to {MAX_LENGTH:e}")]
    ScaleFactor {
        /// The value given [-].
        value: f64,
    },
    /// A smooth hull with an exponent that leaves its surface without curvature.
    #[error("the exponent of a smooth hull is {value}: it must be 3 or more")]
    Exponent {
        /// The value given [-].
        value: u32,
    },
    /// A tessellated sphere of a number of vertices that makes no body.
    #[error("a sphere of {value} vertices is no body: it takes a whole number from 4 to 100,000")]
    VertexCount {
        /// The value given [-].
        value: f64,
    },
    /// A decomposition into no pieces at all.
    #[error("the maximum number of pieces is 0: it must be 1 or more")]
    NoPieces,
    /// A density that is not positive.
    #[error("density is {value}: it must be positive and finite")]
    Density {
        /// The value given.
        value: f64,
    },
    /// A mass that is not positive.
    #[error("mass is {value} kg: it must be positive and finite")]
    Mass {
        /// The value given [kg].
        value: f64,
    },
    /// A shape whose mass does not follow from a density.
    #[error(
        "{} has no volume of its own: give its mass properties instead of a density",
        with_article(shape)
    )]
    NoMeasure {
        /// Kind of shape.
        shape: &'static str,
    },
    /// Sheets, wires and points without thickness.
    #[error(
        "it has no mass: sheets, wires and points are as thick as the dilation, which is 0, and nothing of it encloses a volume; give a dilation, or mass properties"
    )]
    NoThickness,
    /// A grid that is too small or too large.
    #[error(
        "a height field of {columns} x {rows} nodes: it must have two columns and two rows at least, and at most {} nodes",
        crate::shape::MAX_NODES
    )]
    GridSize {
        /// Nodes along x.
        columns: usize,
        /// Nodes along y.
        rows: usize,
    },
    /// Heights that do not fit their grid.
    #[error("{heights} heights for a grid of {columns} x {rows} nodes, which has {}", columns * rows)]
    GridHeights {
        /// Nodes along x.
        columns: usize,
        /// Nodes along y.
        rows: usize,
        /// Number of heights given.
        heights: usize,
    },
    /// A part that cannot be made.
    #[error(transparent)]
    Part(#[from] crate::parts::PartError),
    /// Points of a polyhedron that span no volume.
    #[error("the {points} points have dimension {dimension}: a polyhedron needs 3")]
    Flat {
        /// 0 when all points are one, 1 on a line, 2 in a plane.
        dimension: usize,
        /// Number of points.
        points: usize,
    },
    /// More points than 32-bit indices can count.
    #[error("{count} points are too many: at most 4294967294 can be indexed")]
    TooManyPoints {
        /// Number of points.
        count: usize,
    },
    /// Mass properties that f64 cannot hold.
    #[error("the mass properties at density {density} are beyond what a double can hold")]
    MassRange {
        /// The density given.
        density: f64,
    },
    /// An operation that this kind of shape does not support.
    #[error("{} cannot {question}", with_article(shape))]
    Unanswered {
        /// Kind of shape.
        shape: &'static str,
        /// Name of the operation.
        question: &'static str,
    },
    /// A loop of corners that encloses no area.
    #[error(
        "the loop of {corners} corners encloses no area: a polygon of size {size} m needs three corners that are not in one line"
    )]
    FlatLoop {
        /// Number of corners given.
        corners: usize,
        /// Size of the loop [m].
        size: f64,
    },
    /// Corners of a polygon that do not lie in one plane.
    #[error(
        "a corner lies {distance} m off the plane of the polygon, whose size is {size} m: a polygon is flat"
    )]
    NotPlanar {
        /// Distance from the plane [m].
        distance: f64,
        /// Size of the polygon [m].
        size: f64,
    },
    /// A loop that is not convex, or that winds around more than once.
    #[error("the loop is not convex at corner {corner}, ({x}, {y}, {z}): split it into convex pieces")]
    NotConvex {
        /// Index of the corner, from 0 after duplicates and collinear corners were dropped.
        corner: usize,
        /// First coordinate [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
}

/// A noun with its article.
pub fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} {noun}")
}

/// Describes why a surface is no sheet.
fn no_sheet(non_manifold: usize, conflicts: usize) -> String {
    let edges = |count: usize| if count == 1 { "edge" } else { "edges" };
    let found = match (non_manifold, conflicts) {
        (0, 0) => return "the surface has no border: a closed mesh has an inside already".to_owned(),
        (0, c) => format!("{c} {} between triangles that face different sides", edges(c)),
        (n, 0) => format!("{n} {} with more than two triangles", edges(n)),
        (n, c) => format!(
            "{n} {} with more than two triangles, {c} between triangles that face different sides",
            edges(n)
        ),
    };
    format!("the surface is not one sheet: {found}")
}

/// Describes why a surface is not closed.
fn open_edges(boundary: usize, non_manifold: usize, conflicts: usize) -> String {
    let reasons: Vec<String> = [
        (boundary, "with a triangle on one side only"),
        (non_manifold, "with more than two triangles"),
        (conflicts, "between triangles of opposite orientation"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {} {what}", if *count == 1 { "edge" } else { "edges" }))
    .collect();
    format!(
        "the surface is not a closed manifold: {}",
        if reasons.is_empty() { "all triangles collapsed".to_owned() } else { reasons.join(", ") }
    )
}
