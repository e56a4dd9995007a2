//! Triangle meshes.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use numpy::{IntoPyArray, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::geometry::export::write_mesh;
use zerogap::geometry::import::Format;
use zerogap::geometry::mesh::RepairOptions;
use zerogap::proximity::mesh::MeshBody;
use zerogap::target::{ReadOptions, Target};
use zerogap::{TriangleMesh, Vec3};

use crate::arrays::{Array2, Rows, index_rows, index_triples, matrix, numbers_like, vectors, vectors_like};
use crate::error::{export, geometry, target, warn};
use crate::inspect::PyTopology;
use crate::pose::pose_of;
use crate::public;
use crate::quantity::arg;
use crate::shape::PyShape;
use crate::user::answer_each;

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
    ready: Ready,
}

/// The mesh made ready for distances, the first time that is asked for. Meshes are equal whether or not it is there.
#[derive(Clone, Default)]
struct Ready(OnceLock<Arc<MeshBody>>);

impl PartialEq for Ready {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Reads a mesh file (OBJ, STL, PLY, glTF, GLB).
///
/// `scale` is the size of the file's unit in metres: 1e-3 for millimetres, 1 where it is left out. A ``UserWarning`` reports a file without a
/// unit that is longer than 10 m when its numbers are metres, and of lines and points that were left out. `repair` welds equal points, drops collapsed and repeated
/// triangles and orients consistently; slivers stay (see :meth:`Mesh.repair`). `format` ("obj", "stl", "ply", "gltf") overrules
/// the extension. Raises :class:`MeshFileError` with the place in the file, or an ``OSError`` where it cannot be opened.
#[pyfunction]
#[pyo3(signature = (path, scale = None, repair = false, format = None))]
pub(crate) fn mesh(
    py: Python<'_>,
    path: PathBuf,
    #[pyo3(from_py_with = arg::scale)] scale: Option<f64>,
    repair: bool,
    format: Option<&str>,
) -> PyResult<PyMesh> {
    let unknown = |name: &str| {
        PyValueError::new_err(format!("'{name}' is not a format: use obj, stl, ply, gltf or glb"))
    };
    let format = format.map(|name| Format::from_extension(name).ok_or_else(|| unknown(name))).transpose()?;
    let options = ReadOptions { unit: scale, format, repair, complex: false };
    match py.detach(|| Target::read(&path, &options)) {
        Ok(Target::Mesh { mesh, warnings, .. }) => {
            warn(py, &warnings)?;
            Ok(mesh.into())
        }
        Ok(Target::Shape(_) | Target::Complex { .. }) => Err(PyValueError::new_err("the file holds no mesh")),
        Err(error) => Err(target(py, &error)),
    }
}

/// One value of each kind for a single question, arrays for many.
type Answers<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Vertices and triangles as arrays.
type Arrays<'py> = (Array2<'py>, Bound<'py, PyArray2<u32>>);

impl From<TriangleMesh> for PyMesh {
    fn from(mesh: TriangleMesh) -> Self {
        Arc::new(mesh).into()
    }
}

impl From<Arc<TriangleMesh>> for PyMesh {
    fn from(mesh: Arc<TriangleMesh>) -> Self {
        Self { mesh, ready: Ready::default() }
    }
}

impl PyMesh {
    /// The mesh made ready for distances.
    pub(crate) fn body(&self) -> Arc<MeshBody> {
        Arc::clone(self.ready.0.get_or_init(|| Arc::new(MeshBody::new(Arc::clone(&self.mesh)))))
    }
}

#[pymethods]
impl PyMesh {
    /// From an (n, 3) array of positions [m] and an (m, 3) array of indices, counter-clockwise seen from outside.
    #[new]
    fn new(
        #[pyo3(from_py_with = arg::vertices)] vertices: Rows<'_>,
        triangles: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let vertices = vectors("vertices", &vertices)?.rows;
        let triangles = index_rows("triangles", triangles)?;
        let mut corners = Vec::with_capacity(triangles.len());
        for (row, triangle) in triangles.iter().enumerate() {
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

    /// A repaired copy: welded within `weld_tolerance` [m], without collapsed and repeated triangles, consistently oriented.
    ///
    /// `drop_slivers` also drops triangles that are flat though their corners are apart; that opens a crack between their
    /// neighbours, so it is off unless asked for.
    #[pyo3(signature = (weld_tolerance = 0.0, drop_slivers = false))]
    fn repair(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arg::weld_tolerance)] weld_tolerance: f64,
        drop_slivers: bool,
    ) -> PyResult<Self> {
        let options = RepairOptions { weld_tolerance, drop_slivers, ..RepairOptions::default() };
        let (mesh, _) = py.detach(|| self.mesh.repair(&options)).map_err(geometry)?;
        Ok(mesh.into())
    }

    /// The connected components.
    fn components(&self, py: Python<'_>) -> Vec<Self> {
        py.detach(|| self.mesh.components()).into_iter().map(Self::from).collect()
    }

    /// The mesh after a rigid motion.
    fn transformed(&self, py: Python<'_>, pose: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pose = pose_of("pose", pose)?;
        Ok(py.detach(|| self.mesh.transformed(&pose)).map_err(geometry)?.into())
    }

    /// The mesh scaled about the origin.
    fn scaled(&self, py: Python<'_>, factor: f64) -> PyResult<Self> {
        Ok(py.detach(|| self.mesh.scaled(factor)).map_err(geometry)?.into())
    }

    /// The nearest point of the surface to each point, its distance [m] and its triangle: ``(point, distance, triangle)``.
    ///
    /// The distance has no sign, so the mesh may be open. One point gives one answer, (n, 3) gives n.
    ///
    /// >>> import zerogap as zg
    /// >>> plate = zg.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> plate.nearest_point((0.25, 0.25, -2))[1]
    /// 2.0
    fn nearest_point<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'py>,
    ) -> PyResult<Answers<'py>> {
        let points = vectors("points", &points)?;
        let found = answer_each(py, &points.rows, |p| self.mesh.nearest_point(p))?;
        let surface: Vec<Vec3> = found.iter().map(|n| n.point).collect();
        let distances = numbers_like(py, found.iter().map(|n| n.distance).collect(), points.single)?;
        let triangles: Vec<u32> = found.iter().map(|n| n.triangle as u32).collect();
        let triangles = match triangles.as_slice() {
            [one] if points.single => one.into_pyobject(py)?.into_any(),
            _ => triangles.into_pyarray(py).into_any(),
        };
        Ok((vectors_like(py, &surface, points.single), distances, triangles))
    }

    /// How often the surface winds around each point: 1 inside a closed mesh, 0 outside, between the two near an open one.
    ///
    /// One point gives one number, (n, 3) gives (n,). The first question makes the mesh ready; after it a closed mesh answers in a time that hardly depends on its size.
    ///
    /// >>> import zerogap as zg
    /// >>> zg.parts.torus(major=1, minor=0.3).winding_number([(0, 0, 0), (1, 0, 0)])
    /// array([0., 1.])
    fn winding_number<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::points)] points: Rows<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let points = vectors("points", &points)?;
        let body = py.detach(|| self.body());
        let found = answer_each(py, &points.rows, |p| body.winding_number(p))?;
        numbers_like(py, found, points.single)
    }

    /// The mesh as a shape, for the questions that shapes answer.
    fn shape(&self) -> PyShape {
        PyShape { shape: zerogap::Shape::Mesh(Arc::clone(&self.mesh)) }
    }

    /// Writes the mesh in the format of the extension: .obj .stl .ply .glb.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| write_mesh(&self.mesh, &path)).map_err(|e| export(&e))
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
