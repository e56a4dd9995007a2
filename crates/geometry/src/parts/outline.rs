//! Plane outlines: closed polygons without a repeated last point, in the plane of x and y.

use std::f64::consts::{PI, TAU};

use zerogap_core::math;

/// A point of the plane (x, y) [m].
pub type Point2 = [f64; 2];

/// `segments` points on a circle, counter-clockwise, the first at angle `start` [rad].
pub(super) fn circle(center: Point2, radius: f64, segments: usize, start: f64) -> Vec<Point2> {
    (0..segments)
        .map(|k| {
            let (s, c) = math::sin_cos(start + TAU * k as f64 / segments as f64);
            [center[0] + radius * c, center[1] + radius * s]
        })
        .collect()
}

/// A polygon of `segments` edges that touch a circle about the origin from outside, counter-clockwise, the middle of an edge on the x axis [m].
pub(super) fn circle_around(radius: f64, segments: usize) -> Vec<Point2> {
    let half_step = PI / segments as f64;
    circle([0.0, 0.0], radius / math::cos(half_step), segments, half_step)
}

/// Points on an arc from one angle to another [rad], both ends included, in the direction of the sweep.
pub(super) fn arc(center: Point2, radius: f64, from: f64, to: f64, segments: usize) -> Vec<Point2> {
    (0..=segments)
        .map(|k| {
            let t = k as f64 / segments as f64;
            let (s, c) = math::sin_cos(from * (1.0 - t) + to * t);
            [center[0] + radius * c, center[1] + radius * s]
        })
        .collect()
}

/// A rectangle about the origin with these full side lengths [m], counter-clockwise.
pub(super) fn rectangle(width: f64, depth: f64) -> Vec<Point2> {
    let (x, y) = (0.5 * width, 0.5 * depth);
    vec![[-x, -y], [x, -y], [x, y], [-x, y]]
}

/// Twice the enclosed area [m²], positive for counter-clockwise outlines.
pub(super) fn doubled_area(outline: &[Point2]) -> f64 {
    let Some(first) = outline.first() else { return 0.0 };
    // Relative to the first point, so that outlines far from the origin keep their digits.
    outline
        .windows(2)
        .map(|edge| {
            let (a, b) = (edge[0], edge[1]);
            (a[0] - first[0]) * (b[1] - first[1]) - (b[0] - first[0]) * (a[1] - first[1])
        })
        .sum()
}
