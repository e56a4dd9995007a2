//! The smallest ball around points.

use nalgebra::Matrix3;
use zerogap_core::{Aabb, Vec3};

use crate::BoundingSphere;

/// A point this much farther than the radius [-] does not make the ball grow any more.
const SLACK: f64 = 1e-12;

/// The radius grows with every step, so that no step repeats; a few are enough (at most 9 in the tests).
const MAX_STEPS: usize = 100;

/// The smallest ball around points with the given bounding box.
///
/// Method: pivoting on the farthest point as in Gärtner 1999; differs from it: the ball of few points is found by trying all subsets. The smallest ball around a few points grows by the farthest point outside until none is outside; of these few only those
///   on the ball are kept (at most four).
/// Tolerance: contains every point; the radius is within 1e-9 of the smallest for points in general position, and never more
///   than that of the ball around the bounding box.
/// Cost: O(n) per step.
pub(crate) fn bounding_sphere(points: &[Vec3], around: &Aabb) -> BoundingSphere {
    let middle = around.center();
    let farthest = |center: &Vec3| {
        let mut best = (0, -1.0);
        for (index, p) in points.iter().enumerate() {
            let distance = (p - center).norm_squared();
            if distance > best.1 {
                best = (index, distance);
            }
        }
        (best.0, best.1.max(0.0).sqrt())
    };
    // Every centre tried gives a ball around all points: the best one counts.
    let (mut index, reach) = farthest(&middle);
    let mut best = BoundingSphere { center: middle, radius: reach };
    let mut kept: Vec<Vec3> = Vec::new();
    let mut radius = -1.0;
    for _ in 0..MAX_STEPS {
        kept.push(points[index]);
        let Some((center, inflated, on)) = ball_of_few(&kept) else { break };
        let (next, reach) = farthest(&center);
        if reach < best.radius {
            best = BoundingSphere { center, radius: reach };
        }
        if inflated <= radius || reach <= inflated * (1.0 + SLACK) {
            break;
        }
        (kept, radius, index) = (on, inflated, next);
    }
    // The distances were rounded: a slightly larger radius contains them however they are computed.
    best.radius += 8.0 * f64::EPSILON * best.radius;
    best
}

impl BoundingSphere {
    /// A ball around points [m], the smallest within 1e-9 in general position; none for no points.
    pub fn of_points(points: &[Vec3]) -> Option<Self> {
        (!points.is_empty()).then(|| bounding_sphere(points, &Aabb::from_points(points)))
    }
}

/// The smallest ball around at most five points, by trying every subset as the set of points on it: centre, radius, the subset.
fn ball_of_few(points: &[Vec3]) -> Option<(Vec3, f64, Vec<Vec3>)> {
    let mut best: Option<(Vec3, f64, Vec<Vec3>)> = None;
    for subset in 1_u32..1 << points.len() {
        if subset.count_ones() > 4 {
            continue;
        }
        let on: Vec<Vec3> = (0..points.len()).filter(|k| subset >> k & 1 == 1).map(|k| points[k]).collect();
        let Some(center) = circumcenter(&on) else { continue };
        let radius = (on[0] - center).norm();
        let contains_all = points.iter().all(|p| (p - center).norm() <= radius * (1.0 + SLACK));
        if contains_all && best.as_ref().is_none_or(|(_, smallest, _)| radius < *smallest) {
            best = Some((center, radius, on));
        }
    }
    best
}

/// The point of the affine span of one to four points that is equally far from all of them.
fn circumcenter(on: &[Vec3]) -> Option<Vec3> {
    // c = p0 + Σ x_k e_k with e_k · (c - p0) = |e_k|² / 2; unused rows of the Gram system stay the identity.
    let edges: Vec<Vec3> = on.iter().skip(1).map(|p| p - on[0]).collect();
    let scale = edges.iter().map(Vec3::amax).fold(0.0, f64::max);
    if scale == 0.0 {
        return (on.len() == 1).then_some(on[0]);
    }
    let unit: Vec<Vec3> = edges.iter().map(|e| e / scale).collect();
    let gram = Matrix3::from_fn(|i, j| match (unit.get(i), unit.get(j)) {
        (Some(u), Some(v)) => u.dot(v),
        _ => f64::from(u8::from(i == j)),
    });
    let half = Vec3::from_fn(|i, _| unit.get(i).map_or(0.0, |u| 0.5 * u.norm_squared()));
    let x = gram.full_piv_lu().solve(&half)?;
    let offset: Vec3 = unit.iter().zip(x.iter()).map(|(u, x)| u * *x).sum();
    let center = on[0] + offset * scale;
    center.iter().all(|c| c.is_finite()).then_some(center)
}
