//! A screw with a cross recess, and the driver that fits into it: ISO 4757, type H, size 2.
//!
//! Dimensions used, for both: g = 2.29 mm (width over the wings where the taper of the bottom begins), b = 1.47 mm (between opposite inner corners, there),
//! e = 0.815 mm (width of the two faces that meet at an inner corner, mean of its limits), α = 140° between these faces, β = 5°45' their lean from the axis, 92° between the flanks of neighbouring
//! wings, 26°30' from the axis the ends of the wings, 28° from the plane of the head the bottom. They give wings 0.67 mm thick at g (the standard's f is 0.66 to 0.74 mm) and
//! a bottom 0.61 mm deep (t1 = 0.61 mm). m, the width over the wings at the top of the head, is a parameter: 4.4 mm belongs to a pan head M4 (ISO 7045).
//!
//! Simplified: all faces are planes. The ends of the wings are flat instead of conical, the bottom is a pyramid over the section at g
//! instead of a cone, the radius r at the root of the wings is left out; the pan head is a plain disc, the shank has no thread.
//!
//! Both have their axis along z and the wings along x and y; z = 0 is the top of the screw's head. The driver is in its seat where the two
//! frames coincide, or differ by quarter turns about z: there every face of its wings keeps the clearance to the face of the recess beside it. Pushed on, it sinks by [`CrossheadDriver::play`]
//! until the ends of its wings wedge in the recess; its tip is set back by more than that, and touches nothing.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use zerogap_core::math;

use super::outline::{Point2, circle};
use super::stack::{Section, Surface, recessed};
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

/// Width over the wings at the level where the bottom begins, g [m].
const WIDTH: f64 = 2.29e-3;
/// Distance of opposite inner corners at that level, b [m].
const CORE: f64 = 1.47e-3;
/// Width of the two faces at an inner corner, e [m].
const CORNER: f64 = 0.815e-3;
/// Half the angle between these faces, α/2 [rad].
const HALF_CORNER_ANGLE: f64 = 70.0 * PI / 180.0;
/// Lean of the inner corners from the axis, β [rad].
const LEAN: f64 = 5.75 * PI / 180.0;
/// Half the angle between the flanks of neighbouring wings [rad].
const HALF_FLANK_ANGLE: f64 = 46.0 * PI / 180.0;
/// Lean of the ends of the wings from the axis [rad].
const TAPER: f64 = 26.5 * PI / 180.0;
/// Rise of the bottom from the plane of the head [rad].
const BOTTOM: f64 = 28.0 * PI / 180.0;
/// How much higher than the recess the driver's wings begin, in clearances [-]: more than the 1/sin(26°30') = 2.24 that it can sink.
const SETBACK: f64 = 4.0;

/// The cross of a recess of width m over the wings at z = 0, every face moved inwards by an inset [m].
struct Cross {
    /// Level at which the bottom begins [m].
    start: f64,
    inset: f64,
}

impl Cross {
    fn new(wing_diameter: f64, inset: f64) -> Self {
        Self { start: -0.5 * (wing_diameter - WIDTH) / math::tan(TAPER), inset }
    }

    /// Distance of the ends of the wings from the axis at a height [m].
    fn reach(&self, z: f64) -> f64 {
        0.5 * WIDTH + (z - self.start) * math::tan(TAPER) - self.inset / math::cos(TAPER)
    }

    /// Height of the tip under a section at a height [m].
    fn tip(&self, z: f64) -> f64 {
        z - self.reach(z) * math::tan(BOTTOM)
    }

    /// The section at a height: five corners in each quadrant, counter-clockwise, from the wing's end to the next wing's end.
    fn section(&self, z: f64) -> Vec<Point2> {
        // In a quadrant: d along its diagonal, p across it. All faces lean with the inner corner, which moves along the diagonal.
        let corner = 0.5 * CORE + (z - self.start) * math::tan(LEAN);
        // A line n·(d, p) = value, moved towards the axis; its plane leans, so that the move in the section is a little larger.
        let moved = |normal: Point2, through: Point2| {
            let slope = normal[0] * math::tan(LEAN);
            normal[0] * through[0] + normal[1] * through[1] - self.inset * (1.0 + slope * slope).sqrt()
        };
        let (s, c) = math::sin_cos(HALF_CORNER_ANGLE);
        let inner = ([s, -c], moved([s, -c], [corner, 0.0]));
        let (s, c) = math::sin_cos(HALF_FLANK_ANGLE);
        let knee = [corner + 0.5 * CORNER / math::tan(HALF_CORNER_ANGLE), 0.5 * CORNER];
        let flank = ([s, -c], moved([s, -c], knee));
        let end = ([FRAC_1_SQRT_2, FRAC_1_SQRT_2], self.reach(z));
        let [tip, knee] = [(flank, end), (inner, flank)].map(|((n, v), (m, w))| {
            let turn = n[0] * m[1] - n[1] * m[0];
            [(v * m[1] - w * n[1]) / turn, (n[0] * w - m[0] * v) / turn]
        });
        let middle = inner.1 / inner.0[0];
        // Mirror points share their numbers, and quarter turns exchange coordinates: the cross is symmetric to the last bit.
        let place = |[d, p]: Point2| [(d + p) * FRAC_1_SQRT_2, (d - p) * FRAC_1_SQRT_2];
        let ([ex, ey], [kx, ky]) = (place(tip), place(knee));
        let m = middle * FRAC_1_SQRT_2;
        let mut outline = vec![[ex, ey], [kx, ky], [m, m], [ky, kx], [ey, ex]];
        for _ in 0..3 {
            let rotated: Vec<Point2> = outline[outline.len() - 5..].iter().map(|p| [-p[1], p[0]]).collect();
            outline.extend(rotated);
        }
        outline
    }

    /// Radius of the circle about the section at a height [m].
    fn radius(&self, z: f64) -> f64 {
        let [x, y] = self.section(z)[0];
        math::hypot(x, y)
    }
}

part! {
    /// Screw with a cross recess (ISO 4757 H2) in a flat pan head, axis along z, top of the head at z = 0, wings along x and y, plain shank towards -z.
    CrossheadScrew named "crosshead-screw" {
        /// Diameter of the shank [m].
        diameter: f64 [Length] = 4e-3,
        /// Length of the shank below the head [m].
        length: f64 [Length] = 0.012,
        /// Diameter of the head [m].
        head_diameter: f64 [Length] = 8e-3,
        /// Height of the head [m].
        head_height: f64 [Length] = 3.1e-3,
        /// Width of the recess over the wings at the top of the head, m [m].
        wing_diameter: f64 [Length] = 4.4e-3,
        /// Straight segments of the circles [-].
        segments: usize [Count] = 16,
    }
}

impl CrossheadScrew {
    /// Genus 0.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        for (name, value) in [
            ("diameter", self.diameter),
            ("length", self.length),
            ("head_diameter", self.head_diameter),
            ("head_height", self.head_height),
        ] {
            check::positive(part, name, value)?;
        }
        check::count(part, "segments", self.segments, 3, check::MAX_SEGMENTS)?;
        wings(part, self.wing_diameter)?;
        let flat = math::cos(PI / self.segments as f64);
        let cross = Cross::new(self.wing_diameter, 0.0);
        let recess = 2.0 * cross.radius(0.0) / flat;
        for (name, min) in [("the shank's diameter", self.diameter / flat), ("the recess", recess)] {
            check::require(part, "head_diameter", self.head_diameter, self.head_diameter > min, || {
                format!("it must exceed {min} m: {name} with the head's tessellation")
            })?;
        }
        let depth = self.recess_depth();
        check::require(part, "head_height", self.head_height, self.head_height > depth, || {
            format!("it must exceed the depth of the recess, {depth} m")
        })?;
        let ring =
            |z: f64, width: f64| Section { z, outline: circle([0.0, 0.0], 0.5 * width, self.segments, 0.0) };
        let sections = [
            ring(-self.head_height - self.length, self.diameter),
            ring(-self.head_height, self.diameter),
            ring(-self.head_height, self.head_diameter),
            ring(0.0, self.head_diameter),
        ];
        let recess = [0.0, cross.start].map(|z| Section { z, outline: cross.section(z) });
        recessed(&sections, &recess, Some(cross.tip(cross.start)))
    }

    /// Depth of the recess below the top of the head [m].
    pub fn recess_depth(&self) -> f64 {
        let cross = Cross::new(self.wing_diameter, 0.0);
        -cross.tip(cross.start)
    }
}

part! {
    /// Driver for a cross recess (ISO 4757 H2), axis along z, wings along x and y, tip towards -z; in its seat, z = 0 is the top of the screw's head.
    CrossheadDriver named "crosshead-driver" {
        /// Width of the recess over the wings at the top of the screw's head, m [m].
        wing_diameter: f64 [Length] = 4.4e-3,
        /// Gap in the seat between the wings and the faces of the recess beside them, square to these [m].
        clearance: f64 [Length] = 5e-5,
        /// Height of the wings above the screw's head before the shaft begins [m].
        wing_height: f64 [Length] = 1e-3,
        /// Diameter of the shaft [m].
        shaft_diameter: f64 [Length] = 6e-3,
        /// From the top of the screw's head to the end of the shaft [m].
        length: f64 [Length] = 0.04,
        /// Straight segments of the shaft [-].
        segments: usize [Count] = 24,
    }
}

impl CrossheadDriver {
    /// How far the driver sinks from its seat until the ends of its wings touch the recess [m].
    pub fn play(&self) -> f64 {
        self.clearance / math::sin(TAPER)
    }

    /// Genus 0.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let part = Self::NAME;
        for (name, value) in [
            ("wing_height", self.wing_height),
            ("shaft_diameter", self.shaft_diameter),
            ("length", self.length),
        ] {
            check::positive(part, name, value)?;
        }
        check::not_negative(part, "clearance", self.clearance)?;
        check::count(part, "segments", self.segments, 3, check::MAX_SEGMENTS)?;
        wings(part, self.wing_diameter)?;
        // A third of the wings' thickness on each side, so that the wings keep a third.
        check::require(part, "clearance", self.clearance, self.clearance <= 2e-4, || {
            String::from("it must be at most 2e-4 m, a third of the wings' thickness")
        })?;
        check::require(part, "length", self.length, self.length > self.wing_height, || {
            format!("it must exceed the wing_height {} m", self.wing_height)
        })?;
        let cross = Cross::new(self.wing_diameter, self.clearance);
        let low = cross.start + SETBACK * self.clearance;
        check::require(part, "wing_diameter", self.wing_diameter, low < 0.0, || {
            format!("with the clearance {} m the wings would begin above the screw's head", self.clearance)
        })?;
        let min = 2.0 * cross.radius(self.wing_height) / math::cos(PI / self.segments as f64);
        check::require(part, "shaft_diameter", self.shaft_diameter, self.shaft_diameter > min, || {
            format!("it must exceed {min} m, the width of the wings at the shaft")
        })?;
        let shaft = |z: f64| Section {
            z,
            outline: circle([0.0, 0.0], 0.5 * self.shaft_diameter, self.segments, 0.0),
        };
        let sections = [
            Section { z: low, outline: cross.section(low) },
            Section { z: self.wing_height, outline: cross.section(self.wing_height) },
            shaft(self.wing_height),
            shaft(self.length),
        ];
        let mut surface = Surface::default();
        let rings = surface.rings(&sections);
        surface.fan(cross.tip(low), rings[0], sections[0].outline.len() as u32, false);
        surface.rise(&sections, &rings)?;
        surface.cap(&sections[3].outline, rings[3], true)?;
        surface.finish()
    }
}

/// Widths over the wings that size 2 is made for, with some room on both sides.
fn wings(part: &'static str, value: f64) -> Result<(), GeometryError> {
    let (low, high) = (2.5e-3, 8e-3);
    check::require(part, "wing_diameter", value, (low..=high).contains(&value), || {
        format!("it must be from {low} to {high} m for a recess of size 2")
    })?;
    Ok(())
}
