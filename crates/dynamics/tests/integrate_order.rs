//! What a tolerance buys, and how good the dense output is, measured on motions with closed forms.

mod problems;

use problems::{Kepler, Pendulum, Top, run};
use zerogap_core::math;
use zerogap_dynamics::integrate::{Dop853, Integrator, Radau, System, Tolerance};

/// Slope of the straight line through the points.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let (top, bottom) =
        points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p.0 - x) * (p.1 - y), s.1 + (p.0 - x) * (p.0 - x)));
    top / bottom
}

type Make = fn(Tolerance) -> Box<dyn Integrator>;

fn dop853(tolerance: Tolerance) -> Box<dyn Integrator> {
    Box::new(Dop853::new(tolerance))
}

fn radau(tolerance: Tolerance) -> Box<dyn Integrator> {
    Box::new(Radau::new(tolerance))
}

fn worst(y: &[f64], exact: &[f64]) -> f64 {
    y.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Error at the end of a run against the tolerance, from 1e-4 to 1e-10: the power with which it goes.
fn power(name: &str, make: Make, system: &dyn System, exact: &dyn Fn(f64) -> Vec<f64>, end: f64) -> f64 {
    let mut points = Vec::new();
    for k in 0..=12 {
        let relative = math::pow(10.0, -4.0 - 0.5 * f64::from(k));
        let mut integrator = make(Tolerance { relative, absolute: relative });
        integrator.restart(system, 0.0, &exact(0.0), None).unwrap();
        run(integrator.as_mut(), system, end);
        let error = worst(integrator.state(), &exact(end));
        let info = integrator.info();
        println!(
            "{name:9} rtol {relative:.1e}: error {error:.1e}, steps {} + {}, evaluations {}",
            info.accepted, info.rejected, info.evaluations
        );
        points.push((math::ln(relative), math::ln(error)));
    }
    slope(&points)
}

#[test]
fn the_error_of_the_explicit_method_goes_with_the_tolerance() {
    let kepler = Kepler::new(0.5);
    let pendulum = Pendulum { m: 0.6 };
    let powers = [
        power("kepler", dop853, &kepler, &|t| kepler.exact(t).to_vec(), 20.0),
        power("pendulum", dop853, &pendulum, &|t| pendulum.exact(t).to_vec(), 20.0),
        power("top", dop853, &Top, &|t| Top::exact(t).to_vec(), 20.0),
    ];
    println!("powers {powers:?}");
    assert!(powers.iter().all(|p| (0.8..1.2).contains(p)), "{powers:?}");
}

#[test]
fn the_error_of_the_implicit_method_falls_at_least_with_the_tolerance() {
    let kepler = Kepler::new(0.5);
    let pendulum = Pendulum { m: 0.6 };
    let powers = [
        power("kepler", radau, &kepler, &|t| kepler.exact(t).to_vec(), 20.0),
        power("pendulum", radau, &pendulum, &|t| pendulum.exact(t).to_vec(), 20.0),
        power("top", radau, &Top, &|t| Top::exact(t).to_vec(), 20.0),
    ];
    println!("powers {powers:?}");
    // The estimate is two orders below the method: h goes with the fourth root of the tolerance, the error with the fifth power of h.
    assert!(powers.iter().all(|p| (0.8..1.4).contains(p)), "{powers:?}");
}

/// Worst error of the dense output within one step from an exact state, against the step: the power with which it goes.
fn dense_power(make: Make, steps: &[f64]) -> f64 {
    let kepler = Kepler::new(0.3);
    let mut points = Vec::new();
    for &step in steps {
        let mut integrator = make(Tolerance { relative: 1.0, absolute: 1.0 });
        let mut error = 0.0_f64;
        for start in [0.5, 1.5, 2.5] {
            integrator.restart(&kepler, start, &kepler.exact(start), Some(step)).unwrap();
            integrator.step(&kepler, start + step).unwrap();
            assert_eq!(integrator.t().to_bits(), (start + step).to_bits(), "one step");
            let mut y = [0.0; 4];
            for k in 1..20 {
                let t = start + step * f64::from(k) / 20.0;
                integrator.dense(t, &mut y);
                error = error.max(worst(&y, &kepler.exact(t)));
            }
        }
        println!("step {step:.3}: dense error {error:.2e}");
        points.push((math::ln(step), math::ln(error)));
    }
    slope(&points)
}

#[test]
fn the_dense_output_of_the_explicit_method_is_of_order_seven() {
    // Local error one power above the order.
    let power = dense_power(dop853, &[0.34, 0.25, 0.19, 0.14, 0.11]);
    assert!(power > 7.5, "{power}");
}
