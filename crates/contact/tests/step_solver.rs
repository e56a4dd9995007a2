//! Newton in the velocities of bodies and its combination with sweeps: against the definition of the laws, and the dense solver.

mod cone_common;

use cone_common::{FALL, Scene, arch, cards, pile, tower};
use nalgebra::{DMatrix, DVector};
use zerogap_contact::SolverInfo;
use zerogap_contact::cone::{BodyProblem, Delassus, StepSolver, residual};
use zerogap_contact::problem::{Block, Problem};
use zerogap_contact::solve::{SolveStatus, solve};
use zerogap_core::random::Random;
use zerogap_testkit::allocations::{Counting, allocations};
use zerogap_testkit::count;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Residual asked for [m/s].
const TOLERANCE: f64 = 1e-12;
const UP: [f64; 3] = [0.0, 0.0, 1.0];

fn newton(problem: &BodyProblem) -> (SolverInfo, Vec<f64>, Vec<f64>) {
    let (mut r, mut v) = (vec![0.0; problem.rows()], vec![0.0; problem.state_len()]);
    let info = StepSolver::default().solve(problem, &mut r, &mut v, (TOLERANCE, TOLERANCE));
    // What it says is what it achieved, by the definition.
    let mut again = v.clone();
    problem.begin(&r, &mut again);
    assert_eq!(v, again, "the state is that of the impulses");
    assert!(residual(problem, &r, &v).total_cmp(&info.residual).is_eq());
    (info, r, v)
}

/// Half of `v^T M v`.
fn energy(problem: &BodyProblem, v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (number, group) in problem.groups().iter().enumerate() {
        let v = &v[group.start..group.start + group.len];
        for (i, row) in problem.mass(number).chunks(group.len).enumerate() {
            sum += 0.5 * v[i] * row.iter().zip(v).map(|(m, v)| m * v).sum::<f64>();
        }
    }
    sum
}

/// The same as a dense problem.
fn dense(problem: &BodyProblem) -> Problem {
    let rows = problem.rows();
    let mut w = DMatrix::zeros(rows, rows);
    let mut still = problem.clone();
    still.set_free(&vec![0.0; problem.state_len()]);
    let at = |r: &[f64], problem: &BodyProblem| {
        let mut state = vec![0.0; problem.state_len()];
        problem.begin(r, &mut state);
        let mut u = Vec::new();
        for (block, law) in problem.blocks().iter().enumerate() {
            u.extend_from_slice(&problem.response(block, &state)[..law.rows()]);
        }
        u
    };
    let zero = at(&vec![0.0; rows], &still);
    for column in 0..rows {
        let mut unit = vec![0.0; rows];
        unit[column] = 1.0;
        for (row, x) in at(&unit, &still).iter().enumerate() {
            w[(row, column)] = x - zero[row];
        }
    }
    let b = DVector::from_vec(at(&vec![0.0; rows], problem));
    Problem::new(w, b, problem.blocks().to_vec()).unwrap()
}

/// A few boxes with random points between them and to the ground.
fn heap(random: &mut Random, friction: f64) -> Scene {
    let mut scene = Scene::default();
    let bodies = 1 + random.index(3);
    for _ in 0..bodies {
        let mass = random.range(0.5, 2.0);
        let size = [0, 1, 2].map(|_| random.range(0.5, 1.5));
        let centre = [0, 1, 2].map(|_| random.range(-1.0, 1.0));
        scene.add_box(mass, size, centre, [0; 6].map(|_| random.range(-1.0, 1.0)));
    }
    for _ in 0..=random.index(5) {
        let a = random.index(bodies);
        let b = random.index(bodies);
        let n = random.direction();
        let at = [0, 1, 2].map(|_| random.range(-1.0, 1.0));
        scene.touch((a != b).then_some(a), b, at, [n.x, n.y, n.z], friction, [0.0; 3]);
    }
    scene
}

#[test]
fn towers_arches_and_cards_are_solved_cold() {
    let scenes = [
        ("tower of 20", tower(20, 0.5)),
        ("tower of 100", tower(100, 0.5)),
        ("slippery tower", tower(20, 0.0)),
        ("arch that stands", arch(15, 0.7)),
        ("arch that falls", arch(15, 0.2)),
        ("cards", cards(0.6)),
        ("pile", pile(3, 3, 0.5, 0.0, 1)),
        ("pile without friction", pile(3, 3, 0.0, 0.1, 1)),
    ];
    for (name, scene) in scenes {
        let (info, _, _) = newton(&scene.problem);
        assert!(info.is_solved, "{name}: {info:?}");
    }
}

#[test]
fn a_tower_at_rest_needs_one_factor_and_carries_its_weight() {
    let scene = tower(20, 0.5);
    let (info, r, v) = newton(&scene.problem);
    assert!(info.is_solved && info.factorisations <= 1 && info.iterations <= 8, "{info:?}");
    assert!(v.iter().all(|v| v.abs() < 1e-11));
    for layer in 0..20_usize {
        let load: f64 = (0..4).map(|k| r[(layer * 4 + k) * 3]).sum();
        assert!((load - (20 - layer) as f64 * FALL).abs() < 1e-10, "layer {layer}: {load}");
    }
}

#[test]
fn impulses_that_are_right_already_cost_no_factor() {
    let scene = arch(15, 0.7);
    let (_, mut r, mut v) = newton(&scene.problem);
    let before = r.clone();
    let info = StepSolver::default().solve(&scene.problem, &mut r, &mut v, (TOLERANCE, TOLERANCE));
    assert!(info.is_solved && info.factorisations == 0 && r == before);
}

#[test]
fn redundant_and_duplicate_contacts_change_nothing_but_impulses() {
    let make = |copies: usize| {
        let mut scene = Scene::default();
        let body = scene.add_box(2.0, [1.0; 3], [0.0, 0.0, 0.5], [0.3, 0.1, -1.0, 0.2, 0.1, 0.4]);
        for _ in 0..copies {
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
                scene.touch(None, body, [x, y, 0.0], UP, 0.6, [0.0; 3]);
            }
        }
        scene
    };
    let (once, _, v1) = newton(&make(1).problem);
    let (often, _, v5) = newton(&make(5).problem);
    assert!(once.is_solved && often.is_solved);
    for (a, b) in v1.iter().zip(&v5) {
        assert!((a - b).abs() < 1e-10, "{v1:?} {v5:?}");
    }
}

#[test]
fn random_heaps_agree_with_the_dense_solver() {
    let mut random = Random::new(11);
    let (mut solved, mut compared) = (0, 0);
    let cases = count(400, 4000);
    for case in 0..cases {
        let friction = [0.0, 0.2, 0.7, 1.0, 3.0][case % 5];
        let scene = heap(&mut random, friction);
        let (mut r, mut v) = (vec![0.0; scene.problem.rows()], vec![0.0; scene.problem.state_len()]);
        let info = StepSolver::default().solve(&scene.problem, &mut r, &mut v, (TOLERANCE, TOLERANCE));
        solved += usize::from(info.is_solved);
        assert!(v.iter().chain(&r).all(|x| x.is_finite()));
        // With little friction velocities are unique; else both may be right and differ.
        if info.is_solved && friction <= 0.2 {
            let problem = dense(&scene.problem);
            let other = solve(&problem, None);
            if other.status == SolveStatus::Solved {
                let u = problem.respond(&DVector::from_vec(r));
                assert!((&u - &other.a).amax() < 1e-9, "case {case}: {u} {}", other.a);
                compared += 1;
            }
        }
    }
    println!("{solved} of {cases} solved, {compared} compared");
    assert!(solved * 1000 >= cases * 990, "{solved} of {cases}");
    assert!(compared * 10 >= cases * 3);
}

#[test]
fn energy_never_rises_without_bias() {
    let mut random = Random::new(5);
    for case in 0..count(300, 3000) {
        let scene = heap(&mut random, [0.0, 0.5, 1.0, 3.0][case % 4]);
        let problem = &scene.problem;
        let (mut r, mut v) = (vec![0.0; problem.rows()], vec![0.0; problem.state_len()]);
        let info = StepSolver::default().solve(problem, &mut r, &mut v, (TOLERANCE, TOLERANCE));
        let (before, after) = (energy(problem, problem.free()), energy(problem, &v));
        if info.is_solved {
            assert!(after <= before * (1.0 + 1e-11), "case {case}: {before} to {after}");
        }
    }
}

#[test]
fn bodies_in_space_keep_their_momentum() {
    let mut random = Random::new(8);
    let mut scene = Scene::default();
    for k in 0..6_usize {
        let velocity = [0; 6].map(|_| random.range(-1.0, 1.0));
        scene.add_box(1.0 + k as f64, [1.0; 3], [k as f64, 0.0, 0.0], velocity);
    }
    for k in 1..6_usize {
        for (y, z) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            scene.touch(Some(k - 1), k, [k as f64 - 0.5, y, z], [1.0, 0.0, 0.0], 0.4, [0.0; 3]);
        }
    }
    let (info, _, v) = newton(&scene.problem);
    assert!(info.is_solved, "{info:?}");
    for axis in 0..3 {
        let sum = |v: &[f64]| (0..6_usize).map(|k| (1.0 + k as f64) * v[k * 6 + axis]).sum::<f64>();
        assert!((sum(&v) - sum(scene.problem.free())).abs() < 1e-12);
    }
}

#[test]
fn chains_of_joints_hold() {
    let mut scene = Scene::default();
    for k in 0..30_usize {
        scene.add_box(1.0, [1.0, 0.2, 0.2], [k as f64, 0.0, 0.0], [0.0, 0.0, -FALL, 0.0, 0.0, 0.0]);
    }
    // Three rows hold a point, one after another; the first one hangs on the wall.
    for k in 0..30_usize {
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let at = [k as f64 - 0.5, 0.0, 0.0];
            scene.touch_law(Block::Bilateral, k.checked_sub(1), k, at, axis, &[0.0]);
        }
    }
    let (info, _, v) = newton(&scene.problem);
    assert!(info.is_solved && info.factorisations <= 3, "{info:?}");
    assert!(v[29 * 6 + 2] < -0.5 * FALL, "the end falls");
}

#[test]
fn what_cannot_be_solved_is_flagged_and_finite() {
    // A body pressed from both sides by walls that approach.
    let mut scene = Scene::default();
    let body = scene.add_box(1.0, [1.0; 3], [0.0; 3], [0.0; 6]);
    scene.touch(None, body, [0.0, 0.0, -0.5], UP, 0.5, [-1.0, 0.0, 0.0]);
    scene.touch(None, body, [0.0, 0.0, 0.5], [0.0, 0.0, -1.0], 0.5, [-1.0, 0.0, 0.0]);
    // Velocities that nothing can change.
    scene.problem.add_block(Block::Bilateral, &[0.1]);
    let (info, r, v) = newton(&scene.problem);
    assert!(!info.is_solved && info.residual >= 0.1 && info.residual.is_finite());
    assert!(r.iter().chain(&v).all(|x| x.is_finite()), "{r:?} {v:?}");
    let (mut r, mut v) = (vec![0.0; 7], vec![0.0; 6]);
    let info = StepSolver::default().solve(&scene.problem, &mut r, &mut v, (TOLERANCE, TOLERANCE));
    assert!(!info.is_solved && r.iter().chain(&v).all(|x| x.is_finite()));
}

#[test]
fn bodies_without_mass_do_not_move_and_join_nothing() {
    let mut scene = Scene::default();
    let wall = scene.problem.add_group(&[0.0; 36], &[0.0; 6]);
    scene.centres.push([0.0; 3]);
    for k in 0..2_usize {
        let body = scene.add_box(1.0, [1.0; 3], [3.0 * k as f64, 0.0, 0.5], [0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
        for x in [-0.5, 0.5] {
            scene.touch(Some(wall), body, [3.0 * k as f64 + x, 0.0, 0.0], UP, 0.5, [0.0; 3]);
        }
    }
    // A mass matrix without mass along z: it does not move there.
    let rail = scene.problem.add_group(&[1.0, 0.0, 0.0, 0.0], &[1.0, 0.0]);
    scene.problem.add_block(Block::Unilateral, &[0.0]);
    scene.problem.add_side(rail, &[-1.0, 1.0]);
    let (info, _, v) = newton(&scene.problem);
    assert!(info.is_solved, "{info:?}");
    assert!(v[..6].iter().all(|v| *v == 0.0) && v.iter().all(|v| v.abs() < 1e-12));
}

#[test]
fn masses_may_differ_a_million_times() {
    for ratio in [1e-6, 1e-3, 1e3, 1e6] {
        let mut scene = Scene::default();
        for k in 0..4_usize {
            let mass = if k == 3 { ratio } else { 1.0 };
            scene.add_box(mass, [1.0; 3], [0.0, 0.0, k as f64 + 0.5], [0.0, 0.0, -FALL, 0.0, 0.0, 0.0]);
        }
        for k in 0..4_usize {
            for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
                scene.touch(k.checked_sub(1), k, [x, y, k as f64], UP, 0.5, [0.0; 3]);
            }
        }
        // Impulses that carry a million times the mass have a million times the rounding.
        let asked = if ratio > 1.0 { 1e-16 * ratio } else { 0.0 };
        let (info, _, _) = newton(&scene.problem);
        assert!(info.residual <= TOLERANCE.max(100.0 * asked), "{ratio}: {info:?}");
    }
}

#[test]
fn scaling_masses_scales_impulses_and_velocities_scale_with_velocities() {
    let build = |mass: f64, speed: f64| {
        let mut scene = Scene::default();
        let velocity = [0.4, 0.1, -1.0, 0.3, 0.0, 0.2].map(|v| v * speed);
        let body = scene.add_box(mass, [1.0; 3], [0.0, 0.0, 0.5], velocity);
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            scene.touch(None, body, [x, y, 0.0], UP, 0.3, [0.0; 3]);
        }
        newton(&scene.problem)
    };
    let (a, r, v) = build(1.0, 1.0);
    let (b, r_mass, v_mass) = build(1024.0, 1.0);
    let (c, r_speed, v_speed) = build(1.0, 0.25);
    assert!(a.is_solved && b.is_solved && c.is_solved);
    // Powers of two: the same bits.
    assert!(r.iter().zip(&r_mass).all(|(a, b)| (a * 1024.0).total_cmp(b).is_eq()) && v == v_mass);
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a * 0.25 - b).abs() < 1e-11);
    assert!(near(&r, &r_speed) && near(&v, &v_speed));
}

#[test]
fn swapping_the_bodies_of_contacts_changes_no_velocity() {
    let build = |is_swapped: bool| {
        let mut scene = Scene::default();
        scene.add_box(1.0, [1.0; 3], [0.0, 0.0, 0.5], [0.1, 0.0, -FALL, 0.0, 0.0, 0.0]);
        scene.add_box(1.0, [1.0; 3], [0.0, 0.0, 1.5], [0.0, 0.1, -FALL, 0.0, 0.0, 0.0]);
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
            scene.touch(None, 0, [x, y, 0.0], UP, 0.5, [0.0; 3]);
            if is_swapped {
                scene.touch(Some(1), 0, [x, y, 1.0], [0.0, 0.0, -1.0], 0.5, [0.0; 3]);
            } else {
                scene.touch(Some(0), 1, [x, y, 1.0], UP, 0.5, [0.0; 3]);
            }
        }
        newton(&scene.problem)
    };
    let ((a, _, v), (b, _, w)) = (build(false), build(true));
    assert!(a.is_solved && b.is_solved);
    assert!(v.iter().zip(&w).all(|(a, b)| (a - b).abs() < 1e-11), "{v:?} {w:?}");
}

#[test]
fn the_same_problem_gives_the_same_bits_and_allocates_nothing_twice() {
    let scenes = [tower(20, 0.5), arch(15, 0.2), pile(3, 3, 0.5, 0.05, 3)];
    let mut solver = StepSolver::default();
    let mut first = Vec::new();
    for round in 0..3 {
        for (k, scene) in scenes.iter().enumerate() {
            let problem = &scene.problem;
            let (mut r, mut v) = (vec![0.0; problem.rows()], vec![0.0; problem.state_len()]);
            let before = allocations();
            let info = solver.solve(problem, &mut r, &mut v, (TOLERANCE, TOLERANCE));
            let spent = allocations() - before;
            if round == 0 {
                first.push((info, r, v));
            } else {
                assert_eq!(spent, 0, "scene {k}, round {round}");
                assert_eq!((info, r, v), first[k], "scene {k}, round {round}");
            }
        }
    }
}

#[test]
fn islands_do_not_feel_each_other() {
    let (_, _, alone) = newton(&arch(9, 0.5).problem);
    // The same arch beside a tower and bodies without contacts.
    let mut scene = arch(9, 0.5);
    scene.add_box(1.0, [1.0; 3], [9.0, 0.0, 9.0], [1.0; 6]);
    let body = scene.add_box(1.0, [1.0; 3], [5.0, 0.0, 0.5], [1.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
    for x in [4.5, 5.5] {
        scene.touch(None, body, [x, 0.0, 0.0], UP, 0.5, [0.0; 3]);
    }
    let (info, _, v) = newton(&scene.problem);
    assert!(info.is_solved && v[..alone.len()] == alone[..]);
    assert_eq!(v[alone.len()..alone.len() + 6], [1.0; 6]);
}
