//! The closest features of two polyhedra.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::geometry::error::with_article;
use zerogap::geometry::shape::Cuboid;
use zerogap::proximity::convex::{self, ClosestFeatures, ClosestStatus};
use zerogap::{ContactId, ConvexShape, Feature, Polyhedron};

use crate::arrays::{Array1, shown_number, vector};
use crate::body::given_convex;
use crate::error::geometry;
use crate::pose::pose_or_identity;

/// The closest features of two polyhedra A and B. Apart, ``point_b - point_a == distance * normal`` to rounding.
#[pyclass(name = "ClosestFeatures", module = "zerogap", frozen)]
pub(crate) struct PyClosestFeatures {
    near: ClosestFeatures,
}

#[pymethods]
impl PyClosestFeatures {
    /// Distance of the polyhedra [m]; 0 in overlap.
    #[getter]
    fn distance(&self) -> f64 {
        self.near.distance
    }

    /// Unit vector from A to B; in overlap only roughly from A to B.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.near.normal)
    }

    /// The nearest point of A [m]; in overlap some point that both have.
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.near.point_a)
    }

    /// The nearest point of B [m].
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.near.point_b)
    }

    /// The most general feature of A that is as near to B as A is, such as ``"face 5"``; None in overlap.
    #[getter]
    fn feature_a(&self) -> Option<String> {
        self.features().map(|id| id.a.to_string())
    }

    /// The most general feature of B that is as near to A as B is; None in overlap.
    #[getter]
    fn feature_b(&self) -> Option<String> {
        self.features().map(|id| id.b.to_string())
    }

    /// The pair of features that the walk ended in, as one number: pass it to the next query as `start`.
    #[getter]
    fn found(&self) -> u64 {
        self.near.found.packed()
    }

    /// Steps of the walk.
    #[getter]
    fn steps(&self) -> u32 {
        self.near.steps
    }

    /// Whether the walk found it; else it was left to the search of :func:`distance`.
    #[getter]
    fn by_walk(&self) -> bool {
        self.near.by_walk
    }

    /// ``"apart"`` or ``"overlap"``.
    #[getter]
    fn status(&self) -> &'static str {
        self.near.status.word()
    }

    fn __repr__(&self) -> String {
        let ClosestFeatures { distance, normal, .. } = self.near;
        let Some(features) = self.features() else { return "<zerogap.ClosestFeatures: overlap>".to_owned() };
        let [distance, x, y, z] = [distance, normal.x, normal.y, normal.z].map(shown_number);
        format!("<zerogap.ClosestFeatures: {features}, {distance} m along ({x}, {y}, {z})>")
    }
}

impl PyClosestFeatures {
    fn features(&self) -> Option<ContactId> {
        (self.near.status == ClosestStatus::Apart).then_some(self.near.features)
    }
}

/// The closest features of two polyhedra, hulls or boxes, by a walk from feature to feature (V-Clip).
///
/// With `start`, the ``found`` of the last question, a walk in slow motion takes a step or two. Any `start` gives the same answer. In overlap there
/// is no more to know than that: ask :func:`minimum_translation`. Shapes and poses are given as in :func:`distance`.
///
/// >>> import zerogap as zg
/// >>> cube, start = zg.box(size=(1, 1, 1)), None
/// >>> for step in range(3):
/// ...     near = zg.closest_features(cube, cube, pose_b=zg.pose(xyz=(0.3, 0.1, 2 - 0.25 * step)), start=start)
/// ...     start = near.found
/// >>> near
/// <zerogap.ClosestFeatures: face 5 on face 4, 0.5 m along (0, 0, 1)>
/// >>> near.steps
/// 1
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, start = None))]
pub(crate) fn closest_features(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    start: Option<u64>,
) -> PyResult<PyClosestFeatures> {
    let (a, b) = (Solid::given("a", a)?, Solid::given("b", b)?);
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let start = start.map(ContactId::unpacked).map(|id| ContactId { a: a.inner(id.a), b: b.inner(id.b) });
    let near = py.detach(|| convex::closest_features(&a.polyhedron, &pose_a, &b.polyhedron, &pose_b, start));
    let named = |id: ContactId| ContactId { a: a.outer(id.a), b: b.outer(id.b) };
    let near = ClosestFeatures { found: named(near.found), features: named(near.features), ..near };
    Ok(PyClosestFeatures { near })
}

/// A polyhedron, or a box as one, under the names that its features have everywhere.
struct Solid {
    polyhedron: Arc<Polyhedron>,
    /// Of a box, the names of the polyhedron's edges and faces.
    names: Option<BoxNames>,
}

/// What a box calls the edges and faces of its polyhedron; corners have the same names in both.
struct BoxNames {
    edges: Vec<u32>,
    faces: Vec<u32>,
}

impl Solid {
    /// The polyhedron that a caller passed; `what` names the argument.
    fn given(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        match given_convex(what, value)? {
            ConvexShape::Polyhedron(polyhedron) => Ok(Self { polyhedron, names: None }),
            ConvexShape::Cuboid(cuboid) => {
                let polyhedron = Polyhedron::from_points(&cuboid.corners()).map_err(geometry)?;
                let names = Some(BoxNames::of(&polyhedron));
                Ok(Self { polyhedron: Arc::new(polyhedron), names })
            }
            other => Err(PyValueError::new_err(format!(
                "{what} is {}: this needs a polyhedron or a box (zg.distance takes all)",
                with_article(other.kind())
            ))),
        }
    }

    /// The public name of a feature of the polyhedron.
    fn outer(&self, feature: Feature) -> Feature {
        self.renamed(feature, |names, index| names.get(index as usize).copied())
    }

    /// The polyhedron's name of a feature.
    fn inner(&self, feature: Feature) -> Feature {
        self.renamed(feature, |names, index| {
            names.iter().position(|name| *name == index).and_then(|index| u32::try_from(index).ok())
        })
    }

    /// A feature under another name; as it is where it has none.
    fn renamed(&self, feature: Feature, name: impl Fn(&[u32], u32) -> Option<u32>) -> Feature {
        let Some(names) = &self.names else { return feature };
        match feature {
            Feature::Edge(index) => Feature::Edge(name(&names.edges, index).unwrap_or(index)),
            Feature::Face(index) => Feature::Face(name(&names.faces, index).unwrap_or(index)),
            Feature::Vertex(_) | Feature::Surface(_) => feature,
        }
    }
}

impl BoxNames {
    fn of(polyhedron: &Polyhedron) -> Self {
        let edges = polyhedron.edges().iter().map(|edge| place(&Cuboid::EDGES, &edge.vertices));
        let faces =
            (0..polyhedron.face_count()).map(|face| place(&Cuboid::FACES, polyhedron.face_vertices(face)));
        Self { edges: edges.collect(), faces: faces.collect() }
    }
}

/// Which of the features of a box has these corners.
fn place<const N: usize>(features: &[[u32; N]], corners: &[u32]) -> u32 {
    let has = |feature: &&[u32; N]| corners.iter().all(|corner| feature.contains(corner));
    features.iter().take_while(|feature| !has(feature)).count() as u32
}
