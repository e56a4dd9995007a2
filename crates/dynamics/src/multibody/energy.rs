//! Energy and momentum of a tree: sums over the bodies, in their order.

use zerogap_core::Vec3;

use super::tree::Tree;
use super::workspace::Workspace;

/// Where the energy of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Of motion, prescribed motions included [J].
    pub kinetic: f64,
    /// Of height, zero at the world's origin [J].
    pub gravity: f64,
    /// Of the springs of the joints; motors store nothing [J].
    pub springs: f64,
}

impl Energy {
    /// All of it [J].
    pub fn total(&self) -> f64 {
        self.kinetic + self.gravity + self.springs
    }
}

impl Tree {
    /// The energy at the last update; `q` are the positions given there.
    ///
    /// # Panics
    /// Where `q` does not have the tree's length, or the workspace belongs to another tree.
    pub fn energy(&self, ws: &Workspace, q: &[f64]) -> Energy {
        self.check_workspace(ws);
        self.check_positions(q);
        let mut energy = Energy::default();
        for (link, body) in self.links.iter().zip(&ws.bodies) {
            let mass = link.inertia.mass;
            let spin = body.velocity.angular;
            let speed = body.velocity.moved(&body.center).linear;
            energy.kinetic += 0.5 * (mass * speed.norm_squared() + spin.dot(&(body.inertia * spin)));
            energy.gravity -= mass * self.gravity.dot(&(body.pivot_at + body.center));
        }
        for (dof, place) in self.dofs.iter().zip(&self.positions_of) {
            if let Some(place) = place {
                let stretch = q[*place] - dof.spring_reference;
                energy.springs += 0.5 * dof.stiffness * stretch * stretch;
            }
        }
        energy
    }

    /// Linear momentum [N s] and angular momentum about the world's origin [N m s].
    ///
    /// # Panics
    /// Where the workspace belongs to another tree.
    pub fn momentum(&self, ws: &Workspace) -> (Vec3, Vec3) {
        self.check_workspace(ws);
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for (link, body) in self.links.iter().zip(&ws.bodies) {
            let part = body.velocity.moved(&body.center).linear * link.inertia.mass;
            linear += part;
            angular += (body.pivot_at + body.center).cross(&part) + body.inertia * body.velocity.angular;
        }
        (linear, angular)
    }
}
