//! Two-sided bounds on the signed distance of any two convex sets, from their support points alone.
//!
//! In: for each set a function that gives its farthest point along a direction, in the world. Out: an interval around the gap. The
//! hulls of support points lie in the sets: their exact signed distance is an upper bound. The separation of the sets along
//! the normal found there is a lower bound. More support points about that normal bring the two together.

use zerogap_core::math::{sin_cos, tangents};
use zerogap_core::{Pose, Vec3};

use crate::exact_distance::signed_distance;

/// Directions of the first sample [-].
const FIRST: usize = 60;

/// Maximum number of rounds of refinement [-]; smooth sets need about ten.
const MAX_ROUNDS: usize = 60;

/// Angles of the directions added about the best one, against the square root of what is left between the bounds [-].
const RINGS: [f64; 3] = [1.0, 0.25, 1.0 / 32.0];

/// Bounds on a signed distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lower bound of the signed distance, but for rounding [m].
    pub lower: f64,
    /// Upper bound of the signed distance, but for rounding [m].
    pub upper: f64,
}

impl Bounds {
    /// How far a value lies outside [m]: 0 inside.
    pub fn error(&self, value: f64) -> f64 {
        (self.lower - value).max(value - self.upper).max(0.0)
    }
}

/// Bounds on the signed distance of two convex sets, refined until they are `tolerance` [m] apart or nothing helps any more.
///
/// Rounding: that of the support points, a few ulp of their coordinates.
pub fn bounds(a: &dyn Fn(&Vec3) -> Vec3, b: &dyn Fn(&Vec3) -> Vec3, size: f64, tolerance: f64) -> Bounds {
    let here = Pose::identity();
    let (mut points_a, mut points_b) = (Vec::new(), Vec::new());
    let add = |n: &Vec3, points_a: &mut Vec<Vec3>, points_b: &mut Vec<Vec3>| {
        let (p, q) = (a(n), b(&-n));
        for (point, points) in [(p, points_a), (q, points_b)] {
            if !points.contains(&point) {
                points.push(point);
            }
        }
    };
    for n in spread(FIRST) {
        add(&n, &mut points_a, &mut points_b);
    }
    let mut best = Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
    for _ in 0..MAX_ROUNDS {
        let inner = signed_distance(&points_a, &here, &points_b, &here);
        let n = inner.normal;
        best.upper = best.upper.min(inner.hi);
        best.lower = best.lower.max(n.dot(&b(&-n)) - n.dot(&a(&n)));
        let left = best.upper - best.lower;
        let known = points_a.len() + points_b.len();
        if left <= tolerance {
            break;
        }
        add(&n, &mut points_a, &mut points_b);
        let (t1, t2) = tangents(&n);
        for ring in RINGS {
            let angle = ring * (left / size).min(1.0).sqrt();
            for k in 0..6 {
                let (s, c) = sin_cos(f64::from(k) * std::f64::consts::TAU / 6.0);
                add(&(n + (t1 * c + t2 * s) * angle).normalize(), &mut points_a, &mut points_b);
            }
        }
        if points_a.len() + points_b.len() == known {
            break;
        }
    }
    best
}

/// Directions spread evenly over the sphere, on a spiral.
fn spread(n: usize) -> impl Iterator<Item = Vec3> {
    // The golden angle keeps neighbouring turns apart.
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..n).map(move |k| {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / n as f64;
        let (s, c) = sin_cos(golden * k as f64);
        let rim = (1.0 - z * z).sqrt();
        Vec3::new(rim * c, rim * s, z)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_have_their_closed_form_apart_and_in_overlap() {
        // Nearly concentric balls would need more points: there the bounds stay apart, and true.
        for (distance, expected) in [(3.0, 1.5), (1.5, 0.0), (1.0, -0.5), (0.75, -0.75)] {
            let center = Vec3::new(0.6, 0.0, 0.8) * distance;
            let found = bounds(&|n| *n, &|n| center + n * 0.5, 1.5, 1e-13);
            assert!(found.upper - found.lower <= 1e-12, "{found:?}");
            assert!(found.error(expected) <= 1e-15, "{found:?} against {expected}");
        }
    }

    #[test]
    fn a_ball_in_a_ridge_has_its_depth() {
        // A prism of two slopes, square across the x axis, and a ball under its ridge: the slope gives the shortest separating translation.
        let prism = |n: &Vec3| {
            Vec3::new(
                n.x.signum(),
                n.y.signum() * f64::from(n.y.abs() > n.z),
                n.z.max(0.0).signum() * f64::from(n.z >= n.y.abs()),
            )
        };
        let found = bounds(&prism, &|n| Vec3::new(0.0, 0.1, 0.5) + n * 0.25, 2.0, 1e-13);
        let expected = -(0.4 / 2.0_f64.sqrt() + 0.25);
        assert!(found.error(expected) <= 1e-15 && found.upper - found.lower <= 1e-12, "{found:?} {expected}");
    }
}
