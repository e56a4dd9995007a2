//! Moving vertices, faces and edges: many questions at once.

use numpy::{IntoPyArray, PyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use zerogap::Vec3;
use zerogap::motion::{MotionError, Sweep, SweepParams, edge_edge, vertex_face};
use zerogap::threads::in_pool;

use crate::arrays::{Rows, shape_text, truths_like};
use crate::quantity::arg;

/// Questions answered before Python is asked whether the user has had enough (Ctrl-C).
const CHUNK: usize = 65_536;

/// Whether each vertex collides with its triangle while both move, and when: ``(hit, interval)``.
///
/// Vertices move on straight lines from their places at the start to those at the end: `start` and `end` are (n, 3), `face_start` and
/// `face_end` are (n, 3, 3), a corner in each row. ``hit`` is (n,), ``interval`` is (n, 2) with times from 0 to 1: before the first the
/// two surely do not touch, and by the second they do, to rounding; both are 1 without a hit. One question without the leading axis gives
/// one answer.
///
/// A contact is never missed. A hit is reported only where the two come within `min_separation` + `tolerance` [m], and rounding.
///
/// >>> import zerogap as zg
/// >>> face = [[-1, 0, 1], [1, 0, 1], [0, 0, -1]]
/// >>> hit, interval = zg.sweep_vertex_face([0, 1, 0], [0, -1, 0], face, face)
/// >>> hit, bool(interval[0] <= 0.5 <= interval[1])
/// (True, True)
#[pyfunction]
#[pyo3(signature = (start, end, face_start, face_end, *, tolerance = 1e-6, min_separation = 0.0))]
pub(crate) fn sweep_vertex_face<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arg::start)] start: Rows<'py>,
    #[pyo3(from_py_with = arg::end)] end: Rows<'py>,
    #[pyo3(from_py_with = arg::face_start)] face_start: Rows<'py>,
    #[pyo3(from_py_with = arg::face_end)] face_end: Rows<'py>,
    #[pyo3(from_py_with = arg::tolerance)] tolerance: f64,
    #[pyo3(from_py_with = arg::min_separation)] min_separation: f64,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let params = params(tolerance, min_separation)?;
    let given =
        [("start", &start, 1), ("end", &end, 1), ("face_start", &face_start, 3), ("face_end", &face_end, 3)];
    let (queries, single) = queries(&given)?;
    answer(py, queries, single, |[v, w, f, g]| vertex_face(&v[0], &w[0], &three(f), &three(g), &params))
}

/// Whether each edge A collides with its edge B while both move, and when: ``(hit, interval)``.
///
/// All four are (n, 2, 3), an end in each row: A at the start and at the end, then B. As :func:`sweep_vertex_face` otherwise.
///
/// >>> import zerogap as zg
/// >>> above, across = [[-1, 0, 1], [1, 0, 1]], [[0, -1, 0], [0, 1, 0]]
/// >>> hit, interval = zg.sweep_edge_edge(above, [[-1, 0, -1], [1, 0, -1]], across, across)
/// >>> hit, bool(interval[0] <= 0.5 <= interval[1])
/// (True, True)
#[pyfunction]
#[pyo3(signature = (a_start, a_end, b_start, b_end, *, tolerance = 1e-6, min_separation = 0.0))]
pub(crate) fn sweep_edge_edge<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arg::a_start)] a_start: Rows<'py>,
    #[pyo3(from_py_with = arg::a_end)] a_end: Rows<'py>,
    #[pyo3(from_py_with = arg::b_start)] b_start: Rows<'py>,
    #[pyo3(from_py_with = arg::b_end)] b_end: Rows<'py>,
    #[pyo3(from_py_with = arg::tolerance)] tolerance: f64,
    #[pyo3(from_py_with = arg::min_separation)] min_separation: f64,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let params = params(tolerance, min_separation)?;
    let given =
        [("a_start", &a_start, 2), ("a_end", &a_end, 2), ("b_start", &b_start, 2), ("b_end", &b_end, 2)];
    let (queries, single) = queries(&given)?;
    answer(py, queries, single, |[a, b, c, d]| edge_edge(&two(a), &two(b), &two(c), &two(d), &params))
}

fn params(tolerance: f64, min_separation: f64) -> PyResult<SweepParams> {
    for (what, value) in [("tolerance", tolerance), ("min_separation", min_separation)] {
        if !(value >= 0.0 && value.is_finite()) {
            let message = format!("{what} is {value}: it must be a length of 0 or more");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(SweepParams { tolerance, min_separation, ..SweepParams::default() })
}

/// Four arrays of points, so many to a question.
struct Queries {
    points: [Vec<Vec3>; 4],
    each: [usize; 4],
    count: usize,
}

/// The points of a question, one slice for each array.
type Question<'a> = [&'a [Vec3]; 4];

impl Queries {
    fn question(&self, k: usize) -> Question<'_> {
        std::array::from_fn(|i| &self.points[i][k * self.each[i]..(k + 1) * self.each[i]])
    }
}

/// Reads four arrays, each with so many points to a question; whether there is a single question comes with them.
fn queries(given: &[(&str, &Rows<'_>, usize); 4]) -> PyResult<(Queries, bool)> {
    let mut counts: [Option<usize>; 4] = [None; 4];
    for (count, (what, rows, each)) in counts.iter_mut().zip(given) {
        let shape = rows.shape();
        *count = match (shape, each) {
            ([3], 1) => None,
            ([n, 3], 1) => Some(*n),
            ([m, 3], each) if m == each => None,
            ([n, m, 3], each) if m == each => Some(*n),
            _ => {
                let points = if *each == 1 { String::new() } else { format!("{each}, ") };
                let message = format!("{what} must have shape (n, {points}3), not {}", shape_text(shape));
                return Err(PyValueError::new_err(message));
            }
        };
    }
    if counts.iter().any(|count| *count != counts[0]) {
        let told: Vec<String> =
            given.iter().map(|(what, rows, _)| format!("{what} {}", shape_text(rows.shape()))).collect();
        let message = format!("all four must be for equally many questions, not {}", told.join(", "));
        return Err(PyValueError::new_err(message));
    }
    let points = [0, 1, 2, 3].map(|i| {
        let numbers: Vec<f64> = given[i].1.as_array().iter().copied().collect();
        numbers.chunks_exact(3).map(|c| Vec3::new(c[0], c[1], c[2])).collect()
    });
    let each = [0, 1, 2, 3].map(|i| given[i].2);
    Ok((Queries { points, each, count: counts[0].unwrap_or(1) }, counts[0].is_none()))
}

/// Answers all questions on all cores.
fn answer(
    py: Python<'_>,
    queries: Queries,
    single: bool,
    ask: impl Fn(Question<'_>) -> Result<Sweep, MotionError> + Sync,
) -> PyResult<(Bound<'_, PyAny>, Bound<'_, PyAny>)> {
    let (mut hits, mut times) = (Vec::with_capacity(queries.count), Vec::with_capacity(2 * queries.count));
    for first in (0..queries.count).step_by(CHUNK) {
        let last = (first + CHUNK).min(queries.count);
        let found: Vec<Result<Sweep, MotionError>> = py.detach(|| {
            let questions = (first..last).into_par_iter().with_min_len(64);
            in_pool(|| questions.map(|k| ask(queries.question(k))).collect())
        });
        for (k, sweep) in found.into_iter().enumerate() {
            let place = if single { String::new() } else { format!("question {}: ", first + k) };
            let sweep = sweep.map_err(|error| PyValueError::new_err(format!("{place}{error}")))?;
            hits.push(sweep.is_hit());
            times.extend([sweep.t_lower, sweep.t_upper]);
        }
        py.check_signals()?;
    }
    let times = if single {
        times.into_pyarray(py).into_any()
    } else {
        let rows = numpy::ndarray::Array2::from_shape_vec((times.len() / 2, 2), times).unwrap_or_default();
        let rows: Bound<'_, PyArray2<f64>> = rows.into_pyarray(py);
        rows.into_any()
    };
    Ok((truths_like(py, hits, single)?, times))
}

/// Three points of a slice that has them.
fn three(points: &[Vec3]) -> [Vec3; 3] {
    std::array::from_fn(|k| points[k])
}

/// Two points of a slice that has them.
fn two(points: &[Vec3]) -> [Vec3; 2] {
    std::array::from_fn(|k| points[k])
}
