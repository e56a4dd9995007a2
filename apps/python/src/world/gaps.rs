//! Gaps between the bodies of a world.

use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::world::{GapSide, ShapeGap, ShapeId, World, WorldError};
use zerogap::{Gap, Vec3};

use super::bodies::Names;
use super::setup::refusal;
use crate::arrays::{matrix_of, pairs_of, read_only};
use crate::distance::PyGap;

/// A side of a gap: a body by name or number, a shape by its name, None or ``"world"`` for all that is fixed.
pub(super) fn side_of(names: &Names, world: &World, side: &Bound<'_, PyAny>) -> PyResult<GapSide> {
    if side.is_none() {
        return Ok(GapSide::Fixed);
    }
    match side.extract::<String>() {
        Ok(name) => world.side_named(&name).map_err(|error| refusal(&error)),
        Err(_) => names.find(side).map(GapSide::Body),
    }
}

/// A gap of two shapes, with their names.
pub(super) fn py_gap(world: &World, found: Result<ShapeGap, WorldError>) -> PyResult<PyGap> {
    let found = found.map_err(|error| refusal(&error))?;
    Ok(PyGap { gap: found.gap, a: world.shape_name(found.a), b: world.shape_name(found.b) })
}

/// Gaps as arrays.
pub(super) fn gap_arrays<'py>(
    py: Python<'py>,
    world: &World,
    gaps: &[ShapeGap],
) -> PyResult<Bound<'py, PyDict>> {
    let shapes = || gaps.iter().flat_map(|found| [found.a, found.b]);
    let body = |shape: ShapeId| world.body_of(shape).map_or(-1, |body| i64::from(body.0));
    let list = |of: fn(&Gap) -> f64| {
        read_only(gaps.iter().map(|g| of(&g.gap)).collect::<Vec<f64>>().into_pyarray(py))
    };
    let rows = |of: fn(&Gap) -> Vec3| {
        let numbers = gaps.iter().flat_map(|found| <[f64; 3]>::from(of(&found.gap)));
        read_only(matrix_of(py, numbers.collect()))
    };
    let all = PyDict::new(py);
    all.set_item("shapes", pairs_of(py, shapes().map(|shape| i64::from(shape.0)).collect()))?;
    all.set_item("bodies", pairs_of(py, shapes().map(body).collect()))?;
    all.set_item("gap", list(|gap| gap.gap))?;
    all.set_item("lower", list(|gap| gap.lower))?;
    all.set_item("upper", list(|gap| gap.upper))?;
    all.set_item("normal", rows(|gap| gap.normal))?;
    all.set_item("point_a", rows(|gap| gap.point_a))?;
    all.set_item("point_b", rows(|gap| gap.point_b))?;
    Ok(all)
}
