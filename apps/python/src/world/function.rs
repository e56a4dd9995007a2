//! Functions of the user: what they see of a world, event functions and forces.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::dynamics::event::Direction;
use zerogap::dynamics::multibody::{BodyId, Energy, Wrench};
use zerogap::world::{ContactForce, EventFunction, ForceFunction, ShapeId, View};
use zerogap::{Pose, Vec3};

use super::bodies::{find, rows_by_number};
use super::event::{Raised, keep};
use super::hold::contact_arrays;
use super::known::{Known, KnownLimit};
use super::run::energies;
use super::setup::refusal;
use crate::arrays::{Array1, Array2, Rows, read_only, vector};
use crate::pose::PyPose;

/// What a function of the user sees of a world at an instant.
#[pyclass(name = "WorldView", module = "zerogap", frozen)]
pub(crate) struct PyWorldView {
    /// Time [s].
    #[pyo3(get)]
    t: f64,
    /// Names of all bodies that were added, and those that there are with where they are.
    names: Arc<[String]>,
    numbers: Vec<BodyId>,
    bodies: Vec<(Pose, Vec3, Vec3)>,
    positions: Vec<f64>,
    rates: Vec<f64>,
    energy: Energy,
    contacts: Contacts,
}

/// Contact forces in a view.
enum Contacts {
    /// They follow from the force that the view is for.
    OfForce,
    /// Nobody has asked for them so far; whoever does is called again with them.
    Wanted(Arc<AtomicBool>),
    /// By pair, and the bodies of their shapes.
    Known(Vec<ContactForce>, BTreeMap<ShapeId, BodyId>),
}

#[pymethods]
impl PyWorldView {
    /// Poses of all bodies by number, (n, 7): x y z qx qy qz qw; rows of those that were removed are nan.
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let (poses, _) = self.rows();
        super::bodies::table(py, poses, 7)
    }

    /// Velocities of all bodies by number, (n, 6): of the origin [m/s], then angular [rad/s], in world axes.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let (_, velocities) = self.rows();
        super::bodies::table(py, velocities, 6)
    }

    /// Positions of all joints, one after the other.
    #[getter]
    fn positions<'py>(&self, py: Python<'py>) -> Array1<'py> {
        read_only(PyArray1::from_slice(py, &self.positions))
    }

    /// Velocities of all joints, one after the other.
    #[getter]
    fn rates<'py>(&self, py: Python<'py>) -> Array1<'py> {
        read_only(PyArray1::from_slice(py, &self.rates))
    }

    /// Energies [J]: ``kinetic``, ``gravity``, ``springs`` (of joints and force elements) and ``total``; what contacts hold is not in them.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        energies(py, &self.energy)
    }

    /// All contacts at this instant, as :meth:`World.contacts` has them. A force function cannot see them, since they follow from the other forces.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match &self.contacts {
            Contacts::Known(forces, _) => contact_arrays(py, self, forces.iter()),
            Contacts::OfForce => Err(PyRuntimeError::new_err(
                "a force function cannot see contact forces, since they follow from the other forces",
            )),
            Contacts::Wanted(wanted) => {
                wanted.store(true, Ordering::Relaxed);
                Err(PyRuntimeError::new_err("contact forces are known to the function while it is called"))
            }
        }
    }

    /// The pose of a body, by name or number.
    fn pose(&self, body: &Bound<'_, PyAny>) -> PyResult<PyPose> {
        Ok(PyPose { pose: self.of(body)?.0 })
    }

    /// The velocity of a body's origin [m/s].
    fn velocity<'py>(&self, py: Python<'py>, body: &Bound<'_, PyAny>) -> PyResult<Array1<'py>> {
        Ok(read_only(vector(py, self.of(body)?.1)))
    }

    /// The angular velocity of a body, in world axes [rad/s].
    fn angular_velocity<'py>(&self, py: Python<'py>, body: &Bound<'_, PyAny>) -> PyResult<Array1<'py>> {
        Ok(read_only(vector(py, self.of(body)?.2)))
    }
}

impl Known for PyWorldView {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn body_of(&self, shape: ShapeId) -> Option<BodyId> {
        match &self.contacts {
            Contacts::Known(_, bodies) => bodies.get(&shape).copied(),
            Contacts::OfForce | Contacts::Wanted(_) => None,
        }
    }

    /// No event of a limit is in a view.
    fn limit(&self, _: usize) -> Option<KnownLimit> {
        None
    }
}

impl PyWorldView {
    fn new(view: &View<'_>, names: &SeenNames, contacts: Contacts) -> Self {
        let body = |id: &BodyId| (view.pose(*id), view.velocity(*id), view.angular_velocity(*id));
        Self {
            t: view.t,
            bodies: view.bodies.iter().map(body).collect(),
            numbers: view.bodies.to_vec(),
            names: names.of(view),
            positions: view.positions.to_vec(),
            rates: view.velocities.to_vec(),
            energy: view.energy(),
            contacts,
        }
    }

    fn rows(&self) -> (Vec<f64>, Vec<f64>) {
        rows_by_number(self.names.len(), &self.numbers, self.bodies.iter().copied())
    }

    /// What is known of a body, by name or number.
    fn of(&self, body: &Bound<'_, PyAny>) -> PyResult<(Pose, Vec3, Vec3)> {
        let row = |body: BodyId| self.numbers.binary_search(&body).ok();
        let named = |name: &str| self.numbers.iter().copied().find(|body| self.names[body.index()] == name);
        let body = find(&self.names, named, |body| row(body).is_some(), body)?;
        let state = row(body).map(|row| self.bodies[row]);
        state.ok_or_else(|| PyValueError::new_err(format!("there is no body {}", body.0)))
    }
}

/// Names of the bodies as they were seen last: they only become more, and need not be copied for every value.
struct SeenNames(Mutex<Arc<[String]>>);

impl SeenNames {
    fn new() -> Self {
        Self(Mutex::new(Arc::from([])))
    }

    fn of(&self, view: &View<'_>) -> Arc<[String]> {
        match self.0.lock() {
            Ok(mut known) => {
                if known.len() != view.names.len() {
                    *known = Arc::from(view.names);
                }
                Arc::clone(&known)
            }
            Err(_) => Arc::from(view.names),
        }
    }
}

/// The contact forces of a view, with the bodies of their shapes.
fn contacts_of(view: &View<'_>) -> PyResult<Contacts> {
    let forces = view.contacts().map_err(|error| refusal(&error))?;
    let shapes = forces.iter().flat_map(|force| [force.pair.a, force.pair.b]);
    let bodies = shapes.filter_map(|shape| Some((shape, view.body_of(shape)?))).collect();
    Ok(Contacts::Known(forces, bodies))
}

/// A Python callable as a function whose zeros are events.
pub(crate) fn event_function(
    function: Py<PyAny>,
    direction: &str,
    stops: bool,
    raised: Raised,
) -> PyResult<EventFunction> {
    let direction = match direction {
        "rising" => Direction::Rising,
        "falling" => Direction::Falling,
        "both" => Direction::Both,
        other => {
            let message = format!("direction is \"{other}\": it must be rising, falling or both");
            return Err(PyValueError::new_err(message));
        }
    };
    let names = SeenNames::new();
    // Whether it has asked for contact forces, which take an evaluation of their own.
    let wanted = Arc::new(AtomicBool::new(false));
    // Where the function raises, its last value stands in until the run has ended: nothing crosses.
    let last = Mutex::new(1.0_f64);
    let function = move |view: &View<'_>| -> f64 {
        let call = |contacts: Contacts| {
            let seen = PyWorldView::new(view, &names, contacts);
            Python::attach(|py| -> PyResult<f64> {
                let value: f64 = function.call1(py, (seen,))?.extract(py)?;
                if value.is_finite() {
                    return Ok(value);
                }
                let message = format!("the event function returned {value} at t = {} s", view.t);
                Err(PyValueError::new_err(message))
            })
        };
        let knew = wanted.load(Ordering::Relaxed);
        let mut value =
            if knew { contacts_of(view).and_then(call) } else { call(Contacts::Wanted(Arc::clone(&wanted))) };
        if !knew && wanted.load(Ordering::Relaxed) {
            value = contacts_of(view).and_then(call);
        }
        let Ok(mut last) = last.lock() else { return 1.0 };
        match value {
            Ok(value) => *last = value,
            Err(error) => keep(&raised, error),
        }
        *last
    };
    Ok(EventFunction { function: Arc::new(function), direction, stops })
}

/// A Python callable as a force on a body: it returns three numbers [N], or three and three more [N m].
pub(crate) fn force_function(function: Py<PyAny>, body: BodyId, raised: Raised) -> ForceFunction {
    let names = SeenNames::new();
    let function = move |view: &View<'_>, loads: &mut [Wrench]| {
        let seen = PyWorldView::new(view, &names, Contacts::OfForce);
        let load = Python::attach(|py| load_of(function.bind(py), seen, view.t));
        match (load, loads) {
            (Ok(load), [first, ..]) => *first = load,
            (Ok(_), []) => {}
            // Without a force until the run has ended.
            (Err(error), _) => keep(&raised, error),
        }
    };
    ForceFunction { bodies: vec![body], function: Arc::new(function) }
}

/// The load that a force function returns.
fn load_of(function: &Bound<'_, PyAny>, seen: PyWorldView, t: f64) -> PyResult<Wrench> {
    let answer = function.call1((seen,))?;
    let rows: Option<Rows<'_>> = answer.extract().ok();
    let numbers: Vec<f64> =
        rows.iter().flat_map(|rows| rows.as_array().iter().copied().collect::<Vec<_>>()).collect();
    let load = match (rows.as_ref().map(|rows| rows.shape()), numbers.as_slice()) {
        (Some([3]), &[x, y, z]) => Wrench { force: Vec3::new(x, y, z), torque: Vec3::zeros() },
        (Some([2, 3]), &[x, y, z, a, b, c]) => {
            Wrench { force: Vec3::new(x, y, z), torque: Vec3::new(a, b, c) }
        }
        _ => {
            return Err(PyValueError::new_err(
                "a force function must return a force of 3 numbers [N], or a force and a torque [N m] of 3 numbers each",
            ));
        }
    };
    if numbers.iter().all(|x| x.is_finite()) {
        return Ok(load);
    }
    Err(PyValueError::new_err(format!("the force function returned {numbers:?} at t = {t} s")))
}
