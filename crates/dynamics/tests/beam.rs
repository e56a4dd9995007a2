//! Beam elements against closed forms.

use std::f64::consts::{PI, TAU};

use zerogap_core::math::{exp, sin_cos};
use zerogap_core::random::Random;
use zerogap_dynamics::beam::{
    Beam, BeamError, Element, FREEDOMS, MassKind, MovingBeam, NodeState, Rayleigh, Section,
};
use zerogap_dynamics::integrate::{Dop853, Integrator, System, Tolerance};

/// Steel, 20 mm by 10 mm, bent about its weak axis.
const STEEL: Section =
    Section { young_modulus: 2.1e11, area: 2e-4, second_moment: 0.02 * 1e-6 / 12.0, density: 7850.0 };

const LENGTH: f64 = 1.5;

/// A cantilever along x, clamped at the origin.
fn cantilever(elements: usize) -> Beam {
    let mut beam = Beam::straight(LENGTH, elements, STEEL).unwrap();
    beam.clamp(0).unwrap();
    beam
}

/// Loads with one entry.
fn load(beam: &Beam, node: usize, freedom: usize, value: f64) -> Vec<f64> {
    let mut loads = vec![0.0; FREEDOMS * beam.nodes().len()];
    loads[FREEDOMS * node + freedom] = value;
    loads
}

fn bending_stiffness() -> f64 {
    STEEL.young_modulus * STEEL.second_moment
}

/// Angular frequencies of a uniform beam from the roots `b L` of its frequency equation.
fn frequency(root: f64) -> f64 {
    root * root * (bending_stiffness() / (STEEL.density * STEEL.area)).sqrt() / (LENGTH * LENGTH)
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
}

#[test]
fn a_cantilever_of_20_elements_bends_as_the_closed_form_says() {
    let beam = cantilever(20);
    let ei = bending_stiffness();
    let tip = |loads: &[f64]| beam.deflection(loads).unwrap()[60..].to_vec();
    let pushed = tip(&load(&beam, 20, 1, -10.0));
    close(pushed[1], -10.0 * LENGTH.powi(3) / (3.0 * ei), 1e-9);
    close(pushed[2], -10.0 * LENGTH.powi(2) / (2.0 * ei), 1e-9);
    let turned = tip(&load(&beam, 20, 2, 3.0));
    close(turned[1], 3.0 * LENGTH.powi(2) / (2.0 * ei), 1e-9);
    close(turned[2], 3.0 * LENGTH / ei, 1e-9);
    let pulled = tip(&load(&beam, 20, 0, 1e4));
    close(pulled[0], 1e4 * LENGTH / (STEEL.young_modulus * STEEL.area), 1e-9);
    println!("tip under 10 N: {} m, closed form {} m", pushed[1], -10.0 * LENGTH.powi(3) / (3.0 * ei));
}

#[test]
fn a_cantilever_that_points_elsewhere_bends_the_same() {
    // The same beam along a direction of 3 : 4, with the load across it.
    let nodes = (0..=20).map(|k| [0.6, 0.8].map(|c| c * LENGTH * f64::from(k) / 20.0)).collect();
    let elements = (0..20).map(|k| Element { nodes: [k, k + 1], section: STEEL }).collect();
    let mut beam = Beam::new(nodes, elements).unwrap();
    beam.clamp(0).unwrap();
    let mut loads = load(&beam, 20, 0, 8.0);
    loads[61] = -6.0;
    let moved = beam.deflection(&loads).unwrap();
    let across = moved[60] * 0.8 - moved[61] * 0.6;
    close(across, 10.0 * LENGTH.powi(3) / (3.0 * bending_stiffness()), 1e-9);
}

#[test]
fn the_first_three_frequencies_of_a_cantilever_of_20_elements_are_right_to_a_thousandth() {
    let modes = cantilever(20).modes(3, MassKind::Consistent).unwrap();
    let lumped = cantilever(20).modes(3, MassKind::Lumped).unwrap();
    for (k, root) in
        [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613].into_iter().enumerate()
    {
        let (found, expected) = (modes.angular_frequencies[k], frequency(root));
        println!(
            "mode {k}: {} Hz, closed form {} Hz, lumped {} Hz",
            found / TAU,
            expected / TAU,
            lumped.angular_frequencies[k] / TAU
        );
        close(found, expected, 1e-3);
        close(found, expected, 2e-5);
        // Lumped mass is coarser; its error falls with the square of the element's length.
        close(lumped.angular_frequencies[k], expected, 2e-2);
    }
}

#[test]
fn a_beam_on_two_supports_and_a_free_beam_have_their_known_frequencies() {
    let mut beam = Beam::straight(LENGTH, 20, STEEL).unwrap();
    let free = beam.modes(6, MassKind::Consistent).unwrap().angular_frequencies;
    // Three motions without bending, then the modes of a free beam.
    let first = frequency(4.730_040_744_862_704);
    assert!(free[..3].iter().all(|w| *w < 2e-3 * first), "{free:?}");
    close(free[3], first, 1e-4);
    close(free[4], frequency(7.853_204_624_095_838), 1e-4);
    beam.hold(0, [true, true, false]).unwrap();
    beam.hold(20, [false, true, false]).unwrap();
    let held = beam.modes(3, MassKind::Consistent).unwrap();
    for (k, w) in held.angular_frequencies.iter().enumerate() {
        close(*w, frequency(PI * (k + 1) as f64), 1e-4);
        // Shapes have a modal mass of 1 kg.
        let mass = beam.mass(MassKind::Consistent);
        let x = zerogap_core::nalgebra::DVector::from_row_slice(&held.shapes[k]);
        close(x.dot(&(&mass * &x)), 1.0, 1e-9);
    }
}

/// Runs a system to a time and calls for every step.
fn run(system: &dyn System, y: &[f64], until: f64, rtol: f64, each: &mut dyn FnMut(f64, &[f64])) {
    let mut method = Dop853::new(Tolerance { relative: rtol, absolute: 1e-3 * rtol });
    method.restart(system, 0.0, y, None).unwrap();
    while method.t() < until {
        method.step(system, until).unwrap();
        each(method.t(), method.state());
    }
}

#[test]
fn free_vibration_keeps_its_energy() {
    for kind in [MassKind::Consistent, MassKind::Lumped] {
        let beam = cantilever(5);
        let moving = MovingBeam::new(&beam, kind, Rayleigh::default()).unwrap();
        let modes = beam.modes(1, kind).unwrap();
        let bent = beam.deflection(&load(&beam, 5, 1, 20.0)).unwrap();
        let y = moving.state(&bent, &vec![0.0; bent.len()]).unwrap();
        let start: f64 = moving.energy(&y).iter().sum();
        close(start, 0.5 * 20.0 * bent[16], 1e-9);
        let mut worst = 0.0_f64;
        let until = 3.0 * TAU / modes.angular_frequencies[0];
        run(&moving, &y, until, 1e-10, &mut |_, y| {
            worst = worst.max((moving.energy(y).iter().sum::<f64>() / start - 1.0).abs());
        });
        println!("largest change of energy in three periods, {kind:?}: {worst:e}");
        assert!(worst < 1e-8, "{worst}");
    }
}

#[test]
fn rayleigh_damping_gives_each_mode_its_share() {
    let beam = cantilever(4);
    let modes = beam.modes(2, MassKind::Consistent).unwrap();
    let [w1, w2] = [modes.angular_frequencies[0], modes.angular_frequencies[1]];
    let damping = Rayleigh::from_ratios([w1, w2], [0.02, 0.05]);
    close(damping.ratio(w1), 0.02, 1e-12);
    close(damping.ratio(w2), 0.05, 1e-12);
    let moving = MovingBeam::new(&beam, MassKind::Consistent, damping).unwrap();
    // Released in its first shape, it swings as one damped oscillator.
    let shape: Vec<f64> = modes.shapes[0].iter().map(|x| 0.01 * x).collect();
    let y = moving.state(&shape, &vec![0.0; shape.len()]).unwrap();
    let (tip, until) = (y.len() / 2 - 2, 2.0 * TAU / w1);
    let mut last = 0.0;
    run(&moving, &y, until, 1e-9, &mut |_, state| last = state[tip]);
    let damped = w1 * (1.0_f64 - 0.02 * 0.02).sqrt();
    let (s, c) = sin_cos(damped * until);
    close(last, y[tip] * exp(-0.02 * w1 * until) * (c + 0.02 * w1 / damped * s), 1e-5);
}

#[test]
fn a_load_brings_a_damped_beam_to_its_deflection() {
    let beam = cantilever(3);
    let mut moving =
        MovingBeam::new(&beam, MassKind::Lumped, Rayleigh { mass: 8.0, stiffness: 1e-3 }).unwrap();
    let loads = load(&beam, 3, 1, 5.0);
    moving.load(&loads).unwrap();
    let rest = beam.deflection(&loads).unwrap();
    let y = moving.state(&vec![0.0; rest.len()], &vec![0.0; rest.len()]).unwrap();
    let mut last = Vec::new();
    run(&moving, &y, 8.0, 1e-8, &mut |_, y| last = y.to_vec());
    let n = last.len() / 2;
    close(last[n - 2], rest[10], 1e-5);
}

/// Nodes of a beam as they are at rest, turned by an angle about the origin and shifted.
fn placed(beam: &Beam, angle: f64, shift: [f64; 2]) -> Vec<NodeState> {
    let (s, c) = sin_cos(angle);
    let node = |p: &[f64; 2]| NodeState {
        at: [c * p[0] - s * p[1] + shift[0], s * p[0] + c * p[1] + shift[1], angle],
        rate: [0.0; 3],
    };
    beam.nodes().iter().map(node).collect()
}

#[test]
fn turning_as_a_whole_makes_no_force() {
    let beam = cantilever(6);
    for angle in [0.0, 0.3, 1.5, 3.2, -8.0, 100.0] {
        let mut forces = vec![[0.0; 3]; 7];
        let nodes = placed(&beam, angle, [3.0, -2.0]);
        beam.node_forces(&nodes, 0.0, &mut forces);
        // E A times rounding of the places.
        assert!(forces.iter().flatten().all(|f| f.abs() < 1e-5), "{forces:?}");
        assert!(beam.strain_energy(&nodes) < 1e-12);
    }
}

#[test]
fn small_deflections_make_the_forces_of_the_stiffness_matrix() {
    let beam = cantilever(4);
    let (stiffness, mut random) = (beam.stiffness(), Random::new(5));
    let u: Vec<f64> = (0..15).map(|_| 1e-7 * random.range(-1.0, 1.0)).collect();
    let mut nodes = placed(&beam, 0.0, [0.0; 2]);
    for (node, u) in nodes.iter_mut().zip(u.chunks(3)) {
        (0..3).for_each(|k| node.at[k] += u[k]);
    }
    let mut forces = vec![[0.0; 3]; 5];
    beam.node_forces(&nodes, 0.0, &mut forces);
    let expected = -&stiffness * zerogap_core::nalgebra::DVector::from_row_slice(&u);
    for (found, expected) in forces.iter().flatten().zip(expected.iter()) {
        assert!((found - expected).abs() < 1e-5 * expected.abs() + 1e-5, "{found} {expected}");
    }
}

#[test]
fn forces_are_the_slope_of_the_energy_however_far_it_is_bent() {
    let (beam, mut random) = (cantilever(3), Random::new(9));
    let mut nodes = placed(&beam, 2.0, [1.0, 1.0]);
    for node in &mut nodes {
        node.at = node.at.map(|x| x + 0.05 * random.range(-1.0, 1.0));
    }
    let mut forces = vec![[0.0; 3]; 4];
    beam.node_forces(&nodes, 0.0, &mut forces);
    let (h, largest) = (1e-7, forces.iter().flatten().fold(0.0_f64, |m, f| m.max(f.abs())));
    for (k, force) in forces.iter().enumerate() {
        for (freedom, force) in force.iter().enumerate() {
            let mut energy = |shift: f64| {
                nodes[k].at[freedom] += shift;
                let energy = beam.strain_energy(&nodes);
                nodes[k].at[freedom] -= shift;
                energy
            };
            let slope = (energy(h) - energy(-h)) / (2.0 * h);
            assert!((force + slope).abs() < 1e-6 * largest, "{force} {slope}");
        }
    }
    // Damping takes energy out: its power is negative in any motion.
    for node in &mut nodes {
        node.rate = [0; 3].map(|_| random.range(-1.0, 1.0));
    }
    let mut damped = vec![[0.0; 3]; 4];
    beam.node_forces(&nodes, 1e-4, &mut damped);
    let power: f64 = nodes
        .iter()
        .zip(damped.iter().zip(&forces))
        .flat_map(|(node, (d, f))| (0..3).map(move |k| (d[k] - f[k]) * node.rate[k]))
        .sum();
    assert!(power < 0.0);
}

#[test]
fn a_moment_at_its_end_rolls_a_beam_up_into_a_ring() {
    // Equal angles between equal chords: each element carries the moment E I / R, so that every inner node is in balance.
    let (beam, count) = (cantilever(12), 12);
    let turn = TAU / f64::from(count);
    let chord = LENGTH / f64::from(count);
    let (mut at, mut nodes) = ([0.0, 0.0], Vec::new());
    for k in 0..=count {
        // A node turns half of the corner more than the chord before it.
        nodes.push(NodeState { at: [at[0], at[1], turn * f64::from(k)], rate: [0.0; 3] });
        let (s, c) = sin_cos(turn * (f64::from(k) + 0.5));
        at = [at[0] + chord * c, at[1] + chord * s];
    }
    let mut forces = vec![[0.0; 3]; 13];
    beam.node_forces(&nodes, 0.0, &mut forces);
    let moment = bending_stiffness() * TAU / LENGTH;
    close(forces[0][2], moment, 1e-9);
    close(forces[12][2], -moment, 1e-9);
    assert!(forces[1..12].iter().flatten().all(|f| f.abs() < 1e-5), "{forces:?}");
}

#[test]
fn beams_that_cannot_be_are_refused_with_the_reason() {
    let beam = |nodes: &[[f64; 2]], of: [usize; 2], section| {
        Beam::new(nodes.to_vec(), vec![Element { nodes: of, section }])
    };
    let two = [[0.0, 0.0], [1.0, 0.0]];
    assert_eq!(beam(&two, [0, 2], STEEL).unwrap_err(), BeamError::NoNode { node: 2, nodes: 2 });
    let point = BeamError::NoLength { element: 0, length: 0.0 };
    assert_eq!(beam(&[[1.0, 1.0], [1.0, 1.0]], [0, 1], STEEL).unwrap_err(), point);
    let hollow = Section { area: -1.0, ..STEEL };
    assert_eq!(
        beam(&two, [0, 1], hollow).unwrap_err().to_string(),
        "the area of element 0 is -1: it must be positive and finite"
    );
    assert!(matches!(beam(&[[f64::NAN, 0.0], [1.0, 0.0]], [0, 1], STEEL), Err(BeamError::Place { .. })));
    // Supports that let it swing, none at all, and too many.
    let mut swing = Beam::straight(1.0, 10, STEEL).unwrap();
    assert_eq!(swing.deflection(&load(&swing, 10, 1, 1.0)), Err(BeamError::Loose));
    let nan = swing.deflection(&load(&swing, 10, 1, f64::NAN));
    assert!(matches!(nan, Err(BeamError::Load { index: 31, .. })), "{nan:?}");
    swing.hold(0, [true, true, false]).unwrap();
    assert_eq!(swing.deflection(&load(&swing, 10, 1, 1.0)), Err(BeamError::Loose));
    assert_eq!(swing.deflection(&[0.0]), Err(BeamError::Count { expected: 33, given: 1 }));
    assert!(swing.clamp(11).is_err());
    (0..11).for_each(|node| swing.clamp(node).unwrap());
    assert_eq!(swing.modes(1, MassKind::Lumped), Err(BeamError::NothingFree));
}
