//! The mass of a body and how it is spread, checked when it enters.

use zerogap_core::error::check_coordinates;
use zerogap_core::{Mat3, Vec3};

use super::error::TreeError;

/// How far an inertia tensor given with few digits may break its rules, relative to its trace [-]: flat plates and thin rods meet them with equality.
const INERTIA_SLACK: f64 = 1e-6;

/// Mass and inertia of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inertia {
    /// The mass; zero is fine where something with inertia hangs on the body [kg].
    pub mass: f64,
    /// The centre of mass in the body frame [m].
    pub center: Vec3,
    /// The inertia tensor about the centre of mass, in axes of the body frame [kg m²].
    pub inertia: Mat3,
}

zerogap_core::store_struct!(Inertia { mass, center, inertia });

impl Inertia {
    /// Neither mass nor inertia.
    pub fn none() -> Self {
        Self { mass: 0.0, center: Vec3::zeros(), inertia: Mat3::zeros() }
    }

    /// All mass in one point.
    pub fn point(mass: f64, center: Vec3) -> Self {
        Self { mass, center, inertia: Mat3::zeros() }
    }

    /// A solid sphere about the origin.
    pub fn sphere(mass: f64, radius: f64) -> Self {
        let moment = 0.4 * mass * radius * radius;
        Self { mass, center: Vec3::zeros(), inertia: Mat3::from_diagonal_element(moment) }
    }

    /// A solid box about the origin, with full extents `size` [m].
    pub fn cuboid(mass: f64, size: Vec3) -> Self {
        let square = size.component_mul(&size) * (mass / 12.0);
        let moments = Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y);
        Self { mass, center: Vec3::zeros(), inertia: Mat3::from_diagonal(&moments) }
    }

    /// Passes on what some distribution of mass has, with an exactly symmetric tensor.
    pub(super) fn checked(&self, body: u32) -> Result<Self, TreeError> {
        if !(self.mass >= 0.0 && self.mass.is_finite()) {
            return Err(TreeError::Mass { body, mass: self.mass });
        }
        check_coordinates("centre of mass", self.center)
            .map_err(|source| TreeError::Input { body, source })?;
        let i = &self.inertia;
        let refuse = |reason| TreeError::Inertia {
            body,
            xx: i.m11,
            yy: i.m22,
            zz: i.m33,
            xy: i.m12,
            xz: i.m13,
            yz: i.m23,
            reason,
        };
        let trace = i.trace();
        if !(i.iter().all(|x| x.is_finite()) && trace.is_finite()) {
            return Err(refuse("it must be finite"));
        }
        if trace < 0.0 || (trace == 0.0 && i.amax() > 0.0) {
            return Err(refuse("it must not be negative"));
        }
        if trace == 0.0 {
            return Ok(*self);
        }
        // All rules in one: half the trace minus the tensor is the second moment of the mass, and that is never negative.
        let unit = i / trace;
        if (unit - unit.transpose()).amax() > INERTIA_SLACK {
            return Err(refuse("it must be symmetric"));
        }
        let unit = (unit + unit.transpose()) * 0.5;
        let second = Mat3::from_diagonal_element(0.5 + INERTIA_SLACK) - unit;
        if second.cholesky().is_none() {
            return Err(refuse(
                "no mass has it: each principal moment must be positive and at most the sum of the other two",
            ));
        }
        Ok(Self { inertia: (i + i.transpose()) * 0.5, ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inertia: Mat3) -> Result<Inertia, TreeError> {
        Inertia { mass: 1.0, center: Vec3::zeros(), inertia }.checked(7)
    }

    #[test]
    fn rods_plates_and_points_are_accepted() {
        for d in [[1.0, 1.0, 0.0], [1.0, 2.0, 3.0], [0.0; 3], [1e-300, 1e-300, 1e-300], [1.0, 2.0, 3.000_001]]
        {
            assert!(check(Mat3::from_diagonal(&Vec3::from(d))).is_ok(), "{d:?}");
        }
    }

    #[test]
    fn what_no_mass_has_is_refused_with_its_values() {
        for d in [[1.0, 1.0, 2.1], [1.0, 0.0, 0.0], [-1.0, 1.0, 1.0], [1.0, -1.0, 0.0], [f64::NAN, 1.0, 1.0]]
        {
            assert!(matches!(
                check(Mat3::from_diagonal(&Vec3::from(d))),
                Err(TreeError::Inertia { body: 7, .. })
            ));
        }
        let mut skew = Mat3::from_diagonal_element(1.0);
        skew.m12 = 0.1;
        let text = check(skew).unwrap_err().to_string();
        assert!(text.contains("symmetric") && text.contains("0.1"), "{text}");
        let heavy = Inertia::point(-1.0, Vec3::zeros()).checked(2);
        assert_eq!(heavy, Err(TreeError::Mass { body: 2, mass: -1.0 }));
    }
}
