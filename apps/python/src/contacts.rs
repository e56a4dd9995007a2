//! Where two shapes touch or nearly do.

use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zerogap::proximity::collider::{ColliderCache, ColliderPair, ContactSet, contacts_into};
use zerogap::proximity::convex;
use zerogap::{ContactId, ContactParams, Manifold, NormalKind};

use crate::arrays::{pairs_of, shown_number};
use crate::body::{Given, given};
use crate::cache::PyContactCache;
use crate::columns::{ColumnClass, ContactArrays, ContactColumns, contact_class, counted};
use crate::distance::{PyGap, check_tolerance};
use crate::meshes::{is_mesh, mesh_contacts, solids};
use crate::pickle::{Kept2, Reduced, bytes_of, maker, value_of};
use crate::pose::pose_or_identity;
use crate::quantity::arg;
use crate::quasi::{Asked, is_complex, quasi_contacts};
use crate::user::answer;

contact_class! {
    /// Where two shapes A and B touch or nearly do: the corners of the point, segment or convex polygon in which they meet.
    ///
    /// Arrays have a row for each contact, in order around the polygon; ``len(found)`` of them. Always ``point_b - point_a == gap * normal`` to
    /// rounding. All normals are the same.
    pub(crate) struct PyContacts = "Contacts" {
        columns {
            /// The pieces of A and B that each contact is between, (n, 2); 0 for what is not a compound. Ids are unique within a pair of pieces.
            pieces: Kept2<i64>,
        }
        others {
            /// The gap of the shapes, with its certificate: no contact has a smaller one.
            #[pyo3(get)]
            distance: Py<PyGap>,
            /// ``"unique"``, or ``"chosen"`` where another normal would have done as well.
            #[pyo3(get)]
            normal_kind: &'static str,
            met: Option<ContactId>,
            line: String,
        }
        methods {
            /// The most general feature of A that meets B, such as ``"face 5"``; None where there are no contacts.
            #[getter]
            fn feature_a(&self) -> Option<String> {
                self.met.map(|id| id.a.to_string())
            }

            /// The most general feature of B that meets A; None where there are no contacts.
            #[getter]
            fn feature_b(&self) -> Option<String> {
                self.met.map(|id| id.b.to_string())
            }

            fn __len__(&self, py: Python<'_>) -> usize {
                self.gap.bind(py).len()
            }

            fn __repr__(&self) -> &str {
                &self.line
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, Kept<'py>>> {
                let rest = (self.normal_kind == NormalKind::Unique.word(), self.met, self.line.clone());
                let kept = (self.columns(py), self.distance.clone_ref(py), bytes_of(py, &rest)?);
                Ok((maker(py, "_contacts")?, kept))
            }
        }
    }
}

/// All arrays in order, the gap of the shapes, and the rest.
type Kept<'py> = (<PyContacts as ColumnClass>::Columns, Py<PyGap>, Bound<'py, PyBytes>);

/// Makes contacts again.
#[pyfunction]
pub(crate) fn _contacts(
    columns: <PyContacts as ColumnClass>::Columns,
    distance: Py<PyGap>,
    rest: &[u8],
) -> PyResult<PyContacts> {
    let (is_unique, met, line): (bool, Option<ContactId>, String) = value_of(rest)?;
    let normal_kind = if is_unique { NormalKind::Unique } else { NormalKind::Chosen }.word();
    let (gap, normal, point_a, point_b, id, pieces) = columns;
    Ok(PyContacts { gap, normal, point_a, point_b, id, pieces, distance, normal_kind, met, line })
}

impl PyContacts {
    fn new(py: Python<'_>, set: &ContactSet, a: &Given, b: &Given) -> PyResult<Self> {
        let manifold = &set.manifold;
        let numbers = (0..manifold.contacts.len()).map(|k| set.pieces.get(k).copied().unwrap_or_default());
        let pieces = pairs_of(py, numbers.flatten().map(i64::from).collect()).unbind();
        let mut columns = ContactColumns::default();
        columns.extend(&manifold.contacts);
        let ContactArrays { gap, normal, point_a, point_b, id } = columns.into_arrays(py);
        let distance = Py::new(py, PyGap { gap: manifold.gap, a: a.phrase(), b: b.phrase() })?;
        Ok(Self {
            gap,
            normal,
            point_a,
            point_b,
            id,
            pieces,
            distance,
            normal_kind: manifold.normal_kind.word(),
            met: manifold.features,
            line: shown(manifold),
        })
    }
}

/// A manifold in a line.
fn shown(manifold: &Manifold) -> String {
    let Some(features) = manifold.features else {
        return format!("<zerogap.Contacts: none, apart by at least {} m>", shown_number(manifold.gap.lower));
    };
    let [gap, x, y, z] =
        [manifold.gap.gap, manifold.normal.x, manifold.normal.y, manifold.normal.z].map(shown_number);
    let points = counted(manifold.contacts.len(), "point", "points");
    format!("<zerogap.Contacts: {points}, {features}, gap {gap} m along ({x}, {y}, {z})>")
}

/// Where two convex shapes, or a convex shape and a half-space, touch or nearly do.
///
/// Contacts with gaps up to `within` [m] count; shapes farther apart have none. `at_most_four` keeps the deepest contact and those that span the
/// most area with it. `arc_tolerance` says how far the rim of a disc may rise over the chords between its sampled points, against the radius:
/// 0.08 gives 8 points. `tolerance` is the width of the bounds of the gap for curved shapes, as in :func:`distance`. With a `cache` for the
/// pair, questions that follow each other are answered faster, and normals that could be others stay as they are. Shapes and poses are given
/// as in :func:`distance`. A :class:`Mesh` is taken as it is, and the answer is a :class:`MeshContacts`: local minima of the distance within `within`, and local depths where closed meshes overlap.
///
/// With ``method="quasi-lmd"``, or where `angular_tolerance` or `dilation` is given or a body is a :class:`Complex`, contacts are local minima of the distance that persist under rotations up to
/// `angular_tolerance` [rad] (5 degrees when left out): a :class:`QuasiContacts`, in which each contact has a normal of its own and the classes of its two faces. Bodies may be meshes then. Those
/// that are no :class:`Complex` yet are inflated by `dilation` [m], after moving the surfaces of volumes inward by as much with `inset`. With a `cache` questions about two
/// :class:`Complex` that follow each other are answered faster, with the same bits. ``check_overlap=False`` leaves out the test for complexes that intersect: for callers who know that they do not.
///
/// >>> import zerogap as zg
/// >>> cube = zg.box(size=(1, 1, 1))
/// >>> zg.contacts(cube, cube, pose_b=zg.pose(xyz=(0.3, 0.2, 1.1)), within=0.2, method="quasi-lmd").classes
/// array([[0, 6],
///        [2, 2],
///        [2, 2],
///        [6, 0]], dtype=uint8)
/// >>> found = zg.contacts(cube, cube, pose_b=zg.pose(xyz=(0.5, 0, 1)))
/// >>> found
/// <zerogap.Contacts: 4 points, face 5 on face 4, gap 0 m along (0, 0, 1)>
/// >>> found.features[0], found.point_a[0]
/// (('face 5', 'vertex 0'), array([ 0. , -0.5,  0.5]))
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, within = 1e-3, at_most_four = false, arc_tolerance = 0.08, tolerance = 1e-11, cache = None, method = None, angular_tolerance = None, dilation = None, inset = false, check_overlap = true))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn contacts(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::within)] within: f64,
    at_most_four: bool,
    arc_tolerance: f64,
    tolerance: f64,
    cache: Option<&Bound<'_, PyContactCache>>,
    method: Option<&str>,
    #[pyo3(from_py_with = arg::angular_tolerance)] angular_tolerance: Option<f64>,
    #[pyo3(from_py_with = arg::dilation)] dilation: Option<f64>,
    inset: bool,
    check_overlap: bool,
) -> PyResult<Py<PyAny>> {
    let quasi = match method {
        None => angular_tolerance.is_some() || dilation.is_some() || is_complex(a, b),
        Some("manifold") => false,
        Some("quasi-lmd") => true,
        Some(other) => {
            let message = format!("method is '{other}': it must be 'manifold' or 'quasi-lmd'");
            return Err(PyValueError::new_err(message));
        }
    };
    if quasi {
        let asked = Asked { within, angular_tolerance, dilation, inset, check_overlap };
        let cache = cache.map(Bound::get);
        return Ok(Py::new(py, quasi_contacts(py, (a, b), pose_a, pose_b, &asked, cache)?)?.into_any());
    }
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let params = params(within, at_most_four, arc_tolerance, tolerance)?;
    if is_mesh(a) || is_mesh(b) {
        let found = mesh_contacts(py, &solids(a, b)?, &[pose_a, pose_b], within)?;
        return Ok(Py::new(py, found)?.into_any());
    }
    let (a, b) = (given("a", a)?, given("b", b)?);
    let mut set = ContactSet::default();
    if let (Some(cache), Some(a), Some(b)) = (cache, a.shape.as_convex(), b.shape.as_convex()) {
        cache.get().as_ref().ask(|cache| {
            let manifold = &mut set.manifold;
            answer(py, || convex::contacts_with(a, &pose_a, b, &pose_b, &params, cache, manifold))
        })?;
    } else {
        // Of others there is nothing to keep.
        let (a, b) = (a.collider(), b.collider());
        let (pair, cache) = (ColliderPair::new(&a, pose_a, &b, pose_b), &mut ColliderCache::default());
        answer(py, || contacts_into(&pair, &params, cache, &mut set))?
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(Py::new(py, PyContacts::new(py, &set, &a, &b)?)?.into_any())
}

/// What is asked of manifolds.
pub(crate) fn params(
    within: f64,
    at_most_four: bool,
    arc_tolerance: f64,
    tolerance: f64,
) -> PyResult<ContactParams> {
    if within.is_nan() || within < 0.0 {
        return Err(PyValueError::new_err(format!("within is {within}: it must be a length of 0 or more")));
    }
    let arc_tolerance = check_tolerance("arc_tolerance", arc_tolerance)?;
    let tolerance = check_tolerance("tolerance", tolerance)?;
    Ok(ContactParams { within, at_most_four, arc_tolerance, tolerance, ..ContactParams::default() })
}
