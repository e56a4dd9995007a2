//! The step without contacts: the implicit midpoint rule.
//!
//! In: state, forces and the length of the step. Out: the velocities at its end. Constant forces are integrated exactly; the kinetic energy of a body that turns freely is kept to rounding, since the rule
//! keeps what is quadratic in its velocities.

use crate::multibody::{Tree, Workspace, Wrench};

/// Rounds of the fixed-point iteration at most; each gains a factor of about spin times step.
const MOST_ROUNDS: usize = 30;
/// Velocities that change by less than this share of the largest are found [-].
const FOUND: f64 = 1e-15;

/// Memory for steps without contacts.
#[derive(Debug, Clone)]
pub(super) struct Free {
    /// The bodies in the middle of the step.
    pub(super) middle: Workspace,
    q: Vec<f64>,
    v: Vec<f64>,
    shift: Vec<f64>,
    effort: Vec<f64>,
    acceleration: Vec<f64>,
}

/// A state at the start of a step.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) t: f64,
    pub(super) step: f64,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) wrenches: &'a [Wrench],
}

impl Free {
    pub(super) fn new(tree: &Tree) -> Self {
        let n = tree.velocities();
        Self {
            middle: tree.workspace(),
            q: vec![0.0; tree.positions()],
            v: vec![0.0; n],
            shift: vec![0.0; n],
            effort: vec![0.0; n],
            acceleration: vec![0.0; n],
        }
    }

    /// Writes the velocities at the end of the step as if there were no contacts.
    pub(super) fn velocities(&mut self, tree: &Tree, start: &Start<'_>, free: &mut [f64]) {
        let Start { t, step, q, v, wrenches } = *start;
        free.copy_from_slice(v);
        let mut change = f64::INFINITY;
        for _ in 0..MOST_ROUNDS {
            // The middle, as it looks now.
            for (middle, (v, free)) in self.v.iter_mut().zip(v.iter().zip(free.iter())) {
                *middle = 0.5 * (v + free);
            }
            for (shift, v) in self.shift.iter_mut().zip(&self.v) {
                *shift = 0.5 * step * v;
            }
            self.q.copy_from_slice(q);
            tree.displace(&mut self.q, &self.shift);
            tree.update(t + 0.5 * step, &self.q, &self.v, &mut self.middle);
            tree.joint_efforts(&self.q, &self.v, &mut self.effort);
            tree.acceleration(&mut self.middle, wrenches, &self.effort, &mut self.acceleration);

            let (mut now, mut largest) = (0.0_f64, 0.0_f64);
            for ((free, v), a) in free.iter_mut().zip(v).zip(&self.acceleration) {
                let next = v + step * a;
                now = now.max((next - *free).abs());
                largest = largest.max(next.abs()).max(v.abs());
                *free = next;
            }
            // Found, or no better than rounding.
            if now <= FOUND * largest || now >= change {
                break;
            }
            change = now;
        }
    }
}
