//! A prism over the letter L.

use super::stack::extrude;
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Prism over an L of six corners, axis along z, the middle of its box at the origin, its corner towards -x and -y.
    LPrism named "l-prism" {
        /// Full extent along x [m].
        width: f64 [Length] = 0.06,
        /// Full extent along y [m].
        depth: f64 [Length] = 0.08,
        /// Full extent along z [m].
        height: f64 [Length] = 0.02,
        /// Width of both legs [m].
        leg: f64 [Length] = 0.02,
    }
}

impl LPrism {
    /// 12 vertices and 20 triangles; volume: leg (width + depth - leg) height.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        for (name, value) in
            [("width", self.width), ("depth", self.depth), ("height", self.height), ("leg", self.leg)]
        {
            check::positive(part, name, value)?;
        }
        let min = self.width.min(self.depth);
        check::require(part, "leg", self.leg, self.leg < min, || {
            format!("it must be less than the width and the depth, {min} m")
        })?;
        let (x, y) = (0.5 * self.width, 0.5 * self.depth);
        let outline =
            [[-x, -y], [x, -y], [x, self.leg - y], [self.leg - x, self.leg - y], [self.leg - x, y], [-x, y]];
        extrude(&outline, &[], -0.5 * self.height, 0.5 * self.height)
    }
}
