//! Roots of cubics between 0 and 1, isolated and not sampled.
//!
//! In: coefficients. Out: the roots in rising order. Between the roots of the derivative a cubic rises or falls, so each such piece is
//! bisected at most once.

/// Halvings that bring a piece of [0, 1] down to rounding [-].
const HALVINGS: u32 = 60;

/// Up to three roots.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Roots {
    found: [f64; 3],
    count: usize,
}

impl Roots {
    fn push(&mut self, x: f64) {
        let is_new = self.as_slice().last().is_none_or(|last| *last < x);
        if is_new && self.count < 3 {
            self.found[self.count] = x;
            self.count += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[f64] {
        &self.found[..self.count]
    }
}

/// The roots of `c[0] + c[1] t + c[2] t² + c[3] t³` from 0 to 1, to 1e-16 for simple ones; none for zero. A double root may be two, close to
/// each other, or none: rounding decides.
pub(super) fn roots(c: &[f64; 4]) -> Roots {
    let value = |t: f64| ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
    let mut borders = [0.0, 1.0, 1.0, 1.0];
    let mut count = 1;
    for turn in quadratic(c[1], 2.0 * c[2], 3.0 * c[3]) {
        if turn > borders[count - 1] && turn < 1.0 {
            borders[count] = turn;
            count += 1;
        }
    }
    borders[count] = 1.0;
    let mut found = Roots::default();
    for piece in borders[..=count].windows(2) {
        let (mut low, mut high) = (piece[0], piece[1]);
        let (at_low, at_high) = (value(low), value(high));
        if at_low == 0.0 {
            found.push(low);
        }
        if at_low * at_high < 0.0 {
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if (value(middle) > 0.0) == (at_low > 0.0) { low = middle } else { high = middle }
            }
            found.push(0.5 * (low + high));
        }
        if at_high == 0.0 && at_low != 0.0 {
            found.push(high);
        }
    }
    found
}

/// The real roots of `a + b t + c t²` in rising order; NaN where there are none.
fn quadratic(a: f64, b: f64, c: f64) -> [f64; 2] {
    let root = (b * b - 4.0 * a * c).sqrt();
    // The root of the larger numerator first: the other one then cancels no digits.
    let q = -0.5 * (b + root.copysign(b));
    let (first, second) = (q / c, a / q);
    if first <= second { [first, second] } else { [second, first] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubics_have_the_roots_that_they_were_made_of() {
        for (a, b, c) in [(0.1, 0.5, 0.9), (0.0, 0.25, 1.0), (-1.0, 0.3, 2.0), (0.4, 0.4001, 7.0)] {
            let made = [-a * b * c, a * b + b * c + c * a, -(a + b + c), 1.0];
            let inside: Vec<f64> = [a, b, c].into_iter().filter(|x| (0.0..=1.0).contains(x)).collect();
            let found = roots(&made);
            assert_eq!(found.as_slice().len(), inside.len(), "{found:?}");
            for (x, y) in found.as_slice().iter().zip(&inside) {
                assert!((x - y).abs() < 1e-11, "{x} {y}");
            }
        }
        assert!(roots(&[0.0; 4]).as_slice().len() <= 1);
        assert_eq!(roots(&[-1.0, 2.0, 0.0, 0.0]).as_slice(), [0.5]);
        assert!(roots(&[1.0, 0.0, 1.0, 0.0]).as_slice().is_empty());
    }
}
