//! The explicit method by its promises: it lands, survives what is not finite, changes size, and repeats its bits.

mod problems;

use problems::{Kepler, Law, run};
use zerogap_dynamics::integrate::{Dop853, Integrator, StepError, Tolerance};

const TOLERANCE: Tolerance = Tolerance { relative: 1e-8, absolute: 1e-10 };

fn bits(y: &[f64]) -> Vec<u64> {
    y.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn a_step_lands_on_its_limit_bit_for_bit() {
    let system = Law::new(1, |t, _, dy| dy[0] = zerogap_core::math::cos(t));
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&system, 0.1, &[0.0], None).unwrap();
    // Awkward limits, some of them one spacing after the last.
    for limit in [0.3, 0.3_f64.next_up(), 0.7, 1.0 / 3.0 + 1.0, 2.0, 2.0_f64.next_up(), 10.0] {
        let mut steps = 0;
        while integrator.t() < limit {
            let before = integrator.t();
            integrator.step(&system, limit).unwrap();
            assert_eq!(integrator.t_before().to_bits(), before.to_bits());
            assert!(integrator.t() > before && integrator.t() <= limit);
            steps += 1;
            // No sliver: whatever is left is worth a step.
            let left = limit - integrator.t();
            assert!(left <= 0.0 || left > 0.4 * (integrator.t() - before), "{left}");
        }
        assert_eq!(integrator.t().to_bits(), limit.to_bits());
        assert!(steps < 60, "{steps}");
        let exact = zerogap_core::math::sin(limit) - zerogap_core::math::sin(0.1);
        assert!((integrator.state()[0] - exact).abs() < 1e-7);
    }
    // A limit that lies behind is no step; one that is no number is an error.
    let t = integrator.t();
    integrator.step(&system, 1.0).unwrap();
    assert_eq!(integrator.t().to_bits(), t.to_bits());
    assert!(integrator.step(&system, f64::NAN).is_err());
}

#[test]
fn landing_short_does_not_shorten_what_follows() {
    let system = Kepler::new(0.3);
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&system, 0.0, &system.start(), None).unwrap();
    for _ in 0..5 {
        integrator.step(&system, 100.0).unwrap();
    }
    let wanted = integrator.next_step();
    let near = integrator.t() + 1e-9;
    integrator.step(&system, near).unwrap();
    assert!(integrator.next_step() >= wanted);
}

#[test]
fn a_restart_from_its_own_state_repeats_the_bits() {
    let system = Kepler::new(0.7);
    let mut straight = Dop853::new(TOLERANCE);
    straight.restart(&system, 0.0, &system.start(), None).unwrap();
    let mut restarted = straight.clone();
    for step in 0..300 {
        straight.step(&system, 40.0).unwrap();
        restarted.step(&system, 40.0).unwrap();
        // A fresh integrator that knows nothing but what can be saved.
        if step % 3 == 0 {
            let (t, y, h) = (restarted.t(), restarted.state().to_vec(), restarted.next_step());
            restarted = Dop853::new(TOLERANCE);
            restarted.restart(&system, t, &y, Some(h)).unwrap();
        }
        assert_eq!(straight.t().to_bits(), restarted.t().to_bits(), "step {step}");
        assert_eq!(bits(straight.state()), bits(restarted.state()), "step {step}");
        assert_eq!(straight.next_step().to_bits(), restarted.next_step().to_bits());
    }
}

#[test]
fn dense_output_joins_the_states_bit_for_bit_and_is_close_between() {
    let system = Kepler::new(0.5);
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&system, 0.0, &system.start(), None).unwrap();
    let mut y = [0.0; 4];
    let mut before = system.start().to_vec();
    while integrator.t() < 6.0 {
        integrator.step(&system, 6.0).unwrap();
        let (a, b) = (integrator.t_before(), integrator.t());
        integrator.dense(a, &mut y);
        assert_eq!(bits(&y), bits(&before));
        integrator.dense(b, &mut y);
        assert_eq!(bits(&y), bits(integrator.state()));
        for k in 1..8 {
            let t = a + (b - a) * f64::from(k) / 8.0;
            integrator.dense(t, &mut y);
            let exact = system.exact(t);
            let worst = (0..4).map(|i| (y[i] - exact[i]).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-6, "{worst} at {t}");
        }
        before = integrator.state().to_vec();
    }
}

#[test]
fn a_corrected_state_is_what_the_next_step_starts_from() {
    let system = Kepler::new(0.2);
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&system, 0.0, &system.start(), None).unwrap();
    integrator.step(&system, 10.0).unwrap();
    let mut y = integrator.state().to_vec();
    y[0] += 1e-9;
    integrator.correct(&system, &y).unwrap();
    let (t, h) = (integrator.t(), integrator.next_step());
    integrator.step(&system, 10.0).unwrap();
    // The same as a method without any history that starts there.
    let mut fresh = Dop853::new(TOLERANCE);
    fresh.restart(&system, t, &y, Some(h)).unwrap();
    fresh.step(&system, 10.0).unwrap();
    assert_eq!(bits(integrator.state()), bits(fresh.state()));
    // A correction that is not finite is refused, and nothing moves.
    let state = bits(integrator.state());
    assert!(matches!(integrator.correct(&system, &[f64::NAN; 4]), Err(StepError::NotFinite { .. })));
    assert_eq!(bits(integrator.state()), state);
}

#[test]
fn the_number_of_states_may_change_at_a_restart() {
    let mut integrator = Dop853::new(TOLERANCE);
    for n in [3, 1, 7, 0, 2] {
        let decay = Law::new(n, |_, y, dy| {
            for i in 0..y.len() {
                dy[i] = -(i as f64 + 1.0) * y[i];
            }
        });
        integrator.restart(&decay, 0.0, &vec![1.0; n], None).unwrap();
        run(&mut integrator, &decay, 1.0);
        assert_eq!(integrator.state().len(), n);
        for (i, y) in integrator.state().iter().enumerate() {
            assert!((y - zerogap_core::math::exp(-(i as f64 + 1.0))).abs() < 1e-8);
        }
    }
}

#[test]
fn without_states_time_still_passes() {
    let empty = Law::new(0, |_, _, _| {});
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&empty, 0.0, &[], None).unwrap();
    integrator.step(&empty, 5.0).unwrap();
    assert_eq!(integrator.t().to_bits(), 5.0_f64.to_bits());
    // Nor does a system at rest hold it up.
    let rest = Law::new(2, |_, _, dy| dy.fill(0.0));
    integrator.restart(&rest, 0.0, &[1.0, 0.0], None).unwrap();
    run(&mut integrator, &rest, 1e6);
    assert!(integrator.info().accepted < 60);
}

#[test]
fn a_stage_that_is_not_finite_shortens_the_step() {
    // Defined up to y = 1 only, which the solution 1 - exp(-t) never reaches: long trial steps do.
    let wall = Law::new(1, |_, y, dy| dy[0] = if y[0] < 1.0 { 1.0 - y[0] } else { f64::NAN });
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&wall, 0.0, &[0.0], Some(50.0)).unwrap();
    run(&mut integrator, &wall, 3.0);
    assert!((integrator.state()[0] - (1.0 - zerogap_core::math::exp(-3.0))).abs() < 1e-7);
    assert!(integrator.info().rejected > 0);
}

#[test]
fn what_stays_not_finite_is_an_error_and_nothing_moves() {
    // From t = 1 on there is no derivative.
    let end = Law::new(2, |t, _, dy| {
        dy[0] = 1.0;
        dy[1] = if t < 1.0 { 1.0 } else { f64::NAN };
    });
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&end, 0.0, &[0.0, 0.0], None).unwrap();
    let error = loop {
        let (t, y) = (integrator.t(), bits(integrator.state()));
        if let Err(error) = integrator.step(&end, 2.0) {
            assert_eq!((integrator.t().to_bits(), bits(integrator.state())), (t.to_bits(), y));
            break error;
        }
        assert!(integrator.t() < 1.0);
    };
    assert!(matches!(error, StepError::NotFinite { index: 1, t } if (t - 1.0).abs() < 1e-12), "{error}");
    // At the start it is an error at once.
    let error = integrator.restart(&end, 1.5, &[0.0, 0.0], None).unwrap_err();
    assert!(matches!(error, StepError::NotFinite { index: 1, .. }));
    assert!(integrator.restart(&end, 0.5, &[f64::INFINITY, 0.0], None).is_err());
}

#[test]
fn a_solution_that_escapes_ends_with_an_error() {
    // y = 1 / (1 - t).
    let pole = Law::new(1, |_, y, dy| dy[0] = y[0] * y[0]);
    let mut integrator = Dop853::new(TOLERANCE);
    integrator.restart(&pole, 0.0, &[1.0], None).unwrap();
    let mut steps = 0;
    let error = loop {
        if let Err(error) = integrator.step(&pole, 2.0) {
            break error;
        }
        steps += 1;
        assert!(steps < 5000 && integrator.t() < 1.001);
    };
    assert!(matches!(error, StepError::TooSmall { .. } | StepError::NotFinite { .. }), "{error}");
}

#[test]
fn tolerances_of_zero_end_with_an_error_or_a_step_but_never_hang() {
    let system = Kepler::new(0.1);
    for tolerance in
        [Tolerance { relative: 0.0, absolute: 0.0 }, Tolerance { relative: 1e-30, absolute: 0.0 }]
    {
        let mut integrator = Dop853::new(tolerance);
        integrator.restart(&system, 0.0, &system.start(), None).unwrap();
        assert!(integrator.step(&system, 1.0).is_err());
        assert!(integrator.info().rejected < 200);
    }
}
