//! Energy and momentum of a tree: sums over the bodies, in their order.

use zerogap_core::{Mat3, Vec3};

use super::joint::BodyId;
use super::spatial::times;
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
        for i in 0..self.links.len() {
            energy.kinetic += self.body_motion(ws, i).kinetic_energy();
            energy.gravity += self.body_height_energy(ws, i);
        }
        energy.kinetic +=
            0.5 * self.dofs.iter().zip(&ws.velocities).map(|(dof, v)| dof.armature * v * v).sum::<f64>();
        energy.springs += (0..self.velocities()).map(|k| self.spring_energy(k, q)).sum::<f64>();
        if !self.forces.is_empty() {
            energy.springs += self.stored_in_forces(q, ws);
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
        for i in 0..self.links.len() {
            let body = self.body_motion(ws, i);
            linear += body.momentum;
            angular += body.center.cross(&body.momentum) + body.inertia * body.spin;
        }
        (linear, angular)
    }

    /// How a body moves about its centre of mass, at the last update.
    pub(crate) fn body_motion(&self, ws: &Workspace, i: usize) -> BodyMotion {
        let (mass, body) = (self.links[i].inertia.mass, &ws.bodies[i]);
        BodyMotion {
            mass,
            center: body.pivot_at + body.center,
            inertia: body.inertia,
            momentum: body.velocity.moved(&body.center).linear * mass,
            spin: body.velocity.angular,
        }
    }

    /// The velocities of the free joint of a body in the world that moves with a rigid field: a point, its velocity and the angular velocity.
    pub(crate) fn free_joint_velocities(
        &self,
        ws: &Workspace,
        body: BodyId,
        (point, velocity, spin): (Vec3, Vec3, Vec3),
    ) -> [f64; 6] {
        let origin = velocity + spin.cross(&(ws.bodies[body.index()].pivot_at - point));
        let axes = &ws.axes[self.v_range(body)];
        let mut velocities = [0.0; 6];
        for (k, (out, axis)) in velocities.iter_mut().zip(axes).enumerate() {
            *out = axis.dot(if k < 3 { &origin } else { &spin });
        }
        velocities
    }

    /// The energy of a body's height [J].
    pub(crate) fn body_height_energy(&self, ws: &Workspace, i: usize) -> f64 {
        let body = &ws.bodies[i];
        -self.links[i].inertia.mass * self.gravity.dot(&(body.pivot_at + body.center))
    }
}

/// The motion of one body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyMotion {
    pub(crate) mass: f64,
    /// Its centre of mass, in the world [m].
    pub(crate) center: Vec3,
    /// About its centre of mass, world axes [kg m²].
    pub(crate) inertia: Mat3,
    /// Linear [N s].
    pub(crate) momentum: Vec3,
    /// Angular velocity [rad/s].
    pub(crate) spin: Vec3,
}

impl BodyMotion {
    /// Of centre and rotation [J].
    pub(crate) fn kinetic_energy(&self) -> f64 {
        let linear = if self.mass > 0.0 { self.momentum.norm_squared() / self.mass } else { 0.0 };
        0.5 * (linear + self.spin.dot(&times(&self.inertia, &self.spin)))
    }
}
