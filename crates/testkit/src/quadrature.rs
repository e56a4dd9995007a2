//! Gauss-Legendre quadrature of any order, for integrals that a test checks a closed form against.

use zerogap_core::Vec3;
use zerogap_core::math::{cos, sin_cos};

/// Nodes and weights on -1 to 1, exact for polynomials of degree `2 n - 1`.
pub fn gauss_legendre(n: usize) -> Vec<(f64, f64)> {
    let node = |k: usize| {
        // Newton on the Legendre polynomial from Tricomi's estimate of its root.
        let mut x = cos(std::f64::consts::PI * (k as f64 + 0.75) / (n as f64 + 0.5));
        let mut slope = 1.0;
        for _ in 0..20 {
            let (mut before, mut here) = (1.0, x);
            for m in 2..=n {
                let m = m as f64;
                (before, here) = (here, ((2.0 * m - 1.0) * x * here - (m - 1.0) * before) / m);
            }
            slope = n as f64 * (x * here - before) / (x * x - 1.0);
            x -= here / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    };
    if n == 1 { vec![(0.0, 2.0)] } else { (0..n).map(node).collect() }
}

/// Integral of `f` from `a` to `b` with `n` nodes.
pub fn integrate(a: f64, b: f64, n: usize, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    gauss_legendre(n).iter().map(|(x, w)| w * half * f(middle + half * x)).sum()
}

/// Visits unit directions with weights that add up to 4π: Gauss in the height, equal steps round the axis.
pub fn over_sphere(heights: usize, azimuths: usize, mut visit: impl FnMut(Vec3, f64)) {
    for (z, w) in gauss_legendre(heights) {
        let rim = (1.0 - z * z).sqrt();
        for k in 0..azimuths {
            let (s, c) = sin_cos(std::f64::consts::TAU * (k as f64 + 0.5) / azimuths as f64);
            visit(Vec3::new(rim * c, rim * s, z), w * std::f64::consts::TAU / azimuths as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_up_to_twice_the_order_are_exact() {
        for n in 1..12_usize {
            let degree = i32::try_from(2 * n - 2).unwrap();
            let found = integrate(-1.0, 1.0, n, |x| x.powi(degree));
            assert!((found - 2.0 / f64::from(degree + 1)).abs() < 1e-14, "{n}: {found}");
        }
    }

    #[test]
    fn the_sphere_has_the_area_four_pi() {
        let mut area = 0.0;
        let mut squares = 0.0;
        over_sphere(8, 16, |u, w| {
            area += w;
            squares += w * u.x * u.x;
        });
        assert!((area - 4.0 * std::f64::consts::PI).abs() < 1e-13);
        assert!((squares - 4.0 / 3.0 * std::f64::consts::PI).abs() < 1e-13);
    }
}
