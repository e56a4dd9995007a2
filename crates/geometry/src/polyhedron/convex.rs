//! The answers of a polyhedron to the questions of [`Convex`].

use zerogap_core::{Aabb, Vec3};

use super::Polyhedron;
use crate::hull::MERGE_TOLERANCE;
use crate::mass::check_density;
use crate::{BoundingSphere, Convex, GeometryError, MassProperties, Ray, RayHit, SupportHint, SurfacePoint};

/// Relative to the bounding diagonal [-]: a point nearer to an edge or vertex than this has no direction of its own left after rounding
/// and takes the normal of the face it is highest above.
const TOUCH_TOLERANCE: f64 = 1e-14;

/// Relative to the bounding diagonal [-]: a face counts as seeing a point down to this far below its plane. Vertices of a merged face lie up
/// to `MERGE_TOLERANCE` below its plane, so that in a sliver the nearest face may seem to look away.
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
        Ok(self.solid(self.interior, check_density(density)?))
    }

    /// Where a ray enters: the last of the planes it passes inward, if it has not passed one outward by then.
    ///
    /// Tolerance: 1e-14 of the size plus the distance, divided by the cosine between ray and normal.
    /// Cost: O(faces).
    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        let (mut enter, mut leave, mut normal) = (f64::NEG_INFINITY, f64::INFINITY, -ray.direction);
        for face in 0..self.face_count() {
            let height = self.height(face, &ray.origin);
            let rate = self.normals[face].dot(&ray.direction);
            if rate < 0.0 {
                let way = height / -rate;
                if way > enter {
                    (enter, normal) = (way, self.normals[face]);
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
    /// Tolerance: gap and point within 1e-14 of the size plus the distance, for polyhedra at least 1e-9 of their size thick;
    ///   `q - s = gap normal` to rounding. Inside means below or in every plane. A point within 1e-14 of the size of an edge or
    ///   vertex gets a face normal.
    /// Cost: O(faces + edges of the faces that see the point).
    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
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
        // Faces that the point is level with count as seeing.
        let (mut smallest, mut straight, mut border) = (f64::INFINITY, None, *point);
        for face in 0..self.face_count() {
            let height = self.height(face, point);
            if height <= -level || height.max(0.0) > smallest {
                continue;
            }
            let Some(s) = self.nearest_on_border(face, point) else {
                if height > level {
                    return on_face((face, height));
                }
                if height.abs() < smallest {
                    (smallest, straight) = (height.abs(), Some((face, height)));
                }
                continue;
            };
            let distance = (point - s).norm();
            if distance < smallest {
                (smallest, straight, border) = (distance, None, s);
            }
        }
        if let Some(found) = straight {
            return on_face(found);
        }
        if smallest <= touching {
            return on_face(top);
        }
        SurfacePoint { point: border, gap: smallest, normal: (point - border) / smallest }
    }
}

impl Polyhedron {
    /// The border point of a face nearest to a point; none when the point is straight above or below the face.
    fn nearest_on_border(&self, face: usize, point: &Vec3) -> Option<Vec3> {
        let corners = self.face_vertices(face);
        let normal = self.normals[face];
        let mut best: Option<(f64, Vec3)> = None;
        for (k, &from) in corners.iter().enumerate() {
            let a = self.vertices[from as usize];
            let along = self.vertices[corners[(k + 1) % corners.len()] as usize] - a;
            // The face lies to the left of each of its edges; only edges with the point to their right can be nearest.
            if normal.cross(&along).dot(&(point - a)) >= 0.0 {
                continue;
            }
            let t = ((point - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            let s = a + along * t;
            let distance2 = (point - s).norm_squared();
            if best.is_none_or(|(smallest, _)| distance2 < smallest) {
                best = Some((distance2, s));
            }
        }
        best.map(|(_, s)| s)
    }
}
