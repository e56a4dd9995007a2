//! Loops: projecting onto them, moving along them, and rows that repeat each other.

use std::sync::Arc;

use zerogap_core::math::sin;
use zerogap_core::random::Random;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, ConstrainedSolver, Harmonic, HarmonicMotion, Inertia, Joint, JointKind, Loop, LoopKind, Motion,
    Tree, TreeBuilder,
};

use crate::support::{GRAVITY, difference, inertia, kind, largest, numbers, pose, rk4, state};

const G: f64 = 9.81;

fn shift(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z)).unwrap()
}

/// A parallelogram of three bars of length `l` and mass `m` in the x-y plane, cranks hanging from (0, 0) and (l, 0): a swing.
fn four_bar(l: f64, m: f64, kind: LoopKind) -> Tree {
    let mut builder = TreeBuilder::new(Vec3::new(0.0, -G, 0.0));
    let hinge = || JointKind::Revolute { axis: Vec3::z() };
    let thin = m * l * l / 12.0;
    let hanging = Inertia {
        mass: m,
        center: Vec3::new(0.0, -l / 2.0, 0.0),
        inertia: Mat3::from_diagonal(&Vec3::new(thin, 0.0, thin)),
    };
    let lying = Inertia {
        mass: m,
        center: Vec3::new(l / 2.0, 0.0, 0.0),
        inertia: Mat3::from_diagonal(&Vec3::new(0.0, thin, thin)),
    };
    let crank = builder.body(hanging, Joint::new(None, hinge())).unwrap();
    let coupler =
        builder.body(lying, Joint::new(Some(crank), hinge()).parent_frame(shift(0.0, -l, 0.0))).unwrap();
    let rocker = builder.body(hanging, Joint::new(None, hinge()).parent_frame(shift(l, 0.0, 0.0))).unwrap();
    builder
        .close(Loop {
            a: Some(coupler),
            frame_a: shift(l, 0.0, 0.0),
            b: Some(rocker),
            frame_b: shift(0.0, -l, 0.0),
            kind,
        })
        .unwrap();
    builder.build().unwrap()
}

#[test]
fn a_four_bar_closed_by_a_spatial_hinge_swings_as_its_one_degree_of_freedom_says() {
    let (l, m) = (0.8, 1.5);
    for kind in [LoopKind::Point, LoopKind::Revolute { axis: Vec3::z() }] {
        let tree = four_bar(l, m, kind);
        let mut ws = tree.workspace();
        for (angle, rate) in [(0.4, 0.0), (0.9, 1.3), (-1.2, -0.5)] {
            let (mut q, mut v) = (vec![angle, -angle, angle], vec![rate, -rate, rate]);
            let projected = tree.project(0.0, &mut q, &mut v, &mut ws);
            assert!(projected.position_error < 1e-15 && projected.velocity_error < 1e-14);
            let (mut vdot, mut lambda) = (vec![0.0; 3], vec![0.0; tree.loop_rows()]);
            let held = tree.loop_acceleration(&mut ws, &[], &[0.0; 3], &mut vdot, &mut lambda);
            // Two cranks m l²/3 about their hinges, a coupler that only moves along: (2/3 + 1) m l² φ'' = -2 m g l sin φ.
            let expected = -2.0 * G * sin(angle) / (5.0 / 3.0 * l);
            assert!(difference(&vdot, &[expected, -expected, expected]) < 1e-12, "{vdot:?} {expected}");
            assert!(held.residual < 1e-12 && held.rounds <= 6, "{held:?}");
        }
    }
}

#[test]
fn redundant_rows_share_the_force_equally() {
    // A ball on two identical vertical supports: each carries half, and the ball does not fall.
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -G));
    builder.body(Inertia::sphere(2.0, 0.1), Joint::new(None, JointKind::Free)).unwrap();
    let tree = builder.build().unwrap();
    let mut ws = tree.workspace();
    tree.update(0.0, &tree.initial_positions(), &[0.0; 6], &mut ws);
    let mut vdot = vec![0.0; 6];
    tree.acceleration(&mut ws, &[], &[0.0; 6], &mut vdot);
    let mut rows = vec![0.0; 18];
    for row in rows.chunks_exact_mut(6).take(2) {
        tree.point_row(&ws, Some(BodyId(0)), Vec3::zeros(), Vec3::z(), 1.0, row);
    }
    let mut lambda = [1.0; 3];
    // The third row is zero: nothing can change it, and it is left alone.
    let held = ConstrainedSolver::default().hold(&tree, &mut ws, &rows, &[0.0; 3], &mut vdot, &mut lambda);
    assert!(largest(&vdot) < 1e-14, "{vdot:?}");
    // What rounding leaves of the difference is divided by the 1e-9 on the diagonal.
    assert!(difference(&lambda, &[G, G, 0.0]) < 1e-6 * G, "{lambda:?}");
    assert_eq!(held.immobile, 1);
}

#[test]
fn contradicting_rows_are_reported_and_stay_finite() {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    builder
        .body(Inertia::sphere(2.0, 0.1), Joint::new(None, JointKind::Prismatic { axis: Vec3::x() }))
        .unwrap();
    let tree = builder.build().unwrap();
    let mut ws = tree.workspace();
    tree.update(0.0, &[0.0], &[0.0], &mut ws);
    let (mut vdot, mut lambda) = (vec![0.0], [0.0; 2]);
    let held =
        ConstrainedSolver::default().hold(&tree, &mut ws, &[1.0, 1.0], &[1.0, -1.0], &mut vdot, &mut lambda);
    assert!(held.residual > 0.1 && vdot[0].is_finite() && vdot[0].abs() < 1e-5, "{held:?} {vdot:?}");
}

#[test]
fn held_rows_agree_with_the_dense_saddle_point_system() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let tree = crate::support::tree(&mut random, 6);
        let n = tree.velocities();
        let (q, v) = state(&mut random, &tree);
        let mut ws = tree.workspace();
        tree.update(0.0, &q, &v, &mut ws);
        let m = n / 2;
        let (rows, bias) = (numbers(&mut random, m * n, 1.0), numbers(&mut random, m, 1.0));
        let effort = numbers(&mut random, n, 1.0);
        let (mut vdot, mut lambda) = (vec![0.0; n], vec![0.0; m]);
        tree.acceleration(&mut ws, &[], &effort, &mut vdot);
        let free = vdot.clone();
        ConstrainedSolver::default().hold(&tree, &mut ws, &rows, &bias, &mut vdot, &mut lambda);
        // [M Jᵀ; J 0] [x; -λ] = [M free; -bias].
        let mut mass = nalgebra::DMatrix::zeros(n, n);
        tree.mass_matrix(&mut ws, &mut mass);
        let j = nalgebra::DMatrix::from_row_slice(m, n, &rows);
        let mut saddle = nalgebra::DMatrix::zeros(n + m, n + m);
        saddle.view_mut((0, 0), (n, n)).copy_from(&mass);
        saddle.view_mut((n, 0), (m, n)).copy_from(&j);
        saddle.view_mut((0, n), (n, m)).copy_from(&j.transpose());
        let top = &mass * nalgebra::DVector::from_column_slice(&free);
        let right = nalgebra::DVector::from_fn(n + m, |i, _| if i < n { top[i] } else { -bias[i - n] });
        let x = saddle.lu().solve(&right).unwrap();
        let (mut columns, mut delassus) = (vec![0.0; m * n], vec![0.0; m * m]);
        tree.delassus(&mut ws, &rows, &mut columns, &mut delassus);
        let dense = &j * mass.cholesky().unwrap().solve(&j.transpose());
        let found = nalgebra::DMatrix::from_row_slice(m, m, &delassus);
        assert!(m == 0 || (&found - &dense).amax() <= 1e-10 * dense.amax(), "seed {seed}");
        let size = largest(x.as_slice()).max(largest(&free)).max(1.0);
        assert!(difference(&vdot, &x.as_slice()[..n]) <= 1e-8 * size, "seed {seed}");
    }
}

#[test]
fn projecting_meets_loops_to_rounding_and_moves_little() {
    for seed in 0..20 {
        let mut random = Random::new(900 + seed);
        let mut builder = TreeBuilder::new(GRAVITY);
        for i in 0..6_u32 {
            let parent = i.checked_sub(1).map(BodyId);
            let which = [5, 1, 4, 5, 1, 5][i as usize];
            let joint = Joint::new(parent, kind(&mut random, which)).parent_frame(pose(&mut random, 0.6));
            builder.body(inertia(&mut random), joint).unwrap();
        }
        // A loop closed exactly where the tree stands at a known state, by the frame measured there.
        let open = builder.clone().build().unwrap();
        let (mut q, v) = state(&mut random, &open);
        open.normalise(&mut q);
        let mut ws = open.workspace();
        open.update(0.0, &q, &v, &mut ws);
        let (a, b) = (BodyId(1), BodyId(5));
        let frame_b = pose(&mut random, 0.5);
        let frame_a = ws.pose(a).inverse() * *ws.pose(b) * frame_b;
        let kind = [LoopKind::Fixed, LoopKind::Point, LoopKind::Revolute { axis: random.direction() }]
            [seed as usize % 3];
        builder.close(Loop { a: Some(a), frame_a, b: Some(b), frame_b, kind }).unwrap();
        let tree = builder.build().unwrap();
        let mut ws = tree.workspace();

        // Off by a known amount, then back.
        let off = numbers(&mut random, tree.velocities(), 1e-3);
        let (mut moved, mut v) = (q.clone(), v);
        tree.displace(&mut moved, &off);
        let result = tree.project(0.0, &mut moved, &mut v, &mut ws);
        assert!(result.position_error <= 2e-14 && result.velocity_error <= 1e-12, "seed {seed}: {result:?}");
        assert!(result.iterations <= 6, "seed {seed}: {result:?}");
        assert!(difference(&moved, &q) <= 1e-1, "seed {seed}");

        // Least change of velocity in the kinetic metric: it is orthogonal to every velocity that the loops allow.
        let wanted = numbers(&mut random, tree.velocities(), 1.0);
        let mut found = wanted.clone();
        tree.project(0.0, &mut moved, &mut found, &mut ws);
        let change: Vec<f64> = found.iter().zip(&wanted).map(|(a, b)| a - b).collect();
        let mut mass = nalgebra::DMatrix::zeros(tree.velocities(), tree.velocities());
        tree.mass_matrix(&mut ws, &mut mass);
        let work = (mass * nalgebra::DVector::from(change)).dot(&nalgebra::DVector::from(found));
        assert!(work.abs() < 1e-10, "seed {seed}: {work}");
    }
}

#[test]
fn a_swing_closed_by_a_loop_keeps_its_energy() {
    let tree = four_bar(0.8, 1.5, LoopKind::Revolute { axis: Vec3::z() });
    let (mut q, mut v) = (vec![0.9, -0.9, 0.9], vec![0.0; 3]);
    let mut ws = tree.workspace();
    tree.project(0.0, &mut q, &mut v, &mut ws);
    let before = tree.energy(&ws, &q).total();
    let (mut lambda, h) = (vec![0.0; tree.loop_rows()], 1e-3);
    for k in 0..2000 {
        rk4(&tree, &mut ws, (f64::from(k) * h, h), &mut q, &mut v, &mut |ws, _, _, dv| {
            tree.loop_acceleration(ws, &[], &[0.0; 3], dv, &mut lambda);
        });
        tree.project(0.0, &mut q, &mut v, &mut ws);
    }
    let after = tree.energy(&ws, &q).total();
    assert!((after - before).abs() < 1e-9, "{before} {after}");
    assert!(q[0].abs() <= 0.9 + 1e-9);
}

#[test]
fn a_rod_of_given_length_makes_a_pendulum_of_a_sliding_ball() {
    // A free ball held at distance l from the origin, swinging through the lowest point at speed s: the rod pulls m (g + s²/l).
    let (l, speed, m) = (2.0, 1.7, 0.4);
    let mut builder = TreeBuilder::new(Vec3::new(0.0, 0.0, -G));
    let ball = builder.body(Inertia::sphere(m, 0.1), Joint::new(None, JointKind::Free)).unwrap();
    let origin = Pose::identity();
    builder
        .close(Loop { a: None, frame_a: origin, b: Some(ball), frame_b: origin, kind: LoopKind::Distance(l) })
        .unwrap();
    let tree = builder.build().unwrap();
    let mut ws = tree.workspace();
    let mut q = tree.initial_positions();
    q[2] = -l;
    let mut v = vec![speed, 0.0, 0.0, 0.0, 0.0, 0.0];
    tree.update(0.0, &q, &v, &mut ws);
    let (mut vdot, mut lambda) = (vec![0.0; 6], [0.0]);
    tree.loop_acceleration(&mut ws, &[], &[0.0; 6], &mut vdot, &mut lambda);
    assert!((lambda[0] + m * (G + speed * speed / l)).abs() < 1e-12, "{lambda:?}");
    assert!((vdot[2] - speed * speed / l).abs() < 1e-12);
    // At the very centre there is no direction; one is chosen, and the ball is put at distance l.
    q[2] = 0.0;
    let result = tree.project(0.0, &mut q, &mut v, &mut ws);
    assert!(result.position_error < 1e-14 && (Vec3::new(q[0], q[1], q[2]).norm() - l).abs() < 1e-14);
}

#[test]
fn a_loop_that_cannot_be_closed_says_so() {
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let crank = Inertia::point(1.0, Vec3::new(1.0, 0.0, 0.0));
    let body = builder.body(crank, Joint::new(None, JointKind::Revolute { axis: Vec3::z() })).unwrap();
    builder
        .close(Loop {
            a: Some(body),
            frame_a: shift(1.0, 0.0, 0.0),
            b: None,
            frame_b: shift(0.0, 3.0, 0.0),
            kind: LoopKind::Point,
        })
        .unwrap();
    let tree = builder.build().unwrap();
    let (mut q, mut v, mut ws) = (vec![0.3], vec![1.0], tree.workspace());
    let result = tree.project(0.0, &mut q, &mut v, &mut ws);
    // The tip reaches 1 m of the 3 m: 2 m are missing at best.
    assert!(result.position_error >= 2.0 - 1e-12 && result.position_error.is_finite(), "{result:?}");
    assert!(q[0].is_finite() && v[0].is_finite() && result.iterations <= 40);
}

#[test]
fn a_four_bar_passes_its_dead_point_without_harm() {
    // With all bars in one line the loop has one row less than anywhere else, and the linkage could go two ways.
    let tree = four_bar(0.8, 1.5, LoopKind::Revolute { axis: Vec3::z() });
    let mut ws = tree.workspace();
    let quarter = std::f64::consts::FRAC_PI_2;
    for off in [0.0, 1e-12, 1e-9, 1e-6, 1e-3] {
        let angle = quarter - off;
        let (mut q, mut v) = (vec![angle, -angle, angle], vec![2.0, -2.0, 2.0]);
        let result = tree.project(0.0, &mut q, &mut v, &mut ws);
        assert!(result.position_error < 1e-14 && result.velocity_error < 1e-9, "{off}: {result:?}");
        let (mut vdot, mut lambda) = (vec![0.0; 3], vec![0.0; tree.loop_rows()]);
        tree.loop_acceleration(&mut ws, &[], &[0.0; 3], &mut vdot, &mut lambda);
        // The parallelogram goes on as one: the acceleration is that of the swing on both sides of the point.
        let expected = -2.0 * G * sin(angle) / (5.0 / 3.0 * 0.8);
        if off >= 1e-3 {
            assert!(difference(&vdot, &[expected, -expected, expected]) < 1e-9, "{off}: {vdot:?} {expected}");
        }
        assert!(largest(&vdot) < 100.0, "{off}: {vdot:?}");
    }
}

#[test]
fn a_loop_to_a_prescribed_body_follows_it() {
    // A slider pushed by a shaker through a fixed loop moves as the shaker does.
    let mut builder = TreeBuilder::new(Vec3::zeros());
    let shake = Harmonic { amplitude: 0.3, frequency: 0.7, phase: 0.4 };
    let still = [Harmonic::default(); 3];
    let motion = HarmonicMotion::new(Pose::identity(), [shake, still[0], still[0]], still).unwrap();
    let shaker = builder
        .body(Inertia::none(), Joint::new(None, JointKind::Prescribed(Arc::new(motion.clone()))))
        .unwrap();
    let along = JointKind::Prismatic { axis: Vec3::x() };
    let slider = builder.body(Inertia::sphere(1.0, 0.1), Joint::new(None, along)).unwrap();
    let frame = Pose::identity();
    let kind = LoopKind::Fixed;
    builder.close(Loop { a: Some(shaker), frame_a: frame, b: Some(slider), frame_b: frame, kind }).unwrap();
    let tree = builder.build().unwrap();
    let mut ws = tree.workspace();
    let (mut q, mut v) = (vec![0.0], vec![5.0]);
    let result = tree.project(1.3, &mut q, &mut v, &mut ws);
    let expected = motion.at(1.3);
    assert!(result.position_error < 1e-15 && result.velocity_error < 1e-15, "{result:?}");
    assert!(
        (q[0] - expected.pose.translation().x).abs() < 1e-15 && (v[0] - expected.velocity.x).abs() < 1e-15
    );
    let (mut vdot, mut lambda) = (vec![0.0], vec![0.0; 6]);
    tree.loop_acceleration(&mut ws, &[], &[0.0], &mut vdot, &mut lambda);
    assert!((vdot[0] - expected.acceleration.x).abs() < 1e-14);
    assert!((lambda[0] - expected.acceleration.x).abs() < 1e-12, "{lambda:?}");
}

#[test]
fn a_state_that_is_not_finite_is_not_projected() {
    let tree = four_bar(0.8, 1.5, LoopKind::Point);
    let (mut q, mut v, mut ws) = (vec![f64::NAN, 0.0, 0.0], vec![1.0; 3], tree.workspace());
    let result = tree.project(0.0, &mut q, &mut v, &mut ws);
    assert!(result.position_error == f64::INFINITY && !ws.is_valid());
    assert!(difference(&v, &[1.0; 3]) == 0.0);
}
