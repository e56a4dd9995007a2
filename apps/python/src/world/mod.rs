//! Bodies that move and touch: `zg.World`, built and run from Python.
//!
//! One class for both: everything is added first, and the first step, force or save settles what the world is made of but for bodies and fixed shapes, which can be added and removed. Reading before that evaluates a world built on
//! trial. Runs leave the interpreter to others; functions of the user take it back for as long as they need.

mod bodies;
mod control;
mod event;
mod frame;
mod function;
mod function_motion;
mod gaps;
mod hold;
mod joint;
mod known;
mod motion;
mod recording;
mod run;
mod scene;
mod setup;
mod shapes;
mod start;
mod zero_crossings;

use std::sync::{Arc, Mutex, MutexGuard};

use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use zerogap::Pose;
use zerogap::contact::material::Material;
use zerogap::dynamics::multibody::{BodyId, Forces, JointKind, Loop};
use zerogap::settings::{
    Source as _, read_bushing, read_dof, read_frame, read_motor, read_overlaps, read_pair, read_servo,
    read_spring, read_world, selected,
};
use zerogap::world::{FrameDef, ShapeId, Stop, World, WorldBuilder, WorldParams};

use crate::arrays::{Array1, Array2, Rows, Triple, read_only, shown_number, triple, vector};
use crate::distance::PyGap;
use crate::frame::PyFrame;
use crate::pickle::{Reduced, maker};
use crate::pose::{PyPose, pose_or_identity};
use crate::quantity::arg;
use crate::settings::Keywords;
use bodies::{moving, table};
pub(crate) use control::PyControl;
pub(crate) use event::{_event, PyEvent};
pub(crate) use function::PyWorldView;
use gaps::{gap_arrays, py_gap};
pub(crate) use hold::{_saved_world, PySavedWorld};
use hold::{Forced, Inner, KeptWorld, Watched, contact_arrays, point_arrays};
use joint::JointWords;
pub(crate) use motion::PyMotion;
pub(crate) use recording::{_recording, PyRecording, open};
pub(crate) use run::{_run, PyRun, PyTrack, simulate};
pub(crate) use scene::{_landing, _scene, PyScene, load, scenes};
use setup::refusal;
use shapes::Usual;
use start::Start;
pub(crate) use zero_crossings::PyZeroCrossings;

/// Bodies that move and touch: add shapes and bodies, then run.
///
/// `contact` is the contact model: ``"rigid"`` (impulses and complementarity, with `impact` ``"moreau"``, ``"poisson"``, ``"newton"`` or ``"sequential"``), or a compliant contact law: ``"hunt-crossley"``,
/// ``"hertz"``, ``"linear"`` (`stiffness` [N/m] and `damping_ratio` (1) of a contact point), ``"kelvin-voigt"`` (`stiffness` [N/m] and `damping` [N s/m], which it needs) or ``"modia3d"``; ``"hunt-crossley"`` where it is left
/// out. `gravity` is (0, 0, -9.81) m/s² where it is left out. `rtol` (1e-6) and `atol` (1e-3 of `rtol`) bound the error of each step; `integrator` is ``"dop853"`` (explicit), ``"radau"`` (implicit) or ``"auto"``, which takes the cheaper one. `zero_functions` is the initial number of event functions
/// (active pairs, 20), or ``"two"`` for one function for all separated pairs and one for all pairs in contact. No step is longer than `max_step` [s] (0.1). :meth:`step` advances by `step` [s] (1e-3), in every method. `overlaps` is what happens to shapes that overlap at the start: ``"refuse"`` (an error), ``"separate"`` (bodies are moved apart before the run) or ``"exclude"`` (contact of such pairs is disabled); :attr:`start_overlaps` reports what was done. Defaults are those of a scene file.
///
/// All that is for `method` ``"auto"``, the default, which passes phases in which events of rigid contacts crowd by time stepping, and for ``"events"``, which does not. ``"stepping"`` is time stepping in place of it: rigid contacts with exact friction cones, steps of one length `step` [s] (1e-3), each with its contact laws satisfied to `tolerance` [m/s] (1e-9), solved with `patch_points` contact points per patch at first (``"auto"``: four for convex shapes, eight for others; ``"all"``). Bodies of it that have been at rest for a time `sleep` [s] (never), slower than `sleep_speed` [m/s] (1e-3), sleep until something moves them. ``"silvia"`` also
/// uses fixed steps, with normal forces that prevent overlap where a step ends, and neither friction nor restitution: those of the materials are not used.
///
/// >>> import zerogap as zg
/// >>> world = zg.World(contact="rigid")
/// >>> floor = world.fixed(zg.halfspace((0, 0, 1), 0))
/// >>> ball = world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1.1)))
/// >>> world.advance_to(0.4)
/// 'reached'
/// >>> round(float(world.poses[ball, 2]), 9)
/// 0.3152
/// >>> world
/// <zerogap.World of 1 body at t = 0.4 s>
#[pyclass(name = "World", module = "zerogap", frozen)]
pub(crate) struct PyWorld {
    inner: Mutex<Inner>,
}

#[pymethods]
impl PyWorld {
    #[new]
    #[pyo3(signature = (**settings))]
    fn new(settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = Keywords::new("World", settings)?;
        let params = read_world(&settings, &WorldParams::default())?;
        params.check().map_err(|error| refusal(&error))?;
        let mut builder = WorldBuilder::new(params);
        builder.set_overlaps(read_overlaps(&settings, builder.overlaps())?);
        if settings.yes("assemble")? {
            builder.set_assemble(true);
        }
        Ok(Self { inner: Mutex::new(Inner::new(builder)) })
    }

    /// Adds a material, or replaces one: Young's modulus [Pa], Poisson's ratio [-] and density [kg/m³].
    fn material(
        &self,
        name: &str,
        #[pyo3(from_py_with = arg::young_modulus)] young_modulus: f64,
        poisson_ratio: f64,
        #[pyo3(from_py_with = arg::density)] density: f64,
    ) -> PyResult<()> {
        let material = Material { young_modulus, poisson_ratio, density };
        self.lock()?.building()?.material(name, material).map_err(|e| refusal(&e))
    }

    /// Sets what two materials do to each other; everything that is left out has its default, whatever was set before.
    ///
    /// `restitution` [-] (0.5), `friction` (0.5) and `static_friction` [-] (as friction), `friction_across` [-] a `friction_direction` on the surface of `a` (none), `rolling` [-] against the radius (0), `spinning` [m] (0), `contact_radius` [m] of contacts between flat faces, `grip` [-] is the
    /// tangential against the normal stiffness. A setting that the method or the contact model of the world does not use is refused.
    #[pyo3(signature = (a, b, **settings))]
    fn pair(&self, a: &str, b: &str, settings: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let settings = Keywords::new("World.pair", settings)?;
        let mut inner = self.lock()?;
        let properties = read_pair(&settings, &selected(&inner.params().method))?;
        inner.building()?.pair(a, b, properties).map_err(|e| refusal(&e))
    }

    /// Adds a shape or mesh that is fixed in the world, before the start or during a run, and gives its number.
    ///
    /// `name` is for recordings, plots and tables. `collision`, `pieces`, `angular_tolerance`, `dilation`, `inflate` and `surface_velocity` are those of :meth:`body`.
    #[pyo3(signature = (shape, *, name = "", material = None, pose = None, **settings))]
    fn fixed(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        name: &str,
        material: Option<&str>,
        pose: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u32> {
        let mut inner = self.lock()?;
        let pose = pose_or_identity("pose", pose)?;
        let settings = Keywords::new("World.fixed", settings)?;
        let usual = Usual::new(material, &settings, &inner.params().method)?;
        let def = usual.shape("shape", shape, &usual.collision)?.def.named(name).at(pose);
        inner.add_fixed(py, def).map(|id| id.0)
    }

    /// Adds a body and gives its number: its row in `poses` and `velocities`. During a run it starts at the time reached, with all numbers of other bodies as they were.
    ///
    /// `shapes` is a shape or mesh, or a list of these, (shape, pose), (shape, pose, material) and dicts with the keys ``shape``, ``pose``, ``material``, ``name``, ``surface_velocity``, and ``collision`` with ``pieces``, ``angular_tolerance``, ``dilation`` and ``inflate``. Its mass is that of the shapes with the densities of their materials; `mass` [kg] alone scales it, `mass` with
    /// `inertia` [kg m²] (about the centre of mass, (3, 3) or a diagonal) and `center` [m] replaces it, and so do mass properties of a shape.
    ///
    /// A free body starts at `pose` with `velocity` of its origin [m/s] and `angular_velocity` [rad/s], both in world axes. Others hang on `parent` (None: the world) by a `joint`: ``"revolute"``, ``"prismatic"``,
    /// ``"cylindrical"``, ``"planar"`` (with `axis`), ``"universal"`` (with `axis` and `second_axis`), ``"spherical"``, ``"fixed"``, or ``"prescribed"`` by a `motion`. The joint frame is `parent_frame` in the parent and `child_frame` in the body, and starts with `positions` and
    /// `rates` of its own.
    ///
    /// `collision` says how the shapes collide, as in a scene file: ``"auto"`` (a mesh by its hull, a shape as what it is), for meshes ``"hull"``, ``"pieces"`` (at most `pieces` convex ones, 16) or ``"mesh"`` (by its triangles), and for both
    /// ``"oriented"`` (by corners, each pushed by the surface that it came in through) or ``"quasi-lmd"``, with an angle `angular_tolerance` [rad] and a `dilation` [m]; the shape is shrunk by the dilation first unless it is to be `inflate`. A mesh weighs what it
    /// weighs, whatever of it collides.
    ///
    /// `surface_velocity` [m/s] is that of the surfaces against the body, as of a conveyor belt, in axes of each shape: friction carries along what lies on them. A dict in `shapes` sets it for one shape.
    #[pyo3(signature = (name, shapes = None, *, material = None, joint = None, axis = None, second_axis = None, motion = None, parent = None, parent_frame = None, child_frame = None,
        pose = None, velocity = None, angular_velocity = None, positions = None, rates = None, mass = None, center = None, inertia = None, **settings))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn body(
        &self,
        py: Python<'_>,
        name: &str,
        shapes: Option<&Bound<'_, PyAny>>,
        material: Option<&str>,
        joint: Option<&str>,
        axis: Option<Triple<'_>>,
        second_axis: Option<Triple<'_>>,
        motion: Option<&PyMotion>,
        parent: Option<&Bound<'_, PyAny>>,
        parent_frame: Option<&Bound<'_, PyAny>>,
        child_frame: Option<&Bound<'_, PyAny>>,
        pose: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg::velocity)] velocity: Option<Triple<'_>>,
        #[pyo3(from_py_with = arg::angular_velocity)] angular_velocity: Option<Triple<'_>>,
        positions: Option<&Bound<'_, PyAny>>,
        rates: Option<&Bound<'_, PyAny>>,
        mass: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg::center)] center: Option<Triple<'_>>,
        #[pyo3(from_py_with = arg::inertia)] inertia: Option<Rows<'_>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<u32> {
        let settings = Keywords::new("World.body", settings)?;
        let mut inner = self.lock()?;
        inner.check_new(name)?;
        let start =
            Start { parent, parent_frame, child_frame, pose, velocity, angular_velocity, positions, rates };
        let joint = JointWords { joint, axis, second_axis, motion };
        let mut def = start.def(name, joint.kind()?, &inner.names)?;
        let usual = Usual::new(material, &settings, &inner.params().method)?;
        let shapes = usual.shapes(shapes)?;
        // What nothing can move needs no mass, and an open mesh has none.
        let is_driven = match &def.joint.kind {
            JointKind::Prescribed(_) => true,
            JointKind::Fixed => def.joint.parent.is_none(),
            _ => false,
        };
        if !(is_driven && mass.is_none() && center.is_none() && inertia.is_none()) {
            let density = |material: &str| inner.density(material);
            def.inertia = setup::inertia(mass, center.as_ref(), inertia.as_ref(), &shapes, density)?;
        }
        def.shapes = shapes.into_iter().map(|shape| shape.def).collect();
        inner.listen_to(motion);
        inner.add_body(py, def).map(|id| id.0)
    }

    /// Removes a body, by name or number, with its shapes, its joint and what acts on it alone, during a run. Its contacts end now, each with a ``contact_end``, and what lay on it falls. Its number is never given again, its name may be. A body
    /// that others hang on by joints or loops is refused.
    fn remove(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let body = inner.names.find(body)?;
        inner.remove_body(py, body)
    }

    /// Removes what one call of :meth:`fixed` added, by the number that it gave.
    fn remove_fixed(&self, py: Python<'_>, shape: u32) -> PyResult<()> {
        self.lock()?.remove_fixed(py, ShapeId(shape))
    }

    /// Numbers of the bodies that there are, ascending: ``world.poses[world.bodies]`` are their poses.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let numbers: Vec<i64> =
            self.query(py, |world| world.bodies().iter().map(|body| i64::from(body.0)).collect())?;
        Ok(numbers.into_pyarray(py))
    }

    /// Changes what acts on a degree of freedom of a body's joint; what is left out stays as it is. Limits `lower` and `upper` [m or rad] with a `restitution`, a spring of `stiffness` [N/m or N m] relaxed at `spring_reference`, a damper [N s/m or N m s].
    #[pyo3(signature = (body, index = 0, **settings))]
    fn dof(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        index: usize,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let settings = Keywords::new("World.dof", settings)?;
        let mut inner = self.lock()?;
        let body = inner.names.find(body)?;
        let rotates = inner.rotates(py, body, index)?;
        inner.change_dof(body, index, |dof| read_dof(&settings, rotates, &dof))
    }

    /// Sets the motor of a degree of freedom from now on: an `effort` [N or N m]; a target `speed` [m/s or rad/s] with velocity `gain`; a target `position` [m or rad] with `stiffness` and `damping`; at most `limit` [N or N m].
    /// A call without settings switches it off.
    #[pyo3(signature = (body, index = 0, **settings))]
    fn set_motor(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        index: usize,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let settings = Keywords::new("World.set_motor", settings)?;
        let mut inner = self.lock()?;
        let body = inner.names.find(body)?;
        let rotates = inner.rotates(py, body, index)?;
        inner.set_motor(body, index, read_motor(&settings, rotates)?)
    }

    /// Attaches a servo to a free body: it carries the body and its weight along a `motion` with at most a `force` [N] and a `torque` [N m], corrects the tracking error with time constant `response` [s] (0.05), and
    /// yields to obstacles.
    #[pyo3(signature = (body, motion, **settings))]
    fn servo(
        &self,
        body: &Bound<'_, PyAny>,
        motion: &PyMotion,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let settings = Keywords::new("World.servo", settings)?;
        let servo = read_servo(&settings, Arc::clone(&motion.motion))?;
        let mut inner = self.lock()?;
        let body = inner.names.find(body)?;
        inner.listen_to(Some(motion));
        inner.building()?.servo(body, servo).map_err(|e| refusal(&e))
    }

    /// Closes a loop between frames of two bodies (None: the world), and gives its number: ``"point"`` holds the origins together, ``"revolute"`` an `axis` as well, ``"fixed"`` everything, ``"distance"`` keeps the
    /// origins `length` [m] apart.
    #[pyo3(signature = (a, b, *, kind = "point", frame_a = None, frame_b = None, axis = None, length = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn close(
        &self,
        a: Option<&Bound<'_, PyAny>>,
        b: Option<&Bound<'_, PyAny>>,
        kind: &str,
        frame_a: Option<&Bound<'_, PyAny>>,
        frame_b: Option<&Bound<'_, PyAny>>,
        axis: Option<Triple<'_>>,
        #[pyo3(from_py_with = arg::length)] length: Option<f64>,
    ) -> PyResult<u32> {
        let mut inner = self.lock()?;
        let [a, b] = [a, b].map(|body| body.map(|body| inner.names.find(body)).transpose());
        let axis = axis.map(|axis| triple("axis", &axis)).transpose()?;
        let closure = Loop {
            a: a?,
            frame_a: pose_or_identity("frame_a", frame_a)?,
            b: b?,
            frame_b: pose_or_identity("frame_b", frame_b)?,
            kind: joint::loop_kind(kind, axis, length)?,
        };
        inner.building()?.close(closure).map(|id| id.0).map_err(|e| refusal(&e))
    }

    /// Says that the shapes of two bodies never touch; None is what is fixed in the world.
    fn exclude(&self, a: Option<&Bound<'_, PyAny>>, b: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let mut inner = self.lock()?;
        let [a, b] = [a, b].map(|body| body.map(|body| inner.names.find(body)).transpose());
        inner.building()?.exclude(a?, b?);
        Ok(())
    }

    /// Adds an event function (a zero-crossing function), before the start or during a run, and returns its number: ``function(view)`` is called with a :class:`WorldView` and returns a number. A crossing in the `direction` (``"rising"``, ``"falling"`` or ``"both"``) is an event, and ends the
    /// run where it is to `stop`.
    #[pyo3(signature = (function, *, direction = "both", stop = true))]
    fn add_event(&self, py: Python<'_>, function: Py<PyAny>, direction: &str, stop: bool) -> PyResult<usize> {
        if !function.bind(py).is_callable() {
            return Err(PyValueError::new_err(
                "the event function must be callable with a view of the world",
            ));
        }
        self.lock()?.add_event(py, function, direction, stop)
    }

    /// Adds a force on a body that is a function of time and state: ``function(view)`` is called with a :class:`WorldView` and returns the force at the body's origin [N], or the force and the torque [N m], in world axes. It must return
    /// the same for the same time and state. It may be added during a run.
    ///
    /// >>> import zerogap as zg
    /// >>> world = zg.World(gravity=(0, 0, 0))
    /// >>> ball = world.body("ball", zg.sphere(0.1), mass=1, velocity=(1, 0, 0))
    /// >>> world.add_force("ball", lambda view: -0.5 * view.velocity("ball"))
    /// >>> world.advance_to(2.0)
    /// 'reached'
    /// >>> round(float(world.velocities[ball, 0]), 6)
    /// 0.367879
    fn add_force(&self, py: Python<'_>, body: &Bound<'_, PyAny>, function: Py<PyAny>) -> PyResult<()> {
        if !function.bind(py).is_callable() {
            return Err(PyValueError::new_err(
                "the force function must be callable with a view of the world; set_force takes numbers",
            ));
        }
        let mut inner = self.lock()?;
        let body = inner.names.find(body)?;
        inner.add_force(py, body, function)
    }

    /// Adds a spring with a damper between a point of one body and one of another (None: the world): `stiffness` [N/m], `damping` [N s/m], and the `length` [m] at which it is relaxed.
    #[pyo3(signature = (a, b, *, at_a = None, at_b = None, **settings))]
    fn spring(
        &self,
        a: Option<&Bound<'_, PyAny>>,
        b: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg::at_a)] at_a: Option<Triple<'_>>,
        #[pyo3(from_py_with = arg::at_b)] at_b: Option<Triple<'_>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let settings = Keywords::new("World.spring", settings)?;
        let point = |name: &str, at: Option<Triple<'_>>| -> PyResult<Pose> {
            let at = at.map_or_else(|| Ok(zerogap::Vec3::zeros()), |at| triple(name, &at))?;
            Pose::from_translation(at).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
        };
        let mut inner = self.lock()?;
        let ends = inner.ends("a spring", (a, point("at_a", at_a)?), (b, point("at_b", at_b)?))?;
        let tendons = vec![read_spring(&settings, ends)?];
        inner.building()?.forces(Forces { tendons, ..Forces::default() }).map_err(|e| refusal(&e))
    }

    /// Adds a bushing between frames of two bodies (None: the world): springs and dampers along and about the axes of the first, relaxed where the frames coincide. `stiffness` [N/m], `damping` [N s/m], `angular_stiffness`
    /// [N m/rad] and `angular_damping` [N m s/rad] have three numbers each.
    #[pyo3(signature = (a, b, *, frame_a = None, frame_b = None, **settings))]
    fn bushing(
        &self,
        a: Option<&Bound<'_, PyAny>>,
        b: Option<&Bound<'_, PyAny>>,
        frame_a: Option<&Bound<'_, PyAny>>,
        frame_b: Option<&Bound<'_, PyAny>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let settings = Keywords::new("World.bushing", settings)?;
        let frames = [pose_or_identity("frame_a", frame_a)?, pose_or_identity("frame_b", frame_b)?];
        let mut inner = self.lock()?;
        let ends = inner.ends("a bushing", (a, frames[0]), (b, frames[1]))?;
        let bushings = vec![read_bushing(&settings, ends)?];
        inner.building()?.forces(Forces { bushings, ..Forces::default() }).map_err(|e| refusal(&e))
    }

    /// Adds a :class:`Frame` of flexible beams and gives the numbers of the bodies at its nodes, which are called ``NAME.0``, ``NAME.1`` and so on: shapes, contacts, poses and velocities are those of bodies.
    ///
    /// `joints` join nodes rigidly to bodies (None: the world) with ``(node, body)``, or with ``(node, body, kind)`` by ``"fixed"``, ``"ball"`` or ``("hinge", axis)``; supports of the frame itself are joints to the world. `masses` are
    /// pairs ``(node, mass)``. The other settings are those of `[[frames]]` in a scene.
    ///
    /// >>> import numpy as np
    /// >>> import zerogap as zg
    /// >>> rod = zg.Frame(np.linspace((0, 0, 0), (1, 0, 0), 9), [(k, k + 1) for k in range(8)], section="rod:10mm", young_modulus=210e9, density=7850)
    /// >>> rod.clamp(0)
    /// >>> world = zg.World(method="stepping")
    /// >>> nodes = world.frame("rod", rod, settle=True)
    /// >>> world.advance_to(0.5)
    /// 'reached'
    /// >>> round(float(world.poses[nodes[-1], 2]) * 1e3, 2)
    /// -7.34
    /// >>> world.beam_forces().shape
    /// (8, 2, 6)
    #[pyo3(signature = (name, frame, *, joints = None, masses = None, pose = None, velocity = None, **settings))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn frame(
        &self,
        name: &str,
        frame: &PyFrame,
        joints: Option<&Bound<'_, PyAny>>,
        masses: Option<&Bound<'_, PyAny>>,
        pose: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg::velocity)] velocity: Option<Triple<'_>>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Vec<u32>> {
        let settings = Keywords::new("World.frame", settings)?;
        let read = read_frame(&settings, &frame.frame)?;
        let mut inner = self.lock()?;
        for node in 0..frame.frame.nodes().len() {
            inner.check_new(&format!("{name}.{node}"))?;
        }
        let def = FrameDef {
            pose: pose_or_identity("pose", pose)?,
            velocity: velocity.map_or_else(|| Ok(zerogap::Vec3::zeros()), |v| triple("velocity", &v))?,
            joints: frame::joints(joints, &inner.names)?,
            masses: frame::masses(masses)?,
            contact: read.contact,
            settle: read.settle,
            spectral_radius: read.spectral_radius,
            ..FrameDef::new(name, frame.frame.clone())
        };
        inner.add_frame(&def)
    }

    /// The forces in all beams of frames now, in the order of adding: (beams, 2, 6), at the first and at the second end of each: axial force, shear forces along y and z [N], torsion and bending moments about y and z [N m], in axes of the
    /// beam, as the part beyond the section exerts them.
    fn beam_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, numpy::PyArray3<f64>>> {
        let mut inner = self.lock()?;
        let forces = inner.world(py)?.beam_forces();
        let numbers: Vec<f64> = forces
            .iter()
            .flatten()
            .flat_map(|end| end.force.iter().chain(end.moment.iter()).copied().collect::<Vec<_>>())
            .collect();
        Ok(crate::frame::cube(py, (forces.len(), 2, 6), numbers))
    }

    /// Runs to a time [s], exactly: ``"reached"``, or ``"stopped"`` if an event function stopped the run.
    fn advance_to(slf: &Bound<'_, Self>, #[pyo3(from_py_with = arg::t)] t: f64) -> PyResult<&'static str> {
        let stop = Self::run_by_ticks(slf, t, move |world| world.advance_to(t))?;
        Ok(if stop == Stop::Stopped { "stopped" } else { "reached" })
    }

    /// Advances by `n` lengths of a step (the setting `step`, 1 ms by default), in every method; events are located within them. Returns ``"reached"``, or ``"stopped"`` where an event function ended the run earlier.
    ///
    /// Calling it n times gives the same bits as one call with `n`, and as one :meth:`advance_to`.
    #[pyo3(signature = (n = 1))]
    fn step(slf: &Bound<'_, Self>, n: usize) -> PyResult<&'static str> {
        let mut until = None;
        let stop = Self::run_by_ticks(slf, f64::INFINITY, move |world| {
            let until = *until.get_or_insert_with(|| world.time_after_steps(n));
            world.advance_to(until)
        })?;
        Ok(if stop == Stop::Stopped { "stopped" } else { "reached" })
    }

    /// Has `function(world)` called every `period` [s] (the setting `step`, 1 ms by default) from the time reached on, each time before time goes on: by :meth:`advance_to`, :meth:`step` and :func:`simulate`, in every method, at exact times. It may read the world and set
    /// controls, motors, forces and coordinates, which hold from exactly that time; it cannot run the world. None removes it. A copy of the world has no controller.
    ///
    /// >>> import zerogap as zg
    /// >>> world = zg.World(gravity=(0, 0, 0))
    /// >>> arm = world.body("arm", mass=1.0, inertia=(0.1, 0.1, 0.1), joint="revolute", axis=(0, 0, 1))
    /// >>> world.set_controller(lambda w: w.set_motor("arm", effort=float(4.0 * (1.0 - w.q[0]) - 1.2 * w.v[0])), 1e-3)
    /// >>> world.advance_to(3.0)
    /// 'reached'
    /// >>> bool(abs(world.q[0] - 1.0) < 1e-3)
    /// True
    #[pyo3(signature = (function, period = None))]
    fn set_controller(
        &self,
        py: Python<'_>,
        function: Option<Py<PyAny>>,
        #[pyo3(from_py_with = arg::period)] period: Option<f64>,
    ) -> PyResult<()> {
        self.control_by(py, function, period)
    }

    /// Positions of all joints, in the order of the bodies: angles [rad] and shifts [m], of a ball joint the quaternion x y z w, of a free joint x y z qx qy qz qw. A read-only array; assign another one to set it, in whole: bodies may not overlap then, joints not be beyond their limits, and loops
    /// must be closed. Contacts are found anew.
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        Ok(control::array(py, self.query(py, |world| world.positions().to_vec())?))
    }

    #[setter]
    fn set_q(&self, py: Python<'_>, q: &Bound<'_, PyAny>) -> PyResult<()> {
        let q = control::numbers("q", q)?;
        self.change(py, |world| world.set_positions(&q))
    }

    /// Velocities of all joints, in the order of the bodies [rad/s or m/s]: of a free joint those of its origin in axes of the parent's joint frame (the world's, as a rule), then the angular velocity in the body's axes; of a ball joint the latter alone. A read-only array; assign another one to set
    /// it, in whole.
    #[getter]
    fn v<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        Ok(control::array(py, self.query(py, |world| world.velocities().to_vec())?))
    }

    #[setter]
    fn set_v(&self, py: Python<'_>, v: &Bound<'_, PyAny>) -> PyResult<()> {
        let v = control::numbers("v", v)?;
        self.change(py, |world| world.set_velocities(&v))
    }

    /// Sets positions and velocities of all joints at once, as assigning to :attr:`q` and :attr:`v` does.
    fn set_state(&self, py: Python<'_>, q: &Bound<'_, PyAny>, v: &Bound<'_, PyAny>) -> PyResult<()> {
        let (q, v) = (control::numbers("q", q)?, control::numbers("v", v)?);
        self.change(py, |world| world.set_coordinates(&q, &v))
    }

    /// Sets positions, velocities or both of one joint, by its name or by the name or number of its body.
    #[pyo3(signature = (joint, positions = None, velocities = None))]
    fn set_joint(
        &self,
        py: Python<'_>,
        joint: &Bound<'_, PyAny>,
        positions: Option<&Bound<'_, PyAny>>,
        velocities: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        self.set_joint_of(py, joint, positions, velocities)
    }

    /// Names of the joints that move, in the order of their coordinates: those of robot files, or those of the bodies on them.
    #[getter]
    fn joint_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.query(py, |world| world.joints().into_iter().map(|joint| joint.name).collect())
    }

    /// Where the positions of each joint stand in :attr:`q`: slices by name.
    #[getter]
    fn q_slices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.slices(py, |joint| joint.positions.clone())
    }

    /// Where the velocities of each joint stand in :attr:`v`: slices by name.
    #[getter]
    fn v_slices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.slices(py, |joint| joint.velocities.clone())
    }

    /// Names of the actuators, in the order of their controls.
    #[getter]
    fn actuator_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.query(py, World::actuator_names)
    }

    /// Names of the sites of robots.
    #[getter]
    fn site_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.query(py, |world| world.labels().sites.iter().map(|site| site.name.clone()).collect())
    }

    /// The controls of the actuators, by name, number or slice: ``world.control["elbow"] = 1.0``, ``world.control[:] = [...]``. Assign a list of all of them, or a dict by name, to set several at once.
    #[getter]
    fn control(slf: &Bound<'_, Self>) -> PyControl {
        PyControl { world: slf.clone().unbind() }
    }

    #[setter]
    fn set_control(&self, py: Python<'_>, control: &Bound<'_, PyAny>) -> PyResult<()> {
        self.set_controls_of(py, control)
    }

    /// The activation of each actuator, or its control within its range where it has none.
    #[getter]
    fn activation<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        Ok(control::array(py, self.query(py, World::activations)?))
    }

    /// Values of all sensors by name: a number each, or an array; quaternions are w x y z as in MJCF files.
    #[getter]
    fn sensors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.sensor_dict(py)
    }

    /// Value of one sensor by name.
    fn sensor<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.sensor_named(py, name)
    }

    /// Accelerations of all joints: now where events are located, over the last step in time stepping.
    #[getter]
    fn accelerations<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        Ok(control::array(py, self.query(py, World::accelerations)?))
    }

    /// The mass matrix M of the equations of motion ``M a + h = effort``, (nv, nv).
    fn mass_matrix<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        let matrix = self.query(py, World::mass_matrix)?;
        Ok(table(py, matrix.as_slice().to_vec(), matrix.ncols()))
    }

    /// The bias forces h of the equations of motion [N or N m]: what it takes against gravity, centrifugal and Coriolis terms to keep the velocities. Springs, dampers, motors, actuators and contacts are none of it.
    fn bias_forces<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        Ok(control::array(py, self.query(py, World::bias_forces)?))
    }

    /// Efforts that all forces beside gravity must have together so that the joints accelerate by `a` [N or N m]; springs, dampers, motors and actuators are part of them. With `contacts` the forces of contacts now and those of :meth:`set_force` act as they do, and what is returned is the rest.
    #[pyo3(signature = (a, *, contacts = false))]
    fn inverse_dynamics<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'_, PyAny>,
        contacts: bool,
    ) -> PyResult<Array1<'py>> {
        let a = control::numbers("a", a)?;
        Ok(control::array(py, self.ask(py, |world| world.inverse_dynamics(&a, contacts))?))
    }

    /// The Jacobian of a point [m] of a frame (a body by name or number, or a site by name), (6, nv): velocity of the point [m/s], then angular velocity of the frame [rad/s], in world axes, by the velocities :attr:`v`. The point is given in the frame and is its origin where it is left out.
    #[pyo3(signature = (frame, point = None))]
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arg::point)] point: Option<Triple<'_>>,
    ) -> PyResult<Array2<'py>> {
        self.jacobian_of(py, frame, point.as_ref())
    }

    /// The rate of the Jacobian times the velocities, (6,): acceleration of the point [m/s²] and angular acceleration [rad/s²] without any acceleration of the joints.
    #[pyo3(signature = (frame, point = None))]
    fn jacobian_rate_times_v<'py>(
        &self,
        py: Python<'py>,
        frame: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arg::point)] point: Option<Triple<'_>>,
    ) -> PyResult<Array1<'py>> {
        self.jacobian_rate_of(py, frame, point.as_ref())
    }

    /// Pose of a frame: a body by name or number, or a site by name.
    fn frame_pose(&self, py: Python<'_>, frame: &Bound<'_, PyAny>) -> PyResult<PyPose> {
        self.frame_pose_of(py, frame)
    }

    /// Poses that the bodies would have at other positions `q`, (n, 7) in the order of :attr:`bodies`; nothing changes.
    fn forward_kinematics<'py>(&self, py: Python<'py>, q: &Bound<'_, PyAny>) -> PyResult<Array2<'py>> {
        self.kinematics(py, q)
    }

    /// Centre of mass of a body with all that hangs on it, or of all bodies [m].
    #[pyo3(signature = (body = None))]
    fn center_of_mass<'py>(&self, py: Python<'py>, body: Option<&Bound<'_, PyAny>>) -> PyResult<Array1<'py>> {
        self.center(py, body)
    }

    /// Momentum of a body with all that hangs on it, or of all bodies [kg m/s], and angular momentum about their centre of mass [kg m²/s].
    #[pyo3(signature = (body = None))]
    fn momentum_about_center<'py>(
        &self,
        py: Python<'py>,
        body: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Array1<'py>, Array1<'py>)> {
        self.momentum_of(py, body)
    }

    /// The force that a body has on another one by their contacts [N]; None is what is fixed in the world.
    fn contact_force<'py>(
        &self,
        py: Python<'py>,
        a: Option<&Bound<'_, PyAny>>,
        b: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Array1<'py>> {
        self.force_between(py, a, b)
    }

    /// Positions and velocities in the order and form of MJCF, ``(qpos, qvel)``: joints in the order of their files, quaternions w x y z, hinges and slides counted from their reference. Those of the world where they are left out.
    #[pyo3(signature = (q = None, v = None))]
    fn to_mujoco<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Bound<'_, PyAny>>,
        v: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let q = q.map(|q| control::numbers("q", q)).transpose()?;
        let v = v.map(|v| control::numbers("v", v)).transpose()?;
        let (q, v) = self.ask(py, |world| {
            let q = world.positions_to_mujoco(q.as_deref().unwrap_or(world.positions()))?;
            Ok((q, world.velocities_to_mujoco(v.as_deref().unwrap_or(world.velocities()))?))
        })?;
        Ok((control::array(py, q), control::array(py, v)))
    }

    /// Positions and velocities ``(q, v)`` of this world from those in the order and form of MJCF; nothing is set.
    #[pyo3(name = "from_mujoco")]
    fn of_mujoco<'py>(
        &self,
        py: Python<'py>,
        qpos: &Bound<'_, PyAny>,
        qvel: &Bound<'_, PyAny>,
    ) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let (q, v) = (control::numbers("qpos", qpos)?, control::numbers("qvel", qvel)?);
        let (q, v) =
            self.ask(py, |world| Ok((world.positions_from_mujoco(&q)?, world.velocities_from_mujoco(&v)?)))?;
        Ok((control::array(py, q), control::array(py, v)))
    }

    /// Sets the force at a body's origin [N] and the torque on it [N m], in world axes, from now on.
    #[pyo3(signature = (body, force, torque = None))]
    fn set_force(
        &self,
        py: Python<'_>,
        body: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arg::force)] force: Triple<'_>,
        #[pyo3(from_py_with = arg::torque)] torque: Option<Triple<'_>>,
    ) -> PyResult<()> {
        let mut inner = self.lock()?;
        let body = inner.names.find(body)?;
        let force = triple("force", &force)?;
        let torque = torque.map_or_else(|| Ok(zerogap::Vec3::zeros()), |torque| triple("torque", &torque))?;
        inner.started(py)?.set_force(body, force, torque).map_err(|e| refusal(&e))
    }

    /// Has a step end at a time [s], where something outside the world changes.
    fn schedule(&self, py: Python<'_>, #[pyo3(from_py_with = arg::t)] t: f64) -> PyResult<()> {
        self.lock()?.started(py)?.schedule(t).map_err(|e| refusal(&e))
    }

    /// Returns the whole state, to be restored with the same bits.
    fn save(&self, py: Python<'_>) -> PyResult<PySavedWorld> {
        self.lock()?.save(py)
    }

    /// Goes back, or forward again, to a state of this world, with the events up to it. The bytes of a state (:meth:`SavedWorld.to_bytes`) may be of any world that was made in the same way, also in another process.
    fn restore(&self, py: Python<'_>, saved: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(bytes) = saved.cast::<PyBytes>() {
            return self.lock()?.restore_bytes(py, bytes.as_bytes());
        }
        let Ok(saved) = saved.cast::<PySavedWorld>() else {
            let kind = saved.get_type().name()?;
            return Err(PyTypeError::new_err(format!("a SavedWorld or its bytes are restored, not {kind}")));
        };
        self.lock()?.restore(py, saved.get())
    }

    /// The time reached [s].
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        self.query(py, World::time)
    }

    /// Names of the bodies, in the order of their numbers, also of those that were removed.
    #[getter]
    fn names(&self) -> PyResult<Vec<String>> {
        Ok(self.lock()?.names.to_vec())
    }

    /// Poses of all bodies by number, (n, 7): x y z qx qy qz qw; rows of those that were removed are nan. A read-only array, as all that shows the state: a body starts elsewhere by :meth:`body`, :meth:`restore` restores a state.
    #[getter]
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        Ok(table(py, self.query(py, moving)?.0, 7))
    }

    /// Velocities of all bodies by number, (n, 6): of the origin [m/s], then angular [rad/s], both in world axes; rows of those that were removed are nan.
    #[getter]
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        Ok(table(py, self.query(py, moving)?.1, 6))
    }

    /// Positions of a body's joint: angles [rad] and shifts [m]; of a free body x y z qx qy qz qw.
    fn positions<'py>(&self, py: Python<'py>, body: &Bound<'_, PyAny>) -> PyResult<Array1<'py>> {
        let body = self.lock()?.names.find(body)?;
        let own = self.query(py, |world| world.positions()[world.tree().q_range(body)].to_vec())?;
        Ok(read_only(own.into_pyarray(py)))
    }

    /// Velocities of a body's joint [rad/s or m/s]; a free body's angular velocity is in its own axes here.
    fn rates<'py>(&self, py: Python<'py>, body: &Bound<'_, PyAny>) -> PyResult<Array1<'py>> {
        let body = self.lock()?.names.find(body)?;
        let own = self.query(py, |world| world.velocities()[world.tree().v_range(body)].to_vec())?;
        Ok(read_only(own.into_pyarray(py)))
    }

    /// Energies [J]: ``kinetic``, ``gravity``, ``springs`` (of joints) and ``total``; what contacts hold is not in them.
    #[getter]
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        run::energies(py, &self.query(py, World::energy)?)
    }

    /// Momentum [kg m/s] and angular momentum about the world's origin [kg m²/s].
    #[getter]
    fn momentum<'py>(&self, py: Python<'py>) -> PyResult<(Array1<'py>, Array1<'py>)> {
        let (linear, angular) = self.query(py, World::momentum)?;
        Ok((read_only(vector(py, linear)), read_only(vector(py, angular))))
    }

    /// How far each condition of the loops is from zero [m or rad].
    #[getter]
    fn loop_errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(read_only(self.query(py, World::loop_errors)?.into_pyarray(py)))
    }

    /// All contacts now, one row for each pair of shapes that touch: ``shapes`` (n, 2), ``bodies`` (n, 2) with -1 for the world, ``gap`` [m], ``normal`` from the first to the second, ``point`` (centre of pressure) [m], ``normal_force`` [N] and
    /// ``friction_force`` [N] on the second.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.query(py, |world| contact_arrays(py, world, world.contacts().iter()))?
    }

    /// The contact points: ``shapes`` (n, 2), ``bodies`` (n, 2) with -1 for the world, ``id`` (n,), the same from step to step, ``features``, such as ``("vertex 3", "face 5")``, ``gap`` [m], ``normal``, ``point`` [m] and ``force`` on
    /// the second [N]: those of the last step, with mean forces, or those of now where events are located. The forces of a pair's points add up to its force in :meth:`contacts`.
    fn contact_points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.query(py, |world| point_arrays(py, world, &world.contact_points().iter().collect::<Vec<_>>()))?
    }

    /// The smallest gap between two sides as they stand, whether or not they can touch: a :class:`Gap` with the names of the two shapes. A side is a body by name or number, a shape by its name, or None (or ``"world"``) for all that is fixed.
    ///
    /// >>> import zerogap as zg
    /// >>> world = zg.World()
    /// >>> floor = world.fixed(zg.halfspace((0, 0, 1), 0), name="floor")
    /// >>> ball = world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1.1)))
    /// >>> world.gap("floor", "ball").gap
    /// 1.0
    fn gap(&self, py: Python<'_>, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<PyGap> {
        let mut inner = self.lock()?;
        let [a, b] = inner.sides(py, [a, b])?;
        let world = inner.world(py)?;
        py_gap(world, world.gap(a, b))
    }

    /// The smallest gap between a side and all that it may touch, from the side outwards; None where there is nothing. What a joint connects and what is excluded from contact does not count.
    fn nearest(&self, py: Python<'_>, side: &Bound<'_, PyAny>) -> PyResult<Option<PyGap>> {
        let mut inner = self.lock()?;
        let [side] = inner.sides(py, [side])?;
        let world = inner.world(py)?;
        world.nearest(side).transpose().map(|found| py_gap(world, found)).transpose()
    }

    /// The gaps of all pairs of shapes that may touch and are no farther apart than `within` [m], by pair: ``shapes`` (n, 2), ``bodies`` (n, 2) with -1 for the world, ``gap``, ``lower`` and ``upper`` [m], ``normal`` from the first to the second, ``point_a`` and ``point_b`` [m].
    fn gaps<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::within)] within: f64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let found = self.query(py, |world| world.gaps(within))?.map_err(|error| refusal(&error))?;
        self.query(py, |world| gap_arrays(py, world, &found))?
    }

    /// What was done about shapes that overlapped at the start (the setting `overlaps`): the bodies that were ``moved`` apart, as (name, distance [m], angle [rad]), and the pairs that are ``excluded`` from contact, as (name, name, overlap [m]).
    #[getter]
    fn start_overlaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (moved, excluded) = self.query(py, |world| {
            let done = world.start_overlaps();
            let name = |body: BodyId| world.names()[body.index()].clone();
            let moved: Vec<_> =
                done.moved.iter().map(|one| (name(one.body), one.distance, one.angle)).collect();
            let shape = |shape| world.shape_name(shape);
            let excluded = done.excluded.iter().map(|(pair, depth)| (shape(pair.a), shape(pair.b), *depth));
            (moved, excluded.collect::<Vec<_>>())
        })?;
        let done = PyDict::new(py);
        done.set_item("moved", moved)?;
        done.set_item("excluded", excluded)?;
        Ok(done)
    }

    /// The bodies that were moved to close loops when the world was built, as (name, distance [m], angle [rad]); by more than 1e-3 only with ``assemble=True``.
    #[getter]
    fn assembly(&self, py: Python<'_>) -> PyResult<Vec<(String, f64, f64)>> {
        self.query(py, |world| {
            let name = |body: BodyId| world.names()[body.index()].clone();
            world.assembly().iter().map(|one| (name(one.body), one.distance, one.angle)).collect()
        })
    }

    /// Returns all events so far, in order.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<PyEvent>> {
        self.query(py, |world| world.events().iter().map(|event| PyEvent::new(world, event)).collect())
    }

    /// What was done so far and what that cost: ``method``, ``steps``, ``rejected``, ``redone``, ``events``, ``evaluations``, ``functions``, ``gaps``, ``start_gaps``, ``wall`` [s] and ``time_fractions`` of it by stage.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        run::info(py, &self.query(py, World::info)?)
    }

    /// Returns a hash of the state: same bits, same hash.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.query(py, World::hash)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, KeptWorld<'py>>> {
        Ok((maker(py, "_world")?, self.lock()?.kept(py)?))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let Ok(mut inner) = self.lock() else { return "<zerogap.World, running>".to_owned() };
        let bodies = inner.names.count();
        let word = if bodies == 1 { "body" } else { "bodies" };
        match inner.world(py) {
            Ok(world) => {
                format!("<zerogap.World of {bodies} {word} at t = {} s>", shown_number(world.time()))
            }
            Err(error) => {
                format!("<zerogap.World of {bodies} {word} that cannot start: {}>", error.value(py))
            }
        }
    }
}

/// Makes a world again.
#[pyfunction]
pub(crate) fn _world(
    py: Python<'_>,
    builder: &[u8],
    functions: Vec<Watched>,
    forces: Vec<Forced>,
    state: Option<(Vec<u8>, Vec<u8>)>,
    origin: (String, String),
    number: u64,
) -> PyResult<PyWorld> {
    let inner = Inner::of_kept(py, builder, (functions, forces), state, origin, number)?;
    Ok(PyWorld { inner: Mutex::new(inner) })
}

impl PyWorld {
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.inner.try_lock().map_err(|_| {
            PyRuntimeError::new_err("the world is running: it can be asked when the run has ended")
        })
    }

    /// Evaluates a query on the current world, or on a trial build where the run has not started.
    fn query<T>(&self, py: Python<'_>, query: impl FnOnce(&World) -> T) -> PyResult<T> {
        Ok(query(self.lock()?.world(py)?))
    }
}
