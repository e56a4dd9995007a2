//! The point of a mesh nearest to a query point.

use zerogap_core::Vec3;
use zerogap_core::error::check_coordinates;

use super::TriangleMesh;
use super::winding::INSIDE;
use crate::nearest::on_triangle;
use crate::{GeometryError, SurfacePoint};

/// The point of a surface nearest to a query point, without a side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestPoint {
    /// The surface point [m].
    pub point: Vec3,
    /// Its distance from the query point [m], never negative.
    pub distance: f64,
    /// The triangle it lies on, counted from 0; the lowest where several are equally near.
    pub triangle: usize,
}

impl TriangleMesh {
    /// The nearest point of the surface.
    ///
    /// Computes: point and distance [m] with `distance = |q - point|`, and the lowest triangle that attains it.
    /// Tolerance: distance within 1e-14 of the larger of extent and distance, flat triangles included (`tests/mesh_queries.rs`,
    /// against exact arithmetic); points across a sliver can be equally near to that accuracy, and any may be reported.
    /// Cost: O(n), visits every triangle. Finite input never gives NaN.
    pub fn nearest_point(&self, point: &Vec3) -> NearestPoint {
        let mut best = NearestPoint { point: *point, distance: f64::INFINITY, triangle: 0 };
        for (triangle, corners) in self.corner_triples().enumerate() {
            let candidate = on_triangle(&corners, point).point;
            let distance = (point - candidate).norm();
            if distance < best.distance {
                best = NearestPoint { point: candidate, distance, triangle };
            }
        }
        best
    }

    /// The nearest point of the surface of a closed mesh, with the signed gap: negative inside.
    ///
    /// The side comes from the generalised winding number, not from the normals of the nearest triangle, so edges and corners
    /// need no special rule. Where the point lies on the surface the normal is that of the nearest triangle with an area.
    /// Fails: a point that is not finite; `NotClosed` (see [`TriangleMesh::mass_properties`]). Cost: that of
    /// [`TriangleMesh::topology`], plus O(n).
    pub fn closest_point(&self, point: &Vec3) -> Result<SurfacePoint, GeometryError> {
        check_coordinates("the query point", *point)?;
        self.require_closed()?;
        let nearest = self.nearest_point(point);
        if nearest.distance == 0.0 {
            let normal = self.normal_at(point);
            return Ok(SurfacePoint { point: nearest.point, gap: 0.0, normal });
        }
        let inside = self.winding_number(point) > INSIDE;
        let away = (point - nearest.point) / nearest.distance;
        Ok(if inside {
            SurfacePoint { point: nearest.point, gap: -nearest.distance, normal: -away }
        } else {
            SurfacePoint { point: nearest.point, gap: nearest.distance, normal: away }
        })
    }

    /// Outward normal of the nearest triangle that has an area; the z axis when none has.
    fn normal_at(&self, point: &Vec3) -> Vec3 {
        let mut best = (f64::INFINITY, Vec3::z());
        for corners in self.corner_triples() {
            let normal = unit_normal(&corners);
            let distance = (point - on_triangle(&corners, point).point).norm();
            if let Some(normal) = normal.filter(|_| distance < best.0) {
                best = (distance, normal);
            }
        }
        best.1
    }
}

/// Unit normal by the right-hand rule; none for a triangle without area.
pub(super) fn unit_normal([a, b, c]: &[Vec3; 3]) -> Option<Vec3> {
    let normal = (b - a).cross(&(c - a));
    let length = normal.norm();
    (length > 0.0).then(|| normal / length)
}
