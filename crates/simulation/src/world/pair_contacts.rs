//! The contacts of a pair, and errors of the narrow phase: the run ends with an error that names the pair.
//!
//! In: queries of pairs, many of them inside evaluations that can return nothing but numbers. Out: the first query that failed, kept in the memory of the queries until it is taken. A failure is never "no contact".

use std::ops::{Deref, DerefMut};

use zerogap_core::Manifold;
use zerogap_proximity::collider::{ColliderCache, ColliderError, ContactSet};

use super::WorldError;
use super::placed_pair::PlacedPair;
use super::shapes::PairId;

/// The contacts of a pair, memory to find them in, and the first query with this memory that failed, until it is taken.
#[derive(Debug, Default)]
pub(crate) struct ContactWork {
    pub(crate) set: ContactSet,
    /// Memory alone: no answer depends on what it was used for before.
    pub(crate) cache: ColliderCache,
    pub(crate) failure: Option<NarrowPhaseFailure>,
}

/// The contacts are copied, the memory is new.
impl Clone for ContactWork {
    fn clone(&self) -> Self {
        Self { set: self.set.clone(), ..Self::default() }
    }
}

impl Deref for ContactWork {
    type Target = Manifold;

    fn deref(&self) -> &Manifold {
        &self.set.manifold
    }
}

impl DerefMut for ContactWork {
    fn deref_mut(&mut self) -> &mut Manifold {
        &mut self.set.manifold
    }
}

/// A query that failed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NarrowPhaseFailure {
    pub(crate) pair: PairId,
    pub(crate) error: ColliderError,
}

impl NarrowPhaseFailure {
    /// As the error of a run at a time [s].
    pub(crate) fn at(self, t: f64) -> WorldError {
        WorldError::NarrowPhase { t, pair: self.pair, error: self.error }
    }
}

impl ContactWork {
    /// Takes note of a query that failed, unless one has before; the gap that stands for it is no number, so that nothing is concluded from it.
    pub(crate) fn fail(&mut self, pair: PairId, error: ColliderError) -> f64 {
        self.failure.get_or_insert(NarrowPhaseFailure { pair, error });
        f64::NAN
    }

    /// Returns the gap of a pair as contacts see it [m], or more than the cutoff; a query that fails is noted.
    pub(crate) fn gap(&mut self, pair: &PlacedPair<'_>, cutoff: f64) -> f64 {
        pair.gap(cutoff, &mut self.cache).unwrap_or_else(|error| self.fail(pair.id, error))
    }

    /// Ends with the query that failed, where one has.
    pub(crate) fn refuse_failure(&mut self, t: f64) -> Result<(), WorldError> {
        self.failure.take().map_or(Ok(()), |failure| Err(failure.at(t)))
    }
}
