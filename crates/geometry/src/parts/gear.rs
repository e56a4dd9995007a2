//! A spur gear with involute teeth.
//!
//! Limits: external teeth without profile shift. Below the base circle the flanks run radially and the root has sharp corners: a cutter's
//! fillet and the undercut of small gears are not modelled.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use zerogap_core::math;

use super::outline::{Point2, circle};
use super::stack::extrude;
use super::{check, parameter::part};
use crate::{GeometryError, TriangleMesh};

part! {
    /// Spur gear about the origin, axis along z, one tooth centred on the x axis.
    Gear named "gear" {
        /// Module: pitch diameter over number of teeth [m].
        module: f64 [Length] = 2e-3,
        /// Number of teeth [-].
        teeth: usize [Count] = 20,
        /// Pressure angle at the pitch circle [rad].
        pressure_angle: f64 [Angle] = PI / 9.0,
        /// Full extent along z [m].
        face_width: f64 [Length] = 0.015,
        /// Diameter of the bore, 0 for none [m].
        bore: f64 [Length] = 0.01,
        /// Height of the tooth above the pitch circle, in modules [-].
        addendum: f64 [Ratio] = 1.0,
        /// Depth of the root below the addendum of the mate, in modules [-].
        clearance: f64 [Ratio] = 0.25,
        /// How much thinner the tooth is at the pitch circle than half the pitch [m].
        backlash: f64 [Length] = 0.0,
        /// Straight segments per involute flank [-].
        flank_segments: usize [Count] = 8,
        /// Straight segments across the tip and across the root of each tooth [-].
        land_segments: usize [Count] = 2,
        /// Straight segments of the bore [-].
        bore_segments: usize [Count] = 48,
    }
}

impl Gear {
    /// Pitch radius [m].
    pub fn pitch_radius(&self) -> f64 {
        0.5 * self.module * self.teeth as f64
    }

    /// Base radius, from which the involute unwinds [m].
    pub fn base_radius(&self) -> f64 {
        self.pitch_radius() * math::cos(self.pressure_angle)
    }

    /// Radius over the tips [m].
    pub fn tip_radius(&self) -> f64 {
        self.pitch_radius() + self.addendum * self.module
    }

    /// Radius of the root circle [m].
    pub fn root_radius(&self) -> f64 {
        self.pitch_radius() - (self.addendum + self.clearance) * self.module
    }

    /// Half the angle that a tooth takes at a radius between base and tip [rad].
    pub fn half_tooth_angle(&self, radius: f64) -> f64 {
        let pitch = self.pitch_radius();
        let thickness = FRAC_PI_2 * self.module - self.backlash;
        let at = math::acos((self.base_radius() / radius).min(1.0));
        0.5 * thickness / pitch + involute(self.pressure_angle) - involute(at)
    }

    /// The outline of the teeth, counter-clockwise, every point on the true profile [m].
    pub fn outline(&self) -> Result<Vec<Point2>, GeometryError> {
        self.check()?;
        let (root, tip) = (self.root_radius(), self.tip_radius());
        let start = self.base_radius().max(root);
        let (tip_half, start_half) = (self.half_tooth_angle(tip), self.half_tooth_angle(start));
        let pitch_angle = TAU / self.teeth as f64;
        // Half a tooth as (radius, half angle), from the root upwards; equal steps of roll give finer steps where the flank bends.
        let mut flank: Vec<Point2> = Vec::new();
        if start > root {
            flank.push([root, start_half]);
        }
        let base = self.base_radius();
        let roll = |radius: f64| ((radius / base) * (radius / base) - 1.0).max(0.0).sqrt();
        let (from, to) = (roll(start), roll(tip));
        for k in 0..=self.flank_segments {
            let t = from + (to - from) * k as f64 / self.flank_segments as f64;
            let radius = match k {
                0 => start,
                k if k == self.flank_segments => tip,
                _ => base * (1.0 + t * t).sqrt(),
            };
            flank.push([radius, self.half_tooth_angle(radius)]);
        }
        let mut outline = Vec::new();
        for tooth in 0..self.teeth {
            let middle = pitch_angle * tooth as f64;
            let mut put = |radius: f64, angle: f64| {
                let (s, c) = math::sin_cos(middle + angle);
                outline.push([radius * c, radius * s]);
            };
            for p in &flank {
                put(p[0], -p[1]);
            }
            for k in 1..self.land_segments {
                put(tip, tip_half * (2.0 * k as f64 / self.land_segments as f64 - 1.0));
            }
            for p in flank.iter().rev() {
                put(p[0], p[1]);
            }
            // The root circle up to the next tooth.
            let gap = pitch_angle - 2.0 * start_half;
            for k in 1..self.land_segments {
                put(root, start_half + gap * k as f64 / self.land_segments as f64);
            }
        }
        Ok(outline)
    }

    /// Genus 1 with a bore, 0 without.
    pub fn generate(&self) -> Result<TriangleMesh, GeometryError> {
        let outline = self.outline()?;
        let bore = if self.bore > 0.0 {
            vec![circle([0.0, 0.0], 0.5 * self.bore, self.bore_segments, 0.0)]
        } else {
            Vec::new()
        };
        extrude(&outline, &bore, -0.5 * self.face_width, 0.5 * self.face_width)
    }

    fn check(&self) -> Result<(), GeometryError> {
        let part = Self::NAME;
        check::positive(part, "module", self.module)?;
        check::count(part, "teeth", self.teeth, 5, 10_000)?;
        check::require(
            part,
            "pressure_angle",
            self.pressure_angle,
            (0.05..=0.8).contains(&self.pressure_angle),
            || String::from("it must be from 0.05 to 0.8 rad"),
        )?;
        check::positive(part, "face_width", self.face_width)?;
        check::not_negative(part, "bore", self.bore)?;
        check::not_negative(part, "backlash", self.backlash)?;
        for (name, value, low, high) in
            [("addendum", self.addendum, 0.1, 2.0), ("clearance", self.clearance, 0.0, 1.0)]
        {
            check::require(part, name, value, (low..=high).contains(&value), || {
                format!("it must be from {low} to {high} modules")
            })?;
        }
        check::count(part, "flank_segments", self.flank_segments, 1, 1000)?;
        check::count(part, "land_segments", self.land_segments, 1, 1000)?;
        check::count(part, "bore_segments", self.bore_segments, 3, check::MAX_SEGMENTS)?;
        // Two flanks and two lands for each tooth, on both faces.
        let corners = 4 * (self.flank_segments + self.land_segments);
        let max = check::MAX_COUNT / 8 / corners;
        check::require(part, "teeth", self.teeth as f64, self.teeth <= max, || {
            format!(
                "with {} flank_segments and {} land_segments it must be at most {max}",
                self.flank_segments, self.land_segments
            )
        })?;
        let root = self.root_radius();
        check::require(part, "bore", self.bore, 0.5 * self.bore < root, || {
            format!("it must be less than the root diameter {} m", 2.0 * root)
        })?;
        check::require(part, "clearance", self.clearance, root > 0.0, || {
            format!("the root radius {root} m must be positive")
        })?;
        let tip_half = self.half_tooth_angle(self.tip_radius());
        check::require(part, "addendum", self.addendum, tip_half > 0.0, || {
            format!("the tooth comes to a point below the tip: half its angle there would be {tip_half} rad")
        })?;
        let start_half = self.half_tooth_angle(self.base_radius().max(root));
        let max = PI / self.teeth as f64;
        check::require(part, "teeth", self.teeth as f64, start_half < max, || {
            format!("neighbouring teeth meet at the root: half a tooth takes {start_half} of {max} rad")
        })?;
        Ok(())
    }
}

/// The involute function tan a - a [rad].
fn involute(angle: f64) -> f64 {
    math::tan(angle) - angle
}
