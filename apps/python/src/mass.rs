//! Mass, centre and inertia.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use zerogap::MassProperties;

use crate::arrays::{Array1, Array2, square, vector};
use crate::error::geometry;
use crate::pose::pose_of;
use crate::quantity::arg;

/// Mass, centre of mass and inertia of a rigid body.
#[pyclass(name = "MassProperties", module = "zerogap", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyMassProperties {
    pub(crate) properties: MassProperties,
}

#[pymethods]
impl PyMassProperties {
    /// Mass [kg].
    #[getter]
    fn mass(&self) -> f64 {
        self.properties.mass
    }

    /// Centre of mass [m].
    #[getter]
    fn center<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.properties.center)
    }

    /// Inertia about the centre of mass in the body's axes [kg m²].
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> Array2<'py> {
        square(py, &self.properties.inertia)
    }

    /// Principal moments in ascending order [kg m²].
    #[getter]
    fn principal_moments<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.properties.principal_moments())
    }

    /// The same distribution with another total mass [kg].
    fn with_mass(&self, #[pyo3(from_py_with = arg::mass)] mass: f64) -> PyResult<Self> {
        Ok(Self { properties: self.properties.with_mass(mass).map_err(geometry)? })
    }

    /// The same body after a rigid motion.
    fn transformed(&self, pose: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { properties: self.properties.transformed(&pose_of("pose", pose)?) })
    }

    /// Two bodies joined into one.
    fn __add__(&self, other: &Self) -> Self {
        Self { properties: self.properties.combined(&other.properties) }
    }

    /// ``sum([...])`` starts from 0.
    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        if other.eq(0)? {
            return Ok(self.clone());
        }
        Err(PyTypeError::new_err("mass properties can only be added to mass properties"))
    }

    fn __repr__(&self) -> String {
        let c = self.properties.center;
        format!("<zerogap.MassProperties: {} kg at ({}, {}, {})>", self.properties.mass, c.x, c.y, c.z)
    }
}
