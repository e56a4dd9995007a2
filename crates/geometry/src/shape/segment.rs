//! A straight segment; with both ends in one place it is a point.

use zerogap_core::error::check_coordinates;
use zerogap_core::{Aabb, Vec3};

use super::direction::{from_any_distance, length, with_tame};
use super::{BoundingSphere, Convex, SupportHint, SurfacePoint};
use crate::GeometryError;
use crate::mass::{MassProperties, flat};
use crate::nearest::closest_on_segment;

/// A straight segment; with both ends in one place it is a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    ends: [Vec3; 2],
}

zerogap_core::store_struct!(Segment { ends } check |it| Self::new(it.ends[0], it.ends[1]));

impl Segment {
    /// Between two points [m].
    pub fn new(a: Vec3, b: Vec3) -> Result<Self, GeometryError> {
        Ok(Self {
            ends: [check_coordinates("the segment's start", a)?, check_coordinates("the segment's end", b)?],
        })
    }

    /// From the ends of a straight hull, whose coordinates were checked.
    pub(crate) fn from_hull(ends: [Vec3; 2]) -> Self {
        Self { ends }
    }

    /// The two ends [m].
    pub fn ends(&self) -> [Vec3; 2] {
        self.ends
    }

    /// Length [m].
    pub fn length(&self) -> f64 {
        length(&(self.ends[1] - self.ends[0]))
    }
}

impl Convex for Segment {
    #[inline]
    fn support(&self, direction: &Vec3, _: &mut SupportHint) -> Vec3 {
        // Each end's value by itself would lose the difference far from the origin.
        let [a, b] = &self.ends;
        with_tame(direction, |d| *if d.dot(&(b - a)) > 0.0 { b } else { a })
    }

    fn interior_point(&self) -> Vec3 {
        0.5 * (self.ends[0] + self.ends[1])
    }

    fn bounding_box(&self) -> Aabb {
        Aabb::from_points(&self.ends)
    }

    fn bounding_sphere(&self) -> BoundingSphere {
        let center = self.interior_point();
        let radius = length(&(self.ends[0] - center)).max(length(&(self.ends[1] - center)));
        BoundingSphere { center, radius }
    }

    fn volume(&self) -> f64 {
        0.0
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, GeometryError> {
        let [a, b] = self.ends;
        let middle = self.interior_point();
        flat::segment(&(a - middle), &(b - middle)).mass_properties(middle, density)
    }

    fn closest_point(&self, point: &Vec3) -> SurfacePoint {
        from_any_distance(point, |q| closest_on_segment(&self.ends[0], &self.ends[1], q))
    }
}
