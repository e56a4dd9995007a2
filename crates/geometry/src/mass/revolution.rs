//! Integrals over solids of revolution about z, from their profile of straight lines and circular arcs.

use std::f64::consts::{FRAC_PI_2, PI};

use zerogap_core::math::{atan2, sin_cos};
use zerogap_core::{Mat3, Vec3};

use super::Moments;

/// Integrals along a profile ρ(z) that runs upward from axis to axis: ∫ρ² dz, ∫ρ² z dz, ∫ρ² z² dz and ∫ρ⁴ dz.
#[derive(Debug, Clone, Copy, Default)]
struct Profile {
    area: f64,
    area_z: f64,
    area_zz: f64,
    quartic: f64,
}

impl Profile {
    /// A straight piece from (ρ0, z0) to (ρ1, z1).
    fn line(&mut self, (rho0, z0): (f64, f64), (rho1, z1): (f64, f64)) {
        // Three Gauss points are exact for polynomials of degree 5; these have degree 4.
        let far = (3.0_f64 / 5.0).sqrt();
        for (x, weight) in [(-far, 5.0 / 18.0), (0.0, 8.0 / 18.0), (far, 5.0 / 18.0)] {
            let t = 0.5 * (1.0 + x);
            let (rho, z) = (rho0 + (rho1 - rho0) * t, z0 + (z1 - z0) * t);
            self.add(weight * (z1 - z0), rho, z);
        }
    }

    fn add(&mut self, dz: f64, rho: f64, z: f64) {
        let square = rho * rho;
        self.area += dz * square;
        self.area_z += dz * square * z;
        self.area_zz += dz * square * z * z;
        self.quartic += dz * square * square;
    }

    /// An arc of radius r about (ρc, zc), with the outward normal (cos φ, sin φ) turning from φ0 up to φ1.
    fn arc(&mut self, (rho, z): (f64, f64), r: f64, from: f64, to: f64) {
        // c(m, n) = ∫ cosᵐ sinⁿ dφ, with one cosine from dz = r cos φ dφ.
        let cosines = cosine_powers(from, to);
        let even = |m: usize| cosines[m];
        let odd = {
            let ((_, c0), (_, c1)) = (sin_cos(from), sin_cos(to));
            move |m: usize| {
                let power = |c: f64| (0..=m).fold(1.0, |product, _| product * c);
                (power(c0) - power(c1)) / (m + 1) as f64
            }
        };
        let squared = |m: usize| cosines[m] - cosines[m + 2];
        // ∫ (ρ + r cos)² f r cos dφ for f = 1, sin, sin².
        let with = |f: &dyn Fn(usize) -> f64| r * (rho * rho * f(1) + 2.0 * rho * r * f(2) + r * r * f(3));
        let (one, sine, sine2) = (with(&even), with(&odd), with(&squared));
        self.area += one;
        self.area_z += z * one + r * sine;
        self.area_zz += z * z * one + 2.0 * z * r * sine + r * r * sine2;
        let powers =
            [rho.powi(4), 4.0 * rho.powi(3) * r, 6.0 * rho * rho * r * r, 4.0 * rho * r.powi(3), r.powi(4)];
        self.quartic += r * powers.iter().enumerate().map(|(k, p)| p * even(k + 1)).sum::<f64>();
    }

    fn moments(&self) -> Moments {
        let across = 0.25 * PI * self.quartic;
        Moments {
            measure: PI * self.area,
            first: Vec3::new(0.0, 0.0, PI * self.area_z),
            second: Mat3::from_diagonal(&Vec3::new(across, across, PI * self.area_zz)),
        }
    }
}

/// ∫ cosᵐ φ dφ for m = 0 to 5.
fn cosine_powers(from: f64, to: f64) -> [f64; 6] {
    let ((s0, c0), (s1, c1)) = (sin_cos(from), sin_cos(to));
    let mut powers = [to - from, s1 - s0, 0.0, 0.0, 0.0, 0.0];
    for m in 2..6_i32 {
        let ends = c1.powi(m - 1) * s1 - c0.powi(m - 1) * s0;
        powers[m as usize] = (ends + f64::from(m - 1) * powers[m as usize - 2]) / f64::from(m);
    }
    powers
}

/// Volume integrals of all points within `radius` [m] of a frustum along z, about its mid-length.
///
/// With a length of 0 and no radii it is a ball, with a length alone a capsule, with a radius of 0 the frustum itself.
/// Tolerance: relative to measure and measure·size²: 1e-12 for plain solids, 1e-11 for rounded frustums, which is what the oracles of the
/// tests give; a disc's and a needle's small moments keep their
/// digits, because nothing but positive parts is added.
pub fn rounded_frustum(radius0: f64, radius1: f64, length: f64, radius: f64) -> Moments {
    let h = 0.5 * length;
    let mut profile = Profile::default();
    // The outward normal of the side leans by this angle against the plane z = 0; a point-like core has no side.
    let lean = if length > 0.0 { atan2(radius0 - radius1, length) } else { 0.0 };
    let (sin, cos) = sin_cos(lean);
    profile.arc((radius0, -h), radius, -FRAC_PI_2, lean);
    profile.line((radius0 + radius * cos, -h + radius * sin), (radius1 + radius * cos, h + radius * sin));
    profile.arc((radius1, h), radius, lean, FRAC_PI_2);
    profile.moments()
}

/// Volume integrals of all points within `radius` [m] of a segment with the extent `e` [m], about its middle.
pub fn capsule_along(e: &Vec3, radius: f64) -> Moments {
    let length = e.norm();
    let upright = rounded_frustum(0.0, 0.0, length, radius);
    let axis = e.try_normalize(0.0).unwrap_or_else(Vec3::z);
    let (across, along) = (upright.second[(0, 0)], upright.second[(2, 2)]);
    let second = Mat3::identity() * across + axis * axis.transpose() * (along - across);
    Moments { measure: upright.measure, first: Vec3::zeros(), second }
}
