//! Triangle meshes: plain vertices and index triples.

use zerogap_core::error::check_coordinates;
use zerogap_core::{Aabb, Vec3};

use crate::GeometryError;

/// Vertices and triangles; nothing is promised about welding, closedness or orientation.
#[derive(Debug, Clone, PartialEq)]
pub struct TriangleMesh {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Checks that every coordinate is usable and every index exists.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, GeometryError> {
        if triangles.is_empty() {
            return Err(GeometryError::Empty { what: "the mesh" });
        }
        for p in &vertices {
            check_coordinates("a mesh vertex", *p)?;
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index as usize >= vertices.len()) {
                return Err(GeometryError::IndexOutOfRange { triangle, index, vertices: vertices.len() });
            }
        }
        Ok(Self { vertices, triangles })
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

    /// The smallest box around the vertices that triangles use.
    pub fn bounding_box(&self) -> Aabb {
        Aabb::from_points(self.triangles.iter().flatten().map(|&index| &self.vertices[index as usize]))
    }
}
