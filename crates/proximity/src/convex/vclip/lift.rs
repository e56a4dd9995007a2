//! The most general feature of a polyhedron that supports it in a direction: a face rather than its edges, an edge rather than its ends.
//!
//! In: a direction and a vertex that is farthest along it. Out: the feature. Only the vertex's own edges and faces are checked; of several faces or
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
    let (mut edge, mut smallest) = (None, room);
    for (&tip, &index) in tips.iter().zip(polyhedron.vertex_edges(at as usize)) {
        let below = depth(tip);
        if below < smallest || (edge.is_none() && below <= room) {
            (edge, smallest) = (Some(index), below);
        }
    }
    let Some(edge) = edge else { return Feature::Vertex(at) };
    // Faces between two such neighbours.
    let (mut face, mut largest) = (None, f64::NEG_INFINITY);
    for (k, &index) in polyhedron.vertex_faces(at as usize).iter().enumerate() {
        let square = direction.dot(&polyhedron.normal(index as usize));
        let is_level = square > largest && depth(tips[k]) <= room;
        if is_level && polyhedron.face_vertices(index as usize).iter().all(|&vertex| depth(vertex) <= room) {
            (face, largest) = (Some(index), square);
        }
    }
    face.map_or(Feature::Edge(edge), Feature::Face)
}

#[cfg(test)]
mod tests {
    use zerogap_geometry::SupportHint;
    use zerogap_testkit::random::Random;

    use super::*;

    #[test]
    fn a_cube_shows_a_face_an_edge_or_a_vertex() {
        let corner = |k: usize| Vec3::from_fn(|axis, _| if k >> axis & 1 == 1 { 1.0 } else { -1.0 });
        let corners: Vec<Vec3> = (0..8).map(corner).collect();
        let cube = Polyhedron::from_points(&corners).unwrap();
        let mut random = Random::new(1);
        for _ in 0..200 {
            // As many zero components as the feature has dimensions, and any vertex of it to start from.
            let zeros = random.index(3);
            let mut direction = Vec3::from_fn(|_, _| random.range(0.2, 1.0));
            for k in 0..zeros {
                direction[k] = 0.0;
            }
            let direction = direction.normalize();
            let top = direction.dot(&corners[7]);
            let level: Vec<u32> =
                (0..8).filter(|&k| direction.dot(&cube.vertices()[k as usize]) >= top - 1e-12).collect();
            for &at in &level {
                let mut own = match most_general(&cube, &direction, at, 1e-12) {
                    Feature::Vertex(vertex) => vec![vertex],
                    Feature::Edge(edge) => cube.edges()[edge as usize].vertices.to_vec(),
                    Feature::Face(face) => cube.face_vertices(face as usize).to_vec(),
                    Feature::Surface(_) => Vec::new(),
                };
                own.sort_unstable();
                assert_eq!(own, level, "{direction}");
            }
        }
    }

    #[test]
    fn more_room_never_makes_a_feature_less_general() {
        let mut random = Random::new(2);
        for _ in 0..50 {
            let points: Vec<Vec3> = (0..30).map(|_| random.direction()).collect();
            let stone = Polyhedron::from_points(&points).unwrap();
            let direction = random.direction();
            let at = stone.support_vertex(&direction, &mut SupportHint::default());
            let rank = |room: f64| match most_general(&stone, &direction, at, room) {
                Feature::Vertex(_) => 0,
                Feature::Edge(_) => 1,
                Feature::Face(_) | Feature::Surface(_) => 2,
            };
            let ranks = [0.0, 1e-3, 1e-2, 1e-1, 1.0, 3.0].map(rank);
            assert!(ranks.is_sorted() && ranks[0] == 0 && ranks[5] == 2, "{ranks:?}");
        }
    }

    #[test]
    fn a_vertex_that_does_not_exist_is_no_panic() {
        let points = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let stone = Polyhedron::from_points(&points).unwrap();
        assert_eq!(most_general(&stone, &Vec3::z(), 77, 1e-12), Feature::Vertex(0));
    }
}
