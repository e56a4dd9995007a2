//! The answers of a polyhedron to the questions of [`Convex`].

use zerogap_core::{Aabb, Vec3};

use super::Polyhedron;
use crate::mass::check_density;
use crate::mass::surface::solid_of_triangles;
use crate::{BoundingSphere, Convex, GeometryError, MassProperties, Ray, RayHit, SupportHint, SurfacePoint};

/// Relative to the bounding diagonal [-]: a point nearer to an edge or vertex than this has no direction of its own left after rounding
/// and takes the normal of the face it is highest above.
const TOUCH_TOLERANCE: f64 = 1e-14;

impl Convex for Polyhedron {
    /// Picks the method by size; see [`Polyhedron::support_vertex`].
    fn support(&self, direction: &Vec3, hint: &mut SupportHint) -> Vec3 {
        self.vertices[self.support_vertex(direction, hint) as usize]
    }

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
        let density = check_density(density)?;
        Ok(solid_of_triangles(self.triangle_corners(), self.interior, density))
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
    /// Tolerance: gap and point within 1e-14 of the size plus the distance; `q - s = gap normal` to rounding. A point within 1e-14 of
    ///   the size of an edge or vertex gets a face normal.
    /// Cost: O(faces + edges of the faces that see the point).
    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        // The face that the point is highest above; inside, that is the nearest one.
        let mut top = (0, f64::NEG_INFINITY);
        for face in 0..self.face_count() {
            let height = self.height(face, point);
            if height > top.1 {
                top = (face, height);
            }
        }
        let on_face = |face: usize, height: f64| {
            let normal = self.normals[face];
            SurfacePoint { point: point - normal * height, gap: height, normal }
        };
        if top.1 <= 0.0 {
            return on_face(top.0, top.1);
        }
        // Outside: a face that sees the point straight above itself settles it; otherwise the nearest edge point of the seeing faces.
        let mut best: Option<(f64, Vec3)> = None;
        for face in 0..self.face_count() {
            let height = self.height(face, point);
            if height <= 0.0 || best.is_some_and(|(distance2, _)| height * height > distance2) {
                continue;
            }
            match self.nearest_on_border(face, point) {
                None => return on_face(face, height),
                Some(s) => {
                    let distance2 = (point - s).norm_squared();
                    if best.is_none_or(|(smallest, _)| distance2 < smallest) {
                        best = Some((distance2, s));
                    }
                }
            }
        }
        let touching = TOUCH_TOLERANCE * self.bounding_box.diagonal();
        match best {
            Some((_, s)) if (point - s).amax() > touching => {
                let apart = point - s;
                let gap = apart.norm();
                SurfacePoint { point: s, gap, normal: apart / gap }
            }
            _ => on_face(top.0, top.1),
        }
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
