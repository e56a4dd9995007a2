//! Bodies by name or number, and arrays with a row for each.

use std::collections::BTreeMap;
use std::ops::Deref;

use numpy::{IntoPyArray, PyArray3};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::dynamics::multibody::BodyId;
use zerogap::world::World;
use zerogap::{Pose, Vec3};

use crate::arrays::{Array2, read_only};

/// An array of numbers with three axes.
pub(crate) type Array3<'py> = Bound<'py, PyArray3<f64>>;

/// Names of bodies by number, and numbers by name.
#[derive(Debug, Default)]
pub(crate) struct Names {
    all: Vec<String>,
    numbers: BTreeMap<String, BodyId>,
}

impl Names {
    /// Adds the name of the next body.
    pub(crate) fn push(&mut self, name: &str) {
        self.numbers.insert(name.to_owned(), BodyId(self.all.len() as u32));
        self.all.push(name.to_owned());
    }

    /// Whether a body has this name.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// The body that a caller names, by name or number.
    pub(crate) fn find(&self, body: &Bound<'_, PyAny>) -> PyResult<BodyId> {
        find(&self.all, |name| self.numbers.get(name).copied(), body)
    }
}

impl<S: AsRef<str>> FromIterator<S> for Names {
    fn from_iter<T: IntoIterator<Item = S>>(names: T) -> Self {
        let mut all = Self::default();
        names.into_iter().for_each(|name| all.push(name.as_ref()));
        all
    }
}

impl Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.all
    }
}

/// The body that a caller names, by name or number.
pub(crate) fn find_body(names: &[String], body: &Bound<'_, PyAny>) -> PyResult<BodyId> {
    let numbered = |index: usize| BodyId(index as u32);
    find(names, |name| names.iter().position(|known| known == name).map(numbered), body)
}

fn find(
    names: &[String],
    look_up: impl Fn(&str) -> Option<BodyId>,
    body: &Bound<'_, PyAny>,
) -> PyResult<BodyId> {
    let count = names.len();
    if let Ok(name) = body.extract::<String>() {
        return look_up(&name).ok_or_else(|| {
            let known = if count == 0 { "none".to_owned() } else { names.join(", ") };
            PyValueError::new_err(format!("no body is called \"{name}\"; there are: {known}"))
        });
    }
    let Ok(number) = body.extract::<i64>() else {
        let kind = body.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a body is named by its name or number, not by {kind}")));
    };
    let index = usize::try_from(number).ok().filter(|index| *index < count);
    index.map(|index| BodyId(index as u32)).ok_or_else(|| {
        PyValueError::new_err(format!("there is no body {number}: there are {count}, counted from 0"))
    })
}

/// Poses and velocities as numbers, row after row.
pub(crate) fn rows_of(bodies: impl Iterator<Item = (Pose, Vec3, Vec3)>) -> (Vec<f64>, Vec<f64>) {
    let (mut poses, mut velocities) = (Vec::new(), Vec::new());
    for (pose, v, w) in bodies {
        poses.extend(pose.translation().iter().copied().chain(pose.quaternion_xyzw()));
        velocities.extend(v.iter().chain(w.iter()));
    }
    (poses, velocities)
}

/// Poses and velocities of all bodies.
pub(crate) fn moving(world: &World) -> (Vec<f64>, Vec<f64>) {
    rows_of(world.body_states().into_iter())
}

/// A read-only array of rows of so many numbers.
pub(crate) fn table(py: Python<'_>, numbers: Vec<f64>, columns: usize) -> Array2<'_> {
    let rows = numbers.len() / columns;
    let table = numpy::ndarray::Array2::from_shape_vec((rows, columns), numbers).unwrap_or_default();
    read_only(table.into_pyarray(py))
}

/// A read-only array of frames of rows of numbers.
pub(crate) fn frames(py: Python<'_>, numbers: Vec<f64>, shape: (usize, usize, usize)) -> Array3<'_> {
    let frames = numpy::ndarray::Array3::from_shape_vec(shape, numbers).unwrap_or_default();
    read_only(frames.into_pyarray(py))
}
