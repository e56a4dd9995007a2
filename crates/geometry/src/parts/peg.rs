//! A peg, and the plate with its hole.
//!
//! A round peg's corners lie on its circle and a round hole's edges touch theirs from outside, so that the clearance stated is the
//! smallest gap between the tessellated parts, whatever their segments.

use super::outline::{Point2, circle, circle_around, rectangle};
use super::stack::{Section, extrude, recessed, stack};
use super::{CrossSection, check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Peg about the origin, axis along z, with a chamfer of 45° at its lower end.
    Peg named "peg" {
        /// Cross-section: round or rectangular.
        section: CrossSection [Choice] = CrossSection::Round,
        /// Diameter, or full extent along x [m].
        width: f64 [Length] = 0.02,
        /// Full extent along y of a rectangular peg; a round one ignores it [m].
        depth: f64 [Length] = 0.02,
        /// Full extent along z [m].
        length: f64 [Length] = 0.06,
        /// Width of the chamfer, 0 for none [m].
        chamfer: f64 [Length] = 1e-3,
        /// Straight segments of a round peg [-].
        segments: usize [Count] = 48,
    }
}

impl Peg {
    /// Genus 0.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        check::positive(part, "width", self.width)?;
        check::positive(part, "depth", self.depth)?;
        check::positive(part, "length", self.length)?;
        check::not_negative(part, "chamfer", self.chamfer)?;
        check::count(part, "segments", self.segments, 3, check::MAX_COUNT / 8)?;
        let min = match self.section {
            CrossSection::Round => 0.5 * self.width,
            CrossSection::Rectangular => 0.5 * self.width.min(self.depth),
        };
        check::require(part, "chamfer", self.chamfer, self.chamfer < min.min(self.length), || {
            format!("it must be less than the length {} m and half the least width {min} m", self.length)
        })?;
        let outline = |shrink: f64| match self.section {
            CrossSection::Round => circle([0.0, 0.0], 0.5 * self.width - shrink, self.segments, 0.0),
            CrossSection::Rectangular => rectangle(self.width - 2.0 * shrink, self.depth - 2.0 * shrink),
        };
        let (low, high) = (-0.5 * self.length, 0.5 * self.length);
        let mut sections = vec![Section { z: low, outline: outline(self.chamfer) }];
        if self.chamfer > 0.0 {
            sections.push(Section { z: low + self.chamfer, outline: outline(0.0) });
        }
        sections.push(Section { z: high, outline: outline(0.0) });
        stack(&sections)
    }
}

part! {
    /// Plate about the origin with a hole along z for a peg of the stated size.
    HolePlate named "hole-plate" {
        /// Cross-section of the hole: round or rectangular.
        section: CrossSection [Choice] = CrossSection::Round,
        /// Diameter of the peg, or its extent along x [m].
        peg_width: f64 [Length] = 0.02,
        /// Extent along y of a rectangular peg; a round one ignores it [m].
        peg_depth: f64 [Length] = 0.02,
        /// Gap between the centred peg and the wall on every side [m].
        clearance: f64 [Length] = 1e-4,
        /// Full extent of the plate along x [m].
        width: f64 [Length] = 0.06,
        /// Full extent of the plate along y [m].
        depth: f64 [Length] = 0.06,
        /// Full extent of the plate along z [m].
        thickness: f64 [Length] = 0.02,
        /// Thickness of the floor below the hole, 0 for a hole right through [m].
        floor: f64 [Length] = 0.0,
        /// Straight segments of a round hole [-].
        segments: usize [Count] = 48,
    }
}

impl HolePlate {
    /// Genus 1, with a floor 0.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        for (name, value) in [
            ("peg_width", self.peg_width),
            ("peg_depth", self.peg_depth),
            ("width", self.width),
            ("depth", self.depth),
            ("thickness", self.thickness),
        ] {
            check::positive(part, name, value)?;
        }
        check::not_negative(part, "clearance", self.clearance)?;
        check::not_negative(part, "floor", self.floor)?;
        check::require(part, "floor", self.floor, self.floor < self.thickness, || {
            format!("it must be less than the thickness {} m", self.thickness)
        })?;
        check::count(part, "segments", self.segments, 3, check::MAX_SEGMENTS)?;
        let hole = self.hole();
        for (name, side, axis) in [("peg_width", self.width, 0), ("peg_depth", self.depth, 1)] {
            let reach = hole.iter().fold(0.0_f64, |m, p| m.max(p[axis].abs()));
            check::require(part, name, 2.0 * reach, 2.0 * reach < side, || {
                format!("the hole with its clearance must be less than the plate's {side} m")
            })?;
        }
        let plate = rectangle(self.width, self.depth);
        let (low, high) = (-0.5 * self.thickness, 0.5 * self.thickness);
        if self.floor == 0.0 {
            return extrude(&plate, &[hole], low, high);
        }
        let plate = [low, high].map(|z| Section { z, outline: plate.clone() });
        let hole = [high, low + self.floor].map(|z| Section { z, outline: hole.clone() });
        recessed(&plate, &hole, None)
    }

    fn hole(&self) -> Vec<Point2> {
        match self.section {
            CrossSection::Round => circle_around(0.5 * self.peg_width + self.clearance, self.segments),
            CrossSection::Rectangular => {
                rectangle(self.peg_width + 2.0 * self.clearance, self.peg_depth + 2.0 * self.clearance)
            }
        }
    }
}
