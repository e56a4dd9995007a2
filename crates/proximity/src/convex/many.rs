//! Many pairs at once, on all cores.

use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use zerogap_core::{Gap, Pose};
use zerogap_geometry::ConvexShape;

use super::query::{DistanceParams, search};
use zerogap_core::threads::in_pool;

/// Pairs that one thread takes at a time, at least [-]: some 50 µs of work, against which handing it out costs nothing.
pub const SHARE: usize = 128;

/// Two placed shapes.
#[derive(Debug, Clone, Copy)]
pub struct PairQuery<'a> {
    /// Shape A.
    pub a: &'a ConvexShape,
    /// Pose of A.
    pub pose_a: Pose,
    /// Shape B.
    pub b: &'a ConvexShape,
    /// Pose of B.
    pub pose_b: Pose,
}

/// The gaps of many pairs, in their order; where the slices differ in length, the shorter one counts.
///
/// Each answer has the bits of [`super::distance_with`] for that pair alone, for any number of threads. Threads are rayon's; run inside
/// a pool of one's own to choose how many. Nothing is allocated per pair once each thread has processed the largest overlap.
pub fn distance_many(queries: &[PairQuery<'_>], params: &DistanceParams, answers: &mut [Gap]) {
    let count = queries.len().min(answers.len());
    let pairs = answers.par_iter_mut().zip((0..count).into_par_iter()).with_min_len(SHARE);
    in_pool(|| {
        pairs.for_each(|(answer, index)| {
            let PairQuery { a, pose_a, b, pose_b } = &queries[index];
            *answer = search(a, pose_a, b, pose_b, params);
        });
    });
}
