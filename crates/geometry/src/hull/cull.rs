//! Which points can be on the hull at all: a cheap filter for large sets.

use zerogap_core::{Aabb, Vec3};

use super::exact::unit_normal;
use super::quick::quick_hull;
use super::span::{Span, span};

/// Below this many points the sample is too small to hold much.
const MIN_POINTS: usize = 2_000;

/// One point in this many is sampled: its hull is cheap, and the ball in it holds most of the points of a filled body (93 per cent of a
/// million points in a ball).
const STRIDE: usize = 32;

/// Relative to the bounding diagonal [-]: more than rounding can move a plane or a point.
const MARGIN: f64 = 1e-13;

/// Points that are not certainly inside the hull, in order.
///
/// Method: every 32nd point is a sample; the largest ball about the middle of the sample's hull, in coordinates scaled by the set's
///   bounding box, lies in the hull of all points, and so does whatever lies strictly inside it.
pub(crate) fn survivors(points: &[Vec3], min: &Vec3, max: &Vec3) -> Vec<u32> {
    let everything = || (0..points.len() as u32).collect();
    if points.len() < MIN_POINTS {
        return everything();
    }
    let sample: Vec<Vec3> = points.iter().step_by(STRIDE).copied().collect();
    let around = Aabb::from_points(&sample);
    let Span::Space(simplex) = span(&sample, &around.min, &around.max) else { return everything() };
    let all: Vec<u32> = (0..sample.len() as u32).collect();
    let hull = quick_hull(&sample, &all, around.size(), simplex).corners;

    // The least height of the middle below a triangle, measured in coordinates in which the bounding box is a unit cube.
    let extent = max - min;
    let margin = MARGIN * extent.norm();
    let center = around.center();
    let mut radius = f64::INFINITY;
    for corners in hull {
        let [a, b, c] = corners.map(|index| sample[index as usize]);
        let Some(normal) = unit_normal(&a, &b, &c) else { return everything() };
        let depth = normal.dot(&(a - center)) - margin;
        radius = radius.min(depth / normal.component_mul(&extent).norm());
    }
    if radius <= 0.0 {
        return everything();
    }
    let scale = extent.map(f64::recip);
    let within = radius * radius * (1.0 - MARGIN);
    let outside = |p: &Vec3| (p - center).component_mul(&scale).norm_squared() >= within;
    points.iter().enumerate().filter(|(_, p)| outside(p)).map(|(index, _)| index as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zerogap_testkit::random::Random;

    #[test]
    fn most_of_a_filled_ball_is_culled_and_none_of_its_hull() {
        let mut random = Random::new(41);
        for flatten in [1.0, 1e-9] {
            let points: Vec<Vec3> = (0..100_000)
                .map(|_| random.in_ball().component_mul(&Vec3::new(1.0, 1.0, flatten)))
                .map(|p| p + Vec3::new(3.0, 0.0, 0.0))
                .collect();
            let around = Aabb::from_points(&points);
            let kept = survivors(&points, &around.min, &around.max);
            assert!(kept.len() < points.len() / 2, "{} of {} are left", kept.len(), points.len());
            // The hull without culling, for comparison.
            let Span::Space(simplex) = span(&points, &around.min, &around.max) else { panic!("flat") };
            let all: Vec<u32> = (0..points.len() as u32).collect();
            for corner in quick_hull(&points, &all, around.size(), simplex).corners.iter().flatten() {
                assert!(kept.binary_search(corner).is_ok());
            }
        }
    }
}
