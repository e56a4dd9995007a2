//! The contact plane of two shapes, and the rows of contacts in the equations of motion.

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::proximity::convex::{self, ContactPlane, TranslationKind};
use zerogap::proximity::kinematics::gap_row;
use zerogap::{Contact, ContactId, Feature, Vec3};

use crate::arrays::{Array1, Array2, Rows, matrix, shown_number, vector};
use crate::body::given_convex;
use crate::pose::pose_or_identity;
use crate::quantity::arg;
use crate::user::answer;

/// The plane between two convex shapes, perpendicular to the normal of their contact, with every direction that would do as that normal.
#[pyclass(name = "ContactPlane", module = "zerogap", frozen)]
pub(crate) struct PyContactPlane {
    plane: ContactPlane,
}

#[pymethods]
impl PyContactPlane {
    /// Unit vector from A to B.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.plane.normal)
    }

    /// The plane is ``normal @ x == offset`` [m]: half-way between the nearest points, or the deepest ones in overlap.
    #[getter]
    fn offset(&self) -> f64 {
        self.plane.offset
    }

    /// Signed distance of the shapes [m].
    #[getter]
    fn gap(&self) -> f64 {
        self.plane.gap
    }

    /// ``"unique"``, or ``"chosen"`` where another normal would have done as well.
    #[getter]
    fn normal_kind(&self) -> &'static str {
        self.plane.normal_kind.word()
    }

    /// All directions that would do, (n, 3), the best first; one where the normal is unique.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let normals: Vec<Vec3> = self.plane.candidates.iter().map(|candidate| candidate.normal).collect();
        matrix(py, &normals)
    }

    /// How far the shapes are apart along each candidate [m].
    #[getter]
    fn separations(&self) -> Vec<f64> {
        self.plane.candidates.iter().map(|candidate| candidate.separation).collect()
    }

    /// What gives each candidate: ``"face of A"``, ``"face of B"`` or ``"edges"``; None for the direction of the nearest points.
    #[getter]
    fn kinds(&self) -> Vec<Option<&'static str>> {
        self.plane.candidates.iter().map(|candidate| candidate.kind.map(TranslationKind::word)).collect()
    }

    fn __repr__(&self) -> String {
        let ContactPlane { normal, offset, candidates, .. } = &self.plane;
        let [x, y, z, offset] = [normal.x, normal.y, normal.z, *offset].map(shown_number);
        let count = candidates.len();
        let many = if count == 1 { "candidate" } else { "candidates" };
        format!("<zerogap.ContactPlane: ({x}, {y}, {z}) . x = {offset} m, {count} {many}>")
    }
}

/// The contact plane of two bounded convex shapes, with all candidates for its normal: of polytopes that touch or overlap every face normal and product of two edges along which they are as far apart as along the best, to `tolerance` [m].
///
/// Shapes and poses are given as in :func:`distance`.
///
/// >>> import zerogap as zg
/// >>> cube = zg.box((1, 1, 1))
/// >>> plane = zg.contact_plane(cube, cube, pose_b=zg.pose(xyz=(1, 0.2, 1)))
/// >>> plane.candidates                                   # an edge on an edge: either face would do
/// array([[0., 0., 1.],
///        [1., 0., 0.]])
/// >>> zg.contact_plane(cube, cube, pose_b=zg.pose(xyz=(0, 0.2, 0.9)))
/// <zerogap.ContactPlane: (0, 0, 1) . x = 0.45 m, 1 candidate>
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, tolerance = 1e-9))]
pub(crate) fn contact_plane(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::tolerance)] tolerance: f64,
) -> PyResult<PyContactPlane> {
    let is_usable = tolerance >= 0.0 && tolerance.is_finite();
    if !is_usable {
        return Err(PyValueError::new_err(format!(
            "tolerance is {tolerance}: it must be a length of 0 or more"
        )));
    }
    let (a, b) = (given_convex("a", a)?, given_convex("b", b)?);
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let plane = answer(py, || convex::contact_plane(&a, &pose_a, &b, &pose_b, tolerance))?;
    Ok(PyContactPlane { plane })
}

/// The rows of contacts in the equations of motion, (n, 12): the gap rate of each [m/s] is its row times the velocity of A's origin, the angular velocity of A, and the same of B, all in world axes.
///
/// `contacts` is what :func:`contacts` returned for bodies at these poses: of convex shapes, of meshes, or quasi-LMDs.
///
/// >>> import zerogap as zg
/// >>> import numpy as np
/// >>> above = zg.pose(xyz=(0, 0, 1.0))
/// >>> found = zg.contacts(zg.box((4, 4, 1)), zg.box((1, 1, 1)), pose_b=above)
/// >>> zg.contact_rows(found, pose_b=above) @ np.array([0, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0, 5])    # B falls and spins
/// array([-2., -2., -2., -2.])
#[pyfunction]
#[pyo3(signature = (contacts, pose_a = None, pose_b = None))]
pub(crate) fn contact_rows<'py>(
    py: Python<'py>,
    contacts: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
) -> PyResult<Array2<'py>> {
    let origins = [pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?];
    let [origin_a, origin_b] = origins.map(|pose| pose.translation());
    let part = |name: &str| -> PyResult<Vec<Vec3>> {
        let refused = || PyTypeError::new_err("contacts must be what zg.contacts returned");
        let array = contacts.getattr(name).map_err(|_| refused())?;
        let rows: Rows<'_> = array.extract().map_err(|_| refused())?;
        if !matches!(rows.shape(), [_, 3]) {
            return Err(refused());
        }
        let numbers: Vec<f64> = rows.as_array().iter().copied().collect();
        Ok(numbers.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect())
    };
    let (normals, points_a, points_b) = (part("normal")?, part("point_a")?, part("point_b")?);
    // A manifold has one normal for all its contacts.
    let id = ContactId { a: Feature::Surface(0), b: Feature::Surface(0) };
    let rows: Vec<f64> = normals
        .iter()
        .zip(points_a.iter().zip(&points_b))
        .flat_map(|(&normal, (&point_a, &point_b))| {
            gap_row(&Contact { gap: 0.0, normal, point_a, point_b, id }, &origin_a, &origin_b)
        })
        .collect();
    let shape = (rows.len() / 12, 12);
    let rows = numpy::ndarray::Array2::from_shape_vec(shape, rows).unwrap_or_default();
    Ok(numpy::IntoPyArray::into_pyarray(rows, py))
}
