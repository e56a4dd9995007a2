//! A box.

use super::outline::rectangle;
use super::stack::extrude;
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Box about the origin.
    Cuboid named "box" {
        /// Full extent along x [m].
        width: f64 [Length] = 0.1,
        /// Full extent along y [m].
        depth: f64 [Length] = 0.06,
        /// Full extent along z [m].
        height: f64 [Length] = 0.04,
    }
}

impl Cuboid {
    /// 8 vertices and 12 triangles.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        check::positive(Self::NAME, "width", self.width)?;
        check::positive(Self::NAME, "depth", self.depth)?;
        check::positive(Self::NAME, "height", self.height)?;
        extrude(&rectangle(self.width, self.depth), &[], -0.5 * self.height, 0.5 * self.height)
    }
}
