//! Many pairs at once: numpy in, numpy out, on all cores. Here are their gaps; `manifolds` asks for their contacts.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use numpy::ndarray::{Axis, Slice};
use numpy::{IntoPyArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::ThreadPool;
use zerogap::core::InputError;
use zerogap::distance::mpr_gap;
use zerogap::proximity::collider::{
    Collider, ColliderCache, ColliderError, ColliderPair, SHARE, each_pair, gap,
};
use zerogap::threads::thread_count;
use zerogap::{Gap, Pose, Vec3};

use crate::arrays::{Rows, indices, shape_text};
use crate::body::{given_many, is_user_defined};
use crate::distance::{mpr_params, params};
use crate::gaps::{GapColumns, PyGaps};
use crate::pose::{pose_of, poses_of};
use crate::quantity::arg;
use crate::user::answer_each;

/// Numbers of a pose: x y z qx qy qz qw.
const POSE: usize = 7;

/// The most pairs that are answered before Python is asked whether the user has had enough [-]: their answers stay in the processor's cache.
const LONGEST_ROUND: usize = 16384;

/// A round that takes longer is followed by a shorter one; a fourth of it, by a longer one.
const PATIENCE: Duration = Duration::from_millis(100);

/// More threads than this are refused: each costs memory [-].
const MAX_THREADS: usize = 1024;

/// The signed distances of many pairs of shapes, meshes and compounds, on all cores.
///
/// `a` and `b` are each one shape or :class:`Mesh` for all pairs, or a sequence of them. Meshes are taken as they are; where meshes or compounds overlap, the gap is the depth of
/// their deepest part, and the status ``local_depth``: the shortest separating translation lies between the bounds. `poses_a` and `poses_b` are arrays of shape (n, 7), a row
/// x y z qx qy qz qw for each pair, one pose for all pairs, or None for the identity. A sequence is taken pair by pair, or by
/// `index_a` and `index_b`, whole numbers of shape (n,) that choose a shape for each pair. Each answer has the bits that
/// :func:`distance` gives for that pair, whatever `threads` is (all cores when left out).
///
/// >>> import numpy as np, zerogap as zg
/// >>> poses = np.zeros((3, 7)); poses[:, 2] = (0.5, 1, 3); poses[:, 6] = 1
/// >>> zg.distance_many(zg.box(size=(1, 1, 1)), zg.sphere(0.5), poses_b=poses).gap
/// array([-0.5,  0. ,  2. ])
#[pyfunction]
#[pyo3(signature = (a, b, poses_a = None, poses_b = None, *, index_a = None, index_b = None, cutoff = None, tolerance = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn distance_many(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    poses_a: Option<&Bound<'_, PyAny>>,
    poses_b: Option<&Bound<'_, PyAny>>,
    index_a: Option<&Bound<'_, PyAny>>,
    index_b: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arg::cutoff)] cutoff: Option<f64>,
    tolerance: Option<f64>,
    threads: Option<usize>,
) -> PyResult<PyGaps> {
    let a = ManyOperand::new(["a", "poses_a", "index_a"], a, poses_a, index_a)?;
    let b = ManyOperand::new(["b", "poses_b", "index_b"], b, poses_b, index_b)?;
    let params = params(cutoff, tolerance)?;
    let pairs = Pairs::new(a, b, threads)?;
    let mut columns = GapColumns::with_capacity(pairs.count());
    pairs.answer(
        py,
        &Gap::farthest(),
        |pair, cache, answer| {
            *answer = gap(pair, &params, cache)?;
            Ok(())
        },
        |gaps| columns.extend(gaps.iter()),
    )?;
    Ok(columns.into_gaps(py))
}

/// The gaps of many pairs of bounded convex shapes by :func:`mpr`, on all cores.
///
/// Arguments are those of :func:`distance_many`; meshes are taken by :func:`hull` first. The status is ``converged`` where the bounds agree to the tolerance times the size of the pair.
///
/// >>> import numpy as np, zerogap as zg
/// >>> poses = np.zeros((3, 7)); poses[:, 2] = (0.5, 2, 3); poses[:, 6] = 1
/// >>> (zg.mpr_many(zg.box(size=(1, 1, 1)), zg.sphere(0.5), poses_b=poses).gap > 0).tolist()
/// [False, True, True]
#[pyfunction]
#[pyo3(signature = (a, b, poses_a = None, poses_b = None, *, index_a = None, index_b = None, tolerance = None, max_iterations = None, threads = None))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
pub(crate) fn mpr_many(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    poses_a: Option<&Bound<'_, PyAny>>,
    poses_b: Option<&Bound<'_, PyAny>>,
    index_a: Option<&Bound<'_, PyAny>>,
    index_b: Option<&Bound<'_, PyAny>>,
    tolerance: Option<f64>,
    max_iterations: Option<u32>,
    threads: Option<usize>,
) -> PyResult<PyGaps> {
    let a = ManyOperand::new(["a", "poses_a", "index_a"], a, poses_a, index_a)?;
    let b = ManyOperand::new(["b", "poses_b", "index_b"], b, poses_b, index_b)?;
    let params = mpr_params(tolerance, max_iterations)?;
    let pairs = Pairs::new(a, b, threads)?;
    let mut columns = GapColumns::with_capacity(pairs.count());
    pairs.answer(
        py,
        &Gap::farthest(),
        |pair, _, answer| {
            *answer = mpr_gap(pair, &params)?;
            Ok(())
        },
        |gaps| columns.extend(gaps.iter()),
    )?;
    Ok(columns.into_gaps(py))
}

/// Many pairs, and the threads that answer them.
pub(crate) struct Pairs<'py> {
    a: ManyOperand<'py>,
    b: ManyOperand<'py>,
    count: usize,
    /// None for all cores.
    pool: Option<ThreadPool>,
}

impl<'py> Pairs<'py> {
    pub(crate) fn new(a: ManyOperand<'py>, b: ManyOperand<'py>, threads: Option<usize>) -> PyResult<Self> {
        let count = common_count(&[a.counts(), b.counts()].concat())?;
        let pool = threads.map(pool_of).transpose()?;
        Ok(Self { a, b, count, pool })
    }

    /// How many pairs there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Evaluates every pair and returns the answers in the order of the pairs; `empty` stands where there is none yet.
    pub(crate) fn answer<T: Clone + Send + Sync>(
        &self,
        py: Python<'_>,
        empty: &T,
        ask: impl Fn(&ColliderPair<'_>, &mut ColliderCache, &mut T) -> Result<(), ColliderError> + Sync,
        keep: impl FnMut(&[T]) + Send,
    ) -> PyResult<()> {
        // Support functions in Python take turns anyway, and what they raise belongs to the thread that asked.
        if self.a.shapes.iter().chain(&self.b.shapes).any(is_user_defined) {
            self.one_by_one(py, empty, ask, keep)
        } else {
            self.in_rounds(py, empty, ask, keep)
        }
    }

    /// The pairs one after the other on this thread.
    fn one_by_one<T: Clone + Send + Sync>(
        &self,
        py: Python<'_>,
        empty: &T,
        ask: impl Fn(&ColliderPair<'_>, &mut ColliderCache, &mut T) -> Result<(), ColliderError> + Sync,
        mut keep: impl FnMut(&[T]),
    ) -> PyResult<()> {
        let mut numbers = [Vec::new(), Vec::new()];
        let round = Round::new(&self.a, &self.b, 0..self.count, &mut numbers);
        let rows: Vec<usize> = (0..self.count).collect();
        let answers = answer_each(py, &rows, |&row| {
            let mut answer = empty.clone();
            ask(&round.query(row), &mut ColliderCache::default(), &mut answer)
                .map_err(|error| (row, error))?;
            Ok(answer)
        })?;
        round.check_poses([&self.a, &self.b])?;
        for answer in answers {
            keep(&[answer.map_err(refuse_pair)?]);
        }
        Ok(())
    }

    /// The pairs on all cores, in rounds between which Python is asked whether the user has had enough.
    fn in_rounds<T: Clone + Send>(
        &self,
        py: Python<'_>,
        empty: &T,
        ask: impl Fn(&ColliderPair<'_>, &mut ColliderCache, &mut T) -> Result<(), ColliderError> + Sync,
        mut keep: impl FnMut(&[T]) + Send,
    ) -> PyResult<()> {
        let Self { a, b, count, pool } = self;
        // The first round is the shortest that keeps all threads busy: nobody knows yet how long a pair takes.
        let threads = pool.as_ref().map_or_else(thread_count, ThreadPool::current_num_threads);
        let shortest = SHARE * threads;
        let longest = LONGEST_ROUND.max(shortest);
        let mut size = shortest;
        let mut numbers = [Vec::new(), Vec::new()];
        let mut answers = vec![empty.clone(); longest.min(*count)];
        let mut start = 0;
        while start < *count {
            let rows = start..(*count).min(start + size);
            let answers = &mut answers[..rows.len()];
            let round = Round::new(a, b, rows.clone(), &mut numbers);
            let began = Instant::now();
            let outcome = py.detach(|| {
                let mut ask = || each_pair(|row| round.query(row), answers, &ask);
                let outcome = if let Some(pool) = pool { pool.install(ask) } else { ask() };
                keep(answers);
                outcome
            });
            round.check_poses([a, b])?;
            outcome.map_err(|(row, error)| refuse_pair((start + row, error)))?;
            py.check_signals()?;
            let took = began.elapsed();
            if took > PATIENCE {
                size = shortest.max(size / 2);
            } else if 4 * took < PATIENCE {
                size = longest.min(2 * size);
            }
            start = rows.end;
        }
        Ok(())
    }
}

/// What a caller passed for A or for B.
pub(crate) struct ManyOperand<'py> {
    /// Names of the arguments: shapes, poses, index.
    names: [&'static str; 3],
    shapes: Vec<Collider>,
    is_sequence: bool,
    index: Option<Vec<usize>>,
    poses: Poses<'py>,
}

/// One pose for all pairs, or an array with a row for each.
enum Poses<'py> {
    One(Pose),
    Each(Rows<'py>),
}

impl<'py> ManyOperand<'py> {
    pub(crate) fn new(
        names: [&'static str; 3],
        shapes: &Bound<'py, PyAny>,
        poses: Option<&Bound<'py, PyAny>>,
        index: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let (shapes, is_sequence) = given_many(names[0], shapes)?;
        let index = index.map(|index| indices(names[2], index, shapes.len())).transpose()?;
        let poses = Poses::new(names[1], poses)?;
        Ok(Self { names, shapes, is_sequence, index, poses })
    }

    /// How many pairs each argument has; those that broadcast are left out.
    fn counts(&self) -> Vec<(&'static str, usize)> {
        let [shapes, poses, index] = self.names;
        let mut counts = Vec::new();
        match &self.index {
            Some(rows) => counts.push((index, rows.len())),
            None if self.is_sequence => counts.push((shapes, self.shapes.len())),
            None => {}
        }
        if let Poses::Each(rows) = &self.poses {
            counts.push((poses, rows.shape()[0]));
        }
        counts
    }
}

impl<'py> Poses<'py> {
    fn new(what: &str, value: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        let Some(value) = value else { return Ok(Self::One(Pose::identity())) };
        // Most callers have an array with a row for each: it is taken as it is.
        let rows = value.extract::<Rows<'py>>().ok();
        let shape = rows.as_ref().map(|rows| rows.shape().to_vec());
        match (shape.as_deref(), rows) {
            (Some([_, POSE]), Some(rows)) => return Ok(Self::Each(rows)),
            (Some([_, 4, 4]), _) => {}
            (Some([POSE] | [4, 4] | [3, 3]), _) => return pose_of(what, value).map(Self::One),
            (Some(shape), _) => {
                let expected = "one pose, a sequence of poses, or an array of shape (n, 7) with rows x y z qx qy qz qw or (n, 4, 4)";
                let message = format!("{what} must be {expected}, not of shape {}", shape_text(shape));
                return Err(PyValueError::new_err(message));
            }
            (None, _) => {
                // (xyz, quat) is one pose; two poses in a list are two.
                if let Ok(pose) = pose_of(what, value) {
                    return Ok(Self::One(pose));
                }
            }
        }
        Self::of_sequence(what, value)
    }

    /// A sequence of poses, each in any of its forms.
    fn of_sequence(what: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let poses = poses_of(what, value)?;
        let numbers = poses.iter().flat_map(|pose| {
            let (p, q) = (pose.translation(), pose.quaternion_xyzw());
            [p.x, p.y, p.z, q[0], q[1], q[2], q[3]]
        });
        let rows = numpy::ndarray::Array2::from_shape_vec((poses.len(), POSE), numbers.collect())
            .unwrap_or_default();
        Ok(Self::Each(rows.into_pyarray(value.py()).into_any().extract::<Rows<'py>>()?))
    }

    /// The numbers of some rows; none where one pose is broadcast.
    fn copy(&self, rows: Range<usize>, numbers: &mut Vec<f64>) {
        numbers.clear();
        if let Self::Each(all) = self {
            // Arrays in other orders than row by row go number by number.
            let all = all.as_array();
            if let Some(all) = all.as_slice() {
                numbers.extend_from_slice(&all[POSE * rows.start..POSE * rows.end]);
            } else {
                numbers.extend(all.slice_axis(Axis(0), Slice::from(rows)).iter());
            }
        }
    }
}

/// Some of the pairs, without anything that belongs to Python.
struct Round<'a> {
    sides: [OperandRows<'a>; 2],
    /// The first pair of the round, among all.
    start: usize,
    /// The first row of the round whose pose cannot be used, if any.
    first_bad: AtomicUsize,
}

/// One side of a round.
struct OperandRows<'a> {
    shapes: &'a [Collider],
    /// The shape of each row; none where one is broadcast.
    index: Option<&'a [usize]>,
    /// The pose of all rows where `numbers` is empty.
    pose: Pose,
    numbers: &'a [f64],
}

impl<'a> Round<'a> {
    /// The numbers of the poses are copied while Python waits, so that no other thread can change them meanwhile.
    fn new(
        a: &'a ManyOperand<'_>,
        b: &'a ManyOperand<'_>,
        rows: Range<usize>,
        numbers: &'a mut [Vec<f64>; 2],
    ) -> Self {
        let [numbers_a, numbers_b] = numbers;
        let sides = [(a, numbers_a), (b, numbers_b)].map(|(side, numbers)| {
            side.poses.copy(rows.clone(), numbers);
            // A sequence without an index goes pair by pair.
            let is_paired = side.is_sequence && side.index.is_none();
            OperandRows {
                shapes: if is_paired { &side.shapes[rows.clone()] } else { &side.shapes },
                index: side.index.as_ref().map(|index| &index[rows.clone()]),
                pose: if let Poses::One(pose) = side.poses { pose } else { Pose::identity() },
                numbers,
            }
        });
        Self { sides, start: rows.start, first_bad: AtomicUsize::new(usize::MAX) }
    }

    /// The pair of a row, counted within the round; poses that cannot be used are noted, and stand at the origin.
    fn query(&self, row: usize) -> ColliderPair<'a> {
        let [a, b] = &self.sides;
        let pose = |part: &OperandRows<'_>| {
            part.pose(row).unwrap_or_else(|_| {
                self.first_bad.fetch_min(row, Ordering::Relaxed);
                Pose::identity()
            })
        };
        ColliderPair::new(a.collider(row), pose(a), b.collider(row), pose(b))
    }

    /// Reports the first invalid pose, if there is one.
    fn check_poses(&self, sides: [&ManyOperand<'_>; 2]) -> PyResult<()> {
        let row = self.first_bad.load(Ordering::Relaxed);
        if row == usize::MAX {
            return Ok(());
        }
        for (part, side) in self.sides.iter().zip(sides) {
            let what = side.names[1];
            part.pose(row)
                .map_err(|error| PyValueError::new_err(format!("{what}[{}]: {error}", self.start + row)))?;
        }
        Ok(())
    }
}

impl<'a> OperandRows<'a> {
    fn collider(&self, row: usize) -> &'a Collider {
        match self.index {
            Some(index) => &self.shapes[index[row]],
            None if self.shapes.len() == 1 => &self.shapes[0],
            None => &self.shapes[row],
        }
    }

    fn pose(&self, row: usize) -> Result<Pose, InputError> {
        match self.numbers.get(POSE * row..POSE * (row + 1)) {
            Some(&[x, y, z, qx, qy, qz, qw]) => Pose::new(Vec3::new(x, y, z), [qx, qy, qz, qw]),
            _ => Ok(self.pose),
        }
    }
}

/// The number of pairs that all arguments speak of; 1 where none says.
fn common_count(counts: &[(&'static str, usize)]) -> PyResult<usize> {
    let Some((&(name, count), others)) = counts.split_first() else { return Ok(1) };
    match others.iter().find(|(_, other)| *other != count) {
        None => Ok(count),
        Some((other_name, other)) => {
            Err(PyValueError::new_err(format!("{name} speaks of {count} pairs and {other_name} of {other}")))
        }
    }
}

fn pool_of(threads: usize) -> PyResult<ThreadPool> {
    if !(1..=MAX_THREADS).contains(&threads) {
        let message = format!("threads is {threads}: it must be from 1 to {MAX_THREADS}");
        return Err(PyValueError::new_err(message));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| PyRuntimeError::new_err(format!("{threads} threads cannot be started: {error}")))
}

fn refuse_pair((row, error): (usize, ColliderError)) -> PyErr {
    PyValueError::new_err(format!("pair {row}: {error}"))
}
