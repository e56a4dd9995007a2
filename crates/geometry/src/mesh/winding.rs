//! How often a mesh winds round a point.

use std::f64::consts::PI;

use zerogap_core::{Vec3, math};

use super::TriangleMesh;

/// Winding number above which a point counts as inside [-]: halfway between outside (0) and inside (1).
pub(crate) const INSIDE: f64 = 0.5;

impl TriangleMesh {
    /// The generalised winding number of a point [-]: the sum of the signed solid angles of all triangles over 4π.
    ///
    /// 1 inside a closed, outward-facing mesh and 0 outside; on an open mesh it changes smoothly across the holes, which is what
    /// makes it robust on imperfect meshes. On the surface itself it means nothing: each triangle through the point adds or takes a half,
    /// or nothing, as rounding has it.
    /// Method: solid angle by van Oosterom and Strackee 1983, eq. 8; generalised winding number by Jacobson et al. 2013.
    /// Tolerance: 1e-12 for points farther than 1e-9 of the extent from the surface (`tests/mesh_queries.rs`, small meshes); the sum
    /// adds one rounding per triangle.
    /// Cost: O(n), one arc tangent each. Order: the triangles are summed as they come.
    pub fn winding_number(&self, point: &Vec3) -> f64 {
        self.corner_triples().map(|corners| solid_angle(&corners, point)).sum::<f64>() / (4.0 * PI)
    }

    /// Whether a point lies inside, by the generalised winding number; points on the surface count as inside.
    ///
    /// On a mesh with holes or overlaps this is the side that most of the surface round the point says.
    /// Points nearer to the surface than 1e-12 of the extent may be reported either way.
    pub fn contains(&self, point: &Vec3) -> bool {
        point.iter().all(|c| c.is_finite())
            && (self.winding_number(point) > INSIDE || self.nearest_point(point).distance == 0.0)
    }
}

/// Signed solid angle of a triangle seen from `point` [sr]; positive when the point sees its back.
pub(crate) fn solid_angle(corners: &[Vec3; 3], point: &Vec3) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - point);
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let volume = a.dot(&b.cross(&c));
    let base = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
    2.0 * math::atan2(volume, base)
}
