//! A torus.

use super::outline::circle;
use super::revolve::{Profile, revolve};
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Torus about the origin, axis along z, corners on the true surface.
    Torus named "torus" {
        /// Radius of the circle in the middle of the tube [m].
        major: f64 [Length] = 0.04,
        /// Radius of the tube [m].
        minor: f64 [Length] = 0.01,
        /// Segments around the axis [-].
        segments: usize [Count] = 48,
        /// Segments around the tube [-].
        tube_segments: usize [Count] = 24,
    }
}

impl Torus {
    /// Genus 1; the volume tends to 2 π² major minor².
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        check::positive(Self::NAME, "major", self.major)?;
        check::positive(Self::NAME, "minor", self.minor)?;
        check::count(Self::NAME, "segments", self.segments, 3, check::MAX_COUNT / 3)?;
        check::count_times(
            Self::NAME,
            ("tube_segments", self.tube_segments),
            3,
            ("segments", self.segments),
        )?;
        check::require(Self::NAME, "minor", self.minor, self.minor < self.major, || {
            format!("it must be less than the major radius {} m, or the tube intersects itself", self.major)
        })?;
        let tube = circle([self.major, 0.0], self.minor, self.tube_segments, 0.0);
        revolve(&tube, Profile::Ring, self.segments)
    }
}
