//! What two triangles that lie in one plane, or nearly, have in common.
//!
//! In: two triangles and the plane's normal. Out: a convex polygon. No allocation; same bits every time.

use zerogap_core::Vec3;

/// Corners that two triangles have in common, at most [-].
const MAX_CORNERS: usize = 6;

/// A plane convex polygon with room for what the cuts add.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommonArea {
    corners: [Vec3; MAX_CORNERS],
    count: usize,
}

impl CommonArea {
    /// The part of a triangle over another, seen along the other's unit normal.
    pub(crate) fn over(triangle: &[Vec3; 3], [p, q, r]: &[Vec3; 3], normal: &Vec3) -> Self {
        let mut area = Self { corners: [Vec3::zeros(); MAX_CORNERS], count: 0 };
        for corner in triangle {
            area.push(*corner);
        }
        [(p, q), (q, r), (r, p)]
            .iter()
            .fold(area, |area, (from, to)| area.cut(from, &(*to - *from).cross(normal)))
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
        // Each of three cuts adds one corner at most.
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }

    /// What lies on the inner side of the plane through `on` with the outward normal `out`.
    fn cut(&self, on: &Vec3, out: &Vec3) -> Self {
        let mut kept = Self { count: 0, ..*self };
        for (k, from) in self.corners().iter().enumerate() {
            let to = &self.corners()[(k + 1) % self.count];
            let (out_from, out_to) = (out.dot(&(from - on)), out.dot(&(to - on)));
            if out_from <= 0.0 {
                kept.push(*from);
            }
            if (out_from < 0.0 && out_to > 0.0) || (out_from > 0.0 && out_to < 0.0) {
                kept.push(from + (to - from) * (out_from / (out_from - out_to)));
            }
        }
        kept
    }

    /// The middle of its corners [m]; none where there is no area.
    pub(crate) fn middle(&self) -> Option<Vec3> {
        (self.count >= 3).then(|| self.corners().iter().sum::<Vec3>() / self.count as f64)
    }

    /// About half its width, seen along a unit vector [m]: its area over half its border.
    pub(crate) fn width(&self, n: &Vec3) -> f64 {
        let (mut area, mut border) = (0.0, 0.0);
        for (k, from) in self.corners().iter().enumerate() {
            let to = &self.corners()[(k + 1) % self.count];
            area += 0.5 * n.dot(&(from - self.corners[0]).cross(&(to - self.corners[0])));
            border += (to - from).norm();
        }
        if border > 0.0 { 2.0 * area.abs() / border } else { 0.0 }
    }
}
