//! Counts what the checks found. The sum does not depend on the order of the queries, nor on the number of threads.

use std::collections::BTreeMap;
use std::time::Duration;

use super::check::{Failure, Outcome};

/// A worst value and the query that gave it, the earliest of equals.
#[derive(Debug, Clone, Copy, Default)]
pub struct Worst {
    value: f64,
    index: u64,
}

impl Worst {
    fn see(&mut self, value: f64, index: u64) {
        #[expect(clippy::float_cmp, reason = "equal values are distinguished by their index")]
        if value > self.value || (value == self.value && index < self.index) {
            *self = Self { value, index };
        }
    }

    fn merge(&mut self, other: &Self) {
        self.see(other.value, other.index);
    }
}

/// Counts for one class of pairs.
#[derive(Debug, Default, Clone)]
pub struct Class {
    queries: u64,
    /// How often each promise was broken, and by which query first.
    failures: BTreeMap<Failure, (u64, u64)>,
    width: Worst,
    swap: Worst,
    slowest: Worst,
    time: Duration,
}

impl Class {
    fn add(&mut self, index: u64, outcome: &Outcome) {
        self.queries += 1;
        for failure in &outcome.failures {
            let (count, first) = self.failures.entry(*failure).or_insert((0, index));
            *count += 1;
            *first = index.min(*first);
        }
        self.width.see(outcome.width, index);
        self.swap.see(outcome.swap_difference, index);
        self.slowest.see(outcome.time.as_secs_f64(), index);
        self.time += outcome.time;
    }

    fn merge(&mut self, other: &Self) {
        self.queries += other.queries;
        for (failure, (count, first)) in &other.failures {
            let (sum, earliest) = self.failures.entry(*failure).or_insert((0, *first));
            *sum += count;
            *earliest = (*first).min(*earliest);
        }
        self.width.merge(&other.width);
        self.swap.merge(&other.swap);
        self.slowest.merge(&other.slowest);
        self.time += other.time;
    }

    fn print(&self, name: &str) {
        let mean = 1e9 * self.time.as_secs_f64() / (self.queries.max(1) as f64);
        println!("{name}: {} queries, {mean:.0} ns each", self.queries);
        println!(
            "  widest certificate     {:9.2e} of the extent  (query {})",
            self.width.value, self.width.index
        );
        println!(
            "  largest swap difference{:9.2e} of the extent  (query {})",
            self.swap.value, self.swap.index
        );
        println!(
            "  slowest                {:9.2e} s              (query {})",
            self.slowest.value, self.slowest.index
        );
        for (failure, (count, first)) in &self.failures {
            println!("  FAILED {failure:?}: {count}, first by query {first}");
        }
    }
}

/// Counts for polytopes and for pairs with a curved shape.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    polytope: Class,
    curved: Class,
}

impl Tally {
    /// Counts one outcome.
    pub fn add(&mut self, index: u64, is_polytope: bool, outcome: &Outcome) {
        let class = if is_polytope { &mut self.polytope } else { &mut self.curved };
        class.add(index, outcome);
    }

    /// Adds the counts of another thread.
    pub fn merge(&mut self, other: &Self) {
        self.polytope.merge(&other.polytope);
        self.curved.merge(&other.curved);
    }

    /// Whether every promise was kept.
    pub fn is_clean(&self) -> bool {
        self.polytope.failures.is_empty() && self.curved.failures.is_empty()
    }

    /// Prints all counts.
    pub fn print(&self) {
        self.polytope.print("polytope");
        self.curved.print("curved");
    }
}
