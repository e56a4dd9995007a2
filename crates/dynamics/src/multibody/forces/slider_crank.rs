//! The length of a slider-crank: how far along the axis of a slider the pin of a rod is whose other end is on a crank.
//!
//! With the vector `d` from the slider to the end on the crank and the unit axis `a`, the length is `a . d - sqrt((a . d)² + rod² - d²)`; where the rod is too short to reach the axis the root is zero.

use zerogap_core::Vec3;

use super::{Evaluation, Site};
use crate::multibody::joint::BodyId;
use crate::multibody::workspace::Workspace;

/// A root of less than this has no derivative [m²].
const SMALLEST: f64 = 1e-30;

/// A length with its derivatives along the end on the crank, the slider and its axis.
pub(super) struct Crank {
    pub(super) length: f64,
    rod_end: (Option<BodyId>, Vec3),
    slider: (Option<BodyId>, Vec3),
    axis: Vec3,
    by_point: Vec3,
    by_axis: Vec3,
}

pub(super) fn evaluate(crank: &Site, slider: &Site, rod: f64, ws: &Workspace) -> Crank {
    let (end, base) = (crank.place(ws), slider.place(ws));
    let axis = base.transform_vector(&Vec3::z());
    let d = end.translation() - base.translation();
    let along = axis.dot(&d);
    let square = along * along + rod * rod - d.norm_squared();
    let (length, by_point, by_axis) = if square > SMALLEST {
        let root = square.sqrt();
        (along - root, axis - (axis * along - d) / root, d - d * (along / root))
    } else {
        (along, axis, d)
    };
    Crank {
        length,
        rod_end: (crank.body, end.translation()),
        slider: (slider.body, base.translation()),
        axis,
        by_point,
        by_axis,
    }
}

impl Crank {
    /// How fast the length grows [m/s].
    pub(super) fn rate(&self, ws: &Workspace) -> f64 {
        let ((crank, end), (slider, base)) = (self.rod_end, self.slider);
        let apart = ws.point_velocity(crank, end) - ws.point_velocity(slider, base);
        let spin = slider.map_or_else(Vec3::zeros, |body| ws.angular_velocity(body));
        self.by_point.dot(&apart) + self.by_axis.dot(&spin.cross(&self.axis))
    }

    /// Adds a force along the length [N].
    pub(super) fn push(&self, force: f64, at: &mut Evaluation<'_>) {
        let ((crank, end), (slider, base)) = (self.rod_end, self.slider);
        at.push(crank, end, self.by_point * force);
        at.push(slider, base, self.by_point * -force);
        at.twist(slider, self.axis.cross(&self.by_axis) * force);
    }
}
