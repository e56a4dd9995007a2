//! From contacts, joint limits and loops to the blocks of a contact problem.
//!
//! Blocks come in this order: loops, drives (motors of limited effort and dry friction of joints), limits, contacts, each in the order of their numbers.

use zerogap_contact::cone::BodyProblem;
use zerogap_contact::problem::Block;
use zerogap_core::Vec3;
use zerogap_core::math::tangents;

use super::contact_point::ContactPoint;
use super::groups::Groups;
use super::joint_forces::DriveRow;
use super::prescribed::Prescribed;
use crate::multibody::{LoopFilter, Tree, Workspace};

/// A joint limit in a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct LimitRow {
    pub(super) number: usize,
    /// Way that is left [m or rad].
    pub(super) gap: f64,
    /// Ratio of the velocities after and before hitting it [-].
    pub(super) restitution: f64,
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
    /// Blocks of loops, and blocks before the contacts.
    pub(super) loop_blocks: usize,
    pub(super) before: usize,
    /// Limits that have blocks.
    pub(super) limits: Vec<LimitRow>,
}

/// Where the bodies are.
pub(super) struct Places<'a> {
    /// At the start of the step.
    pub(super) start: &'a Workspace,
    /// Halfway, for contacts that last.
    pub(super) halfway: &'a Workspace,
    /// What prescribed motions add.
    pub(super) prescribed: &'a Prescribed,
}

impl Rows {
    /// Adds the rows of loops, of limits within reach, and of contacts, with what prescribed motions add to their velocities as the bias.
    pub(super) fn add(
        &mut self,
        tree: &Tree,
        places: &Places<'_>,
        groups: &Groups,
        (drives, contacts): (&[DriveRow], &[ContactPoint]),
        problem: &mut BodyProblem,
    ) {
        let Places { start, halfway, prescribed } = *places;
        self.add_loops(tree, places, groups, problem);
        self.loop_blocks = problem_blocks(problem);
        for drive in drives {
            let block = problem.add_block(drive.law(), &[drive.bias]);
            problem.set_compliance(block, drive.compliance);
            self.add_joint(groups, drive.v_index, 1.0, problem);
        }
        for number in 0..self.limits.len() {
            let limit = &tree.limits()[self.limits[number].number];
            problem.add_block(Block::Unilateral, &[0.0]);
            self.add_joint(groups, limit.v_index, limit.sign, problem);
        }
        self.before = problem_blocks(problem);
        for contact in contacts {
            let frame = contact.frame();
            let carried = prescribed.velocity(start, contact);
            let mut bias = frame.map(|direction| direction.dot(&carried));
            for (bias, tangent) in bias.iter_mut().zip(&frame).skip(1) {
                *bias += tangent.dot(&contact.surface_velocity);
            }
            problem.add_block(Block::Contact { friction: contact.friction, slip: None }, &bias);
            let ws = if contact.lasts { halfway } else { start };
            for (body, factor) in [(contact.a, -1.0), (contact.b, 1.0)] {
                let found = groups.point_rows(tree, ws, body, contact.at, (&frame, factor), &mut self.side);
                if let Some(group) = found {
                    problem.add_side(group, &self.side);
                }
            }
        }
    }

    /// Adds the side of a row that is a joint velocity times a factor.
    fn add_joint(&mut self, groups: &Groups, v_index: usize, factor: f64, problem: &mut BodyProblem) {
        let (group, place) = groups.place(v_index);
        self.side.clear();
        self.side.resize(groups.size(group), 0.0);
        self.side[place] = factor;
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

fn problem_blocks(problem: &BodyProblem) -> usize {
    zerogap_contact::cone::Delassus::blocks(problem).len()
}

impl ContactPoint {
    /// Normal and two tangents.
    pub(super) fn frame(&self) -> [Vec3; 3] {
        let (t1, t2) = tangents(&self.normal);
        [self.normal, t1, t2]
    }
}
