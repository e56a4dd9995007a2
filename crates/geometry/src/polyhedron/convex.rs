//! The answers of a polyhedron to the questions of [`Convex`].

use zerogap_core::{Aabb, Vec3};

use super::Polyhedron;
use crate::hull::MERGE_TOLERANCE;
use crate::nearest::{OnSegment, on_edge_from_outside};
use crate::shape::direction::{FAR, from_any_distance, unit_or};
use crate::{BoundingSphere, Convex, GeometryError, MassProperties, Ray, RayHit, SupportHint, SurfacePoint};

/// Relative to the bounding diagonal [-]: a point nearer to an edge or vertex than this has no direction of its own left after rounding
/// and takes the normal of the face it is highest above.
const TOUCH_TOLERANCE: f64 = 1e-14;

/// Relative to the bounding diagonal [-]: a face counts as seeing a point down to this far below its plane. Vertices of a merged face lie up
/// to `MERGE_TOLERANCE` below its plane, so that in a sliver the nearest face may seem to face away.
const LEVEL_TOLERANCE: f64 = 4.0 * MERGE_TOLERANCE;

impl Convex for Polyhedron {
    /// Picks the method by size; see [`Polyhedron::support_vertex`].
    fn support(&self, direction: &Vec3, hint: &mut SupportHint) -> Vec3 {
        self.vertices[self.support_vertex(direction, hint) as usize]
    }

    /// Strictly inside wherever rounding the coordinates of a point does not carry it through the polyhedron.
    fn interior_point(&self) -> Vec3 {
        self.interior
    }

    fn bounding_box(&self) -> Aabb {
        self.bounding_box
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        self.bounding_sphere
    }

    fn volume(&self) -> f64 {
        self.volume
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        self.moments(self.interior).mass_properties(self.interior, density)
    }

    /// Where a ray enters: the last of the planes it passes inward, if it has not passed one outward by then.
    ///
    /// Tolerance: 1e-14 of the size plus the distance, divided by the cosine between ray and normal. The hit lies that near to every
    ///   plane; beyond the edge of a blade it may lie off the polyhedron by as much divided by the sine of the blade's angle.
    /// Cost: O(faces).
    /// Fails: a ray that starts beyond 1e100 m misses, because no direction in f64 aims that well.
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        if ray.origin.amax() > FAR {
            return None;
        }
        let (mut enter, mut leave, mut normal) = (f64::NEG_INFINITY, f64::INFINITY, -ray.direction);
        for face in 0..self.face_count() {
            let height = self.height(face, &ray.origin);
            let rate = self.normals[face].dot(&ray.direction);
            if rate < 0.0 {
                let distance_along = height / -rate;
                if distance_along > enter {
                    (enter, normal) = (distance_along, self.normals[face]);
                }
            } else if rate > 0.0 {
                leave = leave.min(-height / rate);
            } else if height > 0.0 {
                return None;
            }
        }
        if enter <= 0.0 && leave >= 0.0 {
            return Some(RayHit { distance: 0.0, normal: -ray.direction });
        }
        (enter > 0.0 && enter <= leave).then_some(RayHit { distance: enter, normal })
    }

    /// The nearest surface point: outside on a face, edge or vertex; inside on the nearest face.
    ///
    /// Tolerance: gap within 1e-14 of the size plus the distance, or 1e-13 where vertices were merged into faces; the point within a
    ///   rounding of its coordinates more; `q - s = gap normal` to rounding. The normal supports the polyhedron: no vertex lies more
    ///   than 2e-13 of the size beyond the plane through s. Inside means below or in every plane. A point within 1e-14 of the size of
    ///   an edge or vertex gets a face normal.
    /// Cost: O(faces + edges of the faces that see the point).
    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| self.closest_to_near(q))
    }
}

/// A border point of a face and the edge that it lies on.
struct OnBorder {
    near: OnSegment,
    edge: u32,
}

impl Polyhedron {
    /// The nearest surface point to a point within [`FAR`].
    fn closest_to_near(&self, point: &Vec3) -> SurfacePoint {
        // The face that the point is highest above; inside, that is the nearest one.
        let size = self.bounding_box.diagonal();
        let (touching, level) = (TOUCH_TOLERANCE * size, LEVEL_TOLERANCE * size);
        let mut top = (0, f64::NEG_INFINITY);
        for face in 0..self.face_count() {
            let height = self.height(face, point);
            if height > top.1 {
                top = (face, height);
            }
        }
        let on_face = |(face, height): (usize, f64)| {
            let normal = self.normals[face];
            SurfacePoint { point: point - normal * height, gap: height, normal }
        };
        if top.1 <= 0.0 {
            return on_face(top);
        }
        // Outside: a face that sees the point straight above itself settles it; otherwise the nearest border point of the seeing faces.
        // Faces that the point is level with count as seeing. A face is left out only where it is farther beyond rounding: close to an
        // edge the face's height and the edge's distance differ by less, and the normals by more.
        let (mut smallest, mut straight, mut border) = (f64::INFINITY, Some(top), None);
        for face in 0..self.face_count() {
            let height = self.height(face, point);
            if height <= -level || height - touching > smallest {
                continue;
            }
            let Some(found) = self.nearest_on_border(face, point) else {
                if height > level {
                    return on_face((face, height));
                }
                if height.abs() < smallest {
                    (smallest, straight) = (height.abs(), Some((face, height)));
                }
                continue;
            };
            let distance = found.near.offset.norm();
            if distance < smallest {
                (smallest, straight, border) = (distance, None, Some(found));
            }
        }
        if let Some(found) = straight {
            // Straight below a face that it is level with, the point is outside all the same.
            return on_face(if found.1 > 0.0 { found } else { top });
        }
        let Some(border) = border.filter(|_| smallest > touching) else { return on_face(top) };
        let normal = self.border_normal(&border, touching);
        // Between the planes and the vertices of merged faces the offset may point anywhere: there it has to prove itself.
        let supports = || self.vertices.iter().all(|vertex| normal.dot(&(vertex - point)) <= level);
        if smallest <= level && !supports() {
            return on_face(top);
        }
        SurfacePoint { point: border.near.point, gap: smallest, normal }
    }

    /// The border point of a face nearest to a point; none when the point is straight above or below the face.
    fn nearest_on_border(&self, face: usize, point: &Vec3) -> Option<OnBorder> {
        let corners = self.face_vertices(face);
        let normal = self.normals[face];
        let mut best: Option<(f64, OnBorder)> = None;
        for (k, &from) in corners.iter().enumerate() {
            let (a, b) =
                (&self.vertices[from as usize], &self.vertices[corners[(k + 1) % corners.len()] as usize]);
            // The face lies to the left of each of its edges; only edges with the point to their right can be nearest.
            let Some(near) = on_edge_from_outside(a, b, &(b - a).cross(&normal), point) else { continue };
            let squared = near.offset.norm_squared();
            if best.as_ref().is_none_or(|(smallest, _)| squared < *smallest) {
                best = Some((squared, OnBorder { near, edge: self.face_edges(face)[k] }));
            }
        }
        best.map(|(_, border)| border)
    }

    /// The direction of the offset from a border point. On an edge it lies between the normals of the two faces, and what rounding, up to
    /// `touching` [m], turns back over one of them takes that face's normal.
    fn border_normal(&self, border: &OnBorder, touching: f64) -> Vec3 {
        let offset = border.near.offset;
        if border.near.between {
            let edge = &self.topology.edges[border.edge as usize];
            let [a, b] = edge.vertices.map(|index| self.vertices[index as usize]);
            for (face, along) in edge.faces.iter().zip([b - a, a - b]) {
                let normal = self.normals[*face as usize];
                let outward = along.cross(&normal).dot(&offset);
                if outward < 0.0 && -outward <= touching * along.norm() {
                    return normal;
                }
            }
        }
        unit_or(&offset, &Vec3::z())
    }
}
