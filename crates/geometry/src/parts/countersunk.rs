//! A bolt with a countersunk head, and the plate that it sits in.
//!
//! Both have their axis along z and the plane of the head's flat top at z = 0, material below it: the bolt is flush with the plate where their
//! frames coincide. There the gap is the clearance along the radius, everywhere, and 0.707 of it square to the cone of 90°; let
//! go, the bolt sinks by the clearance until the cones touch (slightly more where its corners face those of the hole). Its corners lie on the true surface, the
//! hole's edges touch theirs from outside, so that the gap is no smaller for any segments of both.

use std::f64::consts::PI;

use zerogap_core::math;

use super::outline::{Point2, circle, circle_around, rectangle};
use super::stack::{Section, Surface, recessed, stack, wall};
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Countersunk bolt (90°), axis along z, top of the head at z = 0, shank towards -z with a chamfer of 45° at its end.
    CountersunkBolt named "countersunk-bolt" {
        /// Diameter of the shank [m].
        diameter: f64 [Length] = 8e-3,
        /// Full extent along z, head included [m].
        length: f64 [Length] = 0.03,
        /// Diameter of the top of the head [m].
        head_diameter: f64 [Length] = 0.016,
        /// Width of the chamfer at the end, 0 for none [m].
        chamfer: f64 [Length] = 1e-3,
        /// Width across the flats of a socket with six sides, 0 for a flat head [m].
        socket: f64 [Length] = 0.0,
        /// Depth of the socket; a flat head ignores it [m].
        socket_depth: f64 [Length] = 3e-3,
        /// Straight segments of the circles [-].
        segments: usize [Count] = 32,
    }
}

impl CountersunkBolt {
    /// Genus 0.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        self.check()?;
        let (shank, head) = (0.5 * self.diameter, 0.5 * self.head_diameter);
        let ring =
            |z: f64, radius: f64| Section { z, outline: circle([0.0, 0.0], radius, self.segments, 0.0) };
        let mut sections = vec![ring(-self.length, shank - self.chamfer)];
        if self.chamfer > 0.0 {
            sections.push(ring(self.chamfer - self.length, shank));
        }
        sections.extend([ring(shank - head, shank), ring(0.0, head)]);
        if self.socket == 0.0 {
            return stack(&sections);
        }
        let outline = circle_around(0.5 * self.socket, 6);
        let socket = [0.0, -self.socket_depth].map(|z| Section { z, outline: outline.clone() });
        recessed(&sections, &socket, None)
    }

    fn check(&self) -> Result<(), GeometryError> {
        let part = Self::NAME;
        for (name, value) in [
            ("diameter", self.diameter),
            ("length", self.length),
            ("head_diameter", self.head_diameter),
            ("socket_depth", self.socket_depth),
        ] {
            check::positive(part, name, value)?;
        }
        check::not_negative(part, "chamfer", self.chamfer)?;
        check::not_negative(part, "socket", self.socket)?;
        check::count(part, "segments", self.segments, 3, check::MAX_SEGMENTS)?;
        head_over_shank(part, self.head_diameter, self.diameter)?;
        check::require(part, "chamfer", self.chamfer, self.chamfer < 0.5 * self.diameter, || {
            format!("it must be less than half the diameter {} m", self.diameter)
        })?;
        let min = 0.5 * (self.head_diameter - self.diameter) + self.chamfer;
        check::require(part, "length", self.length, self.length > min, || {
            format!("it must exceed the height of the head and the chamfer, {min} m")
        })?;
        // The socket stays within the shank's tessellation, and above its chamfer.
        let widest = self.diameter * math::cos(PI / self.segments as f64) * math::cos(PI / 6.0);
        check::require(part, "socket", self.socket, self.socket < widest, || {
            format!("it must be less than {widest} m, to stay within the shank")
        })?;
        let deepest = self.length - self.chamfer;
        let fits = self.socket == 0.0 || self.socket_depth < deepest;
        check::require(part, "socket_depth", self.socket_depth, fits, || {
            format!("it must be less than {deepest} m, to stay within the shank")
        })?;
        Ok(())
    }
}

part! {
    /// Plate with a countersunk through hole along z for a countersunk bolt of the stated size, its upper face at z = 0, the hole about the origin.
    CountersunkPlate named "countersunk-plate" {
        /// Diameter of the bolt's shank [m].
        bolt_diameter: f64 [Length] = 8e-3,
        /// Diameter of the top of the bolt's head [m].
        head_diameter: f64 [Length] = 0.016,
        /// Gap along the radius between the wall and the centred, flush bolt [m].
        clearance: f64 [Length] = 1e-4,
        /// Full extent of the plate along x [m].
        width: f64 [Length] = 0.04,
        /// Full extent of the plate along y [m].
        depth: f64 [Length] = 0.04,
        /// Full extent of the plate along z [m].
        thickness: f64 [Length] = 0.012,
        /// Straight segments of the hole [-].
        segments: usize [Count] = 32,
    }
}

impl CountersunkPlate {
    /// Genus 1.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        self.check()?;
        let outline = rectangle(self.width, self.depth);
        let plate = [-self.thickness, 0.0].map(|z| Section { z, outline: outline.clone() });
        let (shank, head) = (0.5 * self.bolt_diameter, 0.5 * self.head_diameter);
        // The bolt's surface moved outwards along the radius.
        let hole = [(-self.thickness, shank), (shank - head, shank), (0.0, head)]
            .map(|(z, radius)| Section { z, outline: circle_around(radius + self.clearance, self.segments) });
        let mut surface = Surface::default();
        let (sides, wells) = (surface.rings(&plate), surface.rings(&hole));
        surface.ledge(&outline, sides[0], &hole[0].outline, wells[0], false)?;
        surface.rise(&plate, &sides)?;
        surface.ledge(&outline, sides[1], &hole[2].outline, wells[2], true)?;
        for well in wells.windows(2) {
            wall(&mut surface.triangles, well[0], well[1], self.segments as u32, false);
        }
        surface.finish()
    }

    fn check(&self) -> Result<(), GeometryError> {
        let part = Self::NAME;
        for (name, value) in [
            ("bolt_diameter", self.bolt_diameter),
            ("head_diameter", self.head_diameter),
            ("width", self.width),
            ("depth", self.depth),
            ("thickness", self.thickness),
        ] {
            check::positive(part, name, value)?;
        }
        check::not_negative(part, "clearance", self.clearance)?;
        check::count(part, "segments", self.segments, 3, check::MAX_SEGMENTS)?;
        head_over_shank(part, self.head_diameter, self.bolt_diameter)?;
        let head = 0.5 * (self.head_diameter - self.bolt_diameter);
        check::require(part, "thickness", self.thickness, self.thickness > head, || {
            format!("it must exceed the height of the head, {head} m")
        })?;
        let mouth: Vec<Point2> = circle_around(0.5 * self.head_diameter + self.clearance, self.segments);
        for (name, side, axis) in [("width", self.width, 0), ("depth", self.depth, 1)] {
            let reach = mouth.iter().fold(0.0_f64, |m, p| m.max(p[axis].abs()));
            check::require(part, name, side, 2.0 * reach < side, || {
                format!("it must exceed the mouth of the hole, {} m", 2.0 * reach)
            })?;
        }
        Ok(())
    }
}

/// A head that is wider than its shank.
fn head_over_shank(part: &'static str, head: f64, shank: f64) -> Result<(), GeometryError> {
    check::require(part, "head_diameter", head, head > shank, || {
        format!("it must exceed the diameter of the shank, {shank} m")
    })?;
    Ok(())
}
