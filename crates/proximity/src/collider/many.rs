//! Many pairs at once, on all cores.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use zerogap_core::Gap;
use zerogap_core::threads::in_pool;

use super::answer::{contacts_into, gap};
use super::cache::ColliderCache;
use super::contacts::ContactSet;
use super::error::ColliderError;
use super::pair::ColliderPair;
use crate::convex::{ContactParams, DistanceParams};

/// Pairs that one thread takes at a time, at least [-]: some 50 µs of work, against which handing it out costs nothing.
pub const SHARE: usize = 128;

/// Computes the gaps of many pairs, in their order; where the slices differ in length, the shorter one counts.
///
/// Each answer has the bits of [`gap()`] for that pair alone, for any number of threads. Threads are rayon's; run inside a pool of one's own to choose how many. Nothing is
/// allocated per pair once each thread has answered the largest one.
/// Fails: as [`gap()`], with the index of the first pair that fails; the answers of the others are written.
pub fn distance_many(
    pairs: &[ColliderPair<'_>],
    params: &DistanceParams,
    answers: &mut [Gap],
) -> Result<(), (usize, ColliderError)> {
    let count = pairs.len().min(answers.len());
    each_pair(
        |index| pairs[index],
        &mut answers[..count],
        |pair, cache, answer| {
            *answer = gap(pair, params, cache)?;
            Ok(())
        },
    )
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
    let count = pairs.len().min(answers.len());
    each_pair(
        |index| pairs[index],
        &mut answers[..count],
        |pair, cache, set| contacts_into(pair, params, cache, set),
    )
}

/// Asks a question of each pair, on all cores; each pair is constructed on demand.
///
/// Each answer overwrites the previous one in its place, reusing its memory, and depends on its pair alone. Fails: with the first pair that has no answer; the others are answered all the same.
pub fn each_pair<'a, T: Send>(
    pair: impl Fn(usize) -> ColliderPair<'a> + Sync,
    answers: &mut [T],
    ask: impl Fn(&ColliderPair<'a>, &mut ColliderCache, &mut T) -> Result<(), ColliderError> + Sync,
) -> Result<(), (usize, ColliderError)> {
    // Memory alone: it changes no answer, whatever pairs a thread was given before.
    let answer_one = |cache: &mut ColliderCache, (index, answer): (usize, &mut T)| {
        ask(&pair(index), cache, answer).err().map(|error| (index, error))
    };
    let answered =
        answers.par_iter_mut().enumerate().with_min_len(SHARE).map_init(ColliderCache::default, answer_one);
    let first = in_pool(|| answered.flatten().min_by_key(|(index, _)| *index));
    first.map_or(Ok(()), Err)
}
