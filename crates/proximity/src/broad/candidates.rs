//! The pairs whose fat boxes overlap, from step to step, and those of them whose own boxes do.
//!
//! In: what a method reports, and which slots changed. Out: sorted pairs. The order never depends on the method or on threads.

use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use zerogap_core::Aabb;

use super::backend::{PairKey, slots};
use zerogap_core::threads::in_pool;

/// Pairs that one thread checks at a time [-]: some 50 µs of work.
const CHUNK: usize = 8192;

/// Sorted pairs and the memory to renew them.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    keys: Vec<PairKey>,
    spare: Vec<PairKey>,
}

impl Candidates {
    /// All candidates, sorted.
    #[cfg(test)]
    pub(super) fn keys(&self) -> &[PairKey] {
        &self.keys
    }

    /// Takes over pairs as found, in any order and with repetitions; forgets all others.
    pub(super) fn replace(&mut self, found: &mut Vec<PairKey>) {
        sort_unique(found);
        std::mem::swap(&mut self.keys, found);
    }

    /// Drops pairs that do not stay, and takes in pairs as found, in any order and with repetitions.
    pub(super) fn renew(&mut self, found: &mut Vec<PairKey>, stays: impl Fn(PairKey) -> bool) {
        sort_unique(found);
        self.spare.clear();
        let mut new = found.iter().copied().peekable();
        for &key in self.keys.iter().filter(|key| stays(**key)) {
            while let Some(&before) = new.peek().filter(|other| **other <= key) {
                if before < key {
                    self.spare.push(before);
                }
                new.next();
            }
            self.spare.push(key);
        }
        self.spare.extend(new);
        std::mem::swap(&mut self.keys, &mut self.spare);
    }

    /// The candidates whose own boxes intersect, sorted, on all cores where there are many.
    pub(super) fn overlapping(&self, boxes: &[Aabb], pairs: &mut Vec<PairKey>) {
        pairs.clear();
        let overlaps = |key: &&PairKey| {
            let (p, q) = slots(**key);
            boxes[p as usize].overlaps(&boxes[q as usize])
        };
        if self.keys.len() <= 2 * CHUNK {
            pairs.extend(self.keys.iter().filter(overlaps));
            return;
        }
        let chunks = self.keys.par_chunks(CHUNK);
        let parts: Vec<Vec<PairKey>> =
            in_pool(|| chunks.map(|chunk| chunk.iter().filter(overlaps).copied().collect()).collect());
        for part in &parts {
            pairs.extend_from_slice(part);
        }
    }

    /// Returns the memory in use [B].
    pub(super) fn memory(&self) -> usize {
        (self.keys.capacity() + self.spare.capacity()) * size_of::<PairKey>()
    }
}

fn sort_unique(keys: &mut Vec<PairKey>) {
    keys.sort_unstable();
    keys.dedup();
}

/// The symmetric differences of two sorted lists.
pub(super) fn differences(
    before: &[PairKey],
    now: &[PairKey],
    began: &mut Vec<PairKey>,
    ended: &mut Vec<PairKey>,
) {
    began.clear();
    ended.clear();
    let (mut i, mut j) = (0, 0);
    while i < before.len() && j < now.len() {
        match before[i].cmp(&now[j]) {
            std::cmp::Ordering::Less => {
                ended.push(before[i]);
                i += 1;
            }
            std::cmp::Ordering::Greater => {
                began.push(now[j]);
                j += 1;
            }
            std::cmp::Ordering::Equal => (i, j) = (i + 1, j + 1),
        }
    }
    ended.extend_from_slice(&before[i..]);
    began.extend_from_slice(&now[j..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renewed_candidates_are_sorted_and_single() {
        let mut candidates = Candidates::default();
        candidates.replace(&mut vec![5, 3, 3, 9, 1]);
        assert_eq!(candidates.keys(), [1, 3, 5, 9]);
        candidates.renew(&mut vec![4, 9, 12, 4, 0], |key| key != 3);
        assert_eq!(candidates.keys(), [0, 1, 4, 5, 9, 12]);
        candidates.renew(&mut vec![], |_| false);
        assert!(candidates.keys().is_empty());
    }

    #[test]
    fn differences_are_told_both_ways() {
        let (mut began, mut ended) = (vec![7], vec![7]);
        differences(&[1, 3, 5], &[0, 3, 6, 8], &mut began, &mut ended);
        assert_eq!((began, ended), (vec![0, 6, 8], vec![1, 5]));
    }
}
