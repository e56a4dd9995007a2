//! Corrections of accepted states: quaternions of length one, closed loops, contacts that hold without drift.
//!
//! In: a state that an integrator found to its tolerance. Out: the nearest one, in the metric of kinetic energy, that satisfies all constraints.

use super::discrete::{Closed, Mode};
use super::event_model::EventModel;
use super::frozen::EventScratch;
use crate::world::model::Parts;

/// Errors of loops, gaps [m] and velocities [m/s] below this are left.
const DRIFT: f64 = 1e-14;

impl EventModel<'_> {
    /// Corrects a state; returns whether it changed.
    pub(crate) fn correct(&mut self, t: f64, y: &mut [f64]) -> bool {
        let scratch = &mut *self.data.scratch.borrow_mut();
        let is_changed = self.model.correct_joints(t, y, &mut scratch.ws);
        self.correct_contacts(t, y, scratch) || is_changed
    }

    /// Takes the gaps and velocities of all that holds to zero.
    fn correct_contacts(&self, t: f64, y: &mut [f64], scratch: &mut EventScratch) -> bool {
        let positions = self.model.tree.positions();
        let is_rigid = |closed: &Closed| matches!(closed, Closed::Rigid(_));
        if !self.data.discrete.is_active.contains(&true) && !self.data.discrete.closed.values().any(is_rigid)
        {
            return false;
        }
        let n = self.model.tree.velocities();
        self.model.locate_bodies(t, y, &mut scratch.ws);
        let EventScratch { ws, constraints, manifold, .. } = scratch;
        constraints.clear();
        self.frozen().constrain(self.model.parts(y).v, ws, manifold, constraints);
        if constraints.points.is_empty() && constraints.limits.is_empty() {
            return false;
        }
        let mut off = Vec::new();
        let mut change = vec![0.0; n];
        let mut is_changed = false;

        // Positions first: gaps, and the way from limits.
        constraints.gaps(&self.model.tree, y, &mut off);
        if off.iter().any(|off| off.abs() > DRIFT) {
            constraints.correction(&self.model.tree, ws, &off, &mut change);
            self.model.tree.displace(&mut y[..positions], &change);
            is_changed = true;
            let Parts { q, v, .. } = self.model.parts(y);
            self.model.tree.update(t, q, v, ws);
            constraints.clear();
            self.frozen().constrain(v, ws, manifold, constraints);
        }

        // Then velocities: of the gaps, and of what sticks.
        constraints.speeds(&mut off);
        if off.iter().any(|off| off.abs() > DRIFT) {
            constraints.correction(&self.model.tree, ws, &off, &mut change);
            for (v, change) in y[positions..].iter_mut().zip(&change) {
                *v += change;
            }
            is_changed = true;
        }
        debug_assert!(constraints.points.iter().all(|point| point.mode != Mode::Touch));
        is_changed
    }
}
