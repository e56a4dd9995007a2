//! Simplicial complexes: shapes of points, lines, surfaces and volumes together, with the directions in which each face can be touched.
//!
//! In: triangles, edges and points over common vertices, or tetrahedra, or any mesh or polyhedral shape. Out: every face (vertices, edges,
//! triangles) with its class and polar cone, and a report of what was treated as what. Called by `zerogap_proximity::lmd`, which finds
//! contacts between complexes. Same input, same bits.
//!
//! Limits: volumes are given by their boundary; tetrahedra are taken by theirs. A part with cracks, holes or crowded edges is a shell, which can be touched from both sides.

mod build;
mod classify;
mod error;
mod inset;
mod make;
mod mass;
mod polar;
mod prepass;
mod refine;
mod report;
mod shape;
mod within;

use zerogap_core::error::check_length;
use zerogap_core::{Aabb, Feature, Vec3};

pub use build::Simplices;
pub use error::ComplexError;
pub use refine::{REFINE_LIMIT, Refined};
pub use report::{ComplexReport, InsetReport, PartKind, PartReport};
pub use shape::ComplexShape;

use self::build::Rows;
use crate::GeometryError;

/// Treatment of the closed parts of a complex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Treatment {
    /// A closed part that encloses a volume is one, anything else is a shell.
    #[default]
    Auto,
    /// Every part must be a volume; others are rejected.
    Volume,
    /// Every part is a shell.
    Shell,
}

/// Options for making a complex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComplexOptions {
    /// The radius that the shape is inflated by [m].
    pub dilation: f64,
    /// Whether the surfaces of volumes are moved inward by the dilation first, so that the inflated body is the one that was given.
    pub inset: bool,
    /// Treatment of closed parts.
    pub treatment: Treatment,
    /// Whether triangles without area are rejected rather than mended or dropped.
    pub refuse_degenerate: bool,
    /// Faces that bend by less than this are flat [rad].
    pub flat_angle: f64,
    /// Whether corners keep the edges on the border of their solid angle only, so that the triangulation of flat faces changes nothing.
    pub extreme_only: bool,
}

impl Default for ComplexOptions {
    fn default() -> Self {
        Self {
            dilation: 0.0,
            inset: false,
            treatment: Treatment::Auto,
            refuse_degenerate: false,
            flat_angle: 1e-3,
            extreme_only: false,
        }
    }
}

/// One face with the directions in which it can be touched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face {
    /// Axis of the round cone about the directions; zero for every direction [-].
    pub axis: Vec3,
    /// Half-angle of that cone [rad]; π for every direction.
    pub half: f64,
    /// Where its unit vectors into what it bounds begin.
    first: u32,
    /// How many there are.
    count: u16,
    /// Class, 0 to 7: see the table in [`Complex::class`].
    pub class: u8,
}

/// A simplicial complex with the polar cones of its faces.
#[derive(Debug, Clone, PartialEq)]
pub struct Complex {
    vertices: Vec<Vec3>,
    edges: Vec<[u32; 2]>,
    triangles: Vec<[u32; 3]>,
    /// The triangles at each vertex.
    around: Rows,
    /// Vertices, then edges, then triangles.
    faces: Vec<Face>,
    directions: Vec<Vec3>,
    part_of: Vec<u32>,
    /// Edges that bound no triangle.
    wires: Vec<bool>,
    /// Vertices that some simplex uses.
    used: Vec<bool>,
    dilation: f64,
    bounds: Aabb,
    report: ComplexReport,
}

impl Complex {
    /// Vertex positions [m], after welding and inset.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// All edges, ascending by their two vertices, lower first.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// All triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the numbers of the triangles that have a vertex as a corner, ascending; none for a number that no vertex has.
    pub fn triangles_around(&self, vertex: u32) -> &[u32] {
        if (vertex as usize) < self.vertices.len() { self.around.row(vertex as usize) } else { &[] }
    }

    /// Number of faces: vertices, then edges, then triangles.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// One face.
    pub fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    /// The class of a face, by its dimension and that of its polar cone T*:
    ///
    /// | class | face | T* | typical |
    /// |---|---|---|---|
    /// | 0 | vertex | 3 | convex corner, end or bend of a line, corner of a shell, point |
    /// | 1 | vertex | 2 | inside a straight crease, border or line |
    /// | 2 | edge | 2 | convex crease, border, line |
    /// | 3 | vertex | 1 | flat but for a part that leaves the plane: rim of a hole |
    /// | 4 | vertex | 1 | inside a flat region |
    /// | 5 | edge | 1 | between coplanar triangles |
    /// | 6 | triangle | 1 | any |
    /// | 7 | any | 0 | reflex: never in contact |
    pub fn class(&self, face: u32) -> u8 {
        self.faces[face as usize].class
    }

    /// Unit vectors from a face into what it bounds, body frame [-].
    pub fn directions(&self, face: u32) -> &[Vec3] {
        let face = &self.faces[face as usize];
        &self.directions[face.first as usize..face.first as usize + usize::from(face.count)]
    }

    /// The corners of a face [m].
    #[inline]
    pub fn simplex(&self, face: u32) -> Simplex {
        let index = face as usize;
        let (v, e) = (self.vertices.len(), self.edges.len());
        if index < v {
            Simplex::Point([self.vertices[index]])
        } else if index < v + e {
            Simplex::Segment(self.edges[index - v].map(|k| self.vertices[k as usize]))
        } else {
            Simplex::Triangle(self.triangles[index - v - e].map(|k| self.vertices[k as usize]))
        }
    }

    /// The first face that is a triangle.
    pub fn first_triangle(&self) -> u32 {
        (self.vertices.len() + self.edges.len()) as u32
    }

    /// The feature that a face is: its number among the vertices, edges or triangles.
    pub fn feature(&self, face: u32) -> Feature {
        let (v, e) = (self.vertices.len() as u32, self.edges.len() as u32);
        if face < v {
            Feature::Vertex(face)
        } else if face < v + e {
            Feature::Edge(face - v)
        } else {
            Feature::Face(face - v - e)
        }
    }

    /// The face that a feature names, if there is one.
    pub fn face_of(&self, feature: Feature) -> Option<u32> {
        let (v, e, t) = (self.vertices.len() as u32, self.edges.len() as u32, self.triangles.len() as u32);
        match feature {
            Feature::Vertex(k) => (k < v).then_some(k),
            Feature::Edge(k) => (k < e).then(|| v + k),
            Feature::Face(k) => (k < t).then(|| v + e + k),
            Feature::Surface(_) => None,
        }
    }

    /// Whether a face is an edge that bounds no triangle.
    pub fn is_wire(&self, face: u32) -> bool {
        (face as usize).checked_sub(self.vertices.len()).and_then(|edge| self.wires.get(edge)) == Some(&true)
    }

    /// Whether some simplex uses a vertex.
    pub fn is_used(&self, vertex: usize) -> bool {
        self.used.get(vertex) == Some(&true)
    }

    /// Points that no edge ends in: the ends of lines and corners of triangles are none of them.
    pub fn lone_points(&self) -> impl Iterator<Item = u32> {
        let mut ends = vec![false; self.vertices.len()];
        self.edges.iter().flatten().for_each(|&v| ends[v as usize] = true);
        (0..self.vertices.len() as u32).filter(move |&v| self.used[v as usize] && !ends[v as usize])
    }

    /// Edges that bound no triangle.
    pub fn wires(&self) -> impl Iterator<Item = [u32; 2]> {
        self.edges.iter().zip(&self.wires).filter(|(_, wire)| **wire).map(|(edge, _)| *edge)
    }

    /// Whether there are edges that bound no triangle.
    pub fn has_wires(&self) -> bool {
        self.wires.contains(&true)
    }

    /// Whether the triangle belongs to a volume or to the wall of a cavity in one.
    pub fn is_solid(&self, triangle: usize) -> bool {
        self.report.parts[self.part_of[triangle] as usize].kind != PartKind::Shell
    }

    /// Whether there is a volume at all.
    pub fn has_volume(&self) -> bool {
        self.report.parts.iter().any(|part| part.kind == PartKind::Volume)
    }

    /// The part of each triangle, as the report numbers them.
    pub fn part_of(&self) -> &[u32] {
        &self.part_of
    }

    /// The radius that the complex is inflated by [m].
    pub fn dilation(&self) -> f64 {
        self.dilation
    }

    /// The same complex inflated by another radius [m]; an inset stays what it was.
    pub fn with_dilation(mut self, dilation: f64) -> Result<Self, ComplexError> {
        self.dilation = check_length("the dilation", dilation).map_err(GeometryError::from)?;
        Ok(self)
    }

    /// The smallest box around the faces, not inflated.
    pub fn bounding_box(&self) -> Aabb {
        self.bounds
    }

    /// Returns the kinds of the parts and the changes to the input.
    pub fn report(&self) -> &ComplexReport {
        &self.report
    }

    /// Bytes that the complex takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.vertices)
            + size_of_val(&*self.edges)
            + size_of_val(&*self.triangles)
            + self.around.bytes()
            + size_of_val(&*self.faces)
            + size_of_val(&*self.directions)
            + size_of_val(&*self.part_of)
            + size_of_val(&*self.wires)
            + size_of_val(&*self.used)
    }
}

/// The corners of a face.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Simplex {
    /// A vertex.
    Point([Vec3; 1]),
    /// An edge.
    Segment([Vec3; 2]),
    /// A triangle.
    Triangle([Vec3; 3]),
}

impl Simplex {
    /// The corners [m].
    pub fn points(&self) -> &[Vec3] {
        match self {
            Self::Point(points) => points,
            Self::Segment(points) => points,
            Self::Triangle(points) => points,
        }
    }

    /// The simplex with every corner moved by a function.
    #[must_use]
    pub fn map(&self, change: impl Fn(&Vec3) -> Vec3) -> Self {
        match self {
            Self::Point([a]) => Self::Point([change(a)]),
            Self::Segment([a, b]) => Self::Segment([change(a), change(b)]),
            Self::Triangle([a, b, c]) => Self::Triangle([change(a), change(b), change(c)]),
        }
    }
}
