//! The shortest translation that separates two polytopes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::ConvexShape;
use zerogap::geometry::error::with_article;
use zerogap::proximity::convex::{self, MinimumTranslation};

use crate::arrays::{Array1, shown_number, vector};
use crate::body::{Given, given};
use crate::distance::PyGap;
use crate::pose::pose_or_identity;

/// The shortest translation that separates two polytopes A and B: B by ``-gap * normal``, or A by the opposite.
#[pyclass(name = "MinimumTranslation", module = "zerogap", frozen)]
pub(crate) struct PyMinimumTranslation {
    way: MinimumTranslation,
    /// The gap of the shapes, with its certificate.
    #[pyo3(get)]
    distance: Py<PyGap>,
}

#[pymethods]
impl PyMinimumTranslation {
    /// Signed distance [m], not above 0: ``-gap`` is the length of the translation.
    #[getter]
    fn gap(&self) -> f64 {
        self.way.gap.gap
    }

    /// Unit vector from A to B, the direction in which B moves.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.way.gap.normal)
    }

    /// ``"unique"``, or ``"chosen"`` where another direction is as short.
    #[getter]
    fn normal_kind(&self) -> &'static str {
        self.way.gap.normal_kind.word()
    }

    /// What gives the direction: ``"face of A"``, ``"face of B"`` or ``"edges"``; a face of A where faces of both do.
    #[getter]
    fn kind(&self) -> &'static str {
        self.way.kind.word()
    }

    /// The feature of A that touches B after the translation, the most general one, such as ``"face 5"``.
    #[getter]
    fn feature_a(&self) -> String {
        self.way.features.a.to_string()
    }

    /// The feature of B that touches A after the translation.
    #[getter]
    fn feature_b(&self) -> String {
        self.way.features.b.to_string()
    }

    fn __repr__(&self) -> String {
        let MinimumTranslation { gap, kind, features } = &self.way;
        let [length, x, y, z] = [gap.gap, gap.normal.x, gap.normal.y, gap.normal.z].map(shown_number);
        let kind = kind.word();
        format!("<zerogap.MinimumTranslation: {kind}, {features}, gap {length} m along ({x}, {y}, {z})>")
    }
}

/// The shortest translation that separates two polytopes in overlap, and what gives its direction; None where they are apart.
///
/// Polytopes are points, segments, triangles, polygons, boxes and hulls; curved shapes are refused. Touching counts as overlap. Shapes and poses
/// are given as in :func:`distance`.
///
/// >>> import zerogap as zg
/// >>> shelf, cube = zg.box(size=(4, 4, 1)), zg.box(size=(1, 1, 1))
/// >>> way = zg.minimum_translation(shelf, cube, pose_b=zg.pose(xyz=(1, 0, 0.75)))
/// >>> way
/// <zerogap.MinimumTranslation: face of A, face 5 on face 4, gap -0.25 m along (0, 0, 1)>
/// >>> zg.minimum_translation(shelf, cube, pose_b=zg.pose(xyz=(1, 0, 1.5))) is None
/// True
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None))]
pub(crate) fn minimum_translation(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<PyMinimumTranslation>> {
    let (a, b) = (given("a", a)?, given("b", b)?);
    let (shape_a, shape_b) = (polytope("a", &a)?, polytope("b", &b)?);
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let way = py.detach(|| convex::minimum_translation(shape_a, &pose_a, shape_b, &pose_b));
    way.map(|way| {
        let distance = Py::new(py, PyGap { gap: way.gap, a: a.phrase(), b: b.phrase() })?;
        Ok(PyMinimumTranslation { way, distance })
    })
    .transpose()
}

/// The polytope that a shape is; `what` names the argument.
fn polytope<'a>(what: &str, given: &'a Given) -> PyResult<&'a ConvexShape> {
    let is_polytope = |shape: &&ConvexShape| shape.corners().is_some();
    given.shape.as_convex().filter(is_polytope).ok_or_else(|| {
        let kind = with_article(given.shape.kind());
        PyValueError::new_err(format!(
            "{what} is {kind}: this needs a shape of corners, edges and plane faces (zg.distance takes all)"
        ))
    })
}
