//! Which points lie inside the volumes of a complex, and a point of each connected part to ask that of.

use std::f64::consts::PI;

use zerogap_core::Vec3;
use zerogap_core::disjoint_sets::DisjointSets;

use super::Complex;
use crate::mesh::winding::{INSIDE, solid_angle};

impl Complex {
    /// Whether a point lies inside a volume, outside the cavities in it; on the surface either may be returned. Shells have no inside.
    ///
    /// Cost: O(n), one arc tangent for each triangle, unless the point lies outside the bounding box.
    pub fn contains(&self, point: &Vec3) -> bool {
        if !self.bounds.contains(point) {
            return false;
        }
        let solid = (0..self.triangles.len()).filter(|&t| self.is_solid(t));
        let corners = |t: usize| self.triangles[t].map(|k| self.vertices[k as usize]);
        let angle: f64 = solid.map(|t| solid_angle(&corners(t), point)).sum();
        angle > INSIDE * 4.0 * PI
    }

    /// The lowest vertex of everything connected through edges, ascending.
    pub fn part_vertices(&self) -> Vec<u32> {
        let mut sets = DisjointSets::new(self.vertices.len());
        for &[a, b] in &self.edges {
            sets.join(a as usize, b as usize);
        }
        (0..self.vertices.len()).filter(|&v| self.is_used(v) && sets.find(v) == v).map(|v| v as u32).collect()
    }
}
