//! Coulomb's law at one contact, condition by condition.
//!
//! In: the impulse and the velocity of a contact. Out: by how much each condition of the law is missed, in units of the velocity. The natural map sums all conditions up in one number, but it divides velocities along the
//! normal by `sqrt(1 + mu^2)`: with friction of 1e8 it would call a contact that approaches at 1 m/s solved to 1e-8.

/// Friction beyond this counts as infinite [-]: contacts stick or open.
pub const STICKS_ALWAYS: f64 = 1e12;

/// Violation of each condition of Coulomb's law by a contact [m/s]; zero where it obeys.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LawMiss {
    /// Speed of approach: `-u_n` where that is positive.
    pub approach: f64,
    /// How far the impulse is outside of its cone, times the inverse mass of the contact.
    pub cone: f64,
    /// The smaller of `w r_n` and `u_n` where both are positive: a contact that opens pushes nothing.
    pub complementarity: f64,
    /// How far friction is from opposing the sliding with all that the cone allows, or the sliding from zero where friction is within the cone.
    pub friction: f64,
}

impl LawMiss {
    /// Returns the misses of an impulse `r` with the velocity `u`, both normal first; `weight` is the inverse mass of the contact, and friction beyond [`STICKS_ALWAYS`] is infinite.
    pub fn new(friction: f64, r: [f64; 3], u: [f64; 3], weight: f64) -> Self {
        if r.iter().chain(&u).any(|x| x.is_nan()) {
            return Self {
                approach: f64::NAN,
                cone: f64::NAN,
                complementarity: f64::NAN,
                friction: f64::NAN,
            };
        }
        let w = if weight > 0.0 { weight } else { 1.0 };
        let length = |x: f64, y: f64| (x * x + y * y).sqrt();
        let push = r[0].max(0.0);
        // What friction may be; a contact that does not push has none, however large the coefficient is.
        let bound = match friction {
            _ if push == 0.0 => 0.0,
            mu if mu > STICKS_ALWAYS => f64::INFINITY,
            mu => mu * push,
        };
        let along = length(r[1], r[2]);
        // The nearest friction to what would stop the sliding.
        let aim = [r[1] - u[1] / w, r[2] - u[2] / w];
        let far = length(aim[0], aim[1]);
        let fraction = if far > bound { bound / far } else { 1.0 };
        Self {
            approach: (-u[0]).max(0.0),
            cone: w * (along - bound).max(-r[0]).max(0.0),
            complementarity: (w * push).min(u[0]).max(0.0),
            friction: w * length(r[1] - fraction * aim[0], r[2] - fraction * aim[1]),
        }
    }

    /// The largest miss [m/s]; infinite where one is not a number.
    pub fn largest(&self) -> f64 {
        let all = [self.approach, self.cone, self.complementarity, self.friction];
        if all.iter().any(|x| x.is_nan()) { f64::INFINITY } else { all.into_iter().fold(0.0, f64::max) }
    }

    /// The larger one of each miss.
    #[must_use]
    pub fn worse(&self, other: &Self) -> Self {
        // A miss that is not a number is worse than any.
        let worse = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) };
        Self {
            approach: worse(self.approach, other.approach),
            cone: worse(self.cone, other.cone),
            complementarity: worse(self.complementarity, other.complementarity),
            friction: worse(self.friction, other.friction),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "these numbers are exact in binary")]
    fn each_condition_is_measured_by_itself_whatever_the_friction() {
        for mu in [0.0, 0.5, 1.0, 1e4, 1e8, 1e12, f64::INFINITY] {
            let miss = |r, u| LawMiss::new(mu, r, u, 2.0);
            assert_eq!(miss([0.0; 3], [-1.0, 2.0, 0.0]).approach, 1.0, "{mu}");
            assert_eq!(miss([1.0, 0.0, 0.0], [0.5, 0.0, 0.0]).complementarity, 0.5, "{mu}");
            assert_eq!(miss([-1.0, 0.0, 0.0], [0.0; 3]).cone, 2.0, "{mu}");
            assert_eq!(miss([0.0; 3], [1.0, 5.0, 0.0]), LawMiss::default(), "{mu}");
            assert_eq!(miss([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]).cone, 2.0, "{mu}");
        }
        // Sliding where the cone allows more, and sliding as it should be.
        for mu in [0.5, 1e4, 1e12] {
            assert!(LawMiss::new(mu, [1.0, 0.0, 0.0], [0.0, 0.1, 0.0], 2.0).friction >= 0.1);
            assert_eq!(LawMiss::new(mu, [1.0, -mu, 0.0], [0.0, 3.0, 0.0], 2.0).largest(), 0.0);
        }
        assert_eq!(LawMiss::new(f64::INFINITY, [1.0, 7.0, 0.0], [0.0; 3], 2.0).largest(), 0.0);
        assert_eq!(LawMiss::new(f64::INFINITY, [1.0, 7.0, 0.0], [0.0, 3.0, 0.0], 2.0).friction, 3.0);
        assert_eq!(LawMiss::new(0.5, [f64::NAN, 0.0, 0.0], [0.0; 3], 1.0).largest(), f64::INFINITY);
    }
}
