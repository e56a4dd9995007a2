//! The convex polygon around points that lie in a plane.

use zerogap_core::Vec3;

use super::exact::{turn, unit_normal};
use crate::nearest::segment_distance;

/// Corners and normal of the polygon around a flat set.
pub(crate) struct FlatHull {
    /// Indices of the corners, counter-clockwise seen from the tip of the normal.
    pub(crate) corners: Vec<u32>,
    /// Unit normal; its largest component is positive.
    pub(crate) normal: Vec3,
}

/// The hull of points that lie within the flat tolerance of the plane through three of them.
///
/// Method: the points are projected along the axis nearest to the normal; monotone chain with exact turns (Andrew 1979); then
///   corners within `tolerance` of a straight side are left out, so that a rotated square of points has four corners.
/// Tolerance: without the last step exact for points exactly in the plane; that step moves the border by at most `tolerance` [m].
/// Order: starts at the corner farthest from the one with the smallest projected coordinates.
pub(crate) fn flat_hull(points: &[Vec3], plane: [usize; 3], tolerance: f64) -> FlatHull {
    let [a, b, c] = plane.map(|index| points[index]);
    let normal = unit_normal(&a, &b, &c).unwrap_or_else(Vec3::z);
    let axis = normal.iamax();
    let normal = if normal[axis] < 0.0 { -normal } else { normal };
    let project = |index: u32| {
        let p = &points[index as usize];
        [p[(axis + 1) % 3], p[(axis + 2) % 3]]
    };

    // Sorted by projected coordinates, then by index: of equal points the first one given stays.
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_unstable_by(|&i, &j| {
        let (p, q) = (project(i), project(j));
        p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])).then(i.cmp(&j))
    });
    order.dedup_by_key(|index| project(*index).map(f64::to_bits));

    // Lower chain from left to right, upper chain back; only strict left turns stay.
    let mut corners: Vec<u32> = Vec::new();
    let mut extend = |sequence: &mut dyn Iterator<Item = u32>| {
        let base = corners.len().saturating_sub(1);
        for index in sequence {
            while corners.len() >= base + 2
                && turn(
                    project(corners[corners.len() - 2]),
                    project(corners[corners.len() - 1]),
                    project(index),
                ) <= 0.0
            {
                corners.pop();
            }
            corners.push(index);
        }
    };
    extend(&mut order.iter().copied());
    extend(&mut order.iter().rev().skip(1).copied());
    corners.pop();
    FlatHull { corners: without_straight_corners(points, &corners, tolerance), normal }
}

/// Leaves out corners that lie within `tolerance` of the side that remains without them.
fn without_straight_corners(points: &[Vec3], corners: &[u32], tolerance: f64) -> Vec<u32> {
    let at = |index: u32| points[index as usize];
    // A point farthest from another one is a corner beyond doubt: a good place to start.
    let mut start = 0;
    for (k, &index) in corners.iter().enumerate() {
        if (at(index) - at(corners[0])).norm_squared() > (at(corners[start]) - at(corners[0])).norm_squared()
        {
            start = k;
        }
    }
    let mut kept = vec![corners[start]];
    let mut skipped: Vec<u32> = Vec::new();
    for k in 1..=corners.len() {
        let next = corners[(start + k) % corners.len()];
        let from = at(kept[kept.len() - 1]);
        // All corners left out since the last kept one are measured again, so that errors cannot add up.
        if skipped.iter().any(|&index| segment_distance(&from, &at(next), &at(index)) > tolerance) {
            kept.extend(skipped.pop());
            skipped.clear();
        }
        skipped.push(next);
    }
    kept
}
