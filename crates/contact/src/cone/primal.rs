//! Newton's method in the velocities of groups, for many contacts that feel each other: tall stacks, arches, houses of cards.
//!
//! In: a [`BodyProblem`] and impulses to start from. Out: better impulses, in place, and their velocities. Blocks may be redundant: what is solved has the size of the velocities, not of the impulses.
//! Islands (groups that feel each other and nobody else) are solved one after another in the order of their first groups; groups without blocks cost nothing. The same input gives the same bits.

use super::block_factor::BlockFactor;
use super::elimination::{Elimination, NOWHERE};
use super::yielding::{Form, Slope, impulse, slope};
use super::{BodyProblem, Delassus, natural_map, residual};
use crate::problem::Block;
use std::ops::Range;

/// Stiffness of blocks at the start, in units of one over their inverse mass [-]: large, so that few rounds are needed; not so large that Newton's steps see nothing but kinks.
const STIFFNESS: f64 = 1e3;
/// Factor on the stiffness of blocks that come closer to their laws too slowly [-].
const STIFFEN: f64 = 30.0;
/// Stiffness that is never exceeded, in the same units [-].
const STIFFEST: f64 = 1e10;
/// A round that leaves less than this share of the residual is good [-].
const GOOD: f64 = 0.1;
/// A round that leaves more than this share of the residual has failed [-].
const ENOUGH: f64 = 0.7;
/// Steps in a round.
const STEPS_EXACT: usize = 5;
const STEPS_CONVEX: usize = 12;
/// A search along a step ends where the slope is below this share of that at its start [-].
const LEVEL: f64 = 0.1;
/// Looks along a step.
const LOOKS: usize = 12;
/// Shortest part of a step that is tried with exact friction [-].
const SHORTEST: f64 = 0.02;
/// A place that no block has.
const NO_PLACE: usize = usize::MAX;

/// Memory of the method, used again from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct PrimalNewton {
    plan: Elimination,
    factor: BlockFactor,
    /// Blocks by island, and where each island's begin; one more than islands.
    members: Vec<u32>,
    member_starts: Vec<usize>,
    island_of: Vec<u32>,
    /// By blocks: largest entry of the inverse mass, stiffness, De Saxcé's term, derivative, place of the pair in the factor, distance from the law.
    weights: Vec<f64>,
    stiffness: Vec<f64>,
    shifts: Vec<f64>,
    slopes: Vec<Slope>,
    places: Vec<usize>,
    misses: Vec<f64>,
    /// By rows: impulses tried, the best so far, velocities along the steps, their change, and those of the impulses tried.
    tried: Vec<f64>,
    best: Vec<f64>,
    u: Vec<f64>,
    du: Vec<f64>,
    fresh: Vec<f64>,
    /// By velocities: step, its momentum, momentum gained in a round.
    step: Vec<f64>,
    step_momentum: Vec<f64>,
    gained: Vec<f64>,
    work: Vec<f64>,
    spare: Vec<f64>,
    /// What the factor was made of, if it can be used again.
    is_reusable: bool,
}

/// What Newton's method achieved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonInfo {
    /// Steps made, of all islands together.
    pub steps: usize,
    /// Factorisations among them.
    pub factors: usize,
    /// As [`residual`] [units of the bias].
    pub residual: f64,
    /// Whether it is within the tolerance.
    pub is_solved: bool,
}

/// One island on its way.
struct Island {
    columns: Range<usize>,
    members: Range<usize>,
    steps: usize,
    factors: usize,
}

impl PrimalNewton {
    /// Improves impulses until the residual is at most `tolerance` [units of the bias], or `most` steps were made in an island. `state` is computed here and is that of the impulses afterwards.
    ///
    /// Computes: impulses `r` and velocities `v = free + M^-1 J^T r` that obey every law. Impulses that are not unique are one choice near those given.
    /// Method: method of multipliers with semismooth Newton steps in `v`, each a sparse factorisation over groups. Friction first in the form of Alart and Curnier (1991);
    ///   where that makes no progress, De Saxcé's term is held and the convex problem that is left is followed downhill.
    /// Tolerance: as asked, down to rounding of the velocities; the best impulses met are returned, and what they achieve is measured, not estimated.
    /// Cost: a factorisation per step and O(blocks) beside it; none where the start is good enough. No allocation once memory has grown.
    /// Fails: `is_solved` is false; impulses and velocities are finite for finite input.
    ///
    /// # Panics
    /// Where a slice does not have the problem's length.
    pub fn solve(
        &mut self,
        problem: &BodyProblem,
        impulses: &mut [f64],
        state: &mut [f64],
        tolerance: f64,
        most: usize,
    ) -> NewtonInfo {
        assert!(impulses.len() == problem.rows() && state.len() == problem.state_len(), "lengths");
        problem.begin(impulses, state);
        let found = residual(problem, impulses, state);
        let mut info = NewtonInfo { steps: 0, factors: 0, residual: found, is_solved: found <= tolerance };
        if info.is_solved || most == 0 {
            return info;
        }
        self.prepare(problem);
        for index in 0..self.plan.islands.len() {
            let mut island = Island {
                columns: self.plan.islands[index].clone(),
                members: self.member_starts[index]..self.member_starts[index + 1],
                steps: 0,
                factors: 0,
            };
            self.solve_island(problem, &mut island, impulses, state, tolerance, most);
            info.steps += island.steps;
            info.factors += island.factors;
        }
        info.residual = residual(problem, impulses, state);
        info.is_solved = info.residual <= tolerance;
        info
    }

    /// Order, pattern, and everything that belongs to blocks.
    fn prepare(&mut self, problem: &BodyProblem) {
        self.plan.prepare(problem);
        self.factor.prepare(&self.plan);
        let blocks = problem.blocks().len();
        self.weights.clear();
        self.weights.extend((0..blocks).map(|block| problem.diagonal(block).diagonal().max()));
        self.stiffness.clear();
        self.stiffness
            .extend(self.weights.iter().map(|weight| if *weight > 0.0 { STIFFNESS / weight } else { 0.0 }));
        self.shifts.clear();
        self.shifts.resize(blocks, 0.0);
        self.slopes.clear();
        self.slopes.resize(blocks, Slope::Open);
        self.misses.clear();
        self.misses.resize(blocks, 0.0);
        for rows in [&mut self.tried, &mut self.best, &mut self.u, &mut self.du, &mut self.fresh] {
            rows.clear();
            rows.resize(problem.rows(), 0.0);
        }
        let by_velocity =
            [&mut self.step, &mut self.step_momentum, &mut self.gained, &mut self.work, &mut self.spare];
        for velocities in by_velocity {
            velocities.clear();
            velocities.resize(problem.state_len(), 0.0);
        }
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

    /// Rounds until the island is solved.
    fn solve_island(
        &mut self,
        problem: &BodyProblem,
        island: &mut Island,
        impulses: &mut [f64],
        state: &mut [f64],
        tolerance: f64,
        most: usize,
    ) {
        self.is_reusable = false;
        let mut found = self.follow(problem, island, impulses, state);
        self.accept(problem, island, impulses);
        let mut least = found;
        self.keep(problem, island, impulses);
        let mut form = Form::Exact;
        while found > tolerance && island.steps < most {
            let reached = self.round(problem, island, form, impulses, state, found, tolerance, most);
            let is_progress = reached <= tolerance || reached < ENOUGH * found;
            if form == Form::Exact && !is_progress {
                form = Form::Convex;
                self.follow(problem, island, impulses, state);
                self.accept(problem, island, impulses);
                continue;
            }
            for at in island.members.clone() {
                let (rows, _) = rows_of(problem, self.members[at] as usize);
                impulses[rows.clone()].copy_from_slice(&self.tried[rows]);
            }
            self.stiffen(problem, island, impulses, reached > GOOD * found && is_progress);
            self.accept(problem, island, impulses);
            found = reached;
            form = Form::Exact;
            if found < least {
                least = found;
                self.keep(problem, island, impulses);
            }
            // Impulses that grow without bound: no impulses obey all laws.
            if !found.is_finite() {
                break;
            }
        }
        for at in island.members.clone() {
            let (rows, _) = rows_of(problem, self.members[at] as usize);
            impulses[rows.clone()].copy_from_slice(&self.best[rows]);
        }
        self.follow(problem, island, impulses, state);
    }

    fn keep(&mut self, problem: &BodyProblem, island: &Island, impulses: &[f64]) {
        for at in island.members.clone() {
            let (rows, _) = rows_of(problem, self.members[at] as usize);
            self.best[rows.clone()].copy_from_slice(&impulses[rows]);
        }
    }

    /// Velocities of the island under impulses, into `state` and `fresh`; the residual.
    fn follow(&mut self, problem: &BodyProblem, island: &Island, impulses: &[f64], state: &mut [f64]) -> f64 {
        for &group in &self.plan.order[island.columns.clone()] {
            let group = problem.groups()[group as usize];
            let range = group.start..group.start + group.len;
            state[range.clone()].copy_from_slice(&problem.free()[range]);
        }
        let members = &self.members[island.members.clone()];
        for &block in members {
            let (rows, _) = rows_of(problem, block as usize);
            let r = three(&impulses[rows]);
            if r != [0.0; 3] {
                problem.push(block as usize, r, state);
            }
        }
        let mut worst = 0.0_f64;
        for &block in members {
            let (rows, law) = rows_of(problem, block as usize);
            let u = problem.response(block as usize, state);
            let map = natural_map(law, three(&impulses[rows.clone()]), u, self.weights[block as usize]);
            let miss = length(map);
            worst = if miss.is_nan() { f64::INFINITY } else { worst.max(miss) };
            let count = rows.len();
            self.fresh[rows].copy_from_slice(&u[..count]);
        }
        worst
    }

    /// Begins a round from the velocities last followed: they are those of the impulses.
    fn accept(&mut self, problem: &BodyProblem, island: &Island, impulses: &[f64]) {
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            self.u[rows.clone()].copy_from_slice(&self.fresh[rows.clone()]);
            let (u, r) = (three(&self.u[rows.clone()]), three(&impulses[rows]));
            self.misses[block] = length(natural_map(law, r, u, self.weights[block]));
            if let Block::Contact { friction, .. } = law {
                self.shifts[block] = friction * (u[1] * u[1] + u[2] * u[2]).sqrt();
            }
        }
    }

    /// Makes blocks stiffer that have not come much closer to their laws.
    fn stiffen(&mut self, problem: &BodyProblem, island: &Island, impulses: &[f64], is_slow: bool) {
        if !is_slow {
            return;
        }
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, law) = rows_of(problem, block);
            let (u, r) = (three(&self.fresh[rows.clone()]), three(&impulses[rows]));
            let miss = length(natural_map(law, r, u, self.weights[block]));
            if miss > GOOD * self.misses[block] && self.stiffness[block] * self.weights[block] < STIFFEST {
                self.stiffness[block] *= STIFFEN;
                self.is_reusable = false;
            }
        }
    }

    /// Newton's steps with the impulses held as multipliers; what is reached is in `tried`, `fresh` and `state`.
    #[expect(clippy::too_many_arguments, reason = "one place calls it")]
    fn round(
        &mut self,
        problem: &BodyProblem,
        island: &mut Island,
        form: Form,
        impulses: &[f64],
        state: &mut [f64],
        found: f64,
        tolerance: f64,
        most: usize,
    ) -> f64 {
        self.for_velocities(problem, island, |all, range| all.gained[range].fill(0.0));
        let mut reached = f64::INFINITY;
        let steps = if form == Form::Exact { STEPS_EXACT } else { STEPS_CONVEX };
        for _ in 0..steps.min(most - island.steps) {
            if !self.find_step(problem, island, form, impulses) {
                break;
            }
            let part = match form {
                Form::Exact => self.search_exact(problem, island, impulses),
                Form::Convex => self.search_convex(problem, island, impulses),
            };
            for at in island.members.clone() {
                let block = self.members[at] as usize;
                let (rows, _) = rows_of(problem, block);
                for row in rows.clone() {
                    self.u[row] += part * self.du[row];
                }
                let r = self.impulse_at(problem, block, form, impulses, 0.0);
                let count = rows.len();
                self.tried[rows].copy_from_slice(&r[..count]);
            }
            self.for_velocities(problem, island, |all, range| {
                for k in range {
                    all.gained[k] += part * all.step_momentum[k];
                }
            });
            let tried = std::mem::take(&mut self.tried);
            reached = self.follow(problem, island, &tried, state);
            self.tried = tried;
            if reached <= tolerance || reached <= GOOD * found {
                break;
            }
            // Velocities along the steps are those of the impulses: this round is at its end.
            let mut apart = 0.0_f64;
            for at in island.members.clone() {
                let (rows, _) = rows_of(problem, self.members[at] as usize);
                for row in rows {
                    apart = apart.max((self.u[row] - self.fresh[row]).abs());
                }
            }
            if apart <= GOOD * reached {
                break;
            }
        }
        reached
    }

    fn for_velocities(
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

    /// `r - R (u + part du)`, with De Saxcé's term where it is held.
    fn argument(
        &self,
        problem: &BodyProblem,
        block: usize,
        form: Form,
        impulses: &[f64],
        part: f64,
    ) -> [f64; 3] {
        let (rows, law) = rows_of(problem, block);
        let stiffness = self.stiffness[block];
        let mut y = [0.0; 3];
        for (y, row) in y.iter_mut().zip(rows) {
            *y = impulses[row] - stiffness * (self.u[row] + part * self.du[row]);
        }
        if form == Form::Convex && law.rows() == 3 {
            y[0] -= stiffness * self.shifts[block];
        }
        y
    }

    fn impulse_at(
        &self,
        problem: &BodyProblem,
        block: usize,
        form: Form,
        impulses: &[f64],
        part: f64,
    ) -> [f64; 3] {
        let y = self.argument(problem, block, form, impulses, part);
        impulse(form, &problem.blocks()[block], y)
    }

    /// Momentum that impulses part of the step ahead lack, into `work`.
    fn find_lack(&mut self, problem: &BodyProblem, island: &Island, form: Form, impulses: &[f64], part: f64) {
        self.for_velocities(problem, island, |all, range| {
            for k in range {
                all.work[k] = -(all.gained[k] + part * all.step_momentum[k]);
            }
        });
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, _) = rows_of(problem, block);
            let mut change = self.impulse_at(problem, block, form, impulses, part);
            for (change, row) in change.iter_mut().zip(rows) {
                *change -= impulses[row];
            }
            add_transposed(problem, block, change, &mut self.work);
        }
        for column in island.columns.clone() {
            let number = self.plan.order[column] as usize;
            let group = problem.groups()[number];
            for k in 0..group.len {
                if !problem.has_mass(number, k) {
                    self.work[group.start + k] = 0.0;
                }
            }
        }
    }

    /// Newton's step from where the velocities are; false where there is none.
    fn find_step(
        &mut self,
        problem: &BodyProblem,
        island: &mut Island,
        form: Form,
        impulses: &[f64],
    ) -> bool {
        // Derivatives; where they are as they were, so is the factor.
        let (mut is_same, mut is_constant, mut is_symmetric) = (self.is_reusable, true, true);
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let law = &problem.blocks()[block];
            let next = slope(form, law, self.argument(problem, block, form, impulses, 0.0));
            is_same &= next == self.slopes[block];
            if let (Slope::Sliding(_), Block::Contact { friction, .. }) = (next, law)
                && *friction > 0.0
            {
                is_constant = false;
                is_symmetric &= form == Form::Convex;
            }
            self.slopes[block] = next;
        }
        self.for_velocities(problem, island, |all, range| all.step_momentum[range].fill(0.0));
        self.find_lack(problem, island, form, impulses, 0.0);
        island.steps += 1;
        if !is_same {
            self.assemble(problem, island);
            island.factors += 1;
            self.is_reusable = is_constant;
            if !self.factor.factor(&self.plan, &island.columns, is_symmetric) {
                self.is_reusable = false;
                return false;
            }
        }
        self.for_velocities(problem, island, |all, range| {
            all.step[range.clone()].copy_from_slice(&all.work[range]);
        });
        let start = |group: usize| problem.groups()[group].start;
        self.factor.solve(&self.plan, &island.columns, is_symmetric, start, &mut self.step);
        for column in island.columns.clone() {
            let number = self.plan.order[column] as usize;
            let group = problem.groups()[number];
            let range = group.start..group.start + group.len;
            let step = &self.step[range.clone()];
            if !step.iter().all(|x| x.is_finite()) {
                return false;
            }
            for (out, row) in self.step_momentum[range].iter_mut().zip(problem.mass(number).chunks(group.len))
            {
                *out = row.iter().zip(step).map(|(m, v)| m * v).sum();
            }
        }
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, _) = rows_of(problem, block);
            let du = rows_times(problem, block, &self.step);
            let count = rows.len();
            self.du[rows].copy_from_slice(&du[..count]);
        }
        true
    }

    /// Masses plus `J^T R D J`.
    fn assemble(&mut self, problem: &BodyProblem, island: &Island) {
        self.factor.clear(&self.plan, &island.columns);
        for column in island.columns.clone() {
            let mass = problem.mass(self.plan.order[column] as usize);
            self.factor.diagonal[self.plan.diagonal_at[column]..self.plan.diagonal_at[column + 1]]
                .copy_from_slice(mass);
        }
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let stiffness = self.stiffness[block];
            let slope = match self.slopes[block] {
                Slope::Open => continue,
                Slope::Held => [[stiffness, 0.0, 0.0], [0.0, stiffness, 0.0], [0.0, 0.0, stiffness]],
                Slope::Sliding(d) => d.map(|row| row.map(|x| x * stiffness)),
            };
            let sides = problem.sides(block);
            let count = problem.blocks()[block].rows();
            let movable = |k: usize| {
                let side = sides[k]?;
                let column = self.plan.column[side.group];
                (column != NOWHERE).then(|| (column as usize, problem.rows_of(block, side)))
            };
            let ends = [movable(0), movable(1)];
            for (column, rows) in ends.iter().flatten() {
                let out = &mut self.factor.diagonal
                    [self.plan.diagonal_at[*column]..self.plan.diagonal_at[column + 1]];
                add_product(out, rows, &slope, rows, count);
            }
            if let [Some(a), Some(b)] = ends {
                let (earlier, later) = if a.0 < b.0 { (a, b) } else { (b, a) };
                let place = self.places[block];
                let range = self.plan.below_at[place]..self.plan.below_at[place + 1];
                add_product(&mut self.factor.lower[range.clone()], later.1, &slope, earlier.1, count);
                add_product(&mut self.factor.upper[range], earlier.1, &slope, later.1, count);
            }
        }
        self.hold_massless(problem, island);
    }

    /// Velocities without mass do not move: their rows and columns become those of the identity.
    fn hold_massless(&mut self, problem: &BodyProblem, island: &Island) {
        for column in island.columns.clone() {
            let size = self.plan.sizes[column];
            let number = self.plan.order[column] as usize;
            for k in (0..size).filter(|&k| !problem.has_mass(number, k)) {
                let own = &mut self.factor.diagonal[self.plan.diagonal_at[column]..];
                for j in 0..size {
                    own[k * size + j] = 0.0;
                    own[j * size + k] = 0.0;
                }
                own[k * size + k] = 1.0;
                for earlier in island.columns.clone() {
                    for place in self.plan.starts[earlier]..self.plan.starts[earlier + 1] {
                        let later = self.plan.rows[place] as usize;
                        let (rows, columns) = (self.plan.sizes[later], self.plan.sizes[earlier]);
                        let at = self.plan.below_at[place];
                        if later == column {
                            for j in 0..columns {
                                self.factor.lower[at + k * columns + j] = 0.0;
                                self.factor.upper[at + j * rows + k] = 0.0;
                            }
                        } else if earlier == column {
                            for i in 0..rows {
                                self.factor.lower[at + i * columns + k] = 0.0;
                                self.factor.upper[at + k * rows + i] = 0.0;
                            }
                        }
                    }
                }
            }
        }
    }

    /// How much of a step lowers the convex function most, nearly: its slope along the step rises, and is sought where it is nearly level.
    fn search_convex(&mut self, problem: &BodyProblem, island: &Island, impulses: &[f64]) -> f64 {
        let start = self.slope_along(problem, island, impulses, 0.0);
        let (mut low, mut high) = ((0.0, start), (1.0, self.slope_along(problem, island, impulses, 1.0)));
        let level = LEVEL * start.abs();
        if high.1 <= level || start >= 0.0 {
            return 1.0;
        }
        for look in 0..LOOKS {
            // By the chord, and by halves every third time, so that neither end stays for good.
            let chord = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let part = if look % 3 == 2 || !(chord > low.0 && chord < high.0) {
                0.5 * (low.0 + high.0)
            } else {
                chord
            };
            let slope = self.slope_along(problem, island, impulses, part);
            if slope.abs() <= level {
                return part;
            }
            if slope < 0.0 {
                low = (part, slope);
            } else {
                high = (part, slope);
            }
        }
        if low.0 > 0.0 { low.0 } else { high.0 }
    }

    fn slope_along(&self, problem: &BodyProblem, island: &Island, impulses: &[f64], part: f64) -> f64 {
        let mut sum = 0.0;
        for &group in &self.plan.order[island.columns.clone()] {
            let group = problem.groups()[group as usize];
            for k in group.start..group.start + group.len {
                sum += self.step[k] * (self.gained[k] + part * self.step_momentum[k]);
            }
        }
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let (rows, _) = rows_of(problem, block);
            let r = self.impulse_at(problem, block, Form::Convex, impulses, part);
            for (r, row) in r.iter().zip(rows) {
                sum -= self.du[row] * (r - impulses[row]);
            }
        }
        sum
    }

    /// How much of a step lowers the momentum that lacks, by halves.
    fn search_exact(&mut self, problem: &BodyProblem, island: &Island, impulses: &[f64]) -> f64 {
        // What lacked at the start is still there.
        let start = self.lack(problem, island);
        let mut part = 1.0;
        let mut best = (f64::INFINITY, 1.0);
        while part > SHORTEST {
            self.find_lack(problem, island, Form::Exact, impulses, part);
            let lack = self.lack(problem, island);
            if lack < best.0 {
                best = (lack, part);
            }
            if lack <= (1.0 - 0.1 * part) * start {
                break;
            }
            part *= 0.5;
        }
        best.1
    }

    /// Length of the momentum in `work`, in the measure of energy.
    fn lack(&mut self, problem: &BodyProblem, island: &Island) -> f64 {
        let mut sum = 0.0;
        for column in island.columns.clone() {
            let number = self.plan.order[column] as usize;
            let group = problem.groups()[number];
            let range = group.start..group.start + group.len;
            let velocities = &mut self.spare[range.clone()];
            velocities.copy_from_slice(&self.work[range.clone()]);
            problem.divide_by_mass(number, velocities);
            sum += velocities.iter().zip(&self.work[range]).map(|(v, p)| v * p).sum::<f64>();
        }
        sum.sqrt()
    }
}

fn rows_of(problem: &BodyProblem, block: usize) -> (Range<usize>, &Block) {
    let law = &problem.blocks()[block];
    let first = problem.first(block);
    (first..first + law.rows(), law)
}

fn three(x: &[f64]) -> [f64; 3] {
    let mut out = [0.0; 3];
    out[..x.len()].copy_from_slice(x);
    out
}

fn length(x: [f64; 3]) -> f64 {
    (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]).sqrt()
}

/// `out += J^T x`.
fn add_transposed(problem: &BodyProblem, block: usize, x: [f64; 3], out: &mut [f64]) {
    for side in problem.sides(block).iter().flatten() {
        let group = problem.groups()[side.group];
        let out = &mut out[group.start..group.start + group.len];
        for (row, x) in problem.rows_of(block, *side).chunks_exact(group.len).zip(x) {
            for (out, j) in out.iter_mut().zip(row) {
                *out += j * x;
            }
        }
    }
}

/// `J v`.
fn rows_times(problem: &BodyProblem, block: usize, v: &[f64]) -> [f64; 3] {
    let mut u = [0.0; 3];
    for side in problem.sides(block).iter().flatten() {
        let group = problem.groups()[side.group];
        let v = &v[group.start..group.start + group.len];
        for (u, row) in u.iter_mut().zip(problem.rows_of(block, *side).chunks_exact(group.len)) {
            *u += row.iter().zip(v).map(|(j, v)| j * v).sum::<f64>();
        }
    }
    u
}

/// `out += a^T s b`, with `count` rows in `a` and `b`.
fn add_product(out: &mut [f64], a: &[f64], s: &[[f64; 3]; 3], b: &[f64], count: usize) {
    let (columns_a, columns) = (a.len() / count, b.len() / count);
    for (i, a) in a.chunks_exact(columns_a).enumerate() {
        for (j, b) in b.chunks_exact(columns).enumerate() {
            let s = s[i][j];
            if s == 0.0 {
                continue;
            }
            for (a, out) in a.iter().zip(out.chunks_exact_mut(columns)) {
                let factor = a * s;
                for (b, out) in b.iter().zip(out) {
                    *out += factor * b;
                }
            }
        }
    }
}
