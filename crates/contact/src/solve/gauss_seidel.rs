//! Block Gauss-Seidel: one contact after another, each given what the others push.
//!
//! In: a reduced problem and a start. Out: a point nearer to a solution, often slowly; for symmetric problems a good start for
//! Newton, and the fall-back where that stalls. Contacts are visited in their order.

use super::reduce::{Law, Reduced, onto_disc};
use crate::sweeps::{Order, Relaxation, is_within, sweep};
use nalgebra::DVector;

/// Diagonal entries below this move nothing [-].
const IMMOVABLE: f64 = 1e-12;
/// Forces beyond this, for a right-hand side of one, mean that the sweeps run away [-].
const RUNAWAY: f64 = 1e15;

/// Makes sweeps over all parts in place; where they diverge, `z` is as it was. Returns the number of sweeps.
pub(crate) fn relax(problem: &Reduced, z: &mut DVector<f64>, max_sweeps: usize) -> usize {
    let response = problem.respond(z);
    let mut run = Run { problem, start: z.clone(), before: response.clone(), z, response };
    sweep(&mut run, Order::Forward, max_sweeps)
}

/// The unknowns during the sweeps.
struct Run<'a> {
    problem: &'a Reduced,
    start: DVector<f64>,
    z: &'a mut DVector<f64>,
    response: DVector<f64>,
    /// The responses a sweep ago.
    before: DVector<f64>,
}

impl Run<'_> {
    /// Changes one unknown and the responses with it.
    fn set(&mut self, i: usize, value: f64) {
        let change = value - self.z[i];
        if change != 0.0 {
            self.z[i] = value;
            self.response.axpy(change, &self.problem.a.column(i), 1.0);
        }
    }
}

impl Relaxation for Run<'_> {
    fn blocks(&self) -> usize {
        self.problem.parts.len()
    }

    fn relax(&mut self, block: usize) -> f64 {
        let (part, a) = (&self.problem.parts[block], &self.problem.a);
        let n = part.at;
        let diagonal = a[(n, n)];
        // The normal force, or the only one.
        if diagonal > IMMOVABLE {
            let wanted = self.z[n] - self.response[n] / diagonal;
            self.set(n, if part.law == Law::Free { wanted } else { wanted.max(0.0) });
        }
        // Friction, with the normal force just found.
        if let Law::Disc { mu, offset } = part.law {
            let largest = a[(n + 1, n + 1)].max(a[(n + 2, n + 2)]);
            let mut y = [self.z[n + 1], self.z[n + 2]];
            if largest > IMMOVABLE {
                // The trace bounds the larger eigenvalue of the two tangential rows.
                let trace = a[(n + 1, n + 1)] + a[(n + 2, n + 2)];
                let coupling = a[(n + 1, n + 2)].abs();
                let bound = trace.min(largest + coupling);
                y = [y[0] - self.response[n + 1] / bound, y[1] - self.response[n + 2] / bound];
            }
            let p = onto_disc(y, mu * (self.z[n] + offset));
            self.set(n + 1, p[0]);
            self.set(n + 2, p[1]);
        }
        // Responses show what moved.
        0.0
    }

    fn is_done(&mut self, _: usize, _: f64) -> bool {
        let diverges = !is_within(self.z.as_slice(), RUNAWAY);
        if diverges {
            self.z.copy_from(&self.start);
        }
        let is_still = self.before == self.response;
        self.before.copy_from(&self.response);
        diverges || is_still
    }
}
