//! Scenes: from a file, or built in, to a world.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use pyo3::exceptions::{PyFileNotFoundError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use zerogap::scene::{
    Base, Places, RobotOptions, Scene, SceneError, built_in, descriptions, find_built_in, nearest_built_in,
};
use zerogap::settings::{Source, read_broad_phase, read_level, read_method, read_overlaps};
use zerogap::world::{Effort, WorldBuilder};

use super::PyWorld;
use super::hold::{Inner, SceneOrigin};
use crate::arrays::shown_number;
use crate::pickle::{Reduced, maker, world_refused};
use crate::settings::Keywords;
use crate::user::answer;

/// A scene, ready to run: :func:`load` reads one, :func:`simulate` runs it.
#[pyclass(name = "Scene", module = "zerogap", frozen)]
pub(crate) struct PyScene {
    pub(crate) scene: Scene,
}

#[pymethods]
impl PyScene {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.scene.name
    }

    /// What it shows, in a line.
    #[getter]
    fn description(&self) -> &str {
        &self.scene.description
    }

    /// The text that it was read from.
    #[getter]
    fn source(&self) -> &str {
        &self.scene.source
    }

    /// Time to run to [s].
    #[getter]
    fn until(&self) -> f64 {
        self.scene.until
    }

    /// Time between frames [s].
    #[getter]
    fn every(&self) -> f64 {
        self.scene.every
    }

    /// What in the files was not taken up, a sentence each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.scene.warnings.clone()
    }

    /// A new world of the scene, at time zero; more can be added to it before its first step.
    pub(crate) fn world(&self, py: Python<'_>) -> PyResult<PyWorld> {
        self.world_by(py, &Keywords::new("simulate", None)?)
    }

    fn __repr__(&self) -> String {
        format!("<zerogap.Scene {} to t = {} s>", self.scene.name, shown_number(self.scene.until))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Bound<'py, PyTuple>>> {
        let Scene { name, description, source, builder, landing, until, every, effort, warnings, .. } =
            &self.scene;
        if landing.is_some() {
            // A landing is all in its text; a file that it names is read again.
            let folder = self.scene.folder();
            let is_here = folder.as_os_str().is_empty();
            let folder = if is_here { folder.to_owned() } else { std::path::absolute(folder)? };
            return Ok((maker(py, "_landing")?, (source, name, folder).into_pyobject(py)?));
        }
        let builder = PyBytes::new(py, &builder.to_bytes().map_err(|e| world_refused(&e))?);
        let times = (*until, *every, effort.max_wall, effort.max_events);
        let kept = (builder, (name, description, source), times, warnings);
        Ok((maker(py, "_scene")?, kept.into_pyobject(py)?))
    }
}

/// Makes a landing again.
#[pyfunction]
pub(crate) fn _landing(py: Python<'_>, source: &str, name: &str, folder: PathBuf) -> PyResult<PyScene> {
    read(py, || Scene::parse(source, name, &folder))
}

/// Makes a scene again, whatever became of the files that it was read from.
#[pyfunction]
pub(crate) fn _scene(
    py: Python<'_>,
    builder: &[u8],
    words: (String, String, String),
    times: (f64, f64, Option<f64>, Option<usize>),
    warnings: Vec<String>,
) -> PyResult<PyScene> {
    let builder = answer(py, || WorldBuilder::from_bytes(builder))?.map_err(|e| world_refused(&e))?;
    let ((name, description, source), (until, every, max_wall, max_events)) = (words, times);
    let effort = Effort::new(max_wall, max_events);
    // Places in the file are for errors that a scene which was read once does not have.
    let places = Places::default();
    // What robots are made of is read by tests of their files alone.
    let (landing, robots) = (None, Vec::new());
    let scene =
        Scene { name, description, source, builder, landing, until, every, effort, places, warnings, robots };
    Ok(PyScene { scene })
}

impl PyScene {
    /// Returns a new world with a method of the caller's choice.
    pub(crate) fn world_by(&self, py: Python<'_>, settings: &Keywords<'_, '_>) -> PyResult<PyWorld> {
        if self.scene.landing.is_some() {
            let name = &self.scene.name;
            return Err(PyValueError::new_err(format!(
                "{name} is a landing, which has no world of bodies: run it by zg.simulate(scene)"
            )));
        }
        let mut builder = self.scene.builder.clone();
        let method = read_method(settings, &builder.params().method)?;
        builder.set_method(method);
        builder.set_overlaps(read_overlaps(settings, builder.overlaps())?);
        builder.set_level(read_level(settings, builder.level())?);
        builder.set_broad_phase(read_broad_phase(settings, builder.broad_phase())?);
        if let Some(text) = settings.word("method")?.and_then(|method| self.scene.unused_warning(method)) {
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text).unwrap_or_default(), 1)?;
        }
        let built = answer(py, || builder.clone().build())?;
        let world = built.map_err(|error| refused(&self.scene.places.explain(&error)))?;
        let origin = SceneOrigin { scene: self.scene.name.clone(), source: self.scene.source.clone() };
        Ok(PyWorld { inner: Mutex::new(Inner::built(builder, world, origin)) })
    }
}

/// Reads a scene: a file (.toml, .urdf, or .xml in MJCF), or one that is built in, by name (:func:`scenes`).
///
/// `base` says what the root of a URDF is, ``"fixed"`` or ``"free"``, and is only for URDF. `packages` are folders by name for ``package://`` in a URDF, `repair` mends its links with masses, inertias or sizes that cannot be, `leave_out` leaves out physics that is not modelled here (what
/// was mended or left out is in the warnings of the scene), `keyframe` is that of an MJCF model to start from, and `ignore_overlaps` ``"start"`` disables contact of pairs of its shapes that overlap at the start; a scene file says all of these in ``[robot]``. Raises ``ValueError`` with the line that is wrong and what to write, or an ``OSError`` where the file
/// cannot be opened.
///
/// >>> import zerogap as zg
/// >>> scene = zg.load("bouncing-ball")
/// >>> scene
/// <zerogap.Scene bouncing-ball to t = 10 s>
/// >>> scene.description
/// 'A steel ball falls on a steel floor, bounces ever less and comes to rest.'
/// >>> zg.simulate(scene, until=2.0)
/// <zerogap.Run of 1 body: 101 frames to t = 2 s>
#[pyfunction]
#[pyo3(signature = (path, base = None, *, packages = None, repair = false, leave_out = false, keyframe = None, ignore_overlaps = None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    base: Option<&str>,
    packages: Option<BTreeMap<String, PathBuf>>,
    repair: bool,
    leave_out: bool,
    keyframe: Option<String>,
    ignore_overlaps: Option<&str>,
) -> PyResult<PyScene> {
    let base = match base {
        None => None,
        Some("fixed") => Some(Base::Fixed),
        Some("free") => Some(Base::Free),
        Some(other) => {
            return Err(PyValueError::new_err(format!("base is \"{other}\": it must be fixed or free")));
        }
    };
    if let Some((name, text)) = find_built_in(&path) {
        if base.is_some() {
            return Err(PyValueError::new_err("base is for URDF files: a scene file sets its own base"));
        }
        return read(py, || Scene::parse(text, name, Path::new("")));
    }
    if !path.exists() {
        let name = path.to_string_lossy();
        let names: Vec<&str> = built_in().iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        let meant =
            nearest_built_in(&name).map_or(String::new(), |meant| format!(": did you mean '{meant}'?"));
        return Err(PyFileNotFoundError::new_err(format!(
            "there is no file {name}, and no such scene is built in{meant}; those are: {names}"
        )));
    }
    let packages = packages.unwrap_or_default().into_iter().collect();
    if let Some(other) = ignore_overlaps.filter(|word| *word != "start") {
        return Err(PyValueError::new_err(format!("ignore_overlaps is \"{other}\": it must be start")));
    }
    let ignore_overlaps = ignore_overlaps.is_some();
    let options = RobotOptions {
        base,
        packages,
        repair,
        leave_out,
        keyframe,
        ignore_overlaps,
        ..RobotOptions::default()
    };
    read(py, || Scene::read_with(&path, &options))
}

/// Name of every built-in scene and what it shows.
///
/// >>> import zerogap as zg
/// >>> dict(zg.scenes())["four-bar"] == zg.load("four-bar").description
/// True
#[pyfunction]
pub(crate) fn scenes() -> Vec<(&'static str, String)> {
    descriptions()
}

fn read(py: Python<'_>, read: impl FnOnce() -> Result<Scene, SceneError> + Send) -> PyResult<PyScene> {
    let scene = py.detach(read).map_err(|error| refused(&error))?;
    Ok(PyScene { scene })
}

/// What is wrong, as people see it.
fn refused(error: &SceneError) -> PyErr {
    PyValueError::new_err(error.report().trim_end().to_owned())
}
