//! Coordinates of all joints as two vectors, to be read and set.
//!
//! In: positions and velocities of the whole world, or of one joint. Out: the same world at the same time with these coordinates, or an error that names the joint; then nothing has changed. Contacts are found anew: those of before end, and
//! what touches now begins.

use zerogap_dynamics::multibody::{BodyId, JointKind};

use crate::world::start_loops::ASSEMBLY_TOLERANCE;
use crate::world::{Overlaps, World, WorldError};

impl World {
    /// Sets positions and velocities of all joints at the time reached, which becomes the end of a step; [`World::positions`] and [`World::velocities`] have their order. Quaternions may have any length but zero.
    ///
    /// Bodies may not overlap then beyond what they overlap now, joints not be beyond their limits, and loops must be closed to the tolerance of the start; they are closed exactly by the smallest move. Velocities are made to fit loops.
    /// Contacts begin anew, so steps have no impulses of the last step to start from. Setting what the coordinates are already changes nothing.
    ///
    /// Fails: where a vector has another length or a number that is not finite, and where the position is refused; the world is then as it was.
    pub fn set_coordinates(&mut self, positions: &[f64], velocities: &[f64]) -> Result<(), WorldError> {
        let tree = &self.model.tree;
        for (what, given, needed) in [
            ("positions", positions.len(), tree.positions()),
            ("velocities", velocities.len(), tree.velocities()),
        ] {
            if given != needed {
                return Err(WorldError::Coordinates { what, given, needed });
            }
        }
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        if same(positions, self.positions()) && same(velocities, self.velocities()) {
            return Ok(());
        }
        let t = self.time();
        let y = self.checked_coordinates(t, positions, velocities)?;
        let near = self.near_without_overlaps(t, &y)?;

        // Nothing but the narrow phase can fail from here.
        let before = self.save();
        let moved = self
            .method
            .make_boundary(&mut self.model)
            .and_then(|()| self.method.place(&mut self.model, y, &near));
        if moved.is_err() {
            self.restore(&before)?;
        }
        moved
    }

    /// Sets the positions of all joints, and keeps the velocities ([`World::set_coordinates`]).
    pub fn set_positions(&mut self, positions: &[f64]) -> Result<(), WorldError> {
        let velocities = self.velocities().to_vec();
        self.set_coordinates(positions, &velocities)
    }

    /// Sets the velocities of all joints ([`World::set_coordinates`]).
    pub fn set_velocities(&mut self, velocities: &[f64]) -> Result<(), WorldError> {
        let positions = self.positions().to_vec();
        self.set_coordinates(&positions, velocities)
    }

    /// Sets positions, velocities or both of the joint that a body hangs on ([`World::set_coordinates`]).
    pub fn set_joint(
        &mut self,
        body: BodyId,
        positions: Option<&[f64]>,
        velocities: Option<&[f64]>,
    ) -> Result<(), WorldError> {
        self.check_body(body)?;
        let (mut q, mut v) = (self.positions().to_vec(), self.velocities().to_vec());
        let tree = &self.model.tree;
        for (given, all, range, what) in [
            (positions, &mut q, tree.q_range(body), "positions"),
            (velocities, &mut v, tree.v_range(body), "velocities"),
        ] {
            let Some(given) = given else { continue };
            if given.len() != range.len() {
                let body = self.model.names[body.index()].clone();
                return Err(WorldError::Start { body, what, given: given.len(), needed: range.len() });
            }
            all[range].copy_from_slice(given);
        }
        self.set_coordinates(&q, &v)
    }

    /// The state with coordinates that are checked and fit the loops.
    fn checked_coordinates(&self, t: f64, q: &[f64], v: &[f64]) -> Result<Vec<f64>, WorldError> {
        let (tree, names) = (&self.model.tree, &self.model.names);
        for &body in self.bodies() {
            for (what, numbers) in
                [("positions", &q[tree.q_range(body)]), ("velocities", &v[tree.v_range(body)])]
            {
                if let Some(value) = numbers.iter().find(|x| !x.is_finite()) {
                    let body = names[body.index()].clone();
                    return Err(WorldError::NotFinite { body, what, value: *value });
                }
            }
            let quaternion = match tree.joint(body) {
                JointKind::Free => Some(3),
                JointKind::Spherical => Some(0),
                _ => None,
            };
            let own = &q[tree.q_range(body)];
            if quaternion.is_some_and(|at| own[at..at + 4].iter().all(|x| *x == 0.0)) {
                return Err(WorldError::NoRotation { body: names[body.index()].clone() });
            }
        }
        let mut y = [q, v].concat();
        crate::world::build::refuse_beyond_limits(tree, names, &y)?;
        tree.normalise(&mut y[..q.len()]);
        self.model.close_loops_at(t, &mut y, self.recipe.may_assemble).map_err(|error| match error {
            WorldError::Assembly { body, distance, angle } => {
                WorldError::OpenLoop { body, distance, angle, tolerance: ASSEMBLY_TOLERANCE }
            }
            other => other,
        })?;
        Ok(y)
    }

    /// The pairs that are near at other coordinates; pairs that overlap there and do not now are refused.
    fn near_without_overlaps(&mut self, t: f64, y: &[f64]) -> Result<Vec<crate::world::PairId>, WorldError> {
        let near = self.model.near_pairs(t, y)?;
        self.model.refuse_oriented(t, y)?;
        if self.recipe.overlaps == Overlaps::Allow {
            return Ok(near);
        }
        let overlapping = self.model.overlapping(t, y, &near)?;
        if !overlapping.is_empty() {
            let state = self.method.current_state().to_vec();
            let pairs: Vec<_> = overlapping.iter().map(|(pair, _)| *pair).collect();
            let now = self.model.overlapping(t, &state, &pairs)?;
            let is_new = |(pair, overlap): &&(_, f64)| {
                !now.iter().any(|(known, before)| known == pair && *overlap <= *before)
            };
            if let Some(&(pair, overlap)) = overlapping.iter().find(is_new) {
                return Err(WorldError::Overlap { pair, overlap });
            }
        }
        Ok(near)
    }
}
