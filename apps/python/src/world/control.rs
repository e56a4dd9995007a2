//! Control from Python: coordinates, controls of actuators, the equations of motion, names, sensors, and controllers that are called at exact times.

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyString};
use zerogap::Vec3;
use zerogap::dynamics::multibody::{BodyId, Site};
use zerogap::world::{Controller, JointInfo, Stop, World, WorldError};

use super::PyWorld;
use super::bodies::{rows_of, table};
use super::setup::refusal;
use crate::arrays::{Array1, Array2, Triple, read_only, triple, vector};
use crate::pose::PyPose;

/// Numbers of a vector over joints, accelerations or controls.
pub(super) fn numbers(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if let Ok(array) = value.extract::<PyReadonlyArray1<'_, f64>>() {
        return Ok(array.as_array().to_vec());
    }
    value.extract::<Vec<f64>>().map_err(|_| {
        let kind = value.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{what} must be a list or an array of numbers, not {kind}"))
    })
}

/// A read-only array of numbers.
pub(super) fn array(py: Python<'_>, numbers: Vec<f64>) -> Array1<'_> {
    read_only(numbers.into_pyarray(py))
}

/// The controls of the actuators of a world, by name, number or slice: ``world.control["elbow"] = 1.0``, ``world.control[:] = [...]``.
#[pyclass(name = "Control", module = "zerogap", frozen)]
pub(crate) struct PyControl {
    pub(super) world: Py<PyWorld>,
}

#[pymethods]
impl PyControl {
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.world.get().query(py, |world| world.forces().actuators.len())
    }

    /// A control by the name or number of its actuator, or an array of those of a slice.
    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.all(py)?.get_item(self.index(py, key)?)
    }

    /// Sets controls from now on: the time reached becomes the end of a step, unless nothing changes.
    fn __setitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let all = self.all(py)?;
        all.set_item(self.index(py, key)?, value)?;
        let controls = all.readonly().as_array().to_vec();
        self.world.get().change(py, |world| world.set_controls(&controls))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.all(py)?.try_iter()?.into_any())
    }

    /// The controls as an array of their own.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("controls cannot be an array without being copied"));
        }
        let all = self.all(py)?.into_any();
        dtype.map_or_else(|| Ok(all.clone()), |dtype| all.call_method1("astype", (dtype,)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (names, controls) =
            self.world.get().query(py, |world| (world.actuator_names(), world.controls()))?;
        let all: Vec<String> = names.iter().zip(controls).map(|(name, x)| format!("{name}: {x}")).collect();
        Ok(format!("<zerogap.Control {}>", all.join(", ")))
    }
}

impl PyControl {
    fn all<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.world.get().query(py, World::controls)?.into_pyarray(py))
    }

    /// An index of an array: names become numbers.
    fn index<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let Ok(name) = key.cast::<PyString>() else { return Ok(key.clone()) };
        let name: String = name.extract()?;
        let found = self.world.get().query(py, |world| world.actuator_named(&name))?;
        Ok(found.map_err(|error| refusal(&error))?.into_pyobject(py)?.into_any())
    }
}

/// The numbers of a point in a frame; none is its origin.
fn point_of(point: Option<&Triple<'_>>) -> PyResult<Vec3> {
    point.map_or_else(|| Ok(Vec3::zeros()), |point| triple("point", point))
}

impl PyWorld {
    /// Changes something of the world from now on: it has started then.
    pub(super) fn change<T>(
        &self,
        py: Python<'_>,
        change: impl FnOnce(&mut World) -> Result<T, WorldError>,
    ) -> PyResult<T> {
        let mut inner = self.lock()?;
        let changed = change(inner.started(py)?);
        changed.map_err(|error| inner.explain(&error))
    }

    /// A query that may be refused.
    pub(super) fn ask<T>(
        &self,
        py: Python<'_>,
        query: impl FnOnce(&World) -> Result<T, WorldError>,
    ) -> PyResult<T> {
        self.query(py, query)?.map_err(|error| refusal(&error))
    }

    /// A body, or a site, by name; a body by number as well.
    fn frame(&self, py: Python<'_>, frame: &Bound<'_, PyAny>) -> PyResult<Site> {
        if let Ok(name) = frame.cast::<PyString>() {
            let name: String = name.extract()?;
            return self.ask(py, |world| world.frame_named(&name));
        }
        let body = self.lock()?.names.find(frame)?;
        Ok(Site { body: Some(body), pose: zerogap::Pose::identity() })
    }

    /// A joint by its name, or by the name or number of its body.
    fn joint(&self, py: Python<'_>, joint: &Bound<'_, PyAny>) -> PyResult<BodyId> {
        if let Ok(name) = joint.cast::<PyString>() {
            let name: String = name.extract()?;
            return Ok(self.ask(py, |world| world.joint_named(&name))?.body);
        }
        self.lock()?.names.find(joint)
    }

    /// A body by name or number; none is none.
    fn some_body(&self, body: Option<&Bound<'_, PyAny>>) -> PyResult<Option<BodyId>> {
        body.map(|body| self.lock()?.names.find(body)).transpose()
    }

    pub(super) fn set_joint_of(
        &self,
        py: Python<'_>,
        joint: &Bound<'_, PyAny>,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let body = self.joint(py, joint)?;
        let list = |what: &str, value: Option<&Bound<'_, PyAny>>| match value {
            None => Ok(None),
            Some(value) => match value.extract::<f64>() {
                Ok(one) => Ok(Some(vec![one])),
                Err(_) => numbers(what, value).map(Some),
            },
        };
        let (q, v) = (list("positions", positions)?, list("velocities", velocities)?);
        self.change(py, |world| world.set_joint(body, q.as_deref(), v.as_deref()))
    }

    pub(super) fn slices<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&JointInfo) -> std::ops::Range<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for joint in self.query(py, World::joints)? {
            let range = of(&joint);
            all.set_item(
                joint.name,
                PySlice::new(py, range.start.cast_signed(), range.end.cast_signed(), 1),
            )?;
        }
        Ok(all)
    }

    pub(super) fn jacobian_of<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'_, PyAny>,
        point: Option<&Triple<'_>>,
    ) -> PyResult<Array2<'py>> {
        let (frame, point) = (self.frame(py, frame)?, point_of(point)?);
        let jacobian = self.query(py, |world| world.jacobian(&frame, point))?;
        let columns = jacobian.ncols();
        // Rows one after the other; the matrix keeps columns.
        Ok(table(py, jacobian.transpose().as_slice().to_vec(), columns))
    }

    pub(super) fn jacobian_rate_of<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'_, PyAny>,
        point: Option<&Triple<'_>>,
    ) -> PyResult<Array1<'py>> {
        let (frame, point) = (self.frame(py, frame)?, point_of(point)?);
        let rate = self.query(py, |world| world.jacobian_rate_times_velocity(&frame, point))?;
        Ok(array(py, rate.to_vec()))
    }

    pub(super) fn frame_pose_of(&self, py: Python<'_>, frame: &Bound<'_, PyAny>) -> PyResult<PyPose> {
        let frame = self.frame(py, frame)?;
        Ok(PyPose { pose: self.query(py, |world| world.frame_pose(&frame))? })
    }

    pub(super) fn kinematics<'py>(&self, py: Python<'py>, q: &Bound<'_, PyAny>) -> PyResult<Array2<'py>> {
        let q = numbers("q", q)?;
        let poses = self.ask(py, |world| world.forward_kinematics(&q))?;
        let zero = Vec3::zeros();
        Ok(table(py, rows_of(poses.into_iter().map(|pose| (pose, zero, zero))).0, 7))
    }

    pub(super) fn center<'py>(
        &self,
        py: Python<'py>,
        body: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Array1<'py>> {
        let body = self.some_body(body)?;
        let center = self.query(py, |world| world.center_of_mass(body))?;
        let center =
            center.ok_or_else(|| PyValueError::new_err("there is no mass, and so no centre of it"))?;
        Ok(read_only(vector(py, center)))
    }

    pub(super) fn momentum_of<'py>(
        &self,
        py: Python<'py>,
        body: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let body = self.some_body(body)?;
        let (linear, angular) = self.query(py, |world| world.momentum_about_center(body))?;
        Ok((read_only(vector(py, linear)), read_only(vector(py, angular))))
    }

    pub(super) fn set_controls_of(&self, py: Python<'_>, controls: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(named) = controls.cast::<PyDict>() {
            let mut all = self.query(py, World::controls)?;
            for (name, value) in named {
                let name: String = name.extract()?;
                let number = self.ask(py, |world| world.actuator_named(&name))?;
                all[number] = value.extract()?;
            }
            return self.change(py, |world| world.set_controls(&all));
        }
        let controls = numbers("control", controls)?;
        self.change(py, |world| world.set_controls(&controls))
    }

    pub(super) fn sensor_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (names, values) = self.query(py, |world| {
            let named = |(number, sensor): (usize, &zerogap::world::Sensor)| {
                if sensor.name.is_empty() { format!("sensor {number}") } else { sensor.name.clone() }
            };
            let names: Vec<String> = world.labels().sensors.iter().enumerate().map(named).collect();
            (names, world.sensor_values())
        })?;
        let all = PyDict::new(py);
        for (name, values) in names.into_iter().zip(values) {
            all.set_item(name, shown(py, values)?)?;
        }
        Ok(all)
    }

    pub(super) fn sensor_named<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        shown(py, self.ask(py, |world| world.sensor(name))?)
    }

    pub(super) fn force_between<'py>(
        &self,
        py: Python<'py>,
        a: Option<&Bound<'_, PyAny>>,
        b: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Array1<'py>> {
        let (a, b) = (self.some_body(a)?, self.some_body(b)?);
        let force = self.query(py, |world| world.contact_force(a, b))?;
        Ok(read_only(vector(py, force)))
    }

    /// Calls what is called at every tick, with the world as it stands.
    fn call_controller(slf: &Bound<'_, Self>) -> PyResult<()> {
        let function =
            slf.get().lock()?.controller.as_ref().map(|(function, _)| function.clone_ref(slf.py()));
        let Some(function) = function else { return Ok(()) };
        slf.get().lock()?.is_called = true;
        let called = function.call1(slf.py(), (slf,));
        slf.get().lock()?.is_called = false;
        called.map(drop)
    }

    /// Runs, with the controller called at its ticks, as far as a call gets.
    pub(super) fn run_by_ticks(
        slf: &Bound<'_, Self>,
        until: f64,
        mut go: impl FnMut(&mut World) -> Result<Stop, WorldError> + Send,
    ) -> PyResult<Stop> {
        if slf.get().lock()?.is_called {
            return Err(PyRuntimeError::new_err("a controller cannot run the world that calls it"));
        }
        loop {
            let stop = slf.get().lock()?.drive(slf.py(), until, &mut go)?;
            if stop != Stop::Tick {
                return Ok(stop);
            }
            Self::call_controller(slf)?;
        }
    }

    pub(super) fn control_by(
        &self,
        py: Python<'_>,
        function: Option<Py<PyAny>>,
        period: Option<f64>,
    ) -> PyResult<()> {
        let Some(function) = function else {
            self.change(py, |world| {
                world.remove_controller();
                Ok(())
            })?;
            self.lock()?.controller = None;
            return Ok(());
        };
        if !function.bind(py).is_callable() {
            return Err(PyValueError::new_err("the controller must be callable with the world"));
        }
        let usual = || self.lock().map(|inner| inner.params().method.step());
        let period = period.map_or_else(usual, Ok)?;
        self.change(py, |world| world.set_controller(period, Controller::Outside))?;
        self.lock()?.controller = Some((function, period));
        Ok(())
    }
}

/// A number, or an array of several.
fn shown(py: Python<'_>, values: Vec<f64>) -> PyResult<Bound<'_, PyAny>> {
    match values[..] {
        [one] => Ok(one.into_pyobject(py)?.into_any()),
        _ => Ok(array(py, values).into_any()),
    }
}
