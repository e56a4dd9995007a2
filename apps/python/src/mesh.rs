//! Triangle meshes.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{AllowTypeChange, PyArray2, PyArrayLike2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use zerogap::TriangleMesh;
use zerogap::geometry::export::write_mesh;
use zerogap::geometry::mesh::RepairOptions;
use zerogap::target::{ReadOptions, Target};

use crate::arrays::{Array2, Rows, index_triples, matrix, vectors};
use crate::error::{geometry, target};
use crate::inspect::PyTopology;
use crate::pose::PyPose;
use crate::public;
use crate::shape::PyShape;

/// Vertices and triangles. Nothing is promised about closedness: ask :meth:`topology`.
///
/// >>> import zerogap as zg
/// >>> tetrahedron = zg.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
/// >>> tetrahedron.topology().watertight
/// True
/// >>> round(tetrahedron.shape().mass_properties(density=6.0).mass, 12)
/// 1.0
#[pyclass(name = "Mesh", module = "zerogap", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyMesh {
    pub(crate) mesh: Arc<TriangleMesh>,
}

/// Reads a mesh file (OBJ, STL, PLY, glTF, GLB). `scale` is the size of the file's unit in metres, `repair` welds, drops
/// degenerate and duplicate triangles and orients consistently.
#[pyfunction]
#[pyo3(signature = (path, scale = 1.0, repair = false))]
pub(crate) fn mesh(py: Python<'_>, path: PathBuf, scale: f64, repair: bool) -> PyResult<PyMesh> {
    let options = ReadOptions { unit: scale, repair };
    match py.detach(|| Target::read(&path, &options)) {
        Ok(Target::Mesh { mesh, .. }) => Ok(mesh.into()),
        Ok(Target::Shape(_)) => Err(PyValueError::new_err("the file holds no mesh")),
        Err(error) => Err(target(py, &error)),
    }
}

/// Vertices and triangles as arrays.
type Arrays<'py> = (Array2<'py>, Bound<'py, PyArray2<u32>>);

impl From<TriangleMesh> for PyMesh {
    fn from(mesh: TriangleMesh) -> Self {
        Self { mesh: Arc::new(mesh) }
    }
}

#[pymethods]
impl PyMesh {
    /// From an (n, 3) array of positions [m] and an (m, 3) array of indices, counter-clockwise seen from outside.
    #[new]
    fn new(vertices: Rows<'_>, triangles: PyArrayLike2<'_, i64, AllowTypeChange>) -> PyResult<Self> {
        let vertices = vectors("vertices", &vertices)?.rows;
        if triangles.shape()[1] != 3 {
            return Err(PyValueError::new_err(format!(
                "triangles must have shape (n, 3), not (n, {})",
                triangles.shape()[1]
            )));
        }
        let mut corners = Vec::with_capacity(triangles.shape()[0]);
        for (row, triangle) in triangles.as_array().rows().into_iter().enumerate() {
            let mut indices = [0_u32; 3];
            for (slot, &index) in indices.iter_mut().zip(triangle) {
                *slot = u32::try_from(index).map_err(|_| {
                    PyValueError::new_err(format!(
                        "triangles[{row}] has the index {index}: it must be from 0 to 4294967295"
                    ))
                })?;
            }
            corners.push(indices);
        }
        Ok(TriangleMesh::new(vertices, corners).map_err(geometry)?.into())
    }

    /// Positions [m], an (n, 3) array (a copy).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, self.mesh.vertices())
    }

    /// Vertex indices of each triangle, an (m, 3) array (a copy).
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u32>> {
        index_triples(py, self.mesh.triangles())
    }

    /// How the triangles join, after welding exactly equal positions.
    fn topology(&self, py: Python<'_>) -> PyTopology {
        py.detach(|| PyTopology { topology: (&self.mesh.topology()).into() })
    }

    /// A repaired copy: welded within `weld_tolerance` [m], without collapsed and duplicate triangles, consistently oriented.
    #[pyo3(signature = (weld_tolerance = 0.0, drop_slivers = false))]
    fn repair(&self, py: Python<'_>, weld_tolerance: f64, drop_slivers: bool) -> PyResult<Self> {
        let options = RepairOptions { weld_tolerance, drop_slivers, ..RepairOptions::default() };
        let (mesh, _) = py.detach(|| self.mesh.repair(&options)).map_err(geometry)?;
        Ok(mesh.into())
    }

    /// The connected components.
    fn components(&self) -> Vec<Self> {
        self.mesh.components().into_iter().map(Self::from).collect()
    }

    /// The mesh after a rigid motion.
    fn transformed(&self, pose: &PyPose) -> PyResult<Self> {
        Ok(self.mesh.transformed(&pose.pose).map_err(geometry)?.into())
    }

    /// The mesh scaled about the origin.
    fn scaled(&self, factor: f64) -> PyResult<Self> {
        Ok(self.mesh.scaled(factor).map_err(geometry)?.into())
    }

    /// The mesh as a shape, for the questions that shapes answer.
    fn shape(&self) -> PyShape {
        PyShape { shape: zerogap::Shape::Mesh(Arc::clone(&self.mesh)) }
    }

    /// Writes the mesh in the format of the extension: .obj .stl .ply .glb.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| write_mesh(&self.mesh, &path)).map_err(|e| PyOSError::new_err(e.to_string()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Arrays<'py>)> {
        Ok((public(py, "Mesh")?, (self.vertices(py), self.triangles(py))))
    }

    fn __repr__(&self) -> String {
        format!(
            "<zerogap.Mesh: {} vertices, {} triangles>",
            self.mesh.vertices().len(),
            self.mesh.triangles().len()
        )
    }
}
