//! Which pairs get one of a fixed number of zero-crossing functions.
//!
//! In: the gaps of all candidate pairs, in any order. Out: the `n_z` pairs with the smallest gaps, ordered by gap and then by pair, so that two pairs with
//! equal gaps (identical parts that fall side by side) both have a place and the order never depends on how they were found.

use zerogap_core::store::{Reader, Store, StoreError, Writer};

/// A fixed number of places for the pairs with the smallest gaps.
///
/// Method: Neumayr and Otter 2017, section 5. Differs from it: pairs are ordered by gap and name, not by gap alone; and a number of places that
/// is too small is reported by [`Places::grow`], not an error.
/// Cost: O(n log m) for n candidates and m places; no memory beyond the places.
#[derive(Debug, Clone)]
pub struct Places<K> {
    places: usize,
    /// Sorted by gap, then name.
    chosen: Vec<(f64, K)>,
}

impl<K: Store> Store for Places<K> {
    fn put(&self, out: &mut Writer) {
        let Self { places, chosen } = self;
        places.put(out);
        chosen.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, StoreError> {
        Ok(Self { places: Store::take(from)?, chosen: Store::take(from)? })
    }
}

impl<K: Copy + Ord> Places<K> {
    /// So many places, at least one.
    pub fn new(places: usize) -> Self {
        Self { places: places.max(1), chosen: Vec::new() }
    }

    /// How many places there are [-].
    pub fn len(&self) -> usize {
        self.places
    }

    /// Never: there is always a place.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Takes everyone out.
    pub fn clear(&mut self) {
        self.chosen.clear();
    }

    /// Offers a pair with its gap [m]; it gets a place while there is one, or that of the pair with the largest gap.
    pub fn offer(&mut self, gap: f64, pair: K) {
        let precedes = |a: &(f64, K)| a.0.total_cmp(&gap).then(a.1.cmp(&pair)).is_lt();
        let at = self.chosen.partition_point(precedes);
        if at < self.places {
            if self.chosen.len() == self.places {
                self.chosen.pop();
            }
            self.chosen.insert(at, (gap, pair));
        }
    }

    /// Returns the gap beyond which no pair gets a place [m]: the largest of those that have one where all places are taken, else infinity.
    pub fn limit(&self) -> f64 {
        let is_full = self.chosen.len() == self.places;
        self.chosen.last().filter(|_| is_full).map_or(f64::INFINITY, |(gap, _)| *gap)
    }

    /// The pairs that have a place, by gap and then by name.
    pub fn chosen(&self) -> impl ExactSizeIterator<Item = K> + '_ {
        self.chosen.iter().map(|(_, pair)| *pair)
    }

    /// Whether a pair has a place.
    pub fn holds(&self, pair: K) -> bool {
        self.chosen.iter().any(|(_, other)| *other == pair)
    }

    /// More places: twice as many, or as many as are needed.
    pub fn grow(&mut self, needed: usize) {
        self.places = (2 * self.places).max(needed);
    }
}

#[cfg(test)]
mod tests {
    use zerogap_testkit::random::Random;

    use super::*;

    #[test]
    fn the_smallest_gaps_have_the_places_whatever_the_order_of_offers() {
        let mut random = Random::new(7);
        for round in 0..200 {
            // Few different gaps, so that many are equal.
            let mut all: Vec<(f64, u32)> =
                (0..40).map(|pair| (f64::from((random.unit() * 8.0) as u32) - 2.0, pair)).collect();
            let mut places = Places::new(1 + round % 45);
            let mut sorted = all.clone();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            sorted.truncate(places.len());
            for k in (1..all.len()).rev() {
                all.swap(k, (random.unit() * (k + 1) as f64) as usize);
            }
            for (gap, pair) in all {
                places.offer(gap, pair);
            }
            let expected: Vec<u32> = sorted.iter().map(|(_, pair)| *pair).collect();
            assert_eq!(places.chosen().collect::<Vec<_>>(), expected);
            assert!(expected.iter().all(|pair| places.holds(*pair)));
        }
    }

    #[test]
    fn two_pairs_with_the_same_gap_both_have_a_place() {
        let mut places = Places::new(2);
        places.offer(0.25, 'b');
        places.offer(0.25, 'a');
        assert_eq!(places.chosen().collect::<String>(), "ab");
    }
}
