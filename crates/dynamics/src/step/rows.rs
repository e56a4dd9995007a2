//! From contacts, joint limits and loops to the blocks of a contact problem.
//!
//! Blocks come in this order: loops, drives (motors of limited effort and dry friction of joints), limits, contacts, what resists turning at contacts; each in the order of their numbers.

use zerogap_contact::cone::{BodyProblem, JointRow};
use zerogap_contact::problem::Block;
use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use super::contact_point::{ContactPoint, TurningResistance};
use super::drift::{Drift, SideDrift};
use super::groups::Groups;
use super::joint_forces::{DriveRow, JointForces};
use super::prescribed::Prescribed;
use crate::multibody::{Limit, Limited, LoopFilter, Tree, Workspace};

/// A joint limit in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct LimitRow {
    pub(super) number: usize,
    /// Way that is left [m or rad].
    pub(super) gap: f64,
    /// Ratio of the velocities after and before hitting it [-].
    pub(super) restitution: f64,
    /// Whether its row changes from place to place.
    pub(super) is_curved: bool,
}

/// What resists turning about one or two axes of a contact.
#[derive(Debug, Clone, Copy)]
pub(super) struct MomentRow {
    /// Number of the contact, and its blocks: that of the contact and that of the moment.
    pub(super) contact: usize,
    of: usize,
    pub(super) block: usize,
    /// Axes, each as long as the effective radius [m]; one or two of them.
    axes: [Vec3; 2],
    count: usize,
    ratio: f64,
}

impl MomentRow {
    /// Axes, each as long as the effective radius [m].
    pub(super) fn axes(&self) -> &[Vec3] {
        &self.axes[..self.count]
    }

    pub(super) fn law(&self) -> Block {
        Block::Moment { axes: self.count, ratio: self.ratio, contact: self.of }
    }

    /// Impulses of its rows for a moment, within what a contact allows that pushes with `normal`.
    pub(super) fn impulses(&self, moment: &Vec3, normal: f64) -> [f64; 2] {
        let own = self.axes.map(|axis| {
            let square = axis.norm_squared();
            if square > 0.0 { axis.dot(moment) / square } else { 0.0 }
        });
        let length = (own[0] * own[0] + own[1] * own[1]).sqrt();
        let bound = self.ratio * normal.max(0.0);
        if length > bound { own.map(|x| x * (bound / length)) } else { own }
    }
}

/// Memory for rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    side: Vec<f64>,
    loops: Vec<f64>,
    /// Rates of the loops while all joints rest.
    loop_rates: Vec<f64>,
    loop_filter: LoopFilter,
    own: Vec<f64>,
    /// Rows of joints with their groups, and those of one tree.
    joints: Vec<(usize, JointRow)>,
    of_tree: Vec<JointRow>,
    /// Blocks of loops, and blocks before the contacts.
    pub(super) loop_blocks: usize,
    pub(super) before: usize,
    /// Limits that have blocks.
    pub(super) limits: Vec<LimitRow>,
    /// What resists turning: blocks behind those of the contacts.
    pub(super) moments: Vec<MomentRow>,
    /// By contact: the velocity along the normal that prescribed motions give it at the start of the step [m/s].
    pub(super) carried_before: Vec<f64>,
    /// By contact: how its velocities change within the step because joints turn [m/s]; and what of that is of which body.
    pub(super) drifts: Vec<[f64; 3]>,
    pub(super) side_drifts: Vec<SideDrift>,
}

/// Where the bodies are.
pub(super) struct Places<'a> {
    /// At the start of the step.
    pub(super) start: &'a Workspace,
    /// Halfway, for contacts that last.
    pub(super) halfway: &'a Workspace,
    /// What prescribed motions add.
    pub(super) prescribed: &'a Prescribed,
    /// What joints that turn change.
    pub(super) drift: &'a Drift,
}

impl Rows {
    /// Adds the rows of loops, of limits within reach, and of contacts, with what prescribed motions add to their velocities as the bias.
    pub(super) fn add(
        &mut self,
        tree: &Tree,
        places: &Places<'_>,
        groups: &Groups,
        (joints, contacts): (&JointForces, &[ContactPoint]),
        problem: &mut BodyProblem,
    ) {
        let Places { start, halfway, prescribed, drift } = *places;
        self.add_loops(tree, places, groups, problem);
        self.loop_blocks = problem_blocks(problem);
        self.joints.clear();
        for drive in &joints.rows {
            let &DriveRow { v_index, bias, compliance, .. } = drive;
            let (group, velocity) = groups.place(v_index);
            let row = JointRow { law: drive.law(), bias, compliance, velocity, factor: 1.0 };
            self.joints.push((group, row));
        }
        for number in 0..self.limits.len() {
            let limit = &tree.limits()[self.limits[number].number];
            if let Limited::Position { v_index, .. } = limit.limited {
                let (group, velocity) = groups.place(v_index);
                let law = Block::Unilateral;
                let row = JointRow { law, bias: 0.0, compliance: 0.0, velocity, factor: limit.sign };
                self.joints.push((group, row));
            } else {
                // Blocks of limits follow each other in their order.
                self.add_joints(groups, problem);
                self.joints.clear();
                problem.add_block(Block::Unilateral, &[0.0]);
                self.add_curved_limit(tree, start, limit, groups, problem);
            }
        }
        self.add_joints(groups, problem);
        self.before = problem_blocks(problem);
        self.carried_before.clear();
        self.drifts.clear();
        self.side_drifts.clear();
        for contact in contacts {
            let frame = contact.frame();
            let (law, frame) = (frame.law(), frame.rows);
            let carried = prescribed.velocity(start, contact);
            let mut bias = frame.map(|direction| direction.dot(&carried));
            for (bias, tangent) in bias.iter_mut().zip(&frame).skip(1) {
                *bias += tangent.dot(&contact.surface_velocity);
            }
            problem.add_block(law, &bias);
            self.carried_before.push(contact.normal.dot(&prescribed.start_velocity(contact)));
            let changes = drift.of(start, prescribed, contact);
            self.drifts.push(Drift::bias(changes, joints.contact_theta(groups, contact), &frame));
            self.add_side_drifts(changes, (contact, &frame), groups, problem);
            let ws = if contact.lasts { halfway } else { start };
            for (body, factor) in [(contact.a, -1.0), (contact.b, 1.0)] {
                let out = (&mut self.side, &mut *problem);
                let from = (ws, is_elsewhere(tree, contact));
                groups.add_point(tree, from, (body, contact.at), (&frame, factor), out);
            }
        }
        self.add_moments(tree, places, groups, contacts, problem);
    }

    /// Notes what joints that turn change of the velocities of each body of a contact, the last block of a problem.
    fn add_side_drifts(
        &mut self,
        changes: [Option<Vec3>; 2],
        (contact, frame): (&ContactPoint, &[Vec3; 3]),
        groups: &Groups,
        problem: &BodyProblem,
    ) {
        for ((body, sign), change) in [(contact.a, -1.0), (contact.b, 1.0)].into_iter().zip(changes) {
            if let (Some(group), Some(change)) = (groups.of(body), change) {
                let (block, along) = (problem_blocks(problem) - 1, frame.map(|row| sign * row.dot(&change)));
                self.side_drifts.push(SideDrift { block, group, along });
            }
        }
    }

    /// Adds what resists turning, behind all contacts.
    fn add_moments(
        &mut self,
        tree: &Tree,
        places: &Places<'_>,
        groups: &Groups,
        contacts: &[ContactPoint],
        problem: &mut BodyProblem,
    ) {
        self.moments.clear();
        for (number, contact) in contacts.iter().enumerate() {
            let TurningResistance { radius, rolling, spinning } = contact.resistance;
            if radius <= 0.0 {
                continue;
            }
            let (t1, t2) = tangents(&contact.normal);
            let across = ([t1 * radius, t2 * radius], 2, rolling);
            let about = ([contact.normal * radius, Vec3::zeros()], 1, spinning);
            let turning = places.prescribed.turning(contact);
            let ws = if contact.lasts { places.halfway } else { places.start };
            for (axes, count, ratio) in [across, about].into_iter().filter(|(_, _, ratio)| *ratio > 0.0) {
                let block = problem_blocks(problem);
                let row = MomentRow { contact: number, of: self.before + number, block, axes, count, ratio };
                let bias = axes.map(|axis| axis.dot(&turning));
                problem.add_block(row.law(), &bias[..count]);
                for (body, factor) in [(contact.a, -1.0), (contact.b, 1.0)] {
                    let out = (&mut self.side, &mut *problem);
                    let from = (ws, is_elsewhere(tree, contact));
                    groups.add_turning(tree, from, body, (row.axes(), factor), out);
                }
                self.moments.push(row);
            }
        }
    }

    /// Adds rows that are joint velocities times factors; those of one group that follow each other at once.
    fn add_joints(&mut self, groups: &Groups, problem: &mut BodyProblem) {
        for joints in self.joints.chunk_by(|(a, _), (b, _)| a == b) {
            let group = joints[0].0;
            self.of_tree.clear();
            self.of_tree.extend(joints.iter().map(|(_, row)| *row));
            if problem.is_tree(group) {
                problem.add_joint_blocks(group, &self.of_tree);
                continue;
            }
            for row in &self.of_tree {
                self.side.clear();
                self.side.resize(groups.size(group), 0.0);
                self.side[row.velocity] = row.factor;
                let block = problem.add_block(row.law, &[row.bias]);
                problem.set_compliance(block, row.compliance);
                problem.add_side(group, &self.side);
            }
        }
    }

    /// Adds the side of a limit of a tendon or of a ball joint: all that it moves is in one group.
    fn add_curved_limit(
        &mut self,
        tree: &Tree,
        ws: &Workspace,
        limit: &Limit,
        groups: &Groups,
        problem: &mut BodyProblem,
    ) {
        let Some(group) = groups.of(Some(limit.body)) else { return };
        self.own.clear();
        self.own.resize(tree.velocities(), 0.0);
        tree.limit_row(limit, ws, &mut self.own);
        self.side.clear();
        self.side.extend(groups.members(group).iter().map(|k| self.own[*k]));
        problem.add_side(group, &self.side);
    }

    fn add_loops(&mut self, tree: &Tree, places: &Places<'_>, groups: &Groups, problem: &mut BodyProblem) {
        let (count, columns) = (tree.loop_rows(), tree.velocities());
        if count == 0 {
            return;
        }
        self.loops.resize(count * columns, 0.0);
        tree.loop_matrix_rows(places.halfway, &mut self.loops);
        self.loop_rates.resize(count, 0.0);
        places.prescribed.loop_rates(tree, &mut self.loop_rates);
        self.loop_filter.find(tree, places.halfway, &mut self.loops);
        self.loop_filter.filter(&mut self.loop_rates);
        for (k, rate) in self.loop_rates.iter().enumerate() {
            // By number, not in chunks: where all bodies are prescribed, rows are empty.
            let row = &self.loops[k * columns..][..columns];
            problem.add_block(Block::Bilateral, &[*rate]);
            // A loop joins two bodies, so its row touches two groups at most.
            let mut done = [usize::MAX; 2];
            for (column, entry) in row.iter().enumerate() {
                let (group, _) = groups.place(column);
                if *entry == 0.0 || done.contains(&group) {
                    continue;
                }
                self.own.clear();
                self.own.resize(groups.size(group), 0.0);
                for (other, entry) in row.iter().enumerate() {
                    let (home, place) = groups.place(other);
                    if home == group {
                        self.own[place] = *entry;
                    }
                }
                problem.add_side(group, &self.own);
                done = [group, done[0]];
            }
        }
    }
}

impl DriveRow {
    /// The law of the row in a step.
    pub(super) fn law(&self) -> Block {
        Block::Bounded { lower: -self.bound, upper: self.bound }
    }
}

/// The law of a drive while nothing drives: in an impact, which takes no time, and while positions are corrected.
pub(super) const NO_DRIVE: Block = Block::Bounded { lower: 0.0, upper: 0.0 };

/// Whether the rows of a contact are those of bodies at another place than their masses: halfway instead of at the start, or the other way round where loops take masses from halfway.
fn is_elsewhere(tree: &Tree, contact: &ContactPoint) -> bool {
    contact.lasts != (tree.loop_rows() > 0)
}

fn problem_blocks(problem: &BodyProblem) -> usize {
    zerogap_contact::cone::Delassus::blocks(problem).len()
}
