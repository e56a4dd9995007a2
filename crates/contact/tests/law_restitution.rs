//! The damping that delivers a restitution, against the motion itself: a mass that flies into a contact and out of it, integrated here.

use zerogap_contact::law::{
    Begin, NormalLaw, SLOWEST_APPROACH, SMALLEST_RESTITUTION, damping_for_restitution, damping_speed_product,
    restitution_delivered,
};
use zerogap_core::math::ln;
use zerogap_testkit::count;
use zerogap_testkit::quadrature::integrate;

/// Speed at which a mass of 1 kg leaves a contact that it meets at `speed`, by Runge and Kutta's method with a fixed step.
///
/// With a stiffness of 1 N/m^1.5 and speeds about 1 m/s, contacts last some seconds; the error of the step and of the kink at the surface is below 1e-10.
fn speed_out(law: NormalLaw, restitution: f64, speed: f64, step: f64) -> f64 {
    let begin =
        Begin { approach: speed, stiffness_modulus: 0.75, radius: 1.0, effective_mass: 1.0, restitution };
    let force = law.begin(&begin);
    let slope = |(x, v): (f64, f64)| (v, -force.force(x, v));
    let moved = |(x, v): (f64, f64), h: f64, (dx, dv): (f64, f64)| (x + h * dx, v + h * dv);
    let mut state = (0.0, speed);
    for _ in 0..100_000_000 {
        let k1 = slope(state);
        let k2 = slope(moved(state, 0.5 * step, k1));
        let k3 = slope(moved(state, 0.5 * step, k2));
        let k4 = slope(moved(state, step, k3));
        let mean = |a: f64, b: f64, c: f64, d: f64| (a + 2.0 * b + 2.0 * c + d) / 6.0;
        state = moved(state, step, (mean(k1.0, k2.0, k3.0, k4.0), mean(k1.1, k2.1, k3.1, k4.1)));
        if state.0 <= 0.0 {
            return -state.1;
        }
    }
    panic!("the mass must leave the contact");
}

#[test]
fn hunt_crossley_delivers_the_restitution_asked_for() {
    let cases = count(8, 48);
    let mut worst = 0.0_f64;
    for k in 0..cases {
        let e = 0.05 + (0.99 - 0.05) * k as f64 / (cases - 1) as f64;
        for speed in [1.0, 0.3] {
            let delivered = speed_out(NormalLaw::HuntCrossley, e, speed, 1e-4) / speed;
            worst = worst.max((delivered - e).abs());
            assert!((delivered - e).abs() < 1e-8, "asked for {e}, got {delivered}");
        }
    }
    println!("largest difference of restitution asked for and delivered: {worst:e}");
}

#[test]
fn hertz_gives_back_all_energy() {
    assert!((speed_out(NormalLaw::Hertz, 0.3, 1.0, 1e-4) - 1.0).abs() < 1e-8);
}

#[test]
fn the_known_products_of_damping_and_speed_come_out() {
    assert!((damping_speed_product(0.9) - 0.166_481_95).abs() < 1e-8);
    assert!((damping_speed_product(0.5) - 1.432_750_53).abs() < 1e-8);
    // What the usual rule 8 (1 - e) / (5 e) delivers instead.
    assert!((restitution_delivered(8.0 * 0.1 / 4.5) - 0.8939).abs() < 5e-5);
    assert!((restitution_delivered(1.6) - 0.4704).abs() < 5e-5);
}

#[test]
fn both_ways_undo_each_other() {
    let cases = count(2_000, 200_000);
    let mut worst = 0.0_f64;
    for k in 1..cases {
        let e = SMALLEST_RESTITUTION + (1.0 - SMALLEST_RESTITUTION) * k as f64 / cases as f64;
        worst = worst.max((restitution_delivered(damping_speed_product(e)) - e).abs());
    }
    assert!(worst < 1e-14, "{worst:e}");
}

#[test]
fn the_relation_holds_to_thirteen_digits() {
    // By bisection on the relation as it is written, where its logarithms keep their digits.
    for e in [0.02, 0.05, 0.1, 0.3, 0.5, 0.7] {
        let mismatch = |y0: f64| (-e * y0 - ln(1.0 - e * y0)) - (y0 - ln(1.0 + y0));
        let (mut low, mut high) = (1e-3, (1.0 - 1e-16) / e);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            *(if mismatch(middle) < 0.0 { &mut low } else { &mut high }) = middle;
        }
        let found = damping_speed_product(e);
        assert!((found / low - 1.0).abs() < 1e-13, "{e}: {found} {low}");
    }
}

#[test]
fn the_relation_holds_where_logarithms_would_cancel() {
    // Both sides as integrals, of t / (1 - t) up to y and of t / (1 + t) up to y0: no digits are lost.
    for e in [0.6, 0.8, 0.855, 0.86, 0.87, 0.9, 0.95, 0.99] {
        let y0 = damping_speed_product(e);
        let left = integrate(0.0, e * y0, 30, |t| t / (1.0 - t));
        let right = integrate(0.0, y0, 30, |t| t / (1.0 + t));
        // Their ratio rises by about 4/3 y0 for one relative unit of y0.
        assert!((left / right - 1.0).abs() < 1e-13 * 4.0 / 3.0 * y0, "{e}: {:e}", left / right - 1.0);
    }
}

#[test]
fn near_one_the_damping_follows_its_expansion() {
    // With s = 1 - e: d v0 = 3/2 (s + s²) + O(s³), and the loss keeps all its digits down to the last bit of e.
    let mut before = f64::INFINITY;
    for power in [4, 6, 8, 10, 12, 14] {
        let e = 1.0 - 10.0_f64.powi(-power);
        let s = 1.0 - e;
        let found = damping_speed_product(e);
        let off = (found / (1.5 * (s + s * s)) - 1.0).abs();
        assert!(off < 2.0 * s * s + 1e-15, "{power}: {off:e}");
        assert!(found < before && found > 0.0);
        before = found;
    }
    assert_eq!(damping_speed_product(1.0).to_bits(), 0.0_f64.to_bits());
}

#[test]
fn no_restitution_and_no_speed_have_stated_limits() {
    // e = 0 counts as 0.01, which is 1 / e to rounding.
    assert!((damping_for_restitution(0.0, 1.0) - 1.0 / SMALLEST_RESTITUTION).abs() < 1e-11);
    // A contact that starts at rest is damped as one at a millimetre per second.
    let resting = damping_for_restitution(0.7, 0.0);
    assert!((resting / damping_for_restitution(0.7, SLOWEST_APPROACH) - 1.0).abs() < 1e-15);
    assert!((resting * SLOWEST_APPROACH / damping_speed_product(0.7) - 1.0).abs() < 1e-15);
    // Nothing asked from outside gives anything but a number from 0.
    for e in [f64::NAN, f64::NEG_INFINITY, -1.0, 0.0, 1.0, 2.0, f64::INFINITY, 1e-300, 1.0 - 1e-16] {
        for v in [f64::NAN, f64::NEG_INFINITY, 0.0, 1e-300, 1.0, 1e300] {
            let d = damping_for_restitution(e, v);
            assert!(d >= 0.0 && d.is_finite(), "{e} {v} {d}");
        }
        let back = restitution_delivered(e);
        assert!((0.0..=1.0).contains(&back), "{e} {back}");
    }
    assert!(restitution_delivered(1e300) <= 1e-300);
}

#[test]
fn more_damping_never_bounces_higher() {
    let cases = count(2_000, 100_000);
    let mut before = 1.0;
    for k in 1..cases {
        let e = restitution_delivered(20.0 * k as f64 / cases as f64);
        assert!(e < before);
        before = e;
    }
}
