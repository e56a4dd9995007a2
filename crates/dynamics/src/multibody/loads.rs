//! What joints carry: the load that each body takes from the one it hangs on.

use zerogap_core::Vec3;

use super::joint::BodyId;
use super::spatial::Wrench;
use super::tree::Tree;
use super::workspace::Workspace;

impl Tree {
    /// Returns the load that each body takes over its joint, in world axes: the force [N] at, and the torque [N m] about, the origin of the body. It accelerates the body and all that hangs on it by `vdot`, under gravity and
    /// the loads `wrenches` (as in [`Tree::acceleration`]).
    ///
    /// Cost: O(bodies). NaN throughout where the workspace is invalid.
    ///
    /// # Panics
    /// Where an array does not have the tree's length, or the workspace belongs to another tree.
    pub fn joint_loads(&self, ws: &mut Workspace, wrenches: &[Wrench], vdot: &[f64]) -> Vec<Wrench> {
        let mut effort = vec![0.0; self.velocities()];
        self.inverse_dynamics(ws, wrenches, vdot, &mut effort);
        let at_origin = |(i, load): (usize, &Wrench)| {
            if ws.is_valid() {
                load.about(&ws.bodies[i].pivot)
            } else {
                let nan = Vec3::from_element(f64::NAN);
                Wrench { force: nan, torque: nan }
            }
        };
        ws.loads.iter().enumerate().map(at_origin).collect()
    }

    /// Returns mass [kg] and centre of mass [m] of a body with all that hangs on it, or of all bodies; none where they have no mass.
    pub fn center_of_mass(&self, ws: &Workspace, root: Option<BodyId>) -> Option<(f64, Vec3)> {
        let (mut mass, mut sum) = (0.0, Vec3::zeros());
        for i in self.under(root) {
            let own = self.links[i].inertia.mass;
            mass += own;
            sum += ws.center(BodyId(i as u32)) * own;
        }
        (mass > 0.0).then(|| (mass, sum / mass))
    }

    /// Returns the momentum [N s] of a body with all that hangs on it, or of all bodies, and their angular momentum about their centre of mass [N m s].
    pub fn momentum_under(&self, ws: &Workspace, root: Option<BodyId>) -> (Vec3, Vec3) {
        let zero = Vec3::zeros();
        let center = self.center_of_mass(ws, root).map_or(zero, |(_, center)| center);
        self.under(root).fold((zero, zero), |(linear, angular), i| {
            let body = self.body_motion(ws, i);
            let arm = body.center - center;
            (linear + body.momentum, angular + arm.cross(&body.momentum) + body.inertia * body.spin)
        })
    }

    /// A body with all that hangs on it, or all bodies, ascending.
    fn under(&self, root: Option<BodyId>) -> impl Iterator<Item = usize> {
        // Parents come before their children.
        let mut is_in = vec![root.is_none(); self.links.len()];
        if let Some(root) = root {
            is_in[root.index()] = true;
        }
        for i in 0..self.links.len() {
            is_in[i] |= self.links[i].parent.is_some_and(|parent| is_in[parent]);
        }
        is_in.into_iter().enumerate().filter_map(|(i, is_in)| is_in.then_some(i))
    }
}
