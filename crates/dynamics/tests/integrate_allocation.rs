//! Nothing is allocated between two restarts: not by steps, rejected steps, dense output, corrections, or the search for crossings.

mod problems;

use problems::Kepler;
use zerogap_dynamics::event::{Direction, LocateParams, LocateWork, first_crossing};
use zerogap_dynamics::integrate::{Dop853, Integrator, Radau, Tolerance};
use zerogap_testkit::allocations::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_run_allocates_nothing_after_its_restart() {
    let kepler = Kepler::new(0.7);
    let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
    for integrator in [&mut Dop853::new(tolerance) as &mut dyn Integrator, &mut Radau::new(tolerance)] {
        let mut work = LocateWork::default();
        let mut state = [0.0; 4];
        let mut counted = 0;
        integrator.restart(&kepler, 0.0, &kepler.start(), None).unwrap();
        for step in 0..200 {
            let before = allocations();
            integrator.step(&kepler, 100.0).unwrap();
            let inside = &*integrator;
            let mut y = [0.0; 4];
            // A function that never crosses: only what is reported may allocate.
            let mut evaluate = |t: f64, z: &mut [f64]| {
                inside.dense(t, &mut y);
                z[0] = y[0] * y[0] + y[1] * y[1];
            };
            let (from, to) = (inside.t_before(), inside.t());
            let directions = [Direction::Falling];
            let found =
                first_crossing(from, to, &directions, &mut evaluate, LocateParams::default(), &mut work);
            assert!(found.is_none());
            state.copy_from_slice(integrator.state());
            integrator.correct(&kepler, &state).unwrap();
            // The locator's own memory is made by its first call.
            if step > 0 {
                counted += allocations() - before;
            }
        }
        assert_eq!(counted, 0, "{}", integrator.name());
        assert!(integrator.info().rejected > 0, "the run rejects steps too");
        // Nor does a restart with as many states.
        let before = allocations();
        integrator.restart(&kepler, 0.0, &state, None).unwrap();
        assert_eq!(allocations() - before, 0, "{}", integrator.name());
    }
}
