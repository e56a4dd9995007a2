//! Prescribed motions.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::Pose;
use zerogap::core::files;
use zerogap::dynamics::multibody::{
    Harmonic, HarmonicMotion, Interpolation, Motion, MotionError, SplineMotion,
};

use super::event::Raised;
use super::function_motion::FunctionMotion;
use crate::arrays::{Array1, Rows, shape_text, vectors};
use crate::pose::{PyPose, pose_or_identity};

/// A prescribed motion of a body: oscillations, a curve through samples, or a function of time.
///
/// >>> import zerogap as zg
/// >>> deck = zg.Motion.harmonic(heave=(0.5, 0.2), roll=(0.05, 0.125, 1.0))
/// >>> float(deck.at(0.0)[1][2])
/// 0.6283185307179586
#[pyclass(name = "Motion", module = "zerogap", frozen)]
pub(crate) struct PyMotion {
    pub(crate) motion: Arc<dyn Motion>,
    /// What a function of the user raised.
    pub(crate) raised: Option<Raised>,
    text: String,
}

/// Amplitude [m or rad], frequency [Hz] and, where it is given, phase [rad].
#[derive(FromPyObject)]
pub(crate) enum Oscillation {
    Full((f64, f64, f64)),
    FromZero((f64, f64)),
}

impl Oscillation {
    fn harmonic(self) -> Harmonic {
        let (amplitude, frequency, phase) = match self {
            Self::Full(all) => all,
            Self::FromZero((amplitude, frequency)) => (amplitude, frequency, 0.0),
        };
        Harmonic { amplitude, frequency, phase }
    }
}

fn refusal(error: &MotionError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// How a curve passes through its samples; the default where no word is given.
fn parse_interpolation(word: Option<&str>) -> PyResult<Interpolation> {
    word.map_or(Ok(Interpolation::default()), |word| word.parse().map_err(|error| refusal(&error)))
}

#[pymethods]
impl PyMotion {
    /// Oscillations about `pose`: shifts along x, y and z of it (surge, sway, heave) [m] and turns about them (roll, pitch, yaw) [rad].
    ///
    /// Each is (amplitude, frequency [Hz]) or (amplitude, frequency, phase [rad]), and goes as ``amplitude * sin(2 pi frequency t + phase)``.
    #[staticmethod]
    #[pyo3(signature = (pose = None, *, surge = None, sway = None, heave = None, roll = None, pitch = None, yaw = None))]
    fn harmonic(
        pose: Option<&Bound<'_, PyAny>>,
        surge: Option<Oscillation>,
        sway: Option<Oscillation>,
        heave: Option<Oscillation>,
        roll: Option<Oscillation>,
        pitch: Option<Oscillation>,
        yaw: Option<Oscillation>,
    ) -> PyResult<Self> {
        let mean = pose_or_identity("pose", pose)?;
        let of = |given: Option<Oscillation>| given.map(Oscillation::harmonic).unwrap_or_default();
        let motion =
            HarmonicMotion::new(mean, [of(surge), of(sway), of(heave)], [of(roll), of(pitch), of(yaw)]);
        let motion = Arc::new(motion.map_err(|error| refusal(&error))?);
        Ok(Self { motion, raised: None, text: "oscillations".to_owned() })
    }

    /// A curve through samples at increasing times [s]: `poses` of shape (n, 7), or (n, 3) for a body that does not rotate. Outside the sampled time the pose of the first or last sample is held.
    ///
    /// `interpolation` is ``"linear"`` (constant velocities from sample to sample; they jump at the samples, where steps end), ``"monotone"`` (the default; never leaves the range of neighbouring samples, continuous velocity) or ``"smooth"``
    /// (continuous acceleration; it may overshoot). The last two begin and end at rest.
    #[staticmethod]
    #[pyo3(signature = (t, poses, *, interpolation = None))]
    fn spline(t: Rows<'_>, poses: Rows<'_>, interpolation: Option<&str>) -> PyResult<Self> {
        let times: Vec<f64> = match t.shape() {
            [_] => t.as_array().iter().copied().collect(),
            shape => {
                return Err(PyValueError::new_err(format!(
                    "t must have shape (n,), not {}",
                    shape_text(shape)
                )));
            }
        };
        let poses = samples(&poses)?;
        let motion = SplineMotion::from_poses(&times, &poses, parse_interpolation(interpolation)?)
            .map_err(|error| refusal(&error))?;
        Ok(Self {
            motion: Arc::new(motion),
            raised: None,
            text: format!("curve through {} samples", times.len()),
        })
    }

    /// The same through the lines of a file: ``t, x, y, z, qx, qy, qz, qw`` or ``t, x, y, z, roll, pitch, yaw``, in seconds, metres and radians.
    #[staticmethod]
    #[pyo3(signature = (path, *, interpolation = None))]
    fn csv(path: PathBuf, interpolation: Option<&str>) -> PyResult<Self> {
        let name = path.display();
        let text = files::read_text(&path, files::MAX_TABLE).map_err(|error| {
            let message = format!("{name}: {error}");
            if path.exists() { PyOSError::new_err(message) } else { PyFileNotFoundError::new_err(message) }
        })?;
        let motion = SplineMotion::from_csv(&text, parse_interpolation(interpolation)?)
            .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        let text = format!("curve through the samples of {name}");
        Ok(Self { motion: Arc::new(motion), raised: None, text })
    }

    /// A motion by a function of time: `function(t)` returns the pose at a time [s] as a pose, as 7 numbers, or as 3 for a body that does not rotate.
    ///
    /// Velocities and accelerations are differences of fourth order over values `resolution` [s] apart, so the pose must have continuous second derivatives and change little within that time. The function must return
    /// the same for the same time; it is called five times for every time that a run looks at. What it raises ends the run.
    #[staticmethod]
    #[pyo3(signature = (function, *, resolution = 1e-3))]
    fn function(function: &Bound<'_, PyAny>, resolution: f64) -> PyResult<Self> {
        if !function.is_callable() {
            let kind = function.get_type().name()?;
            return Err(PyTypeError::new_err(format!("function must be callable, not {kind}")));
        }
        if !(resolution > 0.0 && resolution.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "resolution is {resolution}: it must be positive and finite"
            )));
        }
        let motion = FunctionMotion::new(function.clone().unbind(), resolution);
        // A function that does not work at the start is refused here.
        motion.try_at(0.0)?;
        let raised = Some(Arc::clone(&motion.raised));
        Ok(Self { motion: Arc::new(motion), raised, text: "function of time".to_owned() })
    }

    /// Pose at a time [s], and velocity of its origin [m/s] with angular velocity [rad/s] as one (6,) array, in the frame moved against.
    fn at<'py>(&self, py: Python<'py>, t: f64) -> PyResult<(PyPose, Array1<'py>)> {
        if !t.is_finite() {
            return Err(PyValueError::new_err(format!("t is {t}: it must be finite")));
        }
        let moving = self.motion.at(t);
        if let Some(error) = self.take_raised() {
            return Err(error);
        }
        let (v, w) = (moving.velocity, moving.angular_velocity);
        Ok((PyPose { pose: moving.pose }, PyArray1::from_slice(py, &[v.x, v.y, v.z, w.x, w.y, w.z])))
    }

    fn __repr__(&self) -> String {
        format!("<zerogap.Motion: {}>", self.text)
    }
}

impl PyMotion {
    fn take_raised(&self) -> Option<PyErr> {
        self.raised.as_ref()?.lock().ok()?.take()
    }
}

/// Poses of shape (n, 7), or positions of shape (n, 3).
fn samples(rows: &Rows<'_>) -> PyResult<Vec<Pose>> {
    let refuse = |index: usize, error: String| PyValueError::new_err(format!("poses[{index}]: {error}"));
    match rows.shape() {
        [_, 3] => {
            let positions = vectors("poses", rows)?.rows;
            let pose = |(i, p): (usize, &_)| Pose::from_translation(*p).map_err(|e| refuse(i, e.to_string()));
            positions.iter().enumerate().map(pose).collect()
        }
        [_, 7] => {
            let numbers: Vec<f64> = rows.as_array().iter().copied().collect();
            let pose = |(i, c): (usize, &[f64])| {
                Pose::new(zerogap::Vec3::new(c[0], c[1], c[2]), [c[3], c[4], c[5], c[6]])
                    .map_err(|e| refuse(i, e.to_string()))
            };
            numbers.chunks_exact(7).enumerate().map(pose).collect()
        }
        shape => Err(PyValueError::new_err(format!(
            "poses must have shape (n, 7) or (n, 3), not {}",
            shape_text(shape)
        ))),
    }
}
