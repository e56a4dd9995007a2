//! Where a body is.

use numpy::{IntoPyArray, PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::{Pose, Vec3};

use crate::arrays::{Array1, Array2, Rows, Triple, shape_text, triple, vector, vectors, vectors_like};
use crate::public;

/// A rotation and a translation: ``pose @ points`` moves points of the body into the world.
#[pyclass(name = "Pose", module = "zerogap", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyPose {
    pub(crate) pose: Pose,
}

/// A pose from a translation [m] and a quaternion (x, y, z, w) of any positive length.
///
/// >>> import zerogap as zg
/// >>> zg.pose(xyz=(1, 2, 3)).xyz
/// array([1., 2., 3.])
#[pyfunction]
#[pyo3(signature = (xyz = None, quat = None))]
pub(crate) fn pose(xyz: Option<Triple<'_>>, quat: Option<[f64; 4]>) -> PyResult<PyPose> {
    let translation = xyz.map_or(Ok(Vec3::zeros()), |xyz| triple("xyz", &xyz))?;
    let quaternion = quat.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let pose = Pose::new(translation, quaternion).map_err(|e| PyValueError::new_err(e.to_string()))?;
    Ok(PyPose { pose })
}

/// The pose that a caller passed: a pose, 7 numbers, or nothing for the identity.
pub(crate) fn pose_or_identity(what: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    let Some(value) = value else { return Ok(Pose::identity()) };
    if let Ok(pose) = value.cast::<PyPose>() {
        return Ok(pose.get().pose);
    }
    let rows = value.extract::<Rows<'_>>().map_err(|_| {
        PyTypeError::new_err(format!("{what} must be a pose, or 7 numbers x y z qx qy qz qw"))
    })?;
    pose_of_seven(what, &rows)
}

/// A pose from an array of shape (7,): x y z qx qy qz qw.
pub(crate) fn pose_of_seven(what: &str, value: &Rows<'_>) -> PyResult<Pose> {
    let numbers: Vec<f64> = value.as_array().iter().copied().collect();
    match (value.shape(), numbers.as_slice()) {
        ([7], &[x, y, z, qx, qy, qz, qw]) => Pose::new(Vec3::new(x, y, z), [qx, qy, qz, qw])
            .map_err(|error| PyValueError::new_err(format!("{what}: {error}"))),
        (shape, _) => Err(PyValueError::new_err(format!(
            "{what} must be a pose, or 7 numbers x y z qx qy qz qw, not an array of shape {}",
            shape_text(shape)
        ))),
    }
}

/// Translation and quaternion.
type Parts<'py> = (Array1<'py>, [f64; 4]);

#[pymethods]
impl PyPose {
    /// Translation [m].
    #[getter]
    fn xyz<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.pose.translation())
    }

    /// Unit quaternion (x, y, z, w).
    #[getter]
    fn quat<'py>(&self, py: Python<'py>) -> Array1<'py> {
        PyArray1::from_slice(py, &self.pose.quaternion_xyzw())
    }

    /// The 4×4 matrix that acts on (x, y, z, 1).
    fn matrix<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let (r, t) = (self.pose.rotation_matrix(), self.pose.translation());
        numpy::ndarray::Array2::from_shape_fn((4, 4), |(i, j)| match (i, j) {
            (3, 3) => 1.0,
            (3, _) => 0.0,
            (_, 3) => t[i],
            _ => r[(i, j)],
        })
        .into_pyarray(py)
    }

    /// The pose that undoes this one.
    fn inverse(&self) -> Self {
        Self { pose: self.pose.inverse() }
    }

    /// ``pose @ pose`` chains, ``pose @ points`` moves points of shape (3,) or (n, 3).
    fn __matmul__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if let Ok(other) = other.cast::<Self>() {
            return Ok(Self { pose: self.pose * other.get().pose }.into_pyobject(py)?.into_any());
        }
        let points = vectors("points", &other.extract::<Rows<'_>>()?)?;
        let moved: Vec<Vec3> = points.rows.iter().map(|p| self.pose.transform_point(p)).collect();
        Ok(vectors_like(py, &moved, points.single))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'py>)> {
        let (translation, quaternion) = (self.pose.translation(), self.pose.quaternion_xyzw());
        Ok((public(py, "pose")?, (vector(py, translation), quaternion)))
    }

    fn __repr__(&self) -> String {
        let (t, q) = (self.pose.translation(), self.pose.quaternion_xyzw());
        format!(
            "zerogap.pose(xyz=({}, {}, {}), quat=({}, {}, {}, {}))",
            t.x, t.y, t.z, q[0], q[1], q[2], q[3]
        )
    }
}
