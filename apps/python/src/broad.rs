//! Boxes that move, and which of them overlap.

use std::sync::{Mutex, MutexGuard};

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use zerogap::pairs::{self, overlapping_pairs};
use zerogap::proximity::broad;
use zerogap::{Aabb, BoxId, BoxPair, BroadError, BroadParams, BroadPhase, Filter, NearBox, Vec3};

use crate::arrays::{Array1, Rows, Triple, triple, vector, vectors, whole_list};
use crate::body::given;
use crate::error::geometry;
use crate::mesh::PyMesh;
use crate::pose::pose_of;
use crate::quantity::arg;

/// Pairs or names as whole numbers.
type Names<'py> = Bound<'py, PyArray1<i64>>;
type Pairs<'py> = Bound<'py, PyArray2<i64>>;

/// Bodies from here on are those of boxes that were put in without one [-].
const FIRST_OWN: u32 = 1 << 31;

/// The pairs of boxes that share a point, touching included: an array of shape (n, 2), the smaller index first, sorted.
///
/// `aabb_min` and `aabb_max` have shape (n, 3). Boxes that are no farther apart than `margin` [m] on every axis are pairs too. `method` is auto, grid, sweep or tree: all give
/// the same pairs.
///
/// >>> import zerogap as zg
/// >>> zg.pairs([[0, 0, 0], [1, 0, 0], [5, 0, 0]], [[1, 1, 1], [2, 1, 1], [6, 1, 1]])
/// array([[0, 1]])
#[pyfunction]
#[pyo3(name = "pairs", signature = (aabb_min, aabb_max, margin = 0.0, method = "auto"))]
pub(crate) fn find_pairs<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arg::aabb_min)] aabb_min: Rows<'py>,
    #[pyo3(from_py_with = arg::aabb_max)] aabb_max: Rows<'py>,
    #[pyo3(from_py_with = arg::margin)] margin: f64,
    method: &str,
) -> PyResult<Pairs<'py>> {
    let params = params(margin, method)?;
    let boxes = many_boxes(["aabb_min", "aabb_max"], &aabb_min, &aabb_max)?;
    let found = py.detach(|| overlapping_pairs(&boxes, params)).map_err(|e| refusal(&e))?;
    Ok(pair_rows(py, &found))
}

/// Boxes that move, and which of them overlap: put boxes in, move them, and ask for the pairs.
///
/// Boxes that are no farther apart than `margin` [m] on every axis are pairs. `method` is auto, grid, sweep or tree: all give the same pairs in the same order.
///
/// `body` is the body of a box, a number from 0 to 2**31 - 1: boxes of one body never pair. A box without one is a body of its own; its number, from 2**31 on and never given twice, is returned by
/// :meth:`body`. `groups` are the groups a box is in and `mask` those it pairs with, one bit each, 32 in all. Boxes that are `fixed` do not pair with each other.
///
/// >>> import zerogap as zg
/// >>> phase = zg.BroadPhase()
/// >>> a, b = phase.insert((0, 0, 0), (1, 1, 1)), phase.insert((3, 0, 0), (4, 1, 1))
/// >>> len(phase.update())
/// 0
/// >>> phase.set(b, (0.5, 0, 0), (1.5, 1, 1))
/// >>> phase.update()
/// array([[0, 1]])
/// >>> phase
/// <BroadPhase of 2 boxes, 1 pair>
#[pyclass(name = "BroadPhase", module = "zerogap", frozen)]
pub(crate) struct PyBroadPhase {
    /// One question at a time: Python is released while pairs are found.
    inner: Mutex<Inner>,
}

struct Inner {
    phase: BroadPhase,
    /// What each name stands for; none for those that are free.
    kinds: Vec<Option<Kind>>,
    /// The number that the next box without a body gets.
    next_own: u32,
}

/// What a name stands for.
#[derive(Clone, Copy)]
struct Kind {
    body: u32,
    is_plane: bool,
}

#[pymethods]
impl PyBroadPhase {
    #[new]
    #[pyo3(signature = (margin = 0.0, method = "auto"))]
    fn new(#[pyo3(from_py_with = arg::margin)] margin: f64, method: &str) -> PyResult<Self> {
        let phase = BroadPhase::new(params(margin, method)?);
        Ok(Self { inner: Mutex::new(Inner { phase, kinds: Vec::new(), next_own: FIRST_OWN }) })
    }

    /// Puts in a box, which may be flat or a point, and gives its id: 0, 1, 2, ...; ids of boxes that were removed are given again after the next update.
    #[pyo3(signature = (min, max, body = None, groups = 4_294_967_295, mask = 4_294_967_295, fixed = false))]
    fn insert(
        &self,
        #[pyo3(from_py_with = arg::min)] min: Triple<'_>,
        #[pyo3(from_py_with = arg::max)] max: Triple<'_>,
        body: Option<u32>,
        groups: u32,
        mask: u32,
        fixed: bool,
    ) -> PyResult<u32> {
        let bounds = one_box(&min, &max)?;
        self.lock()?.insert(bounds, Given { body, groups, mask, fixed })
    }

    /// Puts in many boxes, of shape (n, 3), and gives their ids. `body` is a number for all of them, or None: each is a body of its own. Nothing is put in where one is refused.
    #[pyo3(signature = (mins, maxs, body = None, groups = 4_294_967_295, mask = 4_294_967_295, fixed = false))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn insert_many<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::mins)] mins: Rows<'py>,
        #[pyo3(from_py_with = arg::maxs)] maxs: Rows<'py>,
        body: Option<u32>,
        groups: u32,
        mask: u32,
        fixed: bool,
    ) -> PyResult<Names<'py>> {
        let boxes = many_boxes(["mins", "maxs"], &mins, &maxs)?;
        let given = Given { body, groups, mask, fixed };
        let mut inner = self.lock()?;
        let ids = boxes.into_iter().map(|bounds| Ok(i64::from(inner.insert(bounds, given)?)));
        Ok(ids.collect::<PyResult<Vec<i64>>>()?.into_pyarray(py))
    }

    /// Puts in a half-space, all points with `normal · x <= offset`, and gives its id. It pairs with the boxes that reach into it, never with another half-space.
    #[pyo3(signature = (normal, offset, body = None, groups = 4_294_967_295, mask = 4_294_967_295, fixed = true))]
    fn insert_half_space(
        &self,
        normal: Triple<'_>,
        #[pyo3(from_py_with = arg::offset)] offset: f64,
        body: Option<u32>,
        groups: u32,
        mask: u32,
        fixed: bool,
    ) -> PyResult<u32> {
        let normal = triple("normal", &normal)?;
        let mut inner = self.lock()?;
        let filter = inner.filter(Given { body, groups, mask, fixed })?;
        let id = inner.phase.insert_half_space(normal, offset, filter).map_err(|e| refusal(&e))?;
        inner.note(id, filter.body, true);
        Ok(id.0)
    }

    /// Moves a box.
    fn set(
        &self,
        id: i64,
        #[pyo3(from_py_with = arg::min)] min: Triple<'_>,
        #[pyo3(from_py_with = arg::max)] max: Triple<'_>,
    ) -> PyResult<()> {
        let bounds = one_box(&min, &max)?;
        let mut inner = self.lock()?;
        let id = inner.known_box(id, "id")?;
        inner.phase.set(id, bounds).map_err(|e| refusal(&e))
    }

    /// Moves many boxes: ids of shape (n,), corners of shape (n, 3). Nothing moves where one is refused.
    fn set_many(
        &self,
        ids: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arg::mins)] mins: Rows<'_>,
        #[pyo3(from_py_with = arg::maxs)] maxs: Rows<'_>,
    ) -> PyResult<()> {
        let ids = whole_list("ids", ids)?;
        let boxes = many_boxes(["mins", "maxs"], &mins, &maxs)?;
        if ids.len() != boxes.len() {
            let message = format!("ids has {} rows and mins {}", ids.len(), boxes.len());
            return Err(PyValueError::new_err(message));
        }
        let mut inner = self.lock()?;
        for (row, &id) in ids.iter().enumerate() {
            inner.known_box(id, &format!("ids[{row}]"))?;
        }
        for (id, bounds) in ids.into_iter().zip(boxes) {
            inner.phase.set(BoxId(id as u32), bounds).map_err(|e| refusal(&e))?;
        }
        Ok(())
    }

    /// Takes out a box or half-space; its pairs end with the next update.
    fn remove(&self, id: i64) -> PyResult<()> {
        let mut inner = self.lock()?;
        let (id, _) = inner.known(id, "id")?;
        inner.phase.remove(id).map_err(|e| refusal(&e))?;
        inner.kinds[id.0 as usize] = None;
        Ok(())
    }

    /// The body of a box or half-space.
    fn body(&self, id: i64) -> PyResult<u32> {
        Ok(self.lock()?.known(id, "id")?.1.body)
    }

    /// Makes two bodies never pair, for example because a joint holds them together.
    fn join(&self, a: u32, b: u32) -> PyResult<()> {
        self.lock()?.phase.join(a, b);
        Ok(())
    }

    /// Undoes :meth:`join`.
    fn part(&self, a: u32, b: u32) -> PyResult<()> {
        self.lock()?.phase.part(a, b);
        Ok(())
    }

    /// Brings the pairs up to date and gives them: an array of shape (n, 2), the smaller id first, sorted, each once.
    fn update<'py>(&self, py: Python<'py>) -> PyResult<Pairs<'py>> {
        let mut inner = self.lock()?;
        inner.detached(py, |phase| phase.update().len());
        Ok(pair_rows(py, inner.phase.pairs()))
    }

    /// The pairs of the last update.
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Pairs<'py>> {
        Ok(pair_rows(py, self.lock()?.phase.pairs()))
    }

    /// Pairs of the last update that were none in the one before.
    #[getter]
    fn began<'py>(&self, py: Python<'py>) -> PyResult<Pairs<'py>> {
        Ok(pair_rows(py, self.lock()?.phase.began()))
    }

    /// Pairs of the update before the last that are none any more.
    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Pairs<'py>> {
        Ok(pair_rows(py, self.lock()?.phase.ended()))
    }

    /// The pairs of the last update, the one that can touch first before the others: ids of shape (n, 2) and the times [s] before which they cannot.
    ///
    /// `speeds` [m/s] are the greatest speeds of any point in each box, by id. Where a deadline is set, pairs are to be processed in this order. Pairs farther apart than the margin are not listed.
    fn by_urgency<'py>(
        &self,
        py: Python<'py>,
        speeds: &Bound<'_, PyAny>,
    ) -> PyResult<(Pairs<'py>, Array1<'py>)> {
        let speeds: Vec<f64> = speeds.extract()?;
        let inner = self.lock()?;
        if speeds.len() < inner.kinds.len() {
            let (given, needed) = (speeds.len(), inner.kinds.len());
            let message = format!("speeds has {given} entries: it needs one for each of {needed} ids");
            return Err(PyValueError::new_err(message));
        }
        if let Some(speed) = speeds.iter().find(|speed| !(**speed >= 0.0 && speed.is_finite())) {
            return Err(PyValueError::new_err(format!(
                "a speed is {speed}: it must be finite and not negative"
            )));
        }
        let mut urgent = Vec::new();
        inner.phase.by_urgency(|id| speeds.get(id.0 as usize).copied().unwrap_or(0.0), &mut urgent);
        let pairs: Vec<BoxPair> = urgent.iter().map(|urgent| urgent.pair).collect();
        let times: Vec<f64> = urgent.iter().map(|urgent| urgent.time).collect();
        Ok((pair_rows(py, &pairs), times.into_pyarray(py)))
    }

    /// Ids of the boxes that share a point with a box, sorted. Half-spaces are not among them, and filters and the margin play no part.
    fn overlapping<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::min)] min: Triple<'py>,
        #[pyo3(from_py_with = arg::max)] max: Triple<'py>,
    ) -> PyResult<Names<'py>> {
        let bounds = one_box(&min, &max)?;
        let mut inner = self.lock()?;
        let found = inner.detached(py, |phase| phase.overlapping(&bounds));
        Ok(names(py, found))
    }

    /// Ids of the boxes that are no farther than a distance [m] from a box, sorted.
    fn within<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::min)] min: Triple<'py>,
        #[pyo3(from_py_with = arg::max)] max: Triple<'py>,
        #[pyo3(from_py_with = arg::distance)] distance: f64,
    ) -> PyResult<Names<'py>> {
        let bounds = one_box(&min, &max)?;
        let distance = limit("distance", distance)?;
        let mut inner = self.lock()?;
        let found = inner.detached(py, |phase| phase.within(&bounds, distance));
        Ok(names(py, found))
    }

    /// The `k` boxes nearest to a box: their ids and distances [m], the nearest first.
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::min)] min: Triple<'py>,
        #[pyo3(from_py_with = arg::max)] max: Triple<'py>,
        k: usize,
    ) -> PyResult<(Names<'py>, Array1<'py>)> {
        let bounds = one_box(&min, &max)?;
        let mut inner = self.lock()?;
        let found = inner.detached(py, |phase| phase.nearest(&bounds, k));
        Ok(near(py, &found))
    }

    /// The boxes that a ray hits within a length [m] from its start: their ids and how far it is to where the ray enters [m], in that order.
    #[pyo3(signature = (origin, direction, length))]
    fn cast_ray<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::origin)] origin: Triple<'py>,
        direction: Triple<'py>,
        #[pyo3(from_py_with = arg::length)] length: f64,
    ) -> PyResult<(Names<'py>, Array1<'py>)> {
        let (origin, direction) = (triple("origin", &origin)?, triple("direction", &direction)?);
        if direction == Vec3::zeros() {
            return Err(PyValueError::new_err("direction is (0, 0, 0): a ray needs a direction"));
        }
        let length = limit("length", length)?;
        let mut inner = self.lock()?;
        let found = inner.detached(py, |phase| phase.cast_ray(&origin, &direction, length));
        Ok(near(py, &found))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.lock()?.phase.len())
    }

    fn __repr__(&self) -> PyResult<String> {
        let inner = self.lock()?;
        let counted = |count: usize, one: &str, many: &str| {
            if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
        };
        let boxes = counted(inner.phase.len(), "box", "boxes");
        let pairs = counted(inner.phase.pairs().len(), "pair", "pairs");
        Ok(format!("<BroadPhase of {boxes}, {pairs}>"))
    }
}

impl PyBroadPhase {
    /// Never waits: the thread that has it may want Python.
    fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.inner
            .try_lock()
            .map_err(|_| PyRuntimeError::new_err("the broad phase is in use by another thread"))
    }
}

/// What a caller says of who pairs with a box.
#[derive(Clone, Copy)]
struct Given {
    body: Option<u32>,
    groups: u32,
    mask: u32,
    fixed: bool,
}

impl Inner {
    /// Asks while Python does other things.
    fn detached<T: Send>(&mut self, py: Python<'_>, question: impl FnOnce(&mut BroadPhase) -> T + Send) -> T {
        let phase = &mut self.phase;
        py.detach(|| question(phase))
    }

    fn insert(&mut self, bounds: Aabb, given: Given) -> PyResult<u32> {
        let filter = self.filter(given)?;
        let id = self.phase.insert(bounds, filter).map_err(|e| refusal(&e))?;
        self.note(id, filter.body, false);
        Ok(id.0)
    }

    /// The filter; a box without a body gets a number that no other body has or had, so that joints of boxes long gone do not bind it.
    fn filter(&mut self, given: Given) -> PyResult<Filter> {
        let body = match given.body {
            Some(body) if body < FIRST_OWN => body,
            Some(body) => {
                let message =
                    format!("body is {body}: it must be less than 2**31, or None for a body of its own");
                return Err(PyValueError::new_err(message));
            }
            None => {
                let body = self.next_own;
                let next = body.checked_add(1);
                self.next_own =
                    next.ok_or_else(|| PyValueError::new_err("2**31 bodies have been given out"))?;
                body
            }
        };
        Ok(Filter { body, groups: given.groups, mask: given.mask, is_fixed: given.fixed })
    }

    fn note(&mut self, id: BoxId, body: u32, is_plane: bool) {
        let slot = id.0 as usize;
        if self.kinds.len() <= slot {
            self.kinds.resize(slot + 1, None);
        }
        self.kinds[slot] = Some(Kind { body, is_plane });
    }

    /// A name that stands for something.
    fn known(&self, id: i64, what: &str) -> PyResult<(BoxId, Kind)> {
        let kind = usize::try_from(id).ok().and_then(|slot| *self.kinds.get(slot)?);
        let kind =
            kind.ok_or_else(|| PyKeyError::new_err(format!("{what} is {id}: there is no such box")))?;
        Ok((BoxId(id as u32), kind))
    }

    /// A name that stands for a box.
    fn known_box(&self, id: i64, what: &str) -> PyResult<BoxId> {
        match self.known(id, what)? {
            (_, kind) if kind.is_plane => {
                Err(PyValueError::new_err(format!("{what} is {id}: that is a half-space, not a box")))
            }
            (id, _) => Ok(id),
        }
    }
}

fn params(margin: f64, method: &str) -> PyResult<BroadParams> {
    pairs::params(margin, method).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn refusal(error: &BroadError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A length that is not negative; infinity is one.
fn limit(what: &str, value: f64) -> PyResult<f64> {
    if value >= 0.0 {
        return Ok(value);
    }
    Err(PyValueError::new_err(format!("{what} is {value}: it must not be negative")))
}

fn one_box(min: &Triple<'_>, max: &Triple<'_>) -> PyResult<Aabb> {
    checked("min", "max", triple("min", min)?, triple("max", max)?)
}

/// Boxes from their corners, row by row.
fn many_boxes([lower, upper]: [&str; 2], mins: &Rows<'_>, maxs: &Rows<'_>) -> PyResult<Vec<Aabb>> {
    let (mins, maxs) = (vectors(lower, mins)?, vectors(upper, maxs)?);
    if mins.rows.len() != maxs.rows.len() {
        let (first, second) = (mins.rows.len(), maxs.rows.len());
        return Err(PyValueError::new_err(format!("{lower} has {first} rows and {upper} {second}")));
    }
    let rows = mins.rows.into_iter().zip(maxs.rows).enumerate();
    rows.map(|(row, (min, max))| {
        let bounds = Aabb { min, max };
        if bounds.is_empty() {
            return checked(&format!("{lower}[{row}]"), &format!("{upper}[{row}]"), min, max);
        }
        Ok(bounds)
    })
    .collect()
}

fn checked(lower: &str, upper: &str, min: Vec3, max: Vec3) -> PyResult<Aabb> {
    let bounds = Aabb { min, max };
    if !bounds.is_empty() {
        return Ok(bounds);
    }
    let [from, to] = [min, max].map(|v| format!("({}, {}, {})", v.x, v.y, v.z));
    Err(PyValueError::new_err(format!("{lower} is {from}, beyond {upper} at {to}")))
}

fn pair_rows<'py>(py: Python<'py>, pairs: &[BoxPair]) -> Pairs<'py> {
    let numbers: Vec<i64> =
        pairs.iter().flat_map(|pair| [i64::from(pair.a.0), i64::from(pair.b.0)]).collect();
    numpy::ndarray::Array2::from_shape_vec((pairs.len(), 2), numbers).unwrap_or_default().into_pyarray(py)
}

fn names(py: Python<'_>, ids: Vec<BoxId>) -> Names<'_> {
    ids.into_iter().map(|id| i64::from(id.0)).collect::<Vec<i64>>().into_pyarray(py)
}

fn near<'py>(py: Python<'py>, found: &[NearBox]) -> (Names<'py>, Array1<'py>) {
    let distances: Vec<f64> = found.iter().map(|near| near.distance).collect();
    (names(py, found.iter().map(|near| near.id).collect()), distances.into_pyarray(py))
}

/// The corners (min, max) [m] of a box around a body at all times of a motion from one pose to another, on which its origin moves straight and it turns at a constant rate, by less than half a turn.
///
/// It is never too small: points of a turning body leave the chord between their ends, and the box is larger by as much.
///
/// >>> import numpy as np, zerogap as zg
/// >>> blade = zg.box(size=(2, 0.2, 0.1))
/// >>> low, high = zg.motion_box(blade, zg.pose(), zg.pose(quat=(0, 0, np.sin(0.5), np.cos(0.5))))
/// >>> bool(high[1] >= np.sin(1) + 0.1 * np.cos(1))
/// True
#[pyfunction]
pub(crate) fn motion_box<'py>(
    py: Python<'py>,
    body: &Bound<'py, PyAny>,
    start: &Bound<'py, PyAny>,
    end: &Bound<'py, PyAny>,
) -> PyResult<(Array1<'py>, Array1<'py>)> {
    let (start, end) = (pose_of("start", start)?, pose_of("end", end)?);
    let own = match body.cast::<PyMesh>() {
        Ok(mesh) => mesh.get().mesh.bounding_box(),
        Err(_) => given("body", body)?.shape.bounding_box().map_err(geometry)?,
    };
    let swept = broad::motion_box(&own, &start, &end);
    Ok((vector(py, swept.min), vector(py, swept.max)))
}
