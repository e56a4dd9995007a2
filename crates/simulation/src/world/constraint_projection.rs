//! Corrections of accepted states: quaternions of length one, closed loops, contacts that hold without drift.
//!
//! In: a state that an integrator found to its tolerance. Out: the nearest one, in the metric of kinetic energy, that satisfies all constraints.

use super::discrete::{Closed, Mode};
use super::model::{Model, Parts, Scratch};

/// Quaternions off length one by less than this stay as they are [-]: equations of motion use them normalised anyhow.
const LENGTH: f64 = 1e-12;

/// Errors of loops, gaps [m] and velocities [m/s] below this are left.
const DRIFT: f64 = 1e-14;

impl Model {
    /// Corrects a state; returns whether it changed.
    pub(crate) fn correct(&mut self, t: f64, y: &mut [f64]) -> bool {
        let positions = self.tree.positions();
        let velocities = self.tree.velocities();
        let mut is_changed = false;
        if self.tree.length_error(&y[..positions]) > LENGTH {
            self.tree.normalise(&mut y[..positions]);
            is_changed = true;
        }
        let scratch = &mut *self.scratch.borrow_mut();
        if self.tree.loop_rows() > 0 {
            let (q, rest) = y.split_at_mut(positions);
            self.tree.project(t, q, &mut rest[..velocities], &mut scratch.ws);
            is_changed = true;
        }
        self.correct_contacts(t, y, scratch) || is_changed
    }

    /// Takes the gaps and velocities of all that holds to zero.
    fn correct_contacts(&self, t: f64, y: &mut [f64], scratch: &mut Scratch) -> bool {
        let positions = self.tree.positions();
        let is_rigid = |closed: &Closed| matches!(closed, Closed::Rigid(_));
        if !self.discrete.is_active.contains(&true) && !self.discrete.closed.values().any(is_rigid) {
            return false;
        }
        let n = self.tree.velocities();
        self.locate_bodies(t, y, scratch);
        let Scratch { ws, constraints, manifold, .. } = scratch;
        constraints.clear();
        self.constrain(self.parts(y).v, ws, manifold, constraints);
        if constraints.points.is_empty() && constraints.limits.is_empty() {
            return false;
        }
        let mut off = Vec::new();
        let mut change = vec![0.0; n];
        let mut is_changed = false;

        // Positions first: gaps, and the way from limits.
        constraints.gaps(&self.tree, y, &mut off);
        if off.iter().any(|off| off.abs() > DRIFT) {
            constraints.correction(&self.tree, ws, &off, &mut change);
            self.tree.displace(&mut y[..positions], &change);
            is_changed = true;
            let Parts { q, v, .. } = self.parts(y);
            self.tree.update(t, q, v, ws);
            constraints.clear();
            self.constrain(v, ws, manifold, constraints);
        }

        // Then velocities: of the gaps, and of what sticks.
        constraints.speeds(&mut off);
        if off.iter().any(|off| off.abs() > DRIFT) {
            constraints.correction(&self.tree, ws, &off, &mut change);
            for (v, change) in y[positions..].iter_mut().zip(&change) {
                *v += change;
            }
            is_changed = true;
        }
        debug_assert!(constraints.points.iter().all(|point| point.mode != Mode::Touch));
        is_changed
    }
}
