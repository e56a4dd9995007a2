//! Kinematic bodies: they follow their servos within contacts, joints and loops, and have neither inertia nor weight.
//!
//! In: a model with its state at the start of a part of a step. Out: the velocities with which its kinematic bodies would follow their servos within their joints, in place of those that the last step left, and forces
//! that carry their weight. What contacts, limits and loops change of that is the step's own: the nearest velocities that they allow, in the metric of the masses.
//!
//! A servo on a body that joints hold moves the whole chain: of all velocities of its joints that bring the body nearest to the velocity wanted, with translations and rotations weighed as kinetic energy weighs them, those of the least energy.

use zerogap_core::Vec3;
use zerogap_core::nalgebra::{Matrix6, SymmetricEigen, Vector6};
use zerogap_dynamics::multibody::{BodyId, Workspace, Wrench};

use super::Steps;
use crate::world::Servo;
use crate::world::model::Model;

/// Directions in which a chain moves a body by less than this fraction of the one in which it moves it most are those that its joints hold [-].
const HELD: f64 = 1e-10;

/// Memory of the steps.
#[derive(Debug)]
pub(super) struct Following {
    ws: Workspace,
    /// Six rows of a body, and what unit impulses along them do.
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl Following {
    /// Room for a model.
    pub(super) fn new(model: &Model) -> Self {
        let n = model.tree.velocities();
        Self { ws: model.tree.workspace(), rows: vec![0.0; 6 * n], columns: vec![0.0; 6 * n] }
    }

    /// Adds to the velocities what brings a body nearest to the motion of its servo at a time [s].
    fn follow(
        &mut self,
        model: &Model,
        (body, servo): (BodyId, &Servo),
        (t, step): (f64, f64),
        (q, v): (&[f64], &mut [f64]),
    ) {
        let tree = &model.tree;
        tree.update(t, q, v, &mut self.ws);
        let (linear, angular) = servo.velocity_error(body, (tree, &self.ws), t + step, step);
        // Rows of the velocity of the centre of mass and of the spin, and the body's inertia about it, all in world axes.
        let (pose, inertia) = (*self.ws.pose(body), tree.inertia(body));
        let center = pose.transform_point(&inertia.center);
        let (axes, n) = (pose.rotation_matrix(), v.len());
        self.rows.fill(0.0);
        for (k, row) in self.rows.chunks_exact_mut(n).enumerate() {
            let axis = Vec3::ith(k % 3, 1.0);
            if k < 3 {
                tree.point_row(&self.ws, Some(body), center, axis, 1.0, row);
            } else {
                tree.angular_row(&self.ws, Some(body), axis, 1.0, row);
            }
        }
        for (row, column) in self.rows.chunks_exact(n).zip(self.columns.chunks_exact_mut(n)) {
            tree.inverse_mass_times(&mut self.ws, row, column);
        }
        let mut weight = Matrix6::zeros();
        weight.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(inertia.mass);
        weight.fixed_view_mut::<3, 3>(3, 3).copy_from(&(axes * inertia.inertia * axes.transpose()));
        let Some(root) = weight.cholesky().map(|factor| factor.l()) else { return };
        // `L^T J M^-1 J^T L`: one where the body is free.
        let row = |k: usize| &self.rows[k * n..(k + 1) * n];
        let column = |k: usize| &self.columns[k * n..(k + 1) * n];
        let answer = Matrix6::from_fn(|i, j| row(i).iter().zip(column(j)).map(|(x, y)| x * y).sum::<f64>());
        let answer = root.transpose() * answer * root;
        let eigen = SymmetricEigen::new(0.5 * (answer + answer.transpose()));
        let wanted = Vector6::from_iterator(linear.iter().chain(angular.iter()).copied());
        let largest = eigen.eigenvalues.max();
        let mut along = eigen.eigenvectors.transpose() * (root.transpose() * wanted);
        for (x, value) in along.iter_mut().zip(&eigen.eigenvalues) {
            *x = if *value > HELD * largest { *x / value } else { 0.0 };
        }
        let impulse = root * (eigen.eigenvectors * along);
        for (k, impulse) in impulse.iter().enumerate() {
            for (v, x) in v.iter_mut().zip(&self.columns[k * n..(k + 1) * n]) {
                *v += impulse * x;
            }
        }
    }
}

impl Steps {
    /// Lets kinematic bodies begin a part of a step, from a time with a length [s], with the velocities with which they follow their servos.
    pub(super) fn follow_servos(&mut self, model: &Model, time: (f64, f64), y: &mut [f64]) {
        if model.kinematic.is_empty() {
            return;
        }
        let tree = &model.tree;
        let (q, v) = y.split_at_mut(tree.positions());
        for body in &model.kinematic {
            v[tree.v_range(*body)].fill(0.0);
        }
        let following = self.following.get_or_insert_with(|| Following::new(model));
        for (body, servo) in model.servos.iter().filter(|(body, _)| model.is_kinematic(*body)) {
            following.follow(model, (*body, servo), time, (q, v));
        }
        tree.update(time.0, q, v, &mut following.ws);
    }

    /// Has the weight of kinematic bodies carried; nothing else acts on them.
    pub(super) fn carry_kinematic(&mut self, model: &Model) {
        let Some(following) = &self.following else { return };
        for body in &model.kinematic {
            let inertia = model.tree.inertia(*body);
            let force = -model.tree.gravity() * inertia.mass;
            let center = following.ws.pose(*body).transform_vector(&inertia.center);
            self.wrenches[body.index()] = Wrench { force, torque: center.cross(&force) };
        }
    }
}
