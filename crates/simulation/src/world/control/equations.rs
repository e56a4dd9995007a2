//! The equations of motion of the time reached, as matrices and vectors: `M(q) a + h(q, v) = effort`, with the bias forces `h` of gravity, centrifugal and Coriolis terms.
//!
//! Frames: world axes. Precision is that of the tree ([`zerogap_dynamics::multibody::Tree::update`]). Prescribed motions count as part of the bias.

use zerogap_core::nalgebra::DMatrix;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{BodyId, Site, Workspace, Wrench};

use crate::world::{World, WorldError};

impl World {
    /// Returns the mass matrix, symmetric, with the armature of the joints; zero rows are those of degrees of freedom that move nothing.
    pub fn mass_matrix(&self) -> DMatrix<f64> {
        let n = self.tree().velocities();
        let mut matrix = DMatrix::zeros(n, n);
        self.with_places(|ws| self.tree().mass_matrix(ws, &mut matrix));
        matrix
    }

    /// Returns the efforts that keep the velocities as they are: against gravity, centrifugal and Coriolis terms [N or N m]. Springs, dampers, motors, actuators and contacts are none of it.
    pub fn bias_forces(&self) -> Vec<f64> {
        let n = self.tree().velocities();
        let (zero, mut effort) = (vec![0.0; n], vec![0.0; n]);
        self.with_places(|ws| self.tree().inverse_dynamics(ws, &[], &zero, &mut effort));
        effort
    }

    /// Returns the efforts along the velocities that all forces beside gravity must have together so that the joints accelerate so [N or N m]: springs, dampers, motors and actuators are part of what is returned.
    ///
    /// With `contacts` the forces of contacts now ([`World::contact_points`]) and those of [`World::set_force`] act on the bodies, and what is returned is the rest; without, they are part of it as well.
    ///
    /// Fails: where the number of accelerations is another, or one is not finite.
    pub fn inverse_dynamics(&self, acceleration: &[f64], contacts: bool) -> Result<Vec<f64>, WorldError> {
        let needed = self.tree().velocities();
        if acceleration.len() != needed {
            return Err(WorldError::Coordinates { what: "accelerations", given: acceleration.len(), needed });
        }
        if let Some(value) = acceleration.iter().find(|x| !x.is_finite()) {
            return Err(WorldError::Setting { what: "acceleration", value: *value });
        }
        let mut effort = vec![0.0; needed];
        let wrenches = if contacts { self.outer_wrenches() } else { Vec::new() };
        self.with_places(|ws| self.tree().inverse_dynamics(ws, &wrenches, acceleration, &mut effort));
        Ok(effort)
    }

    /// Returns the forces of contacts and of the user at the origins of all bodies.
    pub(super) fn outer_wrenches(&self) -> Vec<Wrench> {
        let mut wrenches = self.model.applied.clone();
        let points = self.contact_points();
        self.with_places(|ws| {
            for point in &points {
                for (shape, sign) in [(point.pair.a, -1.0), (point.pair.b, 1.0)] {
                    let Some(body) = self.body_of(shape) else { continue };
                    let arm = point.point - ws.pose(body).translation();
                    wrenches[body.index()] += Wrench::at(point.force * sign, arm);
                }
            }
        });
        wrenches
    }

    /// Returns the Jacobian of a point of a frame: rows 0 to 2 its velocity [m/s], rows 3 to 5 the angular velocity of the frame [rad/s], in world axes, by all velocities. The point is given in the frame [m].
    pub fn jacobian(&self, frame: &Site, point: Vec3) -> DMatrix<f64> {
        match frame.body {
            Some(body) => self
                .with_places(|ws| self.tree().jacobian(ws, body, place(frame, ws).transform_point(&point))),
            None => DMatrix::zeros(6, self.tree().velocities()),
        }
    }

    /// Returns the rate of the Jacobian times the velocities: the acceleration of the point [m/s²] and the angular acceleration of the frame [rad/s²] that there are without any acceleration of the joints.
    pub fn jacobian_rate_times_velocity(&self, frame: &Site, point: Vec3) -> [f64; 6] {
        let Some(body) = frame.body else { return [0.0; 6] };
        self.with_places(|ws| {
            let at = place(frame, ws).transform_point(&point);
            let (linear, angular) = (ws.point_bias(Some(body), at), ws.bias_angular(body));
            [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
        })
    }

    /// Returns the pose of a frame.
    pub fn frame_pose(&self, frame: &Site) -> Pose {
        self.with_places(|ws| place(frame, ws))
    }

    /// Returns the poses that all bodies would have at other positions, in the order of [`World::bodies`]; nothing changes. Prescribed motions are those of the time reached.
    ///
    /// Fails: where the number of positions is another, or one is not finite.
    pub fn forward_kinematics(&self, positions: &[f64]) -> Result<Vec<Pose>, WorldError> {
        let tree = self.tree();
        if positions.len() != tree.positions() {
            return Err(WorldError::Coordinates {
                what: "positions",
                given: positions.len(),
                needed: tree.positions(),
            });
        }
        if let Some(value) = positions.iter().find(|x| !x.is_finite()) {
            return Err(WorldError::Setting { what: "position", value: *value });
        }
        let mut ws = tree.workspace();
        tree.update_places(self.time(), positions, &vec![0.0; tree.velocities()], &mut ws);
        Ok(self.bodies().iter().map(|body| *ws.pose(*body)).collect())
    }

    /// Returns the centre of mass of a body with all that hangs on it, or of all bodies [m]; none where they have no mass.
    pub fn center_of_mass(&self, root: Option<BodyId>) -> Option<Vec3> {
        self.with_places(|ws| self.tree().center_of_mass(ws, root)).map(|(_, center)| center)
    }

    /// Returns the momentum of a body with all that hangs on it, or of all bodies [N s], and their angular momentum about their centre of mass [N m s].
    pub fn momentum_about_center(&self, root: Option<BodyId>) -> (Vec3, Vec3) {
        self.with_places(|ws| self.tree().momentum_under(ws, root))
    }

    /// Returns the force that a body has on another one by all their contacts now [N]; none is what is fixed in the world.
    pub fn contact_force(&self, a: Option<BodyId>, b: Option<BodyId>) -> Vec3 {
        let sides = |point: &crate::world::ContactPoint| {
            [point.pair.a, point.pair.b].map(|shape| self.body_of(shape))
        };
        self.contact_points().iter().fold(Vec3::zeros(), |sum, point| match sides(point) {
            found if found == [a, b] => sum + point.force,
            found if found == [b, a] => sum - point.force,
            _ => sum,
        })
    }

    /// Returns the accelerations of all joints: now where events are located; over the last step, or the part of it that the time reached lies in, in time stepping, and those without contacts before the first step [m/s² or rad/s²].
    pub fn accelerations(&self) -> Vec<f64> {
        self.method.accelerations(&self.model)
    }

    /// Reads from where the bodies are and how they move, without the factors of solvers.
    pub(super) fn with_places<T>(&self, read: impl FnOnce(&mut Workspace) -> T) -> T {
        let scratch = &mut *self.model.scratch.borrow_mut();
        let (q, v) = (self.positions(), self.velocities());
        self.tree().update_places(self.time(), q, v, &mut scratch.ws);
        read(&mut scratch.ws)
    }
}

/// Where a frame is in the world.
pub(super) fn place(frame: &Site, ws: &Workspace) -> Pose {
    frame.body.map_or(frame.pose, |body| *ws.pose(body) * frame.pose)
}
