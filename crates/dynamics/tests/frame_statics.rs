//! Frames in space at rest: large deflections, buckling, torsion, shear, tangents.

use std::f64::consts::{PI, TAU};

use zerogap_core::math::{cos, sin, sin_cos};
use zerogap_core::nalgebra::{Quaternion, UnitQuaternion};
use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::beam::frame::{
    CrossSection, Frame, FrameElement, FrameError, FrameLoads, FrameMaterial, FrameState, Plane, SettleParams,
};

const LENGTH: f64 = 1.5;

fn steel() -> FrameMaterial {
    FrameMaterial::isotropic(2.1e11, 0.3, 7850.0)
}

/// A flat strip of steel, 20 mm wide and 10 mm high, without shear.
fn strip() -> FrameElement {
    let section = CrossSection::rectangle(0.02, 0.01).unwrap();
    FrameElement { nodes: [0, 1], section, material: steel(), up: None, shear: false }
}

/// `E Iy`, about the weak axis [N m²].
fn weak() -> f64 {
    2.1e11 * strip().section.second_moment_y
}

fn cantilever(count: usize, element: FrameElement, direction: Vec3) -> Frame {
    let mut frame = Frame::straight([Vec3::zeros(), direction * LENGTH], count, element).unwrap();
    frame.clamp(0).unwrap();
    frame
}

fn tip_load(frame: &Frame, load: [f64; 6]) -> FrameLoads {
    let mut loads = FrameLoads::none(frame);
    *loads.nodal.last_mut().unwrap() = load;
    loads
}

fn settle(frame: &Frame, loads: &FrameLoads) -> FrameState {
    frame.settle(&frame.rest(), loads, &SettleParams::default()).unwrap().state
}

fn close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found} is not {expected}");
}

/// A rotation of space.
fn rotation(random: &mut Random) -> UnitQuaternion<f64> {
    let [x, y, z, w] = random.quaternion_xyzw();
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

/// The elastica: tip of a cantilever along x under a force across it, by Runge and Kutta's method with 4,000 steps and shooting for the tip angle.
///
/// In: `P L² / (E I)`. Out: `x / L` and `z / L` of the tip. Inextensible.
fn elastica(load: f64) -> [f64; 2] {
    let run = |curvature: f64| {
        // θ'' = -p cos θ from the clamp; y = [θ, θ', x, z].
        let slope = |y: [f64; 4]| [y[1], -load * cos(y[0]), cos(y[0]), sin(y[0])];
        let (n, mut y) = (4000, [0.0, curvature, 0.0, 0.0]);
        let h = 1.0 / f64::from(n);
        for _ in 0..n {
            let at = |k: [f64; 4], f: f64| std::array::from_fn(|i| y[i] + f * h * k[i]);
            let a = slope(y);
            let b = slope(at(a, 0.5));
            let c = slope(at(b, 0.5));
            let d = slope(at(c, 1.0));
            y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
        }
        y
    };
    // The bending moment at the tip vanishes; at the clamp it is at most load times length.
    let (mut low, mut high) = (0.0, load);
    for _ in 0..60 {
        let mid = 0.5 * (low + high);
        if run(mid)[1] > 0.0 { high = mid } else { low = mid }
    }
    let y = run(0.5 * (low + high));
    [y[2], y[3]]
}

#[test]
fn small_deflections_are_those_of_the_closed_forms_along_any_axis() {
    let (force, ei) = (1e-3, weak());
    let strong = 2.1e11 * strip().section.second_moment_z;
    // Along x: the weak axis bends along z, the strong one along y.
    for (freedom, stiffness) in [(2, ei), (1, strong)] {
        let frame = cantilever(20, strip(), Vec3::x());
        let mut load = [0.0; 6];
        load[freedom] = force;
        let state = settle(&frame, &tip_load(&frame, load));
        close(state.places[20][freedom], force * LENGTH.powi(3) / (3.0 * stiffness), 1e-7);
    }
    // The same beam along other directions, with its own axes.
    let mut random = Random::new(5);
    for _ in 0..5 {
        let turn = rotation(&mut random);
        let element = FrameElement { up: Some(turn * Vec3::z()), ..strip() };
        let frame = cantilever(20, element, turn * Vec3::x());
        let f = turn * Vec3::new(0.0, force, force);
        let state = settle(&frame, &tip_load(&frame, [f.x, f.y, f.z, 0.0, 0.0, 0.0]));
        let moved = turn.inverse() * (state.places[20] - frame.nodes()[20]);
        close(moved.z, force * LENGTH.powi(3) / (3.0 * ei), 1e-6);
        close(moved.y, force * LENGTH.powi(3) / (3.0 * strong), 1e-6);
    }
    // Pull and torsion.
    let frame = cantilever(20, strip(), Vec3::x());
    let state = settle(&frame, &tip_load(&frame, [1e3, 0.0, 0.0, 0.0, 0.0, 0.0]));
    close(state.places[20].x - LENGTH, 1e3 * LENGTH / (2.1e11 * 2e-4), 1e-9);
}

#[test]
fn a_tube_twists_as_saint_venant_says_even_by_several_turns() {
    let section = CrossSection::tube(0.03, 0.002).unwrap();
    close(section.torsion_constant, PI / 32.0 * (0.03_f64.powi(4) - 0.026_f64.powi(4)), 1e-14);
    let frame = cantilever(20, FrameElement { section, ..strip() }, Vec3::x());
    let stiffness = steel().shear_modulus * section.torsion_constant;
    for angle in [1e-6, 0.7, 5.0 * TAU + 0.3] {
        let state = settle(&frame, &tip_load(&frame, [0.0, 0.0, 0.0, stiffness * angle / LENGTH, 0.0, 0.0]));
        let each: Vec<f64> = state
            .rotations
            .windows(2)
            .map(|pair| zerogap_core::pose::rotation_vector(&(pair[0].inverse() * pair[1])).x)
            .collect();
        close(each.iter().sum(), angle, 1e-8);
        assert!((state.places[20] - Vec3::x() * LENGTH).norm() < 1e-10);
    }
}

#[test]
fn short_beams_deflect_by_shear_as_timoshenko_says() {
    let section = CrossSection::hollow_box(0.1, 0.2, 0.008).unwrap();
    let element = FrameElement { section, shear: true, ..strip() };
    for (count, length) in [(1, 0.4), (8, 0.4), (8, 2.0)] {
        let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * length], count, element).unwrap();
        frame.clamp(0).unwrap();
        let loads = tip_load(&frame, [0.0, 0.5, 0.7, 0.0, 0.0, 0.0]);
        let tip = settle(&frame, &loads).places[count];
        let shear = |area: f64| length / (steel().shear_modulus * area);
        let bend = |second: f64| length.powi(3) / (3.0 * 2.1e11 * second);
        close(tip.y, 0.5 * (bend(section.second_moment_z) + shear(section.shear_area_y)), 1e-7);
        close(tip.z, 0.7 * (bend(section.second_moment_y) + shear(section.shear_area_z)), 1e-7);
    }
}

#[test]
fn twenty_elements_follow_the_elastica_to_1e_4() {
    let frame = cantilever(20, strip(), Vec3::x());
    for load in [0.5, 2.0, 5.0, 10.0] {
        let expected = elastica(load);
        let force = load * weak() / (LENGTH * LENGTH);
        let state = settle(&frame, &tip_load(&frame, [0.0, 0.0, force, 0.0, 0.0, 0.0]));
        let tip = state.places[20] / LENGTH;
        println!("P L^2 / E I = {load}: ({}, {}) of {expected:?}", tip.x, tip.z);
        assert!((tip.x - expected[0]).abs() < 1e-4 && (tip.z - expected[1]).abs() < 1e-4);
        assert!(tip.y.abs() < 1e-12);
    }
    // The table of Mattiasson 1981 for P L² / E I = 2: shortening 0.16064, deflection 0.49346.
    let [x, z] = elastica(2.0);
    assert!((1.0 - x - 0.16064).abs() < 5e-6 && (z - 0.49346).abs() < 5e-6, "{x}, {z}");
}

#[test]
fn the_elastica_is_met_with_the_fourth_power_of_the_element_length() {
    let load = 5.0;
    let expected = elastica(load);
    // A wire so thin that its stretch does not count.
    let section = CrossSection::rectangle(0.02, 1e-4).unwrap();
    let element = FrameElement { section, ..strip() };
    let errors: Vec<f64> = [5, 10, 20]
        .into_iter()
        .map(|count| {
            let frame = cantilever(count, element, Vec3::x());
            let force = load * 2.1e11 * section.second_moment_y / (LENGTH * LENGTH);
            let tip =
                settle(&frame, &tip_load(&frame, [0.0, 0.0, force, 0.0, 0.0, 0.0])).places[count] / LENGTH;
            (tip.x - expected[0]).abs().max((tip.z - expected[1]).abs())
        })
        .collect();
    println!("errors {errors:?}");
    assert!(errors[1] < errors[0] / 12.0 && errors[2] < errors[1] / 12.0, "{errors:?}");
}

#[test]
fn a_moment_at_the_end_rolls_a_beam_into_a_circle() {
    let section = CrossSection::rectangle(0.02, 1e-3).unwrap();
    let element = FrameElement { section, ..strip() };
    let bending = 2.1e11 * section.second_moment_y;
    for turns in [0.5, 1.0, 2.0] {
        let frame = cantilever(20, element, Vec3::x());
        let moment = TAU * turns * bending / LENGTH;
        let state = settle(&frame, &tip_load(&frame, [0.0, 0.0, 0.0, 0.0, -moment, 0.0]));
        let radius = LENGTH / (TAU * turns);
        for (k, place) in state.places.iter().enumerate() {
            let (s, c) = sin_cos(TAU * turns * k as f64 / 20.0);
            let expected = Vec3::new(radius * s, 0.0, radius * (1.0 - c));
            let miss = (place - expected).norm() / LENGTH;
            assert!(miss < 2e-4 * turns * turns, "{turns} turns, node {k}: {miss}");
        }
    }
    // The closed circle has its tip at the clamp.
    let frame = cantilever(20, element, Vec3::x());
    let moment = TAU * bending / LENGTH;
    let state = settle(&frame, &tip_load(&frame, [0.0, 0.0, 0.0, 0.0, -moment, 0.0]));
    println!("tip of the circle: {} of its length off", state.places[20].norm() / LENGTH);
    assert!(state.places[20].norm() < 1e-6 * LENGTH);
}

#[test]
fn a_bow_bent_out_of_its_plane_is_that_of_the_books() {
    // Bathe and Bolourchi 1979: 45 degrees of a circle of radius 100, section 1 by 1, E = 1e7, G = E / 2, force 600 across its plane. Simo and Vu-Quoc 1986, 8 elements: tip at (15.79, 47.23, 53.37).
    let count = 32;
    let nodes = (0..=count)
        .map(|k| {
            let (s, c) = sin_cos(PI / 4.0 * f64::from(k) / f64::from(count));
            Vec3::new(100.0 * (1.0 - c), 100.0 * s, 0.0)
        })
        .collect();
    let section = CrossSection {
        torsion_constant: 1.0 / 6.0,
        shear_area_y: 1.0,
        shear_area_z: 1.0,
        ..CrossSection::rectangle(1.0, 1.0).unwrap()
    };
    let material = FrameMaterial { young_modulus: 1e7, shear_modulus: 5e6, density: 1.0 };
    let element = FrameElement { nodes: [0, 1], section, material, up: None, shear: true };
    let mut frame = Frame::polyline(nodes, false, element).unwrap();
    frame.clamp(0).unwrap();
    let solved = frame
        .settle(&frame.rest(), &tip_load(&frame, [0.0, 0.0, 600.0, 0.0, 0.0, 0.0]), &SettleParams::default())
        .unwrap();
    let tip = solved.state.places[32];
    println!("tip {tip:?} after {} increments, {} iterations", solved.increments, solved.iterations);
    assert!((tip - Vec3::new(15.79, 47.23, 53.37)).norm() < 0.2, "{tip:?}");
}

#[test]
fn columns_buckle_at_eulers_loads() {
    // Tangents about compressed states: the lowest eigenvalue falls to zero at the critical load.
    for (clamped, factor) in [(false, 1.0), (true, 0.25)] {
        let mut frame = Frame::straight([Vec3::zeros(), Vec3::x() * LENGTH], 20, strip()).unwrap();
        if clamped {
            frame.clamp(0).unwrap();
        } else {
            // Pinned at both ends, held against rotation about its own axis.
            frame.hold(0, [true, true, true, true, false, false]).unwrap();
            frame.hold(20, [false, true, true, false, false, false]).unwrap();
        }
        let euler = factor * PI * PI * weak() / (LENGTH * LENGTH);
        let lowest = |force: f64| {
            let loads = tip_load(&frame, [-force, 0.0, 0.0, 0.0, 0.0, 0.0]);
            let solved = frame.settle(&frame.rest(), &loads, &SettleParams::default()).unwrap();
            (frame.modes(&solved.state, &loads, 1).unwrap().eigenvalues[0], solved.unstable)
        };
        let (mut low, mut high) = (0.9 * euler, 1.1 * euler);
        assert!(lowest(low).0 > 0.0 && lowest(high).0 < 0.0);
        assert_eq!((lowest(low).1, lowest(high).1), (0, 1), "one motion lowers the energy beyond the load");
        for _ in 0..30 {
            let mid = 0.5 * (low + high);
            if lowest(mid).0 > 0.0 { low = mid } else { high = mid }
        }
        // The column is shorter by its strain, and curvature is per length at rest: P (1 - P / E A) is Euler's load.
        let strain = euler / (2.1e11 * 2e-4);
        println!("buckles at {} of Euler's load, strain {strain}", low / euler);
        close(low, euler * (1.0 + strain), 2e-6);
    }
}

#[test]
fn a_column_beyond_its_load_bends_as_the_elastica_says() {
    // Timoshenko and Gere, table 2-1: a clamped column with P / Pcr = 1.293 leans by 80 degrees at its free end, with x = 0.560 and y = 0.719 of the length.
    let section = CrossSection::rectangle(0.02, 1e-3).unwrap();
    let frame = cantilever(20, FrameElement { section, ..strip() }, Vec3::x());
    let bending = 2.1e11 * section.second_moment_y;
    let force = 1.293 * PI * PI * bending / (4.0 * LENGTH * LENGTH);
    let push = tip_load(&frame, [-force, 0.0, 0.05 * force, 0.0, 0.0, 0.0]);
    let bent = settle(&frame, &push);
    let params = SettleParams::default();
    let solved = frame.settle(&bent, &tip_load(&frame, [-force, 0.0, 0.0, 0.0, 0.0, 0.0]), &params).unwrap();
    let tip = solved.state.places[20] / LENGTH;
    println!("tip ({}, {})", tip.x, tip.z);
    assert!((tip.x - 0.560).abs() < 2e-3 && (tip.z - 0.719).abs() < 2e-3, "{tip:?}");
    assert_eq!(solved.unstable, 0);
}

/// A frame of three elements in a tangle, with every kind of section forces.
fn tangle(random: &mut Random, shear: bool) -> Frame {
    let nodes =
        vec![Vec3::zeros(), Vec3::new(0.5, 0.1, 0.0), Vec3::new(0.8, 0.6, -0.2), Vec3::new(0.1, 0.4, 0.6)];
    let section = CrossSection::i_section(0.05, 0.08, 0.006, 0.004).unwrap();
    let element = |a: usize, b: usize, up: Vec3| FrameElement {
        nodes: [a, b],
        section,
        material: steel(),
        up: Some(up),
        shear,
    };
    let up = random.direction();
    Frame::new(nodes, vec![element(0, 1, up), element(1, 2, Vec3::z()), element(1, 3, Vec3::x())]).unwrap()
}

/// A state with strains of up to `size`.
fn bent(frame: &Frame, random: &mut Random, size: f64) -> FrameState {
    let mut state = frame.rest();
    for k in 0..state.places.len() {
        state.places[k] += size * random.direction();
        let turn = UnitQuaternion::from_quaternion({
            let v = size * random.direction();
            Quaternion::from_parts((1.0 - v.norm_squared()).sqrt(), v)
        });
        state.rotations[k] = turn;
    }
    state
}

#[test]
fn moving_and_rotating_as_a_whole_leaves_no_strain() {
    let mut random = Random::new(11);
    for shear in [false, true] {
        let frame = tangle(&mut random, shear);
        let none = FrameLoads::none(&frame);
        let (ea, length) = (2.1e11 * frame.elements()[0].section.area, 0.5);
        for _ in 0..100 {
            let (turn, shift) = (rotation(&mut random), 2.0 * random.in_ball());
            let mut state = frame.rest();
            for k in 0..state.places.len() {
                state.places[k] = turn * state.places[k] + shift;
                state.rotations[k] = turn * state.rotations[k];
            }
            // Strains of 1e-12 give these forces.
            for [a, b] in frame.section_forces(&state, &none).unwrap() {
                for end in [a, b] {
                    assert!(end.force.amax() <= 1e-12 * ea, "{:?}", end.force);
                    assert!(end.moment.amax() <= 1e-12 * ea * length, "{:?}", end.moment);
                }
            }
            assert!(frame.strain_energy(&state).unwrap() <= 0.5 * ea * length * 1e-24 * 3.0);
        }
    }
}

#[test]
fn forces_do_not_depend_on_how_the_whole_lies_nor_on_the_order_of_nodes() {
    let mut random = Random::new(12);
    let frame = tangle(&mut random, true);
    let none = FrameLoads::none(&frame);
    let state = bent(&frame, &mut random, 0.05);
    let forces = frame.section_forces(&state, &none).unwrap();
    let largest = forces.iter().flatten().map(|f| f.force.amax()).fold(0.0, f64::max);
    let turn = rotation(&mut random);
    let mut rotated = state.clone();
    for k in 0..state.places.len() {
        rotated.places[k] = turn * state.places[k];
        rotated.rotations[k] = turn * state.rotations[k];
    }
    for (a, b) in forces.iter().flatten().zip(frame.section_forces(&rotated, &none).unwrap().iter().flatten())
    {
        assert!(
            (a.force - b.force).amax() < 1e-11 * largest && (a.moment - b.moment).amax() < 1e-11 * largest
        );
    }
    // Elements given from their other end have the same energy.
    let other =
        frame.elements().iter().map(|e| FrameElement { nodes: [e.nodes[1], e.nodes[0]], ..*e }).collect();
    let other = Frame::new(frame.nodes().to_vec(), other).unwrap();
    close(other.strain_energy(&state).unwrap(), frame.strain_energy(&state).unwrap(), 1e-12);
}

#[test]
fn forces_are_the_slopes_of_the_energy_and_balance_each_other() {
    let mut random = Random::new(13);
    for shear in [false, true] {
        let mut frame = tangle(&mut random, shear);
        // Where everything is held, reactions are the forces of the elements.
        (0..4).for_each(|node| frame.clamp(node).unwrap());
        let mut loads = FrameLoads::none(&frame);
        loads.gravity = Vec3::new(1e5, -2e5, 3e5);
        loads.line[1] = Vec3::new(-3e6, 1e6, 2e6);
        let state = bent(&frame, &mut random, 0.1);
        let energy = |state: &FrameState| {
            frame.strain_energy(state).unwrap() + frame.load_energy(state, &loads).unwrap()
        };
        let forces = frame.reactions(&state, &loads).unwrap();
        let largest = forces.iter().flatten().fold(0.0, |a: f64, b| a.max(b.abs()));
        for (node, forces) in forces.iter().enumerate() {
            for (k, force) in forces.iter().enumerate() {
                let difference =
                    (energy(&moved(&state, node, k, 1e-6)) - energy(&moved(&state, node, k, -1e-6))) / 2e-6;
                assert!((difference - force).abs() < 1e-7 * largest, "{difference}, {force}");
            }
        }
        // Without loads, forces and moments about the origin sum to zero.
        let inside = frame.reactions(&state, &FrameLoads::none(&frame)).unwrap();
        let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
        for (f, at) in inside.iter().zip(&state.places) {
            let along = Vec3::new(f[0], f[1], f[2]);
            force += along;
            moment += Vec3::new(f[3], f[4], f[5]) + at.cross(&along);
        }
        assert!(force.norm() < 1e-12 * largest && moment.norm() < 1e-12 * largest);
    }
}

/// A state with one node moved a little along or about an axis.
fn moved(state: &FrameState, node: usize, freedom: usize, by: f64) -> FrameState {
    let mut state = state.clone();
    if freedom < 3 {
        state.places[node][freedom] += by;
    } else {
        let mut axis = Vec3::zeros();
        axis[freedom - 3] = sin(0.5 * by);
        let turn = UnitQuaternion::from_quaternion(Quaternion::from_parts(cos(0.5 * by), axis));
        state.rotations[node] = turn * state.rotations[node];
    }
    state
}

#[test]
fn the_tangent_is_that_of_finite_differences() {
    let mut random = Random::new(14);
    for (shear, size) in [(false, 0.02), (true, 0.2), (false, 0.3), (true, 1e-5)] {
        let mut frame = tangle(&mut random, shear);
        (0..4).for_each(|node| frame.clamp(node).unwrap());
        let mut loads = FrameLoads::none(&frame);
        loads.gravity = Vec3::new(1e5, -2e5, 3e5);
        loads.line[1] = Vec3::new(-3e6, 1e6, 2e6);
        let state = bent(&frame, &mut random, size);
        let tangent = frame.tangent(&state, &loads).unwrap();
        let largest = tangent.amax();
        for node in 0..4 {
            for k in 0..6 {
                let at = |by: f64| frame.reactions(&moved(&state, node, k, by), &loads).unwrap();
                let (high, low) = (at(1e-6), at(-1e-6));
                for row in 0..24 {
                    let difference = (high[row / 6][row % 6] - low[row / 6][row % 6]) / 2e-6;
                    let found = tangent[(row, 6 * node + k)];
                    assert!(
                        (found - difference).abs() < 1e-7 * largest,
                        "{row}, {node}, {k}: {found}, {difference}"
                    );
                }
            }
        }
    }
}

#[test]
fn weight_and_line_loads_bend_as_the_closed_forms_say_and_reactions_carry_them() {
    let frame = cantilever(10, strip(), Vec3::x());
    let line = 0.01;
    let mut loads = FrameLoads::none(&frame);
    loads.line.fill(Vec3::new(0.0, 0.0, -line));
    let state = settle(&frame, &loads);
    close(state.places[10].z, -line * LENGTH.powi(4) / (8.0 * weak()), 1e-6);
    let reaction = frame.reactions(&state, &loads).unwrap()[0];
    close(reaction[2], line * LENGTH, 1e-9);
    close(reaction[4], -0.5 * line * LENGTH * LENGTH, 1e-6);
    // Section forces: shear and moment fall to zero at the tip, as parabola in between.
    let forces = frame.section_forces(&state, &loads).unwrap();
    close(forces[0][0].moment.y, 0.5 * line * LENGTH * LENGTH, 1e-6);
    close(forces[4][1].moment.y, 0.125 * line * LENGTH * LENGTH, 1e-6);
    // Axial forces are known to the rounding of places, a strain of 1e-14.
    let (ea, free) = (2.1e11 * 2e-4, forces[9][1]);
    assert!(free.moment.norm() < 1e-8 && free.force.norm() < 1e-14 * ea, "{free:?}");
    // The same load as weight.
    let mut weight = FrameLoads::none(&frame);
    weight.gravity = Vec3::new(0.0, 0.0, -line / (7850.0 * 2e-4));
    close(settle(&frame, &weight).places[10].z, state.places[10].z, 1e-9);
}

#[test]
fn a_planar_frame_stays_in_its_plane_and_has_the_same_answer() {
    let free = cantilever(12, strip(), Vec3::x());
    let mut planar = free.clone();
    planar.set_plane(Plane::Zx);
    let loads = tip_load(&free, [0.0, 0.0, 30.0, 0.0, 0.0, 0.0]);
    let (a, b) = (settle(&free, &loads), settle(&planar, &loads));
    assert!((a.places[12] - b.places[12]).norm() < 1e-9);
    // Out of the plane nothing moves, whatever pushes.
    let across = tip_load(&free, [0.0, 1e5, 30.0, 10.0, 0.0, 10.0]);
    assert!(settle(&planar, &across).places.iter().all(|place| place.y == 0.0));
}

#[test]
fn loose_frames_and_bad_numbers_are_refused_with_the_place() {
    let free = Frame::straight([Vec3::zeros(), Vec3::x()], 4, strip()).unwrap();
    let loads = tip_load(&free, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    let params = SettleParams::default();
    assert!(matches!(free.settle(&free.rest(), &loads, &params), Err(FrameError::Loose { .. })));
    let mut hinged = free.clone();
    hinged.pin(0).unwrap();
    assert!(matches!(hinged.settle(&hinged.rest(), &loads, &params), Err(FrameError::Loose { .. })));
    let mut held = free.clone();
    (0..5).for_each(|node| held.clamp(node).unwrap());
    assert_eq!(held.settle(&held.rest(), &loads, &params), Err(FrameError::NothingFree));
    assert_eq!(held.clamp(5), Err(FrameError::NoNode { node: 5, nodes: 5 }));

    let mut wrong = loads.clone();
    wrong.nodal[3][1] = f64::NAN;
    let text = free.settle(&free.rest(), &wrong, &params).unwrap_err().to_string();
    assert!(text.starts_with("load of node 3 is NaN"), "{text}");
    let text = Frame::new(vec![Vec3::zeros(); 2], vec![strip()]).unwrap_err().to_string();
    assert_eq!(text, "element 0 has length 0 m: its nodes must be apart");
    let up = FrameElement { up: Some(Vec3::x()), ..strip() };
    let text = Frame::straight([Vec3::zeros(), Vec3::x()], 1, up).unwrap_err().to_string();
    assert_eq!(text, "`up` of element 0 is (1, 0, 0): it must be a direction across the element");
    let text = CrossSection::tube(0.02, 0.01).unwrap_err().to_string();
    assert!(text.contains("a tube of diameter 0.02 m and wall 0.01 m"), "{text}");
    assert!(matches!(CrossSection::i_section(0.05, 0.01, 0.006, 0.004), Err(FrameError::Measures { .. })));

    // A load that no equilibrium carries.
    let mut arch = Frame::straight([Vec3::zeros(), Vec3::x()], 4, strip()).unwrap();
    arch.clamp(0).unwrap();
    let pull = tip_load(&arch, [f64::MAX, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert!(matches!(arch.settle(&arch.rest(), &pull, &params), Err(FrameError::NoEquilibrium { .. })));
}

#[test]
fn sections_have_the_numbers_of_the_tables() {
    // IPE 200 without its fillets: A = 27.5 cm², Iy = 1846 cm⁴, Iz = 141.9 cm⁴ (with them 28.5, 1943, 142.4).
    let ipe = CrossSection::i_section(0.1, 0.2, 0.0085, 0.0056).unwrap();
    close(ipe.area, 27.25e-4, 2e-3);
    close(ipe.second_moment_y, 1846e-8, 2e-3);
    close(ipe.second_moment_z, 141.9e-8, 2e-3);
    // A square rod: J = 0.1406 a⁴.
    close(CrossSection::rectangle(1.0, 1.0).unwrap().torsion_constant, 0.1406, 5e-3);
    // A thin square box: J = t a³ about the middle of the walls.
    close(CrossSection::hollow_box(1.01, 1.01, 0.01).unwrap().torsion_constant, 0.01, 1e-12);
    // The same in words.
    assert_eq!("i:100mm, 200mm, 8.5mm, 5.6mm".parse(), Ok(ipe));
    assert_eq!("rod:0.02".parse(), CrossSection::rod(0.02));
    for text in ["rod", "rod:0.02,0.01", "pipe:0.1,0.01", "tube:1 kg,2"] {
        let error = text.parse::<CrossSection>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("section \"{text}\": ")), "{error}");
    }
    // A rod is a tube with nearly no hole.
    let (rod, tube) = (CrossSection::rod(0.02).unwrap(), CrossSection::tube(0.02, 0.01 - 1e-9).unwrap());
    close(rod.second_moment_y, tube.second_moment_y, 1e-9);
    close(rod.shear_area_y, tube.shear_area_y, 1e-9);
    close(rod.area, PI * 1e-4, 1e-14);
}

#[test]
fn a_pose_can_be_used_to_place_a_frame() {
    // The same frame placed by a pose has the same frequencies: nothing depends on the axes of space.
    let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), [0.1, 0.5, -0.3, 0.8]).unwrap();
    let place = |at: Vec3| pose.transform_point(&at);
    let element = FrameElement { up: Some(pose.rotation_matrix() * Vec3::z()), ..strip() };
    let mut placed = Frame::straight([place(Vec3::zeros()), place(Vec3::x() * LENGTH)], 8, element).unwrap();
    placed.clamp(0).unwrap();
    let plain = cantilever(8, strip(), Vec3::x());
    let modes = |frame: &Frame| frame.modes(&frame.rest(), &FrameLoads::none(frame), 6).unwrap();
    for (a, b) in modes(&placed).angular_frequencies.iter().zip(modes(&plain).angular_frequencies) {
        close(*a, b, 1e-8);
    }
}
