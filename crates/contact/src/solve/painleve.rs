//! Sliding contacts whose friction turns their own inverse mass negative: no solution, or two.
//!
//! In: a reduced problem with sliding friction put in, and a solution or the want of one. Out: the solution in which such contacts
//! separate, and which contact could also push; or the contact that makes solutions impossible. For one contact with inverse mass p
//! and free acceleration b: p < 0 and b < 0 has none, p < 0 and b > 0 has two, p = 0 and b < 0 has none.
//! Few contacts are settled by trying all sets of pushing ones. For many, each contact is judged with the others answering as they do
//! in the current solution: a second solution is reported only where it has been computed, so `Indeterminate` is never wrong but may
//! be missed.

use super::enumerate::{all_solutions, has_one_solution};
use super::newton::{differentiate, newton};
use super::reduce::Reduced;
use super::{Outcome, Search, SolveStatus};
use crate::solve::constrained::solve_constrained;
use nalgebra::{DMatrix, DVector};

/// Effective inverse masses above minus this are not negative, for rows scaled to one [-].
const NEGATIVE: f64 = 1e-11;
/// Forces and responses below this are zero, for a right-hand side of one [-].
const NOTHING: f64 = 1e-9;

/// Corrects the outcome of a problem with sliding contacts: finds solutions that pivoting missed, and second ones.
pub(super) fn judge(problem: &Reduced, outcome: &mut Outcome) {
    let solved = outcome.status == SolveStatus::Solved;
    if solved && has_one_solution(problem) {
        return;
    }
    if let Some(solutions) = all_solutions(problem) {
        choose(problem, outcome, &solutions);
    } else if solved {
        separate(problem, outcome);
    }
    if let SolveStatus::Inconsistent { block } = &mut outcome.status
        && let Some(culprit) = culprit(problem, &outcome.z)
    {
        *block = culprit;
    }
}

/// Takes the solution with the fewest pushing contacts, and says whether another moves differently.
fn choose(problem: &Reduced, outcome: &mut Outcome, solutions: &[DVector<f64>]) {
    let sliding = || problem.parts.iter().filter(|p| p.slides());
    let pushing = |z: &DVector<f64>| sliding().filter(|p| z[p.at] > NOTHING).count();
    let Some(fewest) = solutions.iter().min_by_key(|z| pushing(z)) else { return };
    let chosen = problem.respond(fewest);
    // Contacts that share a load have many solutions with one motion: only accelerations show it.
    let second = solutions.iter().find_map(|z| {
        let other = problem.respond(z);
        let terms = 1.0 + z.amax().max(fewest.amax());
        let differs = |at: usize| (other[at] - chosen[at]).abs() > NOTHING * terms;
        let here = sliding().find(|p| chosen[p.at] > NOTHING && differs(p.at));
        here.or_else(|| sliding().find(|p| differs(p.at))).map(|p| p.block)
    });
    if outcome.status == SolveStatus::Solved && second.is_none() {
        return;
    }
    outcome.status = second.map_or(SolveStatus::Solved, |block| SolveStatus::Indeterminate { block });
    outcome.residual = problem.residual(fewest);
    outcome.z.copy_from(fewest);
}

/// Looks for a second solution at every sliding contact, and moves to the one that separates.
fn separate(problem: &Reduced, outcome: &mut Outcome) {
    for part in problem.parts.iter().filter(|p| p.slides()) {
        let k = part.at;
        let (mass, answer) = effective(problem, &outcome.z, k);
        if mass >= -NEGATIVE {
            continue;
        }
        let response = problem.respond(&outcome.z)[k];
        let pushes = outcome.z[k] > NOTHING;
        let second = if pushes {
            without(problem, k)
        } else {
            // The force that brings the response to zero, with the others following.
            let force = -response / mass;
            let mut z = &outcome.z + answer * force;
            newton(problem, &mut z, 1.0);
            problem.confine(&mut z);
            (z[k] > NOTHING).then_some(z)
        };
        let Some(second) = second else { continue };
        let residual = problem.residual(&second);
        if !residual.solved() || (&second - &outcome.z).amax() <= NOTHING {
            continue;
        }
        outcome.status = SolveStatus::Indeterminate { block: part.block };
        if pushes {
            outcome.z = second;
            outcome.residual = residual;
        }
    }
}

/// Block of the first sliding contact under load whose inverse mass is not positive.
fn culprit(problem: &Reduced, z: &DVector<f64>) -> Option<usize> {
    let response = problem.respond(z);
    let sliding = problem.parts.iter().filter(|p| p.slides());
    sliding
        .filter(|p| response[p.at] < 0.0)
        .find(|p| effective(problem, z, p.at).0 <= NEGATIVE)
        .map(|p| p.block)
}

/// Response at unknown `k` per force there, and the change of all unknowns, with the others keeping their kind.
fn effective(problem: &Reduced, z: &DVector<f64>, k: usize) -> (f64, DVector<f64>) {
    let n = z.len();
    let mut jacobian = DMatrix::zeros(n, n);
    differentiate(problem, z, &problem.rho, &mut jacobian);
    // Row k becomes: one unit of this force.
    jacobian.row_mut(k).fill(0.0);
    jacobian[(k, k)] = 1.0;
    let mut unit = DVector::zeros(n);
    unit[k] = 1.0;
    let answer = solve_constrained(&jacobian, &unit).x;
    (problem.a.row(k).transpose().dot(&answer), answer)
}

/// A solution in which unknown `k` does not push, if there is one.
fn without(problem: &Reduced, k: usize) -> Option<DVector<f64>> {
    let mut lifted = problem.clone();
    lifted.a.row_mut(k).fill(0.0);
    lifted.a[(k, k)] = 1.0;
    lifted.q[k] = 0.0;
    let mut search = Search::new(&lifted);
    search.with_sliding(None);
    let mut z = search.finish().z;
    z[k] = 0.0;
    problem.residual(&z).solved().then_some(z)
}
