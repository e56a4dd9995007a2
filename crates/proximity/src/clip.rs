//! Plane convex polygons that planes cut, in arrays of fixed size.
//!
//! In: corners in order, and heights over cutting planes. Out: what lies below them. No allocation; same bits every time.

use zerogap_core::Vec3;

/// A plane convex polygon with room for `N` corners: as many as there are at the start, and one more for each cut.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClippedPolygon<const N: usize> {
    corners: [Vec3; N],
    count: usize,
}

impl<const N: usize> ClippedPolygon<N> {
    /// From its corners, in order [m].
    pub(crate) fn new(corners: &[Vec3]) -> Self {
        let mut polygon = Self { corners: [Vec3::zeros(); N], count: 0 };
        for corner in corners {
            polygon.push(*corner);
        }
        polygon
    }

    /// Its corners, in order [m].
    pub(crate) fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    /// The same polygon with each corner moved.
    pub(crate) fn moved(&self, to: impl Fn(&Vec3) -> Vec3) -> Self {
        Self { corners: self.corners.map(|corner| to(&corner)), count: self.count }
    }

    fn push(&mut self, corner: Vec3) {
        // Each cut adds one corner at most; rounding cannot make it more than fit.
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    /// What lies below a plane: where `height` is not positive. `onto` moves a point between two corners, which is in the plane to rounding.
    pub(crate) fn cut(&self, height: impl Fn(&Vec3) -> f64, onto: impl Fn(Vec3) -> Vec3) -> Self {
        let mut kept = Self { count: 0, ..*self };
        for (k, from) in self.corners().iter().enumerate() {
            let to = &self.corners()[(k + 1) % self.count];
            let (out_from, out_to) = (height(from), height(to));
            if out_from <= 0.0 {
                kept.push(*from);
            }
            if (out_from < 0.0 && out_to > 0.0) || (out_from > 0.0 && out_to < 0.0) {
                kept.push(onto(from + (to - from) * (out_from / (out_from - out_to))));
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_cut_by_the_sides_of_another_is_what_they_have_in_common() {
        let corner = |x: f64, y: f64| Vec3::new(x, y, 1.0);
        let square = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let mut polygon = ClippedPolygon::<8>::new(&square);
        for out in [Vec3::new(1.0, 1.0, 0.0), Vec3::new(-1.0, 1.0, 0.0), -Vec3::new(1.0, 1.0, 0.0)] {
            polygon = polygon.cut(|p| out.dot(p) - 1.5, |p| p);
        }
        assert_eq!(polygon.corners().len(), 7);
        let area: f64 = polygon.corners().windows(2).map(|two| 0.5 * two[0].cross(&two[1]).z).sum();
        let last = polygon.corners()[6].cross(&polygon.corners()[0]).z;
        assert!((area + 0.5 * last - (4.0 - 3.0 * 0.125)).abs() < 1e-15);
        // Beyond a side nothing is left.
        assert!(polygon.cut(|p| 2.0 - p.x, |p| p).corners().is_empty());
    }
}
