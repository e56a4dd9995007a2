//! The manifolds of many pairs at once, on all cores.

use rayon::iter::{
    IndexedParallelIterator, IntoParallelRefIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use zerogap_core::Manifold;

use super::super::many::{PairQuery, SHARE};
use super::{ContactParams, contacts_into};
use zerogap_core::threads::in_pool;

/// The manifolds of many pairs, in their order; where the slices differ in length, the shorter one counts.
///
/// Each answer has the bits of [`super::contacts`] for that pair alone, for any number of threads. Manifolds keep their memory: nothing is allocated
/// per pair once they have reached their largest number of contacts.
pub fn contacts_many(queries: &[PairQuery<'_>], params: &ContactParams, answers: &mut [Manifold]) {
    let pairs = queries.par_iter().zip(answers.par_iter_mut()).with_min_len(SHARE);
    in_pool(|| {
        pairs.for_each(|(query, answer)| {
            contacts_into(query.a, &query.pose_a, query.b, &query.pose_b, params, answer);
        });
    });
}
