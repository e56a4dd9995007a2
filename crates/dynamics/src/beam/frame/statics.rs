//! Equilibrium under loads, by Newton's method.
//!
//! In: a state, loads. Out: the equilibrium that is reached from that state as its unbalanced forces fade away: `r(q) = (1 - λ) r(q₀)` with λ from 0 to 1, in increments that are halved where Newton's method
//! fails and doubled where it is quick. From rest these are load steps. Cost: linear in the elements for each iteration.

use super::block_matrix::{BlockMatrix, Vector6};
use super::{Frame, FrameError, FrameLoads, FrameState};

/// A pivot below this part of its diagonal entry belongs to a motion without strain [-]: rounding of a sum of elements leaves 1e-15, supports of a thousand elements in a row have 1e-10.
pub(super) const LOOSE: f64 = 1e-13;

/// A correction that no longer falls is rounding where it is below this [-].
const ROUNDING: f64 = 1e-7;

/// A single correction that rotates a node by more than this is not trusted [rad].
const MAX_TURN: f64 = 0.8;

/// Iterations after which an increment was easy and the next is doubled [-].
const EASY: usize = 6;

/// How equilibria are looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SettleParams {
    /// The last correction of the nodes, against the size of the frame or in rad [-].
    pub tolerance: f64,
    /// First increment, as a fraction of the change of the loads [-].
    pub first_increment: f64,
    /// Increments are not halved below this [-].
    pub min_increment: f64,
    /// Iterations of each increment at most [-].
    pub max_iterations: usize,
}

impl Default for SettleParams {
    fn default() -> Self {
        Self { tolerance: 1e-10, first_increment: 0.1, min_increment: 1e-6, max_iterations: 20 }
    }
}

/// A frame in equilibrium.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// Where the nodes are; without motion.
    pub state: FrameState,
    /// Increments that were accepted [-].
    pub increments: usize,
    /// Iterations in all, those of refused increments with them [-].
    pub iterations: usize,
    /// The last correction, against the size of the frame or in rad [-].
    pub correction: f64,
    /// Independent small motions that lower the energy [-]: zero where the equilibrium is stable.
    pub unstable: usize,
}

impl Frame {
    /// The equilibrium under loads that is reached from a state.
    ///
    /// Computes: places and rotations of the nodes. Method: load steps with Newton's method and the consistent tangent (`element`).
    /// Tolerance: the elastica to 1e-5 with 20 elements (`tests/frame_statics.rs`).
    /// Fails: where the supports let the frame move without strain, and where no equilibrium follows from the last one (snap-through; the error says at which fraction of the loads).
    pub fn settle(
        &self,
        start: &FrameState,
        loads: &FrameLoads,
        params: &SettleParams,
    ) -> Result<Equilibrium, FrameError> {
        self.check_state(start)?;
        loads.check(self)?;
        self.has_free()?;
        for (what, value) in [
            ("the tolerance", params.tolerance),
            ("the first increment", params.first_increment),
            ("the smallest increment", params.min_increment),
        ] {
            if !(value > 0.0 && value <= 1.0) {
                return Err(FrameError::Setting { what, value, range: "above 0 and at most 1" });
            }
        }
        let zeros = self.rest();
        let mut state = FrameState { velocities: zeros.velocities, spins: zeros.spins, ..start.clone() };
        let first = self.unbalanced(&state, loads, 0.0);
        let mut answer =
            Equilibrium { state: state.clone(), increments: 0, iterations: 0, correction: 0.0, unstable: 0 };
        let (mut reached, mut increment) = (0.0, params.first_increment);
        while reached < 1.0 {
            let next = if reached + increment > 1.0 - 1e-9 { 1.0 } else { reached + increment };
            let attempt = self.balance(&mut state, loads, (&first, 1.0 - next), params, &mut answer)?;
            if let Some(iterations) = attempt {
                reached = next;
                answer.increments += 1;
                answer.state.clone_from(&state);
                if iterations <= EASY {
                    increment *= 2.0;
                }
            } else {
                state.clone_from(&answer.state);
                increment *= 0.5;
                if increment < params.min_increment {
                    let correction = answer.correction;
                    return Err(FrameError::NoEquilibrium { fraction: reached, correction });
                }
            }
        }
        Ok(answer)
    }

    /// Newton's method for `r = fraction * first`: the iterations it took, or none where it does not converge.
    fn balance(
        &self,
        state: &mut FrameState,
        loads: &FrameLoads,
        (first, fraction): (&[Vector6], f64),
        params: &SettleParams,
        answer: &mut Equilibrium,
    ) -> Result<Option<usize>, FrameError> {
        let mut last = f64::INFINITY;
        for iteration in 1..=params.max_iterations {
            let mut matrix = BlockMatrix::zeros(&self.structure);
            self.add_tangent(&mut matrix, state, loads, [0.0, 1.0]);
            matrix.fix(&self.structure, |node, k| self.fixed[node][k]);
            let mut change = self.unbalanced(state, loads, 0.0);
            for (change, first) in change.iter_mut().zip(first) {
                *change = fraction * first - *change;
            }
            self.keep_free(&mut change);
            let pivots = matrix.factor(&self.structure);
            if pivots.smallest < LOOSE && answer.increments == 0 && iteration == 1 {
                return Err(FrameError::Loose { node: pivots.node });
            }
            matrix.solve(&self.structure, &mut change);
            let correction = self.measure(&change);
            answer.iterations += 1;
            answer.correction = correction;
            answer.unstable = pivots.negative;
            let trusted = correction <= MAX_TURN;
            if !trusted {
                return Ok(None);
            }
            Self::displace(state, &change);
            if correction <= params.tolerance || (correction <= ROUNDING && correction >= 0.5 * last) {
                return Ok(Some(iteration));
            }
            last = correction;
        }
        Ok(None)
    }
}
