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

/// Steps to `end`.
pub(crate) fn run(integrator: &mut dyn Integrator, system: &dyn System, end: f64) {
    while integrator.t() < end {
        integrator.step(system, end).unwrap();
    }
}
