//! The gap: the signed distance of two bodies, its normal and its witness points.

use crate::Vec3;

/// The signed distance of two shapes A and B, with its certificate.
///
/// `gap` is positive apart, zero touching and negative in overlap, where `-gap` is the shortest translation that
/// separates the two. Always `point_b - point_a = gap * normal`, and always `lower <= gap <= upper`, with the exact
/// value between them: `lower` is the separation of the two bodies along `normal`, less what rounding can hide.
/// Swapping A and B flips the normal and swaps the points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Signed distance [m].
    pub gap: f64,
    /// Lower bound of the exact signed distance [m].
    pub lower: f64,
    /// Upper bound of the exact signed distance [m].
    pub upper: f64,
    /// Unit vector from A to B [-].
    pub normal: Vec3,
    /// Whether the normal was the only one possible.
    pub normal_kind: NormalKind,
    /// The point of A [m]: the nearest one apart, the deepest one in overlap.
    pub point_a: Vec3,
    /// The point of B [m].
    pub point_b: Vec3,
    /// How the search ended.
    pub status: GapStatus,
    /// Pairs of support points evaluated; 0 for closed forms [-].
    pub iterations: u32,
}

impl Gap {
    /// The gap of shapes infinitely far apart: a place to write gaps into.
    pub fn farthest() -> Self {
        Self {
            gap: f64::INFINITY,
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            normal: Vec3::x(),
            normal_kind: NormalKind::Chosen,
            point_a: Vec3::zeros(),
            point_b: Vec3::zeros(),
            status: GapStatus::Farther,
            iterations: 0,
        }
    }

    /// The same gap seen from B: normal flipped, points swapped.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { normal: -self.normal, point_a: self.point_b, point_b: self.point_a, ..self }
    }
}

/// Whether another normal would have done as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NormalKind {
    /// No other direction separates as well.
    Unique,
    /// One of several: the bodies touch in a corner, or the overlap is equally deep along another direction.
    Chosen,
}

impl NormalKind {
    /// Returns the kind in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unique => "unique",
            Self::Chosen => "chosen",
        }
    }
}

/// How a search for the gap ended. The bounds are true in every case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapStatus {
    /// The bounds agree to rounding.
    Exact,
    /// The bounds agree to the requested tolerance.
    Converged,
    /// The bodies are farther apart than the cutoff; `lower` is beyond it, and the search ended there.
    Farther,
    /// Step limit reached; the gap lies between the bounds.
    Limited,
    /// The bodies are made of parts and overlap: the gap is minus the depth of the deepest part, and the length of the shortest separating translation lies between the bounds.
    LocalDepth,
    /// The surfaces cross and no part determines the depth: the length of the shortest separating translation lies between the bounds.
    DepthUnknown,
}

impl GapStatus {
    /// Returns the status in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Converged => "converged",
            Self::Farther => "farther",
            Self::Limited => "limited",
            Self::LocalDepth => "local_depth",
            Self::DepthUnknown => "depth_unknown",
        }
    }
}
