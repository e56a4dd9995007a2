//! Gates for the parameters of parts.

use zerogap_core::{MAX_LENGTH, MIN_LENGTH, Vec3};

use super::PartError;
use crate::mesh::is_degenerate;
use crate::{GeometryError, TriangleMesh};

/// Maximum number of vertices that a part may ask for [-]: about half a gigabyte of mesh.
pub(super) const MAX_COUNT: usize = 4_000_000;

/// Maximum number of segments of a circle whose plane faces have holes or steps [-]: cutting these costs the square, some seconds at this count.
pub(super) const MAX_SEGMENTS: usize = 10_000;

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

/// A count that makes vertices together with another one, `times`, which is known to be good.
pub(super) fn count_times(
    part: &'static str,
    (parameter, value): (&'static str, usize),
    low: usize,
    (other, times): (&'static str, usize),
) -> Result<(), PartError> {
    let high = MAX_COUNT / times.max(1);
    require(part, parameter, value as f64, (low..=high).contains(&value), || {
        format!("with {times} {other} it must be from {low} to {high}, for at most {MAX_COUNT} vertices")
    })
}

/// The surface of a part, if none of its triangles is too thin to have a direction.
pub(super) fn surface(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<TriangleMesh, GeometryError> {
    let mesh = TriangleMesh::new(vertices, triangles)?;
    let thin = mesh.corner_triples().find(is_degenerate);
    thin.map_or(Ok(mesh), |[p, ..]| Err(PartError::TooThin { x: p.x, y: p.y, z: p.z }.into()))
}

/// Any other requirement, with the values it is compared to.
pub(super) fn require(
    part: &'static str,
    parameter: &'static str,
    value: f64,
    holds: bool,
    requirement: impl FnOnce() -> String,
) -> Result<(), PartError> {
    if holds { Ok(()) } else { Err(PartError::Value { part, parameter, value, requirement: requirement() }) }
}
