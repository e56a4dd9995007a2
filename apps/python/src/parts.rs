//! Generated parts by name; the typed functions of `zerogap.parts` call this.

use pyo3::prelude::*;
use zerogap::geometry::parts;

use crate::error::geometry;
use crate::mesh::PyMesh;

/// The names of all parts.
#[pyfunction]
pub(crate) fn part_names() -> Vec<&'static str> {
    parts::names()
}

/// The parameters of a part: name, default as text, unit, what it is.
#[pyfunction]
pub(crate) fn part_parameters(name: &str) -> PyResult<Vec<(&'static str, String, &'static str, String)>> {
    let info = parts::describe(name).map_err(geometry)?;
    Ok(info.parameters.into_iter().map(|p| (p.name, p.default, p.unit, p.doc)).collect())
}

/// The mesh of a part with some parameters set from text.
#[pyfunction]
pub(crate) fn part(py: Python<'_>, name: &str, settings: Vec<(String, String)>) -> PyResult<PyMesh> {
    let settings: Vec<(&str, &str)> =
        settings.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    Ok(py.detach(|| parts::by_name(name, &settings)).map_err(geometry)?.into())
}
