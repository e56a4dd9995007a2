//! Meshes that are convex.
//!
//! In: a mesh and how it joins. Out: the convex polyhedron that it is the surface of, whose depths are exact; none of other meshes. Called once for a mesh.

use zerogap_core::Vec3;
use zerogap_core::math::unit_normal;
use zerogap_geometry::{ConvexShape, Polyhedron, TriangleMesh};

use super::join::{Joins, NO_EDGE};

/// How far a corner may stand out of the plane of its neighbour, against the extent, and the volume may differ from that of the hull [-]: rounding.
const ROUNDING: f64 = 1e-12;

/// The convex polyhedron of a closed mesh in one part with no edge that bends inward; none of others.
pub(super) fn convex_shape(mesh: &TriangleMesh, joins: &Joins) -> Option<ConvexShape> {
    if !joins.is_closed() || joins.parts().len() != 1 {
        return None;
    }
    let vertices = mesh.vertices();
    let room = ROUNDING * mesh.bounding_box().diagonal();
    for t in 0..mesh.triangles().len() {
        let corners = mesh.corners(t);
        let Some(normal) = unit_normal(&corners) else { continue };
        let edges = joins.edges_of(t as u32).into_iter().filter(|e| *e != NO_EDGE);
        let mut beside = edges.flat_map(|e| joins.opposite(e));
        if beside.any(|v| normal.dot(&(vertices[*v as usize] - corners[0])) > room) {
            return None;
        }
    }
    // A surface without such edges may still wind around itself.
    let hull = Polyhedron::from_points(vertices).ok()?;
    let middle = mesh.bounding_box().center();
    let six = |[p, q, r]: [Vec3; 3]| (p - middle).dot(&(q - middle).cross(&(r - middle)));
    let own: f64 = mesh.corner_triples().map(six).sum();
    let of_hull: f64 = hull.triangles().map(|t| six(t.map(|v| hull.vertices()[v as usize]))).sum();
    ((own - of_hull).abs() <= ROUNDING * mesh.triangles().len() as f64 * of_hull).then(|| hull.into())
}
