//! All collisions of two meshes within a step, by their features.

use numpy::{IntoPyArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zerogap::Contact;
use zerogap::impact::all_collisions;
use zerogap::motion::{FirstContact, ImpactParams};

use crate::columns::{ContactArrays, ContactColumns, contact_class, counted};
use crate::impact::check_length;
use crate::moving::{Asked, Moves, refused};
use crate::pickle::Kept1;
use crate::quantity::arg;
use crate::user::answer;

contact_class! {
    /// Features of two meshes that collide within a step, vertices with faces and edges with edges. Arrays have a row for each pair of features, by time; ``len(found)`` of them.
    ///
    /// Gaps, normals and points are those at ``t``.
    pub(crate) struct PyCollisions = "Collisions" {
        columns {
            /// Proven free before [s], (n,).
            t: Kept1<f64>,
            /// They touch by then, at the speed at which they close in at ``t`` [s], (n,).
            t_upper: Kept1<f64>,
            /// How fast the nearest points move apart at ``t`` [m/s], negative where they close in, (n,).
            gap_rate: Kept1<f64>,
        }
        others {}
        methods {
            fn __len__(&self, py: Python<'_>) -> usize {
                self.t.bind(py).len()
            }

            fn __repr__(&self, py: Python<'_>) -> String {
                let count = counted(self.__len__(py), "pair", "pairs");
                format!("<zerogap.Collisions: {count} of features>")
            }
        }
    }
}

impl PyCollisions {
    fn new(py: Python<'_>, found: &[FirstContact]) -> Self {
        let (mut columns, mut times) = (ContactColumns::default(), [Vec::new(), Vec::new(), Vec::new()]);
        for met in found {
            // Collisions of meshes are those of features.
            let &FirstContact { gap, normal, point_a, point_b, features: Some(id), .. } = met else {
                continue;
            };
            columns.extend(&[Contact { gap, normal, point_a, point_b, id }]);
            for (column, value) in times.iter_mut().zip([met.t, met.t_upper, met.gap_rate]) {
                column.push(value);
            }
        }
        let ContactArrays { gap, normal, point_a, point_b, id } = columns.into_arrays(py);
        let [t, t_upper, gap_rate] = times.map(|column| column.into_pyarray(py).unbind());
        Self { gap, normal, point_a, point_b, id, t, t_upper, gap_rate }
    }
}

/// All collisions of two meshes within `duration` [s]: every vertex that collides with a face and every edge that collides with an edge, each with the first time that it does.
///
/// Meshes and motions as in :func:`time_of_impact`, without paths. What neighbouring features report of one and the same collision is reported once. Features that begin in contact
/// are reported at 0 if they close in, and not at all if they rest, slide or part.
///
/// >>> import zerogap as zg
/// >>> cube = zg.parts.box(width=1, depth=1, height=1)
/// >>> found = zg.step_collisions(cube, cube, pose_b=zg.pose(xyz=(0.25, 0.125, 1.5)), velocity_b=(0, 0, -1), duration=1.0)
/// >>> round(float(found.t[0]), 6), float(found.normal[0, 2])
/// (0.5, 1.0)
#[pyfunction]
#[pyo3(signature = (a, b, pose_a = None, pose_b = None, *, to_a = None, to_b = None, velocity_a = None, velocity_b = None, spin_a = None, spin_b = None, duration = 1.0, screw = false, tolerance = 1e-8))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn step_collisions(
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
    #[pyo3(from_py_with = arg::duration)] duration: f64,
    screw: bool,
    #[pyo3(from_py_with = arg::tolerance)] tolerance: f64,
) -> PyResult<PyCollisions> {
    let moves = Moves {
        to: [to_a, to_b],
        velocity: [velocity_a, velocity_b],
        spin: [spin_a, spin_b],
        path: [None, None],
        duration,
        screw,
        form: "mesh",
    };
    let Asked { a, path_a, b, path_b } = Asked::new(py, [a, b], [pose_a, pose_b], &moves)?;
    check_length("tolerance", tolerance)?;
    let params = ImpactParams { tolerance, ..ImpactParams::default() };
    let found = answer(py, || all_collisions(&a, &path_a, &b, &path_b, &params))?;
    let Some(found) = found else {
        let message = "collisions are those of features of two meshes, and these are not both meshes";
        return Err(PyValueError::new_err(message));
    };
    Ok(PyCollisions::new(py, &found.map_err(|error| refused(&error))?))
}
