//! Motions by functions of the user: the pose is asked for, velocities and accelerations are differences.

use std::sync::Mutex;

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::dynamics::multibody::{Motion, Moving};
use zerogap::{Pose, Vec3};

use super::event::{Raised, keep};
use crate::arrays::{Rows, triple};
use crate::pose::{PyPose, pose_of};

/// A motion whose pose is a Python function of time.
///
/// Velocities and accelerations are central differences of fourth order over five values, `resolution` seconds apart.
pub(crate) struct FunctionMotion {
    function: Py<PyAny>,
    resolution: f64,
    /// What the function raised; the motion is no number then, which ends the run.
    pub(crate) raised: Raised,
    /// The last time asked for, and the motion there: most times are asked for again and again.
    last: Mutex<Option<(f64, Moving)>>,
}

impl std::fmt::Debug for FunctionMotion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FunctionMotion").field("resolution", &self.resolution).finish_non_exhaustive()
    }
}

impl FunctionMotion {
    pub(crate) fn new(function: Py<PyAny>, resolution: f64) -> Self {
        Self { function, resolution, raised: Raised::default(), last: Mutex::new(None) }
    }

    /// The poses around a time, and what the function raised.
    fn poses(&self, t: f64) -> PyResult<[Pose; 5]> {
        Python::attach(|py| {
            let mut poses = [Pose::identity(); 5];
            for (k, pose) in poses.iter_mut().enumerate() {
                let t = t + (k as f64 - 2.0) * self.resolution;
                *pose = returned_pose(&self.function.bind(py).call1((t,))?)?;
            }
            Ok(poses)
        })
    }

    /// The motion at a time, or what the function raised.
    pub(crate) fn try_at(&self, t: f64) -> PyResult<Moving> {
        if let Ok(last) = self.last.lock()
            && let Some((at, moving)) = *last
            && at.to_bits() == t.to_bits()
        {
            return Ok(moving);
        }
        // Nothing is locked while Python runs.
        let poses = self.poses(t)?;
        let h = self.resolution;
        let first = |x: [Vec3; 5]| ((x[3] - x[1]) * 8.0 - (x[4] - x[0])) / (12.0 * h);
        let second = |x: [Vec3; 5]| ((x[3] + x[1]) * 16.0 - (x[4] + x[0]) - x[2] * 30.0) / (12.0 * h * h);
        let places = poses.map(|pose| pose.translation() - poses[2].translation());
        // Rotations from the one in the middle: at no rotation their derivatives are angular velocity and acceleration.
        let turns = poses.map(|pose| pose.rotation_vector_from(&poses[2]));
        let moving = Moving {
            pose: poses[2],
            velocity: first(places),
            acceleration: second(places),
            angular_velocity: first(turns),
            angular_acceleration: second(turns),
        };
        if let Ok(mut last) = self.last.lock() {
            *last = Some((t, moving));
        }
        Ok(moving)
    }
}

impl Motion for FunctionMotion {
    fn at(&self, t: f64) -> Moving {
        self.try_at(t).unwrap_or_else(|error| {
            keep(&self.raised, error);
            Moving { velocity: Vec3::repeat(f64::NAN), ..Moving::still(Pose::identity()) }
        })
    }
}

/// What a function returned: a pose, 7 numbers, or 3 for a body that does not rotate.
fn returned_pose(value: &Bound<'_, PyAny>) -> PyResult<Pose> {
    const WHAT: &str = "the pose that the function of a motion returned";
    if value.cast::<PyPose>().is_err()
        && let Ok(rows) = value.extract::<Rows<'_>>()
        && rows.shape() == [3]
    {
        let place = triple(WHAT, &rows)?;
        return Pose::from_translation(place)
            .map_err(|error| PyValueError::new_err(format!("{WHAT}: {error}")));
    }
    if value.is_none() {
        return Err(PyTypeError::new_err(format!("{WHAT} is None: it must be a pose, 7 numbers or 3")));
    }
    pose_of(WHAT, value)
}
