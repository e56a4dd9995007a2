//! The Minkowski difference B - A with its sizes and the best separation found so far.
//!
//! In: unit directions. Out: the farthest points of the difference in A's frame, each with the point of A that it comes from. The answer of a
//! support query depends on the direction alone.

use zerogap_core::Vec3;
use zerogap_geometry::{Convex, ConvexShape};

use crate::convex::difference::Difference;
use crate::convex::placement::Placement;
use crate::convex::rounding::{extent, slack};

/// A set thinner than this many times the rounding slack has no interior distinguishable from rounding [-].
const THIN: f64 = 8.0;

/// A point of B - A and where it comes from, in A's frame [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Vertex {
    /// The point of A.
    pub(super) a: Vec3,
    /// From it to the point of B.
    pub(super) r: Vec3,
}

impl Vertex {
    /// A weighted sum; the weights add up to 1.
    pub(super) fn mix(vertices: &[Self; 3], weights: &[f64; 3]) -> Self {
        let [p, q, s] = vertices;
        let [x, y, z] = *weights;
        Self { a: p.a * x + q.a * y + s.a * z, r: p.r * x + q.r * y + s.r * z }
    }

    /// The middle between two points of the set.
    pub(super) fn middle(&self, other: &Self) -> Self {
        Self { a: 0.5 * (self.a + other.a), r: 0.5 * (self.r + other.r) }
    }
}

/// B - A with its sizes, and what was learnt of it.
pub(super) struct SizedDifference<'a> {
    set: Difference<'a, ConvexShape, ConvexShape>,
    /// Diameter of a ball around the set [m].
    pub(super) size: f64,
    /// What rounding can hide in a separation [m].
    pub(super) slack: f64,
    /// Thickness below which the set counts as flat [m].
    pub(super) thin: f64,
    /// The best separation found so far, as computed [m]: the gap is no smaller.
    pub(super) best: f64,
}

impl<'a> SizedDifference<'a> {
    /// From two shapes, how far each reaches from its own origin, the radii of their bounding spheres, and where B stands in A.
    pub(super) fn new(
        [a, b]: [&'a ConvexShape; 2],
        reach: [f64; 2],
        radius: [f64; 2],
        at: &Placement,
    ) -> Self {
        let slack = slack(extent(reach[0], reach[1], &at.p_AB));
        Self {
            set: Difference::new(a, b, at),
            size: 2.0 * (radius[0] + radius[1]),
            slack,
            thin: THIN * slack,
            best: f64::NEG_INFINITY,
        }
    }

    /// A point inside the set, or in its relative inside where it is flat.
    pub(super) fn interior(&self) -> Vertex {
        Vertex { a: self.set.a.interior_point(), r: self.set.between_interiors() }
    }

    /// The point of the set that lies farthest along the unit vector `e`; remembers the separation -e . r that it proves.
    #[inline]
    pub(super) fn support(&mut self, e: &Vec3) -> Vertex {
        let corner = self.set.support(e);
        self.best = self.best.max(-e.dot(&corner.w));
        Vertex { a: corner.a, r: corner.w }
    }

    /// How many pairs of support points were taken [-].
    pub(super) fn calls(&self) -> u32 {
        self.set.calls
    }

    /// Whether the set surely has a volume, because one of the shapes has.
    pub(super) fn is_solid(&self) -> bool {
        is_solid(self.set.a) || is_solid(self.set.b)
    }

    /// Directions along which compact shapes tend to be thin: the axes of both shapes, in A.
    pub(super) fn axes(&self) -> [Vec3; 6] {
        let own = [Vec3::x(), Vec3::y(), Vec3::z()];
        let [x, y, z] = own.map(|axis| self.set.rotated_from_b(&axis));
        [own[0], own[1], own[2], x, y, z]
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
