//! Lengths and directions that survive any magnitude.

use zerogap_core::Vec3;

use super::SurfacePoint;

/// Beyond this coordinate a query point is pulled in before it is worked with [m]: squares stay finite, and the direction in
/// which it lies differs by less than 1e-40 for any shape that fits the accepted range.
pub(crate) const FAR: f64 = 1e100;

/// Squared lengths between these bounds come from squares that neither overflow nor lose digits.
const SAFE_SQUARES: std::ops::RangeInclusive<f64> = 1e-200..=1e200;

/// Directions with squared lengths between these bounds can be multiplied by any accepted length, and squared, without loss.
const TAME_SQUARES: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

/// The vector divided by its largest component; zero stays zero.
#[cold]
fn rescaled(v: &Vec3) -> Vec3 {
    // Two steps, because 1 / 1e-310 overflows.
    let lifted = if v.amax() < 1e-200 { v * 1e200 } else { *v };
    let largest = lifted.amax();
    if largest > 0.0 { lifted / largest } else { *v }
}

/// The unit vector along `v`, or `fallback` when `v` is zero.
#[inline]
pub(crate) fn unit_or(v: &Vec3, fallback: &Vec3) -> Vec3 {
    let squared = v.norm_squared();
    if SAFE_SQUARES.contains(&squared) {
        return v / squared.sqrt();
    }
    let v = rescaled(v);
    let squared = v.norm_squared();
    if squared > 0.0 { v / squared.sqrt() } else { *fallback }
}

/// Answers a question about a direction whose length does not matter with one that is safe to multiply with lengths and to square.
///
/// A closure, not a value: returning a copy of the direction cost cylinders, cones and ellipsoids 0.5 to 1 ns of 5.
#[inline]
pub(crate) fn with_tame(direction: &Vec3, answer: impl Fn(&Vec3) -> Vec3) -> Vec3 {
    if TAME_SQUARES.contains(&direction.norm_squared()) {
        answer(direction)
    } else {
        answer(&rescaled(direction))
    }
}

/// `size` with the sign of `d`, where either zero counts as positive. No branch: directions come in no order that could be predicted.
#[inline]
pub(crate) fn signed(d: f64, size: f64) -> f64 {
    size.copysign(d + 0.0)
}

/// The length of a vector without over- or underflow [m]; the largest number where it would be infinite.
pub(crate) fn length(v: &Vec3) -> f64 {
    let squared = v.norm_squared();
    if SAFE_SQUARES.contains(&squared) {
        return squared.sqrt();
    }
    let largest = v.amax();
    if largest > 0.0 { (rescaled(v).norm() * largest).min(f64::MAX) } else { 0.0 }
}

/// Answers a closest-point query at any finite distance with a function that is exact up to [`FAR`].
#[inline]
pub(crate) fn from_any_distance(q: &Vec3, near: impl Fn(&Vec3) -> SurfacePoint) -> SurfacePoint {
    let largest = q.amax();
    if largest <= FAR {
        return near(q);
    }
    let pulled = near(&(q / largest * FAR));
    SurfacePoint { gap: length(&(q - pulled.point)), ..pulled }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_magnitude_has_a_unit_direction_and_a_length() {
        for scale in [1e-310, 1e-300, 1e-100, 1.0, 1e100, 1e300] {
            let v = Vec3::new(2.0, -1.0, 2.0) * scale;
            let expected = Vec3::new(2.0, -1.0, 2.0) / 3.0;
            // A denormal keeps 40 bits or so of its own; nothing else may be lost.
            let tolerance = if scale < 1e-307 { 1e-12 } else { 1e-15 };
            assert!((unit_or(&v, &Vec3::x()) - expected).amax() < tolerance, "{scale}");
            assert!((length(&v) / scale - 3.0).abs() < 3.0 * tolerance, "{scale}");
            assert!(TAME_SQUARES.contains(&with_tame(&v, |d| *d).norm_squared()));
        }
        assert_eq!(unit_or(&Vec3::zeros(), &Vec3::y()), Vec3::y());
        assert_eq!(with_tame(&Vec3::zeros(), |d| *d), Vec3::zeros());
        assert!(length(&Vec3::repeat(f64::MAX)).is_finite());
    }
}
