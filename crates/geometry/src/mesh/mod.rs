//! Triangle meshes: plain vertices and index triples, and what can be asked of them.
//!
//! In: vertices and triangles, from [`crate::import`] or from a caller. Out: a topology report, repaired copies, mass, and
//! the answers of a surface to rays and points. Nothing here keeps a search structure: every query visits
//! all triangles. All results depend on the input order alone.

mod change;
mod closest;
pub(crate) mod edges;
mod mass;
mod nesting;
pub(crate) mod orient;
mod pieces;
mod ray;
mod repair;
mod sheet;
pub(crate) mod topology;
pub(crate) mod weld;
pub(crate) mod winding;

use std::sync::OnceLock;

use zerogap_core::error::check_coordinates;
use zerogap_core::{Aabb, Vec3};

use crate::GeometryError;

pub use closest::NearestPoint;
pub use ray::SurfaceHit;
pub use repair::{RepairOptions, RepairReport};
pub(crate) use topology::is_degenerate;
pub use topology::{DEGENERATE_RATIO, TopologyReport};
pub(crate) use weld::thinned;

/// Vertices and triangles; nothing is promised about welding, closedness or orientation.
#[derive(Debug, Clone, PartialEq)]
pub struct TriangleMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    known: Known,
}

zerogap_core::store_struct!(TriangleMesh { vertices, triangles } skip { known } check |it| check_parts(&it.vertices, &it.triangles));

/// What has been worked out about a mesh already. A mesh never changes, so this saves work and never changes an answer; meshes
/// are equal whether or not it is there.
#[derive(Debug, Clone, Default)]
struct Known {
    topology: OnceLock<TopologyReport>,
}

impl PartialEq for Known {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Refuses a mesh without triangles, unusable coordinates, and triangles whose corners do not exist.
fn check_parts(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), GeometryError> {
    if triangles.is_empty() {
        return Err(GeometryError::Empty { what: "the mesh" });
    }
    for p in vertices {
        check_coordinates("a mesh vertex", *p)?;
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices.len()) {
            return Err(GeometryError::IndexOutOfRange { triangle, index, vertices: vertices.len() });
        }
    }
    Ok(())
}

impl TriangleMesh {
    /// Checks that every coordinate is usable and every index exists.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, GeometryError> {
        check_parts(&vertices, &triangles)?;
        Ok(Self::from_parts(vertices, triangles))
    }

    /// From parts that are known to be good.
    pub(crate) fn from_parts(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        Self { vertices, triangles, known: Known::default() }
    }

    /// Vertex positions [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Corners of each triangle as vertex indices, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The three corner positions of one triangle [m].
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|index| self.vertices[index as usize])
    }

    /// The corner positions of all triangles, in order [m].
    pub fn corner_triples(&self) -> impl ExactSizeIterator<Item = [Vec3; 3]> + '_ {
        self.triangles.iter().map(|corners| corners.map(|index| self.vertices[index as usize]))
    }

    /// The vertices that triangles use, in order [m]: what a hull is taken of.
    pub fn used_vertices(&self) -> Vec<Vec3> {
        let mut used = vec![false; self.vertices.len()];
        for &index in self.triangles.iter().flatten() {
            used[index as usize] = true;
        }
        self.vertices.iter().zip(&used).filter(|(_, used)| **used).map(|(p, _)| *p).collect()
    }

    /// The smallest box around the vertices that triangles use.
    pub fn bounding_box(&self) -> Aabb {
        Aabb::from_points(self.triangles.iter().flatten().map(|&index| &self.vertices[index as usize]))
    }
}
