//! Smallest, largest, mean and spread of a sequence of numbers, taken one by one.

/// Running statistics. They depend on the order of the numbers to rounding, so it must be fixed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Statistics {
    /// How many [-].
    pub(super) count: usize,
    /// The smallest; infinity of none.
    pub(super) min: f64,
    /// The largest; minus infinity of none.
    pub(super) max: f64,
    /// The mean; 0 of none.
    pub(super) mean: f64,
    /// Sum of the squared differences from the mean.
    squares: f64,
}

impl Statistics {
    /// Of no numbers.
    pub(super) fn new() -> Self {
        Self { count: 0, min: f64::INFINITY, max: f64::NEG_INFINITY, mean: 0.0, squares: 0.0 }
    }

    /// Takes one more; Welford's recurrence (1962) keeps the digits that a sum of squares would lose.
    pub(super) fn push(&mut self, x: f64) {
        self.count += 1;
        self.min = self.min.min(x);
        self.max = self.max.max(x);
        let before = x - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (x - self.mean);
    }

    /// Standard deviation of the numbers as they are; 0 of none.
    pub(super) fn deviation(&self) -> f64 {
        (self.squares / self.count.max(1) as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_far_from_zero_keep_their_spread() {
        let mut statistics = Statistics::new();
        for x in [4.0, 7.0, 13.0, 16.0] {
            statistics.push(1e9 + x);
        }
        let Statistics { count, min, max, mean, .. } = statistics;
        assert_eq!((count, min, max, mean), (4, 1e9 + 4.0, 1e9 + 16.0, 1e9 + 10.0));
        assert!((statistics.deviation() - 22.5_f64.sqrt()).abs() < 1e-9);
        assert_eq!(Statistics::new().deviation().to_bits(), 0);
    }
}
