//! A box about the origin with its edges along the coordinate axes.

use zerogap_core::error::check_positive_length;
use zerogap_core::{Aabb, Vec3};

use super::direction::{FAR, from_any_distance, length, signed, unit_or};
use super::{BoundingSphere, Convex, Ray, RayHit, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, polytope};

/// A box about the origin with its edges along the coordinate axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    half: Vec3,
}

zerogap_core::store_struct!(Cuboid { half } check |it| Self::new(it.size()));

impl Cuboid {
    /// The corners of each face, counter-clockwise seen from outside: those at -x, +x, -y, +y, -z, +z. Contacts name faces by this order.
    pub const FACES: [[u32; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

    /// The ends of each edge: four along x, then y, then z, those of one axis by their signs along the two axes that follow it. Contacts name
    /// edges by this order.
    pub const EDGES: [[u32; 2]; 12] =
        [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [4, 6], [1, 3], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

    /// With these full side lengths [m].
    pub fn new(size: Vec3) -> Result<Self, GeometryError> {
        for side in size.iter() {
            check_positive_length("a side of the box", *side)?;
        }
        Ok(Self { half: 0.5 * size })
    }

    /// Full side lengths [m].
    pub fn size(&self) -> Vec3 {
        2.0 * self.half
    }

    /// Half the side lengths [m].
    pub fn half_size(&self) -> Vec3 {
        self.half
    }

    /// The eight corners [m]; corner i has its sign along axis k in bit k.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            Vec3::from_fn(|k, _| if i >> k & 1 == 1 { self.half[k] } else { -self.half[k] })
        })
    }

    /// The face whose plane is nearest to an inner point, as axis and outward sign; ties go to the first axis and the + side.
    fn nearest_face(&self, q: &Vec3) -> (usize, f64) {
        let mut axis = 0;
        for k in 1..3 {
            if self.half[k] - q[k].abs() < self.half[axis] - q[axis].abs() {
                axis = k;
            }
        }
        (axis, if q[axis] < 0.0 { -1.0 } else { 1.0 })
    }
}

impl Convex for Cuboid {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        direction.zip_map(&self.half, signed)
    }

    fn interior_point(&self) -> Vec3 {
        Vec3::zeros()
    }

    fn bounding_box(&self) -> Aabb {
        Aabb { min: -self.half, max: self.half }
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        BoundingSphere { center: Vec3::zeros(), radius: self.half.norm() }
    }

    fn volume(&self) -> f64 {
        self.size().product()
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        polytope::cuboid(&self.half).mass_properties(Vec3::zeros(), density)
    }

    fn cast_ray(&self, ray: &Ray) -> Option<RayHit> {
        if ray.origin.amax() > FAR {
            return None;
        }
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        let mut normal = -ray.direction;
        for k in 0..3 {
            let (o, d, h) = (ray.origin[k], ray.direction[k], self.half[k]);
            if d == 0.0 {
                // Parallel to this slab: in it or out of it for good.
                if o.abs() > h {
                    return None;
                }
                continue;
            }
            let side = if d > 0.0 { -1.0 } else { 1.0 };
            let (near, far) = ((side * h - o) / d, (-side * h - o) / d);
            if near > enter {
                enter = near;
                normal = Vec3::from_fn(|i, _| if i == k { side } else { 0.0 });
            }
            leave = leave.min(far);
        }
        if leave < 0.0 || enter > leave {
            return None;
        }
        if enter <= 0.0 {
            return Some(RayHit { distance: 0.0, normal: -ray.direction });
        }
        Some(RayHit { distance: enter, normal })
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| {
            let clamped = q.zip_map(&self.half, |c, h| c.clamp(-h, h));
            let offset = q - clamped;
            if offset.amax() > 0.0 {
                let normal = unit_or(&offset, &Vec3::x());
                return SurfacePoint { point: clamped, gap: length(&offset), normal };
            }
            let (axis, sign) = self.nearest_face(q);
            let mut surface = *q;
            surface[axis] = sign * self.half[axis];
            let normal = Vec3::from_fn(|i, _| if i == axis { sign } else { 0.0 });
            SurfacePoint { point: surface, gap: q[axis].abs() - self.half[axis], normal }
        })
    }

    fn contains(&self, point: &Vec3) -> bool {
        (0..3).all(|k| point[k].abs() <= self.half[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_are_counter_clockwise_and_in_the_order_of_their_axes() {
        let corners = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().corners();
        for (k, face) in Cuboid::FACES.iter().enumerate() {
            let [p, q, r, s] = face.map(|corner| corners[corner as usize]);
            let mut outward = Vec3::zeros();
            outward[k / 2] = if k % 2 == 1 { 1.0 } else { -1.0 };
            assert!((q - p).cross(&(r - q)).normalize() == outward, "face {k}");
            assert_eq!(p + r, q + s, "face {k} is a rectangle");
        }
    }

    #[test]
    fn every_edge_lies_in_two_faces_and_along_its_axis() {
        let corners = Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().corners();
        for (k, ends) in Cuboid::EDGES.iter().enumerate() {
            let [p, q] = ends.map(|corner| corners[corner as usize]);
            assert_eq!((q - p).imax(), k / 4);
            assert!((q - p).iter().filter(|x| **x != 0.0).count() == 1);
            let holds = |face: &&[u32; 4]| ends.iter().all(|end| face.contains(end));
            assert_eq!(Cuboid::FACES.iter().filter(holds).count(), 2);
        }
    }
}
