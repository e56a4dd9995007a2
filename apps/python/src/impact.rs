//! When moving bodies touch, and how near they come.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zerogap::impact::{FirstContactReport, ImpactReport, first_impact, nearest_pass};
use zerogap::motion::{Clearance, ClearanceParams, ImpactParams};

use crate::arrays::{Array1, shown_number, vector};
use crate::moving::{Asked, Moves, refused};
use crate::pickle::{Reduced, bytes_of, maker, value_of};
use crate::quantity::arg;
use crate::user::answer;

/// What becomes of two moving bodies A and B.
///
/// Before ``t`` they are proven not to touch. ``status`` is ``"hit"``, ``"clear"`` (``t`` is then the duration) or ``"limited"`` (the steps ran
/// out, and nothing is known from ``t`` on).
#[pyclass(name = "Impact", module = "zerogap", frozen)]
pub(crate) struct PyImpact {
    found: ImpactReport,
}

impl PyImpact {
    fn of_contact<T>(&self, of: impl FnOnce(&FirstContactReport) -> T) -> Option<T> {
        self.found.first_contact.as_ref().map(of)
    }
}

#[pymethods]
impl PyImpact {
    /// ``"hit"``, ``"clear"`` or ``"limited"``.
    #[getter]
    fn status(&self) -> &'static str {
        self.found.status
    }

    /// Whether they touch.
    #[getter]
    fn hit(&self) -> bool {
        self.found.first_contact.is_some()
    }

    /// Proven free before [s]; at a hit, when it is.
    #[getter]
    fn t(&self) -> f64 {
        self.found.t
    }

    /// They touch by then, at the speed at which they close in at ``t`` [s].
    #[getter]
    fn t_upper(&self) -> f64 {
        self.found.t_upper
    }

    /// Whether it was seen that they touch at ``t_upper``; None without a hit.
    #[getter]
    fn touches(&self) -> Option<bool> {
        self.of_contact(|met| met.touches)
    }

    /// Gap at ``t`` [m]; None without a hit.
    #[getter]
    fn gap(&self) -> Option<f64> {
        self.of_contact(|met| met.gap)
    }

    /// How fast the nearest points move apart at ``t`` [m/s], negative where they close in; None without a hit.
    #[getter]
    fn gap_rate(&self) -> Option<f64> {
        self.of_contact(|met| met.gap_rate)
    }

    /// Unit vector from A to B at ``t``; None without a hit.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.of_contact(|met| vector(py, met.normal.into()))
    }

    /// The nearest point of A at ``t`` [m]; None without a hit.
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.of_contact(|met| vector(py, met.point_a.into()))
    }

    /// The nearest point of B at ``t`` [m]; None without a hit.
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.of_contact(|met| vector(py, met.point_b.into()))
    }

    /// Whether they were in contact at the start, and closed in; None without a hit.
    #[getter]
    fn began_in_contact(&self) -> Option<bool> {
        self.of_contact(|met| met.began_in_contact)
    }

    /// The features of meshes that meet, such as ``("vertex 3", "face 0")``; None for other bodies and without a hit.
    #[getter]
    fn features(&self) -> Option<(String, String)> {
        let features = self.found.first_contact.as_ref()?.features.as_ref()?;
        Some((features.a.clone(), features.b.clone()))
    }

    /// Gaps that were asked for.
    #[getter]
    fn steps(&self) -> u32 {
        self.found.steps
    }

    fn __repr__(&self) -> String {
        let (t, upper) = (shown_number(self.found.t), shown_number(self.found.t_upper));
        match self.found.status {
            "hit" => format!("<zerogap.Impact: hit between {t} s and {upper} s>"),
            status => format!("<zerogap.Impact: {status}, free until {t} s>"),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Bound<'py, PyBytes>,)>> {
        Ok((maker(py, "_impact")?, (bytes_of(py, &self.found)?,)))
    }
}

/// Makes an impact again.
#[pyfunction]
pub(crate) fn _impact(state: &[u8]) -> PyResult<PyImpact> {
    Ok(PyImpact { found: value_of(state)? })
}

/// How near two moving bodies come: the least gap lies between ``lower`` and ``upper``.
#[pyclass(name = "Clearance", module = "zerogap", frozen)]
pub(crate) struct PyClearance {
    found: Clearance,
}

#[pymethods]
impl PyClearance {
    /// The least gap is no smaller [m].
    #[getter]
    fn lower(&self) -> f64 {
        self.found.lower
    }

    /// The least gap is no larger [m]: the gap at ``t``.
    #[getter]
    fn upper(&self) -> f64 {
        self.found.upper
    }

    /// When it was found [s].
    #[getter]
    fn t(&self) -> f64 {
        self.found.t
    }

    /// Unit vector from A to B at ``t``.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.found.normal)
    }

    /// The nearest point of A at ``t`` [m].
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.found.point_a)
    }

    /// The nearest point of B at ``t`` [m].
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.found.point_b)
    }

    /// Whether the bounds met, or the threshold was decided, before the steps ran out.
    #[getter]
    fn is_decided(&self) -> bool {
        self.found.is_decided
    }

    /// Gaps that were asked for.
    #[getter]
    fn steps(&self) -> u32 {
        self.found.steps
    }

    fn __repr__(&self) -> String {
        let [lower, upper, t] = [self.found.lower, self.found.upper, self.found.t].map(shown_number);
        format!("<zerogap.Clearance: between {lower} m and {upper} m, at {t} s>")
    }
}

/// When two moving bodies first touch, or proof that they do not.
///
/// Bodies are shapes, meshes, or words as on the command line; meshes are surfaces, as they are, or with ``form="hull"`` their convex hulls. A body moves for
/// `duration` [s] from its pose with a constant ``velocity_a`` of its origin [m/s] and a constant ``spin_a`` [rad/s], both in the world; or to the pose ``to_a``, its origin on a
/// straight line, rotating about one axis (about one line in space with ``screw=True``); or along ``path_a``, a list of ``(time, pose)``, through which it moves
/// likewise. What is left out stands still.
///
/// They touch where the gap falls to `min_separation` + `tolerance` [m]. Bodies that begin in contact touch at 0 if they close in; if they
/// rest, slide or part they do not.
///
/// >>> import zerogap as zg
/// >>> shot = zg.time_of_impact("box:1,1,1e-4", "sphere:0.5mm", pose_b=zg.pose(xyz=(0, 0, 5)), velocity_b=(0, 0, -1000), duration=0.01)
/// >>> shot.status, round(shot.t, 10)
/// ('hit', 0.00499945)
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, to_a = None, to_b = None, velocity_a = None, velocity_b = None, spin_a = None, spin_b = None, path_a = None, path_b = None, duration = 1.0, screw = false, form = "mesh", tolerance = 1e-8, min_separation = 0.0))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn time_of_impact(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    to_a: Option<&Bound<'_, PyAny>>,
    to_b: Option<&Bound<'_, PyAny>>,
    velocity_a: Option<&Bound<'_, PyAny>>,
    velocity_b: Option<&Bound<'_, PyAny>>,
    spin_a: Option<&Bound<'_, PyAny>>,
    spin_b: Option<&Bound<'_, PyAny>>,
    path_a: Option<&Bound<'_, PyAny>>,
    path_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::duration)] duration: f64,
    screw: bool,
    form: &str,
    #[pyo3(from_py_with = arg::tolerance)] tolerance: f64,
    #[pyo3(from_py_with = arg::min_separation)] min_separation: f64,
) -> PyResult<PyImpact> {
    let moves = Moves {
        to: [to_a, to_b],
        velocity: [velocity_a, velocity_b],
        spin: [spin_a, spin_b],
        path: [path_a, path_b],
        duration,
        screw,
        form,
    };
    let asked = Asked::new(py, [a, b], [pose_a, pose_b], &moves)?;
    check_length("tolerance", tolerance)?;
    if !min_separation.is_finite() {
        let message = format!("min_separation is {min_separation}: it must be a length");
        return Err(PyValueError::new_err(message));
    }
    let params = ImpactParams { tolerance, min_separation, ..ImpactParams::default() };
    let Asked { a, path_a, b, path_b } = asked;
    let found = answer(py, || first_impact(&a, &path_a, &b, &path_b, &params))?.map_err(|e| refused(&e))?;
    Ok(PyImpact { found })
}

/// How near two moving bodies come, between two bounds no more than `tolerance` [m] apart. Negative where they overlap along the path.
///
/// Bodies and motions as in :func:`time_of_impact`. With a `threshold` [m] the search ends as soon as it is known whether the
/// clearance is more or less: what a planner asks. Meshes are surfaces, and take many more steps than convex shapes.
///
/// >>> import zerogap as zg
/// >>> passing = dict(pose_b=zg.pose(xyz=(-1, 0.3, 0)), velocity_b=(1, 0, 0), duration=2.0)
/// >>> near = zg.clearance("cylinder:0.1,2", "sphere:0.05", **passing)
/// >>> bool(near.lower <= 0.15 <= near.upper + 1e-12)
/// True
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, to_a = None, to_b = None, velocity_a = None, velocity_b = None, spin_a = None, spin_b = None, path_a = None, path_b = None, duration = 1.0, screw = false, form = "mesh", tolerance = 1e-6, threshold = None, max_steps = 10_000))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn clearance(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    to_a: Option<&Bound<'_, PyAny>>,
    to_b: Option<&Bound<'_, PyAny>>,
    velocity_a: Option<&Bound<'_, PyAny>>,
    velocity_b: Option<&Bound<'_, PyAny>>,
    spin_a: Option<&Bound<'_, PyAny>>,
    spin_b: Option<&Bound<'_, PyAny>>,
    path_a: Option<&Bound<'_, PyAny>>,
    path_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::duration)] duration: f64,
    screw: bool,
    form: &str,
    #[pyo3(from_py_with = arg::tolerance)] tolerance: f64,
    #[pyo3(from_py_with = arg::threshold)] threshold: Option<f64>,
    max_steps: u32,
) -> PyResult<PyClearance> {
    let moves = Moves {
        to: [to_a, to_b],
        velocity: [velocity_a, velocity_b],
        spin: [spin_a, spin_b],
        path: [path_a, path_b],
        duration,
        screw,
        form,
    };
    let Asked { a, path_a, b, path_b } = Asked::new(py, [a, b], [pose_a, pose_b], &moves)?;
    check_length("tolerance", tolerance)?;
    let params = ClearanceParams { tolerance, threshold, max_steps };
    let found = answer(py, || nearest_pass(&a, &path_a, &b, &path_b, &params))?.map_err(|e| refused(&e))?;
    Ok(PyClearance { found })
}

/// For how long two moving bodies surely do not touch [s], by their gap and speeds alone; infinite where they never come nearer.
///
/// Bodies and motions as in :func:`time_of_impact`, of which the first motion counts. One gap is all that it costs.
///
/// >>> import zerogap as zg
/// >>> zg.safe_time("sphere:0.5", "sphere:0.5", pose_b=zg.pose(xyz=(3, 0, 0)), velocity_b=(-2, 0, 0)) <= 1.0
/// True
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, to_a = None, to_b = None, velocity_a = None, velocity_b = None, spin_a = None, spin_b = None, path_a = None, path_b = None, duration = 1.0, screw = false, form = "mesh"))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn safe_time(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    to_a: Option<&Bound<'_, PyAny>>,
    to_b: Option<&Bound<'_, PyAny>>,
    velocity_a: Option<&Bound<'_, PyAny>>,
    velocity_b: Option<&Bound<'_, PyAny>>,
    spin_a: Option<&Bound<'_, PyAny>>,
    spin_b: Option<&Bound<'_, PyAny>>,
    path_a: Option<&Bound<'_, PyAny>>,
    path_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::duration)] duration: f64,
    screw: bool,
    form: &str,
) -> PyResult<f64> {
    let moves = Moves {
        to: [to_a, to_b],
        velocity: [velocity_a, velocity_b],
        spin: [spin_a, spin_b],
        path: [path_a, path_b],
        duration,
        screw,
        form,
    };
    let Asked { a, path_a, b, path_b } = Asked::new(py, [a, b], [pose_a, pose_b], &moves)?;
    answer(py, || zerogap::impact::safe_time(&a, &path_a, &b, &path_b))?.map_err(|e| refused(&e))
}

/// Refuses what is no length.
pub(crate) fn check_length(what: &str, value: f64) -> PyResult<()> {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{what} is {value}: it must be a length of 0 or more")))
}
