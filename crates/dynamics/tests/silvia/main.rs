//! Steps with distances at the end complementary to forces: exact cases with true rotations, contact sets that grow, jams, joints and loops.

mod scene;

use scene::{Cube, DT, G, Pair, Scene, bottom, cubes};
use zerogap_contact::solve::FischerStatus;
use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{Inertia, Joint, JointKind, Loop, LoopKind, TreeBuilder};
use zerogap_dynamics::step::{Moment, Silvia, SilviaParams, SilviaStatus, StepContacts};
use zerogap_testkit::allocations::{Counting, allocations};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const GRIDS: [(usize, usize); 3] = [(2, 2), (5, 4), (10, 10)];

#[test]
fn a_cube_at_rest_stays_and_is_carried_equally() {
    for (nx, ny) in GRIDS {
        let mut cube = Cube::new(nx, ny, 0.0, 0.0, 0.0);
        let share = G / (nx * ny) as f64;
        let forces = cube.first();
        assert!(forces.iter().all(|f| (f - share).abs() <= 1e-8 * share), "{forces:?}");
        // Ten seconds, all warm.
        for _ in 0..1000 {
            let info = cube.step();
            assert!(info.status == SilviaStatus::Done && info.newton_steps <= 2, "{info:?}");
        }
        assert!((cube.q[2] - 0.5).abs() <= 1e-12 && cube.q[0].abs() <= 1e-12, "{:?}", cube.q);
    }
}

#[test]
fn an_impact_ends_in_touch() {
    for (nx, ny) in GRIDS {
        let mut cube = Cube::new(nx, ny, 1e-3, 1.0, 0.0);
        let forces = cube.first();
        assert!((cube.v[2] + 0.1).abs() <= 1e-10, "{:?}", cube.v);
        assert!((forces.iter().sum::<f64>() - 99.81).abs() <= 1e-8);
        assert!((cube.q[2] - 0.5).abs() <= 1e-12);
    }
}

#[test]
fn without_contact_there_is_no_force() {
    let mut cube = Cube::new(5, 4, 1e-3, 0.0, 0.0);
    let forces = cube.first();
    assert!(forces.iter().all(|f| f.abs() <= 0.0));
    assert!((cube.q[2] - 0.5 - 1.9e-5).abs() <= 1e-15);
}

#[test]
fn an_off_centre_load_moves_the_centre_of_pressure() {
    for (nx, ny) in GRIDS {
        let mut cube = Cube::new(nx, ny, 0.0, 0.0, 0.2 * G);
        let forces = cube.first();
        let sum: f64 = forces.iter().sum();
        let moment: f64 = forces.iter().zip(bottom(nx, ny)).map(|(f, p)| f * p.x).sum();
        assert!((sum - G).abs() <= 1e-8 && (moment / sum - 0.2).abs() <= 1e-9, "{sum} {moment}");
    }
}

#[test]
fn tipping_with_true_rotation_differs_from_the_linear_answer_as_it_must() {
    for (nx, ny) in GRIDS {
        let mut cube = Cube::new(nx, ny, 0.0, 0.0, 0.6 * G);
        let forces = cube.first();
        let (sum, turning) = (forces.iter().sum::<f64>(), cube.v[4]);
        println!("{sum} N, {turning} rad/s");
        // Linear: 10.9872 and 0.023544.
        assert!((sum - 10.98714).abs() <= 5e-6, "{sum}");
        assert!((turning - 0.023_545_7).abs() <= 5e-8, "{turning}");
        // The edge is on the ground: sqrt2/2 sin(angle + 45 deg) gives its height against the centre.
        let (s, c) = zerogap_core::math::sin_cos(turning * DT);
        assert!((cube.q[2] - 0.5 * s - 0.5 * c).abs() <= 1e-12);
    }
}

#[test]
fn stacked_cubes_carry_what_is_above_them() {
    for (nx, ny) in GRIDS {
        let (tree, bodies) = cubes(2);
        let on_lower = |p| Pair {
            body: bodies[1],
            point: p,
            carrier: Some(bodies[0]),
            origin: Vec3::new(0.0, 0.0, 0.5),
            normal: Vec3::z(),
        };
        let points = bottom(nx, ny);
        let mut pairs: Vec<Pair> = points.iter().map(|p| Pair::ground(bodies[0], *p)).collect();
        pairs.extend(points.iter().copied().map(on_lower));
        let mut scene = Scene::new(pairs);
        let (mut q, mut v) = (tree.initial_positions(), vec![0.0; 12]);
        (q[2], q[9]) = (0.5, 1.5);
        let mut silvia = Silvia::new(&tree, SilviaParams::default());
        for step in 0..200 {
            let info = silvia.step(&tree, 0.0, DT, &mut q, &mut v, &mut scene);
            assert_eq!(info.status, SilviaStatus::Done);
            assert!(info.newton_steps <= if step == 0 { 10 } else { 2 }, "{info:?}");
            let (lower, upper) = silvia.forces().split_at(nx * ny);
            assert!((lower.iter().sum::<f64>() - 2.0 * G).abs() <= 1e-7);
            assert!((upper.iter().sum::<f64>() - G).abs() <= 1e-7);
        }
        assert!((q[2] - 0.5).abs() <= 1e-11 && (q[9] - 1.5).abs() <= 1e-11);
    }
}

#[test]
fn contacts_that_appear_at_the_end_are_added() {
    // A cube that turns while it falls: the far corners are beyond the margin at the start and below the ground at the end.
    let mut cube = Cube::new(2, 2, 0.0, 0.0, 0.0);
    cube.q[2] = 0.52;
    (cube.v[2], cube.v[4]) = (-5.0, 0.5);
    cube.scene.margin = Some(-1.0);
    cube.scene.looks = true;
    let info = cube.step();
    assert_eq!(info.status, SilviaStatus::Done);
    assert!(info.rounds >= 1 && info.contacts >= 2 && info.parts == 1, "{info:?}");
    let heights = corner_heights(&cube);
    assert!(heights.iter().all(|z| *z >= -1e-12), "{heights:?}");
    // What is never closed is tried in ever smaller parts, made nevertheless, and told.
    let mut cube = Cube::new(2, 2, 0.0, 0.0, 0.0);
    cube.scene.never_content = true;
    let info = cube.step();
    assert_eq!((info.status, info.parts), (SilviaStatus::Open, 16));
    assert!((info.advanced - DT).abs() <= 1e-18 && (cube.q[2] - 0.5).abs() <= 1e-11);
}

fn corner_heights(cube: &Cube) -> Vec<f64> {
    let mut ws = cube.tree.workspace();
    cube.tree.update(0.0, &cube.q, &cube.v, &mut ws);
    let at = Moment { tree: &cube.tree, ws: &ws, t: 0.0, q: &cube.q, v: &cube.v };
    cube.scene.pairs.iter().map(|pair| pair.measure(&at).0).collect()
}

#[test]
fn tumbling_cubes_never_sink_and_come_to_rest() {
    let mut random = Random::new(3);
    for _ in 0..4 {
        let (tree, bodies) = cubes(1);
        let corner =
            |i: usize| Vec3::new((i & 1) as f64 - 0.5, (i >> 1 & 1) as f64 - 0.5, (i >> 2 & 1) as f64 - 0.5);
        let mut scene = Scene::new((0..8).map(|i| Pair::ground(bodies[0], corner(i))).collect());
        scene.margin = Some(0.05);
        scene.looks = true;
        let (mut q, mut v) = (tree.initial_positions(), vec![0.0; 6]);
        q[2] = 1.2;
        q[3..].copy_from_slice(&random.quaternion_xyzw());
        for x in &mut v {
            *x = random.range(-2.0, 2.0);
        }
        let mut cube = Cube { silvia: Silvia::new(&tree, SilviaParams::default()), tree, scene, q, v };
        let (mut newton, mut steps) = (0, 0);
        for _ in 0..600 {
            let info = cube.step();
            assert_eq!(info.status, SilviaStatus::Done);
            newton += info.newton_steps;
            steps += 1;
            let lowest = corner_heights(&cube).into_iter().fold(f64::INFINITY, f64::min);
            assert!(lowest >= -2e-12, "{lowest:e}");
        }
        println!("{} Newton steps per step", newton as f64 / f64::from(steps));
        // Nothing brakes sliding and spinning; falling and tumbling have ended on a face.
        assert!((cube.q[2] - 0.5).abs() <= 1e-9 && cube.v[2].abs() <= 1e-9, "{:?} {:?}", cube.q, cube.v);
    }
}

/// Contacts of bodies without any velocity: rows of no length.
struct Fixed<'a>(&'a mut Scene);
impl StepContacts for Fixed<'_> {
    fn choose(&mut self, start: &Moment<'_>, dt: f64) -> usize {
        self.0.choose(start, dt)
    }
    fn distances(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
        self.0.distances(at, which, out);
    }
    fn rows(&mut self, _: &Moment<'_>, _: &[usize], out: &mut [f64]) {
        assert!(out.is_empty());
    }
}

#[test]
fn a_jam_is_told_and_leaves_finite_numbers() {
    // A cube in a slot that is 1 mm too narrow for it.
    let (tree, bodies) = cubes(1);
    let wall = |x: f64| Pair {
        body: bodies[0],
        point: Vec3::new(0.5 * x, 0.0, 0.0),
        carrier: None,
        origin: Vec3::new(0.4995 * x, 0.0, 0.0),
        normal: Vec3::new(-x, 0.0, 0.0),
    };
    let mut scene = Scene::new(vec![wall(1.0), wall(-1.0)]);
    let (mut q, mut v) = (tree.initial_positions(), vec![0.0; 6]);
    let mut silvia = Silvia::new(&tree, SilviaParams::default());
    let info = silvia.step(&tree, 0.0, DT, &mut q, &mut v, &mut scene);
    assert_eq!(info.status, SilviaStatus::Jammed);
    assert!((info.residual - 5e-4).abs() <= 1e-6, "{info:?}");
    assert!(matches!(scene.last.map(|l| l.status), Some(FischerStatus::Jammed { .. })));
    // The overlap is shared, and the cube falls on.
    assert!(q[0].abs() <= 1e-9 && (v[2] + G * DT).abs() <= 1e-9, "{q:?} {v:?}");
    assert!(q.iter().chain(&v).chain(silvia.forces()).all(|x| x.is_finite()));
    // Two parts that nothing moves.
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let body = builder.body(Inertia::sphere(1.0, 1.0), Joint::new(None, JointKind::Fixed)).unwrap();
    let tree = builder.build().unwrap();
    let mut scene = Scene::new(vec![Pair::ground(body, Vec3::new(0.0, 0.0, -0.1))]);
    let mut silvia = Silvia::new(&tree, SilviaParams::default());
    let info = silvia.step(&tree, 0.0, DT, &mut [], &mut [], &mut Fixed(&mut scene));
    assert_eq!(info.status, SilviaStatus::Jammed);
}

#[test]
fn numbers_that_are_none_are_refused_and_change_nothing() {
    for (at, bad) in [(2, f64::NAN), (2, f64::INFINITY), (4, f64::NAN)] {
        let mut cube = Cube::new(2, 2, 0.0, 0.0, 0.0);
        cube.q[at] = bad;
        let (q, v) = (cube.q.clone(), cube.v.clone());
        let info = cube.step();
        assert_eq!(info.status, SilviaStatus::Refused);
        assert!(info.advanced.abs() <= 0.0);
        let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(same(&q, &cube.q) && same(&v, &cube.v));
    }
    let mut cube = Cube::new(2, 2, 0.0, 0.0, f64::NAN);
    assert_eq!(cube.step().status, SilviaStatus::Refused);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut cube = Cube::new(2, 2, 0.0, 0.0, 0.0);
        let info = cube.silvia.step(&cube.tree, 0.0, dt, &mut cube.q, &mut cube.v, &mut cube.scene);
        assert_eq!(info.status, SilviaStatus::Refused);
    }
    // No contacts are no trouble.
    let mut cube = Cube::new(2, 2, 0.0, 0.0, 0.0);
    cube.scene.margin = Some(-1.0);
    assert_eq!(cube.step().status, SilviaStatus::Done);
    assert!((cube.v[2] + G * DT).abs() <= 1e-15);
}

#[test]
fn limits_of_joints_are_contacts_like_others() {
    /// The lower bound of one position.
    struct Stop;
    impl StepContacts for Stop {
        fn choose(&mut self, start: &Moment<'_>, _: f64) -> usize {
            start.tree.limits().len()
        }
        fn distances(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
            for (out, k) in out.iter_mut().zip(which) {
                *out = at.tree.limit_value(&at.tree.limits()[*k], at.q);
            }
        }
        fn rows(&mut self, at: &Moment<'_>, which: &[usize], out: &mut [f64]) {
            for (row, k) in out.chunks_exact_mut(at.v.len()).zip(which) {
                at.tree.limit_row(&at.tree.limits()[*k], at.ws, row);
            }
        }
    }
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -G));
    let bob = Inertia::point(1.0, Vec3::new(0.5, 0.0, 0.0));
    let body = builder.body(bob, Joint::new(None, JointKind::Revolute { axis: -Vec3::y() })).unwrap();
    let dof = zerogap_dynamics::multibody::Dof { lower: Some(0.0), ..Default::default() };
    builder.dof(body, 0, dof).unwrap();
    let tree = builder.build().unwrap();
    let mut silvia = Silvia::new(&tree, SilviaParams::default());
    let (mut q, mut v) = (vec![0.3], vec![0.0]);
    for _ in 0..200 {
        let info = silvia.step(&tree, 0.0, DT, &mut q, &mut v, &mut Stop);
        assert_eq!(info.status, SilviaStatus::Done);
        assert!(q[0] >= -1e-12);
    }
    // The bar lies on its stop, whose torque is that of the weight.
    assert!(q[0].abs() <= 1e-12 && v[0].abs() <= 1e-9);
    assert!((silvia.forces()[0] - 0.5 * G).abs() <= 1e-9, "{:?}", silvia.forces());
}

#[test]
fn forces_reach_through_loops() {
    // Two sliders tied together; only one stands on the ground, and carries both.
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -G));
    let slider = || JointKind::Prismatic { axis: Vec3::z() };
    let a = builder.body(Inertia::sphere(1.0, 0.1), Joint::new(None, slider())).unwrap();
    let b = builder.body(Inertia::sphere(2.0, 0.1), Joint::new(None, slider())).unwrap();
    let tie = Loop {
        a: Some(a),
        frame_a: Pose::identity(),
        b: Some(b),
        frame_b: Pose::identity(),
        kind: LoopKind::Point,
    };
    builder.close(tie).unwrap();
    let tree = builder.build().unwrap();
    let mut scene = Scene::new(vec![Pair::ground(a, Vec3::zeros())]);
    let mut silvia = Silvia::new(&tree, SilviaParams::default());
    let (mut q, mut v) = (vec![0.2; 2], vec![0.0; 2]);
    for _ in 0..100 {
        assert_eq!(silvia.step(&tree, 0.0, DT, &mut q, &mut v, &mut scene).status, SilviaStatus::Done);
    }
    assert!((silvia.forces()[0] - 3.0 * G).abs() <= 1e-8, "{:?}", silvia.forces());
    assert!(q.iter().all(|z| z.abs() <= 1e-12), "{q:?}");
}

#[test]
fn islands_are_solved_apart_and_change_nothing() {
    // Cubes side by side fall by different heights; each does what it does alone.
    let (tree, bodies) = cubes(3);
    let gaps = [0.0, 1e-3, 0.1];
    let pairs = bodies.iter().flat_map(|body| bottom(2, 2).into_iter().map(|p| Pair::ground(*body, p)));
    let mut scene = Scene::new(pairs.collect());
    let (mut q, mut v) = (tree.initial_positions(), vec![0.0; 18]);
    let mut alone: Vec<Cube> = gaps.iter().map(|gap| Cube::new(2, 2, *gap, 1.0, 0.0)).collect();
    for (k, gap) in gaps.iter().enumerate() {
        q[7 * k + 2] = 0.5 + gap;
        v[6 * k + 2] = -1.0;
    }
    let mut silvia = Silvia::new(&tree, SilviaParams::default());
    for _ in 0..50 {
        let together = silvia.step(&tree, 0.0, DT, &mut q, &mut v, &mut scene);
        assert_eq!(together.status, SilviaStatus::Done);
        let apart: Vec<_> = alone.iter_mut().map(Cube::step).collect();
        assert_eq!(together.newton_steps, apart.iter().map(|info| info.newton_steps).sum::<usize>());
        for (k, cube) in alone.iter().enumerate() {
            let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-14);
            assert!(same(&q[7 * k..7 * k + 7], &cube.q) && same(&v[6 * k..6 * k + 6], &cube.v), "{k}");
            assert!(same(&silvia.forces()[4 * k..4 * k + 4], cube.silvia.forces()));
        }
    }
}

#[test]
fn nothing_is_allocated_once_the_memory_fits() {
    let mut cube = Cube::new(5, 4, 1e-2, 1.0, 0.1 * G);
    cube.scene.margin = Some(0.5);
    for step in 0..100 {
        let before = allocations();
        let info = cube.step();
        assert_eq!(info.status, SilviaStatus::Done);
        assert!(step < 3 || allocations() == before, "step {step}: {}", allocations() - before);
    }
}
