//! Coordinates in the order and form of MJCF, for programs that talk to `MuJoCo`: joints in the order of their files, quaternions `w x y z`, hinges and slides counted from their reference.
//!
//! Joints of bodies without labels follow those with labels, in the order of the bodies. Velocities differ in nothing but the order.

use zerogap_dynamics::multibody::{BodyId, JointKind};

use crate::world::{World, WorldError};

impl World {
    /// Returns the bodies on joints that move, in the order of their files.
    fn file_order(&self) -> Vec<BodyId> {
        let tree = self.tree();
        let moves = |body: &BodyId| self.check_body(*body).is_ok() && !tree.v_range(*body).is_empty();
        let mut order: Vec<BodyId> = Vec::new();
        let mut is_listed = vec![false; tree.bodies()];
        let labelled = self.labels().joints.iter().map(|label| label.body);
        for body in labelled.chain(self.bodies().iter().copied()).filter(moves) {
            if !std::mem::replace(&mut is_listed[body.index()], true) {
                order.push(body);
            }
        }
        order
    }

    /// Returns positions of all joints in the order and form of MJCF (`qpos`).
    ///
    /// Fails: where their number is another.
    pub fn positions_to_mujoco(&self, positions: &[f64]) -> Result<Vec<f64>, WorldError> {
        refuse_other_count("positions", positions.len(), self.tree().positions())?;
        let mut out = Vec::with_capacity(positions.len());
        for body in self.file_order() {
            let own = &positions[self.tree().q_range(body)];
            match (self.tree().joint(body), own) {
                (JointKind::Free, [x, y, z, i, j, k, w]) => out.extend([*x, *y, *z, *w, *i, *j, *k]),
                (JointKind::Spherical, [i, j, k, w]) => out.extend([*w, *i, *j, *k]),
                (_, own) => {
                    let reference = self.joint_reference(body);
                    out.extend(own.iter().map(|x| x + reference));
                }
            }
        }
        Ok(out)
    }

    /// Returns positions that are in the order and form of MJCF (`qpos`) in those of this world.
    ///
    /// Fails: where their number is another.
    pub fn positions_from_mujoco(&self, positions: &[f64]) -> Result<Vec<f64>, WorldError> {
        refuse_other_count("positions", positions.len(), self.tree().positions())?;
        let (mut out, mut rest) = (vec![0.0; positions.len()], positions);
        for body in self.file_order() {
            let range = self.tree().q_range(body);
            let (own, after) = rest.split_at(range.len());
            rest = after;
            match (self.tree().joint(body), own) {
                (JointKind::Free, [x, y, z, w, i, j, k]) => {
                    out[range].copy_from_slice(&[*x, *y, *z, *i, *j, *k, *w]);
                }
                (JointKind::Spherical, [w, i, j, k]) => out[range].copy_from_slice(&[*i, *j, *k, *w]),
                (_, own) => {
                    let reference = self.joint_reference(body);
                    out[range].iter_mut().zip(own).for_each(|(out, x)| *out = x - reference);
                }
            }
        }
        Ok(out)
    }

    /// Returns velocities of all joints in the order of MJCF (`qvel`).
    ///
    /// Fails: where their number is another.
    pub fn velocities_to_mujoco(&self, velocities: &[f64]) -> Result<Vec<f64>, WorldError> {
        refuse_other_count("velocities", velocities.len(), self.tree().velocities())?;
        Ok(self
            .file_order()
            .into_iter()
            .flat_map(|body| &velocities[self.tree().v_range(body)])
            .copied()
            .collect())
    }

    /// Returns velocities that are in the order of MJCF (`qvel`) in that of this world.
    ///
    /// Fails: where their number is another.
    pub fn velocities_from_mujoco(&self, velocities: &[f64]) -> Result<Vec<f64>, WorldError> {
        refuse_other_count("velocities", velocities.len(), self.tree().velocities())?;
        let (mut out, mut rest) = (vec![0.0; velocities.len()], velocities);
        for body in self.file_order() {
            let range = self.tree().v_range(body);
            let (own, after) = rest.split_at(range.len());
            rest = after;
            out[range].copy_from_slice(own);
        }
        Ok(out)
    }
}

fn refuse_other_count(what: &'static str, given: usize, needed: usize) -> Result<(), WorldError> {
    if given == needed { Ok(()) } else { Err(WorldError::Coordinates { what, given, needed }) }
}
