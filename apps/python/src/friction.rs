//! Friction problems given by their matrix.

use numpy::{IntoPyArray, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use zerogap::contact::cone::{
    CoulombParams, CoulombSolution, CoulombStatus, LawMiss, MatrixProblem, solve_coulomb as solve,
};
use zerogap::contact::solve::{MAX_DIRECTIONS, solve_coulomb_by_pyramids};
use zerogap::friction::{kind_word, status_word};

use crate::arrays::{Rows, shape_text, shown_number, whole_list};

/// Impulses at contacts with friction, and what they do. `r` and `u` have the shape that `q` had.
#[pyclass(name = "CoulombSolution", module = "zerogap", frozen)]
pub(crate) struct PyCoulombSolution {
    /// Impulses, normal first, then the two tangents of each contact [N s].
    #[pyo3(get)]
    r: Py<PyArrayDyn<f64>>,
    /// ``W @ r + q``: velocities after the impulses [m/s].
    #[pyo3(get)]
    u: Py<PyArrayDyn<f64>>,
    /// What each contact does: ``"open"``, ``"sticks"`` or ``"slides"``.
    #[pyo3(get)]
    kinds: Vec<&'static str>,
    /// Where the status is ``"infeasible"``: pushes `y` along the normals, of the shape of `q`, that move nothing (``W.T @ y = 0``) while the contacts approach along them (``q . y = -1``), so that no impulses keep all of
    /// them from it. None otherwise.
    #[pyo3(get)]
    certificate: Option<Py<PyArrayDyn<f64>>>,
    solution: CoulombSolution,
}

#[pymethods]
impl PyCoulombSolution {
    /// ``"solved"``; ``"infeasible"`` where no impulses obey the law, with a proof in `certificate`; or ``"limit"`` if the solver did not converge. `r` is then the best that was found.
    #[getter]
    fn status(&self) -> &'static str {
        status_word(self.solution.status)
    }

    /// A lower bound on the largest entry of any impulses that satisfy the law, where the status is ``"infeasible"`` [N s]: ``inf`` where no impulses do. None otherwise.
    #[getter]
    fn min_impulse(&self) -> Option<f64> {
        self.solution.infeasibility.as_ref().map(|proof| proof.min_impulse)
    }

    /// Length of ``r - P(r - (u + mu |u_t| e_n))`` over ``max(1, |q|)``, `P` the nearest point of the cones; infinite rather than nan.
    #[getter]
    fn residual(&self) -> f64 {
        self.solution.solver.residual
    }

    /// Largest violation of the contact law, as a velocity, over the largest entry of `q`: a residual without units.
    #[getter]
    fn relative(&self) -> f64 {
        self.solution.relative
    }

    /// Maximum violation of each condition of the law [m/s]: ``approach`` is ``-u_n``, ``cone`` how far an impulse is outside of its cone, ``complementarity`` the smaller of ``r_n`` and ``u_n`` where both are
    /// positive, ``friction`` how far friction is from opposing the sliding with all that the cone allows; impulses count times the inverse mass of their contact.
    #[getter]
    fn misses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let LawMiss { approach, cone, complementarity, friction } = self.solution.misses;
        let misses = PyDict::new(py);
        let all = [
            ("approach", approach),
            ("cone", cone),
            ("complementarity", complementarity),
            ("friction", friction),
        ];
        for (name, miss) in all {
            misses.set_item(name, miss)?;
        }
        Ok(misses)
    }

    /// Work done: ``{"sweeps": ..., "newton": ...}``.
    #[getter]
    fn iterations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let work = PyDict::new(py);
        work.set_item("sweeps", self.solution.solver.sweeps)?;
        work.set_item("newton", self.solution.solver.iterations)?;
        Ok(work)
    }

    fn __repr__(&self) -> String {
        let contacts = match self.kinds.len() {
            1 => "1 contact".to_owned(),
            count => format!("{count} contacts"),
        };
        let worst = shown_number(self.solution.solver.residual.max(self.solution.relative));
        format!("<zerogap.CoulombSolution: {contacts}, {}, residual {worst}>", self.status())
    }
}

/// Impulses `r` at contacts with round cones of friction, and the velocities ``u = W @ r + q`` after them.
///
/// `W` is the inverse mass felt at the contacts, (3n, 3n): a dense array, or anything with ``tocoo()``, such as a sparse matrix of scipy. It may be singular, and a little unsymmetric. `q` are velocities without
/// impulses, (3n,) or (n, 3), normal first, then the two tangents; `mu` is friction, one number or (n,), zero to infinity. Every contact opens and pushes nothing, or sticks, or slides with friction ``mu * r_n`` against the sliding.
///
/// `tol` is what both residuals must reach, and every violation of the law's conditions over the largest entry of `q`; where they do not, ``status`` says ``"limit"``, or ``"infeasible"`` where no impulses obey the law, and `r` is
/// the best that was found. `start` are impulses to begin with, of the shape of `q`.
///
/// With `cone_sides` friction has pyramids of so many sides, one of them along the first tangent, solved by Lemke's method: for comparison. Residuals and misses are those of round cones; neither `tol` nor `start` is used.
///
/// >>> import numpy as np
/// >>> import zerogap as zg
/// >>> found = zg.solve_coulomb(np.eye(3), [-1, 2, 0], 0.5)    # 1 kg hits the ground at 1 m/s and slips at 2 m/s
/// >>> found.r[:2], found.u[:2], found.kinds[0]
/// (array([ 1. , -0.5]), array([0. , 1.5]), 'slides')
#[pyfunction]
#[pyo3(signature = (W, q, mu, tol = 1e-8, *, start = None, cone_sides = None))]
#[expect(non_snake_case, reason = "the name that the problem has everywhere")]
pub(crate) fn solve_coulomb(
    py: Python<'_>,
    W: &Bound<'_, PyAny>,
    q: Rows<'_>,
    mu: Rows<'_>,
    tol: f64,
    start: Option<Rows<'_>>,
    cone_sides: Option<usize>,
) -> PyResult<PyCoulombSolution> {
    if let Some(sides) = cone_sides.filter(|sides| !(3..=MAX_DIRECTIONS).contains(sides)) {
        let message = format!("cone_sides is {sides}: it must be from 3 to {MAX_DIRECTIONS}");
        return Err(PyValueError::new_err(message));
    }
    let (shape, contacts) = rows_of("q", &q)?;
    let numbers = |x: &Rows<'_>| -> Vec<f64> { x.as_array().iter().copied().collect() };
    let friction = match mu.shape() {
        [] => vec![numbers(&mu)[0]; contacts],
        [count] if *count == contacts => numbers(&mu),
        other => {
            let message =
                format!("mu must be one number or have shape ({contacts},), not {}", shape_text(other));
            return Err(PyValueError::new_err(message));
        }
    };
    if !(tol >= 0.0 && tol.is_finite()) {
        return Err(PyValueError::new_err(format!("tol is {tol}: it must be a number of 0 or more")));
    }
    let start = match start {
        None => None,
        Some(start) => {
            let given = numbers(&start);
            if start.shape() != shape.as_slice() || !given.iter().all(|v| v.is_finite()) {
                let message =
                    format!("start must be finite numbers of the shape of q, {}", shape_text(&shape));
                return Err(PyValueError::new_err(message));
            }
            Some(given)
        }
    };
    let entries = entries_of(W, 3 * contacts)?;
    let problem = MatrixProblem::new(entries, numbers(&q), &friction)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let params = CoulombParams { tolerance: tol, ..CoulombParams::default() };
    let solution = py.detach(|| match cone_sides {
        Some(sides) => solve_coulomb_by_pyramids(&problem, sides),
        None => solve(&problem, start.as_deref(), &params),
    });
    debug_assert!(
        cone_sides.is_some() || solution.status != CoulombStatus::Solved || solution.solver.residual <= tol,
        "an honest status"
    );
    let kinds = solution.kinds(&problem).into_iter().map(kind_word);
    let proof = solution.infeasibility.as_ref();
    Ok(PyCoulombSolution {
        r: shaped(py, &shape, &solution.impulses)?,
        u: shaped(py, &shape, &solution.velocities)?,
        kinds: kinds.collect(),
        certificate: proof.map(|proof| shaped(py, &shape, &proof.certificate)).transpose()?,
        solution,
    })
}

/// Shape of a vector with three rows to a contact, and how many contacts it is of.
fn rows_of(what: &str, value: &Rows<'_>) -> PyResult<(Vec<usize>, usize)> {
    let shape = value.shape();
    match shape {
        [rows] if rows % 3 == 0 => Ok((shape.to_vec(), rows / 3)),
        [contacts, 3] => Ok((shape.to_vec(), *contacts)),
        _ => Err(PyValueError::new_err(format!(
            "{what} must have shape (3n,) or (n, 3), not {}",
            shape_text(shape)
        ))),
    }
}

/// Entries of a dense or sparse matrix that must have this many rows and columns.
fn entries_of(w: &Bound<'_, PyAny>, size: usize) -> PyResult<Vec<(usize, usize, f64)>> {
    let refused = |shape: &[usize]| {
        Err(PyValueError::new_err(format!("W must have shape ({size}, {size}), not {}", shape_text(shape))))
    };
    if !w.hasattr("tocoo")? {
        let dense: Rows<'_> = w.extract()?;
        if dense.shape() != [size, size] {
            return refused(dense.shape());
        }
        let array = dense.as_array();
        let entries = array.indexed_iter().filter(|(_, v)| **v != 0.0);
        return Ok(entries.map(|(place, v)| (place[0], place[1], *v)).collect());
    }
    let sparse = w.call_method0("tocoo")?;
    let shape: Vec<usize> = sparse.getattr("shape")?.extract()?;
    if shape != [size, size] {
        return refused(&shape);
    }
    let indices = |what: &str| -> PyResult<Vec<i64>> { whole_list(what, &sparse.getattr(what)?) };
    let (rows, columns) = (indices("row")?, indices("col")?);
    let values: Rows<'_> = sparse.getattr("data")?.extract()?;
    let values = values.as_array();
    if rows.len() != columns.len() || rows.len() != values.len() {
        let message =
            format!("W has {} rows, {} columns and {} values", rows.len(), columns.len(), values.len());
        return Err(PyValueError::new_err(message));
    }
    // A negative index lies outside, as one that is too large.
    let place = |index: &i64| usize::try_from(*index).unwrap_or(usize::MAX);
    Ok(rows.iter().zip(&columns).zip(values.iter()).map(|((i, j), v)| (place(i), place(j), *v)).collect())
}

fn shaped(py: Python<'_>, shape: &[usize], numbers: &[f64]) -> PyResult<Py<PyArrayDyn<f64>>> {
    let array = numbers.to_vec().into_pyarray(py);
    Ok(array.reshape(shape.to_vec())?.unbind())
}
