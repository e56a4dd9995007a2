//! One contact, given what all others push: solved exactly.
//!
//! In: the inverse mass of the block and its velocity without its own impulse. Out: the impulse that obeys the law. Where a contact slides, one number is sought: how much
//! sliding there is per impulse of friction.

use crate::problem::Block;
use nalgebra::{Matrix3, Vector3};

/// Steps of the search for the sliding: quadratic, so this is far more than needed.
const MAX_STEPS: usize = 40;
/// Sliding found to this fraction [-].
const RESOLVED: f64 = 1e-14;
/// An entry of the diagonal below this fraction of the largest moves nothing [-].
const IMMOVABLE: f64 = 1e-14;

/// The inverse mass of a block, factored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Local {
    w: Matrix3<f64>,
    /// One over the normal entry; zero where nothing moves along it.
    inverse: f64,
    normal: f64,
    /// Coupling of the tangents to the normal.
    coupling: [f64; 2],
    /// Tangential inverse mass with the normal constrained, in its own axes.
    stiff: [f64; 2],
    axis: [f64; 2],
}

impl Local {
    pub(crate) fn new(law: &Block, w: &Matrix3<f64>) -> Self {
        let largest = w.diagonal().max();
        let normal = w[(0, 0)];
        let inverse = if normal > IMMOVABLE * largest && normal > 0.0 { 1.0 / normal } else { 0.0 };
        if let Block::Moment { axes: 2, .. } = law {
            let (stiff, axis) = axes_of(w[(0, 0)], 0.5 * (w[(0, 1)] + w[(1, 0)]), w[(1, 1)], largest);
            return Self { w: *w, inverse, normal, coupling: [0.0; 2], stiff, axis };
        }
        if law.rows() == 1 {
            return Self { w: *w, inverse, normal, coupling: [0.0; 2], stiff: [0.0; 2], axis: [1.0, 0.0] };
        }
        let coupling = [0.5 * (w[(0, 1)] + w[(1, 0)]), 0.5 * (w[(0, 2)] + w[(2, 0)])];
        // The normal constrained: what is left is symmetric and, but for rounding, positive.
        let a = w[(1, 1)] - coupling[0] * coupling[0] * inverse;
        let c = w[(2, 2)] - coupling[1] * coupling[1] * inverse;
        let b = 0.5 * (w[(1, 2)] + w[(2, 1)]) - coupling[0] * coupling[1] * inverse;
        let (stiff, axis) = axes_of(a, b, c, largest);
        Self { w: *w, inverse, normal, coupling, stiff, axis }
    }

    /// The velocity `u` without the impulse of the block itself.
    pub(crate) fn without(&self, u: [f64; 3], r: [f64; 3]) -> [f64; 3] {
        let own = self.w * Vector3::from(r);
        [u[0] - own.x, u[1] - own.y, u[2] - own.z]
    }

    /// The impulse that a block with velocity `b` without it answers with.
    pub(crate) fn answer(&self, law: &Block, b: [f64; 3]) -> [f64; 3] {
        match law {
            Block::Bilateral => [-b[0] * self.inverse, 0.0, 0.0],
            Block::Unilateral => [(-b[0] * self.inverse).max(0.0), 0.0, 0.0],
            Block::Bounded { lower, upper } => [self.answer_bounded(*lower, *upper, b[0]), 0.0, 0.0],
            Block::Moment { axes: 1, ratio, .. } => [self.answer_bounded(-*ratio, *ratio, b[0]), 0.0, 0.0],
            Block::Moment { ratio, .. } => self.answer_disc(*ratio, [b[0], b[1]]),
            Block::Contact { friction, .. } => self.answer_contact(*friction, b),
        }
    }

    /// The point of a disc that leaves no velocity, or one against it: `(stiff + alpha) t = -b` with the length of the radius.
    fn answer_disc(&self, radius: f64, b: [f64; 2]) -> [f64; 3] {
        let c = self.rotated(b);
        if radius <= 0.0 || self.stiff[0] <= 0.0 {
            return [0.0; 3];
        }
        let mut alpha = 0.0;
        for _ in 0..MAX_STEPS {
            let t = [-c[0] / (self.stiff[0] + alpha), -c[1] / (self.stiff[1] + alpha)];
            let square = t[0] * t[0] + t[1] * t[1];
            let length = square.sqrt();
            if length <= radius {
                return self.back_turned(t);
            }
            // Newton on one over the length, which is nearly straight and comes from below.
            let fall = t[0] * t[0] / (self.stiff[0] + alpha) + t[1] * t[1] / (self.stiff[1] + alpha);
            let next = alpha + (length / radius - 1.0) * square / fall;
            let is_found = (next - alpha).abs() <= RESOLVED * (alpha + self.stiff[1]);
            if is_found || !next.is_finite() {
                break;
            }
            alpha = next;
        }
        let t = [-c[0] / (self.stiff[0] + alpha), -c[1] / (self.stiff[1] + alpha)];
        let length = (t[0] * t[0] + t[1] * t[1]).sqrt();
        let fraction = if length > radius { radius / length } else { 1.0 };
        self.back_turned([t[0] * fraction, t[1] * fraction])
    }

    fn back_turned(&self, t: [f64; 2]) -> [f64; 3] {
        let [_, x, y] = self.back(0.0, t);
        [x, y, 0.0]
    }

    /// Where nothing moves the velocity has chosen the bound, if that is one.
    fn answer_bounded(&self, lower: f64, upper: f64, b: f64) -> f64 {
        let asked = if self.inverse > 0.0 { -b * self.inverse } else { -b.signum() * f64::INFINITY };
        let found = if b == 0.0 { 0.0 } else { asked };
        let inside = found.max(lower).min(upper);
        if inside.is_finite() { inside } else { 0.0_f64.max(lower).min(upper) }
    }

    fn answer_contact(&self, mu: f64, b: [f64; 3]) -> [f64; 3] {
        // Open: nothing is pushed, and that is right where it does not approach.
        if b[0] >= 0.0 || self.inverse == 0.0 {
            return [0.0; 3];
        }
        if mu == 0.0 {
            return [-b[0] * self.inverse, 0.0, 0.0];
        }
        // In the axes of the tangential mass with the normal constrained: (stiff + alpha) t = -c, alpha = 0 where it sticks.
        let c = self.rotated([
            b[1] - self.coupling[0] * b[0] * self.inverse,
            b[2] - self.coupling[1] * b[0] * self.inverse,
        ]);
        let g = self.rotated(self.coupling);
        let at = |alpha: f64| {
            let t = [-c[0] / (self.stiff[0] + alpha), -c[1] / (self.stiff[1] + alpha)];
            let n = -(b[0] + g[0] * t[0] + g[1] * t[1]) * self.inverse;
            let length = (t[0] * t[0] + t[1] * t[1]).sqrt();
            (t, n, length - mu * n, length)
        };
        let (t, n, miss, _) = at(0.0);
        if miss <= 0.0 {
            return self.back(n, t);
        }
        // Sliding: the excess of friction falls to minus mu times the frictionless impulse as alpha grows, so a crossing lies between; it is bracketed, then Newton.
        let (mut low, mut high) = (0.0, self.stiff[0]);
        for _ in 0..200 {
            if at(high).2 <= 0.0 {
                break;
            }
            low = high;
            high *= 4.0;
        }
        let mut alpha = 0.5 * (low + high);
        for _ in 0..MAX_STEPS {
            let (t, _, miss, length) = at(alpha);
            if miss > 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let dt = [-t[0] / (self.stiff[0] + alpha), -t[1] / (self.stiff[1] + alpha)];
            let slope = (t[0] * dt[0] + t[1] * dt[1]) / length.max(f64::MIN_POSITIVE)
                + mu * (g[0] * dt[0] + g[1] * dt[1]) * self.inverse;
            let newton = alpha - miss / slope;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            let is_found = (next - alpha).abs() <= RESOLVED * (alpha + self.stiff[1]);
            alpha = next;
            if is_found {
                break;
            }
        }
        let (t, n, _, length) = at(alpha);
        // On the mantle exactly, so that the cone is kept to rounding.
        let n = n.max(0.0);
        let fraction = if length > 0.0 { mu * n / length } else { 0.0 };
        self.back(n, [t[0] * fraction, t[1] * fraction])
    }

    /// From t1, t2 to the axes of the tangential mass.
    fn rotated(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [c, s] = self.axis;
        [c * x + s * y, c * y - s * x]
    }

    fn back(&self, n: f64, [x, y]: [f64; 2]) -> [f64; 3] {
        let [c, s] = self.axis;
        [n, c * x - s * y, s * x + c * y]
    }

    /// The largest entry of the diagonal: velocity per impulse.
    pub(crate) fn largest(&self) -> f64 {
        self.normal.max(self.stiff[0])
    }
}

/// The larger and the smaller eigenvalue of a symmetric matrix with the entries a, b, c, no smaller than what moves nothing, and the axis of the larger one.
fn axes_of(a: f64, b: f64, c: f64, largest: f64) -> ([f64; 2], [f64; 2]) {
    let (mean, half) = (0.5 * (a + c), 0.5 * (a - c));
    let radius = (half * half + b * b).sqrt();
    let axis = if radius == 0.0 {
        [1.0, 0.0]
    } else {
        // The eigenvector of the larger one, from the column that does not cancel.
        let raw = if half >= 0.0 { [radius + half, b] } else { [b, radius - half] };
        let length = (raw[0] * raw[0] + raw[1] * raw[1]).sqrt();
        [raw[0] / length, raw[1] / length]
    };
    let smallest = IMMOVABLE * largest;
    ([(mean + radius).max(smallest), (mean - radius).max(smallest)], axis)
}

#[cfg(test)]
mod tests {
    use super::super::natural_map;
    use super::*;
    use zerogap_core::random::Random;

    #[test]
    fn one_moment_alone_obeys_its_law() {
        let mut random = Random::new(3);
        for k in 0..4000 {
            let axes = 1 + k % 2;
            let half =
                Matrix3::from_fn(|i, j| if i < axes && j < axes { random.range(-1.0, 1.0) } else { 0.0 });
            let mut w = half * half.transpose();
            for i in 0..axes {
                w[(i, i)] += if k % 3 == 0 { 1e-6 } else { 0.05 };
            }
            let ratio = [0.0, 0.01, 0.3, 1.0, 30.0][k % 5];
            let law = Block::Moment { axes, ratio, contact: 0 };
            let mut b = [0.0; 3];
            b[..axes].fill_with(|| random.range(-1.0, 1.0));
            let r = Local::new(&law, &w).answer(&law, b);
            let u = w * Vector3::from(r) + Vector3::from(b);
            let map = natural_map(&law, r, u.into(), w.diagonal().max());
            let worst = map.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let size = 1.0 + w.norm() * Vector3::from(r).norm();
            assert!(worst < 1e-11 * size, "case {k}: ratio {ratio}, r {r:?}, u {u}, map {map:?}");
        }
    }

    #[test]
    fn one_contact_alone_obeys_coulombs_law() {
        let mut random = Random::new(7);
        for k in 0..4000 {
            let m = Matrix3::from_fn(|_, _| random.range(-1.0, 1.0));
            let w = m * m.transpose() + Matrix3::identity() * if k % 3 == 0 { 1e-6 } else { 0.05 };
            let mu = [0.0, 0.1, 0.5, 1.0, 3.0][k % 5];
            let law = Block::Contact { friction: mu, slip: None };
            let b = [0, 1, 2].map(|_| random.range(-1.0, 1.0));
            let r = Local::new(&law, &w).answer(&law, b);
            let u = w * Vector3::from(r) + Vector3::from(b);
            let map = natural_map(&law, r, u.into(), w.diagonal().max());
            let worst = map.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let size = 1.0 + w.norm() * Vector3::from(r).norm();
            assert!(worst < 1e-11 * size, "case {k}: mu {mu}, r {r:?}, u {u}, map {map:?}");
        }
    }
}
