//! Impacts one after the other: the contact that closes fastest is hit first, and what that does to the others is hit next.
//!
//! In: an [`Impact`](super::Impact) whose velocities approach at some contacts. Out: the sum of all impulses. In a row of balls that touch, each passes the blow on to the next.

use nalgebra::{DMatrix, DVector};

use super::impact::{Impact, ImpactLaw, solve_impact};
use crate::problem::{Block, Problem};

/// Contacts that close this nearly as fast as the fastest are hit together with it [-]: what is symmetric stays so.
const TOGETHER: f64 = 1e-9;

/// Approaches below this fraction of the fastest at the start are none [-].
const STOPPED: f64 = 1e-12;

/// Impacts per contact before the rest is solved all at once [-]. A ball between two heavy plates takes as many as the root of the ratio of their masses.
const IMPACTS_PER_CONTACT: usize = 200;

/// The impulses of a sequence of impacts.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) impulse: DVector<f64>,
    /// Single impacts [-].
    pub(super) count: usize,
    /// The largest residual of one [-].
    pub(super) residual: f64,
    /// Velocities that still approach after as many impacts as are made; nothing where none does.
    pub(super) rest: Option<DVector<f64>>,
}

/// Makes impacts one after the other until nothing approaches.
///
/// Computes: impulses, each of one contact (or of several that close equally fast) by Moreau's law with loops held.
/// Tolerance: what still approaches does so at 1e-12 of the fastest approach at the start.
/// Cost: a solve per impact, of one contact and all loops.
/// Order: the fastest approach; contacts that are equally fast to 1e-9 together.
pub(super) fn sequence(impact: &Impact) -> Sequence {
    let problem = &impact.problem;
    let mut impulse = DVector::zeros(problem.rows());
    let (mut count, mut residual) = (0, 0.0_f64);
    let firsts = first_rows(&problem.blocks);
    let mut velocities = problem.b.clone();
    let fastest = |velocities: &DVector<f64>| {
        let one_sided = problem.blocks.iter().zip(&firsts).filter(|(block, _)| **block != Block::Bilateral);
        one_sided.fold(0.0_f64, |most, (_, row)| most.max(-velocities[*row]))
    };
    let none = STOPPED * fastest(&velocities);
    let most = IMPACTS_PER_CONTACT * problem.blocks.len();
    while count < most {
        let approach = fastest(&velocities);
        if approach <= none {
            return Sequence { impulse, count, residual, rest: None };
        }
        // The contacts that are hit, and whatever holds always.
        let is_hit = |block: usize| {
            problem.blocks[block] == Block::Bilateral
                || -velocities[firsts[block]] >= approach * (1.0 - TOGETHER)
        };
        let hit: Vec<usize> = (0..problem.blocks.len()).filter(|block| is_hit(*block)).collect();
        let rows: Vec<usize> =
            hit.iter().flat_map(|k| firsts[*k]..firsts[*k] + problem.blocks[*k].rows()).collect();
        let part = Impact {
            problem: Problem {
                w: DMatrix::from_fn(rows.len(), rows.len(), |i, j| problem.w[(rows[i], rows[j])]),
                b: DVector::from_fn(rows.len(), |i, _| velocities[rows[i]]),
                blocks: hit.iter().map(|k| problem.blocks[*k]).collect(),
            },
            restitution: hit.iter().map(|k| impact.restitution[*k]).collect(),
            tangential: hit.iter().map(|k| impact.tangential[*k]).collect(),
            law: ImpactLaw::Moreau,
        };
        let solved = solve_impact(&part);
        for (row, x) in rows.iter().zip(solved.impulse.iter()) {
            impulse[*row] += x;
        }
        residual = residual.max(solved.residual);
        count += 1;
        velocities = problem.respond(&impulse);
    }
    let rest = (fastest(&velocities) > none).then_some(velocities);
    Sequence { impulse, count, residual, rest }
}

/// The first row of each block.
fn first_rows(blocks: &[Block]) -> Vec<usize> {
    let mut row = 0;
    let first = |block: &Block| {
        let first = row;
        row += block.rows();
        first
    };
    blocks.iter().map(first).collect()
}
