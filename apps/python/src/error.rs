//! Errors as Python's: bad values are `ValueError`, files that cannot be used `MeshFileError`, files that cannot be opened `OSError`.

use std::ffi::CString;

use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyTypeInfo, create_exception};
use zerogap::GeometryError;
use zerogap::geometry::export::ExportError;
use zerogap::geometry::import::{ImportError, ImportErrorKind, Place};
use zerogap::target::{MeshWarning, TargetError};

create_exception!(
    zerogap,
    MeshFileError,
    PyValueError,
    "A mesh file that cannot be used. Has `path`, `line` (or None) and `message`."
);

/// Anything wrong with a shape.
pub(crate) fn geometry(error: GeometryError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Anything wrong with a file; a file that is missing or cannot be opened is what it is everywhere in Python, and so is a bad argument.
pub(crate) fn import(py: Python<'_>, error: &ImportError) -> PyErr {
    match error.kind() {
        ImportErrorKind::Unreadable if !error.path().exists() => {
            return PyFileNotFoundError::new_err(error.to_string());
        }
        ImportErrorKind::Unreadable => return PyOSError::new_err(error.to_string()),
        ImportErrorKind::Options => return PyValueError::new_err(error.to_string()),
        _ => {}
    }
    let raised = PyErr::from_type(MeshFileError::type_object(py), error.to_string());
    let line = if let Place::Line { line, .. } = error.place() { Some(*line) } else { None };
    let value = raised.value(py);
    let told = value
        .setattr("path", error.path())
        .and_then(|()| value.setattr("line", line))
        .and_then(|()| value.setattr("message", error.message()));
    told.err().unwrap_or(raised)
}

/// Anything wrong with writing a file.
pub(crate) fn export(error: &ExportError) -> PyErr {
    match error {
        ExportError::Io { .. } => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Anything wrong with a word that should name a body.
pub(crate) fn target(py: Python<'_>, error: &TargetError) -> PyErr {
    match error {
        TargetError::File(error) => import(py, error),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// How a caller in Python gives the unit of a mesh.
const UNIT: &str = "zg.mesh(path, scale=1e-3) for millimetres, scale=1 where these are metres";

/// Warns of what a caller should know of a mesh file.
pub(crate) fn warn(py: Python<'_>, warnings: &[MeshWarning]) -> PyResult<()> {
    for warning in warnings {
        // A name with a zero byte is no file.
        let text = CString::new(warning.with_advice(UNIT)).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(())
}
