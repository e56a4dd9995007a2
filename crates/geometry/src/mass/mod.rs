//! Mass, centre of mass and inertia of bodies.
//!
//! In: sizes and corners of shapes, and a density. Out: [`MassProperties`]. Each family of shapes has a file; all of them add up
//! [`Moments`] and convert those to mass properties in one place.

pub mod ellipsoid;
pub mod flat;
mod moments;
pub mod polytope;
pub mod revolution;
pub mod surface;

pub use moments::Moments;

use zerogap_core::{Mat3, Pose, Vec3};

use crate::GeometryError;

/// Mass, centre of mass and inertia of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// Mass [kg].
    pub mass: f64,
    /// Centre of mass in the body frame [m].
    pub center: Vec3,
    /// Inertia about the centre of mass, in the axes of the body frame [kg m²].
    pub inertia: Mat3,
}

zerogap_core::store_struct!(MassProperties { mass, center, inertia });

impl MassProperties {
    /// Nothing: the neutral element of [`MassProperties::combined`].
    pub fn zero() -> Self {
        Self { mass: 0.0, center: Vec3::zeros(), inertia: Mat3::zeros() }
    }

    /// From mass, centre and the second moment `C = ∫ (x - center)(x - center)ᵀ dm` [kg m²].
    pub fn from_second_moment(mass: f64, center: Vec3, moment: &Mat3) -> Self {
        // Trace minus diagonal as the sum of the other two: a needle's small moment would drown in the trace.
        let mut inertia = -moment;
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            inertia[(k, k)] = moment[(i, i)] + moment[(j, j)];
        }
        Self { mass, center, inertia }
    }

    /// The second moment `C = ∫ (x - center)(x - center)ᵀ dm` about the centre of mass [kg m²].
    pub fn second_moment(&self) -> Mat3 {
        Mat3::identity() * (0.5 * self.inertia.trace()) - self.inertia
    }

    /// The same body described in the frame that `pose` places it in.
    pub fn transformed(&self, pose: &Pose) -> Self {
        let r = pose.rotation_matrix();
        Self {
            mass: self.mass,
            center: pose.transform_point(&self.center),
            inertia: symmetric(&(r * self.inertia * r.transpose())),
        }
    }

    /// Returns the properties if they are finite; `density` is for the error.
    pub(crate) fn in_range(self, density: f64) -> Result<Self, GeometryError> {
        let finite = self.mass.is_finite() && self.inertia.iter().all(|x| x.is_finite());
        if finite { Ok(self) } else { Err(GeometryError::MassRange { density }) }
    }

    /// Two bodies joined into one.
    pub fn combined(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass == 0.0 {
            return *self;
        }
        // Everything relative to the first centre, so that bodies far from the origin lose no digits.
        let offset = other.center - self.center;
        let shift = offset * (other.mass / mass);
        let reduced = self.mass * (other.mass / mass);
        let steiner = (Mat3::identity() * offset.norm_squared() - offset * offset.transpose()) * reduced;
        Self { mass, center: self.center + shift, inertia: self.inertia + other.inertia + steiner }
    }

    /// The same distribution with another total mass [kg]; a body without mass has no distribution and is rejected.
    pub fn with_mass(&self, mass: f64) -> Result<Self, GeometryError> {
        for value in [mass, self.mass] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(GeometryError::Mass { value });
            }
        }
        // Inertia per mass first: the ratio of the masses alone may overflow where the product does not.
        Ok(Self { mass, center: self.center, inertia: self.inertia / self.mass * mass })
    }

    /// Principal moments in ascending order [kg m²].
    pub fn principal_moments(&self) -> Vec3 {
        let mut moments = self.inertia.symmetric_eigenvalues();
        moments.as_mut_slice().sort_by(f64::total_cmp);
        moments
    }
}

/// Passes a density through if it is usable.
pub fn check_density(value: f64) -> Result<f64, GeometryError> {
    if value > 0.0 && value.is_finite() { Ok(value) } else { Err(GeometryError::Density { value }) }
}

/// Removes the rounding that leaves a product such as `R I Rᵀ` a bit off symmetric.
fn symmetric(m: &Mat3) -> Mat3 {
    0.5 * (m + m.transpose())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_two_point_masses_gives_the_dumbbell() {
        let ball =
            |x: f64| MassProperties { mass: 2.0, center: Vec3::new(x, 0.0, 0.0), inertia: Mat3::zeros() };
        let dumbbell = ball(-1.5).combined(&ball(1.5));
        assert!((dumbbell.inertia - Mat3::from_diagonal(&Vec3::new(0.0, 9.0, 9.0))).amax() < 1e-15);
        assert!(dumbbell.center.amax() < 1e-16);
    }

    #[test]
    fn far_from_the_origin_no_digits_are_lost() {
        let far = 1e8;
        let ball = |x: f64| MassProperties {
            mass: 1.0,
            center: Vec3::new(far + x, far, far),
            inertia: Mat3::identity(),
        };
        let dumbbell = ball(0.0).combined(&ball(1.0));
        assert!((dumbbell.inertia - Mat3::from_diagonal(&Vec3::new(2.0, 2.5, 2.5))).amax() < 1e-15);
    }

    #[test]
    fn second_moment_and_inertia_are_two_forms_of_one_thing() {
        let m = MassProperties {
            mass: 1.0,
            center: Vec3::zeros(),
            inertia: Mat3::new(3.0, 0.1, 0.2, 0.1, 4.0, 0.3, 0.2, 0.3, 5.0),
        };
        let back = MassProperties::from_second_moment(1.0, Vec3::zeros(), &m.second_moment());
        assert!((back.inertia - m.inertia).amax() < 1e-15);
    }
}
