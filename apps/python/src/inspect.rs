//! What is known about a body.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zerogap::geometry::mass::check_density;
use zerogap::inspect::{Inspection, Topology};
use zerogap::target::{ReadOptions, Target};
use zerogap::{Mat3, Vec3};

use crate::arrays::{Array1, Array2, square, vector};
use crate::error::{geometry, target, warn};
use crate::mesh::PyMesh;
use crate::pickle::{Reduced, bytes_of, maker, value_of};
use crate::quantity::arg;
use crate::shape::PyShape;

/// How the triangles of a mesh join, after welding exactly equal positions.
#[pyclass(name = "Topology", module = "zerogap", frozen)]
#[derive(Clone)]
pub(crate) struct PyTopology {
    pub(crate) topology: Topology,
}

#[pymethods]
impl PyTopology {
    /// In a phrase: ``closed manifold``, ``72 boundary edges``.
    #[getter]
    fn summary(&self) -> &str {
        &self.topology.summary
    }

    /// Triangles as given.
    #[getter]
    fn triangles(&self) -> usize {
        self.topology.triangles
    }

    /// Vertices as given.
    #[getter]
    fn vertices(&self) -> usize {
        self.topology.vertices
    }

    /// Distinct positions.
    #[getter]
    fn welded_vertices(&self) -> usize {
        self.topology.welded_vertices
    }

    /// Sets of triangles that hang together through common points.
    #[getter]
    fn components(&self) -> usize {
        self.topology.components
    }

    /// Edges with one triangle.
    #[getter]
    fn boundary_edges(&self) -> usize {
        self.topology.boundary_edges
    }

    /// Edges with three or more triangles.
    #[getter]
    fn non_manifold_edges(&self) -> usize {
        self.topology.non_manifold_edges
    }

    /// Edges whose two triangles face opposite ways.
    #[getter]
    fn orientation_conflicts(&self) -> usize {
        self.topology.orientation_conflicts
    }

    /// Triangles without area.
    #[getter]
    fn degenerate_triangles(&self) -> usize {
        self.topology.degenerate_triangles
    }

    /// Triangles that repeat an earlier one.
    #[getter]
    fn duplicate_triangles(&self) -> usize {
        self.topology.duplicate_triangles
    }

    /// Whether every edge has two triangles that agree.
    #[getter]
    fn watertight(&self) -> bool {
        self.topology.watertight
    }

    /// Points minus edges plus triangles.
    #[getter]
    fn euler_characteristic(&self) -> i64 {
        self.topology.euler_characteristic
    }

    /// Signed volume [m³]; of an open mesh a number without much meaning.
    #[getter]
    fn signed_volume(&self) -> f64 {
        self.topology.signed_volume
    }

    /// Area of all triangles [m²].
    #[getter]
    fn area(&self) -> f64 {
        self.topology.area
    }

    fn __repr__(&self) -> String {
        format!("<zerogap.Topology: {}, {} triangles>", self.topology.summary, self.topology.triangles)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>,)>> {
        Ok((maker(py, "_topology")?, (bytes_of(py, &self.topology)?,)))
    }
}

/// What is known about a body; attributes that do not apply are None.
#[pyclass(name = "Inspection", module = "zerogap", frozen)]
pub(crate) struct PyInspection {
    inspection: Inspection,
}

#[pymethods]
impl PyInspection {
    /// The word or path it was asked for by, or its kind.
    #[getter]
    fn name(&self) -> &str {
        &self.inspection.name
    }

    /// ``mesh``, or the kind of shape.
    #[getter]
    fn kind(&self) -> &str {
        &self.inspection.kind
    }

    /// Format of the file it came from.
    #[getter]
    fn format(&self) -> Option<&str> {
        self.inspection.format.as_deref()
    }

    /// How the triangles join.
    #[getter]
    fn topology(&self) -> Option<PyTopology> {
        self.inspection.topology.clone().map(|topology| PyTopology { topology })
    }

    /// Smallest coordinates [m].
    #[getter]
    fn min<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.inspection.min.map(|v| vector(py, Vec3::from(v)))
    }

    /// Largest coordinates [m].
    #[getter]
    fn max<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.inspection.max.map(|v| vector(py, Vec3::from(v)))
    }

    /// Size along the axes [m].
    #[getter]
    fn extent<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.inspection.extent.map(|v| vector(py, Vec3::from(v)))
    }

    /// Density that the mass was computed with [kg/m³].
    #[getter]
    fn density(&self) -> f64 {
        self.inspection.density
    }

    /// Volume [m³].
    #[getter]
    fn volume(&self) -> Option<f64> {
        self.inspection.volume
    }

    /// Mass [kg].
    #[getter]
    fn mass(&self) -> Option<f64> {
        self.inspection.mass
    }

    /// Centre of mass [m].
    #[getter]
    fn center<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.inspection.center.map(|v| vector(py, Vec3::from(v)))
    }

    /// Inertia about the centre of mass [kg m²].
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> Option<Array2<'py>> {
        self.inspection
            .inertia
            .map(|rows| square(py, &Mat3::from_rows(&rows.map(|r| Vec3::from(r).transpose()))))
    }

    /// Principal moments in ascending order [kg m²].
    #[getter]
    fn principal_moments<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.inspection.principal_moments.map(|v| vector(py, Vec3::from(v)))
    }

    /// Why there is no mass.
    #[getter]
    fn mass_error(&self) -> Option<&str> {
        self.inspection.mass_error.as_deref()
    }

    fn __repr__(&self) -> String {
        let state =
            self.inspection.topology.as_ref().map_or(self.inspection.kind.as_str(), |t| t.summary.as_str());
        format!("<zerogap.Inspection of {}: {state}>", self.inspection.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>,)>> {
        Ok((maker(py, "_inspection")?, (bytes_of(py, &self.inspection)?,)))
    }
}

/// Makes an inspection again.
#[pyfunction]
pub(crate) fn _inspection(state: &[u8]) -> PyResult<PyInspection> {
    Ok(PyInspection { inspection: value_of(state)? })
}

/// Makes a topology again.
#[pyfunction]
pub(crate) fn _topology(state: &[u8]) -> PyResult<PyTopology> {
    Ok(PyTopology { topology: value_of(state)? })
}

/// Topology, extents, volume, mass and inertia of a mesh file, a part (``"part:gear"``), a shape in a word, a shape or a mesh.
///
/// >>> import zerogap as zg
/// >>> zg.inspect("part:gear").topology.summary
/// 'closed manifold'
#[pyfunction]
#[pyo3(signature = (body, density = 1000.0, scale = None, repair = false))]
pub(crate) fn inspect(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arg::density)] density: f64,
    #[pyo3(from_py_with = arg::scale)] scale: Option<f64>,
    repair: bool,
) -> PyResult<PyInspection> {
    check_density(density).map_err(geometry)?;
    let is_file = !(body.is_instance_of::<PyShape>() || body.is_instance_of::<PyMesh>());
    if !is_file && (repair || scale.is_some()) {
        return Err(PyValueError::new_err(
            "scale and repair are for files: a mesh has scaled() and repair() of its own",
        ));
    }
    let (name, resolved) = if let Ok(shape) = body.cast::<PyShape>() {
        (shape.get().shape.kind().to_owned(), Target::from(shape.get().shape.clone()))
    } else if let Ok(mesh) = body.cast::<PyMesh>() {
        ("mesh".to_owned(), Target::generated((*mesh.get().mesh).clone()))
    } else {
        let path: std::path::PathBuf = body.extract()?;
        let word = path.to_string_lossy().into_owned();
        let options = ReadOptions { unit: scale, repair, ..ReadOptions::default() };
        let resolved = py.detach(|| Target::resolve(&word, &options)).map_err(|e| target(py, &e))?;
        warn(py, resolved.warnings())?;
        (word, resolved)
    };
    let inspection = py.detach(|| zerogap::inspect::inspect(&name, &resolved, density));
    Ok(PyInspection { inspection })
}
