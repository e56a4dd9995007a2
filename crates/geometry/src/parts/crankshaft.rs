//! A crankshaft of one or more throws.

use std::f64::consts::{PI, TAU};

use zerogap_core::math;

use super::outline::{Point2, arc, circle};
use super::stack::{Section, stack};
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Crankshaft: main journals on the z axis, starting at z = 0, each throw two webs and a pin; the first pin lies towards +x.
    Crankshaft named "crankshaft" {
        /// Number of throws [-].
        throws: usize [Count] = 1,
        /// Angle from each throw to the next [rad].
        phase: f64 [Angle] = PI,
        /// Distance of the pins from the axis, half the stroke [m].
        radius: f64 [Length] = 0.045,
        /// Radius of the main journals [m].
        journal_radius: f64 [Length] = 0.03,
        /// Length of each main journal [m].
        journal_length: f64 [Length] = 0.026,
        /// Radius of the pins [m].
        pin_radius: f64 [Length] = 0.025,
        /// Length of the pins [m].
        pin_length: f64 [Length] = 0.024,
        /// Radius of the web about the axis [m].
        web_radius: f64 [Length] = 0.045,
        /// Radius of the web about the pin [m].
        web_pin_radius: f64 [Length] = 0.034,
        /// Thickness of each web [m].
        web_thickness: f64 [Length] = 0.018,
        /// Straight segments of a full circle [-].
        segments: usize [Count] = 48,
    }
}

impl Crankshaft {
    /// Genus 0.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        self.check()?;
        let journal = circle([0.0, 0.0], self.journal_radius, self.segments, 0.0);
        let mut sections = Vec::new();
        let mut z = 0.0;
        let mut add = |outline: &Vec<Point2>, length: f64| {
            sections.push(Section { z, outline: outline.clone() });
            z += length;
            sections.push(Section { z, outline: outline.clone() });
        };
        add(&journal, self.journal_length);
        for throw in 0..self.throws {
            let angle = self.phase * throw as f64;
            let (s, c) = math::sin_cos(angle);
            let pin = circle([self.radius * c, self.radius * s], self.pin_radius, self.segments, angle);
            let web = self.web(angle);
            add(&web, self.web_thickness);
            add(&pin, self.pin_length);
            add(&web, self.web_thickness);
            add(&journal, self.journal_length);
        }
        stack(&sections)
    }

    /// The outline of a web: the hull of a circle about the axis and one about the pin, counter-clockwise.
    fn web(&self, angle: f64) -> Vec<Point2> {
        // The common tangents touch both circles at this angle from the direction of the pin.
        let touch = math::acos((self.web_radius - self.web_pin_radius) / self.radius);
        let steps = |sweep: f64| ((sweep / TAU * self.segments as f64).ceil() as usize).max(2);
        let (s, c) = math::sin_cos(angle);
        let pin = [self.radius * c, self.radius * s];
        let mut outline = arc(pin, self.web_pin_radius, angle - touch, angle + touch, steps(2.0 * touch));
        outline.extend(arc(
            [0.0, 0.0],
            self.web_radius,
            angle + touch,
            angle + TAU - touch,
            steps(TAU - 2.0 * touch),
        ));
        outline
    }

    fn check(&self) -> Result<(), GeometryError> {
        let part = Self::NAME;
        for (name, value) in [
            ("radius", self.radius),
            ("journal_radius", self.journal_radius),
            ("journal_length", self.journal_length),
            ("pin_radius", self.pin_radius),
            ("pin_length", self.pin_length),
            ("web_radius", self.web_radius),
            ("web_pin_radius", self.web_pin_radius),
            ("web_thickness", self.web_thickness),
        ] {
            check::positive(part, name, value)?;
        }
        check::count(part, "throws", self.throws, 1, 32)?;
        // Every throw has four steps to cut.
        check::count(part, "segments", self.segments, 6, check::MAX_SEGMENTS / 5)?;
        check::require(part, "phase", self.phase, self.phase.abs() <= TAU, || {
            String::from("it must be from -2π to 2π rad")
        })?;
        let difference = (self.web_radius - self.web_pin_radius).abs();
        check::require(part, "radius", self.radius, difference < self.radius, || {
            format!("it must exceed the difference {difference} m of the web's radii")
        })?;
        // The web's straight segments cut inside its circles.
        let flat = math::cos(PI / self.segments as f64);
        for (name, value, web) in [
            ("journal_radius", self.journal_radius, self.web_radius),
            ("pin_radius", self.pin_radius, self.web_pin_radius),
        ] {
            check::require(part, name, value, value < flat * web, || {
                format!("it must be less than {} m, the web's radius less its tessellation", flat * web)
            })?;
        }
        Ok(())
    }
}
