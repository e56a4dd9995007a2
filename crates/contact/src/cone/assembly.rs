//! The matrix of a step, and what belongs to the rows of one block.
//!
//! In: derivatives of the blocks of an island. Out: masses plus `J^T G J` in the blocks of the factor, added in the order of the blocks.

use super::elimination::NOWHERE;
use super::primal::{Island, PrimalNewton};
use super::{BodyProblem, Delassus as _};
use crate::problem::Block;
use std::ops::Range;

impl PrimalNewton {
    /// Masses plus `J^T G J`.
    pub(super) fn assemble(&mut self, problem: &BodyProblem, island: &Island) {
        self.factor.clear(&self.plan, &island.columns);
        for column in island.columns.clone() {
            let mass = problem.mass(self.plan.order[column] as usize);
            self.factor.diagonal[self.plan.diagonal_at[column]..self.plan.diagonal_at[column + 1]]
                .copy_from_slice(mass);
        }
        for at in island.members.clone() {
            let block = self.members[at] as usize;
            let slope = self.hessians[block];
            if slope == [[0.0; 3]; 3] {
                continue;
            }
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
}

pub(super) fn rows_of(problem: &BodyProblem, block: usize) -> (Range<usize>, &Block) {
    let law = &problem.blocks()[block];
    let first = problem.first(block);
    (first..first + law.rows(), law)
}

/// Copies the rows of blocks.
pub(super) fn copy(problem: &BodyProblem, blocks: &[u32], from: &[f64], to: &mut [f64]) {
    for &block in blocks {
        let (rows, _) = rows_of(problem, block as usize);
        to[rows.clone()].copy_from_slice(&from[rows]);
    }
}

pub(super) fn three(x: &[f64]) -> [f64; 3] {
    let mut out = [0.0; 3];
    out[..x.len()].copy_from_slice(x);
    out
}

/// `out += J^T x`.
pub(super) fn add_transposed(problem: &BodyProblem, block: usize, x: [f64; 3], out: &mut [f64]) {
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
pub(super) fn rows_times(problem: &BodyProblem, block: usize, v: &[f64]) -> [f64; 3] {
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

pub(super) fn set(all: &mut [f64], rows: Range<usize>, x: [f64; 3]) {
    let count = rows.len();
    all[rows].copy_from_slice(&x[..count]);
}
