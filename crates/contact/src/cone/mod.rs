//! Coulomb friction with round cones, at the level of velocities: large sparse problems of many contacts, and their solvers. Time stepping uses them; small dense problems of located events and SiLVIA are those of [`crate::solve`].
//!
//! In: `u = W r + b` at the contacts, where `r` are impulses, `u` velocities after them and `W = J M^-1 J^T`, known through [`Delassus`] alone; and the law of every
//! few consecutive rows ([`Block`], without a direction of sliding: that belongs to accelerations). Out: impulses that obey the laws, with an honest residual.
//!
//! A contact obeys Coulomb's law in the form of De Saxcé: `r` in the cone `|r_t| <= mu r_n`, `u + (mu |u_t|, 0, 0)` in its dual cone, and the two orthogonal. Which is: it opens and pushes nothing, or
//! it sticks, or it slides and friction of `mu r_n` opposes the sliding.
//!
//! Resistance to rolling and spinning is one or two rows more that belong to a contact ([`Block::Moment`]), within a disc that widens with its normal impulse. The normal impulse does not feel them: what opens, opens.
//!
//! Friction that differs along t1 and t2 (`mu_1`, `mu_2`) needs no law of its own: rows t1 and t2 times `mu_1` and `mu_2`, with friction one, are that contact.

mod block_factor;
pub mod bodies;
pub mod body_text;
mod conditions;
mod elimination;
pub mod gauss_seidel;
mod infeasible;
mod interior;
mod island;
mod island_solver;
mod linear;
pub mod links;
mod local;
pub mod matrix;
mod matrix_bodies;
mod measure;
mod minimum_degree;
mod newton;
mod project;
mod proximal;
mod semismooth;
pub mod solve;
pub mod step_solver;
pub mod text;
mod tree_factor;
#[cfg(test)]
mod tree_factor_tests;

pub use bodies::{BodyProblem, JointRow};
pub use body_text::{CapturedProblem, read_body_problem, write_body_problem};
pub use conditions::{LawMiss, STICKS_ALWAYS};
pub use gauss_seidel::GaussSeidel;
pub use infeasible::{Infeasibility, prove_infeasible};
pub use links::LinkTree;
pub use matrix::{MatrixProblem, MatrixProblemError};
pub use measure::{coulomb_residual, law_misses, relative_residual};
pub use project::{miss, natural_map, onto_cone};
pub use solve::{ContactKind, CoulombParams, CoulombSolution, CoulombStatus, solve_coulomb};
pub use step_solver::{BEYOND, StepSolver};
pub use text::{TextError, read_problem, write_problem};

use crate::problem::Block;
use nalgebra::Matrix3;

/// The inverse mass felt at many contacts, however it is stored.
///
/// Solvers follow the response of one block at a time through a `state`: velocities of bodies, or the responses themselves.
pub trait Delassus {
    /// Laws of the rows, in order.
    fn blocks(&self) -> &[Block];

    /// First row of a block.
    fn first(&self, block: usize) -> usize;

    /// Number of rows.
    fn rows(&self) -> usize;

    /// Length of the state.
    fn state_len(&self) -> usize;

    /// Computes the state under impulses; both have their full lengths.
    fn begin(&self, impulses: &[f64], state: &mut [f64]);

    /// `W r + b` at the rows of a block, without what its own compliance adds; rows that it does not have are zero.
    fn response(&self, block: usize, state: &[f64]) -> [f64; 3];

    /// Takes a change of the impulses of a block into the state.
    fn push(&self, block: usize, change: [f64; 3], state: &mut [f64]);

    /// The entries of `W` between the rows of a block, its compliance included; rows that it does not have are zero.
    fn diagonal(&self, block: usize) -> Matrix3<f64>;

    /// Velocity per impulse that a block of one row yields by itself: its velocity is `W r + b + compliance r`. Zero for contacts [1/kg and the like].
    fn compliance(&self, _block: usize) -> f64 {
        0.0
    }
}

/// Largest natural map of any block, in the units of `b` [m/s and the like]: each block's map with the step one over its largest diagonal entry, times that entry.
///
/// `state` must be that of `impulses`.
pub fn residual<P: Delassus + ?Sized>(problem: &P, impulses: &[f64], state: &[f64]) -> f64 {
    let blocks = 0..problem.blocks().len();
    blocks.fold(0.0_f64, |worst, block| worst.max(block_miss_squared(problem, block, impulses, state))).sqrt()
}

/// The square of what a block misses.
fn block_miss_squared<P: Delassus + ?Sized>(
    problem: &P,
    block: usize,
    impulses: &[f64],
    state: &[f64],
) -> f64 {
    let law = &law_under(problem, block, impulses);
    let first = problem.first(block);
    let mut r = [0.0; 3];
    r[..law.rows()].copy_from_slice(&impulses[first..first + law.rows()]);
    let weight = problem.diagonal(block).diagonal().max();
    let u = yielding(problem.response(block, state), problem.compliance(block), r);
    project::miss_squared(law, r, u, weight)
}

/// The law of a block where contacts push with given impulses.
#[inline]
fn law_under<P: Delassus + ?Sized>(problem: &P, block: usize, impulses: &[f64]) -> Block {
    problem.blocks()[block].under(|contact| impulses[problem.first(contact)])
}

/// The velocity of a block with what its compliance adds.
#[inline]
fn yielding(mut u: [f64; 3], compliance: f64, r: [f64; 3]) -> [f64; 3] {
    if compliance > 0.0 {
        u[0] += compliance * r[0];
    }
    u
}
