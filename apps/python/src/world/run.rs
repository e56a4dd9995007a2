//! A run with its frames, and what it cost.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use zerogap::dynamics::multibody::Energy;
use zerogap::world::{Frame, Stop, World, WorldError, WorldInfo};

use super::PyWorld;
use super::bodies::{find_body, frames, rows_of};
use super::event::PyEvent;
use super::hold::contact_arrays;
use crate::arrays::shown_number;

/// Where everything was during a run, at even times.
#[pyclass(name = "Run", module = "zerogap", frozen)]
pub(crate) struct PyRun {
    /// Names of the bodies.
    #[pyo3(get)]
    names: Vec<String>,
    /// Times of the frames [s], (frames,).
    #[pyo3(get)]
    t: Py<PyArray1<f64>>,
    /// Poses x y z qx qy qz qw, (frames, bodies, 7).
    #[pyo3(get)]
    poses: Py<PyArray3<f64>>,
    /// Velocities of origins [m/s] and angular velocities in world axes [rad/s], (frames, bodies, 6).
    #[pyo3(get)]
    velocities: Py<PyArray3<f64>>,
    /// Energies [J], each (frames,): ``kinetic``, ``gravity``, ``springs`` and ``total``; what contacts hold is not in them.
    #[pyo3(get)]
    energy: Py<PyDict>,
    /// All contacts of all frames, as told by :meth:`World.contacts`, with the number of the frame: ``frame`` (n,).
    #[pyo3(get)]
    contacts: Py<PyDict>,
    /// Everything that happened during the run, in order.
    #[pyo3(get)]
    events: Py<PyList>,
    /// What the world has done so far and what that cost.
    #[pyo3(get)]
    info: Py<PyDict>,
    /// Whether a function of the user ended the run.
    #[pyo3(get)]
    stopped: bool,
    count: usize,
    end: f64,
}

/// One body during a run.
#[pyclass(name = "Track", module = "zerogap", frozen)]
pub(crate) struct PyTrack {
    /// Name of the body.
    #[pyo3(get)]
    name: String,
    /// Times of the frames [s].
    #[pyo3(get)]
    t: Py<PyArray1<f64>>,
    /// Poses x y z qx qy qz qw, (frames, 7).
    #[pyo3(get)]
    poses: Py<PyArray2<f64>>,
    /// Velocities of the origin [m/s] and angular velocities in world axes [rad/s], (frames, 6).
    #[pyo3(get)]
    velocities: Py<PyArray2<f64>>,
}

#[pymethods]
impl PyTrack {
    /// Positions of the origin [m], (frames, 3).
    #[getter]
    fn xyz<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        columns(py, &self.poses, 0, 3)
    }

    /// Unit quaternions (x, y, z, w), (frames, 4).
    #[getter]
    fn quat<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        columns(py, &self.poses, 3, 7)
    }

    /// Velocities of the origin [m/s], (frames, 3).
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        columns(py, &self.velocities, 0, 3)
    }

    /// Angular velocities in world axes [rad/s], (frames, 3).
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        columns(py, &self.velocities, 3, 6)
    }

    fn __repr__(&self) -> String {
        format!("<zerogap.Track of {}>", self.name)
    }
}

/// Some columns of an array, as one of their own.
fn columns<'py>(
    py: Python<'py>,
    array: &Py<PyArray2<f64>>,
    from: usize,
    to: usize,
) -> Bound<'py, PyArray2<f64>> {
    let array = array.bind(py).readonly();
    array.as_array().slice(numpy::ndarray::s![.., from..to]).to_owned().into_pyarray(py)
}

#[pymethods]
impl PyRun {
    /// One body of the run, by name or number.
    fn __getitem__(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<PyTrack> {
        let body =
            find_body(&self.names, body).map_err(|error| PyKeyError::new_err(error.value(py).to_string()))?;
        let of = |array: &Py<PyArray3<f64>>| -> Py<PyArray2<f64>> {
            let array = array.bind(py).readonly();
            let own = array.as_array().slice(numpy::ndarray::s![.., body.index(), ..]).to_owned();
            own.into_pyarray(py).unbind()
        };
        Ok(PyTrack {
            name: self.names[body.index()].clone(),
            t: self.t.clone_ref(py),
            poses: of(&self.poses),
            velocities: of(&self.velocities),
        })
    }

    /// How many frames there are.
    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        let frames = if self.count == 1 { "frame" } else { "frames" };
        let bodies = if self.names.len() == 1 { "body" } else { "bodies" };
        let end = shown_number(self.end);
        format!("<zerogap.Run of {} {bodies}: {} {frames} to t = {end} s>", self.names.len(), self.count)
    }
}

/// Runs a world to a time and tells where everything was every so often.
///
/// `until` is a time of the world [s], `every` the time between frames [s]. Frames are read off the solution between the steps: they do not change it, and events lie between
/// them. The world stays where the run ends.
///
/// >>> import zerogap as zg
/// >>> world = zg.World(contact="rigid")
/// >>> world.pair("steel", "steel", restitution=0.5)
/// >>> floor = world.fixed(zg.halfspace((0, 0, 1), 0))
/// >>> ball = world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1.1)))
/// >>> run = zg.simulate(world, until=2.0, every=0.1)
/// >>> run
/// <zerogap.Run of 1 body: 21 frames to t = 2 s>
/// >>> round(run.events[0].t, 6), run.events[0].kind
/// (0.451524, 'touched')
/// >>> run["ball"].xyz[-1].round(9)
/// array([0. , 0. , 0.1])
#[pyfunction]
#[pyo3(signature = (world, until, every = 0.01))]
pub(crate) fn simulate(
    py: Python<'_>,
    world: &Bound<'_, PyWorld>,
    until: f64,
    every: f64,
) -> PyResult<PyRun> {
    world.get().record(py, until, every)
}

impl PyWorld {
    /// Runs to a time and takes frames.
    fn record(&self, py: Python<'_>, until: f64, every: f64) -> PyResult<PyRun> {
        let mut inner = self.lock()?;
        let first_event = if inner.is_started { inner.world(py)?.events().len() } else { 0 };
        let (frames, stop) = inner.drive(py, until, move |world| -> Result<_, WorldError> {
            let mut frames = Vec::new();
            let stop = world.stream_to(until, every, &mut |frame, _| {
                frames.push(frame);
                std::ops::ControlFlow::Continue(())
            })?;
            Ok((frames, stop))
        })?;
        recorded(py, inner.world(py)?, frames, (first_event, stop))
    }
}

/// What a run left behind: frames, and the events from a number on.
pub(crate) fn recorded(
    py: Python<'_>,
    world: &World,
    taken: Vec<Frame>,
    (first_event, stop): (usize, Stop),
) -> PyResult<PyRun> {
    let names = world.names().to_vec();
    let (count, bodies) = (taken.len(), names.len());
    let (poses, velocities) = rows_of(taken.iter().flat_map(|frame| {
        let motion = frame.velocities.iter().zip(&frame.angular_velocities);
        frame.poses.iter().zip(motion).map(|(pose, (v, w))| (*pose, *v, *w))
    }));
    let energy = PyDict::new(py);
    for (name, of) in ENERGIES {
        let values: Vec<f64> = taken.iter().map(|frame| of(&frame.energy)).collect();
        energy.set_item(name, values.into_pyarray(py))?;
    }
    let events = world.events().iter().skip(first_event).map(|event| PyEvent::new(world, event));
    let of_frames =
        taken.iter().enumerate().flat_map(|(k, frame)| frame.contacts.iter().map(move |c| (k, c)));
    let numbers: Vec<usize> = of_frames.clone().map(|(k, _)| k).collect();
    let contacts = contact_arrays(py, world, of_frames.map(|(_, contact)| contact))?;
    contacts.set_item("frame", numbers.into_pyarray(py))?;
    let t: Vec<f64> = taken.iter().map(|frame| frame.t).collect();
    Ok(PyRun {
        names,
        t: t.into_pyarray(py).unbind(),
        poses: frames(py, poses, (count, bodies, 7)).unbind(),
        velocities: frames(py, velocities, (count, bodies, 6)).unbind(),
        energy: energy.unbind(),
        contacts: contacts.unbind(),
        events: PyList::new(py, events.collect::<Vec<_>>())?.unbind(),
        info: info(py, &world.info())?.unbind(),
        stopped: stop == Stop::Stopped,
        count,
        end: world.time(),
    })
}

/// A part of the energy by name.
type EnergyPart = (&'static str, fn(&Energy) -> f64);

const ENERGIES: [EnergyPart; 4] = [
    ("kinetic", |energy| energy.kinetic),
    ("gravity", |energy| energy.gravity),
    ("springs", |energy| energy.springs),
    ("total", Energy::total),
];

/// Energies by name.
pub(crate) fn energies<'py>(py: Python<'py>, energy: &Energy) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for (name, of) in ENERGIES {
        all.set_item(name, of(energy))?;
    }
    Ok(all)
}

/// What was done and what it cost, by name.
pub(crate) fn info<'py>(py: Python<'py>, info: &WorldInfo) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("method", &info.method)?;
    for (name, count) in [
        ("steps", info.steps),
        ("rejected", info.rejected),
        ("redone", info.redone),
        ("events", info.events),
        ("evaluations", info.evaluations),
        ("functions", info.functions),
        ("gaps", info.gaps),
    ] {
        all.set_item(name, count)?;
    }
    all.set_item("wall", info.wall)?;
    let shares = PyDict::new(py);
    for (stage, share) in &info.shares {
        shares.set_item(stage, share)?;
    }
    all.set_item("shares", shares)?;
    Ok(all)
}
