//! Normal forces at rest, at their limits and for input that no contact has.

use std::f64::consts::PI;

use zerogap_contact::law::{Begin, LawError, NormalForce, NormalLaw, effective_radius};
use zerogap_contact::material::MaterialTable;
use zerogap_testkit::random::Random;

/// A steel ball of 10 mm on steel, hitting at 1 m/s.
fn steel_ball() -> Begin {
    Begin { approach: 1.0, stiffness_modulus: 1.1e11, radius: 0.01, effective_mass: 0.03, restitution: 0.7 }
}

/// All laws there are.
const LAWS: [NormalLaw; 5] = [
    NormalLaw::HuntCrossley,
    NormalLaw::Hertz,
    NormalLaw::KelvinVoigt { stiffness: 1e6, damping: 30.0 },
    NormalLaw::Linear { stiffness: 1e6, damping_ratio: 0.5 },
    NormalLaw::Modia3d,
];

#[test]
fn a_billiard_ball_rests_as_deep_as_hertz_says() {
    let table = MaterialTable::builtin();
    let (ball, wood) = (table.id("billiard-ball").unwrap(), table.id("dry-wood").unwrap());
    let density = table.material(ball).unwrap().density;
    let pair = table.pair(ball, wood).unwrap();
    let radius = effective_radius(Some(0.03), None).unwrap();
    let mass = density * 4.0 / 3.0 * PI * 0.03_f64.powi(3);
    let begin = Begin {
        approach: 0.0,
        stiffness_modulus: pair.modulus,
        radius,
        effective_mass: mass,
        restitution: pair.properties.restitution,
    };
    for law in [NormalLaw::HuntCrossley, NormalLaw::Hertz, NormalLaw::Modia3d] {
        let force = law.begin(&begin);
        let rest = force.static_overlap(mass * 9.81);
        println!("{}: {rest:.12e} m", law.word());
        assert!((rest / 1.608_351_225e-6 - 1.0).abs() < 1e-9, "{rest:e}");
        assert!((force.force(rest, 0.0) / (mass * 9.81) - 1.0).abs() < 1e-14);
    }
}

#[test]
fn laws_other_than_modia3d_never_pull() {
    let mut random = Random::new(3);
    for law in LAWS.into_iter().filter(|law| *law != NormalLaw::Modia3d) {
        let force = law.begin(&steel_ball());
        for _ in 0..1000 {
            let (overlap, rate) = (random.range(-1e-4, 1e-4), random.range(-100.0, 100.0));
            let f = force.force(overlap, rate);
            assert!(f >= 0.0 && (overlap > 0.0 || f == 0.0), "{law:?} {overlap} {rate} {f}");
        }
        // However fast the bodies part; without damping the speed does not matter.
        assert!(law == NormalLaw::Hertz || force.force(1e-6, -1e9) == 0.0);
        assert!(force.force(f64::NAN, 1.0) < 1e-300);
    }
}

#[test]
fn slopes_are_those_of_the_force() {
    for law in LAWS {
        let force = law.begin(&steel_ball());
        for overlap in [1e-7, 3e-6, 2e-4] {
            let h = 1e-4 * overlap;
            let difference = (force.force(overlap + h, 0.0) - force.force(overlap - h, 0.0)) / (2.0 * h);
            assert!((force.stiffness(overlap) / difference - 1.0).abs() < 1e-7, "{law:?}");
            let difference = (force.force(overlap, 1e-6) - force.force(overlap, -1e-6)) / 2e-6;
            assert!((force.damping(overlap) - difference).abs() <= 1e-5 * difference.abs(), "{law:?}");
        }
    }
}

#[test]
fn the_static_overlap_carries_its_force() {
    for law in LAWS {
        let force = law.begin(&steel_ball());
        for load in [1e-200, 1e-9, 0.3, 1e4, 1e100] {
            let overlap = force.static_overlap(load);
            assert!((force.force(overlap, 0.0) / load - 1.0).abs() < 1e-13, "{law:?} {load}");
        }
        for nothing in [0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(force.static_overlap(nothing).to_bits(), 0.0_f64.to_bits());
        }
    }
    // A point has no stiffness, so it carries nothing.
    let point = NormalLaw::Hertz.begin(&Begin { radius: 0.0, ..steel_ball() });
    assert_eq!(point.static_overlap(1.0).to_bits(), 0.0_f64.to_bits());
    assert!(point.force(1e-3, 0.0) == 0.0);
}

#[test]
fn a_linear_law_of_ratio_one_does_not_swing() {
    let law = NormalLaw::Linear { stiffness: 1e6, damping_ratio: 1.0 };
    let force = law.begin(&Begin { effective_mass: 4.0, ..steel_ball() });
    // Critical: damping² = 4 stiffness mass.
    assert!((force.damping(1e-3) - 4000.0).abs() < 1e-9);
    assert!((force.force(1e-3, 0.1) - 1400.0).abs() < 1e-9);
    // Nothing that moves: no mass to take the damping from.
    let between_walls: NormalForce = law.begin(&Begin { effective_mass: f64::INFINITY, ..steel_ball() });
    assert!((between_walls.force(1e-3, 0.1) - 1000.0).abs() < 1e-9);
}

#[test]
fn laws_with_bad_numbers_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let law = NormalLaw::Linear { stiffness: bad, damping_ratio: 1.0 };
        assert!(matches!(law.checked(), Err(LawError::Stiffness { law: "linear", .. })));
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let law = NormalLaw::KelvinVoigt { stiffness: 1.0, damping: bad };
        assert!(matches!(law.checked(), Err(LawError::Damping { law: "kelvin-voigt", .. })));
    }
    for law in LAWS {
        assert_eq!(law.checked(), Ok(law));
    }
    assert_eq!(NormalLaw::default(), NormalLaw::HuntCrossley);
}

#[test]
fn flat_sides_drop_out_of_the_effective_radius() {
    let close = |value: Option<f64>, expected: f64| (value.unwrap() - expected).abs() < 1e-15;
    assert!(close(effective_radius(Some(0.2), Some(0.3)), 0.12));
    assert!(close(effective_radius(Some(0.2), None), 0.2));
    assert!(close(effective_radius(None, Some(0.3)), 0.3));
    assert_eq!(effective_radius(None, None), None);
    assert!(close(effective_radius(Some(0.0), Some(0.0)), 0.0));
}
