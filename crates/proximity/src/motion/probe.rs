//! Two moving bodies as a pair, with queries for its gap and for how long a direction separates it.
//!
//! In: shapes and [`Motion`]s. Out: a [`Chase`]: what `advance` and `clearance` need to know of a pair, whatever it is made of.

use zerogap_core::{Gap, GapStatus, NormalKind, Pose, Vec3};
use zerogap_geometry::shape::HalfSpace;
use zerogap_geometry::{Convex, ConvexShape, SupportHint};

use super::Motion;
use super::reach::Reach;
use crate::convex::{DistanceParams, PairCache, distance_with, separation};

/// Roundings between motions at a time and a separation, against the coordinates that enter [-]: those of poses and of separations.
pub(super) const ROUNDINGS: f64 = 64.0 * f64::EPSILON;

/// A pair of bodies in motion.
pub(super) trait Chase {
    /// The gap at a time [m], in the world.
    fn gap(&mut self, t: f64) -> Gap;

    /// Separation at time `t` along the direction that was `n` where a gap was found [m]; never more than the gap.
    fn along(&mut self, t: f64, n: &Vec3) -> f64;

    /// Separation along `n` at time `t` however the bodies are rotated about their centres, and its rate [m, m/s]; None where there is no such bound.
    fn along_any_turn(&self, t: f64, n: &Vec3) -> Option<(f64, f64)>;

    /// Largest amount by which the height of a point of B over a point of A along the direction bends in time [m/s²].
    fn bend(&self, n: &Vec3) -> f64;

    /// Largest amount by which the separation along the direction can fall per time [m/s].
    fn max_closing(&self, n: &Vec3) -> f64;

    /// What rounding can hide in a gap or separation at any time [m].
    fn rounding(&self) -> f64;

    /// How fast the witness points of a gap at time `t` move apart along its normal [m/s].
    fn rate(&self, t: f64, gap: &Gap) -> f64;
}

/// Two convex shapes.
pub(super) struct ConvexChase<'a> {
    pub(super) a: &'a ConvexShape,
    pub(super) motion_a: &'a Motion,
    pub(super) reach_a: Reach,
    pub(super) b: &'a ConvexShape,
    pub(super) motion_b: &'a Motion,
    pub(super) reach_b: Reach,
    pub(super) cache: &'a mut PairCache,
}

impl<'a> ConvexChase<'a> {
    pub(super) fn new(
        a: &'a ConvexShape,
        motion_a: &'a Motion,
        b: &'a ConvexShape,
        motion_b: &'a Motion,
        duration: f64,
        cache: &'a mut PairCache,
    ) -> Self {
        let reach_a = Reach::of_convex(a, motion_a, duration);
        let reach_b = Reach::of_convex(b, motion_b, duration);
        Self { a, motion_a, reach_a, b, motion_b, reach_b, cache }
    }
}

impl Chase for ConvexChase<'_> {
    fn gap(&mut self, t: f64) -> Gap {
        let (pose_a, pose_b) = (self.motion_a.pose(t), self.motion_b.pose(t));
        distance_with(self.a, &pose_a, self.b, &pose_b, &DistanceParams::default(), self.cache)
    }

    fn along(&mut self, t: f64, n: &Vec3) -> f64 {
        separation(self.a, &self.motion_a.pose(t), self.b, &self.motion_b.pose(t), n)
    }

    fn along_any_turn(&self, t: f64, n: &Vec3) -> Option<(f64, f64)> {
        let between = self.motion_b.center_at(t) - self.motion_a.center_at(t);
        let reach = self.reach_a.along_any_turn(n) + self.reach_b.along_any_turn(&-n);
        Some((n.dot(&between) - reach, n.dot(&(self.motion_b.velocity() - self.motion_a.velocity()))))
    }

    fn bend(&self, n: &Vec3) -> f64 {
        self.reach_a.bend(n) + self.reach_b.bend(n)
    }

    fn max_closing(&self, n: &Vec3) -> f64 {
        let straight = n.dot(&(self.motion_a.velocity() - self.motion_b.velocity()));
        straight + self.reach_a.speed(n) + self.reach_b.speed(n)
    }

    fn rounding(&self) -> f64 {
        ROUNDINGS * (self.reach_a.coordinates + self.reach_b.coordinates)
    }

    fn rate(&self, t: f64, gap: &Gap) -> f64 {
        rate(self.motion_a, self.motion_b, t, gap)
    }
}

/// What a plane asks of a body.
pub(super) trait Supported {
    /// The point farthest along a direction, in the body's frame [m].
    fn farthest(&self, direction: &Vec3) -> Vec3;

    /// How far it reaches.
    fn reach(&self, motion: &Motion, duration: f64) -> Reach;
}

impl Supported for ConvexShape {
    fn farthest(&self, direction: &Vec3) -> Vec3 {
        self.support(direction, &mut SupportHint::default())
    }

    fn reach(&self, motion: &Motion, duration: f64) -> Reach {
        Reach::of_convex(self, motion, duration)
    }
}

/// A half-space A, which may turn, and a bounded body B. The direction is that of its plane, wherever that points.
pub(super) struct PlaneChase<'a, S> {
    a: &'a HalfSpace,
    motion_a: &'a Motion,
    b: &'a S,
    motion_b: &'a Motion,
    reach_b: Reach,
    /// Largest distance of points of B from A's centre over the whole time [m].
    pub(super) far: f64,
    /// Size of the coordinates of A [m].
    coordinates: f64,
}

impl<'a, S: Supported> PlaneChase<'a, S> {
    pub(super) fn new(
        a: &'a HalfSpace,
        motion_a: &'a Motion,
        b: &'a S,
        motion_b: &'a Motion,
        duration: f64,
    ) -> Self {
        let reach_b = b.reach(motion_b, duration);
        // Centres move on straight lines: the distance between them is largest at one of the ends.
        let between = |t: f64| (motion_b.center_at(t) - motion_a.center_at(t)).norm();
        let far = between(0.0).max(between(duration)) + reach_b.whole;
        let displacement = (motion_a.velocity() * duration).norm() + motion_a.spin().norm() * duration * far;
        let coordinates = motion_a.start().translation().norm()
            + motion_a.center().norm()
            + displacement
            + a.offset().abs();
        Self { a, motion_a, b, motion_b, reach_b, far, coordinates }
    }

    /// Largest speed of a point of B, as seen from A's centre without A's turn [m/s].
    pub(super) fn any_speed(&self) -> f64 {
        (self.motion_b.velocity() - self.motion_a.velocity()).norm() + self.reach_b.any_speed()
    }
}

impl<S: Supported> Chase for PlaneChase<'_, S> {
    fn gap(&mut self, t: f64) -> Gap {
        let (pose_a, pose_b): (Pose, Pose) = (self.motion_a.pose(t), self.motion_b.pose(t));
        let normal = pose_a.transform_vector(&self.a.normal());
        let deepest = self.b.farthest(&pose_b.inverse_transform_vector(&-normal));
        let point_b = pose_b.transform_point(&deepest);
        // Seen from A, whose plane stands still there.
        let gap = self.a.normal().dot(&pose_a.inverse_transform_point(&point_b)) - self.a.offset();
        let normal_kind = NormalKind::Unique;
        Gap {
            gap,
            lower: gap,
            upper: gap,
            normal,
            normal_kind,
            point_a: point_b - normal * gap,
            point_b,
            status: GapStatus::Exact,
            iterations: 0,
        }
    }

    fn along(&mut self, t: f64, _: &Vec3) -> f64 {
        self.gap(t).gap
    }

    fn along_any_turn(&self, t: f64, n: &Vec3) -> Option<(f64, f64)> {
        if self.motion_a.spin() != Vec3::zeros() {
            return None;
        }
        let origin = self.motion_a.start().translation() + self.motion_a.velocity() * t;
        let displacement = self.motion_b.center_at(t) - origin;
        let reach = self.reach_b.along_any_turn(&-n);
        let rate = n.dot(&(self.motion_b.velocity() - self.motion_a.velocity()));
        Some((n.dot(&displacement) - self.a.offset() - reach, rate))
    }

    fn bend(&self, n: &Vec3) -> f64 {
        // Product rule on n(t)·x(t): the plane turns, the point moves, and both at once.
        let spin = self.motion_a.spin().norm();
        if spin == 0.0 {
            return self.reach_b.bend(n);
        }
        spin * spin * self.far + 2.0 * spin * self.any_speed() + self.reach_b.any_bend()
    }

    fn max_closing(&self, n: &Vec3) -> f64 {
        let spin = self.motion_a.spin().norm();
        if spin == 0.0 {
            let between = self.motion_a.velocity() - self.motion_b.velocity();
            return n.dot(&between) + self.reach_b.speed(n);
        }
        self.any_speed() + spin * self.far
    }

    fn rounding(&self) -> f64 {
        ROUNDINGS * (self.coordinates + self.reach_b.coordinates)
    }

    fn rate(&self, t: f64, gap: &Gap) -> f64 {
        rate(self.motion_a, self.motion_b, t, gap)
    }
}

/// How fast the witness points of a gap move apart along its normal [m/s].
pub(super) fn rate(motion_a: &Motion, motion_b: &Motion, t: f64, gap: &Gap) -> f64 {
    gap.normal.dot(&(motion_b.velocity_at(t, &gap.point_b) - motion_a.velocity_at(t, &gap.point_a)))
}
