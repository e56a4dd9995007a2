//! Joining vertices that are the same point.
//!
//! In: vertices. Out: for each vertex the id of its welded point. Ids count welded points in the order in which the vertices
//! first name them, so they depend on the vertex order alone.

use std::collections::HashMap;

use zerogap_core::Vec3;
use zerogap_core::error::check_length;

use super::TriangleMesh;
use crate::GeometryError;

/// The result of welding: which vertices became which point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Weld {
    /// Welded point of each vertex.
    pub(crate) of_vertex: Vec<u32>,
    /// The vertex that each welded point keeps its position from: the first that named it.
    pub(crate) kept: Vec<u32>,
}

impl Weld {
    /// Triangles in terms of welded points.
    pub(crate) fn triangle(&self, corners: [u32; 3]) -> [u32; 3] {
        corners.map(|v| self.of_vertex[v as usize])
    }

    /// Numbers the welded points by first appearance, from the lowest equal vertex of each vertex.
    fn from_first(first: &[u32]) -> Self {
        let mut of_vertex = vec![0; first.len()];
        let mut kept = Vec::new();
        for (v, &f) in first.iter().enumerate() {
            if f as usize == v {
                of_vertex[v] = kept.len() as u32;
                kept.push(f);
            } else {
                // The first vertex has a lower index, so its number is already known.
                of_vertex[v] = of_vertex[f as usize];
            }
        }
        Self { of_vertex, kept }
    }
}

/// Welds exactly equal positions; -0.0 equals 0.0.
pub(crate) fn exact(vertices: &[Vec3]) -> Weld {
    // Equal numbers must have equal bits before they are sorted as bits: adding zero turns -0.0 into 0.0.
    let mut order: Vec<([u64; 3], u32)> = vertices
        .iter()
        .enumerate()
        .map(|(v, p)| ([(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits(), (p.z + 0.0).to_bits()], v as u32))
        .collect();
    order.sort_unstable();
    let mut first = vec![0; vertices.len()];
    for run in order.chunk_by(|a, b| a.0 == b.0) {
        for &(_, v) in run {
            first[v as usize] = run[0].1;
        }
    }
    Weld::from_first(&first)
}

/// Welds each vertex to the lowest-numbered kept vertex within `tolerance` [m]; kept vertices are farther apart than that.
pub(crate) fn within(vertices: &[Vec3], tolerance: f64) -> Weld {
    let base = exact(vertices);
    if tolerance == 0.0 {
        return base;
    }
    // Cells are whole numbers kept as f64: far from the origin, where these skip numbers, so do the coordinates.
    let cell = |p: &Vec3| p.map(|c| (c / tolerance).floor());
    // The map is only looked up, never walked: its order reaches nothing. Only kept vertices enter, so a cell holds few.
    let mut grid: HashMap<[u64; 3], Vec<u32>> = HashMap::new();
    // Adding zero turns -0.0 into 0.0, so that equal numbers have equal bits.
    let key = |c: Vec3| [c.x, c.y, c.z].map(|c| (c + 0.0).to_bits());
    let mut first: Vec<u32> = (0..vertices.len() as u32).collect();
    for (v, &point) in base.of_vertex.iter().enumerate() {
        let original = base.kept[point as usize] as usize;
        if original < v {
            first[v] = first[original];
            continue;
        }
        let p = &vertices[v];
        let c = cell(p);
        let mut best = None;
        for neighbour in 0..27_u8 {
            let step = [neighbour % 3, neighbour / 3 % 3, neighbour / 9].map(|s| f64::from(s) - 1.0);
            for &other in grid.get(&key(c + Vec3::from(step))).map_or(&[][..], Vec::as_slice) {
                if (vertices[other as usize] - p).norm() <= tolerance && best.is_none_or(|b| other < b) {
                    best = Some(other);
                }
            }
        }
        match best {
            Some(other) => first[v] = other,
            None => grid.entry(key(c)).or_default().push(v as u32),
        }
    }
    Weld::from_first(&first)
}

/// The points without those within `gap` [m] of an earlier one that is kept.
pub(crate) fn thinned(points: &[Vec3], gap: f64) -> Vec<Vec3> {
    within(points, gap).kept.iter().map(|&v| points[v as usize]).collect()
}

impl TriangleMesh {
    /// For each vertex the lowest one at exactly the same position: itself, where it is the first there.
    pub fn first_at_position(&self) -> Vec<u32> {
        let weld = exact(&self.vertices);
        weld.of_vertex.iter().map(|&point| weld.kept[point as usize]).collect()
    }

    /// The same triangles over welded vertices: equal positions joined, or with a positive `tolerance` [m] all that lie within it.
    ///
    /// Each vertex, in order, joins the lowest-numbered kept vertex within `tolerance`, or is kept itself; a kept vertex never
    /// moves. A tolerance below 2⁻⁵⁰ of a coordinate may weld equal positions only there. Triangles are kept even where they collapse, and
    /// vertices even where no triangle uses them: [`TriangleMesh::repair`] drops both.
    /// Cost: O(n log n). Fails: a tolerance that is negative or not finite.
    pub fn welded(&self, tolerance: f64) -> Result<Self, GeometryError> {
        let weld = within(&self.vertices, check_length("the welding tolerance", tolerance)?);
        Ok(Self::from_parts(
            weld.kept.iter().map(|&v| self.vertices[v as usize]).collect(),
            self.triangles.iter().map(|&t| weld.triangle(t)).collect(),
        ))
    }
}
