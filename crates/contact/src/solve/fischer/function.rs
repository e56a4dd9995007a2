//! The function of Fischer 1992: zero exactly where two numbers are complementary.

/// `sqrt(a² + b²) - a - b`, without cancellation.
pub(super) fn fischer(a: f64, b: f64) -> f64 {
    let r = (a * a + b * b).sqrt();
    let sum = a + b;
    if sum > 0.0 { -2.0 * a * b / (r + sum) } else { r - sum }
}

/// Its derivatives; one element of the generalised derivative where there is none.
pub(super) fn slopes(a: f64, b: f64) -> (f64, f64) {
    let r = (a * a + b * b).sqrt();
    if r > 0.0 {
        (a / r - 1.0, b / r - 1.0)
    } else {
        let corner = std::f64::consts::FRAC_1_SQRT_2 - 1.0;
        (corner, corner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_vanishes_where_one_is_zero_and_the_other_is_not_negative() {
        for x in [0.0, 1e-300, 1e-9, 1.0, 1e100] {
            assert!(fischer(x, 0.0).abs() <= 0.0);
            assert!(fischer(0.0, x).abs() <= 0.0);
        }
        // Small beside large keeps its digits: the function is minus the smaller one there.
        assert!((fischer(1.0, 1e-20) / -1e-20 - 1.0).abs() < 1e-15);
        assert!((fischer(3.0, 4.0) + 2.0).abs() < 1e-15 && (fischer(-3.0, -4.0) - 12.0).abs() < 1e-15);
    }

    #[test]
    fn slopes_are_those_of_differences() {
        for (a, b) in [(3.0, 4.0), (-3.0, 4.0), (0.1, -2.0), (-1.0, -1.0)] {
            let h = 1e-6;
            let (by_a, by_b) = slopes(a, b);
            assert!(((fischer(a + h, b) - fischer(a - h, b)) / (2.0 * h) - by_a).abs() < 1e-9);
            assert!(((fischer(a, b + h) - fischer(a, b - h)) / (2.0 * h) - by_b).abs() < 1e-9);
        }
        let (by_a, by_b) = slopes(0.0, 0.0);
        assert!(((by_a + 1.0).powi(2) + (by_b + 1.0).powi(2) - 1.0).abs() < 1e-15);
    }
}
