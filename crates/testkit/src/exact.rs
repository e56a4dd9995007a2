//! Exact decisions and exact distances, with whole numbers of any length.
//!
//! A finite f64 is a whole number times a power of two. Written over one common power, determinants and dot products of
//! coordinates are sums and products of whole numbers: no rounding anywhere.

use dashu_int::IBig;
use dashu_int::ops::{BitTest, UnsignedAbs};
use zerogap_core::Vec3;

/// A point with whole coordinates, in units of a common power of two.
pub(crate) type WholePoint = [IBig; 3];

/// Mantissa and exponent: `x = mantissa 2^exponent`.
fn parts(x: f64) -> (i64, i64) {
    let bits = x.to_bits();
    let biased = (bits >> 52 & 0x7ff).cast_signed();
    let fraction = (bits & ((1 << 52) - 1)).cast_signed();
    let magnitude = if biased == 0 { fraction } else { fraction | 1 << 52 };
    (if x < 0.0 { -magnitude } else { magnitude }, biased.max(1) - 1075)
}

/// The points over the power of two that makes all coordinates whole, and its exponent.
pub(crate) fn whole(points: &[Vec3]) -> (Vec<WholePoint>, i64) {
    let nonzero = points.iter().flat_map(Vec3::iter).filter(|c| **c != 0.0);
    let lowest = nonzero.map(|c| parts(*c).1).min().unwrap_or(0);
    let convert = |x: f64| {
        let (mantissa, exponent) = parts(x);
        if mantissa == 0 { IBig::ZERO } else { IBig::from(mantissa) << (exponent - lowest) as usize }
    };
    (points.iter().map(|p| [convert(p.x), convert(p.y), convert(p.z)]).collect(), lowest)
}

/// `a - b`.
pub(crate) fn subtract(a: &WholePoint, b: &WholePoint) -> WholePoint {
    std::array::from_fn(|k| &a[k] - &b[k])
}

/// `u × v`.
pub(crate) fn cross(u: &WholePoint, v: &WholePoint) -> WholePoint {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &u[i] * &v[j] - &u[j] * &v[i]
    })
}

/// `u · v`.
pub(crate) fn dot(u: &WholePoint, v: &WholePoint) -> IBig {
    (0..3).map(|k| &u[k] * &v[k]).fold(IBig::ZERO, |sum, x| sum + x)
}

/// Of the points with the exactly largest dot product with `direction` the one with the smallest index; 0 for no points.
pub fn first_farthest(points: &[Vec3], direction: &Vec3) -> usize {
    // Both are scaled by powers of two of their own, which changes no comparison.
    let along = whole(std::slice::from_ref(direction)).0;
    let heights: Vec<IBig> = whole(points).0.iter().map(|p| dot(p, &along[0])).collect();
    (1..heights.len()).fold(0, |best, k| if heights[k] > heights[best] { k } else { best })
}

/// A whole number as mantissa and power of two, the mantissa rounded to 53 bits or better.
pub(crate) fn to_scaled(x: &IBig) -> (f64, i64) {
    let bits = x.clone().unsigned_abs().bit_len();
    let shift = bits.saturating_sub(60);
    let mantissa = i64::try_from(x.clone() >> shift).unwrap_or(0);
    (mantissa as f64, shift.cast_signed() as i64)
}

/// `m 2^e` in steps that do not overflow.
pub(crate) fn scale(mut m: f64, mut e: i64) -> f64 {
    while e > 0 {
        let step = e.min(500);
        m *= f64::from_bits(((1023 + step) as u64) << 52);
        e -= step;
    }
    while e < 0 {
        let step = (-e).min(500);
        m /= f64::from_bits(((1023 + step) as u64) << 52);
        e += step;
    }
    m
}

/// Signed distance of `p` from the plane through `a`, `b`, `c` [m]: positive on the side from which they turn counter-clockwise.
///
/// Computed without rounding up to the last division: relative error below 1e-15, and 0 exactly in the plane. NaN when the three
/// points lie on a line.
pub fn height_over_plane(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> f64 {
    let (w, exponent) = whole(&[*a, *b, *c, *p]);
    let normal = cross(&subtract(&w[1], &w[0]), &subtract(&w[2], &w[0]));
    let determinant = dot(&normal, &subtract(&w[3], &w[0]));
    // height = determinant / |normal|: the square root of the whole |normal|², kept to an even shift.
    let (mut square, mut shift) = to_scaled(&dot(&normal, &normal));
    if shift % 2 != 0 {
        (square, shift) = (2.0 * square, shift - 1);
    }
    let (d, d_shift) = to_scaled(&determinant);
    scale(d / square.sqrt(), d_shift - shift / 2 + exponent)
}

/// Whether `p` lies strictly above the plane through `a`, `b`, `c` (the side from which they turn counter-clockwise). Exact.
pub fn strictly_above(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> bool {
    // Plain arithmetic settles the clear cases: the bound is generous, some fifty roundings of the largest product.
    let (u, v, w) = (b - a, c - a, p - a);
    let determinant = u.cross(&v).dot(&w);
    let bound = 1e-14 * u.abs().cross_permanent(&v.abs()).dot(&w.abs());
    if determinant.abs() > bound && bound > 1e-280 {
        return determinant > 0.0;
    }
    let (w, _) = whole(&[*a, *b, *c, *p]);
    dot(&cross(&subtract(&w[1], &w[0]), &subtract(&w[2], &w[0])), &subtract(&w[3], &w[0])) > IBig::ZERO
}

/// The cross product with every minus replaced by a plus.
trait CrossPermanent {
    fn cross_permanent(&self, other: &Self) -> Self;
}

impl CrossPermanent for Vec3 {
    fn cross_permanent(&self, v: &Self) -> Self {
        Vec3::new(self.y * v.z + self.z * v.y, self.z * v.x + self.x * v.z, self.x * v.y + self.y * v.x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_exactly_equal_heights_wins() {
        let points = [
            Vec3::zeros(),
            Vec3::new(1.0, 1e-30, 0.0),
            Vec3::new(1.0, 2e-30, 0.0),
            Vec3::new(1.0, 2e-30, 5.0),
        ];
        assert_eq!(first_farthest(&points, &Vec3::x()), 1);
        assert_eq!(first_farthest(&points, &Vec3::new(1.0, 1.0, 0.0)), 2);
        assert_eq!(first_farthest(&points, &Vec3::zeros()), 0);
    }

    #[test]
    fn heights_are_right_where_plain_arithmetic_is_not() {
        let (a, b, c) = (Vec3::zeros(), Vec3::x(), Vec3::y());
        for z in [1e-300, -1e-300, 1e-17, 3.0, 0.0] {
            let p = Vec3::new(1e8, -1e8, z);
            assert!((height_over_plane(&a, &b, &c, &p) - z).abs() <= 1e-15 * z.abs(), "{z}");
            assert_eq!(strictly_above(&a, &b, &c, &p), z > 0.0);
        }
        let far = Vec3::repeat(1e8);
        let tilted = height_over_plane(
            &far,
            &(far + Vec3::x()),
            &(far + Vec3::new(0.0, 3.0, 4.0)),
            &(far + Vec3::z()),
        );
        assert!((tilted - 0.6).abs() < 1e-15, "{tilted}");
    }
}
