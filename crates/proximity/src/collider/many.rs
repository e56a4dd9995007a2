//! Many pairs at once, on all cores.

use rayon::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use zerogap_core::Gap;

use super::answer::{contacts_into, gap};
use super::cache::ColliderCache;
use super::contacts::ContactSet;
use super::error::ColliderError;
use super::pair::ColliderPair;
use crate::convex::{ContactParams, DistanceParams, SHARE};
use zerogap_core::threads::in_pool;

/// Computes the gaps of many pairs, in their order; where the slices differ in length, the shorter one counts.
///
/// Each answer has the bits of [`gap()`] for that pair alone, for any number of threads. Fails: as [`gap()`], with the index of the first pair that fails; the answers of the others are written.
pub fn gap_many(
    pairs: &[ColliderPair<'_>],
    params: &DistanceParams,
    answers: &mut [Gap],
) -> Result<(), (usize, ColliderError)> {
    each(pairs, answers, |pair, cache, answer| gap(pair, params, cache).map(|found| *answer = found))
}

/// Finds the contacts of many pairs, in their order; where the slices differ in length, the shorter one counts. Sets keep their memory.
///
/// Each answer has the bits of [`contacts_into`] for that pair alone, for any number of threads. Fails: as [`contacts_into`], with the index of the first pair that fails; the answers of the
/// others are written.
pub fn contacts_many(
    pairs: &[ColliderPair<'_>],
    params: &ContactParams,
    answers: &mut [ContactSet],
) -> Result<(), (usize, ColliderError)> {
    each(pairs, answers, |pair, cache, set| contacts_into(pair, params, cache, set))
}

/// Answers every pair, each thread with a cache of its own; returns the first failure by index.
fn each<T: Send>(
    pairs: &[ColliderPair<'_>],
    answers: &mut [T],
    ask: impl Fn(&ColliderPair<'_>, &mut ColliderCache, &mut T) -> Result<(), ColliderError> + Sync,
) -> Result<(), (usize, ColliderError)> {
    let numbered = pairs.par_iter().zip(answers.par_iter_mut()).enumerate().with_min_len(SHARE);
    let failures = numbered.map_init(ColliderCache::default, |cache, (index, (pair, answer))| {
        ask(pair, cache, answer).err().map(|error| (index, error))
    });
    let first = in_pool(|| failures.flatten().min_by_key(|(index, _)| *index));
    first.map_or(Ok(()), Err)
}
