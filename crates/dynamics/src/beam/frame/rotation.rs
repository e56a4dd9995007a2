//! Rotations between the two ends of an element, and how they vary.
//!
//! In: rotations as unit quaternions. Out: rotation vectors, the rotation half-way, and the matrices between spins and changes of the rotation vector. With `ψ` the rotation vector from end 1 to end 2,
//! in the axes half-way, and `Δ = δθ2 - δθ1` in the same axes:
//!
//! - `δψ = S Δ`, with `S = f I + h ψ ψᵀ`, symmetric, `f = (θ/2) / sin(θ/2)`, `h = (1 - f) / θ²`;
//! - the axes half-way rotate by `δθ_m = (δθ1 + δθ2) / 2 - c ψ × Δ`, with `c = tan(θ/4) / (2 θ)`.

use zerogap_core::math::{sin_cos, tan};
use zerogap_core::nalgebra::{Quaternion, UnitQuaternion};
use zerogap_core::{Mat3, Vec3};

/// Squared angle below which the functions are summed as series [rad²]: their first missing term is 1e-14 of the value there.
const SMALL: f64 = 1e-2;

/// The matrix of `v ×`.
pub(super) fn cross(v: &Vec3) -> Mat3 {
    Mat3::new(0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0)
}

/// The rotation by a rotation vector [rad].
pub(super) fn exp(v: &Vec3) -> UnitQuaternion<f64> {
    let squared = v.norm_squared();
    let (w, factor) = if squared < SMALL * SMALL {
        (1.0 - squared / 8.0 + squared * squared / 384.0, 0.5 - squared / 48.0 + squared * squared / 3840.0)
    } else {
        let angle = squared.sqrt();
        let (s, c) = sin_cos(0.5 * angle);
        (c, s / angle)
    };
    UnitQuaternion::from_quaternion(Quaternion::from_parts(w, v * factor))
}

/// The inverse of the derivative of [`exp`]: the change of a rotation vector from a spin on its left.
pub(super) fn inverse_tangent(v: &Vec3) -> Mat3 {
    let squared = v.norm_squared();
    let factor = if squared < SMALL {
        1.0 / 12.0 + squared / 720.0 + squared * squared / 30240.0
    } else {
        let half = 0.5 * squared.sqrt();
        (1.0 - half / tan(half)) / squared
    };
    let cross = cross(v);
    Mat3::identity() - 0.5 * cross + factor * cross * cross
}

/// The rotation half-way to `relative`, on the shorter side.
pub(super) fn half(relative: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let sign = if relative.w < 0.0 { -1.0 } else { 1.0 };
    UnitQuaternion::from_quaternion(Quaternion::from_parts(1.0 + sign * relative.w, relative.imag() * sign))
}

/// The functions of the squared angle, with those derivatives that the tangent needs.
pub(super) struct Functions {
    pub(super) f: f64,
    pub(super) h: f64,
    pub(super) c: f64,
    /// Derivatives by the squared angle.
    pub(super) df: f64,
    pub(super) dh: f64,
    pub(super) dc: f64,
}

impl Functions {
    pub(super) fn new(psi: &Vec3) -> Self {
        let q = psi.norm_squared();
        if q < SMALL {
            return Self {
                f: 1.0 + q * (1.0 / 24.0 + q * (7.0 / 5760.0 + q * 31.0 / 967_680.0)),
                h: -(1.0 / 24.0 + q * (7.0 / 5760.0 + q * (31.0 / 967_680.0 + q * 127.0 / 154_828_800.0))),
                c: 1.0 / 8.0 + q * (1.0 / 384.0 + q * (1.0 / 15360.0 + q * 17.0 / 10_321_920.0)),
                df: 1.0 / 24.0 + q * (7.0 / 2880.0 + q * 31.0 / 322_560.0),
                dh: -(7.0 / 5760.0 + q * (31.0 / 483_840.0 + q * 127.0 / 51_609_600.0)),
                dc: 1.0 / 384.0 + q * (1.0 / 7680.0 + q * 17.0 / 3_440_640.0),
            };
        }
        let angle = q.sqrt();
        let (s, c) = sin_cos(0.5 * angle);
        let quarter = s / (1.0 + c);
        let f = 0.5 * angle / s;
        let df = (0.5 * s - 0.25 * angle * c) / (s * s) / (2.0 * angle);
        let half_tangent = quarter / (2.0 * angle);
        let slope = 0.25 * (1.0 + quarter * quarter) / (2.0 * angle) - half_tangent / angle;
        Self {
            f,
            h: (1.0 - f) / q,
            c: half_tangent,
            df,
            dh: -df / q - (1.0 - f) / (q * q),
            dc: slope / (2.0 * angle),
        }
    }

    /// The matrix `S`.
    pub(super) fn spread(&self, psi: &Vec3) -> Mat3 {
        Mat3::from_diagonal_element(self.f) + self.h * psi * psi.transpose()
    }
}

#[cfg(test)]
mod tests {
    use zerogap_core::pose::rotation_vector;

    use super::*;

    #[test]
    fn series_and_closed_forms_meet() {
        let at = |q: f64| Functions::new(&Vec3::new(q.sqrt(), 0.0, 0.0));
        let (a, b) = (at(SMALL * (1.0 - 1e-9)), at(SMALL * (1.0 + 1e-9)));
        for (low, high, tolerance) in [
            (a.f, b.f, 1e-11),
            (a.h, b.h, 1e-11),
            (a.c, b.c, 1e-11),
            (a.df, b.df, 1e-8),
            (a.dh, b.dh, 1e-8),
            (a.dc, b.dc, 1e-8),
        ] {
            assert!((low - high).abs() <= tolerance * low.abs(), "{low} and {high}");
        }
    }

    #[test]
    fn derivatives_of_the_functions_are_those_of_differences() {
        for q in [1e-4, 5e-3, 0.3, 2.0, 8.0] {
            let at = |q: f64| Functions::new(&Vec3::new(0.0, q.sqrt(), 0.0));
            let (low, mid, high) = (at(q * (1.0 - 1e-4)), at(q), at(q * (1.0 + 1e-4)));
            let step = 2e-4 * q;
            for (slope, difference) in
                [(mid.df, high.f - low.f), (mid.dh, high.h - low.h), (mid.dc, high.c - low.c)]
            {
                // The differences lose digits where they are small.
                let tolerance = 1e-6 * slope.abs() + 1e-13 / step;
                assert!(
                    (slope - difference / step).abs() <= tolerance,
                    "{slope}, {}, q {q}",
                    difference / step
                );
            }
        }
    }

    #[test]
    fn a_rotation_vector_survives_exp_and_its_half_is_half() {
        for v in [Vec3::new(1e-9, 2e-9, 0.0), Vec3::new(0.004, 0.0, -0.009), Vec3::new(1.0, -2.0, 0.5)] {
            let q = exp(&v);
            assert!((rotation_vector(&q) - v).norm() <= 1e-14 * (1.0 + v.norm()));
            assert!((rotation_vector(&half(&q)) - 0.5 * v).norm() <= 1e-14 * (1.0 + v.norm()));
        }
    }

    #[test]
    fn the_inverse_tangent_is_that_of_differences() {
        for v in [Vec3::new(0.02, -0.03, 0.05), Vec3::new(0.7, -0.3, 1.1)] {
            let spin = Vec3::new(0.3, 0.5, -0.2);
            let at = |h: f64| rotation_vector(&(exp(&(spin * h)) * exp(&v)));
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((inverse_tangent(&v) * spin - difference).norm() < 1e-9);
        }
    }
}
