//! Double-double numbers and vectors, where one f64 is not enough: signs and directions of thin triangles, and
//! references for results in f64.
//!
//! In: numbers as they are. Out: sums, products, quotients and square roots to about 31 digits, by plain additions and multiplications in a
//! fixed order: the same bits everywhere. Numbers beyond 1e290 overflow in products.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::Vec3;

/// Splits a number into halves of 26 digits each: 2^27 + 1.
const SPLIT: f64 = 134_217_729.0;

/// The sum of two numbers, the second no larger than the rounding of the first. Ordered by value.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// Returns the number rounded to f64.
    #[inline]
    pub fn round(self) -> f64 {
        self.high
    }

    /// Whether it is larger than none.
    #[inline]
    pub fn is_positive(self) -> bool {
        self.high > 0.0
    }

    /// The square root; none of what is not positive.
    #[inline]
    pub fn sqrt(self) -> Self {
        if !self.is_positive() {
            return Self::from(0.0);
        }
        // One Newton step from the root in f64 doubles its digits.
        let root = self.high.sqrt();
        let rest = self - Self::from(root) * Self::from(root);
        Self::from(root) + Self::from(rest.high / (2.0 * root))
    }

    /// A sum whose second part is the smaller one.
    #[inline]
    fn settled(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self { high: sum, low: low - (sum - high) }
    }
}

impl From<f64> for Double {
    #[inline]
    fn from(x: f64) -> Self {
        Self { high: x, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let sum = self.high + other.high;
        let back = sum - self.high;
        // What the sum of the leading parts lost, exactly.
        let lost = (self.high - (sum - back)) + (other.high - back);
        Self::settled(sum, lost + (self.low + other.low))
    }
}

impl Neg for Double {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let halves = |x: f64| {
            let scaled = SPLIT * x;
            let high = scaled - (scaled - x);
            (high, x - high)
        };
        let product = self.high * other.high;
        let ((a, b), (c, d)) = (halves(self.high), halves(other.high));
        // What the product of the leading parts lost, exactly.
        let lost = ((a * c - product) + a * d + b * c) + b * d;
        Self::settled(product, lost + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Self;

    #[inline]
    fn div(self, other: Self) -> Self {
        let first = Self::from(self.high / other.high);
        let rest = self - first * other;
        first + Self::from(rest.high / other.high)
    }
}

/// A vector of such numbers.
#[derive(Debug, Clone, Copy)]
pub struct DoubleVec(
    /// The components.
    pub [Double; 3],
);

impl DoubleVec {
    /// Each component rounded: every digit of the direction is kept.
    #[inline]
    pub fn round(&self) -> Vec3 {
        let [x, y, z] = self.0.map(Double::round);
        Vec3::new(x, y, z)
    }

    /// The scalar product.
    #[inline]
    pub fn dot(&self, other: &Self) -> Double {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        a * x + b * y + c * z
    }

    /// The vector product.
    #[inline]
    pub fn cross(&self, other: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// The vector times a number.
    #[inline]
    pub fn scaled(&self, by: Double) -> Self {
        Self(self.0.map(|x| x * by))
    }
}

impl From<&Vec3> for DoubleVec {
    #[inline]
    fn from(v: &Vec3) -> Self {
        Self([v.x.into(), v.y.into(), v.z.into()])
    }
}

impl Add for DoubleVec {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a + x, b + y, c + z])
    }
}

impl Sub for DoubleVec {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([a - x, b - y, c - z])
    }
}

/// The cross product of two sides of a triangle at its first corner, each component to full length.
#[inline]
pub fn triangle_normal(p: &Vec3, q: &Vec3, r: &Vec3) -> DoubleVec {
    let p = DoubleVec::from(p);
    (DoubleVec::from(q) - p).cross(&(DoubleVec::from(r) - p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_word_loses_two_words_keep() {
        let (one, tiny) = (Double::from(1.0), Double::from(1e-25));
        assert!(((one + tiny - one).round() - 1e-25).abs() <= 1e-32);
        // (1 + e)(1 - e) = 1 - e e, with e a third of 1e-9 to 31 digits.
        let e = Double::from(1e-9) / Double::from(3.0);
        let product = (one + e) * (one - e);
        assert!(((one - product).round() * 9.0 / 1e-18 - 1.0).abs() <= 1e-12);
        assert!((e * Double::from(3.0) - Double::from(1e-9)).round().abs() <= 1e-40);
    }

    #[test]
    fn roots_keep_twice_the_digits_and_order_is_that_of_values() {
        for x in [2.0, 1e-20, 3e40, 0.7] {
            let x = Double::from(x) / Double::from(3.0);
            let root = x.sqrt();
            assert!((root * root - x).round().abs() <= 1e-30 * x.round());
            assert!(root < root + Double::from(1e-25 * root.round()));
            assert!(root > root - Double::from(1e-25 * root.round()));
        }
        assert_eq!(Double::from(0.0).sqrt(), Double::from(0.0));
        assert_eq!((-Double::from(1.0)).sqrt(), Double::from(0.0));
    }

    #[test]
    fn the_normal_of_a_sliver_far_from_the_origin_keeps_its_digits() {
        let p = Vec3::new(1.0, 2.0, 3.0);
        // Steps that are exact in f64: along x, and along x with the last digit of y and z.
        let q = p + Vec3::new(0.5, 0.0, 0.0);
        let r = p + Vec3::new(0.25, 2.0 * f64::EPSILON, -2.0 * f64::EPSILON);
        let normal = triangle_normal(&p, &q, &r).round();
        let expected = Vec3::new(0.0, f64::EPSILON, f64::EPSILON);
        assert!((normal - expected).amax() <= 1e-15 * f64::EPSILON, "{normal:?}");
    }
}
