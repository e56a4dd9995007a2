//! Random trees of all joint kinds, and a plain integrator.

use std::sync::Arc;

use zerogap_core::random::Random;
use zerogap_core::{Mat3, Pose, Vec3};
use zerogap_dynamics::multibody::{
    BodyId, Harmonic, HarmonicMotion, Inertia, Joint, JointKind, Tree, TreeBuilder, Workspace, Wrench,
};

pub(crate) const GRAVITY: Vec3 = Vec3::new(0.3, -0.2, -9.81);

pub(crate) fn pose(random: &mut Random, size: f64) -> Pose {
    Pose::new(random.in_cube(size), random.quaternion_xyzw()).unwrap()
}

/// An inertia that some mass has: turned principal moments made of second moments.
pub(crate) fn inertia(random: &mut Random) -> Inertia {
    let turn = pose(random, 0.0).rotation_matrix();
    let second = Vec3::new(random.range(0.01, 1.0), random.range(0.01, 1.0), random.range(0.01, 1.0));
    let moments = Vec3::from_element(second.sum()) - second;
    let inertia = turn * Mat3::from_diagonal(&moments) * turn.transpose();
    Inertia { mass: random.range(0.1, 3.0), center: random.in_cube(0.5), inertia }
}

pub(crate) fn harmonic_motion(random: &mut Random) -> HarmonicMotion {
    let mut three = |size: f64| {
        [0; 3].map(|_| Harmonic {
            amplitude: random.range(0.1, size),
            frequency: random.range(0.1, 0.5),
            phase: random.range(0.0, 6.0),
        })
    };
    let (shift, turn) = (three(0.5), three(1.2));
    HarmonicMotion::new(pose(random, 1.0), shift, turn).unwrap()
}

pub(crate) fn kind(random: &mut Random, which: usize) -> JointKind {
    let axis = random.direction();
    match which {
        0 => JointKind::Fixed,
        1 => JointKind::Revolute { axis },
        2 => JointKind::Prismatic { axis },
        3 => JointKind::Cylindrical { axis },
        4 => JointKind::Universal { first: axis, second: random.direction() },
        5 => JointKind::Spherical,
        6 => JointKind::Planar { normal: axis },
        7 => JointKind::Free,
        _ => JointKind::Prescribed(Arc::new(harmonic_motion(random))),
    }
}

pub(crate) fn tree_under(random: &mut Random, bodies: usize, kinds: usize, gravity: Vec3) -> Tree {
    let mut builder = TreeBuilder::new(gravity);
    for i in 0..bodies {
        // Mostly chains, some branches, some further roots.
        let parent = match random.index(6) {
            0 => None,
            1 if i > 0 => Some(BodyId(random.index(i) as u32)),
            _ => i.checked_sub(1).map(|p| BodyId(p as u32)),
        };
        let which = random.index(kinds);
        let joint = Joint::new(parent, kind(random, which))
            .parent_frame(pose(random, 1.0))
            .child_frame(pose(random, 0.5));
        builder.body(inertia(random), joint).unwrap();
    }
    builder.build().unwrap()
}

/// All joint kinds, prescribed ones included.
pub(crate) fn tree(random: &mut Random, bodies: usize) -> Tree {
    tree_under(random, bodies, 9, GRAVITY)
}

pub(crate) fn numbers(random: &mut Random, n: usize, size: f64) -> Vec<f64> {
    (0..n).map(|_| random.range(-size, size)).collect()
}

/// Random positions (quaternions of any length) and velocities.
pub(crate) fn state(random: &mut Random, tree: &Tree) -> (Vec<f64>, Vec<f64>) {
    (numbers(random, tree.positions(), 1.0), numbers(random, tree.velocities(), 2.0))
}

pub(crate) fn wrenches(random: &mut Random, bodies: usize) -> Vec<Wrench> {
    (0..bodies).map(|_| Wrench { force: random.in_cube(5.0), torque: random.in_cube(5.0) }).collect()
}

pub(crate) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m, x| if x.is_nan() { f64::NAN } else { m.max(x.abs()) })
}

pub(crate) fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    largest(&a.iter().zip(b).map(|(x, y)| x - y).collect::<Vec<_>>())
}

/// Fills the last slice with accelerations, from an updated workspace, positions and velocities.
type Accelerate<'a> = &'a mut dyn FnMut(&mut Workspace, &[f64], &[f64], &mut [f64]);

/// One step of the classical method of order four for `(q, v)`; `accelerate` fills `vdot` for an updated workspace.
pub(crate) fn rk4(
    tree: &Tree,
    ws: &mut Workspace,
    (t, h): (f64, f64),
    q: &mut [f64],
    v: &mut [f64],
    accelerate: Accelerate<'_>,
) {
    let mut rate = |t: f64, q: &[f64], v: &[f64]| {
        let (mut dq, mut dv) = (vec![0.0; q.len()], vec![0.0; v.len()]);
        tree.update(t, q, v, ws);
        tree.position_derivative(q, v, &mut dq);
        accelerate(ws, q, v, &mut dv);
        (dq, dv)
    };
    let along = |x: &[f64], d: &[f64], s: f64| x.iter().zip(d).map(|(x, d)| x + d * s).collect::<Vec<_>>();
    let k1 = rate(t, q, v);
    let k2 = rate(t + 0.5 * h, &along(q, &k1.0, 0.5 * h), &along(v, &k1.1, 0.5 * h));
    let k3 = rate(t + 0.5 * h, &along(q, &k2.0, 0.5 * h), &along(v, &k2.1, 0.5 * h));
    let k4 = rate(t + h, &along(q, &k3.0, h), &along(v, &k3.1, h));
    for (x, k) in [(&mut *q, [&k1.0, &k2.0, &k3.0, &k4.0]), (&mut *v, [&k1.1, &k2.1, &k3.1, &k4.1])] {
        for (i, x) in x.iter_mut().enumerate() {
            *x += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
    }
}
