//! What happens when the narrow phase has no answer for a pair: the run ends with an error that names it.
//!
//! In: queries of pairs, many of them inside evaluations that can return nothing but numbers. Out: the first query that failed, kept in the memory of the queries until somebody takes it. A failure is never "no contact".

use zerogap_proximity::ProximityError;
use zerogap_proximity::mesh::MeshError;
use zerogap_proximity::oriented::OrientedError;

use super::WorldError;
use super::model::Model;
use super::shapes::{ContactSet, PairId};

/// Why the narrow phase has no answer for a pair of shapes.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NarrowPhaseError {
    /// Shapes without a gap.
    #[error(transparent)]
    Shapes(#[from] ProximityError),
    /// Triangles.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Oriented collision.
    #[error(transparent)]
    Oriented(#[from] OrientedError),
    /// A gap that is no number.
    #[error("the gap is {gap}: a pose or a support point is not finite")]
    NotFinite {
        /// The gap [m].
        gap: f64,
    },
}

impl NarrowPhaseError {
    /// Refuses a gap that is no number.
    pub(crate) fn check(gap: f64) -> Result<f64, Self> {
        if gap.is_nan() { Err(Self::NotFinite { gap }) } else { Ok(gap) }
    }
}

/// A query that failed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NarrowPhaseFailure {
    pub(crate) pair: PairId,
    pub(crate) error: NarrowPhaseError,
}

impl NarrowPhaseFailure {
    /// As the error of a run at a time [s].
    pub(crate) fn at(self, t: f64) -> WorldError {
        WorldError::NarrowPhase { t, pair: self.pair, error: self.error }
    }
}

impl ContactSet {
    /// Takes note of a query that failed, unless one has before; the gap that stands for it is no number, so that nothing is concluded from it.
    pub(crate) fn fail(&mut self, pair: PairId, error: NarrowPhaseError) -> f64 {
        self.failure.get_or_insert(NarrowPhaseFailure { pair, error });
        f64::NAN
    }
}

impl Model {
    /// Forgets queries that failed in trial steps, which were rejected for it.
    pub(crate) fn forget_failure(&mut self) {
        self.scratch.get_mut().manifold.failure = None;
    }

    /// Whether a query has failed that counts.
    pub(crate) fn has_failed(&self) -> bool {
        self.scratch.borrow().manifold.failure.is_some()
    }

    /// Ends with the query that failed, where one has.
    pub(crate) fn refuse_failure(&self, t: f64) -> Result<(), WorldError> {
        match self.scratch.borrow_mut().manifold.failure.take() {
            Some(failure) => Err(failure.at(t)),
            None => Ok(()),
        }
    }
}
