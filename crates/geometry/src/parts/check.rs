//! Gates for the parameters of parts.

use zerogap_core::{MAX_LENGTH, MIN_LENGTH};

use super::PartError;

/// Most segments, subdivisions of a circle or vertices that a part may ask for [-]: beyond it indices and memory run out.
pub(super) const MAX_COUNT: usize = 4_000_000;

/// A length that must be positive [m].
pub(super) fn positive(part: &'static str, parameter: &'static str, value: f64) -> Result<(), PartError> {
    // A millionth of the range that coordinates have, so that sums and products of lengths stay inside it.
    let (low, high) = (MIN_LENGTH * 1e6, MAX_LENGTH * 1e-6);
    require(part, parameter, value, (low..=high).contains(&value), || {
        format!("it must be a length from {low:e} to {high:e} m")
    })
}

/// A length that may be zero [m].
pub(super) fn not_negative(part: &'static str, parameter: &'static str, value: f64) -> Result<(), PartError> {
    if value == 0.0 { Ok(()) } else { positive(part, parameter, value) }
}

/// A count within bounds.
pub(super) fn count(
    part: &'static str,
    parameter: &'static str,
    value: usize,
    low: usize,
    high: usize,
) -> Result<(), PartError> {
    require(part, parameter, value as f64, (low..=high).contains(&value), || {
        format!("it must be from {low} to {high}")
    })
}

/// Any other requirement, told with the values it is held against.
pub(super) fn require(
    part: &'static str,
    parameter: &'static str,
    value: f64,
    holds: bool,
    requirement: impl FnOnce() -> String,
) -> Result<(), PartError> {
    if holds { Ok(()) } else { Err(PartError::Value { part, parameter, value, requirement: requirement() }) }
}
