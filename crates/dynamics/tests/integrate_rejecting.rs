//! The tool that finds systems with a memory of trial steps: it must find one, and must not change the motion of the others.

mod problems;

use problems::{Kepler, run};
use std::cell::Cell;
use zerogap_dynamics::integrate::{Dop853, Integrator, Rejecting, System, Tolerance};

const TOLERANCE: Tolerance = Tolerance { relative: 1e-8, absolute: 1e-10 };

fn end(integrator: &mut dyn Integrator, system: &dyn System) -> Vec<u64> {
    integrator.restart(system, 0.0, &Kepler::new(0.4).start(), None).unwrap();
    run(integrator, system, 5.0);
    integrator.state().iter().map(|y| y.to_bits()).collect()
}

#[test]
fn a_system_without_memory_moves_the_same_way() {
    let kepler = Kepler::new(0.4);
    let mut plain = Dop853::new(TOLERANCE);
    let mut rejecting = Rejecting::new(Dop853::new(TOLERANCE), 5, 0.1, 1);
    assert_eq!(end(&mut plain, &kepler), end(&mut rejecting, &kepler));
    let (plain, rejecting) = (plain.info(), rejecting.info());
    assert_eq!(rejecting.accepted, plain.accepted);
    // Five trials before each step that was accepted.
    assert_eq!(rejecting.rejected, plain.rejected + 5 * plain.accepted);
    assert_eq!(rejecting.evaluations, plain.evaluations + 5 * plain.accepted);
}

/// A motion that remembers the farthest point at which it was ever evaluated, as a contact does that changes its state while it is tried.
struct Remembers {
    kepler: Kepler,
    farthest: Cell<f64>,
}

impl System for Remembers {
    fn len(&self) -> usize {
        4
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        self.kepler.derivative(t, y, dy);
        self.farthest.set(self.farthest.get().max(y[0].abs()));
        dy[2] += 1e-6 * self.farthest.get();
    }
}

#[test]
fn a_system_with_memory_is_found_out() {
    let make = || Remembers { kepler: Kepler::new(0.4), farthest: Cell::new(0.0) };
    let plain = end(&mut Dop853::new(TOLERANCE), &make());
    let rejecting = end(&mut Rejecting::new(Dop853::new(TOLERANCE), 5, 0.1, 1), &make());
    assert_ne!(plain, rejecting);
}
