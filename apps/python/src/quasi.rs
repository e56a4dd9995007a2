//! Complexes, and contacts by quasi-LMDs.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::complexes::{ComplexInspection, ComplexTarget, ComplexTargetError, overlap_words};
use zerogap::geometry::ComplexOptions;
use zerogap::geometry::complex::{ComplexShape, Simplices, Treatment};
use zerogap::proximity::lmd::{QuasiParams, QuasiStatus, QuasiWork, quasi_contacts_into};
use zerogap::settings::CollisionSettings;
use zerogap::target::ReadOptions;
use zerogap::world::{Collision, QuasiLmd};
use zerogap::{Pose, Shape};

use crate::arrays::{shown_number, vectors, vertex_rows};
use crate::cache::PyContactCache;
use crate::columns::{ContactArrays, ContactColumns, contact_class, counted};
use crate::error::{geometry, target, warn};
use crate::mass::PyMassProperties;
use crate::mesh::PyMesh;
use crate::pickle::{Kept1, Kept2};
use crate::pose::pose_or_identity;
use crate::quantity::arg;
use crate::shape::PyShape;

/// A mesh or shape made ready for contacts by quasi-LMDs: its faces with the directions in which each can be touched, and a hierarchy over them.
///
/// Closed meshes are volumes, others shells; `treat` can ask for ``"volume"`` or ``"shell"``. Bodies are inflated by `dilation` [m]; with `inset` the
/// surfaces of volumes are moved inward by as much first, so that the inflated body is the one given. Balls and capsules are points and segments with their radius as
/// dilation. Making one takes about as long as hundreds of queries: keep it.
///
/// With `tetrahedra`, `triangles`, `segments` or `points` the first argument is an (n, 3) array of vertices [m], and these are rows of 4, 3 and 2
/// indices, and indices: solids, sheets, wires and points with common joints make one body. OBJ files have lines and points too. In a world a complex is a shape
/// that collides by quasi-LMDs with its own dilation.
///
/// >>> import zerogap as zg
/// >>> zg.Complex(zg.parts.hole_plate(), dilation=2e-5, inset=True)
/// <zerogap.Complex of 624 faces: 1 volume, inflated by 0.00002 m>
#[pyclass(name = "Complex", module = "zerogap", frozen)]
pub(crate) struct PyComplex {
    target: Arc<ComplexTarget>,
}

#[pymethods]
impl PyComplex {
    #[new]
    #[pyo3(signature = (body, *, tetrahedra = None, triangles = None, segments = None, points = None, dilation = 0.0, inset = false, treat = "auto", flat_angle = 1e-3))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        body: &Bound<'_, PyAny>,
        tetrahedra: Option<&Bound<'_, PyAny>>,
        triangles: Option<&Bound<'_, PyAny>>,
        segments: Option<&Bound<'_, PyAny>>,
        points: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg::dilation)] dilation: f64,
        inset: bool,
        treat: &str,
        #[pyo3(from_py_with = arg::flat_angle)] flat_angle: f64,
    ) -> PyResult<Self> {
        let treatment = match treat {
            "auto" => Treatment::Auto,
            "volume" => Treatment::Volume,
            "shell" => Treatment::Shell,
            other => {
                let message = format!("treat is '{other}': it must be 'auto', 'volume' or 'shell'");
                return Err(PyValueError::new_err(message));
            }
        };
        let options = ComplexOptions { dilation, inset, treatment, flat_angle, ..ComplexOptions::default() };
        let given = [tetrahedra, triangles, segments, points];
        if given.iter().all(Option::is_none) {
            return Ok(Self { target: complex_of("body", body, &options)? });
        }
        let simplices = Simplices {
            vertices: vectors("vertices", &arg::vertices(body)?)?.rows,
            tetrahedra: tetrahedra.map_or_else(|| Ok(Vec::new()), |rows| vertex_rows("tetrahedra", rows))?,
            triangles: triangles.map_or_else(|| Ok(Vec::new()), |rows| vertex_rows("triangles", rows))?,
            edges: segments.map_or_else(|| Ok(Vec::new()), |rows| vertex_rows("segments", rows))?,
            points: points.map_or_else(|| Ok(Vec::new()), pyo3::types::PyAnyMethods::extract).map_err(
                |_| PyValueError::new_err("points must be a list of indices of vertices, from 0 on"),
            )?,
        };
        let wrong = |error: String| PyValueError::new_err(error);
        let made = body.py().detach(|| {
            let shape = ComplexShape::new(simplices).map_err(|error| error.to_string())?;
            ComplexTarget::of_shape("complex", &shape.into(), &options).map_err(|error| error.to_string())
        });
        Ok(Self { target: Arc::new(made.map_err(wrong)?) })
    }

    /// Mass properties at a density [kg/m³]: volumes by their inside, shells as sheets of twice the dilation, lines as wires and points as balls with the dilation as radius.
    fn mass_properties(
        &self,
        #[pyo3(from_py_with = arg::density)] density: f64,
    ) -> PyResult<PyMassProperties> {
        let (shape, options) = &self.target.source;
        let properties = collision(options, 0.0).mass_properties(shape, density).map_err(geometry)?;
        Ok(PyMassProperties { properties })
    }

    /// In a phrase: ``1 volume; 12 triangles mended``.
    #[getter]
    fn summary(&self) -> &str {
        self.report().map_or("half-space", |report| &report.summary)
    }

    /// The connected parts: kind (``"volume"``, ``"cavity"`` or ``"shell"``), triangles, and why.
    #[getter]
    fn parts(&self) -> Vec<(&'static str, usize, String)> {
        let parts = self.report().map_or(&[][..], |report| &report.parts);
        parts.iter().map(|part| (part.kind, part.triangles, part.reason.clone())).collect()
    }

    /// How many faces each class has, 0 to 7.
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let classes = self.report().map_or([0; 8], |report| report.classes);
        classes.map(|count| count as u64).to_vec().into_pyarray(py)
    }

    /// Triangles that were ``collapsed``, ``mended``, ``dropped`` or ``repeated``, by number.
    #[getter]
    fn repairs(&self) -> Vec<(&'static str, Vec<u32>)> {
        self.report().map_or_else(Vec::new, |report| {
            vec![
                ("collapsed", report.collapsed.clone()),
                ("mended", report.mended.clone()),
                ("dropped", report.dropped.clone()),
                ("repeated", report.duplicates.clone()),
            ]
        })
    }

    /// The radius that the body is inflated by [m].
    #[getter]
    fn dilation(&self) -> f64 {
        self.target.body.dilation()
    }

    /// Largest distance of the original corners from the inflated body where the surface was moved inward first [m]; None elsewhere.
    #[getter]
    fn corner_error(&self) -> Option<f64> {
        self.report().and_then(|report| report.corner_error)
    }

    /// Largest distance of the original faces from those of the inflated body there [m]; None elsewhere.
    #[getter]
    fn plane_error(&self) -> Option<f64> {
        self.report().and_then(|report| report.plane_error)
    }

    fn __repr__(&self) -> String {
        let faces = self.target.body.complex().map_or(1, zerogap::geometry::Complex::face_count);
        let summary = self.summary();
        format!(
            "<zerogap.Complex of {faces} faces: {summary}, inflated by {} m>",
            shown_number(self.dilation())
        )
    }
}

impl PyComplex {
    /// As a shape of a world, with what is its own: dilation and inset.
    pub(crate) fn as_shape(&self, what: &str, settings: &CollisionSettings) -> PyResult<(Shape, Collision)> {
        let refuse = |why: &str| Err(PyValueError::new_err(format!("{what} is a complex: {why}")));
        if !matches!(settings.collision, "auto" | "quasi-lmd") {
            return refuse("it collides by \"quasi-lmd\", which is its default");
        }
        let (shape, options) = &self.target.source;
        let usual = ComplexOptions::default();
        if options.treatment != usual.treatment || options.flat_angle.to_bits() != usual.flat_angle.to_bits()
        {
            return refuse("a world treats every part by itself; leave treat and flat_angle out");
        }
        Ok((shape.clone(), collision(options, settings.quasi.angular_tolerance)))
    }

    fn report(&self) -> Option<&ComplexInspection> {
        self.target.complex.as_ref()
    }
}

/// How a complex collides that was made with options.
fn collision(options: &ComplexOptions, angular_tolerance: f64) -> Collision {
    Collision::QuasiLmd(QuasiLmd {
        angular_tolerance,
        dilation: Some(options.dilation),
        inset: options.inset,
    })
}

/// The complex that a caller passed: one made before, a mesh, a shape, or a word or path.
fn complex_of(
    what: &str,
    value: &Bound<'_, PyAny>,
    options: &ComplexOptions,
) -> PyResult<Arc<ComplexTarget>> {
    let py = value.py();
    if let Ok(complex) = value.cast::<PyComplex>() {
        return Ok(Arc::clone(&complex.get().target));
    }
    let failed = |error: ComplexTargetError| match error {
        ComplexTargetError::Target(error) => target(py, &error),
        other => PyValueError::new_err(other.to_string()),
    };
    let shape = if let Ok(mesh) = value.cast::<PyMesh>() {
        Some(Shape::Mesh(Arc::clone(&mesh.get().mesh)))
    } else {
        value.cast::<PyShape>().ok().map(|shape| shape.get().shape.clone())
    };
    let made = if let Some(shape) = shape {
        py.detach(|| ComplexTarget::of_shape(what, &shape, options))
    } else if let Ok(path) = value.extract::<PathBuf>() {
        let word = path.to_string_lossy().into_owned();
        py.detach(|| ComplexTarget::resolve(&word, &ReadOptions::default(), options))
    } else {
        let kind = value.get_type().name()?;
        let message =
            format!("{what} must be a complex, mesh or shape, or a word or path that names one, not {kind}");
        return Err(PyTypeError::new_err(message));
    };
    let made = made.map_err(failed)?;
    warn(py, &made.read.warnings)?;
    Ok(Arc::new(made))
}

/// Whether one of two bodies was made for quasi-LMDs.
pub(crate) fn is_complex(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> bool {
    a.is_instance_of::<PyComplex>() || b.is_instance_of::<PyComplex>()
}

contact_class! {
    /// Contacts of two bodies A and B by quasi-LMDs. Arrays have a row for each contact, by face of A and then of B; ``len(found)`` of them.
    ///
    /// Gaps are those of the inflated surfaces; each contact has a normal of its own.
    pub(crate) struct PyQuasiContacts = "QuasiContacts" {
        columns {
            /// Distance of the complexes, not inflated [m], (n,).
            distance: Kept1<f64>,
            /// Classes of the faces of A and B, (n, 2): 0 corner, 1 on a straight crease, 2 crease, 3 rim of a flat face, 4 inside one, 5 flat edge, 6 triangle.
            classes: Kept2<u8>,
        }
        others {
            /// ``"separated"``, or ``"base intersecting"`` where the complexes are not apart: contacts are then missing or have the wrong sign.
            #[pyo3(get)]
            status: &'static str,
            /// Lower bound of the distance of the complexes [m]; None where they intersect.
            #[pyo3(get)]
            base_distance: Option<f64>,
            /// Where they intersect, in words.
            #[pyo3(get)]
            overlaps: Vec<String>,
        }
        methods {
            fn __len__(&self, py: Python<'_>) -> usize {
                self.gap.bind(py).len()
            }

            fn __repr__(&self, py: Python<'_>) -> String {
                let points = match self.__len__(py) {
                    0 => "none".to_owned(),
                    count => counted(count, "point", "points"),
                };
                format!("<zerogap.QuasiContacts: {points}, {}>", self.status)
            }
        }
    }
}

/// How a caller asks for quasi-LMDs.
pub(crate) struct Asked {
    pub(crate) within: f64,
    pub(crate) angular_tolerance: Option<f64>,
    pub(crate) dilation: Option<f64>,
    pub(crate) inset: bool,
    pub(crate) check_overlap: bool,
}

/// The contacts of two bodies by quasi-LMDs.
pub(crate) fn quasi_contacts(
    py: Python<'_>,
    (a, b): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    pose_a: Option<&Bound<'_, PyAny>>,
    pose_b: Option<&Bound<'_, PyAny>>,
    asked: &Asked,
    cache: Option<&PyContactCache>,
) -> PyResult<PyQuasiContacts> {
    let default = QuasiParams::default();
    let angular_tolerance = asked.angular_tolerance.unwrap_or(default.angular_tolerance);
    if !(0.0..=std::f64::consts::FRAC_PI_2).contains(&angular_tolerance) {
        return Err(PyValueError::new_err(format!(
            "angular_tolerance is {angular_tolerance}: it must be an angle from 0 to pi/2"
        )));
    }
    if asked.within.is_nan() || asked.within < 0.0 {
        let message = format!("within is {}: it must be a length of 0 or more", asked.within);
        return Err(PyValueError::new_err(message));
    }
    let options = ComplexOptions {
        dilation: asked.dilation.unwrap_or(0.0),
        inset: asked.inset,
        ..ComplexOptions::default()
    };
    let (a, b) = (complex_of("a", a, &options)?, complex_of("b", b, &options)?);
    let (pose_a, pose_b) = (pose_or_identity("pose_a", pose_a)?, pose_or_identity("pose_b", pose_b)?);
    let check_overlap = asked.check_overlap;
    let params = QuasiParams { angular_tolerance, within: asked.within, check_overlap, ..default };
    let ask = |work: &mut QuasiWork| answered(py, (&a, &pose_a), (&b, &pose_b), &params, work);
    match cache {
        Some(cache) => cache.quasi().ask(ask),
        None => ask(&mut QuasiWork::default()),
    }
}

/// The answer to a question about two complexes with what is kept of them.
fn answered(
    py: Python<'_>,
    (a, pose_a): (&ComplexTarget, &Pose),
    (b, pose_b): (&ComplexTarget, &Pose),
    params: &QuasiParams,
    work: &mut QuasiWork,
) -> PyResult<PyQuasiContacts> {
    let mut found = Vec::new();
    let status =
        py.detach(|| quasi_contacts_into(&a.body, pose_a, &b.body, pose_b, params, work, &mut found));
    let (status, base_distance) = match status {
        QuasiStatus::Separated { base_distance } => ("separated", Some(base_distance)),
        QuasiStatus::BaseIntersecting => ("base intersecting", None),
        QuasiStatus::BothUnbounded => {
            return Err(PyValueError::new_err(
                "two half-spaces have no contacts: one of the two must be bounded",
            ));
        }
    };
    let mut columns = ContactColumns::default();
    columns.extend(found.iter().map(|quasi| &quasi.contact));
    let ContactArrays { gap, normal, point_a, point_b, id } = columns.into_arrays(py);
    let classes: Vec<u8> = found.iter().flat_map(|quasi| quasi.classes).collect();
    let distance: Vec<f64> = found.iter().map(|quasi| quasi.distance).collect();
    Ok(PyQuasiContacts {
        gap,
        normal,
        point_a,
        point_b,
        id,
        distance: distance.into_pyarray(py).unbind(),
        classes: classes.into_pyarray(py).reshape([found.len(), 2])?.unbind(),
        status,
        base_distance,
        overlaps: work.overlaps().iter().map(overlap_words).collect(),
    })
}

/// The same surface with no edge longer than `edge` [m].
///
/// Vertices at the same place become one first; those that were there keep their order.
///
/// >>> import zerogap as zg
/// >>> fine = zg.refine(zg.parts.box(), edge=0.01)
/// >>> fine.topology().watertight
/// True
#[pyfunction]
pub(crate) fn refine(
    py: Python<'_>,
    mesh: &PyMesh,
    #[pyo3(from_py_with = arg::edge)] edge: f64,
) -> PyResult<PyMesh> {
    let refined = py.detach(|| {
        let welded = mesh.mesh.welded(0.0).map_err(|error| error.to_string())?;
        welded.refined(edge).map_err(|error| error.to_string())
    });
    Ok(refined.map_err(PyValueError::new_err)?.mesh.into())
}
