//! What sensors read of force elements: lengths and rates of tendons, lengths, rates and forces of actuators, and the efforts that actuators have in the joints.
//!
//! In: a time, positions, velocities and a workspace that is up to date. Out: values; nothing changes.

use super::{Evaluation, Transmission};
use crate::multibody::joint::BodyId;
use crate::multibody::spatial::Wrench;
use crate::multibody::tree::Tree;
use crate::multibody::workspace::Workspace;

/// What an actuator does at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ActuatorValues {
    /// Length that it acts along, times its gear [m or rad].
    pub length: f64,
    /// Rate of that length [m/s or rad/s].
    pub rate: f64,
    /// Force before the gear [N or N m].
    pub force: f64,
}

impl Tree {
    /// Returns the length of a tendon [m or rad] and its rate; none where there is no tendon of this number.
    ///
    /// # Panics
    /// Where a slice does not have the tree's length.
    pub fn tendon_values(
        &self,
        tendon: usize,
        (q, v): (&[f64], &[f64]),
        ws: &Workspace,
    ) -> Option<(f64, f64)> {
        self.check_positions(q);
        self.check_velocities(v);
        let at = Evaluation { tree: self, ws, q, v, wrenches: &mut [], effort: &mut [] };
        Some(self.forces.tendons.get(tendon)?.length_and_rate(&at))
    }

    /// Returns length, rate and force of an actuator at a time [s]; none where there is no actuator of this number.
    ///
    /// # Panics
    /// Where a slice does not have the tree's length.
    pub fn actuator_values(
        &self,
        actuator: usize,
        t: f64,
        (q, v): (&[f64], &[f64]),
        ws: &Workspace,
    ) -> Option<ActuatorValues> {
        self.check_positions(q);
        self.check_velocities(v);
        let at = Evaluation { tree: self, ws, q, v, wrenches: &mut [], effort: &mut [] };
        let one = self.forces.actuators.get(actuator)?;
        let (length, rate) = one.length_and_rate(&self.forces.tendons, &at);
        Some(ActuatorValues { length, rate, force: one.force(t, &self.forces.tendons, &at) })
    }

    /// Adds the efforts that all actuators together have along each velocity [N or N m], those that are motors of their joints among them.
    ///
    /// # Panics
    /// Where a slice does not have the tree's length.
    pub fn add_actuator_efforts(&self, t: f64, (q, v): (&[f64], &[f64]), ws: &Workspace, effort: &mut [f64]) {
        self.check_positions(q);
        self.check_velocities(v);
        self.check_velocities(effort);
        let mut wrenches = vec![Wrench::ZERO; self.links.len()];
        let mut at = Evaluation { tree: self, ws, q, v, wrenches: &mut wrenches, effort: &mut *effort };
        self.add_actuators(t, &mut at);
        for actuator in self.forces.actuators.iter().filter(|actuator| actuator.is_motor) {
            let Transmission::Joint { body, index, .. } = actuator.transmission else { continue };
            let force = actuator.force(t, &self.forces.tendons, &at);
            let k = at.joint(body, index).2;
            at.effort[k] += force * actuator.gear[0];
        }
        self.add_generalised(ws, &wrenches, effort);
    }

    /// Adds what loads on bodies at their origins are along each velocity: `effort += Jᵀ wrench` [N or N m].
    ///
    /// # Panics
    /// Where `effort` does not have the tree's length.
    pub fn add_generalised(&self, ws: &Workspace, wrenches: &[Wrench], effort: &mut [f64]) {
        for (i, wrench) in wrenches.iter().enumerate().filter(|(_, wrench)| **wrench != Wrench::ZERO) {
            let body = BodyId(i as u32);
            let origin = ws.pose(body).translation();
            self.point_row(ws, Some(body), origin, wrench.force, 1.0, effort);
            self.angular_row(ws, Some(body), wrench.torque, 1.0, effort);
        }
    }
}
