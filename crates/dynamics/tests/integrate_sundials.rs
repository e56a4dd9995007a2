//! CVODE behind the same trait: the same promises, and the same answers as the methods written here.

#![cfg(feature = "sundials")]

mod problems;

use problems::{Kepler, Law, run};
use zerogap_core::math;
use zerogap_dynamics::integrate::{Dop853, Integrator, StepError, Sundials, Tolerance};

const TOLERANCE: Tolerance = Tolerance { relative: 1e-8, absolute: 1e-10 };

fn bits(y: &[f64]) -> Vec<u64> {
    y.iter().map(|v| v.to_bits()).collect()
}

#[test]
fn it_agrees_with_the_explicit_method_and_the_exact_orbit() {
    let kepler = Kepler::new(0.3);
    let mut cvode = Sundials::new(TOLERANCE);
    let mut dop853 = Dop853::new(TOLERANCE);
    for integrator in [&mut cvode as &mut dyn Integrator, &mut dop853] {
        integrator.restart(&kepler, 0.0, &kepler.start(), None).unwrap();
        run(integrator, &kepler, 5.0);
        assert_eq!(integrator.t().to_bits(), 5.0_f64.to_bits());
        for (y, exact) in integrator.state().iter().zip(kepler.exact(5.0)) {
            assert!((y - exact).abs() < 1e-5, "{y} {exact}");
        }
    }
    println!("cvode {:?}\ndop853 {:?}", cvode.info(), dop853.info());
}

#[test]
fn dense_output_joins_the_states_and_is_close_between() {
    let kepler = Kepler::new(0.3);
    let mut cvode = Sundials::new(TOLERANCE);
    cvode.restart(&kepler, 0.0, &kepler.start(), None).unwrap();
    let mut before = kepler.start().to_vec();
    let mut y = [0.0; 4];
    while cvode.t() < 3.0 {
        cvode.step(&kepler, 3.0).unwrap();
        let (a, b) = (cvode.t_before(), cvode.t());
        cvode.dense(a, &mut y);
        assert_eq!(y.map(f64::to_bits).to_vec(), bits(&before));
        cvode.dense(b, &mut y);
        assert_eq!(y.map(f64::to_bits).to_vec(), bits(cvode.state()));
        for k in 1..8 {
            let t = a + (b - a) * f64::from(k) / 8.0;
            cvode.dense(t, &mut y);
            for (y, exact) in y.iter().zip(kepler.exact(t)) {
                assert!((y - exact).abs() < 1e-5, "{y} {exact} at {t}");
            }
        }
        before = cvode.state().to_vec();
    }
}

#[test]
fn stiff_problems_take_few_steps() {
    let system = Law::new(1, |t, y, dy| dy[0] = -1e6 * (y[0] - math::cos(t)) - math::sin(t));
    let mut cvode = Sundials::new(TOLERANCE);
    cvode.restart(&system, 0.0, &[3.0], None).unwrap();
    run(&mut cvode, &system, 5.0);
    println!("{:?}", cvode.info());
    assert!((cvode.state()[0] - math::cos(5.0)).abs() < 1e-6);
    assert!(cvode.info().accepted < 1000 && cvode.info().jacobians > 0);
    // Robertson at t = 40, from the example that comes with CVODE.
    let robertson = Law::new(3, |_, y, dy| {
        dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
        dy[2] = 3e7 * y[1] * y[1];
        dy[1] = -dy[0] - dy[2];
    });
    cvode.restart(&robertson, 0.0, &[1.0, 0.0, 0.0], None).unwrap();
    run(&mut cvode, &robertson, 40.0);
    let exact = [0.715_827_068_7, 0.918_553_476_5e-5, 0.284_163_745_7];
    for (y, exact) in cvode.state().iter().zip(exact) {
        assert!((y - exact).abs() < 1e-5 * exact, "{y} {exact}");
    }
}

#[test]
fn it_lands_on_awkward_limits_and_changes_size() {
    let mut cvode = Sundials::new(TOLERANCE);
    for n in [2, 1, 0, 3, 3] {
        let decay = Law::new(n, |_, y, dy| {
            for i in 0..y.len() {
                dy[i] = -(i as f64 + 1.0) * y[i];
            }
        });
        cvode.restart(&decay, 0.5, &vec![1.0; n], None).unwrap();
        // The first is one spacing away, before any step was made; some follow each other by one.
        for limit in [0.5_f64.next_up(), 0.7, 0.7_f64.next_up(), 1.0, 1.0 + 1e-12, 1.5] {
            run(&mut cvode, &decay, limit);
            assert_eq!(cvode.t().to_bits(), limit.to_bits());
            for (i, y) in cvode.state().iter().enumerate() {
                let exact = math::exp(-(i as f64 + 1.0) * (limit - 0.5));
                assert!((y - exact).abs() < 1e-6, "{y} {exact} at {limit}");
            }
        }
    }
}

#[test]
fn a_correction_is_where_it_goes_on_from() {
    let fall = Law::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = -9.81;
    });
    let mut cvode = Sundials::new(TOLERANCE);
    cvode.restart(&fall, 0.0, &[10.0, 0.0], None).unwrap();
    run(&mut cvode, &fall, 0.5);
    let corrected = [cvode.state()[0] + 1e-9, cvode.state()[1]];
    cvode.correct(&fall, &corrected).unwrap();
    assert_eq!(bits(cvode.state()), bits(&corrected));
    run(&mut cvode, &fall, 1.0);
    // Ten times what one step may be off by.
    assert!((cvode.state()[0] - (10.0 - 0.5 * 9.81)).abs() < 1e-6);
    assert!(cvode.correct(&fall, &[f64::NAN, 0.0]).is_err());
}

#[test]
fn what_is_not_finite_shortens_the_step_or_is_an_error() {
    let wall = Law::new(1, |_, y, dy| dy[0] = if y[0] < 1.0 { 1.0 - y[0] } else { f64::NAN });
    let mut cvode = Sundials::new(TOLERANCE);
    cvode.restart(&wall, 0.0, &[0.0], Some(50.0)).unwrap();
    run(&mut cvode, &wall, 3.0);
    assert!((cvode.state()[0] - (1.0 - math::exp(-3.0))).abs() < 1e-6);

    let end = Law::new(1, |t, _, dy| dy[0] = if t < 1.0 { 1.0 } else { f64::NAN });
    cvode.restart(&end, 0.0, &[0.0], None).unwrap();
    let error = loop {
        let t = cvode.t();
        if let Err(error) = cvode.step(&end, 2.0) {
            assert_eq!(cvode.t().to_bits(), t.to_bits());
            break error;
        }
        assert!(cvode.t() < 1.0);
    };
    // It creeps up to the end with steps that are defined, until one does not move.
    let (StepError::NotFinite { t, .. } | StepError::TooSmall { t, .. }) = error;
    assert!((t - 1.0).abs() < 1e-9, "{error}");
    assert!(cvode.restart(&end, 1.5, &[0.0], None).is_err());
}

#[test]
fn two_runs_have_the_same_bits() {
    let kepler = Kepler::new(0.6);
    let run_once = || {
        let mut cvode = Sundials::new(TOLERANCE);
        cvode.restart(&kepler, 0.0, &kepler.start(), None).unwrap();
        run(&mut cvode, &kepler, 2.0);
        bits(cvode.state())
    };
    assert_eq!(run_once(), run_once());
}
