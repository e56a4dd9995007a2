//! The Minkowski difference B - A: the two bodies touch where it holds the origin.
//!
//! In: two bodies and their placement. Out: vertices of the difference, each with the two points it comes from. The gap is the signed
//! distance of the origin from this set.
#![allow(non_snake_case, reason = "monogram notation, see Placement")]

use zerogap_core::{Mat3, Vec3};

use super::body::{Body, UNNAMED};
use super::placement::Placement;

/// A point of the difference with where it comes from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corner {
    /// `b - a` [m].
    pub(crate) w: Vec3,
    /// The point of A, in A's frame [m].
    pub(crate) a: Vec3,
    /// Name of the point of A.
    pub(crate) name_a: u32,
    /// Name of the point of B.
    pub(crate) name_b: u32,
}

impl Corner {
    /// Whether both come from the same vertices.
    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.name_a == other.name_a && self.name_b == other.name_b && self.is_named()
    }

    /// Whether it comes from vertices of both bodies.
    #[inline]
    pub(crate) fn is_named(&self) -> bool {
        self.name_a != UNNAMED && self.name_b != UNNAMED
    }
}

/// The difference of two placed bodies, in A's frame.
pub(crate) struct Difference<'a, A, B> {
    pub(crate) a: &'a A,
    pub(crate) b: &'a B,
    R_AB: Mat3,
    p_AB: Vec3,
    hint_a: u32,
    hint_b: u32,
    /// Support queries so far [-].
    pub(crate) calls: u32,
}

impl<'a, A: Body, B: Body> Difference<'a, A, B> {
    #[inline]
    pub(crate) fn new(a: &'a A, b: &'a B, at: &Placement) -> Self {
        Self { a, b, R_AB: at.R_AB, p_AB: at.p_AB, hint_a: 0, hint_b: 0, calls: 0 }
    }

    /// The same difference moved by `-offset` [m]: B has come nearer by it.
    pub(crate) fn shifted(&self, offset: &Vec3) -> Self {
        Self { p_AB: self.p_AB - offset, ..*self }
    }

    /// The corner farthest along a direction.
    #[inline]
    pub(crate) fn support(&mut self, direction: &Vec3) -> Corner {
        self.calls += 1;
        let (a, name_a) = self.a.support(&-direction, &mut self.hint_a);
        let (q, name_b) = self.b.support(&self.R_AB.tr_mul(direction), &mut self.hint_b);
        Corner { w: self.R_AB * q + self.p_AB - a, a, name_a, name_b }
    }

    /// The corner of two named vertices.
    #[inline]
    pub(crate) fn corner(&self, name_a: u32, name_b: u32) -> Corner {
        let a = self.a.vertex(name_a);
        Corner { w: self.R_AB * self.b.vertex(name_b) + self.p_AB - a, a, name_a, name_b }
    }

    /// A point of B's frame in A's [m].
    #[inline]
    pub(crate) fn to_a(&self, p_BQ: &Vec3) -> Vec3 {
        self.R_AB * p_BQ + self.p_AB
    }

    /// A vertex of B in A's frame [m].
    #[inline]
    pub(crate) fn point_b(&self, name: u32) -> Vec3 {
        self.to_a(&self.b.vertex(name))
    }

    /// From an inner point of A to an inner point of B [m].
    #[inline]
    pub(crate) fn between_interiors(&self) -> Vec3 {
        self.R_AB * self.b.interior() + self.p_AB - self.a.interior()
    }

    /// A direction of B's frame in A's.
    #[inline]
    pub(crate) fn rotated_from_b(&self, direction: &Vec3) -> Vec3 {
        self.R_AB * direction
    }

    /// A direction of A's frame in B's.
    #[inline]
    pub(crate) fn rotated_to_b(&self, direction: &Vec3) -> Vec3 {
        self.R_AB.tr_mul(direction)
    }

    /// Whether the difference is a polytope with named vertices.
    #[inline]
    pub(crate) fn is_polytope(&self) -> bool {
        self.a.is_polytope() && self.b.is_polytope()
    }
}
