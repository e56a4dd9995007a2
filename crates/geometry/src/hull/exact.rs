//! Signs that are right for every finite input, and normals that keep their digits on needle-shaped triangles.
//!
//! In: coordinates as given. Out: signs of determinants, decided exactly, and unit normals rounded once. `robust` evaluates the
//! determinants adaptively; its exactness needs products of three coordinates not to underflow, which [`super::normalize`] ensures.

use robust::{Coord, Coord3D};
use zerogap_core::Vec3;

/// On which side of the plane through `a`, `b`, `c` the point `p` lies: positive above, where `a`, `b`, `c` turn
/// counter-clockwise seen from above; 0 exactly in the plane. The sign is exact.
pub(crate) fn side(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> f64 {
    let coord = |v: &Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    // `robust` counts points below the plane as positive.
    -robust::orient3d(coord(a), coord(b), coord(c), coord(p))
}

/// Orientation of the path `a`, `b`, `c` in the plane: positive to the left, 0 exactly straight. The sign is exact.
pub(crate) fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let coord = |v: [f64; 2]| Coord { x: v[0], y: v[1] };
    robust::orient2d(coord(a), coord(b), coord(c))
}

/// A number as the unevaluated sum of two, about 32 digits.
#[derive(Clone, Copy)]
struct Double {
    high: f64,
    low: f64,
}

/// `a - b` without rounding (Knuth's two-sum).
fn difference(a: f64, b: f64) -> Double {
    let high = a - b;
    let part = high - a;
    Double { high, low: (a - (high - part)) - (b + part) }
}

/// Upper half of the digits of a number, and the rest (Dekker's split).
fn split(a: f64) -> (f64, f64) {
    /// 2^27 + 1.
    const SPLITTER: f64 = 134_217_729.0;
    let c = SPLITTER * a;
    let high = c - (c - a);
    (high, a - high)
}

/// `a b` to about 32 digits.
fn product(a: Double, b: Double) -> Double {
    let high = a.high * b.high;
    let ((ah, al), (bh, bl)) = (split(a.high), split(b.high));
    let error = al * bl - (((high - ah * bh) - al * bh) - ah * bl);
    Double { high, low: error + (a.high * b.low + a.low * b.high) }
}

/// `a - b`, rounded to one number at the end.
fn rounded_difference(a: Double, b: Double) -> f64 {
    let d = difference(a.high, b.high);
    d.high + (d.low + (a.low - b.low))
}

/// `a + b` to about 32 digits.
fn sum(a: Double, b: Double) -> Double {
    let d = difference(a.high, -b.high);
    let low = d.low + (a.low + b.low);
    let high = d.high + low;
    Double { high, low: low - (high - d.high) }
}

/// Six times the volume of a tetrahedron [m³], positive when `p` lies below the plane of the counter-clockwise `a`, `b`, `c`.
///
/// Tolerance: 1e-29 of the product of the edge lengths + one rounding: right to the last digits for slivers of 1e-12.
pub(crate) fn six_volumes(a: &Vec3, b: &Vec3, c: &Vec3, p: &Vec3) -> f64 {
    let [u, v, w]: [[Double; 3]; 3] = [a, b, c].map(|q| std::array::from_fn(|k| difference(q[k], p[k])));
    let negative = |x: Double| Double { high: -x.high, low: -x.low };
    let minor = |i: usize, j: usize| sum(product(v[i], w[j]), negative(product(v[j], w[i])));
    let terms = [(0, minor(1, 2)), (1, minor(2, 0)), (2, minor(0, 1))].map(|(k, m)| product(u[k], m));
    sum(sum(terms[0], terms[1]), terms[2]).high
}

/// The cross product `(b - a) × (c - a)` [m²].
///
/// Tolerance: each component within 1e-30 |b-a| |c-a| + one rounding, so that a triangle whose height is 1e-12 of its length still
///   has a normal that is right to the last digits. A plain cross product would keep four of them.
pub(crate) fn area_vector(a: &Vec3, b: &Vec3, c: &Vec3) -> Vec3 {
    let u: [Double; 3] = std::array::from_fn(|k| difference(b[k], a[k]));
    let v: [Double; 3] = std::array::from_fn(|k| difference(c[k], a[k]));
    let minor = |i: usize, j: usize| rounded_difference(product(u[i], v[j]), product(u[j], v[i]));
    Vec3::new(minor(1, 2), minor(2, 0), minor(0, 1))
}

/// Unit normal of the plane through three points, counter-clockwise seen from its tip; none when they lie on a line.
pub(crate) fn unit_normal(a: &Vec3, b: &Vec3, c: &Vec3) -> Option<Vec3> {
    let area = area_vector(a, b, c);
    let largest = area.amax();
    (largest > 0.0).then(|| (area / largest).normalize())
}

/// Sign of `(a - b) · direction`: 1, 0 or -1, exact where no product underflows.
pub(crate) fn sign_along(direction: &Vec3, a: &Vec3, b: &Vec3) -> i8 {
    // Plain arithmetic first. Each of the three terms carries three roundings, each of the two sums one: five of the absolute sum,
    // and one more for the products of errors and the bound itself.
    const ROUNDINGS: f64 = 6.0 * 0.5 * f64::EPSILON;
    let terms = (a - b).component_mul(direction);
    let sum = terms.x + terms.y + terms.z;
    let bound = ROUNDINGS * terms.lp_norm(1);
    if sum.abs() > bound || bound == 0.0 {
        return if sum > 0.0 { 1 } else { -i8::from(sum < 0.0) };
    }
    // The exact sum of six exact products, as a sum of parts that do not overlap, the largest last (Shewchuk 1997, grow-expansion).
    let mut parts = [0.0; 12];
    let mut count = 0;
    for k in 0..3 {
        for (x, d) in [(a[k], direction[k]), (b[k], -direction[k])] {
            let Double { high, low } = product(Double { high: x, low: 0.0 }, Double { high: d, low: 0.0 });
            for term in [low, high] {
                let mut carry = term;
                for part in &mut parts[..count] {
                    let sum = difference(carry, -*part);
                    (carry, *part) = (sum.high, sum.low);
                }
                parts[count] = carry;
                count += 1;
            }
        }
    }
    let leading = parts.iter().rev().find(|part| **part != 0.0);
    leading.map_or(0, |part| if *part > 0.0 { 1 } else { -1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_is_the_side_from_which_the_corners_turn_left() {
        let (o, x, y) = (Vec3::zeros(), Vec3::x(), Vec3::y());
        assert!(side(&o, &x, &y, &Vec3::new(0.3, 0.3, 1e-300)) > 0.0);
        assert!(side(&o, &x, &y, &Vec3::new(7.0, -3.0, -1e-300)) < 0.0);
        assert!(side(&o, &x, &y, &Vec3::new(7.0, -3.0, 0.0)) == 0.0);
        assert!(turn([0.0, 0.0], [1.0, 0.0], [1.0, 1e-300]) > 0.0);
    }

    #[test]
    fn a_needle_keeps_the_digits_of_its_normal() {
        // The three points lie within 1e-12 of a line, in a plane through x with slope 3/4.
        let (a, b) = (Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0));
        let c = Vec3::new(0.3, 4e-12, 3e-12);
        let n = unit_normal(&a, &b, &c).unwrap();
        assert!((n - Vec3::new(0.0, -0.6, 0.8)).amax() < 3e-16, "{n}");
        // Tilted so that the plain cross product cancels: the corners are sums of a long and a short vector.
        let (long, short) = (Vec3::new(3.0, 5.0, 7.0), Vec3::new(1.0, -2.0, 1.0) / (1_u64 << 40) as f64);
        let exact = long.cross(&short).normalize();
        let n = unit_normal(&Vec3::zeros(), &(long + short), &(2.0 * long + 4.0 * short)).unwrap();
        assert!((n - exact).amax() < 3e-16, "{n} {exact}");
    }

    #[test]
    fn signs_along_a_direction_are_exact() {
        let d = Vec3::new(0.1, 0.3, -0.7);
        // 0.1 and 0.3 are rounded numbers: 3 · 0.1 is 2^-54 above 0.3 in exact arithmetic.
        assert_eq!(sign_along(&d, &Vec3::new(3.0, 0.0, 0.0), &Vec3::new(0.0, 1.0, 0.0)), 1);
        assert_eq!(sign_along(&d, &Vec3::new(0.0, 1.0, 0.0), &Vec3::new(3.0, 0.0, 0.0)), -1);
        assert_eq!(sign_along(&d, &Vec3::new(1e8, 7.0, 1.0), &Vec3::new(1e8, 0.0, 4.0)), 1);
        assert_eq!(sign_along(&d, &Vec3::new(5.0, 6.0, 7.0), &Vec3::new(5.0, 6.0, 7.0)), 0);
        let diagonal = Vec3::new(0.1, 0.1, 0.1);
        assert_eq!(sign_along(&diagonal, &Vec3::new(0.1, 0.2, 0.4), &Vec3::new(0.4, 0.1, 0.2)), 0);
        assert_eq!(sign_along(&Vec3::zeros(), &Vec3::x(), &Vec3::y()), 0);
    }

    #[test]
    fn a_sliver_keeps_the_digits_of_its_volume() {
        // Unit height over a tilted, thin base: the sum of large terms that cancel to 2^-40 times the exact whole number below.
        let (long, wide) = (Vec3::new(3.0, 5.0, 7.0), Vec3::new(1.0, -2.0, 1.0));
        let thin = Vec3::new(2.0, 1.0, -3.0) / (1_u64 << 40) as f64;
        let exact = long.dot(&wide.cross(&thin));
        let p = Vec3::new(8.0, 16.0, -4.0);
        let found = six_volumes(&(p + long), &(p + long + wide), &(p + 2.0 * wide + thin), &p);
        assert!((found - exact).abs() <= 1e-15 * exact.abs(), "{found:e} {exact:e}");
        let unit = six_volumes(&Vec3::zeros(), &Vec3::x(), &Vec3::y(), &-Vec3::z());
        assert!((unit - 1.0).abs() < 1e-16, "{unit}");
    }

    #[test]
    fn points_on_a_line_have_no_normal() {
        let d = Vec3::new(0.5, 0.25, 0.125);
        assert!(unit_normal(&Vec3::zeros(), &d, &(3.0 * d)).is_none());
        assert!(unit_normal(&d, &d, &d).is_none());
    }
}
