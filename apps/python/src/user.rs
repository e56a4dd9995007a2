//! Shapes given by a Python function.

use std::cell::RefCell;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::Vec3;
use zerogap::geometry::shape::{SupportFunction, UserShape};

use crate::arrays::{Triple, triple, vector};
use crate::error::geometry;
use crate::mass::PyMassProperties;
use crate::quantity::arg;
use crate::shape::PyShape;

thread_local! {
    /// What a support function raised during the question that this thread is answering. The library knows no exceptions, so the
    /// question is answered with an inner point in its place and the exception is raised when the answer is handed out.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Questions answered before Python is asked whether the user has had enough (Ctrl-C).
const CHUNK: usize = 4096;

/// [`answer`] for each of many rows.
pub(crate) fn answer_each<R: Sync, T: Send>(
    py: Python<'_>,
    rows: &[R],
    mut question: impl FnMut(&R) -> T + Send,
) -> PyResult<Vec<T>> {
    let mut found = Vec::with_capacity(rows.len());
    for chunk in rows.chunks(CHUNK) {
        found.extend(answer(py, || chunk.iter().map(&mut question).collect::<Vec<T>>())?);
        py.check_signals()?;
    }
    Ok(found)
}

/// Answers a question with the interpreter released, and raises what support functions raised meanwhile.
pub(crate) fn answer<T: Send>(py: Python<'_>, question: impl FnOnce() -> T + Send) -> PyResult<T> {
    RAISED.set(None);
    let found = py.detach(question);
    match RAISED.take() {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

/// A Python callable as a support function.
#[derive(Debug)]
struct PySupport {
    function: Py<PyAny>,
    interior: Vec3,
}

impl PySupport {
    fn call(&self, direction: &Vec3) -> PyResult<Vec3> {
        Python::attach(|py| {
            let point = self.function.call1(py, (vector(py, *direction),))?;
            triple("the point that the support function returned", &point.extract::<Triple<'_>>(py)?)
        })
    }
}

impl SupportFunction for PySupport {
    fn support(&self, direction: &Vec3) -> Vec3 {
        self.call(direction).unwrap_or_else(|error| {
            // The first exception of a question is the one to tell.
            RAISED.with_borrow_mut(|raised| {
                raised.get_or_insert(error);
            });
            self.interior
        })
    }

    fn interior_point(&self) -> Vec3 {
        self.interior
    }
}

/// A convex shape given by its support function: ``support(direction)`` returns the point of the shape that lies farthest along a
/// direction of any length. `interior_point` is any point inside; `mass` are its mass properties at a density of 1 kg/m³.
///
/// >>> import numpy as np, zerogap as zg
/// >>> ball = zg.user_shape(lambda d: d / max(np.linalg.norm(d), 1e-300), interior_point=(0, 0, 0))
/// >>> round(ball.closest_point((3, 0, 0))[1], 9)
/// 2.0
#[pyfunction]
#[pyo3(signature = (support, interior_point, mass = None))]
pub(crate) fn user_shape(
    py: Python<'_>,
    support: Py<PyAny>,
    #[pyo3(from_py_with = arg::interior_point)] interior_point: Triple<'_>,
    mass: Option<&PyMassProperties>,
) -> PyResult<PyShape> {
    if !support.bind(py).is_callable() {
        return Err(PyValueError::new_err("support must be a function of one direction"));
    }
    let function = PySupport { function: support, interior: triple("interior_point", &interior_point)? };
    // A function that cannot answer at all is found out here, not in the middle of a simulation.
    function.call(&Vec3::x())?;
    let shape = UserShape::new(std::sync::Arc::new(function));
    let shape = match mass {
        Some(mass) => shape.with_mass_at_unit_density(mass.properties).map_err(geometry)?,
        None => shape,
    };
    Ok(PyShape { shape: zerogap::ConvexShape::from(shape).into() })
}
