//! Problems without a solution, with a proof.
//!
//! In: a problem that was not solved. Out: pushes `y >= 0` along the normals that move nothing, `W^T y = 0`, while the contacts approach along them, `q . y < 0`. Then `y . u = y . q < 0` whatever the impulses are,
//! although `u_n >= 0` at every contact would make it positive: no impulses obey. For a symmetric, positive semidefinite `W` such a proof exists whenever velocities with `u_n >= 0` do not (Farkas).
//!
//! The proof is sought by non-negative least squares (Lawson and Hanson 1974, chapter 23) among contacts that feel each other.

use super::Delassus;
use super::matrix::MatrixProblem;
use nalgebra::{DMatrix, DVector};
use zerogap_core::disjoint_sets::DisjointSets;

/// Contacts that feel each other at most [-]; the search costs their number to the third power.
const MAX_CONTACTS: usize = 400;
/// A proof must rule out impulses up to this many times those that stop a contact alone [-]: rounding leaves some 1e-15.
const RULED_OUT: f64 = 1e10;
/// Gradients below this fraction of the largest entry are zero [-].
const FLAT: f64 = 1e-13;
/// Steps of refinement of a least squares solution: each gains as many digits as the condition leaves.
const REFINEMENTS: usize = 3;

/// A proof that no impulses obey Coulomb's law.
#[derive(Debug, Clone, PartialEq)]
pub struct Infeasibility {
    /// The proof `y`, rows n, t1, t2 for each contact, tangents zero, scaled to `q . y = -1` [s/m].
    pub certificate: Vec<f64>,
    /// The largest entry of any impulses that obey is at least this [N s]: `1 / |W^T y|_1`, infinite where `W^T y` is zero.
    pub min_impulse: f64,
}

/// Searches for a proof that a problem has no solution.
pub fn prove_infeasible(problem: &MatrixProblem) -> Option<Infeasibility> {
    let size = problem.q().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    for contacts in components(problem) {
        let approaches = contacts.iter().any(|contact| problem.q()[3 * contact] < 0.0);
        if !approaches || contacts.len() > MAX_CONTACTS {
            continue;
        }
        let weight = contacts.iter().fold(0.0_f64, |m, k| m.max(problem.diagonal(*k).diagonal().max()));
        let Some(proof) = search(problem, &contacts, weight, size) else { continue };
        let infeasibility = scaled(problem, &contacts, &proof);
        // Where nothing moves at all, both are infinite.
        if infeasibility.min_impulse >= RULED_OUT * size / weight {
            return Some(infeasibility);
        }
    }
    None
}

/// Contacts that feel each other, each group rising.
fn components(problem: &MatrixProblem) -> Vec<Vec<usize>> {
    let mut sets = DisjointSets::new(problem.contacts());
    for column in 0..problem.contacts() {
        for (row, _) in problem.column(column).filter(|(_, block)| block.iter().any(|v| *v != 0.0)) {
            sets.join(row, column);
        }
    }
    sets.groups()
}

/// The least `|W^T y|^2 / weight^2 + (q . y / size + 1)^2` over `y >= 0` at some contacts; none where it is at `q . y >= 0`.
fn search(problem: &MatrixProblem, contacts: &[usize], weight: f64, size: f64) -> Option<DVector<f64>> {
    let count = contacts.len();
    // Rows of W^T for normal pushes, and one for q.
    let mut a = DMatrix::zeros(3 * count + 1, count);
    for (place, column) in contacts.iter().enumerate() {
        for (row, block) in problem.column(*column) {
            let Ok(of_row) = contacts.binary_search(&row) else { continue };
            for k in 0..3 {
                a[(3 * place + k, of_row)] = if weight > 0.0 { block[k] / weight } else { 0.0 };
            }
        }
        a[(3 * count, place)] = problem.q()[3 * column] / size;
    }
    let mut b = DVector::zeros(3 * count + 1);
    b[3 * count] = -1.0;
    let y = non_negative_least_squares(&a, &b);
    (a.row(3 * count).transpose().dot(&y) < 0.0).then_some(y)
}

/// `y >= 0` that minimises `|A y - b|`.
fn non_negative_least_squares(a: &DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let count = a.ncols();
    let mut y = DVector::zeros(count);
    let mut is_passive = vec![false; count];
    let flat = FLAT * a.amax().max(f64::MIN_POSITIVE);
    for _ in 0..3 * count {
        let gradient = a.tr_mul(&(b - a * &y));
        let free = (0..count).filter(|k| !is_passive[*k] && gradient[*k] > flat);
        // The first of the steepest, so that the order does not depend on anything else.
        let Some(entering) = free.reduce(|best, k| if gradient[k] > gradient[best] { k } else { best })
        else {
            break;
        };
        is_passive[entering] = true;
        loop {
            let passive: Vec<usize> = (0..count).filter(|k| is_passive[*k]).collect();
            let Some(z) = least_squares(a, b, &passive) else {
                // It says nothing that others have not.
                is_passive[entering] = false;
                break;
            };
            let mut step = 1.0_f64;
            for (place, k) in passive.iter().enumerate().filter(|(place, _)| z[*place] <= 0.0) {
                step = step.min(y[*k] / (y[*k] - z[place]));
            }
            for (place, k) in passive.iter().enumerate() {
                y[*k] += step * (z[place] - y[*k]);
                if z[place] <= 0.0 && y[*k] <= f64::EPSILON * z.amax() {
                    y[*k] = 0.0;
                    is_passive[*k] = false;
                }
            }
            if step >= 1.0 {
                break;
            }
        }
        if !is_passive[entering] {
            break;
        }
    }
    y
}

/// The least squares solution in some columns; none where they depend on each other.
fn least_squares(a: &DMatrix<f64>, b: &DVector<f64>, columns: &[usize]) -> Option<DVector<f64>> {
    let part = a.select_columns(columns);
    let factor = part.tr_mul(&part).cholesky()?;
    let mut z = DVector::zeros(columns.len());
    for _ in 0..REFINEMENTS {
        z += factor.solve(&part.tr_mul(&(b - &part * &z)));
    }
    z.iter().all(|x| x.is_finite()).then_some(z)
}

/// The proof at all contacts of the problem, with what it rules out.
fn scaled(problem: &MatrixProblem, contacts: &[usize], y: &DVector<f64>) -> Infeasibility {
    let mut certificate = vec![0.0; problem.q().len()];
    for (contact, push) in contacts.iter().zip(y.iter()) {
        certificate[3 * contact] = *push;
    }
    let closing = -problem.q().iter().zip(&certificate).map(|(q, y)| q * y).sum::<f64>();
    for y in &mut certificate {
        *y /= closing;
    }
    // W^T y, column by column.
    let moved = |column: usize, k: usize| -> f64 {
        problem.column(column).map(|(row, block)| block[k] * certificate[3 * row]).sum()
    };
    let moved: f64 =
        (0..problem.contacts()).flat_map(|column| (0..3).map(move |k| moved(column, k).abs())).sum();
    Infeasibility { certificate, min_impulse: 1.0 / moved }
}
