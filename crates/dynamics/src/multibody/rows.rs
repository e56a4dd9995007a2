//! Rows of Jacobians: how velocities of the joints move a point or turn a body. A row touches the ancestors of its body alone.

use nalgebra::DMatrix;
use zerogap_core::Vec3;

use super::joint::BodyId;
use super::tree::Tree;
use super::workspace::Workspace;

impl Tree {
    /// Adds `factor direction . (velocity of the body's material point at `point`)` to a row, as coefficients of the velocities; the
    /// world adds nothing. Point [m] and direction in the world.
    ///
    /// # Panics
    /// Where `row` does not have the tree's length.
    pub fn point_row(
        &self,
        ws: &Workspace,
        body: Option<BodyId>,
        point: Vec3,
        direction: Vec3,
        factor: f64,
        row: &mut [f64],
    ) {
        self.check_velocities(row);
        let direction = direction * factor;
        self.each_ancestor(body, |i, k| {
            let axis = &ws.axes[k];
            row[k] += if self.rotates[k] {
                axis.dot(&(point - ws.bodies[i].pivot_at).cross(&direction))
            } else {
                axis.dot(&direction)
            };
        });
    }

    /// Adds `factor direction . (angular velocity of the body)` to a row, as coefficients of the velocities.
    ///
    /// # Panics
    /// Where `row` does not have the tree's length.
    pub fn angular_row(
        &self,
        ws: &Workspace,
        body: Option<BodyId>,
        direction: Vec3,
        factor: f64,
        row: &mut [f64],
    ) {
        self.check_velocities(row);
        self.each_ancestor(body, |_, k| {
            if self.rotates[k] {
                row[k] += factor * ws.axes[k].dot(&direction);
            }
        });
    }

    /// The Jacobian of a body at a point [m] of the world: rows 0 to 2 the velocity of its material point there, rows 3 to 5 its angular velocity,
    /// world axes, as coefficients of the velocities.
    pub fn jacobian(&self, ws: &Workspace, body: BodyId, point: Vec3) -> DMatrix<f64> {
        let mut jacobian = DMatrix::zeros(6, self.velocities());
        self.each_point_velocity(ws, Some(body), point, |k, linear| {
            jacobian.fixed_view_mut::<3, 1>(0, k).copy_from(&linear);
            let angular = if self.rotates[k] { ws.axes[k] } else { Vec3::zeros() };
            jacobian.fixed_view_mut::<3, 1>(3, k).copy_from(&angular);
        });
        jacobian
    }

    /// Calls `visit(k, velocity)` for every degree of freedom `k` on the path from a body to the world, with the velocity that the body's material point at `point` [m] has
    /// when that alone moves with one unit; the world has none.
    pub fn each_point_velocity(
        &self,
        ws: &Workspace,
        body: Option<BodyId>,
        point: Vec3,
        mut visit: impl FnMut(usize, Vec3),
    ) {
        self.each_ancestor(body, |i, k| {
            let axis = &ws.axes[k];
            let linear = if self.rotates[k] { axis.cross(&(point - ws.bodies[i].pivot_at)) } else { *axis };
            visit(k, linear);
        });
    }

    /// Calls `visit(k, angular velocity)` for every degree of freedom `k` that turns, on the path from a body to the world, with the angular velocity that the body has when that alone moves with one unit.
    pub fn each_angular_velocity(
        &self,
        ws: &Workspace,
        body: Option<BodyId>,
        mut visit: impl FnMut(usize, Vec3),
    ) {
        self.each_ancestor(body, |_, k| {
            if self.rotates[k] {
                visit(k, ws.axes[k]);
            }
        });
    }

    /// Calls `visit(body, velocity)` for every degree of freedom on the path from a body to the world.
    fn each_ancestor(&self, body: Option<BodyId>, mut visit: impl FnMut(usize, usize)) {
        let mut next = body.map(BodyId::index);
        while let Some(i) = next {
            let link = &self.links[i];
            for k in link.dofs() {
                visit(i, k);
            }
            next = link.parent;
        }
    }
}
