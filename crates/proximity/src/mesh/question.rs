//! What is asked of the distance of meshes, and what is answered.

use zerogap_core::{GapStatus, NormalKind, Vec3};

/// In which order pairs of nodes are visited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Down to the triangles at once, nearest child first: least work for the exact answer; the lower bound moves last.
    #[default]
    DepthFirst,
    /// The nearest pair of all: fewest pairs, and a lower bound that improves from the first; each step costs more.
    BestFirst,
}

/// What is asked of the distance of meshes. Whatever ends the search first, the bounds are true.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshDistanceParams {
    /// The bounds may be this far apart [m].
    pub absolute: f64,
    /// The bounds may be this far apart, against the lower [-].
    pub relative: f64,
    /// A distance known to be less ends the search [m].
    pub nearer_than: f64,
    /// A distance known to be more ends the search [m].
    pub farther_than: f64,
    /// Largest number of pairs of nodes to visit [-].
    pub budget: u64,
    /// In which order.
    pub order: Order,
    /// Whether to begin with the triangles that were nearest in the last query of the same [`MeshWork`].
    pub coherent: bool,
}

impl Default for MeshDistanceParams {
    fn default() -> Self {
        Self {
            absolute: 0.0,
            relative: 0.0,
            nearer_than: f64::NEG_INFINITY,
            farther_than: f64::INFINITY,
            budget: u64::MAX,
            order: Order::default(),
            coherent: false,
        }
    }
}

/// How far apart two meshes are, as surfaces: 0 where they cross or touch. Always `lower <= exact <= upper`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeshDistance {
    /// Distance of the points [m]: the least found.
    pub gap: f64,
    /// The distance is no smaller [m].
    pub lower: f64,
    /// The distance is no larger [m].
    pub upper: f64,
    /// Unit vector from A to B [-].
    pub normal: Vec3,
    /// Whether the normal follows from the points; at no distance it is that of a triangle.
    pub normal_kind: NormalKind,
    /// The nearest point found of A [m].
    pub point_a: Vec3,
    /// The nearest point found of B [m].
    pub point_b: Vec3,
    /// The triangles that hold them, by the meshes' numbers; for a shape that is no mesh, 0.
    pub triangles: [u32; 2],
    /// The corners of each triangle that hold its point: a bit for each.
    pub held: [u8; 2],
    /// How the search ended.
    pub status: GapStatus,
    /// Pairs of nodes visited [-].
    pub pops: u64,
    /// Pairs of triangles measured [-].
    pub measured: u64,
}

impl MeshDistance {
    /// The same seen from B.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            normal: -self.normal,
            point_a: self.point_b,
            point_b: self.point_a,
            triangles: [self.triangles[1], self.triangles[0]],
            held: [self.held[1], self.held[0]],
            ..self
        }
    }
}
