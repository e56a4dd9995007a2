//! Distances and contacts of meshes as they are.

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::meshes::{MeshMeasured, Solid, measure};
use zerogap::proximity::mesh::{
    MeshContactParams, MeshDistanceParams, MeshError, MeshWork, Order, mesh_contacts_into, mesh_intersects,
};
use zerogap::{Contact, Pose, Shape};

use crate::arrays::{Array1, shown_number, vector};
use crate::body::given;
use crate::columns::{ContactArrays, ContactColumns, contact_class, counted};
use crate::mesh::PyMesh;
use crate::shape::PyShape;
use crate::user::answer;

/// The signed distance of two bodies of which at least one is a mesh, as it is.
///
/// ``gap`` is the distance of the surfaces apart; where closed meshes overlap it is less the local depth of the deepest region. ``distance`` is that of the surfaces, 0 where they cross. The exact
/// signed distance lies in ``[lower, upper]`` whatever ended the search; in overlap it is less the shortest translation that separates the two.
#[pyclass(name = "MeshGap", module = "zerogap", frozen)]
pub(crate) struct PyMeshGap {
    pub(crate) found: MeshMeasured,
    pub(crate) overlaps: Vec<Contact>,
}

#[pymethods]
impl PyMeshGap {
    /// Signed distance [m]; in overlap less the depth of the deepest region.
    #[getter]
    fn gap(&self) -> f64 {
        self.found.gap
    }

    /// Distance of the surfaces [m], 0 where they cross.
    #[getter]
    fn distance(&self) -> f64 {
        self.found.distance
    }

    /// The exact signed distance is no smaller [m].
    #[getter]
    fn lower(&self) -> f64 {
        self.found.lower
    }

    /// The exact signed distance is no larger [m].
    #[getter]
    fn upper(&self) -> f64 {
        self.found.upper
    }

    /// Unit vector from A to B.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.found.normal.into())
    }

    /// ``"unique"``, or ``"chosen"`` where another normal would have done as well.
    #[getter]
    fn normal_kind(&self) -> &'static str {
        self.found.normal_kind
    }

    /// The point of A [m]: the nearest one apart, the deepest one in overlap.
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.found.point_a.into())
    }

    /// The point of B [m].
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Array1<'py> {
        vector(py, self.found.point_b.into())
    }

    /// The triangles that hold the nearest points of the surfaces, by the meshes' numbers.
    #[getter]
    fn triangles(&self) -> (u32, u32) {
        (self.found.triangles[0], self.found.triangles[1])
    }

    /// How the search ended: ``"exact"``, ``"converged"``, ``"farther"`` (than the cutoff) or ``"limited"`` (by the budget); in overlap ``"local_depth"``, or ``"depth_unknown"`` where
    /// the surfaces cross and no depth was found.
    #[getter]
    fn status(&self) -> &'static str {
        self.found.status
    }

    /// Pairs of nodes of the two hierarchies that were evaluated.
    #[getter]
    fn pops(&self) -> u64 {
        self.found.pops
    }

    /// Pairs of triangles that were measured.
    #[getter]
    fn measured(&self) -> u64 {
        self.found.measured
    }

    /// The regions in which the two overlap, each by its deepest point.
    #[getter]
    fn overlaps(&self, py: Python<'_>) -> PyMeshContacts {
        PyMeshContacts::new(py, &self.overlaps)
    }

    /// Why a depth is unknown where surfaces cross, such as that both meshes are open; None where it is known.
    #[getter]
    fn depth_unknown(&self) -> Option<&str> {
        self.found.depth_unknown.as_deref()
    }

    fn __repr__(&self) -> String {
        let m = &self.found;
        let [gap, lower, upper] = [m.gap, m.lower, m.upper].map(shown_number);
        let regions = self.overlaps.iter().filter(|contact| contact.gap < 0.0).count();
        if regions > 0 {
            return format!("<zerogap.MeshGap: {gap} m, overlap in {regions} regions>");
        }
        format!("<zerogap.MeshGap: {gap} m, {}, between {lower} and {upper}>", m.status)
    }
}

contact_class! {
    /// Where two bodies of which at least one is a mesh touch, nearly do or overlap. Arrays have a row for each contact, in ascending order of their ids; each has a normal of its own.
    ///
    /// Ids name vertices and triangles by the mesh's numbers, and edges in the order of their two vertices.
    pub(crate) struct PyMeshContacts = "MeshContacts" {
        columns {}
        others {}
        methods {
            fn __len__(&self, py: Python<'_>) -> usize {
                self.gap.bind(py).len()
            }

            fn __repr__(&self, py: Python<'_>) -> String {
                format!("<zerogap.MeshContacts: {}>", counted(self.__len__(py), "point", "points"))
            }
        }
    }
}

impl PyMeshContacts {
    fn new(py: Python<'_>, contacts: &[Contact]) -> Self {
        let mut columns = ContactColumns::default();
        columns.extend(contacts);
        let ContactArrays { gap, normal, point_a, point_b, id } = columns.into_arrays(py);
        Self { gap, normal, point_a, point_b, id }
    }
}

/// Whether a caller passed a mesh, or a shape that is one.
pub(crate) fn is_mesh(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyMesh>()
        || value.cast::<PyShape>().is_ok_and(|shape| matches!(shape.get().shape, Shape::Mesh(_)))
}

/// The body that a caller passed; a mesh as it is.
fn solid(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Solid> {
    if let Ok(mesh) = value.cast::<PyMesh>() {
        let mesh = mesh.get();
        return Ok(Solid::Mesh(value.py().detach(|| mesh.body())));
    }
    let shape = match value.cast::<PyShape>() {
        Ok(shape) => shape.get().shape.clone(),
        Err(_) => given(what, value)?.shape,
    };
    value
        .py()
        .detach(|| Solid::of_shape(shape))
        .map_err(|error| PyValueError::new_err(format!("{what}: {error}")))
}

/// Two bodies.
pub(crate) fn solids(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<[Solid; 2]> {
    Ok([solid("a", a)?, solid("b", b)?])
}

fn refused(error: &MeshError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// When a search may end early.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Anytime<'p> {
    pub(crate) cutoff: Option<f64>,
    pub(crate) absolute: Option<f64>,
    pub(crate) relative: Option<f64>,
    pub(crate) nearer_than: Option<f64>,
    pub(crate) budget: Option<u64>,
    pub(crate) order: Option<&'p str>,
}

impl Anytime<'_> {
    /// Whether anything but the cutoff was asked for, which convex shapes know as well.
    pub(crate) fn is_asked(&self) -> bool {
        let Self { absolute, relative, nearer_than, budget, order, .. } = self;
        [absolute, relative, nearer_than].iter().any(|x| x.is_some()) || budget.is_some() || order.is_some()
    }

    pub(crate) fn params(&self) -> PyResult<MeshDistanceParams> {
        let default = MeshDistanceParams::default();
        let check = |name: &str, value: Option<f64>, default: f64| match value {
            Some(value) if value.is_nan() || value < 0.0 => {
                Err(PyValueError::new_err(format!("{name} is {value}: it must be 0 or more")))
            }
            value => Ok(value.unwrap_or(default)),
        };
        let order = match self.order {
            None | Some("depth-first") => Order::DepthFirst,
            Some("best-first") => Order::BestFirst,
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "order is '{other}': use 'depth-first' or 'best-first'"
                )));
            }
        };
        Ok(MeshDistanceParams {
            absolute: check("absolute", self.absolute, default.absolute)?,
            relative: check("relative", self.relative, default.relative)?,
            nearer_than: check("nearer_than", self.nearer_than, default.nearer_than)?,
            farther_than: check("cutoff", self.cutoff, default.farther_than)?,
            budget: self.budget.unwrap_or(default.budget),
            order,
            ..default
        })
    }
}

/// The distance of two bodies, a mesh among them.
pub(crate) fn mesh_gap(
    py: Python<'_>,
    [a, b]: &[Solid; 2],
    [pose_a, pose_b]: &[Pose; 2],
    asked: &Anytime<'_>,
) -> PyResult<PyMeshGap> {
    let params = asked.params()?;
    let found = answer(py, || measure(a, pose_a, b, pose_b, &params, &mut MeshWork::default()))?;
    let (found, overlaps) = found.map_err(|error| refused(&error))?;
    Ok(PyMeshGap { found, overlaps: overlaps.iter().map(|overlap| overlap.contact).collect() })
}

/// Whether two bodies, a mesh among them, have a point in common.
pub(crate) fn meshes_intersect(
    py: Python<'_>,
    [a, b]: &[Solid; 2],
    [pose_a, pose_b]: &[Pose; 2],
) -> PyResult<bool> {
    answer(py, || mesh_intersects(a.side(), pose_a, b.side(), pose_b, &mut MeshWork::default()))?
        .map_err(|error| refused(&error))
}

/// The contacts of two bodies, a mesh among them.
pub(crate) fn mesh_contacts(
    py: Python<'_>,
    [a, b]: &[Solid; 2],
    [pose_a, pose_b]: &[Pose; 2],
    within: f64,
) -> PyResult<PyMeshContacts> {
    let mut contacts = Vec::new();
    let params = MeshContactParams::within(within);
    answer(py, || {
        mesh_contacts_into(
            a.side(),
            pose_a,
            b.side(),
            pose_b,
            &params,
            &mut MeshWork::default(),
            &mut contacts,
        )
    })?
    .map_err(|error| refused(&error))?;
    Ok(PyMeshContacts::new(py, &contacts))
}
