//! The threads that parallel work runs on: rayon's, also in a forked process.
//!
//! A forked process has the memory of its parent and none of its threads, so rayon's global pool would wait for ever there. Every parallel
//! loop of zerogap therefore starts in [`in_pool`], which gives a forked process a pool of its own; one that is forked on a thread of a pool, as inside of a parallel loop, works on with that
//! thread alone. Answers do not depend on the pool: they
//! have the same bits for any number of threads.

use std::sync::OnceLock;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The pool of one process, and those of the processes forked from it.
struct ProcessPool {
    /// Id of the process.
    process: u32,
    /// None for rayon's global pool, which belongs to the process that used it first.
    pool: Option<ThreadPool>,
    /// The pool of the process below. A list instead of a lock around one pool: a lock that another thread held at the fork would never open.
    forked: OnceLock<Box<ProcessPool>>,
}

/// The pools from the first process of a line of forks down to this one.
static POOLS: OnceLock<Box<ProcessPool>> = OnceLock::new();

/// Runs parallel work on a pool whose threads live in this process.
///
/// On a thread of a pool the work runs on that pool, so a caller chooses the number of threads by `pool.install(...)`. Elsewhere it runs on
/// rayon's global pool or, in a process forked after that one was used, on a pool that is built once and has as many threads.
///
/// # Panics
/// Where the system refuses to start threads, as rayon's global pool does.
pub fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match pool_of_this_process() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// Returns how many threads [`in_pool`] shares work among [-].
pub fn thread_count() -> usize {
    pool_of_this_process().map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads)
}

/// The pool to install work on; None where rayon's own choice is right.
fn pool_of_this_process() -> Option<&'static ThreadPool> {
    // A thread of a pool has its pool. In a process that was forked on such a thread that pool has lost all others: joins then find their second half where they left it, and the work is done by
    // this thread alone.
    if rayon::current_thread_index().is_some() {
        return None;
    }
    let process = std::process::id();
    let mut place = &POOLS;
    loop {
        match place.get() {
            Some(known) if known.process == process => return known.pool.as_ref(),
            Some(ancestor) => place = &ancestor.forked,
            None => {
                let is_first = std::ptr::eq(place, &raw const POOLS);
                let pool = (!is_first).then(|| {
                    ThreadPoolBuilder::new().build().expect("the system starts threads in a forked process")
                });
                // Where another thread of this process was quicker, its pool is taken in the next round and this one ends.
                let _ = place.set(Box::new(ProcessPool { process, pool, forked: OnceLock::new() }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_inside_a_pool_stays_on_that_pool() {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(pool.install(thread_count), 3);
        assert_eq!(pool.install(|| in_pool(rayon::current_num_threads)), 3);
        assert_eq!(in_pool(rayon::current_num_threads), thread_count());
    }
}
