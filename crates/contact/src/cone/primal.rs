//! Newton's method in the velocities of groups, for many contacts that feel each other: tall stacks, arches, houses of cards.
//!
//! In: a [`BodyProblem`] and impulses to start from. Out: better impulses, in place, and their velocities. Blocks may be redundant: what is solved has the size of the velocities, not of the impulses.
//! Islands (groups that feel each other and nobody else) are solved one after another in the order of their first groups; groups without blocks cost nothing. The same input gives the same bits.

use super::assembly::{add_transposed, copy, rows_of, rows_times, set, three};
use super::block_factor::BlockFactor;
use super::elimination::{Elimination, NOWHERE};
use super::gauss_seidel::GaussSeidel;
use super::interior::Interior;
use super::linear::{allowed, linearise};
use super::{BodyProblem, Delassus, miss, residual};
use crate::SolverInfo;
use std::ops::Range;
use zerogap_core::line_search::LineSearch;

/// Stiffness of blocks that hold at the start, in units of one over their inverse mass [-]: where all stay as they are (a tower at rest), one factor is all that is needed.
const STIFF: f64 = 1e4;
/// Stiffness where that was too hopeful: redundant blocks that cannot all hold then push each other without end [-].
const MODEST: f64 = 10.0;
/// Stiffness after the other methods had their turn [-].
const SETTLED: f64 = 100.0;
/// Bounds of the stiffness [-], and its factors after good and bad steps.
const SOFTEST: f64 = 1.0;
const STIFFEST: f64 = 1e8;
const STIFFEN: f64 = 4.0;
const SOFTEN: f64 = 0.2;
const LEAP: f64 = 100.0;
/// Steps with the factor kept that cost about as much as a new one.
const CHEAP_STEPS: i32 = 4;
/// Fractions of the sum of squares that a step leaves [-]: below the first it is excellent and the factor is kept, below the second good, above the third slow, above the fourth bad.
const EXCELLENT: f64 = 0.01;
const GOOD: f64 = 0.3;
const SLOW: f64 = 0.7;
const BAD: f64 = 0.9;
/// Slow steps one after another until other methods have their turn, and their turns.
const MAX_SLOW: usize = 5;
const MAX_TURNS: usize = 6;
/// Sweeps in a turn of Gauss-Seidel.
const SWEEPS: usize = 20;
/// Fractions of a step that are tried.
const SEARCH: LineSearch = LineSearch { first: 1.0, shortening: 0.4, max_trials: 5 };
/// Smallest fraction of the squares that a full step must take away [-].
const MIN_GAIN: f64 = 0.1;
/// A place that no block has.
const NO_PLACE: usize = usize::MAX;

/// Memory of the method, used again from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct PrimalNewton {
    pub(super) plan: Elimination,
    pub(super) factor: BlockFactor,
    /// Blocks by island, and where each island's begin; one more than islands.
    pub(super) members: Vec<u32>,
    member_starts: Vec<usize>,
    island_of: Vec<u32>,
    /// By blocks: largest entry of the inverse mass, impulse per velocity in the law, stiffness, derivative, place of the pair in the factor.
    pub(super) weights: Vec<f64>,
    rates: Vec<f64>,
    stiffness: Vec<f64>,
    pub(super) hessians: Vec<[[f64; 3]; 3]>,
    pub(super) places: Vec<usize>,
    /// By rows: impulses tried, the best so far, the change along a step, velocities of the impulses tried.
    pub(super) tried: Vec<f64>,
    best: Vec<f64>,
    change: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) du: Vec<f64>,
    pub(super) fresh: Vec<f64>,
    /// By velocities: the step.
    pub(super) step: Vec<f64>,
    /// Whether the factor is of use where the derivatives are the same.
    pub(super) is_reusable: bool,
    is_symmetric: bool,
    sweeps: GaussSeidel,
    pub(super) interior: Interior,
}

/// How far impulses are from the laws.
#[derive(Debug, Clone, Copy)]
pub(super) struct LawResidual {
    /// Largest of all blocks [m/s].
    pub(super) worst: f64,
    /// Sum of squares.
    pub(super) sum: f64,
}

impl LawResidual {
    /// Worse than anything.
    const NOTHING: Self = Self { worst: f64::INFINITY, sum: f64::INFINITY };
}

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub(super) tolerance: f64,
    /// Steps in an island.
    pub(super) max_steps: usize,
}

/// One island during its solve.
pub(super) struct Island {
    pub(super) columns: Range<usize>,
    pub(super) members: Range<usize>,
    pub(super) info: SolverInfo,
}

impl PrimalNewton {
    /// Improves impulses until the residual is at most `tolerance` [units of the bias], or `max_steps` steps were made in an island. `state` is computed here and is that of the impulses afterwards.
    ///
    /// Computes: impulses `r` and velocities `v = free + M^-1 J^T r` that obey every law. Impulses that are not unique are one choice near those given.
    /// Method: semismooth Newton (Alart and Curnier 1991) in `v`, each step a sparse factorisation over groups; blocks that hold do so with a large stiffness, which shares the load of redundant ones.
    ///   Where steps make no progress, an interior point method and sweeps of Gauss-Seidel take turns with them.
    /// Tolerance: as asked, down to rounding of the velocities; the best impulses found are returned, and what they achieve is measured, not estimated.
    /// Cost: a factorisation per step and O(blocks) beside it; none where the start is good enough. No allocation once memory has grown.
    /// Fails: `is_solved` is false; impulses and velocities are finite for finite input.
    ///
    /// Impulses and state get the problem's lengths; impulses that lack are zero.
    pub fn solve(
        &mut self,
        problem: &BodyProblem,
        impulses: &mut Vec<f64>,
        state: &mut Vec<f64>,
        tolerance: f64,
        max_steps: usize,
    ) -> SolverInfo {
        impulses.resize(problem.rows(), 0.0);
        state.resize(problem.state_len(), 0.0);
        problem.begin(impulses, state);
        let found = residual(problem, impulses, state);
        let mut info = SolverInfo::at(found, tolerance);
        if info.is_solved || max_steps == 0 {
            return info;
        }
        self.prepare(problem);
        for index in 0..self.plan.islands.len() {
            let mut island = Island {
                columns: self.plan.islands[index].clone(),
                members: self.member_starts[index]..self.member_starts[index + 1],
                info: SolverInfo::default(),
            };
            self.solve_island(problem, &mut island, impulses, state, Goal { tolerance, max_steps });
            info.add_work(&island.info);
        }
        info.finish(residual(problem, impulses, state), tolerance);
        info
    }

    /// Order, pattern, and everything that belongs to blocks.
    fn prepare(&mut self, problem: &BodyProblem) {
        self.plan.prepare(problem.groups().len(), |lens, edges| list_graph(problem, lens, edges));
        self.factor.prepare(&self.plan);
        let blocks = problem.blocks().len();
        self.weights.clear();
        self.weights.extend((0..blocks).map(|block| problem.diagonal(block).diagonal().max()));
        self.rates.clear();
        self.rates.extend(self.weights.iter().map(|weight| if *weight > 0.0 { 1.0 / weight } else { 0.0 }));
        self.stiffness.clear();
        self.stiffness.resize(blocks, 0.0);
        self.hessians.clear();
        self.hessians.resize(blocks, [[0.0; 3]; 3]);
        self.sweeps.prepare(problem);
        self.interior.prepare(problem);
        let by_row =
            [&mut self.tried, &mut self.best, &mut self.change, &mut self.u, &mut self.du, &mut self.fresh];
        for rows in by_row {
            rows.clear();
            rows.resize(problem.rows(), 0.0);
        }
        self.step.clear();
        self.step.resize(problem.state_len(), 0.0);
        self.sort_blocks(problem);
    }

    /// Blocks by island in their order, and the place of each pair in the factor.
    fn sort_blocks(&mut self, problem: &BodyProblem) {
        let plan = &self.plan;
        self.island_of.clear();
        self.places.clear();
        for block in 0..problem.blocks().len() {
            let columns = problem
                .sides(block)
                .map(|side| side.map_or(NOWHERE, |side| plan.column[side.group]))
                .map(|column| column as usize);
            let first = columns[0].min(columns[1]);
            let is_pair = columns.iter().all(|&column| column != NOWHERE as usize);
            self.places.push(if is_pair { plan.place(first, columns[0].max(columns[1])) } else { NO_PLACE });
            // Blocks of what never moves are in no island.
            self.island_of.push(if first == NOWHERE as usize {
                NOWHERE
            } else {
                plan.islands.partition_point(|columns| columns.end <= first) as u32
            });
        }
        self.member_starts.clear();
        self.member_starts.resize(plan.islands.len() + 1, 0);
        for &island in self.island_of.iter().filter(|&&island| island != NOWHERE) {
            self.member_starts[island as usize + 1] += 1;
        }
        for island in 0..plan.islands.len() {
            self.member_starts[island + 1] += self.member_starts[island];
        }
        self.members.clear();
        self.members.resize(self.member_starts[plan.islands.len()], 0);
        for (block, &island) in self.island_of.iter().enumerate().filter(|(_, island)| **island != NOWHERE) {
            // Starts run ahead while they fill, and are put back after.
            let at = &mut self.member_starts[island as usize];
            self.members[*at] = block as u32;
            *at += 1;
        }
        self.member_starts.rotate_right(1);
        self.member_starts[0] = 0;
    }

    /// Steps until the island is solved.
    fn solve_island(
        &mut self,
        problem: &BodyProblem,
        island: &mut Island,
        impulses: &mut [f64],
        state: &mut [f64],
        goal: Goal,
    ) {
        let mut found = self.follow(problem, island, impulses, state);
        let mut smallest = found.worst;
        copy(problem, &self.members[island.members.clone()], impulses, &mut self.best);
        let mut level = STIFF;
        self.set_level(island, level);
        let (mut slow, mut turns) = (0, 0);
        while found.worst > goal.tolerance && island.info.iterations < goal.max_steps && turns < MAX_TURNS {
            let mut reached = LawResidual::NOTHING;
            if self.find_step(problem, island, impulses) {
                reached = self.search(problem, island, impulses, state, found);
            }
            // Stiffer where steps are good; softer where blocks fight each other.
            let left = if reached.sum < found.sum { reached.sum / found.sum } else { 1.0 };
            let next = match left {
                // Steps with the same factor cost little, unless there are many to come.
                _ if left < EXCELLENT && reached.worst * left.sqrt().powi(CHEAP_STEPS) <= goal.tolerance => {
                    level
                }
                _ if left < EXCELLENT => (level * LEAP).min(STIFFEST),
                _ if left < GOOD => (level * STIFFEN).min(STIFFEST),
                _ if left < BAD => level,
                _ if island.info.iterations == 1 => MODEST,
                _ => (level * SOFTEN).max(SOFTEST),
            };
            slow = if left < SLOW { 0 } else { slow + 1 };
            if left >= 1.0 {
                copy(problem, &self.members[island.members.clone()], impulses, &mut self.tried);
                reached = found;
            }
            let mut next = next;
            if slow == MAX_SLOW && reached.worst > goal.tolerance {
                reached = self.turn_elsewhere(problem, island, state, reached, goal, turns);
                (slow, next) = (0, SETTLED);
                turns += 1;
            } else if left >= 1.0 {
                // The velocities are those of the step that was not taken.
                reached = self.follow_tried(problem, island, state);
            }
            if next.total_cmp(&level).is_ne() {
                level = next;
                self.set_level(island, level);
            }
            copy(problem, &self.members[island.members.clone()], &self.tried, impulses);
            found = reached;
            if found.worst < smallest {
                smallest = found.worst;
                copy(problem, &self.members[island.members.clone()], impulses, &mut self.best);
            }
        }
        copy(problem, &self.members[island.members.clone()], &self.best, impulses);
        self.follow(problem, island, impulses, state);
    }

    /// Other methods from `tried`, by turns: through the inside of the cones, and sweeps.
    fn turn_elsewhere(
        &mut self,
        problem: &BodyProblem,
        island: &mut Island,
        state: &mut [f64],
        found: LawResidual,
        goal: Goal,
        turns: usize,
    ) -> LawResidual {
        if turns.is_multiple_of(2) {
            // What it starts from is kept in `change`, which the next step writes anew.
            copy(problem, &self.members[island.members.clone()], &self.tried, &mut self.change);
            let reached = self.go_inside(problem, island, state, found, goal);
            if reached.worst.is_finite() {
                return reached;
            }
            copy(problem, &self.members[island.members.clone()], &self.change, &mut self.tried);
        }
        self.follow_tried(problem, island, state);
        let blocks = &self.members[island.members.clone()];
        self.sweeps.sweep_some(problem, blocks, &mut self.tried, state, SWEEPS);
        self.follow_tried(problem, island, state)
    }

    /// As [`PrimalNewton::follow`], for the impulses tried.
    pub(super) fn follow_tried(
        &mut self,
        problem: &BodyProblem,
        island: &Island,
        state: &mut [f64],
    ) -> LawResidual {
        let tried = std::mem::take(&mut self.tried);
        let found = self.follow(problem, island, &tried, state);
        self.tried = tried;
        found
    }

    /// Sets the stiffness of the island's blocks.
    fn set_level(&mut self, island: &Island, level: f64) {
        self.is_reusable = false;
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            self.stiffness[block] = level * self.rates[block];
        }
    }

    /// Velocities of the island under impulses, into `state` and `fresh`; the residual.
    pub(super) fn follow(
        &mut self,
        problem: &BodyProblem,
        island: &Island,
        impulses: &[f64],
        state: &mut [f64],
    ) -> LawResidual {
        for &group in &self.plan.order[island.columns.clone()] {
            let group = problem.groups()[group as usize];
            let range = group.start..group.start + group.len;
            state[range.clone()].copy_from_slice(&problem.free()[range]);
        }
        let members = &self.members[island.members.clone()];
        for &block in members {
            let (rows, _) = rows_of(problem, block as usize);
            let r = three(&impulses[rows]);
            problem.push(block as usize, r, state);
        }
        let (mut worst, mut sum) = (0.0_f64, 0.0);
        for &block in members {
            let (rows, law) = rows_of(problem, block as usize);
            let u = problem.response(block as usize, state);
            let miss = miss(law, three(&impulses[rows.clone()]), u, self.weights[block as usize]);
            worst = worst.max(miss);
            sum += miss * miss;
            let count = rows.len();
            self.fresh[rows].copy_from_slice(&u[..count]);
        }
        LawResidual { worst, sum: if sum.is_nan() { f64::INFINITY } else { sum } }
    }

    pub(super) fn for_velocities(
        &mut self,
        problem: &BodyProblem,
        island: &Island,
        mut visit: impl FnMut(&mut Self, Range<usize>),
    ) {
        for column in island.columns.clone() {
            let group = problem.groups()[self.plan.order[column] as usize];
            visit(self, group.start..group.start + group.len);
        }
    }

    /// Newton's step from impulses whose velocities are in `fresh`; the change of impulses is in `change`. False where there is none.
    fn find_step(&mut self, problem: &BodyProblem, island: &mut Island, impulses: &[f64]) -> bool {
        let (mut is_same, mut is_symmetric) = (self.is_reusable, true);
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            let (r, u) = (three(&impulses[rows.clone()]), three(&self.fresh[rows.clone()]));
            let answer = linearise(law, r, u, self.rates[block], self.stiffness[block]);
            is_same &= answer.slope == self.hessians[block];
            is_symmetric &= answer.is_symmetric;
            self.hessians[block] = answer.slope;
            set(&mut self.change, rows, answer.push);
        }
        island.info.iterations += 1;
        if !is_same {
            self.assemble(problem, island);
            island.info.factorisations += 1;
            self.is_symmetric = is_symmetric;
            self.is_reusable = self.factor.factor(&self.plan, &island.columns, is_symmetric, |_| true);
            if !self.is_reusable {
                return false;
            }
        }
        self.for_velocities(problem, island, |all, range| all.step[range].fill(0.0));
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, _) = rows_of(problem, block);
            add_transposed(problem, block, three(&self.change[rows]), &mut self.step);
        }
        self.hold_still(problem, island);
        let start = |group: usize| problem.groups()[group].start;
        self.factor.solve(&self.plan, &island.columns, self.is_symmetric, |_| true, start, &mut self.step);
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, _) = rows_of(problem, block);
            let du = rows_times(problem, block, &self.step);
            for (i, row) in rows.enumerate() {
                let slope = &self.hessians[block][i];
                self.change[row] -= slope[0] * du[0] + slope[1] * du[1] + slope[2] * du[2];
                if !self.change[row].is_finite() {
                    return false;
                }
            }
        }
        true
    }

    /// Velocities without mass get no momentum.
    pub(super) fn hold_still(&mut self, problem: &BodyProblem, island: &Island) {
        for column in island.columns.clone() {
            let number = self.plan.order[column] as usize;
            let group = problem.groups()[number];
            for k in (0..group.len).filter(|&k| !problem.has_mass(number, k)) {
                self.step[group.start + k] = 0.0;
            }
        }
    }

    /// Goes along the step as far as it helps; what is reached is in `tried`, `fresh` and `state`.
    fn search(
        &mut self,
        problem: &BodyProblem,
        island: &mut Island,
        impulses: &[f64],
        state: &mut [f64],
        found: LawResidual,
    ) -> LawResidual {
        let mut reached = LawResidual::NOTHING;
        let searched = SEARCH.search(
            |fraction| {
                reached = self.try_part(problem, island, impulses, state, fraction);
                reached.sum
            },
            |fraction, sum| sum <= (1.0 - MIN_GAIN * fraction) * found.sum,
        );
        island.info.backtracks += searched.backtracks;
        if searched.is_last {
            reached
        } else {
            self.try_part(problem, island, impulses, state, searched.fraction)
        }
    }

    fn try_part(
        &mut self,
        problem: &BodyProblem,
        island: &Island,
        impulses: &[f64],
        state: &mut [f64],
        part: f64,
    ) -> LawResidual {
        for at in island.members.clone() {
            let (rows, law) = rows_of(problem, self.members[at] as usize);
            let r = three(&impulses[rows.clone()]);
            let change = three(&self.change[rows.clone()]);
            let next = allowed(law, [0, 1, 2].map(|k| r[k] + part * change[k]));
            set(&mut self.tried, rows, next);
        }
        self.follow_tried(problem, island, state)
    }
}

/// Lists the sizes of the groups that blocks move, and which of them feel each other through a block.
fn list_graph(problem: &BodyProblem, lens: &mut [usize], edges: &mut Vec<[u32; 2]>) {
    for block in 0..problem.blocks().len() {
        let mut ends = [NOWHERE; 2];
        for (end, side) in ends.iter_mut().zip(problem.sides(block)) {
            let Some(side) = side else { continue };
            // What never moves connects nothing.
            if problem.is_movable(side.group) {
                lens[side.group] = problem.groups()[side.group].len;
                *end = side.group as u32;
            }
        }
        let edge = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        // Points of one pair come one after another.
        if edge[1] != NOWHERE && edges.last() != Some(&edge) {
            edges.push(edge);
        }
    }
}
