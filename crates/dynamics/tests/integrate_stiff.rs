//! The implicit method on problems that hold explicit ones to tiny steps, against published solutions and closed forms.

mod problems;

use problems::{Law, run};
use zerogap_core::math;
use zerogap_dynamics::integrate::{Dop853, Integrator, Radau, StepError, System, Tolerance};

fn solve(system: &dyn System, start: &[f64], end: f64, tolerance: Tolerance) -> Radau {
    let mut integrator = Radau::new(tolerance);
    integrator.restart(system, 0.0, start, None).unwrap();
    run(&mut integrator, system, end);
    let info = integrator.info();
    println!("{tolerance:?}: {info:?} {:?}", integrator.state());
    integrator
}

#[test]
fn van_der_pol_with_a_million_between_its_rates() {
    // y'' scaled by 1e-6; reference solution of the test set for initial value problems (Mazzia and Magherini 2008), problem vdpol.
    let system = Law::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
    });
    let exact = [1.706_167_732_170_483, -0.892_809_701_024_797_5];
    for relative in [1e-4, 1e-6, 1e-8] {
        let end = solve(&system, &[2.0, 0.0], 2.0, Tolerance { relative, absolute: relative });
        for (y, exact) in end.state().iter().zip(exact) {
            let error = (y - exact).abs();
            assert!(error < 20.0 * relative, "{relative}: {error}");
        }
        // The estimate is of order 3: twice as many steps for each digit, 300 for four of them.
        assert!((end.info().accepted as f64) < 30.0 / math::pow(relative, 0.25));
    }
}

#[test]
fn robertson_over_eleven_decades() {
    // Reference: the same test set, problem rober, at t = 1e11.
    let system = Law::new(3, |_, y, dy| {
        dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
        dy[2] = 3e7 * y[1] * y[1];
        dy[1] = -dy[0] - dy[2];
    });
    let exact = [0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505];
    let end = solve(&system, &[1.0, 0.0, 0.0], 1e11, Tolerance { relative: 1e-7, absolute: 1e-17 });
    for (y, exact) in end.state().iter().zip(exact) {
        let error = (y - exact).abs() / exact;
        assert!(error < 1e-6, "{y}: {error:e}");
    }
    assert!(end.info().accepted < 1500);
    let sum: f64 = end.state().iter().sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

/// A mass of 1 kg on a spring of 1e8 N/m with a damper, pulled by a slow force: at rest at first, so that the exact answer is a sum of three terms.
struct Contact {
    damping: f64,
}

impl Contact {
    const STIFFNESS: f64 = 1e8;

    /// Displacement for a force of 1e4 cos t, from the position of rest at t = 0 with no transient.
    fn exact(&self, t: f64) -> [f64; 2] {
        let (k, d) = (Self::STIFFNESS, self.damping);
        let (real, imaginary) = (k - 1.0, d);
        let scale = 1e4 / (real * real + imaginary * imaginary);
        let (sin, cos) = math::sin_cos(t);
        [scale * (real * cos + imaginary * sin), scale * (imaginary * cos - real * sin)]
    }
}

impl System for Contact {
    fn len(&self) -> usize {
        2
    }

    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = y[1];
        dy[1] = 1e4 * math::cos(t) - Self::STIFFNESS * y[0] - self.damping * y[1];
    }

    fn scale(&self, index: usize) -> f64 {
        // Penetrations are small.
        if index == 0 { 1e-4 } else { 1.0 }
    }
}

#[test]
fn a_stiff_damped_contact_is_followed_at_the_pace_of_its_load() {
    let tolerance = Tolerance { relative: 1e-6, absolute: 1e-9 };
    // Overdamped by 1e2 and critically damped: rates of 1e6 and 1e4 per second against a load of one.
    for damping in [1e6, 2e4] {
        let contact = Contact { damping };
        let end = solve(&contact, &contact.exact(0.0), 10.0, tolerance);
        let exact = contact.exact(10.0);
        // Ten times what one step may be off by.
        assert!((end.state()[0] - exact[0]).abs() < 1e-9, "{:?} {exact:?}", end.state());
        assert!((end.state()[1] - exact[1]).abs() < 1e-8, "{:?} {exact:?}", end.state());
        assert!(end.info().accepted < 150, "{:?}", end.info());
    }
    // The explicit method needs more steps than that for a hundredth of the time.
    let contact = Contact { damping: 2e4 };
    let mut explicit = Dop853::new(tolerance);
    explicit.restart(&contact, 0.0, &contact.exact(0.0), None).unwrap();
    run(&mut explicit, &contact, 0.1);
    println!("explicit over a hundredth of the time: {:?}", explicit.info());
    assert!(explicit.info().accepted > 150);
}

#[test]
fn a_ringing_contact_keeps_its_phase() {
    // Undamped, k = 1e8: 1e4 rad/s. A kilo that hits at 1 m/s leaves after half a period with the same speed.
    let system = Law::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = -1e8 * y[0];
    });
    let half = std::f64::consts::PI / 1e4;
    let mut integrator = Radau::new(Tolerance { relative: 1e-8, absolute: 1e-12 });
    integrator.restart(&system, 0.0, &[0.0, -1.0], None).unwrap();
    run(&mut integrator, &system, half);
    println!("{:?} {:?}", integrator.state(), integrator.info());
    assert!((integrator.state()[1] - 1.0).abs() < 1e-6 && integrator.state()[0].abs() < 1e-10);
    assert!(integrator.info().accepted < 200);
}

#[test]
fn fast_transients_are_resolved_and_then_forgotten() {
    // Prothero and Robinson: y' = -1e6 (y - cos t) - sin t, from far off the slow solution.
    let system = Law::new(1, |t, y, dy| dy[0] = -1e6 * (y[0] - math::cos(t)) - math::sin(t));
    let mut integrator = Radau::new(Tolerance { relative: 1e-7, absolute: 1e-9 });
    integrator.restart(&system, 0.0, &[3.0], None).unwrap();
    let (mut y, mut worst) = ([0.0], 0.0_f64);
    while integrator.t() < 5.0 {
        integrator.step(&system, 5.0).unwrap();
        // The dense output is good in every step, though steps are up to 1e5 times as long as the transient.
        for k in 0..=10 {
            let t = integrator.t_before() + (integrator.t() - integrator.t_before()) * f64::from(k) / 10.0;
            integrator.dense(t, &mut y);
            worst = worst.max((y[0] - math::cos(t) - 2.0 * math::exp(-1e6 * t)).abs());
        }
    }
    println!("dense output off by {worst:.1e}: {:?}", integrator.info());
    assert!((integrator.state()[0] - math::cos(5.0)).abs() < 2e-7);
    assert!(worst < 2e-7, "{worst}");
    assert!(integrator.info().accepted < 250);
}

#[test]
fn a_hundred_states_that_spread_heat() {
    // Rows of a rod: rates from 10 to 4e4; against the closed form of the discrete modes.
    let n = 100;
    let h = 1.0 / (n as f64 + 1.0);
    let system = Law::new(n, move |_, y: &[f64], dy: &mut [f64]| {
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { 0.0 };
            let right = if i + 1 < n { y[i + 1] } else { 0.0 };
            dy[i] = (left - 2.0 * y[i] + right) / (h * h);
        }
    });
    let mode = |k: f64, i: usize| math::sin(std::f64::consts::PI * k * (i as f64 + 1.0) * h);
    let start: Vec<f64> = (0..n).map(|i| mode(1.0, i) + 0.5 * mode(60.0, i)).collect();
    let end = solve(&system, &start, 0.1, Tolerance { relative: 1e-6, absolute: 1e-9 });
    let half = math::sin(0.5 * std::f64::consts::PI * h);
    let decay = math::exp(-4.0 * half * half / (h * h) * 0.1);
    for i in 0..n {
        assert!((end.state()[i] - decay * mode(1.0, i)).abs() < 1e-6);
    }
    assert!(end.info().accepted < 100 && end.info().jacobians < 20, "{:?}", end.info());
}

#[test]
fn the_implicit_method_lands_changes_size_and_repeats_its_bits() {
    let tolerance = Tolerance { relative: 1e-6, absolute: 1e-9 };
    let mut integrator = Radau::new(tolerance);
    for n in [3, 1, 5, 0, 2] {
        let decay = Law::new(n, |_, y, dy| {
            for i in 0..y.len() {
                dy[i] = -1000.0 * (i as f64 + 1.0) * (y[i] - 1.0);
            }
        });
        integrator.restart(&decay, 0.0, &vec![0.0; n], None).unwrap();
        for limit in [1e-3, 1e-3_f64.next_up(), 0.5, 1.0] {
            run(&mut integrator, &decay, limit);
            assert_eq!(integrator.t().to_bits(), limit.to_bits());
            for (i, y) in integrator.state().iter().enumerate() {
                let exact = 1.0 - math::exp(-1000.0 * (i as f64 + 1.0) * limit);
                assert!((y - exact).abs() < 1e-5, "{y} {exact}");
            }
        }
    }
    // Two restarts from what can be saved go the same way.
    let system = Law::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = 100.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
    });
    let mut first = Radau::new(tolerance);
    first.restart(&system, 0.0, &[2.0, 0.0], None).unwrap();
    for _ in 0..20 {
        first.step(&system, 200.0).unwrap();
    }
    let (t, y, h) = (first.t(), first.state().to_vec(), first.next_step());
    first.restart(&system, t, &y, Some(h)).unwrap();
    let mut second = Radau::new(tolerance);
    second.restart(&system, t, &y, Some(h)).unwrap();
    for _ in 0..50 {
        first.step(&system, 200.0).unwrap();
        second.step(&system, 200.0).unwrap();
        assert_eq!(first.t().to_bits(), second.t().to_bits());
        assert_eq!(first.state()[1].to_bits(), second.state()[1].to_bits());
    }
}

#[test]
fn the_implicit_method_survives_what_is_not_finite() {
    let tolerance = Tolerance { relative: 1e-6, absolute: 1e-9 };
    // Defined up to y = 1 only, which the solution never reaches.
    let wall = Law::new(1, |_, y, dy| dy[0] = if y[0] < 1.0 { 1.0 - y[0] } else { f64::NAN });
    let mut integrator = Radau::new(tolerance);
    integrator.restart(&wall, 0.0, &[0.0], Some(50.0)).unwrap();
    run(&mut integrator, &wall, 3.0);
    assert!((integrator.state()[0] - (1.0 - math::exp(-3.0))).abs() < 1e-5);
    // Nowhere defined after t = 1.
    let end = Law::new(1, |t, _, dy| dy[0] = if t < 1.0 { 1.0 } else { f64::NAN });
    integrator.restart(&end, 0.0, &[0.0], None).unwrap();
    let error = loop {
        let t = integrator.t();
        if let Err(error) = integrator.step(&end, 2.0) {
            assert_eq!(integrator.t().to_bits(), t.to_bits());
            break error;
        }
    };
    assert!(matches!(error, StepError::NotFinite { index: 0, t } if (t - 1.0).abs() < 1e-12), "{error}");
    // A pole ends it.
    let pole = Law::new(1, |_, y, dy| dy[0] = y[0] * y[0]);
    integrator.restart(&pole, 0.0, &[1.0], None).unwrap();
    let mut steps = 0;
    while integrator.step(&pole, 2.0).is_ok() {
        steps += 1;
        assert!(steps < 5000 && integrator.t() < 1.001);
    }
}
