//! The step without contacts: the implicit midpoint rule.
//!
//! In: state, forces and the length of the step. Out: the velocities at its end. Constant forces are integrated exactly; the kinetic energy of a body that turns freely is kept to rounding, since the rule
//! keeps what is quadratic in its velocities.

use zerogap_core::{Mat3, Vec3};

use super::beams::Beams;
use super::groups::Groups;
use super::joint_forces::JointForces;
use crate::multibody::{BodyId, Tree, Workspace, Wrench};

/// Rounds of the fixed-point iteration at most; each gains a factor of about spin times step.
const MAX_ROUNDS: usize = 30;
/// Velocities that change by less than this fraction of the largest are found [-].
const FOUND: f64 = 1e-15;

/// The same for joined bodies: each round gains a factor of about spin times step, so what is left is far below what the rule itself leaves, and their energy is kept otherwise.
const JOINED_FOUND: f64 = 1e-8;
/// Velocities that change by more than this fraction of the largest in the last round are not [-].
const CLOSE: f64 = 1e-6;

/// Memory for steps without contacts.
#[derive(Debug, Clone)]
pub(super) struct Free {
    /// The bodies in the middle of the step.
    pub(super) middle: Workspace,
    q: Vec<f64>,
    v: Vec<f64>,
    shift: Vec<f64>,
    effort: Vec<f64>,
    acceleration: Vec<f64>,
    /// Velocities after, with the forces at the start.
    explicit: Vec<f64>,
    pub(super) joints: JointForces,
    pub(super) beams: Beams,
    /// Whether no body hangs on another and none has a prescribed motion.
    is_loose: bool,
}

/// A state at the start of a step.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) t: f64,
    pub(super) step: f64,
    pub(super) q: &'a [f64],
    pub(super) v: &'a [f64],
    pub(super) wrenches: &'a [Wrench],
}

impl Free {
    pub(super) fn new(tree: &Tree, groups: &Groups) -> Self {
        let n = tree.velocities();
        let beams = Beams::new(tree, groups);
        let is_loose = beams.is_empty()
            && tree.loop_rows() == 0
            && tree.body_ids().all(|body| tree.v_range(body).len() == 6);
        Self {
            is_loose,
            middle: tree.workspace(),
            q: vec![0.0; tree.positions()],
            v: vec![0.0; n],
            shift: vec![0.0; n],
            effort: vec![0.0; n],
            acceleration: vec![0.0; n],
            explicit: vec![0.0; n],
            joints: JointForces::new(tree, groups, &beams),
            beams,
        }
    }

    /// Whether every body is free and nothing turns one: forces act on centres of mass.
    fn moves_alone(&self, tree: &Tree, wrenches: &[Wrench]) -> bool {
        let is_straight = |body: BodyId| {
            let wrench = wrenches.get(body.index()).copied().unwrap_or_default();
            wrench.torque == Vec3::zeros()
                && (wrench.force == Vec3::zeros() || tree.inertia(body).center == Vec3::zeros())
        };
        self.is_loose && tree.body_ids().all(|body| tree.moves_freely(body) && is_straight(body))
    }

    /// Writes the velocities at the end of the step as if there were no contacts; those of bodies with their origin off their centre of mass are left to [`super::centers`].
    pub(super) fn velocities(&mut self, tree: &Tree, groups: &Groups, start: &Start<'_>, free: &mut [f64]) {
        let Start { t, step, q, v, wrenches } = *start;
        // Bodies that each move alone are quick: nothing of one depends on another, and little on where it is.
        if self.moves_alone(tree, wrenches) {
            for (body, (v, free)) in tree.body_ids().zip(v.chunks_exact(6).zip(free.chunks_exact_mut(6))) {
                let wrench = wrenches.get(body.index()).copied().unwrap_or_default();
                let inertia = tree.inertia(body);
                let velocity =
                    Vec3::new(v[0], v[1], v[2]) + (tree.gravity() + wrench.force / inertia.mass) * step;
                let spin = turn(&inertia.inertia, step, &Vec3::new(v[3], v[4], v[5]));
                free[..3].copy_from_slice(velocity.as_slice());
                free[3..].copy_from_slice(spin.as_slice());
            }
            return;
        }
        free.copy_from_slice(v);
        self.joints.begin(tree, step, (q, v));
        self.effort.fill(0.0);
        self.middle.added_mass.fill(0.0);
        let (mut change, mut is_found) = (f64::INFINITY, false);
        // The middle by the velocity at the start. Positions halfway by the velocities of the implicit rule are off by as much, the other way, and would have to be found anew in every round.
        for (shift, v) in self.shift.iter_mut().zip(v) {
            *shift = 0.5 * step * v;
        }
        self.q.copy_from_slice(q);
        tree.displace(&mut self.q, &self.shift);
        for round in 0..MAX_ROUNDS {
            for (middle, (v, free)) in self.v.iter_mut().zip(v.iter().zip(free.iter())) {
                *middle = 0.5 * (v + free);
            }
            let is_changed = !self.joints.is_idle()
                && self.joints.take_lines(step, (v, free), &mut self.effort, &mut self.middle.added_mass);
            if round == 0 {
                tree.update(t + 0.5 * step, &self.q, &self.v, &mut self.middle);
            } else {
                tree.update_velocities(t + 0.5 * step, &self.v, &mut self.middle);
                if is_changed {
                    tree.factor(&mut self.middle);
                }
            }
            tree.acceleration(&mut self.middle, wrenches, &self.effort, &mut self.acceleration);

            let (mut now, mut largest) = (0.0_f64, 0.0_f64);
            for ((free, v), a) in free.iter_mut().zip(v).zip(&self.acceleration) {
                let next = v + step * a;
                now = now.max((next - *free).abs());
                largest = largest.max(next.abs()).max(v.abs());
                *free = next;
            }
            if round == 0 {
                self.explicit.copy_from_slice(free);
            }
            // The next round would change as much less as this one did, unless a motor is at its limit now.
            let next = if round == 0 || is_changed { now } else { now * (now / change) };
            is_found = next <= CLOSE * largest;
            // Found, or no better than rounding, or going astray.
            if next <= JOINED_FOUND * largest || (now >= change && round > 1) {
                break;
            }
            change = now;
        }
        // Bodies so fast that a step is no small part of a turn: with their velocities at the start at least nothing feeds back.
        if !is_found {
            free.copy_from_slice(&self.explicit);
        }
        self.beams.act(tree, (groups, &self.joints), start, &mut self.middle, free);
    }
}

impl Free {
    /// Returns the inertia that implicit joint forces added to each degree of freedom in the last step [kg or kg m²]; none where no joint has such a force.
    pub(super) fn added_mass(&self) -> Option<&[f64]> {
        let added = &self.middle.added_mass;
        added.iter().any(|x| *x > 0.0).then_some(added)
    }

    /// Turns bodies that each move alone by the torque of their spin along a known displacement: `shift` is half of it, so twice that over the step are the mean velocities. Others are left as they are.
    ///
    /// With the mean velocities that contacts leave, the torque does no work; those of the step without contacts differ by what contacts do in half a step.
    pub(super) fn turn_by(&self, tree: &Tree, start: &Start<'_>, shift: &[f64], free: &mut [f64]) {
        let Start { step, v, wrenches, .. } = *start;
        if !self.moves_alone(tree, wrenches) {
            return;
        }
        let bodies = v.chunks_exact(6).zip(shift.chunks_exact(6)).zip(free.chunks_exact_mut(6));
        for (body, ((v, shift), free)) in tree.body_ids().zip(bodies) {
            let inertia = &tree.inertia(body).inertia;
            let mean = Vec3::new(shift[3], shift[4], shift[5]) * (2.0 / step);
            let torque = (inertia * mean).cross(&mean);
            let Some(inverse) = inertia.try_inverse() else { continue };
            let spin = Vec3::new(v[3], v[4], v[5]) + inverse * torque * step;
            free[3..].copy_from_slice(spin.as_slice());
        }
    }
}

/// The angular velocity at the end of a step, in axes of the body: `I (w1 - w0) = -h w x I w` with the mean `w`, by Newton's method.
pub(super) fn turn(inertia: &Mat3, step: f64, before: &Vec3) -> Vec3 {
    let mut after = *before;
    if *before == Vec3::zeros() {
        return after;
    }
    let mut last = f64::INFINITY;
    for _ in 0..MAX_ROUNDS {
        let middle = (before + after) * 0.5;
        let momentum = inertia * middle;
        let miss = inertia * (after - before) + middle.cross(&momentum) * step;
        let slope = inertia + (middle.cross_matrix() * inertia - momentum.cross_matrix()) * (0.5 * step);
        let Some(inverse) = slope.try_inverse() else { break };
        let change = inverse * miss;
        let length = change.norm();
        // No better than rounding, or not at all.
        if length.is_nan() || length >= last {
            break;
        }
        after -= change;
        if length <= FOUND * after.norm() {
            break;
        }
        last = length;
    }
    after
}
