//! The mass matrix as a whole, and inverse dynamics: what efforts a given acceleration takes.

use nalgebra::DMatrix;

use super::spatial::{SpatialInertia, Twist, Wrench, along};
use super::tree::Tree;
use super::workspace::Workspace;

impl Tree {
    /// Writes the mass matrix `M`, symmetric, `velocities` squared, by the composite-rigid-body algorithm (Walker and Orin 1982).
    ///
    /// Cost: O(velocities × depth), no allocation.
    ///
    /// # Panics
    /// Where the matrix does not have that shape, or the workspace belongs to another tree.
    pub fn mass_matrix(&self, ws: &mut Workspace, matrix: &mut DMatrix<f64>) {
        self.check_workspace(ws);
        let n = self.velocities();
        assert!(matrix.shape() == (n, n), "the matrix must be {n} x {n}");
        matrix.fill(0.0);
        self.each_mass(ws, |k, l, entry| {
            matrix[(k, l)] = entry;
            matrix[(l, k)] = entry;
        });
    }

    /// Calls `visit(k, l, entry)` for the entries of the mass matrix that can be other than zero, each of a pair of mirrored ones at least once: the same as [`Tree::mass_matrix`] for
    /// trees of so many bodies that most of it is zeros.
    ///
    /// # Panics
    /// Where the workspace belongs to another tree.
    pub fn each_mass(&self, ws: &mut Workspace, mut visit: impl FnMut(usize, usize, f64)) {
        self.check_workspace(ws);
        // The solvers keep factors only, so the articulated inertias may be overwritten by composite ones.
        for (i, link) in self.links.iter().enumerate() {
            let body = &ws.bodies[i];
            ws.inertias[i] = SpatialInertia::rigid(link.inertia.mass, &body.center, &body.inertia);
        }
        for (i, link) in self.links.iter().enumerate().rev() {
            for k in link.dofs() {
                // Moving this joint alone takes a load, which every joint below it feels.
                let mut load = ws.inertias[i].times_axis(self.rotates[k], &ws.axes[k]);
                let mut at = i;
                loop {
                    for l in self.links[at].dofs() {
                        let own = if l == k { self.dofs[k].armature + ws.added_mass[k] } else { 0.0 };
                        visit(k, l, along(self.rotates[l], &ws.axes[l], &load) + own);
                    }
                    load = load.about(&ws.bodies[at].arm);
                    let Some(parent) = self.links[at].parent else { break };
                    at = parent;
                }
            }
            if let Some(parent) = link.parent {
                let passed = ws.inertias[i].about(&ws.bodies[i].arm);
                ws.inertias[parent] += passed;
            }
        }
    }

    /// Writes the efforts that give the accelerations `vdot` under the loads `wrenches` (as in [`Tree::acceleration`]) and gravity, by the
    /// recursive Newton-Euler algorithm [N or N m].
    ///
    /// Cost: O(bodies), no allocation. NaN throughout where the workspace is invalid.
    ///
    /// # Panics
    /// Where an array does not have the tree's length, or the workspace belongs to another tree.
    pub fn inverse_dynamics(
        &self,
        ws: &mut Workspace,
        wrenches: &[Wrench],
        vdot: &[f64],
        effort: &mut [f64],
    ) {
        self.check_workspace(ws);
        self.check_velocities(vdot);
        self.check_velocities(effort);
        if !ws.valid {
            effort.fill(f64::NAN);
            return;
        }
        ws.put_loads(wrenches);
        for (i, link) in self.links.iter().enumerate() {
            let body = &ws.bodies[i];
            let mut change = link.parent.map_or(Twist::ZERO, |p| ws.changes[p].moved(&body.arm));
            for k in link.dofs() {
                change.add_axis(self.rotates[k], &ws.axes[k], vdot[k]);
            }
            ws.changes[i] = change;
            let rigid = SpatialInertia::rigid(link.inertia.mass, &body.center, &body.inertia);
            ws.loads[i] += rigid.times(&change);
        }
        for (i, link) in self.links.iter().enumerate().rev() {
            for k in link.dofs() {
                let own = self.dofs[k].armature * vdot[k];
                effort[k] = along(self.rotates[k], &ws.axes[k], &ws.loads[i]) + own;
            }
            if let Some(parent) = link.parent {
                let passed = ws.loads[i].about(&ws.bodies[i].arm);
                ws.loads[parent] += passed;
            }
        }
    }
}
