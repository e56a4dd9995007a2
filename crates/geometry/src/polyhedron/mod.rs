//! Convex polyhedra.

use zerogap_core::Vec3;

use crate::hull::HullSurface;

/// A convex polyhedron.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Polyhedron {
    /// From an exact hull surface; also the input index of each vertex.
    pub(crate) fn from_surface(points: &[Vec3], surface: HullSurface) -> (Self, Vec<u32>) {
        let vertices = surface.sources.iter().map(|&index| points[index as usize]).collect();
        (Self { vertices, triangles: surface.triangles }, surface.sources)
    }

    /// Vertex positions [m].
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// A triangulation of the surface: vertex indices, counter-clockwise seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.triangles.iter().copied()
    }
}
