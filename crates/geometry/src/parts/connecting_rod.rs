//! A connecting rod.

use std::f64::consts::{PI, TAU};

use zerogap_core::math;

use super::outline::{arc, circle};
use super::stack::extrude;
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Connecting rod: big eye at the origin, small eye on the x axis, bores along z.
    ConnectingRod named "connecting-rod" {
        /// Distance between the bores [m].
        length: f64 [Length] = 0.15,
        /// Outer radius of the big eye [m].
        big_radius: f64 [Length] = 0.036,
        /// Radius of the big bore [m].
        big_bore: f64 [Length] = 0.026,
        /// Outer radius of the small eye [m].
        small_radius: f64 [Length] = 0.018,
        /// Radius of the small bore [m].
        small_bore: f64 [Length] = 0.011,
        /// Width of the shank where it leaves the big eye [m].
        big_width: f64 [Length] = 0.032,
        /// Width of the shank where it reaches the small eye [m].
        small_width: f64 [Length] = 0.02,
        /// Full extent along z [m].
        thickness: f64 [Length] = 0.022,
        /// Straight segments of a full circle [-].
        segments: usize [Count] = 48,
    }
}

impl ConnectingRod {
    /// Genus 2: two bores.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        for (name, value) in [
            ("length", self.length),
            ("big_radius", self.big_radius),
            ("big_bore", self.big_bore),
            ("small_radius", self.small_radius),
            ("small_bore", self.small_bore),
            ("big_width", self.big_width),
            ("small_width", self.small_width),
            ("thickness", self.thickness),
        ] {
            check::positive(part, name, value)?;
        }
        check::count(part, "segments", self.segments, 6, check::MAX_SEGMENTS)?;
        // The walls of the tessellated eyes are a little inside the circles, the bores' corners are on theirs.
        let flat = math::cos(PI / self.segments as f64);
        for (name, bore, radius) in
            [("big_bore", self.big_bore, self.big_radius), ("small_bore", self.small_bore, self.small_radius)]
        {
            check::require(part, name, bore, bore < flat * radius, || {
                format!("it must be less than {} m, the eye's radius less its tessellation", flat * radius)
            })?;
        }
        for (name, width, radius) in [
            ("big_width", self.big_width, self.big_radius),
            ("small_width", self.small_width, self.small_radius),
        ] {
            check::require(part, name, width, width < 2.0 * radius, || {
                format!("it must be less than the eye's diameter {} m", 2.0 * radius)
            })?;
        }
        let big = math::asin(0.5 * self.big_width / self.big_radius);
        let small = math::asin(0.5 * self.small_width / self.small_radius);
        let (from, to) =
            (self.big_radius * math::cos(big), self.length - self.small_radius * math::cos(small));
        check::require(part, "length", self.length, from < to, || {
            format!("the shank would start at {from} m and end at {to} m")
        })?;
        // Counter-clockwise: round the back of the big eye, along the lower flank, round the small eye.
        let steps = |sweep: f64| ((sweep / TAU * self.segments as f64).ceil() as usize).max(1);
        let mut outline = arc([0.0, 0.0], self.big_radius, big, TAU - big, steps(TAU - 2.0 * big));
        outline.extend(arc(
            [self.length, 0.0],
            self.small_radius,
            small - PI,
            PI - small,
            steps(TAU - 2.0 * small),
        ));
        let bores = [
            circle([0.0, 0.0], self.big_bore, self.segments, 0.0),
            circle([self.length, 0.0], self.small_bore, self.segments, 0.0),
        ];
        extrude(&outline, &bores, -0.5 * self.thickness, 0.5 * self.thickness)
    }
}
