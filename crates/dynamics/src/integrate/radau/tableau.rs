//! Coefficients of the collocation method of Radau with three stages and order 5, and its polynomial.
//!
//! Source: the definition (Hairer and Wanner 1996, section IV.5): nodes, then the matrix by integrating Lagrange's polynomials, its inverse, eigenvalues and eigenvectors,
//! computed with 40 digits and rounded once. The tests check them against the nodes.

/// Stages of a step.
pub(super) const STAGES: usize = 3;

/// Where in the step the stages lie: the zeros of `d²/dx² (x² (x - 1)³)`, that is `(4 ∓ √6) / 10` and 1 [-].
pub(super) const NODES: [f64; STAGES] = [0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0];

/// The inverse of the matrix of the method has the real eigenvalue `GAMMA` and the pair `ALPHA ± i BETA`. The first column of `TO_STAGES` is the eigenvector of
/// the real one, the others are real and imaginary part of the one of `ALPHA + i BETA`; each has last entry 1 and is computed with 40 digits.
pub(super) const GAMMA: f64 = 3.637_834_252_744_496;
/// See [`GAMMA`].
pub(super) const ALPHA: f64 = 2.681_082_873_627_752;
/// See [`GAMMA`].
pub(super) const BETA: f64 = 3.050_430_199_247_410_6;
/// See [`GAMMA`].
pub(super) const TO_STAGES: [[f64; STAGES]; STAGES] = [
    [0.094_438_762_488_975_24, -0.141_255_295_020_954_2, 0.030_029_194_105_147_424],
    [0.250_213_122_965_333_3, 0.204_129_352_293_799_93, -0.382_942_112_757_261_9],
    [1.0, 1.0, 0.0],
];

/// The inverse of `TO_STAGES`.
pub(super) const FROM_STAGES: [[f64; STAGES]; STAGES] = [
    [4.178_718_591_551_905, 0.327_682_820_761_062_4, 0.523_376_445_499_449_5],
    [-4.178_718_591_551_905, -0.327_682_820_761_062_4, 0.476_623_554_500_550_45],
    [0.502_872_634_945_786_9, -2.571_926_949_855_605_5, 0.596_039_204_828_224_9],
];

/// How the stages enter the error estimate: the formula of order 3 that uses the first derivative with weight `1 / GAMMA`, less the method.
pub(super) const ERROR: [f64; STAGES] = [-10.048_809_399_827_416, 1.382_142_733_160_749, -1.0 / 3.0];

/// The largest product of distances `|x (x - a) (x - b) (x - 1)|` to start and nodes within the step [-].
pub(super) const BETWEEN: f64 = 0.018_254;

/// The weights of the stages, less the start, in the polynomial through start and stages, at a part of the step [-].
pub(super) fn basis(part: f64) -> [f64; STAGES] {
    let [a, b, c] = NODES;
    [
        part * (part - b) * (part - c) / (a * (a - b) * (a - c)),
        part * (part - a) * (part - c) / (b * (b - a) * (b - c)),
        part * (part - a) * (part - b) / (c * (c - a) * (c - b)),
    ]
}

/// Multiplies three vectors, one after the other in memory, by a matrix.
pub(super) fn transform(matrix: &[[f64; STAGES]; STAGES], from: &[f64], to: &mut [f64]) {
    let n = from.len() / STAGES;
    for (row, weights) in matrix.iter().enumerate() {
        for i in 0..n {
            to[row * n + i] = weights[0] * from[i] + weights[1] * from[n + i] + weights[2] * from[2 * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The inverse of the matrix of the method, from the derivatives of the polynomial: `h f(stage i) = sum_j inverse[i][j] z_j`.
    fn inverse() -> [[f64; STAGES]; STAGES] {
        // The polynomial is a cubic, for which these central differences are exact but for rounding once the cubic part is taken off.
        let slope = |part: f64, j: usize| {
            let d = |h: f64| (basis(part + h)[j] - basis(part - h)[j]) / (2.0 * h);
            (4.0 * d(0.25) - d(0.5)) / 3.0
        };
        NODES.map(|node| [slope(node, 0), slope(node, 1), slope(node, 2)])
    }

    #[test]
    fn the_transformation_makes_the_matrix_one_real_and_one_complex_number() {
        let a = inverse();
        for column in 0..STAGES {
            for row in 0..STAGES {
                // inverse * T = T * blocks.
                let left: f64 = (0..STAGES).map(|k| a[row][k] * TO_STAGES[k][column]).sum();
                let t = TO_STAGES[row];
                let right = [GAMMA * t[0], ALPHA * t[1] - BETA * t[2], BETA * t[1] + ALPHA * t[2]][column];
                assert!((left - right).abs() < 1e-13, "{row} {column}: {left} {right}");
                let unit: f64 = (0..STAGES).map(|k| FROM_STAGES[row][k] * TO_STAGES[k][column]).sum();
                assert!((unit - f64::from(u8::from(row == column))).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn no_point_is_farther_from_all_nodes_than_the_bound_says() {
        let [a, b, c] = NODES;
        let product = |x: f64| (x * (x - a) * (x - b) * (x - c)).abs();
        let largest = (0..=1000).map(|k| product(f64::from(k) / 1000.0)).fold(0.0, f64::max);
        assert!(largest <= BETWEEN && largest > 0.999 * BETWEEN, "{largest}");
    }

    #[test]
    fn the_error_estimate_vanishes_for_cubics() {
        // y = t^p over a step of 1: f(0) + sum ERROR z = 0 for p = 1 to 3, and not for 4.
        for p in 1..=4 {
            let first = if p == 1 { 1.0 } else { 0.0 };
            let sum: f64 = (0..STAGES).map(|k| ERROR[k] * NODES[k].powi(p)).sum();
            assert_eq!((first + sum).abs() < 1e-14, p < 4, "{p}: {}", first + sum);
        }
    }
}
