//! A flat triangle; with its corners in one line it is a segment, in one place a point.

use zerogap_core::error::check_coordinates;
use zerogap_core::store::{Reader, Store, StoreError, Writer};
use zerogap_core::{Aabb, Vec3};

use super::direction::{from_any_distance, length, unit_or, with_tame};
use super::{BoundingSphere, Convex, Segment, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::hull::{area_vector, power_of_two_below};
use crate::mass::{MassProperties, flat};
use crate::nearest::{closest_on_polygon, closest_on_segment};

/// Sine of the angle at the corner opposite the longest side below which the corners count as lying in one line [-]: the third
/// corner is then off the longest side by the rounding of the coordinates.
const COLLINEAR: f64 = 4.0 * f64::EPSILON;

/// A flat triangle; with its corners in one line it is a segment, in one place a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    corners: [Vec3; 3],
    /// Unit normal by the right-hand rule; `None` when the corners lie in one line.
    normal: Option<Vec3>,
    /// The corner opposite the longest side.
    blunt: usize,
}

/// The corners; the rest follows from them.
impl Store for Triangle {
    fn put(&self, out: &mut Writer) {
        self.corners.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        let [a, b, c] = Store::take(from)?;
        Self::new(a, b, c).map_err(|why| from.invalid("triangle", &why))
    }
}

impl Triangle {
    /// From three corners [m].
    pub fn new(a: Vec3, b: Vec3, c: Vec3) -> Result<Self, GeometryError> {
        for corner in [a, b, c] {
            check_coordinates("a corner of the triangle", corner)?;
        }
        let corners = [a, b, c];
        let side = |i: usize| length(&(corners[(i + 2) % 3] - corners[(i + 1) % 3]));
        let mut blunt = 0;
        for i in 1..3 {
            if side(i) > side(blunt) {
                blunt = i;
            }
        }
        // A plain cross product would turn the normal of a needle by its rounding over the needle's width. The power of two keeps
        // the digits of the corners and their products from underflowing.
        let longest = side(blunt);
        let scale = power_of_two_below(longest).recip();
        let [a, b, c] = corners.map(|corner| corner * scale);
        let area = area_vector(&a, &b, &c);
        let flat = area.norm() > COLLINEAR * (longest * scale).powi(2);
        Ok(Self { corners, normal: flat.then(|| unit_or(&area, &Vec3::z())), blunt })
    }

    /// The three corners [m].
    pub fn corners(&self) -> [Vec3; 3] {
        self.corners
    }

    /// Unit normal by the right-hand rule [-]; `None` when the corners lie in one line.
    pub fn normal(&self) -> Option<Vec3> {
        self.normal
    }

    /// The segment that the triangle is when its corners lie in one line: its longest side.
    pub fn longest_side(&self) -> [Vec3; 2] {
        [self.corners[(self.blunt + 1) % 3], self.corners[(self.blunt + 2) % 3]]
    }
}

impl Convex for Triangle {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        let [a, b, c] = &self.corners;
        // Directions come in no order that a branch predictor could learn: choose between
        // addresses, which takes no branch.
        with_tame(direction, |d| {
            let (to_b, to_c) = (d.dot(&(b - a)), d.dot(&(c - a)));
            let first_two = if to_b > 0.0 { b } else { a };
            *if to_c > to_b.max(0.0) { c } else { first_two }
        })
    }

    fn interior_point(&self) -> Vec3 {
        if self.normal.is_none() {
            let [a, b] = self.longest_side();
            return 0.5 * (a + b);
        }
        let [a, b, c] = self.corners;
        a + ((b - a) + (c - a)) / 3.0
    }

    fn bounding_box(&self) -> Aabb {
        Aabb::from_points(&self.corners)
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        // Blunt or flat: the ball over the longest side. Acute: the circumcircle's ball.
        let [b, c] = self.longest_side();
        let a = self.corners[self.blunt];
        let (u, v) = (b - a, c - a);
        let center = match self.normal {
            Some(_) if u.dot(&v) > 0.0 => {
                let cross = u.cross(&v);
                let lift = (v.cross(&cross) * u.norm_squared() + cross.cross(&u) * v.norm_squared())
                    / (2.0 * cross.norm_squared());
                if lift.iter().all(|x| x.is_finite()) { a + lift } else { self.interior_point() }
            }
            _ => 0.5 * (b + c),
        };
        let radius = self.corners.iter().map(|p| length(&(p - center))).fold(0.0, f64::max);
        BoundingSphere { center, radius }
    }

    fn volume(&self) -> f64 {
        0.0
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let Some(normal) = self.normal else {
            let [a, b] = self.longest_side();
            return Segment::new(a, b)?.mass_properties(density);
        };
        let middle = self.interior_point();
        flat::polygon(&self.corners, &normal, &middle).mass_properties(middle, density)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| {
            if let Some(normal) = &self.normal {
                return closest_on_polygon(&self.corners, normal, q);
            }
            let [a, b] = self.longest_side();
            closest_on_segment(&a, &b, q)
        })
    }
}
