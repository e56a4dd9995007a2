//! Two polyhedra as one of them sees them: what belongs to it needs no turning, what belongs to the other is brought into its frame.

use zerogap_core::Vec3;
use zerogap_geometry::{Edge, Polyhedron};

use crate::convex::placement::Placement;

/// A pair of polyhedra seen by one of them, called own here. Every predicate on a feature of `own` is evaluated in its frame, always by
/// the same formula: two states of the walk that evaluate the same predicate then get the same answer, to the last bit.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    /// The polyhedron whose frame this is.
    pub(super) own: &'a Polyhedron,
    /// The other one.
    pub(super) other: &'a Polyhedron,
    at: &'a Placement,
    is_a: bool,
}

impl<'a> View<'a> {
    /// The pair seen by A.
    pub(super) fn new(a: &'a Polyhedron, b: &'a Polyhedron, at: &'a Placement) -> Self {
        Self { own: a, other: b, at, is_a: true }
    }

    /// The pair seen by the other one.
    pub(super) fn swapped(&self) -> Self {
        Self { own: self.other, other: self.own, at: self.at, is_a: !self.is_a }
    }

    /// A point of the other's frame in the own one [m].
    #[inline]
    pub(super) fn brought(&self, point: &Vec3) -> Vec3 {
        if self.is_a { self.at.to_a(point) } else { self.at.to_b(point) }
    }

    /// A direction of the other's frame in the own one.
    #[inline]
    pub(super) fn rotated(&self, direction: &Vec3) -> Vec3 {
        if self.is_a { self.at.R_AB * direction } else { self.at.R_AB.tr_mul(direction) }
    }

    /// A vertex of the other [m].
    #[inline]
    pub(super) fn other_vertex(&self, vertex: u32) -> Vec3 {
        self.brought(&self.other.vertices()[vertex as usize])
    }

    /// The ends of an edge of the other [m].
    #[inline]
    pub(super) fn other_edge(&self, edge: u32) -> [Vec3; 2] {
        self.other.edges()[edge as usize].vertices.map(|end| self.other_vertex(end))
    }
}

/// The ends of an edge [m].
#[inline]
pub(super) fn ends(polyhedron: &Polyhedron, edge: &Edge) -> [Vec3; 2] {
    edge.vertices.map(|end| polyhedron.vertices()[end as usize])
}
