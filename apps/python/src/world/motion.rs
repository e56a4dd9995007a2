//! Prescribed motions.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::Pose;
use zerogap::core::files;
use zerogap::core::units::Dimension;
use zerogap::dynamics::multibody::{
    Harmonic, HarmonicMotion, Interpolation, Motion, MotionError, SplineMotion,
};

use super::event::Raised;
use super::function_motion::FunctionMotion;
use crate::arrays::{Array1, Rows, shape_text, vectors};
use crate::pose::{PyPose, pose_or_identity, poses_of};
use crate::quantity::{arg, si};

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

/// The oscillation (amplitude, frequency) or (amplitude, frequency, phase) that a caller passed; `dimension` is that of the amplitude.
fn oscillation(what: &str, dimension: Dimension, value: Option<&Bound<'_, PyAny>>) -> PyResult<Harmonic> {
    let Some(value) = value else { return Ok(Harmonic::default()) };
    let refuse = || {
        PyTypeError::new_err(format!(
            "{what} must be (amplitude, frequency) or (amplitude, frequency, phase)"
        ))
    };
    let parts: Vec<Bound<'_, PyAny>> = value.extract().map_err(|_| refuse())?;
    let [amplitude, frequency, phase @ ..] = parts.as_slice() else { return Err(refuse()) };
    let number = |name: &str, dimension, value| si(&format!("{name} of {what}"), dimension, value);
    let phase = match phase {
        [] => 0.0,
        [phase] => number("phase", Dimension::Angle, phase)?,
        _ => return Err(refuse()),
    };
    Ok(Harmonic {
        amplitude: number("amplitude", dimension, amplitude)?,
        frequency: number("frequency", Dimension::Frequency, frequency)?,
        phase,
    })
}

fn refusal(error: &MotionError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Interpolation of a curve between its samples; the default where no word is given.
fn parse_interpolation(word: Option<&str>) -> PyResult<Interpolation> {
    word.map_or(Ok(Interpolation::default()), |word| word.parse().map_err(|error| refusal(&error)))
}

#[pymethods]
impl PyMotion {
    /// Oscillations about `pose`: shifts along x, y and z of it (surge, sway, heave) [m] and rotations about them (roll, pitch, yaw) [rad].
    ///
    /// Each is (amplitude, frequency [Hz]) or (amplitude, frequency, phase [rad]), and is ``amplitude * sin(2 pi frequency t + phase)``.
    #[staticmethod]
    #[pyo3(signature = (pose = None, *, surge = None, sway = None, heave = None, roll = None, pitch = None, yaw = None))]
    fn harmonic(
        pose: Option<&Bound<'_, PyAny>>,
        surge: Option<&Bound<'_, PyAny>>,
        sway: Option<&Bound<'_, PyAny>>,
        heave: Option<&Bound<'_, PyAny>>,
        roll: Option<&Bound<'_, PyAny>>,
        pitch: Option<&Bound<'_, PyAny>>,
        yaw: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mean = pose_or_identity("pose", pose)?;
        let shift = |what: &str, given| oscillation(what, Dimension::Length, given);
        let turn = |what: &str, given| oscillation(what, Dimension::Angle, given);
        let shifts = [shift("surge", surge)?, shift("sway", sway)?, shift("heave", heave)?];
        let turns = [turn("roll", roll)?, turn("pitch", pitch)?, turn("yaw", yaw)?];
        let motion = HarmonicMotion::new(mean, shifts, turns);
        let motion = Arc::new(motion.map_err(|error| refusal(&error))?);
        Ok(Self { motion, raised: None, text: "oscillations".to_owned() })
    }

    /// A curve through samples at increasing times [s]: `poses` in any form, such as an array of shape (n, 7), or (n, 3) for a body that does not rotate. Outside the sampled time the pose of the first or last sample is held.
    ///
    /// `interpolation` is ``"linear"`` (constant velocities from sample to sample; they jump at the samples, where steps end), ``"monotone"`` (the default; never leaves the range of neighbouring samples, continuous velocity) or ``"smooth"``
    /// (continuous acceleration; it may overshoot). The last two begin and end at rest.
    #[staticmethod]
    #[pyo3(signature = (t, poses, *, interpolation = None))]
    fn spline(
        #[pyo3(from_py_with = arg::t)] t: Rows<'_>,
        poses: &Bound<'_, PyAny>,
        interpolation: Option<&str>,
    ) -> PyResult<Self> {
        let times: Vec<f64> = match t.shape() {
            [_] => t.as_array().iter().copied().collect(),
            shape => {
                return Err(PyValueError::new_err(format!(
                    "t must have shape (n,), not {}",
                    shape_text(shape)
                )));
            }
        };
        let poses = samples(poses)?;
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
    /// the same for the same time; it is called five times for every time that a run evaluates. What it raises ends the run.
    #[staticmethod]
    #[pyo3(signature = (function, *, resolution = 1e-3))]
    fn function(
        function: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arg::resolution)] resolution: f64,
    ) -> PyResult<Self> {
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
    fn at<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::t)] t: f64,
    ) -> PyResult<(PyPose, Array1<'py>)> {
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

/// A sequence of poses, or positions of shape (n, 3).
fn samples(given: &Bound<'_, PyAny>) -> PyResult<Vec<Pose>> {
    // Poses in other forms than numbers are no array.
    let Ok(rows) = arg::poses::<Rows<'_>>(given) else { return poses_of("poses", given) };
    let refuse = |index: usize, error: String| PyValueError::new_err(format!("poses[{index}]: {error}"));
    match rows.shape() {
        [_, 3] => {
            let positions = vectors("poses", &rows)?.rows;
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
        [_, 4, 4] => poses_of("poses", given),
        shape => Err(PyValueError::new_err(format!(
            "poses must have shape (n, 7), (n, 4, 4) or (n, 3), not {}",
            shape_text(shape)
        ))),
    }
}
