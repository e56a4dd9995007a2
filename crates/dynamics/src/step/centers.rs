//! Free bodies whose origin is not their centre of mass: they move by their centres, so that momentum and energy are kept as those of others are.
//!
//! In a step their velocities are written with the orientation at its start: `v + R0 (w x c)` is the velocity of the centre, before and after. Positions are moved so that the centre advances by the mean velocity, and at
//! the end velocities are written with the orientation there. Left as they are, a step would keep the velocity of the origin while the body rotates about it, and the centre would speed up or slow down.

use zerogap_core::{Pose, Vec3};

use super::free::Start;
use super::groups::Groups;
use super::rotation::pull_back;
use crate::multibody::{BodyId, Tree, Workspace};

/// One of them.
#[derive(Debug, Clone, Copy)]
struct OffCenter {
    body: BodyId,
    /// Where its positions and velocities begin.
    q: usize,
    v: usize,
    /// In its own axes [m].
    center: Vec3,
}

/// All of them, in order.
#[derive(Debug, Clone)]
pub(super) struct Centers {
    bodies: Vec<OffCenter>,
    /// Displacements of the origins that follow from those of the centres [m].
    displacements: Vec<Vec3>,
}

impl Centers {
    pub(super) fn new(tree: &Tree, groups: &Groups) -> Self {
        let is_single = |body: BodyId| groups.of(Some(body)).is_some_and(|group| groups.size(group) == 6);
        let bodies: Vec<OffCenter> = (0..tree.bodies() as u32)
            .map(BodyId)
            .filter(|body| tree.moves_freely(*body) && is_single(*body))
            .map(|body| OffCenter {
                body,
                q: tree.q_range(body).start,
                v: tree.v_range(body).start,
                center: tree.inertia(body).center,
            })
            .filter(|off| off.center != Vec3::zeros())
            .collect();
        Self { displacements: vec![Vec3::zeros(); bodies.len()], bodies }
    }

    /// Writes the velocities without contacts of the origins, from those of the centres: forces act on these.
    pub(super) fn hold(&self, tree: &Tree, ws: &Workspace, start: &Start<'_>, free: &mut [f64]) {
        for off in &self.bodies {
            let inertia = tree.inertia(off.body);
            let force = start.wrenches.get(off.body.index()).map_or(Vec3::zeros(), |wrench| wrench.force);
            let gained = (tree.gravity() + force / inertia.mass) * start.step;
            let change = spin_of(free, off) - spin_of(start.v, off);
            let around = ws.pose(off.body).transform_vector(&change.cross(&off.center));
            for k in 0..3 {
                free[off.v + k] = start.v[off.v + k] + gained[k] - around[k];
            }
        }
    }

    /// Moves positions by displacements written with the orientation before: those of centres are exact.
    pub(super) fn displace(&mut self, tree: &Tree, q: &mut [f64], shift: &[f64]) {
        for (off, displacement) in self.bodies.iter().zip(&mut self.displacements) {
            let linear = spin_of(shift, off).cross(&off.center);
            *displacement = turn_of(q, off).transform_vector(&(linear + off.center));
        }
        tree.displace(q, shift);
        for (off, displacement) in self.bodies.iter().zip(&self.displacements) {
            let arm = turn_of(q, off).transform_vector(&off.center);
            for k in 0..3 {
                q[off.q + k] += displacement[k] - arm[k];
            }
        }
    }

    /// Turns a row that acts on velocities at the end of [`Centers::displace`] by a displacement into one that acts on changes of the displacement; of joints and bodies by their centres as [`pull_back`] does.
    pub(super) fn pull_back(
        &self,
        (tree, start): (&Tree, &Workspace),
        q: &[f64],
        shift: &[f64],
        row: &mut [f64],
    ) {
        // The arm from the origin to the centre turns with the body at the end, and is written with the orientation at the start.
        for off in &self.bodies {
            let arm = off.center.cross(&turn_of(q, off).inverse_transform_vector(&linear_of(row, off)));
            for k in 0..3 {
                row[off.v + 3 + k] -= arm[k];
            }
        }
        pull_back(tree, shift, row);
        for off in &self.bodies {
            let arm = off.center.cross(&start.pose(off.body).inverse_transform_vector(&linear_of(row, off)));
            for k in 0..3 {
                row[off.v + 3 + k] += arm[k];
            }
        }
    }

    /// Writes velocities with the orientation at the end of the step.
    pub(super) fn carry_over(&self, start: &Workspace, q: &[f64], v: &mut [f64]) {
        for off in &self.bodies {
            let around = spin_of(v, off).cross(&off.center);
            let change =
                start.pose(off.body).transform_vector(&around) - turn_of(q, off).transform_vector(&around);
            for k in 0..3 {
                v[off.v + k] += change[k];
            }
        }
    }
}

/// The angular part of velocities or displacements, in axes of the body.
fn spin_of(v: &[f64], off: &OffCenter) -> Vec3 {
    Vec3::new(v[off.v + 3], v[off.v + 4], v[off.v + 5])
}

/// The linear part of a row.
fn linear_of(row: &[f64], off: &OffCenter) -> Vec3 {
    Vec3::new(row[off.v], row[off.v + 1], row[off.v + 2])
}

/// The orientation among positions; none where numbers have overflowed, which ends the run.
fn turn_of(q: &[f64], off: &OffCenter) -> Pose {
    let at = off.q + 3;
    Pose::new(Vec3::zeros(), [q[at], q[at + 1], q[at + 2], q[at + 3]]).unwrap_or_default()
}
