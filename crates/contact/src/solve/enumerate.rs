//! All solutions of a small problem with sliding contacts, set by set.
//!
//! In: a reduced problem without friction discs and with few signed unknowns. Out: every solution that a set of pushing contacts has,
//! in the order of the sets, with the set as bits. Pivoting methods can miss solutions where friction of sliding makes the matrix
//! indefinite; this one cannot, but its cost doubles with every contact.

use super::constrained::solve_constrained;
use super::polyhedral::Eliminated;
use super::reduce::{Law, Reduced};
use nalgebra::{DMatrix, DVector};

/// Signed unknowns up to which all sets are tried: 256 systems of at most 8 rows.
const MAX: usize = 8;

/// Every solution, or `None` where there are too many unknowns or friction discs.
pub(crate) fn all_solutions(problem: &Reduced) -> Option<Vec<DVector<f64>>> {
    let signed: Vec<usize> = problem.parts.iter().filter(|p| p.law == Law::Sign).map(|p| p.at).collect();
    if signed.len() > MAX || problem.parts.iter().any(|p| matches!(p.law, Law::Disc { .. })) {
        return None;
    }
    let eliminated = Eliminated::new(problem);
    let mut found = Vec::new();
    for set in 0..1_usize << signed.len() {
        let active: Vec<usize> =
            signed.iter().enumerate().filter(|(k, _)| set >> k & 1 == 1).map(|(_, at)| *at).collect();
        let inner = DMatrix::from_fn(active.len(), active.len(), |i, j| eliminated.a[(active[i], active[j])]);
        let solved =
            solve_constrained(&inner, &DVector::from_fn(active.len(), |i, _| -eliminated.q[active[i]]));
        if !solved.consistent {
            continue;
        }
        let mut z = DVector::zeros(problem.q.len());
        for (value, &at) in solved.x.iter().zip(&active) {
            z[at] = *value;
        }
        eliminated.restore(&mut z);
        problem.confine(&mut z);
        if problem.residual(&z).solved() {
            found.push(z);
        }
    }
    Some(found)
}

/// Whether the symmetric part is positive definite: then there is exactly one solution, and nothing to search for.
pub(crate) fn has_one_solution(problem: &Reduced) -> bool {
    let symmetric = (&problem.a + problem.a.transpose()) * 0.5;
    symmetric.cholesky().is_some()
}
