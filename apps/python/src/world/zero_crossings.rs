//! Zero-crossing functions of the shapes of a world, for any integrator.

use numpy::{IntoPyArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use zerogap::dynamics::multibody::Wrench;
use zerogap::world::{
    BodyVelocity, ContactChange, PairId, ZeroCrossingError, ZeroCrossingParams, ZeroCrossings, ZeroFunctions,
};
use zerogap::{Pose, Vec3};

use super::PyWorld;
use super::bodies::table;
use crate::arrays::{Array1, Array2, Rows, shape_text};
use crate::quantity::arg;

/// Numbers of a pose, and of a velocity or wrench.
const POSE: usize = 7;
const SIX: usize = 6;

fn refused(error: &ZeroCrossingError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Functions that cross zero where the shapes of a world begin and end contact, and the forces of its contacts, for an integrator of your own.
///
/// A :class:`World` has the shapes, materials, contact model and excluded pairs; its bodies are yours to move: joints, masses and state of the world are not used. `poses` are an array (n, 7) with a row x y z qx qy qz qw
/// for each body, as :attr:`World.poses`; `velocities` (n, 6), as :attr:`World.velocities`. `functions` is the number of functions, which stand for the pairs with the smallest gaps, or ``"two"``: one for all separated pairs,
/// one for all pairs in contact. Contact begins at an overlap of `hysteresis` [m] and ends at a gap of it.
///
/// :meth:`distances` and :meth:`forces` are for trials and change nothing. :meth:`commit` takes a step that ended at an event, :meth:`select` one that did not: the protocol of :class:`Oriented`.
///
/// >>> import zerogap as zg
/// >>> world = zg.World()
/// >>> floor = world.fixed(zg.halfspace((0, 0, 1), 0))
/// >>> ball = world.body("ball", zg.sphere(0.1), pose=zg.pose((0, 0, 1)))
/// >>> functions = zg.ZeroCrossings(world, functions=2)
/// >>> at = lambda z: [(0, 0, z, 0, 0, 0, 1)]
/// >>> falling = [(0, 0, -2, 0, 0, 0)]
/// >>> functions.reset(at(1.0), falling)
/// []
/// >>> functions.distances(at(0.6)).round(6)                     # a trial; the second function is unused
/// array([0.5, 1. ])
/// >>> functions.commit(at(0.1), falling, crossed=[0])           # the integrator stopped where the first one is zero
/// [((0, 1), 'begin', 2.0)]
/// >>> bool(functions.forces(at(0.099), falling)[0, 2] > 1000)   # a millimetre deep
/// True
#[pyclass(name = "ZeroCrossings", module = "zerogap")]
pub(crate) struct PyZeroCrossings {
    inner: ZeroCrossings,
}

/// Shapes of a pair, `"begin"` or `"end"`, and the speed of approach.
type Change = ((u32, u32), &'static str, Option<f64>);

fn pair_of(pair: PairId) -> (u32, u32) {
    (pair.a.0, pair.b.0)
}

fn changes_of(changes: &[ContactChange]) -> Vec<Change> {
    let word = |change: &ContactChange| if change.began.is_some() { "begin" } else { "end" };
    changes.iter().map(|change| (pair_of(change.pair), word(change), change.began)).collect()
}

/// Rows of so many numbers.
fn rows(what: &str, value: &Rows<'_>, width: usize) -> PyResult<Vec<Vec<f64>>> {
    let flat: Vec<f64> = value.as_array().iter().copied().collect();
    match value.shape() {
        [_, w] if *w == width => Ok(flat.chunks_exact(width).map(<[f64]>::to_vec).collect()),
        // No bodies: an empty list.
        [0] => Ok(Vec::new()),
        shape => {
            let shape = shape_text(shape);
            Err(PyValueError::new_err(format!("{what} must have shape (n, {width}), not {shape}")))
        }
    }
}

fn poses_of(value: &Rows<'_>) -> PyResult<Vec<Pose>> {
    let pose = |(k, row): (usize, Vec<f64>)| {
        Pose::new(Vec3::new(row[0], row[1], row[2]), [row[3], row[4], row[5], row[6]])
            .map_err(|error| PyValueError::new_err(format!("poses[{k}]: {error}")))
    };
    rows("poses", value, POSE)?.into_iter().enumerate().map(pose).collect()
}

fn velocities_of(value: &Rows<'_>) -> PyResult<Vec<BodyVelocity>> {
    let velocity = |row: &Vec<f64>| BodyVelocity {
        linear: Vec3::new(row[0], row[1], row[2]),
        angular: Vec3::new(row[3], row[4], row[5]),
    };
    Ok(rows("velocities", value, SIX)?.iter().map(velocity).collect())
}

#[pymethods]
impl PyZeroCrossings {
    #[new]
    #[pyo3(signature = (world, functions = None, *, hysteresis = 1e-8))]
    fn new(
        py: Python<'_>,
        world: &PyWorld,
        functions: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arg::hysteresis)] hysteresis: f64,
    ) -> PyResult<Self> {
        let functions = match functions {
            None => ZeroFunctions::default(),
            Some(given) => match (given.extract::<usize>(), given.extract::<String>()) {
                (Ok(count), _) if count > 0 => ZeroFunctions::Smallest(count),
                (_, Ok(word)) if word == "two" => ZeroFunctions::Two,
                _ => {
                    let message =
                        format!("functions must be a whole number from 1 or \"two\", not {}", given.repr()?);
                    return Err(PyTypeError::new_err(message));
                }
            },
        };
        let params = ZeroCrossingParams { functions, hysteresis };
        let inner = world.query(py, |world| ZeroCrossings::new(world, params))?;
        Ok(Self { inner: inner.map_err(|error| refused(&error))? })
    }

    /// Forgets all contacts and starts anew: pairs that overlap are in contact. Returns what began, as :meth:`commit`.
    fn reset(
        &mut self,
        #[pyo3(from_py_with = arg::poses)] poses: Rows<'_>,
        velocities: Rows<'_>,
    ) -> PyResult<Vec<Change>> {
        let (poses, velocities) = (poses_of(&poses)?, velocities_of(&velocities)?);
        let changes = self.inner.reset(&poses, &velocities).map_err(|error| refused(&error))?;
        Ok(changes_of(&changes))
    }

    /// The functions at a trial [m], (len,): positive for separated pairs, negative for those in contact; a function without a pair is 1. Of two, the first is of all separated pairs and the second of all pairs in contact, or -1.
    fn distances<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::poses)] poses: Rows<'_>,
    ) -> PyResult<Array1<'py>> {
        let (poses, mut z) = (poses_of(&poses)?, vec![0.0; self.inner.len()]);
        self.inner.distances(&poses, &mut z).map_err(|error| refused(&error))?;
        Ok(z.into_pyarray(py))
    }

    /// Takes an accepted step in which no function crossed zero: functions are given to the pairs that are nearest now. Returns the pairs that crossed zero without a function; where there are any, call :meth:`commit`.
    fn select(&mut self, #[pyo3(from_py_with = arg::poses)] poses: Rows<'_>) -> PyResult<Vec<(u32, u32)>> {
        let missed = self.inner.select(&poses_of(&poses)?).map_err(|error| refused(&error))?;
        Ok(missed.into_iter().map(pair_of).collect())
    }

    /// Takes an accepted step that ended at an event. `crossed` are the functions at whose zero the integrator stopped: their pairs change, whatever sign rounding leaves. Returns what began and ended: the numbers of the two shapes,
    /// ``"begin"`` or ``"end"``, and the speed of approach [m/s] or None. There may be more functions afterwards.
    #[pyo3(signature = (poses, velocities, crossed = Vec::new()))]
    fn commit(
        &mut self,
        #[pyo3(from_py_with = arg::poses)] poses: Rows<'_>,
        velocities: Rows<'_>,
        crossed: Vec<usize>,
    ) -> PyResult<Vec<Change>> {
        let (poses, velocities) = (poses_of(&poses)?, velocities_of(&velocities)?);
        let changes = self.inner.commit(&poses, &velocities, &crossed).map_err(|error| refused(&error))?;
        Ok(changes_of(&changes))
    }

    /// Forces and torques on the bodies at a trial, (n, 6): force [N], then torque about the origin of the body [N m], both in world axes. Friction is smooth in the velocity and needs no state.
    fn forces<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = arg::poses)] poses: Rows<'_>,
        velocities: Rows<'_>,
    ) -> PyResult<Array2<'py>> {
        let (poses, velocities) = (poses_of(&poses)?, velocities_of(&velocities)?);
        let mut wrenches = vec![Wrench::default(); self.inner.bodies()];
        self.inner.forces(&poses, &velocities, &mut wrenches).map_err(|error| refused(&error))?;
        let numbers =
            wrenches.iter().flat_map(|w| w.force.iter().chain(&w.torque).copied().collect::<Vec<_>>());
        Ok(table(py, numbers.collect(), SIX))
    }

    /// The pairs of shapes that the functions stand for, None for a function without one and for both of two.
    #[getter]
    fn selected(&self) -> Vec<Option<(u32, u32)>> {
        self.inner.selected().into_iter().map(|pair| pair.map(pair_of)).collect()
    }

    /// The pairs of shapes that are in contact.
    #[getter]
    fn in_contact(&self) -> Vec<(u32, u32)> {
        self.inner.in_contact().map(pair_of).collect()
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn __repr__(&self) -> String {
        let (functions, bodies) = (self.inner.len(), self.inner.bodies());
        format!("<zerogap.ZeroCrossings: {functions} functions of {bodies} bodies>")
    }
}
