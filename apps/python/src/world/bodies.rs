//! Bodies by name or number, and arrays with a row for each.

use std::collections::{BTreeMap, BTreeSet};
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
    /// Of all bodies that were added.
    all: Vec<String>,
    /// Of those that there are.
    numbers: BTreeMap<String, BodyId>,
    /// The others.
    removed: BTreeSet<BodyId>,
}

impl Names {
    /// Adds the name of the next body.
    pub(crate) fn push(&mut self, name: &str) {
        self.numbers.insert(name.to_owned(), BodyId(self.all.len() as u32));
        self.all.push(name.to_owned());
    }

    /// Takes a body out: another one may have its name, and none its number.
    pub(crate) fn remove(&mut self, body: BodyId) {
        let name = &self.all[body.index()];
        if self.numbers.get(name) == Some(&body) {
            self.numbers.remove(name);
        }
        self.removed.insert(body);
    }

    /// The names of a world, whose bodies may have been removed.
    pub(crate) fn of(world: &World) -> Self {
        let mut names = Self::default();
        for (index, name) in world.names().iter().enumerate() {
            names.push(name);
            let body = BodyId(index as u32);
            if world.check_body(body).is_err() {
                names.remove(body);
            }
        }
        names
    }

    /// How many bodies there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len() - self.removed.len()
    }

    /// Whether a body has this name.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.numbers.contains_key(name)
    }

    /// The body that a caller names, by name or number.
    pub(crate) fn find(&self, body: &Bound<'_, PyAny>) -> PyResult<BodyId> {
        find(&self.all, |name| self.numbers.get(name).copied(), |body| !self.removed.contains(&body), body)
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
    find(names, |name| names.iter().position(|known| known == name).map(numbered), |_| true, body)
}

/// The body that a caller names among those that are there: names of all, numbers by name, and who is there.
pub(crate) fn find(
    names: &[String],
    look_up: impl Fn(&str) -> Option<BodyId>,
    is_there: impl Fn(BodyId) -> bool,
    body: &Bound<'_, PyAny>,
) -> PyResult<BodyId> {
    let count = names.len();
    if let Ok(name) = body.extract::<String>() {
        return look_up(&name).ok_or_else(|| {
            let numbered = names.iter().enumerate().filter(|(index, _)| is_there(BodyId(*index as u32)));
            let known: Vec<&str> = numbered.map(|(_, name)| name.as_str()).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            PyValueError::new_err(format!("no body is called \"{name}\"; there are: {known}"))
        });
    }
    let Ok(number) = body.extract::<i64>() else {
        let kind = body.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a body is named by its name or number, not by {kind}")));
    };
    let index = usize::try_from(number).ok().filter(|index| *index < count);
    let body = index.map(|index| BodyId(index as u32)).ok_or_else(|| {
        PyValueError::new_err(format!("there is no body {number}: there are {count}, counted from 0"))
    })?;
    if is_there(body) {
        return Ok(body);
    }
    Err(PyValueError::new_err(format!("body {number} (\"{}\") was removed", names[body.index()])))
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

/// Numbers of a pose and of velocities.
const POSE: usize = 7;
const VELOCITIES: usize = 6;

/// Poses and velocities as numbers, one row for each of so many bodies; those that there are not have rows of nan.
pub(crate) fn rows_by_number(
    count: usize,
    bodies: &[BodyId],
    states: impl Iterator<Item = (Pose, Vec3, Vec3)>,
) -> (Vec<f64>, Vec<f64>) {
    let (own_poses, own_velocities) = rows_of(states);
    if bodies.len() == count {
        return (own_poses, own_velocities);
    }
    let (mut poses, mut velocities) = (vec![f64::NAN; POSE * count], vec![f64::NAN; VELOCITIES * count]);
    for (row, body) in bodies.iter().enumerate() {
        let at = body.index();
        poses[POSE * at..][..POSE].copy_from_slice(&own_poses[POSE * row..][..POSE]);
        velocities[VELOCITIES * at..][..VELOCITIES]
            .copy_from_slice(&own_velocities[VELOCITIES * row..][..VELOCITIES]);
    }
    (poses, velocities)
}

/// Poses and velocities of all bodies, by number.
pub(crate) fn moving(world: &World) -> (Vec<f64>, Vec<f64>) {
    rows_by_number(world.names().len(), world.bodies(), world.body_states().into_iter())
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
