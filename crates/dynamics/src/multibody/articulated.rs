//! Forward dynamics in O(bodies): articulated inertias, and the solves that use them.
//!
//! In: a workspace whose kinematics are up to date. Out: accelerations. The order of all sums is the order of the bodies.

use super::joint::BodyId;
use super::spatial::{SpatialInertia, Twist, Wrench, along};
use super::tree::Tree;
use super::workspace::Workspace;

/// A joint inertia is zero where it is below this times the numbers it was computed from [-]: what rounding leaves of a zero.
const SINGULAR: f64 = 64.0 * f64::EPSILON;

/// A joint with this many degrees of freedom passes no inertia on.
const ALL_DOFS: usize = 6;

impl Tree {
    /// Articulated inertias from the tips to the root, and the factors of each joint's inertia.
    pub(crate) fn factor(&self, ws: &mut Workspace) {
        (ws.singular, ws.first_singular) = (0, usize::MAX);
        for (i, link) in self.links.iter().enumerate().filter(|(_, link)| !link.is_removed()) {
            let body = &ws.bodies[i];
            ws.inertias[i] = SpatialInertia::rigid(link.inertia.mass, &body.center, &body.inertia);
            ws.noise[i] = [0.0; 2];
        }
        for (i, link) in self.links.iter().enumerate().rev().filter(|(_, link)| !link.is_removed()) {
            let mut inertia = ws.inertias[i];
            ws.noise[i][0] += inertia.rotation.trace();
            ws.noise[i][1] += inertia.translation.trace();
            for j in 0..link.nv {
                self.factor_one(ws, i, j, &inertia);
            }
            let Some(parent) = link.parent else { continue };
            let is_bare = |k: usize| self.dofs[k].armature == 0.0 && ws.added_mass[k] == 0.0;
            if link.nv == ALL_DOFS && link.dofs().all(is_bare) {
                continue;
            }
            // What the parent feels of this body: its inertia less what the joint lets go.
            for y in &ws.taken[link.dofs()] {
                inertia.reduce(y);
            }
            let arm = ws.bodies[i].arm;
            ws.inertias[parent] += inertia.about(&arm);
            let [rotation, translation] = ws.noise[i];
            ws.noise[parent][0] += rotation + translation * arm.norm_squared();
            ws.noise[parent][1] += translation;
        }
    }

    /// One step of the factorisation of a joint's inertia: row `j` of `L`, and of `Y = L⁻¹ Sᵀ I`.
    fn factor_one(&self, ws: &mut Workspace, i: usize, j: usize, inertia: &SpatialInertia) {
        let first = self.links[i].v;
        let (angular, axis) = (self.rotates[first + j], ws.axes[first + j]);
        let mut y = inertia.times_axis(angular, &axis);
        let own = self.dofs[first + j].armature + ws.added_mass[first + j];
        let mut pivot = along(angular, &axis, &y) + own;
        let mut row = [0.0; 6];
        for (l, entry) in row.iter_mut().enumerate().take(j) {
            let other = &ws.taken[first + l];
            *entry = along(angular, &axis, other);
            pivot -= *entry * *entry;
            y.torque -= other.torque * *entry;
            y.force -= other.force * *entry;
        }
        // A degree of freedom without inertia is taken out: it keeps its velocity, and nothing is divided by zero.
        let inverse = if pivot > SINGULAR * ws.noise[i][usize::from(!angular)] {
            1.0 / pivot.sqrt()
        } else {
            ws.singular += 1;
            ws.first_singular = ws.first_singular.min(first + j);
            0.0
        };
        row[j] = inverse;
        ws.factors[first + j] = row;
        ws.taken[first + j] = Wrench { torque: y.torque * inverse, force: y.force * inverse };
    }

    /// Returns the inertia that each degree of freedom moves at the last update, with all joints beyond it free and those of the same joint after it [kg or kg m²]; zero where it moves none.
    pub fn joint_inertias(&self, ws: &Workspace) -> Vec<f64> {
        self.check_workspace(ws);
        let mut inertias = vec![0.0; self.velocities()];
        for link in &self.links {
            for (j, k) in link.dofs().enumerate() {
                let inverse = ws.factors[k][j];
                inertias[k] = if inverse > 0.0 { 1.0 / (inverse * inverse) } else { 0.0 };
            }
        }
        inertias
    }

    /// Accelerations under loads on the bodies and efforts in the joints; gravity is included, loops are not.
    ///
    /// Computes: `vdot` [m/s² or rad/s²] of `M vdot + h = effort + Σ Jᵀ wrench`. `wrenches[i]`: force [N] at, and torque [N m] about, the origin of
    ///   body `i`, world axes; bodies beyond the end of the slice feel none.
    /// Method: see [`Tree::update`].
    /// Tolerance: residual of the equations of motion <= 1e-11 of the largest term; worst of 20,000 random trees: 1.1e-13 (accelerations
    ///   against a dense solve: 1.6e-12).
    /// Cost: O(bodies), no allocation.
    /// Fails: NaN throughout where the workspace is invalid.
    ///
    /// # Panics
    /// Where `effort` or `vdot` does not have the tree's length, or the workspace belongs to another tree.
    pub fn acceleration(&self, ws: &mut Workspace, wrenches: &[Wrench], effort: &[f64], vdot: &mut [f64]) {
        self.check_workspace(ws);
        ws.put_loads(wrenches);
        self.solve(ws, effort, vdot);
    }

    /// `x = M⁻¹ f` in O(bodies), for contact problems and constraints.
    ///
    /// # Panics
    /// Where `f` or `x` does not have the tree's length, or the workspace belongs to another tree.
    pub fn inverse_mass_times(&self, ws: &mut Workspace, f: &[f64], x: &mut [f64]) {
        self.check_workspace(ws);
        ws.loads.fill(Wrench::ZERO);
        self.solve(ws, f, x);
    }

    /// Writes what [`Tree::inverse_mass_times`] does, with the same bits, for forces on two bodies that hang on nothing and that nothing hangs on; false, with nothing written, where one of them is joined to another.
    ///
    /// Cost: that of two bodies, whatever else the tree holds.
    ///
    /// # Panics
    /// Where a slice or the workspace does not have the tree's length.
    pub fn inverse_mass_times_alone(
        &self,
        bodies: [Option<BodyId>; 2],
        ws: &mut Workspace,
        f: &[f64],
        x: &mut [f64],
    ) -> bool {
        self.check_workspace(ws);
        let mut indices = bodies.map(|body| body.map(BodyId::index));
        indices.sort_unstable();
        let is_joined =
            |i: usize| self.links[i].parent.is_some() || self.links.iter().any(|link| link.parent == Some(i));
        if !ws.valid || indices.iter().flatten().any(|i| is_joined(*i)) {
            return false;
        }
        x.fill(0.0);
        for i in indices.iter().flatten() {
            ws.loads[*i] = Wrench::ZERO;
        }
        self.solve_at(ws, f, x, indices.into_iter().flatten());
        true
    }

    /// Returns `f . M⁻¹ f` of forces `f` at the joints that two bodies hang on, and clears `f` there; elsewhere it must be zero. `x` is memory.
    ///
    /// Cost: in proportion to the joints that the two hang on, whatever else the tree holds. The same bits as [`Tree::inverse_mass_times`] gives.
    ///
    /// # Panics
    /// Where a slice or the workspace does not have the tree's length.
    pub fn inverse_mass_along(
        &self,
        bodies: [Option<BodyId>; 2],
        ws: &mut Workspace,
        f: &mut [f64],
        x: &mut [f64],
    ) -> f64 {
        self.check_workspace(ws);
        let mut path = Vec::new();
        for body in bodies {
            let mut next = body.map(BodyId::index);
            while let Some(i) = next {
                path.push(i);
                next = self.links[i].parent;
            }
        }
        // Parents come before their children.
        path.sort_unstable();
        path.dedup();
        for i in &path {
            ws.loads[*i] = Wrench::ZERO;
        }
        self.solve_at(ws, f, x, path.iter().copied());
        let velocities = path.iter().flat_map(|i| self.links[*i].dofs());
        let felt = if ws.valid { velocities.clone().map(|k| f[k] * x[k]).sum() } else { f64::NAN };
        velocities.for_each(|k| f[k] = 0.0);
        felt
    }

    /// `M x = f - Σ Jᵀ load`.
    fn solve(&self, ws: &mut Workspace, f: &[f64], x: &mut [f64]) {
        if !ws.valid {
            x.fill(f64::NAN);
        }
        self.solve_at(ws, f, x, 0..self.links.len());
    }

    /// The same at some links, rising, with all that they hang on; others must have no loads. Nothing where the workspace holds no finite state.
    fn solve_at(
        &self,
        ws: &mut Workspace,
        f: &[f64],
        x: &mut [f64],
        links: impl DoubleEndedIterator<Item = usize> + Clone,
    ) {
        self.check_velocities(f);
        self.check_velocities(x);
        if !ws.valid {
            return;
        }
        // From the tips: what each joint cannot take goes on to the parent.
        for i in links.clone().rev() {
            let link = &self.links[i];
            let mut load = ws.loads[i];
            for j in 0..link.nv {
                let k = link.v + j;
                let mut u = f[k] - along(self.rotates[k], &ws.axes[k], &ws.loads[i]);
                for l in 0..j {
                    u -= ws.factors[k][l] * ws.numbers[link.v + l];
                }
                ws.numbers[k] = u * ws.factors[k][j];
                let y = &ws.taken[k];
                load.torque += y.torque * ws.numbers[k];
                load.force += y.force * ws.numbers[k];
            }
            if let Some(parent) = link.parent {
                ws.loads[parent] += load.about(&ws.bodies[i].arm);
            }
        }
        // From the root: each joint adds its own acceleration to the parent's.
        for i in links {
            let link = &self.links[i];
            let mut change = link.parent.map_or(Twist::ZERO, |p| ws.changes[p].moved(&ws.bodies[i].arm));
            for k in link.dofs() {
                ws.numbers[k] -= change.dot(&ws.taken[k]);
            }
            for j in (0..link.nv).rev() {
                let k = link.v + j;
                let mut r = ws.numbers[k];
                for l in j + 1..link.nv {
                    r -= ws.factors[link.v + l][j] * x[link.v + l];
                }
                x[k] = r * ws.factors[k][j];
                change.add_axis(self.rotates[k], &ws.axes[k], x[k]);
            }
            ws.changes[i] = change;
        }
    }
}
