//! The damping of Hunt and Crossley's law that delivers the restitution asked for, and the inverse.
//!
//! A mass m that hits a contact with `m δ'' = -k δ^p (1 + d δ')` at the speed v0 leaves it at the speed e v0. Divided by δ' the equation
//! integrates to a relation of speeds alone, free of m, k and p: with `y0 = d v0` and `y = e y0`, `-y - ln(1 - y) = y0 - ln(1 + y0)`.

use zerogap_core::math::ln;

/// Restitutions below this are treated as this [-]: none at all would need infinite damping. 0.01 leaves a ten-thousandth of the energy, and
/// asks for `d v0 = 100`.
pub const SMALLEST_RESTITUTION: f64 = 0.01;

/// Approaches slower than this get the damping of this speed [m/s]: a contact that starts at rest has no speed to take the damping from. A
/// bounce at 1 cm/s is 5 µm high. Smaller speeds were tried and dropped: contacts that begin slowly and are then hit hard through a stack were damped so much that the equations
/// became stiff.
pub const SLOWEST_APPROACH: f64 = 1e-2;

/// Below this the power series is used [-]: its terms fall by a factor 4 each, where logarithms would cancel.
const SERIES: f64 = 0.25;

/// Terms of the power series [-]: `0.25^28 / 30` is below the last bit.
const TERMS: i32 = 30;

/// Maximum number of steps of the root finder [-]; 6 are usual, and bisection alone would need 60.
const MAX_STEPS: usize = 100;

/// The damping factor d [s/m] with which a contact that starts at the speed `approach` [m/s] ends at `restitution` [-] times that speed.
///
/// Computes: [`damping_speed_product`] over the speed.
/// Tolerance: 1e-13 relative for restitutions from 0.01 to 1.
/// Limits: restitution below [`SMALLEST_RESTITUTION`] counts as that, above 1 as 1; approach below [`SLOWEST_APPROACH`] counts as that, so slower contacts bounce more
///   than was asked for, as far as they leave at all. Not a number counts as the smallest.
pub fn damping_for_restitution(restitution: f64, approach: f64) -> f64 {
    // NaN is ignored by max.
    damping_speed_product(restitution) / approach.max(SLOWEST_APPROACH)
}

/// The product `y0 = d v0` of damping and speed that delivers a restitution [-].
///
/// Computes: the positive root of `e² φ(-e y0) = φ(y0)` with `φ(x) = (x - ln(1 + x)) / x²`, which is the relation of this module without its root at zero. The
///   difference of the two sides increases with y0, from below zero to infinity at 1/e.
/// Method: Newton, kept in a bracket by bisection.
/// Tolerance: 1e-13 relative; measured in `tests/law_restitution.rs`.
/// Fails: never; see [`damping_for_restitution`] for restitutions out of range.
pub fn damping_speed_product(restitution: f64) -> f64 {
    let e = restitution.max(SMALLEST_RESTITUTION);
    if e >= 1.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, 1.0 / e);
    // The first term of the series; beyond the pole, start inside.
    let mut y0 = (1.5 * (1.0 - e) * (1.0 + e) / (1.0 + e * e * e)).min(0.999 * high);
    for _ in 0..MAX_STEPS {
        let (value, slope) = mismatch(e, y0);
        if value == 0.0 {
            return y0;
        }
        *(if value < 0.0 { &mut low } else { &mut high }) = y0;
        let newton = y0 - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        // Rounding stops it.
        if (next - y0).abs() <= f64::EPSILON * y0 {
            return next;
        }
        y0 = next;
    }
    y0
}

/// The restitution e that a product `y0 = d v0` of damping and speed delivers, where nothing else acts [-].
///
/// Computes: `y / y0` with `-y - ln(1 - y) = y0 - ln(1 + y0)`, y from 0 to 1.
/// Tolerance: 1e-14 absolute.
/// Fails: never; products of 0 or below, and what is not a number, give 1.
pub fn restitution_delivered(damping_speed_product: f64) -> f64 {
    let y0 = damping_speed_product;
    let is_damped = y0 > 0.0;
    if !is_damped {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, (1.0 / y0).min(1.0));
    let mut e = high.min(1.0 / (1.0 + 0.7 * y0));
    for _ in 0..MAX_STEPS {
        let (value, _) = mismatch(e, y0);
        if value == 0.0 {
            return e;
        }
        *(if value < 0.0 { &mut low } else { &mut high }) = e;
        // The derivative by e of e² φ(-e y0) = (-y - ln(1 - y)) / y0² is e / (1 - e y0).
        let newton = e - value * (1.0 - e * y0) / e;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - e).abs() <= f64::EPSILON * e {
            return next;
        }
        e = next;
    }
    e
}

/// `e² φ(-e y0) - φ(y0)` and its derivative by y0; infinite beyond the pole at 1/e.
fn mismatch(e: f64, y0: f64) -> (f64, f64) {
    if y0 < SERIES {
        // Σ y0^(k-2) (e^k - (-1)^k) / k. The first term keeps its digits for e near 1; in the others they do not matter.
        let (mut value, mut slope) = (0.5 * (e - 1.0) * (e + 1.0), 0.0);
        let (mut power, mut even) = (e * e, true);
        let mut factor = 1.0;
        for k in 3..TERMS {
            power *= e;
            even = !even;
            let weight = (power - if even { 1.0 } else { -1.0 }) / f64::from(k);
            slope += f64::from(k - 2) * factor * weight;
            factor *= y0;
            value += factor * weight;
        }
        return (value, slope);
    }
    let rest = 1.0 - e * y0;
    if rest <= 0.0 {
        return (f64::INFINITY, f64::INFINITY);
    }
    // With left = -y - ln(1 - y) and right = y0 - ln(1 + y0): their derivatives are e y / (1 - y) and y0 / (1 + y0).
    let left = -e * y0 - ln(rest);
    let right = y0 - ln(1.0 + y0);
    let value = (left - right) / (y0 * y0);
    let slope = (e * e / rest - 1.0 / (1.0 + y0)) / y0 - 2.0 * value / y0;
    (value, slope)
}
