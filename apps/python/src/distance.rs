//! The gap of two shapes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zerogap::core::error::check_direction;
use zerogap::proximity::collider::{ColliderCache, ColliderPair, gap};
use zerogap::proximity::convex::{self, MprGap, MprParams};
use zerogap::{DistanceParams, Gap, Vec3};

use crate::arrays::{Array1, Rows, numbers_like, shown_number, vector, vectors};
use crate::body::{given, given_convex};
use crate::cache::PyPairCache;
use crate::meshes::{Anytime, is_mesh, mesh_gap, meshes_intersect, solids};
use crate::pickle::{Reduced, bytes_of, maker, value_of};
use crate::pose::pose_or_identity;
use crate::quantity::arg;
use crate::user::{answer, answer_each};

/// The signed distance of two shapes A and B, with its certificate.
///
/// ``gap`` is positive apart, zero touching and negative in overlap, where ``-gap`` is the shortest translation that separates the two.
/// Always ``point_b - point_a == gap * normal`` to rounding, and the exact value lies in ``[lower, upper]``.
#[pyclass(name = "Gap", module = "zerogap", frozen)]
pub(crate) struct PyGap {
    pub(crate) gap: Gap,
    /// What A and B were, in a phrase.
    pub(crate) a: String,
    pub(crate) b: String,
}

#[pymethods]
impl PyGap {
    /// Signed distance [m].
    #[getter]
    fn gap(&self) -> f64 {
        self.gap.gap
    }

    /// The exact signed distance is no smaller [m].
    #[getter]
    fn lower(&self) -> f64 {
        self.gap.lower
    }

    /// The exact signed distance is no larger [m].
    #[getter]
    fn upper(&self) -> f64 {
        self.gap.upper
    }

    /// Unit vector from A to B.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.gap.normal)
    }

    /// ``"unique"``, or ``"chosen"`` where another normal would have done as well.
    #[getter]
    fn normal_kind(&self) -> &'static str {
        self.gap.normal_kind.word()
    }

    /// The point of A [m]: the nearest one apart, the deepest one in overlap.
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.gap.point_a)
    }

    /// The point of B [m].
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.gap.point_b)
    }

    /// How the search ended: ``"exact"``, ``"converged"``, ``"farther"`` (than the cutoff) or ``"limited"``; for compounds in overlap ``"local_depth"`` (``gap`` is less the depth of the deepest pieces, and the shortest separating translation lies between the bounds), or ``"depth_unknown"`` (only the bounds hold).
    #[getter]
    fn status(&self) -> &'static str {
        self.gap.status.word()
    }

    /// Pairs of support points that were evaluated; 0 for closed forms.
    #[getter]
    fn iterations(&self) -> u32 {
        self.gap.iterations
    }

    /// What A was: a shape, or ``hull of bolt.stl, 812 vertices``.
    #[getter]
    fn a(&self) -> &str {
        &self.a
    }

    /// What B was.
    #[getter]
    fn b(&self) -> &str {
        &self.b
    }

    fn __repr__(&self) -> String {
        let g = &self.gap;
        shown("Gap", g.gap, &g.normal, g.status.word(), [g.lower, g.upper])
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>,)>> {
        let all = (self.gap, self.a.clone(), self.b.clone());
        Ok((maker(py, "_gap")?, (bytes_of(py, &all)?,)))
    }
}

/// Makes a gap again.
#[pyfunction]
pub(crate) fn _gap(state: &[u8]) -> PyResult<PyGap> {
    let (gap, a, b) = value_of(state)?;
    Ok(PyGap { gap, a, b })
}

/// A gap in a line.
fn shown(class: &str, gap: f64, n: &Vec3, end: &str, [lower, upper]: [f64; 2]) -> String {
    let [gap, x, y, z, lower, upper] = [gap, n.x, n.y, n.z, lower, upper].map(shown_number);
    format!("<zerogap.{class}: {gap} m along ({x}, {y}, {z}), {end}, between {lower} and {upper}>")
}

/// The signed distance of two shapes: convex ones, a half-space and another, compounds by their pieces.
///
/// Shapes may be words or paths, as on the command line: files and parts then stand for their convex hulls. Poses are poses, or 7
/// numbers x y z qx qy qz qw. Beyond `cutoff` [m] the search ends early with the status ``"farther"``. `tolerance` is the width of the
/// bounds to stop at for curved shapes, against the extent of the pair (1e-11 when left out); polytopes are exact to rounding. A `cache` for
/// the pair saves time where questions follow each other.
///
/// A :class:`Mesh` is taken as it is, concave or open, and the answer is a :class:`MeshGap`. Its search can be ended early, with bounds that hold: where they are within `absolute` [m] or `relative` of
/// each other, where the distance is known to be below `nearer_than` or beyond `cutoff` [m], or after `budget` pairs of nodes; `order` is ``"depth-first"``, or ``"best-first"`` to have the lower bound
/// improve from the start.
///
/// >>> import zerogap as zg
/// >>> found = zg.distance(zg.box(size=(1, 1, 1)), zg.sphere(0.5), pose_b=zg.pose(xyz=(0, 0, 2)))
/// >>> found.gap, found.status
/// (1.0, 'exact')
/// >>> found.normal
/// array([0., 0., 1.])
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, cutoff = None, tolerance = None, cache = None, absolute = None, relative = None, nearer_than = None, budget = None, order = None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn distance(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::cutoff)] cutoff: Option<f64>,
    tolerance: Option<f64>,
    cache: Option<&Bound<'_, PyPairCache>>,
    #[pyo3(from_py_with = arg::absolute)] absolute: Option<f64>,
    relative: Option<f64>,
    #[pyo3(from_py_with = arg::nearer_than)] nearer_than: Option<f64>,
    budget: Option<u64>,
    order: Option<&str>,
) -> PyResult<Py<PyAny>> {
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let asked = Anytime { cutoff, absolute, relative, nearer_than, budget, order };
    if is_mesh(a) || is_mesh(b) {
        let found = mesh_gap(py, &solids(a, b)?, &[pose_a, pose_b], &asked)?;
        return Ok(Py::new(py, found)?.into_any());
    }
    if asked.is_asked() {
        let message =
            "absolute, relative, nearer_than, budget and order are for meshes, and neither a nor b is one";
        return Err(PyValueError::new_err(message));
    }
    let (a, b) = (given("a", a)?, given("b", b)?);
    let params = params(cutoff, tolerance)?;
    let gap = if let (Some(cache), Some(a), Some(b)) = (cache, a.shape.as_convex(), b.shape.as_convex()) {
        let cache = cache.get().as_ref();
        cache.ask(|cache| answer(py, || convex::distance_with(a, &pose_a, b, &pose_b, &params, cache)))?
    } else {
        // Of others there is nothing to keep.
        let (a, b) = (a.collider(), b.collider());
        let pair = ColliderPair::new(&a, pose_a, &b, pose_b);
        answer(py, || gap(&pair, &params, &mut ColliderCache::default()))?
            .map_err(|error| PyValueError::new_err(error.to_string()))?
    };
    Ok(Py::new(py, PyGap { gap, a: a.phrase(), b: b.phrase() })?.into_any())
}

/// Whether two shapes have a point in common, to rounding: convex ones, a half-space and another, compounds. A :class:`Mesh` is taken as it is.
///
/// >>> import zerogap as zg
/// >>> zg.intersects("box:1,1,1", "sphere:0.5", pose_b=zg.pose(xyz=(0, 0, 0.9)))
/// True
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None))]
pub(crate) fn intersects(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    if is_mesh(a) || is_mesh(b) {
        return meshes_intersect(py, &solids(a, b)?, &[pose_a, pose_b]);
    }
    let (a, b) = (given("a", a)?, given("b", b)?);
    if let (Some(a), Some(b)) = (a.shape.as_convex(), b.shape.as_convex()) {
        return answer(py, || convex::intersects(a, &pose_a, b, &pose_b));
    }
    let (a, b) = (a.collider(), b.collider());
    let pair = ColliderPair::new(&a, pose_a, &b, pose_b);
    let params = DistanceParams { cutoff: 0.0, ..DistanceParams::default() };
    let found = answer(py, || gap(&pair, &params, &mut ColliderCache::default()))?;
    found.map(|found| found.gap <= 0.0).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// How far apart two bounded convex shapes are along a direction [m]: ``min n.b - max n.a`` for the unit vector n.
///
/// Never more than the gap, and as much along its normal. One direction gives a number, (n, 3) give (n,).
///
/// >>> import zerogap as zg
/// >>> zg.separation("box:1,1,1", "sphere:0.5", (0, 0, 3), pose_b=zg.pose(xyz=(0, 0, 2)))
/// 1.0
#[pyfunction]
#[pyo3(signature = (a, b, direction, pose_a = None, pose_b = None))]
pub(crate) fn separation<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    direction: Rows<'py>,
    pose_a: Option<&Bound<'py, PyAny>>,
    pose_b: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (a, b) = (given_convex("a", a)?, given_convex("b", b)?);
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let mut directions = vectors("direction", &direction)?;
    for (index, row) in directions.rows.iter_mut().enumerate() {
        *row = check_direction("direction", *row).map_err(|error| {
            let place = if directions.single { String::new() } else { format!("row {index}: ") };
            PyValueError::new_err(format!("{place}{error}"))
        })?;
    }
    let found = answer_each(py, &directions.rows, |n| convex::separation(&a, &pose_a, &b, &pose_b, n))?;
    numbers_like(py, found, directions.single)
}

/// What a search is asked for; None keeps the defaults.
pub(crate) fn params(cutoff: Option<f64>, tolerance: Option<f64>) -> PyResult<DistanceParams> {
    let default = DistanceParams::default();
    let cutoff = cutoff.unwrap_or(default.cutoff);
    if cutoff.is_nan() || cutoff < 0.0 {
        return Err(PyValueError::new_err(format!("cutoff is {cutoff}: it must be a length of 0 or more")));
    }
    let tolerance = check_tolerance("tolerance", tolerance.unwrap_or(default.tolerance))?;
    Ok(DistanceParams { cutoff, tolerance, ..default })
}

/// A part of a whole; `what` names the argument.
pub(crate) fn check_tolerance(what: &str, tolerance: f64) -> PyResult<f64> {
    if (0.0..1.0).contains(&tolerance) {
        return Ok(tolerance);
    }
    Err(PyValueError::new_err(format!("{what} is {tolerance}: it must be a number from 0 to 1")))
}

/// The gap that :func:`mpr` found: its sign is right; apart it is not smaller, in overlap not larger than
/// the exact one, to the tolerance.
#[pyclass(name = "MprGap", module = "zerogap", frozen)]
pub(crate) struct PyMprGap {
    gap: MprGap,
}

#[pymethods]
impl PyMprGap {
    /// Signed distance [m].
    #[getter]
    fn gap(&self) -> f64 {
        self.gap.gap
    }

    /// The exact signed distance is no smaller [m].
    #[getter]
    fn lower(&self) -> f64 {
        self.gap.lower
    }

    /// The exact signed distance is no larger [m].
    #[getter]
    fn upper(&self) -> f64 {
        self.gap.upper
    }

    /// Unit vector from A to B.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.gap.normal)
    }

    /// The point of A [m].
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.gap.point_a)
    }

    /// The point of B [m].
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.gap.point_b)
    }

    /// How the search ended: ``"on ray"``, ``"on normal"``, ``"on portal"``, ``"on portal border"``, ``"flat"``, ``"stalled"`` or
    /// ``"limited"``.
    #[getter]
    fn exit(&self) -> &'static str {
        self.gap.exit.word()
    }

    /// Pairs of support points that were evaluated.
    #[getter]
    fn iterations(&self) -> u32 {
        self.gap.iterations
    }

    fn __repr__(&self) -> String {
        let g = &self.gap;
        shown("MprGap", g.gap, &g.normal, g.exit.word(), [g.lower, g.upper])
    }
}

/// What a search by portal refinement is asked for; None keeps the defaults.
pub(crate) fn mpr_params(tolerance: Option<f64>, max_iterations: Option<u32>) -> PyResult<MprParams> {
    let default = MprParams::default();
    Ok(MprParams {
        tolerance: check_tolerance("tolerance", tolerance.unwrap_or(default.tolerance))?,
        max_iterations: max_iterations.unwrap_or(default.max_iterations),
    })
}

/// The gap of two bounded convex shapes by improved Minkowski portal refinement (Neumayr and Otter 2017): sign-exact, and
/// cheaper than :func:`distance` for curved shapes.
///
/// `tolerance` (1e-4 when left out) is relative to the sum of the diameters of the two bounding spheres.
///
/// >>> import zerogap as zg
/// >>> found = zg.mpr("box:4,4,1", "sphere:0.25", pose_b=zg.pose(xyz=(0, 0, 1)))
/// >>> found.lower <= 0.25 <= found.upper
/// True
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, tolerance = None, max_iterations = None))]
pub(crate) fn mpr(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    tolerance: Option<f64>,
    max_iterations: Option<u32>,
) -> PyResult<PyMprGap> {
    let (a, b) = (given_convex("a", a)?, given_convex("b", b)?);
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let params = mpr_params(tolerance, max_iterations)?;
    Ok(PyMprGap { gap: answer(py, || convex::mpr(&a, &pose_a, &b, &pose_b, &params))? })
}
