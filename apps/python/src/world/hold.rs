//! What is behind a Python world: the builder while things are added, the world from then on.

use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use numpy::IntoPyArray;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use zerogap::Pose;
use zerogap::dynamics::multibody::{BodyId, Dof, Motor, Site};
use zerogap::world::{
    BodyDef, ContactForce, ContactPoint, FrameDef, GapSide, Interrupt, Saved, ShapeDef, ShapeId, StoredError,
    World, WorldBuilder, WorldError, WorldParams,
};

use super::bodies::Names;
use super::event::{Raised, keep};
use super::function::{event_function, force_function};
use super::gaps::side_of;
use super::known::Known;
use super::motion::PyMotion;
use super::setup::{named_refusal, refusal};
use crate::arrays::{matrix_of, pairs_of, read_only, shown_number};
use crate::pickle::{Reduced, maker, world_refused};
use crate::user::answer;

/// Time between two checks for interrupts (Ctrl-C).
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// A number for a world that no other has, also in other processes: a state can only be restored in its own world or in a copy of that.
fn fresh_number() -> u64 {
    RandomState::new().hash_one((std::process::id(), SystemTime::now()))
}

/// A state as it was saved, or as another process saved it.
enum State {
    Here(Box<Saved>),
    Bytes(Vec<u8>),
}

/// A state of a world, to be restored.
#[pyclass(name = "SavedWorld", module = "zerogap", frozen)]
pub(crate) struct PySavedWorld {
    state: State,
    of: u64,
    /// The time of the state [s].
    #[pyo3(get)]
    time: f64,
}

#[pymethods]
impl PySavedWorld {
    /// The state as bytes, for :meth:`World.restore` of a world made in the same way, with the same bits.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(match &self.state {
            State::Here(saved) => PyBytes::new(py, &saved.to_bytes().map_err(|e| world_refused(&e))?),
            State::Bytes(bytes) => PyBytes::new(py, bytes),
        })
    }

    fn __repr__(&self) -> String {
        format!("<zerogap.SavedWorld at t = {} s>", shown_number(self.time))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>, u64, f64)>> {
        Ok((maker(py, "_saved_world")?, (self.to_bytes(py)?, self.of, self.time)))
    }
}

/// Makes a saved state again.
#[pyfunction]
pub(crate) fn _saved_world(bytes: &[u8], of: u64, time: f64) -> PySavedWorld {
    PySavedWorld { state: State::Bytes(bytes.to_vec()), of, time }
}

/// A function of the user, with its direction and whether it stops a run.
pub(crate) type Watched = (Py<PyAny>, String, bool);

/// A force function of the user, with the number of its body.
pub(crate) type Forced = (Py<PyAny>, u32);

/// What a copy of a world is made of: the builder, event functions, force functions, the state and its cost if it has started, names of scene and source, its number.
pub(crate) type KeptWorld<'py> = (
    Bound<'py, PyBytes>,
    Vec<Watched>,
    Vec<Forced>,
    Option<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>,
    (String, String),
    u64,
);

/// Where a world came from, as a recording stores it.
#[derive(Clone)]
pub(crate) struct SceneOrigin {
    /// Name of the scene.
    pub(crate) scene: String,
    /// The text that it was read from; empty where there was none.
    pub(crate) source: String,
}

/// A world that is being built or that runs.
pub(crate) struct Inner {
    builder: WorldBuilder,
    /// The world; before the start one built on trial.
    world: Option<World>,
    pub(crate) is_started: bool,
    pub(crate) names: Names,
    functions: Vec<Watched>,
    forces: Vec<Forced>,
    /// What functions of motions raised.
    motions: Vec<Raised>,
    raised: Raised,
    number: u64,
    pub(crate) origin: SceneOrigin,
    /// What is called at every tick, and its period [s].
    pub(crate) controller: Option<(Py<PyAny>, f64)>,
    /// Whether it is being called.
    pub(crate) is_called: bool,
}

impl Inner {
    pub(crate) fn new(builder: WorldBuilder) -> Self {
        Self {
            builder,
            world: None,
            is_started: false,
            names: Names::default(),
            functions: Vec::new(),
            forces: Vec::new(),
            motions: Vec::new(),
            raised: Raised::default(),
            number: fresh_number(),
            origin: SceneOrigin { scene: "world".to_owned(), source: String::new() },
            controller: None,
            is_called: false,
        }
    }

    /// The same of a world that a builder with everything in it has made.
    pub(crate) fn built(builder: WorldBuilder, mut world: World, origin: SceneOrigin) -> Self {
        let mut inner = Self { origin, names: world.names().iter().collect(), ..Self::new(builder) };
        world.interrupt_with(Some(interrupt(Arc::clone(&inner.raised))));
        inner.world = Some(world);
        inner
    }

    /// The builder, as long as nothing has moved.
    pub(crate) fn building(&mut self) -> PyResult<&mut WorldBuilder> {
        if self.is_started {
            return Err(PyRuntimeError::new_err(
                "the world has started: bodies and fixed shapes can still be added and removed, event and force functions added, all else is set before its first step, force, schedule or save",
            ));
        }
        self.world = None;
        // A copy that was made before is of another world from here on.
        self.number = fresh_number();
        // The text that a scene was read from no longer tells all.
        self.origin.source.clear();
        Ok(&mut self.builder)
    }

    /// Adds a body, before the start or during a run.
    pub(crate) fn add_body(&mut self, py: Python<'_>, def: BodyDef) -> PyResult<BodyId> {
        let name = def.name.clone();
        let body = if self.is_started {
            self.change(py, &name, move |world| world.add_body(def))?
        } else {
            self.building()?.body(def).map_err(|e| named_refusal(&e, |_| name.clone()))?
        };
        self.names.push(&name);
        Ok(body)
    }

    /// Adds a frame of beams before the start; the numbers of its nodes.
    pub(crate) fn add_frame(&mut self, def: &FrameDef) -> PyResult<Vec<u32>> {
        let parts = self.building()?.frame(def).map_err(|e| named_refusal(&e, |_| def.name.clone()))?;
        for node in 0..parts.nodes.len() {
            self.names.push(&format!("{}.{node}", def.name));
        }
        Ok(parts.nodes.iter().map(|body| body.0).collect())
    }

    /// Adds a fixed shape, before the start or during a run.
    pub(crate) fn add_fixed(&mut self, py: Python<'_>, def: ShapeDef) -> PyResult<ShapeId> {
        let name = def.name.clone();
        if self.is_started {
            return self.change(py, &name, move |world| world.add_fixed(def));
        }
        let named = |shape: ShapeId| {
            if name.is_empty() { format!("fixed shape {}", shape.0) } else { name.clone() }
        };
        self.building()?.fixed(def).map_err(|e| named_refusal(&e, named))
    }

    /// Removes a body.
    pub(crate) fn remove_body(&mut self, py: Python<'_>, body: BodyId) -> PyResult<()> {
        self.change(py, "", move |world| world.remove_body(body))?;
        self.names.remove(body);
        self.forces.retain(|(_, on)| *on != body.0);
        Ok(())
    }

    /// Removes a fixed shape.
    pub(crate) fn remove_fixed(&mut self, py: Python<'_>, shape: ShapeId) -> PyResult<()> {
        self.change(py, "", move |world| world.remove_fixed(shape))
    }

    /// Changes what a world that has started is made of; errors name what is added by its name.
    fn change<T: Send>(
        &mut self,
        py: Python<'_>,
        added: &str,
        change: impl FnOnce(&mut World) -> Result<T, WorldError> + Send,
    ) -> PyResult<T> {
        let world = self.started(py)?;
        let known = world.placed_shapes().count();
        let outcome = answer(py, || change(world))?;
        if let Some(error) = self.raised_by_motions() {
            return Err(error);
        }
        let changed = outcome.map_err(|e| {
            let is_added = |shape: ShapeId| shape.0 as usize >= known && !added.is_empty();
            named_refusal(&e, |shape| if is_added(shape) { added.to_owned() } else { self.shape_name(shape) })
        });
        // The text that a scene was read from no longer tells all.
        if changed.is_ok() {
            self.origin.source.clear();
        }
        changed
    }

    /// An error of the world with the names of shapes.
    pub(crate) fn explain(&self, error: &WorldError) -> PyErr {
        named_refusal(error, |shape| self.shape_name(shape))
    }

    fn shape_name(&self, shape: ShapeId) -> String {
        match &self.world {
            Some(world) => world.shape_name(shape),
            None => self.builder.shape_name(shape),
        }
    }

    /// The density of a material [kg/m³].
    pub(crate) fn density(&self, material: &str) -> Result<f64, WorldError> {
        self.builder.density(material)
    }

    /// Whether a body may have this name.
    pub(crate) fn check_new(&self, name: &str) -> PyResult<()> {
        if name.is_empty() {
            return Err(PyValueError::new_err("a body needs a name"));
        }
        if self.names.contains(name) {
            return Err(PyValueError::new_err(format!("there is a body called \"{name}\" already")));
        }
        Ok(())
    }

    /// The world as it is, on trial where it has not started.
    pub(crate) fn world(&mut self, py: Python<'_>) -> PyResult<&mut World> {
        if self.world.is_none() {
            let builder = self.builder.clone();
            let built = answer(py, move || builder.build())?;
            if let Some(error) = self.raised_by_motions() {
                return Err(error);
            }
            let mut world = built.map_err(|e| named_refusal(&e, |shape| self.builder.shape_name(shape)))?;
            world.interrupt_with(Some(interrupt(Arc::clone(&self.raised))));
            self.world = Some(world);
        }
        self.world.as_mut().ok_or_else(|| PyRuntimeError::new_err("the world could not be built"))
    }

    /// The world, which is made of what it is made of from now on.
    pub(crate) fn started(&mut self, py: Python<'_>) -> PyResult<&mut World> {
        self.world(py)?;
        self.is_started = true;
        self.world(py)
    }

    /// Runs with the interpreter released, and raises what functions of the user raised meanwhile.
    pub(crate) fn drive<T: Send>(
        &mut self,
        py: Python<'_>,
        until: f64,
        go: impl FnOnce(&mut World) -> Result<T, WorldError> + Send,
    ) -> PyResult<T> {
        let raised = Arc::clone(&self.raised);
        let take = || raised.lock().ok().and_then(|mut raised| raised.take());
        take();
        let now = self.world(py)?.time();
        if until < now {
            let (until, now) = (shown_number(until), shown_number(now));
            return Err(PyValueError::new_err(format!(
                "the world is at t = {now} s, which is after {until} s"
            )));
        }
        let world = self.started(py)?;
        let outcome = answer(py, || go(world))?;
        match take().or_else(|| self.raised_by_motions()) {
            Some(error) => Err(error),
            None => outcome.map_err(|e| self.explain(&e)),
        }
    }

    /// Changes what acts on a degree of freedom, from what acts on it so far.
    pub(crate) fn change_dof(
        &mut self,
        body: BodyId,
        index: usize,
        change: impl FnOnce(Dof) -> PyResult<Dof>,
    ) -> PyResult<()> {
        let builder = self.building()?;
        let before = builder.dof_now(body, index).map_err(|e| refusal(&e))?;
        builder.dof(body, index, change(before)?).map_err(|e| refusal(&e))
    }

    /// Sides of gaps by names and numbers.
    pub(crate) fn sides<const N: usize>(
        &mut self,
        py: Python<'_>,
        sides: [&Bound<'_, PyAny>; N],
    ) -> PyResult<[GapSide; N]> {
        self.world(py)?;
        let Self { names, world: Some(world), .. } = self else { return Ok([GapSide::Fixed; N]) };
        let mut found = [GapSide::Fixed; N];
        for (found, side) in found.iter_mut().zip(sides) {
            *found = side_of(names, world, side)?;
        }
        Ok(found)
    }

    /// The settings of the world.
    pub(crate) fn params(&self) -> &WorldParams {
        self.builder.params()
    }

    /// Whether a degree of freedom of a body's joint rotates; the others slide.
    pub(crate) fn rotates(&mut self, py: Python<'_>, body: BodyId, index: usize) -> PyResult<bool> {
        if self.is_started {
            let tree = self.world(py)?.tree();
            // A degree of freedom that is not there is refused where it is set.
            let range = tree.v_range(body);
            Ok(range.clone().nth(index).is_some_and(|at| tree.is_rotation(at)))
        } else {
            self.building()?.is_rotation(body, index).map_err(|e| refusal(&e))
        }
    }

    /// Raises from now on what the function of a motion raises during a run.
    pub(crate) fn listen_to(&mut self, motion: Option<&PyMotion>) {
        self.motions.extend(motion.and_then(|motion| motion.raised.clone()));
    }

    /// What the function of a motion raised, taken.
    fn raised_by_motions(&self) -> Option<PyErr> {
        self.motions.iter().find_map(|raised| raised.lock().ok()?.take())
    }

    /// Sets a motor, before the start or during a run.
    pub(crate) fn set_motor(&mut self, body: BodyId, index: usize, motor: Motor) -> PyResult<()> {
        match &mut self.world {
            Some(world) if self.is_started => world.set_motor(body, index, motor).map_err(|e| refusal(&e)),
            _ => self.change_dof(body, index, |dof| Ok(Dof { motor, ..dof })),
        }
    }

    /// Frames on two bodies for a force element between them; None is the world.
    pub(crate) fn ends(
        &self,
        what: &str,
        (a, at_a): (Option<&Bound<'_, PyAny>>, Pose),
        (b, at_b): (Option<&Bound<'_, PyAny>>, Pose),
    ) -> PyResult<[Site; 2]> {
        let find = |body: Option<&Bound<'_, PyAny>>| body.map(|body| self.names.find(body)).transpose();
        let (a, b) = (find(a)?, find(b)?);
        if a == b {
            let message =
                format!("{what} acts between two bodies, and both ends of this one are on the same");
            return Err(PyValueError::new_err(message));
        }
        Ok([Site { body: a, pose: at_a }, Site { body: b, pose: at_b }])
    }

    /// Adds an event function, before the start or during a run.
    pub(crate) fn add_event(
        &mut self,
        py: Python<'_>,
        function: Py<PyAny>,
        direction: &str,
        stops: bool,
    ) -> PyResult<usize> {
        let kept = function.clone_ref(py);
        let function = event_function(function, direction, stops, Arc::clone(&self.raised))?;
        if self.is_started {
            self.change(py, "", move |world| world.add_event(function))?;
        } else {
            self.building()?.add_event(function);
        }
        self.functions.push((kept, direction.to_owned(), stops));
        Ok(self.functions.len() - 1)
    }

    /// Adds a force function, before the start or during a run.
    pub(crate) fn add_force(&mut self, py: Python<'_>, body: BodyId, function: Py<PyAny>) -> PyResult<()> {
        let kept = function.clone_ref(py);
        let force = force_function(function, body, Arc::clone(&self.raised));
        if self.is_started {
            self.change(py, "", move |world| world.add_force(force))?;
        } else {
            self.building()?.add_force(force).map_err(|e| refusal(&e))?;
        }
        self.forces.push((kept, body.0));
        Ok(())
    }

    pub(crate) fn save(&mut self, py: Python<'_>) -> PyResult<PySavedWorld> {
        let of = self.number;
        let world = self.started(py)?;
        Ok(PySavedWorld { state: State::Here(Box::new(world.save())), of, time: world.time() })
    }

    pub(crate) fn restore(&mut self, py: Python<'_>, saved: &PySavedWorld) -> PyResult<()> {
        if saved.of != self.number {
            return Err(PyValueError::new_err("this state is of another world"));
        }
        let world = self.started(py)?;
        match &saved.state {
            State::Here(saved) => world.restore(saved).map_err(|e| refusal(&e)),
            State::Bytes(bytes) => self.restore_bytes(py, bytes),
        }
    }

    /// Restores a state from its bytes.
    pub(crate) fn restore_bytes(&mut self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let world = self.started(py)?;
        let saved = world.saved_from_bytes(bytes).map_err(|e| world_refused(&e))?;
        world.restore(&saved).map_err(|e| refusal(&e))
    }

    /// What a copy is made of.
    pub(crate) fn kept<'py>(&mut self, py: Python<'py>) -> PyResult<KeptWorld<'py>> {
        let bytes = |bytes: Result<Vec<u8>, StoredError>| {
            bytes.map(|bytes| PyBytes::new(py, &bytes)).map_err(|error| world_refused(&error))
        };
        let (builder, state) = match &self.world {
            // Bodies may have come and gone.
            Some(world) if self.is_started => {
                let state = (bytes(world.save().to_bytes())?, bytes(world.cost_to_bytes())?);
                (bytes(world.builder_to_bytes())?, Some(state))
            }
            _ => (bytes(self.builder.to_bytes())?, None),
        };
        let functions = self.functions.iter();
        let functions = functions.map(|(f, direction, stops)| (f.clone_ref(py), direction.clone(), *stops));
        let forces = self.forces.iter().map(|(function, body)| (function.clone_ref(py), *body)).collect();
        let origin = (self.origin.scene.clone(), self.origin.source.clone());
        Ok((builder, functions.collect(), forces, state, origin, self.number))
    }

    /// A copy of what was kept.
    pub(crate) fn of_kept(
        py: Python<'_>,
        builder: &[u8],
        functions: (Vec<Watched>, Vec<Forced>),
        state: Option<(Vec<u8>, Vec<u8>)>,
        (scene, source): (String, String),
        number: u64,
    ) -> PyResult<Self> {
        let builder = answer(py, || WorldBuilder::from_bytes(builder))?.map_err(|e| world_refused(&e))?;
        let mut inner = Self { names: builder.names().iter().collect(), ..Self::new(builder) };
        for (function, direction, stops) in functions.0 {
            inner.add_event(py, function, &direction, stops)?;
        }
        for (function, body) in functions.1 {
            inner.add_force(py, BodyId(body), function)?;
        }
        inner.origin = SceneOrigin { scene, source };
        inner.number = number;
        if let Some((state, cost)) = state {
            let builder = inner.builder.clone();
            let mut world = answer(py, || builder.resume(&state))?.map_err(|e| world_refused(&e))?;
            world.add_cost(&cost).map_err(|e| world_refused(&e))?;
            world.interrupt_with(Some(interrupt(Arc::clone(&inner.raised))));
            inner.names = Names::of(&world);
            (inner.world, inner.is_started) = (Some(world), true);
        }
        Ok(inner)
    }
}

/// Asked every few steps: has a function of the user raised something, or has the user had enough?
fn interrupt(raised: Raised) -> Interrupt {
    let last = Mutex::new(Instant::now());
    Arc::new(move || {
        if raised.lock().is_ok_and(|raised| raised.is_some()) {
            return ControlFlow::Break(());
        }
        let Ok(mut last) = last.lock() else { return ControlFlow::Continue(()) };
        if last.elapsed() < BETWEEN_LOOKS {
            return ControlFlow::Continue(());
        }
        let interrupted = Python::attach(|py| py.check_signals().err());
        *last = Instant::now();
        match interrupted {
            None => ControlFlow::Continue(()),
            Some(error) => {
                keep(&raised, error);
                ControlFlow::Break(())
            }
        }
    })
}

/// Contacts of a world as arrays.
pub(crate) fn contact_arrays<'py, 'a>(
    py: Python<'py>,
    world: &impl Known,
    contacts: impl Iterator<Item = &'a ContactForce> + Clone,
) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    let shapes = contacts.clone().flat_map(|c| [c.pair.a, c.pair.b]);
    let body = |shape: ShapeId| world.body_of(shape).map_or(-1, |body| i64::from(body.0));
    all.set_item("shapes", pairs_of(py, shapes.clone().map(|shape| i64::from(shape.0)).collect()))?;
    all.set_item("bodies", pairs_of(py, shapes.map(body).collect()))?;
    let list = |of: fn(&ContactForce) -> f64| {
        read_only(contacts.clone().map(of).collect::<Vec<f64>>().into_pyarray(py))
    };
    let rows =
        |of: fn(&ContactForce) -> [f64; 3]| read_only(matrix_of(py, contacts.clone().flat_map(of).collect()));
    all.set_item("gap", list(|c| c.gap))?;
    all.set_item("normal", rows(|c| c.normal))?;
    all.set_item("point", rows(|c| c.point))?;
    all.set_item("normal_force", list(|c| c.normal_force))?;
    all.set_item("friction_force", rows(|c| c.friction_force))?;
    Ok(all)
}

/// Contact points as arrays, and their features as words.
pub(crate) fn point_arrays<'py>(
    py: Python<'py>,
    world: &impl Known,
    points: &[&ContactPoint],
) -> PyResult<Bound<'py, PyDict>> {
    let rows = |of: fn(&ContactPoint) -> [f64; 3]| {
        read_only(matrix_of(py, points.iter().flat_map(|contact| of(contact)).collect()))
    };
    let shapes = || points.iter().flat_map(|contact| [contact.pair.a, contact.pair.b]);
    let body = |shape: ShapeId| world.body_of(shape).map_or(-1, |body| i64::from(body.0));
    let dict = PyDict::new(py);
    dict.set_item("shapes", pairs_of(py, shapes().map(|shape| i64::from(shape.0)).collect()))?;
    dict.set_item("bodies", pairs_of(py, shapes().map(body).collect()))?;
    dict.set_item(
        "id",
        points.iter().map(|contact| contact.id.packed()).collect::<Vec<u64>>().into_pyarray(py),
    )?;
    let features = points.iter().map(|contact| (contact.id.a.to_string(), contact.id.b.to_string()));
    dict.set_item("features", features.collect::<Vec<(String, String)>>())?;
    dict.set_item("gap", points.iter().map(|contact| contact.gap).collect::<Vec<f64>>().into_pyarray(py))?;
    dict.set_item("normal", rows(|contact| contact.normal.into()))?;
    dict.set_item("point", rows(|contact| contact.point.into()))?;
    dict.set_item("force", rows(|contact| contact.force.into()))?;
    Ok(dict)
}
