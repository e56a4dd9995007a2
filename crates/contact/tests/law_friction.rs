//! Friction as a whole: what it holds, which way it pulls, and how sticking and slipping go over into each other.

use zerogap_contact::law::friction::{
    BristleDeflection, Grip, Pull, SLOW, Sliding, bristle_deflection, load, slip, stick, turning,
};
use zerogap_core::Vec3;
use zerogap_testkit::count;
use zerogap_testkit::random::Random;

/// A grip of some tyre.
const GRIP: Grip = Grip { friction: 0.4, static_friction: 0.6, stiffness: 2e5, damping: 150.0 };

/// Any sliding across z.
fn any_sliding(random: &mut Random) -> Sliding {
    let velocity = Vec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0);
    Sliding { velocity, spin: random.range(-20.0, 20.0) }
}

#[test]
fn slipping_uses_all_that_friction_holds_and_takes_energy() {
    let mut random = Random::new(1);
    for _ in 0..count(1000, 100_000) {
        let (sliding, radius) = (any_sliding(&mut random), random.range(0.0, 0.2));
        let reference = any_sliding(&mut random);
        let pull = slip(&GRIP, radius, 50.0, &sliding, &reference);
        assert!((load(&pull, radius, 50.0, GRIP.friction) - 1.0).abs() < 1e-14);
        if sliding.along(&reference, radius) >= 0.0 && sliding.speed(radius) >= 2.0 * SLOW {
            let power = pull.force.dot(&sliding.velocity) + pull.torque * sliding.spin;
            // The most that any pull within the limit could take: sliding is normal to the limit surface.
            assert!((power + 20.0 * sliding.speed(radius)).abs() < 1e-12);
        }
    }
}

#[test]
fn slow_sliding_turns_its_force_no_faster_than_its_velocity_changes() {
    let mut random = Random::new(3);
    let reference = Sliding { velocity: Vec3::new(0.6, 0.8, 0.0), spin: 0.0 };
    let (held, step) = (GRIP.friction * 50.0, 1e-9);
    for _ in 0..count(1000, 100_000) {
        // Anything that has not turned against the reference, down to almost nothing.
        let size = zerogap_core::math::pow(10.0, random.range(-12.0, -2.0));
        let mut velocity = Vec3::new(random.range(-1.0, 1.0), random.range(-1.0, 1.0), 0.0) * size;
        if velocity.dot(&reference.velocity) < 0.0 {
            velocity = -velocity;
        }
        let force = |v: Vec3| slip(&GRIP, 0.0, 50.0, &Sliding { velocity: v, spin: 0.0 }, &reference).force;
        let here = force(velocity);
        // All that friction holds, and never with the motion.
        assert!((here.norm() / held - 1.0).abs() < 1e-14 && here.dot(&velocity) <= 0.0);
        // The sum of sliding and what is kept is never shorter than this, and what is kept changes by less than twice as much as the sliding.
        let turned = (force(velocity + random.direction().component_mul(&Vec3::new(1.0, 1.0, 0.0)) * step)
            - here)
            .norm();
        assert!(
            turned <= held * 3.0 * step / (0.5 * SLOW) + 1e-12 * held,
            "{turned:e} at {:e}",
            velocity.norm()
        );
        // From twice the slow speed on, the reference does not matter.
        let fast = velocity.normalize() * 2.0 * SLOW;
        assert!((force(fast) + fast.normalize() * held).norm() < 1e-12 * held);
    }
}

#[test]
fn sliding_straight_and_spinning_in_place_are_the_known_cases() {
    let straight = Sliding { velocity: Vec3::new(3.0, -4.0, 0.0), spin: 0.0 };
    let pull = slip(&GRIP, 0.1, 10.0, &straight, &Sliding::zero());
    assert!((pull.force - Vec3::new(-2.4, 3.2, 0.0)).amax() < 1e-15 && pull.torque == 0.0);
    let spinning = Sliding { velocity: Vec3::zeros(), spin: -7.0 };
    let pull = slip(&GRIP, 0.1, 10.0, &spinning, &Sliding::zero());
    assert!(pull.force.amax() == 0.0 && (pull.torque - 0.4).abs() < 1e-15);
    // Spin at a point meets no resistance.
    let pull = slip(&GRIP, 0.0, 10.0, &spinning, &Sliding::zero());
    assert_eq!(pull, Pull::zero());
}

#[test]
fn the_force_does_not_change_where_sliding_stops_and_turns() {
    let reference = Sliding { velocity: Vec3::new(0.3, 0.4, 0.0), spin: 2.0 };
    let scaled = |s: f64| Sliding { velocity: reference.velocity * s, spin: reference.spin * s };
    let before = slip(&GRIP, 0.1, 10.0, &reference, &reference);
    for s in [0.5, 1e-12, 1e-200, 0.0, -1e-12, -0.7] {
        let pull = slip(&GRIP, 0.1, 10.0, &scaled(s), &reference);
        assert!((pull.force - before.force).amax() < 1e-14, "{s}");
        assert!((pull.torque - before.torque).abs() < 1e-14, "{s}");
        assert_eq!(scaled(s).along(&reference, 0.1) < 0.0, s < 0.0);
    }
    // Sideways sliding stays as it is, on both sides of the turn.
    let sideways = |s: f64| Sliding { velocity: Vec3::new(s, 0.2, 0.0), spin: 0.0 };
    let ahead = Sliding { velocity: Vec3::x(), spin: 0.0 };
    let (p, q) =
        (slip(&GRIP, 0.1, 10.0, &sideways(1e-9), &ahead), slip(&GRIP, 0.1, 10.0, &sideways(-1e-9), &ahead));
    assert!((p.force - q.force).amax() < 1e-15 && p.force.y < -3.9);
}

#[test]
fn slipping_goes_over_into_sticking_without_a_jump() {
    let mut random = Random::new(2);
    for _ in 0..count(1000, 100_000) {
        let (reference, radius) = (any_sliding(&mut random), random.range(0.01, 0.2));
        let pull = slip(&GRIP, radius, 50.0, &Sliding::zero(), &reference);
        let held = stick(&GRIP, radius, &bristle_deflection(&GRIP, radius, &pull), &Sliding::zero());
        assert!((held.force - pull.force).amax() < 1e-13 && (held.torque - pull.torque).abs() < 1e-13);
        // Friction at rest holds it.
        let share = load(&held, radius, 50.0, GRIP.static_friction);
        assert!((share - GRIP.friction / GRIP.static_friction).abs() < 1e-13);
    }
    // Without a radius or stiffness there is no deflection, and nothing is divided by zero.
    let pull = Pull { force: Vec3::x(), torque: 1.0 };
    assert_eq!(bristle_deflection(&GRIP, 0.0, &pull).twist.to_bits(), 0.0_f64.to_bits());
    assert_eq!(bristle_deflection(&Grip { stiffness: 0.0, ..GRIP }, 0.1, &pull), BristleDeflection::zero());
}

#[test]
fn sticking_is_a_spring_and_a_damper_that_store_and_take_energy() {
    let deflection = BristleDeflection { shift: Vec3::new(1e-3, 0.0, 0.0), twist: 1e-3 };
    let sliding = Sliding { velocity: Vec3::new(0.0, 2.0, 0.0), spin: 3.0 };
    let pull = stick(&GRIP, 0.1, &deflection, &sliding);
    assert!((pull.force - Vec3::new(-200.0, -300.0, 0.0)).amax() < 1e-12);
    assert!((pull.torque + (2e5 * 1e-3 + 150.0 * 3.0) * 0.01).abs() < 1e-12);
    let critical = Grip::damped(0.4, 0.6, 100.0, 1.0, 4.0);
    assert!((critical.damping - 40.0).abs() < 1e-12);
    assert!(Grip::damped(0.4, 0.6, 100.0, 1.0, f64::INFINITY).damping == 0.0);
}

#[test]
fn the_load_has_a_value_at_every_limit() {
    let pull = Pull { force: Vec3::new(3.0, 0.0, 0.0), torque: 0.4 };
    assert!((load(&pull, 0.1, 10.0, 0.5) - 1.0).abs() < 1e-15);
    assert!(load(&pull, 0.0, 10.0, 0.5).is_infinite());
    assert!(load(&pull, 0.1, 0.0, 0.5).is_infinite());
    assert!(load(&pull, 0.1, -1.0, 0.5).is_infinite());
    assert!(load(&Pull::zero(), 0.0, 0.0, 0.0) == 0.0);
    let forward = Pull { torque: 0.0, ..pull };
    assert!((load(&forward, 0.0, 10.0, 0.3) - 1.0).abs() < 1e-15);
}

#[test]
fn any_magnitude_of_sliding_has_a_direction() {
    for scale in [1e-300, 1e-150, 1.0, 1e150, 1e300] {
        let sliding = Sliding { velocity: Vec3::new(3.0, 4.0, 0.0) * scale, spin: 0.0 };
        let pull = slip(&GRIP, 0.1, 10.0, &sliding, &Sliding::zero());
        assert!((pull.force - Vec3::new(-2.4, -3.2, 0.0)).amax() < 1e-14, "{scale}");
        assert!((sliding.speed(0.1) / scale - 5.0).abs() < 1e-14);
    }
    let nothing = slip(&GRIP, 0.1, 10.0, &Sliding::zero(), &Sliding::zero());
    assert_eq!(nothing, Pull::zero());
    // A contact that pulls has no friction.
    let sliding = Sliding { velocity: Vec3::x(), spin: 0.0 };
    assert!(slip(&GRIP, 0.1, -10.0, &sliding, &sliding).force.amax() == 0.0);
}

#[test]
fn rolling_resistance_is_constant_when_fast_and_fades_when_slow() {
    let fast = turning(0.01 * 0.03, 10.0, &Vec3::new(0.0, 5.0, 0.0));
    assert!((fast - Vec3::new(0.0, -0.003, 0.0)).amax() < 1e-17);
    assert!(turning(0.01 * 0.03, 10.0, &Vec3::zeros()).amax() == 0.0);
    // Steady across the bend, and falling towards it.
    let at = |w: f64| -turning(0.01 * 0.03, 10.0, &Vec3::new(w, 0.0, 0.0)).x;
    assert!((at(0.01 - 1e-12) / at(0.01 + 1e-12) - 1.0).abs() < 1e-9);
    assert!((1..=100).all(|k| at(1e-4 * f64::from(k)) > at(1e-4 * f64::from(k - 1))));
}

/// A block of 1 kg, pushed along the floor by a force that grows for half a second and then stays: it must hold until the limit, and slide beyond it.
#[test]
fn a_block_sticks_below_the_limit_and_slides_beyond_it() {
    let weight = 9.81;
    let held = 0.5 * weight;
    let grip = Grip::damped(0.5, 0.5, 1e5, 1.0, 1.0);
    for (share, slips) in [(0.5, false), (0.99, false), (1.01, true), (1.5, true)] {
        let (mut deflection, mut velocity) = (BristleDeflection::zero(), 0.0);
        let mut is_sticking = true;
        let step = 1e-5;
        for k in 0..100_000 {
            let push = share * held * (2.0 * step * f64::from(k)).min(1.0);
            let sliding = Sliding { velocity: Vec3::x() * velocity, spin: 0.0 };
            let spring = stick(&grip, 0.0, &deflection, &sliding);
            is_sticking &= load(&spring, 0.0, weight, grip.static_friction) <= 1.0;
            let pull = if is_sticking { spring } else { slip(&grip, 0.0, weight, &sliding, &sliding) };
            velocity += step * (push + pull.force.x);
            deflection.shift.x += step * velocity;
        }
        assert_eq!(!is_sticking, slips, "{share}");
        if slips {
            // What is beyond the limit accelerates it: while the push grows, and for the half second after.
            let growing = 0.5 - 0.5 / share;
            let expected = share * held * growing * growing + (share - 1.0) * held * 0.5;
            assert!((velocity - expected).abs() < 1e-3, "{velocity} {expected}");
        } else {
            assert!(velocity.abs() < 1e-12 && (deflection.shift.x - share * held / 1e5).abs() < 1e-14);
        }
    }
}
