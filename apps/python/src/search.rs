//! Searches for the distance of two meshes that are left and resumed, and pairs of triangles that cross.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use numpy::{IntoPyArray, PyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::meshes::{SPLITS, measured_surfaces, search_surfaces};
use zerogap::proximity::bvh::BuildParams;
use zerogap::proximity::mesh::{AnytimeDistance, MeshVolume, SearchBudget};

use crate::meshes::{Anytime, PyMeshGap, solids};
use crate::pose::pose_or_identity;
use crate::quantity::arg;

/// A search for the distance of two meshes that is left at any time and resumed, each time with bounds that hold and are no wider than before.
///
/// `volume` bounds the parts of each mesh in its hierarchy: ``"oriented-boxes"``, ``"boxes"``, ``"balls"``, ``"14-dops"``, ``"18-dops"`` or ``"26-dops"``; `split` says where parts are divided: ``"surface-area"``, ``"longest"`` (principal axis) or
/// ``"smallest-volumes"``; `leaf` is the maximum number of triangles of a leaf. None of them changes the distance. `order`, `absolute`, `relative`, `nearer_than` and `cutoff` are those of :func:`distance`; ``"best-first"`` is the default here.
///
/// >>> import zerogap as zg
/// >>> gear = zg.parts.gear(teeth=24, module="2 mm")
/// >>> search = zg.MeshSearch(gear, gear, pose_b=zg.pose(("60 mm", 0, 0)))
/// >>> first = search.advance(pairs=20)
/// >>> last = search.advance("1 s")
/// >>> first.lower <= last.lower <= last.upper <= first.upper, last.status
/// (True, 'exact')
#[pyclass(name = "MeshSearch", module = "zerogap", frozen)]
pub(crate) struct PyMeshSearch {
    inner: Mutex<AnytimeDistance>,
}

#[pymethods]
impl PyMeshSearch {
    #[new]
    #[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, volume = "oriented-boxes", split = "surface-area", leaf = 2, order = "best-first", absolute = None, relative = None, nearer_than = None, cutoff = None))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        pose_a: Option<&Bound<'_, PyAny>>,
        pose_b: Option<&Bound<'_, PyAny>>,
        volume: &str,
        split: &str,
        leaf: u32,
        order: &str,
        #[pyo3(from_py_with = arg::absolute)] absolute: Option<f64>,
        relative: Option<f64>,
        #[pyo3(from_py_with = arg::nearer_than)] nearer_than: Option<f64>,
        #[pyo3(from_py_with = arg::cutoff)] cutoff: Option<f64>,
    ) -> PyResult<Self> {
        let poses = [pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?];
        let volume = MeshVolume::by_word(volume)
            .ok_or_else(|| unknown("volume", volume, &MeshVolume::ALL.map(MeshVolume::word)))?;
        let rule = SPLITS.iter().find(|(name, _)| *name == split).map(|(_, rule)| *rule);
        let rule = rule.ok_or_else(|| unknown("split", split, &SPLITS.map(|(name, _)| name)))?;
        if leaf == 0 {
            return Err(PyValueError::new_err("leaf is 0: it must be 1 or more"));
        }
        let asked = Anytime { cutoff, absolute, relative, nearer_than, budget: None, order: Some(order) };
        let (params, [a, b]) = (asked.params()?, solids(a, b)?);
        let build = BuildParams { rule, leaf };
        let search = py.detach(|| search_surfaces([&a, &b], poses, (volume, &build), params));
        let search = search.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { inner: Mutex::new(search) })
    }

    /// Goes on for a time, such as ``"2 ms"`` or 0.002 [s], or for a number of `pairs` of nodes, whichever ends first; without either to the end. Returns what is known then: a :class:`MeshGap` of the surfaces whose status is ``"limited"`` where
    /// there is more to find out. Where the surfaces cross its depth is unknown.
    #[pyo3(signature = (time = None, *, pairs = None))]
    fn advance(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arg::time)] time: Option<f64>,
        pairs: Option<u64>,
    ) -> PyResult<PyMeshGap> {
        let time = match time {
            None => Duration::MAX,
            Some(time) => Duration::try_from_secs_f64(time).map_err(|_| {
                PyValueError::new_err(format!("time is {time} s: it must be 0 or more, and finite"))
            })?,
        };
        let budget = SearchBudget { pairs: pairs.unwrap_or(u64::MAX), time };
        let found = py.detach(|| {
            let mut search = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            search.advance(&budget)
        });
        Ok(PyMeshGap { found: measured_surfaces(&found), overlaps: Vec::new() })
    }
}

fn unknown(what: &str, word: &str, known: &[&str]) -> PyErr {
    PyValueError::new_err(format!("{what} is \"{word}\": it must be {}", known.join(", ")))
}

/// All pairs of triangles of two meshes that have a point in common, (n, 2), by the meshes' numbers, ascending. Touching counts; every answer is exact for the coordinates as they are.
///
/// >>> import zerogap as zg
/// >>> cube = zg.parts.box(width=1, depth=1, height=1)
/// >>> len(zg.crossings(cube, cube, pose_b=zg.pose(xyz=(2, 0, 0)))), len(zg.crossings(cube, cube, pose_b=zg.pose(xyz=(0.5, 0.3, 0.2)))) > 0
/// (0, True)
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None))]
pub(crate) fn crossings<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray2<u32>>> {
    let poses = [pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?];
    let [a, b] = solids(a, b)?;
    let found = py.detach(|| zerogap::meshes::crossings([&a, &b], poses.each_ref())).map_err(|error| {
        PyValueError::new_err(format!("crossings are those of two meshes, and {} is none", error.body))
    })?;
    let pairs = numpy::ndarray::Array2::from_shape_vec((found.len(), 2), found.concat());
    Ok(pairs.unwrap_or_default().into_pyarray(py))
}
