//! The most general feature of a polyhedron that supports it in a direction: a face rather than its edges, an edge rather than its ends.
//!
//! In: a direction and a vertex that is farthest along it. Out: the feature. Only the vertex's own edges and faces are looked at; of several faces or
//! edges the one that lies most squarely across the direction wins, then the one that comes first around the vertex.

use zerogap_core::{Feature, Vec3};
use zerogap_geometry::Polyhedron;

/// The most general feature at a supporting vertex whose vertices all lie within `room` [m] of the supporting plane.
///
/// Computes: a face around `at` with all its vertices in the room; else an edge at `at` whose other end is; else `at`.
/// Frames: polyhedron and direction in the polyhedron's frame; the direction is a unit vector.
/// Method: the vertices in the supporting plane make up one feature, which holds `at`; so its neighbourhood has it.
/// Tolerance: `room` is the caller's. It must be above rounding (a few ulp of the reach) and above the 5e-14 of the diagonal that vertices of a
///   face may lie below its plane. A vertex `at` that is no farthest one answers for the plane through itself.
/// Cost: O(edges of `at`) where nothing else is in the room, else O(vertices of its faces); no allocation.
/// Order: depends on the numbering of the polyhedron alone.
pub(crate) fn most_general(polyhedron: &Polyhedron, direction: &Vec3, at: u32, room: f64) -> Feature {
    let vertices = polyhedron.vertices();
    let Some(&top) = vertices.get(at as usize) else { return Feature::Vertex(0) };
    let depth = |vertex: u32| direction.dot(&(top - vertices[vertex as usize]));
    // The neighbour that is least below.
    let tips = polyhedron.neighbors(at as usize);
    let (mut edge, mut least) = (None, room);
    for (&tip, &index) in tips.iter().zip(polyhedron.vertex_edges(at as usize)) {
        let below = depth(tip);
        if below < least || (edge.is_none() && below <= room) {
            (edge, least) = (Some(index), below);
        }
    }
    let Some(edge) = edge else { return Feature::Vertex(at) };
    // Faces between two such neighbours.
    let (mut face, mut most) = (None, f64::NEG_INFINITY);
    for (k, &index) in polyhedron.vertex_faces(at as usize).iter().enumerate() {
        let square = direction.dot(&polyhedron.normal(index as usize));
        let is_level = square > most && depth(tips[k]) <= room;
        if is_level && polyhedron.face_vertices(index as usize).iter().all(|&vertex| depth(vertex) <= room) {
            (face, most) = (Some(index), square);
        }
    }
    face.map_or(Feature::Edge(edge), Feature::Face)
}
