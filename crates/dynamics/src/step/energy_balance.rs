//! The energy of articulated bodies over a step: what the rule for their free motion adds or loses goes back into their velocities.
//!
//! In: bodies at the start and at the end of a step, what forces did in it. Out: velocities at the end, scaled so that kinetic energy is what it was plus the work done.
//!
//! The midpoint rule keeps the energy of single bodies, whose mass matrix is constant in their own axes. That of joined bodies changes with the positions, and the rule is off by the third power of the step: a chain
//! that whips gains a hundredth of its energy in one step of a millisecond. Velocities of a whole group of joined bodies are scaled alike: points that rest stay at rest, sliding keeps its direction, joints at limits
//! stay there, and closed loops stay closed. Bodies that float keep their linear and angular momentum: only motion beyond that of the whole as one rigid body is scaled. The scale differs from one by the third power
//! of the step, as the rule itself does, so its order stays.
//! Where contacts or limits act on a group, or joint forces that a step does not resolve, energy is taken away only, never given: what these lose is their own affair.
//! Groups on a prescribed motion are left alone; what moves them does unknown work. So are groups with beams, which damp what a step does not resolve.

use zerogap_contact::cone::{BodyProblem, Delassus};
use zerogap_core::{Mat3, Vec3};

use super::drift::SideDrift;
use super::end_places::EndPlaces;
use super::groups::Groups;
use super::joint_forces::JointForces;
use super::prescribed::Prescribed;
use crate::multibody::{BodyId, JointKind, Tree, Workspace, Wrench};

/// Errors below this fraction of the energies they are differences of are rounding [-].
const ROUNDING: f64 = 1e-13;
/// Velocities grow by this ratio in a step at most [-]: near a turning point little motion stands against the error of much.
const MAX_SCALE: f64 = 1.3;
/// They shrink to this fraction at most where the error is below `SMALL` of the energy of motion, for the same reason [-].
const MIN_SCALE: f64 = 0.5;
const SMALL: f64 = 1e-3;
/// A displacement that springs and heights have no energy for is halved this often at most [-].
const MAX_HALVINGS: i32 = 40;

/// A group of joined bodies.
#[derive(Debug, Clone)]
struct Joined {
    group: usize,
    bodies: Vec<BodyId>,
    /// Its velocities.
    velocities: Vec<usize>,
    /// The body that floats, if one does: all others hang on it.
    floating: Option<BodyId>,
}

/// Energies of one group [J].
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    kinetic: f64,
    height: f64,
    /// The size of the terms of `height`.
    heights: f64,
}

/// The kinetic energy of a group after a step [J].
#[derive(Debug, Clone, Copy)]
struct Balance {
    wanted: f64,
    found: f64,
    /// The size of the terms it is a difference of.
    size: f64,
    /// Whether contacts or limits act on the group.
    is_touched: bool,
}

/// What a step was made of.
pub(super) struct MadeStep<'a> {
    pub(super) tree: &'a Tree,
    pub(super) groups: &'a Groups,
    pub(super) step: f64,
    /// Of every joint over the step [m or rad].
    pub(super) displacement: &'a [f64],
    /// At the start, after impacts.
    pub(super) q0: &'a [f64],
    pub(super) v0: &'a [f64],
    pub(super) start: &'a Workspace,
    pub(super) wrenches: &'a [Wrench],
    pub(super) joints: &'a JointForces,
    /// Problem and impulses, where there was one; blocks before `loops` are those of loops.
    pub(super) impulses: Option<(&'a BodyProblem, &'a [f64], usize)>,
    /// What joints that turn change of the velocities of contacts.
    pub(super) side_drifts: &'a [SideDrift],
}

/// Memory for keeping the balance.
#[derive(Debug, Clone)]
pub(super) struct EnergyBalance {
    joined: Vec<Joined>,
    /// Work of impulses on each group [J], and whether any but those of loops act.
    work: Vec<(f64, bool)>,
    shift: Vec<f64>,
}

impl EnergyBalance {
    pub(super) fn new(tree: &Tree, groups: &Groups, prescribed: &Prescribed) -> Self {
        let mut joined: Vec<Joined> = Vec::new();
        for group in 0..groups.len() {
            let bodies: Vec<BodyId> =
                tree.body_ids().filter(|body| groups.of(Some(*body)) == Some(group)).collect();
            let is_carried = bodies.iter().any(|body| prescribed.carries(Some(*body)));
            let is_bent =
                tree.beams().iter().any(|beam| tree.beam_bodies(beam).any(|body| bodies.contains(&body)));
            let is_single = bodies.len() == 1 && tree.moves_freely(bodies[0]);
            if is_carried || is_single || is_bent {
                continue;
            }
            let velocities = (0..tree.velocities()).filter(|v| groups.place(*v).0 == group).collect();
            let is_floating =
                |body: &BodyId| tree.parent(*body).is_none() && matches!(tree.joint(*body), JointKind::Free);
            let roots =
                bodies.iter().filter(|body| tree.parent(**body).is_none_or(|p| groups.of(Some(p)).is_none()));
            let floating =
                roots.clone().find(|body| is_floating(body)).copied().filter(|_| roots.count() == 1);
            joined.push(Joined { group, bodies, velocities, floating });
        }
        Self { joined, work: vec![(0.0, false); groups.len()], shift: vec![0.0; tree.velocities()] }
    }

    /// Whether no body hangs on another.
    pub(super) fn is_idle(&self) -> bool {
        self.joined.is_empty()
    }

    /// Scales the velocities `v` at the end of a step, at the time `t` [s] and positions `q`; leaves the bodies there in `end`. Returns whether all could be scaled as it takes: where not, the step is too long for its motion.
    pub(super) fn keep(
        &mut self,
        made: &MadeStep<'_>,
        (t, q, v): (f64, &mut [f64], &mut [f64]),
        end: &mut EndPlaces,
    ) -> bool {
        let tree = made.tree;
        end.locate(tree, (t, q, v));
        if !end.ws().is_valid() {
            return true;
        }
        let mut is_kept = true;
        self.sum_impulses(made);
        for number in 0..self.joined.len() {
            let mut balance = self.balance(number, made, (end.ws(), q, v), 1.0);
            // Positions that take more than there is: part of the displacement is enough.
            let mut halvings = 0;
            while balance.wanted < -ROUNDING * balance.size && halvings < MAX_HALVINGS {
                let joined = &self.joined[number];
                self.shift.fill(0.0);
                for k in &joined.velocities {
                    self.shift[*k] = made.displacement[*k] * 0.5_f64.powi(halvings + 1);
                }
                for range in joined.bodies.iter().map(|body| tree.q_range(*body)) {
                    q[range.clone()].copy_from_slice(&made.q0[range]);
                }
                tree.displace(q, &self.shift);
                // On its loops, if it has any.
                tree.project(t, q, v, end.forget());
                halvings += 1;
                balance = self.balance(number, made, (end.ws(), q, v), 0.5_f64.powi(halvings));
            }
            is_kept &= self.scale(number, made, &balance, (end.ws(), v)) && halvings == 0;
        }
        is_kept
    }

    /// What the motion of a group should have, and what it has, after a fraction of the displacement.
    fn balance(
        &self,
        number: usize,
        made: &MadeStep<'_>,
        (end, q, v): (&Workspace, &[f64], &[f64]),
        fraction: f64,
    ) -> Balance {
        let joined = &self.joined[number];
        let start = joined.sums(made.tree, made.start, made.v0);
        let found = joined.sums(made.tree, end, v);
        let (work, is_touched) = self.work[joined.group];
        let work = fraction * work + work_of_forces(joined, made, (end, q, v), fraction);
        Balance {
            wanted: start.kinetic + start.height - found.height + work,
            found: found.kinetic,
            size: start.kinetic + found.kinetic + start.heights + found.heights,
            is_touched,
        }
    }

    /// Scales the velocities of a group; whether by as much as it takes.
    fn scale(
        &self,
        number: usize,
        made: &MadeStep<'_>,
        balance: &Balance,
        (end, v): (&Workspace, &mut [f64]),
    ) -> bool {
        let (tree, joined) = (made.tree, &self.joined[number]);
        let Balance { wanted, found, size, is_touched } = *balance;
        let error = found - wanted;
        let is_one_sided = is_touched || joined.velocities.iter().any(|k| made.joints.lead[*k] > 0.0);
        if error.abs() <= ROUNDING * size || !error.is_finite() || (is_one_sided && error < 0.0) {
            return true;
        }
        // What is not scaled: the motion of a floating group as one rigid body, which its momenta fix, unless that alone has more.
        let locked = joined
            .floating
            .filter(|_| !is_touched)
            .map(|root| joined.locked(tree, end, root))
            .filter(|locked| locked.energy <= wanted);
        let kept = locked.as_ref().map_or(0.0, |locked| locked.energy);
        let moving = found - kept;
        if moving <= 0.0 {
            return true;
        }
        let min = if error <= SMALL * found { MIN_SCALE } else { 0.0 };
        let asked = ((wanted - kept) / moving).max(0.0).sqrt();
        let scale = asked.clamp(min, MAX_SCALE);
        for k in &joined.velocities {
            v[*k] *= scale;
        }
        if let Some(locked) = locked {
            for (k, rigid) in tree.v_range(locked.root).zip(locked.velocities) {
                v[k] += (1.0 - scale) * rigid;
            }
        }
        scale.to_bits() == asked.to_bits()
    }

    /// Sums what impulses do to each group along its displacement.
    fn sum_impulses(&mut self, made: &MadeStep<'_>) {
        self.work.fill((0.0, false));
        let Some((problem, impulses, loops)) = made.impulses else { return };
        for (block, law) in problem.blocks().iter().enumerate() {
            let first = problem.first(block);
            let impulse = &impulses[first..first + law.rows()];
            if impulse.iter().all(|x| *x == 0.0) {
                continue;
            }
            for side in problem.sides(block).iter().flatten() {
                let rows = problem.rows_of(block, *side);
                let members = made.groups.members(side.group);
                let mut work = 0.0;
                for (row, impulse) in rows.chunks_exact(members.len()).zip(impulse) {
                    let along: f64 = row.iter().zip(members).map(|(x, k)| x * made.displacement[*k]).sum();
                    work += along * impulse / made.step;
                }
                let (sum, is_touched) = &mut self.work[side.group];
                *sum += work;
                *is_touched |= block >= loops;
            }
        }
        // Points on bodies that turn move by half of what their velocities change more than the rows at the start say.
        for drift in made.side_drifts {
            let impulse = &impulses[problem.first(drift.block)..];
            let along: f64 = drift.along.iter().zip(impulse).map(|(along, impulse)| along * impulse).sum();
            self.work[drift.group].0 += 0.5 * along;
        }
    }
}

/// What joint forces and forces on bodies do along a fraction of the displacement [J].
///
/// Along the displacement, not the mean velocity: with `theta` above one half these differ, and forces that balance each other would seem to do work that shrinks more slowly than the kinetic energy of what settles.
fn work_of_forces(
    joined: &Joined,
    made: &MadeStep<'_>,
    (end, q, v): (&Workspace, &[f64], &[f64]),
    fraction: f64,
) -> f64 {
    let MadeStep { tree, step, .. } = *made;
    let mut work = 0.0;
    if !made.joints.is_idle() {
        for &k in &joined.velocities {
            let (along, gained) = (fraction * made.displacement[k], v[k] - made.v0[k]);
            // Springs and dampers give no more than the springs had.
            let stored = tree.spring_energy(k, made.q0) - tree.spring_energy(k, q);
            work += (made.joints.own_effort(k, gained) * along).min(stored)
                + made.joints.motor_effort(k, gained) * along;
        }
    }
    for body in &joined.bodies {
        let wrench = made.wrenches.get(body.index()).copied().unwrap_or_default();
        if wrench.force == Vec3::zeros() && wrench.torque == Vec3::zeros() {
            continue;
        }
        let origin = |ws: &Workspace| ws.pose(*body).translation();
        let turning = |ws: &Workspace| wrench.torque.dot(&ws.angular_velocity(*body));
        work += wrench.force.dot(&(origin(end) - origin(made.start)))
            + 0.5 * fraction * step * (turning(made.start) + turning(end));
    }
    work
}

/// A group that floats, as if its joints were locked.
struct Locked {
    root: BodyId,
    /// Of the body that floats, as its joint has them.
    velocities: [f64; 6],
    /// [J].
    energy: f64,
}

impl Joined {
    fn sums(&self, tree: &Tree, ws: &Workspace, v: &[f64]) -> Sums {
        let mut sums = Sums::default();
        for body in &self.bodies {
            sums.kinetic += tree.body_motion(ws, body.index()).kinetic_energy();
            let height = tree.body_height_energy(ws, body.index());
            sums.height += height;
            sums.heights += height.abs();
        }
        sums.kinetic += self.velocities.iter().map(|k| 0.5 * tree.armature(*k) * v[*k] * v[*k]).sum::<f64>();
        sums
    }

    /// The rigid motion of the whole with the momenta it has.
    fn locked(&self, tree: &Tree, ws: &Workspace, root: BodyId) -> Locked {
        let motions = self.bodies.iter().map(|body| tree.body_motion(ws, body.index()));
        let (mut mass, mut moment, mut momentum) = (0.0, Vec3::zeros(), Vec3::zeros());
        for body in motions.clone() {
            mass += body.mass;
            moment += body.center * body.mass;
            momentum += body.momentum;
        }
        let center = moment / mass;
        let (mut inertia, mut spin) = (Mat3::zeros(), Vec3::zeros());
        for body in motions {
            let arm = body.center - center;
            inertia += body.inertia
                + (Mat3::from_diagonal_element(arm.norm_squared()) - arm * arm.transpose()) * body.mass;
            spin += body.inertia * body.spin + arm.cross(&body.momentum);
        }
        let turning = inertia.try_inverse().map_or(Vec3::zeros(), |inverse| inverse * spin);
        let velocity = momentum / mass;
        let at = tree.free_joint_velocities(ws, root, (center, velocity, turning));
        Locked { root, velocities: at, energy: 0.5 * (momentum.dot(&velocity) + spin.dot(&turning)) }
    }
}
