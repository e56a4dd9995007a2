//! Frames in space in motion: energy, momentum, order, rotating beams.

use std::f64::consts::TAU;

use zerogap_core::Vec3;
use zerogap_core::math::cos;
use zerogap_dynamics::beam::Rayleigh;
use zerogap_dynamics::beam::frame::{
    CrossSection, Frame, FrameElement, FrameError, FrameLoads, FrameMaterial, FrameMotion, FrameState,
    MotionParams, SettleParams,
};

const LENGTH: f64 = 1.5;
const YOUNG: f64 = 2.1e11;
const DENSITY: f64 = 7850.0;
const KEEPS_ENERGY: MotionParams =
    MotionParams { spectral_radius: 1.0, tolerance: 1e-11, max_iterations: 25 };

fn strip() -> FrameElement {
    let section = CrossSection::rectangle(0.02, 0.01).unwrap();
    let material = FrameMaterial::isotropic(YOUNG, 0.3, DENSITY);
    FrameElement { nodes: [0, 1], section, material, up: None, shear: false }
}

fn cantilever(count: usize) -> Frame {
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], count, strip()).unwrap();
    frame.clamp(0).unwrap();
    frame
}

fn energy(frame: &Frame, state: &FrameState) -> f64 {
    frame.strain_energy(state).unwrap() + frame.kinetic_energy(state).unwrap()
}

/// The state that a force at the tip gives, in newtons along z.
fn pulled(frame: &Frame, force: f64) -> FrameState {
    let mut loads = FrameLoads::none(frame);
    loads.nodal.last_mut().unwrap()[2] = force;
    frame.settle(&frame.rest(), &loads, &SettleParams::default()).unwrap().state
}

/// Times at which a signal crosses zero upwards, between samples of a step.
fn crossings(signal: &[f64], step: f64) -> Vec<f64> {
    let crosses = |(k, pair): (usize, &[f64])| {
        (pair[0] < 0.0 && pair[1] >= 0.0).then(|| step * (k as f64 + pair[0] / (pair[0] - pair[1])))
    };
    signal.windows(2).enumerate().filter_map(crosses).collect()
}

#[test]
fn free_vibration_keeps_its_energy_over_1000_periods() {
    // Small vibrations of four elements, 40 steps in each period, higher modes with them.
    let frame = cantilever(4);
    let none = FrameLoads::none(&frame);
    let period = TAU / frame.modes(&frame.rest(), &none, 1).unwrap().angular_frequencies[0];
    let start = pulled(&frame, 0.1);
    let mut motion = FrameMotion::new(frame.clone(), start, &none, KEEPS_ENERGY).unwrap();
    let first = energy(&frame, motion.state());
    let mut worst: f64 = 0.0;
    for _ in 0..40_000 {
        motion.step(&none, period / 40.0).unwrap();
        worst = worst.max((energy(&frame, motion.state()) / first - 1.0).abs());
    }
    println!(
        "energy within {worst} over 1,000 periods, {} iterations a step",
        motion.iterations() as f64 / 4e4
    );
    assert!(worst < 1e-5, "{worst}");
}

#[test]
fn large_vibration_with_the_default_damping_never_gains_and_loses_half_a_percent_in_20_periods() {
    // The tip swings by 0.4 of the length.
    let frame = cantilever(4);
    let none = FrameLoads::none(&frame);
    let period = TAU / frame.modes(&frame.rest(), &none, 1).unwrap().angular_frequencies[0];
    let start = pulled(&frame, 200.0);
    assert!(start.places[4].z > 0.35 * LENGTH);
    let mut motion = FrameMotion::new(frame.clone(), start, &none, MotionParams::default()).unwrap();
    let first = energy(&frame, motion.state());
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    for _ in 0..2000 {
        motion.step(&none, period / 100.0).unwrap();
        let now = energy(&frame, motion.state()) / first;
        (low, high) = (low.min(now), high.max(now));
    }
    println!("energy from {low} to {high} of the first");
    assert!(low > 0.995 && high < 1.001, "{low} to {high}");
}

#[test]
fn a_cantilever_swings_at_its_frequency_and_rayleigh_damping_is_that_of_theory() {
    let mut frame = cantilever(10);
    let none = FrameLoads::none(&frame);
    let modes = frame.modes(&frame.rest(), &none, 1).unwrap();
    let w = modes.angular_frequencies[0];
    let ratio = 0.02;
    let damping = Rayleigh { mass: ratio * w, stiffness: ratio / w };
    assert!((damping.ratio(w) - ratio).abs() < 1e-15);
    frame.set_damping(damping).unwrap();
    let mut start = frame.rest();
    // The first mode, with a tip of a millimetre.
    let scale = 1e-3 / modes.shapes[0][10][2];
    for (k, shape) in modes.shapes[0].iter().enumerate() {
        start.places[k].z += scale * shape[2];
        let turn =
            zerogap_core::nalgebra::Quaternion::from_parts(1.0, Vec3::new(0.0, 0.5 * scale * shape[4], 0.0));
        start.rotations[k] = zerogap_core::nalgebra::UnitQuaternion::from_quaternion(turn);
    }
    let step = TAU / w / 400.0;
    let mut motion = FrameMotion::new(frame, start, &none, KEEPS_ENERGY).unwrap();
    for _ in 0..4000 {
        motion.step(&none, step).unwrap();
    }
    let damped = w * f64::sqrt(1.0 - ratio * ratio);
    let t = motion.time();
    let expected = 1e-3
        * zerogap_core::math::exp(-ratio * w * t)
        * (cos(damped * t) + ratio * w / damped * zerogap_core::math::sin(damped * t));
    let found = motion.state().places[10].z;
    println!("after ten periods {found} m, theory {expected} m");
    assert!(
        (found - expected).abs() < 0.01 * 1e-3 * zerogap_core::math::exp(-ratio * w * t),
        "{found}, {expected}"
    );
}

#[test]
fn errors_fall_with_the_square_of_the_step() {
    let frame = cantilever(4);
    let none = FrameLoads::none(&frame);
    // A load that comes and goes smoothly, so that the highest modes stay still.
    let tip = |steps: u32| {
        let mut motion =
            FrameMotion::new(frame.clone(), frame.rest(), &none, MotionParams::default()).unwrap();
        let mut loads = none.clone();
        for k in 1..=steps {
            loads.nodal[4][2] = 100.0 * (1.0 - cos(TAU * f64::from(k) / f64::from(steps)));
            motion.step(&loads, 0.2 / f64::from(steps)).unwrap();
        }
        motion.state().places[4]
    };
    let (a, b, c) = (tip(400), tip(800), tip(1600));
    let ratio = (a - b).norm() / (b - c).norm();
    println!("differences fall by {ratio}");
    assert!(ratio > 3.0 && ratio < 5.5, "{ratio}");
}

#[test]
fn a_free_frame_keeps_momentum_and_tumbles_like_a_rigid_body() {
    // A bent frame without supports, thrown and spun.
    let corners =
        [Vec3::zeros(), Vec3::new(0.4, 0.0, 0.0), Vec3::new(0.4, 0.3, 0.0), Vec3::new(0.4, 0.3, 0.2)];
    let frame = Frame::polyline(corners.to_vec(), false, strip()).unwrap();
    let none = FrameLoads::none(&frame);
    let mut start = frame.rest();
    let (spin, throw) = (Vec3::new(3.0, -2.0, 5.0), Vec3::new(0.5, 1.0, -0.2));
    for k in 0..4 {
        start.velocities[k] = throw + spin.cross(&start.places[k]);
        start.spins[k] = spin;
    }
    let [p, l] = frame.momentum(&start).unwrap();
    let first = energy(&frame, &start);
    let misses = [1e-3, 5e-4, 2.5e-4].map(|step| {
        let mut motion =
            FrameMotion::new(frame.clone(), start.clone(), &none, MotionParams::default()).unwrap();
        while motion.time() < 1.0 - 1e-9 {
            motion.step(&none, step).unwrap();
        }
        let [p1, l1] = frame.momentum(motion.state()).unwrap();
        [(p1 - p).norm() / p.norm(), (l1 - l).norm() / l.norm(), energy(&frame, motion.state()) / first - 1.0]
    });
    println!("momentum, moment of momentum and energy off by {misses:?}");
    for k in 0..3 {
        assert!(misses[2][k].abs() < 1e-5, "{misses:?}");
        assert!(misses[2][k].abs() < 0.4 * misses[0][k].abs(), "{misses:?}");
    }
}

#[test]
fn a_rotating_beam_is_stiffened_by_its_rotation() {
    // Clamped at a hub without size: flapping at w = 13.1702 where the beam rotates at 12, both times sqrt(E I / (ρ A L⁴)) (Wright and others 1982, by Frobenius' method).
    let element = strip();
    let section = element.section;
    let unit = (YOUNG * section.second_moment_y / (DENSITY * section.area)).sqrt() / (LENGTH * LENGTH);
    let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], 20, element).unwrap();
    // The hub turns about z and does nothing else.
    frame.hold(0, [true, true, true, true, true, false]).unwrap();
    let none = FrameLoads::none(&frame);
    for (rotation, expected) in [(0.0, 3.516_02), (4.0, 5.585_00), (12.0, 13.170_2)] {
        let spin = rotation * unit;
        let mut start = frame.rest();
        for k in 0..=20 {
            // As long as the rotation makes it; otherwise it would ring along its axis, which pumps its bending.
            let x = start.places[k].x;
            start.places[k].x +=
                DENSITY * spin * spin / (2.0 * YOUNG) * (LENGTH * LENGTH * x - x.powi(3) / 3.0);
            start.velocities[k] = Vec3::z().cross(&start.places[k]) * spin;
            start.spins[k] = Vec3::z() * spin;
        }
        // A small kick in the shape of the first mode.
        let clamped = cantilever(20);
        let shape = &clamped.modes(&clamped.rest(), &none, 1).unwrap().shapes[0];
        for (k, shape) in shape.iter().enumerate() {
            start.velocities[k].z += 1e-2 * shape[2];
            start.spins[k].y += 1e-2 * shape[4];
        }
        let step = TAU / (expected * unit) / 150.0;
        let mut motion = FrameMotion::new(frame.clone(), start, &none, MotionParams::default()).unwrap();
        let mut tip = vec![0.0];
        for _ in 0..1500 {
            motion.step(&none, step).unwrap();
            tip.push(motion.state().places[20].z);
        }
        let times = crossings(&tip, step);
        let found = TAU * (times.len() - 1) as f64 / (times[times.len() - 1] - times[0]) / unit;
        println!("rotating at {rotation}: {found}, theory {expected}");
        assert!((found / expected - 1.0).abs() < 1e-3, "{found} is not {expected}");
    }
}

#[test]
fn a_frame_that_falls_gains_what_its_weight_gives() {
    let frame = Frame::straight([Vec3::zeros(), Vec3::new(0.3, 0.1, 0.4)], 3, strip()).unwrap();
    let mut loads = FrameLoads::none(&frame);
    loads.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut motion = FrameMotion::new(frame.clone(), frame.rest(), &loads, MotionParams::default()).unwrap();
    for _ in 0..100 {
        motion.step(&loads, 5e-3).unwrap();
    }
    for (place, start) in motion.state().places.iter().zip(frame.nodes()) {
        assert!((place - start - Vec3::new(0.0, 0.0, -0.5 * 9.81 * 0.25)).norm() < 1e-9);
    }
    // A pendulum of a clamped strip keeps kinetic, strain and load energy together.
    let frame = cantilever(4);
    let mut loads = FrameLoads::none(&frame);
    loads.gravity = Vec3::new(0.0, 0.0, -98.1);
    let total = |state: &FrameState| energy(&frame, state) + frame.load_energy(state, &loads).unwrap();
    let mut motion = FrameMotion::new(frame.clone(), frame.rest(), &loads, KEEPS_ENERGY).unwrap();
    let (first, mut worst, mut largest) = (total(motion.state()), 0.0_f64, 0.0_f64);
    for _ in 0..2000 {
        motion.step(&loads, 1e-3).unwrap();
        worst = worst.max((total(motion.state()) - first).abs());
        largest = largest.max(frame.strain_energy(motion.state()).unwrap());
    }
    println!("energy within {} of the largest strain energy", worst / largest);
    assert!(worst < 0.02 * largest, "{worst} of {largest}");
}

#[test]
fn long_steps_stay_stable_and_settle_to_the_equilibrium() {
    // Steps of many periods of nearly all modes, with numerical damping.
    let mut frame = cantilever(20);
    frame.set_damping(Rayleigh { mass: 20.0, stiffness: 0.0 }).unwrap();
    let mut loads = FrameLoads::none(&frame);
    loads.nodal[20][2] = 150.0;
    let params = MotionParams { spectral_radius: 0.5, ..MotionParams::default() };
    let mut motion = FrameMotion::new(frame.clone(), frame.rest(), &loads, params).unwrap();
    for _ in 0..200 {
        motion.step(&loads, 0.01).unwrap();
    }
    let settled = frame.settle(&frame.rest(), &loads, &SettleParams::default()).unwrap().state;
    let miss = (motion.state().places[20] - settled.places[20]).norm();
    println!("{miss} m from the equilibrium");
    assert!(miss < 1e-6 * LENGTH, "{miss}");
}

#[test]
fn bad_settings_are_refused() {
    let frame = cantilever(2);
    let none = FrameLoads::none(&frame);
    let with = |spectral_radius: f64| {
        let params = MotionParams { spectral_radius, ..MotionParams::default() };
        FrameMotion::new(frame.clone(), frame.rest(), &none, params).map(|_| ())
    };
    for radius in [-0.1, 1.1, f64::NAN] {
        assert!(matches!(with(radius), Err(FrameError::Setting { .. })));
    }
    let mut motion = FrameMotion::new(frame.clone(), frame.rest(), &none, MotionParams::default()).unwrap();
    assert!(matches!(motion.step(&none, 0.0), Err(FrameError::Setting { .. })));
    assert!(matches!(motion.step(&none, f64::NAN), Err(FrameError::Setting { .. })));
    // Forces beyond all numbers end in an error, and leave the state as it was.
    let mut huge = none.clone();
    huge.nodal[2][2] = f64::MAX;
    let before = motion.state().clone();
    assert!(matches!(motion.step(&huge, 0.1), Err(FrameError::NoStep { .. })));
    assert_eq!(*motion.state(), before);
    let mut short = none.clone();
    short.nodal.pop();
    assert!(matches!(motion.step(&short, 0.1), Err(FrameError::Count { .. })));
    let mut bad = frame.clone();
    assert!(matches!(
        bad.set_damping(Rayleigh { mass: -1.0, stiffness: 0.0 }),
        Err(FrameError::Setting { .. })
    ));
}
