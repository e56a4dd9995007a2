//! The Minkowski difference B - A, known by its support points.
//!
//! In: two shapes and where they stand. Out: points b - a in A's frame, each with the points of the shapes that it comes from, and the
//! best separation met so far. The answer of a support query depends on the direction alone.
#![allow(non_snake_case, reason = "monogram notation: R_AB turns vectors of B into A")]

use zerogap_core::Vec3;
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use crate::convex::placement::Placement;
use crate::convex::rounding::{extent, slack};

/// A set thinner than this many times the rounding slack has no inside that could be told from rounding [-].
const THIN: f64 = 8.0;

/// A point of B - A and where it comes from, all in A's frame [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Vertex {
    /// The point of A.
    pub(super) a: Vec3,
    /// The point of B.
    pub(super) b: Vec3,
    /// b - a.
    pub(super) r: Vec3,
}

impl Vertex {
    fn new(a: Vec3, b: Vec3) -> Self {
        Self { a, b, r: b - a }
    }

    /// A weighted sum; the weights add up to 1.
    pub(super) fn mix(vertices: &[Self; 3], weights: &[f64; 3]) -> Self {
        let sum = |part: fn(&Self) -> Vec3| {
            part(&vertices[0]) * weights[0]
                + part(&vertices[1]) * weights[1]
                + part(&vertices[2]) * weights[2]
        };
        Self { a: sum(|v| v.a), b: sum(|v| v.b), r: sum(|v| v.r) }
    }

    /// The middle between two points of the set.
    pub(super) fn middle(&self, other: &Self) -> Self {
        Self::new(0.5 * (self.a + other.a), 0.5 * (self.b + other.b))
    }
}

/// B - A with its sizes, and a count of what was asked.
pub(super) struct Difference<'a> {
    a: &'a ConvexShape,
    b: &'a ConvexShape,
    place: &'a Placement,
    hints: [SupportHint; 2],
    /// Diameter of a ball around the set [m].
    pub(super) size: f64,
    /// What rounding can hide in a separation [m].
    pub(super) slack: f64,
    /// Thickness below which the set counts as flat [m].
    pub(super) thin: f64,
    /// The best separation met so far, as computed [m]: the gap is no smaller.
    pub(super) best: f64,
    /// How many pairs of support points were taken [-].
    pub(super) queries: u32,
}

impl<'a> Difference<'a> {
    /// From shapes, their bounding spheres' reach and radius, and where B stands in A.
    pub(super) fn new(
        [a, b]: [&'a ConvexShape; 2],
        reach: [f64; 2],
        radius: [f64; 2],
        place: &'a Placement,
    ) -> Self {
        let slack = slack(extent(reach[0], reach[1], &place.p_AB));
        Self {
            a,
            b,
            place,
            hints: [SupportHint::default(); 2],
            size: 2.0 * (radius[0] + radius[1]),
            slack,
            thin: THIN * slack,
            best: f64::NEG_INFINITY,
            queries: 0,
        }
    }

    /// A point inside the set, or in its relative inside where it is flat.
    pub(super) fn interior(&self) -> Vertex {
        Vertex::new(self.a.interior_point(), self.place.R_AB * self.b.interior_point() + self.place.p_AB)
    }

    /// The point of the set that lies farthest along the unit vector `e`; remembers the separation -e . r that it proves.
    pub(super) fn support(&mut self, e: &Vec3) -> Vertex {
        self.queries += 1;
        let a = self.a.support(&-e, &mut self.hints[0]);
        let b = self.b.support(&self.place.R_AB.tr_mul(e), &mut self.hints[1]);
        let vertex = Vertex::new(a, self.place.R_AB * b + self.place.p_AB);
        self.best = self.best.max(-e.dot(&vertex.r));
        vertex
    }

    /// Whether the set surely has a volume, because one of the shapes has.
    pub(super) fn is_solid(&self) -> bool {
        is_solid(self.a) || is_solid(self.b)
    }

    /// Directions along which compact shapes tend to be thin: the axes of both shapes, in A.
    pub(super) fn axes(&self) -> [Vec3; 6] {
        let turned = |k: usize| self.place.R_AB.column(k).into_owned();
        [Vec3::x(), Vec3::y(), Vec3::z(), turned(0), turned(1), turned(2)]
    }
}

/// Whether a shape has a volume by its kind; user-defined shapes may be flat.
fn is_solid(shape: &ConvexShape) -> bool {
    match shape {
        ConvexShape::Point(_)
        | ConvexShape::Segment(_)
        | ConvexShape::Triangle(_)
        | ConvexShape::Polygon(_)
        | ConvexShape::User(_) => false,
        ConvexShape::Rounded(shape) => shape.radius() > 0.0 || is_solid(shape.core()),
        ConvexShape::Sphere(_)
        | ConvexShape::Ellipsoid(_)
        | ConvexShape::Cuboid(_)
        | ConvexShape::Capsule(_)
        | ConvexShape::Cylinder(_)
        | ConvexShape::Frustum(_)
        | ConvexShape::Polyhedron(_) => true,
    }
}
