//! Recordings: what a run left behind, in memory or in a file.

use std::io;
use std::path::{Path, PathBuf};

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use zerogap::core::files;
use zerogap::picture::{Plot, glb, plot_png, plot_svg, replay_html};
use zerogap::record::{RecordError, Recording, RecordingWriter};
use zerogap::world::{ContactPoint, ShapeId};

use super::bodies::{find_body, frames, rows_of};
use super::event::PyEvent;
use super::hold::{contact_arrays, point_arrays};
use super::known::Known;
use super::run::{ENERGIES, PyTrack, info};
use crate::arrays::{read_only, shown_number};
use crate::pickle::{Reduced, maker};

/// Name of the recording in the folder of a run.
const FILE: &str = "recording.zgr";

/// Where everything was during a run, at even times: read from a file, or a :class:`Run` that was just made. Its arrays are read-only.
///
/// >>> import tempfile, zerogap as zg
/// >>> run = zg.simulate(zg.load("bouncing-ball"), until=1.0)
/// >>> folder = tempfile.TemporaryDirectory()
/// >>> run.save(folder.name)
/// >>> recording = zg.Recording(folder.name)
/// >>> recording
/// <zerogap.Recording of bouncing-ball, 1 body: 51 frames to t = 1 s>
/// >>> recording.hash == run.hash and bool((recording.poses == run.poses).all())
/// True
/// >>> folder.cleanup()
#[pyclass(name = "Recording", module = "zerogap", frozen, subclass)]
pub(crate) struct PyRecording {
    recording: Recording,
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
    /// All contacts of all frames, as reported by :meth:`World.contacts`, with the number of the frame: ``frame`` (n,).
    #[pyo3(get)]
    contacts: Py<PyDict>,
    /// All contact points of all frames, as reported by :meth:`World.contact_points`, with the number of the frame: ``frame`` (n,). The forces of a pair's points add up to its force in `contacts`. By
    /// steps, a frame has the points that pushed. Files of format version 1 have none.
    #[pyo3(get)]
    points: Py<PyDict>,
    /// All events, in order. Joints are not in files: events of limits that were read from one have the number of the limit alone.
    #[pyo3(get)]
    events: Py<PyList>,
    /// What the run did and what that cost; empty where it was cut off.
    #[pyo3(get)]
    info: Py<PyDict>,
}

impl PyRecording {
    /// A recording with its arrays; `known` has the names.
    pub(crate) fn new(py: Python<'_>, recording: Recording, known: &impl Known) -> PyResult<Self> {
        let events: Vec<PyEvent> = recording.events.iter().map(|event| PyEvent::new(known, event)).collect();
        let events = PyList::new(py, events)?.unbind();
        Self::with_events(py, recording, known, events)
    }

    /// The same with the events as they were reported, which may know more than a recording holds.
    pub(crate) fn with_events(
        py: Python<'_>,
        recording: Recording,
        known: &impl Known,
        events: Py<PyList>,
    ) -> PyResult<Self> {
        let taken = &recording.frames;
        let (count, bodies) = (taken.len(), recording.head.bodies.len());
        let (poses, velocities) = rows_of(taken.iter().flat_map(|frame| {
            let motion = frame.velocities.iter().zip(&frame.angular_velocities);
            frame.poses.iter().zip(motion).map(|(pose, (v, w))| (*pose, *v, *w))
        }));
        let energy = PyDict::new(py);
        for (name, of) in ENERGIES {
            let values: Vec<f64> = taken.iter().map(|frame| of(&frame.energy)).collect();
            energy.set_item(name, read_only(values.into_pyarray(py)))?;
        }
        let of_frames =
            taken.iter().enumerate().flat_map(|(k, frame)| frame.contacts.iter().map(move |c| (k, c)));
        let numbers: Vec<usize> = of_frames.clone().map(|(k, _)| k).collect();
        let contacts = contact_arrays(py, known, of_frames.map(|(_, contact)| contact))?;
        contacts.set_item("frame", read_only(numbers.into_pyarray(py)))?;
        let (numbers, contact_points): (Vec<usize>, Vec<&ContactPoint>) = taken
            .iter()
            .enumerate()
            .flat_map(|(k, frame)| frame.points.iter().map(move |contact| (k, contact)))
            .unzip();
        let points = point_arrays(py, known, &contact_points)?;
        points.set_item("frame", read_only(numbers.into_pyarray(py)))?;
        let t: Vec<f64> = taken.iter().map(|frame| frame.t).collect();
        let info = match &recording.end {
            Some(end) => info(py, &end.info)?,
            None => PyDict::new(py),
        };
        Ok(Self {
            t: read_only(t.into_pyarray(py)).unbind(),
            poses: frames(py, poses, (count, bodies, 7)).unbind(),
            velocities: frames(py, velocities, (count, bodies, 6)).unbind(),
            energy: energy.unbind(),
            contacts: contacts.unbind(),
            points: points.unbind(),
            events,
            info: info.unbind(),
            recording,
        })
    }

    /// So many frames, to such a time.
    fn length(&self) -> String {
        let count = self.recording.frames.len();
        let frames = if count == 1 { "frame" } else { "frames" };
        let last = self.recording.frames.last().map_or(0.0, |frame| frame.t);
        let end = self.recording.end.as_ref().map_or(last, |end| end.t);
        format!("{count} {frames} to t = {} s", shown_number(end))
    }

    /// So many bodies.
    fn cast(&self) -> String {
        let count = self.recording.head.bodies.len();
        format!("{count} {}", if count == 1 { "body" } else { "bodies" })
    }

    /// What a run is in a line.
    pub(crate) fn line(&self) -> String {
        format!("{}: {}", self.cast(), self.length())
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.recording.head.bodies
    }
}

#[pymethods]
impl PyRecording {
    /// Reads a recording: a ``recording.zgr``, or the folder of a run that holds one.
    ///
    /// A run that was killed, or that is still writing, is read as far as it got: see :attr:`is_whole`. Raises ``ValueError`` with the place in the file where it is damaged.
    #[new]
    fn read(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = in_folder(&path);
        let recording = py.detach(|| Recording::open(&file)).map_err(|error| refused(&error))?;
        let head = recording.head.clone();
        Self::new(py, recording, &head)
    }

    /// Name of the scene.
    #[getter]
    fn scene(&self) -> &str {
        &self.recording.head.scene
    }

    /// The text that the scene was read from; empty where there was none.
    #[getter]
    fn source(&self) -> &str {
        &self.recording.head.source
    }

    /// Names of the bodies.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        self.names().to_vec()
    }

    /// Names of the shapes, by number: their own, those of their bodies, or ``fixed shape 3``.
    #[getter]
    fn shapes(&self) -> Vec<String> {
        let head = &self.recording.head;
        (0..head.shapes.len()).map(|shape| head.shape_name(ShapeId(shape as u32))).collect()
    }

    /// Time between frames [s].
    #[getter]
    fn every(&self) -> f64 {
        self.recording.head.every
    }

    /// The hash of the final state, equal for runs that are the same bit for bit; None where the run was cut off.
    #[getter]
    fn hash(&self) -> Option<u64> {
        self.recording.end.as_ref().map(|end| end.hash)
    }

    /// Why the run ended early; empty where it did not, or was cut off.
    #[getter]
    fn reason(&self) -> &str {
        self.recording.end.as_ref().map_or("", |end| &end.reason)
    }

    /// Whether the run was recorded to its end; False where it was killed, or still runs.
    #[getter]
    fn is_whole(&self) -> bool {
        self.recording.end.is_some()
    }

    /// One body, by name or number.
    fn __getitem__(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<PyTrack> {
        let body = find_body(self.names(), body)
            .map_err(|error| PyKeyError::new_err(error.value(py).to_string()))?;
        let of = |array: &Py<PyArray3<f64>>| -> Py<PyArray2<f64>> {
            let array = array.bind(py).readonly();
            let own = array.as_array().slice(numpy::ndarray::s![.., body.index(), ..]).to_owned();
            read_only(own.into_pyarray(py)).unbind()
        };
        Ok(PyTrack {
            name: self.names()[body.index()].clone(),
            t: self.t.clone_ref(py),
            poses: of(&self.poses),
            velocities: of(&self.velocities),
        })
    }

    /// How many frames there are.
    fn __len__(&self) -> usize {
        self.recording.frames.len()
    }

    /// Draws curves over time into a .png or .svg file: ``"energy"``, ``"gaps"``, ``"forces"``, ``"touching"`` (which pairs are in contact), ``"steps"``, or the most used ones as ``"overview"``.
    #[pyo3(signature = (path, what = "overview"))]
    fn plot(&self, py: Python<'_>, path: PathBuf, what: &str) -> PyResult<()> {
        let Some(plot) = Plot::ALL.into_iter().find(|plot| plot.name() == what) else {
            let known = Plot::ALL.map(Plot::name).join(", ");
            return Err(PyValueError::new_err(format!("what is \"{what}\": it must be one of {known}")));
        };
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let recording = &self.recording;
        let drawn = match ending.as_deref() {
            Some("png") => py.detach(|| plot_png(recording, plot, plot.size())),
            Some("svg") => py.detach(|| plot_svg(recording, plot, plot.size()).map(String::into_bytes)),
            _ => {
                let message = format!("a plot is a .png or .svg file, not {}", path.display());
                return Err(PyValueError::new_err(message));
            }
        };
        write(&path, &drawn.map_err(|error| PyValueError::new_err(error.to_string()))?)
    }

    /// Writes a page that shows the run in any browser, in 3D and without a network.
    fn to_html(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        write(&path, py.detach(|| replay_html(&self.recording)).as_bytes())
    }

    /// The replay page in a frame, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> String {
        py.detach(|| framed(&self.recording))
    }

    /// Writes an animated binary glTF, for Blender and others.
    fn to_glb(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        write(&path, &py.detach(|| glb(&self.recording)))
    }

    /// Writes ``bodies.csv``, ``contacts.csv``, ``points.csv``, ``events.csv``, ``energy.csv`` and ``shapes.csv`` into a folder and returns their paths.
    fn to_csv(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<PathBuf>> {
        py.detach(|| self.recording.write_csv(&folder)).map_err(|error| refused(&error))
    }

    /// Writes all arrays into one file for ``numpy.load``.
    fn to_npz(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.recording.write_npz(&path)).map_err(|error| refused(&error))
    }

    /// Writes the recording to a file, or as ``recording.zgr`` into a folder that exists; :func:`open` reads it back with the same bits.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let file = in_folder(&path);
        py.detach(|| save(&self.recording, &file)).map_err(|error| refused(&error))
    }

    fn __repr__(&self) -> String {
        let cut = if self.is_whole() { "" } else { ", cut off" };
        format!("<zerogap.Recording of {}, {}{cut}>", self.scene(), self.line())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Kept<'py>>> {
        Ok((maker(py, "_recording")?, self.kept(py)?))
    }
}

/// The bytes of a recording, and its events as they were reported.
pub(crate) type Kept<'py> = (Bound<'py, PyBytes>, Py<PyList>);

impl PyRecording {
    /// What a copy is made of.
    pub(crate) fn kept<'py>(&self, py: Python<'py>) -> PyResult<Kept<'py>> {
        let bytes = py.detach(|| self.recording.to_bytes());
        let bytes = bytes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok((PyBytes::new(py, &bytes), self.events.clone_ref(py)))
    }

    /// A copy of what was kept.
    pub(crate) fn of_kept(py: Python<'_>, bytes: &[u8], events: Py<PyList>) -> PyResult<Self> {
        let recording = py.detach(|| Recording::from_bytes(bytes));
        let recording = recording.map_err(|flaw| PyValueError::new_err(flaw.to_string()))?;
        let head = recording.head.clone();
        Self::with_events(py, recording, &head, events)
    }
}

/// Makes a recording again.
#[pyfunction]
pub(crate) fn _recording(py: Python<'_>, bytes: &[u8], events: Py<PyList>) -> PyResult<PyRecording> {
    PyRecording::of_kept(py, bytes, events)
}

/// Reads a recording: a ``recording.zgr``, or the folder of a run that holds one.
///
/// The same as :class:`Recording`, which has more.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<PyRecording> {
    PyRecording::read(py, path)
}

/// The file that a path means.
fn in_folder(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(FILE) } else { path.to_owned() }
}

fn save(recording: &Recording, file: &Path) -> Result<(), RecordError> {
    let mut writer = RecordingWriter::create(file, &recording.head)?;
    for frame in &recording.frames {
        writer.frame(frame)?;
    }
    writer.events(&recording.events)?;
    match &recording.end {
        Some(end) => writer.finish(end),
        None => writer.flush(),
    }
}

fn write(path: &Path, bytes: &[u8]) -> PyResult<()> {
    files::replace(path, bytes).map_err(|error| {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display())).into()
    })
}

/// Files that cannot be opened are an `OSError`, whatever is wrong in them a `ValueError`.
fn refused(error: &RecordError) -> PyErr {
    match error {
        RecordError::Io { source, .. } => io::Error::new(source.kind(), error.to_string()).into(),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// The replay page of a recording as an element of another page; it needs nothing else, and its scripts see nothing of the other page.
pub(super) fn framed(recording: &Recording) -> String {
    let page = replay_html(recording).replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe sandbox=\"allow-scripts allow-downloads\" style=\"width: 100%; height: 640px; border: 0\" srcdoc=\"{page}\"></iframe>"
    )
}
