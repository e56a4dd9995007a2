//! Where a body is.

use numpy::{IntoPyArray, PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use zerogap::core::InputError;
use zerogap::core::units::Dimension;
use zerogap::{Mat3, Pose, Vec3};

use crate::arrays::{Array1, Array2, Rows, Triple, shape_text, triple, vector, vectors, vectors_like};
use crate::public;
use crate::quantity::{FromQuantity, arg};

/// A rotation and a translation: ``pose @ points`` moves points of the body into the world.
#[pyclass(name = "Pose", module = "zerogap", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyPose {
    pub(crate) pose: Pose,
}

/// A pose from a translation `xyz` [m] and a rotation in one form: a quaternion `quat` (x, y, z, w) of any positive length, an `axis` with an `angle` [rad], roll, pitch and yaw
/// `rpy` [rad] about fixed x, y and z (as in URDF), or a rotation `matrix` (3, 3). A `matrix` of shape (4, 4) is the whole pose. Without a form there is no rotation.
///
/// >>> import zerogap as zg
/// >>> zg.pose(xyz=(1, 2, 3)).xyz
/// array([1., 2., 3.])
/// >>> turned = zg.pose(("10 mm", 0, 0), axis=(0, 0, 1), angle="90 deg")
/// >>> (turned @ (1, 0, 0)).round(9)
/// array([0.01, 1.  , 0.  ])
/// >>> turned == zg.pose(("10 mm", 0, 0), rpy=(0, 0, "90 deg")) == zg.pose(matrix=turned.matrix())
/// True
#[pyfunction]
#[pyo3(signature = (xyz = None, quat = None, *, axis = None, angle = None, rpy = None, matrix = None))]
pub(crate) fn pose(
    #[pyo3(from_py_with = arg::xyz)] xyz: Option<Triple<'_>>,
    quat: Option<[f64; 4]>,
    axis: Option<Triple<'_>>,
    #[pyo3(from_py_with = arg::angle)] angle: Option<f64>,
    #[pyo3(from_py_with = arg::rpy)] rpy: Option<Triple<'_>>,
    matrix: Option<Rows<'_>>,
) -> PyResult<PyPose> {
    let forms = [
        ("quat", quat.is_some()),
        ("axis and angle", axis.is_some() || angle.is_some()),
        ("rpy", rpy.is_some()),
        ("matrix", matrix.is_some()),
    ];
    let given: Vec<&str> =
        forms.into_iter().filter(|(_, is_given)| *is_given).map(|(form, _)| form).collect();
    if given.len() > 1 {
        let message = format!("a pose takes one rotation, not {}", given.join(" and "));
        return Err(PyValueError::new_err(message));
    }
    if let Some(matrix) = &matrix
        && matrix.shape() == [4, 4]
    {
        if xyz.is_some() {
            return Err(PyValueError::new_err("a matrix of shape (4, 4) has a translation: leave xyz out"));
        }
        return Ok(PyPose { pose: pose_of_matrix("matrix", matrix)? });
    }
    let translation = xyz.map_or(Ok(Vec3::zeros()), |xyz| triple("xyz", &xyz))?;
    let made = match (axis, angle, rpy, matrix) {
        (Some(axis), Some(angle), ..) => Pose::from_axis_angle(translation, triple("axis", &axis)?, angle),
        (Some(_), None, ..) => return Err(PyValueError::new_err("axis needs an angle [rad]")),
        (None, Some(_), ..) => return Err(PyValueError::new_err("angle needs an axis")),
        (_, _, Some(rpy), _) => Pose::from_roll_pitch_yaw(translation, triple("rpy", &rpy)?.into()),
        (.., Some(matrix)) => match matrix.shape() {
            [3, 3] => Pose::from_rotation_matrix(translation, &rotation_of(&matrix)),
            shape => {
                let shape = shape_text(shape);
                return Err(PyValueError::new_err(format!(
                    "matrix must have shape (3, 3) or (4, 4), not {shape}"
                )));
            }
        },
        _ => Pose::new(translation, quat.unwrap_or([0.0, 0.0, 0.0, 1.0])),
    };
    made.map(|pose| PyPose { pose }).map_err(|e| PyValueError::new_err(e.to_string()))
}

/// What a caller may pass for a pose.
const EXPECTED: &str =
    "a pose, 7 numbers x y z qx qy qz qw, (xyz, quat), or a matrix of shape (4, 4) or (3, 3)";

/// The pose that a caller passed, or the identity where nothing was.
pub(crate) fn pose_or_identity(what: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    value.map_or_else(|| Ok(Pose::identity()), |value| pose_of(what, value))
}

/// The pose that a caller passed, in any of its forms.
pub(crate) fn pose_of(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Pose> {
    if let Ok(pose) = value.cast::<PyPose>() {
        return Ok(pose.get().pose);
    }
    if let Some(pose) = pose_of_pair(what, value)? {
        return Ok(pose);
    }
    let rows = value
        .extract::<Rows<'_>>()
        .map_err(|_| PyTypeError::new_err(format!("{what} must be {EXPECTED}")))?;
    let numbers: Vec<f64> = rows.as_array().iter().copied().collect();
    let refuse = |error: InputError| PyValueError::new_err(format!("{what}: {error}"));
    match (rows.shape(), numbers.as_slice()) {
        ([7], &[x, y, z, qx, qy, qz, qw]) => Pose::new(Vec3::new(x, y, z), [qx, qy, qz, qw]).map_err(refuse),
        ([4, 4], _) => pose_of_matrix(what, &rows),
        ([3, 3], _) => Pose::from_rotation_matrix(Vec3::zeros(), &rotation_of(&rows)).map_err(refuse),
        (shape, _) => {
            let shape = shape_text(shape);
            Err(PyValueError::new_err(format!("{what} must be {EXPECTED}, not an array of shape {shape}")))
        }
    }
}

/// The poses of a sequence, each in any of its forms.
pub(crate) fn poses_of(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Pose>> {
    let Ok(items) = value.try_iter() else {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{what} must be a sequence of poses, not {kind}")));
    };
    items.enumerate().map(|(index, item)| pose_of(&format!("{what}[{index}]"), &item?)).collect()
}

/// The pose of a tuple or list (xyz, quat) or (xyz, rotation matrix), where the value is one.
fn pose_of_pair(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Pose>> {
    let is_list = value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyList>();
    if !is_list || value.len()? != 2 {
        return Ok(None);
    }
    let (first, second) = (value.get_item(0)?, value.get_item(1)?);
    let Ok(rotation) = second.extract::<Rows<'_>>() else { return Ok(None) };
    let place = Rows::from_quantity(&format!("{what}[0]"), Dimension::Length, &first)?;
    let translation = triple(&format!("{what}[0]"), &place)?;
    let numbers: Vec<f64> = rotation.as_array().iter().copied().collect();
    let pose = match (rotation.shape(), numbers.as_slice()) {
        ([4], &[x, y, z, w]) => Pose::new(translation, [x, y, z, w]),
        ([3, 3], _) => Pose::from_rotation_matrix(translation, &rotation_of(&rotation)),
        (shape, _) => {
            let shape = shape_text(shape);
            return Err(PyValueError::new_err(format!(
                "{what}[1] must be a quaternion x y z w or a matrix of shape (3, 3), not an array of shape {shape}"
            )));
        }
    };
    pose.map(Some).map_err(|error| PyValueError::new_err(format!("{what}: {error}")))
}

/// The rotation in the first three rows and columns of a matrix.
fn rotation_of(matrix: &Rows<'_>) -> Mat3 {
    let matrix = matrix.as_array();
    Mat3::from_fn(|i, j| matrix[[i, j].as_slice()])
}

/// How far the last row of a (4, 4) matrix may be from 0 0 0 1 [-]: rounding of products.
const LAST_ROW: f64 = 1e-9;

/// The pose of a matrix of shape (4, 4).
fn pose_of_matrix(what: &str, matrix: &Rows<'_>) -> PyResult<Pose> {
    let m = matrix.as_array();
    let last = [0, 1, 2, 3].map(|j| m[[3, j].as_slice()]);
    let miss =
        last.iter().zip([0.0, 0.0, 0.0, 1.0]).fold(0.0, |most: f64, (x, one)| most.max((x - one).abs()));
    // Maxima pass over NaN, sums do not.
    if !(miss <= LAST_ROW && last.iter().sum::<f64>().is_finite()) {
        let [x, y, z, w] = last;
        let message = format!("{what}: the last row of a pose is 0 0 0 1, not {x} {y} {z} {w}");
        return Err(PyValueError::new_err(message));
    }
    let translation = Vec3::from_fn(|i, _| m[[i, 3].as_slice()]);
    Pose::from_rotation_matrix(translation, &rotation_of(matrix))
        .map_err(|error| PyValueError::new_err(format!("{what}: {error}")))
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
