//! What questions about pairs of complexes found, kept from step to step: faces near each other, and how far the complexes are apart.
//!
//! In: pairs of a step, in order. Out: each batch of them has the memory of its pairs. It changes no answer: lists of faces hold for as long as bodies have moved less than they were made for.

use zerogap_proximity::lmd::QuasiWork;

use super::touch::ContactBatch;
use crate::world::shapes::PairId;

/// Memory of pairs, sorted by pair.
pub(super) type PairMemory = Vec<(PairId, QuasiWork)>;

/// The memory of the pairs of one batch: of the step before, and of this one.
#[derive(Debug, Clone, Default)]
pub(super) struct Followed {
    before: PairMemory,
    now: PairMemory,
}

impl Followed {
    /// Takes the memory of a pair out; a new one where there is none.
    pub(super) fn take(&mut self, pair: PairId) -> QuasiWork {
        let found = self.before.binary_search_by_key(&pair, |entry| entry.0);
        found.map_or_else(|_| QuasiWork::default(), |k| std::mem::take(&mut self.before[k].1))
    }

    /// Begins the next pass over the pairs, by one batch alone: what this one kept is the memory of the pass before.
    pub(super) fn turn(&mut self) {
        self.before.clear();
        std::mem::swap(&mut self.before, &mut self.now);
    }

    /// Returns the memory of a pair that this pass kept.
    pub(super) fn kept(&mut self, pair: PairId) -> Option<&mut QuasiWork> {
        let found = self.now.binary_search_by_key(&pair, |entry| entry.0).ok()?;
        Some(&mut self.now[found].1)
    }

    /// Keeps the memory of a pair; pairs come in order.
    pub(super) fn keep(&mut self, pair: PairId, work: QuasiWork) {
        self.now.push((pair, work));
    }
}

/// Gives each batch the memory of its pairs; `chunks` are the pairs of each.
pub(super) fn hand_out<'p>(
    all: &mut PairMemory,
    chunks: impl Iterator<Item = &'p [PairId]>,
    batches: &mut [ContactBatch],
) {
    let mut left = all.drain(..).peekable();
    for (batch, chunk) in batches.iter_mut().zip(chunks) {
        batch.followed.before.clear();
        let Some(last) = chunk.last() else { continue };
        while let Some(entry) = left.next_if(|entry| entry.0 <= *last) {
            batch.followed.before.push(entry);
        }
    }
}

/// Takes the memory of all pairs back from the batches, in order. That of pairs that are no longer near is dropped.
pub(super) fn collect(all: &mut PairMemory, batches: &mut [ContactBatch]) {
    all.clear();
    for batch in batches {
        all.append(&mut batch.followed.now);
    }
}
