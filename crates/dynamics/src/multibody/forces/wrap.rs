//! Wrapping: the shortest way of a tendon around a sphere or a cylinder.
//!
//! In: two points, the geometry, and perhaps a point whose side the way must pass. Out: the points in which the way touches and its length between them, or none where the straight way is free.
//!
//! A sphere is wrapped in the plane of both points and its centre, a cylinder in the plane across its axis, in which the way is two tangents and an arc of a circle; along the axis of a cylinder it rises in proportion to its
//! length, as a straight line on the unrolled cylinder does.

use std::f64::consts::TAU;

use zerogap_core::math::{acos, atan2, hypot, sin_cos, tangents};
use zerogap_core::{Pose, Vec3};

use super::Site;

/// Two directions whose cross product is shorter have no plane [-].
const PARALLEL: f64 = 1e-12;

/// A sphere or a cylinder that a tendon wraps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrap {
    /// Where it is; the axis of a cylinder is z.
    pub at: Site,
    /// Its radius [m].
    pub radius: f64,
    /// Whether it is a cylinder, of any length.
    pub is_cylinder: bool,
    /// A point outside, on the side of which the tendon stays.
    pub side: Option<Site>,
}

zerogap_core::store_struct!(Wrap { at, radius, is_cylinder, side });

/// The way along the surface.
pub(super) struct Arc {
    pub(super) points: [Vec3; 2],
    pub(super) length: f64,
}

impl Wrap {
    /// The part of the way from `a` to `b` along the surface; none where the straight way does not pass through, or an end is inside.
    ///
    /// Tolerance: lengths and points to 1e-14 of the distances [m]; the length is continuous where the way begins to touch.
    pub(super) fn arc(&self, place: &Pose, a: Vec3, b: Vec3, side: Option<Vec3>) -> Option<Arc> {
        let [a, b] = [a, b].map(|point| place.inverse_transform_point(&point));
        let side = side.map(|point| place.inverse_transform_point(&point));
        // The plane of the circle.
        let (x, y) = if self.is_cylinder {
            (Vec3::x(), Vec3::y())
        } else {
            let x = a.try_normalize(f64::MIN_POSITIVE)?;
            let across = x.cross(&b);
            let normal =
                if across.norm() > PARALLEL * b.norm() { across.normalize() } else { tangents(&x).0 };
            (x, normal.cross(&x))
        };
        let flat = |point: Vec3| [point.dot(&x), point.dot(&y)];
        let turns = Circle { radius: self.radius, a: flat(a), b: flat(b), side: side.map(flat) }.turns()?;
        let along = turns.angle * self.radius;
        let on = |angle: f64, height: f64| {
            let (sine, cosine) = sin_cos(angle);
            (x * cosine + y * sine) * self.radius + Vec3::z() * height
        };
        let (heights, length) = if self.is_cylinder {
            let rise = (b.z - a.z) / (turns.before + along + turns.after);
            let heights = [a.z + rise * turns.before, a.z + rise * (turns.before + along)];
            (heights, (along * along + (rise * along).powi(2)).sqrt())
        } else {
            ([0.0; 2], along)
        };
        let points = [on(turns.from, heights[0]), on(turns.to, heights[1])];
        Some(Arc { points: points.map(|point| place.transform_point(&point)), length })
    }
}

/// A circle about the origin, two points outside of it, and a point whose side counts.
struct Circle {
    radius: f64,
    a: [f64; 2],
    b: [f64; 2],
    side: Option<[f64; 2]>,
}

/// A way around a circle: angles at which it touches, the angle between them, and the lengths of its straight parts.
struct Turns {
    from: f64,
    to: f64,
    angle: f64,
    before: f64,
    after: f64,
}

impl Circle {
    fn turns(&self) -> Option<Turns> {
        let length = |p: [f64; 2]| hypot(p[0], p[1]);
        let (far_a, far_b) = (length(self.a), length(self.b));
        if far_a <= self.radius || far_b <= self.radius {
            return None;
        }
        // The point of the straight way that is nearest to the centre.
        let way = [self.b[0] - self.a[0], self.b[1] - self.a[1]];
        let square = way[0] * way[0] + way[1] * way[1];
        let part = if square > 0.0 {
            (-(way[0] * self.a[0] + way[1] * self.a[1]) / square).clamp(0.0, 1.0)
        } else {
            0.0
        };
        let nearest = [self.a[0] + part * way[0], self.a[1] + part * way[1]];
        let towards = |p: [f64; 2], side: [f64; 2]| p[0] * side[0] + p[1] * side[1];
        if length(nearest) >= self.radius && self.side.is_none_or(|side| towards(nearest, side) >= 0.0) {
            return None;
        }
        // Both ways around: the tangent points stand by these angles before and after the ends.
        let [at_a, at_b] = [self.a, self.b].map(|p| atan2(p[1], p[0]));
        let [off_a, off_b] = [far_a, far_b].map(|far| acos(self.radius / far));
        let around = |sense: f64| {
            let (from, to) = (at_a + sense * off_a, at_b - sense * off_b);
            let angle = (sense * (to - from)).rem_euclid(TAU);
            // A way that has just come off is turned by nothing, not by all.
            let angle = if angle > TAU - 1e-9 { 0.0 } else { angle };
            Turns { from, to, angle, before: far_a * sin_cos(off_a).0, after: far_b * sin_cos(off_b).0 }
        };
        let [left, right] = [around(1.0), around(-1.0)];
        let total = |turns: &Turns| turns.before + turns.angle * self.radius + turns.after;
        let Some(side) = self.side else {
            return Some(if total(&left) <= total(&right) { left } else { right });
        };
        let middle = |turns: &Turns, sense: f64| {
            let (sine, cosine) = sin_cos(turns.from + sense * 0.5 * turns.angle);
            towards([cosine, sine], side)
        };
        Some(if middle(&left, 1.0) >= middle(&right, -1.0) { left } else { right })
    }
}
