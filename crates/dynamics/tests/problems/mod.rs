//! Problems with known answers, shared by the tests of the integrators.

#![allow(dead_code, reason = "each test uses some of them")]

use zerogap_core::math;
use zerogap_dynamics::integrate::{Integrator, System};

/// A system from a closure.
pub(crate) struct Law<F> {
    states: usize,
    law: F,
}

impl<F: Fn(f64, &[f64], &mut [f64])> Law<F> {
    pub(crate) fn new(states: usize, law: F) -> Self {
        Self { states, law }
    }
}

impl<F: Fn(f64, &[f64], &mut [f64])> System for Law<F> {
    fn len(&self) -> usize {
        self.states
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        (self.law)(t, y, dy);
    }
}

/// A planet on an ellipse of half axis 1 around the origin, from the point nearest to it.
pub(crate) struct Kepler {
    eccentricity: f64,
}

impl Kepler {
    pub(crate) fn new(eccentricity: f64) -> Self {
        Self { eccentricity }
    }

    pub(crate) fn start(&self) -> [f64; 4] {
        self.exact(0.0)
    }

    /// Position and velocity from Kepler's equation, solved by Newton's method.
    pub(crate) fn exact(&self, t: f64) -> [f64; 4] {
        let e = self.eccentricity;
        let mut anomaly = t + e * math::sin(t);
        for _ in 0..50 {
            anomaly -= (anomaly - e * math::sin(anomaly) - t) / (1.0 - e * math::cos(anomaly));
        }
        let (sin, cos) = math::sin_cos(anomaly);
        let minor = (1.0 - e * e).sqrt();
        let rate = 1.0 / (1.0 - e * cos);
        [cos - e, minor * sin, -sin * rate, minor * cos * rate]
    }
}

impl System for Kepler {
    fn len(&self) -> usize {
        4
    }

    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let square = y[0] * y[0] + y[1] * y[1];
        let cube = square * square.sqrt();
        dy[0] = y[2];
        dy[1] = y[3];
        dy[2] = -y[0] / cube;
        dy[3] = -y[1] / cube;
    }
}

/// Jacobi's elliptic functions (sn, cn, dn) of an argument and a parameter `m = k²` in (0, 1), by the arithmetic-geometric mean.
pub(crate) fn elliptic(u: f64, m: f64) -> (f64, f64, f64) {
    let (mut a, mut b) = (1.0_f64, (1.0 - m).sqrt());
    let mut ratios = Vec::new();
    for _ in 0..8 {
        let c = 0.5 * (a - b);
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
        ratios.push(c / a);
    }
    let mut phase = u * a * 256.0;
    for ratio in ratios.iter().rev() {
        phase = 0.5 * (phase + math::asin(ratio * math::sin(phase)));
    }
    let (sn, cn) = math::sin_cos(phase);
    (sn, cn, (1.0 - m * sn * sn).sqrt())
}

/// A pendulum `x'' = -sin x` through its lowest point, whose greatest angle has `sin²(angle / 2) = m`.
pub(crate) struct Pendulum {
    pub(crate) m: f64,
}

impl Pendulum {
    pub(crate) fn exact(&self, t: f64) -> [f64; 2] {
        let k = self.m.sqrt();
        let (sn, cn, _) = elliptic(t, self.m);
        [2.0 * math::asin(k * sn), 2.0 * k * cn]
    }
}

impl System for Pendulum {
    fn len(&self) -> usize {
        2
    }

    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = y[1];
        dy[1] = -math::sin(y[0]);
    }
}

/// A free top with moments 3, 2, 1 that spins mostly about its third axis: its spin is (a cn, b sn, c dn).
pub(crate) struct Top;

impl Top {
    const MOMENTS: [f64; 3] = [3.0, 2.0, 1.0];
    const START: [f64; 3] = [0.6, 0.0, 1.3];

    pub(crate) fn exact(t: f64) -> [f64; 3] {
        // From w1' = (I2 - I3)/I1 w2 w3 and so on, with w = (a cn, b sn, c dn)(rate t).
        let [i1, i2, i3] = Self::MOMENTS;
        let [a, _, c] = Self::START;
        let (p, q, r) = ((i2 - i3) / i1, (i3 - i1) / i2, (i1 - i2) / i3);
        // a' : -a rate = p b c; b rate = q a c; -c m rate = r a b.
        let rate = (-p * q).sqrt() * c;
        let b = q * a * c / rate;
        let m = -r * a * b / (c * rate);
        let (sn, cn, dn) = elliptic(rate * t, m);
        [a * cn, b * sn, c * dn]
    }
}

impl System for Top {
    fn len(&self) -> usize {
        3
    }

    fn derivative(&self, _t: f64, y: &[f64], dy: &mut [f64]) {
        let [i1, i2, i3] = Self::MOMENTS;
        dy[0] = (i2 - i3) / i1 * y[1] * y[2];
        dy[1] = (i3 - i1) / i2 * y[2] * y[0];
        dy[2] = (i1 - i2) / i3 * y[0] * y[1];
    }
}

/// Steps to `end`.
pub(crate) fn run(integrator: &mut dyn Integrator, system: &dyn System, end: f64) {
    while integrator.t() < end {
        integrator.step(system, end).unwrap();
    }
}
