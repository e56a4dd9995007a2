//! Velocities, biases and rows against central differences of positions and velocities.

use zerogap_core::random::Random;
use zerogap_core::{Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Harmonic, HarmonicMotion, Loop, LoopKind, Motion, Tree, TreeBuilder, Workspace,
};

use crate::support::{
    GRAVITY, difference, harmonic_motion, inertia, kind, largest, numbers, pose, state, tree,
};

/// Step of the differences [s]: errors of order `STEP²` from curvature and `1e-16 / STEP` from rounding.
const STEP: f64 = 1e-5;

/// What those two leave, with room for the speeds used here [-].
const NEAR: f64 = 2e-7;

/// The angular velocity between two poses a time apart.
pub(crate) fn turning(before: &Pose, after: &Pose, time: f64) -> Vec3 {
    let step = (after.rotation() * before.rotation().inverse()).into_inner();
    step.imag() * (2.0 * step.w.signum() / time)
}

/// Workspaces shortly before and after `t`, on the curve through `(q, v)` with constant `vdot`.
fn around(tree: &Tree, t: f64, q: &[f64], v: &[f64], vdot: &[f64]) -> [Workspace; 2] {
    [-STEP, STEP].map(|h| {
        let (mut q, mut ws) = (q.to_vec(), tree.workspace());
        let middle: Vec<f64> = v.iter().zip(vdot).map(|(v, a)| (v + 0.5 * h * a) * h).collect();
        let end: Vec<f64> = v.iter().zip(vdot).map(|(v, a)| v + h * a).collect();
        tree.displace(&mut q, &middle);
        tree.update(t + h, &q, &end, &mut ws);
        ws
    })
}

#[test]
fn velocities_biases_and_rows_are_derivatives() {
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let tree = tree(&mut random, 6);
        let n = tree.velocities();
        let (q, v) = state(&mut random, &tree);
        let vdot = if seed % 2 == 0 { vec![0.0; n] } else { numbers(&mut random, n, 1.0) };
        let mut ws = tree.workspace();
        tree.update(0.4, &q, &v, &mut ws);
        let [before, after] = around(&tree, 0.4, &q, &v, &vdot);
        for i in 0..tree.bodies() {
            let body = BodyId(i as u32);
            let local = random.in_cube(1.0);
            let at = |ws: &Workspace| ws.pose(body).transform_point(&local);
            let point = at(&ws);
            let speed = (at(&after) - at(&before)) / (2.0 * STEP);
            let found = ws.point_velocity(Some(body), point);
            let size = 1.0 + found.norm();
            assert!((speed - found).amax() <= NEAR * size, "seed {seed} body {i}: {speed} {found}");
            let spin = turning(before.pose(body), after.pose(body), 2.0 * STEP);
            assert!((spin - ws.angular_velocity(body)).amax() <= NEAR * size);
            let origin = ws.pose(body).translation();
            assert!((ws.linear_velocity(body) - ws.point_velocity(Some(body), origin)).amax() < 1e-12 * size);

            // Accelerations: the bias, and what the rows make of vdot.
            let jacobian = tree.jacobian(&ws, body, point);
            let by_rows = &jacobian * nalgebra::DVector::from_column_slice(&vdot);
            let rate = (after.point_velocity(Some(body), at(&after))
                - before.point_velocity(Some(body), at(&before)))
                / (2.0 * STEP);
            let expected = ws.point_bias(Some(body), point) + by_rows.fixed_rows::<3>(0);
            let size = 1.0 + expected.norm() + found.norm_squared();
            assert!((rate - expected).amax() <= NEAR * size, "seed {seed} body {i}: {rate} {expected}");
            let spin_rate = (after.angular_velocity(body) - before.angular_velocity(body)) / (2.0 * STEP);
            let expected = ws.bias_angular(body) + by_rows.fixed_rows::<3>(3);
            assert!((spin_rate - expected).amax() <= NEAR * size, "seed {seed} body {i}");
            assert!((ws.bias_linear(body) - ws.point_bias(Some(body), origin)).amax() < 1e-11 * size);
        }
    }
}

#[test]
fn rows_times_velocities_are_velocities_less_what_is_prescribed() {
    for seed in 0..50 {
        let mut random = Random::new(100 + seed);
        let tree = tree(&mut random, 7);
        let n = tree.velocities();
        let (q, v) = state(&mut random, &tree);
        let (mut ws, mut still) = (tree.workspace(), tree.workspace());
        tree.update(0.2, &q, &v, &mut ws);
        tree.update(0.2, &q, &vec![0.0; n], &mut still);
        let id = BodyId(random.index(7) as u32);
        let body = Some(id);
        let (point, direction) = (random.in_cube(1.0), random.direction());
        let (mut row, mut turn) = (vec![0.0; n], vec![0.0; n]);
        tree.point_row(&ws, body, point, direction, 2.0, &mut row);
        tree.angular_row(&ws, body, direction, -1.0, &mut turn);
        let dot = |row: &[f64]| row.iter().zip(&v).map(|(a, b)| a * b).sum::<f64>();
        let expected =
            2.0 * direction.dot(&(ws.point_velocity(body, point) - still.point_velocity(body, point)));
        assert!((dot(&row) - expected).abs() <= 1e-12 * (1.0 + expected.abs()));
        let expected = -direction.dot(&(ws.angular_velocity(id) - still.angular_velocity(id)));
        assert!((dot(&turn) - expected).abs() <= 1e-12 * (1.0 + expected.abs()));
        // The world neither moves nor enters a row.
        let mut none = vec![0.0; n];
        tree.point_row(&ws, None, point, direction, 1.0, &mut none);
        assert!(largest(&none) == 0.0 && ws.point_velocity(None, point).norm() == 0.0);
    }
}

#[test]
fn position_rates_are_those_of_moving_along_the_velocities() {
    for seed in 0..50 {
        let mut random = Random::new(200 + seed);
        let tree = tree(&mut random, 6);
        let (q, v) = state(&mut random, &tree);
        let mut dq = vec![0.0; q.len()];
        tree.position_derivative(&q, &v, &mut dq);
        let moved = |h: f64| {
            let mut q = q.clone();
            tree.displace(&mut q, &v.iter().map(|x| x * h).collect::<Vec<_>>());
            q
        };
        let (before, after) = (moved(-STEP), moved(STEP));
        let slope: Vec<f64> = after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * STEP)).collect();
        assert!(difference(&slope, &dq) <= 1e-8);
        // Quaternions of any length stand for the same pose, and normalising says so.
        let (mut unit, mut one, mut two) = (q.clone(), tree.workspace(), tree.workspace());
        tree.normalise(&mut unit);
        tree.update(0.0, &q, &v, &mut one);
        tree.update(0.0, &unit, &v, &mut two);
        for i in 0..tree.bodies() {
            let (a, b) = (one.pose(BodyId(i as u32)), two.pose(BodyId(i as u32)));
            assert!((a.translation() - b.translation()).amax() < 1e-13);
        }
    }
}

/// A tree with one loop of each kind, at a state that violates all of them.
fn looped(random: &mut Random, which: LoopKind) -> Tree {
    let mut builder = TreeBuilder::new(GRAVITY);
    for i in 0..5_usize {
        let parent = (i > 0 && i != 3).then(|| BodyId(i as u32 - 1));
        let kinds = [5, 1, 4, 8, 7];
        let joint = zerogap_dynamics::multibody::Joint::new(parent, kind(random, kinds[i]))
            .parent_frame(pose(random, 1.0))
            .child_frame(pose(random, 0.5));
        builder.body(inertia(random), joint).unwrap();
    }
    let (a, b) = (Some(BodyId(2)), Some(BodyId(4)));
    builder
        .close(Loop { a, frame_a: pose(random, 1.0), b, frame_b: pose(random, 1.0), kind: which })
        .unwrap();
    let (a, b) = (Some(BodyId(1)), None);
    builder
        .close(Loop { a, frame_a: pose(random, 1.0), b, frame_b: pose(random, 1.0), kind: which })
        .unwrap();
    builder.build().unwrap()
}

#[test]
fn loop_rates_matrices_and_biases_are_derivatives_of_loop_errors() {
    for seed in 0..60 {
        let mut random = Random::new(300 + seed);
        let kinds = [
            LoopKind::Point,
            LoopKind::Fixed,
            LoopKind::Distance(0.7),
            LoopKind::Revolute { axis: random.direction() },
        ];
        let tree = looped(&mut random, kinds[seed as usize % 4]);
        let (n, m) = (tree.velocities(), tree.loop_rows());
        let (q, v) = state(&mut random, &tree);
        let vdot = numbers(&mut random, n, 1.0);
        let mut ws = tree.workspace();
        tree.update(0.4, &q, &v, &mut ws);
        let [before, after] = around(&tree, 0.4, &q, &v, &vdot);
        let slope = |read: &dyn Fn(&Workspace, &mut [f64])| {
            let (mut a, mut b) = (vec![0.0; m], vec![0.0; m]);
            read(&before, &mut a);
            read(&after, &mut b);
            b.iter().zip(&a).map(|(b, a)| (b - a) / (2.0 * STEP)).collect::<Vec<_>>()
        };
        let mut rates = vec![0.0; m];
        tree.loop_rates(&ws, &mut rates);
        let numeric = slope(&|ws, out| tree.loop_errors(ws, out));
        let size = 1.0 + largest(&rates);
        assert!(difference(&numeric, &rates) <= NEAR * size, "seed {seed}: {numeric:?} {rates:?}");
        let mut matrix = nalgebra::DMatrix::zeros(m, n);
        tree.loop_matrix(&ws, &mut matrix);
        let mut bias = vec![0.0; m];
        tree.loop_bias(&ws, &mut bias);
        let expected = matrix * nalgebra::DVector::from_column_slice(&vdot) + nalgebra::DVector::from(bias);
        let numeric = slope(&|ws, out| tree.loop_rates(ws, out));
        let size = size * size + largest(expected.as_slice());
        assert!(difference(&numeric, expected.as_slice()) <= 5.0 * NEAR * size, "seed {seed}");
    }
}

#[test]
fn a_prescribed_motion_has_the_velocities_and_accelerations_of_its_pose() {
    let mut random = Random::new(8);
    for _ in 0..20 {
        let motion = harmonic_motion(&mut random);
        let t = random.range(0.0, 10.0);
        let (before, now, after) = (motion.at(t - STEP), motion.at(t), motion.at(t + STEP));
        let slope = |a: Vec3, b: Vec3| (b - a) / (2.0 * STEP);
        let pairs = [
            (slope(before.pose.translation(), after.pose.translation()), now.velocity),
            (slope(before.velocity, after.velocity), now.acceleration),
            (turning(&before.pose, &after.pose, 2.0 * STEP), now.angular_velocity),
            (slope(before.angular_velocity, after.angular_velocity), now.angular_acceleration),
        ];
        for (numeric, exact) in pairs {
            assert!((numeric - exact).amax() <= NEAR * (1.0 + exact.norm()), "{numeric} {exact}");
        }
    }
    let bad = Harmonic { amplitude: f64::NAN, ..Harmonic::default() };
    let still = [Harmonic::default(); 3];
    let error = HarmonicMotion::new(Pose::identity(), [bad, bad, bad], still).unwrap_err();
    assert!(error.to_string().contains("amplitude is NaN"));
}
