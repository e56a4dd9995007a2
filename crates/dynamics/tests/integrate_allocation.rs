//! Nothing is allocated between two restarts: not by steps, rejected steps, dense output, corrections, or the search for crossings.

#![expect(unsafe_code, reason = "counting allocations means to be the allocator")]

mod problems;

use problems::Kepler;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use zerogap_dynamics::event::{Direction, LocateParams, LocateWork, first_crossing};
use zerogap_dynamics::integrate::{Dop853, Integrator, Radau, Tolerance};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

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
            let before = ALLOCATIONS.get();
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
                counted += ALLOCATIONS.get() - before;
            }
        }
        assert_eq!(counted, 0, "{}", integrator.name());
        assert!(integrator.info().rejected > 0, "the run rejects steps too");
        // Nor does a restart with as many states.
        let before = ALLOCATIONS.get();
        integrator.restart(&kepler, 0.0, &state, None).unwrap();
        assert_eq!(ALLOCATIONS.get() - before, 0, "{}", integrator.name());
    }
}
