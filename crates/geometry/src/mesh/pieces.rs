//! The connected pieces of a mesh.

use super::TriangleMesh;
use super::edges::components;
use super::weld;

/// No vertex of the piece yet.
const NONE: u32 = u32::MAX;

impl TriangleMesh {
    /// The connected components as meshes of their own, in order of their first triangle.
    ///
    /// Triangles are connected when they share a point of the exactly welded mesh, as the topology report counts it. Each piece keeps the order of its triangles
    /// and has only the welded vertices that it uses, in order of use. Triangles that collapse on welding belong to no piece.
    pub fn components(&self) -> Vec<Self> {
        let weld = weld::exact(&self.vertices);
        let triangles: Vec<[u32; 3]> = self.triangles.iter().map(|&t| weld.triangle(t)).collect();
        let parts = components(&triangles, weld.kept.len());
        let mut pieces = vec![Self::from_parts(Vec::new(), Vec::new()); parts.count];
        // Triangles sorted by piece, so that one table of vertex numbers serves all pieces in turn.
        let mut order: Vec<(u32, u32)> =
            parts.of_triangle.iter().enumerate().filter_map(|(t, n)| n.map(|n| (n, t as u32))).collect();
        order.sort_unstable();
        let mut local = vec![NONE; weld.kept.len()];
        for run in order.chunk_by(|a, b| a.0 == b.0) {
            let piece = &mut pieces[run[0].0 as usize];
            for &(_, t) in run {
                let corners = triangles[t as usize].map(|w| {
                    if local[w as usize] == NONE {
                        local[w as usize] = piece.vertices.len() as u32;
                        piece.vertices.push(self.vertices[weld.kept[w as usize] as usize]);
                    }
                    local[w as usize]
                });
                piece.triangles.push(corners);
            }
            for &(_, t) in run {
                for w in triangles[t as usize] {
                    local[w as usize] = NONE;
                }
            }
        }
        pieces
    }
}
