//! The automatic choice on motions whose answer is known, and the sentence that goes with it.

mod problems;

use problems::{Kepler, Law, run};
use zerogap_core::math;
use zerogap_dynamics::integrate::{IntegratorKind, StepError, Tolerance, choose};

const TOLERANCE: Tolerance = Tolerance { relative: 1e-6, absolute: 1e-9 };

#[test]
fn an_orbit_is_followed_explicitly() {
    let kepler = Kepler::new(0.5);
    let choice = choose(IntegratorKind::Auto, &kepler, 0.0, &kepler.start(), &TOLERANCE, 100.0).unwrap();
    println!("{}", choice.reason);
    assert_eq!(choice.method, IntegratorKind::Dop853);
    // Nearest to the centre, at distance 1/2, the tidal rate is sqrt(2 / r^3) = 4.
    assert!((2.0..8.0).contains(&choice.fastest_rate), "{choice:?}");
    assert!(choice.reason.starts_with("explicit (dop853): the fastest rate, "), "{}", choice.reason);
}

#[test]
fn a_contact_that_rings_is_followed_explicitly_and_one_at_rest_implicitly() {
    // k = 1e8, m = 1, hardly damped: 1e4 rad/s.
    let contact = Law::new(2, |t, y, dy| {
        dy[0] = y[1];
        dy[1] = 10.0 * math::cos(t) - 1e8 * y[0] - 2e4 * y[1];
    });
    let rest = choose(IntegratorKind::Auto, &contact, 0.0, &[1e-7, 0.0], &TOLERANCE, 10.0).unwrap();
    println!("{}", rest.reason);
    assert_eq!(rest.method, IntegratorKind::Radau);
    assert!((5e3..2e4).contains(&rest.fastest_rate), "{rest:?}");
    assert!(rest.accurate_step > 10.0 * rest.stable_step);

    let ringing = Law::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = -1e8 * y[0];
    });
    let choice = choose(IntegratorKind::Auto, &ringing, 0.0, &[0.0, -1.0], &TOLERANCE, 10.0).unwrap();
    println!("{}", choice.reason);
    assert_eq!(choice.method, IntegratorKind::Dop853);
    assert!((5e3..2e4).contains(&choice.fastest_rate), "{choice:?}");
}

#[test]
fn a_first_transient_does_not_hide_stiffness() {
    let system = Law::new(1, |t, y, dy| dy[0] = -1e6 * (y[0] - math::cos(t)) - math::sin(t));
    let choice = choose(IntegratorKind::Auto, &system, 0.0, &[3.0], &TOLERANCE, 10.0).unwrap();
    println!("{}", choice.reason);
    assert_eq!(choice.method, IntegratorKind::Radau);
    assert!((choice.fastest_rate / 1e6 - 1.0).abs() < 0.01);
    // And the integrator it makes is that one.
    let mut integrator = choice.make(TOLERANCE);
    assert_eq!(integrator.name(), "radau");
    integrator.restart(&system, 0.0, &[3.0], None).unwrap();
    run(integrator.as_mut(), &system, 10.0);
    assert!((integrator.state()[0] - math::cos(10.0)).abs() < 1e-6);
    assert!(integrator.info().accepted < 500);
}

#[test]
fn a_run_shorter_than_the_fastest_process_is_explicit() {
    let system = Law::new(1, |_, y, dy| dy[0] = -1e6 * y[0]);
    let choice = choose(IntegratorKind::Auto, &system, 0.0, &[1.0], &TOLERANCE, 1e-6).unwrap();
    assert_eq!(choice.method, IntegratorKind::Dop853);
}

#[test]
fn what_is_asked_for_is_taken() {
    let system = Law::new(1, |_, _, dy| dy[0] = f64::NAN);
    for method in [IntegratorKind::Dop853, IntegratorKind::Radau] {
        let choice = choose(method, &system, 0.0, &[0.0], &TOLERANCE, 1.0).unwrap();
        assert_eq!(choice.method, method);
        assert!(choice.reason.ends_with("as asked for"));
    }
}

#[test]
fn degenerate_systems_get_an_answer() {
    let empty = Law::new(0, |_, _, _| {});
    assert_eq!(
        choose(IntegratorKind::Auto, &empty, 0.0, &[], &TOLERANCE, 1.0).unwrap().method,
        IntegratorKind::Dop853
    );
    let rest = Law::new(2, |_, _, dy| dy.fill(0.0));
    assert_eq!(
        choose(IntegratorKind::Auto, &rest, 0.0, &[0.0, 1.0], &TOLERANCE, 1.0).unwrap().method,
        IntegratorKind::Dop853
    );
    // Ballistic motion: its Jacobian has no eigenvalue but zero, and the iteration ends there.
    let fall = Law::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = -9.81;
    });
    assert_eq!(
        choose(IntegratorKind::Auto, &fall, 0.0, &[1.0, 0.0], &TOLERANCE, 1.0).unwrap().method,
        IntegratorKind::Dop853
    );
    let broken = Law::new(1, |_, _, dy| dy[0] = f64::NAN);
    let error = choose(IntegratorKind::Auto, &broken, 0.0, &[0.0], &TOLERANCE, 1.0).unwrap_err();
    assert!(matches!(error, StepError::NotFinite { index: 0, .. }));
}
