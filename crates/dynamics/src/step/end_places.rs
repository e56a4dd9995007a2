//! The bodies where a step ends, which is where the next one begins.
//!
//! In: a time and a state. Out: the bodies there, found once however often they are asked for: to keep the energy of the step, to check what it did, and to find the contacts of the next one. Bits are those of an update there.

use crate::multibody::{JointKind, Tree, Workspace};

/// The bodies at a time and positions.
#[derive(Debug, Clone)]
pub(super) struct EndPlaces {
    ws: Workspace,
    t: f64,
    q: Vec<f64>,
    is_known: bool,
    /// Whether no body has a prescribed motion, so that the time does not count.
    is_timeless: bool,
}

impl EndPlaces {
    pub(super) fn new(tree: &Tree) -> Self {
        let is_prescribed = |body| matches!(tree.joint(body), JointKind::Prescribed(_));
        Self {
            ws: tree.workspace(),
            t: 0.0,
            q: vec![0.0; tree.positions()],
            is_known: false,
            is_timeless: !tree.body_ids().any(is_prescribed),
        }
    }

    /// Returns the bodies as they were last found.
    pub(super) fn ws(&self) -> &Workspace {
        &self.ws
    }

    /// Forgets them, and returns the workspace for use.
    pub(super) fn forget(&mut self) -> &mut Workspace {
        self.is_known = false;
        &mut self.ws
    }

    /// Finds the bodies at a time, positions and velocities.
    pub(super) fn locate(&mut self, tree: &Tree, (t, q, v): (f64, &[f64], &[f64])) {
        if self.has(t, q) {
            self.set_velocities(tree, t, v);
            return;
        }
        tree.update_motion(t, q, v, &mut self.ws);
        (self.t, self.is_known) = (t, true);
        self.q.copy_from_slice(q);
    }

    /// Gives the bodies to a workspace, with these velocities, where they are at this time and these positions; whether they are.
    pub(super) fn hand_over(
        &mut self,
        tree: &Tree,
        (t, q, v): (f64, &[f64], &[f64]),
        to: &mut Workspace,
    ) -> bool {
        if !self.has(t, q) {
            return false;
        }
        self.set_velocities(tree, t, v);
        self.is_known = false;
        std::mem::swap(&mut self.ws, to);
        true
    }

    /// Gives the bodies these velocities, unless they have them. What prescribed motions add may have jumped at this very time.
    fn set_velocities(&mut self, tree: &Tree, t: f64, v: &[f64]) {
        let is_same = |own: &[f64]| own.iter().zip(v).all(|(own, new)| own.to_bits() == new.to_bits());
        if !self.is_timeless || !is_same(self.ws.velocities()) {
            tree.change_motion(t, v, &mut self.ws);
        }
    }

    fn has(&self, t: f64, q: &[f64]) -> bool {
        let is_now = if self.is_timeless { t.is_finite() } else { self.t.to_bits() == t.to_bits() };
        self.is_known && is_now && self.q.iter().zip(q).all(|(own, other)| own.to_bits() == other.to_bits())
    }
}
