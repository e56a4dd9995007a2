//! Block Gauss-Seidel: one contact after another, each given what the others push.
//!
//! In: a reduced problem and a start. Out: a point nearer to a solution, often slowly; for symmetric problems a good start for
//! Newton, and the fall-back where that stalls. Contacts are visited in their order.

use super::reduce::{Law, Reduced, onto_disc};
use nalgebra::DVector;

/// Diagonal entries below this move nothing [-].
const IMMOVABLE: f64 = 1e-12;
/// Forces beyond this, for a right-hand side of one, mean that the sweeps run away [-].
const RUNAWAY: f64 = 1e15;

/// Makes sweeps over all parts in place; a run that goes astray leaves `z` as it was. Returns the number of sweeps.
pub(crate) fn sweep(problem: &Reduced, z: &mut DVector<f64>, sweeps: usize) -> usize {
    let start = z.clone();
    let mut response = problem.respond(z);
    for done in 0..sweeps {
        let before = response.clone();
        for part in &problem.parts {
            let n = part.at;
            let diagonal = problem.a[(n, n)];
            // The normal force, or the only one.
            if diagonal > IMMOVABLE {
                let wanted = z[n] - response[n] / diagonal;
                let wanted = if part.law == Law::Free { wanted } else { wanted.max(0.0) };
                set(problem, z, &mut response, n, wanted);
            }
            // Friction, with the normal force just found.
            if let Law::Disc { mu, offset } = part.law {
                let largest = problem.a[(n + 1, n + 1)].max(problem.a[(n + 2, n + 2)]);
                let mut y = [z[n + 1], z[n + 2]];
                if largest > IMMOVABLE {
                    // The trace bounds the larger eigenvalue of the two tangential rows.
                    let trace = problem.a[(n + 1, n + 1)] + problem.a[(n + 2, n + 2)];
                    let coupling = problem.a[(n + 1, n + 2)].abs();
                    let bound = trace.min(largest + coupling);
                    y = [y[0] - response[n + 1] / bound, y[1] - response[n + 2] / bound];
                }
                let p = onto_disc(y, mu * (z[n] + offset));
                set(problem, z, &mut response, n + 1, p[0]);
                set(problem, z, &mut response, n + 2, p[1]);
            }
        }
        if !z.iter().all(|v| v.abs() <= RUNAWAY) {
            z.copy_from(&start);
            return done + 1;
        }
        if before == response {
            return done + 1;
        }
    }
    sweeps
}

/// Changes one unknown and the responses with it.
fn set(problem: &Reduced, z: &mut DVector<f64>, response: &mut DVector<f64>, i: usize, value: f64) {
    let change = value - z[i];
    if change != 0.0 {
        z[i] = value;
        response.axpy(change, &problem.a.column(i), 1.0);
    }
}
