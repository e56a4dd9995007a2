//! Copies of results, scenes and worlds: what `pickle` and `copy` call to make them again, bit for bit.
//!
//! A class gives one of these functions and its arguments; the functions are not for users. Bytes are those of [`zerogap::core::store`].

use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zerogap::core::store::{Store, StoreError, from_bytes, to_bytes};
use zerogap::world::StoredError;

/// What `__reduce__` returns: a function and its arguments.
pub(crate) type Reduced<'py, T> = (Bound<'py, PyAny>, T);

/// A function of this module by name, for `__reduce__`.
pub(crate) fn maker<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("zerogap._zerogap")?.getattr(name)
}

/// A value as bytes.
pub(crate) fn bytes_of<'py>(py: Python<'py>, value: &impl Store) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, &to_bytes(value).map_err(|error| refused(&error))?))
}

/// A value from bytes.
pub(crate) fn value_of<T: Store>(bytes: &[u8]) -> PyResult<T> {
    from_bytes(bytes).map_err(|error| refused(&error))
}

/// What cannot be copied is a `TypeError`, as everywhere in Python; damaged bytes are a `ValueError`.
fn refused(error: &StoreError) -> PyErr {
    match error {
        StoreError::Refused { .. } => PyTypeError::new_err(error.to_string()),
        StoreError::Damaged { .. } | StoreError::Invalid { .. } => PyValueError::new_err(error.to_string()),
    }
}

/// The same of worlds.
pub(crate) fn world_refused(error: &StoredError) -> PyErr {
    match error {
        StoredError::Bytes(error) => refused(error),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// An array of numbers with one axis, as it is kept.
pub(crate) type Kept1<T> = Py<PyArray1<T>>;

/// An array of numbers with two axes, as it is kept.
pub(crate) type Kept2<T> = Py<PyArray2<T>>;
