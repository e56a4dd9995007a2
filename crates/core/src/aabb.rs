//! Axis-aligned boxes.

use crate::{Pose, Vec3};

/// An axis-aligned bounding box; `min > max` in some axis means empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates [m].
    pub min: Vec3,
    /// Largest coordinates [m].
    pub max: Vec3,
}

impl Aabb {
    /// The box that contains nothing.
    pub fn empty() -> Self {
        Self { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) }
    }

    /// The smallest box around some points; empty when there are none.
    pub fn from_points<'a>(points: impl IntoIterator<Item = &'a Vec3>) -> Self {
        points.into_iter().fold(Self::empty(), |aabb, p| Self { min: aabb.min.inf(p), max: aabb.max.sup(p) })
    }

    /// The box with this centre and these full side lengths [m].
    pub fn from_center_size(center: Vec3, size: Vec3) -> Self {
        Self { min: center - 0.5 * size, max: center + 0.5 * size }
    }

    /// Whether the box contains nothing.
    #[inline]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|k| self.min[k] > self.max[k])
    }

    /// The middle [m].
    pub fn center(&self) -> Vec3 {
        0.5 * self.min + 0.5 * self.max
    }

    /// Full side lengths [m].
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// Length of the space diagonal [m]; 0 when empty.
    pub fn diagonal(&self) -> f64 {
        if self.is_empty() { 0.0 } else { self.size().norm() }
    }

    /// The smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// The box inflated by `margin` [m] on every side.
    pub fn expanded(&self, margin: f64) -> Self {
        Self { min: self.min.add_scalar(-margin), max: self.max.add_scalar(margin) }
    }

    /// Whether a point lies in the closed box.
    pub fn contains(&self, p: &Vec3) -> bool {
        (0..3).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// Whether the closed boxes share a point; touching counts.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "which axis keeps two boxes apart, no processor can foresee"
    )]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).fold(true, |both, k| both & (self.min[k] <= other.max[k]) & (other.min[k] <= self.max[k]))
    }

    /// Distance of two boxes [m]; 0 where they share a point.
    #[inline]
    pub fn distance(&self, other: &Self) -> f64 {
        (self.min - other.max).sup(&(other.min - self.max)).map(|x| x.max(0.0)).norm()
    }

    /// The smallest axis-aligned box around this box after a rigid motion.
    pub fn transformed(&self, pose: &Pose) -> Self {
        if self.is_empty() {
            return *self;
        }
        let center = pose.transform_point(&self.center());
        let half = pose.rotation_matrix().abs() * (0.5 * self.size());
        Self { min: center - half, max: center + half }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_box_is_the_neutral_element_of_union() {
        let unit = Aabb::from_center_size(Vec3::zeros(), Vec3::repeat(1.0));
        assert_eq!(Aabb::empty().union(&unit), unit);
        assert!(Aabb::empty().is_empty());
        assert!(!Aabb::empty().contains(&Vec3::zeros()));
        assert!(!Aabb::empty().overlaps(&unit));
        assert!(Aabb::empty().diagonal() == 0.0);
    }

    #[test]
    fn touching_boxes_overlap() {
        let a = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
        let b = Aabb { min: Vec3::new(1.0, 0.0, 0.0), max: Vec3::repeat(2.0) };
        assert!(a.overlaps(&b) && b.overlaps(&a));
        assert!(!a.overlaps(&Aabb { min: b.min.add_scalar(1e-9), max: b.max }));
    }

    #[test]
    fn boxes_are_apart_by_their_nearest_corners_edges_or_faces() {
        let a = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
        for (place, distance) in
            [((0.5, 0.5, 0.5), 0.0), ((1.0, 0.0, 0.0), 0.0), ((4.0, 5.0, 0.0), 5.0), ((3.0, 3.0, 2.0), 3.0)]
        {
            let b = Aabb {
                min: Vec3::new(place.0, place.1, place.2),
                max: Vec3::new(place.0, place.1, place.2).add_scalar(1.0),
            };
            assert_eq!((a.distance(&b), b.distance(&a)), (distance, distance));
        }
    }

    #[test]
    fn a_turned_box_is_bounded_tightly() {
        let a = Aabb::from_center_size(Vec3::new(1.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 1.0));
        let quarter = Pose::from_axis_angle(Vec3::zeros(), Vec3::z(), std::f64::consts::FRAC_PI_2).unwrap();
        let b = a.transformed(&quarter);
        assert!((b.min - Vec3::new(-0.5, 0.0, -0.5)).amax() < 1e-15);
        assert!((b.max - Vec3::new(0.5, 2.0, 0.5)).amax() < 1e-15);
    }
}
