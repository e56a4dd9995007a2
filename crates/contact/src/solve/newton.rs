//! Semismooth Newton on the natural map, with the exact friction cone.
//!
//! In: a reduced problem and a start. Out: a better point, with the number of steps. Quadratic near solutions at which the contacts
//! keep their kind; the driver in [`super`] supplies starts and has other methods where this one stalls.

use super::constrained::ConstraintWork;
use super::reduce::{Law, Reduced};
use crate::SolverInfo;
use nalgebra::{DMatrix, DVector};
use zerogap_core::line_search::LineSearch;

/// Steps allowed: far more than the five to ten that converging starts take.
const MAX_STEPS: usize = 40;
/// Fractions of a step that are tried: beyond them the direction is useless.
const SEARCH: LineSearch = LineSearch::halving(9);
/// Fraction of the promised decrease that a step must keep [-].
const DECREASE: f64 = 1e-4;
/// Steps taken past the tolerance, towards rounding: each squares what is left.
const EXTRA_STEPS: usize = 2;

/// Improves `z` in place; the residual returned is the length of the map. `stretch` lengthens the step inside the projections: solutions are the same,
/// the path to them is not.
///
/// Method: Alart and Curnier 1991 with a line search on the length of the map; steps are the shortest that solve the linearised map,
/// so that directions in which forces are not unique are left alone.
pub(crate) fn newton(problem: &Reduced, z: &mut DVector<f64>, stretch: f64) -> SolverInfo {
    let rho = &problem.rho * stretch;
    let n = z.len();
    let mut work = ConstraintWork::new(n);
    let mut jacobian = DMatrix::zeros(n, n);
    let mut map = DVector::zeros(n);
    let mut step = DVector::zeros(n);
    let mut trial = z.clone();
    let mut length = measure(problem, z, &rho, &mut map);
    let mut extra = 0;
    let mut info = SolverInfo::at(length, 0.0);
    while info.iterations < MAX_STEPS {
        info.is_solved = problem.residual(z).solved();
        if info.is_solved {
            extra += 1;
            if length == 0.0 || extra > EXTRA_STEPS {
                return info;
            }
        }
        differentiate(problem, z, &rho, &mut jacobian);
        map.neg_mut();
        work.factor(&jacobian);
        info.iterations += 1;
        info.factorisations += 1;
        work.solve(map.as_slice(), step.as_mut_slice());
        // The longest of the halved steps that shortens the map.
        let searched = SEARCH.search(
            |fraction| {
                trial.copy_from(z);
                trial.axpy(fraction, &step, 1.0);
                measure(problem, &trial, &rho, &mut map)
            },
            |fraction, next| next < (1.0 - DECREASE * fraction) * length,
        );
        info.backtracks += searched.backtracks;
        if !searched.is_accepted {
            return info;
        }
        length = searched.merit;
        info.residual = length;
        z.copy_from(&trial);
    }
    info
}

/// Length of the map at `z`, infinite where it is not finite.
fn measure(problem: &Reduced, z: &DVector<f64>, rho: &DVector<f64>, map: &mut DVector<f64>) -> f64 {
    let response = problem.respond(z);
    problem.natural_map(z, &response, |i| rho[i], map);
    let length = map.norm();
    if length.is_finite() { length } else { f64::INFINITY }
}

/// One element of the generalised derivative of the natural map.
pub(crate) fn differentiate(
    problem: &Reduced,
    z: &DVector<f64>,
    rho: &DVector<f64>,
    jacobian: &mut DMatrix<f64>,
) {
    let response = problem.respond(z);
    for part in &problem.parts {
        let n = part.at;
        let pushed = z[n] - rho[n] * response[n];
        match part.law {
            Law::Free => closed_row(problem, rho[n], jacobian, n),
            Law::Sign if pushed > 0.0 => closed_row(problem, rho[n], jacobian, n),
            Law::Sign => open_row(jacobian, n),
            Law::Disc { mu, offset } => {
                if pushed > 0.0 {
                    closed_row(problem, rho[n], jacobian, n);
                } else {
                    open_row(jacobian, n);
                }
                let y = [1, 2].map(|t| z[n + t] - rho[n + t] * response[n + t]);
                let length = (y[0] * y[0] + y[1] * y[1]).sqrt();
                let radius = mu * (pushed.max(0.0) + offset);
                if radius <= 0.0 {
                    open_row(jacobian, n + 1);
                    open_row(jacobian, n + 2);
                } else if length <= radius {
                    closed_row(problem, rho[n + 1], jacobian, n + 1);
                    closed_row(problem, rho[n + 2], jacobian, n + 2);
                } else {
                    let grows = if pushed > 0.0 { mu } else { 0.0 };
                    let edge = Edge { u: y.map(|v| v / length), fraction: radius / length, grows };
                    slipping_rows(problem, rho, jacobian, n, &edge);
                }
            }
        }
    }
}

/// `z_i = 0`.
fn open_row(jacobian: &mut DMatrix<f64>, i: usize) {
    jacobian.row_mut(i).fill(0.0);
    jacobian[(i, i)] = 1.0;
}

/// Response `i` is zero.
fn closed_row(problem: &Reduced, rho: f64, jacobian: &mut DMatrix<f64>, i: usize) {
    for j in 0..jacobian.ncols() {
        jacobian[(i, j)] = rho * problem.a[(i, j)];
    }
}

/// Friction at the edge of its disc.
struct Edge {
    /// Direction from the centre [-].
    u: [f64; 2],
    /// Radius over the distance of the point before projection [-].
    fraction: f64,
    /// Change of the radius with the normal force [-].
    grows: f64,
}

/// Friction follows the edge.
fn slipping_rows(problem: &Reduced, rho: &DVector<f64>, jacobian: &mut DMatrix<f64>, n: usize, edge: &Edge) {
    let u = edge.u;
    for j in 0..jacobian.ncols() {
        let change = |i: usize| f64::from(u8::from(i == j)) - rho[i] * problem.a[(i, j)];
        let (dn, d1, d2) = (change(n), change(n + 1), change(n + 2));
        let along = u[0] * d1 + u[1] * d2;
        let d = [d1, d2];
        for t in 0..2 {
            let unit = f64::from(u8::from(n + 1 + t == j));
            jacobian[(n + 1 + t, j)] = unit - edge.grows * dn * u[t] - edge.fraction * (d[t] - u[t] * along);
        }
    }
}
