//! The program `Modia3D`'s bouncing sphere, by its rules and an integration of our own.

use zerogap_contact::law::modia3d::{
    LARGEST_DAMPING, SLOW, damping, effective_radius, friction, regularized, rolling,
};
use zerogap_contact::law::{Begin, NormalLaw};
use zerogap_contact::material::MaterialTable;
use zerogap_core::Vec3;
use zerogap_core::math::pow;

/// Gravity [m/s²].
const GRAVITY: f64 = 9.81;

/// One step of Runge and Kutta's method for height and velocity.
fn step((s, v): (f64, f64), h: f64, acceleration: &impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let (k1, l1) = (v, acceleration(s, v));
    let (k2, l2) = (v + 0.5 * h * l1, acceleration(s + 0.5 * h * k1, v + 0.5 * h * l1));
    let (k3, l3) = (v + 0.5 * h * l2, acceleration(s + 0.5 * h * k2, v + 0.5 * h * l2));
    let (k4, l4) = (v + h * l3, acceleration(s + h * k3, v + h * l3));
    (s + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), v + h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4))
}

/// Height and velocity of the sphere at `end`: flights in closed form, contacts in small steps, a new law at each of them.
fn bounce(end: f64, steps_per_contact: f64) -> (f64, f64, usize) {
    let table = MaterialTable::builtin();
    let steel = table.id("steel").unwrap();
    let pair = table.pair(steel, steel).unwrap();
    let mass = 0.001;
    let (mut time, mut s, mut v) = (0.0, 1.0, 0.0);
    let mut impacts = 0;
    loop {
        // Fall from s with v: down again at the later root of s + v t - g t² / 2.
        let flight = (v + (v * v + 2.0 * GRAVITY * s).sqrt()) / GRAVITY;
        if time + flight > end {
            let t = end - time;
            return (s + v * t - 0.5 * GRAVITY * t * t, v - GRAVITY * t, impacts);
        }
        time += flight;
        (s, v) = (0.0, v - GRAVITY * flight);
        impacts += 1;
        let radius = effective_radius((0.1, false), (0.05, true));
        let properties = pair.properties;
        let begin = Begin {
            approach: -v,
            stiffness_modulus: pair.modulus,
            radius,
            effective_mass: mass,
            restitution: properties.restitution,
        };
        let law = NormalLaw::Modia3d.begin(&begin);
        let acceleration = |s: f64, v: f64| law.force(-s, -v) / mass - GRAVITY;
        // Hertz' contact lasts 2.94 of the greatest depth over the speed.
        let deepest = pow(1.25 * mass * v * v / law.force(1.0, 0.0), 0.4);
        let h = 2.94 * deepest / v.abs() / steps_per_contact;
        loop {
            let next = step((s, v), h, &acceleration);
            if next.0 > 0.0 {
                break;
            }
            (s, v) = next;
            time += h;
        }
        // The rest of the contact, by Newton on the length of the step.
        let mut rest = 0.5 * h;
        for _ in 0..20 {
            let (height, speed) = step((s, v), rest, &acceleration);
            rest -= height / speed;
        }
        (_, v) = step((s, v), rest, &acceleration);
        (time, s) = (time + rest, 0.0);
    }
}

#[test]
fn the_bouncing_sphere_is_where_an_independent_integration_put_it() {
    let (s, v, impacts) = bounce(2.2, 2e4);
    println!("after {impacts} impacts: v = {v:.9} m/s, s = {s:.9e} m");
    assert!((v - -0.441_811_9).abs() < 1e-6, "{v}");
    assert!((s - 3.862_68e-4).abs() < 1e-8, "{s:e}");
    // The step does not matter any more: what is left is the rounding of forty thousand of them.
    let (finer, w, _) = bounce(2.2, 4e4);
    assert!((s - finer).abs() < 1e-10 && (v - w).abs() < 1e-9, "{:e} {:e}", s - finer, v - w);
}

#[test]
fn the_damping_follows_its_rule() {
    assert!((damping(0.7, 2.0) - 2.4 / 7.0).abs() < 1e-15);
    assert!((damping(0.7, -2.0) - 2.4 / 7.0).abs() < 1e-15);
    assert!(damping(1.0, 2.0) == 0.0);
    for (e, v) in [(0.0, 2.0), (0.7, SLOW), (1.0, 0.0), (0.7, 0.0), (0.01, 0.02)] {
        assert!((damping(e, v) - LARGEST_DAMPING).abs() < 1e-12, "{e} {v}");
    }
}

#[test]
fn speeds_are_regularized_smoothly() {
    assert!((regularized(0.0, 0.01) - 0.01 / 3.0).abs() < 1e-18);
    assert!((regularized(0.02, 0.01) - 0.02).abs() < 1e-18);
    // Value and slope agree at the bend.
    let h = 1e-8;
    assert!((regularized(0.01 - h, 0.01) - (0.01 - h)).abs() < 1e-15);
    let sliding = Vec3::new(0.003, -0.004, 0.0);
    let expected = sliding * (-0.5 * 10.0 / (0.005 * 0.5 * (1.0 - 0.5 / 3.0) + 0.01 / 3.0));
    assert!((friction(0.5, 10.0, &sliding) - expected).amax() < 1e-15);
    let fast = rolling(0.001, 0.1, 10.0, &Vec3::new(0.0, 0.0, 3.0));
    assert!((fast - Vec3::new(0.0, 0.0, -0.001)).amax() < 1e-18);
}

#[test]
fn the_normal_force_pulls_where_the_program_lets_it() {
    let begin =
        Begin { approach: 1.0, stiffness_modulus: 1e11, radius: 0.1, effective_mass: 1.0, restitution: 0.7 };
    let force = NormalLaw::Modia3d.begin(&begin);
    assert!(force.force(1e-6, -1e3) < 0.0);
    assert!(force.force(-1e-6, 0.0) < 0.0);
    assert!((force.force(1e-6, 0.0) + force.force(-1e-6, 0.0)).abs() < 1e-9);
}

#[test]
fn a_flat_side_drops_out_unless_both_are_flat() {
    let close = |value: f64, expected: f64| (value - expected).abs() < 1e-15;
    assert!(close(effective_radius((0.1, false), (0.05, true)), 0.1));
    assert!(close(effective_radius((0.05, true), (0.1, false)), 0.1));
    assert!(close(effective_radius((0.75, false), (0.05, false)), 0.046_875));
    assert!(close(effective_radius((0.3, true), (0.6, true)), 0.2));
    // A half-space has no extent and drops out.
    let plane = (f64::INFINITY, true);
    assert!(close(effective_radius((0.3, true), plane), 0.3));
    assert!(close(effective_radius(plane, (0.3, false)), 0.3));
}
