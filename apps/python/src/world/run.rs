//! A run with its frames, and what it cost.

use std::ops::ControlFlow;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::PyClassInitializer;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use zerogap::dynamics::multibody::Energy;
use zerogap::landing::{Landing, LandingError, LandingParams};
use zerogap::record::{End, Head, Recording};
use zerogap::settings::{FRAME_INTERVAL, read_landing};
use zerogap::world::{Effort, Event, StepTimes, Stop, WorldInfo};

use super::PyWorld;
use super::recording::PyRecording;
use super::scene::{PyScene, load};
use crate::arrays::read_only;
use crate::pickle::{Reduced, maker};
use crate::quantity::arg;
use crate::settings::Keywords;

/// A recording that was just made: where everything was during a run, at even times.
#[pyclass(name = "Run", module = "zerogap", frozen, extends = PyRecording)]
pub(crate) struct PyRun {
    /// Whether a function of the user ended the run.
    #[pyo3(get)]
    stopped: bool,
}

/// One body during a run.
#[pyclass(name = "Track", module = "zerogap", frozen)]
pub(crate) struct PyTrack {
    /// Name of the body.
    #[pyo3(get)]
    pub(crate) name: String,
    /// Times of the frames [s].
    #[pyo3(get)]
    pub(crate) t: Py<PyArray1<f64>>,
    /// Poses x y z qx qy qz qw, (frames, 7).
    #[pyo3(get)]
    pub(crate) poses: Py<PyArray2<f64>>,
    /// Velocities of the origin [m/s] and angular velocities in world axes [rad/s], (frames, 6).
    #[pyo3(get)]
    pub(crate) velocities: Py<PyArray2<f64>>,
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
    read_only(array.as_array().slice(numpy::ndarray::s![.., from..to]).to_owned().into_pyarray(py))
}

#[pymethods]
impl PyRun {
    /// Names of the bodies.
    #[getter]
    fn names(of: PyRef<'_, Self>) -> Vec<String> {
        of.as_super().names().to_vec()
    }

    fn __repr__(of: PyRef<'_, Self>) -> String {
        format!("<zerogap.Run of {}>", of.as_super().line())
    }

    fn __reduce__<'py>(of: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Reduced<'py, KeptRun<'py>>> {
        let (bytes, events) = of.as_super().kept(py)?;
        Ok((maker(py, "_run")?, (bytes, events, of.stopped)))
    }
}

/// What a copy of a run is made of.
type KeptRun<'py> = (Bound<'py, PyBytes>, Py<PyList>, bool);

/// Makes a run again.
#[pyfunction]
pub(crate) fn _run(py: Python<'_>, bytes: &[u8], events: Py<PyList>, stopped: bool) -> PyResult<Py<PyRun>> {
    let base = PyRecording::of_kept(py, bytes, events)?;
    Py::new(py, PyClassInitializer::from(base).add_subclass(PyRun { stopped }))
}

/// Runs a scene, which may be given by its name or file, or a world to a time and records frames at an interval.
///
/// `until` is a time of the world [s], `every` the time between frames [s]; a scene has both, for a world `every` is 10 ms where it is left out. Frames are read off the solution between the steps: they do not change it, and events lie between
/// them. A world stays where the run ends, of a scene a new one is made.
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
/// (0.451524, 'contact_begin')
/// >>> run["ball"].xyz[-1].round(9)
/// array([0. , 0. , 0.1])
///
/// A scene may be simulated by another `method` than its own: ``"events"`` with an `integrator` (``"auto"``, ``"dop853"`` or ``"radau"``), or ``"stepping"`` or ``"silvia"`` with steps of a length `step` [s].
///
/// >>> run = zg.simulate(zg.load("bouncing-ball"), until=1.0, method="stepping", step=1e-3)
/// >>> run.info.get("steps")
/// 1000
#[pyfunction]
#[pyo3(signature = (world, until = None, every = None, *, max_wall = None, max_events = None, **settings))]
pub(crate) fn simulate(
    py: Python<'_>,
    world: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = arg::until)] until: Option<f64>,
    #[pyo3(from_py_with = arg::every)] every: Option<f64>,
    #[pyo3(from_py_with = arg::max_wall)] max_wall: Option<f64>,
    max_events: Option<usize>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Py<PyRun>> {
    let settings = Keywords::new("simulate", settings)?;
    // The name of a scene stands for the scene.
    let named = match world.extract::<std::path::PathBuf>() {
        Ok(path) => Some(Bound::new(py, load(py, path, None, None, false, false, None, None)?)?),
        Err(_) => None,
    };
    let world = named.as_ref().map_or(world, |scene| scene.as_any());
    if let Ok(scene) = world.cast::<PyScene>() {
        let scene = scene.get();
        let (until, every) = (until.unwrap_or(scene.scene.until), every.unwrap_or(scene.scene.every));
        if let Some(params) = &scene.scene.landing {
            return land(py, scene, params, (until, every), &settings);
        }
        let own = scene.scene.effort;
        let effort = Effort::new(max_wall.or(own.max_wall), max_events.or(own.max_events));
        let world = Bound::new(py, scene.world_by(py, &settings)?)?;
        return PyWorld::record(&world, until, every, effort);
    }
    let Ok(world) = world.cast::<PyWorld>() else {
        let kind = world.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a scene or a world can be simulated, not {kind}")));
    };
    if !settings.is_empty() {
        return Err(PyTypeError::new_err(
            "a world has its method from when it was made: settings of the method are for scenes",
        ));
    }
    let Some(until) = until else {
        return Err(PyTypeError::new_err(
            "a world needs until, the time to run to [s]: only scenes have their own",
        ));
    };
    let effort = Effort::new(max_wall, max_events);
    PyWorld::record(world, until, every.unwrap_or(FRAME_INTERVAL), effort)
}

impl PyWorld {
    /// Runs to a time and takes frames.
    fn record(slf: &Bound<'_, Self>, until: f64, every: f64, effort: Effort) -> PyResult<Py<PyRun>> {
        let py = slf.py();
        let (first_event, origin) = {
            let mut inner = slf.get().lock()?;
            let first = if inner.is_started { inner.world(py)?.events().len() } else { 0 };
            (first, inner.origin.clone())
        };
        let (mut head, mut frames) = (None, Vec::new());
        let stop = Self::run_by_ticks(slf, until, |world| {
            let mut sink = |frame, _: &[Event]| {
                frames.push(frame);
                ControlFlow::Continue(())
            };
            world.limit_effort(effort);
            // A controller that was called at a tick has the stream continued.
            let stop = if head.is_some() {
                world.resume_stream(until, &mut sink)
            } else {
                let source = origin.source.clone();
                head = Some(Head { source, ..Head::of_world(world, &origin.scene, every) });
                world.stream_to(until, every, &mut sink)
            };
            world.limit_effort(Effort::default());
            stop
        })?;
        let mut inner = slf.get().lock()?;
        let head = head.ok_or_else(|| PyRuntimeError::new_err("the run did not begin"))?;
        let world = inner.world(py)?;
        let stopped = stop == Stop::Stopped;
        let reason = if stopped { "stopped by the user".to_owned() } else { String::new() };
        let end = End { t: world.time(), info: world.info(), hash: world.hash(), reason };
        let events = world.events().iter().skip(first_event).cloned().collect();
        let recording = Recording { head, frames, events, end: Some(end), left_out: 0 };
        let base = PyRecording::new(py, recording, world)?;
        Py::new(py, PyClassInitializer::from(base).add_subclass(PyRun { stopped }))
    }
}

/// Runs a landing and takes frames.
fn land(
    py: Python<'_>,
    scene: &PyScene,
    params: &LandingParams,
    (until, every): (f64, f64),
    settings: &Keywords<'_, '_>,
) -> PyResult<Py<PyRun>> {
    let mut params = params.clone();
    read_landing(settings, &mut params)?;
    let (params, name, source) = (params, scene.scene.name.clone(), scene.scene.source.clone());
    let run = move || -> Result<(Recording, bool), LandingError> {
        let mut landing = Landing::new(params)?;
        let head = Head { source, ..Head::of_landing(&landing, &name, every)? };
        let mut frames = Vec::new();
        // Ctrl-C is looked at with every frame.
        let mut interrupted = false;
        let _ = landing.stream_to(until, every, &mut |frame, _| {
            frames.push(frame);
            interrupted = Python::attach(|py| py.check_signals().is_err());
            if interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let (t, events) = (landing.time(), landing.events().to_vec());
        let end = End { t, info: landing.info(), hash: landing.hash(), reason: String::new() };
        Ok((Recording { head, frames, events, end: Some(end), left_out: 0 }, interrupted))
    };
    let (recording, interrupted) =
        py.detach(run).map_err(|error| PyValueError::new_err(error.to_string()))?;
    if interrupted {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let head = recording.head.clone();
    let base = PyRecording::new(py, recording, &head)?;
    Py::new(py, PyClassInitializer::from(base).add_subclass(PyRun { stopped: false }))
}

/// A part of the energy by name.
pub(crate) type EnergyPart = (&'static str, fn(&Energy) -> f64);

pub(crate) const ENERGIES: [EnergyPart; 4] = [
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
        ("start_gaps", info.start_gaps),
    ] {
        all.set_item(name, count)?;
    }
    if let Some(calls) = info.narrow_phase_calls {
        all.set_item("narrow_phase_calls", calls)?;
    }
    if let Some(StepTimes { first, slowest, slowest_at }) = info.step_times {
        let times = PyDict::new(py);
        for (name, time) in [("first", first), ("slowest", slowest), ("slowest_at", slowest_at)] {
            times.set_item(name, time)?;
        }
        all.set_item("step_times", times)?;
    }
    if let Some(sleeping) = info.sleeping {
        all.set_item("sleeping", sleeping)?;
    }
    if let Some(unresolved) = info.unresolved {
        all.set_item("unresolved", unresolved)?;
    }
    if !info.quasi_lmds.is_empty() {
        let quasi_lmds = PyList::empty(py);
        for quasi in &info.quasi_lmds {
            let row = PyDict::new(py);
            row.set_item("shapes", quasi.shapes)?;
            row.set_item("dilation", quasi.dilation)?;
            row.set_item("angular_tolerance", quasi.angular_tolerance)?;
            quasi_lmds.append(row)?;
        }
        all.set_item("quasi_lmds", quasi_lmds)?;
    }
    all.set_item("wall", info.wall)?;
    let time_fractions = PyDict::new(py);
    for (stage, fraction) in &info.time_fractions {
        time_fractions.set_item(stage, fraction)?;
    }
    all.set_item("time_fractions", time_fractions)?;
    // What contact problems took, in time stepping.
    if let Some(count) = &info.contacts {
        let contacts = PyDict::new(py);
        for (name, count) in [
            ("solves", count.solves),
            ("unconverged", count.unconverged),
            ("sweeps", count.sweeps),
            ("newton", count.newton),
        ] {
            contacts.set_item(name, count)?;
        }
        contacts.set_item("residual", count.residual)?;
        all.set_item("contacts", contacts)?;
    }
    Ok(all)
}
