//! The contacts of one time step, island by island.
//!
//! In: a problem and the impulses of the step before. Out: impulses, their velocities and what they achieve, the best that was met. Islands do not feel each other: each is copied, solved on its own, on any thread, and copied back in
//! order, so the same input gives the same bits for any number of threads.

use super::island_solver::{Goal, IslandSolver};
use super::local::Local;
use super::{BodyProblem, Delassus as _, block_miss_squared};
use crate::SolverInfo;
use crate::problem::Block;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use zerogap_core::disjoint_sets::DisjointSets;
use zerogap_core::threads::{in_pool, thread_count};

/// What is solved is solved to this fraction of the tolerance where that is cheap [-]: what a step misses moves the bodies, and the impulses of the next one have to stop that.
pub const BEYOND: f64 = 1e-3;
/// No island, or no number in one.
const NOWHERE: u32 = u32::MAX;
/// Fewer blocks than this are quicker without other threads.
const WORTH_SHARING: usize = 64;

/// Which groups and blocks belong to an island.
#[derive(Debug, Clone, Default)]
struct Members {
    groups: Vec<u32>,
    blocks: Vec<u32>,
}

/// Solver of the contacts of a time step, with its memory.
#[derive(Debug, Clone, Default)]
pub struct StepSolver {
    islands: Vec<IslandSolver>,
    members: Vec<Members>,
    sets: DisjointSets,
    /// The island of each group that names one, and the number of each group in its island.
    island_of: Vec<u32>,
    local: Vec<u32>,
    /// Blocks that move nothing.
    fixed: Vec<u32>,
    /// By block, the square of what the impulses given miss.
    misses: Vec<f64>,
}

impl StepSolver {
    /// Improves impulses until the residual is at most `tolerance` [units of the bias], and well below it where that is cheap; islands with a residual of at most `taken` keep the impulses they have. `state` is computed here and is that of the impulses afterwards.
    ///
    /// Computes: impulses `r` and velocities `v = free + M^-1 J^T r` that obey every law. Impulses that are not unique are one choice near those given.
    /// Method: for each island a few sweeps of Gauss-Seidel, then semismooth Newton from them; where that fails a few steps of proximal Newton if the sweeps came near, an interior point method with the exact derivative of De Saxcé's term, polished by Newton, and proximal Newton as the last resort.
    /// Tolerance: the residual is that of [`super::residual`] [units of the bias], measured, not estimated.
    /// Cost: bounded, some 300 factorisations of an island at most; over 125 captured problems the median is 4 (tumbling boxes) to 41 (a struck wall) at 1e-6 m/s and the most 224. Symbolic factors are kept while an island's graph stays. No allocation once memory has grown.
    /// Fails: `is_solved` is false, with the best impulses found; impulses and velocities are finite for finite input.
    /// Order: independent of thread count; scaling masses, lengths or times by powers of four scales the answer by powers of two.
    ///
    /// Impulses and state get the problem's lengths; impulses that lack are zero.
    pub fn solve(
        &mut self,
        problem: &BodyProblem,
        impulses: &mut Vec<f64>,
        state: &mut Vec<f64>,
        (taken, tolerance): (f64, f64),
    ) -> SolverInfo {
        impulses.resize(problem.rows(), 0.0);
        state.resize(problem.state_len(), 0.0);
        problem.begin(impulses, state);
        let mut info = SolverInfo::at(self.measure(problem, impulses, state), tolerance);
        if info.residual <= taken {
            return info;
        }
        let count = self.split(problem);
        self.answer_fixed(problem, impulses, state);
        if self.islands.len() < count {
            self.islands.resize_with(count, IslandSolver::default);
        }
        let goal = Goal { taken, aim: BEYOND * tolerance, tolerance };
        let (members, local, misses) = (&self.members[..count], &self.local, &self.misses);
        let islands = &mut self.islands[..count];
        let solve = |island: &mut IslandSolver, members: &Members| {
            // What is good enough is not even copied.
            let worst = members.blocks.iter().fold(0.0_f64, |m, block| m.max(misses[*block as usize]));
            if worst.sqrt() <= taken {
                island.leave(worst.sqrt());
                return;
            }
            island.load(problem, (&members.groups, &members.blocks), local, impulses);
            island.solve(&goal);
        };
        if count < 2 || problem.blocks().len() < WORTH_SHARING || thread_count() == 1 {
            islands.iter_mut().zip(members).for_each(|(island, members)| solve(island, members));
        } else {
            in_pool(|| {
                let shared = islands.par_iter_mut().zip(members.par_iter());
                shared.for_each(|(island, members)| solve(island, members));
            });
        }
        // Blocks in no island miss what they missed; islands have the bits of the whole.
        let mut residual = self.fixed.iter().fold(0.0_f64, |m, block| m.max(misses[*block as usize])).sqrt();
        for (island, members) in islands.iter().zip(members) {
            island.store(problem, &members.blocks, impulses);
            info.add_work(island.info());
            residual = residual.max(island.info().residual);
            // What an island costs, in factorisations of the whole.
            info.equivalent_factorisations += island.info().factorisations as f64
                * members.blocks.len() as f64
                / problem.blocks().len() as f64;
        }
        problem.begin(impulses, state);
        info.finish(residual, tolerance);
        info
    }

    /// Measures how far each block is from its law, squared; the residual.
    fn measure(&mut self, problem: &BodyProblem, impulses: &[f64], state: &[f64]) -> f64 {
        self.misses.clear();
        self.misses.extend(
            (0..problem.blocks().len()).map(|block| block_miss_squared(problem, block, impulses, state)),
        );
        self.misses.iter().fold(0.0_f64, |m, miss| m.max(*miss)).sqrt()
    }

    /// Answers blocks that move nothing and still have an answer, whatever others do: those that yield by themselves, and those whose bounds do.
    fn answer_fixed(&mut self, problem: &BodyProblem, impulses: &mut [f64], state: &[f64]) {
        let mut answer = |block: usize| {
            let law = &problem.blocks()[block];
            let local = Local::new(law, &problem.diagonal(block));
            impulses[problem.first(block)] = local.answer(law, problem.response(block, state))[0];
            self.misses[block] = block_miss_squared(problem, block, impulses, state);
        };
        let compliant = self.fixed.iter().map(|block| *block as usize);
        compliant.filter(|block| problem.compliance(*block) > 0.0).for_each(&mut answer);
        // A row of zeros moves nothing, though it may be in an island.
        let laws = problem.blocks().iter().enumerate();
        let bounded = laws.filter(|(_, law)| matches!(law, Block::Bounded { .. })).map(|(block, _)| block);
        bounded.filter(|block| problem.diagonal(*block)[(0, 0)] <= 0.0).for_each(answer);
    }

    /// Finds the islands, in the order of their first blocks; how many there are.
    fn split(&mut self, problem: &BodyProblem) -> usize {
        let groups = problem.groups().len();
        self.sets.reset(groups);
        for numbers in [&mut self.island_of, &mut self.local] {
            numbers.clear();
            numbers.resize(groups, NOWHERE);
        }
        for members in &mut self.members {
            members.groups.clear();
            members.blocks.clear();
        }
        // What never moves connects nothing.
        let ends = |block: usize| {
            problem
                .sides(block)
                .map(|side| side.map(|side| side.group).filter(|group| problem.is_movable(*group)))
        };
        for block in 0..problem.blocks().len() {
            if let [Some(a), Some(b)] = ends(block) {
                self.sets.join(a, b);
            }
        }
        let mut count = 0;
        self.fixed.clear();
        for block in 0..problem.blocks().len() {
            if ends(block) == [None; 2] {
                self.fixed.push(block as u32);
            }
            for group in ends(block).into_iter().flatten() {
                let root = self.sets.find(group);
                if self.island_of[root] == NOWHERE {
                    self.island_of[root] = count as u32;
                    count += 1;
                    if self.members.len() < count {
                        self.members.push(Members::default());
                    }
                }
                let members = &mut self.members[self.island_of[root] as usize];
                if self.local[group] == NOWHERE {
                    self.local[group] = members.groups.len() as u32;
                    members.groups.push(group as u32);
                }
                if members.blocks.last() != Some(&(block as u32)) {
                    members.blocks.push(block as u32);
                }
            }
        }
        count
    }
}
