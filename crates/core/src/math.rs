//! Vector types, and functions that give the same bits on every machine.
//!
//! `f64::sin` and its relatives call the platform's maths library, whose last bit differs from system to system. These call
//! one portable implementation. Addition, multiplication, division and `sqrt` are exact to rounding everywhere and stay as they are.

/// A point or vector [m, or as stated].
pub type Vec3 = nalgebra::Vector3<f64>;

/// A 3×3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;

/// Sine of an angle [rad].
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of an angle [rad].
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of an angle [rad].
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Tangent of an angle [rad].
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Inverse sine [rad].
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// Inverse cosine [rad].
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Inverse tangent [rad].
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Angle of the point `(x, y)` [rad], in -π to π.
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// Exponential function.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power `y`.
pub fn pow(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Cube root.
pub fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

/// `sqrt(x² + y²)` without overflow.
pub fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// The angle between two vectors [rad], accurate for nearly parallel and nearly opposite ones, where `acos` of the dot product is not.
pub fn angle_between(u: &Vec3, v: &Vec3) -> f64 {
    atan2(u.cross(v).norm(), u.dot(v))
}

/// Two unit vectors `(t1, t2)` with `[t1 t2 n]` right-handed and orthonormal, continuous in the unit vector `n` except where `n.z` changes sign.
///
/// Method: Frisvad 2012 in the form of Duff et al. 2017, which has no singularity at the poles.
#[inline]
pub fn tangents(n: &Vec3) -> (Vec3, Vec3) {
    let sign = 1.0_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y))
}

/// Returns the unit normal of a triangle by the right-hand rule [-]; none where rounding leaves it no area.
pub fn unit_normal([a, b, c]: &[Vec3; 3]) -> Option<Vec3> {
    (b - a).cross(&(c - a)).try_normalize(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bits_of_the_portable_functions() {
        // Any machine must print these very bits: recorded results depend on them.
        assert_eq!(sin(1.0).to_bits(), 0x3fea_ed54_8f09_0cee);
        assert_eq!(cos(1.0).to_bits(), 0x3fe1_4a28_0fb5_068c);
        assert_eq!(exp(1.0).to_bits(), 0x4005_bf0a_8b14_576a);
    }

    #[test]
    fn tangents_complete_a_right_handed_frame_even_at_the_poles() {
        for n in [Vec3::z(), -Vec3::z(), Vec3::x(), Vec3::new(1e-200, 0.0, -1.0), Vec3::new(0.6, 0.0, -0.8)] {
            let (t1, t2) = tangents(&n);
            let frame = Mat3::from_columns(&[t1, t2, n]);
            assert!((frame.transpose() * frame - Mat3::identity()).amax() < 1e-15);
            assert!((frame.determinant() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn the_angle_of_nearly_parallel_vectors_keeps_its_digits() {
        let angle = angle_between(&Vec3::x(), &Vec3::new(1.0, 1e-9, 0.0));
        assert!((angle - 1e-9).abs() < 1e-24);
    }
}
