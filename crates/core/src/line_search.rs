//! Backtracking line search: how far to go along the step of a Newton method.
//!
//! In: a merit function along the step, and what counts as a decrease. Out: the fraction of the step to take. Called by every Newton method of the workspace.

/// Which fractions of a step are tried: 1, `shortening`, `shortening`^2 and so on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineSearch {
    /// Fraction of the step that is tried first [-].
    pub first: f64,
    /// Ratio of each fraction to the one before [-].
    pub shortening: f64,
    /// Number of fractions that are tried [-].
    pub max_trials: usize,
}

/// Outcome of a line search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineSearchResult {
    /// The fraction accepted, else the one of least merit; the first where no merit was finite [-].
    pub fraction: f64,
    /// Merit there.
    pub merit: f64,
    /// Whether the fraction was accepted.
    pub is_accepted: bool,
    /// Whether it was tried last, so that whatever the merit function leaves behind belongs to it.
    pub is_last: bool,
    /// Fractions that were tried and not accepted [-].
    pub backtracks: usize,
}

impl LineSearch {
    /// Halves the step up to `max_trials - 1` times.
    pub const fn halving(max_trials: usize) -> Self {
        Self { first: 1.0, shortening: 0.5, max_trials }
    }

    /// Searches for the longest fraction that is accepted.
    ///
    /// Computes: the first fraction for which `accepts(fraction, merit(fraction))`; where there is none, the one of least merit among those tried.
    /// Cost: one evaluation of the merit for each trial, in the order of the fractions; nothing is evaluated twice.
    pub fn search(
        &self,
        mut merit: impl FnMut(f64) -> f64,
        accepts: impl Fn(f64, f64) -> bool,
    ) -> LineSearchResult {
        let mut best = LineSearchResult {
            fraction: self.first,
            merit: f64::INFINITY,
            is_accepted: false,
            is_last: self.max_trials <= 1,
            backtracks: self.max_trials,
        };
        let mut fraction = self.first;
        for trial in 0..self.max_trials {
            let value = merit(fraction);
            let is_accepted = accepts(fraction, value);
            let is_last = is_accepted || trial + 1 == self.max_trials;
            if is_accepted {
                return LineSearchResult { fraction, merit: value, is_accepted, is_last, backtracks: trial };
            }
            if value < best.merit {
                best = LineSearchResult { fraction, merit: value, is_last, ..best };
            }
            fraction *= self.shortening;
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::LineSearch;

    #[test]
    fn the_first_fraction_with_enough_decrease_is_taken() {
        let mut tried = Vec::new();
        let found = LineSearch::halving(10).search(
            |fraction| {
                tried.push(fraction);
                (fraction - 0.2).powi(2)
            },
            |fraction, merit| merit < 0.04 - 0.1 * fraction,
        );
        assert_eq!(tried, [1.0, 0.5, 0.25]);
        assert!(
            found.is_accepted
                && found.is_last
                && found.fraction.total_cmp(&0.25).is_eq()
                && found.backtracks == 2
        );
    }

    #[test]
    fn without_a_decrease_the_best_fraction_is_returned() {
        let search = LineSearch { first: 1.0, shortening: 0.4, max_trials: 4 };
        let found = search.search(|fraction| (fraction - 0.4).abs(), |_, _| false);
        assert!(
            !found.is_accepted
                && !found.is_last
                && found.fraction.total_cmp(&0.4).is_eq()
                && found.backtracks == 4
        );
        let nothing = search.search(|_| f64::NAN, |_, merit| merit < 1.0);
        assert!(
            !nothing.is_accepted && nothing.fraction.total_cmp(&1.0).is_eq() && nothing.merit.is_infinite()
        );
    }
}
