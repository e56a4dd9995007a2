//! A regular prism; with many sides, a cylinder or a disc.

use super::outline::circle;
use super::stack::extrude;
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Regular prism about the origin, axis along z, one corner on the x axis.
    Prism named "prism" {
        /// Number of sides [-].
        sides: usize [Count] = 6,
        /// Radius of the circle through the corners [m].
        radius: f64 [Length] = 0.01,
        /// Full extent along z [m].
        height: f64 [Length] = 0.02,
    }
}

impl Prism {
    /// Volume: n/2 sin(2π/n) radius² height.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        check::count(Self::NAME, "sides", self.sides, 3, check::MAX_COUNT / 4)?;
        check::positive(Self::NAME, "radius", self.radius)?;
        check::positive(Self::NAME, "height", self.height)?;
        let outline = circle([0.0, 0.0], self.radius, self.sides, 0.0);
        extrude(&outline, &[], -0.5 * self.height, 0.5 * self.height)
    }
}

part! {
    /// Tessellated cylinder or disc about the origin, axis along z, corners on the true surface.
    Cylinder named "cylinder" {
        /// Radius [m].
        radius: f64 [Length] = 0.02,
        /// Full extent along z [m].
        length: f64 [Length] = 0.08,
        /// Straight segments of the circle [-].
        segments: usize [Count] = 48,
    }
}

impl Cylinder {
    /// A prism with `segments` sides.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        check::count(Self::NAME, "segments", self.segments, 3, check::MAX_COUNT / 4)?;
        check::positive(Self::NAME, "radius", self.radius)?;
        check::positive(Self::NAME, "length", self.length)?;
        Prism { sides: self.segments, radius: self.radius, height: self.length }.generate()
    }
}
