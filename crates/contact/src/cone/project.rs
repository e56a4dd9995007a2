//! The cone of friction: the nearest point of it, and how far impulses and velocities are from Coulomb's law.

use super::conditions::LawMiss;
use crate::problem::Block;

/// Friction up to which the natural map measures a contact [-]; beyond, it weighs velocities along the normal too little and rounding of those across it too much, and the conditions are measured one by one.
pub(super) const MAPPED_FRICTION: f64 = 100.0;

/// The point of the cone `|x_t| <= mu x_n` nearest to `x = (n, t1, t2)`.
#[inline]
pub fn onto_cone(x: [f64; 3], mu: f64) -> [f64; 3] {
    let [n, t1, t2] = x;
    let length = (t1 * t1 + t2 * t2).sqrt();
    // Without friction the cone is a ray: nothing below its apex is in it.
    if n >= 0.0 && length <= mu * n {
        return x;
    }
    // Below the polar cone the apex is nearest; else the foot on the mantle.
    if mu * length <= -n || length == 0.0 {
        return [n.max(0.0) * f64::from(u8::from(length == 0.0)), 0.0, 0.0];
    }
    let height = (n + mu * length) / (1.0 + mu * mu);
    let fraction = mu * height / length;
    [height, fraction * t1, fraction * t2]
}

/// By how much a block misses its law, in the units of the velocities `u`: `weight (r - P(r - (u + De Saxcé's term) / weight))`, zero where it obeys.
///
/// A moment is measured as if its contact pushed with one: [`Block::under`] says how hard it does. `weight` is the inverse mass of the block; where it is zero (nothing moves there), velocities that are not allowed count in full.
#[inline]
pub fn natural_map(law: &Block, r: [f64; 3], u: [f64; 3], weight: f64) -> [f64; 3] {
    let w = if weight > 0.0 { weight } else { 1.0 };
    match law {
        Block::Bilateral => [u[0], 0.0, 0.0],
        Block::Unilateral => {
            let shifted = r[0] * w - u[0];
            [r[0] * w - shifted.max(0.0), 0.0, 0.0]
        }
        Block::Bounded { lower, upper } => {
            let shifted = (r[0] * w - u[0]).max(lower * w).min(upper * w);
            [r[0] * w - shifted, 0.0, 0.0]
        }
        Block::Moment { ratio, .. } => {
            let at = [r[0] * w - u[0], r[1] * w - u[1]];
            let length = (at[0] * at[0] + at[1] * at[1]).sqrt();
            let fraction = if length > ratio * w { ratio * w / length } else { 1.0 };
            [r[0] * w - fraction * at[0], r[1] * w - fraction * at[1], 0.0]
        }
        Block::Contact { friction, .. } => {
            let slip = (u[1] * u[1] + u[2] * u[2]).sqrt();
            let at = [r[0] * w - u[0] - friction * slip, r[1] * w - u[1], r[2] * w - u[2]];
            let p = onto_cone(at, *friction);
            [r[0] * w - p[0], r[1] * w - p[1], r[2] * w - p[2]]
        }
    }
}

/// The length of the [`natural_map`], or for friction beyond 100 the largest miss of a condition ([`LawMiss`]), and no less than what rounding hides in it: impulses that are huge against all velocities (bodies that jam) leave nothing of these, and would seem to obey any law. Infinite where it is
/// not a number.
pub fn miss(law: &Block, r: [f64; 3], u: [f64; 3], weight: f64) -> f64 {
    miss_squared(law, r, u, weight).sqrt()
}

/// The square of [`miss`]: sums and largest ones of many need no roots.
#[inline]
pub(super) fn miss_squared(law: &Block, r: [f64; 3], u: [f64; 3], weight: f64) -> f64 {
    let square = |x: [f64; 3]| x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    let off = match law {
        Block::Contact { friction, .. } if *friction > MAPPED_FRICTION => {
            let largest = LawMiss::new(*friction, r, u, weight).largest();
            largest * largest
        }
        _ => square(natural_map(law, r, u, weight)),
    };
    let rounding = f64::EPSILON * weight.max(0.0);
    let hidden = rounding * rounding * square(r);
    if off.is_nan() || hidden.is_nan() { f64::INFINITY } else { off.max(hidden) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "these points are exact in binary")]
    fn points_of_the_cone_stay_and_others_go_to_the_nearest() {
        assert_eq!(onto_cone([2.0, 0.5, 0.5], 0.5), [2.0, 0.5, 0.5]);
        assert_eq!(onto_cone([-3.0, 1.0, 0.0], 0.5), [0.0; 3]);
        // Right above the polar cone's edge: the foot is along (1, mu)/(1 + mu²).
        let p = onto_cone([0.0, 1.0, 0.0], 0.5);
        assert!((p[0] - 0.4).abs() < 1e-15 && (p[1] - 0.2).abs() < 1e-15);
        assert_eq!(onto_cone([-1.0, 0.0, 0.0], 0.5), [0.0; 3]);
        assert_eq!(onto_cone([1.0, 3.0, 0.0], 0.0), [1.0, 0.0, 0.0]);
        assert_eq!(onto_cone([-1.0, 0.0, 0.0], 0.0), [0.0; 3]);
        assert_eq!(onto_cone([-1.0, 1.0, 0.0], 0.0), [0.0; 3]);
    }

    #[test]
    fn the_map_is_zero_for_sticking_sliding_and_open_contacts_alone() {
        let contact = Block::Contact { friction: 0.5, slip: None };
        let zero = |r, u| natural_map(&contact, r, u, 2.0).iter().all(|x| x.abs() < 1e-15);
        assert!(zero([1.0, 0.3, 0.0], [0.0; 3]));
        assert!(zero([1.0, -0.5, 0.0], [0.0, 3.0, 0.0]));
        assert!(zero([0.0; 3], [1.0, 5.0, 0.0]));
        assert!(!zero([1.0, 0.5, 0.0], [0.0, 3.0, 0.0]));
        assert!(!zero([0.0; 3], [-1.0, 0.0, 0.0]));
        assert!(!zero([1.0, 0.0, 0.0], [1.0, 0.0, 0.0]));
    }
}
