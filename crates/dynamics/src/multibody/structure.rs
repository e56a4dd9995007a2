//! Questions about how a tree hangs together.

use zerogap_core::{Pose, Vec3};

use super::joint::{BodyId, Dof, JointKind, quaternion_at};
use super::tree::Tree;

impl Tree {
    /// Whether nothing in the state moves a body: it is fixed to the world or its motion is prescribed, with all that it hangs on.
    pub fn is_driven(&self, body: BodyId) -> bool {
        self.driven[body.index()]
    }

    /// The first body with a degree of freedom on the path from the world to a body: what two bodies share if they feel each other's forces
    /// through joints. The body itself where there is none.
    pub fn root(&self, body: BodyId) -> BodyId {
        let (mut at, mut root) = (Some(body), body);
        while let Some(body) = at {
            if !self.v_range(body).is_empty() {
                root = body;
            }
            at = self.parent(body);
        }
        root
    }

    /// Whether a body moves freely in the world about its centre of mass, with nothing in its joint that acts on it: its velocities are those of the centre, and its angular velocity in its
    /// own axes. Bodies that hang on it are not considered.
    pub fn moves_alone(&self, body: BodyId) -> bool {
        self.moves_freely(body) && self.links[body.index()].center == Vec3::zeros()
    }

    /// The same wherever its centre of mass is.
    pub fn moves_freely(&self, body: BodyId) -> bool {
        let link = &self.links[body.index()];
        link.parent.is_none()
            && matches!(link.kind, JointKind::Free)
            && link.from_joint.is_none()
            && link.parent_frame == Pose::identity()
            && link.inertia.mass > 0.0
            && self.dofs[link.dofs()].iter().all(|dof| *dof == Dof::default())
    }

    /// Returns the armature of a degree of freedom [kg or kg m²].
    pub(crate) fn armature(&self, v_index: usize) -> f64 {
        self.dofs[v_index].armature
    }

    /// Returns the energy in the spring of a degree of freedom [J].
    pub(crate) fn spring_energy(&self, v_index: usize, q: &[f64]) -> f64 {
        let dof = &self.dofs[v_index];
        let deflection = self.positions_of[v_index].map_or(0.0, |place| q[place] - dof.spring_reference);
        0.5 * dof.stiffness * deflection * deflection
    }

    /// By how much the squared length of a quaternion among the positions differs from one, at most [-].
    pub fn length_error(&self, q: &[f64]) -> f64 {
        let error = |at: usize| (q[at..at + 4].iter().map(|x| x * x).sum::<f64>() - 1.0).abs();
        let places = self.links.iter().filter_map(|link| quaternion_at(&link.kind).map(|at| link.q + at));
        places.map(error).fold(0.0, f64::max)
    }

    /// The body whose joint a velocity belongs to; none beyond the last.
    pub fn body_of_velocity(&self, v_index: usize) -> Option<BodyId> {
        (0..self.bodies() as u32).map(BodyId).find(|body| self.v_range(*body).contains(&v_index))
    }
}
