//! Integrals over ellipsoids, and over ellipsoids inflated by a radius.

use std::f64::consts::{FRAC_PI_2, PI};

use zerogap_core::math::{exp, sin_cos};
use zerogap_core::{Mat3, Vec3};

use super::Moments;

/// Volume integrals of an ellipsoid about the origin, by its semi-axes [m].
pub fn solid(radii: &Vec3) -> Moments {
    let measure = 4.0 / 3.0 * PI * radii.product();
    let second = Mat3::from_diagonal(&radii.map(|e| e * e * (measure / 5.0)));
    Moments { measure, first: Vec3::zeros(), second }
}

/// Change between two levels of the quadrature, relative to each integral, at which it is taken as converged [-]. Each level squares
/// the error, so the result is then far better than this.
const CONVERGED: f64 = 1e-11;

/// Finest level of the quadrature: steps of 2⁻⁶, some 400 nodes per angle [-].
const FINEST: i32 = 6;

/// Volume integrals of all points within `radius` [m] of an ellipsoid about the origin.
///
/// Computes: the solid, plus the layer x = y + h n over its surface points y, 0 <= h <= radius. With y = e ∘ s, s on the unit sphere,
///   area, sum and product of the principal curvatures are algebraic in s, the integral over h is a polynomial, and the rest is
///   a smooth integral over one octant.
/// Method: double-exponential quadrature (Takahasi and Mori 1974) in cos θ and φ, refined until two levels agree. Long and flat ellipsoids put their near-poles at
///   the ends of both intervals, which is where that rule has its nodes. The shortest axis stands upright.
/// Tolerance: 1e-10 relative in each integral for aspect ratios to 1e6 (measured in the tests).
/// Cost: 3e3 to 2e5 evaluations; bounded. Beyond aspect 1e6 the finest level is returned as it is, finite and less exact.
pub fn rounded(radii: &Vec3, radius: f64) -> Moments {
    // Everything in units of the longest length, sorted so that the shortest axis comes last.
    let size = radii.max().max(radius);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| radii[j].total_cmp(&radii[i]));
    let e = Vec3::from_fn(|i, _| radii[order[i]] / size);
    let r = radius / size;
    let mut last = layer(&e, r, 2);
    for level in 3..=FINEST {
        let next = layer(&e, r, level);
        let settled = last.iter().zip(&next).all(|(a, b)| (a - b).abs() <= CONVERGED * b.abs());
        last = next;
        if settled {
            break;
        }
    }
    let mut sum = solid(radii);
    sum.measure += last[0] * size.powi(3);
    for i in 0..3 {
        sum.second[(order[i], order[i])] += last[i + 1] * size.powi(5);
    }
    sum
}

/// Volume and diagonal second moments of the layer, from the octant's quadrature at one level.
fn layer(e: &Vec3, r: f64, level: i32) -> [f64; 4] {
    let nodes = unit_interval_nodes(level);
    let mut sum = [0.0; 4];
    for azimuth in &nodes {
        // From the nearer end of the quarter turn, so that both sine and cosine keep their digits.
        let (s_low, c_low) = sin_cos(FRAC_PI_2 * azimuth.from_low.min(azimuth.from_high));
        let (cos, sin) = if azimuth.from_low <= azimuth.from_high { (c_low, s_low) } else { (s_low, c_low) };
        for height in &nodes {
            let rim = (height.from_high * (1.0 + height.from_low)).sqrt();
            let s = Vec3::new(rim * cos, rim * sin, height.from_low);
            let weight = azimuth.weight * height.weight;
            for (total, value) in sum.iter_mut().zip(over_surface_point(e, r, &s)) {
                *total += weight * value;
            }
        }
    }
    // Eight octants, each a quarter turn wide.
    sum.map(|x| x * 8.0 * FRAC_PI_2)
}

/// The layer above the surface point e ∘ s, per solid angle of s: its volume and its second moment along each axis.
fn over_surface_point(e: &Vec3, r: f64, s: &Vec3) -> [f64; 4] {
    let smallest = e[2];
    let y = e.component_mul(s);
    // p = e_min |s / e|, so that n = (s / e) / |s / e| has no large numbers in it.
    let steep = Vec3::from_fn(|i, _| s[i] * (smallest / e[i]));
    let p = steep.norm();
    let n = steep / p;
    // Area element, and the same times the sum and the product of the principal curvatures. The sum of squares less |y|² is
    // written with the complements 1 - s², which do not cancel.
    let square = |i: usize| e[i] * e[i];
    let complement = [s[1] * s[1] + s[2] * s[2], s[0] * s[0] + s[2] * s[2], s[0] * s[0] + s[1] * s[1]];
    let spread: f64 = (0..3).map(|i| square(i) * complement[i]).sum();
    let base = e[0] * e[1];
    let (a0, a1, a2) =
        (base * p, smallest / p * spread / (p * base), (smallest / p) * (smallest / p) / (p * base));
    let shell = |k: i32| {
        let k = k + 1;
        a0 * r.powi(k) / f64::from(k)
            + a1 * r.powi(k + 1) / f64::from(k + 1)
            + a2 * r.powi(k + 2) / f64::from(k + 2)
    };
    let (m0, m1, m2) = (shell(0), shell(1), shell(2));
    let along = |i: usize| y[i] * y[i] * m0 + 2.0 * y[i] * n[i] * m1 + n[i] * n[i] * m2;
    [m0, along(0), along(1), along(2)]
}

/// A quadrature node of the unit interval, with its distance from either end.
struct Node {
    from_low: f64,
    from_high: f64,
    weight: f64,
}

/// Nodes of the double-exponential rule on the unit interval with step 2^-level.
fn unit_interval_nodes(level: i32) -> Vec<Node> {
    // Beyond this the nodes are closer to the end than 1e-21 and weigh nothing.
    const REACH: f64 = 3.5;
    let step = 0.5_f64.powi(level);
    let count = (REACH / step) as i32;
    let node = |k: i32| {
        let t = f64::from(k) * step;
        let (sinh, cosh) = (0.5 * (exp(t) - exp(-t)), 0.5 * (exp(t) + exp(-t)));
        // x = 1 / (1 + exp(-π sinh t)), and its derivative π cosh t x (1 - x).
        let (from_low, from_high) = (1.0 / (1.0 + exp(-PI * sinh)), 1.0 / (1.0 + exp(PI * sinh)));
        Node { from_low, from_high, weight: step * PI * cosh * from_low * from_high }
    };
    (-count..=count).map(node).collect()
}
