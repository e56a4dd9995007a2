//! Contacts of a time step, or of a matrix, with friction pyramids in place of round cones: one linear complementarity problem per island, by Lemke's method.
//!
//! In: a [`Delassus`] problem and the number of sides of the pyramids. Out: impulses and what they do. It is the classical formulation of time stepping (Stewart and Trinkle 1996; Anitescu and Potra 1997), to compare with the exact cones of
//! [`crate::cone`]: friction points along the nearest of a few directions, and pivoting on a dense matrix costs more with every contact of an island.

use nalgebra::{DMatrix, DVector};
use zerogap_core::disjoint_sets::DisjointSets;

use super::lemke::LcpStatus;
use super::polyhedral::solve_polyhedral;
use crate::SolverInfo;
use crate::cone::{CoulombSolution, CoulombStatus, Delassus, MatrixProblem, coulomb_residual, law_misses};
use crate::problem::{Block, Problem};

/// What a solve with pyramids ended with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PyramidInfo {
    /// Pivots of all islands together [-].
    pub pivots: usize,
    /// Islands in which the method ended without a solution; their impulses are zero [-].
    pub unsolved: usize,
    /// Largest miss of what does not depend on the pyramids: approach along normals, and impulses where gaps open; pulls of loops and limits [units of the bias].
    pub residual: f64,
}

/// Solves a problem with pyramids of `sides` sides (at least three), one of them along t1.
///
/// Computes: `impulses` of all blocks; where they are not unique, those of the basis that the method ends with.
/// Method: the inverse mass felt at the blocks is written down for each island, and [`solve_polyhedral`] answers.
/// Tolerance: that of [`super::lemke()`]; [`PyramidInfo::residual`] is measured, not estimated.
/// Cost: per island with n contacts O(n^2) for the matrix and O((sides + 2)^2 n^2) for each of some n (sides + 2) pivots. No impulses of the last step are of use.
/// Fails: islands that are counted in `unsolved`: rays, and rows that dense problems do not have ([`Block::Bounded`], [`Block::Moment`], rows that yield).
/// Order: the same input gives the same bits; islands in the order of their first blocks.
pub fn solve_pyramids_of_step<P: Delassus>(
    problem: &P,
    sides: usize,
    impulses: &mut Vec<f64>,
) -> PyramidInfo {
    let blocks = problem.blocks();
    impulses.clear();
    impulses.resize(problem.rows(), 0.0);
    let mut state = vec![0.0; problem.state_len()];
    problem.begin(impulses, &mut state);
    let free = state;

    // The columns of the inverse mass: what a unit impulse in each row adds to the velocities of all.
    let rows = problem.rows();
    let mut w = DMatrix::zeros(rows, rows);
    let mut b = DVector::zeros(rows);
    let mut sets = DisjointSets::new(blocks.len());
    let mut moved = free.clone();
    for block in 0..blocks.len() {
        let response = problem.response(block, &free);
        for (row, value) in response.iter().enumerate().take(blocks[block].rows()) {
            b[problem.first(block) + row] = *value;
            moved.copy_from_slice(&free);
            let mut unit = [0.0; 3];
            unit[row] = 1.0;
            problem.push(block, unit, &mut moved);
            let column = problem.first(block) + row;
            for (other, law) in blocks.iter().enumerate() {
                let (after, before) = (problem.response(other, &moved), problem.response(other, &free));
                for at in 0..law.rows() {
                    let change = after[at] - before[at];
                    w[(problem.first(other) + at, column)] = change;
                    if change != 0.0 && other != block {
                        sets.join(block, other);
                    }
                }
            }
        }
    }

    let mut info = PyramidInfo { pivots: 0, unsolved: 0, residual: 0.0 };
    for island in sets.groups() {
        let places: Vec<usize> = island
            .iter()
            .flat_map(|&k| (0..blocks[k].rows()).map(move |row| problem.first(k) + row))
            .collect();
        let yields = island.iter().any(|&block| problem.compliance(block) > 0.0);
        let inner = DMatrix::from_fn(places.len(), places.len(), |i, j| {
            // Differences of responses carry rounding: one value for both mirrored entries.
            0.5 * (w[(places[i], places[j])] + w[(places[j], places[i])])
        });
        let velocities = DVector::from_fn(places.len(), |i, _| b[places[i]]);
        let laws = island.iter().map(|&block| blocks[block]).collect();
        let found = match Problem::new(inner, velocities, laws) {
            Ok(island) if !yields => solve_polyhedral(&island, sides),
            _ => {
                info.unsolved += 1;
                continue;
            }
        };
        info.pivots += found.pivots;
        if found.status != LcpStatus::Solved {
            info.unsolved += 1;
            continue;
        }
        for (place, force) in places.iter().zip(found.lambda.iter()) {
            impulses[*place] = *force;
        }
        let mut first = 0;
        for &block in &island {
            let (r, u, w) = (found.lambda[first], found.a[first], w[(places[first], places[first])]);
            let miss = match blocks[block] {
                Block::Bilateral => u.abs(),
                _ => (w * r).min(u).abs(),
            };
            info.residual = info.residual.max(miss);
            first += blocks[block].rows();
        }
    }
    info
}

/// Solves a problem given by its matrix with pyramids of `sides` sides.
///
/// The status is `Solved` where Lemke's method solved every island. The residual and the misses are those of round cones: what they report of friction is the error of the pyramids. The relative residual is of what does not depend on them: approach, and impulses where gaps open.
pub fn solve_coulomb_by_pyramids(problem: &MatrixProblem, sides: usize) -> CoulombSolution {
    let mut impulses = Vec::new();
    let info = solve_pyramids_of_step(problem, sides, &mut impulses);
    let mut velocities = vec![0.0; problem.state_len()];
    problem.begin(&impulses, &mut velocities);
    let residual = coulomb_residual(problem, &impulses, &velocities);
    let residual = if residual.is_nan() { f64::INFINITY } else { residual };
    let size = problem.q().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let is_solved = info.unsolved == 0;
    CoulombSolution {
        status: if is_solved { CoulombStatus::Solved } else { CoulombStatus::Limit },
        solver: SolverInfo { iterations: info.pivots, is_solved, ..SolverInfo::at(residual, 0.0) },
        relative: if size > 0.0 { info.residual / size } else { 0.0 },
        misses: law_misses(problem, &impulses, &velocities),
        infeasibility: None,
        impulses,
        velocities,
    }
}
