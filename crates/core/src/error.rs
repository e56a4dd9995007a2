//! Errors for invalid input, with the values in the message.

use crate::units::shortest;
use crate::{MAX_LENGTH, MIN_LENGTH, Vec3};

/// An invalid number in the input.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum InputError {
    /// A coordinate is NaN, infinite or beyond [`MAX_LENGTH`].
    #[error("{what} is {}: every coordinate must be a number of magnitude at most {MAX_LENGTH:e}", triple(*x, *y, *z))]
    Coordinates {
        /// Name of the quantity.
        what: &'static str,
        /// First coordinate [m].
        x: f64,
        /// Second coordinate [m].
        y: f64,
        /// Third coordinate [m].
        z: f64,
    },
    /// A length is NaN, infinite, negative or out of range.
    #[error("{what} is {}: it must be a length from {} to {MAX_LENGTH:e} m", shortest(*value), shortest(*min))]
    Length {
        /// Name of the quantity.
        what: &'static str,
        /// The value given [m].
        value: f64,
        /// The smallest value accepted [m].
        min: f64,
    },
    /// A quaternion whose length is zero or not finite.
    #[error(
        "quaternion (x, y, z, w) = ({x}, {y}, {z}, {w}) has no direction: its length must be positive and finite"
    )]
    Quaternion {
        /// Vector part, first component [-].
        x: f64,
        /// Vector part, second component [-].
        y: f64,
        /// Vector part, third component [-].
        z: f64,
        /// Scalar part [-].
        w: f64,
    },
    /// A direction whose length is zero or not finite.
    #[error("{what} is {}: a direction needs a positive, finite length", triple(*x, *y, *z))]
    Direction {
        /// Name of the quantity.
        what: &'static str,
        /// First component [-].
        x: f64,
        /// Second component [-].
        y: f64,
        /// Third component [-].
        z: f64,
    },
    /// A stored direction that is not of length 1.
    #[error("{what} is {}: it must have length 1", triple(*x, *y, *z))]
    Unit {
        /// Name of the quantity.
        what: &'static str,
        /// First component [-].
        x: f64,
        /// Second component [-].
        y: f64,
        /// Third component [-].
        z: f64,
    },
    /// A matrix that is not a rotation.
    #[error(
        "the matrix is not a rotation matrix: its columns deviate from unit length and right angles by {miss:.3e} (at most {allowed:.0e}), and its determinant is {determinant:.6} (1 for a rotation, below 0 for a mirror image)"
    )]
    RotationMatrix {
        /// Largest entry of `RᵀR - I` [-].
        miss: f64,
        /// Its determinant [-].
        determinant: f64,
        /// Largest accepted value of `miss` [-].
        allowed: f64,
    },
    /// Text that is not a number with a unit.
    #[error("{message}")]
    Quantity {
        /// The error and the accepted form.
        message: String,
    },
}

/// Three numbers in parentheses.
fn triple(x: f64, y: f64, z: f64) -> String {
    format!("({}, {}, {})", shortest(x), shortest(y), shortest(z))
}

/// Returns the coordinates if they are valid.
pub fn check_coordinates(what: &'static str, p: Vec3) -> Result<Vec3, InputError> {
    if p.iter().all(|c| c.abs() <= MAX_LENGTH) {
        Ok(p)
    } else {
        Err(InputError::Coordinates { what, x: p.x, y: p.y, z: p.z })
    }
}

/// Returns a length if it is positive and in range.
pub fn check_positive_length(what: &'static str, value: f64) -> Result<f64, InputError> {
    if (MIN_LENGTH..=MAX_LENGTH).contains(&value) {
        Ok(value)
    } else {
        Err(InputError::Length { what, value, min: MIN_LENGTH })
    }
}

/// Returns a length if it is zero, or positive and in range.
pub fn check_length(what: &'static str, value: f64) -> Result<f64, InputError> {
    if value == 0.0 || (MIN_LENGTH..=MAX_LENGTH).contains(&value) {
        Ok(value)
    } else {
        Err(InputError::Length { what, value, min: 0.0 })
    }
}

/// How far from 1 the squared length of a stored unit vector may be [-]: far above rounding, far below what a mistake would make.
const STORED_UNIT: f64 = 1e-9;

/// Checks that a stored direction has length 1; [`check_direction`] handles directions given by a caller.
pub fn check_unit(what: &'static str, d: &Vec3) -> Result<(), InputError> {
    if (d.norm_squared() - 1.0).abs() <= STORED_UNIT {
        Ok(())
    } else {
        Err(InputError::Unit { what, x: d.x, y: d.y, z: d.z })
    }
}

/// Normalises a direction given by a caller; the result has length 1 to rounding, whatever the scale of the input.
pub fn check_direction(what: &'static str, d: Vec3) -> Result<Vec3, InputError> {
    let largest = d.amax();
    if largest > 0.0 && d.iter().all(|c| c.is_finite()) {
        // Scaling by the largest component first keeps the squares from over- and underflowing.
        Ok((d / largest).normalize())
    } else {
        Err(InputError::Direction { what, x: d.x, y: d.y, z: d.z })
    }
}
