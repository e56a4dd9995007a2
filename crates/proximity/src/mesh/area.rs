//! What two triangles that lie in one plane, or nearly, have in common.
//!
//! In: two triangles and the plane's normal. Out: a convex polygon. No allocation; same bits every time.

use zerogap_core::Vec3;

use crate::clip::ClippedPolygon;

/// Corners that two triangles have in common, at most [-].
const MAX_CORNERS: usize = 6;

/// The convex polygon that two triangles have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommonArea(ClippedPolygon<MAX_CORNERS>);

impl CommonArea {
    /// The part of a triangle over another, seen along the other's unit normal.
    pub(crate) fn over(triangle: &[Vec3; 3], [p, q, r]: &[Vec3; 3], normal: &Vec3) -> Self {
        let sides = [(p, q), (q, r), (r, p)];
        Self(sides.iter().fold(ClippedPolygon::new(triangle), |area, (from, to)| {
            let out = (*to - *from).cross(normal);
            area.cut(|corner| out.dot(&(corner - *from)), |corner| corner)
        }))
    }

    /// Its corners, in order [m].
    pub(crate) fn corners(&self) -> &[Vec3] {
        self.0.corners()
    }

    /// The same polygon with each corner moved.
    pub(crate) fn moved(&self, to: impl Fn(&Vec3) -> Vec3) -> Self {
        Self(self.0.moved(to))
    }

    /// The middle of its corners [m]; none where there is no area.
    pub(crate) fn middle(&self) -> Option<Vec3> {
        let corners = self.corners();
        (corners.len() >= 3).then(|| corners.iter().sum::<Vec3>() / corners.len() as f64)
    }

    /// About half its width, seen along a unit vector [m]: its area over half its border.
    pub(crate) fn width(&self, n: &Vec3) -> f64 {
        let (mut area, mut border) = (0.0, 0.0);
        let corners = self.corners();
        for (k, from) in corners.iter().enumerate() {
            let to = &corners[(k + 1) % corners.len()];
            area += 0.5 * n.dot(&(from - corners[0]).cross(&(to - corners[0])));
            border += (to - from).norm();
        }
        if border > 0.0 { 2.0 * area.abs() / border } else { 0.0 }
    }
}
