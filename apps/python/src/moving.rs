//! Bodies that move, as a caller says it.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::core::units::Dimension;
use zerogap::impact::{Form, Mover};
use zerogap::motion::{Motion, MotionError, Path};
use zerogap::target::ReadOptions;
use zerogap::{Pose, Vec3};

use crate::arrays::{Triple, triple};
use crate::error::{target, warn};
use crate::mesh::PyMesh;
use crate::pose::{pose_of, pose_or_identity};
use crate::quantity::{FromQuantity, si};
use crate::shape::PyShape;

/// Two bodies and how they move.
pub(crate) struct Asked {
    pub(crate) a: Mover,
    pub(crate) path_a: Path,
    pub(crate) b: Mover,
    pub(crate) path_b: Path,
}

/// What a caller may say of each body; left out, it is None.
pub(crate) type Each<'a, 'py> = [Option<&'a Bound<'py, PyAny>>; 2];

/// How two bodies move, as a caller says it.
pub(crate) struct Moves<'a, 'py> {
    pub(crate) to: Each<'a, 'py>,
    pub(crate) velocity: Each<'a, 'py>,
    pub(crate) spin: Each<'a, 'py>,
    pub(crate) path: Each<'a, 'py>,
    pub(crate) duration: f64,
    pub(crate) screw: bool,
    pub(crate) form: &'a str,
}

/// What the bodies are called.
const NAMES: [&str; 2] = ["a", "b"];

impl Asked {
    pub(crate) fn new<'py>(
        py: Python<'py>,
        bodies: [&Bound<'py, PyAny>; 2],
        poses: Each<'_, 'py>,
        moves: &Moves<'_, 'py>,
    ) -> PyResult<Self> {
        let form = match moves.form {
            "mesh" => Form::Mesh,
            "hull" => Form::Hull,
            other => {
                return Err(PyValueError::new_err(format!("form is '{other}': it must be 'mesh' or 'hull'")));
            }
        };
        let path = |k: usize| moves.path(k, pose_or_identity(&format!("pose_{}", NAMES[k]), poses[k])?);
        let (path_a, path_b) = (path(0)?, path(1)?);
        let mover = |k: usize| mover(py, NAMES[k], bodies[k], form);
        Ok(Self { a: mover(0)?, path_a, b: mover(1)?, path_b })
    }
}

impl Moves<'_, '_> {
    /// How one of the bodies moves.
    fn path(&self, k: usize, start: Pose) -> PyResult<Path> {
        let key = |what: &str| format!("{what}_{}", NAMES[k]);
        let three = |what: &str, value: Option<&Bound<'_, PyAny>>| -> PyResult<Option<Vec3>> {
            value
                .map(|value| {
                    let dimension = if what == "spin" { Dimension::AngularSpeed } else { Dimension::Speed };
                    triple(&key(what), &Triple::from_quantity(&key(what), dimension, value)?)
                })
                .transpose()
        };
        let (velocity, spin) = (three("velocity", self.velocity[k])?, three("spin", self.spin[k])?);
        let ways = [velocity.is_some() || spin.is_some(), self.to[k].is_some(), self.path[k].is_some()];
        if ways.iter().filter(|is| **is).count() > 1 {
            return Err(PyValueError::new_err(format!(
                "{} moves by velocity and spin, to a pose, or along a path: give one of these",
                NAMES[k]
            )));
        }
        let wrong = |error: MotionError| refused(&error);
        if let Some(points) = self.path[k] {
            let mut way = Vec::new();
            for point in points.try_iter()? {
                let (t, pose): (Bound<'_, PyAny>, Bound<'_, PyAny>) = point?.extract().map_err(|_| {
                    PyTypeError::new_err(format!("{} must be a list of (time, pose)", key("path")))
                })?;
                let t = si(&format!("the time in {}", key("path")), Dimension::Time, &t)?;
                way.push((t, pose_of(&key("path"), &pose)?));
            }
            return Path::through(start, &way).map_err(wrong);
        }
        let motion = match self.to[k] {
            Some(end) => {
                let end = pose_or_identity(&key("to"), Some(end))?;
                let way = if self.screw { Motion::screw } else { Motion::between };
                way(start, end, self.duration)
            }
            None => Motion::new(start, velocity.unwrap_or_default(), spin.unwrap_or_default()),
        };
        Path::of(motion.map_err(wrong)?, self.duration).map_err(wrong)
    }
}

/// The body that a caller passed.
fn mover(py: Python<'_>, what: &str, value: &Bound<'_, PyAny>, form: Form) -> PyResult<Mover> {
    if let Ok(mesh) = value.cast::<PyMesh>() {
        let mesh = mesh.get();
        return match form {
            Form::Mesh => Ok(Mover::of_ready_mesh(what, py.detach(|| mesh.body()))),
            Form::Hull => py
                .detach(|| Mover::of_mesh(what, Arc::clone(&mesh.mesh), form, None))
                .map_err(|error| target(py, &error)),
        };
    }
    if let Ok(shape) = value.cast::<PyShape>() {
        let shape = shape.get().shape.clone();
        return Ok(py.detach(|| Mover::of_shape(what, &shape)));
    }
    let Ok(path) = value.extract::<PathBuf>() else {
        let kind = value.get_type().name()?;
        let message = format!("{what} must be a shape or mesh, or a word or path that names one, not {kind}");
        return Err(PyTypeError::new_err(message));
    };
    let word = path.to_string_lossy().into_owned();
    let mover = py
        .detach(|| Mover::resolve(&word, &ReadOptions::default(), form))
        .map_err(|error| target(py, &error))?;
    warn(py, &mover.read.warnings)?;
    Ok(mover)
}

/// What is wrong with a motion, or with two bodies that move.
pub(crate) fn refused(error: &impl std::error::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}
