//! `zg.view`: a page in the browser that shows a world as it runs.

use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap_viewer::server::open_in_browser;
use zerogap_viewer::{Access, Passive, Show, Viewer};

use super::PyWorld;
use super::scene::{PyScene, load};

/// How often a page that waits is looked at.
const PAUSE: Duration = Duration::from_millis(20);

/// A page that shows a world which a program steps: :func:`view` makes one.
#[pyclass(name = "View", module = "zerogap", frozen)]
pub(crate) struct PyView {
    world: Py<PyWorld>,
    /// None where it is closed.
    page: Mutex<Option<Passive>>,
    /// Address of the page, with the token that it needs.
    #[pyo3(get)]
    url: String,
}

#[pymethods]
impl PyView {
    /// Whether the page is served: until :meth:`close`, or until the last browser that showed it has been closed for some seconds.
    #[getter]
    fn running(&self) -> bool {
        self.with(|page| Ok(page.viewer().is_running() && !page.viewer().is_left())).unwrap_or(false)
    }

    /// Shows the world as it is, and sets the force with which the hand on the page pulls for the step that follows. Waits while the page has paused time.
    ///
    /// Pictures are made at most 60 times a second: in between a call costs microseconds.
    fn sync(&self, py: Python<'_>) -> PyResult<()> {
        self.in_world(py, Passive::sync)?;
        while self.running() && self.with(|page| Ok(page.is_paused()))? {
            py.detach(|| sleep(PAUSE));
            py.check_signals()?;
            self.in_world(py, Passive::wait)?;
        }
        Ok(())
    }

    /// Ends the server, and takes the hand off the world.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let Some(mut page) = self.page.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Ok(());
        };
        let mut inner = self.world.bind(py).get().lock()?;
        let released = page.release(inner.started(py)?);
        // Its threads end without the interpreter.
        py.detach(|| drop(page));
        released.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        // The token is not for logs.
        let address = self.url.split('#').next().unwrap_or_default();
        format!("<zerogap.View at {address}{}>", if self.running() { "" } else { ", closed" })
    }
}

impl PyView {
    fn with<T>(&self, look: impl FnOnce(&mut Passive) -> PyResult<T>) -> PyResult<T> {
        let mut page = self.page.lock().unwrap_or_else(PoisonError::into_inner);
        match page.as_mut() {
            Some(page) => look(page),
            None => Err(PyRuntimeError::new_err("the view is closed")),
        }
    }

    fn in_world(
        &self,
        py: Python<'_>,
        act: impl FnOnce(
            &mut Passive,
            &mut zerogap::world::World,
        ) -> Result<(), zerogap_viewer::session::SessionError>,
    ) -> PyResult<()> {
        let mut inner = self.world.bind(py).get().lock()?;
        let world = inner.started(py)?;
        self.with(|page| act(page, world).map_err(|error| PyRuntimeError::new_err(error.to_string())))
    }
}

/// Shows a world, or a scene, on a page in the browser, where bodies can be pulled, turned and carried with the mouse.
///
/// For a world, which the program steps itself, returns a `View` to be called with every step:
///
///     with zg.view(world) as view:
///         while view.running:
///             world.step()
///             view.sync()
///
/// A scene, or its name or file, runs by itself at the pace of the clock; the call returns when its page has been closed, or with Ctrl-C. Recordings that the page asks for are written to the folder ``runs``.
///
/// The address is printed, and opened in a browser where there is one, unless `browser` is false. It is served on this machine alone, at `port` or a free one (0).
///
/// >>> import zerogap as zg
/// >>> world = zg.World(gravity=(0, 0, 0))
/// >>> ball = world.body("ball", zg.sphere(0.1))
/// >>> with zg.view(world, browser=False) as view:  # doctest: +ELLIPSIS
/// ...     for _ in range(10):
/// ...         _ = world.step()
/// ...         view.sync()
/// http://127.0.0.1:...
/// >>> view.running
/// False
#[expect(clippy::doc_markdown, reason = "the output of a doctest of Python")]
#[pyfunction]
#[pyo3(signature = (world, *, port = 0, browser = true))]
pub(crate) fn view(
    py: Python<'_>,
    world: &Bound<'_, PyAny>,
    port: u16,
    browser: bool,
) -> PyResult<Option<PyView>> {
    let access = Access { port, ..Access::default() };
    if let Ok(world) = world.cast::<PyWorld>() {
        let page = {
            let mut inner = world.get().lock()?;
            let name = inner.origin.scene.clone();
            Passive::start(&name, inner.started(py)?, access)
                .map_err(|e| PyValueError::new_err(e.to_string()))?
        };
        let url = page.viewer().url();
        announce(py, &url, browser)?;
        return Ok(Some(PyView { world: world.clone().unbind(), page: Mutex::new(Some(page)), url }));
    }
    let named = match world.extract::<std::path::PathBuf>() {
        Ok(path) => Some(Bound::new(py, load(py, path, None, None, false, false, None, None)?)?),
        Err(_) => None,
    };
    let scene = named.as_ref().map_or(world, |scene| scene.as_any());
    let Ok(scene) = scene.cast::<PyScene>() else {
        let kind = scene.get_type().name()?;
        return Err(PyTypeError::new_err(format!("a world or a scene can be shown, not {kind}")));
    };
    let scene = &scene.get().scene;
    if scene.landing.is_some() {
        return Err(PyValueError::new_err("a landing has no bodies that can be held: simulate it"));
    }
    let show = Show {
        first: Some((scene.name.clone(), scene.builder.clone())),
        speed: 1.0,
        is_paused: false,
        out: "runs".into(),
        scenes: Vec::new(),
        open: Box::new(|_| Err("there are no other scenes here".to_owned())),
    };
    let viewer =
        py.detach(|| Viewer::start(show, access)).map_err(|e| PyValueError::new_err(e.to_string()))?;
    announce(py, &viewer.url(), browser)?;
    while viewer.is_running() && !viewer.is_left() {
        py.detach(|| sleep(PAUSE));
        py.check_signals()?;
    }
    py.detach(|| drop(viewer));
    Ok(None)
}

/// Prints the address, and opens it.
fn announce(py: Python<'_>, url: &str, browser: bool) -> PyResult<()> {
    py.import("builtins")?.call_method1("print", (url,))?;
    if browser {
        // Without a browser the address is there to be opened.
        let _ = open_in_browser(url);
    }
    Ok(())
}
