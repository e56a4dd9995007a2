//! Integrals over a body from which its mass properties follow.

use std::ops::AddAssign;

use zerogap_core::{Mat3, Vec3};

use super::{MassProperties, check_density, symmetric};
use crate::GeometryError;

/// The integrals of 1, x and x xᵀ over a body, with x measured from a reference point that the caller keeps near its middle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Volume [m³]; area [m²] or length [m] for flat and thin bodies.
    pub measure: f64,
    /// First moment: measure times [m].
    pub first: Vec3,
    /// Second moment: measure times [m²].
    pub second: Mat3,
}

impl Moments {
    /// Of nothing.
    pub fn zero() -> Self {
        Self { measure: 0.0, first: Vec3::zeros(), second: Mat3::zeros() }
    }

    /// The body moved by `offset` [m], with the reference point left behind.
    pub fn moved(&self, offset: &Vec3) -> Self {
        let cross = offset * self.first.transpose();
        Self {
            measure: self.measure,
            first: self.first + offset * self.measure,
            second: self.second + cross + cross.transpose() + offset * offset.transpose() * self.measure,
        }
    }

    /// Of the set of sums x + y, x in one body and y in the other, where every sum is reached once and the measures multiply: a
    /// polygon times a height, a segment times a cross-section.
    pub fn product(&self, other: &Self) -> Self {
        let cross = self.first * other.first.transpose();
        Self {
            measure: self.measure * other.measure,
            first: self.first * other.measure + other.first * self.measure,
            second: self.second * other.measure + cross + cross.transpose() + other.second * self.measure,
        }
    }

    /// Mass properties at a density, with `reference` [m] the point that the moments are about.
    pub fn mass_properties(&self, reference: Vec3, density: f64) -> Result<MassProperties, GeometryError> {
        let density = check_density(density)?;
        if self.measure <= 0.0 {
            return Ok(MassProperties { center: reference, ..MassProperties::zero() });
        }
        let offset = self.first / self.measure;
        let central = symmetric(&self.second) - offset * offset.transpose() * self.measure;
        let mass = self.measure * density;
        MassProperties::from_second_moment(mass, reference + offset, &(central * density)).in_range(density)
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Self) {
        self.measure += other.measure;
        self.first += other.first;
        self.second += other.second;
    }
}
