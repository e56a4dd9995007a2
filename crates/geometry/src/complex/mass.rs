//! Mass of complexes: volumes by their inside, shells by their thickness, lines and points by their radius.
//!
//! A shell is the middle surface of a sheet, a line that of a wire, a point that of a ball: each is as thick as the complex is inflated.

use std::f64::consts::PI;

use zerogap_core::error::check_length;
use zerogap_core::{Mat3, Vec3};

use super::{Complex, PartKind};
use crate::GeometryError;
use crate::mass::surface::solid_of_triangles;
use crate::mass::{MassProperties, check_density};

impl Complex {
    /// Mass properties at a density [kg/m³], with a dilation [m] that stands for half the thickness of what has no volume.
    ///
    /// Volumes weigh what they enclose, whatever the dilation. Triangles of shells are prisms of twice the dilation, lines that bound no
    /// triangle are cylinders with the dilation as radius, points that nothing else uses are balls of that radius; what they share at edges and joints counts twice.
    /// Tolerance: exact up to rounding for this model; against the inflated body off by terms of the order of dilation over size.
    /// Fails: where nothing has mass: without a dilation a shell, a line and a point have none.
    pub fn mass_properties(&self, density: f64, dilation: f64) -> Result<MassProperties, GeometryError> {
        let density = check_density(density)?;
        let radius = check_length("the dilation", dilation)?;
        let kind = |t: usize| self.report.parts[self.part_of[t] as usize].kind;
        let corners = |t: usize| self.triangles[t].map(|v| self.vertices[v as usize]);
        let solid = (0..self.triangles.len()).filter(|&t| kind(t) != PartKind::Shell);
        let middle = 0.5 * (self.bounds.min + self.bounds.max);
        let mut all = solid_of_triangles(solid.map(corners), middle, density);
        for t in (0..self.triangles.len()).filter(|&t| kind(t) == PartKind::Shell) {
            all = all.combined(&prism(corners(t), radius, density));
        }
        for ends in self.wires() {
            all = all.combined(&cylinder(ends.map(|v| self.vertices[v as usize]), radius, density));
        }
        for point in self.lone_points() {
            let mass = density * 4.0 / 3.0 * PI * radius.powi(3);
            let moment = Mat3::identity() * (0.2 * mass * radius * radius);
            all = all.combined(&MassProperties::from_second_moment(
                mass,
                self.vertices[point as usize],
                &moment,
            ));
        }
        if all.mass > 0.0 { all.in_range(density) } else { Err(GeometryError::NoThickness) }
    }
}

/// A triangle of a sheet of twice the half thickness.
fn prism([a, b, c]: [Vec3; 3], half: f64, density: f64) -> MassProperties {
    let across = (b - a).cross(&(c - a));
    let mass = density * half * across.norm();
    let normal = across.try_normalize(0.0).unwrap_or_default();
    let center = (a + b + c) / 3.0;
    let flat: Mat3 = [a, b, c].iter().map(|p| (p - center) * (p - center).transpose()).sum();
    let moment = flat * (mass / 12.0) + normal * normal.transpose() * (mass * half * half / 3.0);
    MassProperties::from_second_moment(mass, center, &moment)
}

/// A piece of wire, without caps.
fn cylinder([a, b]: [Vec3; 2], radius: f64, density: f64) -> MassProperties {
    let way = b - a;
    let mass = density * PI * radius * radius * way.norm();
    let along = way.try_normalize(0.0).unwrap_or_default();
    let across = Mat3::identity() - along * along.transpose();
    let moment = way * way.transpose() * (mass / 12.0) + across * (0.25 * mass * radius * radius);
    MassProperties::from_second_moment(mass, 0.5 * (a + b), &moment)
}
