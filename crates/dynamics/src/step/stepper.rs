//! One step of time: impacts first, then the step with all contacts.
//!
//! Method: impacts with restitution by Moreau's law at the start of the step in which they are due; then one problem for the velocities at the end of the step in which gaps may close but not pass zero
//! (Stewart and Trinkle 1996), with exact cones of friction; positions advance by the mean of the velocities before and after (Moreau 1999 with theta = 1/2), which integrates constant accelerations exactly, and by the velocity
//! after where a contact is caught. Differs from both: overlaps left by rotating bodies are corrected by a second problem for displacements, at rest.
//! Tolerance: each solve to `StepParams::tolerance` [m/s] in every contact, else it is counted in [`StepInfo::unconverged`]. Steps are first order in their length where bodies impact, second elsewhere.
//! Order: contacts are taken in the order given; same input, same bits.

use zerogap_contact::SolverInfo;
use zerogap_contact::cone::{BEYOND, BodyProblem, CapturedProblem, Delassus, StepSolver, onto_cone};
use zerogap_contact::problem::Block;
use zerogap_contact::solve::solve_pyramids_of_step;
use zerogap_core::Vec3;
use zerogap_core::disjoint_sets::DisjointSets;

use super::centers::Centers;
use super::contact_point::{ContactPoint, StepInfo, StepParams};
use super::displacement::OPENING_ROUNDS;
use super::drift::Drift;
use super::end_places::EndPlaces;
use super::energy_balance::{EnergyBalance, MadeStep};
use super::free::{Free, Start};
use super::groups::Groups;
use super::joint_forces::JointForces;
use super::position_correction::{CorrectedStep, PositionCorrection};
use super::prescribed::Prescribed;
use super::rows::{NO_DRIVE, Places, Rows};
use crate::multibody::{Tree, Workspace, Wrench};

/// A correction moves no contact by more than so many times the deepest overlap [-]: ordinary ones move it by about one.
const LONGEST_CORRECTION: f64 = 5.0;

/// Overlaps are corrected to within this fraction of what is allowed [-].
const CORRECTED: f64 = 0.1;
/// Impulses of a settled step are taken as they are if they miss no more than this fraction of the tolerance [-], others if they miss no more than that: ten times what a solve leaves, else some part of a large scene is always off.
const SETTLED: f64 = 0.1;
const UNSETTLED: f64 = 10.0 * BEYOND;

/// A contact that slips by no more than so many times the tolerance sticks [-]: sticking ones slip by about one of it.
const STUCK: f64 = 10.0;

/// Memory of steps.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(super) groups: Groups,
    /// Groups that rest whatever acts on them.
    pub(super) frozen: Vec<bool>,
    has_joint_friction: bool,
    pub(super) start: Workspace,
    /// The bodies in the middle of the step, and whether the last iteration gave the displacement to there.
    pub(super) halfway: Workspace,
    pub(super) is_followed: bool,
    pub(super) shift: Vec<f64>,
    pub(super) place: Vec<f64>,
    pub(super) free: Free,
    pub(super) prescribed: Prescribed,
    pub(super) drift: Drift,
    pub(super) centers: Centers,
    pub(super) problem: BodyProblem,
    pub(super) rows: Rows,
    pub(super) solver: StepSolver,
    /// Sides of friction pyramids in place of round cones.
    cone_sides: Option<usize>,
    pub(super) islands: DisjointSets,
    position_correction: PositionCorrection,
    energy_balance: EnergyBalance,
    end: EndPlaces,
    /// The bodies at the start of the step after all that is done there, and positions and velocities.
    made_start: Workspace,
    pub(super) made_q: Vec<f64>,
    /// Whether the bodies are not where `start` has them.
    is_moved: bool,
    /// How often the step in hand was halved.
    pub(super) halvings: usize,
    /// Memory of steps in halves.
    pub(super) spare: Vec<Vec<f64>>,
    pub(super) impulses: Vec<f64>,
    pub(super) elastic: Vec<f64>,
    /// Velocities: before the step, without contacts, after; in the order of the tree.
    pub(super) before: Vec<f64>,
    pub(super) free_velocity: Vec<f64>,
    /// The same in the order of the groups.
    pub(super) grouped: Vec<f64>,
    pub(super) state: Vec<f64>,
    pub(super) other: Vec<f64>,
    /// Velocity of each gap (contacts, then limits before them by block) at the start and without contacts.
    pub(super) rates: Vec<f64>,
    pub(super) free_rates: Vec<f64>,
    pub(super) driven: Vec<[f64; 3]>,
    /// Gap of each block [m or rad]; infinite for loops.
    pub(super) gaps: Vec<f64>,
    /// Blocks that are open in an impact.
    pub(super) open: Vec<bool>,
    /// Contacts that were due though their path alone did not show it.
    pub(super) late: Vec<bool>,
    pub(super) theta: Vec<f64>,
    /// How fast each gap that opened before the step may close at its end, as a fraction [-].
    pub(super) opening: Vec<f64>,
    /// When the gap of each block is expected to close, and which have had an impact in the step, where that is asked for.
    pub(super) closing: Vec<f64>,
    pub(super) struck: Vec<bool>,
    /// Groups that contacts, limits, loops or drives hold at the start of a step.
    pub(super) held: Vec<bool>,
    /// Impulses of impacts at each contact without restitution, where that is asked for [N s].
    pub(super) shocks: Vec<Vec3>,
    /// The problem of the last step, where it is asked for.
    pub(super) captured: Option<CapturedProblem>,
}

impl Stepper {
    /// Memory for a tree.
    pub fn new(tree: &Tree) -> Self {
        let groups = Groups::new(tree);
        let n = tree.velocities();
        let centers = Centers::new(tree, &groups);
        let prescribed = Prescribed::new(tree);
        let free = Free::new(tree, &groups);
        Self {
            energy_balance: EnergyBalance::new(tree, &groups, &prescribed),
            drift: Drift::new(tree, &groups, &prescribed),
            end: EndPlaces::new(tree),
            made_start: tree.workspace(),
            made_q: vec![0.0; tree.positions()],
            is_moved: false,
            halvings: 0,
            spare: Vec::new(),
            frozen: vec![false; groups.len()],
            has_joint_friction: JointForces::needs_rows(tree),
            groups,
            centers,
            start: tree.workspace(),
            halfway: tree.workspace(),
            is_followed: false,
            shift: vec![0.0; n],
            place: vec![0.0; tree.positions()],
            free,
            prescribed,
            problem: BodyProblem::default(),
            rows: Rows::default(),
            solver: StepSolver::default(),
            cone_sides: None,
            islands: DisjointSets::default(),
            position_correction: PositionCorrection::default(),
            impulses: Vec::new(),
            elastic: Vec::new(),
            before: vec![0.0; n],
            free_velocity: vec![0.0; n],
            grouped: vec![0.0; n],
            state: vec![0.0; n],
            other: vec![0.0; n],
            rates: Vec::new(),
            free_rates: Vec::new(),
            driven: Vec::new(),
            gaps: Vec::new(),
            open: Vec::new(),
            late: Vec::new(),
            theta: Vec::new(),
            opening: Vec::new(),
            closing: Vec::new(),
            struck: Vec::new(),
            held: Vec::new(),
            shocks: Vec::new(),
            captured: None,
        }
    }

    /// Returns the groups of the tree: bodies that feel each other's forces through joints.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// Has groups rest in all steps from now on, whatever acts on them, or no longer. Their velocities must be zero and none of their contacts may be among those of a step; rounding may change their positions, so the caller
    /// keeps those.
    ///
    /// # Panics
    /// Where the flags are not as many as the groups.
    pub fn freeze(&mut self, frozen: &[bool]) {
        self.frozen.copy_from_slice(frozen);
    }

    /// Has friction pyramids of so many sides, by Lemke's method, in place of round cones; none for those.
    ///
    /// What such problems do not have (limits of effort, dry friction of joints, resistance to rolling and spinning), and where the method ends without a solution, is solved with round cones and counts as unconverged.
    pub fn set_cone_sides(&mut self, sides: Option<usize>) {
        self.cone_sides = sides;
    }

    /// The bodies at the start of the next step: the caller finds contacts there.
    pub fn locate(&mut self, tree: &Tree, t: f64, q: &[f64], v: &[f64]) -> &Workspace {
        if !self.end.hand_over(tree, (t, q, v), &mut self.start) {
            tree.update_motion(t, q, v, &mut self.start);
        }
        self.is_followed = false;
        &self.start
    }

    /// Returns the bodies where [`Stepper::locate`] put them last.
    pub fn located(&self) -> &Workspace {
        &self.start
    }

    /// The bodies in the middle of a step from a state that [`Stepper::locate`] was called for: by its velocities, or by the displacement of the last [`Stepper::step`] from the same state where `is_followed`.
    /// The caller finds there the contacts that last.
    pub fn locate_halfway(
        &mut self,
        tree: &Tree,
        (t, step): (f64, f64),
        (q, v): (&[f64], &[f64]),
        is_followed: bool,
    ) -> &Workspace {
        for (k, shift) in self.shift.iter_mut().enumerate() {
            *shift = 0.5 * if is_followed { self.other[k] } else { step * v[k] };
        }
        self.is_followed = is_followed;
        self.place.copy_from_slice(q);
        self.centers.displace(tree, &mut self.place, &self.shift);
        tree.normalise(&mut self.place);
        tree.update_motion(t + 0.5 * step, &self.place, v, &mut self.halfway);
        self.prescribed.locate_halfway(tree, t + 0.5 * step, &self.place);
        &self.halfway
    }

    /// The displacement of every joint in the last [`Stepper::step`], in the order of velocities [m or rad].
    pub fn last_displacement(&self) -> &[f64] {
        &self.other
    }

    /// The bodies at a time and a state where a step or a part of one ended: the caller checks there what it did.
    pub fn locate_end(&mut self, tree: &Tree, t: f64, q: &[f64], v: &[f64]) -> &Workspace {
        self.end.locate(tree, (t, q, v));
        self.end.ws()
    }

    /// Returns the bodies where [`Stepper::locate_end`] put them last.
    pub fn located_end(&self) -> &Workspace {
        self.end.ws()
    }

    /// The bodies at a time, from positions `q` moved by a fraction of a displacement: the caller checks there what a step passes on its path.
    pub fn locate_along(
        &mut self,
        tree: &Tree,
        t: f64,
        (q, v): (&[f64], &[f64]),
        (displacement, fraction): (&[f64], f64),
    ) -> &Workspace {
        self.place.copy_from_slice(q);
        for (shift, displacement) in self.shift.iter_mut().zip(displacement) {
            *shift = fraction * displacement;
        }
        self.centers.displace(tree, &mut self.place, &self.shift);
        tree.normalise(&mut self.place);
        tree.update_motion(t, &self.place, v, &mut self.halfway);
        &self.halfway
    }

    /// Has every step keep a copy of its contact problem, or no longer.
    pub fn keep_problems(&mut self, is_kept: bool) {
        self.captured = is_kept.then(CapturedProblem::default);
    }

    /// Returns the contact problem of the last step that had one, with the impulses its solve started from; none unless problems are kept.
    pub fn problem(&self) -> Option<&CapturedProblem> {
        self.captured.as_ref().filter(|captured| !captured.label.is_empty())
    }

    /// Returns the velocities at the start of the last [`Stepper::step`] after the impacts there, in the order of the tree.
    pub fn start_velocities(&self) -> &[f64] {
        &self.before
    }

    /// The velocity of B against A along the normal of a contact at the start of the step [m/s].
    pub fn start_rate(&self, contact: &ContactPoint) -> f64 {
        let of = |body| self.start.point_velocity(body, contact.at);
        contact.normal.dot(&(of(contact.b) - of(contact.a)))
    }

    /// Makes the step from `t` that [`Stepper::locate`] was called for, with the contacts found there.
    pub fn step(
        &mut self,
        tree: &Tree,
        params: &StepParams,
        (t, step): (f64, f64),
        (q, v): (&mut [f64], &mut [f64]),
        wrenches: &[Wrench],
        contacts: &mut [ContactPoint],
    ) -> StepInfo {
        let mut info = StepInfo::default();

        // Where all would go without contacts, and the problem that contacts make of it.
        self.before.copy_from_slice(v);
        self.is_moved = tree.loop_rows() > 0;
        let is_alone = contacts.is_empty() && tree.loop_rows() == 0 && !self.has_joint_friction;
        self.free.joints.use_rows(!is_alone);
        let touched = contacts.iter().flat_map(|contact| [contact.a, contact.b]);
        self.free.joints.tie(touched.filter_map(|body| self.groups.of(body)));
        self.stop_frames(step, contacts);
        self.find_free(tree, (t, step), q, wrenches);
        self.list_limits(tree, step, q);
        if is_alone && !self.reaches_limit(tree, step) {
            self.step_alone(tree, params, (t, step), (q, v), wrenches, &mut info);
            return info;
        }
        if is_alone {
            self.free.joints.use_rows(true);
            self.find_free(tree, (t, step), q, wrenches);
        }
        // Loops are constrained halfway, where what they do to mean velocities does no work; masses are those there.
        if tree.loop_rows() > 0 && !self.is_followed {
            self.locate_halfway(tree, (t, step), (q, v), false);
        }
        self.locate_motion(tree, (t, step), q, contacts);
        self.fill_problem(tree, contacts, true);
        self.remember_bias();
        self.list_gaps(contacts);

        // Positions are corrected at rest, and heights that this gains are taken from the velocities.
        if self.correct_positions(tree, q, contacts, &mut info) {
            self.find_free(tree, (t, step), q, wrenches);
        }

        // Impacts that are due within the step, then the step itself: gaps close at most. What restitution should have thrown back, and the step stopped, was due after all.
        self.expect_impacts(params, step, contacts);
        info.early = self.first_in_flight(params, step, contacts);
        if info.early.is_some() {
            return info;
        }
        let taken = match params {
            StepParams { is_repeated: true, .. } => 1.0,
            StepParams { is_settled: true, .. } => SETTLED,
            _ => UNSETTLED,
        } * params.tolerance;
        // An impact takes no time: joint forces do nothing in it, however stiff.
        let is_stiff = (self.free.added_mass().is_some() || !self.free.beams.is_empty())
            && self.has_impacts(params, contacts);
        self.begin_opening(params.is_repeated);
        let (mut rounds, mut is_again) = (0, false);
        loop {
            if is_stiff {
                self.fill_problem(tree, contacts, false);
            }
            if self.make_impacts(params, step, contacts, &mut info) {
                self.find_free(tree, (t, step), q, wrenches);
                is_again = false;
            }
            if is_stiff {
                self.fill_problem(tree, contacts, true);
            }
            self.set_step((step, params.tolerance), contacts);
            if !is_again {
                self.warm_start(contacts);
            }
            if let Some(captured) = &mut self.captured {
                captured.keep("step", &self.problem, &self.impulses, params.tolerance);
            }
            let taken = if is_again { params.tolerance } else { taken };
            let so_far = (info.unconverged, info.residual);
            self.solve((taken, params.tolerance), &mut info);
            if let Some(captured) = &mut self.captured {
                captured.found.extend_from_slice(&self.impulses);
            }
            is_again = false;
            if self.find_late(params, contacts) {
                continue;
            }
            self.groups.scatter(&self.state, v);
            // Who goes by the mean velocity, and who by the one after.
            self.choose_rule(step, contacts);
            let is_passed = self.bring_limits_back(tree, step, (q, v));
            if is_passed {
                self.fill_problem(tree, contacts, true);
                self.remember_bias();
                self.list_gaps(contacts);
                self.expect_closing(params, step, contacts);
                self.begin_opening(params.is_repeated);
            } else if rounds < OPENING_ROUNDS && self.limit_opening((step, params.tolerance), contacts) {
                (rounds, is_again) = (rounds + 1, true);
            } else {
                break;
            }
            // What is solved again took work, and counts for nothing else.
            (info.unconverged, info.residual) = so_far;
        }
        info.is_settled &= rounds == 0;
        self.free_velocity.copy_from_slice(v);
        self.made_q.copy_from_slice(q);
        self.find_displacement(step);
        self.displace(tree, q);
        self.centers.carry_over(&self.start, q, v);
        if tree.loop_rows() > 0 {
            tree.project(t + step, q, v, &mut self.start);
        }
        let is_kept = self.keep_energy(tree, (t, step), (q, v), (wrenches, true));
        if !is_kept && contacts.is_empty() {
            self.step_in_halves(tree, params, (t, step), (q, v), wrenches, &mut info);
            return info;
        }
        info.early = self.give_back(params, step, contacts);
        info
    }

    /// Tells joint forces which frames contacts stop in the step.
    fn stop_frames(&mut self, step: f64, contacts: &[ContactPoint]) {
        if self.free.beams.is_empty() {
            return;
        }
        let (start, groups) = (&self.start, &self.groups);
        let is_stopped = |contact: &&ContactPoint| {
            let of = |body| start.point_velocity(body, contact.at);
            let rate = contact.normal.dot(&(of(contact.b) - of(contact.a)));
            contact.gap + step * rate < -contact.slop
        };
        let bodies = contacts.iter().filter(is_stopped).flat_map(|contact| [contact.a, contact.b]);
        self.free.joints.stop(bodies.filter_map(|body| groups.of(body)));
    }

    /// Makes the problem of all contacts, limits and loops, with the inertia that joint forces add over the step or without.
    fn fill_problem(&mut self, tree: &Tree, contacts: &[ContactPoint], has_joint_forces: bool) {
        let added = if has_joint_forces { self.free.added_mass() } else { None };
        let ws = if tree.loop_rows() > 0 { &mut self.halfway } else { &mut self.start };
        let beams = Some(&self.free.beams).filter(|beams| has_joint_forces && !beams.is_empty());
        self.groups.fill(tree, ws, (&self.free_velocity, added), beams, &mut self.problem);
        let Self { start, halfway, prescribed, drift, groups, rows, problem, free, .. } = self;
        let places = Places { start, halfway, prescribed, drift };
        rows.add(tree, &places, groups, (&free.joints, contacts), problem);
    }

    /// Finds what prescribed motions and joints that turn add to the velocities of contacts over a step from a time [s].
    pub(super) fn locate_motion(
        &mut self,
        tree: &Tree,
        (t, step): (f64, f64),
        q: &[f64],
        contacts: &[ContactPoint],
    ) {
        self.prescribed.locate_ends(tree, (t, t + step), q);
        self.drift.locate(tree, (t + step, step), (&self.start, q), contacts);
    }

    /// Keeps the energy of joined bodies over the step that was made from `made_q` and `before`; whether that could be done.
    pub(super) fn keep_energy(
        &mut self,
        tree: &Tree,
        (t, step): (f64, f64),
        (q, v): (&mut [f64], &mut [f64]),
        (wrenches, has_impulses): (&[Wrench], bool),
    ) -> bool {
        if self.energy_balance.is_idle() {
            return true;
        }
        // Mostly nothing was done at the start.
        let is_changed = self.start.velocities() != self.before.as_slice() || self.is_moved;
        if is_changed {
            tree.update_motion(t, &self.made_q, &self.before, &mut self.made_start);
        }
        let gapless = if has_impulses { self.gapped().start } else { 0 };
        let made = MadeStep {
            tree,
            groups: &self.groups,
            step,
            displacement: &self.other,
            q0: &self.made_q,
            v0: &self.before,
            start: if is_changed { &self.made_start } else { &self.start },
            wrenches,
            joints: &self.free.joints,
            impulses: has_impulses.then_some((&self.problem, self.impulses.as_slice(), gapless)),
            side_drifts: &self.rows.side_drifts,
        };
        self.energy_balance.keep(&made, (t + step, q, v), &mut self.end)
    }

    /// Finds the velocities after the step without contacts.
    fn find_free(&mut self, tree: &Tree, (t, step): (f64, f64), q: &[f64], wrenches: &[Wrench]) {
        let start = Start { t, step, q, v: &self.before, wrenches };
        self.free.velocities(tree, &self.groups, &start, &mut self.free_velocity);
        if self.is_followed {
            self.free.turn_by(tree, &start, &self.shift, &mut self.free_velocity);
        }
        self.centers.hold(tree, &self.start, &start, &mut self.free_velocity);
        for (k, velocity) in self.free_velocity.iter_mut().enumerate() {
            if self.frozen[self.groups.place(k).0] {
                *velocity = 0.0;
            }
        }
    }

    /// Sets the problem of the step: gaps close at most.
    ///
    /// A gap that opens at the start of the step may close as fast at its end: over the step it is no smaller, and the contact does no work on the mean velocity. Stopped in full, what goes up slower than the step's
    /// forces pull it down would keep the displacement up and lose nothing. Where positions follow more of the velocity after, it may close by less ([`Stepper::limit_opening`]).
    fn set_step(&mut self, (step, tolerance): (f64, f64), contacts: &[ContactPoint]) {
        self.rates_of(Which::Start);
        self.groups.gather(&self.before, &mut self.grouped);
        self.hold_loops();
        self.run_drives();
        for block in self.gapped() {
            let gap = self.gaps[block];
            let mut bias = self.driven[block];
            if self.lasts(block, contacts) {
                // Twice the mean velocity, which closes the gap or opens the overlap.
                bias = self.doubled(block);
                bias[0] += 2.0 * gap / step;
            } else {
                // What opens by no more than a step may miss rests: taken for opening, it would be thrown to and fro for ever.
                let opens = if self.rates[block] > tolerance { self.rates[block] } else { 0.0 };
                let opens = self.opening[block] * opens;
                bias[0] += self.room(block, contacts) / step + opens;
                if let Some(drift) = block.checked_sub(self.rows.before).map(|k| self.rows.drifts[k]) {
                    bias.iter_mut().zip(drift).for_each(|(bias, drift)| *bias += drift);
                }
            }
            self.set_bias(block, bias);
        }
        self.set_moments(contacts);
        self.groups.gather(&self.free_velocity, &mut self.grouped);
        self.problem.set_free(&self.grouped);
    }

    /// Sets what resists turning: like friction, against the velocity after, or against the mean one where a contact lasts; the velocities before are in `grouped`.
    pub(super) fn set_moments(&mut self, contacts: &[ContactPoint]) {
        for k in 0..self.rows.moments.len() {
            let row = self.rows.moments[k];
            let lasts = contacts[row.contact].lasts;
            let bias = if lasts { self.doubled(row.block) } else { self.driven[row.block] };
            self.set_bias(row.block, bias);
        }
    }

    /// Asks of loops that the velocities that positions follow are none; the velocities before are in `grouped`.
    pub(super) fn hold_loops(&mut self) {
        for block in 0..self.rows.loop_blocks {
            let mut bias = self.doubled(block);
            // Where displacements follow more of the velocity after, so does the condition.
            let group = self.problem.sides(block).iter().flatten().next().map(|side| side.group);
            let theta = group.map_or(0.5, |group| self.free.joints.group_theta(group));
            if theta > 0.5 {
                let (rate, before) = (self.driven[block][0], bias[0] - 2.0 * self.driven[block][0]);
                bias[0] = rate / theta + (1.0 - theta) / theta * before;
            }
            self.set_bias(block, bias);
        }
    }

    /// Has drives do nothing.
    pub(super) fn stop_drives(&mut self) {
        for block in self.rows.loop_blocks..self.gapped().start {
            self.problem.set_block(block, NO_DRIVE, &self.driven[block][..1]);
        }
    }

    /// Has drives push as they do in the step.
    fn run_drives(&mut self) {
        for k in 0..self.free.joints.rows.len() {
            let drive = &self.free.joints.rows[k];
            // A group that rests whatever acts on it is not driven.
            let law = if self.frozen[self.groups.place(drive.v_index).0] { NO_DRIVE } else { drive.law() };
            self.problem.set_block(self.rows.loop_blocks + k, law, &[drive.bias]);
        }
    }

    /// The blocks that have gaps: limits and contacts.
    pub(super) fn gapped(&self) -> std::ops::Range<usize> {
        self.rows.before - self.rows.limits.len()..self.gaps.len()
    }

    pub(super) fn list_gaps(&mut self, contacts: &[ContactPoint]) {
        self.gaps.clear();
        self.gaps.resize(self.rows.before - self.rows.limits.len(), f64::INFINITY);
        self.gaps.extend(self.rows.limits.iter().map(|limit| limit.gap));
        self.gaps.extend(contacts.iter().map(|contact| contact.gap));
    }

    pub(super) fn remember_bias(&mut self) {
        self.driven.clear();
        for (block, law) in self.problem.blocks().iter().enumerate() {
            let first = self.problem.first(block);
            let mut bias = [0.0; 3];
            bias[..law.rows()].copy_from_slice(&self.problem.bias()[first..first + law.rows()]);
            self.driven.push(bias);
        }
        self.impulses.clear();
        self.impulses.resize(self.problem.rows(), 0.0);
    }

    /// How far a gap may close [m or rad]. One that is within what is left alone touches: bodies at rest would otherwise fall through it again and again, by nothing.
    pub(super) fn room(&self, block: usize, contacts: &[ContactPoint]) -> f64 {
        let closed = block.checked_sub(self.rows.before).map_or(0.0, |k| contacts[k].closed_gap());
        if self.gaps[block] <= closed { 0.0 } else { self.gaps[block] }
    }

    /// Whether a block is a contact that touches all through the step.
    pub(super) fn lasts(&self, block: usize, contacts: &[ContactPoint]) -> bool {
        block.checked_sub(self.rows.before).is_some_and(|k| contacts[k].lasts)
    }

    /// The bias with which the velocity after stands for twice the mean velocity of a block; the velocities before are in `grouped`.
    pub(super) fn doubled(&self, block: usize) -> [f64; 3] {
        let first = self.problem.first(block);
        let before = self.problem.response(block, &self.grouped);
        let now = &self.problem.bias()[first..first + self.problem.blocks()[block].rows()];
        let mut bias = self.driven[block].map(|prescribed| 2.0 * prescribed);
        for ((bias, before), now) in bias.iter_mut().zip(before).zip(now) {
            *bias += before - now;
        }
        bias
    }

    pub(super) fn set_bias(&mut self, block: usize, bias: [f64; 3]) {
        let law = self.problem.blocks()[block];
        self.problem.set_block(block, law, &bias[..law.rows()]);
    }

    /// Solves the problem as it is set, from the impulses there are, to a tolerance [units of its bias]; impulses that miss no more than `taken` are taken as they are. Whether it is solved.
    pub(super) fn solve(&mut self, (taken, tolerance): (f64, f64), info: &mut StepInfo) -> bool {
        if self.is_apart() {
            info.is_settled = self.impulses.iter().all(|impulse| *impulse == 0.0);
            self.impulses.fill(0.0);
            self.state.clear();
            self.state.extend_from_slice(self.problem.free());
            return true;
        }
        let Self { problem, impulses, state, .. } = self;
        let solved = match self.cone_sides {
            Some(sides) => with_pyramids(&mut self.solver, problem, (impulses, state), (sides, tolerance)),
            None => self.solver.solve(problem, impulses, state, (taken, tolerance)),
        };
        info.is_settled = solved.is_untouched();
        info.solves += 1;
        info.unconverged += usize::from(!solved.is_solved);
        info.sweeps += solved.sweeps;
        info.newton += solved.iterations;
        info.residual = info.residual.max(solved.residual);
        solved.is_solved
    }

    /// Whether no gap would pass zero without impulses, and nothing else acts: then none is the solution.
    fn is_apart(&self) -> bool {
        let gapped = self.gapped();
        gapped.start == 0
            && gapped.into_iter().all(|block| self.problem.response(block, self.problem.free())[0] >= 0.0)
    }

    /// Corrects overlaps of a state at a time [s] by the smallest displacements in the metric of the masses, as a step does at its start; heights that this gains are taken from the velocities.
    ///
    /// Contacts are those at that state; those that overlap by more than their slop are corrected to a tenth of it, to first order in the displacements. The last displacement and located bodies are overwritten.
    pub fn correct_overlaps(
        &mut self,
        tree: &Tree,
        t: f64,
        (q, v): (&mut [f64], &mut [f64]),
        contacts: &mut [ContactPoint],
    ) -> StepInfo {
        let mut info = StepInfo::default();
        tree.update_motion(t, q, v, &mut self.start);
        self.before.copy_from_slice(v);
        self.free_velocity.copy_from_slice(v);
        self.list_limits(tree, 0.0, q);
        self.locate_halfway(tree, (t, 0.0), (q, v), false);
        self.locate_motion(tree, (t, 0.0), q, contacts);
        self.fill_problem(tree, contacts, false);
        self.remember_bias();
        self.list_gaps(contacts);
        if self.correct_positions(tree, q, contacts, &mut info) {
            v.copy_from_slice(&self.before);
        }
        tree.normalise(q);
        self.centers.carry_over(&self.start, q, v);
        if tree.loop_rows() > 0 {
            tree.project(t, q, v, &mut self.start);
        }
        info
    }

    /// Corrects overlaps by the smallest displacements in the metric of the masses, without friction. Returns whether the velocities before the step have changed.
    fn correct_positions(
        &mut self,
        tree: &Tree,
        q: &mut [f64],
        contacts: &mut [ContactPoint],
        info: &mut StepInfo,
    ) -> bool {
        let Some(slop) = contacts.iter().filter(|c| c.gap < -c.slop).map(|c| c.slop).reduce(f64::min) else {
            return false;
        };
        info.corrected = contacts.iter().map(|contact| -contact.gap).fold(0.0, f64::max);
        self.other.fill(0.0);
        self.problem.set_free(&self.other);
        // Velocities are displacements here: loops keep what they are, whatever prescribed motions do to them in the step.
        for block in 0..self.rows.loop_blocks {
            self.set_bias(block, [0.0; 3]);
        }
        self.stop_drives();
        for block in self.gapped() {
            let gap = self.gaps[block];
            let law = match self.problem.blocks()[block] {
                Block::Contact { .. } => Block::Contact { friction: 0.0, slip: None },
                law => law,
            };
            self.problem.set_block(block, law, &[gap, 0.0, 0.0][..law.rows()]);
        }
        self.is_moved = true;
        // Nothing resists turning either.
        for row in &self.rows.moments {
            let count = row.axes().len();
            let law = Block::Moment { axes: count, ratio: 0.0, contact: self.rows.before + row.contact };
            self.problem.set_block(row.block, law, &[0.0; 2][..count]);
        }
        // What is left is corrected in later steps, and counts for nothing.
        let mut aside = StepInfo::default();
        self.solve((CORRECTED * slop, CORRECTED * slop), &mut aside);
        (info.sweeps, info.newton) = (info.sweeps + aside.sweeps, info.newton + aside.newton);
        self.shorten_correction(info.corrected);
        self.groups.scatter(&self.state, &mut self.other);
        self.centers.displace(tree, q, &self.other);
        let taken = CorrectedStep {
            tree,
            start: &self.start,
            groups: &self.groups,
            prescribed: &self.prescribed,
            problem: &self.problem,
            driven: &self.driven,
            impulses: &self.impulses,
            before: self.rows.before,
            contacts,
            shift: &self.other,
        };
        let is_paid =
            self.position_correction.pay(&taken, &mut self.islands, &mut self.before, &mut self.grouped);
        // Gaps as they are now, and the problem as it was.
        for block in 0..self.rows.loop_blocks {
            self.set_bias(block, self.driven[block]);
        }
        for block in self.gapped() {
            self.gaps[block] = self.problem.response(block, &self.state)[0];
        }
        for (k, contact) in contacts.iter_mut().enumerate() {
            let block = self.rows.before + k;
            contact.gap = self.gaps[block];
            self.problem.set_block(block, contact.frame().law(), &self.driven[block]);
        }
        for row in &self.rows.moments {
            self.problem.set_block(row.block, row.law(), &self.driven[row.block][..row.axes().len()]);
        }
        self.impulses.fill(0.0);
        is_paid
    }

    /// Shortens the displacements of a correction where they move a contact by more than [`LONGEST_CORRECTION`] times the deepest overlap [m].
    ///
    /// Contacts that contradict each other, as those of concave bodies deep in each other do, have no smallest displacement that fits all; what nearly does was found to throw a part of 15 cm 27 m high.
    fn shorten_correction(&mut self, deepest: f64) {
        let mut longest = 0.0_f64;
        for block in self.rows.before..self.gaps.len() {
            let [along, one, other] = self.problem.response(block, &self.state);
            let along = along - self.gaps[block];
            longest = longest.max((along * along + one * one + other * other).sqrt());
        }
        let allowed = LONGEST_CORRECTION * deepest;
        if longest > allowed {
            let fraction = allowed / longest;
            self.state.iter_mut().for_each(|x| *x *= fraction);
        }
    }

    /// The velocity that prescribed motions give a gap at the start of the step [m/s].
    pub(super) fn carried_before(&self, block: usize) -> f64 {
        let contact = block.checked_sub(self.rows.before).and_then(|k| self.rows.carried_before.get(k));
        contact.copied().unwrap_or(self.driven[block][0])
    }

    /// Velocities of all gaps for velocities of the tree.
    pub(super) fn rates_of(&mut self, which: Which) {
        let v = match which {
            Which::Start | Which::Before => &self.before,
            Which::Free => &self.free_velocity,
        };
        self.groups.gather(v, &mut self.grouped);
        let mut rates = match which {
            Which::Start | Which::Before => std::mem::take(&mut self.rates),
            Which::Free => std::mem::take(&mut self.free_rates),
        };
        rates.clear();
        for block in 0..self.problem.blocks().len() {
            let carried =
                if which == Which::Start { self.carried_before(block) } else { self.driven[block][0] };
            rates.push(self.problem.velocity(block, &self.grouped)[0] + carried);
        }
        *match which {
            Which::Start | Which::Before => &mut self.rates,
            Which::Free => &mut self.free_rates,
        } = rates;
    }

    /// Impulses to start from, inside their cones.
    fn warm_start(&mut self, contacts: &[ContactPoint]) {
        self.impulses.fill(0.0);
        for (k, drive) in self.free.joints.rows.iter().enumerate() {
            self.impulses[self.problem.first(self.rows.loop_blocks + k)] = drive.guess;
        }
        for (k, contact) in contacts.iter().enumerate() {
            let first = self.problem.first(self.rows.before + k);
            let frame = contact.frame();
            let inside = onto_cone(frame.impulses(&contact.impulse), frame.friction);
            self.impulses[first..first + 3].copy_from_slice(&inside);
        }
        for row in &self.rows.moments {
            let normal = self.impulses[self.problem.first(self.rows.before + row.contact)];
            let first = self.problem.first(row.block);
            let inside = row.impulses(&contacts[row.contact].moment, normal);
            self.impulses[first..first + row.axes().len()].copy_from_slice(&inside[..row.axes().len()]);
        }
    }

    /// Writes impulses and gap rates back to the contacts; they stick below a speed. Returns when the first that acted too early closes [s].
    fn give_back(&self, params: &StepParams, step: f64, contacts: &mut [ContactPoint]) -> Option<f64> {
        let early = self.first_early(params, step, contacts);
        let tolerance = params.tolerance;
        for (k, contact) in contacts.iter_mut().enumerate() {
            let block = self.rows.before + k;
            let first = self.problem.first(block);
            let [n, t1, t2] = contact.frame().rows;
            contact.impulse =
                n * self.impulses[first] + t1 * self.impulses[first + 1] + t2 * self.impulses[first + 2];
            let own = self.problem.bias()[first] - self.driven[block][0];
            let u = self.problem.response(block, &self.state);
            contact.gap_rate = u[0] - own;
            contact.moment = Vec3::zeros();
            let slip = u[1] * u[1] + u[2] * u[2];
            let is_slow = slip <= (STUCK * tolerance) * (STUCK * tolerance);
            contact.sticks = contact.static_friction > contact.friction && is_slow;
        }
        for row in &self.rows.moments {
            let first = self.problem.first(row.block);
            for (axis, impulse) in row.axes().iter().zip(&self.impulses[first..]) {
                contacts[row.contact].moment += axis * *impulse;
            }
        }
        if params.control.is_some() {
            for (contact, shock) in contacts.iter_mut().zip(&self.shocks) {
                contact.impulse += shock;
            }
        }
        early
    }
}

/// Which velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those before the step, with prescribed motions as they are then.
    Start,
    /// Those before the step, with prescribed motions as contacts have them at its end.
    Before,
    Free,
}

/// Solves with friction pyramids; where they have no solution, with round cones, and says so.
fn with_pyramids(
    solver: &mut StepSolver,
    problem: &BodyProblem,
    (impulses, state): (&mut Vec<f64>, &mut Vec<f64>),
    (sides, tolerance): (usize, f64),
) -> SolverInfo {
    let before = impulses.clone();
    let found = solve_pyramids_of_step(problem, sides, impulses);
    if found.unsolved > 0 {
        *impulses = before;
        let cones = solver.solve(problem, impulses, state, (tolerance, tolerance));
        return SolverInfo { is_solved: false, iterations: cones.iterations + found.pivots, ..cones };
    }
    state.resize(problem.state_len(), 0.0);
    problem.begin(impulses, state);
    let at = SolverInfo::at(found.residual, tolerance);
    // Whatever was there before, it was not taken as it was.
    SolverInfo { iterations: found.pivots.max(1), ..at }
}
